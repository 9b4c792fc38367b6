#include "core/question/catalogue/questions.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace meshslice {

std::span<const NamedQuestion> named_questions() {
    // In the order of --help and of the pages of the lab.
    static constexpr std::array all = {
        NamedQuestion{"simulate", simulate_question},
        NamedQuestion{"estimate", estimate_question},
        NamedQuestion{"reproduce", reproduce_question},
        NamedQuestion{"calibrate", calibrate_question},
        NamedQuestion{"evidence", evidence_question},
        NamedQuestion{"tune", tune_question},
        NamedQuestion{"sweep", sweep_question},
        NamedQuestion{"plan", [] { return plan_question(); }},
        NamedQuestion{"scale", scale_question},
        NamedQuestion{"serve", serve_question},
        NamedQuestion{"sensitivity", sensitivity_question},
        NamedQuestion{"launch", launch_question},
        NamedQuestion{"report", report_question},
        NamedQuestion{"trace", trace_question},
        NamedQuestion{"verify", verify_question},
        NamedQuestion{"roofline", roofline_question},
        NamedQuestion{"split", split_question},
        NamedQuestion{"pipeline", pipeline_question},
        NamedQuestion{"collective", collective_question},
        NamedQuestion{"flows", flows_question},
        NamedQuestion{"transfer", transfer_question},
        NamedQuestion{"pod", pod_question},
        NamedQuestion{"systolic", systolic_question},
        NamedQuestion{"warps", warps_question},
        NamedQuestion{"machine", machine_question},
        NamedQuestion{"model", model_question},
        NamedQuestion{"shard", shard_question},
        NamedQuestion{"hlo", hlo_question},
        NamedQuestion{"share", share_question},
    };
    return all;
}

Questions all_questions() {
    Questions all;
    std::ranges::transform(named_questions(), std::back_inserter(all),
                           [](const NamedQuestion& one) { return one.make(); });
    return all;
}

} // namespace meshslice
