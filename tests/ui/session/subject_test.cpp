#include "ui/session/subject.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(Subject, NamesModelBatchTypeAndChips) {
    EXPECT_EQ(subject(default_scenario()).toStdString(),
              "GPT-3 175B, batch 128 x 2048 tokens, bf16; 256 chips: TPU v4, as in the MeshSlice paper");
}

TEST(Subject, NamesTheSizesOfASingleGemm) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{512, 1024, 2048}, Dataflow::OS};
    scenario.mesh = {1, 1};
    scenario.assume.schedule.type = DataType::int8;
    EXPECT_EQ(
        subject(scenario).toStdString(),
        "a GEMM with M = 512, N = 1024 and K = 2048, int8; one chip: TPU v4, as in the MeshSlice paper");
}

} // namespace
} // namespace meshslice::ui
