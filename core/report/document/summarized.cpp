#include "core/report/document/summarized.h"

#include <memory>

namespace meshslice {

std::shared_ptr<const Summarized> summarized_plan(const Scenario& scenario, const PlanAnswer& shown) {
    struct Kept {
        Scenario scenario;
        PlanAnswer answer;
    };
    const auto kept = std::make_shared<const Kept>(Kept{scenario, shown});
    const auto detail = std::make_shared<Summarized>();
    detail->summary = [kept] { return plan_summary(kept->answer); };
    detail->trust = [kept] {
        return trust_sentences(plan_summary(kept->answer), kept->scenario.hardware, &kept->answer);
    };
    detail->findings = [kept](std::size_t most, const RunControl& control) {
        return findings_of_plan(kept->scenario, kept->answer, most, {}, control);
    };
    detail->sensitivity = [kept](const RunControl& control) {
        return sensitivity_of_plan(kept->scenario, kept->answer, control);
    };
    return detail;
}

} // namespace meshslice
