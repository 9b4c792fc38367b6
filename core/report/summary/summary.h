#pragma once

#include "core/evidence/expected_plan.h"
#include "core/explain/why.h"
#include "core/figure/role.h"
#include "core/figure/table.h"
#include "core/plan/search/plan_question.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <string>
#include <vector>

namespace meshslice {

/// A part of a bar.
struct SummaryPart {
    std::string name;
    double amount = 0; ///< seconds or bytes
    double share = 0;  ///< of the whole, 0 to 1
    Role role = Role::compute;
    bool exposed = false; ///< the core waits meanwhile

    bool operator==(const SummaryPart&) const = default;
};

/// What somebody who looks for the first time wants to know: how long, does it fit, where the time goes, and
/// how far to trust that.
struct Summary {
    std::string of; ///< "One block of GPT-3 175B, forward and backward, on 256 TPU v4"
    std::string how =
        {}; ///< "MeshSlice on 4x4, dataflow OS, S = 8": in which way; empty where `of_peak` says it
    std::string number;      ///< "61.7 ms", to be written large
    double seconds = 0;      ///< the same
    double tokens_per_s = 0; ///< of a plan; 0: of a block
    std::string expected;    ///< "expected; 6.90 s to 8.20 s in eight of ten"; empty where the number is not
    std::string ideal;       ///< "ideal: 5.91 s, 47% of peak"; empty where the number is that
    std::string of_peak;     ///< "66% of the peak of all chips, 275 TFLOP/s each in bf16"
    /// What carries the number and may not be true, each a short sentence: an estimate, faults left out,
    /// numbers that are edited or assumed.
    std::vector<std::string> warnings;
    std::vector<std::string> formulas; ///< with their numbers: how the main numbers come about
    std::string not_counted;           ///< one sentence; empty where all is
    /// The weights and chips that measured runs are compared by; none where no run is like it.
    double parameters = 0;
    std::int64_t chips = 0;

    bool fits = true;
    std::string fit; ///< "Fits: 24.1 of 32.0 GB of a chip"
    double capacity = 0;
    std::vector<SummaryPart> memory; ///< bytes of the fullest chip; together what is needed
    std::string bound;               ///< "Bound by compute"; empty where it is not known
    std::vector<SummaryPart> time;   ///< seconds; together `seconds`, the parts that compute first

    bool operator==(const Summary&) const = default;
};

/// Of a step of a scenario. `why`: where it is known the wait is split by what it is for; null while it
/// is not. `estimated_because`: why it was not simulated; empty where it was.
[[nodiscard]] Summary step_summary(const TrainingStep& step, const Scenario& scenario,
                                   const StepWhy* why = nullptr, const std::string& estimated_because = {});
/// Of the plan that is chosen; its number is the expected time where plans are ranked by that and something
/// is `expected` of it.
[[nodiscard]] Summary plan_summary(const PlanAnswer& answer, const ExpectedStep& expected = {});

/// The parts of a chip's memory. Of one GEMM there are its matrices and buffers alone.
[[nodiscard]] std::vector<SummaryPart> memory_summary(const MemoryUse& use, bool of_one_gemm);

/// "Memory of a chip = 8.56 GB of weights + 46.7 GB of activations = 55.3 GB of 85.9 GB".
[[nodiscard]] std::string memory_formula(const Summary& summary);

/// What measured runs say to it.
struct Trust {
    std::string expected;          ///< of the plan that is chosen, or why nothing is; empty of a block
    std::vector<std::string> own;  ///< what the user's own measured step says to that, a sentence each
    std::vector<std::string> bill; ///< what the training comes to, where it is asked
    std::vector<MeasuredNearby> near;
    std::string no_near; ///< why there is none near
};
/// The runs next to the plan that is chosen; of a block those of like models. `plans`: null of a block.
[[nodiscard]] Trust trust_of(const Summary& summary, const Scenario& scenario, const PlanAnswer* plans);
/// The same, a sentence each.
[[nodiscard]] std::vector<std::string> trust_sentences(const Summary& summary, const Scenario& scenario,
                                                       const PlanAnswer* plans);

/// A part a row: bar, name, amount, share.
[[nodiscard]] Table summary_table(const Summary& summary);

} // namespace meshslice
