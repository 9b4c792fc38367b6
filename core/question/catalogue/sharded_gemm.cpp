// The plans of a GEMM of sharded arrays: the four cases of the scaling book (How to Scale Your Model, chapter
// 3).

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/base/text/text_table.h"
#include "core/execute/sharded_run.h"
#include "core/question/catalogue/network/shard.h"
#include "core/report/traced_step.h"
#include "core/step/sharded_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t plans_listed = 8; ///< unless all are asked for

/// A plan that ran on real arrays: how far off its worst element is, and whether every device had its block.
struct RanOnArrays {
    double largest_error = 0;
    bool right = true;
};

struct FoundShardings {
    const ShardedGemmAsked& asked;
    ShardedPlans plans;
    std::size_t shown = 0;                      ///< the plan that is shown step by step
    std::vector<RanOnArrays> verified;          ///< of each plan; none where that was not asked
    std::vector<Result<ShardedStep>> simulated; ///< of the first plans; none where that was not asked

    [[nodiscard]] std::size_t listed() const {
        return asked.all ? plans.plans.size() : std::min(plans.plans.size(), plans_listed);
    }
    [[nodiscard]] const CostedPlan& plan() const { return plans.plans[shown]; }
    /// Null where it was not simulated.
    [[nodiscard]] const ShardedStep* run(std::size_t plan) const {
        return plan < simulated.size() && simulated[plan] ? &*simulated[plan] : nullptr;
    }
};

std::string plan_text(const CostedPlan& plan, const ShardedGemmAsked& asked) {
    return text(plan.plan, asked.gemm, asked.mesh);
}

std::string held_text(const CostedPlan& plan, double capacity) {
    return plan.held > capacity && capacity > 0 ? bytes_text(plan.held) + ", does not fit"
                                                : bytes_text(plan.held);
}

Paragraph plan_lines(const FoundShardings& found) {
    Paragraph lines{
        {},
        {{"plan", "time", "compute", "HBM", "exchange", "bound by", "FLOP", "received", "held", "steps"}}};
    if (found.asked.simulate) {
        lines.lines.front().insert(lines.lines.front().begin() + 2, "simulated");
    }
    for (std::size_t k = 0; k < found.listed(); ++k) {
        const CostedPlan& plan = found.plans.plans[k];
        lines.lines.push_back({std::to_string(k + 1), seconds_text(plan.time_s), seconds_text(plan.compute_s),
                               seconds_text(plan.memory_s), seconds_text(plan.exchange_s),
                               std::string(name(plan.bound)), si_text(plan.flop, "FLOP"),
                               bytes_text(plan.received), held_text(plan, found.plans.capacity),
                               plan_text(plan, found.asked)});
        if (found.asked.simulate) {
            const ShardedStep* const run = found.run(k);
            lines.lines.back().insert(lines.lines.back().begin() + 2,
                                      run != nullptr ? seconds_text(run->seconds()) : "-");
        }
    }
    return lines;
}

Paragraph step_lines(const FoundShardings& found) {
    const CostedPlan& plan = found.plan();
    Paragraph lines{{}, {{"step", "", "makes", "time", "received", "held after", "formula"}}, 3};
    for (std::size_t k = 0; k < plan.steps.size(); ++k) {
        const ShardingStep& step = plan.plan.steps[k];
        const StepCost& cost = plan.steps[k];
        const bool multiplies = step.multiplies();
        lines.lines.push_back(
            {std::to_string(k + 1), text(step, found.asked.mesh), text(step.after, found.asked.mesh),
             multiplies      ? seconds_text(std::max(plan.compute_s, plan.memory_s))
             : cost.exchange ? seconds_text(cost.exchange->seconds())
                             : seconds_text(0),
             bytes_text(cost.received), bytes_text(cost.held_after),
             cost.exchange ? cost.exchange->formula()
             : multiplies
                 ? fmt::format("max({} / {} peak, {} through HBM)", si_text(plan.flop, "FLOP"),
                               si_text(plan.flop / plan.compute_s, "FLOP/s"), bytes_text(plan.memory_bytes))
                 : ""});
    }
    return lines;
}

/// What the plan takes in the simulation, and the program that was simulated; why there is none.
std::string simulated_words(const FoundShardings& found) {
    const ShardedStep* const run = found.run(found.shown);
    if (run == nullptr) {
        return fmt::format("Not simulated: {}\n", found.simulated[found.shown].error().sentence);
    }
    const Estimate& estimate = run->gemm().estimate;
    return fmt::format("Simulated: {}, with launches and the synchronization of every step; the closed form "
                       "of the program says {}\n\n{}",
                       seconds_text(run->seconds()), seconds_text(in_seconds(estimate.total)),
                       pseudocode(run->plan.program));
}

std::string verified_words(const std::vector<RanOnArrays>& verified) {
    if (verified.empty()) {
        return {};
    }
    const auto wrong = std::ranges::count_if(verified, [](const RanOnArrays& one) { return !one.right; });
    return wrong == 0
               ? fmt::format("\nOn real arrays, chip by chip: {} correct\n",
                             count_text(static_cast<std::int64_t>(verified.size()), "plan is", "plans are"))
               : fmt::format("\nOn real arrays, chip by chip: {} of {} plans are WRONG\n", wrong,
                             verified.size());
}

std::vector<Paragraph> words_of(const FoundShardings& found) {
    const ShardedGemmAsked& asked = found.asked;
    const CostedPlan& shown = found.plan();
    std::vector<Paragraph> words;
    words.push_back({fmt::format(
        "{} on {}, {} of {}\n{}\n{} ({})\n{} in all, {} with both gradients in training; {}\n\n",
        text(asked.gemm, asked.mesh), text(asked.mesh), count_text(asked.mesh.devices(), "chip", "chips"),
        asked.hardware.title, case_words(asked.gemm, asked.mesh), einsum(asked.gemm), role_words(asked.gemm),
        si_text(found.plans.flop, "FLOP"), si_text(gemms_of_training * found.plans.flop, "FLOP"),
        count_text(static_cast<std::int64_t>(found.plans.plans.size()), "plan", "plans"))});
    words.push_back(plan_lines(found));
    std::string more =
        found.listed() == found.plans.plans.size()
            ? std::string()
            : fmt::format("... and {} more; --all lists them\n", found.plans.plans.size() - found.listed());
    more += fmt::format(
        "time: as the JAX code below does the steps, with launches; exchanges over different axes "
        "run at once, none hides behind the GEMM\n\nPlan {}: {}\n{}\nIf all of it could "
        "hide behind the longest: {}\n{}\n",
        found.shown + 1, plan_text(shown, asked), verdict(shown), seconds_text(shown.least_s()),
        asked.simulate ? simulated_words(found) : "");
    words.push_back({std::move(more)});
    words.push_back(step_lines(found));
    const std::string code = shard_map_text(shown.plan, asked.gemm, asked.mesh);
    words.push_back(
        {verified_words(found.verified) +
         (code.empty() ? "\nJAX's shard_map takes and gives no partial sums, so there is no code to copy.\n"
                       : fmt::format("\nJAX, plan {}:\n\n{}", found.shown + 1, code))});
    return words;
}

Tree step_values(const ShardedGemmAsked& asked, const ShardingStep& step, const StepCost& cost) {
    Tree one = {{"step", text(step, asked.mesh)},           {"array", asked.gemm.operand(step.which).name},
                {"makes", text(step.after, asked.mesh)},    {"words", words(step, asked.mesh)},
                {"received_bytes_per_chip", cost.received}, {"held_after_bytes_per_chip", cost.held_after}};
    if (cost.exchange) {
        one.update({{"bytes", cost.bytes},
                    {"time_in_s", cost.exchange->seconds()},
                    {"hops", cost.exchange->hops},
                    {"latency_in_s", cost.exchange->latency},
                    {"bandwidth_in_s", cost.exchange->bandwidth},
                    {"formula", plain_spaces(cost.exchange->formula())}});
    }
    return one;
}

Tree plan_values(const FoundShardings& found, std::size_t which) {
    const CostedPlan& plan = found.plans.plans[which];
    const NamedMesh& mesh = found.asked.mesh;
    Tree out = {{"plan", plan_text(plan, found.asked)},
                {"time_in_s", plan.time_s},
                {"least_in_s", plan.least_s()},
                {"most_in_s", plan.most_s()},
                {"bound", name(plan.bound)},
                {"verdict", plain_spaces(verdict(plan))},
                {"margin", std::isfinite(plan.margin) ? Tree(plan.margin) : Tree()},
                {"flop_per_chip", plan.flop},
                {"flop_in_all", plan.flop * static_cast<double>(mesh.devices())},
                {"compute_in_s", plan.compute_s},
                {"hbm_bytes_per_chip", plan.memory_bytes},
                {"hbm_in_s", plan.memory_s},
                {"exchange_in_s", plan.exchange_s},
                {"received_bytes_per_chip", plan.received},
                {"held_bytes_per_chip", plan.held},
                {"fits", plan.held <= found.plans.capacity || found.plans.capacity <= 0}};
    for (std::size_t k = 0; k < plan.steps.size(); ++k) {
        out["steps"].push_back(step_values(found.asked, plan.plan.steps[k], plan.steps[k]));
    }
    if (const ShardedStep* const run = found.run(which)) {
        out.update({{"simulated_in_s", run->seconds()},
                    {"closed_form_in_s", in_seconds(run->gemm().estimate.total)},
                    {"busiest_link_bytes", run->gemm().count->busiest_link.value()},
                    {"program", pseudocode(run->plan.program)}});
    } else if (which < found.simulated.size()) {
        out.update({{"simulated_in_s", nullptr},
                    {"not_simulated", plain_spaces(found.simulated[which].error().sentence)}});
    }
    out["shard_map"] = shard_map_text(plan.plan, found.asked.gemm, mesh);
    if (!found.verified.empty()) {
        out["correct"] = found.verified[which].right;
        out["largest_error"] = found.verified[which].largest_error;
    }
    return out;
}

Tree values_of(const FoundShardings& found) {
    const ShardedGemmAsked& asked = found.asked;
    Tree out = {{"gemm", text(asked.gemm, asked.mesh)},
                {"mesh", text(asked.mesh)},
                {"hardware", asked.hardware.name},
                {"type", name(asked.kind)},
                {"case", case_of(asked.gemm)},
                {"case_in_words", case_words(asked.gemm, asked.mesh)},
                {"einsum", einsum(asked.gemm)},
                {"letters", Tree::object()},
                {"flop", found.plans.flop},
                {"flop_of_training", gemms_of_training * found.plans.flop}};
    for (const GemmLetter& one : letters_of(asked.gemm)) {
        out["letters"][std::string(1, one.letter)] = name(one.role);
    }
    for (std::size_t k = 0; k < found.plans.plans.size(); ++k) {
        out["plans"].push_back(plan_values(found, k));
    }
    return out;
}

/// Which plan is shown.
Result<std::size_t> shown_plan(const Asked& asked, const ShardedGemmAsked& read,
                               const std::vector<CostedPlan>& plans) {
    if (read.plan.empty()) {
        return 0;
    }
    const auto named =
        std::ranges::find(plans, read.plan, [&](const CostedPlan& one) { return plan_text(one, read); });
    if (named != plans.end()) {
        return static_cast<std::size_t>(named - plans.begin());
    }
    const auto count = static_cast<std::int64_t>(plans.size());
    const Result<std::int64_t> place = parse_whole(read.plan);
    if (!place) {
        return refuse(say("{} has no plan \"{}\"; the best one is \"{}\".", text(read.gemm, read.mesh),
                          shortened(read.plan), plan_text(plans.front(), read)));
    }
    if (*place < 1 || *place > count) {
        return refuse(say("{} {}: there are {}, 1 to {}.", asked.called("plan"), *place,
                          count_text(count, "plan", "plans"), count));
    }
    return static_cast<std::size_t>(*place - 1);
}

Result<FoundShardings> find_shardings(const Asked& asked, const ShardedGemmAsked& read,
                                      const RunControl& control) {
    Result<ShardedPlans> plans =
        timed_sharded_plans(read.gemm, read.mesh, read.sizes, read.kind, read.hardware, {control.stop});
    if (!plans) {
        return refuse(plans.error());
    }
    FoundShardings found{read, *std::move(plans), 0, {}, {}};
    const Result<std::size_t> shown = shown_plan(asked, read, found.plans.plans);
    if (!shown) {
        return refuse(shown.error());
    }
    found.shown = *shown;
    const std::size_t simulated = read.simulate ? std::max(found.listed(), found.shown + 1) : 0;
    for (std::size_t k = 0; k < simulated; ++k) {
        found.simulated.push_back(sharded_step(found.plans.plans[k].plan, read.gemm, read.mesh, read.sizes,
                                               read.kind, read.hardware, Depth::simulate, {control.stop}));
        if (!found.simulated.back() && k == found.shown && read.trace) {
            return refuse("--trace: " + found.simulated.back().error().sentence);
        }
    }
    for (std::size_t k = 0; read.verify && k < found.plans.plans.size(); ++k) {
        const Result<ShardedRun> run = run_sharded(found.plans.plans[k].plan, read.gemm, read.mesh,
                                                   small_sizes(read.gemm, read.mesh, 1), 1);
        if (!run) {
            return refuse(asked.called("verify") + ": " + run.error().sentence);
        }
        found.verified.push_back(
            {run->largest_error, run->largest_error == 0 && run->devices == read.mesh.devices()});
    }
    return found;
}

/// The simulation of the shown plan, with what it is made from.
Result<NamedRun> run_of(const FoundShardings& found) {
    const StepRunPtr& run = found.run(found.shown)->run;
    const std::shared_ptr<const TrainingStep> step(run, &run->step());
    const std::vector<const Scenario*> no_scenario = {nullptr};
    return traced_runs(std::span(step.get(), 1), no_scenario).map([&](const std::vector<TracedRun>& runs) {
        return NamedRun{plan_text(found.plan(), found.asked), keeping(trace_of(runs).front(), step)};
    });
}

} // namespace

Table sharded_plan_table(const ShardedPlans& plans, const ShardedGemm& gemm, const NamedMesh& mesh) {
    Table table{"plans",
                {"rank", "time_s", "bound by", "compute_s", "memory_s", "exchange_s", "received_bytes",
                 "held_bytes", "FLOP_flop", "steps"},
                {}};
    for (std::size_t k = 0; k < plans.plans.size(); ++k) {
        const CostedPlan& plan = plans.plans[k];
        table.rows.push_back({static_cast<std::int64_t>(k + 1), plan.time_s,
                              said(std::string(name(plan.bound))), plan.compute_s, plan.memory_s,
                              plan.exchange_s, plan.received, plan.held, plan.flop,
                              text(plan.plan, gemm, mesh)});
    }
    return table;
}

Result<Answer> sharded_gemm_answer(const Asked& asked, const ShardedGemmAsked& read,
                                   const RunControl& control) {
    const Result<FoundShardings> found = find_shardings(asked, read, control);
    if (!found) {
        return refuse(found.error());
    }
    Answer answer{values_of(*found), verdict(found->plan()),
                  say("{} on {} of {}", text(read.gemm, read.mesh), text(read.mesh), read.hardware.title)};
    answer.words = words_of(*found);
    answer.tables.push_back(NamedTable::of("plans", sharded_plan_table(found->plans, read.gemm, read.mesh)));
    if (found->run(found->shown) != nullptr) {
        Result<NamedRun> run = run_of(*found);
        if (!run) {
            return refuse(run.error());
        }
        answer.runs.push_back(*std::move(run));
    }
    for (std::size_t k = 0; k < found->verified.size(); ++k) {
        answer.checks.push_back(
            {say("{} is right.", plan_text(found->plans.plans[k], read)), found->verified[k].right});
    }
    return answer;
}

} // namespace meshslice
