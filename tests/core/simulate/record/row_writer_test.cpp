#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/row_writer.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace meshslice {
namespace {

/// A launch, then steps of 3 ps to synchronize and 7 to transfer.
std::vector<Interval> some(std::size_t steps) {
    std::vector<Interval> intervals = {{Time(0), Time(5), 1, 0, 2, Activity::launch}};
    for (std::size_t step = 0; step < steps; ++step) {
        const Time begin(5 + 10 * static_cast<std::int64_t>(step));
        const auto number = static_cast<std::uint16_t>(step);
        intervals.push_back({begin, begin + Time(3), 1, number, 2, Activity::sync});
        intervals.push_back({begin + Time(3), begin + Time(10), 1, number, 2, Activity::transfer});
    }
    return intervals;
}

TEST(RowWriter, WritesAndAddsUp) {
    const std::vector<Interval> expected = some(9);
    std::vector<Interval> written(expected.size() + 1); // One more: it stays as it is.
    RowWriter row(written.data());
    for (const Interval& interval : expected) {
        row.write(interval);
    }
    EXPECT_EQ(row.end(), written.data() + expected.size());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), written.begin()));
    EXPECT_EQ(written.back(), Interval());
    EXPECT_EQ(row.busy(), (ActivityTimes{Time(0), Time(5), Time(27), Time(63), Time(0)}));
}

TEST(RowWriter, KeepsOnlyWorkOfWhatTakesNoTime) {
    std::vector<Interval> written(3);
    RowWriter row(written.data());
    for (const Activity activity :
         {Activity::launch, Activity::sync, Activity::compute, Activity::transfer, Activity::copy}) {
        row.write({Time(4), Time(4), 0, 0, 0, activity});
    }
    EXPECT_EQ(row.end(), written.data() + 3);
    EXPECT_EQ(written[0].activity, Activity::compute);
    EXPECT_EQ(written[1].activity, Activity::transfer);
    EXPECT_EQ(written[2].activity, Activity::copy);
}

/// 1024 chips that each record 2064 intervals; of one chip of each class hardly any.
TEST(RowWriter, OfALargeRunLosesNothing) {
    const Program program =
        written("meshslice", {262144, 49152, 12288}, Dataflow::OS, *Torus::create({32, 32}), {16, 4});
    const Machine hardware = default_scenario().hardware;
    const Schedule schedule{DataType::bf16, RingMode::one_way, {1}};
    const auto every = *simulate(program, hardware, schedule, {}, {}, Folding::none);
    EXPECT_EQ(every->stored_intervals(), 1024u * 2064);
    const auto folded = *simulate(program, hardware, schedule);
    EXPECT_LT(folded->stored_intervals(), 10'000u);
    EXPECT_EQ(*every, *folded);
}

} // namespace
} // namespace meshslice
