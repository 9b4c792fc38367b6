#pragma once

#include "core/machine/collective.h"
#include "core/sharding/sharded_gemm.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// One step of a plan: a collective, a slice, or the multiplication that makes C of A and B. The groups are
/// devices that differ along `axes` only, in the order of these, the first the major one.
///   all_gather      I_..G -> I_..: each device gets the blocks of its group
///   reduce_scatter  {U_G}, I_.. -> I_..G: partial sums are added up, each keeps its block
///   all_reduce      {U_G} -> {}: each keeps all of it
///   all_to_all      I_..G, J_.. -> I_.., J_..G: blocks of I against blocks of J
///   slice           I_.. -> I_..G: each keeps its block of what all of its group have; nothing is sent
struct ShardingStep {
    std::optional<Collective> sends; ///< none of slice and multiply
    Operand which = Operand::result;
    AxisList axes;        ///< G; none of multiply
    std::size_t from = 0; ///< the dimension that axes leave; of all_gather and all_to_all
    std::size_t to = 0;   ///< the one that they go to; of reduce_scatter, all_to_all and slice
    ShardedArray after;   ///< of multiply: C as it comes out

    [[nodiscard]] bool multiplies() const { return !sends && axes.empty(); }
    [[nodiscard]] bool slices() const { return !sends && !axes.empty(); }
    bool operator==(const ShardingStep&) const = default;
};
/// "AllGather_X", "ReduceScatter_{X, I}"
[[nodiscard]] std::string text(const ShardingStep& step, const NamedMesh& mesh);
/// What it does, as a sentence.
[[nodiscard]] std::string words(const ShardingStep& step, const NamedMesh& mesh);

/// Every step that an array can take, whether or not its sizes divide.
[[nodiscard]] std::vector<ShardingStep> steps_from(const ShardedArray& array, Operand which,
                                                   const NamedMesh& mesh);
/// Every way that an array can lie on the mesh, each axis splitting a dimension, holding partial sums or
/// copies.
[[nodiscard]] std::vector<ShardedArray> all_states(const ShardedArray& array, const NamedMesh& mesh);
/// Partial sums have no order: their axes in that of the mesh.
[[nodiscard]] ShardedArray in_order(ShardedArray array);

/// From what is given to what is wanted.
struct ShardedPlan {
    std::vector<ShardingStep> steps;

    /// What each array is when the first `done` steps are done; nothing of C before the multiplication.
    [[nodiscard]] ShardedArray state(const ShardedGemm& gemm, Operand which, std::size_t done) const;
    bool operator==(const ShardedPlan&) const = default;
};
/// "AllGather_Y A, Multiply", one line. "Multiply" alone where nothing is sent.
[[nodiscard]] std::string text(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh);

/// A plan as JAX code that runs it, device by device: jax.shard_map around collectives of jax.lax.
/// Partial sums as operands or as the result cannot be said there: an empty text.
[[nodiscard]] std::string shard_map_text(const ShardedPlan& plan, const ShardedGemm& gemm,
                                         const NamedMesh& mesh);

} // namespace meshslice
