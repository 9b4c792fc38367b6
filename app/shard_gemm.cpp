#include "app/shard_gemm.h"

#include "app/output_file.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/cost/sharded_plans.h"
#include "core/execute/sharded_run.h"
#include "core/report/trace/chrome_trace.h"
#include "core/report/traced_step.h"
#include "core/step/sharded_step.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace meshslice {
namespace {

constexpr std::size_t plans_listed = 8; ///< unless all are asked for

/// A plan that ran on real arrays: how far off its worst element is, and whether every device had its block.
struct Verified {
    double largest_error = 0;
    bool right = true;
};

struct Found {
    const ShardGemmRequest& request;
    const Machine& hardware;
    ShardedPlans plans;
    std::vector<Verified> verified;             ///< of each plan; none where that was not asked
    std::vector<Result<ShardedStep>> simulated; ///< of the first plans; none where that was not asked

    [[nodiscard]] std::size_t listed() const {
        return request.all ? plans.plans.size() : std::min(plans.plans.size(), plans_listed);
    }
    /// The one that is shown step by step.
    [[nodiscard]] const CostedPlan& shown() const { return plans.plans[request.plan - 1]; }
    /// Null where it was not simulated.
    [[nodiscard]] const ShardedStep* run(std::size_t plan) const {
        return plan < simulated.size() && simulated[plan] ? &*simulated[plan] : nullptr;
    }
};

std::string plan_text(const CostedPlan& plan, const ShardGemmRequest& request) {
    return text(plan.plan, request.gemm, request.mesh);
}

std::string held_text(const CostedPlan& plan, double capacity) {
    return plan.held > capacity && capacity > 0 ? bytes_text(plan.held) + ", does not fit"
                                                : bytes_text(plan.held);
}

std::vector<std::vector<std::string>> plan_rows(const Found& found) {
    std::vector<std::vector<std::string>> rows = {
        {"plan", "time", "compute", "HBM", "exchange", "bound by", "FLOP", "received", "held", "steps"}};
    if (found.request.simulate) {
        rows.front().insert(rows.front().begin() + 2, "simulated");
    }
    for (std::size_t k = 0; k < found.listed(); ++k) {
        const CostedPlan& plan = found.plans.plans[k];
        rows.push_back({std::to_string(k + 1), seconds_text(plan.least_s()), seconds_text(plan.compute_s),
                        seconds_text(plan.memory_s), seconds_text(plan.exchange_s),
                        std::string(name(plan.bound)), si_text(plan.flop, "FLOP"), bytes_text(plan.received),
                        held_text(plan, found.plans.capacity), plan_text(plan, found.request)});
        if (found.request.simulate) {
            const ShardedStep* const run = found.run(k);
            rows.back().insert(rows.back().begin() + 2, run != nullptr ? seconds_text(run->seconds()) : "-");
        }
    }
    return rows;
}

std::vector<std::vector<std::string>> step_rows(const Found& found, const CostedPlan& plan) {
    std::vector<std::vector<std::string>> rows = {
        {"step", "", "makes", "time", "received", "held after", "formula"}};
    for (std::size_t k = 0; k < plan.steps.size(); ++k) {
        const ShardingStep& step = plan.plan.steps[k];
        const StepCost& cost = plan.steps[k];
        const bool multiplies = step.multiplies();
        rows.push_back(
            {std::to_string(k + 1), text(step, found.request.mesh), text(step.after, found.request.mesh),
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
    return rows;
}

/// What the plan takes in the simulation, and the program that was simulated; why there is none.
std::string simulated_words(const Found& found) {
    const std::size_t which = found.request.plan - 1;
    const ShardedStep* const run = found.run(which);
    if (run == nullptr) {
        return fmt::format("Not simulated: {}\n", found.simulated[which].error().sentence);
    }
    const Estimate& estimate = run->gemm().estimate;
    return fmt::format("Simulated: {}, with launches and the synchronisation of every step; the closed form "
                       "of the program says {}\n\n{}",
                       seconds_text(run->seconds()), seconds_text(in_seconds(estimate.total)),
                       pseudocode(run->plan.program));
}

std::string words_of(const Found& found) {
    const ShardGemmRequest& request = found.request;
    const CostedPlan& shown = found.shown();
    std::string out =
        fmt::format("{} on {}, {} of {}\n{}\n{} ({})\n{} in all, {} with both gradients in training; {}\n\n",
                    text(request.gemm, request.mesh), text(request.mesh),
                    count_text(request.mesh.devices(), "chip", "chips"), found.hardware.title,
                    case_words(request.gemm, request.mesh), einsum(request.gemm), role_words(request.gemm),
                    si_text(found.plans.flop, "FLOP"), si_text(gemms_of_training * found.plans.flop, "FLOP"),
                    count_text(static_cast<std::int64_t>(found.plans.plans.size()), "plan", "plans"));
    out += text_table(plan_rows(found), 1, true);
    if (!request.all && found.plans.plans.size() > plans_listed) {
        out += fmt::format("... and {} more; --all lists them\n", found.plans.plans.size() - plans_listed);
    }
    out +=
        "time: the longest of compute, HBM and exchange; with nothing hidden, the exchange comes on top of "
        "the GEMM\n";
    out += fmt::format("\nPlan {}: {}\n{}Nothing hidden: {}\n", request.plan, plan_text(shown, request),
                       verdict(shown) + "\n", seconds_text(shown.most_s()));
    out += request.simulate ? simulated_words(found) : std::string();
    out += "\n" + text_table(step_rows(found, shown), 3, true);
    if (!found.verified.empty()) {
        const auto wrong =
            std::ranges::count_if(found.verified, [](const Verified& one) { return !one.right; });
        out += wrong == 0 ? fmt::format("\nOn real arrays, chip by chip: {} correct\n",
                                        count_text(static_cast<std::int64_t>(found.verified.size()),
                                                   "plan is", "plans are"))
                          : fmt::format("\nOn real arrays, chip by chip: {} of {} plans are WRONG\n", wrong,
                                        found.verified.size());
    }
    const std::string code = shard_map_text(shown.plan, request.gemm, request.mesh);
    out += code.empty() ? "\nJAX's shard_map takes and gives no partial sums, so there is no code to copy.\n"
                        : fmt::format("\nJAX, plan {}:\n\n{}", request.plan, code);
    return plain_spaces(std::move(out));
}

Tree json_of(const Found& found, std::size_t which) {
    const CostedPlan& plan = found.plans.plans[which];
    const NamedMesh& mesh = found.request.mesh;
    Tree out = {{"plan", plan_text(plan, found.request)},
                {"least_in_s", plan.least_s()},
                {"most_in_s", plan.most_s()},
                {"bound", name(plan.bound)},
                {"verdict", plain_spaces(verdict(plan))},
                {"margin", nullptr},
                {"flop_per_chip", plan.flop},
                {"flop_in_all", plan.flop * static_cast<double>(mesh.devices())},
                {"compute_in_s", plan.compute_s},
                {"hbm_bytes_per_chip", plan.memory_bytes},
                {"hbm_in_s", plan.memory_s},
                {"exchange_in_s", plan.exchange_s},
                {"received_bytes_per_chip", plan.received},
                {"held_bytes_per_chip", plan.held},
                {"fits", plan.held <= found.plans.capacity || found.plans.capacity <= 0}};
    if (std::isfinite(plan.margin)) {
        out["margin"] = plan.margin;
    }
    for (std::size_t k = 0; k < plan.steps.size(); ++k) {
        const ShardingStep& step = plan.plan.steps[k];
        const StepCost& cost = plan.steps[k];
        Tree one = {{"step", text(step, mesh)},
                    {"array", found.request.gemm.operand(step.which).name},
                    {"makes", text(step.after, mesh)},
                    {"words", words(step, mesh)},
                    {"received_bytes_per_chip", cost.received},
                    {"held_after_bytes_per_chip", cost.held_after}};
        if (cost.exchange) {
            one["bytes"] = cost.bytes;
            one["time_in_s"] = cost.exchange->seconds();
            one["hops"] = cost.exchange->hops;
            one["latency_in_s"] = cost.exchange->latency;
            one["bandwidth_in_s"] = cost.exchange->bandwidth;
            one["formula"] = plain_spaces(cost.exchange->formula());
        }
        out["steps"].push_back(std::move(one));
    }
    if (which < found.simulated.size()) {
        const ShardedStep* const run = found.run(which);
        out["simulated_in_s"] = nullptr;
        if (run != nullptr) {
            out["simulated_in_s"] = run->seconds();
            out["closed_form_in_s"] = in_seconds(run->gemm().estimate.total);
            out["busiest_link_bytes"] = run->gemm().count->busiest_link.value();
            out["program"] = pseudocode(run->plan.program);
        } else {
            out["not_simulated"] = plain_spaces(found.simulated[which].error().sentence);
        }
    }
    out["shard_map"] = shard_map_text(plan.plan, found.request.gemm, mesh);
    if (!found.verified.empty()) {
        out["correct"] = found.verified[which].right;
        out["largest_error"] = found.verified[which].largest_error;
    }
    return out;
}

std::string json_text(const Found& found) {
    const ShardGemmRequest& request = found.request;
    Tree out = {{"gemm", text(request.gemm, request.mesh)},
                {"mesh", text(request.mesh)},
                {"hardware", found.hardware.name},
                {"type", name(request.kind)},
                {"case", nullptr},
                {"case_in_words", case_words(request.gemm, request.mesh)},
                {"einsum", einsum(request.gemm)},
                {"letters", Tree::object()},
                {"flop", found.plans.flop},
                {"flop_of_training", gemms_of_training * found.plans.flop}};
    for (const GemmLetter& one : letters_of(request.gemm)) {
        out["letters"][std::string(1, one.letter)] = name(one.role);
    }
    if (const std::optional<int> number = case_of(request.gemm)) {
        out["case"] = *number;
    }
    for (std::size_t k = 0; k < found.plans.plans.size(); ++k) {
        out["plans"].push_back(json_of(found, k));
    }
    return json_file(out);
}

} // namespace

Result<Printed> shard_gemm_answer(const ShardGemmRequest& request, const Machine& hardware) {
    Result<ShardedPlans> plans =
        sharded_plans(request.gemm, request.mesh, request.sizes, request.kind, hardware);
    if (!plans) {
        return refuse(plans.error());
    }
    Found found{request, hardware, *std::move(plans), {}, {}};
    if (request.plan < 1 || request.plan > found.plans.plans.size()) {
        return refuse(
            fmt::format("--plan {}: there are {}, 1 to {}.", request.plan,
                        count_text(static_cast<std::int64_t>(found.plans.plans.size()), "plan", "plans"),
                        found.plans.plans.size()));
    }
    const std::size_t simulated = request.simulate ? std::max(found.listed(), request.plan) : 0;
    for (std::size_t k = 0; k < simulated; ++k) {
        found.simulated.push_back(sharded_step(found.plans.plans[k].plan, request.gemm, request.mesh,
                                               request.sizes, request.kind, hardware, Depth::simulate));
        if (!found.simulated.back() && k + 1 == request.plan && !request.trace.empty()) {
            return refuse("--trace: " + found.simulated.back().error().sentence);
        }
    }
    if (!request.trace.empty()) {
        const std::vector<const Scenario*> nobodys = {nullptr};
        const auto runs = traced_runs(std::span(&found.run(request.plan - 1)->step, 1), nobodys);
        if (!runs) {
            return refuse(runs.error());
        }
        const std::vector<RunPtr> trace = trace_of(*runs);
        const auto written = exportable(trace).and_then([&] {
            return write_file(request.trace, [&](std::ostream& out) { write_chrome_trace(trace, out); });
        });
        if (!written) {
            return refuse(written.error());
        }
    }
    bool right = true;
    for (std::size_t k = 0; request.verify && k < found.plans.plans.size(); ++k) {
        const Result<ShardedRun> run = run_sharded(found.plans.plans[k].plan, request.gemm, request.mesh,
                                                   small_sizes(request.gemm, request.mesh, 1), 1);
        if (!run) {
            return refuse("--verify: " + run.error().sentence);
        }
        found.verified.push_back(
            {run->largest_error, run->largest_error == 0 && run->devices == request.mesh.devices()});
        right = right && found.verified.back().right;
    }
    return Printed{request.json ? json_text(found) : words_of(found), right ? 0 : check_failed};
}

} // namespace meshslice
