// What a slow core, a slow link, a dead link and jitter cost, worked by hand.

#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// A ring of 4 gathers A: shards of 1000 x 20, so 40 us on a link or, half each way, 20 us; 10 us launch, 1
/// us sync. Then every chip multiplies by its own column of B: 2 x 1000 x 80 FLOP at 10^12 FLOP/s are 160 ns,
/// (1000 x 80 + 80 + 1000) x 2 bytes at 10^12 B/s a little more.
const Torus ring = *Torus::create({1, 4});
Program collective() {
    return written("collective", {1000, 4, 80}, Dataflow::OS, ring);
}
const Time product = Time(162'160);

std::shared_ptr<const Timeline> run(const Program& program, const std::vector<const char*>& faults,
                                    RingMode mode = RingMode::both_ways,
                                    Folding folding = Folding::alike_chips) {
    Faults all;
    for (const char* words : faults) {
        all.parts.push_back(*parse_fault(words));
    }
    const auto found = conditions(program.torus, all);
    EXPECT_TRUE(found) << (found ? "" : found.error().sentence);
    return *simulate(program, round_hardware(), {DataType::bf16, mode, {1}}, *found, {}, folding);
}

Time microseconds(double value) {
    return seconds(value * 1e-6);
}

TEST(Faults, NoneLeaveTheRunAsItIs) {
    EXPECT_EQ(run(collective(), {})->end(), microseconds(10 + 3 * 21) + product);
    EXPECT_EQ(run(collective(), {"0,1 core 100%"})->end(), microseconds(10 + 3 * 21) + product);
}

TEST(Faults, ASlowCoreMultipliesLonger) {
    EXPECT_EQ(run(collective(), {"0,2 core 25%"})->end(), microseconds(10 + 3 * 21) + product * 4);
}

/// The three chunks that pass the slow link take 41 us each, one after the other; no other chip is later.
TEST(Faults, ASlowLinkDelaysWhatPassesIt) {
    EXPECT_EQ(run(collective(), {"0,0 east 50%"})->end(), microseconds(10 + 3 * 41) + product);
}

/// One-way, the links back are free: a chunk goes three hops round, with three synchronizations.
TEST(Faults, ADeadLinksTrafficGoesRoundTheOtherWay) {
    const Program program = collective();
    EXPECT_EQ(run(program, {}, RingMode::one_way)->end(), microseconds(10 + 3 * 41) + product);
    EXPECT_EQ(run(program, {"0,0 east dead"}, RingMode::one_way)->end(), microseconds(10 + 3 * 43) + product);
}

/// One-way, the dead link's chunks go round by the west links of chips 0, 3 and 2: three times 3 us of
/// synchronization and 40 us of transfer. The other east links launch for 10 us and send three chunks of 41
/// us; the west link of chip 1 would lead back, and carries nothing. Neither does the dead link.
TEST(Faults, ADeadLinkIsNotBusyAndItsDetourIs) {
    const auto timeline = run(collective(), {"0,0 east dead"}, RingMode::one_way);
    const std::vector<Time> busy = busy_times(*timeline);
    std::map<std::string, Time> by_name;
    for (std::size_t row = 0; row < busy.size(); ++row) {
        by_name[part_name(timeline->torus(), timeline->rows()[row])] = busy[row];
    }
    EXPECT_FALSE(by_name.contains("chip 0,0 east link"));
    EXPECT_EQ(by_name.at("chip 0,0 west links round"), Time(0));
    for (const char* chip : {"0,0", "0,3", "0,2"}) {
        EXPECT_EQ(by_name.at(fmt::format("chip {} west link", chip)), microseconds(3 * 43)) << chip;
    }
    EXPECT_EQ(by_name.at("chip 0,1 west link"), Time(0));
    for (const char* chip : {"0,1", "0,2", "0,3"}) {
        EXPECT_EQ(by_name.at(fmt::format("chip {} east link", chip)), microseconds(10 + 3 * 41)) << chip;
    }
}

/// Both ways, the detour's links are busy with their own traffic and with what goes round, together never
/// longer than the run, and none is busy for a shorter time than by itself.
TEST(Faults, ASharedLinkIsBusyWithAllThatCrossesIt) {
    const auto timeline = run(collective(), {"0,0 east dead"});
    const std::vector<Time> busy = busy_times(*timeline);
    int shared = 0;
    for (std::size_t row = 0; row < busy.size(); ++row) {
        EXPECT_LE(busy[row], timeline->end());
        if (!timeline->rows()[row].round) {
            EXPECT_GE(busy[row], total(timeline->busy(row)));
            shared += busy[row] > total(timeline->busy(row)) ? 1 : 0;
        }
    }
    EXPECT_EQ(shared, 3);
}

/// When the first transfer of a chip's east or west link begins and ends.
std::pair<Time, Time> first_transfer(const Timeline& timeline, Chip chip, Direction direction) {
    for (std::size_t row = 0; row < timeline.rows().size(); ++row) {
        const Row& place = timeline.rows()[row];
        if (place.chip == chip && !place.is_core && place.axis == Axis::horizontal &&
            place.direction == direction) {
            for (const Interval& interval : timeline.intervals(row)) {
                if (interval.activity == Activity::transfer) {
                    return {interval.start, interval.end};
                }
            }
        }
    }
    return {};
}

/// Both ways, the detour shares three links with their own halves. Those start at 11 us and alone have moved
/// 2 kB when the detour starts at 13 us; half the rate each, they end at 49 us. The detour then has 2 kB
/// left: one alone until the next transfers start at 50 us, the other at half the rate, until 52 us.
TEST(Faults, ADetourSharesItsLinksFairly) {
    const auto timeline = run(collective(), {"0,0 east dead"});
    EXPECT_EQ(first_transfer(*timeline, 0, Direction::forward),
              std::pair(microseconds(13), microseconds(52)));
    for (const Chip chip : {0, 3, 2}) {
        EXPECT_EQ(first_transfer(*timeline, chip, Direction::backward),
                  std::pair(microseconds(11), microseconds(49)))
            << chip;
    }
    EXPECT_EQ(first_transfer(*timeline, 1, Direction::backward),
              std::pair(microseconds(11), microseconds(31)));
    EXPECT_EQ(first_transfer(*timeline, 1, Direction::forward),
              std::pair(microseconds(11), microseconds(31)));
}

/// A cable cut in two: each way's traffic goes round by the links of the other, as above.
TEST(Faults, ADeadLinkEachWaySharesTheOthersRing) {
    for (const Chip place : {0, 1, 2, 3}) {
        const Chip next = (place + 1) % 4;
        const std::string east = "0," + std::to_string(place) + " east dead";
        const std::string west = "0," + std::to_string(next) + " west dead";
        const auto timeline = run(collective(), {east.c_str(), west.c_str()});
        for (const Chip chip : {0, 1, 2, 3}) {
            const std::pair detour(microseconds(13), microseconds(52));
            const std::pair shared(microseconds(11), microseconds(49));
            EXPECT_EQ(first_transfer(*timeline, chip, Direction::forward), chip == place ? detour : shared);
            EXPECT_EQ(first_transfer(*timeline, chip, Direction::backward), chip == next ? detour : shared);
        }
    }
}

/// A fault leaves some chips alike (here those of a column) and the folded run the full one, event by event.
TEST(Faults, FoldOnlyWhatStaysAlike) {
    const Torus torus = *Torus::create({4, 6});
    for (const auto& faults : std::vector<std::vector<const char*>>{
             {"1,2 core 50%"},
             {"1,2 east 50%", "3,3 south 10%"},
             {"0,0 core 50%", "2,0 core 50%"},
             {"0,0 east 50%", "1,0 east 50%", "2,0 east 50%", "3,0 east 50%"}}) {
        for (const char* id : {"meshslice", "wang", "summa"}) {
            const Program program = written(id, {720, 720, 720}, Dataflow::OS, torus, {6, 2});
            const auto alike = run(program, faults);
            const auto full = run(program, faults, RingMode::both_ways, Folding::none);
            EXPECT_TRUE(*alike == *full) << id << ' ' << faults.front();
            EXPECT_EQ(usage(*alike), usage(*full));
        }
    }
    const Program program = written("meshslice", {720, 720, 720}, Dataflow::OS, torus, {6, 2});
    EXPECT_EQ(
        run(program, {"0,0 east 50%", "1,0 east 50%", "2,0 east 50%", "3,0 east 50%"})->classes().count(), 6);
    EXPECT_EQ(run(program, {"0,0 core 50%", "2,0 core 50%"})->classes().count(), 12);
}

/// Every synchronization takes up to 3 us longer by a chance that the seed alone decides.
TEST(Faults, JitterIsTheSameForTheSameSeed) {
    const Program program =
        written("meshslice", {720, 720, 720}, Dataflow::OS, *Torus::create({4, 4}), {6, 2});
    const auto jittered = [&](std::uint64_t seed) {
        const Conditions found = *conditions(program.torus, {{}, microseconds(3), seed});
        return *simulate(program, round_hardware(), {}, found);
    };
    const auto one = jittered(7);
    EXPECT_TRUE(*one == *jittered(7));
    EXPECT_FALSE(*one == *jittered(8));
    EXPECT_GT(one->end(), (*simulate(program, round_hardware(), {}))->end());
    std::set<Time> lengths;
    for (std::size_t row = 0; row < one->rows().size(); ++row) {
        for (const Interval& interval : one->intervals(row)) {
            if (interval.activity == Activity::sync) {
                lengths.insert(interval.end - interval.start);
            }
        }
    }
    EXPECT_GT(*lengths.begin(), microseconds(1));
    EXPECT_LE(*lengths.rbegin(), microseconds(4));
    EXPECT_GT(lengths.size(), 100u);
}

} // namespace
} // namespace meshslice
