#pragma once

#include "core/base/quantity.h"
#include "core/program/program.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// What a core or a link is doing.
enum class Activity : std::uint8_t {
    compute,  ///< a core multiplies
    launch,   ///< an operation is being started
    sync,     ///< the two chips of a link agree that a transfer may start
    transfer, ///< bytes cross the link
    copy,     ///< a slice is copied together for the link, or back to where it belongs
};
inline constexpr std::size_t activity_count = 5;
[[nodiscard]] std::string_view name(Activity activity);

/// Time by Activity.
using ActivityTimes = std::array<Time, activity_count>;
[[nodiscard]] Time total(const ActivityTimes& times);

/// One stretch of time in which a core or link is busy with one thing. The row it stands in says whose it is.
struct Interval {
    Time start;
    Time end;
    std::uint32_t iteration = 0; ///< of the program's loop: the slice; 0 outside
    /// Of the collective, from 0; where a GEMM feeds it the piece, of all that the chip sends. Of the core 0;
    /// 2s where stage s of a GEMM computes, 2s + 1 where it writes.
    std::uint16_t step = 0;
    OperationId operation = 0; ///< index into the program's operations
    Activity activity = Activity::compute;

    bool operator==(const Interval&) const = default;
};

} // namespace meshslice
