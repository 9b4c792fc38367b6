// One step, simulated or estimated.

#include "app/command.h"
#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/cost/program_traffic.h"
#include "core/cost/schedule.h"
#include "core/explain/recorded_run.h"
#include "core/explain/slicing_cost.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"
#include "core/machine/ring_stores.h"
#include "core/report/csv.h"
#include "core/report/step_json.h"
#include "core/report/trace/chrome_trace.h"
#include "core/report/traced_step.h"
#include "core/report/words/block_words.h"
#include "core/report/words/comparison_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/why_words.h"
#include "core/simulate/path/critical_path.h"
#include "core/step/planned_recording.h"
#include "core/step/roofline.h"
#include "core/step/training_step.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr Bytes much_text = Bytes(10'000'000); ///< of a trace: its size is said before it is written

std::string shape_text(const Gemm& gemm) {
    return gemm.copies == 1 ? text(gemm.shape) : fmt::format("{} x {}", gemm.copies, text(gemm.shape));
}

/// `copies`: slices are copied, so there is one cell more.
std::vector<std::string> usage_cells(const Usage& usage, bool copies) {
    std::vector<std::string> cells = {text(usage.compute), text(usage.launch), text(usage.sync),
                                      text(usage.transfer)};
    if (copies) {
        cells.push_back(text(usage.copy));
    }
    cells.push_back(text(usage.exposed));
    return cells;
}

/// The whole model next to the one block above, and the memory of a chip.
std::string model_text(const TrainingStep& step) {
    std::string words;
    if (step.blocks > 0) {
        words += fmt::format("{}\n{}\n", all_blocks_words(step), left_out_words(step));
    }
    words += fmt::format("Memory of a chip: {}; {}.\n", memory_parts_text(step), fit_words(step));
    if (step.blocks > 0) {
        words += memory_scope_words(step) + "\n";
    }
    return plain_spaces(words);
}

/// `why`: of a simulated step, or the sentence that says why it was not looked into; none for one that was
/// only estimated.
std::string step_text(const TrainingStep& step, const Scenario& scenario,
                      const std::optional<Result<StepWhy>>& why) {
    const bool simulated = why.has_value();
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"layer", "pass", "dataflow", "M x N x K", "S"});
    // What else was chosen, where there was a choice.
    const bool streams =
        std::ranges::any_of(step.gemms, [](const auto& one) { return one.options.packets > 0; });
    const bool decomposes =
        std::ranges::any_of(step.gemms, [](const auto& one) { return one.options.decomposed.has_value(); });
    if (streams) {
        rows.back().push_back("packets");
    }
    if (decomposes) {
        rows.back().push_back("decomposed");
    }
    if (simulated) {
        rows.back().push_back("time");
    }
    const bool copies = tiled(scenario.assume.schedule, scenario.hardware);
    for (const char* column : {"estimate", "compute", "launch", "sync", "transfer"}) {
        rows.back().push_back(column);
    }
    if (copies) {
        rows.back().push_back("copy");
    }
    rows.back().push_back("exposed");
    if (!simulated) {
        for (const char* column : {"prologue", "steady", "epilogue"}) {
            rows.back().push_back(column);
        }
    }
    const auto add = [&](std::vector<std::string> head, Time time, Time estimated, const Usage& usage) {
        if (simulated) {
            head.push_back(text(time));
        }
        head.push_back(text(estimated));
        for (std::string& cell : usage_cells(usage, copies)) {
            head.push_back(std::move(cell));
        }
        rows.push_back(std::move(head));
    };
    for (const GemmResult& result : step.gemms) {
        std::vector<std::string> head = {result.gemm.layer, std::string(name(result.gemm.pass)),
                                         std::string(name(result.gemm.dataflow)), shape_text(result.gemm),
                                         std::to_string(result.options.slices)};
        if (streams) {
            head.push_back(std::to_string(result.options.packets));
        }
        if (decomposes) {
            head.emplace_back(result.options.decomposed ? name(*result.options.decomposed) : "");
        }
        add(std::move(head), result.time, result.estimated(), result.usage * result.gemm.copies);
        if (!simulated) {
            for (const Time part :
                 {result.estimate.prologue, result.estimate.steady, result.estimate.epilogue}) {
                rows.back().push_back(text(part * result.gemm.copies));
            }
        }
    }
    if (step.gemms.size() > 1) {
        std::vector<std::string> head(5u + (streams ? 1u : 0u) + (decomposes ? 1u : 0u));
        head.front() = "one block";
        add(std::move(head), step.time, step.estimated, step.usage);
    }
    const auto reason = [&] {
        const std::string sentence = *why ? why_sentence(step, **why) : why->error().sentence;
        return fmt::format("Why: {}\n", plain_spaces(sentence));
    };
    const std::string bound = why && *why ? bound_by(step, **why) : std::string();
    std::string words = fmt::format("{}\n{}\n{}\n", plain_spaces(headline(step, SaidEdits::here, bound)),
                                    why ? reason() : "", text_table(rows, 4));
    if (simulated) {
        words += fmt::format("FLOP utilisation: {:.1f}% simulated, {:.1f}% by estimate\n",
                             100 * step.utilisation, 100 * step.estimated_utilisation);
    } else {
        words += fmt::format("FLOP utilisation: {:.1f}% by estimate\n", 100 * step.estimated_utilisation);
    }
    words += model_text(step);
    words += fmt::format(
        "{}\n{}\n{}\n",
        "launch, sync and transfer are the average chip's communication (by estimate the busiest "
        "ring's), hidden or not;",
        "exposed is what its core waits for, other chips' delays included; hidden is the share of the "
        "time in which links are busy,",
        "both axes added, while the core multiplies.");
    const auto chosen = algorithm(step.algorithm);
    const bool unrolls = chosen && takes_at_most(**chosen, OptionId::slices) && scenario.plan.slices;
    if (unrolls && std::ranges::any_of(step.gemms, [&](const auto& one) {
            return one.options.slices < *scenario.plan.slices;
        })) {
        words += fmt::format(
            "S = {} was asked for; a loop is unrolled to the largest count up to it that works.\n",
            *scenario.plan.slices);
    }
    if (const std::string note = memory_note(step, scenario); !note.empty()) {
        words += fmt::format("{}\n", note);
    }
    for (const std::string& note : {edited_note(scenario.hardware), ring_note(scenario)}) {
        if (!note.empty()) {
            words += plain_spaces(note) + "\n";
        }
    }
    return words;
}

/// Who waits for a simulation hears what it will take before it begins, and how far it is. `explained`:
/// whether its critical path is looked for afterwards.
Result<TrainingStep> read_step(const Scenario& scenario, const std::string& id, Depth depth, bool explained) {
    if (depth == Depth::estimate) {
        return training_step(scenario, id, depth);
    }
    const auto planned = [&] {
        const ProgressLine preparing("Preparing");
        return planned_recording(scenario, id);
    }();
    if (planned && !planned->fits()) {
        const ProgressLine looking("Looking for what fits");
        return refuse(too_large(*planned, scenario, id));
    }
    if (planned && planned->bytes() > much_memory) {
        std::string path;
        // Where GEMMs are made in stages there is none.
        const bool looked_for = explained && !staged(scenario.assume.schedule, scenario.hardware);
        if (looked_for && planned->largest > static_cast<std::int64_t>(most_explained_intervals)) {
            path = "; its critical path is not looked for";
        } else if (looked_for) {
            path = fmt::format("; to find its critical path takes about {} more for a while",
                               text(critical_path_memory(planned->largest)));
        }
        fmt::print(stderr, "meshslice: the simulation records {}.\n", plain_spaces(text(*planned) + path));
    }
    ProgressLine progress("Simulating");
    return training_step(scenario, id, depth, {{}, progress.share()});
}

/// `meshslice simulate` and `meshslice estimate`.
class Step final : public Command {
  public:
    explicit Step(Depth depth) : depth_(depth) {}

    [[nodiscard]] std::string summary() const override {
        return depth_ == Depth::simulate
                   ? "Simulates one block of a model, or one GEMM: every core and every link"
                   : "Estimates one block of a model, or one GEMM, by the closed form";
    }

    void declare(CLI::App& flags) override {
        flags_.declare(flags);
        flags.add_flag("--json", json_, "Prints JSON for programs");
        if (depth_ == Depth::simulate) {
            flags
                .add_option("--compare", compare_,
                            "NAME: a second algorithm; --trace writes its timeline after the first one's")
                ->type_name("");
            auto* trace =
                flags.add_option("--trace", trace_, "FILE: writes the timeline as Chrome trace JSON")
                    ->type_name("");
            flags
                .add_option("--trace-chips", trace_chips_,
                            fmt::format("CHIPS of the trace: {}", trace_chips_help()))
                ->type_name("")
                ->needs(trace);
            flags
                .add_option("--intervals", intervals_,
                            "FILE: writes every busy interval as CSV; of a memory that GEMMs share with a "
                            "ring also its share")
                ->type_name("");
        }
    }

    [[nodiscard]] Result<Printed> run() const override {
        const Result<Scenario> scenario =
            flags_.read({compare_.empty() ? std::vector<std::string>() : std::vector{compare_}});
        if (!scenario) {
            return refuse(scenario.error());
        }
        const Result<TraceChips> chips =
            trace_chips_.empty() ? TraceChips() : parse_trace_chips(trace_chips_);
        if (!chips) {
            return refuse(Error{"--trace-chips: " + chips.error().sentence});
        }
        if (const auto kept = keeps_what_is_read(flags_.files(), {trace_, intervals_}); !kept) {
            return refuse(kept.error());
        }
        if (!flags_.given("--reduction").empty() &&
            scenario->assume.schedule.reduction == Reduction::near_memory &&
            !reduction_has_effect(*scenario)) {
            return refuse(
                fmt::format("--reduction has no effect. {} with this dataflow adds nothing up round "
                            "the ring; tp-ar does.",
                            scenario->plan.algorithm));
        }
        std::vector<TrainingStep> steps;
        for (const std::string& id : {scenario->plan.algorithm, compare_}) {
            if (id.empty()) {
                continue;
            }
            Result<TrainingStep> read = read_step(
                *scenario, id, depth_, steps.empty() || (!json_ && !scenario->assume.faults.none()));
            if (!read) {
                return refuse(read.error());
            }
            steps.push_back(*std::move(read));
        }
        const TrainingStep& step = steps.front();
        if (!trace_.empty()) {
            const std::vector<const Scenario*> scenarios(steps.size(), &*scenario);
            const auto runs = traced_runs(steps, scenarios, *chips);
            if (!runs) {
                return refuse(runs.error());
            }
            const std::vector<RunPtr> trace = trace_of(*runs);
            const auto small = exportable(trace);
            const auto written = small.and_then([&] {
                if (const Bytes size = about_trace_size(*runs).text; size > much_text) {
                    fmt::print(stderr, "meshslice: {} will have about {}.\n", trace_,
                               plain_spaces(text(size)));
                }
                return write_file(trace_, [&](std::ostream& out) { write_chrome_trace(trace, out); });
            });
            if (!written) {
                return refuse(written.error());
            }
        }
        if (!intervals_.empty()) {
            const auto small = exportable(trace_of(step));
            const auto written = small.and_then([&] {
                return write_file(intervals_, [&](std::ostream& out) { write_timeline_csv(step, out); });
            });
            if (!written) {
                return refuse(written.error());
            }
        }
        std::optional<Result<StepWhy>> explained;
        if (depth_ == Depth::simulate) {
            const ProgressLine explaining("Explaining");
            explained = why(step, *scenario);
        }
        const TrainingStep* other = steps.size() > 1 ? &steps.back() : nullptr;
        if (json_) {
            return Printed{step_json(step, explained && *explained ? &**explained : nullptr, other)};
        }
        std::string words = step_text(step, *scenario, explained);
        if (other != nullptr) {
            std::string bound;
            if (depth_ == Depth::simulate && !other->faults.none()) {
                const ProgressLine explaining("Explaining");
                const auto reasons = why(*other, *scenario);
                bound = reasons ? bound_by(*other, *reasons) : std::string();
            }
            words += plain_spaces(fmt::format(
                "\nCompared with {}.\n{}.\n", headline(*other, SaidEdits::here, bound),
                comparison_words(step, *other,
                                 slicing_cost(step.time > other->time ? step : *other, *scenario))));
        }
        if (depth_ == Depth::estimate && !scenario->assume.faults.none()) {
            words += fmt::format("\n{}\n", estimates_are_of_a_healthy_machine);
        }
        return Printed{std::move(words)};
    }

  private:
    /// Whether what adds up a collective's sums changes what any chip's memory moves. True where nothing
    /// runs: then the run says why.
    [[nodiscard]] bool reduction_has_effect(const Scenario& scenario) const {
        for (const std::string& id : {scenario.plan.algorithm, compare_}) {
            if (id.empty()) {
                continue;
            }
            const Result<TrainingStep> step = training_step(scenario, id, Depth::estimate);
            if (!step) {
                return true;
            }
            for (const GemmResult& result : step->gemms) {
                Schedule other = scenario.assume.schedule;
                other.reduction = Reduction::by_units;
                if (dram_traffic(*result.program, scenario.assume.schedule) !=
                    dram_traffic(*result.program, other)) {
                    return true;
                }
            }
        }
        return false;
    }

    Depth depth_;
    ScenarioOptions flags_;
    bool json_ = false;
    std::string compare_;           ///< id of a second algorithm; empty for none
    std::string trace_, intervals_; ///< files to write; empty for none
    std::string trace_chips_;       ///< empty for all
};

} // namespace

std::unique_ptr<Command> simulate_command() {
    return std::make_unique<Step>(Depth::simulate);
}

std::unique_ptr<Command> estimate_command() {
    return std::make_unique<Step>(Depth::estimate);
}

} // namespace meshslice
