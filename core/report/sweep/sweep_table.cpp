#include "core/report/sweep/sweep_table.h"

#include "core/base/listing.h"
#include "core/base/say.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/machine/edit.h"
#include "core/report/words/block_words.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
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

bool varies(const Sweep& sweep, std::string_view key) {
    return std::ranges::find(sweep.fields, key, &Vary::key) != sweep.fields.end();
}

/// "32x8 of TPU v4, link bandwidth x 0.5": what all points have of it.
std::string machine_words(const Sweep& sweep, const Scenario& shared) {
    const std::string edited = text(edits(shared.hardware));
    std::vector<std::string> words;
    if (!varies(sweep, "mesh")) {
        words.push_back(fmt::format("{}", fmt::join(shared.mesh, "x")));
    }
    if (!varies(sweep, "hardware")) {
        words.push_back(shared.hardware.title);
    } else if (!edited.empty()) {
        words.push_back(say("machines with {}", edited));
    }
    return words.empty() ? std::string() : say(" on {}", fmt::join(words, said(" of ")));
}

/// Those of the points that are as good as the best by what is printed.
std::vector<const SweepPoint*> best(const std::vector<const SweepPoint*>& points,
                                    bool (*better)(const SweepPoint&, const SweepPoint&),
                                    std::string (*printed)(const SweepPoint&)) {
    const SweepPoint& first = **std::ranges::min_element(
        points, [&](const SweepPoint* a, const SweepPoint* b) { return better(*a, *b); });
    std::vector<const SweepPoint*> all;
    std::ranges::copy_if(points, std::back_inserter(all),
                         [&](const SweepPoint* one) { return printed(*one) == printed(first); });
    return all;
}

std::string printed_utilization(const SweepPoint& point) {
    return percent_text(point.utilization);
}
std::string printed_time(const SweepPoint& point) {
    return text(point.time);
}
/// All of its row.
std::string printed(const SweepPoint& point) {
    return fmt::format("{}",
                       fmt::join({printed_time(point), printed_utilization(point), text(point.exposed),
                                  percent_text(point.hidden_share), text(point.memory), slices_words(point)},
                                 "; "));
}

constexpr std::size_t most_named = 3;

/// "batch 8", "batch 8; batch 16", "batch 8; batch 16; batch 32; and 4 more".
std::string named(const Sweep& sweep, const std::vector<const SweepPoint*>& points) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < std::min(points.size(), most_named); ++k) {
        words.push_back(point_words(sweep, *points[k]));
    }
    if (points.size() > most_named) {
        words.push_back(say("and {} more", points.size() - most_named));
    }
    return fmt::format("{}", fmt::join(words, said("; ")));
}

/// Of points that run and fit, at least one.
std::string best_words(const Sweep& sweep, const std::vector<const SweepPoint*>& points) {
    const auto busiest = best(
        points, [](const auto& a, const auto& b) { return a.utilization > b.utilization; },
        printed_utilization);
    std::string words = say("Highest FLOP utilization: {} with {}.", printed_utilization(*busiest.front()),
                            named(sweep, busiest));
    if (std::ranges::any_of(points, [&](const auto* one) { return one->flop != points.front()->flop; })) {
        return words; // A time says nothing where another amount of work is done in it.
    }
    const auto fastest = best(
        points, [](const auto& a, const auto& b) { return a.time < b.time; }, printed_time);
    const std::string time = printed_time(*fastest.front());
    if (fastest == busiest) {
        return words + said(" ") +
               (fastest.size() == 1 ? say("It is also the fastest: {}.", time)
                                    : say("They are also the fastest: {}.", time));
    }
    return words + said(" ") + say("Fastest: {} with {}.", time, named(sweep, fastest));
}

} // namespace

std::vector<std::string> sweep_columns(const Sweep& sweep) {
    std::vector<std::string> columns;
    for (const Vary& vary : sweep.fields) {
        columns.push_back(value_column(scenario_field(vary.key)));
        if (std::string number = number_column(scenario_field(vary.key)); !number.empty()) {
            columns.push_back(std::move(number));
        }
    }
    for (const char* column : {"time_s", "flop_utilization", "compute_s", "exposed_s", "hidden_share",
                               "memory_bytes", "fits", "least_slices", "most_slices", "does_not_run"}) {
        columns.emplace_back(column);
    }
    return columns;
}

std::vector<Table::Cell> sweep_row(const Sweep& sweep, const SweepPoint& point) {
    std::vector<Table::Cell> row;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const Field<Scenario>& field = scenario_field(sweep.fields[k].key);
        row.push_back(value_cell(field, point.values[k]));
        if (!number_column(field).empty()) {
            row.push_back(number_cell(point.results[k]));
        }
    }
    if (!point.runs()) {
        row.resize(sweep_columns(sweep).size() - 1, std::string());
        row.emplace_back(point.objection);
        return row;
    }
    for (const Table::Cell& cell : std::initializer_list<Table::Cell>{
             in_seconds(point.time), point.utilization, in_seconds(point.compute), in_seconds(point.exposed),
             point.hidden_share, point.memory.value(), std::string(point.fits ? "yes" : "no"),
             point.least_slices, point.most_slices, std::string()}) {
        row.push_back(cell);
    }
    return row;
}

Table shown_sweep_table(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    Table table;
    table.title = "Sweep";
    std::vector<std::vector<std::string>> words;
    for (const Vary& vary : sweep.fields) {
        table.columns.push_back(scenario_field(vary.key).name);
        words.push_back(value_words(vary));
    }
    // What says whether a point can be taken comes before the details.
    // An estimate hides as much as it can; a simulation says what was hidden.
    const char* const hidden = sweep.depth == Depth::estimate ? "estimated hidden share" : "hidden share";
    for (const char* column :
         {"time_s", "FLOP utilization", "memory_bytes", "note", "exposed_s", hidden, "compute_s", "S"}) {
        table.columns.emplace_back(column);
    }
    for (const SweepPoint& point : points) {
        std::vector<Table::Cell> row;
        for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
            const Vary& vary = sweep.fields[k];
            const auto at = std::ranges::find(vary.values, point.values[k]) - vary.values.begin();
            const auto* whole = std::get_if<std::int64_t>(&point.values[k]);
            row.push_back(whole != nullptr ? Table::Cell(*whole)
                                           : Table::Cell(words[k][static_cast<std::size_t>(at)]));
        }
        if (point.runs()) {
            for (const Table::Cell& cell : std::initializer_list<Table::Cell>{
                     in_seconds(point.time), point.utilization, point.memory.value(), point_note(point),
                     in_seconds(point.exposed), point.hidden_share, in_seconds(point.compute),
                     slices_words(point)}) {
                row.push_back(cell);
            }
        } else {
            row.resize(table.columns.size(), std::string());
            row[sweep.fields.size() + 3] = point_note(point);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

void add_reference(Table& table, const std::vector<SweepPoint>& points, const std::vector<SweepPoint>& of_a) {
    const auto at = std::ranges::find(table.columns, std::string("time_s")) - table.columns.begin() + 1;
    table.columns.insert(table.columns.begin() + at, {"A time_s", "difference time_s"});
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const bool a = row < of_a.size() && of_a[row].runs();
        const bool both = a && row < points.size() && points[row].runs();
        const Table::Cell none = std::string();
        const Table::Cell of = a ? Table::Cell(in_seconds(of_a[row].time)) : none;
        const Table::Cell more =
            both ? Table::Cell(in_seconds(points[row].time) - in_seconds(of_a[row].time)) : none;
        table.rows[row].insert(table.rows[row].begin() + at, {of, more});
    }
}

std::string sweep_difference(const Sweep& sweep, const std::vector<SweepPoint>& points,
                             const std::vector<SweepPoint>& of_a) {
    std::vector<std::size_t> both;
    for (std::size_t k = 0; k < std::min(points.size(), of_a.size()); ++k) {
        if (points[k].runs() && of_a[k].runs()) {
            both.push_back(k);
        }
    }
    const auto by = [&](std::size_t k) {
        const double times = ratio(points[k].time, of_a[k].time);
        const std::string share = percent_text(std::abs(times - 1));
        return text(points[k].time) == text(of_a[k].time) ? said("the same time")
               : times < 1                                ? say("{} less time", share)
               : number_text(times) == number_text(1)     ? say("{} more time", share)
                                                          : say("{} times as long", number_text(times));
    };
    if (both.empty()) {
        return {};
    }
    if (both.size() > 1 && std::ranges::all_of(both, [&](std::size_t k) {
            return text(points[k].time) == text(of_a[k].time);
        })) {
        return said("A and B take the same time at every point.");
    }
    return both.size() == 1
               ? say("B against A takes {} with {}.", by(both[0]), point_words(sweep, points[both[0]]))
               : say("B against A takes {} with {}, {} with {}.", by(both.front()),
                     point_words(sweep, points[both.front()]), by(both.back()),
                     point_words(sweep, points[both.back()]));
}

std::string point_note(const SweepPoint& point) {
    return !point.runs() ? point.objection
           : point.fits  ? std::string()
                         : say("does not fit: {} per chip", room_text(point.memory, point.capacity));
}

Table sweep_table(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    Table table;
    table.title = "Sweep";
    table.columns = sweep_columns(sweep);
    for (const SweepPoint& point : points) {
        table.rows.push_back(sweep_row(sweep, point));
    }
    return table;
}

Tree sweep_values(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    using Json = Tree;
    Json json;
    json["reading"] = sweep.depth == Depth::estimate ? "estimated" : "simulated";
    json["fields"] = Json::array();
    for (const Vary& vary : sweep.fields) {
        json["fields"].push_back(value_column(scenario_field(vary.key)));
    }
    json["points"] = Json::array();
    const std::vector<std::string> columns = sweep_columns(sweep);
    for (const SweepPoint& point : points) {
        const std::vector<Table::Cell> row = sweep_row(sweep, point);
        Json one;
        for (std::size_t k = 0; k < columns.size(); ++k) {
            const auto* words = std::get_if<std::string>(&row[k]);
            if (words == nullptr || !words->empty()) {
                std::visit([&](const auto& value) { one[columns[k]] = value; }, row[k]);
            }
        }
        if (point.runs()) {
            one["fits"] = point.fits;
        }
        json["points"].push_back(std::move(one));
    }
    return json;
}

std::string sweep_title(const Sweep& sweep) {
    const Scenario& scenario = sweep.scenario;
    std::vector<std::string> counts;
    for (const Vary& vary : sweep.fields) {
        const std::string name = said(scenario_field(vary.key).name);
        counts.push_back(vary.values.size() == 1 ? say("1 value of the {}", name)
                                                 : say("{} values of the {}", vary.values.size(), name));
    }
    const Scenario shared = shared_by_points(sweep);
    const auto chosen = algorithm(scenario.plan.algorithm);
    std::vector<std::string> what;
    if (!varies(sweep, "algorithm")) {
        what.push_back(chosen ? std::string((*chosen)->title) : scenario.plan.algorithm);
    }
    if (scenario.gemm) {
        const bool sizes = varies(sweep, "gemm.m") || varies(sweep, "gemm.n") || varies(sweep, "gemm.k");
        what.push_back(sizes ? said("one GEMM") : text(scenario.gemm->shape));
    } else {
        what.push_back(varies(sweep, "model") ? said("one block")
                                              : say("one block of {}", scenario.model.title));
    }
    std::string title = sweep.depth == Depth::estimate
                            ? say("{}{}, by estimate: {}", fmt::join(what, said(", ")),
                                  machine_words(sweep, shared), listed(counts))
                            : say("{}{}, by simulation: {}", fmt::join(what, said(", ")),
                                  machine_words(sweep, shared), listed(counts));
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    return title;
}

std::string point_words(const Sweep& sweep, const SweepPoint& point) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const Field<Scenario>& field = scenario_field(sweep.fields[k].key);
        words.push_back(
            fmt::format("{} {}", said(field.name), value_words(sweep.fields[k], point.values[k])));
    }
    return fmt::format("{}", fmt::join(words, said(", ")));
}

std::string slices_words(const SweepPoint& point) {
    return point.least_slices == point.most_slices ? fmt::format("{}", point.least_slices)
                                                   : say("{} to {}", point.least_slices, point.most_slices);
}

std::string sweep_finding(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    const auto refused = std::ranges::count_if(points, [](const SweepPoint& one) { return !one.runs(); });
    const auto large =
        std::ranges::count_if(points, [](const SweepPoint& one) { return one.runs() && !one.fits; });
    std::vector<const SweepPoint*> good;
    for (const SweepPoint& point : points) {
        if (point.runs() && point.fits) {
            good.push_back(&point);
        }
    }
    const bool all_alike =
        good.size() > 1 && good.size() == points.size() &&
        std::ranges::all_of(good, [&](const auto* one) { return printed(*one) == printed(*good.front()); });
    std::string words;
    if (all_alike) {
        std::vector<std::string> names;
        for (const Vary& vary : sweep.fields) {
            names.push_back(say("the {}", said(scenario_field(vary.key).name)));
        }
        words = say("No difference is made by {}: {}, {} of peak.", listed(names, "or"),
                    printed_time(*good.front()), printed_utilization(*good.front()));
    } else if (!good.empty()) {
        words = best_words(sweep, good);
    }
    const auto add = [&](const std::string& sentence) {
        words += (words.empty() ? std::string() : said(" ")) + sentence;
    };
    const std::size_t all = points.size();
    if (large > 0) {
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

} // namespace meshslice
