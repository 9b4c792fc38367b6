#include "core/base/say.h"
#include "core/papers/t3/speed_up_chart.h"
#include "core/papers/t3/studies.h"

#include <algorithm>

namespace meshslice {
namespace {

Result<StudyResult> large_fused_models(const StudyInputs& inputs, const RunControl& control) {
    const auto asked = tensor_cases(inputs, ModelSize::large);
    const auto cases = asked ? case_times(*asked, inputs.hardware, control)
                             : Result<std::vector<CaseTimes>>(refuse(asked.error()));
    if (!cases) {
        return refuse(cases.error());
    }
    double most = 0;
    for (const CaseTimes& one : *cases) {
        most = std::max(most, one.speed_up(one.t3_mca));
    }
    const MeanSpeedUps mean = mean_speed_ups(*cases);
    StudyResult result;
    result.claims = {outcome(t3_paper(), "t3-large-geomean", mean.t3_mca, Reading::simulated),
                     outcome(t3_paper(), "t3-large-max", most, Reading::simulated)};
    result.panels = speed_up_panels(*cases);
    result.table = speed_up_table(*cases);
    result.finding =
        say("T3-MCA is {:.2f}× faster than one after the other on average, up to {:.2f}×; a perfect overlap "
            "averages {:.2f}×",
            mean.t3_mca, most, mean.ideal);
    result.note = said("No constant is fitted to these models.");
    return result;
}

} // namespace

/// Section 6.4: GPT-3, PaLM and MT-NLG on 32 GPUs.
const Study large_fused_models_study{"t3-large-models",
                                     "Speed-ups of larger models",
                                     "How much faster are sub-layers of models of 175 billion parameters and "
                                     "more?",
                                     "6.4",
                                     large_fused_models,
                                     {true, true, ClustersAsked::all},
                                     &t3_evaluation,
                                     Reading::simulated};

} // namespace meshslice
