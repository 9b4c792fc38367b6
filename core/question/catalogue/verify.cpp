// Whether a GEMM's program computes the right product: on real matrices, chip by chip and hop by hop.

#include "core/execute/verify.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/verify_experts.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "core/scenario/suggestions.h"
#include "core/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// So many of a small GEMM take some seconds; more are a loop of the shell's.
constexpr std::int64_t most_seeds = 10'000;

std::vector<QuestionField> verify_fields() {
    std::vector<QuestionField> fields;
    fields.push_back({.row = {.key = "numbers",
                              .name = said("Numbers"),
                              .help = said("What the matrices hold"),
                              .flag = "--numbers",
                              .flag_help = "integers|floats: what the matrices hold (default integers)",
                              .kind = FieldKind::choice,
                              .choices = {{"integers", {}}, {"floats", {}}}},
                      .first = "integers"});
    fields.push_back({.row = {.key = "seed",
                              .name = said("Seed"),
                              .help = said("Of the pseudo-random matrices"),
                              .flag = "--seed",
                              .flag_help = "N: of the pseudo-random matrices (default 1)",
                              .kind = FieldKind::whole},
                      .first = "1"});
    fields.push_back({.row = {.key = "seeds",
                              .name = said("Seeds"),
                              .help = said("How many seeds are run, one after the other"),
                              .flag = "--seeds",
                              .flag_help = "N: runs with so many seeds, one after the other (default 1)",
                              .kind = FieldKind::whole,
                              .least = 1,
                              .most = most_seeds},
                      .first = "1"});
    FieldRow plant{
        .key = "plant",
        .name = said("Planted fault"),
        .help = said("A fault in the trackers of a GEMM that feeds its ring, to see that it is found"),
        .flag = "--plant",
        .flag_help = "FAULT: plants a fault in the trackers of a GEMM that feeds its ring, to see that "
                     "it is found: ",
        .kind = FieldKind::choice};
    for (const TrackerFault fault : all_tracker_faults) {
        if (fault != TrackerFault::none) {
            plant.choices.push_back({std::string(name(fault)), {}});
        }
    }
    plant.flag_help += expectation(plant);
    fields.push_back({.row = std::move(plant)});
    for (QuestionField& field : expert_layer_fields()) {
        fields.push_back(std::move(field));
    }
    return fields;
}

/// What a command line asks without a scenario: a GEMM that a person could check.
ScenarioUse verify_scenario() {
    return {
        .begins = {{"--gemm", "64x64x64"},
                   {"--mesh", "4x2"},
                   {"--machine", "tpu-v4"}}, // three axes; no number of it is used
        .helps = {{"--mesh", "RxC: chips along the vertical and the horizontal axis (default 4x2)"},
                  {"--gemm", "MxNxK: the GEMM, [M, K] times [K, N] (default 64x64x64)"},
                  {"--dataflow", "OS|LS|RS: which matrix stays (default OS)"},
                  {"--slices", "auto|N: slice count S, or iterations to which SUMMA and Wang are unrolled "
                               "(default 1, or all of them)"}},
        .hidden = of_a_model | of_time, // they change no step, or are refused
        .refused = [](const FieldRow& row, const SaidFields& said) -> std::string {
            if ((row.tags & of_a_model) != 0 && !said.file && !said.has("--gemm")) {
                return fmt::format("{} describes a model's training step, and verify runs one GEMM on "
                                   "real matrices: name it with --gemm MxNxK instead.",
                                   row.flag);
            }
            return (row.tags & of_what_if) == 0
                       ? std::string()
                       : fmt::format("verify knows no time, so {} has no effect on it; simulate takes it.",
                                     row.flag);
        }};
}

/// Runs of one GEMM with several seeds.
struct SeededRuns {
    std::uint64_t first = 1;
    std::int64_t seeds = 1, correct = 0;
    /// Of the first that is wrong, else of the first; of tiles that are counted at a time the most of all.
    Verification shown;

    [[nodiscard]] bool all_correct() const { return correct == seeds; }
};

/// What was asked, and what came of it.
struct Verified {
    SeededRuns runs;
    Torus torus;
    std::string what;
    std::optional<ChunkOrder> order;
};

/// One run more.
void take(SeededRuns& runs, Verification one, bool first) {
    const bool shown = first || (runs.shown.correct && !one.correct);
    for (std::size_t which = 0; !first && which < one.fused.size(); ++which) {
        const std::int64_t most =
            std::max(one.fused[which].most_live_entries, runs.shown.fused[which].most_live_entries);
        one.fused[which].most_live_entries = runs.shown.fused[which].most_live_entries = most;
    }
    runs.correct += one.correct ? 1 : 0;
    if (shown) {
        runs.shown = std::move(one);
    }
}

/// The scenario that is run, whose axes are all rings where neither a file nor a flag names a machine.
Scenario run_scenario(const Asked& asked) {
    Scenario scenario = *asked.scenario;
    if (!asked.said.file && !asked.said.has("--machine")) {
        scenario.hardware.pod = {};
    }
    return scenario;
}

Result<GemmOptions> options_of(const Asked& asked, const Scenario& scenario, const Algorithm& algorithm,
                               const Torus& torus) {
    // By default nothing is cut, and of a loop that could be unrolled nothing is: every step is seen.
    const std::int64_t uncut = takes_at_most(algorithm, OptionId::slices) ? torus.chips() : 1;
    const bool open = !asked.said.file && !asked.said.has("--slices");
    const SingleGemm& gemm = *scenario.gemm;
    return best_options(algorithm, gemm.shape, gemm.dataflow, torus, gemm_options(scenario),
                        open ? std::optional(uncut) : scenario.plan.slices, scenario.hardware,
                        scenario.assume.schedule);
}

Result<Verified> verified(const Asked& asked, const RunControl& control) {
    const Scenario scenario = run_scenario(asked);
    if (!scenario.gemm) {
        return refuse(fmt::format("{} describes a whole training step; verify runs one GEMM: name it with "
                                  "--gemm MxNxK.",
                                  asked.said.origin));
    }
    const Result<const Algorithm*> chosen = algorithm(scenario.plan.algorithm);
    if (!chosen) {
        return refuse(chosen.error());
    }
    const Algorithm& run = **chosen;
    const Result<Torus> torus = torus_of(scenario, run);
    if (!torus) {
        return refuse(with_suggestions(torus.error(), scenario, scenario.plan.algorithm));
    }
    const SingleGemm& gemm = *scenario.gemm;
    const Result<GemmOptions> options = options_of(asked, scenario, run, *torus);
    if (!options) {
        return refuse(with_suggestions(options.error(), scenario, scenario.plan.algorithm));
    }
    const Result<Program> program = run.write(gemm.shape, gemm.dataflow, *torus, *options);
    if (!program) {
        return refuse(program.error());
    }
    const auto* const fault = std::ranges::find(all_tracker_faults, asked.text("plant"),
                                                [](TrackerFault one) { return std::string(name(one)); });
    const bool planted = asked.has("plant") && fault != all_tracker_faults.end();
    if (planted && program->fusions.empty()) {
        return refuse(fmt::format("{} has no effect: no GEMM of {} feeds its ring; that of t3 does.",
                                  asked.called("plant"), run.title));
    }
    SeededRuns runs{static_cast<std::uint64_t>(asked.number("seed")),
                    static_cast<std::int64_t>(asked.number("seeds")),
                    0,
                    {}};
    for (std::int64_t k = 0; k < runs.seeds; ++k) {
        Result<Verification> one =
            verify(*program, scenario.assume.schedule,
                   asked.text("numbers") == "floats" ? Numbers::floats : Numbers::integers,
                   runs.first + static_cast<std::uint64_t>(k), {control.stop},
                   planted ? *fault : TrackerFault::none);
        if (!one) {
            return refuse(one.error());
        }
        take(runs, *std::move(one), k == 0);
        if (control.progress != nullptr) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(runs.seeds));
        }
    }
    // The field table refuses an order where nothing has one; a file may keep it.
    const auto order = run.orders_chunks ? std::optional(scenario.plan.chunk_order) : std::nullopt;
    return Verified{std::move(runs), *torus,
                    fmt::format("{} {} {} on {}, S = {}, B = {}, {}{}", run.title, name(gemm.dataflow),
                                text(gemm.shape), shape_text(*torus), options->slices, scenario.plan.block,
                                asked.text("numbers"),
                                order == ChunkOrder::unstaggered ? ", unstaggered chunks" : ""),
                    order};
}

Tree values_of(const Verified& one) {
    const Verification& shown = one.runs.shown;
    Tree values{{"run", one.what},
                {"correct", shown.correct},
                {"bytes_as_counted", shown.as_counted},
                {"seeds", one.runs.seeds},
                {"correct_seeds", one.runs.correct},
                {"largest_error", shown.largest_error},
                {"tolerance", shown.tolerance}};
    if (one.order) {
        values["chunk_order"] = name(*one.order);
    }
    for (const FusedStores& stores : shown.fused) {
        values["tiles"].push_back({{"interleavings", all_interleavings.size()},
                                   {"tiles_of_a_chip", stores.tiles_of_a_chip},
                                   {"most_counted_at_a_time", stores.most_live_entries}});
    }
    for (const LinkTraffic& traffic : shown.links) {
        values["links"].push_back({{"chip", place_text(one.torus, traffic.link.chip)},
                                   {"link", link_text(traffic.link.axis, traffic.link.direction)},
                                   {"bytes", traffic.bytes.value()}});
    }
    return values;
}

/// The links grouped by how much they carried: on a torus nearly all carry the same.
Paragraph traffic_lines(const std::vector<LinkTraffic>& links) {
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> groups;
    for (const LinkTraffic& traffic : links) {
        ++groups[{link_text(traffic.link.axis, traffic.link.direction), traffic.bytes.value()}];
    }
    Paragraph lines{{}, {{"links", "count", "bytes each"}}, 1, false};
    for (const auto& [group, count] : groups) {
        lines.lines.push_back({group.first + "s", std::to_string(count), std::to_string(group.second)});
    }
    return lines;
}

/// Of GEMMs that feed their collective; else nothing.
std::string tiles_words(const Verification& verification) {
    std::string words;
    for (const FusedStores& stores : verification.fused) {
        words += fmt::format("tile by tile, in {} interleavings: {} tiles a chip, of which at most {} were "
                             "being counted at a time\n",
                             all_interleavings.size(), stores.tiles_of_a_chip, stores.most_live_entries);
    }
    if (!words.empty()) {
        words += verification.as_counted ? "links and DRAM: the bytes that are counted\n"
                                         : "links or DRAM: NOT the bytes that are counted\n";
    }
    return words;
}

Answer answer_of(const Verified& one) {
    const Verification& shown = one.runs.shown;
    const SeededRuns& runs = one.runs;
    Answer answer{values_of(one), say("{}: {} of {} correct", one.what, runs.correct, runs.seeds), one.what,
                  Confidence::exact};
    std::string first =
        fmt::format("{}\n{}: largest error {:g}, allowed {:g}\n", one.what,
                    shown.correct ? "correct" : "WRONG", shown.largest_error, shown.tolerance);
    if (runs.seeds > 1) {
        first +=
            fmt::format("seeds {} to {}: {} of {} correct\n", runs.first,
                        runs.first + static_cast<std::uint64_t>(runs.seeds - 1), runs.correct, runs.seeds);
    }
    answer.words = {{first + tiles_words(shown) + "\n"}, traffic_lines(shown.links)};
    answer.checks.push_back({said("The product is right."), runs.all_correct()});
    Table table{one.what, {"chip", "link", "bytes"}, {}};
    for (const LinkTraffic& traffic : shown.links) {
        table.rows.push_back({place_text(one.torus, traffic.link.chip),
                              link_text(traffic.link.axis, traffic.link.direction), traffic.bytes.value()});
    }
    answer.tables.push_back(NamedTable::of("links", std::move(table)));
    return answer;
}

} // namespace

Question verify_question() {
    Question question{
        "verify",
        said("Verification"),
        "",
        said("Runs one GEMM on real matrices, chip by chip and hop by hop, and checks the result. Without a "
             "scenario: --gemm 64x64x64 --mesh 4x2 --slices 1"),
        {.machine = true, .work = true, .plan = true},
        verify_fields(),
        {},
        [](const Asked& asked, const RunControl& control) -> Result<Answer> {
            if (asked.has("experts")) {
                return verified_experts(asked, run_scenario(asked), control);
            }
            for (const char* key : {"top", "ep"}) {
                if (asked.has(key)) {
                    return refuse(fmt::format("{} applies to a layer of experts, which --experts says.",
                                              asked.called(key)));
                }
            }
            return verified(asked, control).map([](const Verified& one) { return answer_of(one); });
        },
        verify_scenario()};
    question.examples = {
        "", "--algorithm cannon --mesh 4x4",
        "--algorithm meshslice --dataflow LS --mesh 4x2 --gemm 64x48x32 --slices 2 --block 2",
        "--experts 8 --top 2 --ep 4 --mesh 4x2 --seeds 50"};
    return question;
}

} // namespace meshslice
