#include "app/command.h"
#include "app/output_file.h"
#include "app/scenario_options.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/papers/catalogue/studies.h"
#include "core/papers/meshslice/paper_setup.h"
#include "core/papers/meshslice/profile_fit.h"
#include "core/report/chart/chart_svg.h"
#include "core/report/csv.h"
#include "core/report/study_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace meshslice {
namespace {

Result<std::vector<const Study*>> chosen(const std::string& name) {
    std::vector<const Study*> some;
    if (name == "all") {
        for (const Study& one : studies()) {
            some.push_back(&one);
        }
        return some;
    }
    const Result<const Study*> one = study(name);
    if (!one) {
        return refuse(one.error());
    }
    some.push_back(*one);
    return some;
}

std::string claims_text(const Publication& publication, const std::vector<ClaimOutcome>& outcomes,
                        bool judged) {
    std::vector<std::vector<std::string>> rows = {{"claim", "paper", "ours", "reading", "deviation"}};
    for (const ClaimOutcome& one : outcomes) {
        const auto& claims = publication.claims;
        const auto claim = std::ranges::find(claims, one.id, &Claim::id);
        if (claim != claims.end()) {
            rows.push_back({claim->statement, claim_text(claim->kind, claim->value),
                            claim_text(claim->kind, one.ours), std::string(name(one.reading)),
                            judged ? fmt::format("{:+.1f}%", 100 * one.deviation()) : "not judged"});
        }
    }
    return rows.size() == 1 ? std::string() : "\n" + text_table(rows, 1);
}

std::string orderings_text(const Publication& publication, const std::vector<OrderingOutcome>& outcomes,
                           bool judged) {
    std::string words;
    for (const OrderingOutcome& one : outcomes) {
        const auto& orderings = publication.orderings;
        const auto ordering = std::ranges::find(orderings, one.id, &Ordering::id);
        const std::string statement = ordering == orderings.end() ? one.id : ordering->statement;
        const char* verdict = !judged ? "-" : one.holds ? "true" : "false";
        words += fmt::format("\n{:5}  {}\n       {}: {}\n", verdict, statement, name(one.reading),
                             plain_spaces(one.numbers));
    }
    return words;
}

std::string study_text(const Study& study, const StudyResult& result) {
    const bool judged = result.not_judged.empty();
    std::string words =
        fmt::format("{} (section {}), {}\n{}\n{}{}", study.title, study.section, name(study.reading),
                    plain_spaces(result.finding), claims_text(study.publication(), result.claims, judged),
                    orderings_text(study.publication(), result.orderings, judged));
    if (!judged) {
        words += fmt::format("\n{}\n", result.not_judged);
    }
    if (!result.note.empty()) {
        words += fmt::format("\n{}\n", result.note);
    }
    return words;
}

/// How the numbers are got, how good the fit is, and what no study asks.
Result<std::string> legend(const Publication& publication, const Hardware& hardware, bool judged) {
    std::string words =
        "\n\nestimated: by the closed form; simulated: every core and every link; counted: bytes.\n"
        "The paper's own numbers are simulated, those of Table 3 measured.\n";
    if (judged) {
        const Result<ProfileFit> fit = unfitted_profile(hardware);
        if (!fit) {
            return refuse(fit.error());
        }
        words += fmt::format("\nThe ten numbers to which tpu-v4-paper is fitted: {:.1f}% off on average, "
                             "{:.1f}% at most.\n",
                             100 * fit->mean_deviation, 100 * fit->largest_deviation);
    }
    words += "\nNot reproduced:\n";
    for (const NotReproduced& one : publication.not_reproduced) {
        words += fmt::format("  section {}: {}. {}\n", one.section, one.statement, one.reason);
    }
    return words;
}

constexpr const char* fitted_file = "fitted.json";

/// Writes into a folder, which is made where it is not there.
Result<void> write_into(const std::string& folder, const std::string& name, const std::string& content) {
    std::error_code ignored; // Where it is not made, writing says so.
    std::filesystem::create_directories(folder, ignored);
    const std::string path = (std::filesystem::path(folder) / name).string();
    return write_file(path, [&](std::ostream& stream) { stream << content; });
}

/// The study's table and its chart.
Result<void> write_study(const std::string& folder, const Study& study, const StudyResult& result) {
    if (auto table = write_into(folder, fmt::format("{}.csv", study.id), csv(result.table)); !table) {
        return table;
    }
    const std::string about = fmt::format("{}: {} ({}, section {})", study.title, study.question,
                                          study.publication().citation, study.section);
    return write_into(folder, fmt::format("{}.svg", study.id), chart_svg(chart(result), about));
}

Result<Answer> run_fit(const Hardware& start, const std::string& folder) {
    const Result<ProfileFit> fitted = fit_profile(start);
    if (!fitted) {
        return refuse(fitted.error());
    }
    std::vector<std::vector<std::string>> constants;
    for (const ProfileFit::Constant& one : fitted->free) {
        constants.push_back({one.name, plain_spaces(si_text(one.value, one.unit))});
    }
    if (!folder.empty()) {
        if (const auto written = write_into(folder, fitted_file, write_hardware(fitted->hardware));
            !written) {
            return refuse(written.error());
        }
    }
    return Answer{
        fmt::format("Fitted to ten numbers in {} tries, all else as {}:\n\n{}{}\nDeviations: {:.1f}% on "
                    "average, {:.1f}% at most.\n",
                    fitted->tries, start.name, text_table(constants, 1),
                    claims_text(meshslice_paper(), fitted->residuals, true), 100 * fitted->mean_deviation,
                    100 * fitted->largest_deviation)};
}

/// `meshslice reproduce`: the paper's evaluation again, claim by claim. A deviation is a result, not a
/// failure.
class Reproduce final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Repeats the MeshSlice paper's evaluation and shows its numbers next to the paper's";
    }

    void declare(CLI::App& flags) override {
        std::string names = "all";
        for (const Study& one : studies()) {
            names += fmt::format(", {}", one.id);
        }
        flags.add_option("study", name_, fmt::format("Which study: {} (default all)", names))->type_name("");
        flags
            .add_option("--hardware", hardware_,
                        "NAME|FILE.json: a preset or a hardware file (default tpu-v4-paper)")
            ->type_name("");
        flags
            .add_option("--out", out_,
                        "DIR: writes each study's table there as NAME.csv, and its chart as NAME.svg")
            ->type_name("");
        flags.add_flag("--json", json_, "Prints JSON for programs");
        flags.add_flag(
            "--fit", fit_,
            "Fits synchronisation, SendRecv launch and link bandwidth of the hardware to the ten numbers "
            "of its fully connected layers, and prints them; with --out writes the hardware there");
    }

    [[nodiscard]] Result<Answer> run() const override {
        const Result<Hardware> chip = named_hardware(hardware_);
        const auto some = chosen(name_);
        if (!chip || !some) {
            return refuse(!chip ? chip.error() : some.error());
        }
        if (const auto kept = keeps_what_is_read({hardware_}, written(*some)); !kept) {
            return refuse(kept.error());
        }
        if (fit_) {
            return run_fit(*chip, out_);
        }
        const Evaluation& evaluation = *some->front()->evaluation;
        const StudyInputs inputs = evaluation.inputs(*chip);
        std::vector<StudyRun> runs;
        for (const Study* one : *some) {
            auto result = run_study(*one, inputs);
            if (!result) {
                return refuse(result.error());
            }
            if (!out_.empty()) {
                if (const auto files = write_study(out_, *one, *result); !files) {
                    return refuse(files.error());
                }
            }
            runs.push_back({one, *std::move(result)});
        }
        if (json_) {
            return Answer{study_json(evaluation.publication(), runs, inputs.hardware)};
        }
        Answer answer;
        for (const StudyRun& one : runs) {
            answer.text += (answer.text.empty() ? "" : "\n\n") + study_text(*one.study, one.result);
        }
        if (runs.size() > 1) {
            const bool judged =
                std::ranges::all_of(runs, [](const StudyRun& run) { return run.result.not_judged.empty(); });
            const auto words = legend(evaluation.publication(), inputs.hardware, judged);
            if (!words) {
                return refuse(words.error());
            }
            answer.text += *words;
        }
        return answer;
    }

  private:
    /// The files that it will write.
    [[nodiscard]] std::vector<std::string> written(const std::vector<const Study*>& some) const {
        std::vector<std::string> files;
        const std::filesystem::path folder = out_;
        if (out_.empty()) {
            return files;
        }
        if (fit_) {
            return {(folder / fitted_file).string()};
        }
        for (const Study* one : some) {
            for (const char* ending : {"csv", "svg"}) {
                files.push_back((folder / fmt::format("{}.{}", one->id, ending)).string());
            }
        }
        return files;
    }

    std::string name_ = "all"; ///< of a study
    std::string hardware_ = "tpu-v4-paper";
    std::string out_; ///< a folder for tables (CSV) and charts (SVG); empty for none
    bool json_ = false;
    bool fit_ = false; ///< fits the hardware to the paper's numbers first
};

} // namespace

std::unique_ptr<Command> reproduce_command() {
    return std::make_unique<Reproduce>();
}

} // namespace meshslice
