#include "app/command.h"
#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/machine/catalogue.h"
#include "core/papers/catalogue/studies.h"
#include "core/papers/meshslice/paper_setup.h"
#include "core/papers/meshslice/profile_fit.h"
#include "core/papers/selene/studies.h"
#include "core/report/chart/chart_svg.h"
#include "core/report/csv.h"
#include "core/report/study_json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

namespace meshslice {
namespace {

/// All studies, those of a publication, or one.
Result<std::vector<const Study*>> chosen(const std::string& name) {
    std::vector<const Study*> some;
    for (const Study& one : studies()) {
        if (name == "all" || name == one.publication().name) {
            some.push_back(&one);
        }
    }
    if (!some.empty()) {
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
Result<std::string> legend(const Evaluation& evaluation, const Machine& hardware, bool judged) {
    const Publication& publication = evaluation.publication();
    std::string words = "\n\n";
    const bool ours = publication == meshslice_paper();
    if (ours) {
        words += "estimated: by the closed form; simulated: every core and every link; counted: bytes.\n"
                 "The paper's own numbers are simulated, those of Table 3 measured.\n";
    } else if (!evaluation.judged.empty()) {
        words += fmt::format("{} ({}): {}.\n", publication.title, publication.citation, evaluation.judged);
    } else {
        words += fmt::format("{} ({}).\n", publication.title, publication.citation);
    }
    if (judged && ours) {
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

Result<Printed> run_profile_fit(const Machine& start, const std::string& folder) {
    const Result<ProfileFit> fitted = [&] {
        const ProgressLine progress("Fitting");
        return fit_profile(start);
    }();
    if (!fitted) {
        return refuse(fitted.error());
    }
    std::vector<std::vector<std::string>> constants;
    for (const ProfileFit::Constant& one : fitted->free) {
        constants.push_back({one.name, plain_spaces(si_text(one.value, one.unit))});
    }
    if (!folder.empty()) {
        if (const auto written = write_into(folder, fitted_file, write_machine(fitted->hardware)); !written) {
            return refuse(written.error());
        }
    }
    return Printed{
        fmt::format("Fitted to ten numbers in {} tries, all else as {}:\n\n{}{}\nDeviations: {:.1f}% on "
                    "average, {:.1f}% at most.\n",
                    fitted->tries, start.name, text_table(constants, 1),
                    claims_text(meshslice_paper(), fitted->residuals, true), 100 * fitted->mean_deviation,
                    100 * fitted->largest_deviation)};
}

/// What was fitted is not what its numbers were before.
Machine renamed(Machine fitted) {
    fitted.name += "-fitted";
    fitted.title += ", fitted";
    return fitted;
}

Result<Printed> run_efficiency_fit(const Machine& start, const std::string& folder) {
    // Three free numbers meet eight steps of any chip; they mean something of the one that was measured.
    const Machine measured = *machine_preset(selene_evaluation.machine);
    if (start.peak_rate(DataType::bf16) != measured.peak_rate(DataType::bf16)) {
        return refuse(fmt::format(
            "The steps were measured on another chip than that of {}; a cluster of that one, such as "
            "{}, was expected.",
            start.title, measured.name));
    }
    const Result<EfficiencyFit> fitted = [&] {
        const ProgressLine progress("Fitting");
        return fit_efficiencies(start);
    }();
    if (!fitted) {
        return refuse(fitted.error());
    }
    if (!folder.empty()) {
        if (const auto written = write_into(folder, fitted_file, write_machine(renamed(fitted->hardware)));
            !written) {
            return refuse(written.error());
        }
    }
    const Efficiencies own = efficiencies(start), reached = efficiencies(fitted->hardware);
    const auto share = [](double one) { return fmt::format("{:.1f}%", 100 * one); };
    const auto rate = [](double one) { return plain_spaces(si_text(one, "B/s")); };
    return Printed{fmt::format(
        "Fitted to eight measured steps in {} tries, one set for all, all else as {}:\n\n{}{}\n"
        "Deviations: {:.2f}% on average, {:.2f}% at most; with its own efficiencies {:.2f}% and {:.2f}%.\n",
        fitted->tries, start.name,
        text_table({{"constant", "fitted", "own"},
                    {"share of the peak, of matrices and vectors", share(reached.peak), share(own.peak)},
                    {"bandwidth of HBM", rate(reached.hbm), rate(own.hbm)},
                    {"share of the fast domain's bandwidth", share(reached.links), share(own.links)}},
                   1),
        claims_text(selene_measurements(), fitted->fitted.steps, true), 100 * fitted->fitted.mean,
        100 * fitted->fitted.worst, 100 * fitted->own.mean, 100 * fitted->own.worst)};
}

/// The studies of one evaluation, with what they are asked.
struct Asked {
    const Evaluation* evaluation = nullptr;
    StudyInputs inputs;
    std::vector<StudyRun> runs;
};

/// Whether hardware is of the kind that an evaluation's studies run on.
bool takes(const Evaluation& evaluation, const Machine& hardware) {
    return evaluation.inputs(hardware).hardware == hardware;
}

/// `meshslice reproduce`: the papers' evaluation again, claim by claim. A deviation is a result, not a
/// failure.
class Reproduce final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Repeats evaluations of papers and shows their numbers and statements next to ours";
    }

    void declare(CLI::App& flags) override {
        std::string names = "all";
        const Evaluation* before = nullptr;
        for (const Study& one : studies()) {
            names += one.evaluation == before ? fmt::format(", {}", one.id)
                                              : fmt::format("; {}, of it {}", one.publication().name, one.id);
            before = one.evaluation;
        }
        flags.add_option("study", name_, fmt::format("Which study: {} (default all)", names))->type_name("");
        flags
            .add_option(
                "--hardware", hardware_,
                "NAME|FILE.json: a preset, a cluster or a file of one, for the studies that run on such "
                "(default each paper's own: tpu-v4-paper, b200-nvs8, a100-nvs8, t3-paper)")
            ->type_name("");
        flags
            .add_option("--model", model_,
                        "NAME|FILE.json: this model in the studies that take one (default each paper's own)")
            ->type_name("");
        flags
            .add_option("--out", out_,
                        "DIR: writes each study's table there as NAME.csv, and its chart as NAME.svg")
            ->type_name("");
        flags.add_flag("--json", json_, "Prints JSON for programs");
        flags.add_flag(
            "--fit", fit_,
            "Fits synchronisation, SendRecv launch and link bandwidth of the hardware to the ten numbers "
            "of its fully connected layers, or with a study of selene-measurements three efficiencies to its "
            "eight steps, and prints them; with --out writes the hardware there");
    }

    [[nodiscard]] Result<Printed> run() const override {
        const auto some = chosen(name_);
        const Result<std::optional<Machine>> chip = named();
        if (!chip || !some) {
            return refuse(!chip ? chip.error() : some.error());
        }
        if (const auto kept = keeps_what_is_read({hardware_, model_}, written(*some)); !kept) {
            return refuse(kept.error());
        }
        auto asked = questions(*some, *chip);
        if (asked && !model_.empty()) {
            if (const auto taken = take_model(*asked); !taken) {
                return refuse(taken.error());
            }
        }
        if (!asked) {
            return refuse(asked.error());
        }
        if (fit_) {
            const Machine& start = asked->front().inputs.hardware;
            const Evaluation* first = asked->front().evaluation;
            if (*chip && !takes(*first, **chip)) {
                return refuse(
                    fmt::format("{} is not what {} runs on; name a study of another publication, or hardware "
                                "such as {}.",
                                (*chip)->title, first->publication().name, first->machine));
            }
            return first == &selene_evaluation ? run_efficiency_fit(start, out_)
                   : first == &meshslice_evaluation
                       ? run_profile_fit(start, out_)
                       : refuse(fmt::format("Nothing is fitted to {}; there are fits "
                                            "to {} and {}.",
                                            first->publication().name, meshslice_paper().name,
                                            selene_measurements().name));
        }
        if (const auto ran = run_studies(*asked, some->size()); !ran) {
            return refuse(ran.error());
        }
        return json_ ? json(*asked) : text(*asked);
    }

  private:
    /// The machine that was named; none where none was.
    [[nodiscard]] Result<std::optional<Machine>> named() const {
        if (hardware_.empty()) {
            return std::nullopt;
        }
        return named_machine(hardware_).map([](const Machine& one) { return std::optional(one); });
    }

    /// Studies by their evaluation. Refuses hardware that none of them runs on.
    [[nodiscard]] static Result<std::vector<Asked>> questions(const std::vector<const Study*>& some,
                                                              const std::optional<Machine>& chip) {
        std::vector<Asked> all;
        bool taken = !chip;
        for (const Study* one : some) {
            if (all.empty() || all.back().evaluation != one->evaluation) {
                const Machine own = own_machine(*one->evaluation);
                const bool its = chip && takes(*one->evaluation, *chip);
                taken = taken || its;
                all.push_back({one->evaluation, one->evaluation->inputs(its ? *chip : own), {}});
            }
            all.back().runs.push_back({one, {}});
        }
        if (!taken) {
            return refuse(fmt::format("{} is not what the study runs on; it takes hardware such as {}.",
                                      chip->title, some.front()->evaluation->machine));
        }
        return all;
    }

    /// Runs them, and writes what each found as soon as it is found.
    [[nodiscard]] Result<void> run_studies(std::vector<Asked>& asked, std::size_t count) const {
        ProgressLine progress("Reproducing");
        std::size_t done = 0;
        for (Asked& of : asked) {
            for (StudyRun& one : of.runs) {
                // One alone says how far it is; for several it says how many are done.
                auto result = run_study(*one.study, of.inputs, {{}, count == 1 ? progress.share() : nullptr});
                if (!result) {
                    return refuse(result.error());
                }
                one.result = *std::move(result);
                if (!out_.empty()) {
                    if (auto files = write_study(out_, *one.study, one.result); !files) {
                        return files;
                    }
                }
                progress.share()->store(static_cast<double>(++done) / static_cast<double>(count));
            }
        }
        return {};
    }

    /// The studies that take a model take the one that was named. Refuses one that none of them takes.
    [[nodiscard]] Result<void> take_model(std::vector<Asked>& asked) const {
        if (fit_) {
            return refuse("--fit is to the models of what was measured; leave --model out.");
        }
        const Result<Transformer> model = named_model(model_);
        if (!model) {
            return refuse(model.error());
        }
        Error objection{fmt::format(
            "No study that was named takes another model than its own, and {} was named.", model->title)};
        bool taken = false;
        for (Asked& of : asked) {
            const bool asks =
                std::ranges::any_of(of.runs, [](const StudyRun& one) { return one.study->scope.models; });
            if (!asks) {
                continue;
            }
            if (const auto runs = of.evaluation->runs(*model, of.inputs.hardware); !runs) {
                objection = runs.error();
                continue;
            }
            of.inputs.models = {*model};
            taken = true;
        }
        return taken ? Result<void>() : refuse(objection);
    }

    static Machine own_machine(const Evaluation& evaluation) { return *machine_preset(evaluation.machine); }

    [[nodiscard]] static Printed json(const std::vector<Asked>& asked) {
        std::vector<PublishedRuns> all;
        for (const Asked& of : asked) {
            all.push_back({&of.evaluation->publication(), of.runs, of.inputs.hardware.name});
        }
        return Printed{study_json(all)};
    }

    [[nodiscard]] static Result<Printed> text(const std::vector<Asked>& asked) {
        Printed answer;
        for (const Asked& of : asked) {
            for (const StudyRun& one : of.runs) {
                answer.text += (answer.text.empty() ? "" : "\n\n") + study_text(*one.study, one.result);
            }
            if (of.runs.size() > 1) {
                const bool judged = std::ranges::all_of(
                    of.runs, [](const StudyRun& run) { return run.result.not_judged.empty(); });
                const auto words = legend(*of.evaluation, of.inputs.hardware, judged);
                if (!words) {
                    return refuse(words.error());
                }
                answer.text += *words;
            }
        }
        return answer;
    }

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
    std::string hardware_;     ///< empty: each paper's own
    std::string model_;        ///< empty: the same
    std::string out_;          ///< a folder for tables (CSV) and charts (SVG); empty for none
    bool json_ = false;
    bool fit_ = false; ///< fits the hardware to the paper's numbers first
};

} // namespace

std::unique_ptr<Command> reproduce_command() {
    return std::make_unique<Reproduce>();
}

} // namespace meshslice
