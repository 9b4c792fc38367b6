#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/estimate/all_reduced_gemm.h"
#include "core/papers/study.h"
#include "core/work/training.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// "T3: Transparent Tracking & Triggering for Fine-grained Overlap of Compute & Collectives" (ASPLOS 2024).
[[nodiscard]] const Publication& t3_paper();
/// Its models, rings of 8, 16 and 32, and the hardware where that makes a ring of GPUs, else Table 1's.
[[nodiscard]] StudyInputs t3_inputs(const Machine& hardware);

/// A task of a transformer block that ends in an all-reduce when tensor parallelism splits it (section 2.4):
/// forward those that lead out of the block's wide part, backward the gradients of what leads into it.
struct SubLayer {
    std::string_view name; ///< "OP"
    std::string_view task;
    Pass pass;
    friend bool operator==(const SubLayer&, const SubLayer&) = default;
};
inline constexpr std::array<SubLayer, 4> sub_layers = {{{"OP", output_task, Pass::forward},
                                                        {"IP", qkv_task, Pass::backward_data},
                                                        {"FC-2", ff2_task, Pass::forward},
                                                        {"FC-1", ff1_task, Pass::backward_data}}};

/// One sub-layer of a model on a ring.
struct TensorCase {
    std::string model; ///< its title
    const SubLayer* layer = nullptr;
    AllReducedGemm gemm;
};

/// "T-NLG, TP 8, OP"
[[nodiscard]] std::string text(const TensorCase& one);

/// Which models a study is about: those of sections 6.1 to 6.3, or those of section 6.4, from 100 billion
/// parameters on. Where none of those asked is such, all of them.
enum class ModelSize : std::uint8_t { small, large, any };

/// Every sub-layer of every model on every ring: large models on those from 32 chips on, others on smaller
/// ones, as Table 2 has them; where none is left, on all. Tokens: 16 sequences of 1024 for Mega-GPT-2, 8 for
/// T-NLG, 2 for all others. Rings that do not divide the hidden size are left out; refused where none is
/// left.
[[nodiscard]] Result<std::vector<TensorCase>> tensor_cases(const StudyInputs& inputs, ModelSize size);

/// All times of a case, in seconds.
struct CaseTimes {
    TensorCase of;
    AllReduceTimes parts;
    double t3 = 0;     ///< fused, round robin, with the all-gather
    double t3_mca = 0; ///< fused, communication-aware

    [[nodiscard]] double speed_up(double time) const { return parts.sequential() / time; }
};
/// Stops between cases when asked to.
[[nodiscard]] Result<std::vector<CaseTimes>> case_times(const std::vector<TensorCase>& cases,
                                                        const Machine& hardware, const RunControl& control);

[[nodiscard]] double geometric_mean(const std::vector<double>& values); ///< 0 of none

} // namespace meshslice
