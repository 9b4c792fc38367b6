#include "core/estimate/cycle_ratio.h"
#include "core/estimate/estimate.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/record/usage.h"
#include "tests/core/support/round_hardware.h"
#include "tests/core/support/written.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

/// C (4000 x 6000) = ... over k = 8000, on 2 x 2 chips, S = 2, bf16, half of every chunk each way, worked by
/// hand from the paper's section 3.2.2: cost = launch + (P - 1) (sync + bytes / bandwidth).
///
/// Every multiplication of a slice is 2 * 2000 * 3000 * 4000 FLOP = 4.8e10, 48 ms at 10^12 FLOP/s.
/// OS: A_s is 2000 x 2000, half of its 8 MB takes 4 ms:  AG_col = 10 us + 1 us + 4000 us = 4011 us
///     B_s is 2000 x 3000, half of its 12 MB takes 6 ms: AG_row = 10 us + 1 us + 6000 us = 6011 us
///     prologue 6011, steady max(4011, 6011, 48000), epilogue 48000
/// LS: B_s is 1500 x 4000, 12 MB:  AG_row = 6011 us; C_s is 2000 x 1500, 6 MB: RdS_col = 20 + 1 + 3000 = 3021
/// us
///     prologue 6011, steady 48000, epilogue 48000 + 3021
/// RS: A_s is 4000 x 1000, 8 MB:   AG_col = 4011 us; C_s is 1000 x 3000, 6 MB: RdS_row = 3021 us
///     prologue 4011, steady 48000, epilogue 48000 + 3021
/// At ten times the rate a multiplication takes 4800 us and the slowest collective sets the pace where it is
/// longer.
struct HandWorked {
    Dataflow dataflow;
    double rate;
    Time prologue, steady, epilogue, total;
    Time launch, sync, transfer;
    Time overlapped; ///< one iteration's collectives, each as far as one multiplication reaches

    friend void PrintTo(const HandWorked& hand, std::ostream* out) {
        *out << name(hand.dataflow) << " at " << hand.rate;
    }
};

class EstimateByHand : public testing::TestWithParam<HandWorked> {};

INSTANTIATE_TEST_SUITE_P(Dataflows, EstimateByHand,
                         testing::Values(HandWorked{Dataflow::OS, 1e12, us(6011), us(48000), us(48000),
                                                    us(102011), us(40), us(4), us(20000), us(4011 + 6011)},
                                         HandWorked{Dataflow::LS, 1e12, us(6011), us(48000), us(51021),
                                                    us(105032), us(60), us(4), us(18000), us(6011 + 3021)},
                                         HandWorked{Dataflow::RS, 1e12, us(4011), us(48000), us(51021),
                                                    us(103032), us(60), us(4), us(14000), us(4011 + 3021)},
                                         HandWorked{Dataflow::OS, 1e13, us(6011), us(6011), us(4800),
                                                    us(16822), us(40), us(4), us(20000), us(4011 + 4800)},
                                         HandWorked{Dataflow::LS, 1e13, us(6011), us(6011), us(7821),
                                                    us(19843), us(60), us(4), us(18000), us(4800 + 3021)},
                                         HandWorked{Dataflow::RS, 1e13, us(4011), us(4800), us(7821),
                                                    us(16632), us(60), us(4), us(14000), us(4011 + 3021)}),
                         [](const auto& test) {
                             return fmt::format("{}_{}", name(test.param.dataflow),
                                                test.param.rate > 1e12 ? "fast" : "slow");
                         });

TEST_P(EstimateByHand, IsThePapersClosedForm) {
    const HandWorked& hand = GetParam();
    Machine hardware = round_hardware();
    hardware.peak[DataType::bf16].value = FlopRate(hand.rate);
    const Program program =
        written("meshslice", {4000, 6000, 8000}, hand.dataflow, *Torus::create({2, 2}), {2, 4});

    const Estimate result = estimate(program, hardware, {});
    EXPECT_EQ(result.prologue, hand.prologue);
    EXPECT_EQ(result.steady, hand.steady);
    EXPECT_EQ(result.epilogue, hand.epilogue);
    EXPECT_EQ(result.total, hand.total);
    EXPECT_EQ(result.launch, hand.launch);
    EXPECT_EQ(result.sync, hand.sync);
    EXPECT_EQ(result.transfer, hand.transfer);
    EXPECT_EQ(result.exposed, hand.total - result.compute);
    EXPECT_EQ(result.overlapped, hand.overlapped);

    const auto simulated = simulate(program, hardware, {});
    ASSERT_TRUE(simulated);
    EXPECT_EQ((*simulated)->end(), hand.total);
    const Usage used = usage(**simulated);
    EXPECT_EQ(used.launch, hand.launch);
    EXPECT_EQ(used.sync, hand.sync);
    EXPECT_EQ(used.transfer, hand.transfer);
    EXPECT_EQ(used.exposed, result.exposed);
}

/// Collective is the case of one slice: AG 8011 us (A) during 12011 us (B), then 96 ms; nothing overlaps.
TEST(Estimate, CollectiveAddsTheLongerGatherAndTheProduct) {
    const Program program = written("collective", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}));
    const Estimate result = estimate(program, round_hardware(), {});
    EXPECT_EQ(result.prologue, us(12011));
    EXPECT_EQ(result.epilogue, us(96000));
    EXPECT_EQ(result.total, us(108011));
    EXPECT_EQ(result.overlapped, us(0));
}

/// Without prefetch each iteration of OS waits for its own gathers: 2 (6011 + 48000).
/// LS: a gather of slice 1 needs B' free, so it starts after the first multiplication, during RdS (3021,
/// shorter): 6011 + 48000 + 6011 + 48000 + 3021.
TEST(Estimate, WithoutPrefetchNothingOverlapsTheMultiplication) {
    Schedule schedule;
    schedule.prefetch.depth = 0;
    const auto total = [&](Dataflow dataflow) {
        const Program program =
            written("meshslice", {4000, 6000, 8000}, dataflow, *Torus::create({2, 2}), {2, 4});
        const Time estimated = estimate(program, round_hardware(), schedule).total;
        EXPECT_EQ((*simulate(program, round_hardware(), schedule))->end(), estimated) << name(dataflow);
        return estimated;
    };
    EXPECT_EQ(total(Dataflow::OS), us(2 * (6011 + 48000)));
    EXPECT_EQ(total(Dataflow::LS), us(6011 + 48000 + 6011 + 48000 + 3021));
}

/// On a one-way ring whole chunks travel forward: the byte times of the hand-worked OS case double.
TEST(Estimate, AOneWayRingDoublesTheTransfer) {
    Schedule schedule;
    schedule.ring = RingMode::one_way;
    const Program program =
        written("meshslice", {4000, 6000, 8000}, Dataflow::OS, *Torus::create({2, 2}), {2, 4});
    EXPECT_EQ(estimate(program, round_hardware(), schedule).prologue, us(12011));
}

/// "Without wrap-around most collectives take about twice as long" (scaling book, chapter 2): on a line of
/// four, whole chunks in three steps instead of halves.
TEST(Estimate, ALineTakesTwiceTheTransferOfARing) {
    for (const Dataflow dataflow : all_dataflows) {
        const auto transfer = [&](bool wraps) {
            const Torus torus = *Torus::create({{4, wraps}, {4, wraps}});
            const Program program = written("collective", {4000, 8000, 8000}, dataflow, torus);
            const Estimate result = estimate(program, round_hardware(), {});
            EXPECT_EQ((*simulate(program, round_hardware(), {}))->end(), result.total);
            return result.transfer;
        };
        EXPECT_EQ(transfer(false), transfer(true) * 2);
    }
}

/// Wang on a ring of 8: a chunk of A is 1000 x 10, half of it 10 us on a link; a SendRecv is 5 us launch, 1
/// us sync and 10 us. With S iterations each takes 8 / S SendRecvs, but the first one fewer, and as many
/// chunks. Of 20 us the products hide all except the first; of 2 us all are hidden except the last.
TEST(Estimate, WangUnrolledWaitsLongerForItsFirstChunks) {
    const Torus ring = *Torus::create({1, 8});
    Machine hardware = round_hardware();
    hardware.launch[Collective::send_receive].value = seconds(5e-6);
    const auto total = [&](std::int64_t width, std::int64_t slices) {
        const Program program = written("wang", {1000, 8 * width, 80}, Dataflow::OS, ring,
                                        {.slices = slices, .decomposed = Axis::horizontal});
        const Estimate result = estimate(program, hardware, {});
        EXPECT_EQ(result.launch, seconds(7 * 5e-6)) << slices;
        EXPECT_EQ(result.sync, seconds(7 * 1e-6)) << slices;
        EXPECT_EQ(result.transfer, seconds(7 * 10e-6)) << slices;
        EXPECT_EQ((*simulate(program, hardware, {}))->end(), result.total) << slices;
        return result.total;
    };
    EXPECT_EQ(total(1000, 8), seconds(8 * 20e-6));
    EXPECT_EQ(total(1000, 4), seconds((1 * 16 + 8 * 20) * 1e-6));
    EXPECT_EQ(total(1000, 2), seconds((3 * 16 + 8 * 20) * 1e-6));
    EXPECT_EQ(total(1000, 1), seconds((7 * 16 + 8 * 20) * 1e-6));
    EXPECT_EQ(total(100, 8), seconds((7 * 16 + 1 * 2) * 1e-6));
    EXPECT_EQ(total(100, 4), seconds((7 * 16 + 2 * 2) * 1e-6));
}

/// 6 x 6 chips, OS: B is gathered along the columns before the loop, and the SendRecvs of A that are done
/// meanwhile, as far as buffers allow, are not waited for again.
TEST(Estimate, TurnsOfTheLoopThatRunBeforeItIsDueAreNotCountedTwice) {
    for (const std::int64_t depth : {0, 1, 2, 5}) {
        const Program program = written("wang", {960, 9600, 960}, Dataflow::OS, *Torus::create({6, 6}),
                                        {.slices = 6, .decomposed = Axis::horizontal});
        Schedule schedule;
        schedule.prefetch.depth = depth;
        const Estimate result = estimate(program, round_hardware(), schedule);
        EXPECT_EQ(result.total, (*simulate(program, round_hardware(), schedule))->end()) << depth;
        EXPECT_EQ(result.prologue + result.steady * (program.iterations - 1) + result.epilogue, result.total);
    }
}

TEST(Estimate, OneChipOnlyMultiplies) {
    const Program program = written("meshslice", {64, 64, 64}, Dataflow::OS, *Torus::create({1, 1}), {4, 2});
    const Estimate result = estimate(program, round_hardware(), {});
    EXPECT_EQ(result.total, result.compute);
    EXPECT_EQ(result.communication(), Time(0));
    EXPECT_EQ(result.compute, seconds(2.0 * 64 * 64 * 64 / 1e12));
}

/// Two nodes of 3 and 5 that wait for each other with distance 2: (3 + 5) / 2 = 4; a self-loop of 5 wins.
TEST(CycleRatio, IsTheSlowestCycle) {
    std::vector<CycleEdge> edges = {{0, 1, Time(3), 0}, {1, 0, Time(5), 2}};
    EXPECT_EQ(largest_cycle_ratio(2, edges), Time(4));
    edges.push_back({1, 1, Time(5), 1});
    EXPECT_EQ(largest_cycle_ratio(2, edges), Time(5));
    EXPECT_EQ(largest_cycle_ratio(2, {{0, 1, Time(3), 0}}), Time(0));
}

} // namespace
} // namespace meshslice
