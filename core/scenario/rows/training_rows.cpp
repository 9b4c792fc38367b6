// What a training run multiplies in, and what was timed of it.

#include "core/base/say.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <optional>
#include <string>
#include <variant>

namespace meshslice {

Field<Scenario> recipe_row() {
    Field<Scenario> row{
        {.key = "planning.recipe",
         .required = false,
         .name = "numbers that GEMMs multiply",
         .label = "Numbers",
         .group = training_group,
         .place = 9,
         .help = "In which numbers the GEMMs of the blocks multiply. Attention, router, embedding and output "
                 "head stay in bf16, and so do the weights and states of the optimizer.",
         .flag = "--recipe",
         .flag_help = "bf16|fp8|fp8-current|fp8-blocks|mxfp8|nvfp4: in which the GEMMs of the blocks "
                      "multiply, with one scale for a tensor (from earlier steps, or found first) or one for "
                      "128, 32 or 16 numbers (default bf16)",
         .kind = FieldKind::choice,
         .choices = {{"bf16", "bf16"},
                     {"fp8", "fp8, delayed scaling"},
                     {"fp8-current", "fp8, current scaling"},
                     {"fp8-blocks", "fp8, blocks of 128"},
                     {"mxfp8", "mxfp8, blocks of 32"},
                     {"nvfp4", "nvfp4, blocks of 16"}},
         .tags = of_a_plan | of_plans},
        [](const Scenario& scenario) { return FieldValue(std::string(name(scenario.planning.recipe))); },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            for (const NumberRecipe one : all_number_recipes) {
                if (std::get<std::string>(value) == name(one)) {
                    scenario.planning.recipe = one;
                }
            }
            return {};
        }};
    row.omitted = [](const Scenario& scenario) { return scenario.planning.recipe == NumberRecipe::bf16; };
    return row;
}

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
