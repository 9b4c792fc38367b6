#include "core/question/sweep.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>
#include <memory>
#include <utility>

namespace meshslice {
namespace {

constexpr const char* number_key = "number";
constexpr std::size_t most_points = 10'000;

struct Swept {
    Question over;
    std::vector<SweptField> fields;
};

/// A point: a value of each swept field, and the other's numbers there.
struct Point {
    std::vector<FieldValue> at;
    Tree values;
};

const FieldRow& row_of(const Swept& swept, std::size_t which) {
    return swept.over.field(swept.fields[which].key)->row;
}

Tree tree_of(const FieldRow& row, const FieldValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) {
        return *whole;
    }
    const auto* quantity = std::get_if<double>(&value);
    return quantity != nullptr ? Tree(*quantity) : Tree(text(row, value));
}

Table::Cell cell_of(const Tree& value) {
    const std::optional<double> number = value.number();
    return number ? Table::Cell(*number) : Table::Cell(value.is_null() ? "" : value_text({}, value));
}

/// The first field changes slowest.
Result<std::vector<Point>> points_of(const Swept& swept, const Asked& asked, const RunControl& control) {
    std::vector<Point> points;
    const std::size_t inner = swept.fields.size() > 1 ? swept.fields[1].values.size() : 1;
    const std::size_t count = swept.fields[0].values.size() * inner;
    for (std::size_t k = 0; k < count; ++k) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        Point point{{swept.fields[0].values[k / inner]}, {}};
        if (swept.fields.size() > 1) {
            point.at.push_back(swept.fields[1].values[k % inner]);
        }
        OwnValues own = asked.own;
        own.erase(number_key);
        for (std::size_t which = 0; which < point.at.size(); ++which) {
            own[swept.fields[which].key] = point.at[which];
        }
        Result<Asked> one = asked_with(swept.over, std::move(own), asked.speech);
        if (!one) {
            return refuse(one.error());
        }
        one->scenario = asked.scenario;
        one->said = asked.said;
        Result<Tree> values = numbers_of(*one, {control.stop, nullptr, control.memory});
        if (!values) {
            return refuse(values.error());
        }
        point.values = *std::move(values);
        points.push_back(std::move(point));
        if (control.progress != nullptr) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(count));
        }
    }
    return points;
}

Tree values_of(const Swept& swept, const std::vector<Point>& points) {
    Tree list = Tree::array();
    for (const Point& point : points) {
        Tree one = Tree::object();
        for (std::size_t which = 0; which < point.at.size(); ++which) {
            one["at"][swept.fields[which].key] = tree_of(row_of(swept, which), point.at[which]);
        }
        one["values"] = point.values;
        list.push_back(std::move(one));
    }
    Tree values = Tree::object();
    values["points"] = std::move(list);
    return values;
}

Table table_of(const Swept& swept, const std::vector<Point>& points) {
    Table table{swept.over.title, {}, {}};
    for (const SweptField& field : swept.fields) {
        table.columns.push_back(field.key);
    }
    const std::vector<std::string> paths = number_paths(points.front().values);
    table.columns.insert(table.columns.end(), paths.begin(), paths.end());
    for (const Point& point : points) {
        std::vector<Table::Cell> row;
        for (std::size_t which = 0; which < point.at.size(); ++which) {
            row.push_back(cell_of(tree_of(row_of(swept, which), point.at[which])));
        }
        for (const std::string& path : paths) {
            const Tree* const value = point.values.at(path);
            row.push_back(value == nullptr ? Table::Cell("") : cell_of(*value));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

ChartUnit chart_unit(std::string_view unit) {
    return unit == "s"        ? ChartUnit::seconds
           : unit == "B"      ? ChartUnit::bytes
           : unit == "B/s"    ? ChartUnit::byte_rate
           : unit == "FLOP/s" ? ChartUnit::flop_rate
           : unit == "FLOP/B" ? ChartUnit::flop_per_byte
                              : ChartUnit::none;
}

/// A line for each value of the second field, along the values of the first.
Chart chart_of(const Swept& swept, const std::vector<Point>& points, const std::string& path) {
    ChartPanel panel;
    panel.x.label = row_of(swept, 0).name;
    for (const FieldValue& value : swept.fields[0].values) {
        panel.x.categories.push_back(value_text(swept.fields[0].key, tree_of(row_of(swept, 0), value)));
    }
    panel.y = {path, chart_unit(unit_of(path))};
    const std::size_t lines = swept.fields.size() > 1 ? swept.fields[1].values.size() : 1;
    constexpr std::array roles = {Role::compute, Role::transferHorizontal, Role::transferVertical,
                                  Role::slicing, Role::launch};
    for (std::size_t k = 0; k < lines; ++k) {
        ChartSeries line{lines == 1 ? path : text(row_of(swept, 1), swept.fields[1].values[k]),
                         SeriesKind::line};
        line.role = roles[k % roles.size()];
        for (std::size_t at = k; at < points.size(); at += lines) {
            line.values.push_back(number_at(points[at].values, path));
        }
        panel.series.push_back(std::move(line));
    }
    std::vector<std::string> names;
    for (std::size_t which = 0; which < swept.fields.size(); ++which) {
        names.push_back(row_of(swept, which).name);
    }
    return {say("{} by {}", path, fmt::format("{}", fmt::join(names, ", "))), {std::move(panel)}};
}

/// The path that is asked for; nothing said: the first number there is.
Result<std::string> path_of(const Asked& asked, const std::vector<Point>& points) {
    const std::vector<std::string> paths = number_paths(points.front().values);
    const std::string wanted = asked.text(number_key);
    if (wanted.empty() && !paths.empty()) {
        return paths.front();
    }
    if (std::ranges::find(paths, wanted) == paths.end()) {
        return refuse(say("{} is \"{}\"; expected one of {}.", asked.called(number_key), shortened(wanted),
                          fmt::join(paths, ", ")));
    }
    return wanted;
}

Result<Answer> answer_of(const Swept& swept, const Asked& asked, const RunControl& control) {
    const Result<std::vector<Point>> points = points_of(swept, asked, control);
    if (!points) {
        return refuse(points.error());
    }
    const Result<std::string> path = path_of(asked, *points);
    if (!path) {
        return refuse(path.error());
    }
    Chart chart = chart_of(swept, *points, *path);
    Answer answer{values_of(swept, *points), chart.title, swept.over.title};
    answer.tables.push_back(NamedTable::of("points", table_of(swept, *points)));
    answer.charts.push_back({"points", std::move(chart)});
    return answer;
}

} // namespace

Result<Question> sweep_of(Question over, std::vector<SweptField> swept) {
    if (swept.empty() || swept.size() > 2) {
        return refuse(say("A sweep takes one field or two, not {}.", swept.size()));
    }
    std::size_t points = 1;
    for (const SweptField& one : swept) {
        if (over.field(one.key) == nullptr) {
            return refuse(say("{} has no field \"{}\" to sweep.", over.title, shortened(one.key)));
        }
        points *= one.values.size();
    }
    if (points == 0 || points > most_points) {
        return refuse(say("A sweep takes 1 to {} points, not {}.", most_points, points));
    }
    Question question{over.id + "-sweep", say("{}, swept", over.title), {}, over.summary, over.uses};
    for (const QuestionField& field : over.fields) {
        if (std::ranges::find(swept, field.row.key, &SweptField::key) == swept.end()) {
            question.fields.push_back(field);
        }
    }
    question.fields.push_back({.row = {.key = number_key,
                                       .name = said("Number"),
                                       .label = said("Number"),
                                       .help = said("What the chart shows, by its place among the values"),
                                       .flag = "--number",
                                       .flag_help = "PATH: what the chart shows, such as sizes/3/time_in_s"},
                               .width = 2});
    const auto shared = std::make_shared<const Swept>(Swept{std::move(over), std::move(swept)});
    question.numbers = [shared](const Asked& asked, const RunControl& control) {
        return points_of(*shared, asked, control).map([&](const std::vector<Point>& points) {
            return values_of(*shared, points);
        });
    };
    question.answer = [shared](const Asked& asked, const RunControl& control) {
        return answer_of(*shared, asked, control);
    };
    return question;
}

} // namespace meshslice
