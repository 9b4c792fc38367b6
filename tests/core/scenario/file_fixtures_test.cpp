// Files as an earlier program wrote them stay readable, and mean what they meant.

#include "core/base/json_reader.h"
#include "core/calibrate/measurements.h"
#include "core/lesson/lesson.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/fields.h"
#include "core/scenario/plan_fields.h"
#include "core/scenario/project.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::string fixture(const std::string& name) {
    return read_text_file(std::string(MESHSLICE_SOURCE_DIR) + "/tests/core/scenario/fixtures/" + name)
        .value();
}

Scenario scenario_in(const std::string& name) {
    const Result<Scenario> read = read_scenario(fixture(name), name);
    EXPECT_TRUE(read) << (read ? std::string() : read.error().sentence);
    return read.value_or(Scenario{});
}

TEST(FileFixtures, ADefaultScenarioIsTheDefault) {
    EXPECT_EQ(scenario_in("scenario-default.json"), default_scenario());
}

/// A scenario with every field of a torus set: what its text says, row by row.
TEST(FileFixtures, AScenarioWithEveryFieldHasThemAll) {
    const Scenario read = scenario_in("scenario-every-field.json");
    EXPECT_EQ(read.model, *model_preset("llama-3-8b"));
    EXPECT_EQ(read.hardware.based_on, "tpu-v5e");
    ASSERT_THAT(edits(read.hardware), SizeIs(1));
    EXPECT_EQ(text(edits(read.hardware)), "HBM bandwidth x 0.5");
    EXPECT_THAT(read.mesh, ElementsAre(4, 8));
    EXPECT_EQ(read.wraps, (std::array{true, false, true}));
    EXPECT_TRUE(read.folded);
    EXPECT_EQ(read.batch, 32);
    EXPECT_EQ(read.sequence, 4096);
    EXPECT_FALSE(read.plan.loaded);
}

/// The text of every row that applied, as the program that wrote the files had it.
TEST(FileFixtures, EveryRowSaysWhatItSaid) {
    const auto said = nlohmann::json::parse(fixture("rows.json"));
    for (const auto& [file, rows] : said.items()) {
        const Scenario read = scenario_in(file);
        for (const auto& [key, words] : rows.items()) {
            const Field<Scenario>& field = scenario_field(key);
            EXPECT_TRUE(field.applies(read)) << file << ": " << key;
            EXPECT_EQ(text(field, field.get(read)), words.get<std::string>()) << file << ": " << key;
        }
    }
}

/// What a plan asks about a machine of its own, next to the scenario's.
TEST(FileFixtures, PlanningsAreKept) {
    const Scenario other = scenario_in("planning-other-machine-plan.json");
    EXPECT_EQ(other.hardware.name, "tpu-v4-paper");
    EXPECT_EQ(other.planning.cluster, "b200-nvs8");
    EXPECT_EQ(other.planning.chips, 256);
    ASSERT_TRUE(other.plan.loaded);
    EXPECT_EQ(other.plan.loaded->chips(), 64 * 2 * 2); // dp x pp x tp
    EXPECT_EQ(text(other.plan.loaded->schedule), "interleaved:16");
    EXPECT_EQ(placement_text(*other.plan.loaded), "2,1,4,1");

    const Scenario same = scenario_in("planning-same-machine-plan.json");
    EXPECT_EQ(same.planning.cluster, same.hardware.name);
    ASSERT_TRUE(same.plan.loaded);
    EXPECT_EQ(strategy_name(*same.plan.loaded), "wang");
    EXPECT_EQ(placement_text(*same.plan.loaded), "tp1 4 x dp 4 x dp 4");

    const Scenario open = scenario_in("planning-same-machine.json");
    EXPECT_EQ(open.plan.split.schedule, "1f1b,interleaved:2");
    EXPECT_EQ(open.plan.split.zero, "1,3");
    EXPECT_EQ(open.planning.tokens, 15'000'000'000'000);

    const Scenario group = scenario_in("planning-of-a-group.json");
    EXPECT_EQ(group.planning.batch, 1024);
    EXPECT_EQ(group.batch, 8); // the plan's micro-batch
    EXPECT_EQ(group.plan.loaded->micro_batch, 8);
    EXPECT_THAT(group.mesh, ElementsAre(4, 2)); // tensor2 x tensor1
    EXPECT_EQ(group.plan.loaded->chips(), group.planning.chips);

    for (const char* name : {"planning-other-machine.json", "planning-more-chips.json",
                             "planning-one-gemm.json", "planning-edited-machine.json"}) {
        EXPECT_NE(scenario_in(name).planning, Planning{}) << name;
    }
}

TEST(FileFixtures, ProjectsKeepTheirVariants) {
    const Project read = read_project(fixture("project-planning.json"), "project").value();
    ASSERT_THAT(read.variants, SizeIs(4));
    EXPECT_EQ(read.current, 1U);
    EXPECT_EQ(read.pinned, 2U);
    EXPECT_EQ(read.variants[1].name, "GPUs");
    EXPECT_EQ(read.variants[1].scenario, scenario_in("planning-other-machine-plan.json"));
    EXPECT_EQ(read.variants[3].scenario, scenario_in("planning-of-a-group.json"));
    ASSERT_THAT(read.marks, SizeIs(2));
    EXPECT_EQ(read.marks[1].at, Time(123'456'789));

    const Project plain = read_project(fixture("project-variants.json"), "project").value();
    EXPECT_EQ(plain.variants[1].scenario, scenario_in("scenario-every-field.json"));
    EXPECT_TRUE(read_project(fixture("project-names-clash.json"), "project"));

    const auto saved = nlohmann::json::parse(fixture("autosave.json"));
    const Project lost = read_project(saved["scenario"].get<std::string>(), "autosave").value();
    EXPECT_EQ(lost.scenario(), scenario_in("planning-other-machine-plan.json"));
}

TEST(FileFixtures, PlansMachinesAndModelsAreRead) {
    EXPECT_EQ(read_plan(fixture("plan-domains.json"), "plan").value(),
              *scenario_in("planning-other-machine-plan.json").plan.loaded);
    EXPECT_EQ(read_plan(fixture("plan-torus.json"), "plan").value(),
              *scenario_in("planning-same-machine-plan.json").plan.loaded);
    EXPECT_EQ(read_machine(fixture("machine-torus.json"), "file").value(), *machine_preset("tpu-v5p"));
    EXPECT_EQ(read_machine(fixture("machine-ring-of-gpus.json"), "file").value(),
              *machine_preset("t3-paper"));
    EXPECT_EQ(read_machine(fixture("machine-domains.json"), "file").value(), *machine_preset("h100-nvs72"));
    EXPECT_EQ(read_machine(fixture("machine-edited.json"), "file").value(),
              scenario_in("scenario-every-field.json").hardware);
    EXPECT_EQ(read_transformer(fixture("model.json"), "file").value(), *model_preset("llama-3-8b"));
}

TEST(FileFixtures, LessonsAreRead) {
    const Result<Lesson> lesson = read_lesson(fixture("lesson.json"), "lesson.json");
    ASSERT_TRUE(lesson) << lesson.error().sentence;
    ASSERT_THAT(lesson->steps, SizeIs(2));
    EXPECT_EQ(lesson->steps[0].scenario.planning.cluster, "h100-nvs8");
    EXPECT_EQ(lesson->steps[0].scenario.plan.split.recompute, "full");
    EXPECT_TRUE(lesson->steps[1].scenario.gemm);
}

TEST(FileFixtures, MeasurementsAreRead) {
    const auto collectives = read_collectives(fixture("measured-collectives.csv"), "file").value();
    ASSERT_THAT(collectives, SizeIs(7));
    EXPECT_EQ(collectives[3].operation, Collective::reduce_scatter);
    EXPECT_EQ(collectives[3].chips, 8);
    EXPECT_EQ(collectives[3].bytes, 4.0 * 1024 * 1024);
    EXPECT_NEAR(collectives[3].seconds, 60.17e-6, 1e-12);
    const auto gemms = read_gemms(fixture("measured-gemms.csv"), "file").value();
    ASSERT_THAT(gemms, testing::Not(testing::IsEmpty()));
    EXPECT_EQ(gemms[1].shape, (GemmShape{2048, 2048, 2048}));
    EXPECT_NEAR(gemms[1].seconds, 1.2e-4, 1e-12);
}

} // namespace
} // namespace meshslice
