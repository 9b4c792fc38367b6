#include "core/execute/verify.h"

#include "app/command.h"
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

#include <map>
#include <optional>
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
    return words;
}

std::string verification_text(const Verification& verification, const Torus& torus, const std::string& what,
                              bool json) {
    if (!json) {
        return fmt::format("{}\n{}: largest error {:g}, allowed {:g}\n{}\n{}", what,
                           verification.correct ? "correct" : "WRONG", verification.largest_error,
                           verification.tolerance, tiles_text(verification),
                           traffic_text(verification.links));
    }
    nlohmann::ordered_json out = {{"run", what},
                                  {"correct", verification.correct},
                                  {"largest_error", verification.largest_error},
                                  {"tolerance", verification.tolerance}};
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
        const Result<Verification> verification =
            verify(*program, read->schedule, numbers_ == "floats" ? Numbers::floats : Numbers::integers,
                   static_cast<std::uint64_t>(*drawn));
        if (!verification) {
            return refuse(verification.error());
        }
        const std::string what =
            fmt::format("{} {} {} on {}, S = {}, B = {}, {}", (*chosen)->title, name(gemm.dataflow),
                        text(gemm.shape), shape_text(*torus), tuned->slices, read->block, numbers_);
        return Answer{verification_text(*verification, *torus, what, json_),
                      verification->correct ? 0 : check_failed};
    }

  private:
    ScenarioOptions scenario_;
    std::string numbers_ = "integers";
    std::string seed_ = "1";
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> verify_command() {
    return std::make_unique<Verify>();
}

} // namespace meshslice
