#pragma once

#include "core/base/result.h"
#include "core/cost/collective/exchange_bound.h"
#include "core/machine/machine.h"
#include "core/sharding/resharding.h"
#include "core/sharding/shards.h"

#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// What one step of a plan costs a chip.
struct StepCost {
    std::optional<ExchangeBound> exchange; ///< none of a step that sends nothing
    double bytes = 0;      ///< of the whole array over the axes of the group, as exchange_bound() has it
    double received = 0;   ///< bytes that reach one chip
    double held_after = 0; ///< bytes of A, B and C that a chip holds when it is done
};

enum class ShardedBound : std::uint8_t { compute, memory, links, latency };
[[nodiscard]] std::string_view name(ShardedBound bound);

/// A plan with its costs on one chip (scaling book, chapters 1 and 3).
struct CostedPlan {
    ShardedPlan plan;
    std::vector<StepCost> steps; ///< one for each of the plan's
    double flop = 0;             ///< of one chip; what several chips do alike counts for each
    double compute_s = 0;        ///< at the peak rate
    double memory_bytes = 0;     ///< that the GEMM reads and writes, each matrix once
    double memory_s = 0;         ///< at the HBM's bandwidth
    double exchange_s = 0;       ///< of all steps; those of A and B over different axes run at once
    double latency_s = 0;        ///< of the steps that latency bounds, one after the other
    double received = 0;         ///< bytes that reach one chip, of all steps
    double held = 0;             ///< bytes that a chip holds at most; operands stay where they are
    ShardedBound bound = ShardedBound::compute;
    double margin = 1; ///< how many times as long as what takes second longest; infinite where that is 0
    /// As its program does the steps: each when the operand that it is for and the links of its axes are
    /// free, with a launch for each exchange; the GEMM when both operands are there. Nothing hides behind the
    /// GEMM.
    double time_s = 0;

    /// With everything hidden behind the longest, and with nothing hidden; without launches.
    [[nodiscard]] double least_s() const;
    [[nodiscard]] double most_s() const;
};

/// All plans of a GEMM on a slice of a torus, the best first: see rank().
struct ShardedPlans {
    std::vector<CostedPlan> plans;
    double flop = 0;     ///< of the whole GEMM, once
    double capacity = 0; ///< bytes of a chip's HBM
};

/// The fastest first, in steps of a thousandth. Of those in one step the one that a chip receives fewest
/// bytes for comes first, then the one that it holds fewest bytes for, then the one of fewest steps.
void rank(std::vector<CostedPlan>& plans);

/// Every way to give each axis of the mesh a part in the multiplication (it splits one letter, in each order
/// where several split one; it holds partial sums of an operand; or all along it do the same), with the
/// fastest steps that bring A and B there and C from there to where it is wanted, by the book's times: those
/// that move no other axis, as the book has them, and where that is faster those that also use the links of
/// others (A[I_X] cut over Y at no cost, then gathered over X and Y).
///
/// Refuses what links_of() and shards() refuse, a type that the hardware does not multiply, more than
/// three axes and more than eight letters. `kind`: of every element of A, B and C; narrow ones are multiplied
/// as int8, others as bf16.
[[nodiscard]] Result<ShardedPlans> sharded_plans(const ShardedGemm& gemm, const NamedMesh& mesh,
                                                 const DimensionSizes& sizes, DataType kind,
                                                 const Machine& hardware);

/// "Bound by the links: exchanging takes 1.85 ms, 3.2x as long as multiplying."
[[nodiscard]] std::string verdict(const CostedPlan& plan);

} // namespace meshslice
