#include "core/report/document/summarized.h"

#include "core/evidence/own_step.h"

#include <memory>

namespace meshslice {

const Summarized* plans_of(const Answer& answer) {
    const auto* found = dynamic_cast<const Summarized*>(answer.detail.get());
    return found != nullptr && found->plans ? found : nullptr;
}

std::shared_ptr<const Summarized> summarized_plan(const Scenario& scenario, const PlanAnswer& shown,
                                                  const PlanModel& model) {
    struct Kept {
        Scenario scenario;
        PlanAnswer answer;

        [[nodiscard]] Summary summary() const {
            return plan_summary(answer,
                                corrected_of(answer, answer.chosen(), scenario.planning.measured_step));
        }
    };
    const auto kept = std::make_shared<const Kept>(Kept{scenario, shown});
    const auto detail = std::make_shared<Summarized>();
    detail->summary = [kept] { return kept->summary(); };
    detail->trust = [kept] { return trust_sentences(kept->summary(), kept->scenario, &kept->answer); };
    detail->findings = [kept](std::size_t most, const RunControl& control) {
        return findings_of_plan(kept->scenario, kept->answer, most, {}, control);
    };
    detail->sensitivity = [kept](const RunControl& control) {
        return sensitivity_of_plan(kept->scenario, kept->answer, control);
    };
    detail->plans = std::shared_ptr<const PlanAnswer>(kept, &kept->answer);
    detail->model = std::make_shared<const PlanModel>(model);
    return detail;
}

} // namespace meshslice
