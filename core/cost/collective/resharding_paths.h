#pragma once

#include "core/cost/collective/exchange_bound.h"
#include "core/cost/mesh_links.h"
#include "core/sharding/resharding.h"
#include "core/sharding/shards.h"

#include <map>
#include <optional>
#include <vector>

namespace meshslice {

/// What the steps of arrays on a mesh cost: bytes of a chip, and the book's time of the exchange.
class ReshardingCosts {
  public:
    /// `hop`: s.
    ReshardingCosts(const NamedMesh& mesh, const DimensionSizes& sizes, std::int64_t bits,
                    const std::vector<MeshLinks>& links, double hop);

    [[nodiscard]] const NamedMesh& mesh() const { return mesh_; }
    /// Whether every dimension divides into its parts.
    [[nodiscard]] bool divides(const ShardedArray& array) const;
    /// Bytes that one chip holds of an array.
    [[nodiscard]] double held(const ShardedArray& array) const;
    /// Bytes of the whole array over the axes of the step's group: what exchange_bound() takes.
    [[nodiscard]] double whole(const ShardingStep& step, const ShardedArray& before) const;
    /// Bytes that reach one chip.
    [[nodiscard]] double received(const ShardingStep& step, const ShardedArray& before) const;
    /// None of a step that sends nothing: a slice, or a group of one chip.
    [[nodiscard]] std::optional<ExchangeBound> exchange(const ShardingStep& step,
                                                        const ShardedArray& before) const;
    /// Of exchange(), without its words.
    [[nodiscard]] double seconds(const ShardingStep& step, const ShardedArray& before) const;

  private:
    [[nodiscard]] std::vector<ExchangeAxis> axes_of(const ShardingStep& step) const;
    [[nodiscard]] double chips_of(const ShardingStep& step) const;

    const NamedMesh& mesh_;
    const DimensionSizes& sizes_;
    double bytes_an_element_;
    const std::vector<MeshLinks>& links_;
    double hop_;
    /// By kind and axes: the latency, and the seconds a byte.
    mutable std::map<std::pair<Collective, AxisList>, std::pair<double, double>> known_;
};

/// The fastest steps from one state of an array to all others that move only the axes of `moved`: by time,
/// then by their number, then by the bytes that reach a chip. (Dijkstra's algorithm over the states that
/// divide.)
class ReshardingPaths {
  public:
    ReshardingPaths(const ShardedArray& from, Operand which, const ReshardingCosts& costs,
                    const AxisList& moved);
    /// None where it cannot be reached.
    [[nodiscard]] std::optional<std::vector<ShardingStep>> to(const ShardedArray& state) const;

  private:
    friend class ReshardingPathsTo;
    struct Edge {
        ShardingStep step;
        ShardedArray before;
        double seconds = 0, received = 0;
    };
    struct ByText {
        bool operator()(const ShardedArray& left, const ShardedArray& right) const;
    };
    std::map<ShardedArray, std::optional<Edge>, ByText> reached_; ///< by which step; none: the beginning
};

/// The same from all states to one.
class ReshardingPathsTo {
  public:
    ReshardingPathsTo(const ShardedArray& to, Operand which, const ReshardingCosts& costs,
                      const AxisList& moved);
    [[nodiscard]] std::optional<std::vector<ShardingStep>> from(const ShardedArray& state) const;

  private:
    std::map<ShardedArray, std::optional<ReshardingPaths::Edge>, ReshardingPaths::ByText> leads_on_;
};

/// The axes that have another part in one array than in the other, or another place among those of a
/// dimension: what a direct way from one to the other moves.
[[nodiscard]] AxisList moved_axes(const ShardedArray& from, const ShardedArray& to, const NamedMesh& mesh);

} // namespace meshslice
