#include "core/simulate/engine/simulate.h"
#include "core/simulate/path/critical_path.h"
#include "core/simulate/path/direct_dependencies.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace meshslice {
namespace {

using testing::Contains;
using testing::IsEmpty;

struct RunToFollow {
    Program program;
    Conditions conditions;
    std::shared_ptr<const Timeline> timeline;

    [[nodiscard]] DirectDependencies of(BarPlace bar) const {
        return direct_dependencies(program, round_hardware(), {}, conditions, *timeline, bar);
    }
    [[nodiscard]] const Interval& at(BarPlace bar) const { return timeline->intervals(bar.row)[bar.index]; }
};

RunToFollow run_to_follow(Program program, Folding folding = Folding::alike_chips,
                          const std::vector<std::string>& faults = {}) {
    RunToFollow run{std::move(program), {}, {}};
    Faults given;
    for (const std::string& fault : faults) {
        given.parts.push_back(*parse_fault(fault));
    }
    run.conditions = *conditions(run.program.torus, given);
    run.timeline = *simulate(run.program, round_hardware(), {}, run.conditions, {}, folding);
    return run;
}

/// On 2 x 2 chips, rows core, south, north, east, west of each. B travels south: each chip's transfer of 12
/// ms ends at 12011 us, A's (to the east) of 8 ms at 8011 us. Chip 0,0 is chip 0, chip 1,0 below it chip 2.
TEST(DirectDependencies, OfAMultiplicationAreItsTransfers) {
    for (const Folding folding : {Folding::alike_chips, Folding::none}) {
        const RunToFollow run = run_to_follow(
            written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2})), folding);
        const DirectDependencies core = run.of({0, 0});
        ASSERT_FALSE(core.before.empty());
        EXPECT_EQ(core.before.front(), (BarPlace{1, 2})) << "what it sends itself ends when it begins";
        EXPECT_THAT(core.before, Contains(BarPlace{11, 2})) << "what arrives from chip 1,0";
        EXPECT_THAT(core.before, Contains(BarPlace{3, 2})) << "and A";
        EXPECT_EQ(run.at(core.before.back()).end, us(8'011));
        EXPECT_THAT(core.after, IsEmpty());

        // The transfer waited for its synchronization; chips 0,0 and 1,0 multiply after it.
        const DirectDependencies transfer = run.of({1, 2});
        EXPECT_EQ(transfer.before.front(), (BarPlace{1, 1}));
        EXPECT_THAT(transfer.after, Contains(BarPlace{0, 0}));
        EXPECT_THAT(transfer.after, Contains(BarPlace{10, 0}));

        // A synchronization waits for the launch on both sides, which is where nothing was before.
        const DirectDependencies sync = run.of({1, 1});
        EXPECT_THAT(sync.before, Contains(BarPlace{1, 0}));
        EXPECT_THAT(sync.before, Contains(BarPlace{11, 0}));
        EXPECT_THAT(run.of({1, 0}).before, IsEmpty());
        EXPECT_THAT(run.of({1, 0}).after, Contains(BarPlace{1, 1}));
    }
}

/// Of every algorithm, with all chips recorded: the event before an event of the critical path is among what
/// it waited for, and ends when it begins; and what is before a bar has the bar after it.
TEST(DirectDependencies, GoAlongTheCriticalPath) {
    for (const char* id : {"meshslice", "collective", "summa", "cannon", "wang"}) {
        for (const std::vector<std::string>& faults :
             {std::vector<std::string>{}, std::vector<std::string>{"1,2 east 50%"}}) {
            const RunToFollow run =
                run_to_follow(written(id, {1280, 1280, 1280}, Dataflow::OS, *Torus::create({4, 4}), {4, 2}),
                              Folding::none, faults);
            const CriticalPath path =
                critical_path(run.program, round_hardware(), {}, run.conditions, *run.timeline);
            ASSERT_GT(path.events.size(), 3u);
            const std::size_t last = std::min<std::size_t>(path.events.size(), 40);
            for (std::size_t k = 1; k < last; ++k) {
                const CriticalEvent& before = path.events[k - 1];
                const CriticalEvent& event = path.events[k];
                if (before.row < 0 || event.row < 0) {
                    continue;
                }
                const BarPlace bar{static_cast<std::size_t>(event.row), event.index};
                const DirectDependencies found = run.of(bar);
                ASSERT_FALSE(found.before.empty()) << id << " " << k;
                EXPECT_EQ(run.at(found.before.front()).end, event.start) << id << " " << k;
                // A launch or a copy may be named in the row of the other link.
                const bool there = std::ranges::any_of(found.before, [&](const BarPlace& one) {
                    return run.timeline->rows()[one.row].chip == before.chip &&
                           run.at(one).start == before.start && run.at(one).activity == before.activity;
                });
                EXPECT_TRUE(there) << id << " " << k;
            }
        }
    }
}

/// Alike chips are recorded once; the answer names the chips that are meant all the same.
TEST(DirectDependencies, OfAlikeChipsAreThoseOfEachByItself) {
    for (const char* id : {"meshslice", "summa", "wang"}) {
        const Program program = written(id, {1280, 1280, 1280}, Dataflow::OS, *Torus::create({4, 4}), {4, 2});
        const RunToFollow folded = run_to_follow(program);
        const RunToFollow whole = run_to_follow(program, Folding::none);
        for (std::size_t row = 0; row < whole.timeline->rows().size(); row += 7) {
            const std::size_t bars = whole.timeline->intervals(row).size();
            for (std::size_t index = 0; index < bars; index += 5) {
                const DirectDependencies one = folded.of({row, index});
                const DirectDependencies other = whole.of({row, index});
                EXPECT_THAT(one.before, testing::UnorderedElementsAreArray(other.before)) << id << row;
                EXPECT_THAT(one.after, testing::UnorderedElementsAreArray(other.after)) << id << row;
            }
        }
    }
}

} // namespace
} // namespace meshslice
