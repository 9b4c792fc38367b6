// What a training run multiplies in, what it is paid for, and what was timed of it.

#include "core/base/say.h"
#include "core/scenario/fields.h"
#include "core/scenario/rows/field_rows.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

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

namespace {

/// A price, none where it is not said.
Field<Scenario> price_row(FieldRow its, std::optional<double> TrainingPrices::*member) {
    its.required = false;
    its.group = training_group;
    its.place = 14;
    its.kind = FieldKind::quantity;
    its.lowest = 0;
    its.highest = 1e6;
    its.word = "none";
    its.word_label = "none";
    its.tags = of_a_plan | of_plans;
    Field<Scenario> row{std::move(its),
                        [member](const Scenario& scenario) {
                            const std::optional<double>& price = scenario.planning.prices.*member;
                            return price ? FieldValue(*price) : FieldValue();
                        },
                        [member](Scenario& scenario, const FieldValue& value) -> Result<void> {
                            const auto* price = std::get_if<double>(&value);
                            scenario.planning.prices.*member =
                                price != nullptr ? std::optional(*price) : std::nullopt;
                            return {};
                        }};
    row.omitted = [member](const Scenario& scenario) { return !(scenario.planning.prices.*member); };
    return row;
}

} // namespace

std::vector<Field<Scenario>> price_rows() {
    std::vector<Field<Scenario>> rows = {
        price_row(
            {.key = "planning.price_of_chip_hour",
             .name = "price of a chip-hour",
             .label = "Price of a chip-hour",
             .help = "Of one chip for an hour, in any currency that both prices are in; none: not said.",
             .flag = "--price",
             .flag_help = "X: of one chip for an hour, such as 2.5, in any currency: says the cost of "
                          "--tokens",
             .example = "2.5"},
            &TrainingPrices::chip_hour),
        price_row({.key = "planning.price_of_energy",
                   .name = "price of a kWh",
                   .label = "Price of a kWh",
                   .help =
                       "Of energy that chips and data centre take, where the price of a chip-hour does not "
                       "have it; none: not said.",
                   .flag = "--price-energy",
                   .flag_help = "X: of a kWh, such as 0.08, where the price of a chip-hour does not have it",
                   .example = "0.08"},
                  &TrainingPrices::energy)};
    Field<Scenario> overhead{
        {.key = "planning.pue",
         .required = false,
         .name = "energy of the data centre over that of its chips",
         .label = "Energy overhead (PUE)",
         .group = training_group,
         .place = 14,
         .help = "Power usage effectiveness: all energy of the data centre over that of its chips; 1: chips "
                 "alone.",
         .flag = "--pue",
         .flag_help = "X: energy of the whole data centre over that of its chips, such as 1.2 (default 1)",
         .kind = FieldKind::quantity,
         .lowest = 1,
         .highest = 10,
         .example = "1.2",
         .tags = of_a_plan | of_plans},
        [](const Scenario& scenario) { return FieldValue(scenario.planning.prices.overhead); },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            scenario.planning.prices.overhead = std::get<double>(value);
            return {};
        }};
    overhead.omitted = [](const Scenario& scenario) { return scenario.planning.prices.overhead == 1; };
    rows.push_back(std::move(overhead));
    return rows;
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
