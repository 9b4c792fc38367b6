#pragma once

#include "core/serve/arrivals.h"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace meshslice {

/// The pages of shared prompts that one server has: a trie whose nodes are the groups of Arrivals. A page
/// belongs to the group in which it ends, and is there only with all pages before it. Pages that are not used
/// stay until their room is needed; then the least recently used group loses its last pages first, children
/// before parents.
class PrefixCache {
  public:
    PrefixCache(const std::vector<PromptGroup>& groups, std::int64_t page);

    /// Pages of a prompt of this group that are there, from its beginning.
    [[nodiscard]] std::int64_t found(std::int32_t group) const;
    /// Pages that the whole beginning has.
    [[nodiscard]] std::int64_t whole(std::int32_t group) const;

    /// A request uses what is there and keeps it from going. Each `pin` has its `unpin`.
    void pin(std::int32_t group);
    void unpin(std::int32_t group);
    /// The whole beginning is there from now on. Answers the pages that were not.
    std::int64_t insert(std::int32_t group);
    /// Lets unused pages go until no more than so many remain.
    void shrink_idle(std::int64_t pages);
    void clear();

    [[nodiscard]] std::int64_t pinned() const { return pinned_; } ///< pages that requests use
    [[nodiscard]] std::int64_t idle() const { return idle_; }     ///< pages that are not used

  private:
    struct Node {
        std::int32_t parent = -1;
        std::int64_t pages = 0, there = 0; ///< that end in it
        std::int32_t pins = 0;
        std::int32_t children_there = 0; ///< with a page in them or below
        std::uint64_t used = 0;
    };
    [[nodiscard]] Node& node(std::int32_t group) { return nodes_[static_cast<std::size_t>(group)]; }
    [[nodiscard]] const Node& node(std::int32_t group) const {
        return nodes_[static_cast<std::size_t>(group)];
    }
    [[nodiscard]] static bool may_go(const Node& node) {
        return node.pins == 0 && node.there > 0 && node.children_there == 0;
    }
    void set_there(std::int32_t group, std::int64_t pages);
    /// Calls `change` and keeps the list of those that may go.
    template <class Change>
    void changed(std::int32_t group, Change change);

    std::vector<Node> nodes_;
    std::set<std::pair<std::uint64_t, std::int32_t>> may_go_; ///< least recently used first
    std::uint64_t uses_ = 0;
    std::int64_t pinned_ = 0, idle_ = 0;
};

} // namespace meshslice
