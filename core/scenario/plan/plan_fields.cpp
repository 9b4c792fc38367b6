#include "core/scenario/plan/plan_fields.h"

#include "core/base/fields/field_file.h"
#include "core/base/fields/field_schema.h"
#include "core/base/json/json_reader.h"
#include "core/base/json/json_writer.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/plan/planning.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

constexpr std::size_t torus_sides = std::tuple_size_v<TorusAxes>;
Result<Placement> parse_axis(std::string_view words) {
    const auto refused = [&] {
        return refuse(say("The axis of the plan's torus is \"{}\"; expected chips of tp1, tp2, pp and dp "
                          "along it, such as \"tp1 4, dp 2\".",
                          shortened(words)));
    };
    Placement axis;
    std::string_view rest = words;
    while (!rest.empty()) {
        const std::size_t end = rest.find(", ");
        const std::string_view part = rest.substr(0, end);
        const std::size_t space = part.find(' ');
        const Result<std::int64_t> chips =
            space == std::string_view::npos ? refuse("") : parse_whole(part.substr(space + 1));
        if (!chips || *chips < 2 || *chips > most_planned_chips) {
            return refused();
        }
        bool known = false;
        for (const auto& [group, member] : placed_groups) {
            if (part.substr(0, space) == group && axis.*member == 1) {
                axis.*member = *chips;
                known = true;
            }
        }
        if (!known || end + 2 == rest.size()) {
            return refused();
        }
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 2);
    }
    return axis;
}

Result<void> as_many(const std::vector<std::int64_t>& list, std::size_t count, std::string_view what) {
    if (list.size() == count) {
        return {};
    }
    return refuse(say("The {} is a list of {}; expected {} numbers.", said(what), list.size(), count));
}

Field<Plan> strategy_of_plan_row() {
    return choice_field<Plan>(
        {.key = "strategy",
         .name = "strategy of the plan",
         .help = "How GEMMs are split over a tensor-parallel group."},
        std::vector<std::pair<TensorStrategy, std::string>>{{TensorStrategy::one_d, ""},
                                                            {TensorStrategy::two_d, ""},
                                                            {TensorStrategy::summa, ""},
                                                            {TensorStrategy::of_algorithm, ""}},
        [](auto& plan) -> auto& { return plan.strategy; });
}

Field<Plan> algorithm_of_plan_row() {
    Field<Plan> row{{.key = "algorithm",
                     .required = false,
                     .name = "algorithm of the plan",
                     .help = "Of a plan on a torus with the strategy algorithm.",
                     .kind = FieldKind::choice},
                    [](const Plan& plan) {
                        return FieldValue(std::string(plan.algorithm != nullptr ? plan.algorithm->id
                                                                                : algorithms().front().id));
                    },
                    [](Plan& plan, const FieldValue& value) -> Result<void> {
                        const auto named = algorithm(std::get<std::string>(value));
                        if (!named) {
                            return refuse(named.error());
                        }
                        plan.algorithm = *named;
                        return {};
                    },
                    {},
                    [](const Plan& plan) { return plan.algorithm == nullptr; }};
    for (const Algorithm& one : algorithms()) {
        if (one.torus_axes == 2) {
            row.choices.push_back({std::string(one.id), {}});
        }
    }
    row.check = [](const Plan& plan) -> Result<void> {
        const bool needed = plan.strategy == TensorStrategy::of_algorithm;
        if ((plan.algorithm != nullptr) == needed) {
            return {};
        }
        return refuse(needed ? said("The strategy of the plan is an algorithm's, and the plan names none.")
                             : said("The plan names an algorithm, but its strategy does not use one."));
    };
    return row;
}

Field<Plan> count_row(const char* key, const char* name, const char* help, std::int64_t Plan::*count,
                      bool required = true) {
    return whole_field<Plan>(
        {.key = key,
         .required = required,
         .name = name,
         .help = help,
         .least = 1,
         .most = most_planned_chips},
        [count](auto& plan) -> auto& { return plan.*count; });
}

Field<Plan> experts_of_plan_row() {
    Field<Plan> row =
        count_row("ep", "expert-parallel size of the plan",
                  "Data-parallel chips that have a part of the experts each.", &Plan::experts, false);
    row.omitted = [](const Plan& plan) { return plan.experts == 1; };
    return row;
}

Field<Plan> shard_of_plan_row() {
    Field<Plan> row = whole_field<Plan>(
        {.key = "shard_group",
         .required = false,
         .name = "chips that share weights of the plan",
         .help = "Of the chips that hold the same weights those that share them; 0: all.",
         .least = 0,
         .most = most_planned_chips},
        [](auto& plan) -> auto& { return plan.shard; });
    row.omitted = [](const Plan& plan) { return plan.shard == 0; };
    return row;
}

Field<Plan> sums_of_plan_row() {
    Field<Plan> row = flag_field<Plan>(
        {.key = "sums_each_backward",
         .required = false,
         .name = "sums among the plan's groups after every backward pass",
         .help =
             "Whether groups that share weights sum gradients with each other after every backward pass."},
        [](auto& plan) -> auto& { return plan.sums_each_backward; });
    row.omitted = [](const Plan& plan) { return !plan.sums_each_backward; };
    return row;
}

Field<Plan> context_of_plan_row() {
    Field<Plan> row = choice_field<Plan>(
        {.key = "context",
         .required = false,
         .name = "exchange of the plan's split sequence",
         .help = "How chips that have a part of each sequence get at each other's keys and values."},
        std::vector<std::pair<ContextExchange, std::string>>{
            {ContextExchange::gather, ""}, {ContextExchange::ring, ""}, {ContextExchange::all_to_all, ""}},
        [](auto& plan) -> auto& { return plan.context; });
    row.omitted = [](const Plan& plan) { return plan.context == ContextExchange::gather; };
    return row;
}

Field<Plan> grid_row() {
    return {{.key = "tp",
             .name = "tensor-parallel grid of the plan",
             .help = "Its two sides.",
             .kind = FieldKind::whole_list,
             .least = 1,
             .most = most_planned_chips},
            [](const Plan& plan) {
                return FieldValue(std::vector{plan.tensor1, plan.tensor2});
            },
            [](Plan& plan, const FieldValue& value) -> Result<void> {
                const auto& sides = std::get<std::vector<std::int64_t>>(value);
                if (const auto two = as_many(sides, 2, "tensor-parallel grid of the plan"); !two) {
                    return two;
                }
                plan.tensor1 = sides[0];
                plan.tensor2 = sides[1];
                return {};
            }};
}

Field<Plan> placement_row() {
    return {{.key = "placement",
             .name = "placement of the plan",
             .help = "Chips of both sides of the grid, of the data-parallel group and of the pipeline in one "
                     "fast domain; four more numbers for each unit of a level around it.",
             .kind = FieldKind::whole_list,
             .least = 1,
             .most = most_planned_chips},
            [](const Plan& plan) { return FieldValue(plan.placed_numbers()); },
            [](Plan& plan, const FieldValue& value) -> Result<void> {
                const auto& numbers = std::get<std::vector<std::int64_t>>(value);
                const std::size_t levels = numbers.size() / placed_groups.size();
                if (levels < 1 || levels > 1 + plan.around.size() ||
                    numbers.size() % placed_groups.size() != 0) {
                    return as_many(numbers, placed_groups.size(), "placement of the plan");
                }
                plan.around = {};
                for (std::size_t level = 0; level < levels; ++level) {
                    const auto* const at = &numbers[level * placed_groups.size()];
                    (level == 0 ? plan.placement : plan.around[level - 1]) = {at[0], at[1], at[2], at[3]};
                }
                return {};
            }};
}

Field<Plan> torus_row() {
    return {{.key = "torus",
             .required = false,
             .name = "axes of the plan's torus",
             .help = "Chips of each group along each axis, such as \"tp1 4, dp 2\".",
             .kind = FieldKind::text_list},
            [](const Plan& plan) {
                std::vector<std::string> axes;
                for (const Placement& axis : plan.axes) {
                    axes.push_back(axis_text(axis));
                }
                return FieldValue(axes);
            },
            [](Plan& plan, const FieldValue& value) -> Result<void> {
                const auto& axes = std::get<std::vector<std::string>>(value);
                if (axes.size() != torus_sides) {
                    return refuse(say("The plan's torus has {} axes; expected {}, empty ones of one chip.",
                                      axes.size(), torus_sides));
                }
                TorusAxes made;
                for (std::size_t k = 0; k < torus_sides; ++k) {
                    const Result<Placement> axis = parse_axis(axes[k]);
                    if (!axis) {
                        return refuse(axis.error());
                    }
                    made[k] = *axis;
                }
                plan.axes = made;
                return {};
            },
            {},
            [](const Plan& plan) { return plan.axes == TorusAxes{}; }};
}

Field<Plan> schedule_of_plan_row() {
    return {{.key = "schedule",
             .required = false,
             .name = "schedule of the plan's pipeline",
             .help = "1f1b, gpipe, zero-bubble, dualpipe or interleaved:V, with V chunks of each stage."},
            [](const Plan& plan) { return FieldValue(text(plan.schedule)); },
            [](Plan& plan, const FieldValue& value) -> Result<void> {
                const auto schedule = parse_pipeline_schedule(std::get<std::string>(value));
                if (!schedule) {
                    return refuse(schedule.error());
                }
                plan.schedule = *schedule;
                return {};
            }};
}

Field<Plan> recompute_row() {
    return {{.key = "recompute",
             .required = false,
             .name = "recomputation of the plan",
             .help = "What the backward pass computes again instead of keeping it: none, attention, full, or "
                     "modules such as layernorm+act."},
            [](const Plan& plan) { return FieldValue(name(plan.recompute)); },
            [](Plan& plan, const FieldValue& value) {
                return parse_recompute(std::get<std::string>(value)).map([&](Recompute recompute) {
                    plan.recompute = recompute;
                });
            }};
}

Field<Plan> offload_of_plan_row() {
    Field<Plan> row = whole_field<Plan>(
        {.key = "offload",
         .required = false,
         .name = "activations in the host's memory of the plan",
         .help = "Percent of what layers keep for the backward pass that waits in the host's memory.",
         .least = 0,
         .most = 100},
        [](auto& plan) -> auto& { return plan.offload; });
    row.omitted = [](const Plan& plan) { return plan.offload == 0; };
    return row;
}

Field<Plan> zero_row() {
    return whole_field<Plan>(
        {.key = "zero",
         .required = false,
         .name = "ZeRO level of the plan",
         .help = "What data-parallel chips share: 0 nothing, 1 the optimizer's state, 2 "
                 "gradients too, 3 weights too.",
         .least = 0,
         .most = 3},
        [](auto& plan) -> auto& { return plan.zero; });
}

Field<Plan> overlap_row(const char* key, const char* name, bool Plan::*overlap) {
    return {{.key = key, .required = false, .name = name, .kind = FieldKind::flag},
            [overlap](const Plan& plan) { return FieldValue(plan.*overlap); },
            [overlap](Plan& plan, const FieldValue& value) -> Result<void> {
                plan.*overlap = std::get<bool>(value);
                return {};
            }};
}

} // namespace

const std::vector<Field<Plan>>& plan_fields() {
    static const std::vector<Field<Plan>> table = {
        strategy_of_plan_row(),
        algorithm_of_plan_row(),
        count_row("dp", "data-parallel size of the plan", "Data-parallel copies.", &Plan::data),
        count_row("pp", "pipeline depth of the plan", "Stages.", &Plan::pipeline),
        grid_row(),
        experts_of_plan_row(),
        context_of_plan_row(),
        shard_of_plan_row(),
        sums_of_plan_row(),
        count_row("micro_batch", "micro-batch of the plan", "Samples.", &Plan::micro_batch),
        count_row("panels", "panel count of the plan", "Of a SUMMA plan.", &Plan::panels, false),
        placement_row(),
        torus_row(),
        schedule_of_plan_row(),
        recompute_row(),
        offload_of_plan_row(),
        zero_row(),
        overlap_row("overlap_tensor", "overlap of tensor-parallel communication of the plan",
                    &Plan::tensor_overlap),
        overlap_row("overlap_data", "overlap of data-parallel communication of the plan",
                    &Plan::data_overlap)};
    return table;
}

namespace {

/// What no row knows alone.
Result<void> check_chips(const Plan& plan) {
    // Products of what a file says may have more than 64 bits.
    const auto chips_of = [](const Placement& groups) {
        return static_cast<double>(groups.data) * static_cast<double>(groups.pipeline) *
               static_cast<double>(groups.tensor1) * static_cast<double>(groups.tensor2);
    };
    const Placement whole{plan.tensor1, plan.tensor2, plan.data / plan.tori(), plan.pipeline};
    double along_axes = 1;
    for (const Placement& axis : plan.axes) {
        along_axes *= chips_of(axis);
    }
    const Placement all{plan.tensor1, plan.tensor2, plan.data, plan.pipeline};
    if (std::max(chips_of(all), along_axes) > static_cast<double>(most_planned_chips)) {
        return refuse(say("The plan has more than {} chips; expected fewer.", most_planned_chips));
    }
    if (plan.axes != TorusAxes{} && plan.placement != whole) {
        return refuse(say("On a torus the placement of a plan is its groups, [{}, {}, {}, {}].",
                          whole.tensor1, whole.tensor2, whole.data, whole.pipeline));
    }
    return {};
}

} // namespace

Result<void> check_plan_fields(const Plan& plan) {
    const Result<void> rows = check_fields(plan_fields(), plan);
    return rows ? check_chips(plan) : rows;
}

std::string write_plan(const Plan& plan) {
    Tree json = Tree::object();
    write_fields(json, plan_fields(), plan);
    return json_line(json);
}

Result<Plan> read_plan(std::string_view json, const std::string& origin) {
    const Result<nlohmann::json> parsed = parse_json(json, origin);
    if (!parsed) {
        return refuse(parsed.error());
    }
    JsonReader reader(*parsed, origin);
    Plan plan;
    read_fields(reader, plan_fields(), origin, plan);
    if (!reader.ok()) {
        return refuse(*reader.finding());
    }
    if (const Result<void> rows = check_read(plan_fields(), plan, origin); !rows) {
        return refuse(rows.error());
    }
    const Result<void> chips = check_chips(plan);
    return chips ? Result<Plan>(plan) : refuse(fmt::format("{}: {}", origin, chips.error().sentence));
}

std::string plan_schema() {
    Tree plan = object_schema("A plan of a training run that was chosen: data x pipeline x tensor parallel.");
    add_rows(plan, plan_fields());
    return json_file(plan);
}

} // namespace meshslice
