#include "core/serve/arrivals_file.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t most_tokens_of_a_line = 1 << 30;

template <class Number>
std::optional<Number> all_of_cell(std::string_view cell) {
    Number value{};
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool all = error == std::errc() && end == cell.data() + cell.size() && !cell.empty();
    return all ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> cells_of(std::string_view line) {
    std::vector<std::string_view> cells;
    while (true) {
        const std::size_t comma = line.find(',');
        std::string_view cell = line.substr(0, comma);
        while (!cell.empty() && (cell.front() == ' ' || cell.front() == '\t')) {
            cell.remove_prefix(1);
        }
        while (!cell.empty() && (cell.back() == ' ' || cell.back() == '\t' || cell.back() == '\r')) {
            cell.remove_suffix(1);
        }
        cells.push_back(cell);
        if (comma == std::string_view::npos) {
            return cells;
        }
        line.remove_prefix(comma + 1);
    }
}

/// Seconds from the beginning of 2020, which leaves a double a tenth of a microsecond until 2030:
/// "2023-11-16 18:15:46.6805900", of one zone, which may follow.
std::optional<double> seconds_of_time(std::string_view cell) {
    constexpr std::size_t length = 19; // without what follows the seconds
    if (cell.size() < length || cell[4] != '-' || cell[7] != '-' || (cell[10] != ' ' && cell[10] != 'T') ||
        cell[13] != ':' || cell[16] != ':') {
        return std::nullopt;
    }
    const std::size_t end = std::min(cell.size(), cell.find_first_of("+Z", length));
    const auto year = all_of_cell<int>(cell.substr(0, 4));
    const auto month = all_of_cell<unsigned>(cell.substr(5, 2)),
               day = all_of_cell<unsigned>(cell.substr(8, 2));
    const auto hour = all_of_cell<unsigned>(cell.substr(11, 2)),
               minute = all_of_cell<unsigned>(cell.substr(14, 2));
    const auto second = all_of_cell<double>(cell.substr(17, end - 17));
    if (!year || !month || !day || !hour || !minute || !second) {
        return std::nullopt;
    }
    using namespace std::chrono;
    const year_month_day date{std::chrono::year{*year}, std::chrono::month{*month}, std::chrono::day{*day}};
    if (!date.ok() || *hour > 23 || *minute > 59 || !(*second >= 0 && *second < 61)) {
        return std::nullopt;
    }
    const auto days = sys_days(date) - sys_days(2020y / January / 1);
    return static_cast<double>(days.count() * 86400 + *hour * 3600 + *minute * 60) + *second;
}

/// One that a column has under one of several names.
struct ArrivalColumn {
    std::array<std::string_view, 3> names;
    std::size_t name = 0;               ///< the one that is there
    std::optional<std::size_t> at = {}; ///< its place in a line

    void find(const std::vector<std::string_view>& header) {
        for (std::size_t index = 0; index < names.size() && !at; ++index) {
            const auto found = std::ranges::find(header, names[index]);
            if (!names[index].empty() && found != header.end()) {
                name = index;
                at = static_cast<std::size_t>(found - header.begin());
            }
        }
    }
    [[nodiscard]] std::string_view cell(const std::vector<std::string_view>& cells) const {
        return at && *at < cells.size() ? cells[*at] : std::string_view();
    }
};

std::string expected_time(std::size_t name) {
    return name == 0   ? say("a number of seconds")
           : name == 1 ? say("a number of milliseconds")
                       : say("a time such as 2024-05-10 00:00:00.5");
}

std::optional<double> arrival_of(const ArrivalColumn& column, std::string_view cell) {
    const auto value = column.name == 2 ? seconds_of_time(cell) : all_of_cell<double>(cell);
    if (!value || !std::isfinite(*value)) {
        return std::nullopt;
    }
    return column.name == 1 ? *value / 1000 : *value;
}

} // namespace

Result<std::vector<ServingRequest>> read_arrivals(std::string_view csv, const std::string& origin) {
    ArrivalColumn arrival{{"arrival_s", "arrival_ms", "TIMESTAMP"}};
    ArrivalColumn input{{"input_tokens", "ContextTokens", ""}},
        output{{"output_tokens", "GeneratedTokens", ""}};
    ArrivalColumn priority{{"priority", "", ""}};
    std::vector<ServingRequest> requests;
    for (std::size_t number = 1; !csv.empty(); ++number) {
        const std::size_t end = csv.find('\n');
        const std::vector<std::string_view> cells = cells_of(csv.substr(0, end));
        csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
        const auto wrong = [&](const ArrivalColumn& column, const std::string& expected) {
            return refuse(say("{}, line {}: {} is \"{}\"; expected {}.", origin, number,
                              column.names[column.name], shortened(column.cell(cells)), expected));
        };
        if (number == 1) {
            for (ArrivalColumn* column : {&arrival, &input, &output, &priority}) {
                column->find(cells);
                if (!column->at && column != &priority) {
                    return refuse(
                        say("{} has no column {}; expected columns such as arrival_s, input_tokens and "
                            "output_tokens.",
                            origin, column->names[0]));
                }
            }
            continue;
        }
        if (cells.size() == 1 && cells[0].empty()) {
            continue;
        }
        ServingRequest request;
        const auto time = arrival_of(arrival, arrival.cell(cells));
        if (!time) {
            return wrong(arrival, expected_time(arrival.name));
        }
        request.arrival = *time;
        for (const auto& [column, tokens] :
             {std::pair(&input, &request.input), std::pair(&output, &request.output)}) {
            const auto value = all_of_cell<std::int64_t>(column->cell(cells));
            if (!value || *value < 1 || *value > most_tokens_of_a_line) {
                return wrong(*column, say("a whole number from 1 to {}", most_tokens_of_a_line));
            }
            *tokens = *value;
        }
        if (priority.at) {
            const auto value = all_of_cell<std::int32_t>(priority.cell(cells));
            if (!value) {
                return wrong(priority, say("a whole number, the smaller the sooner"));
            }
            request.priority = *value;
        }
        requests.push_back(request);
    }
    if (requests.empty()) {
        return refuse(say("{} has no requests; expected a line for each.", origin));
    }
    std::ranges::stable_sort(requests, {}, &ServingRequest::arrival);
    const double first = requests.front().arrival;
    for (ServingRequest& request : requests) {
        request.arrival -= first;
    }
    return requests;
}

} // namespace meshslice
