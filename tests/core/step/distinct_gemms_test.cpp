#include "core/step/distinct_gemms.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

/// The third GEMM has the shape of the first but another dataflow, the fourth both; copies do not matter.
TEST(DistinctGemms, AreThoseOfAnotherShapeOrDataflow) {
    const std::vector<Gemm> gemms = {{"FF1", Pass::forward, Dataflow::OS, {4, 8, 2}, 1},
                                     {"FF1", Pass::forward, Dataflow::OS, {8, 4, 2}, 1},
                                     {"FF1", Pass::forward, Dataflow::LS, {4, 8, 2}, 1},
                                     {"FF2", Pass::forward, Dataflow::OS, {4, 8, 2}, 3}};
    EXPECT_THAT(distinct_gemms(gemms), testing::ElementsAre(0, 1, 2, 0));
    EXPECT_THAT(distinct_gemms({}), testing::IsEmpty());
}

} // namespace
} // namespace meshslice
