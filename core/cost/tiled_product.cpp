#include "core/cost/tiled_product.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

constexpr std::int64_t sum_bytes = 4; ///< of an element while it is summed up
constexpr std::int64_t buffers = 2;   ///< of everything that moves while the core works on something else

std::int64_t divided_up(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

/// Tiles along one side of the output: whole ones, and the rest.
struct Side {
    std::array<std::int64_t, 2> length{};
    std::array<std::int64_t, 2> count{};

    Side(std::int64_t whole, std::int64_t tile)
        : length{tile, whole % tile}, count{whole / tile, whole % tile > 0 ? 1 : 0} {}
};

} // namespace

std::int64_t output_tile(const Machine& hardware, DataType type) {
    if (hardware.output_tile.value > 0) {
        return hardware.output_tile.value;
    }
    // sums x tile^2 + strips x tile <= scratchpad.
    const double scratchpad = static_cast<double>(hardware.on_chip_memory.value.value()) /
                              static_cast<double>(hardware.cores.value);
    const std::int64_t array = hardware.systolic_array.value;
    const auto sums = static_cast<double>(buffers * sum_bytes);
    const auto strips = static_cast<double>(buffers * 2 * array * element_bytes(type));
    const double tile = (std::sqrt(strips * strips + 4 * sums * scratchpad) - strips) / (2 * sums);
    return static_cast<std::int64_t>(tile) / array * array;
}

namespace {

/// Where the cores split the columns.
TiledProduct by_columns(const GemmShape& shape, bool accumulate, const Machine& hardware, DataType type) {
    const std::int64_t array = hardware.systolic_array.value;
    const std::int64_t cores = hardware.cores.value;
    const std::int64_t tile = output_tile(hardware, type);
    const std::int64_t bytes = element_bytes(type);
    const auto padded = [&](std::int64_t length) { return divided_up(length, array) * array; };
    const double peak = hardware.peak_rate(type).value();
    const double memory = hardware.hbm_bandwidth.value.value();

    double seconds_all = 0;
    double bytes_all = 0;
    double last_write = 0;
    const Side rows(shape.m, tile), columns(shape.n, tile * cores);
    for (std::size_t r = 0; r < 2; ++r) {
        for (std::size_t c = 0; c < 2; ++c) {
            const std::int64_t count = rows.count[r] * columns.count[c];
            if (count == 0) {
                continue;
            }
            const std::int64_t of_one_core = divided_up(columns.length[c], cores);
            const std::int64_t at_work = divided_up(columns.length[c], of_one_core);
            const double multiply = 2.0 * static_cast<double>(padded(rows.length[r])) *
                                    static_cast<double>(padded(of_one_core)) *
                                    static_cast<double>(padded(shape.k)) * static_cast<double>(cores) / peak;
            // Every core fetches the rows of A for itself.
            const auto read =
                static_cast<double>((rows.length[r] * at_work + columns.length[c]) * shape.k * bytes);
            const auto sums = static_cast<double>(rows.length[r] * columns.length[c] * bytes);
            const double moved = read + sums * (accumulate ? 2 : 1);
            seconds_all += static_cast<double>(count) * std::max(multiply, moved / memory);
            bytes_all += static_cast<double>(count) * moved;
            last_write = sums / memory;
        }
    }
    const double first_rows = static_cast<double>(std::min(shape.m, tile) * std::min(cores, shape.n));
    const double first_columns = static_cast<double>(std::min(shape.n, tile * cores));
    const double first_strips =
        (first_rows + first_columns) * static_cast<double>(std::min(array, shape.k) * bytes) / memory;
    const Time by_tiles = seconds(first_strips + seconds_all + last_write);
    return {std::max(by_tiles, flop(shape) / hardware.effective_rate(type)), Bytes(std::llround(bytes_all))};
}

} // namespace

TiledProduct tiled_product(const GemmShape& shape, bool accumulate, const Machine& hardware, DataType type) {
    const TiledProduct columns = by_columns(shape, accumulate, hardware, type);
    if (hardware.cores.value == 1) {
        return columns;
    }
    // The rows of C are the columns of its transpose, B^T A^T.
    const TiledProduct rows = by_columns({shape.n, shape.m, shape.k}, accumulate, hardware, type);
    return std::pair(rows.bytes, rows.time) < std::pair(columns.bytes, columns.time) ? rows : columns;
}

Bytes copied_bytes(std::int64_t elements, std::int64_t block, DataType type) {
    const std::int64_t touched = divided_up(block, rows_in_one_piece) * rows_in_one_piece;
    const double apart = static_cast<double>(touched) / static_cast<double>(block);
    return Bytes(std::llround(static_cast<double>(elements * element_bytes(type)) * (apart + 1)));
}

} // namespace meshslice
