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

std::vector<Field<Scenario>> adapter_rows() {
    Field<Scenario> rank{
        {.key = "planning.lora_rank",
         .required = false,
         .name = "rank of adapters",
         .label = "Adapters (LoRA)",
         .group = training_group,
         .place = 9,
         .unit = "rank",
         .help =
             "Trains two narrow matrices of this rank next to those of a block instead of the weights, which "
             "stay as they are and have neither gradients nor optimizer state; none: all weights are "
             "trained.",
         .flag = "--lora",
         .flag_help =
             "RANK|none: trains adapters of this rank next to the matrices of --lora-targets (LoRA); the "
             "model's weights stay as they are (default none)",
         .kind = FieldKind::whole,
         .least = 1,
         .most = most_rank,
         .word = "none",
         .word_label = "none",
         .tags = of_a_plan | of_plans},
        [](const Scenario& scenario) {
            const std::int64_t its = scenario.planning.adapters.rank;
            return its > 0 ? FieldValue(its) : FieldValue();
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto* its = std::get_if<std::int64_t>(&value);
            scenario.planning.adapters.rank = its != nullptr ? *its : 0;
            return {};
        }};
    rank.omitted = [](const Scenario& scenario) { return !scenario.planning.adapters.on(); };
    Field<Scenario> frozen{
        {.key = "planning.frozen_weights",
         .required = false,
         .name = "numbers of the weights that stay as they are",
         .label = "Frozen weights",
         .group = training_group,
         .place = 9,
         .help =
             "As what the weights next to adapters lie in memory and are gathered: bf16, fp8, or nf4 of 4 "
             "bits (QLoRA); they are made into bf16 for each product.",
         .flag = "--frozen",
         .flag_help =
             "bf16|fp8|nf4: as what weights that --lora does not train lie in memory; nf4 as in QLoRA "
             "(default bf16)",
         .kind = FieldKind::choice,
         .choices = {{"bf16", "bf16"}, {"fp8", "fp8, one byte"}, {"nf4", "nf4, 4 bits (QLoRA)"}},
         .tags = of_a_plan | of_plans},
        [](const Scenario& scenario) {
            return FieldValue(std::string(name(scenario.planning.adapters.frozen)));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            for (const FrozenNumbers one : all_frozen_numbers) {
                if (std::get<std::string>(value) == name(one)) {
                    scenario.planning.adapters.frozen = one;
                }
            }
            return {};
        }};
    frozen.omitted = [](const Scenario& scenario) {
        return scenario.planning.adapters.frozen == FrozenNumbers::bf16;
    };
    frozen.objection = [](const Scenario& scenario) {
        return scenario.planning.adapters.on()
                   ? std::string()
                   : said("All weights are trained; adapters leave them as they are.");
    };
    Field<Scenario> targets{
        {.key = "planning.lora_targets",
         .required = false,
         .name = "matrices that have adapters",
         .label = "Adapters next to",
         .group = training_group,
         .place = 9,
         .help =
             "Which matrices have adapters: all of a block (QKV, Output, FF1, FF2), those of attention, or "
             "QKV alone.",
         .flag = "--lora-targets",
         .flag_help = "all|attention|qkv: which matrices have adapters: QKV, Output, FF1 and FF2, those of "
                      "attention, or QKV alone (default all)",
         .kind = FieldKind::choice,
         .choices = {{"all", "all GEMMs of a block"}, {"attention", "QKV and Output"}, {"qkv", "QKV alone"}},
         .tags = of_a_plan | of_plans},
        [](const Scenario& scenario) {
            return FieldValue(std::string(name(scenario.planning.adapters.targets)));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            for (const AdapterTargets one : all_adapter_targets) {
                if (std::get<std::string>(value) == name(one)) {
                    scenario.planning.adapters.targets = one;
                }
            }
            return {};
        }};
    targets.omitted = [](const Scenario& scenario) {
        return scenario.planning.adapters.targets == AdapterTargets::all;
    };
    targets.objection = frozen.objection;
    std::vector<Field<Scenario>> rows;
    rows.push_back(std::move(rank));
    rows.push_back(std::move(targets));
    rows.push_back(std::move(frozen));
    return rows;
}

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
