#include "core/count/count.h"
#include "core/estimate/estimate.h"
#include "core/program/ring_schedule.h"
#include "core/scenario/scenario.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"
#include "core/step/training_step.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <atomic>
#include <map>
#include <memory_resource>
#include <random>

namespace meshslice {
namespace {

std::shared_ptr<const Timeline> simulated(const Program& program, const Schedule& schedule = {}) {
    const auto timeline = simulate(program, round_hardware(), schedule);
    EXPECT_TRUE(timeline) << (timeline ? "" : timeline.error().sentence);
    return *timeline;
}

std::size_t row_of(const Timeline& timeline, const Row& row) {
    const auto found = std::find(timeline.rows().begin(), timeline.rows().end(), row);
    EXPECT_NE(found, timeline.rows().end());
    return static_cast<std::size_t>(found - timeline.rows().begin());
}

/// On rings of 4 chips a panel in 4 packets takes 5 steps, from whichever chip: the last packet sets out at
/// the fourth and has two hops to the chip across; a gather 3, a shift by one chip 1, and four SendRecvs
/// after each other 4. What is reduced or scattered adds.
TEST(Simulate, LabelsTellTheStepsOfARingAndWhetherTheyAdd) {
    const Torus torus = *Torus::create({4, 4});
    const auto label = [&](std::string_view id, Dataflow dataflow, const GemmOptions& options,
                           std::string_view name) {
        const auto timeline = simulated(written(id, {64, 64, 64}, dataflow, torus, options));
        const auto found = std::ranges::find(timeline->operations(), name, &OperationLabel::name);
        EXPECT_NE(found, timeline->operations().end()) << name;
        return *found;
    };
    const OperationLabel broadcast = label("summa", Dataflow::OS, {4, 1, 4}, "bcast_col");
    EXPECT_EQ(broadcast.ring_steps, (std::vector<std::int32_t>{5, 5, 5, 5}));
    EXPECT_FALSE(broadcast.adds);
    const OperationLabel reduce = label("summa", Dataflow::LS, {4, 1, 4}, "reduce_col");
    EXPECT_EQ(reduce.ring_steps, (std::vector<std::int32_t>{5, 5, 5, 5}));
    EXPECT_TRUE(reduce.adds);
    const OperationLabel scatter = label("collective", Dataflow::LS, {}, "RdS_col");
    EXPECT_EQ(scatter.ring_steps, std::vector<std::int32_t>{3});
    EXPECT_TRUE(scatter.adds);
    EXPECT_EQ(label("cannon", Dataflow::OS, {}, "shift_col").ring_steps, std::vector<std::int32_t>{1});
    EXPECT_TRUE(
        label("wang", Dataflow::LS, {.slices = 2, .decomposed = Axis::horizontal}, "SendRecv_col").adds);
    EXPECT_EQ(label("cannon", Dataflow::OS, {}, "multiply").ring_steps, std::vector<std::int32_t>{0});
}

/// No bar belongs to a step beyond the last of its ring: skews move every ring by another distance,
/// broadcasts begin at another chip in every iteration, and what is unrolled repeats.
TEST(Simulate, NoStepIsBeyondTheLastOfItsRing) {
    const Torus torus = *Torus::create({4, 4});
    for (const Algorithm& algorithm : algorithms()) {
        for (const Dataflow dataflow : algorithm.dataflows) {
            const auto program = algorithm.write({64, 64, 64}, dataflow, torus, {.slices = 2});
            if (!program) {
                continue;
            }
            const auto timeline = simulated(*program);
            for (std::size_t row = 0; row < timeline->rows().size(); ++row) {
                const Row& place = timeline->rows()[row];
                for (const Interval& interval : timeline->intervals(row)) {
                    const auto which = variant(*program, program->operations[interval.operation],
                                               interval.iteration, place.chip);
                    const std::int32_t steps = timeline->operations()[interval.operation]
                                                   .ring_steps[static_cast<std::size_t>(which)];
                    ASSERT_TRUE(place.is_core || interval.step < steps)
                        << algorithm.id << ' ' << name(dataflow) << ' '
                        << timeline->operations()[interval.operation].detail;
                }
            }
        }
    }
}

/// Collective OS on 2 x 2, (4000, 6000, 8000): the east link of a chip is launched (0 to 10 us), synchronizes
/// (to 11 us) and carries half of A's shard, 8 MB at 10^9 B/s (to 8011 us); the core starts at 12011 us, when
/// B's gather ends.
TEST(Simulate, RecordsWhatALinkAndACoreDo) {
    const auto timeline =
        simulated(written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2})));
    for (Chip chip = 0; chip < 4; ++chip) {
        for (const Direction direction : both_directions) {
            const Row east{chip, false, Axis::horizontal, direction};
            const auto intervals = timeline->intervals(row_of(*timeline, east));
            ASSERT_EQ(intervals.size(), 3u);
            EXPECT_EQ(intervals[0], (Interval{us(0), us(10), 0, 0, 0, Activity::launch}));
            EXPECT_EQ(intervals[1], (Interval{us(10), us(11), 0, 0, 0, Activity::sync}));
            EXPECT_EQ(intervals[2], (Interval{us(11), us(8011), 0, 0, 0, Activity::transfer}));
            EXPECT_EQ(timeline->bytes(east, intervals[2]), Bytes(8'000'000));
            EXPECT_EQ(timeline->bytes(east, intervals[1]), Bytes(0));
        }
        const auto core =
            timeline->intervals(row_of(*timeline, {chip, true, Axis::vertical, Direction::forward}));
        ASSERT_EQ(core.size(), 1u);
        EXPECT_EQ(core[0], (Interval{us(12011), us(108011), 0, 0, 2, Activity::compute}));
    }
    EXPECT_EQ(timeline->operations()[0].detail, "A' = AG_col(A)");
    EXPECT_EQ(timeline->end(), us(108011));
}

TEST(Simulate, OneSliceIsCollectiveEventForEvent) {
    for (const Dataflow dataflow : all_dataflows) {
        const Torus torus = *Torus::create({4, 2});
        const auto whole = simulated(written("collective", {256, 512, 1024}, dataflow, torus));
        const auto sliced = simulated(written("meshslice", {256, 512, 1024}, dataflow, torus, {1, 8}));
        ASSERT_EQ(whole->rows(), sliced->rows());
        EXPECT_EQ(whole->end(), sliced->end());
        for (std::size_t row = 0; row < whole->rows().size(); ++row) {
            const auto a = whole->intervals(row);
            const auto b = sliced->intervals(row);
            ASSERT_EQ(a.size(), b.size());
            for (std::size_t k = 0; k < a.size(); ++k) {
                EXPECT_EQ(a[k].start, b[k].start);
                EXPECT_EQ(a[k].end, b[k].end);
                EXPECT_EQ(a[k].activity, b[k].activity);
                EXPECT_EQ(a[k].step, b[k].step);
            }
        }
    }
}

/// What must hold of every run, whatever the shape: rows in order and without overlap, no faster than the
/// core or the busiest link could be, bytes as counted, as many intervals as announced.
void expect_lawful(const Program& program, const Schedule& schedule) {
    const auto timeline = simulated(program, schedule);
    const Count counted = count(program, schedule);
    EXPECT_EQ(static_cast<std::int64_t>(timeline->stored_intervals()),
              recorded_intervals(program, round_hardware(), schedule));
    std::map<std::tuple<Chip, Axis, Direction>, Bytes> carried;
    for (std::size_t row = 0; row < timeline->rows().size(); ++row) {
        const Row& place = timeline->rows()[row];
        Time last;
        for (const Interval& interval : timeline->intervals(row)) {
            EXPECT_LE(last, interval.start);
            EXPECT_LE(interval.start, interval.end);
            last = interval.end;
            if (!place.is_core) {
                carried[{place.chip, place.axis, place.direction}] += timeline->bytes(place, interval);
            }
        }
        EXPECT_LE(last, timeline->end());
    }
    for (const LinkTraffic& traffic : counted.links) {
        EXPECT_EQ((carried[{traffic.link.chip, traffic.link.axis, traffic.link.direction}]), traffic.bytes);
    }
    EXPECT_GE(timeline->end(), counted.flop_per_chip / round_hardware().effective_rate(schedule.type));
    EXPECT_GE(timeline->end(), counted.busiest_link / round_hardware().network.link_bandwidth(0));
    EXPECT_EQ(timeline->end(), estimate(program, round_hardware(), schedule).total);
}

TEST(Simulate, ObeysItsLawsForRandomProducts) {
    std::mt19937 random(20);
    const auto pick = [&](auto... choices) {
        const std::array all = {choices...};
        return all[random() % all.size()];
    };
    for (int round = 0; round < 60; ++round) {
        const std::int32_t rows = pick(1, 2, 3, 4, 6);
        const std::int32_t columns = pick(1, 2, 3, 4, 6);
        const Torus torus =
            *Torus::create({{rows, pick(true, true, false)}, {columns, pick(true, true, false)}});
        const GemmShape shape{144 * pick(1, 2, 5), 144 * pick(1, 3, 4), 144 * pick(1, 2, 7)};
        const Dataflow dataflow = pick(Dataflow::OS, Dataflow::LS, Dataflow::RS);
        const std::int64_t block = pick(1, 2, 3);
        const auto counts = *(*algorithm("meshslice"))->slice_counts(shape, dataflow, torus, {1, block});
        const std::int64_t slices = counts[random() % counts.size()];
        Schedule schedule;
        schedule.ring = pick(RingMode::both_ways, RingMode::one_way);
        schedule.prefetch.depth = pick(std::int64_t{1}, std::int64_t{2}, Prefetch::without_bound);
        SCOPED_TRACE(testing::Message() << rows << 'x' << columns << ' ' << text(shape) << ' '
                                        << name(dataflow) << " S=" << slices << " B=" << block);
        expect_lawful(written("meshslice", shape, dataflow, torus, {slices, block}), schedule);
    }
}

TEST(Simulate, IsTheSameEveryTimeAndOnEveryNumberOfThreads) {
    Scenario scenario = default_scenario();
    scenario.mesh = {8, 4};
    scenario.batch = 16;
    const auto one = training_step(scenario, "meshslice", Depth::simulate, {}, 1);
    const auto two = training_step(scenario, "meshslice", Depth::simulate, {}, 2);
    const auto seven = training_step(scenario, "meshslice", Depth::simulate, {}, 7);
    ASSERT_TRUE(one && two && seven);
    for (std::size_t k = 0; k < one->gemms.size(); ++k) {
        EXPECT_TRUE(*one->gemms[k].timeline == *two->gemms[k].timeline);
        EXPECT_TRUE(*one->gemms[k].timeline == *seven->gemms[k].timeline);
    }
    EXPECT_EQ(one->time, seven->time);
}

/// Delays depend on the link and the seed, not on the order of computation.
TEST(Simulate, TheSameSeedIsTheSameTraceOnEveryNumberOfThreads) {
    Scenario scenario = default_scenario();
    scenario.mesh = {8, 4};
    scenario.batch = 16;
    scenario.assume.faults = {
        {*parse_fault("3,2 east dead"), *parse_fault("5,1 core 80%")}, Time(5'000'000), 7};
    const auto one = training_step(scenario, "meshslice", Depth::simulate, {}, 1);
    const auto two = training_step(scenario, "meshslice", Depth::simulate, {}, 2);
    scenario.assume.faults.seed = 8;
    const auto other = training_step(scenario, "meshslice", Depth::simulate, {}, 2);
    ASSERT_TRUE(one && two && other);
    for (std::size_t k = 0; k < one->gemms.size(); ++k) {
        EXPECT_TRUE(*one->gemms[k].timeline == *two->gemms[k].timeline);
        EXPECT_FALSE(*one->gemms[k].timeline == *other->gemms[k].timeline);
    }
}

/// One slice ahead needs two buffers and no more: deeper prefetch cannot beat it where nothing varies.
TEST(Simulate, DeeperPrefetchGainsNothingOnEqualSlices) {
    const Program program =
        written("meshslice", {4000, 4000, 8000}, Dataflow::OS, *Torus::create({4, 2}), {10, 4});
    const auto end = [&](std::int64_t depth) {
        Schedule schedule;
        schedule.prefetch.depth = depth;
        return simulated(program, schedule)->end();
    };
    EXPECT_GT(end(0), end(1));
    EXPECT_EQ(end(1), end(2));
    EXPECT_EQ(end(1), end(Prefetch::without_bound));
}

/// Without a buffer to run ahead, communication and multiplication take turns in every algorithm, however
/// short its loop; what is carried round the loop and what follows it keep to the same buffers. Only Cannon's
/// sums, in LS and RS, travel during the next multiplication: they are not temporaries that are made ahead.
TEST(Simulate, WithoutPrefetchNothingOfALoopOverlaps) {
    int runs = 0;
    for (const std::int32_t chips : {2, 3, 4, 6}) {
        for (const Torus& torus : {*Torus::create(std::vector<std::int32_t>{chips}),
                                   *Torus::create({1, chips}), *Torus::create({chips, chips})}) {
            for (const Algorithm& algorithm : algorithms()) {
                for (const Dataflow dataflow : algorithm.dataflows) {
                    const bool travels = algorithm.id == "cannon" && dataflow != Dataflow::OS;
                    const GemmShape shape{1440, 1440, 1440};
                    if (travels) {
                        continue;
                    }
                    const auto counts = algorithm.slice_counts(shape, dataflow, torus, {1, 1});
                    for (std::size_t k = 0; counts && k < counts->size() && k < 6; ++k) {
                        Schedule schedule;
                        schedule.prefetch.depth = 0;
                        const Program program =
                            written(algorithm.id, shape, dataflow, torus, {(*counts)[k], 1});
                        const auto timeline = simulated(program, schedule);
                        EXPECT_EQ(usage(*timeline).overlapped, Time(0))
                            << algorithm.id << ' ' << name(dataflow) << ' ' << shape_text(torus)
                            << " S = " << (*counts)[k] << '\n'
                            << pseudocode(program);
                        ++runs;
                    }
                }
            }
        }
    }
    EXPECT_GT(runs, 100);
}

TEST(Simulate, StopsWhenAsked) {
    std::stop_source source;
    source.request_stop();
    const Program program =
        written("meshslice", {256, 256, 256}, Dataflow::OS, *Torus::create({4, 4}), {4, 2});
    const auto timeline = simulate(program, round_hardware(), {}, {}, {source.get_token()});
    ASSERT_FALSE(timeline);
    EXPECT_EQ(timeline.error().kind, Error::Kind::cancelled);
}

/// Asks for a stop when the run takes its memory, just before its first event.
class StopsWhenUsed : public std::pmr::memory_resource {
  public:
    explicit StopsWhenUsed(std::stop_source& source) : source_(source) {}

  private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        source_.request_stop();
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override {
        std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
    }
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    std::stop_source& source_;
};

TEST(Simulate, StopsWhenAskedWhileItRuns) {
    std::stop_source source;
    const Program program =
        written("meshslice", {256, 256, 256}, Dataflow::OS, *Torus::create({4, 4}), {4, 2});
    std::atomic<double> progress = 0;
    const auto timeline =
        simulate(program, round_hardware(), {}, {},
                 {source.get_token(), &progress, std::make_shared<StopsWhenUsed>(source)}, Folding::none);
    ASSERT_FALSE(timeline);
    EXPECT_EQ(timeline.error().kind, Error::Kind::cancelled);
    EXPECT_LT(progress, 1);
}

TEST(Simulate, IsDoneWhenItIsDone) {
    for (const char* const id : {"meshslice", "summa", "collective"}) {
        const Program program = written(id, {256, 256, 256}, Dataflow::OS, *Torus::create({2, 4}),
                                        {std::string_view(id) == "collective" ? 1 : 4, 2});
        std::atomic<double> progress = 0;
        ASSERT_TRUE(simulate(program, round_hardware(), {}, {}, {{}, &progress})) << id;
        EXPECT_EQ(progress, 1) << id;
    }
}

TEST(Simulate, RefusesMoreThanMemoryHolds) {
    const Program program = written("meshslice", {1 << 20, 1 << 15, 1 << 20}, Dataflow::OS,
                                    *Torus::create({256, 256}), {4096, 1});
    const auto timeline = simulate(program, round_hardware(), {}, {}, {}, Folding::none);
    ASSERT_FALSE(timeline);
    EXPECT_NE(timeline.error().sentence.find("fewer slices or chips"), std::string::npos);
}

/// By hand on the 2 x 2 case of S = 2: the second gathers (4011 and 6011 us) overlap the first
/// multiplication, once it has begun.
TEST(Usage, TellsHiddenFromExposed) {
    const auto timeline =
        simulated(written("meshslice", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 4}));
    const Usage used = usage(*timeline);
    EXPECT_EQ(used.compute, us(96000));
    EXPECT_EQ(used.exposed, us(6011));
    // The second gather of A starts right after its first, at 4011 us, and the core at 6011 us: 2000 us too
    // early.
    EXPECT_EQ(used.overlapped, us(4011 - 2000) + us(6011));
}

} // namespace
} // namespace meshslice
