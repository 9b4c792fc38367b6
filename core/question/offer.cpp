#include "core/question/offer.h"

#include "core/scenario/differences.h"
#include "core/scenario/fields.h"

namespace meshslice {

Result<Scenario> with_edits(const Scenario& scenario, const std::vector<FieldEdit>& edits) {
    Scenario next = scenario;
    for (const Field<Scenario>& field : scenario_fields()) {
        for (const FieldEdit& edit : edits) {
            if (!edit.question.empty() || edit.key != field.key) {
                continue;
            }
            if (const Result<void> taken = field.set(next, edit.value); !taken) {
                return refuse(taken.error());
            }
        }
    }
    return checked(next);
}

std::string name_of(const Scenario& scenario, const std::vector<FieldEdit>& edits) {
    const Result<Scenario> next = with_edits(scenario, edits);
    return next ? text(differences(scenario, *next)) : std::string();
}

} // namespace meshslice
