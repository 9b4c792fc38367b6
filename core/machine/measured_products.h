#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// How long a product of an m x k and a k x n matrix took on one chip.
struct MeasuredProduct {
    std::int64_t m = 1;
    std::int64_t n = 1;
    std::int64_t k = 1;
    Time time;

    bool operator==(const MeasuredProduct&) const = default;
};

/// FLOP over time.
[[nodiscard]] FlopRate rate(const MeasuredProduct& product);

/// "8192x6144x768 302 us", as it stands in a hardware file.
[[nodiscard]] std::string text(const MeasuredProduct& measured);
[[nodiscard]] Result<MeasuredProduct> parse_measured_product(std::string_view words);

/// How long a product takes by the table: as measured where it was; else at the rate of the most similar one,
/// by the ratios of their sides (the least sum of squares of their logarithms; the first of several). The
/// table has at least one entry.
[[nodiscard]] Time time_by_table(std::span<const MeasuredProduct> table, std::int64_t m, std::int64_t n,
                                 std::int64_t k);

} // namespace meshslice
