#include "core/machine/measured_products.h"

#include "core/base/text.h"
#include "core/base/text/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace meshslice {
namespace {

constexpr std::int64_t most_side = std::int64_t{1} << 40;
constexpr double longest = 86'400; ///< seconds

/// None where a side is not a whole number of a matrix, or the time none that a product takes.
std::optional<MeasuredProduct> measured(std::string_view words) {
    constexpr std::string_view ends = "xx "; // of the sides
    std::array<std::int64_t, ends.size()> sides{};
    for (std::size_t side = 0; side < sides.size(); ++side) {
        const std::size_t end = words.find(ends[side]);
        const Result<std::int64_t> whole = parse_whole(words.substr(0, end));
        if (end == std::string_view::npos || !whole || *whole < 1 || *whole > most_side) {
            return std::nullopt;
        }
        sides[side] = *whole;
        words.remove_prefix(end + 1);
    }
    const Result<double> took = parse_quantity(words, "s");
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

FlopRate rate(const MeasuredProduct& product) {
    return FlopRate(flop(product) / in_seconds(product.time));
}

std::string text(const MeasuredProduct& measured) {
    return fmt::format("{}x{}x{} {} ps", measured.m, measured.n, measured.k, measured.time.value());
}

Result<MeasuredProduct> parse_measured_product(std::string_view words) {
    if (const auto product = measured(words)) {
        return *product;
    }
    return refuse(
        fmt::format("\"{}\" is not a measured GEMM; expected sides and time as in \"8192x6144x768 302 us\".",
                    shortened(words)));
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
    return std::max(Time(1),
                    seconds(in_seconds(nearest->time) * (flop({m, n, k, Time(0)}) / flop(*nearest))));
}

} // namespace meshslice
