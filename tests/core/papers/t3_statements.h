#pragma once

// What the T3 paper (ASPLOS 2024) states in definitions, set-ups and formulas, each asked of the engine. Its
// speed-ups, shares and orderings are judged by its studies.

#include "core/estimate/all_reduced_gemm.h"
#include "core/papers/t3/tensor_cases.h"
#include "core/program/program.h"
#include "core/simulate/record/timeline.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace meshslice {

/// How far ours is from the paper's, and how far it may be; of words 0 or 1.
struct Found {
    double paper = 1, ours = 0, within = 0;
};
inline Found is(bool holds) {
    return {1, holds ? 1.0 : 0.0, 0};
}
struct Statement {
    const char* id;
    std::function<Found()> found;
    const char* reading = ""; ///< how it was understood, where it can be understood in more ways than one
};
/// Of sections 2 to 4: the ring and its GEMM, address map, tracker, near-memory updates and arbitration.
[[nodiscard]] std::vector<Statement> statements_of_the_mechanism();
/// Of sections 5 to 7, and what follows from them: the set-up and the results.
[[nodiscard]] std::vector<Statement> statements_of_the_evaluation();
/// Those that can be met only in part; found next to stated, not judged.
[[nodiscard]] std::vector<Statement> partly_met_statements();

/// All 28 cases of Table 2, and of them FC-2 of T-NLG on 8 GPUs.
[[nodiscard]] const std::vector<TensorCase>& stated_cases();
[[nodiscard]] const TensorCase& fc2_of_t_nlg();
[[nodiscard]] Program ring_program(const char* id, const GemmShape& whole, std::int32_t chips);
[[nodiscard]] Program ring_program(const char* id, const TensorCase& one);
[[nodiscard]] std::shared_ptr<const Timeline>
ring_run(const char* id, const TensorCase& one, MemoryPolicy policy, const Machine& hardware = t3_machine());
[[nodiscard]] double ring_seconds(const char* id, const TensorCase& one, MemoryPolicy policy);
/// DRAM bytes by source in chunks: the GEMM's writes; reads and writes of the scatter; of the gather.
[[nodiscard]] std::vector<double> dram_chunks(std::int64_t chips, Reduction reduction);

struct NotExpressible {
    const char* id;
    const char* reason;
};
/// Parts of the paper's GPU that decide no time or byte in its results as we model them: nothing that the
/// engine computes would change with them, so that asking for them would only repeat a number.
inline constexpr std::array not_expressible = {
    NotExpressible{"setup-clock",
                   "A unit has a rate, no clock: the fitted 180 TFLOP/s are 1607 FLOP a cycle on each of 80 "
                   "units at 1.4 GHz, and the paper prints neither."},
    NotExpressible{"setup-threads",
                   "2048 threads hold four work-groups of 8 wavefronts; how many run at once is assumed to "
                   "be one, because registers that a kernel takes are not printed."},
    NotExpressible{"setup-l1", "A work-group's operands are read once from DRAM: no level between the "
                               "registers and the last-level cache is modelled."},
    NotExpressible{"setup-rf", "What bounds the work-groups of a unit is assumed, not worked out from "
                               "registers."},
    NotExpressible{"setup-llc-banks", "The last-level cache is a size, which decides what GEMMs read; its "
                                      "bandwidth bounds nothing."},
    NotExpressible{"setup-llc-clock", "The same: without a bandwidth it needs no clock."},
    NotExpressible{"setup-hbm-clock", "Memory is the bandwidth of 1 TB/s that the paper prints next to it."},
    NotExpressible{"setup-ccdwl",
                   "An update costs CCDWL over CCDL = 2 writes (nmc-cost). CCDL is not printed, so that the "
                   "4 cycles by themselves decide nothing."},
    NotExpressible{"setup-bank-groups", "Accesses have no addresses, so that none meet in a group of banks."},
    NotExpressible{"table3", "What other systems have or lack: none of them but Wang's is modelled."},
};

/// Of what could be met in part: what decides nothing that we model.
inline constexpr std::array not_modelled = {
    NotExpressible{"comm-share-training-large", "An input of t3-end-to-end: the breakdown that it is read "
                                                "from, Figure 4, is lost."},
    NotExpressible{"comm-share-inference-large", "The same."},
    NotExpressible{"mca-policy", "Accesses are not queued one by one: communication-aware memory gives the "
                                 "ring its fair share at once. That it is drained at the end is "
                                 "mca-stage-drain."},
    NotExpressible{"mca-threshold-rule", "Without queues there is no occupancy to choose a threshold by."},
    NotExpressible{"direct-rs", "Every chip linked to every other is not a torus: GPUs are rings here."},
    NotExpressible{"a2a-by-t3", "A tracked all-to-all needs experts, which no GEMM algorithm has."},
    NotExpressible{"dp-pp", "Fused collectives of data and pipeline parallelism: the planner estimates "
                            "those, unfused."},
    NotExpressible{"ag-consumer", "Work-groups that arrivals trigger: an all-gather before a GEMM is "
                                  "MeshSlice's to slice here."},
    NotExpressible{"other-reduction", "Atomics take as long as writes, as the paper says; switches that add "
                                      "up are not modelled."},
    NotExpressible{"lower-precision", "The paper prints no rate of its GPU for fewer bits."},
    NotExpressible{"generation", "Deciding tokens one by one is the planner's to estimate; its GEMMs are too "
                                 "small for a stage each."},
    NotExpressible{"nmc-following", "No operation follows the all-reduce."},
};

inline constexpr std::array stated_as_reproducible = {
    "t3-speedup-geomean",
    "t3-data-movement-mean",
    "t3-large-geomean",
    "t3-large-max",
    "ring-steps",
    "all-reduce-is-rs-ag",
    "serialized-all-reduce",
    "k-slicing-keeps-stages",
    "gemm-stage",
    "tp-degrees",
    "fig6-relative-72-8",
    "fig6-relative-64-16",
    "fig6-gemm-slowdown-64",
    "fig6-order",
    "contention-traffic",
    "t3-steady-steps",
    "t3-fig7-stages",
    "t3-address-map-4",
    "t3-order-4",
    "tracker-granularity",
    "tracker-threshold",
    "tracker-updates-ring-rs",
    "tracker-wf-tile",
    "tracker-entries",
    "tracker-index-bits",
    "tracker-wf-bits",
    "tracker-wg-msb-bits",
    "tracker-size",
    "tracker-off-critical-path",
    "dma-granularity",
    "nmc-atomic",
    "nmc-flags",
    "step-traffic-baseline",
    "step-traffic-t3",
    "mca-round-robin",
    "setup-gpus",
    "setup-ring-bandwidth",
    "setup-link-latency",
    "setup-cus",
    "setup-clock",
    "setup-threads",
    "setup-l1",
    "setup-rf",
    "setup-llc",
    "setup-llc-banks",
    "setup-llc-clock",
    "setup-hbm",
    "setup-hbm-clock",
    "setup-ccdwl",
    "setup-bank-groups",
    "setup-ring-bandwidth-real",
    "setup-no-flop-rate",
    "sim-homogeneous",
    "sim-no-dma-engine",
    "sim-validation-sizes",
    "nmc-cost",
    "precision",
    "model-mega-gpt-2",
    "model-t-nlg",
    "model-gpt-3",
    "model-palm",
    "model-mt-nlg",
    "sub-layers",
    "sub-layer-k",
    "config-sequential",
    "config-t3",
    "config-t3-mca",
    "config-ideal",
    "config-ideal-nmc",
    "ideal-geomean",
    "ideal-max",
    "ideal-max-case",
    "ideal-min",
    "ideal-skew",
    "op-smallest",
    "nmc-rs-tp8",
    "nmc-rs-tp16",
    "nmc-only-final",
    "nmc-extra-max",
    "nmc-extra-where",
    "t3-op-near-ideal",
    "t3-fc-far",
    "t3-mca-below-ideal",
    "t3-mca-far-case",
    "order-configs",
    "fig17-case",
    "fig17-phases",
    "dram-rs-reads-ratio-tp8",
    "dram-rs-reads-ratio-tp16",
    "dram-rs-reads-ratio",
    "dram-writes-ratio-tp8",
    "dram-writes-ratio-tp16",
    "dram-writes-ratio",
    "dram-ag-same",
    "dram-causes",
    "dram-formula-8",
    "dram-formula-16",
    "dram-formula-32",
    "ag-by-t3",
    "gpu-2x-cu",
    "gpu-2x-op",
    "link-utilization",
    "mca-stage-drain",
    "split-k",
    "multi-node",
    "table3",
    "derived-output-bytes",
    "derived-overlap-bound",
    "derived-fused-end",
    "derived-t3-closed-form",
};

inline constexpr std::array stated_in_part = {
    "t3-speedup-max",
    "t3-data-movement-max",
    "training-speedup-max",
    "inference-speedup-max",
    "comm-share-training-large",
    "comm-share-inference-large",
    "fig6-ideal",
    "fig6-72-8",
    "fig6-64-16",
    "fig6-ar-slowdown-8",
    "fig6-ar-slowdown-16",
    "contention-llc",
    "mca-policy",
    "mca-threshold-rule",
    "mca-alternatives",
    "t3-rr-geomean",
    "t3-op-reads",
    "t3-mca-over-t3-geomean",
    "dram-tp-trend",
    "fig18-axis",
    "train-t3-max",
    "train-t3-geomean",
    "train-mca-geomean",
    "infer-t3-max",
    "infer-t3-geomean",
    "infer-mca-geomean",
    "e2e-inference-over-training",
    "direct-rs",
    "a2a-by-t3",
    "dp-pp",
    "ag-consumer",
    "generation",
    "other-reduction",
    "lower-precision",
    "gpu-2x-fc2",
    "fig20-axis",
    "nmc-following",
    "derived-amdahl-training",
    "derived-sequential-chain",
};

} // namespace meshslice
