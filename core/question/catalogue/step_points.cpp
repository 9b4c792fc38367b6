#include "core/question/catalogue/step_points.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/machine/edit.h"
#include "core/question/catalogue/questions.h"
#include "core/report/sweep/sweep_table.h"
#include "core/report/sweep/timed_points.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

Tree point_of_step(const TrainingStep& step) {
    const auto slices = [](const GemmResult& one) { return one.options.slices; };
    const auto [least, most] = std::ranges::minmax_element(step.gemms, {}, slices);
    return {{"time_s", in_seconds(step.time)},
            {"flop_utilization", step.utilization},
            {"compute_s", in_seconds(step.usage.compute)},
            {"exposed_s", in_seconds(step.usage.exposed)},
            {"exposed_share", in_seconds(step.usage.exposed) / in_seconds(step.time)},
            {"hidden_share", step.hidden_share()},
            {"memory_bytes", step.memory.bytes().value()},
            {"fits", step.fits()},
            {"least_slices", slices(*least)},
            {"most_slices", slices(*most)},
            {"flop", step.flop.value()},
            {"hbm_bytes", step.capacity.value()}};
}

bool varies(const Sweep& sweep, std::string_view key) {
    return std::ranges::find(sweep.fields, key, &Vary::key) != sweep.fields.end();
}

/// "32x8 of TPU v4, link bandwidth x 0.5": what all points have of it.
std::string machine_words(const Sweep& sweep, const Scenario& shared) {
    const std::string edited = text(edits(shared.hardware));
    std::vector<std::string> words;
    if (!varies(sweep, "mesh")) {
        words.push_back(fmt::format("{}", fmt::join(shared.mesh, "x")));
    }
    if (!varies(sweep, "hardware")) {
        words.push_back(shared.hardware.title);
    } else if (!edited.empty()) {
        words.push_back(say("machines with {}", edited));
    }
    return words.empty() ? std::string() : say(" on {}", fmt::join(words, said(" of ")));
}

/// The algorithm's title; empty where it varies.
std::string algorithm_words(const Sweep& sweep) {
    const std::string& id = sweep.scenario.plan.algorithm;
    const auto chosen = algorithm(id);
    return varies(sweep, "algorithm") ? std::string() : chosen ? std::string((*chosen)->title) : id;
}

std::string title_of_steps(const Sweep& sweep, const std::string& counts, Depth depth) {
    const Scenario& scenario = sweep.scenario;
    std::vector<std::string> what;
    if (const std::string algorithm = algorithm_words(sweep); !algorithm.empty()) {
        what.push_back(algorithm);
    }
    if (scenario.gemm) {
        const bool sizes = varies(sweep, "gemm.m") || varies(sweep, "gemm.n") || varies(sweep, "gemm.k");
        what.push_back(sizes ? said("one GEMM") : text(scenario.gemm->shape));
    } else {
        what.push_back(varies(sweep, "model") ? said("one block")
                                              : say("one block of {}", scenario.model.title));
    }
    const std::string machine = machine_words(sweep, shared_by_points(sweep));
    return depth == Depth::estimate
               ? say("{}{}, by estimate: {}", fmt::join(what, said(", ")), machine, counts)
               : say("{}{}, by simulation: {}", fmt::join(what, said(", ")), machine, counts);
}

/// "S = 8"; "S = 4 to 8"; what a column of slice counts shows.
Table::Cell slices_cell(const SweepPoint& point) {
    const auto slices = [&](const char* path) {
        return static_cast<std::int64_t>(point.number(path).value_or(0));
    };
    const std::int64_t least = slices("least_slices"), most = slices("most_slices");
    return least == most ? fmt::format("{}", least) : say("{} to {}", least, most);
}

PointColumn column_of_numbers(std::string name, const char* path) {
    return {std::move(name), [path](const SweepPoint& point) { return point.number(path).value_or(0); }};
}

/// Numbers in words, where the columns next to it are words too.
PointColumn words_column(std::string name, const char* path, std::string (*words)(double)) {
    return {std::move(name),
            [path, words](const SweepPoint& point) { return words(point.number(path).value_or(0)); }};
}

} // namespace

std::shared_ptr<const SweptQuestion> step_points(Depth depth) {
    const bool estimated = depth == Depth::estimate;
    SweptQuestion all = timed_points(estimated ? ", by estimate" : "");
    all.numbers = [depth](const Asked& asked, const RunControl& control) {
        const Scenario& scenario = *asked.scenario;
        const std::string& id = scenario.plan.algorithm;
        return (depth == Depth::estimate ? estimated_step(scenario, id, {}, control.stop)
                                         : training_step(scenario, id, depth, {control.stop, nullptr}))
            .map(point_of_step);
    };
    all.together = estimated; // Simulations take all cores, and much of the memory, each.
    all.columns = {"time_s", "flop_utilization", "compute_s",  "exposed_s", "hidden_share", "memory_bytes",
                   "fits",   "least_slices",     "most_slices"};
    all.text.insert(all.text.end() - 1, {words_column("exposed", "exposed_s", seconds_text),
                                         words_column("hidden", "hidden_share", percent_text)});
    all.text.push_back({"S", slices_cell});
    // An estimate hides as much as it can; a simulation says what was hidden.
    all.table.insert(
        all.table.end(),
        {column_of_numbers("exposed_s", "exposed_s"),
         column_of_numbers(estimated ? "estimated hidden share" : "hidden share", "hidden_share"),
         column_of_numbers("compute_s", "compute_s"),
         {"S", slices_cell}});
    all.title = [depth](const Sweep& sweep, const std::string& counts) {
        return title_of_steps(sweep, counts, depth);
    };
    all.cause = {"exposed_share", said("the share of the time in which cores wait"), ChartUnit::share};
    all.line = algorithm_words;
    all.reading = estimated ? "estimated" : "simulated";
    if (estimated) {
        all.objection = [](const FieldRow& row) {
            return (row.tags & of_what_if) == 0U
                       ? std::string()
                       : say("The {} has no effect on an estimate, which assumes a machine without "
                             "faults; it needs a simulation.",
                             row.name);
        };
    }
    return std::make_shared<const SweptQuestion>(std::move(all));
}

Sweep sweep_of_steps(const Scenario& scenario, std::vector<Vary> fields, Depth depth) {
    static const auto estimate = std::make_shared<const Question>(estimate_question());
    static const auto simulate = std::make_shared<const Question>(simulate_question());
    return {depth == Depth::estimate ? estimate : simulate, std::move(fields), scenario};
}

} // namespace meshslice
