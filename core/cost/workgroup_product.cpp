#include "core/cost/workgroup_product.h"

#include <algorithm>

namespace meshslice {
namespace {

std::int64_t tiles_along(std::int64_t all, std::int64_t part) {
    return (all + part - 1) / part;
}

double matrix_bytes(std::int64_t rows, std::int64_t columns, DataType type) {
    return static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(element_bytes(type));
}

} // namespace

WorkgroupProduct workgroup_product(const GemmShape& shape, const Machine& hardware, DataType type,
                                   std::int64_t units_taken) {
    const std::int64_t tile = hardware.output_tile.value;
    const std::int64_t all = hardware.cores.value;
    const std::int64_t units = std::max<std::int64_t>(1, all - units_taken);
    WorkgroupProduct made;
    made.workgroups = tiles_along(shape.m, tile) * tiles_along(shape.n, tile);
    made.per_stage = units * hardware.stores().workgroups.value;
    made.stages = tiles_along(made.workgroups, made.per_stage);
    made.compute = static_cast<double>(flop(shape).value()) / hardware.effective_rate(type).value() *
                   (static_cast<double>(all) / static_cast<double>(units));
    made.read_bytes = matrix_bytes(shape.m, shape.k, type) + matrix_bytes(shape.k, shape.n, type);
    made.written_bytes = matrix_bytes(shape.m, shape.n, type);
    return made;
}

double gemm_reads(const GemmShape& shape, const Machine& hardware, DataType type,
                  bool output_bypasses_cache) {
    const std::int64_t tile = hardware.output_tile.value;
    const std::int64_t per_stage = hardware.cores.value * hardware.stores().workgroups.value;
    const std::int64_t tile_rows =
        std::clamp<std::int64_t>(per_stage / tiles_along(shape.n, tile), 1, tiles_along(shape.m, tile));
    const std::int64_t rows = std::min(tile_rows * tile, shape.m);
    const double a = matrix_bytes(shape.m, shape.k, type);
    const double b = matrix_bytes(shape.k, shape.n, type);
    const double kept = b + matrix_bytes(rows, shape.k, type) +
                        (output_bypasses_cache ? 0 : matrix_bytes(rows, shape.n, type));
    const bool fits = kept <= static_cast<double>(hardware.on_chip_memory.value.value());
    return a + b * (fits ? 1 : static_cast<double>(tiles_along(shape.m, rows)));
}

} // namespace meshslice
