#include "core/lesson/stepper_example.h"
#include "core/lesson/stepper_run.h"
#include "core/machine/machine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace meshslice {
namespace {

/// Everything that the stepper offers, one mesh and slice count of each.
std::vector<StepperExample> examples() {
    std::vector<StepperExample> all;
    for (const Algorithm& algorithm : all_algorithms()) {
        for (const Dataflow dataflow : algorithm.dataflows) {
            for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                StepperExample example;
                example.algorithm = algorithm.id;
                example.dataflow = dataflow;
                example.ring = ring;
                all.push_back(nearest(example));
            }
        }
    }
    for (const Collective exchange : all_collectives) {
        for (const bool rings : {true, false}) {
            StepperExample example;
            example.exchange = exchange;
            example.rings = rings && exchange != Collective::send_receive ? rings : true;
            all.push_back(nearest(example));
        }
    }
    return all;
}

std::string named(const StepperExample& example) {
    return example.exchange ? std::string(name(*example.exchange))
                            : example.algorithm + " " + std::string(name(example.dataflow));
}

/// Every moment lies within the run; what crosses a link takes time; and an operation's steps follow one
/// another.
TEST(StepperRun, HasAStretchForEveryMoment) {
    for (const StepperExample& example : examples()) {
        SCOPED_TRACE(named(example));
        const auto stepping = step_through(example);
        ASSERT_TRUE(stepping);
        const Result<StepperRun> run = simulate_steps(**stepping);
        ASSERT_TRUE(run) << run.error().sentence;
        const std::vector<Moment>& moments = (*stepping)->moments;
        ASSERT_EQ(run->under_way.size(), moments.size());
        // An exchange multiplies nothing, and is not called by the shape of a GEMM.
        EXPECT_EQ(run->step().flop == Flop(0), example.exchange.has_value());
        EXPECT_EQ(run->step().gemms.front().title() == title(run->step().gemms.front().gemm),
                  !example.exchange.has_value());
        EXPECT_EQ(run->under_way.front(), Stretch{});
        Time last;
        for (std::size_t k = 1; k < moments.size(); ++k) {
            const Stretch& is = run->under_way[k];
            EXPECT_LE(is.begin, is.end) << k;
            EXPECT_LE(is.end, run->step().time) << k;
            last = std::max(last, is.end);
            const bool works =
                !moments[k].crossed.empty() ||
                std::holds_alternative<Multiply>((*stepping)->program.operations[*moments[k].line]);
            EXPECT_FALSE(works && is.begin == is.end) << k;
            if (moments[k].line == moments[k - 1].line && moments[k].iteration == moments[k - 1].iteration) {
                EXPECT_GE(is.begin, run->under_way[k - 1].begin) << k;
            }
        }
        EXPECT_EQ(last, run->step().time); // the last bar lasts a moment
    }
}

/// An AllGather one way round four chips: three hops of a block of 1024 x 1024 in bf16, each of which takes a
/// synchronization and its bytes over the link's bandwidth.
TEST(StepperRun, HopsFollowOneAnotherAsLinksAllow) {
    StepperExample example;
    example.exchange = Collective::all_gather;
    example.mesh = {4};
    example.ring = RingMode::one_way;
    const auto stepping = step_through(example);
    ASSERT_TRUE(stepping);
    const Result<StepperRun> run = simulate_steps(**stepping);
    ASSERT_TRUE(run);
    ASSERT_EQ(run->under_way.size(), 4U);
    const Machine& hardware = run->run->conditions().machine;
    const double hop_s = in_seconds(hardware.sync.value) +
                         1024 * 1024 * 2 / hardware.network.torus_links(0).bandwidth.value.value();
    EXPECT_NEAR(in_seconds(run->clock(2) - run->clock(1)), hop_s, 1e-12);
    EXPECT_NEAR(in_seconds(run->clock(3) - run->clock(2)), hop_s, 1e-12);
}

/// The next slice is gathered while the core still multiplies the one before: in time, not in the program's
/// order.
TEST(StepperRun, ShowsThatMeshSliceOverlaps) {
    const auto stepping = step_through(StepperExample());
    ASSERT_TRUE(stepping);
    const Result<StepperRun> run = simulate_steps(**stepping);
    ASSERT_TRUE(run);
    const std::vector<Moment>& moments = (*stepping)->moments;
    const auto find = [&](auto which, std::int64_t iteration) {
        for (std::size_t k = 1; k < moments.size(); ++k) {
            if (moments[k].iteration == iteration &&
                which((*stepping)->program.operations[*moments[k].line])) {
                return run->under_way[k];
            }
        }
        return Stretch{};
    };
    const Stretch multiply =
        find([](const Operation& one) { return std::holds_alternative<Multiply>(one); }, 0);
    const Stretch gather =
        find([](const Operation& one) { return std::holds_alternative<AllGather>(one); }, 1);
    EXPECT_LT(gather.begin, multiply.end);
    EXPECT_LT(Time(0), multiply.begin);
}

/// An enlarged program multiplies what is enlarged: the operations, slices and rings are those of the small
/// one.
TEST(StepperRun, EnlargedProgramsAreRight) {
    for (const StepperExample& example : examples()) {
        if (example.exchange) {
            continue;
        }
        const Result<Program> program = program_of(example);
        ASSERT_TRUE(program);
        const Program larger = enlarged(*program, 2);
        EXPECT_EQ(larger.shape.m, 2 * program->shape.m);
        EXPECT_EQ(pseudocode(larger), pseudocode(*program));
        const DenseMatrix<double> a = small_numbers(larger.shape.m, larger.shape.k, 3, 1);
        const DenseMatrix<double> b = small_numbers(larger.shape.k, larger.shape.n, 3, 2);
        const auto done = step_through(larger, Schedule{}, a, b);
        ASSERT_TRUE(done) << named(example) << ": " << done.error().sentence;
        EXPECT_TRUE((*done)->right()) << named(example);
    }
}

TEST(StepperRun, ATimeHasTheMomentThatBeganLast) {
    const std::vector<Stretch> under_way = {
        {}, {Time(5), Time(5)}, {Time(5), Time(9)}, {Time(20), Time(30)}, {Time(12), Time(40)}};
    EXPECT_EQ(moment_at(under_way, Time(0)), 0U);
    EXPECT_EQ(moment_at(under_way, Time(4)), 0U);
    EXPECT_EQ(moment_at(under_way, Time(5)), 2U);
    EXPECT_EQ(moment_at(under_way, Time(12)), 4U);
    EXPECT_EQ(moment_at(under_way, Time(25)), 3U);
    EXPECT_EQ(moment_at(under_way, Time(99)), 3U);
}

} // namespace
} // namespace meshslice
