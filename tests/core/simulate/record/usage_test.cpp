#include "core/gemm/algorithms.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"
#include "tests/core/support/round_hardware.h"

#include <gtest/gtest.h>

#include <set>

namespace meshslice {
namespace {

const Interval* at_time(std::span<const Interval> intervals, Time time) {
    for (const Interval& interval : intervals) {
        if (interval.start <= time && time < interval.end) {
            return &interval;
        }
    }
    return nullptr;
}

/// The same from the definition: between any two moments at which anything on a chip begins or ends, nothing
/// changes; so it is enough to look at each of these stretches.
Usage by_definition(const Timeline& timeline) {
    Usage sum;
    const auto chips = timeline.torus().chips();
    std::vector<std::vector<std::size_t>> rows(static_cast<std::size_t>(chips));
    for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
        rows[static_cast<std::size_t>(timeline.rows()[row].chip)].push_back(row);
    }
    for (const auto& of_chip : rows) {
        std::set<Time> moments;
        for (const std::size_t row : of_chip) {
            for (const Interval& interval : timeline.intervals(row)) {
                moments.insert(interval.start);
                moments.insert(interval.end);
            }
        }
        for (auto moment = moments.begin(); moment != moments.end() && std::next(moment) != moments.end();
             ++moment) {
            const Time lasts = *std::next(moment) - *moment;
            bool multiplies = false;
            std::array<std::array<bool, activity_count>, 3> axes{};
            for (const std::size_t row : of_chip) {
                if (const Interval* interval = at_time(timeline.intervals(row), *moment)) {
                    if (timeline.rows()[row].is_core) {
                        multiplies = interval->activity == Activity::compute;
                    } else {
                        axes[static_cast<std::size_t>(timeline.rows()[row].axis)]
                            [static_cast<std::size_t>(interval->activity)] = true;
                    }
                }
            }
            sum.compute += multiplies ? lasts : Time(0);
            for (const auto& does : axes) {
                const auto is = [&](Activity activity) { return does[static_cast<std::size_t>(activity)]; };
                Time* part = is(Activity::transfer) ? &sum.transfer
                             : is(Activity::copy)   ? &sum.copy
                             : is(Activity::sync)   ? &sum.sync
                             : is(Activity::launch) ? &sum.launch
                                                    : nullptr;
                if (part != nullptr) {
                    *part += lasts;
                    sum.overlapped += multiplies ? lasts : Time(0);
                }
            }
        }
    }
    for (Time* part : {&sum.compute, &sum.launch, &sum.sync, &sum.transfer, &sum.copy, &sum.overlapped}) {
        *part = Time(part->value() / chips);
    }
    return sum;
}

/// Of SUMMA and Cannon the two links of an axis do not do the same at the same time.
TEST(Usage, IsThatOfBothLinksOfAnAxisTogether) {
    for (const char* id : {"meshslice", "summa", "cannon", "wang", "collective"}) {
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            for (const bool tiles : {false, true}) {
                const Algorithm& chosen = **algorithm(id);
                const Torus torus = *Torus::create({4, 4});
                const auto program = chosen.write({4096, 2048, 1024}, Dataflow::OS, torus, {4, 4, 8});
                ASSERT_TRUE(program) << program.error().sentence;
                Schedule schedule;
                schedule.ring = ring;
                schedule.chip = tiles ? ChipModel::tiled : ChipModel::roofline;
                Conditions every_chip; // no two alike
                every_chip.core_speed.assign(16, 1.0);
                every_chip.core_speed[5] = 0.9;
                const auto run = simulate(*program, tiled_round_hardware(200), schedule, every_chip);
                ASSERT_TRUE(run);
                const Usage expected = by_definition(**run);
                Usage found = usage(**run);
                found.exposed = Time(0);
                EXPECT_EQ(found, expected) << id;
                EXPECT_LE(found.overlapped, found.communication()) << id;
            }
        }
    }
}

/// A ring of four chips whose link from 0 to 1 is dead. From 0 to 10 us chip 0 sends 1000 B to 1, which go
/// round by the links from 0 to 3, 3 to 2 and 2 to 1; meanwhile 3 sends 300 B of its own to 2.
TEST(CarriedBytes, OfADeadLinkAreOnTheLinksRound) {
    const auto us = [](std::int64_t count) { return Time(count * 1'000'000); };
    std::vector<Row> rows;
    std::vector<std::size_t> begins{0};
    std::vector<Interval> intervals;
    for (Chip chip = 0; chip < 4; ++chip) {
        rows.push_back({chip});
        begins.push_back(intervals.size());
        rows.push_back({chip, false, Axis::vertical, Direction::forward, chip == 0});
        if (chip == 0) {
            intervals.push_back({us(0), us(10), 0, 0, 0, Activity::transfer});
        }
        begins.push_back(intervals.size());
        rows.push_back({chip, false, Axis::vertical, Direction::backward});
        if (chip == 3) {
            intervals.push_back({us(0), us(10), 0, 0, 1, Activity::transfer});
        }
        begins.push_back(intervals.size());
    }
    const Timeline timeline(
        *Torus::create(std::vector<std::int32_t>{4}),
        {{"there", "", Bytes(1000), Bytes(0), Flop(0)}, {"back", "", Bytes(0), Bytes(300), Flop(0)}}, 1, rows,
        begins, intervals, us(10));
    ASSERT_EQ(timeline.torus().neighbour(0, Axis::vertical, Direction::forward), 1);
    EXPECT_EQ(carried_bytes(timeline, {us(0), us(10)}),
              (std::vector<double>{0, 0, 1000, 0, 0, 0, 0, 0, 1000, 0, 0, 1300}));
    EXPECT_EQ(carried_bytes(timeline, {us(5), us(20)}),
              (std::vector<double>{0, 0, 500, 0, 0, 0, 0, 0, 500, 0, 0, 650}));
}

} // namespace
} // namespace meshslice
