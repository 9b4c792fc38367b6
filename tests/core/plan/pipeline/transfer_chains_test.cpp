#include "core/plan/pipeline/simulate_pipeline.h"
#include "core/plan/pipeline/transfer_chains.h"
#include "tests/core/plan/pipeline/drawn_pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

namespace meshslice {
namespace {

/// Seconds of a step by its closed form. `waits`: of pipelines whose links rest.
double closed_step(const PipelineTransfers& sends, double forward, double backward, double waits = 0) {
    const double passes =
        sends.micro_batches * static_cast<double>(sends.chunks) + static_cast<double>(sends.on.stages) - 1;
    return passes * (forward + backward) + exposed_transfers(sends, forward, backward, waits);
}

PipelineTransfers alike_transfers(PipelineKind order, std::int64_t stages, std::int64_t chunks,
                                  double micro_batches, double transfer) {
    return {order, {stages, 1, {}}, chunks, micro_batches, {transfer}};
}

TEST(TransferChains, LinksThatRestAddWhatStagesWaitFor) {
    EXPECT_EQ(exposed_transfers(alike_transfers(PipelineKind::interleaved, 4, 2, 8, 1), 1, 2, 14), 14);
    EXPECT_EQ(exposed_transfers({}, 1, 2, 0), 0);
}

/// Two stages, three micro-batches, passes of 1 s and transfers of 2 s. Stage 0 makes them at 1, 2 and 3 and
/// sends until 3, 5 and 7; stage 1 makes them by 8, the last of which it takes back first, from 8 to 9, and
/// sends until 11, 13 and 15; stage 0 is done at 16. Without transfers it would be 8 s.
TEST(TransferChains, GPipeIsWorkedByHand) {
    EXPECT_DOUBLE_EQ(exposed_transfers(alike_transfers(PipelineKind::gpipe, 2, 1, 3, 2), 1, 1, 4), 16 - 8);
}

/// Three stages in two chunks, passes of 1 and 2 s, transfers of 4 s: the stage in the middle sends each
/// micro-batch four times, 16 s where it computes for 6. Three more take 48 s more.
TEST(TransferChains, TheStageInTheMiddleSendsAllTheTime) {
    const auto of = [](double micro_batches) {
        return closed_step(alike_transfers(PipelineKind::interleaved, 3, 2, micro_batches, 4), 1, 2);
    };
    EXPECT_DOUBLE_EQ(of(9) - of(6), 48);
    EXPECT_DOUBLE_EQ(of(12) - of(9), 48);
}

/// Eight chunks and transfers of 1.25 s, longer than a pass forward: no link is busy all the time, but a
/// micro-batch goes back through seven chunks of three stages in 3 x (2 + 1.25) s each, and while the last
/// chunk is at work the last stage takes 3 x 3 s. Each three micro-batches take 77.25 s, and not 72.
TEST(TransferChains, AMicroBatchGoesBackThroughAllChunks) {
    const auto of = [](double micro_batches) {
        return closed_step(alike_transfers(PipelineKind::interleaved, 3, 8, micro_batches, 1.25), 1, 2);
    };
    EXPECT_DOUBLE_EQ(of(9) - of(6), 77.25);
}

/// 1F1B in four stages whose transfers are eight times a forward pass: from the second stage to the third and
/// back, with a transfer that waits behind another at both ends: (2 x 8 + 4 + 8 + 8) / 2 s a micro-batch.
TEST(TransferChains, OneForwardOneBackwardTurnsOnItsLinks) {
    const auto of = [](double micro_batches) {
        return closed_step(alike_transfers(PipelineKind::one_f_one_b, 4, 1, micro_batches, 8), 1, 3);
    };
    EXPECT_DOUBLE_EQ(of(33) - of(32), 18);
}

struct DrawnPipeline {
    PipelineTransfers sends;
    double backward = 2; // forward takes 1
};

class PipelineDraw {
  public:
    explicit PipelineDraw(unsigned seed) : bits_(seed) {}
    template <class Value, std::size_t count>
    Value one_of(const std::array<Value, count>& values) {
        return values[bits_() % count];
    }
    /// Between so many powers of ten.
    double power(double least, double most) {
        return std::pow(10.0, least + (most - least) * static_cast<double>(bits_() % 100'000) / 100'000);
    }
    DrawnPipeline pipeline(PipelineKind order) {
        DrawnPipeline made;
        PipelineTransfers& its = made.sends;
        its.order = order;
        its.on.stages = one_of(std::array<std::int64_t, 7>{2, 3, 4, 4, 8, 8, 16});
        const bool chunked = order == PipelineKind::interleaved;
        its.chunks = chunked ? one_of(std::array<std::int64_t, 5>{2, 2, 3, 4, 8}) : 1;
        const auto groups = one_of(std::array<std::int64_t, 6>{1, 1, 2, 3, 4, 8});
        its.micro_batches = static_cast<double>(its.on.stages * groups);
        do {
            its.on.within[0] = one_of(std::array<std::int64_t, 6>{1, 2, 3, 4, 8, 16});
        } while (its.on.stages % its.on.within[0] != 0);
        made.backward = one_of(std::array<double, 4>{2, 2, 2, 3});
        its.on.levels = 2;
        its.across[1] = power(-1.5, order == PipelineKind::one_f_one_b ? 0.3 : 1);
        its.across[0] = its.across[1] * one_of(std::array<double, 4>{1, 1, 0.5, 0.1});
        return made;
    }

  private:
    std::mt19937 bits_;
};

/// Picoseconds of the simulated step, where forward takes a million.
double simulated_step(const DrawnPipeline& drawn) {
    constexpr double unit = 1e6;
    const PipelineTransfers& its = drawn.sends;
    const PipelineOrder order = its.order == PipelineKind::gpipe ? PipelineOrder::gpipe
                                : its.order == PipelineKind::interleaved
                                    ? PipelineOrder::interleaved
                                    : PipelineOrder::one_forward_one_backward;
    PipelineWork work =
        alike_stages(order, static_cast<std::int32_t>(its.on.stages), static_cast<std::int32_t>(its.chunks),
                     static_cast<std::int32_t>(its.micro_batches), Time(1'000'000),
                     Time(std::llround(drawn.backward * unit)));
    for (std::int64_t s = 0; s < its.on.stages; ++s) {
        PipelineStage& stage = work.stages[static_cast<std::size_t>(s)];
        stage.send_forward = Time(std::llround(its.after(s) * unit));
        stage.send_backward = Time(std::llround(its.after(s - 1) * unit));
    }
    return static_cast<double>(run_of(work).time().value()) / unit;
}

/// What the closed form leaves out of a drawn pipeline, as a share of it: simulated over estimated - 1.
struct ChainDeviations {
    double least = 0, most = 0, sum = 0;
    int count = 0, beyond_2_percent = 0;

    void add(double off) {
        least = std::min(least, off);
        most = std::max(most, off);
        sum += std::abs(off);
        ++count;
        beyond_2_percent += std::abs(off) > 0.02 ? 1 : 0;
    }
    void print(const char* what) const {
        std::printf(
            "%s: simulation %+.1f%% to %+.1f%% of the closed form, %.2f%% on average, %d of %d beyond "
            "2%%\n",
            what, 100 * least, 100 * most, 100 * sum / count, beyond_2_percent, count);
    }
};

double rested_waits(const PipelineTransfers& its) {
    const double v = static_cast<double>(its.chunks);
    return its.order == PipelineKind::interleaved
               ? 2 * (v * its.one_way() + (v - 1) * its.after(its.on.stages - 1))
               : 2 * its.one_way();
}

/// Transfers of a thirtieth of a forward pass to ten times one, over one network or two. Without the chains
/// the simulation would be up to a third longer.
TEST(TransferChains, AreAsLongAsTheSimulation) {
    ChainDeviations interleaved, gpipe;
    for (unsigned seed = 0; seed < 500; ++seed) {
        PipelineDraw draw(seed);
        const DrawnPipeline one = draw.pipeline(PipelineKind::interleaved);
        if (static_cast<double>(one.sends.on.stages * one.sends.chunks) * one.sends.micro_batches <= 1500) {
            const double closed = closed_step(one.sends, 1, one.backward, rested_waits(one.sends));
            interleaved.add(simulated_step(one) / closed - 1);
            EXPECT_GT(simulated_step(one), 0.99 * closed) << seed;
            EXPECT_LT(simulated_step(one), 1.07 * closed) << seed;
        }
        const DrawnPipeline other = draw.pipeline(PipelineKind::gpipe);
        const double closed = closed_step(other.sends, 1, other.backward, rested_waits(other.sends));
        gpipe.add(simulated_step(other) / closed - 1);
        EXPECT_NEAR(simulated_step(other), closed, 1e-4 * closed) << seed;
    }
    interleaved.print("Interleaved");
    gpipe.print("GPipe");
    EXPECT_GT(interleaved.count, 350);
    EXPECT_LT(interleaved.beyond_2_percent, interleaved.count / 10);
}

} // namespace
} // namespace meshslice
