#include "core/step/run/density.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::FloatEq;

/// Two chips, each with a core and a link, 20 ps. Chip 0 multiplies from 0 to 10, chip 1 from 5 to 10; the
/// link of chip 0 launches from 10 to 12 and transfers until 15.
GemmResult two_chips(Time start, std::int64_t copies) {
    const std::vector<Row> rows = {{0, true, Axis::vertical, Direction::forward},
                                   {0, false, Axis::vertical, Direction::forward},
                                   {1, true, Axis::vertical, Direction::forward},
                                   {1, false, Axis::vertical, Direction::forward}};
    const std::vector<Interval> intervals = {{Time(0), Time(10), 0, 0, 1, Activity::compute},
                                             {Time(10), Time(12), 0, 0, 0, Activity::launch},
                                             {Time(12), Time(15), 0, 0, 0, Activity::transfer},
                                             {Time(5), Time(10), 0, 0, 1, Activity::compute}};
    GemmResult made;
    made.gemm.copies = copies;
    made.timeline = std::make_shared<const Timeline>(
        *Torus::create(std::vector<std::int32_t>{2}),
        std::vector<OperationLabel>{{"AG", "", {}, {}, {}}, {"multiply", "", {}, {}, {}}}, 1, rows,
        std::vector<std::size_t>{0, 1, 3, 4, 4}, intervals, Time(20));
    made.start = start;
    made.time = Time(20 * copies);
    return made;
}

TEST(Density, IsAveragedOverCoresAndLinks) {
    TrainingStep step;
    step.gemms = {two_chips(Time(0), 1)};
    const StepDensity made = density(step, {Time(0), Time(20)}, 4);
    EXPECT_THAT(made.cores, ElementsAre(FloatEq(0.5F), FloatEq(1), FloatEq(0), FloatEq(0)));
    EXPECT_THAT(made.links, ElementsAre(FloatEq(0), FloatEq(0), FloatEq(0.5F), FloatEq(0)));
    const StepDensity half = density(step, {Time(0), Time(20)}, 2);
    EXPECT_THAT(half.cores, ElementsAre(FloatEq(0.75F), FloatEq(0)));
}

/// Two copies and another GEMM that was only estimated, in a stretch that ends later.
TEST(Density, HasCopiesOneAfterTheOther) {
    TrainingStep step;
    step.gemms = {two_chips(Time(0), 2), two_chips(Time(40), 1)};
    step.gemms[1].timeline = nullptr;
    const StepDensity made = density(step, {Time(0), Time(80)}, 8);
    EXPECT_THAT(made.cores, ElementsAre(FloatEq(0.75F), FloatEq(0), FloatEq(0.75F), FloatEq(0), FloatEq(0),
                                        FloatEq(0), FloatEq(0), FloatEq(0)));
    EXPECT_EQ(density(step, {Time(0), Time(0)}, 8), StepDensity{});
}

/// With room for half of them, the first chip stands for both.
TEST(Density, OfVeryManyTakesSome) {
    TrainingStep step;
    step.gemms = {two_chips(Time(0), 1)};
    const StepDensity made = density(step, {Time(0), Time(20)}, 2, 4);
    EXPECT_THAT(made.cores, ElementsAre(FloatEq(1), FloatEq(0)));
}

/// Two copies of two intervals of cores and two of a link are 8; with room for 8 all are added up, with room
/// for 4, kinds and copies together, the first chip stands for both.
TEST(Density, OfSomeRowsIsBoundedByAllThatIsAddedUp) {
    TrainingStep step;
    step.gemms = {two_chips(Time(0), 2)};
    const std::vector<std::size_t> all = {0, 1, 2, 3};
    EXPECT_THAT(density_of_rows(step, all, {Time(0), Time(40)}, 4, 8).cores,
                ElementsAre(FloatEq(0.75F), FloatEq(0), FloatEq(0.75F), FloatEq(0)));
    EXPECT_THAT(density_of_rows(step, all, {Time(0), Time(40)}, 4, 4).cores,
                ElementsAre(FloatEq(1), FloatEq(0), FloatEq(1), FloatEq(0)));
}

/// Chip 1 alone; its link does nothing. Of two chips as in the average over all.
TEST(Density, OfSomeRows) {
    TrainingStep step;
    step.gemms = {two_chips(Time(0), 1)};
    const std::vector<std::size_t> second = {2, 3};
    const StepDensity one = density_of_rows(step, second, {Time(0), Time(20)}, 4);
    EXPECT_THAT(one.cores, ElementsAre(FloatEq(0), FloatEq(1), FloatEq(0), FloatEq(0)));
    EXPECT_THAT(one.links, ElementsAre(FloatEq(0), FloatEq(0), FloatEq(0), FloatEq(0)));
    const std::vector<std::size_t> all = {0, 1, 2, 3};
    EXPECT_EQ(density_of_rows(step, all, {Time(0), Time(20)}, 4), density(step, {Time(0), Time(20)}, 4));
    const StepDensity seen = density_of_rows(step, second, {Time(5), Time(10)}, 1);
    EXPECT_THAT(seen.cores, ElementsAre(FloatEq(1))) << "of a stretch only what lies in it";
    EXPECT_EQ(density_of_rows(step, {}, {Time(0), Time(20)}, 1).cores, std::vector<float>{0});
}

} // namespace
} // namespace meshslice
