#include "core/hardware/measured_products.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

namespace meshslice {
namespace {

constexpr std::int64_t most_side = std::int64_t{1} << 40;
constexpr double longest = 86'400; ///< seconds

std::string_view trimmed(std::string_view words) {
    constexpr std::string_view blank = " \t\r";
    const std::size_t first = words.find_first_not_of(blank);
    return first == std::string_view::npos ? std::string_view()
                                           : words.substr(first, words.find_last_not_of(blank) - first + 1);
}

/// The words between a separator.
std::vector<std::string_view> split(std::string_view words, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = words.find(separator, begin);
        parts.push_back(trimmed(words.substr(begin, end - begin)));
        if (end == std::string_view::npos) {
            return parts;
        }
        begin = end + 1;
    }
}

/// None where a side is not a whole number of a matrix, or the time none that a product takes.
std::optional<MeasuredProduct> measured(std::string_view m, std::string_view n, std::string_view k,
                                        std::string_view time) {
    std::array<std::int64_t, 3> sides{};
    const std::array words = {m, n, k};
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const Result<std::int64_t> whole = parse_whole(words[side]);
        if (!whole || *whole < 1 || *whole > most_side) {
            return std::nullopt;
        }
        sides[side] = *whole;
    }
    const Result<double> took = parse_quantity(time, "s");
    if (!took || !(*took >= 1e-12) || *took > longest) {
        return std::nullopt;
    }
    return MeasuredProduct{sides[0], sides[1], sides[2], seconds(*took)};
}

double flop(const MeasuredProduct& product) {
    return 2.0 * static_cast<double>(product.m) * static_cast<double>(product.n) *
           static_cast<double>(product.k);
}

double unlikeness(const MeasuredProduct& product, std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto ratio = [](std::int64_t one, std::int64_t other) {
        return std::log(static_cast<double>(one) / static_cast<double>(other));
    };
    return std::pow(ratio(product.m, m), 2) + std::pow(ratio(product.n, n), 2) +
           std::pow(ratio(product.k, k), 2);
}

} // namespace

std::string text(const MeasuredProduct& measured) {
    return fmt::format("{}x{}x{} {} ps", measured.m, measured.n, measured.k, measured.time.value());
}

Result<MeasuredProduct> parse_measured_product(std::string_view words) {
    const std::size_t gap = words.find(' ');
    const std::vector<std::string_view> sides = split(words.substr(0, gap), 'x');
    if (gap != std::string_view::npos && sides.size() == 3) {
        if (const auto product = measured(sides[0], sides[1], sides[2], trimmed(words.substr(gap)))) {
            return *product;
        }
    }
    return refuse(fmt::format("\"{}\" is not a measured product; sides and time as in "
                              "\"8192x6144x768 302 us\" were expected.",
                              shortened(words)));
}

Result<std::vector<MeasuredProduct>> read_measured_products(std::string_view csv, const std::string& origin) {
    std::vector<MeasuredProduct> table;
    const std::vector<std::string_view> lines = split(csv, '\n');
    if (split(lines.front(), ',') != std::vector<std::string_view>{"m", "n", "k", "time_s"}) {
        return refuse(fmt::format("{} begins with \"{}\"; the header m,n,k,time_s was expected.", origin,
                                  shortened(lines.front())));
    }
    for (std::size_t line = 1; line < lines.size(); ++line) {
        if (lines[line].empty()) {
            continue;
        }
        const std::vector<std::string_view> cells = split(lines[line], ',');
        const auto product = cells.size() == 4
                                 ? measured(cells[0], cells[1], cells[2], fmt::format("{} s", cells[3]))
                                 : std::nullopt;
        if (!product) {
            return refuse(fmt::format("{}, line {}, is \"{}\"; three whole sides from 1 on and the seconds "
                                      "that their product took were expected.",
                                      origin, line + 1, shortened(lines[line])));
        }
        table.push_back(*product);
    }
    if (table.empty()) {
        return refuse(fmt::format("{} has a header and no products; at least one was expected.", origin));
    }
    return table;
}

Time time_by_table(std::span<const MeasuredProduct> table, std::int64_t m, std::int64_t n, std::int64_t k) {
    const MeasuredProduct* nearest = &table.front();
    for (const MeasuredProduct& product : table) {
        if (unlikeness(product, m, n, k) < unlikeness(*nearest, m, n, k)) {
            nearest = &product;
        }
    }
    if (nearest->m == m && nearest->n == n && nearest->k == k) {
        return nearest->time;
    }
    return seconds(in_seconds(nearest->time) * (flop({m, n, k, Time(0)}) / flop(*nearest)));
}

} // namespace meshslice
