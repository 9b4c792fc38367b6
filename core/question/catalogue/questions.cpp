#include "core/question/catalogue/questions.h"

namespace meshslice {

// In the order of the pages of the lab and of --help.
Questions all_questions() {
    return {plan_question(),     verify_question(), roofline_question(), collective_question(),
            transfer_question(), pod_question(),    shard_question()};
}

} // namespace meshslice
