#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/machine/machine.h"
#include "core/model/transformer.h"
#include "core/papers/study.h"
#include "core/scenario/scenario.h"
#include "core/step/best_mesh.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace meshslice {

/// How many sequences a cluster of so many chips trains on at once.
enum class BatchRule : std::uint8_t {
    weak,   ///< half as many as chips (MeshSlice paper, section 5.1.1)
    strong, ///< always 32 (section 5.1.3)
};
[[nodiscard]] std::int64_t batch(BatchRule rule, std::int32_t chips);

/// MeshSlice (Nam et al., ISCA 2025): the evaluation in section 5 and the comparison in section 7.
[[nodiscard]] const Publication& meshslice_paper();
/// Our number for one of its claims.
[[nodiscard]] ClaimOutcome outcome(const std::string& id, double ours, Reading reading);
/// The paper's own: GPT-3 and Megatron-NLG on 16, 32, 64, 128 and 256 chips.
[[nodiscard]] StudyInputs paper_inputs(const Machine& hardware);

/// Why a question is not the paper's, as a sentence; empty where it is: about GPT-3 or Megatron-NLG, on the
/// paper's clusters (16 to 256 chips, or the largest) and with a TPU v4, whatever is assumed about its
/// constants, most of which the paper does not publish. A study of all clusters may ask about larger ones
/// next to the paper's.
[[nodiscard]] std::string not_the_papers(const StudyInputs& inputs, const StudyScope& scope);

/// The paper's evaluation, which its studies have in common.
extern const Evaluation meshslice_evaluation;

/// Values that the paper states, next to ours of the series of this name.
[[nodiscard]] ChartSeries published(std::string name);
/// The series that a study is about.
void emphasize(ChartSeries& series);

/// "gpt3" or "megatron", as the paper's claims call the two models in their ids; empty for any other.
[[nodiscard]] std::string claim_name(const Transformer& model);

/// A training step of `model` with sequences of 2048 tokens; nothing fixed but the hardware.
[[nodiscard]] Scenario paper_scenario(const Transformer& model, std::int64_t batch, const Machine& hardware);

/// The algorithms that the paper compares, in the order of its figures.
[[nodiscard]] const std::vector<std::string>& compared_algorithms();

/// Each of `algorithms` on its own best mesh of `chips` chips, by estimate; those that unroll (SUMMA and
/// Wang) unrolled to the slice counts that MeshSlice has on its best mesh, GEMM by GEMM (section 4.2),
/// so MeshSlice is always among them; SUMMA's panels in as many packets as the longer side of its mesh has
/// chips, so that all links of a ring are in use, as section 2.3.3 has it. Algorithms that do not run on so
/// many chips are left out.
[[nodiscard]] Result<std::map<std::string, TrainingStep>> compared(const Scenario& scenario,
                                                                   std::int32_t chips,
                                                                   const std::vector<std::string>& algorithms,
                                                                   const RunControl& control = {});

} // namespace meshslice
