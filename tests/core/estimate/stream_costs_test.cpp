#include "core/estimate/stream_costs.h"
#include "core/machine/catalogue.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace meshslice {
namespace {

/// Of every root and in every number of packets, one after the other: what a stream costs is what its longest
/// way costs, on rings, on lines and on folded rings, with memory (tpu-v4-paper is modelled tile by tile) and
/// without it.
TEST(StreamCosts, AreThoseOfTheLongestWay) {
    int compared = 0;
    for (const char* const name : {"tpu-v4-cloud", "tpu-v4-paper"}) {
        const Machine hardware = *machine_preset(name);
        for (const TorusAxis kind : {TorusAxis{1, true}, TorusAxis{1, false}, TorusAxis{1, true, true}}) {
            for (const std::int32_t side : {1, 2, 3, 6}) {
                TorusAxis axis = kind;
                axis.size = side;
                const Torus torus = *Torus::create(std::vector<TorusAxis>{axis, {4, kind.wraps}});
                for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                    Schedule schedule;
                    schedule.ring = ring;
                    StreamCosts costs(hardware, schedule);
                    for (const Dataflow dataflow : all_dataflows) {
                        CondensedProgram all =
                            condensed(written("summa", {960, 1920, 2880}, dataflow, torus, {.slices = 24}));
                        for (const std::int64_t most : {7, 1, 256, 16, 7}) {
                            for (OperationId id = 0; id < all.times.size(); ++id) {
                                const Operation& operation = all.program.operations[id];
                                if (!is_stream(operation)) {
                                    continue;
                                }
                                const OperationCost cost = costs.cut(all, id, most);
                                Time longest;
                                for (std::int32_t root = 0; root < variants(all.program, operation); ++root) {
                                    longest = std::max(longest, operation_cost(all.program, operation,
                                                                               hardware, schedule, root)
                                                                    .total());
                                }
                                EXPECT_EQ(cost.total(), longest);
                                EXPECT_EQ(cost, longest_cost(all.program, operation, hardware, schedule));
                                ++compared;
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_GT(compared, 1000);
}

} // namespace
} // namespace meshslice
