#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/differences.h"
#include "core/scenario/file/project.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;

Project two_variants() {
    Project project;
    Scenario doubled = default_scenario();
    doubled.batch = 256;
    project.variants.push_back({"twice the batch", doubled});
    project.current = 1;
    project.pinned = 0;
    return project;
}

Json two_as_json() {
    return Json::parse(write_project(two_variants()));
}

TEST(Project, AScenarioFileIsAProjectOfOneVariant) {
    const std::string scenario = write_scenario(default_scenario());
    const auto project = read_project(scenario, "test.json");
    ASSERT_TRUE(project) << project.error().sentence;
    EXPECT_EQ(*project, Project());
    EXPECT_EQ(write_project(*project), scenario);
}

TEST(Project, AllVariantsSurvive) {
    const auto back = read_project(write_project(two_variants()), "test.json");
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(*back, two_variants());
}

/// Also of one variant without a name of its own, which is written as a project then.
TEST(Project, KeepsItsTask) {
    for (const ProjectTask task : {ProjectTask::training, ProjectTask::serving}) {
        Project project;
        project.task = task;
        const auto back = read_project(write_project(project), "test.json");
        ASSERT_TRUE(back) << back.error().sentence;
        EXPECT_EQ(*back, project);
    }
}

/// No block runs behind a switch, so a scenario's file asks for a plan.
TEST(Project, OpensInWhatItsMachineCanAnswer) {
    const std::string on_torus = write_scenario(default_scenario());
    Json json = Json::parse(on_torus);
    json["hardware"] = "h100-nvs8";
    const auto switched = read_project(json.dump(), "test.json");
    ASSERT_TRUE(switched) << switched.error().sentence;
    EXPECT_EQ(switched->task, ProjectTask::training);
    const auto torus = read_project(on_torus, "test.json");
    ASSERT_TRUE(torus) << torus.error().sentence;
    EXPECT_EQ(torus->task, ProjectTask::step);
}

TEST(Project, OneNamedVariantKeepsItsName) {
    Project project;
    project.variants.front().name = "half links";
    const auto back = read_project(write_project(project), "test.json");
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(*back, project);
}

TEST(Project, SaysWhatIsWrongAndWhere) {
    const auto refused = [](const auto& change) {
        Json json = two_as_json();
        change(json);
        const auto read = read_project(json.dump(), "test.json");
        return read ? std::string() : read.error().sentence;
    };
    EXPECT_THAT(refused([](Json& json) { json["meshslice_project"] = 5; }),
                HasSubstr("test.json is a project of version 5; this program reads up to version 4"));
    EXPECT_THAT(refused([](Json& json) { json["task"] = "waiting"; }),
                HasSubstr("\"/task\" must be \"training\" or \"serving\", or be left out"));
    EXPECT_THAT(refused([](Json& json) { json["variants"] = Json::array(); }),
                HasSubstr("must have at least one variant"));
    EXPECT_THAT(refused([](Json& json) { json["variants"][1]["name"] = json["current"] = "Variant 1"; }),
                HasSubstr("Two variants are named \"Variant 1\""));
    EXPECT_THAT(refused([](Json& json) { json["variants"][1]["name"] = json["current"] = ""; }),
                HasSubstr("name of variant"));
    EXPECT_THAT(refused([](Json& json) { json["current"] = "third"; }),
                HasSubstr("\"current\" is \"third\"; expected the name of a variant"));
    EXPECT_THAT(refused([](Json& json) { json["pinned"] = "third"; }), HasSubstr("\"pinned\" is \"third\""));
    EXPECT_THAT(refused([](Json& json) { json["colour"] = 1; }), HasSubstr("colour"));
    EXPECT_THAT(refused([](Json& json) { json["variants"][0]["colour"] = 1; }), HasSubstr("colour"));
    EXPECT_THAT(refused([](Json& json) { json["variants"][1]["scenario"]["batch"] = 0; }),
                HasSubstr("test.json, variant \"twice the batch\""));
}

/// Marks are in the order of time, whatever the file's; a scenario alone has no room for them.
TEST(Project, KeepsMarks) {
    Project project;
    project.marks = {{"first wait", Time(40'000'000)},
                     {"why so long?", Time(66'000'000), "3,5 east", "meshslice"},
                     {"end of the prologue", Time(90'000'001)}};
    EXPECT_FALSE(project.plain());
    const auto back = read_project(write_project(project), "test.json");
    ASSERT_TRUE(back) << back.error().sentence;
    EXPECT_EQ(*back, project);
    std::ranges::reverse(project.marks);
    EXPECT_EQ(*checked(project), *back);

    Json json = two_as_json();
    EXPECT_FALSE(json.contains("marks"));
    json["meshslice_project"] = 1; // before there were marks
    EXPECT_EQ(*read_project(json.dump(), "test.json"), two_variants());
    const auto refused = [&](const Json& mark) {
        json["marks"] = Json::array({mark});
        const auto read = read_project(json.dump(), "test.json");
        return read ? std::string() : read.error().sentence;
    };
    EXPECT_EQ(refused({{"name", "a"}, {"at_ps", 5}}), "");
    EXPECT_THAT(refused({{"name", ""}, {"at_ps", 5}}), HasSubstr("The name of mark 1 has 0 bytes"));
    EXPECT_THAT(refused({{"name", std::string(201, 'a')}, {"at_ps", 5}}),
                HasSubstr("\"/marks/0/name\" is a name of 201 letters; expected at most 100"));
    constexpr std::int64_t a_day = 86'400'000'000'000'000; // longer than what is exact as a double
    EXPECT_EQ(refused({{"name", "a"}, {"at_ps", a_day + 1}}), "");
    EXPECT_EQ(read_project(json.dump(), "test.json")->marks.front().at, Time(a_day + 1));
    EXPECT_THAT(refused({{"name", "a"}, {"at_ps", -1}}), HasSubstr("at_ps"));
    EXPECT_THAT(refused({{"name", "a"}, {"at_ps", 5}, {"colour", 1}}), HasSubstr("colour"));
    EXPECT_THAT(refused({{"at_ps", 5}}), HasSubstr("name"));
}

TEST(Project, FindsAVariantByNameAndByPlace) {
    const Project project = two_variants();
    EXPECT_EQ(variant_of(project, "")->scenario.batch, 256); // the current one
    EXPECT_EQ(variant_of(project, "Variant 1")->scenario.batch, 128);
    EXPECT_EQ(variant_of(project, "2")->scenario.batch, 256);
    EXPECT_EQ(variant_of(project, "A")->scenario.batch, 128);
    EXPECT_EQ(variant_of(project, "B")->scenario.batch, 256);
    EXPECT_EQ(variant_of(project, "3").error().sentence,
              "There is no variant \"3\"; there are \"Variant 1\" and \"twice the batch\".");
}

TEST(Project, NamesANewVariantLikeNoOther) {
    Project project = two_variants();
    EXPECT_EQ(project.free_name(), "Variant 3");
    project.variants[1].name = "Variant 3";
    EXPECT_EQ(project.free_name(), "Variant 4");
}

TEST(Differences, AreSaidFieldByField) {
    const Scenario from = default_scenario();
    Scenario to = from;
    EXPECT_TRUE(differences(from, to).empty());
    to.batch = 256;
    to.mesh = {16, 16};
    to.plan.algorithm = "wang";
    ASSERT_TRUE(edit(to.hardware, machine_number("hbm_bandwidth_in_bytes_per_s"), Factor{0.5}));
    EXPECT_EQ(text(differences(from, to)), "HBM bandwidth x 0.5, mesh 16x16, batch 256, algorithm Wang");
    const std::vector<Difference> back = differences(to, from);
    ASSERT_EQ(back.size(), 4U);
    EXPECT_EQ(back[0].from, "x 0.5");
    EXPECT_EQ(back[0].to, "1.20\u2009TB/s");
}

TEST(Differences, OfHardwareOfDifferentPresetsIsOne) {
    Scenario to = default_scenario();
    to.hardware = machine_preset("tpu-v5p").value();
    const std::vector<Difference> all = differences(default_scenario(), to);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].name, "hardware");
    EXPECT_EQ(all[0].to, to.hardware.title);
}

} // namespace
} // namespace meshslice
