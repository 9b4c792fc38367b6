#include "core/base/say.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <string_view>

namespace meshslice {
namespace {

/// From where on half the compute time brings an ideal overlap nearer to its collective: (g + 2) / (g + 1) <
/// (g / 2 + 2) / max(g / 2 + 1, 2) for g = GEMM / reduce-scatter above about 1.6.
constexpr double compute_dominates = 1.6;

Machine with_twice_the_units(const Machine& hardware) {
    Machine twice = hardware;
    twice.cores.value *= 2;
    for (Sourced<FlopRate>& one : twice.peak.of) {
        one.value = FlopRate(2 * one.value.value());
    }
    return twice;
}

Result<StudyResult> twice_the_units(const StudyInputs& inputs, const RunControl& control) {
    auto cases = tensor_cases(inputs, ModelSize::any);
    if (!cases) {
        return refuse(cases.error());
    }
    std::erase_if(*cases, [](const TensorCase& one) {
        const std::string_view layer = one.layer->name;
        return layer != "OP" && layer != "FC-2";
    });
    const auto once = case_times(*cases, inputs.hardware, control);
    const auto twice = once ? case_times(*cases, with_twice_the_units(inputs.hardware), control) : once;
    if (!twice) {
        return refuse(twice.error());
    }
    StudyResult result;
    bool op_falls = true, fc_rises = true, dominated_rise = true;
    std::string falling;
    int rising = 0, cases_of_fc = 0;
    for (std::size_t k = 0; k < once->size(); ++k) {
        const CaseTimes &own = (*once)[k], &more = (*twice)[k];
        if (result.panels.empty() || result.panels.back().title != own.of.model) {
            ChartPanel panel{own.of.model,
                             {said("sub-layer")},
                             {said("speed-up of T3-MCA over one after the other"), ChartUnit::ratio}};
            panel.y.low = 1;
            panel.series = {{said("GPU")}, {said("GPU with twice the compute units")}};
            panel.series[0].role = Role::quietText;
            panel.series[1].role = Role::compute;
            result.panels.push_back(std::move(panel));
        }
        ChartPanel& panel = result.panels.back();
        const double before = own.speed_up(own.t3_mca), after = more.speed_up(more.t3_mca);
        panel.x.categories.push_back(fmt::format("{} {}", own.of.gemm.chips, own.of.layer->name));
        panel.series[0].values.emplace_back(before);
        panel.series[1].values.emplace_back(after);
        if (own.of.layer->name == "OP") {
            op_falls = op_falls && after < before;
            continue;
        }
        const bool dominated = own.parts.gemm / own.parts.scatter > compute_dominates;
        ++cases_of_fc;
        rising += after > before ? 1 : 0;
        fc_rises = fc_rises && after > before;
        dominated_rise = dominated_rise && (!dominated || after > before);
        if (after <= before) {
            falling +=
                fmt::format("{}{} TP {}", falling.empty() ? "" : ", ", own.of.model, own.of.gemm.chips);
        }
    }
    result.table = table("Twice the compute units", result.panels);
    result.orderings = {
        {"gpu-2x-fc2", fc_rises,
         say("higher in {} of {} cases; where the GEMM takes more than {} times as long as the "
             "reduce-scatter in {}",
             rising, cases_of_fc, compute_dominates, dominated_rise ? said("all") : said("some")),
         Reading::simulated},
        {"gpu-2x-op", op_falls, say("lower in every case: {}", op_falls ? said("yes") : said("no")),
         Reading::simulated}};
    result.finding = say("With twice the compute units T3 gains less on OP{}, and more on FC-2 in {} cases",
                         op_falls ? std::string() : said(" in some cases"), rising);
    result.note = falling.empty()
                      ? std::string()
                      : say("An ideal overlap gains from twice the units only where the GEMM takes more than "
                            "about 1.6 times as long as the reduce-scatter. FC-2 does not gain on {}.",
                            falling);
    return result;
}

} // namespace

/// Figure 20: a GPU with twice the compute units.
const Study twice_the_units_study{"t3-twice-the-units",
                                  "Twice the compute units",
                                  "What does T3 gain when GEMMs are faster and links are not?",
                                  "7.5, Figure 20",
                                  twice_the_units,
                                  {true, true, ClustersAsked::all},
                                  &t3_evaluation,
                                  Reading::simulated};

} // namespace meshslice
