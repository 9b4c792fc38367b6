#include "core/gemm/algorithms.h"
#include "core/scenario/differences.h"
#include "core/scenario/plan/plan_fields.h"
#include "core/scenario/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// dp 4 x pp 2 x tp 8x4 of MeshSlice on a torus of 8 x 8 x 4 chips, with nothing as it is by default.
Plan rich_plan() {
    Plan plan;
    plan.strategy = TensorStrategy::of_algorithm;
    plan.algorithm = *algorithm("meshslice");
    plan.data = 4;
    plan.pipeline = 2;
    plan.tensor1 = 8;
    plan.tensor2 = 4;
    plan.micro_batch = 2;
    plan.placement = {8, 4, 4, 2};
    plan.axes = {Placement{8, 1, 1, 1}, Placement{1, 4, 1, 2}, Placement{1, 1, 4, 1}};
    plan.schedule = {PipelineKind::interleaved, 3};
    plan.recompute = Recompute::attention;
    plan.zero = 3;
    plan.tensor_overlap = true;
    plan.data_overlap = false;
    return plan;
}

TEST(PlanFields, AScenariosFileKeepsItsPlan) {
    Scenario scenario = default_scenario();
    EXPECT_EQ(write_scenario(scenario).find("\"plan\""), std::string::npos);
    scenario.plan.loaded = rich_plan();
    const std::string file = write_scenario(scenario);
    EXPECT_THAT(file, HasSubstr("\"tp1 8\""));
    EXPECT_THAT(file, HasSubstr("\"tp2 4, pp 2\""));
    const auto read = read_scenario(file, "a.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, scenario);
    EXPECT_EQ(write_scenario(*read), file);
}

TEST(PlanFields, TheWordNoneIsNoPlan) {
    std::string file = write_scenario(default_scenario());
    file.insert(file.rfind('}') - 1, ",\n  \"plan\": \"none\"");
    const auto read = read_scenario(file, "a.json");
    ASSERT_TRUE(read) << read.error().sentence;
    EXPECT_EQ(*read, default_scenario());
    file.replace(file.rfind("none"), 4, "best");
    ASSERT_FALSE(read_scenario(file, "a.json"));
    EXPECT_THAT(read_scenario(file, "a.json").error().sentence,
                HasSubstr("The plan is \"best\"; expected none or an object."));
}

/// Each bad value is refused with the file, the part and what was expected.
TEST(PlanFields, BadValuesAreSaid) {
    const std::string good =
        R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})";
    ASSERT_TRUE(read_plan(good, "a.json (plan)"));
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"({"strategy": "3d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "1d, 2d, summa or algorithm"},
        {R"({"strategy": "1d", "dp": 0, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "/dp"},
        {R"({"strategy": "1d", "dp": 8.5, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "/dp"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "is a list of 1; expected 2 numbers"},
        {R"({"strategy": "1d", "dp": 8, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})", "pp"},
        // Without it the plan would stand as badly as it can.
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1})", "placement"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16], "wings": 2})",
         "wings"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16], "zero": 4})",
         "/zero"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16], "schedule": "interleaved:1"})",
         "interleaved:V"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 1]})",
         "is a list of 3; expected 4 numbers"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16], "torus": ["tp1 4, tp1 4", "", ""]})",
         "such as \"tp1 4, dp 2\""},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16], "torus": ["tp1 4, ", "", ""]})",
         "such as \"tp1 4, dp 2\""},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16], "torus": ["tp1 4"]})",
         "has 1 axes; expected 3"},
        {R"({"strategy": "algorithm", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "names none"},
        {R"({"strategy": "1d", "algorithm": "wang", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "names an algorithm"},
        // Three times 2^24 is more than 64 bits hold; and on a torus all groups stand.
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [4, 1, 8, 16],
            "torus": ["tp1 16777216", "tp1 16777216", "tp1 16777216"]})",
         "more than 16777216 chips"},
        {R"({"strategy": "1d", "dp": 8, "pp": 16, "tp": [4, 1], "micro_batch": 1, "placement": [1, 1, 1, 1],
            "torus": ["tp1 4", "pp 16", "dp 8"]})",
         "is its groups, [4, 1, 8, 16]"},
        // 2^24 chips are the most: 4096 x 4096 x 2 are twice as many.
        {R"({"strategy": "1d", "dp": 4096, "pp": 4096, "tp": [2, 1], "micro_batch": 1, "placement": [1, 1, 1, 1]})",
         "more than 16777216 chips"},
    };
    for (const auto& [json, says] : cases) {
        const auto read = read_plan(json, "a.json (plan)");
        ASSERT_FALSE(read) << json;
        EXPECT_THAT(read.error().sentence, HasSubstr(says)) << json;
        EXPECT_THAT(read.error().sentence, HasSubstr("a.json (plan)")) << json;
    }
}

TEST(PlanFields, DifferencesNameThePlan) {
    const Scenario before = default_scenario();
    Scenario now = before;
    now.plan.loaded = rich_plan();
    const std::string name = "MeshSlice: dp 4 x pp 2 x tp 8x4, micro-batch 2";
    EXPECT_EQ(differences(before, now), (std::vector<Difference>{{"plan", "none", name}}));
    EXPECT_EQ(text(differences(before, now)), "plan " + name);
    Scenario other = now;
    other.plan.loaded->zero = 2;
    EXPECT_EQ(differences(now, other),
              (std::vector<Difference>{{"plan", name, name + ", with other numbers"}}));
}

} // namespace
} // namespace meshslice
