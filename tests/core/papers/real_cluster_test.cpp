#include "core/machine/catalogue.h"
#include "core/papers/meshslice/real_cluster.h"
#include "core/papers/meshslice/setup/block_rest.h"
#include "tests/core/support/written.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::HasSubstr;

Time microseconds(double value) {
    return seconds(value * 1e-6);
}

/// A launch takes 10 us, a synchronization 1 us; 256 bytes take 1 us vertically and 2 us horizontally.
ClusterConstants round_numbers() {
    ClusterConstants constants;
    constants.peak = FlopRate(2e9);
    constants.effective = FlopRate(1.6384e9);
    constants.sync = microseconds(1);
    constants.launch.fill(microseconds(10));
    constants.bandwidth.fill({Bandwidth(256e6), Bandwidth(128e6)});
    return constants;
}

/// 64x64x64 on 4x4: shards of 16x16, with S = 2 slices of 16x8 elements, 256 bytes, in three steps. AG_row
/// (vertical) takes 10 + 3 (1 + 1) = 16 us, AG_col 10 + 3 (1 + 2) = 19 us, the GEMM of 16x16x32, 16384 FLOP,
/// 10 us. In turn: 2 (16 + 19 + 10) = 90 us. Overlapped: 19 + 1 x max(16, 19, 10) + 10 = 48 us.
TEST(RealCluster, TakesTheTimeOfTheClosedForm) {
    const Program program = written("meshslice", {64, 64, 64}, Dataflow::OS, *Torus::create({4, 4}), {2, 8});
    const ClusterTimes times = *cluster_times(program, round_numbers());
    EXPECT_EQ(times.in_turn, microseconds(90));
    EXPECT_EQ(times.overlapped, microseconds(48));
}

/// Left stationary: B is gathered along the columns, C scattered along the rows. AG_row of 16x8 elements
/// takes 16 us as before; the partial sums of a slice, 16 x 32, are scattered in chunks of 16x8,
/// horizontally: 19 us. Overlapped: prologue 16, steady 19, epilogue 10 + 19: 64 us.
TEST(RealCluster, ScattersAfterTheProduct) {
    const Program program = written("meshslice", {64, 64, 64}, Dataflow::LS, *Torus::create({4, 4}), {2, 8});
    const ClusterTimes times = *cluster_times(program, round_numbers());
    EXPECT_EQ(times.in_turn, microseconds(90));
    EXPECT_EQ(times.overlapped, microseconds(64));
}

TEST(RealCluster, RefusesWhatWasNotMeasured) {
    const Program program = written("cannon", {64, 64, 64}, Dataflow::OS, *Torus::create({4, 4}));
    const auto times = cluster_times(program, round_numbers());
    ASSERT_FALSE(times);
    EXPECT_THAT(times.error().sentence, HasSubstr("no measured bandwidth"));
}

/// One sequence of 16 tokens, width 8 in two heads of 4: scores 3 x 2 x 16 x 16 x 8 = 12288 FLOP and 2 x 3 x
/// (128 + 128 + 512) = 4608 bytes; softmax 2 x 5 x 512 = 5120; norms 2 x 5 x 2 x 128 = 2560; activation of
/// 32: 2 x 5 x 512 = 5120; residuals 2 x 2 x 6 x 128 = 3072 bytes. At 1 FLOP and 1 byte per ns: 2 x 12.288
/// + 5.12 + 2.56 + 5.12 + 3.072 = 40.448 us, a quarter on each of four chips.
TEST(BlockRest, IsTimedOnTheRoofline) {
    Transformer model;
    model.hidden = 8;
    model.heads = 2;
    model.kv_heads = 2;
    model.head_size = 4;
    model.feed_forward = 32;
    Machine hardware = *machine_preset("tpu-v4-paper");
    hardware.peak[DataType::bf16].value = FlopRate(1e9);
    hardware.effective_fraction.value = 1;
    hardware.hbm_bandwidth.value = Bandwidth(1e9);
    EXPECT_EQ(block_rest_time(model, 1, 16, 1, hardware), microseconds(40.448));
    EXPECT_EQ(block_rest_time(model, 1, 16, 4, hardware), microseconds(10.112));
}

} // namespace
} // namespace meshslice
