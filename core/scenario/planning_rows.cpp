#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/field_rows.h"
#include "core/scenario/fields.h"
#include "core/scenario/plan_fields.h"
#include "core/scenario/plan_words.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// A number that a scenario may have.
Field<Scenario> optional_row(FieldRow its, std::optional<std::int64_t> Planning::*member) {
    its.required = false;
    its.kind = FieldKind::whole;
    its.least = 1;
    return {std::move(its),
            [member](const Scenario& scenario) {
                const std::optional<std::int64_t>& number = scenario.planning.*member;
                return number ? FieldValue(*number) : FieldValue();
            },
            [member](Scenario& scenario, const FieldValue& value) -> Result<void> {
                const auto* number = std::get_if<std::int64_t>(&value);
                scenario.planning.*member = number != nullptr ? std::optional(*number) : std::nullopt;
                return {};
            },
            {},
            [member](const Scenario& scenario) { return !(scenario.planning.*member); }};
}

Field<Scenario> strategy_row() {
    Field<Scenario> row = text_field<Scenario>(
        {.key = "planning.strategy",
         .required = false,
         .name = "strategy of the plan",
         .flag = "--strategy",
         .flag_help = "1d|2d|summa|all: how GEMMs are split over a group; on a torus 1d|meshslice|wang|"
                      "collective|summa|cannon|all (default all)",
         .tags = of_a_plan | of_plans},
        [](auto& scenario) -> auto& { return scenario.plan.split.strategy; });
    row.kind = FieldKind::choice;
    row.choices = {{"all", "all strategies"},
                   {"1d", "1D: weights split, sequence parallel"},
                   {"2d", "2D: context parallel too"},
                   {"summa", "SUMMA: panels along both axes"}};
    for (const Algorithm& one : algorithms()) { // those of a torus, of which SUMMA is one too
        if (one.torus_axes == 2 && one.id != "summa") {
            row.choices.push_back({std::string(one.id), std::string(one.title)});
        }
    }
    row.omitted = [](const Scenario& scenario) {
        return scenario.plan.split.strategy == SplitAsked{}.strategy;
    };
    return row;
}

/// What a search tries all of unless one or several, with commas between them, are fixed.
Field<Scenario> choice_row(FieldRow its, std::string SplitAsked::*member, std::string ChoiceWords::*words,
                           std::vector<FieldChoice> choices) {
    its.required = false;
    Field<Scenario> row = text_field<Scenario>(
        std::move(its), [member](auto& scenario) -> auto& { return scenario.plan.split.*member; });
    row.set = [member, words](Scenario& scenario, const FieldValue& value) -> Result<void> {
        ChoiceWords all;
        all.*words = std::get<std::string>(value);
        if (const Result<PlanChoices> known = plan_choices(all); !known) {
            return refuse(known.error());
        }
        scenario.plan.split.*member = all.*words;
        return {};
    };
    row.choices = std::move(choices);
    row.omitted = [member](const Scenario& scenario) {
        return scenario.plan.split.*member == SplitAsked{}.*member;
    };
    return row;
}

/// A schema's pattern of one or several such words.
std::string several_of(const std::string& word) {
    return "^(" + word + ")(,(" + word + "))*$";
}

constexpr const char* no_plan = "none";

Field<Scenario> plan_row() {
    Field<Scenario> row{
        {.key = "plan", .required = false, .name = "plan", .kind = FieldKind::part},
        [](const Scenario& scenario) -> FieldValue {
            return scenario.plan.loaded ? FieldValue(JsonPart{write_plan(*scenario.plan.loaded), "plan"})
                                        : FieldValue(std::string(no_plan));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            const auto* part = std::get_if<JsonPart>(&value);
            if (part == nullptr) {
                const auto& word = std::get<std::string>(value);
                if (word != no_plan) {
                    return refuse(say("The plan is \"{}\"; expected none or an object.", shortened(word)));
                }
                scenario.plan.loaded.reset();
                return {};
            }
            const Result<Plan> plan = read_plan(part->json, part->origin);
            if (!plan) {
                return refuse(plan.error());
            }
            scenario.plan.loaded = *plan;
            return {};
        },
        {},
        [](const Scenario& scenario) { return !scenario.plan.loaded; }};
    row.check = [](const Scenario& scenario) {
        return scenario.plan.loaded ? check_plan_fields(*scenario.plan.loaded) : Result<void>();
    };
    return row;
}

} // namespace

std::vector<Field<Scenario>> planning_rows() {
    return {
        optional_row({.key = "planning.chips",
                      .name = "number of chips of the run",
                      .flag = "--chips",
                      .flag_help = "N: chips of the whole run (default: those of the mesh, or of one plan)",
                      .most = most_planned_chips,
                      .word = "mesh",
                      .tags = of_a_plan | of_plans},
                     &Planning::chips),
        // Of a scenario that is one group of its plan.
        optional_row({.key = "planning.batch",
                      .name = "batch of the plan",
                      .most = most_planned_chips,
                      .word = "scenario"},
                     &Planning::batch),
        optional_row({.key = "planning.tokens",
                      .name = "number of tokens of the training",
                      .flag = "--tokens",
                      .flag_help = "N: of a whole training, such as 1T or 300e9: says its days too",
                      .most = most_trained_tokens,
                      .example = "1T",
                      .word = "none",
                      .tags = of_a_plan | of_plans},
                     &Planning::tokens),
        strategy_row(),
        choice_row({.key = "planning.schedule",
                    .name = "schedule of the plan's pipeline",
                    .flag = "--schedule",
                    .flag_help =
                        "any, or a list of 1f1b|interleaved|interleaved:V|gpipe: of the pipeline; "
                        "interleaved tries every number V of chunks, any this and 1f1b (default any; "
                        "of one plan or by published rules 1f1b)",
                    .pattern = several_of("any|1f1b|gpipe|interleaved(:([2-9]|[1-9][0-9]+))?"),
                    .tags = of_a_plan | of_plans},
                   &SplitAsked::schedule, &ChoiceWords::schedule,
                   {{"any", "any: 1F1B or interleaved"},
                    {"1f1b", "1F1B"},
                    {"interleaved", "interleaved 1F1B, any number of chunks"},
                    {"gpipe", "GPipe"}}),
        choice_row(
            {.key = "planning.recompute",
             .name = "recomputation of the plan",
             .flag = "--recompute",
             .flag_help =
                 "any, or a list of none|attention|full: in the backward pass (default any; else none)",
             .pattern = several_of("any|none|attention|full"),
             .tags = of_a_plan | of_plans},
            &SplitAsked::recompute, &ChoiceWords::recompute,
            {{"any", "any"},
             {"none", "nothing is computed again"},
             {"attention", "attention"},
             {"full", "whole layers"}}),
        choice_row(
            {.key = "planning.zero",
             .name = "ZeRO level of the plan",
             .flag = "--zero",
             .flag_help = "any, or a list of 0|1|2|3: what data-parallel chips share (default any; else 1)",
             .pattern = several_of("any|[0-3]"),
             .tags = of_a_plan | of_plans},
            &SplitAsked::zero, &ChoiceWords::zero,
            {{"any", "any"},
             {"0", "0: nothing is shared"},
             {"1", "1: optimizer state"},
             {"2", "2: gradients too"},
             {"3", "3: weights too"}}),
        plan_row()};
}

} // namespace meshslice
