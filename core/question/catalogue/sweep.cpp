// A question again and again, with one field or two varied: the step of a scenario, or any other.

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/base/text/text_table.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "core/question/catalogue/sweep_question.h"
#include "core/question/sweep_file.h"
#include "core/question/sweep_workers.h"
#include "core/report/chart/svg/chart_svg.h"
#include "core/report/chart/svg/heat_svg.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_conclusion.h"
#include "core/report/sweep/sweep_heat.h"
#include "core/report/sweep/sweep_plan.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

constexpr const char* vary_key = "vary";
constexpr const char* number_key = "number";
constexpr const char* of_key = "of";
constexpr const char* out_flag = "--out";
constexpr const char* resume_flag = "--resume";
constexpr const char* simulate_key = "simulate";

/// The question that is asked at every point; null: the step of the scenario.
using OverPtr = std::shared_ptr<const Question>;

/// In this process alone.
Result<void> run_here(const Sweep& sweep, const TakePoint& take, std::size_t from,
                      const RunControl& control) {
    return run_sweep(sweep, take, from, control);
}

/// The columns of the text, as wide as what comes below them.
struct Columns {
    std::vector<std::pair<std::string, std::size_t>> columns; ///< heading and width
    std::size_t left = 0;                                     ///< how many are aligned to the left
    std::vector<std::vector<std::string>> values;             ///< in words, of each field

    [[nodiscard]] std::string line(const std::vector<std::string>& cells) const {
        std::string words;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const std::size_t width = k < columns.size() ? columns[k].second : 0;
            const std::string gap = k == 0 ? "" : "  ";
            words += gap + (k < left ? fmt::format("{:<{}}", cells[k], width)
                                     : fmt::format("{:>{}}", cells[k], width));
        }
        words.erase(words.find_last_not_of(' ') + 1);
        return words + "\n";
    }
};

Columns columns_of(const Sweep& sweep, const SweptQuestion& shown) {
    Columns all;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const std::string name = sweep.name(k);
        std::size_t width = name.size();
        all.values.push_back(sweep.words(k));
        for (std::string& words : all.values.back()) {
            words = plain_spaces(words);
            width = std::max(width, words.size());
        }
        all.columns.emplace_back(name, width);
    }
    all.left = sweep.fields.size();
    constexpr std::size_t least_width = 8;
    for (const PointColumn& column : shown.text) {
        all.columns.emplace_back(column.name, std::max(least_width, column.name.size()));
    }
    return all;
}

std::string headings(const Columns& columns) {
    std::vector<std::string> cells;
    for (const auto& [heading, width] : columns.columns) {
        cells.push_back(heading);
    }
    return columns.line(cells);
}

/// Of the point in this place of the sweep.
std::string row_text(const SweptQuestion& shown, const SweepPoint& point, std::size_t place,
                     const Columns& columns) {
    std::vector<std::string> cells(columns.values.size());
    for (std::size_t k = cells.size(); k-- > 0;) { // as values_at() goes through them
        cells[k] = columns.values[k][place % columns.values[k].size()];
        place /= columns.values[k].size();
    }
    if (!point.runs()) { // The sentence stands where the numbers would.
        Columns fields = columns;
        fields.columns.resize(cells.size());
        cells.push_back(plain_spaces(point.objection));
        return fields.line(cells);
    }
    for (const PointColumn& column : shown.text) {
        cells.push_back(plain_spaces(cell_words(column, point)));
    }
    if (!point.fits()) {
        cells.emplace_back("does not fit");
    }
    return columns.line(cells);
}

std::vector<std::string> varied(const Asked& asked) {
    const auto* list = std::get_if<std::vector<std::string>>(&asked.value(vary_key));
    return list == nullptr ? std::vector<std::string>() : *list;
}

/// Those that a field of the scenario goes through, and those that the question runs itself.
OtherAlgorithms algorithms_of(const Question& over, const Asked& asked) {
    OtherAlgorithms others = over.scenario.others ? over.scenario.others(asked) : OtherAlgorithms{{}, true};
    for (const std::string& words : varied(asked)) {
        const Result<Vary> vary = parse_vary(over, default_scenario(), words);
        for (const FieldValue& value :
             vary && !vary->own && vary->key == "algorithm" ? vary->values : std::vector<FieldValue>()) {
            others.ids.push_back(std::get<std::string>(value));
        }
    }
    return others;
}

/// The refusal with what helps.
std::string said_here(const Asked& asked, const Sweep& sweep, const std::string& sentence) {
    if (sweep.fields.empty()) {
        return fmt::format("Nothing varies: expected {} NAME=VALUES, such as {} batch=8:512:x2.",
                           asked.called(vary_key), asked.called(vary_key));
    }
    const bool simulated = asked.question.field(simulate_key) != nullptr && !asked.flag(simulate_key);
    const bool what_if = std::ranges::any_of(sweep.fields, [](const Vary& vary) {
        return !vary.own && (scenario_field(vary.key).tags & of_what_if) != 0U;
    });
    return simulated && what_if ? fmt::format("{} Add {}.", sentence, asked.called(simulate_key)) : sentence;
}

/// What was said, without what only the sweep takes.
SaidFields said_of(const Asked& asked) {
    SaidFields said = asked.said;
    for (const char* key : {vary_key, number_key, of_key}) {
        if (asked.question.field(key) != nullptr) {
            said.flags.erase(asked.called(key));
        }
    }
    for (const AnswerFile& file : asked.question.files) {
        said.flags.erase(file.flag);
    }
    said.flags.erase(resume_flag);
    return said;
}

/// Over a question, with what was said of its fields, or over the step.
Sweep begun(const OverPtr& over, const Asked& asked) {
    const Scenario scenario = asked.scenario == nullptr ? default_scenario() : *asked.scenario;
    if (!over) {
        return sweep_of_steps(scenario, {}, asked.flag(simulate_key) ? Depth::simulate : Depth::estimate);
    }
    Sweep sweep{over, {}, scenario, asked.own, asked.text(number_key), said_of(asked), asked.speech};
    std::erase_if(sweep.own, [&](const auto& one) { return over->field(one.first) == nullptr; });
    return sweep;
}

/// What shows all points at once needs a sweep that is kept.
Result<void> may_keep(const Sweep& sweep, const char* what) {
    return sweep.kept_whole()
               ? Result<void>()
               : refuse(say("{} shows all points at once, and this sweep has {}; print them with --csv, or "
                            "vary fewer values.",
                            what, sweep.size()));
}

Result<Sweep> read_sweep(const OverPtr& over, const Asked& asked) {
    Sweep sweep = begun(over, asked);
    for (const std::string& words : varied(asked)) {
        Result<Vary> vary = parse_vary(*sweep.over, sweep.scenario, words, read_text_file);
        if (!vary) {
            return refuse(vary.error());
        }
        sweep.fields.push_back(*std::move(vary));
    }
    if (const Result<void> valid = checked_to_hand_over(sweep); !valid) {
        return refuse(said_here(asked, sweep, valid.error().sentence));
    }
    const bool heat = asked.said.has("--heat-map");
    if (heat && asked.said.has("--svg")) {
        return refuse("--heat-map excludes --svg: both draw the same points; give one of them.");
    }
    if (heat && sweep.fields.size() < 2) {
        return refuse("--heat-map shows two fields against each other; expected a second --vary.");
    }
    for (const char* flag : {"--svg", "--heat-map"}) {
        const Result<void> drawn = asked.said.has(flag) ? may_keep(sweep, flag) : Result<void>();
        if (!drawn) {
            return refuse(drawn.error());
        }
    }
    return sweep;
}

/// A sweep that runs when its points are pulled for the first time. Its points are kept, or, of one with too
/// many, handed over and forgotten.
class PulledSweep {
  public:
    /// `file`: keeps each point, too, and those that are in it are not asked for again.
    PulledSweep(Sweep sweep, RunSweep run, std::optional<SweepFile> file, RunControl control)
        : sweep_(std::move(sweep))
        , run_(std::move(run))
        , control_(std::move(control))
        , points_(file ? file->points() : std::vector<SweepPoint>())
        , file_(std::move(file)) {
        for (const SweepPoint& point : points_) {
            count(point);
        }
    }

    [[nodiscard]] const Sweep& sweep() const { return sweep_; }
    /// Those that are kept; of a sweep with too many the one that look_ahead() found.
    [[nodiscard]] const std::vector<SweepPoint>& points() const { return points_; }

    /// Finds a point that runs, which says what numbers there are, for a sweep whose points are not kept:
    /// among the first ones, and then among some that are spread over all.
    [[nodiscard]] Result<void> look_ahead() {
        constexpr std::size_t first_ones = 500, spread = 500;
        std::string first_objection;
        for (std::size_t k = 0; k < first_ones + spread && points_.empty(); ++k) {
            const std::size_t at = k < first_ones ? k : (k - first_ones + 1) * (sweep_.size() - 1) / spread;
            Result<SweepPoint> point = answered_point(sweep_, at, {control_.stop, nullptr, control_.memory});
            if (!point) {
                return refuse(point.error());
            }
            if (point->runs()) {
                points_.push_back(*std::move(point));
            } else if (first_objection.empty()) {
                first_objection = point->objection;
            }
        }
        return points_.empty() ? refuse(say("None of {} points that were looked at runs, so it is unknown "
                                            "which numbers the sweep has. {}",
                                            first_ones + spread, first_objection))
                               : Result<void>();
    }

    /// Hands over point by point, each as soon as it is known, until `take` says that it wants no more.
    template <class Take>
    [[nodiscard]] Result<void> pull(const Take& take) {
        const bool keep = sweep_.kept_whole();
        const std::size_t done = keep ? points_.size() : file_ ? file_->done() : 0;
        bool more = true;
        const auto again = [&](const SweepPoint& point) { return more = take(point); };
        if (keep) {
            more = std::ranges::all_of(points_, again);
        } else if (file_) {
            const Result<void> read = file_->each(sweep_, [&](const SweepPoint& point) {
                count(point);
                return again(point);
            });
            if (!read) {
                return read;
            }
        }
        if (!more || done == sweep_.size()) {
            over_ = over_ || more;
            return {};
        }
        std::stop_source stop;
        Result<void> kept;
        const auto on = [&](const SweepPoint& point) {
            count(point);
            if (keep) {
                points_.push_back(point);
            }
            kept = !kept || !file_ ? kept : file_->add(sweep_, point);
            more = more && kept && take(point);
            if (!more || control_.stop.stop_requested()) {
                stop.request_stop();
            }
        };
        const Result<void> ran =
            run_(sweep_, on, done, {stop.get_token(), control_.progress, control_.memory});
        over_ = over_ || ran.has_value();
        return kept ? ran : kept;
    }
    [[nodiscard]] Result<void> pull_all() {
        return over_ && !sweep_.kept_whole() ? Result<void>() : pull([](const SweepPoint&) { return true; });
    }
    /// Refuses where all points are known and none runs.
    [[nodiscard]] Result<void> anything_runs() const {
        return any_runs_ || !over_ ? Result<void>()
                                   : refuse(fmt::format("No point of the sweep runs. {}", first_objection_));
    }
    /// Of those that were pulled.
    [[nodiscard]] bool all_fit() const { return all_fit_; }

    /// The number that was asked for is one of the first point's that runs.
    [[nodiscard]] Result<void> has_its_number(const Asked& asked) const {
        const auto first = std::ranges::find_if(points_, &SweepPoint::runs);
        if (sweep_.number.empty() || first == points_.end()) {
            return {};
        }
        return first->number(sweep_.number)
                   ? Result<void>()
                   : refuse(say("{} is \"{}\"; {}", asked.called(number_key), shortened(sweep_.number),
                                unknown_number(*first, sweep_.number)));
    }

  private:
    void count(const SweepPoint& point) {
        any_runs_ = any_runs_ || point.runs();
        all_fit_ = all_fit_ && point.fits();
        first_objection_ = first_objection_.empty() ? point.objection : first_objection_;
    }

    Sweep sweep_;
    RunSweep run_;
    RunControl control_;
    std::vector<SweepPoint> points_;
    std::optional<SweepFile> file_;
    std::string first_objection_;
    bool any_runs_ = false, all_fit_ = true, over_ = false;
};
using PulledPtr = std::shared_ptr<PulledSweep>;
using TakeWords = std::function<bool(const std::string& words)>;

/// Title and headings, a row for each point, and what was found.
Result<void> pull_words(PulledSweep& pulled, const TakeWords& take) {
    const Sweep& sweep = pulled.sweep();
    const SweptQuestion shown = shown_as(sweep, pulled.points());
    const Columns columns = columns_of(sweep, shown);
    if (!take(fmt::format("{}\n\n{}", plain_spaces(sweep_title(sweep)), headings(columns)))) {
        return {};
    }
    std::size_t place = 0;
    if (const Result<void> ran = pulled.pull(
            [&](const SweepPoint& point) { return take(row_text(shown, point, place++, columns)); });
        !ran) {
        return ran;
    }
    const std::string healthy = healthy_note(sweep);
    take("\n" +
         (sweep.kept_whole() ? plain_spaces(sweep_finding(sweep, pulled.points()))
                             : say("{} points, too many to be held against each other.", sweep.size())) +
         "\n" + healthy + (healthy.empty() ? "" : "\n"));
    return pulled.anything_runs();
}

Result<void> pull_rows(PulledSweep& pulled, const NamedTable::Take& take) {
    const SweptQuestion shown = shown_as(pulled.sweep(), pulled.points());
    return pulled.pull([&](const SweepPoint& point) { return take(sweep_row(pulled.sweep(), shown, point)); })
        .and_then([&] { return pulled.anything_runs(); });
}

using Draw = std::string (*)(const Sweep& sweep, const std::vector<SweepPoint>& points);

std::string sweep_svg(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    return chart_svg(sweep_chart(sweep, points, finding_in_a_line(sweep, points)), sweep_title(sweep));
}
std::string heat_map_svg(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    return heat_svg(sweep_heat(sweep, points, finding_in_a_line(sweep, points)), sweep_title(sweep));
}

NamedText drawing(std::string name, const PulledPtr& pulled, Draw draw) {
    return {std::move(name), [pulled, draw](std::ostream& out) {
                return pulled->pull_all().and_then([&] { return pulled->anything_runs(); }).map([&] {
                    out << draw(pulled->sweep(), pulled->points());
                });
            }};
}

/// What a report shows: the conclusion, a chart, and the table that a window has.
Result<Answer> whole_sweep(PulledSweep& pulled) {
    if (const Result<void> ran = pulled.pull_all().and_then([&] { return pulled.anything_runs(); }); !ran) {
        return refuse(ran.error());
    }
    const Sweep& sweep = pulled.sweep();
    const std::vector<SweepPoint>& points = pulled.points();
    const std::string title = sweep_title(sweep);
    std::vector<std::string> conclusion = sweep_conclusion(sweep, points);
    Answer answer{sweep_values(sweep, points), conclusion.empty() ? std::string() : conclusion.front(),
                  title};
    answer.further.assign(conclusion.begin() + (conclusion.empty() ? 0 : 1), conclusion.end());
    std::string text;
    const Result<void> said_all = pull_words(pulled, [&](const std::string& words) {
        text += words;
        return true;
    });
    if (!said_all) {
        return refuse(said_all.error());
    }
    answer.words = {{std::move(text)}};
    std::vector<std::string> names;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        names.push_back(say("the {}", sweep.name(k)));
    }
    answer.charts.push_back({"chart", sweep_chart(sweep, points, say("By {}", listed(names)))});
    if (std::ranges::any_of(points,
                            [](const SweepPoint& one) { return one.number("time_low_s").has_value(); })) {
        answer.trust.sentences = {
            said("Each expected time has an interval of its own, which the table shows: "
                 "eight of ten measured runs like it lie within it.")};
    }
    Table shown = shown_sweep_table(sweep, shown_as(sweep, points), points);
    shown.title = said("Points");
    answer.tables.push_back(NamedTable::of("points", sweep_table(sweep, points)).shown_as(std::move(shown)));
    answer.fits = [fits = pulled.all_fit()] { return fits; };
    return answer;
}

/// The sweep of what is asked, with its file where one is named.
Result<PulledPtr> begun_sweep(const OverPtr& over, const RunSweep& run, const Asked& asked,
                              const RunControl& control) {
    Result<Sweep> sweep = read_sweep(over, asked);
    if (!sweep) {
        return refuse(sweep.error());
    }
    const std::string path = asked.said.words(out_flag);
    if (path.empty()) {
        return asked.said.has(resume_flag)
                   ? Result<PulledPtr>(refuse("--resume goes on with the file that --out names; give both."))
                   : std::make_shared<PulledSweep>(*std::move(sweep), run, std::nullopt, control);
    }
    if (path == "-") {
        return refuse("--out needs the name of a file, with which --resume goes on.");
    }
    return SweepFile::open(path, *sweep, asked.said.has(resume_flag)).map([&](SweepFile file) {
        return std::make_shared<PulledSweep>(*std::move(sweep), run, std::move(file), control);
    });
}

Result<Answer> answer_sweep(const OverPtr& over, const RunSweep& run, const Asked& asked,
                            const RunControl& control) {
    const Result<PulledPtr> begun = begun_sweep(over, run, asked, control);
    if (!begun) {
        return refuse(begun.error());
    }
    const PulledPtr& pulled = *begun;
    // The first point says which numbers there are, where the question does not.
    if (over && (!over->swept || !pulled->sweep().number.empty())) {
        const Result<void> ran = (pulled->sweep().kept_whole() ? pulled->pull_all() : pulled->look_ahead())
                                     .and_then([&] { return pulled->anything_runs(); })
                                     .and_then([&] { return pulled->has_its_number(asked); });
        if (!ran) {
            return refuse(ran.error());
        }
    }
    const std::string title = sweep_title(pulled->sweep());
    const SweptQuestion shown = shown_as(pulled->sweep(), pulled->points());
    Answer answer{{}, title, title};
    Paragraph words;
    words.pulled = [pulled](const TakeWords& take) { return pull_words(*pulled, take); };
    answer.words.push_back(std::move(words));
    answer.tables.push_back({"points", title, sweep_columns(pulled->sweep(), shown),
                             [pulled](const NamedTable::Take& take) { return pull_rows(*pulled, take); }});
    answer.texts = {drawing("chart", pulled, sweep_svg), drawing("heat-map", pulled, heat_map_svg)};
    answer.pulled_values = [pulled] {
        return may_keep(pulled->sweep(), "--json")
            .and_then([&] { return pulled->pull_all(); })
            .and_then([&] { return pulled->anything_runs(); })
            .map([&] { return sweep_values(pulled->sweep(), pulled->points()); });
    };
    answer.whole = [pulled] {
        return may_keep(pulled->sweep(), "report").and_then([&] { return whole_sweep(*pulled); });
    };
    answer.fits = [pulled] { return pulled->pull_all().has_value() && pulled->all_fit(); };
    return answer;
}

Result<Tree> sweep_numbers(const OverPtr& over, const Asked& asked, const RunControl& control) {
    Result<Sweep> sweep = read_sweep(over, asked);
    if (!sweep) {
        return refuse(sweep.error());
    }
    if (!sweep->kept_whole()) {
        return refuse(checked(*sweep).error());
    }
    PulledSweep pulled(*std::move(sweep), run_here, std::nullopt, control);
    return pulled.pull_all().and_then([&] { return pulled.anything_runs(); }).map([&] {
        return sweep_values(pulled.sweep(), pulled.points());
    });
}

/// Over a question; null: over the step of the scenario.
Question sweep_over(const OverPtr& over, const RunSweep& run) {
    QuestionField vary = text_flag(
        "--vary",
        "NAME=VALUES: a flag without its dashes, and a list (8,16,32; meshslice,wang; 4x4,8x8; 0.5,1,2 or "
        "x0.5,x1,x2 for factors; presets and files) or a range (8:512:x2, 8:64:+8); once or twice");
    vary.row.kind = FieldKind::text_list;
    Question question{
        "sweep",
        "Sweep",
        "",
        "Goes through values of one field or two, such as --vary batch=8:512:x2 --vary links=x0.5,x1,x2",
        {.machine = true, .work = true, .plan = true, .assumptions = true},
        {std::move(vary), text_flag("--of", "COMMAND: what is asked at every point, such as plan or "
                                            "collective, with its flags (default: the step)")}};
    if (over) {
        question.uses = over->uses;
        for (QuestionField field : over->fields) {
            field.needed = false; // What varies has no value of its own.
            question.fields.push_back(std::move(field));
        }
        question.fields.push_back(
            text_flag("--number", "PATH: what the pictures show, such as sizes/3/time_in_s"));
        question.scenario = over->scenario;
        question.kept = over->kept;
    } else {
        question.fields.push_back(
            switch_flag("--simulate", "Simulates every point instead of estimating it"));
    }
    question.scenario.others = [over](const Asked& asked) {
        return algorithms_of(over ? *over : estimate_question(), asked);
    };
    question.numbers = [over](const Asked& asked, const RunControl& control) {
        return sweep_numbers(over, asked, control);
    };
    question.answer = [over, run](const Asked& asked, const RunControl& control) {
        return answer_sweep(over, run, asked, control);
    };
    question.files = {{AnswerFile::Of::text, "chart", "--svg",
                       "FILE: writes a chart of it, with a line for each value of one field"},
                      {AnswerFile::Of::text, "heat-map", "--heat-map",
                       "FILE: writes a heat map of two fields, with a cell for each pair of values"},
                      {AnswerFile::Of::kept,
                       {},
                       out_flag,
                       "FILE: keeps each point there as soon as it is known, a line of JSON each"}};
    return question;
}

} // namespace

Question sweep_question() {
    return sweep_question_by(run_here);
}

Question sweep_question_by(const RunSweep& run) {
    Question question = sweep_over(nullptr, run);
    question.over = [run](const Question& other) {
        return sweep_over(std::make_shared<const Question>(other), run);
    };
    question.examples = {"--vary batch=8:512:x2", "--vary mesh=16x16,32x8 --vary links=x0.5,x1,x2",
                         "--vary algorithm=meshslice,wang,collective --csv"};
    question.says_fit = true;
    return question;
}

} // namespace meshslice
