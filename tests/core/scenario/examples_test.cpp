#include "core/base/json_reader.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/scenario.h"
#include "core/step/training_step.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace meshslice {
namespace {

/// Every example opens, is written as the program itself would write it, and can be run with its algorithm
/// and the one to compare with.
TEST(Examples, AreReadWrittenTheSameAndRun) {
    const std::filesystem::path folder =
        std::filesystem::path(MESHSLICE_SOURCE_DIR) / "resources" / "examples";
    int examples = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string path = entry.path().string();
        SCOPED_TRACE(path);
        ++examples;
        const Result<std::string> text = read_text_file(path);
        ASSERT_TRUE(text) << text.error().sentence;
        const Result<Scenario> scenario = read_scenario(*text, path);
        ASSERT_TRUE(scenario) << scenario.error().sentence;
        EXPECT_EQ(write_scenario(*scenario), *text);
        for (const std::string& algorithm : {scenario->algorithm, scenario->compare}) {
            const Result<TrainingStep> step = training_step(*scenario, algorithm, Depth::estimate);
            EXPECT_TRUE(step) << step.error().sentence;
        }
    }
    EXPECT_GT(examples, 0);
}

/// The one GEMM that the README follows slice by slice shows what it is for: of all algorithms that run there
/// MeshSlice takes the least time.
TEST(Examples, TheOneGemmShowsMeshSliceAhead) {
    const std::string path = std::string(MESHSLICE_SOURCE_DIR) + "/resources/examples/one-product-4x4.json";
    const Scenario scenario = read_scenario(read_text_file(path).value(), path).value();
    const Time own = training_step(scenario, "meshslice", Depth::simulate).value().time;
    int others = 0;
    for (const Algorithm& known : algorithms()) {
        const auto step = training_step(scenario, std::string(known.id), Depth::simulate);
        if (step && known.id != "meshslice") {
            ++others;
            EXPECT_LT(own, step->time) << known.id;
        }
    }
    EXPECT_GE(others, 3);
}

TEST(Examples, TheFirstIsWhatTheWindowOpensWith) {
    const std::string path = std::string(MESHSLICE_SOURCE_DIR) + "/resources/examples/gpt3-32x8.json";
    EXPECT_EQ(read_scenario(read_text_file(path).value(), path).value(), default_scenario());
}

} // namespace
} // namespace meshslice
