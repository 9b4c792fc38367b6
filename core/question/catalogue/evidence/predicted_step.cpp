#include "core/question/catalogue/evidence/predicted_step.h"

#include "core/base/say.h"
#include "core/report/document/summarized.h"

namespace meshslice {

Result<PredictedStep> predicted_step(const Question& over, const Asked& its, const RunControl& control) {
    const Result<Answer> answer = over.answer(its, control);
    if (!answer) {
        return refuse(answer.error());
    }
    const Summarized* const found = plans_of(*answer);
    if (found == nullptr || found->first_plan() == nullptr) {
        return refuse(say("There is no plan that the trace could be held against: {}", answer->headline));
    }
    const RankedPlan& plan = *found->first_plan();
    const PlanQuestion& question = found->plans->question;
    return PredictedStep{predicted_parts(*found->model, plan),
                         expected_of(question, plan),
                         question,
                         plan.plan,
                         answer->about,
                         plan.reading.memory.total() - plan.reading.memory.reserve};
}

std::string compared_words(const ComparedNumber& one, std::string (*words)(double)) {
    if (!(one.expected > 0)) {
        return words(one.measured);
    }
    if (!one.judged()) {
        return say("{}, expected {}", words(one.measured), words(one.expected));
    }
    return one.inside() ? say("{}, expected {} ({} to {}): inside", words(one.measured), words(one.expected),
                              words(one.low), words(one.high))
                        : say("{}, expected {} ({} to {}): outside", words(one.measured), words(one.expected),
                              words(one.low), words(one.high));
}

} // namespace meshslice
