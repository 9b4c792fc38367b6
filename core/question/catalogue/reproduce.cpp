// The papers' evaluation again, claim by claim. A deviation is a result, not a failure.

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"
#include "core/base/text/text_table.h"
#include "core/machine/catalogue.h"
#include "core/papers/meshslice/profile_fit.h"
#include "core/papers/meshslice/setup/paper_setup.h"
#include "core/papers/selene/studies.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/study/studies.h"
#include "core/question/catalogue/study/study_file.h"
#include "core/question/catalogue/study/study_trust.h"
#include "core/report/json/study_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// All studies, those of a publication, or one.
Result<std::vector<const Study*>> chosen(const std::string& typed) {
    std::vector<std::string> names = {"all"};
    for (const Study& one : studies()) {
        names.push_back(one.publication().name);
        names.emplace_back(one.id);
    }
    const std::string meant = resolved(typed, names);
    const std::string& name = meant.empty() ? typed : meant;
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
                            judged ? deviation_text(one.deviation()) : "not judged"});
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
        fmt::format("{} ({}), {}\n{}\n{}{}", study.title, section_words(study.publication(), study.section),
                    name(study.reading), plain_spaces(result.finding),
                    claims_text(study.publication(), result.claims, judged),
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
        words +=
            fmt::format("  {}: {}. {}\n", section_words(publication, one.section), one.statement, one.reason);
    }
    return words;
}

/// The machine with what was fitted, as a file.
NamedText fitted_file(const Machine& machine) {
    return {"fitted.json", [file = write_machine(machine)](std::ostream& out) {
                out << file;
                return Result<void>();
            }};
}

Result<Answer> profile_fit(const Machine& start, const RunControl& control) {
    const Result<ProfileFit> fitted = fit_profile(start, control);
    if (!fitted) {
        return refuse(fitted.error());
    }
    Table constants{"constants", {"constant", "value", "unit"}, {}};
    Paragraph lines;
    for (const ProfileFit::Constant& one : fitted->free) {
        constants.rows.push_back({one.name, one.value, std::string(one.unit)});
        lines.lines.push_back({one.name, si_text(one.value, one.unit)});
    }
    Answer answer{{{"tries", fitted->tries}, {"constants", rows_of(constants)}}};
    lines.words_last = false;
    answer.words = {
        {fmt::format("Fitted to ten numbers in {} tries, all else as {}:\n\n", fitted->tries, start.name)},
        std::move(lines),
        {fmt::format("{}\nDeviations: {:.1f}% on average, {:.1f}% at most.\n",
                     claims_text(meshslice_paper(), fitted->residuals, true), 100 * fitted->mean_deviation,
                     100 * fitted->largest_deviation)}};
    answer.texts.push_back(fitted_file(fitted->hardware));
    return answer;
}

/// What was fitted is not what its numbers were before.
Machine renamed(Machine fitted) {
    fitted.name += "-fitted";
    fitted.title += ", fitted";
    return fitted;
}

Result<Answer> efficiency_fit(const Machine& start, const RunControl& control) {
    // Three free numbers meet eight steps of any chip; they mean something of the one that was measured.
    const Machine measured = *machine_preset(selene_evaluation.machine);
    if (start.peak_rate(DataType::bf16) != measured.peak_rate(DataType::bf16)) {
        return refuse(fmt::format("The steps were measured on another chip than that of {}; expected a "
                                  "cluster of that one, such as {}.",
                                  start.title, measured.name));
    }
    const Result<EfficiencyFit> fitted = fit_efficiencies(start, control);
    if (!fitted) {
        return refuse(fitted.error());
    }
    const FittedEfficiencies own = efficiencies(start), reached = efficiencies(fitted->hardware);
    const auto share = [](double one) { return fmt::format("{:.1f}%", 100 * one); };
    const auto rate = [](double one) { return si_text(one, "B/s"); };
    Answer answer{{{"tries", fitted->tries},
                   {"peak_share", reached.peak},
                   {"hbm_bytes_per_s", reached.hbm},
                   {"links_share", reached.links}}};
    answer.words = {
        {fmt::format("Fitted to eight measured steps in {} tries, one set for all, all else as {}:\n\n",
                     fitted->tries, start.name)},
        {{},
         {{"constant", "fitted", "own"},
          {"share of the peak, of matrices and vectors", share(reached.peak), share(own.peak)},
          {"bandwidth of HBM", rate(reached.hbm), rate(own.hbm)},
          {"share of the fast domain's bandwidth", share(reached.links), share(own.links)}},
         1,
         false},
        {fmt::format("{}\nDeviations: {:.2f}% on average, {:.2f}% at most; with its own efficiencies {:.2f}% "
                     "and {:.2f}%.\n",
                     claims_text(selene_measurements(), fitted->fitted.steps, true),
                     100 * fitted->fitted.mean, 100 * fitted->fitted.worst, 100 * fitted->own.mean,
                     100 * fitted->own.worst)}};
    answer.texts.push_back(fitted_file(renamed(fitted->hardware)));
    return answer;
}

/// The studies of one evaluation, with what they are asked.
struct AskedStudies {
    const Evaluation* evaluation = nullptr;
    StudyInputs inputs;
    std::vector<StudyRun> runs;
};

/// Whether a machine is of the kind that an evaluation's studies run on.
bool takes(const Evaluation& evaluation, const Machine& machine) {
    return evaluation.inputs(machine).hardware == machine;
}

/// Whether an evaluation's own models run there; one study that is named alone says why they do not.
bool runs_on(const Study& study, const Machine& machine, const RunControl& control) {
    const Evaluation& evaluation = *study.evaluation;
    return std::ranges::all_of(evaluation.inputs(machine).models, [&](const Transformer& model) {
        return evaluation.runs(model, machine, control).has_value();
    });
}

/// Studies by their evaluation. Refuses a machine that none of them runs on.
Result<std::vector<AskedStudies>> by_evaluation(const std::vector<const Study*>& some,
                                                const std::optional<Machine>& machine,
                                                const RunControl& control) {
    std::vector<AskedStudies> all;
    bool taken = !machine;
    for (const Study* one : some) {
        if (all.empty() || all.back().evaluation != one->evaluation) {
            const bool its = machine && takes(*one->evaluation, *machine) &&
                             (some.size() == 1 || runs_on(*one, *machine, control));
            taken = taken || its;
            const Machine own = *machine_preset(one->evaluation->machine);
            all.push_back({one->evaluation, one->evaluation->inputs(its ? *machine : own), {}});
        }
        all.back().runs.push_back({one, {}});
    }
    if (!taken && std::ranges::none_of(some, [](const Study* one) { return one->scope.hardware; })) {
        return refuse(said("None of these studies accepts --machine."));
    }
    if (!taken) {
        return refuse(fmt::format("\"{}\" is not a machine for this study; use one such as {}.",
                                  machine->title, some.front()->evaluation->machine));
    }
    return all;
}

/// The studies that take a model take the one that was named. Refuses one that none of them takes.
Result<void> take_model(const Asked& asked, std::vector<AskedStudies>& studies, const RunControl& control) {
    if (!asked.has("model")) {
        return {};
    }
    if (asked.flag("fit")) {
        return refuse("--fit uses the models of the measured runs; leave --model out.");
    }
    const Result<Transformer> model = model_of(asked);
    if (!model) {
        return refuse(model.error());
    }
    Error objection{said("None of these studies accepts --model.")};
    bool taken = false;
    for (AskedStudies& of : studies) {
        if (std::ranges::none_of(of.runs, [](const StudyRun& one) { return one.study->scope.models; })) {
            continue;
        }
        if (const auto runs = of.evaluation->runs(*model, of.inputs.hardware, control); !runs) {
            objection = runs.error();
            continue;
        }
        of.inputs.models = {*model};
        taken = true;
    }
    return taken ? Result<void>() : refuse(objection);
}

Result<void> run_studies(std::vector<AskedStudies>& asked, std::size_t count, const RunControl& control) {
    std::size_t done = 0;
    for (AskedStudies& of : asked) {
        for (StudyRun& one : of.runs) {
            // One alone says how far it is; of several, how many are done.
            Result<StudyResult> result =
                run_study(*one.study, of.inputs, {control.stop, count == 1 ? control.progress : nullptr});
            if (!result) {
                return refuse(result.error());
            }
            one.result = *std::move(result);
            if (control.progress != nullptr) {
                control.progress->store(static_cast<double>(++done) / static_cast<double>(count));
            }
        }
    }
    return {};
}

/// What is fitted to an evaluation.
Result<Answer> answer_fit(const AskedStudies& first, const std::optional<Machine>& machine,
                          const RunControl& control) {
    const Evaluation& evaluation = *first.evaluation;
    if (machine && !takes(evaluation, *machine)) {
        return refuse(
            fmt::format("{} is not what {} runs on; name a study of another publication, or hardware "
                        "such as {}.",
                        machine->title, evaluation.publication().name, evaluation.machine));
    }
    return &evaluation == &selene_evaluation ? efficiency_fit(first.inputs.hardware, control)
           : &evaluation == &meshslice_evaluation
               ? profile_fit(first.inputs.hardware, control)
               : refuse(fmt::format("Nothing is fitted to {}; there are fits "
                                    "to {} and {}.",
                                    evaluation.publication().name, meshslice_paper().name,
                                    selene_measurements().name));
}

/// Whether both are of one publication, whose studies of files have an evaluation each.
bool is_of_same(const AskedStudies& a, const AskedStudies& b) {
    return &a.evaluation->publication() == &b.evaluation->publication();
}

Result<std::vector<Paragraph>> words_of(const std::vector<AskedStudies>& asked) {
    std::string text;
    std::size_t ran = 0; // of the same publication
    bool judged = true;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        const AskedStudies& of = asked[k];
        for (const StudyRun& one : of.runs) {
            text += (text.empty() ? "" : "\n\n") + study_text(*one.study, one.result);
            judged = judged && one.result.not_judged.empty();
        }
        ran += of.runs.size();
        if (k + 1 < asked.size() && is_of_same(of, asked[k + 1])) {
            continue;
        }
        if (std::exchange(ran, 0) > 1) {
            const Result<std::string> words = legend(*of.evaluation, of.inputs.hardware, judged);
            if (!words) {
                return refuse(words.error());
            }
            text += *words;
        }
        judged = true;
    }
    return std::vector<Paragraph>{{std::move(text)}};
}

/// Some of the studies of files go through machines themselves.
bool is_on_one_machine(const AskedStudies& of) {
    return std::ranges::any_of(of.runs, [](const StudyRun& one) { return one.study->scope.hardware; });
}

Tree values_of(const std::vector<AskedStudies>& asked) {
    std::vector<PublishedRuns> all;
    for (const AskedStudies& of : asked) {
        const Publication* const its = &of.evaluation->publication();
        const std::string hardware = is_on_one_machine(of) ? of.inputs.hardware.name : std::string();
        if (all.empty() || all.back().publication != its) {
            all.push_back({its, of.runs, hardware});
            continue;
        }
        PublishedRuns& last = all.back();
        last.runs.insert(last.runs.end(), of.runs.begin(), of.runs.end());
        const std::string named = ", " + last.hardware + ", "; // whole names: h100 is not h100-nvs8
        if (!hardware.empty() && named.find(", " + hardware + ", ") == std::string::npos) {
            last.hardware += (last.hardware.empty() ? "" : ", ") + hardware;
        }
    }
    return study_values(all);
}

/// A study of one's own, from its file, which says what it is about where nothing else is asked.
Result<Answer> answer_file(const Asked& asked, const RunControl& control) {
    if (asked.flag("fit")) {
        return refuse(
            say("{} has no effect: nothing is fitted to the study of a file.", asked.called("fit")));
    }
    const auto on_machine = [&](StudyFile study) {
        return !asked.has("hardware") ? Result<StudyFile>(std::move(study))
                                      : chip_of(asked).and_then([&](const Machine& machine) {
                                            return with_machine(std::move(study), machine);
                                        });
    };
    const auto of_model = [&](StudyFile study) {
        return !asked.has("model") ? Result<StudyFile>(std::move(study))
                                   : model_of(asked).and_then([&](const Transformer& model) {
                                         return with_model(std::move(study), model);
                                     });
    };
    const std::string path = asked.text("study");
    return read_text_file(path)
        .and_then([&](const std::string& text) { return read_study_file(text, path); })
        .and_then(on_machine)
        .and_then(of_model)
        .and_then([&](const StudyFile& study) { return answer_study_file(study, control); });
}

Result<Answer> answer_studies(const Asked& asked, const RunControl& control) {
    if (looks_like_a_file(asked.text("study"))) {
        return answer_file(asked, control);
    }
    const Result<std::vector<const Study*>> some = chosen(asked.text("study"));
    if (!some) {
        return refuse(some.error());
    }
    const Result<Machine> named = asked.has("hardware") ? chip_of(asked) : Result<Machine>();
    if (!named) {
        return refuse(named.error());
    }
    const std::optional<Machine> machine = asked.has("hardware") ? std::optional(*named) : std::nullopt;
    Result<std::vector<AskedStudies>> studies = by_evaluation(*some, machine, control);
    if (control.stop.stop_requested()) { // of some it is not known whether they run there
        return cancelled();
    }
    if (!studies) {
        return refuse(studies.error());
    }
    if (const Result<void> taken = take_model(asked, *studies, control); !taken) {
        return refuse(taken.error());
    }
    if (asked.said.has("--svg") && asked.flag("fit")) {
        return refuse("--svg has no effect with --fit, which draws nothing.");
    }
    if (asked.said.has("--svg") && some->size() != 1) {
        return refuse("--svg draws the chart of one study; name one, or use --out DIR, which draws all.");
    }
    if (asked.flag("fit")) {
        return answer_fit(studies->front(), machine, control);
    }
    if (const Result<void> ran = run_studies(*studies, some->size(), control); !ran) {
        return refuse(ran.error());
    }
    Result<std::vector<Paragraph>> words = words_of(*studies);
    if (!words) {
        return refuse(words.error());
    }
    const StudyRun& first = studies->front().runs.front();
    Answer answer{values_of(*studies), first.result.finding, std::string(first.study->title)};
    answer.words = *std::move(words);
    std::vector<std::pair<const Study*, StudyResult>> ran;
    for (const AskedStudies& of : *studies) {
        for (const StudyRun& one : of.runs) {
            const Study& study = *one.study;
            ran.emplace_back(one.study, one.result);
            answer.tables.push_back(NamedTable::of(std::string(study.id), one.result.table));
            answer.charts.push_back(
                {std::string(study.id), chart(one.result),
                 fmt::format("{}: {} ({}, {})", study.title, study.question, study.publication().citation,
                             section_words(study.publication(), study.section))});
        }
    }
    answer.trust = trust_of_studies(ran);
    return answer;
}

std::string listed_studies() {
    std::string names = "all";
    std::string before;
    for (const StudyName& one : study_names()) {
        names += one.publication == before ? fmt::format(", {}", one.id)
                                           : fmt::format("; {}, of it {}", one.publication, one.id);
        before = one.publication;
    }
    return names;
}

} // namespace

Question reproduce_question() {
    QuestionField study =
        text_flag("study", fmt::format("Which study: {} (default all); or FILE.json, one of your own",
                                       listed_studies()));
    study.first = "all";
    study.shown = "dataflows"; // which is found at once
    QuestionField machine = chip_field(ChipsOffered::any, {});
    machine.row.flag_help =
        "NAME|FILE.json: a preset, a cluster or a file of one, for the studies that run on "
        "such (default each paper's own: tpu-v4-paper, b200-nvs8, a100-nvs8, t3-paper)";
    machine.first.clear();
    QuestionField model =
        file_flag("--model", "NAME|FILE.json: this model in the studies that take one (default "
                             "each paper's own)");
    model.file = false;
    Question question{
        "reproduce",
        "Studies",
        "",
        "Repeats evaluations of papers and shows their numbers and statements next to ours",
        {},
        {std::move(study), std::move(machine), std::move(model),
         switch_flag("--fit", "Fits synchronization, SendRecv launch and link bandwidth of the "
                              "hardware to the ten numbers of its fully connected layers, or with a "
                              "study of selene-measurements three efficiencies to its eight steps, "
                              "and prints them; with --out writes the hardware there")},
        {},
        answer_studies};
    question.files = {
        {AnswerFile::Of::folder,
         {},
         "--out",
         "DIR: writes each study's table there as NAME.csv, and its chart as NAME.svg"},
        {AnswerFile::Of::chart, {}, "--svg", "FILE.svg: draws the chart of the one study that is named"}};
    question.examples = {"dataflows", "traffic --json", "mesh-shapes --out figures"};
    return question;
}

} // namespace meshslice
