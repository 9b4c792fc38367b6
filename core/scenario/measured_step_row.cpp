#include "core/scenario/field_rows.h"
#include "core/scenario/fields.h"

#include <optional>
#include <variant>

namespace meshslice {

Field<Scenario> measured_step_row() {
    return {{.key = "planning.measured_step_in_s",
             .name = "measured time of a step",
             .label = "Measured step",
             .group = training_group,
             .place = 15,
             .unit = "s",
             .form_unit = "s",
             .help = "How long a step of this plan takes on your own chips: says how far off the expectation "
                     "is, and corrects that of other plans.",
             .flag = "--measured-step",
             .flag_help = "TIME: of a step of the plan, as you timed it, such as 12.4s: says how far off the "
                          "expectation is, and corrects that of other plans",
             .kind = FieldKind::quantity,
             .lowest = 1e-6,
             .highest = 1e6,
             .range = "1 µs to 1000000 s",
             .example = "12.4 s",
             .word = "none",
             .word_label = "none",
             .tags = of_a_plan | of_plans},
            [](const Scenario& scenario) {
                const std::optional<double>& seconds = scenario.planning.measured_step;
                return seconds ? FieldValue(*seconds) : FieldValue();
            },
            [](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto* seconds = std::get_if<double>(&value);
                scenario.planning.measured_step = seconds != nullptr ? std::optional(*seconds) : std::nullopt;
                return {};
            }};
}

} // namespace meshslice
