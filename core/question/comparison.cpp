#include "core/question/comparison.h"

#include "core/base/json/json_reader.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/sweep.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* compare_key = "compare";
constexpr std::size_t most_numbers = 20; ///< in words; a table and JSON have all

/// What was asked, without the other value; and over one field with that value.
struct Both {
    Asked first;
    Sweep second;
};

Result<Both> both_of(const std::shared_ptr<const Question>& question, const Asked& asked) {
    const Scenario scenario = asked.scenario == nullptr ? default_scenario() : *asked.scenario;
    Asked first = asked;
    first.own[compare_key] = FieldValue();
    first.said.flags.erase(asked.called(compare_key));
    Result<Vary> vary = parse_vary(*question, scenario, asked.text(compare_key), read_text_file);
    if (!vary) {
        return refuse(fmt::format("{}: {}", asked.called(compare_key), vary.error().sentence));
    }
    if (vary->values.size() != 1) {
        return refuse(say("{} has {} values; expected one, such as batch=256.", asked.called(compare_key),
                          vary->values.size()));
    }
    Sweep second{question, {*std::move(vary)}, scenario, first.own, {}, first.said, first.speech};
    const Result<void> sound = checked(second);
    return sound ? Result<Both>(Both{std::move(first), std::move(second)}) : refuse(sound.error());
}

/// "batch 256".
std::string named(const Sweep& sweep, const std::string& value) {
    return fmt::format("{} {}", sweep.name(0), value.empty() ? said("none") : value);
}
/// The field as it was asked for first.
std::string first_name(const Both& both) {
    const Vary& vary = both.second.fields.front();
    const FieldRow& row = both.second.row(0);
    const FieldValue value =
        vary.own ? both.first.value(vary.key) : scenario_field(vary.key).get(both.second.scenario);
    return named(both.second, value_words(row, {value}).front());
}

std::vector<Paragraph> words_of_both(const Answer& first, const Answer& second, const std::string& headline) {
    Paragraph numbers;
    const Table differing = differing_numbers(first, second, {}, {});
    for (const std::vector<Table::Cell>& row : differing.rows) {
        if (numbers.lines.size() < most_numbers) {
            std::vector<std::string>& line = numbers.lines.emplace_back();
            for (const Table::Cell& cell : row) {
                line.push_back(std::get<std::string>(cell));
            }
        }
    }
    return {{fmt::format("{}\n{}\n\n{}:\n", first.headline, second.headline, headline)}, std::move(numbers)};
}

bool has_bars(const ChartPanel& panel) {
    return !panel.categories().categories.empty();
}

/// Panels of bars whose values are compared by eye end at the same value.
void end_together(ChartPanel& first, ChartPanel& second) {
    double most = 0;
    for (const ChartPanel* one : {&first, &second}) {
        const auto range = value_range(*one, one->horizontal());
        most = std::max({most, range ? range->second : 0, one->values().high.value_or(0)});
    }
    for (ChartPanel* one : {&first, &second}) {
        (one->horizontal() ? one->x : one->y).high = most;
    }
}

std::string called(const std::string& whose, const std::string& what) {
    return what.empty() ? whose : say("{}: {}", whose, what);
}

/// Panel by panel, as long as both have the same ones.
Chart chart_of_both(const Chart& first, const Chart& second, const std::string& first_name,
                    const std::string& second_name) {
    Chart both{first.title == second.title ? first.title : say("{} and {}", first_name, second_name), {}};
    both.notes = first.notes;
    for (std::size_t k = 0; k < std::max(first.panels.size(), second.panels.size()); ++k) {
        const bool paired = k < first.panels.size() && k < second.panels.size();
        if (!paired) {
            const bool own = k < first.panels.size();
            ChartPanel alone = own ? first.panels[k] : second.panels[k];
            alone.title = called(own ? first_name : second_name, alone.title);
            both.panels.push_back(std::move(alone));
            continue;
        }
        ChartPanel one = first.panels[k], other = second.panels[k];
        if (has_bars(one) || has_bars(other)) {
            end_together(one, other);
            one.title = called(first_name, one.title);
            other.title = called(second_name, other.title);
            both.panels.push_back(std::move(one));
            both.panels.push_back(std::move(other));
            continue;
        }
        const std::vector<ChartSeries> own = one.series;
        for (ChartSeries& series : one.series) {
            if (std::ranges::find(other.series, series) == other.series.end()) {
                series.name = called(first_name, series.name);
            }
        }
        for (ChartSeries& series : other.series) {
            if (std::ranges::find(own, series) == own.end()) { // else both have it
                series.name = called(second_name, series.name);
                series.dashed = series.kind == SeriesKind::line;
                one.series.push_back(std::move(series));
            }
        }
        both.panels.push_back(std::move(one));
    }
    return both;
}

} // namespace

Answer comparison_of(const Answer& first, const Answer& second, const std::string& first_name,
                     const std::string& second_name) {
    Table table{say("{} and {}", first_name, second_name),
                {"number", first_name, second_name, "difference", "ratio"},
                {}};
    Tree differences = Tree::array();
    std::size_t other = 0;
    for (const std::string& path : number_paths(first.values)) {
        const double before = *number_at(first.values, path);
        const std::optional<double> after = number_at(second.values, path);
        if (!after) {
            continue;
        }
        const std::optional<double> ratio = before != 0 ? std::optional(*after / before) : std::nullopt;
        other += *after != before ? 1 : 0;
        table.rows.push_back({path, before, *after, *after - before,
                              ratio ? Table::Cell(*ratio) : Table::Cell(std::string())});
        differences.push_back({{"number", path},
                               {"first", before},
                               {"second", *after},
                               {"difference", *after - before},
                               {"ratio", ratio}});
    }
    Answer comparison{
        Tree{{"first", first.values}, {"second", second.values}, {"differences", differences}},
        say("{} and {}: {} of {} numbers differ", first_name, second_name, other, table.rows.size()),
        table.title};
    comparison.confidence = first.confidence == second.confidence ? first.confidence : Confidence::modelled;
    comparison.tables.push_back(NamedTable::of("differences", std::move(table)));
    comparison.charts = charts_of_both(first, second, first_name, second_name);
    for (const Answer* one : {&first, &second}) {
        comparison.runs.insert(comparison.runs.end(), one->runs.begin(), one->runs.end());
        comparison.notes.insert(comparison.notes.end(), one->notes.begin(), one->notes.end());
    }
    return comparison;
}

Table differing_numbers(const Answer& first, const Answer& second, const std::string& first_name,
                        const std::string& second_name) {
    Table table{say("{} and {}", first_name, second_name), {"number", first_name, second_name, "change"}, {}};
    std::vector<std::string> paths = number_paths(first.values);
    std::stable_partition(paths.begin(), paths.end(),
                          [](const std::string& path) { return path.find('/') == std::string::npos; });
    for (const std::string& path : paths) {
        const double before = *number_at(first.values, path);
        const std::optional<double> after = number_at(second.values, path);
        if (after && *after != before) {
            table.rows.push_back(
                {path, value_text(path, *first.values.at(path)), value_text(path, *second.values.at(path)),
                 before != 0 ? fmt::format("x {}", number_text(*after / before)) : std::string()});
        }
    }
    return table;
}

std::vector<NamedChart> charts_of_both(const Answer& first, const Answer& second,
                                       const std::string& first_name, const std::string& second_name) {
    std::vector<NamedChart> charts;
    const auto chart_named = [](const Answer& answer, const std::string& name) {
        return std::ranges::find(answer.charts, name, &NamedChart::name);
    };
    for (const NamedChart& one : first.charts) {
        const auto other = chart_named(second, one.name);
        charts.push_back(
            other == second.charts.end()
                ? one
                : NamedChart{one.name, chart_of_both(one.chart, other->chart, first_name, second_name)});
    }
    for (const NamedChart& one : second.charts) {
        if (chart_named(first, one.name) == first.charts.end()) {
            charts.push_back(one);
        }
    }
    return charts;
}

void add_comparison(Question& question) {
    question.fields.push_back(
        {.row = {.key = compare_key,
                 .name = said("Comparison"),
                 .flag = "--compare",
                 .flag_help = "NAME=VALUE: also with another value of a flag, such as batch=256, and both "
                              "next to each other"}});
    const auto alone = std::make_shared<const Question>(question);
    question.answer = [alone](const Asked& asked, const RunControl& control) -> Result<Answer> {
        if (!asked.has(compare_key)) {
            return alone->answer(asked, control);
        }
        const Result<Both> both = both_of(alone, asked);
        if (!both) {
            return refuse(both.error());
        }
        const Result<Answer> first = alone->answer(both->first, control);
        const Result<Answer> second = first ? answer_at(both->second, 0, control) : first;
        if (!second) {
            return refuse(second.error());
        }
        Answer answer = comparison_of(*first, *second, first_name(*both),
                                      named(both->second, both->second.words(0).front()));
        answer.words = words_of_both(*first, *second, answer.headline);
        return answer;
    };
}

} // namespace meshslice
