#include "core/program/operation_words.h"
#include "core/report/words/resource_words.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// What the chip's link carries in a step of the first operation that sends a matrix.
std::string carried(const Program& program, const char* matrix, Row row, std::uint16_t step,
                    std::uint32_t iteration = 0) {
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (travelling_matrix(program, id) == matrix) {
            return shard_words(program, RingMode::one_way, row,
                               {Time(0), Time(1), iteration, step, id, Activity::transfer});
        }
    }
    return "nothing of " + std::string(matrix);
}

const Row east{0, false, Axis::horizontal, Direction::forward};

/// Four chips in a row gather A one way round: first a chip sends its own shard, then what has come from the
/// west, which on a closed ring begins with the last chip's. C = A B^T with A at rest adds up C round the
/// ring: in its last step a chip sends what belongs to its neighbour.
TEST(ShardWords, NameTheChipAShardIsFromOrFor) {
    const Torus torus = *Torus::create({1, 4});
    const Program gathers = written("collective", {4000, 6000, 8000}, Dataflow::OS, torus);
    EXPECT_EQ(carried(gathers, "A", east, 0), "A from chip 0,0");
    EXPECT_EQ(carried(gathers, "A", east, 1), "A from chip 0,3");
    EXPECT_EQ(carried(gathers, "A", east, 2), "A from chip 0,2");
    const Program adds = written("collective", {4000, 6000, 8000}, Dataflow::LS, torus);
    EXPECT_EQ(carried(adds, "C", east, 2), "C for chip 0,1");
    EXPECT_EQ(shard_words(gathers, RingMode::one_way, {0, true, Axis::vertical, Direction::forward}, {}), "")
        << "a core carries nothing";
}

/// In six pieces a chunk: pieces 12 to 17 are what step 2 sends whole.
TEST(ShardWords, CountStepsAndNotPieces) {
    const Program adds = written("collective", {4000, 6000, 8000}, Dataflow::LS, *Torus::create({1, 4}));
    for (OperationId id = 0; id < adds.operations.size(); ++id) {
        if (travelling_matrix(adds, id) == "C") {
            for (const std::uint16_t piece : {std::uint16_t{12}, std::uint16_t{17}}) {
                EXPECT_EQ(shard_words(adds, RingMode::one_way, east,
                                      {Time(0), Time(1), 0, piece, id, Activity::transfer}, 6),
                          "C for chip 0,1");
            }
            EXPECT_EQ(shard_words(adds, RingMode::one_way, east,
                                  {Time(0), Time(1), 0, 0, id, Activity::transfer}, 6),
                      carried(adds, "C", east, 0));
        }
    }
}

/// Iterations of the loop are slices, counted from 1.
TEST(ShardWords, CountTheSlices) {
    Scenario scenario = default_scenario();
    scenario.hardware = round_hardware();
    scenario.mesh = {1, 4};
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.plan.slices = 8;
    const auto step = training_step(scenario, "meshslice", Depth::simulate);
    ASSERT_TRUE(step) << step.error().sentence;
    EXPECT_EQ(carried(*step->gemms[0].program, "A", east, 0, 2), "slice 3 of 8, A from chip 0,0");
}

} // namespace
} // namespace meshslice
