// What chips that hold the same weights share of them, and how chips that have parts of the same sequences
// exchange keys and values; and by what plans are ranked.

#include "core/scenario/fields.h"
#include "core/scenario/plan/plan_words.h"
#include "core/scenario/rows/field_rows.h"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

Field<Scenario> context_row() {
    Field<Scenario> row = text_field<Scenario>(
        {.key = "planning.context",
         .required = false,
         .name = "exchange of the plan's split sequence",
         .label = "Context exchange",
         .group = training_group,
         .place = 5,
         .help = "How chips of a 2D plan that have a part of each sequence get at each other's keys and "
                 "values: gathered before attention, round a ring behind it, or tokens for heads (Ulysses). "
                 "any, or a list of gather, ring and all-to-all.",
         .flag = "--context",
         .flag_help =
             "any, or a list of gather|ring|all-to-all: how chips that split a sequence (2d) exchange "
             "keys and values: gathered, round a ring behind attention, or tokens for heads "
             "(default gather)",
         .pattern = "^(any|gather|ring|all-to-all)(,(any|gather|ring|all-to-all))*$",
         .tags = of_a_plan | of_plans},
        [](auto& scenario) -> auto& { return scenario.plan.split.context; });
    row.set = [](Scenario& scenario, const FieldValue& value) -> Result<void> {
        const std::string& words = std::get<std::string>(value);
        if (const auto known = parse_context_exchanges(words); !known) {
            return refuse(known.error());
        }
        scenario.plan.split.context = words;
        return {};
    };
    row.choices = {{"gather", "keys and values gathered"},
                   {"ring", "keys and values round a ring"},
                   {"all-to-all", "tokens for heads (Ulysses)"},
                   {"any", "the best of these"}};
    row.omitted = [](const Scenario& scenario) {
        return scenario.plan.split.context == SplitAsked{}.context;
    };
    return row;
}

Field<Scenario> shard_row() {
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "planning.shard_group",
         .required = false,
         .name = "chips that share weights of the plan",
         .label = "Sharing group (HSDP)",
         .group = training_group,
         .place = 9,
         .unit = "chips",
         .help =
             "Of the chips that hold the same weights those that share what ZeRO shares, such as the 8 of "
             "a fast domain; groups sum gradients with each other once a step. all: they all share.",
         .flag = "--shard-group",
         .flag_help = "N|all: of the chips that hold the same weights those that share what --zero shares, "
                      "such as 8 of a fast domain (hybrid sharding, HSDP; default all)",
         .least = 1,
         .most = most_planned_chips,
         .word = "all",
         .word_label = "all that hold the same",
         .tags = of_a_plan | of_plans},
        [](auto& scenario) -> auto& { return scenario.plan.split.shard; });
    row.omitted = [](const Scenario& scenario) { return !scenario.plan.split.shard; };
    return row;
}

Field<Scenario> sums_row() {
    constexpr const char* once = "step";
    Field<Scenario> row{
        {.key = "planning.shard_sums",
         .required = false,
         .name = "sums among the groups that share weights",
         .label = "Sums among groups",
         .group = training_group,
         .place = 9,
         .help = "When groups that share weights sum gradients with each other: once a step, or after every "
                 "backward pass, as PyTorch's FSDP does where nothing else is set.",
         .flag = "--shard-sums",
         .flag_help = "step|backward: when groups of --shard-group sum gradients with each other: once a "
                      "step, or after every backward pass, as PyTorch does by default (default step)",
         .kind = FieldKind::choice,
         .choices = {{once, "once a step"}, {"backward", "after every backward pass"}},
         .tags = of_a_plan | of_plans},
        [](const Scenario& scenario) {
            return FieldValue(std::string(scenario.plan.split.sums_each_backward ? "backward" : once));
        },
        [](Scenario& scenario, const FieldValue& value) -> Result<void> {
            scenario.plan.split.sums_each_backward = std::get<std::string>(value) != once;
            return {};
        }};
    row.omitted = [](const Scenario& scenario) { return !scenario.plan.split.sums_each_backward; };
    row.objection = [](const Scenario& scenario) {
        if (scenario.gemm) {
            return said("One GEMM has no plan of a training run.");
        }
        return scenario.plan.split.shard ? std::string()
                                         : said("All chips that hold the same weights share them; only "
                                                "groups of them sum gradients with each other.");
    };
    return row;
}

Field<Scenario> offload_row() {
    Field<Scenario> row = whole_field<Scenario>(
        {.key = "planning.offload",
         .required = false,
         .name = "activations in the host's memory",
         .label = "Offloaded activations",
         .group = training_group,
         .place = 8,
         .unit = "percent",
         .help = "Percent of what layers keep for the backward pass that waits in the host's memory: it "
                 "travels over PCIe while layers compute.",
         .flag = "--offload-activations",
         .flag_help = "PERCENT: of what layers keep for the backward pass, what waits in the host's memory; "
                      "it goes there and back over PCIe while layers compute (default 0)",
         .least = 0,
         .most = 100,
         .tags = of_a_plan | of_plans},
        [](auto& scenario) -> auto& { return scenario.plan.split.offload; });
    row.omitted = [](const Scenario& scenario) { return scenario.plan.split.offload == 0; };
    return row;
}

Field<Scenario> rank_row() {
    Field<Scenario> row = choice_field<Scenario>(
        {.key = "planning.rank",
         .required = false,
         .name = "order of plans",
         .label = "Ranked by",
         .group = training_group,
         .place = 10,
         .help =
             "What plans are ranked by: the time that measured runs let expect, where it is known for the "
             "machine and the model, or the ideal one, which the machine's numbers allow.",
         .flag = "--rank",
         .flag_help =
             "expected|ideal: what plans are ranked by: what measured runs let expect, where that is "
             "known, or what the machine's numbers allow, as papers have it (default expected)",
         .tags = of_a_plan | of_plans},
        std::vector<std::pair<PlanOrder, std::string>>{{PlanOrder::expected, "expected time"},
                                                       {PlanOrder::ideal, "ideal time"}},
        [](auto& scenario) -> auto& { return scenario.plan.split.rank; });
    row.omitted = [](const Scenario& scenario) { return scenario.plan.split.rank == SplitAsked{}.rank; };
    return row;
}

} // namespace

std::vector<Field<Scenario>> copies_rows() {
    std::vector<Field<Scenario>> rows;
    rows.push_back(context_row());
    rows.push_back(shard_row());
    rows.push_back(sums_row());
    rows.push_back(offload_row());
    rows.push_back(rank_row());
    return rows;
}

} // namespace meshslice
