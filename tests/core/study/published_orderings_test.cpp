// What the MeshSlice paper (ISCA 2025) states in words and numbers about how the algorithms compare, as far
// as the published constants of the tpu-v4-paper profile carry it.

#include "core/count/count.h"
#include "core/study/training_step.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

#include <map>

namespace meshslice {
namespace {

struct Best {
    double utilisation = 0;
    std::vector<std::int32_t> mesh;
};

/// The algorithm's best mesh of so many chips under weak scaling (section 5.1.1: half as many sequences as
/// chips), by estimate.
Best best(const std::string& model, const std::string& algorithm, std::int32_t chips) {
    Best best;
    for (std::int32_t rows = 1; rows <= chips; rows *= 2) {
        Scenario scenario = default_scenario();
        scenario.model = *model_preset(model);
        scenario.mesh = {rows, chips / rows};
        scenario.batch = chips / 2;
        const auto step = training_step(scenario, algorithm, Depth::estimate);
        if (step && step->utilisation > best.utilisation) {
            best = {step->utilisation, scenario.mesh};
        }
    }
    return best;
}

class PublishedOrderings : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, PublishedOrderings, testing::Values("gpt3-175b", "megatron-nlg-530b"),
                         [](const auto& test) { return std::string(test.param, 4); });

/// Section 5.1.1: MeshSlice is the fastest in all cases, Wang lies between it and Collective; 32 x 8 is the
/// best mesh (section 5.2, Figure 13).
TEST_P(PublishedOrderings, HoldOn256Chips) {
    const std::string model = GetParam();
    std::map<std::string, Best> found;
    for (const char* id : {"cannon", "summa", "collective", "wang", "meshslice", "1d-tp", "fsdp"}) {
        found[id] = best(model, id, 256);
    }
    EXPECT_EQ(found["meshslice"].mesh, (std::vector<std::int32_t>{32, 8}));
    EXPECT_GT(found["meshslice"].utilisation, found["wang"].utilisation);
    EXPECT_GT(found["wang"].utilisation, found["collective"].utilisation);
    for (const char* slower : {"cannon", "1d-tp", "fsdp"}) {
        EXPECT_GT(found["collective"].utilisation, found[slower].utilisation) << slower;
    }
    // SUMMA, tuned here in its panels and packets, comes within a point of Collective for Megatron-NLG; the
    // paper's, unrolled to MeshSlice's slice count, is below.
    EXPECT_GT(found["collective"].utilisation + 0.01, found["summa"].utilisation);
}

TEST_P(PublishedOrderings, MeshSliceIsTheFastestAtEveryChipCount) {
    const std::string model = GetParam();
    for (const std::int32_t chips : {16, 32, 64, 128}) {
        const double meshslice = best(model, "meshslice", chips).utilisation;
        for (const char* other : {"cannon", "summa", "collective", "wang", "1d-tp", "fsdp"}) {
            EXPECT_GT(meshslice, best(model, other, chips).utilisation) << other << ' ' << chips;
        }
    }
}

/// Section 7: (M, N, K) = (1024K, 12K, 48K) on 1024 chips. MeshSlice + DP on 32 x 8 x 4: the weights' shards
/// of 4.5 MiB go round rings of 32 and the sums' of 24 MiB round rings of 8. P - 1 of each cross a link: 31
/// x 4.5 + 7 x 24 = 307.5 MiB; the paper's 336 MB counts P: 32 x 4.5 + 8 x 24 = 336 MiB.
TEST(PublishedTraffic, OfMeshSliceWithDataParallelism) {
    const GemmShape shape{1024 * 1024, 12 * 1024, 48 * 1024};
    const Program program = written("meshslice-dp", shape, Dataflow::LS, *Torus::create({32, 8, 4}), {16, 8});
    EXPECT_EQ(count(program, {}).sent_per_chip, Bytes((31 * 9 * 1024 + 7 * 48 * 1024) * 512));
}

/// 2.5D on 16 x 16 x 4, output stationary: a shard of A has 384 MiB, and a chip makes 3 shifts of its own and
/// one skew: 4 x 384 MiB = 1.61 GB is the paper's 1.6 GB. A skew on a real torus is up to 8 hops, whose
/// forwarding the busiest chip carries too: 8 + 3 shards of A, and as many of B's 4.5 MiB, and the sums' 3
/// quarters.
TEST(PublishedTraffic, OfTwoAndAHalfD) {
    const GemmShape shape{1024 * 1024, 12 * 1024, 48 * 1024};
    const Program program = written("2.5d", shape, Dataflow::OS, *Torus::create({16, 16, 4}));
    const std::int64_t a = shape.m * shape.k / 256 * 2;
    EXPECT_NEAR(static_cast<double>(4 * a), 1.6e9, 0.02e9);
    const Count counted = count(program, {});
    EXPECT_GE(counted.sent_per_chip, Bytes(11 * a));
    EXPECT_LT(counted.sent_per_chip, Bytes(12 * a));
}

} // namespace
} // namespace meshslice
