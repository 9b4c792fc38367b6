#include "core/serve/prefix_cache.h"

#include <algorithm>

namespace meshslice {

PrefixCache::PrefixCache(const std::vector<PromptGroup>& groups, std::int64_t page) {
    std::vector<std::int64_t> ends; // tokens from the beginning of a prompt to the end of the group
    for (const PromptGroup& group : groups) {
        const std::int64_t begin = group.parent >= 0 ? ends[static_cast<std::size_t>(group.parent)] : 0;
        ends.push_back(begin + group.tokens);
        Node node;
        node.parent = group.parent;
        node.pages = ends.back() / page - begin / page;
        nodes_.push_back(node);
    }
}

std::int64_t PrefixCache::found(std::int32_t group) const {
    std::int64_t pages = 0;
    for (; group >= 0; group = node(group).parent) {
        const Node& one = node(group);
        // What is behind a gap does not count.
        pages = one.there == one.pages ? pages + one.there : one.there;
    }
    return pages;
}

std::int64_t PrefixCache::whole(std::int32_t group) const {
    std::int64_t pages = 0;
    for (; group >= 0; group = node(group).parent) {
        pages += node(group).pages;
    }
    return pages;
}

template <class Change>
void PrefixCache::changed(std::int32_t group, Change change) {
    Node& one = node(group);
    if (may_go(one)) {
        may_go_.erase({one.used, group});
    }
    change(one);
    if (may_go(one)) {
        may_go_.insert({one.used, group});
    }
}

void PrefixCache::set_there(std::int32_t group, std::int64_t pages) {
    const auto any = [](const Node& one) { return one.there > 0 || one.children_there > 0; };
    bool had = any(node(group));
    changed(group, [&](Node& one) {
        (one.pins > 0 ? pinned_ : idle_) += pages - one.there;
        one.there = pages;
    });
    while (node(group).parent >= 0 && had != any(node(group))) {
        const int more = had ? -1 : 1;
        group = node(group).parent;
        had = any(node(group));
        changed(group, [&](Node& one) { one.children_there += more; });
    }
}

void PrefixCache::pin(std::int32_t group) {
    ++uses_;
    for (; group >= 0; group = node(group).parent) {
        changed(group, [&](Node& one) {
            if (one.pins++ == 0) {
                pinned_ += one.there;
                idle_ -= one.there;
            }
            one.used = uses_;
        });
    }
}

void PrefixCache::unpin(std::int32_t group) {
    ++uses_;
    for (; group >= 0; group = node(group).parent) {
        changed(group, [&](Node& one) {
            if (--one.pins == 0) {
                pinned_ -= one.there;
                idle_ += one.there;
            }
            one.used = uses_;
        });
    }
}

std::int64_t PrefixCache::insert(std::int32_t group) {
    ++uses_;
    std::int64_t added = 0;
    for (; group >= 0; group = node(group).parent) {
        added += node(group).pages - node(group).there;
        set_there(group, node(group).pages);
        changed(group, [&](Node& one) { one.used = uses_; });
    }
    return added;
}

void PrefixCache::shrink_idle(std::int64_t pages) {
    while (idle_ > std::max<std::int64_t>(pages, 0) && !may_go_.empty()) {
        const std::int32_t group = may_go_.begin()->second;
        const std::int64_t there = node(group).there;
        set_there(group, there - std::min(there, idle_ - pages));
    }
}

void PrefixCache::clear() {
    for (Node& one : nodes_) {
        one.there = 0;
        one.pins = 0;
        one.children_there = 0;
    }
    may_go_.clear();
    pinned_ = idle_ = 0;
}

} // namespace meshslice
