// The command line: parses, asks the engine, prints. Exit codes: 0 done, 1 a check failed, 2 the input was
// wrong.

#include "app/calibrate_command.h"
#include "app/output_file.h"
#include "app/parse_refusal.h"
#include "app/presets_command.h"
#include "app/progress_line.h"
#include "app/reproduce_command.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "app/tune_command.h"
#include "app/verify_command.h"
#include "core/base/text.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"
#include "core/report/chrome_trace.h"
#include "core/report/csv.h"
#include "core/report/step_json.h"
#include "core/step/breakdown.h"
#include "core/step/planned_recording.h"
#include "core/step/roofline.h"
#include "core/step/training_step.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>
#include <system_error>

namespace meshslice {
namespace {

constexpr int done = 0;
constexpr int check_failed = 1;
constexpr int wrong_input = 2;

int complain(const Error& error) {
    std::cerr << "meshslice: " << plain_spaces(error.sentence) << '\n';
    return wrong_input;
}

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

/// `why`: of a simulated step, or the sentence that says why it was not looked into; none for one that was
/// only estimated.
void print_step(const TrainingStep& step, const Scenario& scenario,
                const std::optional<Result<StepWhy>>& why) {
    const bool simulated = why.has_value();
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"layer", "pass", "dataflow", "M x N x K", "S"});
    // What was chosen besides, where there was a choice.
    const bool streams = std::ranges::any_of(step.gemms, [](const auto& one) { return one.packets > 0; });
    const bool decomposes =
        std::ranges::any_of(step.gemms, [](const auto& one) { return one.decomposed.has_value(); });
    if (streams) {
        rows.back().push_back("packets");
    }
    if (decomposes) {
        rows.back().push_back("decomposed");
    }
    if (simulated) {
        rows.back().push_back("time");
    }
    const bool copies = tiled(scenario.schedule, scenario.hardware);
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
                                         std::to_string(result.slices)};
        if (streams) {
            head.push_back(std::to_string(result.packets));
        }
        if (decomposes) {
            head.emplace_back(result.decomposed ? name(*result.decomposed) : "");
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
        head.front() = "whole step";
        add(std::move(head), step.time, step.estimated, step.usage);
    }
    const auto reason = [&] {
        const std::string& sentence = *why ? (**why).sentence : why->error().sentence;
        return fmt::format("Why: {}\n", plain_spaces(sentence));
    };
    fmt::print("{}\n{}\n{}\n", plain_spaces(headline(step)), why ? reason() : "", text_table(rows, 4));
    if (simulated) {
        fmt::print("FLOP utilisation: {:.1f}% simulated, {:.1f}% by estimate\n", 100 * step.utilisation,
                   100 * step.estimated_utilisation);
    } else {
        fmt::print("FLOP utilisation: {:.1f}% by estimate\n", 100 * step.estimated_utilisation);
    }
    fmt::print("{}\n{}\n{}\n",
               "launch, sync and transfer are the average chip's communication (by estimate the busiest "
               "ring's), hidden or not;",
               "exposed is what its core waits for, other chips' delays included; hidden is the share of the "
               "time in which links are busy,",
               "both axes added, while the core multiplies.");
    const auto chosen = algorithm(step.algorithm);
    const bool unrolls = chosen && (*chosen)->unrolls && scenario.slices;
    if (unrolls &&
        std::ranges::any_of(step.gemms, [&](const auto& one) { return one.slices < *scenario.slices; })) {
        fmt::print("S = {} was asked for; a loop is unrolled to the largest count up to it that works.\n",
                   *scenario.slices);
    }
    if (const std::string note = memory_note(step, scenario); !note.empty()) {
        fmt::print("{}\n", note);
    }
}

/// Who waits for a simulation hears what it will take before it begins, and how far it is.
Result<TrainingStep> read_step(const Scenario& scenario, Depth depth) {
    if (depth == Depth::estimate) {
        return training_step(scenario, scenario.algorithm, depth);
    }
    const auto planned = planned_recording(scenario, scenario.algorithm);
    if (planned && !planned->fits()) {
        return refuse(too_large(*planned, scenario, scenario.algorithm));
    }
    if (planned && planned->bytes() > much_memory) {
        fmt::print(stderr, "meshslice: the simulation records {}.\n", plain_spaces(text(*planned)));
    }
    ProgressLine progress("Simulating");
    return training_step(scenario, scenario.algorithm, depth, {{}, progress.share()});
}

int run_step(const ScenarioOptions& options, Depth depth, bool json, const std::string& trace,
             const std::string& intervals) {
    const Result<Scenario> scenario = options.read();
    if (!scenario) {
        return complain(scenario.error());
    }
    if (const auto kept = keeps_what_is_read(options.files(), {trace, intervals}); !kept) {
        return complain(kept.error());
    }
    const Result<TrainingStep> step = read_step(*scenario, depth);
    if (!step) {
        return complain(step.error());
    }
    if (!trace.empty() || !intervals.empty()) {
        if (const auto small = exportable(*step); !small) {
            return complain(small.error());
        }
    }
    if (!trace.empty()) {
        const auto written = write_file(trace, [&](std::ostream& out) { write_chrome_trace(*step, out); });
        if (!written) {
            return complain(written.error());
        }
    }
    if (!intervals.empty()) {
        const auto written =
            write_file(intervals, [&](std::ostream& out) { write_timeline_csv(*step, out); });
        if (!written) {
            return complain(written.error());
        }
    }
    std::optional<Result<StepWhy>> explained;
    if (depth == Depth::simulate) {
        explained = why(*step, *scenario);
    }
    if (json) {
        std::cout << step_json(*step, explained && *explained ? &**explained : nullptr);
    } else {
        print_step(*step, *scenario, explained);
        if (depth == Depth::estimate && !scenario->faults.none()) {
            fmt::print("\n{}\n", estimates_are_of_a_healthy_machine);
        }
    }
    return done;
}

int run(int argc, char** argv) {
    CLI::App app(
        "Distributed matrix multiplication on a torus of accelerators, core by core and link by link.",
        "meshslice");
    app.require_subcommand(1);
    app.set_version_flag("--version", MESHSLICE_VERSION);

    PresetsCommand presets_command;
    CLI::App* presets = presets_command.declare(app);

    ScenarioOptions step_options;
    bool json = false;
    std::string trace;
    std::string intervals;
    CLI::App* simulate =
        app.add_subcommand("simulate", "Simulates a training step, every core and every link");
    CLI::App* estimate = app.add_subcommand("estimate", "Estimates a training step by the closed form");
    for (CLI::App* command : {simulate, estimate}) {
        step_options.declare(*command);
        command->add_flag("--json", json, "Prints JSON for programs");
    }
    simulate->add_option("--trace", trace, "FILE: writes the timeline as Chrome trace JSON")->type_name("");
    simulate->add_option("--intervals", intervals, "FILE: writes every busy interval as CSV")->type_name("");

    VerifyCommand verify_command;
    CLI::App* verify = verify_command.declare(app);

    ReproduceCommand reproduce_command;
    CLI::App* reproduce = reproduce_command.declare(app);

    CalibrateCommand calibrate_command;
    CLI::App* calibrate = calibrate_command.declare(app);

    TuneCommand tune_command;
    CLI::App* tune = tune_command.declare(app);

    for (CLI::App* command : {presets, simulate, estimate, verify, reproduce, calibrate, tune}) {
        refuse_empty_values(*command);
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            return app.exit(problem); // --help and --version
        }
        return complain(parse_refusal(app, problem));
    }
    if (presets->parsed()) {
        const Result<void> listed = presets_command.run();
        return listed ? done : complain(listed.error());
    }
    if (verify->parsed()) {
        const Result<bool> correct = verify_command.run();
        return !correct ? complain(correct.error()) : *correct ? done : check_failed;
    }
    if (reproduce->parsed()) {
        const Result<void> ran = reproduce_command.run();
        return ran ? done : complain(ran.error());
    }
    if (calibrate->parsed()) {
        const Result<void> ran = calibrate_command.run();
        return ran ? done : complain(ran.error());
    }
    if (tune->parsed()) {
        const Result<void> tuned = tune_command.run();
        return tuned ? done : complain(tuned.error());
    }
    return run_step(step_options, simulate->parsed() ? Depth::simulate : Depth::estimate, json, trace,
                    intervals);
}

} // namespace
} // namespace meshslice

int main(int argc, char** argv) {
    const meshslice::Error unwritable{"The standard output cannot be written to; its disk may be full."};
    try {
        const int code = meshslice::run(argc, argv);
        std::cout.flush();
        if (std::fflush(stdout) != 0 || !std::cout) {
            return meshslice::complain(unwritable);
        }
        return code;
    } catch (const std::system_error&) { // fmt's, where its buffer did not hold the whole output
        return meshslice::complain(unwritable);
    } catch (const std::exception& problem) {
        std::cerr << "meshslice: this is a mistake of the program, not of yours: " << problem.what() << '\n';
        return 70; // EX_SOFTWARE
    }
}
