#include "core/search/sweep.h"

#include "app/command.h"
#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/scenario_options.h"
#include "core/base/text.h"
#include "core/base/text_table.h"
#include "core/report/chart/chart_svg.h"
#include "core/report/chart/heat_svg.h"
#include "core/report/csv.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_heat.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/fields.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ios>
#include <memory>
#include <ostream>
#include <stop_token>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

enum class Form : std::uint8_t { text, csv, json };

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
         {text(point.time), percent_text(point.utilisation), text(point.exposed),
          percent_text(point.hidden_share), text(point.memory), slices_words(point)}) {
        cells.push_back(plain_spaces(cell));
    }
    if (!point.fits) {
        cells.emplace_back("does not fit");
    }
    return columns.line(cells);
}

/// `meshslice sweep`: a scenario again and again, with one field or two varied.
class SweepCommand final : public Command {
  public:
    [[nodiscard]] std::string summary() const override {
        return "Goes through values of one field or two, such as --vary batch=8:512:x2 --vary "
               "links=x0.5,x1,x2";
    }

    void declare(CLI::App& flags) override {
        scenario_.declare(flags);
        flags
            .add_option("--vary", vary_,
                        "NAME=VALUES: a flag of the scenario without its dashes, and a list (8,16,32; "
                        "meshslice,wang; 4x4,8x8; 0.5,1,2 or x0.5,x1,x2 for factors) or a range (8:512:x2, "
                        "8:64:+8); once or twice")
            ->type_name("")
            ->allow_extra_args(false);
        flags.add_flag("--simulate", simulate_, "Simulates every point instead of estimating it");
        auto* const csv = flags.add_flag("--csv", csv_, "Prints CSV, row by row");
        flags.add_flag("--json", json_, "Prints JSON for programs, when all is done")->excludes(csv);
        auto* const svg = flags.add_option(
            "--svg", svg_, "FILE: writes a chart of it, with a line for each value of one field");
        svg->type_name("");
        flags
            .add_option("--heat-map", heat_,
                        "FILE: writes a heat map of two fields, with a cell for each pair of values")
            ->type_name("")
            ->excludes(svg);
    }

    [[nodiscard]] Result<Printed> run() const override {
        const Result<Scenario> scenario = scenario_.read(varied_algorithms());
        if (!scenario) {
            return refuse(scenario.error());
        }
        if (const auto kept = keeps_what_is_read(scenario_.files(), {svg_, heat_}); !kept) {
            return refuse(kept.error());
        }
        Sweep sweep{*scenario, {}, simulate_ ? Depth::simulate : Depth::estimate};
        for (const std::string& words : vary_) {
            Result<Vary> vary = parse_vary(*scenario, words);
            if (!vary) {
                return refuse(vary.error());
            }
            sweep.fields.push_back(*std::move(vary));
        }
        if (const auto valid = checked(sweep); !valid) {
            return refuse(said_here(sweep, valid.error().sentence));
        }
        if (!heat_.empty() && sweep.fields.size() < 2) {
            return refuse("--heat-map shows two fields against each other; a second --vary was expected.");
        }
        const Form form = json_ ? Form::json : csv_ ? Form::csv : Form::text;
        const std::string& file = heat_.empty() ? svg_ : heat_;
        const Draw draw = heat_.empty() ? sweep_svg : heat_map_svg;
        return Printed{{}, 0, [sweep = std::move(sweep), form, file, draw](const Print& print) {
                           return file.empty() ? run_and_print(sweep, form, print).map([](const Points&) {})
                                               : run_and_draw(sweep, form, file, draw, print);
                       }};
    }

  private:
    [[nodiscard]] OtherAlgorithms varied_algorithms() const {
        OtherAlgorithms varied{{}, true};
        for (const std::string& words : vary_) {
            const Result<Vary> vary = parse_vary(default_scenario(), words);
            for (const FieldValue& value :
                 vary && vary->key == "algorithm" ? vary->values : std::vector<FieldValue>()) {
                varied.ids.push_back(std::get<std::string>(value));
            }
        }
        return varied;
    }

    using Points = std::vector<SweepPoint>;
    using Draw = std::string (*)(const Sweep& sweep, const Points& points);

    static std::string sweep_svg(const Sweep& sweep, const Points& points) {
        return chart_svg(sweep_chart(sweep, points, sweep_finding(sweep, points)), sweep_title(sweep));
    }
    static std::string heat_map_svg(const Sweep& sweep, const Points& points) {
        return heat_svg(sweep_heat(sweep, points, sweep_finding(sweep, points)), sweep_title(sweep));
    }

    /// The refusal with the flags that help.
    static std::string said_here(const Sweep& sweep, const std::string& sentence) {
        if (sweep.fields.empty()) {
            return "Nothing varies: --vary NAME=VALUES was expected, such as --vary batch=8:512:x2.";
        }
        const bool simulated = std::ranges::any_of(sweep.fields, [](const Vary& vary) {
            return (scenario_field(vary.key).tags & of_what_if) != 0U;
        });
        return simulated && sweep.depth == Depth::estimate ? sentence + " Add --simulate." : sentence;
    }

    /// The file is opened first, so that a name that cannot be written to is refused before the run.
    static Result<void> run_and_draw(const Sweep& sweep, Form form, const std::string& file, Draw draw,
                                     const Print& print) {
        Result<void> ran;
        const Result<void> written = write_file(file, [&](std::ostream& out) {
            const Result<Points> points = run_and_print(sweep, form, print);
            if (points) {
                out << draw(sweep, *points);
            } else {
                ran = refuse(points.error());
                out.setstate(std::ios::failbit); // Nothing is put in the place of what was there.
            }
        });
        return ran ? written : ran;
    }

    /// Refused where no point runs.
    static Result<Points> run_and_print(const Sweep& sweep, Form form, const Print& print) {
        const Columns columns = columns_of(sweep);
        Points points;
        std::stop_source stop; // when the output is closed
        const auto say = [&](const std::string& words) {
            if (!print(words)) {
                stop.request_stop();
            }
        };
        if (form == Form::csv) {
            const auto names = sweep_columns(sweep);
            say(csv_line({names.begin(), names.end()}));
        } else if (form == Form::text) {
            say(fmt::format("{}\n\n{}", plain_spaces(sweep_title(sweep)), headings(columns)));
        }
        {
            ProgressLine progress(sweep.depth == Depth::simulate ? "Simulating" : "Estimating");
            const auto take = [&](const SweepPoint& point) {
                points.push_back(point);
                if (form == Form::csv) {
                    say(csv_line(sweep_row(sweep, point)));
                } else if (form == Form::text) {
                    say(row_text(sweep, point, columns));
                }
            };
            if (const auto ran = run_sweep(sweep, take, 0, {stop.get_token(), progress.share()}); !ran) {
                return refuse(ran.error());
            }
        }
        if (form == Form::json) {
            say(sweep_json(sweep, points));
        } else if (form == Form::text) {
            say("\n" + plain_spaces(sweep_finding(sweep, points)) + "\n");
            if (sweep.depth == Depth::estimate && !sweep.scenario.assume.faults.none()) {
                say(fmt::format("{}\n", estimates_are_of_a_healthy_machine));
            }
        }
        if (std::ranges::none_of(points, &SweepPoint::runs)) {
            return refuse(fmt::format("No point of the sweep runs. {}", points.front().objection));
        }
        return points;
    }

    ScenarioOptions scenario_;
    std::vector<std::string> vary_;
    std::string svg_; ///< a file to write; empty for none
    std::string heat_;
    bool simulate_ = false;
    bool csv_ = false;
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> sweep_command() {
    return std::make_unique<SweepCommand>();
}

} // namespace meshslice
