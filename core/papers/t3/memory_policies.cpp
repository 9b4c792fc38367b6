#include "core/base/say.h"
#include "core/papers/t3/runs/simulated_case.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace meshslice {
namespace {

struct PolicySeries {
    MemoryPolicy policy;
    const char* name;
    Role role;
};
constexpr std::array<PolicySeries, 4> policies = {
    {{MemoryPolicy::compute_first, "compute first", Role::transferVertical},
     {MemoryPolicy::round_robin, "round robin (T3)", Role::transferHorizontal},
     {MemoryPolicy::communication_aware, "communication-aware (T3-MCA)", Role::compute},
     {MemoryPolicy::ideal, "no contention", Role::quietText}}};

Result<StudyResult> memory_policies(const StudyInputs& inputs, const RunControl& control) {
    auto cases = tensor_cases(inputs, ModelSize::small);
    if (!cases) {
        return refuse(cases.error());
    }
    std::erase_if(*cases, [](const TensorCase& one) {
        const std::string_view layer = one.layer->name;
        return layer != "OP" && layer != "FC-2";
    });
    StudyResult result;
    std::array<std::vector<double>, policies.size()> of_op, of_fc;
    int reversed = 0;
    for (const TensorCase& one : *cases) {
        const auto sequential =
            simulated_seconds(on_its_ring(one.gemm, "tp-ar"), inputs.hardware,
                              Schedule{.ring = RingMode::one_way, .prefetch = {}}, control);
        if (!sequential) {
            return refuse(sequential.error());
        }
        if (result.panels.empty() || result.panels.back().title != one.model) {
            ChartPanel panel{one.model,
                             {said("sub-layer")},
                             {said("speed-up over one after the other"), ChartUnit::ratio}};
            panel.y.low = 1;
            for (const PolicySeries& policy : policies) {
                panel.series.push_back({said(policy.name)});
                panel.series.back().role = policy.role;
            }
            result.panels.push_back(std::move(panel));
        }
        ChartPanel& panel = result.panels.back();
        panel.x.categories.push_back(fmt::format("{} {}", one.gemm.chips, one.layer->name));
        const bool is_op = one.layer->name == "OP";
        std::array<double, policies.size()> gains{};
        for (std::size_t k = 0; k < policies.size(); ++k) {
            const auto time = fused_seconds(one.gemm, inputs.hardware, policies[k].policy, control);
            if (!time) {
                return refuse(time.error());
            }
            gains[k] = *sequential / *time;
            panel.series[k].values.emplace_back(gains[k]);
            (is_op ? of_op : of_fc)[k].push_back(gains[k]);
        }
        reversed += is_op && gains[0] < gains[1] ? 1 : 0;
    }
    result.table = table("Memory policies", result.panels);
    result.finding =
        say("The GEMM first gains {:.2f}× on OP, round robin {:.2f}×: a ring that bounds the run must not "
            "starve. On FC-2 they gain {:.2f}× and {:.2f}×",
            geometric_mean(of_op[0]), geometric_mean(of_op[1]), geometric_mean(of_fc[0]),
            geometric_mean(of_fc[1]));
    result.note = say(
        "Simulated event by event. The GEMM first means strict priority: communication has what the GEMM's "
        "reads leave and nothing while it writes. It is slower than round robin on OP in {} of {} cases, the "
        "reverse of the order that the paper finds for its own rules, which act access by access on queues "
        "that mostly have room (section 4.5).",
        reversed, of_op[0].size());
    return result;
}

} // namespace

/// Section 4.5: what each way to share the memory makes of the same program.
const Study memory_policies_study{
    "t3-policies",   "Memory policies", "How should memory serve a GEMM and the collective that it feeds?",
    "4.5 and 6.1.3", memory_policies,   {true, true, ClustersAsked::all},
    &t3_evaluation,  Reading::simulated};

} // namespace meshslice
