#include "tests/core/plan/pipeline/drawn_pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <stop_token>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr auto one_f_one_b = PipelineOrder::one_forward_one_backward;

std::vector<std::string> drawn_stages(const PipelineRun& run, std::int32_t chunks = 1) {
    std::vector<std::string> pictures;
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        pictures.push_back(drawn(run, stage, chunks));
    }
    return pictures;
}

std::vector<std::int64_t> peaks(const PipelineRun& run) {
    std::vector<std::int64_t> bytes;
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        bytes.push_back(run.peak(stage).value());
    }
    return bytes;
}

std::vector<std::int64_t> bubbles(const PipelineRun& run) {
    std::vector<std::int64_t> times;
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        times.push_back(run.total(stage, PipelineActivity::bubble).value());
    }
    return times;
}

/// 4 stages x 8 micro-batches, 1 ps forward and 2 ps backward. By hand: micro-batch k reaches the last stage
/// at 3, and that stage is then never idle: k goes forward at 3 + 3k. It takes 24 ps, and micro-batch 7 comes
/// back through three more stages: 3 + 24 + 6 = 33 ps. Every stage is idle for 33 - 24 = 9 ps = 3 (1 + 2).
TEST(SimulatePipeline, OneForwardOneBackwardAsWorkedByHand) {
    const PipelineRun run = run_of(alike_stages(one_f_one_b, 4, 1, 8, Time(1), Time(2)));
    EXPECT_EQ(run.time(), Time(33));
    EXPECT_THAT(drawn_stages(run), ElementsAre("0123......aa4bb5cc6dd7ee.ff.gg.hh", //
                                               ".012....aa3bb4cc5dd6ee7ff.gg.hh..", //
                                               "..01..aa2bb3cc4dd5ee6ff7gg.hh....", //
                                               "...0aa1bb2cc3dd4ee5ff6gg7hh......"));
    EXPECT_THAT(bubbles(run), ElementsAre(9, 9, 9, 9));
    EXPECT_THAT(peaks(run), ElementsAre(4, 3, 2, 1)) << "one micro-batch for each stage from here on";
}

/// Each of the three passes takes 1 ps. The last stage is never idle from 3 on, for 24 ps, and the gradients
/// of weights that it makes last hide the way back: 27 ps, of which a stage waits (p - 1) (F + B + W - 2 W)
/// = 3. Every stage keeps four micro-batches at most, as many as the first one of 1F1B.
TEST(SimulatePipeline, ZeroBubbleAsWorkedByHand) {
    PipelineWork work = alike_stages(PipelineOrder::zero_bubble, 4, 1, 8, Time(1), Time(1));
    for (PipelineStage& stage : work.stages) {
        stage.chunks.front().weights = Time(1);
    }
    const PipelineRun run = run_of(work);
    EXPECT_EQ(run.time(), Time(27));
    EXPECT_THAT(bubbles(run), ElementsAre(3, 3, 3, 3));
    EXPECT_THAT(peaks(run), ElementsAre(4, 4, 4, 4));
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        EXPECT_EQ(run.total(stage, PipelineActivity::weights), Time(8));
    }
}

/// Where gradients of weights have passes of their own, gradients are summed behind the last of these.
TEST(SimulatePipeline, ZeroBubbleSumsGradientsAfterItsLastPass) {
    PipelineWork work = alike_stages(PipelineOrder::zero_bubble, 2, 1, 2, Time(10), Time(10));
    for (PipelineStage& stage : work.stages) {
        stage.chunks.front().weights = Time(10);
        stage.chunks.front().reduce_gradients = Time(7);
    }
    const PipelineRun run = run_of(work);
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        const auto sums = run.intervals(stage, PipelineRow::data);
        ASSERT_EQ(sums.size(), 1U);
        const auto passes = run.intervals(stage, PipelineRow::compute);
        EXPECT_EQ(passes.back().activity, PipelineActivity::weights);
        EXPECT_EQ(sums.front().start, passes.back().end);
    }
}

TEST(SimulatePipeline, OnlyZeroBubbleHasPassesForWeights) {
    PipelineWork work = alike_stages(one_f_one_b, 2, 1, 2, Time(1), Time(1));
    work.stages[1].chunks.front().weights = Time(1);
    const auto run = simulate_pipeline(work);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().sentence,
              "Stage 1 of the pipeline makes gradients of weights apart, and 1F1B has no "
              "passes for them; zero bubble has.");
}

/// The same. Forward, stage s has micro-batch k at s + k. The last one is turned at 11, and comes back first.
TEST(SimulatePipeline, GPipeAsWorkedByHand) {
    const PipelineRun run = run_of(alike_stages(PipelineOrder::gpipe, 4, 1, 8, Time(1), Time(2)));
    EXPECT_EQ(run.time(), Time(33));
    EXPECT_THAT(drawn_stages(run), ElementsAre("01234567.........hhggffeeddccbbaa", //
                                               ".01234567......hhggffeeddccbbaa..", //
                                               "..01234567...hhggffeeddccbbaa....", //
                                               "...01234567hhggffeeddccbbaa......"));
    EXPECT_THAT(bubbles(run), ElementsAre(9, 9, 9, 9));
    EXPECT_THAT(peaks(run), ElementsAre(8, 8, 8, 8));
}

/// Two chunks on each stage, 1 ps forward and 2 ps backward each. The last stage is never idle from 3 on: 48
/// ps, and 3 x 2 ps until the first stage has the last micro-batch: 57 ps, 9 of them idle, as many as with
/// one chunk of half the layers. The first stage cannot take E (micro-batch 4 in chunk 1) at 19: the last
/// stage has 4 in chunk 0 until 20. It has as many passes in flight as go before the first pair, and one.
TEST(SimulatePipeline, InterleavedAsWorkedByHand) {
    const PipelineRun run = run_of(alike_stages(PipelineOrder::interleaved, 4, 2, 8, Time(1), Time(2)));
    EXPECT_EQ(run.time(), Time(57));
    EXPECT_THAT(drawn_stages(run, 2),
                ElementsAre("0123ABCD456...aa7bb.EccFddGssHttuu.vv.ee.ff.gg.hhwwxxyyzz", //
                            ".0123ABCD4..aa5bb6cc7ddEssFttGuuHvv.ee.ff.gg.hhwwxxyyzz..", //
                            "..0123ABC.aaDbb4cc5dd6ss7ttEuuFvvGeeHff.gg.hhwwxxyyzz....", //
                            "...0123AaaBbbCccDdd4ss5tt6uu7vvEeeFffGggHhhwwxxyyzz......"));
    EXPECT_THAT(bubbles(run), ElementsAre(9, 9, 9, 9));
    EXPECT_THAT(peaks(run), ElementsAre(11, 9, 7, 5));
}

/// Three stages, the middle one three times as slow: it is idle only until it gets its first micro-batch and
/// after its last, 1 + 18 + 1 ps.
TEST(SimulatePipeline, WaitsForItsSlowestStage) {
    PipelineWork work = alike_stages(one_f_one_b, 3, 1, 3, Time(1), Time(1));
    work.stages[1].chunks[0].forward = work.stages[1].chunks[0].backward = Time(3);
    const PipelineRun run = run_of(work);
    EXPECT_THAT(drawn_stages(run), ElementsAre("012.......a.....b..c", //
                                               ".000111aaa222bbbccc.", //
                                               "....0a.1b....2c....."));
    EXPECT_THAT(bubbles(run), ElementsAre(14, 2, 14));
}

PipelineWork two_stages_with_sends(bool overlap) {
    PipelineWork work = alike_stages(one_f_one_b, 2, 1, 2, Time(2), Time(3));
    for (PipelineStage& stage : work.stages) {
        stage.send_forward = stage.send_backward = Time(1);
    }
    work.sends_overlap = overlap;
    return work;
}

/// The first stage goes on while it sends: its second micro-batch is there at 5, long before 8.
TEST(SimulatePipeline, SendsWhileItComputes) {
    const PipelineRun run = run_of(two_stages_with_sends(true));
    EXPECT_THAT(drawn_stages(run), ElementsAre("0011.....aaa..bbb", //
                                               "...00aaa11bbb...."));
    EXPECT_EQ(listed_row(run, 0, PipelineRow::sends), "send activations 2-3, send activations 4-5");
    EXPECT_EQ(listed_row(run, 1, PipelineRow::sends), "send gradients 8-9, send gradients 13-14");
    EXPECT_EQ(listed_row(run, 0, PipelineRow::waits),
              "bubble 4-8, exposed send 8-9, bubble 12-13, exposed send 13-14");
    EXPECT_EQ(listed_row(run, 1, PipelineRow::waits), "bubble 0-2, exposed send 2-3, bubble 13-17");
}

/// Each stage waits for the end of its sends: 1 ps more, for the gradients of micro-batch 0, which the last
/// stage sends before it goes on.
TEST(SimulatePipeline, WaitsForItsSendsWhereTheyBlock) {
    const PipelineRun run = run_of(two_stages_with_sends(false));
    EXPECT_THAT(drawn_stages(run), ElementsAre("00.11....aaa...bbb", //
                                               "...00aaa.11bbb...."));
    EXPECT_EQ(listed_row(run, 0, PipelineRow::waits),
              "exposed send 2-3, exposed send 5-6, bubble 6-8, exposed send 8-9, bubble 12-14, "
              "exposed send 14-15");
    EXPECT_EQ(listed_row(run, 1, PipelineRow::waits),
              "bubble 0-2, exposed send 2-3, exposed send 8-9, exposed send 14-15, bubble 15-18");
}

/// Sends of 4 ps follow each other over the link of the first stage, which makes something every 1 ps.
TEST(SimulatePipeline, SendsOneAfterTheOther) {
    PipelineWork work = alike_stages(PipelineOrder::gpipe, 2, 1, 3, Time(1), Time(1));
    work.stages[0].send_forward = Time(4);
    const PipelineRun run = run_of(work);
    EXPECT_THAT(drawn_stages(run), ElementsAre("012............cba", //
                                               ".....0...1...2cba."));
    EXPECT_EQ(listed_row(run, 0, PipelineRow::sends),
              "send activations 1-5, send activations 5-9, send activations 9-13");
    EXPECT_EQ(run.total(1, PipelineActivity::exposed_send), Time(10));
    EXPECT_EQ(run.total(1, PipelineActivity::bubble), Time(2));
}

/// With two chunks the last stage sends to the first one: chunk 1 begins there when micro-batch 0 has come
/// round. One micro-batch is enough with one stage each; interleaved needs two.
TEST(SimulatePipeline, SendsFromTheLastStageToTheFirst) {
    PipelineWork work = alike_stages(PipelineOrder::interleaved, 2, 2, 2, Time(1), Time(1));
    work.stages[0].send_forward = Time(2); // to stage 1
    work.stages[1].send_forward = Time(3); // back to stage 0
    const PipelineRun run = run_of(work);
    // 0 goes over at 1 to 3, 1 at 3 to 5; back 4 to 7 and 7 to 10; over again, as A and B, 8 to 10 and 11
    // to 13. Gradients take no time: a is at 11 and 12, b at 14 and 15, and s and t follow.
    EXPECT_THAT(drawn_stages(run, 2), ElementsAre("01.....A..B.a..bst", //
                                                  "...0.1....Aa.Bbst."));
    EXPECT_EQ(listed_row(run, 1, PipelineRow::sends), "send activations 4-7, send activations 7-10");
}

/// A single stage sends nothing to itself.
TEST(SimulatePipeline, OfOneStageSendsNothing) {
    PipelineWork work = alike_stages(PipelineOrder::interleaved, 1, 2, 1, Time(1), Time(2));
    work.stages[0].send_forward = work.stages[0].send_backward = Time(5);
    const PipelineRun run = run_of(work);
    EXPECT_THAT(drawn_stages(run, 2), ElementsAre("0Aaass"));
    EXPECT_TRUE(run.intervals(0, PipelineRow::sends).empty());
    EXPECT_TRUE(run.intervals(0, PipelineRow::waits).empty());
}

/// One stage, one micro-batch, four layers of 2 ps forward and 3 ps backward.
PipelineWork four_layers(Time gather, Time reduce, bool overlap) {
    PipelineWork work = alike_stages(one_f_one_b, 1, 1, 1, Time(8), Time(12));
    PipelineChunk& chunk = work.stages[0].chunks[0];
    chunk.layers = 4;
    chunk.gather_weights = gather;
    chunk.reduce_gradients = reduce;
    work.data_overlaps = overlap;
    return work;
}

/// Gathers of 3 ps end at 3, 6, 9 and 12; each layer waits for its own, 3 + 3 x (3 - 2) = 6 ps. The layers
/// are back at 17, 20, 23 and 26; reductions of 5 ps end at 22, 27, 32 and 37, 5 + 3 x (5 - 3) = 11 ps late.
TEST(SimulatePipeline, ShowsWhatGathersAndReductionsExpose) {
    const PipelineRun run = run_of(four_layers(Time(3), Time(5), true));
    EXPECT_EQ(drawn(run, 0), "...00.00.00.00aaaaaaaaaaaa...........");
    EXPECT_EQ(
        listed_row(run, 0, PipelineRow::data),
        "gather weights 0-3, gather weights 3-6, gather weights 6-9, gather weights 9-12, "
        "reduce gradients 17-22, reduce gradients 22-27, reduce gradients 27-32, reduce gradients 32-37");
    EXPECT_EQ(run.total(0, PipelineActivity::exposed_gather), Time(6));
    EXPECT_EQ(run.total(0, PipelineActivity::exposed_reduce), Time(11));
    EXPECT_EQ(run.intervals(0, PipelineRow::data).back().layer, 0) << "the first layer comes back last";
}

/// Gathers of 1 ps and reductions of 2 ps are hidden except the first and the last: 1 + 20 + 2.
TEST(SimulatePipeline, HidesShortGathersAndReductions) {
    const PipelineRun run = run_of(four_layers(Time(1), Time(2), true));
    EXPECT_EQ(drawn(run, 0), ".00000000aaaaaaaaaaaa..");
    EXPECT_EQ(run.intervals(0, PipelineRow::compute).size(), 2u) << "nothing waits in between";
}

/// 4 x 3 + 8 + 12 + 4 x 5.
TEST(SimulatePipeline, GathersFirstAndReducesLastWhereNothingOverlaps) {
    const PipelineRun run = run_of(four_layers(Time(3), Time(5), false));
    EXPECT_EQ(drawn(run, 0), "............00000000aaaaaaaaaaaa....................");
    EXPECT_EQ(run.total(0, PipelineActivity::exposed_gather), Time(12));
    EXPECT_EQ(run.total(0, PipelineActivity::exposed_reduce), Time(20));
}

/// Two micro-batches of two layers, each 2 ps forward and 3 ps backward, whose weights are gathered for every
/// pass in 3 ps a layer, from the start of the pass before: those of a are asked for at 3, come after those
/// of 0, and are there at 9 and 12; those of 1 at 15 and 18, of b at 21 and 24.
PipelineWork two_dropped_layers() {
    PipelineWork work = alike_stages(one_f_one_b, 1, 1, 2, Time(4), Time(6));
    PipelineChunk& chunk = work.stages[0].chunks[0];
    chunk.layers = 2;
    chunk.gather_weights = Time(3);
    chunk.gather_every_pass = true;
    return work;
}

TEST(SimulatePipeline, GathersForEveryPassWhereWeightsAreDropped) {
    const PipelineRun run = run_of(two_dropped_layers());
    EXPECT_EQ(drawn(run, 0), "...00.00.aaaaaa11.11.bbbbbb");
    EXPECT_EQ(run.intervals(0, PipelineRow::data)[2].layer, 1) << "backward, the last layer comes first";
    EXPECT_EQ(run.intervals(0, PipelineRow::compute)[2].layer, 1);
}

/// Reductions of 1 ps a layer for each micro-batch stand behind gathers that were asked for before: those of
/// a at 18, and so the weights of b at 23 and 26.
TEST(SimulatePipeline, ReducesEveryPassWhereGradientsAreShared) {
    PipelineWork work = two_dropped_layers();
    work.stages[0].chunks[0].reduce_gradients = Time(1);
    work.stages[0].chunks[0].reduce_every_pass = true;
    const PipelineRun run = run_of(work);
    EXPECT_EQ(drawn(run, 0), "...00.00.aaaaaa11.11...bbbbbb.");
    EXPECT_EQ(listed_row(run, 0, PipelineRow::data),
              "gather weights 0-3, gather weights 3-6, gather weights 6-9, gather weights 9-12, "
              "gather weights 12-15, gather weights 15-18, reduce gradients 18-19, reduce gradients 19-20, "
              "gather weights 20-23, gather weights 23-26, reduce gradients 26-27, reduce gradients 29-30");
    work.data_overlaps = false; // 6 before each pass, 2 after each backward pass
    EXPECT_EQ(drawn(run_of(work), 0), "......0000......aaaaaa........1111......bbbbbb..");
}

/// Half of each pass its tensor-parallel group has the links. Gathers of 3 ps: that of the first layer is
/// there at 3; while a layer computes for 2 ps the next gather gets 1 ps of them, and has them to itself for
/// the 2 ps that the next layer waits: at 7, 11 and 15. Back, from 8 on, layers end at 12, 16, 20 and 24, and
/// reductions of 3 ps take 6 while they compute, 12-18 and 18-24, and 3 after them.
TEST(SimulatePipeline, SharesLinksWithTensorParallelGroups) {
    PipelineWork work = four_layers(Time(3), Time(0), true);
    PipelineChunk& chunk = work.stages[0].chunks[0];
    chunk.forward_on_links = Time(4);
    const PipelineRun gathers = run_of(work);
    EXPECT_EQ(drawn(gathers, 0), "...00..00..00..00aaaaaaaaaaaa");
    EXPECT_EQ(listed_row(gathers, 0, PipelineRow::data),
              "gather weights 0-3, gather weights 3-7, gather weights 7-11, gather weights 11-15");
    EXPECT_EQ(gathers.total(0, PipelineActivity::exposed_gather), Time(9)) << "3 + 3 x (3 - (2 - 1))";

    work = four_layers(Time(0), Time(3), true);
    work.stages[0].chunks[0].backward = Time(16);
    work.stages[0].chunks[0].backward_on_links = Time(8);
    const PipelineRun reductions = run_of(work);
    EXPECT_EQ(
        listed_row(reductions, 0, PipelineRow::data),
        "reduce gradients 12-18, reduce gradients 18-24, reduce gradients 24-27, reduce gradients 27-30");
    EXPECT_EQ(reductions.total(0, PipelineActivity::exposed_reduce), Time(6)) << "3 + 3 x (3 - (4 - 2))";

    work.stages[0].chunks[0].backward_on_links = Time(17);
    const auto refused = simulate_pipeline(work);
    ASSERT_FALSE(refused) << "more than all of a pass";
    EXPECT_THAT(refused.error().sentence, HasSubstr("Stage 0"));
}

/// All of the time while the stage computes: nothing is gathered then, and only then.
TEST(SimulatePipeline, WaitsForLinksThatTensorParallelGroupsHave) {
    PipelineWork work = four_layers(Time(1), Time(0), true);
    work.stages[0].chunks[0].forward_on_links = Time(8);
    EXPECT_EQ(drawn(run_of(work), 0), ".00.00.00.00aaaaaaaaaaaa");
    work.stages[0].chunks[0].forward_on_links = Time(0);
    EXPECT_EQ(drawn(run_of(work), 0), ".00000000aaaaaaaaaaaa");
}

/// The second stage has its weights at 4, before the micro-batch comes at 6; with weights at 9, only what
/// goes beyond 6 is due to them.
TEST(SimulatePipeline, HidesGathersBehindTheFillingOfThePipeline) {
    PipelineWork work = alike_stages(one_f_one_b, 2, 1, 1, Time(2), Time(3));
    work.stages[0].chunks[0].gather_weights = work.stages[1].chunks[0].gather_weights = Time(4);
    const PipelineRun run = run_of(work);
    EXPECT_EQ(drawn(run, 1), "......00aaa...");
    EXPECT_EQ(listed_row(run, 1, PipelineRow::waits), "bubble 0-6, bubble 11-14");

    work.stages[1].chunks[0].gather_weights = Time(9);
    EXPECT_EQ(listed_row(run_of(work), 1, PipelineRow::waits),
              "bubble 0-6, exposed gather 6-9, bubble 14-17");
}

/// 2 ps after the reduction ends at 20 + 8, on the first stage, and 1 ps at 14 on the second.
TEST(SimulatePipeline, UpdatesEachStageWhenItsGradientsAreThere) {
    PipelineWork work = alike_stages(one_f_one_b, 2, 1, 1, Time(4), Time(6));
    work.stages[0].chunks[0].reduce_gradients = Time(8);
    work.stages[0].update = Time(2);
    work.stages[1].update = Time(1);
    const PipelineRun run = run_of(work);
    EXPECT_EQ(run.time(), Time(30));
    EXPECT_EQ(listed_row(run, 0, PipelineRow::compute), "forward 0-4, backward 14-20, update 28-30");
    EXPECT_EQ(listed_row(run, 0, PipelineRow::waits), "bubble 4-14, exposed reduce 20-28");
    EXPECT_EQ(listed_row(run, 1, PipelineRow::compute), "forward 4-8, backward 8-14, update 14-15");
    EXPECT_EQ(listed_row(run, 1, PipelineRow::waits), "bubble 0-4, bubble 15-30");
}

/// The first stage holds two micro-batches of 10 B from 2 to 10. The second one gives one back at 7 and takes
/// the next at the same time: never 14 B.
TEST(SimulatePipeline, SaysWhatIsHeldWhen) {
    PipelineWork work = alike_stages(one_f_one_b, 2, 1, 2, Time(2), Time(3));
    work.stages[0].chunks[0].activations = Bytes(10);
    work.stages[1].chunks[0].activations = Bytes(7);
    work.stages[0].fixed = work.stages[1].fixed = Bytes(100);
    const PipelineRun run = run_of(work);
    const auto at = [](std::int64_t time, std::int64_t bytes) {
        return MemoryHeld{Time(time), Bytes(bytes)};
    };
    EXPECT_THAT(run.memory(0), ElementsAre(at(0, 110), at(2, 120), at(10, 110), at(15, 100)));
    EXPECT_THAT(run.memory(1), ElementsAre(at(0, 100), at(2, 107), at(12, 100)));
    EXPECT_THAT(peaks(run), ElementsAre(120, 107));
}

TEST(SimulatePipeline, RunsInAnyOrderThatEnds) {
    const PipelineWork work = alike_stages(one_f_one_b, 2, 1, 2, Time(1), Time(1));
    auto orders = pipeline_tasks(work.order, work.shape());
    EXPECT_EQ(*simulate_pipeline(work, orders), run_of(work));
    std::swap(orders[1][1], orders[1][2]); // 0 1 a b instead of 0 a 1 b
    EXPECT_EQ(drawn(*simulate_pipeline(work, orders), 1), ".01ab.");
}

TEST(SimulatePipeline, RefusesOrdersThatDoNotEnd) {
    const PipelineWork work = alike_stages(one_f_one_b, 2, 1, 2, Time(1), Time(1));
    auto orders = pipeline_tasks(work.order, work.shape());
    std::swap(orders[0][1], orders[0][2]); // 0 a 1 b
    std::swap(orders[1][1], orders[1][2]); // 0 1 a b: a waits for 1, which waits for a
    EXPECT_EQ(simulate_pipeline(work, orders).error().sentence,
              "The stages wait for each other: stage 0 never gets what micro-batch 0 needs for its next pass "
              "through chunk 0.");
    orders[1][1] = orders[1][0];
    EXPECT_THAT(simulate_pipeline(work, orders).error().sentence,
                HasSubstr("The order of stage 1 does not have every pass"));
    orders.pop_back();
    EXPECT_THAT(simulate_pipeline(work, orders).error().sentence, HasSubstr("1 orders for the 2 stages"));
}

TEST(SimulatePipeline, RefusesWorkThatIsNone) {
    const PipelineWork sound = alike_stages(one_f_one_b, 2, 1, 2, Time(1), Time(1));
    const auto refusal = [](const PipelineWork& work) {
        const Result<PipelineRun> run = simulate_pipeline(work);
        return run ? std::string("runs") : run.error().sentence;
    };
    EXPECT_EQ(refusal(sound), "runs");
    PipelineWork work = sound;
    work.stages.clear();
    EXPECT_THAT(refusal(work), HasSubstr("at least one stage"));
    work = sound;
    work.stages[1].chunks.push_back({});
    EXPECT_EQ(refusal(work),
              "Stage 1 of the pipeline has 2 chunks and stage 0 has 1; all have the same number.");
    work = sound;
    work.stages[1].send_backward = Time(-1);
    EXPECT_EQ(refusal(work), "Stage 1 of the pipeline has a negative time, negative bytes or no layers.");
    work = sound;
    work.stages[0].chunks[0].layers = 0;
    EXPECT_EQ(refusal(work), "Stage 0 of the pipeline has a negative time, negative bytes or no layers.");
    work = sound;
    work.stages[0].chunks[0].layers = 10'000'000; // gathered once and reduced once
    EXPECT_THAT(refusal(work), HasSubstr("gathered and reduced 2e+07 times; at most 10000000 are simulated"));
    work = sound;
    work.stages[0].chunks[0].activations = Bytes(std::int64_t{1} << 62);
    EXPECT_EQ(refusal(work), "Stage 0 of the pipeline would hold more bytes than can be counted.");
    work = sound;
    work.stages[0].chunks[0].forward = seconds(13.1 * 24 * 60 * 60); // twice
    EXPECT_THAT(refusal(work), HasSubstr("add up to 26.2 days; at most 26 are simulated"));
}

TEST(SimulatePipeline, StopsAndSaysHowFarItIs) {
    std::stop_source stop;
    std::atomic<double> progress = -1;
    RunControl control;
    control.stop = stop.get_token();
    control.progress = &progress;
    const PipelineWork work = alike_stages(one_f_one_b, 8, 1, 2048, Time(1), Time(2));
    ASSERT_TRUE(simulate_pipeline(work, control));
    EXPECT_GT(progress, 0.5);
    EXPECT_LE(progress, 1.0);
    stop.request_stop();
    const Result<PipelineRun> stopped = simulate_pipeline(work, control);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
