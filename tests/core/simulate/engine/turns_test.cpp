// Turns of a loop that are written down instead of gone through.

#include "core/simulate/engine/simulate.h"
#include "tests/core/support/draw.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace meshslice {
namespace {

struct LongLoop {
    Program program;
    Machine hardware;
    Schedule schedule;
    Conditions conditions;
    std::string text;

    [[nodiscard]] std::shared_ptr<const Timeline> run(Folding folding) const {
        const auto timeline = simulate(program, hardware, schedule, conditions, {}, folding);
        EXPECT_TRUE(timeline) << text << (timeline ? "" : timeline.error().sentence);
        return timeline ? *timeline : std::make_shared<const Timeline>();
    }
};

/// With links, cores or memory that set the pace, in turn or together.
LongLoop drawn(std::uint32_t seed) {
    Draw draw(seed);
    LongLoop one;
    const auto rows = draw(1, 2, 4, 6);
    const Torus torus =
        *Torus::create({{rows, draw(true, false)}, {draw(2, 3, 4), true, draw(false, false, true)}});
    const std::int64_t slices = draw(12, 24, 48);
    const std::int64_t size = 2304 * draw(1, 2); // 48 slices of blocks of 4 on sides of up to 12
    one.program = written("meshslice", {size, size, size}, draw(Dataflow::OS, Dataflow::LS, Dataflow::RS),
                          torus, {slices, draw(1, 4)});
    one.hardware = draw(true, false) ? tiled_round_hardware(100) : round_hardware();
    one.hardware.hbm_bandwidth.value = Bandwidth(draw(3e9, 6e9, 1.2e10, 2.4e10, 1e12));
    one.hardware.peak[DataType::bf16].value = FlopRate(draw(1e11, 1e12, 1e13));
    one.hardware.launch.multiply.value = Time(draw(0, 1'000'000));
    one.schedule.ring = draw(RingMode::both_ways, RingMode::one_way);
    one.schedule.prefetch = {draw(0, 1, 2, 5)};
    one.schedule.chip = draw(ChipModel::by_hardware, ChipModel::constant_rate);
    Faults faults;
    if (draw(true, false)) {
        faults.parts.push_back(*parse_fault(draw("0,1 core 50%", "0,1 east 30%", "0,0 core 99%")));
    }
    // A folded ring lacks the link at its end.
    one.conditions = conditions(torus, faults).value_or(Conditions());
    one.text = "seed " + std::to_string(seed);
    return one;
}

/// Event by event, sums and end: nothing of a run says which turns were gone through.
TEST(Turns, AreWrittenDownAsTheyWouldHaveRun) {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        const LongLoop one = drawn(seed);
        const auto every = one.run(Folding::no_turns);
        for (const Folding folding : {Folding::alike_chips, Folding::none}) {
            const auto timeline = one.run(folding);
            ASSERT_EQ(*timeline, *every) << one.text;
            for (std::size_t row = 0; row < every->rows().size(); ++row) {
                ASSERT_EQ(timeline->busy(row), every->busy(row)) << one.text;
            }
        }
    }
}

/// Every other algorithm with a loop, some of which take another way in every iteration.
TEST(Turns, OfOtherLoopsStayAsTheyAre) {
    const Torus torus = *Torus::create({8, 8});
    for (const std::string_view id : {"cannon", "wang", "summa", "1d-tp"}) {
        const Torus on = id == "1d-tp" ? *Torus::create(std::vector<std::int32_t>{16}) : torus;
        LongLoop one{written(id, {7680, 7680, 7680}, Dataflow::OS, on, {8, 1}),
                     tiled_round_hardware(100),
                     {},
                     {},
                     std::string(id)};
        EXPECT_EQ(*one.run(Folding::none), *one.run(Folding::no_turns)) << id;
    }
}

} // namespace
} // namespace meshslice
