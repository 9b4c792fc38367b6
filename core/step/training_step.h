#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/gemm/algorithms.h"
#include "core/gemm/options.h"
#include "core/machine/edit.h"
#include "core/model/gemm.h"
#include "core/program/chunk_order.h"
#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"
#include "core/step/bottleneck.h"
#include "core/work/memory_use.h"
#include "core/work/optimizer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace meshslice {

/// One GEMM of a training step, with every reading of it that was asked for. Estimate, memory, count, usage
/// and timeline are of one copy (one expert); `time` and `estimated()` are of all copies.
struct GemmResult {
    Gemm gemm;
    std::string called;  ///< what it is called where it is not a GEMM; else empty
    GemmOptions options; ///< no packets and no axis where the algorithm does not take them
    Estimate estimate;
    Memory memory;                          ///< of one chip
    std::shared_ptr<const Program> program; ///< none in an estimated_step()
    std::shared_ptr<const Count> count;     ///< likewise
    /// Likewise; of a GEMM that was simulated in stages on a healthy machine, by simulation.
    Bottleneck bottleneck;
    /// By part: the options with that part twice as fast. Empty where the scenario leaves nothing open.
    std::vector<GemmOptions> options_with_twice;
    std::shared_ptr<const Timeline> timeline; ///< none where nothing was simulated
    Usage usage;                              ///< simulated; the closed form's where nothing was simulated
    Time start; ///< when it begins in the step: the GEMMs run one after the other
    Time time;  ///< simulated (all copies); the estimate where nothing was simulated

    [[nodiscard]] Time estimated() const { return estimate.total * gemm.copies; }
    /// "FF1 forward", or the dataflow and shape of a GEMM on its own.
    [[nodiscard]] std::string title() const { return called.empty() ? meshslice::title(gemm) : called; }
};

/// One transformer block's training step: four fully connected layers x three passes, or one GEMM on its own.
/// Times, FLOP and usage are of that block; the model has `blocks` of them, which take `model_seconds()` one
/// after the other, with the same utilization.
struct TrainingStep {
    std::string algorithm; ///< id
    std::string variant;   ///< what its scenario is called next to another one, "A (half links)"; else empty
    std::vector<std::int32_t> mesh; ///< the scenario's
    Torus torus;                    ///< that the algorithm makes of it: the mesh, or a ring of all its chips
    std::vector<GemmResult> gemms;
    /// How memory serves its GEMMs and the communication next to them; none where GEMMs are not made in
    /// stages and where the two take turns.
    std::optional<MemoryPolicy> arbitration;
    std::optional<ChunkOrder> chunk_order; ///< of GEMMs that feed their ring in an order that can be chosen
    std::vector<EditedNumber> hardware_edits; ///< numbers that differ from the preset's or were edited
    Faults faults;          ///< that it was simulated with; none where it was only estimated
    Faults not_counted;     ///< that its scenario has, but the closed form does not know
    Time time;              ///< simulated; the estimate where nothing was simulated
    Time estimated;         ///< by closed form
    Flop flop;              ///< of all chips together
    Usage usage;            ///< summed over the GEMMs
    Bottleneck bottleneck;  ///< of its GEMMs together; none in an estimated_step()
    double utilization = 0; ///< FLOP / (chips x peak x time); the paper's FLOP utilization, section 5.1.1
    double estimated_utilization = 0; ///< the same with the estimated time
    std::int64_t blocks = 0;          ///< of the model; 0 for a GEMM on its own
    std::int64_t sequence = 0;        ///< tokens in one; 0 likewise
    /// Of one chip, for all blocks and the embeddings, by the account of a plan
    /// (core/plan/evaluate/scenario_memory.h); of a GEMM on its own its three matrices, as activations, and
    /// its buffers.
    MemoryUse memory;
    MemoryUse block_memory;    ///< of one chip, for this block alone
    Bytes capacity;            ///< a chip's HBM
    bool ends_counted = false; ///< both ends of the model in `memory`: embedding and output head
    KeptNumbers keeps;         ///< as what `memory` is counted
    /// Of which it is one tensor-parallel group, and which says what its chips hold (group_of_plan()).
    std::optional<Plan> plan;
    bool in_stages = false;     ///< its GEMMs are made in stages (see staged())
    bool memory_counted = true; ///< else GEMMs run at a constant rate, whatever HBM needs for their bytes

    /// The share of communication that runs while the core multiplies; 1 without communication.
    [[nodiscard]] double hidden_share() const;
    /// All blocks; as a number, because thousands of long blocks are more than a Time counts.
    [[nodiscard]] double model_seconds() const { return in_seconds(time) * static_cast<double>(blocks); }
    /// Whether the chip holds it.
    [[nodiscard]] bool fits() const { return memory.bytes() <= capacity; }
};

/// What a step is called next to others: its variant, or else its algorithm, "MeshSlice".
[[nodiscard]] std::string title(const TrainingStep& step);
/// The most GEMMs that one of the steps has.
[[nodiscard]] std::size_t most_gemms(const std::vector<TrainingStep>& steps);

/// The scenario's step with `algorithm` (an id) by closed form alone: what studies compare by the hundred and
/// the autotuner by the thousand. No program is kept and no traffic counted. With `unroll`, one count per
/// GEMM, the loops of an algorithm that unrolls run at most that many iterations, as the paper compares SUMMA
/// and Wang with MeshSlice (section 4.2); else the scenario's slice count or the best one holds. Where
/// buffers of the best one have no room in a chip's memory, it is the best of those whose buffers have.
/// Refused where a GEMM does not fit the mesh; whether the scenario is valid is for the caller to ask.
[[nodiscard]] Result<TrainingStep> estimated_step(const Scenario& scenario, const std::string& algorithm,
                                                  const std::vector<std::int64_t>& unroll = {},
                                                  const std::stop_token& stop = {});
/// The same where its GEMMs (see products) are known already: they are the same on every mesh.
[[nodiscard]] Result<TrainingStep> estimated_step(const Scenario& scenario, const Algorithm& algorithm,
                                                  const std::vector<Gemm>& gemms,
                                                  const std::vector<std::int64_t>& unroll,
                                                  const std::stop_token& stop);

/// Which readings to make: estimates and counts are instant, simulation records every link.
enum class Depth : std::uint8_t { estimate, simulate };

/// Runs the scenario's training step with `algorithm` (an id; the scenario's own or the one to compare with):
/// its estimated_step() with programs and counts, and with timelines where it is simulated. GEMMs are
/// simulated on `threads` threads (0: one per core); the result does not depend on how many.
[[nodiscard]] Result<TrainingStep> training_step(const Scenario& scenario, const std::string& algorithm,
                                                 Depth depth, const RunControl& control = {},
                                                 unsigned threads = 0);

} // namespace meshslice
