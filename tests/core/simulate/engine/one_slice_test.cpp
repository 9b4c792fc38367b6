#include "core/gemm/algorithms.h"
#include "core/simulate/engine/simulate.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

/// MeshSlice with one slice is Collective, to the picosecond: nothing is added to a result that has not been
/// written yet, so no zeros are read from memory.
TEST(OneSlice, OfMeshSliceIsCollective) {
    for (const std::vector<std::int32_t>& mesh : {std::vector{1, 1}, std::vector{4, 4}, std::vector{8, 2}}) {
        for (const Dataflow dataflow : {Dataflow::OS, Dataflow::LS, Dataflow::RS}) {
            for (const ChipModel chip : {ChipModel::tiled, ChipModel::roofline, ChipModel::constant_rate}) {
                const Torus torus = *Torus::create(mesh);
                const GemmShape shape{4096, 2048, 2048};
                Schedule schedule;
                schedule.chip = chip;
                const auto end = [&](const char* id) {
                    return (*simulate(written(id, shape, dataflow, torus), tiled_round_hardware(200),
                                      schedule))
                        ->end();
                };
                EXPECT_EQ(end("meshslice"), end("collective"))
                    << mesh[0] << "x" << mesh[1] << " " << name(dataflow);
            }
        }
    }
}

} // namespace
} // namespace meshslice
