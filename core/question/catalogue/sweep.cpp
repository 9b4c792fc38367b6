// A scenario again and again, with one field or two varied.

#include "core/search/sweep.h"

#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/questions.h"
#include "core/report/chart/chart_svg.h"
#include "core/report/chart/heat_svg.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_heat.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

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

Columns columns_of(const Sweep& sweep) {
    Columns all;
    for (const Vary& vary : sweep.fields) {
        const Field<Scenario>& field = scenario_field(vary.key);
        std::size_t width = field.name.size();
        all.values.push_back(value_words(vary));
        for (std::string& words : all.values.back()) {
            words = plain_spaces(words);
            width = std::max(width, words.size());
        }
        all.columns.emplace_back(field.name, width);
    }
    all.left = sweep.fields.size();
    for (const char* heading : {"time", "of peak", "exposed", "hidden", "memory", "S"}) {
        all.columns.emplace_back(heading, 8);
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

std::string row_text(const Sweep& sweep, const SweepPoint& point, const Columns& columns) {
    std::vector<std::string> cells;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const auto& all = sweep.fields[k].values;
        const auto at = std::ranges::find(all, point.values[k]) - all.begin();
        cells.push_back(columns.values[k][static_cast<std::size_t>(at)]);
    }
    if (!point.runs()) { // The sentence stands where the numbers would.
        Columns fields = columns;
        fields.columns.resize(cells.size());
        cells.push_back(plain_spaces(point.objection));
        return fields.line(cells);
    }
    for (const std::string& cell :
         {text(point.time), percent_text(point.utilization), text(point.exposed),
          percent_text(point.hidden_share), text(point.memory), slices_words(point)}) {
        cells.push_back(plain_spaces(cell));
    }
    if (!point.fits) {
        cells.emplace_back("does not fit");
    }
    return columns.line(cells);
}

std::vector<std::string> varied(const Asked& asked) {
    const auto* list = std::get_if<std::vector<std::string>>(&asked.value("vary"));
    return list == nullptr ? std::vector<std::string>() : *list;
}

OtherAlgorithms varied_algorithms(const Asked& asked) {
    OtherAlgorithms others{{}, true};
    for (const std::string& words : varied(asked)) {
        const Result<Vary> vary = parse_vary(default_scenario(), words);
        for (const FieldValue& value :
             vary && vary->key == "algorithm" ? vary->values : std::vector<FieldValue>()) {
            others.ids.push_back(std::get<std::string>(value));
        }
    }
    return others;
}

/// The refusal with what helps.
std::string said_here(const Asked& asked, const Sweep& sweep, const std::string& sentence) {
    if (sweep.fields.empty()) {
        return fmt::format("Nothing varies: expected {} NAME=VALUES, such as {} batch=8:512:x2.",
                           asked.called("vary"), asked.called("vary"));
    }
    const bool simulated = std::ranges::any_of(
        sweep.fields, [](const Vary& vary) { return (scenario_field(vary.key).tags & of_what_if) != 0U; });
    return simulated && sweep.depth == Depth::estimate
               ? fmt::format("{} Add {}.", sentence, asked.called("simulate"))
               : sentence;
}

Result<Sweep> read_sweep(const Asked& asked) {
    Sweep sweep{*asked.scenario, {}, asked.flag("simulate") ? Depth::simulate : Depth::estimate};
    for (const std::string& words : varied(asked)) {
        Result<Vary> vary = parse_vary(*asked.scenario, words);
        if (!vary) {
            return refuse(vary.error());
        }
        sweep.fields.push_back(*std::move(vary));
    }
    if (const Result<void> valid = checked(sweep); !valid) {
        return refuse(said_here(asked, sweep, valid.error().sentence));
    }
    const bool heat = asked.said.has("--heat-map");
    if (heat && asked.said.has("--svg")) {
        return refuse("--heat-map excludes --svg: both draw the same points; give one of them.");
    }
    if (heat && sweep.fields.size() < 2) {
        return refuse("--heat-map shows two fields against each other; expected a second --vary.");
    }
    return sweep;
}

/// A sweep that runs when its points are pulled for the first time, and keeps them.
class PulledSweep {
  public:
    PulledSweep(Sweep sweep, RunControl control) : sweep_(std::move(sweep)), control_(std::move(control)) {}

    [[nodiscard]] const Sweep& sweep() const { return sweep_; }
    [[nodiscard]] const std::vector<SweepPoint>& points() const { return points_; }

    /// Hands over point by point, each as soon as it is known, until `take` says that it wants no more.
    template <class Take>
    [[nodiscard]] Result<void> pull(const Take& take) {
        for (std::size_t k = 0; k < points_.size(); ++k) {
            if (!take(points_[k])) {
                return {};
            }
        }
        std::stop_source stop;
        const auto on = [&](const SweepPoint& point) {
            points_.push_back(point);
            if (!take(point) || control_.stop.stop_requested()) {
                stop.request_stop();
            }
        };
        return points_.size() == sweep_.size()
                   ? Result<void>()
                   : run_sweep(sweep_, on, points_.size(), {stop.get_token(), control_.progress});
    }
    [[nodiscard]] Result<void> pull_all() {
        return pull([](const SweepPoint&) { return true; });
    }
    /// Refuses where no point runs.
    [[nodiscard]] Result<void> anything_runs() const {
        return std::ranges::any_of(points_, &SweepPoint::runs)
                   ? Result<void>()
                   : refuse(fmt::format("No point of the sweep runs. {}", points_.front().objection));
    }

  private:
    Sweep sweep_;
    RunControl control_;
    std::vector<SweepPoint> points_;
};
using PulledPtr = std::shared_ptr<PulledSweep>;
using TakeWords = std::function<bool(const std::string& words)>;

/// Title and headings, a row for each point, and what was found.
Result<void> pull_words(PulledSweep& pulled, const TakeWords& take) {
    const Sweep& sweep = pulled.sweep();
    const Columns columns = columns_of(sweep);
    if (!take(fmt::format("{}\n\n{}", plain_spaces(sweep_title(sweep)), headings(columns)))) {
        return {};
    }
    if (const Result<void> ran =
            pulled.pull([&](const SweepPoint& point) { return take(row_text(sweep, point, columns)); });
        !ran) {
        return ran;
    }
    const std::string healthy = sweep.depth == Depth::estimate && !sweep.scenario.assume.faults.none()
                                    ? fmt::format("{}\n", estimates_are_of_a_healthy_machine)
                                    : std::string();
    take("\n" + plain_spaces(sweep_finding(sweep, pulled.points())) + "\n" + healthy);
    return pulled.anything_runs();
}

Result<void> pull_rows(PulledSweep& pulled, const NamedTable::Take& take) {
    return pulled.pull([&](const SweepPoint& point) { return take(sweep_row(pulled.sweep(), point)); })
        .and_then([&] { return pulled.anything_runs(); });
}

using Draw = std::string (*)(const Sweep& sweep, const std::vector<SweepPoint>& points);

std::string sweep_svg(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    return chart_svg(sweep_chart(sweep, points, sweep_finding(sweep, points)), sweep_title(sweep));
}
std::string heat_map_svg(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    return heat_svg(sweep_heat(sweep, points, sweep_finding(sweep, points)), sweep_title(sweep));
}

NamedText drawing(std::string name, const PulledPtr& pulled, Draw draw) {
    return {std::move(name), [pulled, draw](std::ostream& out) {
                return pulled->pull_all().and_then([&] { return pulled->anything_runs(); }).map([&] {
                    out << draw(pulled->sweep(), pulled->points());
                });
            }};
}

Result<Answer> answer_sweep(const Asked& asked, const RunControl& control) {
    Result<Sweep> sweep = read_sweep(asked);
    if (!sweep) {
        return refuse(sweep.error());
    }
    const auto pulled = std::make_shared<PulledSweep>(*std::move(sweep), control);
    const std::string title = sweep_title(pulled->sweep());
    Answer answer{{}, title, title};
    Paragraph words;
    words.pulled = [pulled](const TakeWords& take) { return pull_words(*pulled, take); };
    answer.words.push_back(std::move(words));
    answer.tables.push_back({"points", title, sweep_columns(pulled->sweep()),
                             [pulled](const NamedTable::Take& take) { return pull_rows(*pulled, take); }});
    answer.texts = {drawing("chart", pulled, sweep_svg), drawing("heat-map", pulled, heat_map_svg)};
    return answer;
}

Result<Tree> sweep_numbers(const Asked& asked, const RunControl& control) {
    Result<Sweep> sweep = read_sweep(asked);
    if (!sweep) {
        return refuse(sweep.error());
    }
    PulledSweep pulled(*std::move(sweep), control);
    return pulled.pull_all().and_then([&] { return pulled.anything_runs(); }).map([&] {
        return sweep_values(pulled.sweep(), pulled.points());
    });
}

} // namespace

Question sweep_question() {
    QuestionField vary = text_flag(
        "--vary",
        "NAME=VALUES: a flag of the scenario without its dashes, and a list (8,16,32; meshslice,wang; "
        "4x4,8x8; 0.5,1,2 or x0.5,x1,x2 for factors) or a range (8:512:x2, 8:64:+8); once or twice");
    vary.row.kind = FieldKind::text_list;
    return {"sweep",
            "Sweep",
            "",
            "Goes through values of one field or two, such as --vary batch=8:512:x2 --vary links=x0.5,x1,x2",
            {.machine = true, .work = true, .plan = true, .assumptions = true},
            {std::move(vary), switch_flag("--simulate", "Simulates every point instead of estimating it")},
            sweep_numbers,
            answer_sweep,
            {.others = varied_algorithms},
            {{AnswerFile::Of::text, "chart", "--svg",
              "FILE: writes a chart of it, with a line for each value of one field"},
             {AnswerFile::Of::text, "heat-map", "--heat-map",
              "FILE: writes a heat map of two fields, with a cell for each pair of values"}}};
}

} // namespace meshslice
