// One block of a model in a training step, or one GEMM: simulated core by core and link by link, or estimated
// by the closed form.

#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/base/text/text_table.h"
#include "core/cost/schedule.h"
#include "core/cost/traffic/program_traffic.h"
#include "core/explain/recorded_run.h"
#include "core/explain/slicing_cost.h"
#include "core/explain/why.h"
#include "core/gemm/algorithms.h"
#include "core/machine/ring_stores.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "core/report/chart/step_charts.h"
#include "core/report/document/summarized.h"
#include "core/report/json/step_json.h"
#include "core/report/trace/chrome_trace.h"
#include "core/report/traced_step.h"
#include "core/report/words/block_words.h"
#include "core/report/words/comparison_words.h"
#include "core/report/words/headline.h"
#include "core/report/words/machine_words.h"
#include "core/report/words/why_words.h"
#include "core/simulate/path/critical_path.h"
#include "core/step/breakdown.h"
#include "core/step/roofline.h"
#include "core/step/run/planned_recording.h"
#include "core/step/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

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
        words += fmt::format("FLOP utilization: {:.1f}% simulated, {:.1f}% by estimate\n",
                             100 * step.utilization, 100 * step.estimated_utilization);
    } else {
        words += fmt::format("FLOP utilization: {:.1f}% by estimate\n", 100 * step.estimated_utilization);
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

/// Says what the simulations of these algorithms will take together before the first begins. A critical path
/// is looked for in the first, and where there are faults in all.
Result<void> foretell(const Asked& asked, const std::vector<Scenario>& scenarios) {
    Recording all;
    std::int64_t explained = 0;
    for (std::size_t k = 0; k < scenarios.size(); ++k) {
        const Scenario& scenario = scenarios[k];
        const auto planned = planned_recording(scenario, scenario.plan.algorithm);
        if (planned && !planned->fits()) {
            return refuse(too_large(*planned, scenario, scenario.plan.algorithm));
        }
        if (planned) { // The run says why not.
            all.intervals += planned->intervals;
            all.cuts += planned->cuts;
            all.largest = std::max(all.largest, planned->largest);
            explained = std::max(explained, k == 0 || !scenario.assume.faults.none() ? planned->largest
                                                                                     : std::int64_t(0));
        }
    }
    if (all.bytes() <= much_memory || !asked.said.tell) {
        return {};
    }
    std::string path;
    // Where GEMMs are made in stages there is none.
    const Scenario& first = scenarios.front();
    const bool looked_for = explained > 0 && !staged(first.assume.schedule, first.hardware);
    if (looked_for && explained > static_cast<std::int64_t>(most_explained_intervals)) {
        path = "; its critical path is not looked for";
    } else if (looked_for) {
        path = fmt::format("; to find its critical path takes about {} more for a while",
                           text(critical_path_memory(explained)));
    }
    asked.said.tell(fmt::format(
        "the {} {}.", scenarios.size() == 1 ? "simulation records" : "simulations record", text(all) + path));
    return {};
}

/// What was asked, and what came of it; the steps stay where they are.
struct AskedStep {
    Depth depth = Depth::estimate;
    std::vector<Scenario> scenarios;      ///< of the steps
    std::vector<TrainingStep> steps = {}; ///< the scenario's, and that of a second algorithm
    std::optional<Result<StepWhy>> why = {};

    [[nodiscard]] const Scenario& scenario() const { return scenarios.front(); }
    [[nodiscard]] const TrainingStep& step() const { return steps.front(); }
    [[nodiscard]] const TrainingStep* other() const { return steps.size() > 1 ? &steps.back() : nullptr; }
    /// Null where it is not known.
    [[nodiscard]] const StepWhy* reasons() const { return why && *why ? &**why : nullptr; }
};
using StepPtr = std::shared_ptr<AskedStep>;

/// "mesh=16x16" of "16x16"; empty of an algorithm's name.
std::string other_value(const Asked& asked) {
    const std::string words = asked.text("compare");
    const bool digits = words.find_first_not_of("0123456789x") == std::string::npos;
    return words.find('=') != std::string::npos             ? words
           : digits && words.find('x') != std::string::npos ? "mesh=" + words
                                                            : std::string();
}

/// The scenario, and the one that it is compared with: another algorithm, or another value of a field.
Result<std::vector<Scenario>> scenarios_of_step(const Asked& asked) {
    std::vector<Scenario> all = {*asked.scenario};
    if (!asked.has("compare")) {
        return all;
    }
    const std::string other = other_value(asked);
    if (other.empty()) {
        all.push_back(all.front());
        all.back().plan.algorithm = asked.text("compare");
        return all;
    }
    const Result<Vary> vary = parse_vary(estimate_question(), all.front(), other, read_text_file);
    if (!vary) {
        return refuse(fmt::format("{}: {}", asked.called("compare"), vary.error().sentence));
    }
    if (vary->values.size() != 1) {
        return refuse(fmt::format("{} has {} values; expected one, such as mesh=16x16.",
                                  asked.called("compare"), vary->values.size()));
    }
    return scenario_at(sweep_of_steps(all.front(), {*vary}), 0).map([&](Scenario scenario) {
        all.push_back(std::move(scenario));
        return all;
    });
}

/// Whether what adds up a collective's sums changes what any chip's memory moves. True where nothing runs:
/// then the run says why.
bool reduction_has_effect(const Asked& asked) {
    const Schedule& schedule = asked.scenario->assume.schedule;
    Schedule other = schedule;
    other.reduction = Reduction::by_units;
    for (const Scenario& one : scenarios_of_step(asked).value_or(std::vector<Scenario>())) {
        const Result<TrainingStep> step = training_step(one, one.plan.algorithm, Depth::estimate);
        if (!step || std::ranges::any_of(step->gemms, [&](const GemmResult& result) {
                return dram_traffic(*result.program, schedule) != dram_traffic(*result.program, other);
            })) {
            return true;
        }
    }
    return false;
}

Result<StepPtr> read_step(const Asked& asked, Depth depth, const RunControl& control) {
    const Scenario& scenario = *asked.scenario;
    if (asked.said.has("--reduction") && scenario.assume.schedule.reduction == Reduction::near_memory &&
        !reduction_has_effect(asked)) {
        return refuse(
            fmt::format("--reduction has no effect. {} with this dataflow adds nothing up round the "
                        "ring; tp-ar does.",
                        scenario.plan.algorithm));
    }
    Result<std::vector<Scenario>> scenarios = scenarios_of_step(asked);
    if (!scenarios) {
        return refuse(scenarios.error());
    }
    if (const Result<void> fits = depth == Depth::simulate ? foretell(asked, *scenarios) : Result<void>();
        !fits) {
        return refuse(fits.error());
    }
    const auto read = std::make_shared<AskedStep>(AskedStep{depth, *std::move(scenarios)});
    for (const Scenario& one : read->scenarios) {
        Result<TrainingStep> step = training_step(one, one.plan.algorithm, depth, control);
        if (!step) {
            return refuse(step.error());
        }
        read->steps.push_back(*std::move(step));
    }
    if (depth == Depth::simulate) {
        read->why = why(read->step(), scenario, control.stop);
    }
    if (read->other() != nullptr && !other_value(asked).empty()) { // Both may have one algorithm.
        read->steps.back().variant = other_value(asked);
    }
    return read;
}

/// The words of the second algorithm, next to the first.
std::string compared_words(const AskedStep& read) {
    const TrainingStep& other = *read.other();
    std::string bound;
    if (read.depth == Depth::simulate && !other.faults.none()) {
        const Result<StepWhy> reasons = why(other, read.scenarios.back());
        bound = reasons ? bound_by(other, *reasons) : std::string();
    }
    const TrainingStep& slower = read.step().time > other.time ? read.step() : other;
    return fmt::format(
        "\nCompared with {}.\n{}.\n", headline(other, SaidEdits::here, bound),
        comparison_words(read.step(), other,
                         slicing_cost(slower, &slower == &other ? read.scenarios.back() : read.scenario())));
}

/// The chips of a trace: where none are named, one of each class, as hundreds of alike ones are a file
/// that nothing opens.
Result<TraceChips> chips_of_trace(const Asked& asked) {
    if (!asked.has("trace_chips")) {
        return TraceChips{TraceChips::Which::alike};
    }
    if (!asked.said.has("--trace")) {
        return refuse("--trace-chips says which chips --trace writes; give both.");
    }
    const Result<TraceChips> chips = parse_trace_chips(asked.text("trace_chips"));
    return chips ? chips : refuse("--trace-chips: " + chips.error().sentence);
}

/// The cores and links of these chips.
Result<std::vector<NamedRun>> runs_of(const StepPtr& read, const TraceChips& chips) {
    std::vector<const Scenario*> scenarios;
    for (const Scenario& one : read->scenarios) {
        scenarios.push_back(&one);
    }
    const auto traced = traced_runs(read->steps, scenarios, chips);
    if (!traced) {
        return refuse(traced.error());
    }
    const std::vector<RunPtr> trace = trace_of(*traced);
    if (const Result<void> small = exportable(trace); !small) {
        return refuse(small.error());
    }
    const Bytes size = about_trace_size(*traced).text; // of all
    std::vector<NamedRun> runs;
    for (std::size_t k = 0; k < trace.size(); ++k) {
        runs.push_back({read->steps[k].algorithm, keeping(trace[k], read), k == 0 ? size.value() : 0});
    }
    return runs;
}

std::shared_ptr<const Summarized> summarized_step(const StepPtr& read) {
    const auto summary = [read] { return step_summary(read->step(), read->scenario(), read->reasons()); };
    const auto detail = std::make_shared<Summarized>();
    detail->summary = summary;
    detail->trust = [read, summary] { return trust_sentences(summary(), read->scenario(), nullptr); };
    detail->findings = [read](std::size_t most, const RunControl& control) {
        return findings_of_step(read->scenario(), read->step(), most, control);
    };
    detail->sensitivity = [read](const RunControl& control) {
        return sensitivity_of_step(read->scenario(), read->step(), control);
    };
    return detail;
}

Result<Answer> answer_step(const Asked& asked, Depth depth, const RunControl& control) {
    const Result<TraceChips> chips = chips_of_trace(asked);
    const Result<StepPtr> found =
        chips ? read_step(asked, depth, control) : Result<StepPtr>(refuse(chips.error()));
    if (!found) {
        return refuse(found.error());
    }
    const StepPtr& read = *found;
    const TrainingStep& step = read->step();
    const std::string bound = read->reasons() != nullptr ? bound_by(step, *read->reasons()) : std::string();
    Answer answer{step_values(step, read->reasons(), read->other()), headline(step, SaidEdits::here, bound),
                  title(step)};
    std::string words = step_text(step, read->scenario(), read->why);
    if (read->other() != nullptr) {
        words += compared_words(*read);
    }
    if (depth == Depth::estimate && !read->scenario().assume.faults.none()) {
        words += fmt::format("\n{}\n", estimates_are_of_a_healthy_machine);
    }
    answer.notes = taken_sequence(asked);
    for (const std::string& taken : answer.notes) {
        words += taken + "\n";
    }
    if (const std::string kind = block_kind_words(read->scenario().model);
        !kind.empty() && !read->scenario().gemm) {
        words += fmt::format("{}\n", kind);
    }
    answer.words = {{std::move(words)}};
    answer.tables.push_back(NamedTable::of("gemms", gemm_table(step)));
    answer.charts.push_back({"breakdown", breakdown_chart(read->steps, answer.headline)});
    answer.fits = [read] { return read->step().fits(); };
    answer.detail = summarized_step(read);
    if (asked.said.has("--trace")) {
        Result<std::vector<NamedRun>> runs = runs_of(read, *chips);
        if (!runs) {
            return refuse(runs.error());
        }
        answer.runs = *std::move(runs);
    }
    answer.texts.push_back(
        {"intervals",
         [read](std::ostream& out) {
             return exportable(trace_of(read->step())).map([&] { write_timeline_csv(read->step(), out); });
         },
         asked.said.has("--intervals") ? about_timeline_csv_size(read->step()).value() : 0});
    return answer;
}

Question step_question(std::string id, std::string summary, Depth depth) {
    Question question{std::move(id),
                      depth == Depth::simulate ? "Simulation" : "Estimate",
                      "",
                      std::move(summary),
                      {.machine = true, .work = true, .plan = true, .assumptions = true}};
    question.numbers = [depth](const Asked& asked, const RunControl& control) {
        return read_step(asked, depth, control).map([](const StepPtr& read) {
            return step_values(read->step(), read->reasons(), read->other());
        });
    };
    question.answer = [depth](const Asked& asked, const RunControl& control) {
        return answer_step(asked, depth, control);
    };
    question.swept = step_points(depth);
    question.files = {
        {AnswerFile::Of::chart, "breakdown", "--svg", "FILE.svg: draws where the time of each GEMM goes"}};
    question.says_fit = true;
    return question;
}

} // namespace

Question simulate_question() {
    Question question =
        step_question("simulate", "Simulates one block of a model, or one GEMM: every core and every link",
                      Depth::simulate);
    question.fields = {
        text_flag("--compare",
                  "NAME|RxC|FLAG=VALUE: a second algorithm, mesh, or value of another flag; --trace "
                  "writes its timeline after the first one's"),
        text_flag("--trace-chips",
                  fmt::format("CHIPS of the trace: {} (default alike)", trace_chips_help()))};
    question.scenario.others = [](const Asked& asked) {
        const bool algorithm = asked.has("compare") && other_value(asked).empty();
        return OtherAlgorithms{algorithm ? std::vector{asked.text("compare")} : std::vector<std::string>()};
    };
    question.examples = {"--model llama-3-8b --machine tpu-v5e --mesh 4x4 --batch 4",
                         "--gemm 8192x8192x8192 --mesh 4x4 --compare wang",
                         "--gemm 8192x8192x8192 --mesh 4x4 --fault \"3,1 east 50%\" --trace trace.json"};
    question.files.push_back(
        {AnswerFile::Of::runs, {}, "--trace", "FILE: writes the timeline as Chrome trace JSON"});
    question.files.push_back(
        {AnswerFile::Of::text, "intervals", "--intervals",
         "FILE: writes every busy interval as CSV; of a memory that GEMMs share with a ring also its share"});
    return question;
}

Question estimate_question() {
    Question question = step_question(
        "estimate", "Estimates one block of a model, or one GEMM, by the closed form", Depth::estimate);
    question.examples = {"--model llama-3-70b --machine tpu-v5p --mesh 16x4 --batch 16",
                         "--gemm 8192x8192x8192 --mesh 4x4 --algorithm wang",
                         "--model llama-3-8b --machine tpu-v5e --mesh 4x4 --batch 2 --require-fit"};
    return question;
}

} // namespace meshslice
