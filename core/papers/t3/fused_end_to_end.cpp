#include "core/base/say.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

/// What the paper prints of Figure 4: the largest share of the runtime of Mega-GPT-2 and T-NLG that is
/// communication.
struct Phase {
    const char* name;
    double communication;
    bool backward;
    std::array<const char*, 4> claims; ///< T3 at most and on average, T3-MCA at most and on average
};
constexpr std::array<Phase, 2> phases = {
    {{"training",
      0.34,
      true,
      {"train-t3-max", "train-t3-geomean", "training-speedup-max", "train-mca-geomean"}},
     {"prompt phase",
      0.43,
      false,
      {"infer-t3-max", "infer-t3-geomean", "inference-speedup-max", "infer-mca-geomean"}}}};

/// Of the whole, when a part of it, of share `part`, goes so many times as fast (Amdahl).
double whole_speed_up(double part, double times) {
    return 1 / (1 - part + part / times);
}

Result<StudyResult> fused_end_to_end(const StudyInputs& inputs, const RunControl& control) {
    const auto asked = tensor_cases(inputs, ModelSize::small);
    const auto cases = asked ? case_times(*asked, inputs.hardware, control)
                             : Result<std::vector<CaseTimes>>(refuse(asked.error()));
    if (!cases) {
        return refuse(cases.error());
    }
    const std::int64_t ring =
        std::ranges::max(*cases, {}, [](const CaseTimes& one) { return one.of.gemm.chips; }).of.gemm.chips;
    ChartPanel panel{say("TP {}", ring), {said("model")}, {said("speed-up of the whole"), ChartUnit::ratio}};
    panel.y.low = 1;
    panel.series = {{said("T3")}, {said("T3-MCA")}};
    panel.series[0].role = Role::transferHorizontal;
    panel.series[1].role = Role::compute;
    panel.series[1].emphasized = true;
    StudyResult result;
    bool aware_is_faster = true;
    std::array<std::vector<double>, phases.size()> t3, t3_mca;
    for (std::size_t p = 0; p < phases.size(); ++p) {
        const Phase& phase = phases[p];
        for (const Transformer& model : inputs.models) {
            double communication = 0, sequential = 0, with_t3 = 0, with_mca = 0;
            for (const CaseTimes& one : *cases) {
                if (one.of.model == model.title && one.of.gemm.chips == ring &&
                    (phase.backward || one.of.layer->pass == Pass::forward)) {
                    communication += one.parts.scatter + one.parts.gather;
                    sequential += one.parts.sequential();
                    with_t3 += one.t3;
                    with_mca += one.t3_mca;
                }
            }
            if (sequential == 0) {
                continue;
            }
            const double sub_layers_share = std::min(1.0, phase.communication * sequential / communication);
            t3[p].push_back(whole_speed_up(sub_layers_share, sequential / with_t3));
            t3_mca[p].push_back(whole_speed_up(sub_layers_share, sequential / with_mca));
            aware_is_faster = aware_is_faster && t3_mca[p].back() > t3[p].back();
            panel.x.categories.push_back(fmt::format("{}, {}", model.title, said(phase.name)));
            panel.series[0].values.emplace_back(t3[p].back());
            panel.series[1].values.emplace_back(t3_mca[p].back());
        }
        const std::array<double, 4> found = {*std::ranges::max_element(t3[p]), geometric_mean(t3[p]),
                                             *std::ranges::max_element(t3_mca[p]), geometric_mean(t3_mca[p])};
        for (std::size_t k = 0; k < found.size(); ++k) {
            result.claims.push_back(outcome(t3_paper(), phase.claims[k], found[k], Reading::simulated));
        }
    }
    const bool inference_gains_more = geometric_mean(t3[1]) > geometric_mean(t3[0]) &&
                                      geometric_mean(t3_mca[1]) > geometric_mean(t3_mca[0]);
    result.orderings = {
        {"e2e-inference-over-training", inference_gains_more && aware_is_faster,
         say("T3-MCA {:.3f}× against {:.3f}×", geometric_mean(t3_mca[1]), geometric_mean(t3_mca[0])),
         Reading::simulated}};
    result.panels = {std::move(panel)};
    result.table = table("End to end by the share of communication", result.panels);
    result.finding = say("By the printed shares of communication, T3-MCA makes training up to {:.2f}× and "
                         "the prompt phase up to {:.2f}× as fast",
                         *std::ranges::max_element(t3_mca[0]), *std::ranges::max_element(t3_mca[1]));
    result.note = said("The paper's breakdown (Figure 4) is lost: the largest shares of communication that "
                       "it prints, 34% of training and 43% of the prompt phase, stand for both models on the "
                       "largest ring, and the rest follows by Amdahl's law. Its averages have rings of 8 "
                       "too, for which it prints no share; ours have not.");
    return result;
}

} // namespace

/// Figures 4 and 19: whole models, by Amdahl's law.
const Study fused_end_to_end_study{"t3-end-to-end",
                                   "End to end",
                                   "How much faster are training and the prompt phase of inference?",
                                   "2.4 and 6.3, Figures 4 and 19",
                                   fused_end_to_end,
                                   {true, true, ClustersAsked::all},
                                   &t3_evaluation,
                                   Reading::simulated};

} // namespace meshslice
