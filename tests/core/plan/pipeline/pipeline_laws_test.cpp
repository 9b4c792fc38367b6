// What holds for every pipeline, over drawn ones: closed forms where stages are alike and nothing is sent,
// and for stages that differ, with traffic, that each pass starts when the last thing that it needs is there.

#include "tests/core/plan/pipeline/drawn_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace meshslice {
namespace {

constexpr int draws = 300;

/// Numbers that are the same with every standard library.
class RangeDraw {
  public:
    explicit RangeDraw(int seed) : bits_(static_cast<std::uint32_t>(seed)) {}
    std::int32_t from_to(std::int32_t least, std::int32_t most) {
        return least + static_cast<std::int32_t>(bits_() % static_cast<std::uint32_t>(most - least + 1));
    }
    Time time(std::int32_t most) { return Time(from_to(0, most)); }

  private:
    std::mt19937 bits_;
};

constexpr PipelineOrder every_order[] = {PipelineOrder::gpipe, PipelineOrder::one_forward_one_backward,
                                         PipelineOrder::interleaved};

PipelineWork drawn_alike(PipelineOrder order, RangeDraw& draw) {
    const bool interleaved = order == PipelineOrder::interleaved;
    const std::int32_t stages = draw.from_to(1, 9);
    return alike_stages(order, stages, interleaved ? draw.from_to(2, 4) : 1,
                        interleaved ? stages * draw.from_to(1, 4) : draw.from_to(1, 20),
                        Time(draw.from_to(1, 30)), Time(draw.from_to(1, 30)));
}

/// Stages that differ, with traffic of every kind.
PipelineWork drawn_work(int seed, std::int32_t most_layers, bool every_pass) {
    RangeDraw draw(seed);
    PipelineWork work = drawn_alike(every_order[seed % 3], draw);
    work.sends_overlap = draw.from_to(0, 1) == 1;
    work.data_overlaps = draw.from_to(0, 1) == 1;
    for (PipelineStage& stage : work.stages) {
        stage.send_forward = draw.time(15);
        stage.send_backward = draw.time(15);
        stage.update = most_layers > 1 ? draw.time(10) : Time(0);
        stage.fixed = Bytes(draw.from_to(0, 100));
        for (PipelineChunk& chunk : stage.chunks) {
            chunk = {draw.time(30), draw.time(40), Bytes(draw.from_to(0, 9)), draw.from_to(1, most_layers),
                     draw.time(20), draw.time(20)};
            chunk.gather_every_pass = every_pass && seed % 4 > 1;
            chunk.reduce_every_pass = every_pass && seed % 2 > 0;
        }
    }
    return work;
}

std::size_t index(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

/// Bubble (p - 1)(t_f + t_b) of every stage, with the times of one chunk where they are interleaved, so a
/// V-th of the stage's; in flight at most one micro-batch for each stage from here on, all of them with
/// GPipe, and 2 (p - 1 - s) + (V - 1) p + 1 passes where interleaved.
TEST(PipelineLaws, ClosedFormsHoldWhereNothingIsSent) {
    for (int seed = 0; seed < draws; ++seed) {
        SCOPED_TRACE(seed);
        RangeDraw draw(seed);
        const PipelineOrder order = every_order[seed % 3];
        const PipelineWork work = drawn_alike(order, draw);
        const auto [stages, chunks, micro_batches] = work.shape();
        const Time pass = work.stages[0].chunks[0].forward + work.stages[0].chunks[0].backward;
        const PipelineRun run = run_of(work);
        EXPECT_EQ(run.time(), pass * (std::int64_t{micro_batches} * chunks + stages - 1));
        for (std::int32_t s = 0; s < stages; ++s) {
            EXPECT_EQ(run.total(index(s), PipelineActivity::bubble), pass * (stages - 1));
            const std::int32_t in_flight =
                order == PipelineOrder::gpipe ? micro_batches
                : order == PipelineOrder::one_forward_one_backward
                    ? std::min(stages - s, micro_batches)
                    : std::min(2 * (stages - 1 - s) + (chunks - 1) * stages + 1, micro_batches * chunks);
            EXPECT_EQ(run.peak(index(s)), Bytes(in_flight)) << "stage " << s;
        }
    }
}

/// 1F1B with sends of x that block, P = t_f + t_b + 2x of a stage in the middle, which sends both ways. Never
/// longer than (m + p - 1) P, the published model's, less 2x that the ends do not send: what micro-batch 0
/// takes there and back, and a P for each other. Never shorter than that of micro-batch 0, or than what the
/// second stage does and what comes before and after it: t_f + x, and t_b on the first stage.
TEST(PipelineLaws, BlockingSendsAreWorkOfTheStages) {
    for (int seed = 0; seed < draws; ++seed) {
        SCOPED_TRACE(seed);
        RangeDraw draw(seed);
        const std::int32_t stages = draw.from_to(3, 9);
        const std::int32_t micro_batches = draw.from_to(1, 20);
        const Time forward = draw.time(30);
        const Time backward = draw.time(30);
        const Time send = draw.time(20);
        PipelineWork work = alike_stages(PipelineOrder::one_forward_one_backward, stages, 1, micro_batches,
                                         forward, backward);
        for (PipelineStage& stage : work.stages) {
            stage.send_forward = stage.send_backward = send;
        }
        work.sends_overlap = false;
        const Time pass = forward + backward + 2 * send;
        const Time step = run_of(work).time();
        EXPECT_LE(step, pass * (micro_batches + stages - 1) - 2 * send);
        EXPECT_GE(step, pass * stages - 2 * send);
        EXPECT_GE(step, forward + send + pass * micro_batches + backward);
    }
}

/// Where every stage takes as long for its weights, T_ag + (D - 1) max(T_ag - t_f, 0) are exposed once in the
/// step, and T_rs + (D - 1) max(T_rs - t_b, 0), with t_f and t_b of one of D layers: on the first stage,
/// which starts first and ends last.
TEST(PipelineLaws, GathersAndReductionsAreExposedOnce) {
    for (int seed = 0; seed < draws; ++seed) {
        SCOPED_TRACE(seed);
        RangeDraw draw(seed);
        const std::int32_t layers = draw.from_to(1, 6);
        const Time forward(draw.from_to(1, 20));
        const Time backward(draw.from_to(1, 20));
        const Time gather(draw.from_to(1, 30));
        const Time reduce(draw.from_to(1, 30));
        PipelineWork work = alike_stages(every_order[seed % 2], draw.from_to(1, 6), 1, draw.from_to(1, 9),
                                         forward * layers, backward * layers);
        const Time alone = run_of(work).time();
        for (PipelineStage& stage : work.stages) {
            stage.chunks[0].layers = layers;
            stage.chunks[0].gather_weights = gather;
            stage.chunks[0].reduce_gradients = reduce;
        }
        const Time exposed = gather + std::max(gather - forward, Time(0)) * (layers - 1) + reduce +
                             std::max(reduce - backward, Time(0)) * (layers - 1);
        EXPECT_EQ(run_of(work).time(), alone + exposed);
        work.data_overlaps = false;
        EXPECT_EQ(run_of(work).time(), alone + (gather + reduce) * layers);
    }
}

using Key =
    std::tuple<std::size_t, PipelinePass, std::int32_t, std::int32_t>; // stage, pass, chunk, micro-batch

/// When each pass starts and ends, without events: a pass after the other, in any order in which all that it
/// needs is known. For chunks of one layer.
std::map<Key, std::pair<Time, Time>> by_recurrence(const PipelineWork& work) {
    const auto orders = pipeline_tasks(work.order, work.shape());
    const std::int32_t chunks = work.shape().chunks;
    const std::size_t stages = work.stages.size();
    std::map<Key, std::pair<Time, Time>> spans;
    std::map<Key, Time> arrives;
    std::vector<std::size_t> next(stages);
    std::vector<Time> free(stages);
    std::vector<Time> link_free(stages);
    for (std::size_t stuck = 0, s = 0; stuck < stages; s = (s + 1) % stages, ++stuck) {
        for (; next[s] < orders[s].size(); ++next[s], stuck = 0) {
            const auto [pass, chunk, k] = orders[s][next[s]];
            const bool forward = pass == PipelinePass::forward;
            const bool from_outside = forward && s == 0 && chunk == 0;
            const auto arrived = arrives.find({s, pass, chunk, k});
            if (!from_outside && arrived == arrives.end()) {
                break;
            }
            Time start = std::max(free[s], from_outside ? Time(0) : arrived->second);
            if (forward) { // The k-th chunk's weights come after those of the chunks before it, or after all.
                Time gathered;
                for (std::int32_t c = 0; c < (work.data_overlaps ? chunk + 1 : chunks); ++c) {
                    gathered += work.stages[s].chunks[index(c)].gather_weights;
                }
                start = std::max(start, gathered);
            }
            const PipelineChunk& own = work.stages[s].chunks[index(chunk)];
            const Time end = start + (forward ? own.forward : own.backward);
            spans[{s, pass, chunk, k}] = {start, end};
            free[s] = end;
            const bool turns = forward && s + 1 == stages && chunk + 1 == chunks;
            const bool leaves = !forward && s == 0 && chunk == 0;
            const std::size_t to = turns || leaves ? s
                                   : forward       ? (s + 1) % stages
                                                   : (s + stages - 1) % stages;
            const std::int32_t into = turns                        ? chunk
                                      : forward && s + 1 == stages ? chunk + 1
                                      : !forward && s == 0         ? chunk - 1
                                                                   : chunk;
            const Time takes = to == s   ? Time(0)
                               : forward ? work.stages[s].send_forward
                                         : work.stages[s].send_backward;
            Time there = end;
            if (takes > Time(0)) {
                there = link_free[s] = std::max(link_free[s], end) + takes;
                free[s] = work.sends_overlap ? end : there;
            }
            arrives[{to, turns ? PipelinePass::backward : pass, into, k}] = there;
        }
    }
    return spans;
}

/// Neither earlier than what a pass needs nor later than the last of it.
TEST(PipelineLaws, APassStartsWhenTheLastThingItNeedsIsThere) {
    for (int seed = 0; seed < draws; ++seed) {
        SCOPED_TRACE(seed);
        const PipelineWork work = drawn_work(seed, 1, false);
        const PipelineRun run = run_of(work);
        const auto expected = by_recurrence(work);
        std::size_t seen = 0;
        for (std::size_t s = 0; s < run.stages(); ++s) {
            for (const PipelineInterval& interval : run.intervals(s, PipelineRow::compute)) {
                const PipelinePass pass = interval.activity == PipelineActivity::forward
                                              ? PipelinePass::forward
                                              : PipelinePass::backward;
                const auto span = expected.find({s, pass, interval.chunk, interval.micro_batch});
                ASSERT_NE(span, expected.end());
                ASSERT_EQ(std::pair(interval.start, interval.end), span->second)
                    << "stage " << s << ", chunk " << interval.chunk << ", micro-batch "
                    << interval.micro_batch;
                ++seen;
            }
        }
        EXPECT_EQ(seen, expected.size());
        EXPECT_EQ(seen, 2 * run.stages() * index(work.shape().chunks * work.micro_batches));
    }
}

void expect_in_order_until(std::span<const PipelineInterval> row, Time end) {
    Time free;
    for (const PipelineInterval& interval : row) {
        EXPECT_LE(free, interval.start);
        EXPECT_LE(interval.start, interval.end);
        free = interval.end;
    }
    EXPECT_LE(free, end);
}

/// Whatever is asked of a stage is done, once and nothing else; where it does not compute it waits; and
/// at the end it holds what it holds all the time.
TEST(PipelineLaws, WorkIsConserved) {
    for (int seed = 0; seed < draws; ++seed) {
        SCOPED_TRACE(seed);
        const PipelineWork work = drawn_work(seed, 5, true);
        const PipelineRun run = run_of(work);
        for (std::size_t s = 0; s < run.stages(); ++s) {
            Time forward;
            Time backward;
            Time data;
            for (const PipelineChunk& chunk : work.stages[s].chunks) {
                forward += chunk.forward * work.micro_batches;
                backward += chunk.backward * work.micro_batches;
                const std::int32_t gathers = chunk.gather_every_pass ? 2 * work.micro_batches : 1;
                const std::int32_t reduces = chunk.reduce_every_pass ? work.micro_batches : 1;
                data += (chunk.gather_weights * gathers + chunk.reduce_gradients * reduces) * chunk.layers;
            }
            const auto total = [&](PipelineActivity activity) { return run.total(s, activity); };
            EXPECT_EQ(total(PipelineActivity::forward), forward);
            EXPECT_EQ(total(PipelineActivity::backward), backward);
            EXPECT_EQ(total(PipelineActivity::gather_weights) + total(PipelineActivity::reduce_gradients),
                      data);
            EXPECT_EQ(total(PipelineActivity::update), work.stages[s].update);
            EXPECT_EQ(forward + backward + work.stages[s].update + total(PipelineActivity::bubble) +
                          total(PipelineActivity::exposed_send) + total(PipelineActivity::exposed_gather) +
                          total(PipelineActivity::exposed_reduce),
                      run.time());
            for (const PipelineRow row :
                 {PipelineRow::compute, PipelineRow::sends, PipelineRow::data, PipelineRow::waits}) {
                expect_in_order_until(run.intervals(s, row), run.time());
            }
            EXPECT_EQ(run.memory(s).front().from, Time(0));
            EXPECT_EQ(run.memory(s).back().bytes, work.stages[s].fixed);
        }
        EXPECT_EQ(run_of(work), run) << "the same again";
    }
}

/// Sends of one micro-batch: over every boundary of the virtual stages, each way.
TEST(PipelineLaws, EveryBoundaryIsCrossedOncePerMicroBatchAndWay) {
    PipelineWork work = alike_stages(PipelineOrder::interleaved, 3, 2, 6, Time(4), Time(5));
    for (PipelineStage& stage : work.stages) {
        stage.send_forward = stage.send_backward = Time(1);
    }
    const PipelineRun run = run_of(work);
    std::size_t sends = 0;
    for (std::size_t s = 0; s < 3; ++s) {
        sends += run.intervals(s, PipelineRow::sends).size();
    }
    EXPECT_EQ(sends, 2u * 6u * (3u * 2u - 1u));
}

/// Orders are fixed, on stages and on links, so every start is a maximum of sums: no part that gets faster
/// makes the step longer, as it could where links took what comes first.
TEST(PipelineLaws, AFasterPartNeverMakesTheStepLonger) {
    for (int seed = 0; seed < draws; ++seed) {
        SCOPED_TRACE(seed);
        const PipelineWork work = drawn_work(seed, 4, true);
        RangeDraw draw(seed + draws);
        PipelineWork faster = work;
        PipelineStage& stage = faster.stages[index(draw.from_to(0, work.shape().stages - 1))];
        PipelineChunk& chunk = stage.chunks[index(draw.from_to(0, work.shape().chunks - 1))];
        Time* const parts[] = {&chunk.forward,          &chunk.backward,     &chunk.gather_weights,
                               &chunk.reduce_gradients, &stage.send_forward, &stage.send_backward};
        Time& part = *parts[draw.from_to(0, 5)];
        part = Time(draw.from_to(0, static_cast<std::int32_t>(part.value())));
        EXPECT_LE(run_of(faster).time(), run_of(work).time());
        PipelineWork overlapped = work;
        overlapped.sends_overlap = true;
        EXPECT_LE(run_of(overlapped).time(), run_of(work).time());
    }
}

} // namespace
} // namespace meshslice
