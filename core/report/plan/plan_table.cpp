#include "core/report/plan/plan_table.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/expert_traffic.h"
#include "core/plan/evaluate/hidden_communication.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/plan/occupied.h"
#include "core/plan/search/advice/context_exchanges.h"
#include "core/plan/search/advice/plan_explanation.h"
#include "core/plan/search/advice/plan_levers.h"
#include "core/report/plan/expected_parts.h"
#include "core/report/plan/plan_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace meshslice {
namespace {

using PlanJson = Tree;

using Cell = Table::Cell;
using Value = std::variant<bool, std::string, std::int64_t, double>;
using NamedCells = std::vector<std::pair<const char*, Value>>;

Cell cell_of(const Value& value) {
    return std::visit(
        [](const auto& its) -> Cell {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(its)>, bool>) {
                return std::string(its ? "yes" : "no");
            } else {
                return its;
            }
        },
        value);
}

/// The columns of a table and the members of JSON have the same names.
NamedCells number_cells(const RankedPlan& one) {
    const PlanTime& time = one.reading.time;
    const MemoryUse& memory = one.reading.memory;
    return {{"time_s", time.total},
            {"compute_s", time.compute},
            {"memory_exposed_s", time.memory_exposed},
            {"tensor_s", time.tensor},
            {"data_s", time.data},
            {"pipeline_s", time.pipeline},
            {"bubble_s", time.bubble},
            {"ends_s", time.ends},
            {"optimizer_s", time.optimizer},
            {"memory_bytes", memory.total()},
            {"weights_bytes", memory.weights + memory.embeddings},
            {"gradients_bytes", memory.gradients},
            {"optimizer_bytes", memory.optimizer},
            {"activations_bytes", memory.activations},
            {"buffers_bytes", memory.buffers},
            {"logits_bytes", memory.logits},
            {"reserve_bytes", memory.reserve},
            {"flop_per_chip", one.reading.flop_per_chip},
            {"utilization", one.reading.utilization},
            {"micro_batches", one.reading.micro_batches}};
}

bool any_shares_experts(const std::vector<RankedPlan>& plans) {
    return std::ranges::any_of(plans, [](const RankedPlan& one) { return one.plan.experts > 1; });
}

bool any_copies_apart(const std::vector<RankedPlan>& plans) {
    return std::ranges::any_of(plans, [](const RankedPlan& one) {
        return one.plan.context != ContextExchange::gather || one.plan.shard > 0;
    });
}

/// What only plans whose chips share experts have.
NamedCells expert_cells(const RankedPlan& one) {
    return {{"ep", one.plan.experts}, {"experts_s", one.reading.time.experts}};
}

/// What only plans have that split sequences or share weights in groups.
NamedCells copies_cells(const RankedPlan& one) {
    return {{"context", std::string(one.plan.splits_context() ? name(one.plan.context) : "")},
            {"shard_group", one.plan.shard}};
}

/// How a plan splits the run.
NamedCells split_cells(const Plan& plan) {
    return {{"strategy", std::string(strategy_name(plan))},
            {"dp", plan.data},
            {"pp", plan.pipeline},
            {"tp", grid_text(plan)},
            {"micro_batch", plan.micro_batch},
            {"panels", plan.panels}};
}

/// How it runs.
NamedCells choice_cells(const Plan& plan) {
    return {{"schedule", text(plan.schedule)},
            {"recompute", name(plan.recompute)},
            {"zero", std::int64_t{plan.zero}},
            {"overlap_tensor", plan.tensor_overlap},
            {"overlap_data", plan.data_overlap}};
}

/// None on a torus.
std::vector<std::int64_t> units_of(const Machine& machine) {
    return machine.network.torus_axes() > 0 ? std::vector<std::int64_t>() : unit_chips(machine.network);
}

/// What was planned.
struct PlannedRun {
    std::string model, cluster;
    std::int64_t sequence = 1, batch = 1;
    ModelRules rules = ModelRules::exact;
    bool ends = false, optimizer_step = false;
    double tokens = 0;                    ///< of the whole training; 0: not said
    std::vector<std::int64_t> units = {}; ///< of the levels of fast domains; none on a torus
    NumberRecipe recipe = NumberRecipe::bf16;

    /// What a plan occupies of its network, where chips stand in domains.
    [[nodiscard]] NamedCells room(const Plan& plan) const {
        const std::optional<Occupied> its = units.empty() ? std::nullopt : occupied(plan, units);
        return its ? NamedCells{{"domains", its->domains}, {"occupied_chips", its->chips}} : NamedCells();
    }
    /// Its days, where they are known.
    [[nodiscard]] NamedCells days(const PlanReading& reading) const {
        TrainingRun run;
        run.sequence = sequence;
        run.batch = batch;
        return tokens > 0 ? NamedCells{{"days", days_for_tokens(run, reading.time.total, tokens)}}
                          : NamedCells();
    }
};

PlannedRun planned(const PlanModel& model, double tokens) {
    const TrainingRun& run = model.run();
    return {run.model.name,
            model.cluster_name(),
            run.sequence,
            run.batch,
            model.rules(),
            run.ends,
            run.optimizer_step,
            tokens,
            units_of(model.hardware()),
            run.recipe};
}

NamedCells run_cells(const PlannedRun& run, const Plan& plan) {
    NamedCells cells = {{"model", run.model},    {"sequence", run.sequence},
                        {"batch", run.batch},    {"cluster", run.cluster},
                        {"chips", plan.chips()}, {"rules", std::string(name(run.rules))},
                        {"ends", run.ends},      {"optimizer_step", run.optimizer_step}};
    if (run.tokens > 0) {
        cells.emplace_back("tokens", run.tokens);
    }
    if (run.recipe != NumberRecipe::bf16) {
        cells.emplace_back("recipe", std::string(name(run.recipe)));
    }
    return cells;
}

PlanJson json_of(const NamedCells& cells) {
    PlanJson made = PlanJson::object();
    for (const auto& [key, value] : cells) {
        std::visit([&made, name = key](const auto& its) { made[name] = its; }, value);
    }
    return made;
}

PlanJson numbers_json(const PlannedRun& run, const RankedPlan& one) {
    PlanJson made = json_of(number_cells(one));
    made.update(json_of(run.days(one.reading)));
    made.update(json_of(run.room(one.plan)));
    made["fits"] = one.reading.fits;
    PlanJson plan = json_of(split_cells(one.plan));
    if (one.plan.experts > 1) {
        made["experts_s"] = one.reading.time.experts;
        plan["ep"] = one.plan.experts;
    }
    if (one.plan.offload > 0) {
        made["host_s"] = one.reading.time.host;
        made["host_memory_bytes"] = one.reading.host_memory;
        plan["offload_activations"] = one.plan.offload;
    }
    if (one.plan.splits_context()) {
        plan["context"] = std::string(name(one.plan.context));
    }
    if (one.plan.shard > 0) {
        plan["shard_group"] = one.plan.shard;
        plan["shard_sums"] = one.plan.sums_each_backward ? "backward" : "step";
    }
    plan["placement"] = one.plan.placed_numbers();
    if (one.plan.axes != TorusAxes{}) {
        plan["torus"] = placement_text(one.plan);
    }
    plan.update(json_of(choice_cells(one.plan)));
    made["plan"] = plan;
    return made;
}

/// What is known of a plan that is looked at by itself: what bounds it, what would save or cost time, and
/// what its communication hides.
PlanJson why_json(const PlanModel& model, const RankedPlan& one) {
    const auto largest = std::ranges::max_element(
        step_parts, {}, [&](const StepPart& part) { return one.reading.time.*part.time; });
    const PlanTime& time = one.reading.time;
    PlanJson made;
    made["largest_part"] = {{"name", part_name(*largest, one.plan)},
                            {"share", time.*largest->time / time.total}};
    made["saves"] = PlanJson::array();
    for (const PlanLever& lever : plan_levers(model, one.plan)) {
        made["saves"].push_back({{"what", lever.what}, {"share", lever.saved}});
    }
    made["costs"] = PlanJson::array();
    for (const PlanLoss& loss : plan_losses(model, one.plan)) {
        made["costs"].push_back({{"what", loss.what}, {"share", loss.more}});
    }
    const auto hidden = [](const HiddenCommunication& its) {
        PlanJson words = {{"whole_s", its.whole}, {"hidden_s", its.hidden()}, {"room_s", its.room}};
        words["stays_hidden_times_as_slow"] = its.slower ? PlanJson(*its.slower) : PlanJson();
        return words;
    };
    if (model.run().recipe != NumberRecipe::bf16) {
        made["cast_s"] = cast_seconds(model, one.plan);
    }
    for (const ContextExchangeCost& its : context_exchange_costs(model, one.plan)) {
        PlanJson way = {{"exchange", std::string(name(its.exchange))}};
        if (its.objection.empty()) {
            way["sent_bytes"] = its.bytes;
            way["whole_s"] = its.whole;
            way["exposed_s"] = its.exposed;
            way["time_s"] = its.reading.time.total;
            way["memory_bytes"] = its.reading.memory.total();
        } else {
            way["objection"] = its.objection;
        }
        made["context"].push_back(std::move(way));
    }
    made["hidden"] = {{"data", hidden(hidden_data(model, one.plan))},
                      {"tensor", hidden(hidden_tensor(model, one.plan))}};
    return made;
}

/// What its dispatch and combine move, for the chip that has most of it.
PlanJson experts_json(const PlanModel& model, const Plan& plan) {
    const ExpertTraffic traffic = expert_traffic(model, plan);
    PlanJson levels = PlanJson::array();
    for (const ExpertLevel& one : traffic.levels) {
        levels.push_back({{"level", level_name(model, one.level)},
                          {"dispatch_bytes", one.dispatch},
                          {"combine_bytes", one.combine}});
    }
    return {{"levels", levels},
            {"chips_of_a_token", traffic.chips_of_token},
            {"domains_of_a_token", traffic.domains_of_token},
            {"fullest_over_mean_tokens", traffic.work},
            {"overlap", std::string(name(traffic.overlap))},
            {"whole_s", traffic.whole},
            {"exposed_s", traffic.exposed}};
}

PlanJson simulated_json(const Result<SimulatedTime>& simulated) {
    if (!simulated) {
        return {{"objection", simulated.error().sentence}};
    }
    return {{"time_s", simulated->total},   {"passes_s", simulated->passes},
            {"data_s", simulated->data},    {"pipeline_s", simulated->pipeline},
            {"waits_s", simulated->bubble}, {"memory_bytes", simulated->memory}};
}

PlanJson list_json(const PlannedRun& run, const std::vector<RankedPlan>& plans,
                   const SimulatedPlans& simulated = {}) {
    PlanJson list = PlanJson::array();
    for (std::size_t k = 0; k < plans.size(); ++k) {
        list.push_back(numbers_json(run, plans[k]));
        if (k < simulated.size()) {
            list.back()["simulated"] = simulated_json(simulated[k]);
        }
    }
    return list;
}

Table table_of(const PlannedRun& run, const std::vector<RankedPlan>& plans) {
    Table table{"Plans", {}, {}};
    const bool experts = any_shares_experts(plans), copies = any_copies_apart(plans);
    for (std::size_t k = 0; k < plans.size(); ++k) {
        const RankedPlan& one = plans[k];
        NamedCells cells = {{"rank", static_cast<std::int64_t>(k + 1)}};
        const auto add = [&](NamedCells more) { std::ranges::move(more, std::back_inserter(cells)); };
        add(split_cells(one.plan));
        add({{"placement", placement_text(one.plan)}});
        add(number_cells(one));
        add(run.days(one.reading));
        add(run.room(one.plan));
        add({{"fits", one.reading.fits}});
        add(choice_cells(one.plan));
        if (experts) {
            add(expert_cells(one));
        }
        if (copies) {
            add(copies_cells(one));
        }
        add(run_cells(run, one.plan));
        table.columns.clear();
        std::vector<Cell> row;
        for (const auto& [name, value] : cells) {
            table.columns.emplace_back(name);
            row.push_back(cell_of(value));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace

Table plan_table(const PlanModel& model, const std::vector<RankedPlan>& plans, double tokens) {
    return table_of(planned(model, tokens), plans);
}

Table plan_table(const PlanAnswer& answer) {
    const PlanQuestion& question = answer.question;
    PlannedRun run{question.model.name, question.machine.name, question.sequence, question.batch};
    run.ends = question.ends;
    run.optimizer_step = question.optimizer_step;
    run.units = units_of(question.machine);
    run.recipe = question.recipe;
    return table_of(run, answer.search.ranked);
}

Tree plan_values(const PlanModel& model, const RankedPlan& plan, const SimulatedPlans& simulated,
                 double tokens) {
    const PlannedRun run = planned(model, tokens);
    PlanJson list = list_json(run, {plan}, simulated);
    PlanJson& made = list.front();
    made["why"] = why_json(model, plan);
    if (plan.plan.experts > 1) {
        made["experts"] = experts_json(model, plan.plan);
    }
    made["run"] = json_of(run_cells(run, plan.plan));
    return std::move(made);
}

Tree plan_search_values(const PlanModel& model, const PlanSearch& search, const SimulatedPlans& simulated,
                        double tokens, const std::vector<std::string>& would_fit) {
    const PlannedRun run = planned(model, tokens);
    PlanJson plans = list_json(run, search.ranked, simulated);
    if (!plans.empty()) {
        plans.front()["why"] = why_json(model, search.ranked.front());
        if (search.ranked.front().plan.experts > 1) {
            plans.front()["experts"] = experts_json(model, search.ranked.front().plan);
        }
    }
    PlanJson all = {{"run", json_of(run_cells(run, search.smallest.plan))},
                    {"candidates", search.candidates},
                    {"feasible", search.feasible},
                    {"plans", plans},
                    {"frontier", list_json(run, search.frontier)}};
    if (search.feasible == 0) {
        all["smallest"] = numbers_json(run, search.smallest);
        all["would_fit"] = would_fit;
    }
    return all;
}

namespace {

/// Why a plan is behind the best one, and whether it is the loaded one.
std::string note_on(const PlanAnswer& answer, const RankedPlan& one, const ExpectedStep& expected_of_best,
                    const ExpectedStep& expected) {
    const std::string why =
        leads_expected(answer.question, answer.best(), expected_of_best)
            ? why_behind_expected(answer.best(), expected_of_best, one, expected, answer.capacity)
            : why_behind(answer.best(), one, answer.capacity);
    return !is_loaded(answer, one) ? why : why.empty() ? said("pinned") : say("pinned; {}", why);
}

} // namespace

Table shown_plan_table(const PlanAnswer& answer, const std::vector<ExpectedStep>& expected,
                       const std::vector<std::size_t>& order) {
    const std::vector<RankedPlan> plans = answer.plans();
    const bool known = std::ranges::any_of(expected, &ExpectedStep::known);
    const bool torus =
        std::ranges::any_of(plans, [](const RankedPlan& one) { return one.plan.axes != TorusAxes{}; });
    const bool levels =
        std::ranges::any_of(plans, [](const RankedPlan& one) { return one.plan.placed_levels() > 1; });
    const bool trained = answer.question.tokens.has_value();
    const std::vector<std::int64_t> units = units_of(answer.question.machine);
    const bool idle = std::ranges::any_of(
        plans, [&](const RankedPlan& one) { return !units.empty() && idle_chips(one.plan, units) > 0; });
    Table table{"Plans", {"rank"}, {}};
    if (known) {
        table.columns.emplace_back("expected_s");
    }
    table.columns.emplace_back(known ? "ideal_s" : "time_s");
    table.columns.emplace_back("note");
    if (trained) {
        table.columns.emplace_back("days");
    }
    const bool experts = any_shares_experts(plans);
    for (const char* column : {"FLOP utilization", "memory_bytes", "strategy", "dp", "pp", "tp", "ep",
                               "micro-batch", "schedule", "recompute", "ZeRO", "panels",
                               torus    ? "along the axes of the torus"
                               : levels ? "in a unit of each level"
                                        : "in a fast domain"}) {
        if (experts || column != std::string_view("ep")) {
            table.columns.emplace_back(column);
        }
    }
    if (idle) {
        table.columns.emplace_back("occupied");
    }
    const auto best = static_cast<std::size_t>(
        std::ranges::find(plans, answer.best().plan, &RankedPlan::plan) - plans.begin());
    const ExpectedStep none;
    const ExpectedStep& of_best = best < expected.size() ? expected[best] : none;
    for (std::size_t k = 0; k < plans.size(); ++k) {
        const std::size_t place = order.empty() ? k : order[k];
        const RankedPlan& one = plans[place];
        std::vector<Table::Cell> row = {static_cast<std::int64_t>(k + 1)};
        if (known) {
            row.push_back(expected[place].known() ? Table::Cell(expected[place].seconds)
                                                  : Table::Cell(std::string()));
        }
        row.emplace_back(one.reading.time.total);
        row.emplace_back(note_on(answer, one, of_best, place < expected.size() ? expected[place] : none));
        if (trained) {
            const bool leads = known && leads_expected(answer.question, one, expected[place]);
            row.emplace_back(
                days_of_training(answer, leads ? expected[place].seconds : one.reading.time.total));
        }
        const std::vector<Table::Cell> expert =
            experts ? std::vector<Table::Cell>{one.plan.experts} : std::vector<Table::Cell>();
        std::ranges::move(
            std::vector<Table::Cell>{
                one.reading.utilization,
                static_cast<std::int64_t>(std::min(std::round(one.reading.memory.total()), 9e18)),
                std::string(strategy_name(one.plan)), one.plan.data, one.plan.pipeline, grid_text(one.plan)},
            std::back_inserter(row));
        row.insert(row.end(), expert.begin(), expert.end());
        std::ranges::move(std::vector<Table::Cell>{one.plan.micro_batch, text(one.plan.schedule),
                                                   name(one.plan.recompute), std::int64_t{one.plan.zero},
                                                   one.plan.panels, placement_text(one.plan)},
                          std::back_inserter(row));
        if (idle) {
            row.emplace_back(occupied_text(one.plan, units));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table printed_plan_table(const PlanAnswer& answer, const std::vector<ExpectedStep>& expected) {
    const std::vector<RankedPlan> plans = answer.plans();
    const bool known = std::ranges::any_of(expected, &ExpectedStep::known);
    Table table{"Plans", {"rank"}, {}};
    if (known) {
        table.columns.insert(table.columns.end(), {"expected_s", "expected FLOP utilization"});
    }
    table.columns.insert(table.columns.end(),
                         {"ideal_s", "ideal FLOP utilization", "memory_bytes", "plan", "note"});
    const ExpectedStep none;
    const auto expected_at = [&](std::size_t place) -> const ExpectedStep& {
        return place < expected.size() ? expected[place] : none;
    };
    const auto best = static_cast<std::size_t>(
        std::ranges::find(plans, answer.best().plan, &RankedPlan::plan) - plans.begin());
    for (std::size_t k = 0; k < plans.size(); ++k) {
        const RankedPlan& one = plans[k];
        const ExpectedStep& its = expected_at(k);
        std::vector<Table::Cell> row = {static_cast<std::int64_t>(k + 1)};
        if (known) {
            row.push_back(its.known() ? Table::Cell(its.seconds) : Table::Cell(std::string()));
            row.push_back(its.known() ? Table::Cell(expected_utilization(one, its))
                                      : Table::Cell(std::string()));
        }
        row.emplace_back(one.reading.time.total);
        row.emplace_back(one.reading.utilization);
        row.emplace_back(static_cast<std::int64_t>(std::min(std::round(one.reading.memory.total()), 9e18)));
        row.emplace_back(plan_name(one.plan));
        row.emplace_back(note_on(answer, one, expected_at(best), its));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table expert_traffic_table(const PlanModel& model, const Plan& plan) {
    Table table{"Dispatch and combine", {"level", "dispatch_bytes", "combine_bytes"}, {}};
    for (const ExpertLevel& one : expert_traffic(model, plan).levels) {
        table.rows.push_back({level_name(model, one.level), one.dispatch, one.combine});
    }
    return table;
}

std::string level_name(const PlanModel& model, std::size_t level) {
    const std::vector<Level>& levels = model.hardware().network.levels;
    return levels.size() == 2 ? level == 0 ? said("a fast domain") : said("the network around domains")
                              : title(levels[level]);
}

Table plan_parts_table(const RankedPlan& plan) {
    Table table{"Parts of the plan", {"part", "amount", "share"}, {}};
    const auto add = [&](const std::vector<PlanPart>& parts, std::string (*amount)(double)) {
        for (const PlanPart& part : parts) {
            table.rows.push_back({part.name, amount(part.amount), percent_text(part.share)});
        }
    };
    table.rows.push_back(
        {said("ideal time of a step"), seconds_text(plan.reading.time.total), std::string()});
    add(time_parts(plan), seconds_text);
    table.rows.push_back({said("memory of a chip"), bytes_text(plan.reading.memory.total()), std::string()});
    add(memory_parts(plan.reading), bytes_text);
    return table;
}

} // namespace meshslice
