#include "core/base/say.h"
#include "core/papers/t3/speed_up_chart.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace meshslice {
namespace {

bool is_layer(const CaseTimes& one, std::string_view name) {
    return one.of.layer->name == name;
}

/// 0 where GEMM and reduce-scatter are alike.
double skew(const CaseTimes& one) {
    return std::abs(std::log(one.parts.gemm / one.parts.scatter));
}

double over_ideal(const CaseTimes& one, double time) {
    return one.parts.overlapped() / time;
}

/// Of the cases that are as extreme, to rounding, the backward one: FC-1 has FC-2's shape.
template <class Value>
const CaseTimes& greatest(const std::vector<CaseTimes>& cases, Value value) {
    const CaseTimes* best = &cases.front();
    for (const CaseTimes& one : cases) {
        best = value(one) >= value(*best) ? &one : best;
    }
    return *best;
}

std::vector<OrderingOutcome> judged_cases(const std::vector<CaseTimes>& cases) {
    constexpr double filling =
        1.02; ///< latency once a tile, in a pipeline: up to 2% before the ideal's steps
    const auto gain = [](const CaseTimes& one) { return one.speed_up(one.parts.overlapped()); };
    const CaseTimes& most = greatest(cases, gain);
    const CaseTimes& least = greatest(cases, [&](const CaseTimes& one) { return -gain(one); });
    const CaseTimes& farthest =
        greatest(cases, [](const CaseTimes& one) { return -over_ideal(one, one.t3_mca); });
    const CaseTimes& even = greatest(cases, [](const CaseTimes& one) { return -skew(one); });
    const bool skewed = skew(least) == skew(greatest(cases, skew)) && skew(most) == skew(even);
    bool only_bound = true, near = true, above = false, far = true, ordered = true;
    double least_op = 10, most_op = 0, most_fc = 0, least_fc = 10;
    for (const CaseTimes& one : cases) {
        const AllReduceTimes& parts = one.parts;
        const bool gains = parts.overlapped_near_memory() < parts.overlapped();
        only_bound = only_bound && gains == (parts.scatter > parts.gemm);
        const double t3 = over_ideal(one, one.t3);
        if (is_layer(one, "OP")) {
            near = near && t3 > 0.92 && t3 < 1.05;
            above = above || t3 > 1;
            least_op = std::min(least_op, t3);
            most_op = std::max(most_op, t3);
        } else if (!is_layer(one, "IP")) {
            far = far && t3 < 0.87;
            least_fc = std::min(least_fc, t3);
            most_fc = std::max(most_fc, t3);
        }
        ordered = ordered && parts.sequential() > one.t3 && one.t3 >= one.t3_mca * (1 - 1e-9) &&
                  one.t3_mca * filling >= parts.overlapped_near_memory();
    }
    const MeanSpeedUps mean = mean_speed_ups(cases);
    ordered =
        ordered && mean.t3 < mean.t3_mca && mean.t3_mca < mean.ideal && mean.ideal <= mean.ideal_near_memory;
    const auto named = [](const CaseTimes& one, std::string_view model, std::int64_t chips) {
        return one.of.model == model && one.of.gemm.chips == chips && is_layer(one, "FC-1");
    };
    const std::string t_nlg = model_preset("t-nlg")->title;
    return {{"ideal-max-case", named(most, t_nlg, 16), fmt::format("{}: {:.3f}×", text(most.of), gain(most)),
             Reading::estimated},
            {"ideal-skew", skewed,
             say("least {} with GEMM at {:.2f} of the reduce-scatter, most {} with {:.2f}", text(least.of),
                 least.parts.gemm / least.parts.scatter, text(most.of), most.parts.gemm / most.parts.scatter),
             Reading::estimated},
            {"nmc-extra-where", only_bound,
             say("in all {} cases: {}", cases.size(), only_bound ? said("yes") : said("no")),
             Reading::estimated},
            {"order-configs", ordered,
             say("geometric means {:.3f}×, {:.3f}×, {:.3f}×, {:.3f}×", mean.t3, mean.t3_mca, mean.ideal,
                 mean.ideal_near_memory),
             Reading::simulated},
            {"t3-op-near-ideal", near && above, say("{:.3f} to {:.3f} of the ideal", least_op, most_op),
             Reading::simulated},
            {"t3-fc-far", far, say("{:.3f} to {:.3f} of the ideal", least_fc, most_fc), Reading::simulated},
            {"t3-mca-far-case", named(farthest, t_nlg, 16),
             fmt::format("{}: {:.3f}", text(farthest.of), over_ideal(farthest, farthest.t3_mca)),
             Reading::simulated}};
}

Result<StudyResult> fused_speed_ups(const StudyInputs& inputs, const RunControl& control) {
    const auto asked = tensor_cases(inputs, ModelSize::small);
    const auto cases = asked ? case_times(*asked, inputs.hardware, control)
                             : Result<std::vector<CaseTimes>>(refuse(asked.error()));
    if (!cases) {
        return refuse(cases.error());
    }
    const MeanSpeedUps mean = mean_speed_ups(*cases);
    std::vector<double> over_t3;
    double ideal_most = 0, ideal_least = 10, mca_most = 0, t3_most = 0, over_t3_most = 0, extra = 0;
    for (const CaseTimes& one : *cases) {
        const double ideal = one.speed_up(one.parts.overlapped());
        ideal_most = std::max(ideal_most, ideal);
        ideal_least = std::min(ideal_least, ideal);
        mca_most = std::max(mca_most, one.speed_up(one.t3_mca));
        t3_most = std::max(t3_most, one.speed_up(one.t3));
        over_t3.push_back(one.t3 / one.t3_mca);
        over_t3_most = std::max(over_t3_most, over_t3.back());
        extra = std::max(extra, one.parts.overlapped() / one.parts.overlapped_near_memory());
    }
    StudyResult result;
    const auto claim = [&](const char* id, double ours, Reading reading) {
        result.claims.push_back(outcome(t3_paper(), id, ours, reading));
    };
    claim("ideal-geomean", mean.ideal, Reading::estimated);
    claim("ideal-max", ideal_most, Reading::estimated);
    claim("ideal-min", ideal_least, Reading::estimated);
    claim("nmc-extra-max", extra, Reading::estimated);
    claim("t3-rr-geomean", mean.t3, Reading::simulated);
    claim("t3-rr-max", t3_most, Reading::simulated);
    claim("t3-speedup-geomean", mean.t3_mca, Reading::simulated);
    claim("t3-speedup-max", mca_most, Reading::simulated);
    claim("t3-mca-over-t3-geomean", geometric_mean(over_t3), Reading::simulated);
    claim("t3-mca-over-t3-max", over_t3_most, Reading::simulated);
    claim("t3-mca-below-ideal", mean.ideal - mean.t3_mca, Reading::simulated);
    result.orderings = judged_cases(*cases);
    result.panels = speed_up_panels(*cases);
    result.table = speed_up_table(*cases);
    result.finding =
        say("T3-MCA is {:.2f}× faster than one after the other on average, up to {:.2f}×; a perfect overlap "
            "averages {:.2f}×",
            mean.t3_mca, mca_most, mean.ideal);
    result.note = said(
        "One parameter, the GEMM rate, is fitted to the paper's smallest and largest ideal gain. GEMM "
        "and collective share memory by one of two laws without a parameter, chosen with the paper's numbers "
        "in view: round robin lets computation stand still while communication is served, "
        "communication-aware arbitration is max-min fair. The greatest gains of T3 alone need the queues of "
        "the DRAM, which are not modelled. The paper's 13% over T3 does not follow from its 30% and 20%, "
        "which give 8%.");
    return result;
}

} // namespace

/// Figure 16: Mega-GPT-2 and T-NLG.
const Study fused_speed_ups_study{"t3-speed-ups",
                                  "Speed-ups of sub-layers",
                                  "How much faster are sub-layers when the GEMM feeds its reduce-scatter?",
                                  "6.1, Figure 16",
                                  fused_speed_ups,
                                  {true, true, ClustersAsked::all},
                                  &t3_evaluation,
                                  Reading::simulated};

} // namespace meshslice
