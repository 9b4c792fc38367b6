#include "core/execute/verify.h"

#include "app/command.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/json_writer.h"
#include "core/base/parse.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "core/scenario/suggestions.h"
#include "core/tune/tune.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// The links grouped by how much they carried: on a torus nearly all carry the same.
std::string traffic_text(const std::vector<LinkTraffic>& links) {
    std::map<std::pair<std::string, std::int64_t>, std::int64_t> groups;
    for (const LinkTraffic& traffic : links) {
        ++groups[{link_text(traffic.link.axis, traffic.link.direction), traffic.bytes.value()}];
    }
    std::vector<std::vector<std::string>> rows = {{"links", "count", "bytes each"}};
    for (const auto& [group, count] : groups) {
        rows.push_back({group.first + "s", std::to_string(count), std::to_string(group.second)});
    }
    return text_table(rows, 1);
}

/// Of GEMMs that feed their collective; else nothing.
std::string tiles_text(const Verification& verification) {
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

/// Runs of one GEMM with several seeds.
struct SeededRuns {
    std::uint64_t first = 1;
    std::int64_t seeds = 1, correct = 0;
    /// Of the first that is wrong, else of the first; of tiles that are counted at a time the most of all.
    Verification shown;

    [[nodiscard]] bool all_correct() const { return correct == seeds; }
};

/// Of more than one seed; else nothing.
std::string seeds_text(const SeededRuns& runs) {
    return runs.seeds == 1 ? ""
                           : fmt::format("seeds {} to {}: {} of {} correct\n", runs.first,
                                         runs.first + static_cast<std::uint64_t>(runs.seeds - 1),
                                         runs.correct, runs.seeds);
}

std::string verification_text(const SeededRuns& runs, const Torus& torus, const std::string& what,
                              std::optional<ChunkOrder> order, bool json) {
    const Verification& verification = runs.shown;
    if (!json) {
        return fmt::format("{}\n{}: largest error {:g}, allowed {:g}\n{}{}\n{}", what,
                           verification.correct ? "correct" : "WRONG", verification.largest_error,
                           verification.tolerance, seeds_text(runs), tiles_text(verification),
                           traffic_text(verification.links));
    }
    nlohmann::ordered_json out = {{"run", what},
                                  {"correct", verification.correct},
                                  {"bytes_as_counted", verification.as_counted},
                                  {"seeds", runs.seeds},
                                  {"correct_seeds", runs.correct},
                                  {"largest_error", verification.largest_error},
                                  {"tolerance", verification.tolerance}};
    if (order) {
        out["chunk_order"] = name(*order);
    }
    for (const FusedStores& stores : verification.fused) {
        out["tiles"].push_back({{"interleavings", all_interleavings.size()},
                                {"tiles_of_a_chip", stores.tiles_of_a_chip},
                                {"most_counted_at_a_time", stores.most_live_entries}});
    }
    for (const LinkTraffic& traffic : verification.links) {
        out["links"].push_back({{"chip", place_text(torus, traffic.link.chip)},
                                {"link", link_text(traffic.link.axis, traffic.link.direction)},
                                {"bytes", traffic.bytes.value()}});
    }
    return json_file(out);
}

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

/// All of them, one after the other. Refused where one of them is.
Result<SeededRuns> run_seeds(SeededRuns runs,
                             const std::function<Result<Verification>(std::uint64_t seed)>& run) {
    ProgressLine progress("Verifying");
    for (std::int64_t k = 0; k < runs.seeds; ++k) {
        Result<Verification> one = run(runs.first + static_cast<std::uint64_t>(k));
        if (!one) {
            return refuse(one.error());
        }
        take(runs, *std::move(one), k == 0);
        progress.share()->store(static_cast<double>(k + 1) / static_cast<double>(runs.seeds));
    }
    return runs;
}

/// So many of a small GEMM take some seconds; more are a loop of the shell's.
constexpr std::int64_t most_seeds = 10'000;

/// "threshold-of-one, not-cleared or ...".
std::string fault_names() {
    std::string names;
    for (std::size_t which = 1; which < all_tracker_faults.size(); ++which) {
        const bool last = which + 1 == all_tracker_faults.size();
        names += (which == 1 ? "" : last ? " or " : ", ") + std::string(name(all_tracker_faults[which]));
    }
    return names;
}

/// `meshslice verify`: one GEMM on real matrices.
class Verify final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Runs one GEMM on real matrices, chip by chip and hop by hop, and checks the result. "
               "Without a scenario: --gemm 64x64x64 --mesh 4x2 --slices 1";
    }

    void declare(CLI::App& flags) override {
        scenario_.declare(flags);
        flags.get_option("--mesh")->description(
            "RxC: chips along the vertical and the horizontal axis (default 4x2)");
        flags.get_option("--gemm")->description("MxNxK: the GEMM, [M, K] times [K, N] (default 64x64x64)");
        flags.get_option("--dataflow")->description("OS|LS|RS: which matrix stays (default OS)");
        flags.get_option("--slices")
            ->description("auto|N: slice count S, or iterations to which SUMMA and Wang are unrolled "
                          "(default 1, or all "
                          "of them)");
        // They change no step, or are refused: they would only be in the way.
        ScenarioOptions::hide(flags, of_a_model | of_time);
        flags.add_option("--numbers", numbers_, "integers|floats: what the matrices hold (default integers)")
            ->type_name("");
        flags.add_option("--seed", seed_, "N: of the pseudo-random matrices (default 1)")->type_name("");
        flags.add_option("--seeds", seeds_, "N: runs with so many seeds, one after the other (default 1)")
            ->type_name("");
        flags
            .add_option("--plant", fault_,
                        "FAULT: plants a fault in the trackers of a GEMM that feeds its ring, to see that it "
                        "is found: " +
                            fault_names())
            ->type_name("");
        flags.add_flag("--json", json_, "Prints JSON for programs");
    }

    [[nodiscard]] Result<Answer> run() const override {
        ScenarioOptions given = scenario_;
        const bool file = !given.given("--scenario").empty();
        for (const Field<Scenario>& field : scenario_fields()) {
            const bool typed = !field.flag.empty() && !given.given(field.flag).empty();
            if (typed && (field.tags & of_a_model) != 0 && !file && given.given("--gemm").empty()) {
                return refuse(fmt::format("{} describes a model's training step, and verify runs one GEMM on "
                                          "real matrices: name it with --gemm MxNxK instead.",
                                          field.flag));
            }
            if (typed && (field.tags & of_what_if) != 0) {
                return refuse(fmt::format(
                    "verify knows no time, so {} has no effect on it; simulate takes it.", field.flag));
            }
        }
        const bool any_machine = !file && given.given("--hardware").empty();
        if (!file) { // A GEMM that a person could check; a file says itself what to run.
            given.assume("--gemm", "64x64x64");
            given.assume("--mesh", "4x2");
            given.assume("--hardware", "tpu-v4"); // Three axes; no number of it is used.
        }
        Result<Scenario> read = given.read();
        if (!read) {
            return refuse(read.error());
        }
        if (any_machine) {
            read->hardware.pod = {}; // Every axis is a ring unless --wrap says otherwise.
        }
        if (!read->gemm) {
            return refuse(
                Error{fmt::format("{} describes a whole training step; verify runs one GEMM: name it with "
                                  "--gemm MxNxK.",
                                  given.given("--scenario"))});
        }
        const Result<std::int64_t> drawn = parse_whole(seed_);
        if (!drawn || *drawn < 0) {
            return refuse(
                Error{fmt::format("--seed is \"{}\"; a whole number from 0 on was expected.", seed_)});
        }
        const Result<std::int64_t> seeds = parse_whole(seeds_);
        if (!seeds || *seeds < 1 || *seeds > most_seeds) {
            return refuse(Error{fmt::format("--seeds is \"{}\"; a whole number from 1 to {} was expected.",
                                            seeds_, most_seeds)});
        }
        const auto fault = std::ranges::find(all_tracker_faults, fault_, [](TrackerFault one) {
            return one == TrackerFault::none ? std::string_view() : name(one);
        });
        if (fault == all_tracker_faults.end()) {
            return refuse(Error{fmt::format("--plant is \"{}\"; {} was expected.", fault_, fault_names())});
        }
        if (numbers_ != "integers" && numbers_ != "floats") {
            return refuse(
                Error{fmt::format("--numbers is \"{}\"; integers or floats was expected.", numbers_)});
        }
        const Result<const Algorithm*> chosen = algorithm(read->algorithm);
        const Result<Torus> torus = chosen ? torus_of(*read, **chosen) : Result<Torus>(Torus());
        if (!torus || !chosen) {
            return refuse(chosen ? with_suggestions(torus.error(), *read, read->algorithm) : chosen.error());
        }
        const SingleGemm& gemm = *read->gemm;
        // By default nothing is cut, and of a loop that could be unrolled nothing is: every step is seen.
        const std::int64_t uncut = takes_at_most(**chosen, OptionId::slices) ? torus->chips() : 1;
        const bool open = !file && given.given("--slices").empty();
        const Result<GemmOptions> tuned =
            best_options(**chosen, gemm.shape, gemm.dataflow, *torus, gemm_options(*read),
                         open ? std::optional(uncut) : read->slices, read->hardware, read->schedule);
        if (!tuned) {
            return refuse(with_suggestions(tuned.error(), *read, read->algorithm));
        }
        const Result<Program> program = (*chosen)->write(gemm.shape, gemm.dataflow, *torus, *tuned);
        if (!program) {
            return refuse(program.error());
        }
        if (*fault != TrackerFault::none && program->fusions.empty()) {
            return refuse(Error{fmt::format("--plant has no effect: no GEMM of {} feeds its ring; that of t3 "
                                            "does.",
                                            (*chosen)->title)});
        }
        const Result<SeededRuns> runs =
            run_seeds({static_cast<std::uint64_t>(*drawn), *seeds, 0, {}}, [&](std::uint64_t seed) {
                return verify(*program, read->schedule,
                              numbers_ == "floats" ? Numbers::floats : Numbers::integers, seed, {}, *fault);
            });
        if (!runs) {
            return refuse(runs.error());
        }
        // The field table refuses an order where nothing has one; a file may keep it.
        const std::optional<ChunkOrder> order =
            (*chosen)->orders_chunks ? std::optional(read->chunk_order) : std::nullopt;
        const std::string what =
            fmt::format("{} {} {} on {}, S = {}, B = {}, {}{}", (*chosen)->title, name(gemm.dataflow),
                        text(gemm.shape), shape_text(*torus), tuned->slices, read->block, numbers_,
                        order == ChunkOrder::unstaggered ? ", unstaggered chunks" : "");
        return Answer{verification_text(*runs, *torus, what, order, json_),
                      runs->all_correct() ? 0 : check_failed};
    }

  private:
    ScenarioOptions scenario_;
    std::string numbers_ = "integers";
    std::string seed_ = "1";
    std::string seeds_ = "1";
    std::string fault_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> verify_command() {
    return std::make_unique<Verify>();
}

} // namespace meshslice
