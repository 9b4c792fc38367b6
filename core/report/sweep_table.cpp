#include "core/report/sweep_table.h"

#include "core/base/listing.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/hardware/edit.h"
#include "core/scenario/fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

/// As the other tables name units.
constexpr std::array<std::pair<std::string_view, const char*>, 4> unit_suffixes = {
    {{"B/s", "_bytes_per_s"}, {"FLOP/s", "_flop_per_s"}, {"B", "_bytes"}, {"s", "_s"}}};

/// Of a quantity, whose number is told apart from what was asked for: "links_bytes_per_s"; else empty.
std::string number_column(const FieldRow& row) {
    if (row.kind != FieldKind::quantity && !row.factors) {
        return {};
    }
    const auto* const suffix = std::ranges::find(unit_suffixes, std::string_view(row.unit),
                                                 [](const auto& one) { return one.first; });
    return row.key + (suffix == unit_suffixes.end() ? "_number" : suffix->second);
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

/// Of the hardware; of the preset where its numbers vary.
std::string machine_title(const Sweep& sweep) {
    const bool varies =
        std::ranges::any_of(sweep.fields, [](const Vary& vary) { return scenario_field(vary.key).factors; });
    const Hardware* preset = origin(sweep.scenario.hardware);
    return varies && preset != nullptr ? preset->title : sweep.scenario.hardware.title;
}

} // namespace

std::vector<std::string> sweep_columns(const Sweep& sweep) {
    std::vector<std::string> columns;
    for (const Vary& vary : sweep.fields) {
        columns.push_back(vary.key);
        if (std::string number = number_column(scenario_field(vary.key)); !number.empty()) {
            columns.push_back(std::move(number));
        }
    }
    for (const char* column : {"time_s", "flop_utilisation", "compute_s", "exposed_s", "hidden_share",
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
             in_seconds(point.time), point.utilisation, in_seconds(point.compute), in_seconds(point.exposed),
             point.hidden_share, point.memory.value(), std::string(point.fits ? "yes" : "no"),
             point.least_slices, point.most_slices, std::string()}) {
        row.push_back(cell);
    }
    return row;
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

std::string sweep_json(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    using Json = nlohmann::ordered_json;
    Json json;
    json["reading"] = sweep.depth == Depth::estimate ? "estimated" : "simulated";
    json["fields"] = Json::array();
    for (const Vary& vary : sweep.fields) {
        json["fields"].push_back(vary.key);
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
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string sweep_title(const Sweep& sweep) {
    const Scenario& scenario = sweep.scenario;
    std::vector<std::string> counts;
    for (const Vary& vary : sweep.fields) {
        counts.push_back(fmt::format("{} {} {}", vary.values.size(),
                                     vary.values.size() == 1 ? "value of the" : "values of the",
                                     scenario_field(vary.key).name));
    }
    const auto chosen = algorithm(scenario.algorithm);
    return fmt::format("{}, {} on {} of {}, by {}: {}",
                       chosen ? (*chosen)->title : std::string_view(scenario.algorithm),
                       scenario.gemm ? text(scenario.gemm->shape) : "one block of " + scenario.model.title,
                       fmt::join(scenario.mesh, "x"), machine_title(sweep),
                       sweep.depth == Depth::estimate ? "estimate" : "simulation", listed(counts));
}

std::string point_words(const Sweep& sweep, const SweepPoint& point) {
    std::vector<std::string> words;
    for (std::size_t k = 0; k < sweep.fields.size(); ++k) {
        const Field<Scenario>& field = scenario_field(sweep.fields[k].key);
        words.push_back(fmt::format("{} {}", field.name, value_words(field, point.values[k])));
    }
    return fmt::format("{}", fmt::join(words, ", "));
}

std::string slices_words(const SweepPoint& point) {
    return point.least_slices == point.most_slices
               ? fmt::format("{}", point.least_slices)
               : fmt::format("{} to {}", point.least_slices, point.most_slices);
}

std::string sweep_finding(const Sweep& sweep, const std::vector<SweepPoint>& points) {
    const auto refused = std::ranges::count_if(points, [](const SweepPoint& one) { return !one.runs(); });
    const auto large =
        std::ranges::count_if(points, [](const SweepPoint& one) { return one.runs() && !one.fits; });
    const SweepPoint* busiest = nullptr;
    const SweepPoint* fastest = nullptr;
    for (const SweepPoint& point : points) {
        if (!point.runs() || !point.fits) {
            continue;
        }
        busiest = busiest == nullptr || point.utilisation > busiest->utilisation ? &point : busiest;
        fastest = fastest == nullptr || point.time < fastest->time ? &point : fastest;
    }
    std::string words;
    if (busiest != nullptr) {
        words = fmt::format("Highest FLOP utilisation: {} with {}.", percent_text(busiest->utilisation),
                            point_words(sweep, *busiest));
        words += fastest == busiest ? fmt::format(" It is the fastest, too: {}.", text(fastest->time))
                                    : fmt::format(" Fastest: {} with {}.", text(fastest->time),
                                                  point_words(sweep, *fastest));
    }
    const auto add = [&](std::ptrdiff_t count, const char* what) {
        if (count > 0) {
            words += fmt::format("{}{} of {} points {} {}.", words.empty() ? "" : " ", count, points.size(),
                                 count == 1 ? "does" : "do", what);
        }
    };
    add(large, "not fit into a chip's memory");
    add(refused, "not run");
    return words;
}

} // namespace meshslice
