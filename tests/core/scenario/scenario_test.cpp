#include "core/scenario/scenario.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace meshslice {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

Json default_json() {
    return Json::parse(write_scenario(default_scenario()));
}

Result<Scenario> read(const Json& json) {
    return read_scenario(json.dump(), "test.json");
}

TEST(ScenarioFile, WritesPresetsByNameAndReadsBackTheSame) {
    const Scenario scenario = default_scenario();
    const Json json = default_json();
    EXPECT_EQ(json["model"], "gpt3-175b");
    EXPECT_EQ(json["hardware"], "tpu-v4-paper");
    EXPECT_EQ(json["meshslice_scenario"], scenario_version());
    const auto back = read(json);
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(*back, scenario);
}

TEST(ScenarioFile, EveryFieldSurvives) {
    Scenario scenario = default_scenario();
    scenario.model.hidden = 6144; // No preset any more: written in full.
    scenario.model.head_size = 64;
    scenario.hardware.sync.value = Time(123456);
    scenario.hardware.name = "mine";
    scenario.mesh = {4, 16};
    scenario.wraps = {false, true, true};
    scenario.folded = true;
    scenario.batch = 7;
    scenario.sequence = 99;
    scenario.gemm = SingleGemm{{64, 128, 256}, Dataflow::LS};
    scenario.plan.algorithm = "collective";
    scenario.compare.clear();
    scenario.plan.stationary = Stationary::W;
    scenario.plan.slices = 12;
    scenario.plan.block = 16;
    scenario.plan.packets = 24;
    scenario.plan.decomposed = Axis::horizontal;
    scenario.assume.schedule = {DataType::bf16,   RingMode::one_way,      {Prefetch::without_bound},
                                ChipModel::tiled, Reduction::near_memory, MemoryPolicy::round_robin};
    scenario.serving = {{"batch", "64"}, {"weights", "fp8"}};
    const auto back = read_scenario(write_scenario(scenario), "test.json");
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(*back, scenario);
}

/// What is typed about serving is the question's to judge; that it is a text is the file's.
TEST(ScenarioFile, KeepsWhatIsTypedAboutServing) {
    Json json = default_json();
    EXPECT_FALSE(json.contains("serving"));
    json["serving"] = {{"batch", "many"}};
    const auto typed = read(json);
    ASSERT_TRUE(typed) << typed.error().sentence;
    EXPECT_EQ(typed->serving, (ServingTexts{{"batch", "many"}}));
    json["serving"] = {{"batch", 64}};
    const auto number = read(json);
    ASSERT_FALSE(number);
    EXPECT_THAT(number.error().sentence, HasSubstr("batch"));
    json["serving"] = "fast";
    const auto word = read(json);
    ASSERT_FALSE(word);
    EXPECT_THAT(word.error().sentence, HasSubstr("expected none or an object"));
    Scenario longest = default_scenario();
    longest.serving["batch"] = std::string(5000, '1');
    const auto refused = checked(longest);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence, HasSubstr("5000 letters; expected at most 4096"));
    longest.serving["batch"] = "6\xE2\x80\xAE"
                               "4"; // turns the direction of what follows
    EXPECT_FALSE(checked(longest));
}

TEST(ScenarioFile, LeavesToTheDefaultsWhatIsNotSaid) {
    const auto scenario =
        read_scenario(R"({"meshslice_scenario": 3, "model": "gpt3-175b", "hardware": "tpu-v4-paper",
        "mesh": [32, 8], "batch": 128, "sequence": 2048, "algorithm": "meshslice", "compare": "collective"})",
                      "short.json");
    ASSERT_TRUE(scenario) << scenario.error().sentence;
    EXPECT_EQ(*scenario, default_scenario());
}

struct Wrong {
    const char* what;
    std::function<void(Json&)> spoil;
    const char* says;
};

TEST(ScenarioFile, SaysWhatIsWrongAndWhere) {
    const std::vector<Wrong> rows = {
        {"version of tomorrow", [](Json& j) { j["meshslice_scenario"] = 4; }, "reads up to version 3"},
        {"no version", [](Json& j) { j.erase("meshslice_scenario"); }, "lacks \"/meshslice_scenario\""},
        {"unknown model", [](Json& j) { j["model"] = "gpt5"; }, "gpt3-175b"},
        {"unknown hardware", [](Json& j) { j["hardware"] = "tpu-v99"; }, "did you mean tpu-v"},
        {"unknown key", [](Json& j) { j["colour"] = "red"; }, "unknown key \"/colour\""},
        {"unknown nested key", [](Json& j) { j["schedule"]["speed"] = 1; }, "/schedule/speed"},
        {"fraction", [](Json& j) { j["batch"] = 3.9; }, "\"/batch\" is 3.9; expected a whole number"},
        {"negative", [](Json& j) { j["batch"] = -1; }, "\"/batch\" is -1"},
        {"overflow", [](Json& j) { j["sequence"] = 1e20; }, "\"/sequence\" is 1e+20"},
        {"text for a number", [](Json& j) { j["block"] = "8"; }, "\"/block\" is \"8\""},
        {"mesh of words", [](Json& j) { j["mesh"] = "32x8"; }, "\"/mesh\""},
        {"mesh with a zero",
         [](Json& j) {
             j["mesh"] = {32, 0};
         },
         "\"/mesh\""},
        {"mesh of four axes",
         [](Json& j) {
             j["mesh"] = {2, 2, 2, 2};
         },
         "one to three axes"},
        {"mesh of too many chips",
         [](Json& j) {
             j["mesh"] = {65536, 2};
         },
         "more than 65536 chips"},
        {"three axes on a two-axis torus",
         [](Json& j) {
             j["mesh"] = {2, 2, 2};
         },
         "needs links along 3 axes; "},
        {"wraps of numbers",
         [](Json& j) {
             j["wraps"] = {1, 0};
         },
         "\"/wraps\" is a list with 1; expected a list of true and false"},
        {"too few wraps", [](Json& j) { j["wraps"] = {true}; }, "one entry for each axis"},
        {"unknown algorithm", [](Json& j) { j["algorithm"] = "best"; }, "collective, wang, meshslice"},
        {"unknown stationary", [](Json& j) { j["stationary"] = "Z"; }, "\"/stationary\" is \"Z\""},
        {"slices of words", [](Json& j) { j["slices"] = "many"; }, "\"/slices\""},
        {"slices of zero", [](Json& j) { j["slices"] = 0; }, "\"/slices\" is 0"},
        {"no packets", [](Json& j) { j["packets"] = 0; }, "\"/packets\" is 0"},
        {"unknown axis", [](Json& j) { j["decomposed"] = "diagonal"; }, "auto, vertical or horizontal"},
        {"prefetch of words", [](Json& j) { j["schedule"]["prefetch"] = "lots"; }, "unbounded"},
        {"unknown data type", [](Json& j) { j["schedule"]["data_type"] = "fp4"; }, "bf16"},
        {"absurd product",
         [](Json& j) {
             j["gemm"] = {{"m", 1}, {"n", 1}, {"k", 0}, {"dataflow", "OS"}};
         },
         "/gemm/k"},
        {"product too large",
         [](Json& j) {
             const std::int64_t large = std::int64_t{1} << 24;
             j["gemm"] = {{"m", large}, {"n", large}, {"k", large}, {"dataflow", "OS"}};
         },
         "the most that is counted"},
        {"fault of two words", [](Json& j) { j["faults"]["parts"] = {"0,0, east"}; },
         "The fault \"0,0, east\""},
        {"fault of a chip that is not there",
         [](Json& j) {
             j["faults"]["parts"] = {"3,5 east 50%", "99,5 east 50%"};
         },
         "99,5"},
    };
    for (const Wrong& row : rows) {
        Json json = default_json();
        row.spoil(json);
        const auto scenario = read(json);
        ASSERT_FALSE(scenario) << row.what;
        EXPECT_THAT(scenario.error().sentence, HasSubstr(row.says)) << row.what;
        EXPECT_THAT(scenario.error().sentence, HasSubstr("test.json")) << row.what;
        EXPECT_THAT(scenario.error().sentence, testing::AnyOf(testing::EndsWith("."), testing::EndsWith("?")))
            << row.what;
    }
}

TEST(ScenarioFile, RefusesEveryTruncation) {
    const std::string whole = write_scenario(default_scenario());
    for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
        EXPECT_FALSE(read_scenario(std::string_view(whole).substr(0, length), "cut.json")) << length;
    }
}

TEST(Scenario, ChecksEveryField) {
    const auto refused = [](auto spoil) {
        Scenario scenario = default_scenario();
        spoil(scenario);
        return !checked(scenario).has_value();
    };
    EXPECT_TRUE(checked(default_scenario()));
    EXPECT_TRUE(refused([](Scenario& s) { s.batch = 0; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.sequence = -5; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.batch = std::int64_t{1} << 40; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.plan.block = 0; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.plan.slices = 0; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.mesh = {}; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.mesh = {0, 2}; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.plan.algorithm = ""; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.compare = "nothing"; }));
    EXPECT_TRUE(refused([](Scenario& s) { s.hardware.peak[DataType::bf16].value = FlopRate(0); }));
    EXPECT_TRUE(refused([](Scenario& s) { s.model.heads = 0; }));
}

} // namespace
} // namespace meshslice
