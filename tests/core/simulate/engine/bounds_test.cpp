#include "core/estimate/estimate.h"
#include "core/gemm/algorithms.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/draw.h"
#include "tests/core/support/round_hardware.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// What bounds a run from below and from above, of random GEMMs, meshes, options, machines and faults, on
/// every algorithm and dataflow: no engine of a chip can be over before its own work is done, and no run
/// lasts longer than every operation after the other at the pace of the slowest part.
TEST(Simulate, LiesBetweenItsBounds) {
    Draw pick(20250621);
    int runs = 0;
    for (const Algorithm& algorithm : algorithms()) {
        for (const Dataflow dataflow : algorithm.dataflows) {
            for (int k = 0; k < 12; ++k) {
                const int rows = pick(1, 2, 4);
                const int columns = pick(1, 2, 4);
                const std::vector<std::int32_t> mesh =
                    algorithm.torus_axes == 1   ? std::vector<std::int32_t>{rows * columns}
                    : algorithm.torus_axes == 2 ? std::vector<std::int32_t>{rows, columns}
                                                : std::vector<std::int32_t>{rows, columns, pick(1, 2)};
                const Torus torus = *Torus::create(mesh);
                const GemmShape shape{pick(512, 1024, 4096), pick(512, 2048), pick(256, 1024, 2048)};
                const auto slices = algorithm.slice_counts(shape, dataflow, torus, {});
                if (!slices) {
                    continue; // does not fit
                }
                GemmOptions options;
                options.slices = pick.slices(*slices);
                const auto program = algorithm.write(shape, dataflow, torus, options);
                ASSERT_TRUE(program) << algorithm.id << ": " << program.error().sentence;
                Machine hardware = round_hardware();
                hardware.peak[DataType::bf16].value = FlopRate(pick(1e10, 1e11, 1e12));
                Schedule schedule;
                schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
                schedule.prefetch.depth = pick(0, 1, 2);
                Conditions conditions;
                if (pick(false, true)) {
                    conditions.core_speed.assign(static_cast<std::size_t>(torus.chips()), 1.0);
                    conditions.core_speed[0] = 0.5;
                }
                const auto run = simulate(*program, hardware, schedule, conditions);
                ASSERT_TRUE(run) << run.error().sentence;
                ++runs;
                const double took = in_seconds((*run)->end());
                const Estimate closed = estimate(*program, hardware, schedule);
                const std::string what =
                    fmt::format("{} {} {} on {}x{}, S = {}", algorithm.id, name(dataflow), text(shape), rows,
                                columns, options.slices);
                for (const Time busy : closed.busy) {
                    EXPECT_LE(in_seconds(busy), took * (1 + 1e-9)) << what;
                }
                EXPECT_LE(took, longest_run_seconds(*program, hardware, schedule, conditions) * (1 + 1e-9))
                    << what;
                if (conditions.healthy()) {
                    // Streams overlap from panel to panel a little more than the closed form knows.
                    const double slack = algorithm.id == "summa" ? 0.05 : 1e-9;
                    EXPECT_LE(in_seconds(closed.total), took * (1 + slack)) << what;
                    EXPECT_LE(took, longest_seconds(*program, hardware, schedule) * (1 + 1e-9)) << what;
                }
            }
        }
    }
    EXPECT_GT(runs, 150);
}

} // namespace
} // namespace meshslice
