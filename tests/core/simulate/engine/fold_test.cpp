#include "core/simulate/engine/fold.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <set>
#include <stop_token>

namespace meshslice {
namespace {

using testing::ElementsAre;

ChipClasses folded(std::string_view id, Dataflow dataflow, const Torus& torus, std::int64_t slices = 1) {
    const Program program = written(id, {720, 720, 720}, dataflow, torus, {slices, 1});
    return fold(program, plans(program, round_hardware(), {}));
}

/// In a closed ring no chip can tell where it stands; on a line every distance from the ends differs.
TEST(Fold, RingsAreOneClassAndLinesOneForEveryPlace) {
    EXPECT_EQ(folded("meshslice", Dataflow::LS, *Torus::create({6, 4}), 4).count(), 1);
    EXPECT_EQ(folded("collective", Dataflow::OS, *Torus::create({{6, true}, {4, false}})).count(), 4);
    EXPECT_EQ(folded("collective", Dataflow::OS, *Torus::create({{6, false}, {4, false}})).count(), 24);
    const ChipClasses lines = folded("collective", Dataflow::OS, *Torus::create({{2, true}, {3, false}}));
    EXPECT_THAT(lines.representatives, ElementsAre(0, 1, 2));
    EXPECT_THAT(lines.class_of, ElementsAre(0, 1, 2, 0, 1, 2));
    EXPECT_THAT(lines.members(), ElementsAre(2, 2, 2));
}

/// A few numbers describe what a chip does, however many chips its ring has: with one number for every send
/// of every chip, this would take 17 GB.
TEST(Fold, OfALongRingIsSmall) {
    const Program program =
        written("collective", {65536, 65536, 65536}, Dataflow::OS, *Torus::create({1, 65536}));
    EXPECT_EQ(fold(program, plans(program, round_hardware(), {})).count(), 1u);
}

/// On a ring of 1024 whose core 0 is slow, what that changes spreads to the farthest chip, 512 links away, in
/// as many rounds. After a stop nothing more is asked, and there are no classes.
TEST(Fold, AnswersAStopInTheMiddle) {
    const Torus torus = *Torus::create({1, 1024});
    const Program program = written("collective", {1024, 1024, 1024}, Dataflow::OS, torus);
    Faults slow;
    slow.parts.push_back(*parse_fault("0,0 core 50%"));
    const Conditions met = *conditions(torus, slow);
    const Plans all = plans(program, round_hardware(), {}, met);
    int asked = 0;
    EXPECT_EQ(fold(program, all, met, [&] { return ++asked < 0; }).count(), 1024u);
    EXPECT_GE(asked, 512);
    const int whole = asked;
    for (const int stop_at : {1, 3, whole / 2, whole}) {
        asked = 0;
        EXPECT_EQ(fold(program, all, met, [&] { return ++asked == stop_at; }).count(), 0u) << stop_at;
        EXPECT_EQ(asked, stop_at);
    }
    std::stop_source stopped;
    stopped.request_stop();
    EXPECT_EQ(recorded_intervals(program, round_hardware(), {}, met, stopped.get_token()), 0);
}

/// SUMMA on a ring of 128 records what each of 128 panels takes on each of 128 chips, no two of which are
/// alike; finding that out is asked whether to stop, once per piece of work, far less often.
TEST(Fold, TakesLessWorkThanTheRun) {
    const Program program =
        written("summa", {4096, 4096, 4096}, Dataflow::OS, *Torus::create({1, 128}), {128, 1});
    std::int64_t asked = 0;
    EXPECT_EQ(fold(program, plans(program, round_hardware(), {}), {}, [&] { return ++asked < 0; }).count(),
              128u);
    EXPECT_LT(10 * asked, recorded_intervals(program, round_hardware(), {}));
}

/// SUMMA's roots take turns and Cannon's skews differ from ring to ring.
TEST(Fold, KeepsApartWhatMovesDifferently) {
    EXPECT_EQ(folded("summa", Dataflow::OS, *Torus::create({4, 3}), 12).count(), 12);
    EXPECT_EQ(folded("cannon", Dataflow::OS, *Torus::create({4, 4})).count(), 16);
    EXPECT_EQ(folded("1d-tp", Dataflow::OS, *Torus::create(std::vector<std::int32_t>{8})).count(), 1);
}

/// Seen from a slow core every chip lies in another direction or at another distance, so no two are alike.
/// Two of them four rows apart on rings of eight look the same to chips four rows apart; three rows apart
/// they do not.
TEST(Fold, AFaultTellsChipsApartAsFarAsItReaches) {
    const Torus torus = *Torus::create({8, 6});
    const Program program = written("meshslice", {720, 720, 720}, Dataflow::OS, torus, {3, 1});
    const auto count = [&](const std::vector<std::string>& faults) {
        Faults all;
        for (const std::string& fault : faults) {
            all.parts.push_back(*parse_fault(fault));
        }
        const Conditions met = *conditions(torus, all);
        const ChipClasses classes = fold(program, plans(program, round_hardware(), {}, met), met);
        EXPECT_EQ(classes.of(0), 0u); // Numbered in the order of first appearance.
        return classes.count();
    };
    EXPECT_EQ(count({}), 1u);
    EXPECT_EQ(count({"2,3 core 50%"}), 48u);
    EXPECT_EQ(count({"2,3 core 50%", "6,3 core 50%"}), 24u);
    EXPECT_EQ(count({"2,3 core 50%", "6,3 core 25%"}), 48u);
    EXPECT_EQ(count({"2,3 core 50%", "5,3 core 50%"}), 48u);
    EXPECT_EQ(count({"2,0 east 50%", "2,2 east 50%", "2,4 east 50%"}), 16u);
}

/// The folded run is the full one, event by event: every algorithm, on rings and on lines.
TEST(Fold, ChangesNoEvent) {
    const std::vector<Torus> toruses = {*Torus::create(std::vector<std::int32_t>{8}),
                                        *Torus::create({4, 4}),
                                        *Torus::create({3, 6}),
                                        *Torus::create({{4, true}, {5, false}}),
                                        *Torus::create({{3, false}, {4, false}}),
                                        *Torus::create({4, 4, 2}),
                                        *Torus::create({{2, true}, {3, true}, {4, false}})};
    std::set<std::string_view> seen;
    int smaller = 0;
    for (const Torus& torus : toruses) {
        for (const Algorithm& algorithm : algorithms()) {
            for (const Dataflow dataflow : algorithm.dataflows) {
                const GemmShape shape{720, 1440, 2160};
                const auto counts = algorithm.slice_counts(shape, dataflow, torus, {});
                if (!counts) {
                    continue;
                }
                const std::int64_t slices = (*counts)[counts->size() / 2];
                const Program program = written(algorithm.id, shape, dataflow, torus, {slices, 1});
                for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
                    const Schedule schedule{DataType::bf16, ring, {1}};
                    const auto alike = *simulate(program, round_hardware(), schedule);
                    const auto full = *simulate(program, round_hardware(), schedule, {}, {}, Folding::none);
                    EXPECT_TRUE(*alike == *full)
                        << algorithm.id << ' ' << name(dataflow) << ' ' << shape_text(torus);
                    EXPECT_EQ(usage(*alike), usage(*full));
                    EXPECT_EQ(alike->interval_count(), full->stored_intervals());
                    smaller += alike->stored_intervals() < full->stored_intervals() ? 1 : 0;
                    seen.insert(algorithm.id);
                }
            }
        }
    }
    EXPECT_EQ(seen.size(), algorithms().size());
    EXPECT_GT(smaller, 40);
}

} // namespace
} // namespace meshslice
