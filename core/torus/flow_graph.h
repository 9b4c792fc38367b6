#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace meshslice {

/// A directed graph whose edges have room for so much, in whole numbers, and the largest flow through it
/// (Boost.Graph's push-relabel).
class FlowGraph {
  public:
    explicit FlowGraph(std::size_t nodes);
    ~FlowGraph();
    FlowGraph(const FlowGraph&) = delete;
    FlowGraph& operator=(const FlowGraph&) = delete;

    /// The edge's number, from 0 in the order in which they are added.
    std::size_t add(std::size_t from, std::size_t to, std::int64_t room);
    /// How much goes from one node to another at most, after all edges are there.
    std::int64_t fill(std::size_t from, std::size_t to);
    /// Whether anything goes over an edge once it is filled.
    [[nodiscard]] bool carries(std::size_t edge) const;
    /// Which nodes can still be reached from one once it is filled: those on its side of a narrowest cut.
    [[nodiscard]] std::vector<bool> reached_from(std::size_t node) const;

  private:
    struct Boost;
    std::unique_ptr<Boost> boost_;
};

} // namespace meshslice
