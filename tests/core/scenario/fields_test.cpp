#include "core/machine/catalogue.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/migrate.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using testing::HasSubstr;

TEST(ScenarioFields, EveryRowIsComplete) {
    std::set<std::string> keys;
    for (const Field<Scenario>& field : scenario_fields()) {
        EXPECT_TRUE(keys.insert(field.key).second) << field.key << " is there twice";
        EXPECT_FALSE(field.name.empty()) << field.key;
        EXPECT_TRUE(field.get && field.set) << field.key;
        EXPECT_EQ(field.flag.empty(), field.flag_help.empty()) << field.key;
        EXPECT_EQ(field.label.empty(), field.help.empty()) << field.key;
        EXPECT_EQ(field.label.empty(), field.group.empty()) << field.key;
        if (!field.help.empty()) {
            EXPECT_EQ(field.help.back(), '.') << field.key;
        }
        EXPECT_TRUE(fits(field, field.get(default_scenario())) || !field.stored) << field.key;
    }
}

/// No two fields of a form are reached by the same key.
TEST(ScenarioFields, MnemonicsDifferWithinAGroup) {
    std::map<std::string, std::set<char>> used;
    for (const Field<Scenario>& field : scenario_fields()) {
        const std::size_t mark = field.label.find('&');
        if (mark != std::string::npos) {
            EXPECT_TRUE(used[field.group].insert(field.label[mark + 1]).second) << field.label;
        }
    }
}

/// A value set from its own text is the same value: of every row with a text form, for every state of the
/// others.
TEST(ScenarioFields, TextsAreReadBack) {
    Scenario one_gemm = default_scenario();
    one_gemm.gemm = SingleGemm{{64, 128, 256}, Dataflow::LS};
    Scenario deep = default_scenario();
    deep.hardware = *machine_preset("tpu-v4");
    deep.mesh = {4, 4, 8};
    deep.wraps = {true, true, false};
    deep.folded = true;
    deep.plan.slices = 4;
    deep.plan.packets = 12;
    deep.plan.decomposed = Axis::horizontal;
    deep.assume.schedule.prefetch = {Prefetch::without_bound};
    deep.assume.faults.jitter = Time(500);
    deep.assume.faults.parts = {*parse_fault("0,1,2 up 25%")};
    for (const Scenario& scenario : {default_scenario(), one_gemm, deep}) {
        for (const Field<Scenario>& field : scenario_fields()) {
            const bool has_text = (field.kind != FieldKind::flag_list) && field.applies(scenario) &&
                                  !(field.key == "gemm" && !scenario.gemm);
            if (has_text) {
                Scenario copy = scenario;
                const auto set = set_text(field, copy, text(field, field.get(scenario)), field.name);
                ASSERT_TRUE(set) << field.key << ": " << set.error().sentence;
                EXPECT_EQ(copy, scenario) << field.key;
            }
        }
    }
}

TEST(ScenarioFields, SayWhenTheyHaveNoEffect) {
    struct Case {
        const char* key;
        void (*change)(Scenario&);
        const char* says; ///< empty: it has an effect
    };
    const std::vector<Case> cases = {
        {"batch", [](Scenario&) {}, ""},
        {"batch", [](Scenario& s) { s.gemm.emplace(); }, "A single GEMM (--gemm) does not use it"},
        {"stationary", [](Scenario& s) { s.gemm.emplace(); }, "A single GEMM (--gemm) does not use it"},
        {"gemm.dataflow", [](Scenario&) {}, "Only a single GEMM (--gemm) uses it"},
        {"slices", [](Scenario& s) { s.plan.algorithm = "cannon"; }, "Cannon does not slice"},
        {"slices", [](Scenario& s) { s.plan.algorithm = "wang"; }, ""},
        {"block", [](Scenario& s) { s.plan.algorithm = "wang"; }, "Wang does not slice by blocks"},
        {"packets", [](Scenario&) {}, "MeshSlice does not stream packets; SUMMA does."},
        {"packets", [](Scenario& s) { s.compare = "summa"; }, ""},
        {"decomposed", [](Scenario&) {}, "Wang"},
        {"wrap_third", [](Scenario&) {}, "no third axis"},
        {"faults.seed", [](Scenario&) {}, "no jitter"},
    };
    for (const Case& one : cases) {
        Scenario scenario = default_scenario();
        one.change(scenario);
        const auto& field = scenario_field(one.key);
        const std::string says = field.objection ? field.objection(scenario) : "";
        EXPECT_EQ(says.empty(), std::string(one.says).empty()) << one.key << ": " << says;
        EXPECT_THAT(says, HasSubstr(one.says)) << one.key;
    }
}

/// `plan` offers what a plan's step and memory are made of, and not what only tiles of a GEMM have; what it
/// shares with steps stays with these.
TEST(ScenarioFields, PlansTakeTheNumbersOfTheirChip) {
    for (const char* const key : {"peak", "links", "hbm_bandwidth", "hbm_capacity", "sync",
                                  "launch_all_gather", "effective_fraction_of_peak"}) {
        const Field<Scenario>& row = scenario_field(key);
        EXPECT_NE(row.tags & of_a_plan, 0U) << key;
        EXPECT_EQ(row.tags & of_plans, 0U) << key;
        EXPECT_NE(row.tags & of_time, 0U) << key;
    }
    for (const char* const key : {"links_vertical", "systolic_array_rows", "cores", "on_chip_memory"}) {
        EXPECT_EQ(scenario_field(key).tags & of_a_plan, 0U) << key;
    }
}

/// What the word for the first two axes does not say, the third axis keeps.
TEST(ScenarioFields, WrapsLeaveTheThirdAxisAlone) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4, 4};
    scenario.wraps = {true, true, false};
    ASSERT_TRUE(set_text(scenario_field("wrap"), scenario, "vertical", "--wrap"));
    EXPECT_EQ(scenario.wraps, (std::array{true, false, false}));
    ASSERT_TRUE(set_text(scenario_field("wrap_third"), scenario, "on", "--wrap-third"));
    EXPECT_EQ(scenario.wraps, (std::array{true, false, true}));
}

/// Except that none are none: the third axis of three opens too, where it is not said to stay closed.
TEST(ScenarioFields, NoWrapsAreNoneOfTheThirdAxisEither) {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4, 4};
    ASSERT_TRUE(set_text(scenario_field("wrap"), scenario, "none", "--wrap"));
    EXPECT_EQ(scenario.wraps, (std::array{false, false, false}));
    EXPECT_EQ(scenario_field("wrap").get(scenario), FieldValue("none"));
    ASSERT_TRUE(set_text(scenario_field("wrap"), scenario, "third", "--wrap"));
    EXPECT_EQ(scenario.wraps, (std::array{false, false, true}));
    EXPECT_EQ(scenario_field("wrap").get(scenario), FieldValue("third"));
    Scenario flat = default_scenario();
    ASSERT_TRUE(set_text(scenario_field("wrap"), flat, "none", "--wrap"));
    EXPECT_EQ(flat.wraps, (std::array{false, false, true})); // It has no third axis to open.
    EXPECT_EQ(scenario_field("wrap").get(flat), FieldValue("none"));
}

nlohmann::json parsed(const char* text) {
    return nlohmann::json::parse(text);
}

/// A made-up history: version 2 calls the batch "sequences", version 3 counts tokens in thousands.
const std::vector<Migration> made_up = {
    [](nlohmann::json& file) {
        file["sequences"] = file["batch"];
        file.erase("batch");
    },
    [](nlohmann::json& file) { file["tokens"] = file["tokens"].get<int>() / 1000; },
};

TEST(Migrate, TakesEveryStepFromTheFilesVersionOn) {
    const struct {
        const char* file;
        const char* newest;
    } rows[] = {
        {R"({"v":1,"batch":4,"tokens":2000})", R"({"v":3,"sequences":4,"tokens":2})"},
        {R"({"v":2,"sequences":4,"tokens":2000})", R"({"v":3,"sequences":4,"tokens":2})"},
        {R"({"v":3,"sequences":4,"tokens":2})", R"({"v":3,"sequences":4,"tokens":2})"},
    };
    for (const auto& row : rows) {
        nlohmann::json file = parsed(row.file);
        ASSERT_TRUE(migrate(file, "test", "v", made_up, "test.json")) << row.file;
        EXPECT_EQ(file, parsed(row.newest)) << row.file;
    }
}

TEST(Migrate, RefusesWhatIsNewerOrHasNoVersion) {
    const struct {
        const char* file;
        const char* says;
    } rows[] = {
        {R"({"v":4,"shape":"round"})",
         "test.json is a test of version 4; this program reads up to version 3"},
        {R"({"batch":4})", "lacks \"/v\""},
        {R"({"v":0})", "\"/v\" is 0"},
        {R"({"v":1.5})", "\"/v\" is 1.5"},
        {R"([1])", "an object"},
    };
    for (const auto& row : rows) {
        nlohmann::json file = parsed(row.file);
        const nlohmann::json before = file;
        const Result<void> migrated = migrate(file, "test", "v", made_up, "test.json");
        ASSERT_FALSE(migrated) << row.file;
        EXPECT_THAT(migrated.error().sentence, HasSubstr(row.says));
        EXPECT_EQ(file, before) << "what is refused is left as it was";
    }
}

} // namespace
} // namespace meshslice
