#include "core/question/catalogue/questions.h"

namespace meshslice {

// In the order of --help and of the pages of the lab.
Questions all_questions() {
    return {simulate_question(), estimate_question(),    reproduce_question(), calibrate_question(),
            evidence_question(), tune_question(),        sweep_question(),     plan_question(),
            serve_question(),    sensitivity_question(), launch_question(),    report_question(),
            trace_question(),    verify_question(),      roofline_question(),  collective_question(),
            transfer_question(), pod_question(),         machine_question(),   model_question(),
            shard_question()};
}

} // namespace meshslice
