#include "core/report/sweep/sweep_table.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/report/words/block_words.h"
#include "core/report/words/column_words.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// As the other tables name units.
constexpr std::array<std::pair<std::string_view, const char*>, 4> unit_suffixes = {
    {{"B/s", "_bytes_per_s"}, {"FLOP/s", "_flop_per_s"}, {"B", "_bytes"}, {"s", "_s"}}};

/// What the column's name ends in, where the number of a field has one: "_bytes_per_s".
std::string_view number_suffix(const FieldRow& row) {
    const auto* const suffix = std::ranges::find(unit_suffixes, std::string_view(row.unit),
                                                 [](const auto& one) { return one.first; });
    return suffix == unit_suffixes.end() ? "_number" : suffix->second;
}

/// The key without its unit: "faults.jitter" of "faults.jitter_s".
std::string value_column(const FieldRow& row) {
    std::string key = row.key;
    if (const std::string_view suffix = number_suffix(row); !row.unit.empty() && key.ends_with(suffix)) {
        key.resize(key.size() - suffix.size());
    }
    return key;
}

/// Of a quantity, which has a column of its own for the number next to what was asked for:
/// "links_bytes_per_s"; else empty.
std::string number_column(const FieldRow& row) {
    return row.kind != FieldKind::quantity && !row.factors
               ? std::string()
               : fmt::format("{}{}", value_column(row), number_suffix(row));
}

Table::Cell number_cell(const FieldValue& value) {
    if (const auto* quantity = std::get_if<double>(&value)) {
        return *quantity;
    }
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? Table::Cell(*whole) : Table::Cell(std::string());
}

/// A number stays one; all else as it was asked for.
Table::Cell value_cell(const FieldRow& row, const FieldValue& value) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    return whole != nullptr ? Table::Cell(*whole) : Table::Cell(text(row, value));
}

/// Of numbers that a question names itself.
Table::Cell cell_of(const Tree* value) {
    if (value == nullptr || value->is_null()) {
        return std::string();
    }
    if (const auto* whole = std::get_if<std::int64_t>(&value->value())) {
        return *whole;
    }
    if (const auto* on = std::get_if<bool>(&value->value())) {
        return std::string(*on ? "yes" : "no");
    }
    const std::optional<double> number = value->number();
    return number ? Table::Cell(*number) : Table::Cell(value_text({}, *value));
}

ChartUnit chart_unit(std::string_view unit) {
    return unit == "s"        ? ChartUnit::seconds
           : unit == "B"      ? ChartUnit::bytes
           : unit == "B/s"    ? ChartUnit::byte_rate
           : unit == "FLOP/s" ? ChartUnit::flop_rate
           : unit == "FLOP/B" ? ChartUnit::flop_per_byte
                              : ChartUnit::none;
}

/// Of a table in words, of numbers that nobody chose.
constexpr std::size_t most_text_columns = 5;

/// The number that is asked for; nothing said: the first time, or else the first that there is.
std::string first_path(const Sweep& sweep, const std::vector<std::string>& paths) {
    if (!sweep.number.empty()) {
        return sweep.number;
    }
    const auto time =
        std::ranges::find_if(paths, [](const std::string& path) { return unit_of(path) == "s"; });
    return time != paths.end() ? *time : paths.empty() ? std::string() : paths.front();
}

/// All of the row in words.
std::string printed(const SweptQuestion& shown, const SweepPoint& point) {
    std::string words;
    for (const PointColumn& column : shown.text) {
        words += cell_words(column, point) + "; ";
    }
    return words;
}

std::string by_value(const Sweep& sweep, const SweptQuestion& shown, std::vector<const SweepPoint*> points,
                     bool alike) {
    const Measure& measure = shown.measures.front();
    std::erase_if(points, [&](const SweepPoint* point) { return !point->number(measure.path); });
    if (points.empty()) {
        return {};
    }
    const auto value = [&](const SweepPoint* point) { return point->number(measure.path).value_or(0); };
    const auto [least, most] = std::ranges::minmax_element(points, {}, value);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        names.push_back(say("the {}", sweep.name(k)));
    }
    const std::string begin = measure.name == measure.path ? measure.name : capitalized(measure.name);
    return alike ? say("No difference is made by {}: {} {}.", listed(names, "or"), measure.name,
                       measured_words(measure, value(*least)))
                 : say("{}: least {} with {}, most {} with {}.", begin,
                       measured_words(measure, value(*least)), point_words(sweep, **least),
                       measured_words(measure, value(*most)), point_words(sweep, **most));
}

/// Whether the question's own finding speaks of the number that is asked for.
bool finding_covers(const Sweep& sweep) {
    constexpr std::size_t found = 2; // the measures that a finding is about
    const std::vector<Measure>& all = sweep.over->swept->measures;
    const auto at = std::ranges::find(all, sweep.number, &Measure::path) - all.begin();
    return sweep.number.empty() || static_cast<std::size_t>(at) < std::min(found, all.size());
}

/// Those that some point that runs has; all where none is known.
std::vector<Measure> had_by(const std::vector<SweepPoint>& points, std::vector<Measure> all) {
    const auto has = [&](const Measure& one) { return any_has(points, one); };
    if (std::ranges::any_of(all, has)) {
        std::erase_if(all, [&](const Measure& one) { return !has(one); });
    }
    return all;
}

/// "32", "8x8", "x 0.5" of the field in this place.
std::string value_words_of(const Sweep& sweep, const SweepPoint& point, std::size_t which) {
    const std::vector<FieldValue>& all = sweep.fields[which].values;
    const auto at = std::ranges::find(all, point.values[which]) - all.begin();
    return sweep.words(which)[static_cast<std::size_t>(at)];
}

/// "elements of the weights int8" of a name and "weights int8", whose first word the name has last.
std::string named_value(const std::string& name, const std::string& value) {
    const std::string first = value.substr(0, value.find(' '));
    const bool twice = first.size() < value.size() && name.ends_with(" " + first);
    return name + (twice ? value.substr(first.size()) : " " + value);
}

} // namespace

std::string cell_words(const PointColumn& column, const SweepPoint& point) {
    const Table::Cell cell = column.cell(point);
    const auto* words = std::get_if<std::string>(&cell);
    if (words != nullptr) {
        return *words;
    }
    const auto* whole = std::get_if<std::int64_t>(&cell);
    return value_text(column.name, whole != nullptr ? Tree(*whole) : Tree(std::get<double>(cell)));
}

std::string measured_words(const Measure& measure, double value) {
    return measure.unit == ChartUnit::share     ? percent_text(value)
           : measure.unit == ChartUnit::seconds ? seconds_text(value)
                                                : value_text(measure.path, Tree(value));
}

bool any_has(const std::vector<SweepPoint>& points, const Measure& measure) {
    return std::ranges::any_of(points, [&](const SweepPoint& point) {
        return point.runs() && point.number(measure.path).has_value();
    });
}

std::string lacking_words(const Measure& measure) {
    return say("A has no {}.", measure.name);
}

std::optional<Measure> time_of(const Sweep& sweep, const std::vector<SweepPoint>& points,
                               const std::vector<SweepPoint>& of_a) {
    if (!sweep.over->swept) {
        return std::nullopt;
    }
    std::vector<Measure> times = sweep.over->swept->measures;
    std::erase_if(times, [](const Measure& one) { return one.unit != ChartUnit::seconds; });
    times = had_by(of_a, had_by(points, std::move(times)));
    return times.empty() ? std::nullopt : std::optional(times.front());
}

Measure measure_of(const std::string& path, std::string name) {
    const ChartUnit unit = chart_unit(unit_of(path));
    return {path, std::move(name), unit, unit == ChartUnit::seconds ? Better::less : Better::not_said};
}

SweptQuestion shown_as(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    SweptQuestion shown = sweep.over->swept ? *sweep.over->swept : SweptQuestion();
    const auto first = std::ranges::find_if(points, &SweepPoint::runs);
    const std::vector<std::string> all =
        first == points.end() ? std::vector<std::string>() : number_paths(first->numbers);
    const std::string path = first_path(sweep, all);
    if (shown.measures.empty() || !sweep.number.empty()) {
        const auto known = std::ranges::find(shown.measures, path, &Measure::path);
        const bool inner = path.find('/') != std::string::npos; // its words would not say of what
        shown.measures = {
            known != shown.measures.end() ? *known : measure_of(path, inner ? path : words_of_column(path))};
    }
    shown.measures = had_by(points, std::move(shown.measures));
    if (shown.columns.empty()) {
        shown.columns = all;
    }
    // Those that the fields change tell more.
    const auto stays = [&](const std::string& one) {
        return std::ranges::all_of(points, [&](const SweepPoint& point) {
            return !point.runs() || point.number(one) == first->number(one);
        });
    };
    std::vector<std::string> few = {path};
    for (const bool changed : {true, false}) {
        std::ranges::copy_if(all, std::back_inserter(few), [&](const std::string& one) {
            return one != path && stays(one) != changed &&
                   std::ranges::none_of(sweep.fields, [&](const Vary& vary) { // which has a column
                       return one == vary.key || one.starts_with(vary.key + "/");
                   });
        });
    }
    few.resize(std::min(few.size(), most_text_columns));
    for (std::vector<PointColumn>* columns : {&shown.text, &shown.table}) {
        for (std::size_t k = 0; k < sweep.fields.size(); ++k) { // which have columns of their own
            std::erase_if(*columns,
                          [name = sweep.name(k)](const PointColumn& one) { return one.name == name; });
        }
        for (const std::string& one : columns->empty() ? few : std::vector<std::string>()) {
            columns->push_back(
                {one, [one](const SweepPoint& point) { return cell_of(point.numbers.at(one)); }});
        }
    }
    return shown;
}

std::vector<std::string> sweep_columns(const Sweep& sweep, const SweptQuestion& shown) {
    std::vector<std::string> columns;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        columns.push_back(value_column(sweep.row(k)));
        if (std::string number = number_column(sweep.row(k)); !number.empty()) {
            columns.push_back(std::move(number));
        }
    }
    columns.insert(columns.end(), shown.columns.begin(), shown.columns.end());
    columns.emplace_back("does_not_run");
    return columns;
}

std::vector<Table::Cell> sweep_row(const Sweep& sweep, const SweptQuestion& shown, const SweepPoint& point) {
    std::vector<Table::Cell> row;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        row.push_back(value_cell(sweep.row(k), point.values[k]));
        if (!number_column(sweep.row(k)).empty()) {
            row.push_back(number_cell(point.results[k]));
        }
    }
    for (const std::string& path : shown.columns) {
        row.push_back(cell_of(point.runs() ? point.numbers.at(path) : nullptr));
    }
    row.emplace_back(point.objection);
    return row;
}

Table shown_sweep_table(const Sweep& sweep, const SweptQuestion& shown,
                        const std::vector<SweepPoint>& points) {
    Table table;
    table.title = "Sweep";
    std::vector<std::vector<std::string>> words;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        table.columns.push_back(sweep.row(k).name);
        words.push_back(sweep.words(k));
    }
    // What says whether a point can be taken comes before the details.
    const std::size_t before = std::min(shown.table.size(), std::size_t{3});
    for (std::size_t k = 0; k < shown.table.size(); ++k) {
        table.columns.push_back(shown.table[k].name);
        if (k + 1 == before) {
            table.columns.emplace_back("note");
        }
    }
    std::vector<std::size_t> places(sweep.fields.size()); // points follow the values
    for (const SweepPoint& point : points) {
        std::vector<Table::Cell> row;
        for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
            if (const auto* whole = std::get_if<std::int64_t>(&point.values[k])) {
                row.emplace_back(*whole);
                continue;
            }
            const std::vector<FieldValue>& values = sweep.fields[k].values;
            for (std::size_t step = 0; step < values.size() && values[places[k]] != point.values[k]; ++step) {
                places[k] = (places[k] + 1) % values.size();
            }
            row.emplace_back(words[k][places[k]]);
        }
        for (std::size_t k = 0; k < shown.table.size(); ++k) {
            row.push_back(point.runs() ? shown.table[k].cell(point) : Table::Cell(std::string()));
            if (k + 1 == before) {
                row.emplace_back(point_note(point));
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

void add_reference(Table& table, const Sweep& sweep, const std::vector<SweepPoint>& points,
                   const std::vector<SweepPoint>& of_a) {
    const std::optional<Measure> time = time_of(sweep, points, of_a);
    if (!time) {
        return;
    }
    const auto column = std::ranges::find(table.columns, time->path); // at the end where none is called so
    const auto at = column - table.columns.begin() + (column == table.columns.end() ? 0 : 1);
    table.columns.insert(table.columns.begin() + at, {"A " + time->path, "difference " + time->path});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto time_in = [&](const std::vector<SweepPoint>& of) {
            return row < of.size() && of[row].runs() ? of[row].number(time->path) : std::nullopt;
        };
        const std::optional<double> a = time_in(of_a), b = time_in(points);
        const Table::Cell none = std::string();
        table.rows[row].insert(table.rows[row].begin() + at,
                               {a ? Table::Cell(*a) : none, a && b ? Table::Cell(*b - *a) : none});
    }
}

std::string sweep_difference(const Sweep& sweep, const std::vector<SweepPoint>& points,
                             const std::vector<SweepPoint>& of_a) {
    const std::optional<Measure> time = time_of(sweep, points, of_a);
    std::vector<std::size_t> both;
    for (std::size_t k = 0; time && k < std::min(points.size(), of_a.size()); ++k) {
        if (points[k].number(time->path) && of_a[k].number(time->path)) {
            both.push_back(k);
        }
    }
    const auto time_in = [&](const SweepPoint& point) { return *point.number(time->path); };
    const auto same = [&](std::size_t k) {
        return seconds_text(time_in(points[k])) == seconds_text(time_in(of_a[k]));
    };
    const auto by = [&](std::size_t k) {
        const double times = time_in(points[k]) / time_in(of_a[k]);
        const std::string share = percent_text(std::abs(times - 1));
        return same(k)                                ? said("the same time")
               : times < 1                            ? say("{} less time", share)
               : number_text(times) == number_text(1) ? say("{} more time", share)
                                                      : say("{} times as long", number_text(times));
    };
    if (both.empty()) {
        return {};
    }
    if (both.size() > 1 && std::ranges::all_of(both, same)) {
        return said("A and B take the same time at every point.");
    }
    return both.size() == 1
               ? say("B against A takes {} with {}.", by(both[0]), point_words(sweep, points[both[0]]))
               : say("B against A takes {} with {}, {} with {}.", by(both.front()),
                     point_words(sweep, points[both.front()]), by(both.back()),
                     point_words(sweep, points[both.back()]));
}

std::string point_note(const SweepPoint& point) {
    if (!point.runs() || point.fits()) {
        return point.objection;
    }
    const std::optional<double> needs = point.number("memory_bytes");
    const std::optional<double> room = point.number("hbm_bytes");
    const auto bytes = [](double number) { return Bytes(std::llround(number)); };
    return needs && room ? say("does not fit: {} per chip", room_text(bytes(*needs), bytes(*room)))
           : needs       ? say("does not fit: {} per chip", text(bytes(*needs)))
                         : said("does not fit");
}

Table sweep_table(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    const SweptQuestion shown = shown_as(sweep, points);
    Table table;
    table.title = "Sweep";
    table.columns = sweep_columns(sweep, shown);
    for (const SweepPoint& point : points) {
        table.rows.push_back(sweep_row(sweep, shown, point));
    }
    return table;
}

Tree sweep_values(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    const auto& swept = sweep.over->swept;
    const bool few = swept && !swept->columns.empty();
    Tree json;
    json[swept && !swept->reading.empty() ? "reading" : "of"] =
        swept && !swept->reading.empty() ? swept->reading : sweep.over->id;
    json["fields"] = Tree::array();
    SweptQuestion fields; // without columns
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        json["fields"].push_back(value_column(sweep.row(k)));
    }
    json["points"] = Tree::array();
    const std::vector<std::string> columns = sweep_columns(sweep, fields);
    for (const SweepPoint& point : points) {
        const std::vector<Table::Cell> row = sweep_row(sweep, fields, point);
        Tree at;
        for (std::size_t k = 0; k + 1 < columns.size(); ++k) {
            const auto* words = std::get_if<std::string>(&row[k]);
            if (words == nullptr || !words->empty()) {
                std::visit([&](const auto& value) { at[columns[k]] = value; }, row[k]);
            }
        }
        // Few numbers stand next to the fields; else they are an answer of their own.
        Tree one = few ? at : Tree{{"at", at}};
        for (const std::string& path : few&& point.runs() ? swept->columns : std::vector<std::string>()) {
            if (const Tree* const value = point.numbers.at(path)) {
                one[path] = *value;
            }
        }
        if (!few && point.runs()) {
            one["values"] = point.numbers;
        }
        if (!point.runs()) {
            one["does_not_run"] = point.objection;
        }
        json["points"].push_back(std::move(one));
    }
    return json;
}

std::string sweep_title(const Sweep& sweep) {
    std::vector<std::string> counts;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const std::string name = sweep.name(k);
        const std::size_t count = sweep.fields[k].values.size();
        counts.push_back(count == 1 ? say("1 value of the {}", name)
                                    : say("{} values of the {}", count, name));
    }
    const auto& swept = sweep.over->swept;
    return capitalized(swept && swept->title ? swept->title(sweep, listed(counts))
                                             : say("{}: {}", sweep.over->title, listed(counts)));
}

std::string point_words(const Sweep& sweep, const SweepPoint& point) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        words.push_back(named_value(sweep.name(k), value_words_of(sweep, point, k)));
    }
    return fmt::format("{}", fmt::join(words, said(", ")));
}

std::string fitting_words(std::size_t fit, std::size_t all) {
    return fit == 1 ? say("1 of {} points fits into a chip's memory.", all)
                    : say("{} of {} points fit into a chip's memory.", fit, all);
}

std::string sweep_finding(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    const SweptQuestion shown = shown_as(sweep, points);
    const auto refused = std::ranges::count_if(points, [](const SweepPoint& one) { return !one.runs(); });
    const auto large =
        std::ranges::count_if(points, [](const SweepPoint& one) { return one.runs() && !one.fits(); });
    std::vector<const SweepPoint*> good;
    for (const SweepPoint& point : points) {
        if (point.runs() && point.fits()) {
            good.push_back(&point);
        }
    }
    const bool alike =
        good.size() > 1 && good.size() == points.size() && std::ranges::all_of(good, [&](const auto* one) {
            return printed(shown, *one) == printed(shown, *good.front());
        });
    std::string words;
    if (!good.empty()) {
        words = shown.finding && finding_covers(sweep) ? shown.finding(sweep, good, alike) : std::string();
        words = words.empty() ? by_value(sweep, shown, good, alike) : words;
    }
    if (large > 0 && !words.empty()) { // what is best is so among these alone
        words = say("{} Of these: {}", fitting_words(good.size(), points.size()), words);
    }
    const auto add = [&](const std::string& sentence) {
        words += (words.empty() ? std::string() : said(" ")) + sentence;
    };
    const std::size_t all = points.size();
    if (large > 0 && good.empty()) {
        add(all == 1     ? said("1 of 1 point does not fit into a chip's memory.")
            : large == 1 ? say("1 of {} points does not fit into a chip's memory.", all)
                         : say("{} of {} points do not fit into a chip's memory.", large, all));
    }
    if (refused > 0) {
        add(all == 1       ? said("1 of 1 point does not run.")
            : refused == 1 ? say("1 of {} points does not run.", all)
                           : say("{} of {} points do not run.", refused, all));
    }
    return words;
}

std::string finding_in_a_line(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    std::string finding = sweep_finding(sweep, points);
    std::ranges::replace(finding, '\n', ' ');
    return finding;
}

} // namespace meshslice
