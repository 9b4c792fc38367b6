// Files as an earlier program wrote them stay readable, and mean what they meant.

#include "core/base/json/json_reader.h"
#include "core/calibrate/measurements.h"
#include "core/lesson/lesson.h"
#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/scenario/fields.h"
#include "core/scenario/file/project.h"
#include "core/scenario/plan/plan_fields.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <string>

namespace meshslice {
namespace {

/// A machine without the network that joins its pods, which files did not say then.
Machine one_pod(const char* name) {
    Machine machine = *machine_preset(name);
    machine.network.levels.resize(1);
    return machine;
}

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

/// Of plans less was counted.
Planning counted_then(Planning planning = {}) {
    planning.ends = planning.optimizer_step = planning.uneven_stages = false;
    planning.reserve = 0;
    return planning;
}

TEST(FileFixtures, ADefaultScenarioIsTheDefault) {
    Scenario then = default_scenario();
    then.planning = counted_then();
    EXPECT_EQ(scenario_in("scenario-default.json"), then);
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

Project project_in(const std::string& name) {
    const Result<Project> read = read_project(fixture(name), name);
    EXPECT_TRUE(read) << (read ? std::string() : read.error().sentence);
    return read.value_or(Project{});
}

/// The text of every row that applied, as the program that wrote the files had it. What a plan asks stands in
/// the last variant, and its machine is the variant's.
TEST(FileFixtures, EveryRowSaysWhatItSaid) {
    const auto said = nlohmann::json::parse(fixture("rows.json"));
    for (const auto& [file, rows] : said.items()) {
        const Project read = project_in(file);
        const bool plans = rows["planning.chips"] != "1024"; // else nothing was said of them
        for (const auto& [key, words] : rows.items()) {
            const bool of_a_plan = key.starts_with("plan");
            if (of_a_plan && !plans) {
                continue;
            }
            const Scenario& in = of_a_plan ? read.variants.back().scenario : read.scenario();
            if (in.is_group() && key.starts_with("ring_")) {
                continue; // The rings of the plan were in its machine, and are in its wraps now.
            }
            if (key == "planning.cluster" || (key == "hardware" && in.is_group())) {
                EXPECT_TRUE(in.hardware.name == words || in.hardware.title == words) << file;
                continue;
            }
            const Field<Scenario>& field = scenario_field(key);
            EXPECT_TRUE(field.applies(in)) << file << ": " << key;
            const std::string its = text(field, field.get(in));
            EXPECT_EQ(key == "planning.chips" ? std::to_string(in.chips()) : its, words.get<std::string>())
                << file << ": " << key;
        }
    }
}

/// Older scenarios could plan for a machine of their own: that is a second variant.
TEST(FileFixtures, APlanForAnotherMachineIsAVariant) {
    const Project other = project_in("planning-other-machine-plan.json");
    ASSERT_THAT(other.variants, SizeIs(2));
    EXPECT_EQ(other.current, 0U) << "what was shown is shown";
    Scenario shown = default_scenario();
    shown.batch = 256;
    shown.planning = counted_then();
    EXPECT_EQ(other.variants[0].scenario, shown);
    EXPECT_EQ(other.variants[1].name, "Variant 1, plan");
    const Scenario& planned = other.variants[1].scenario;
    EXPECT_EQ(planned.hardware, *machine_preset("b200-nvs8"));
    EXPECT_EQ(planned.chips(), 256);
    ASSERT_TRUE(planned.plan.loaded);
    EXPECT_EQ(planned.plan.loaded->chips(), 64 * 2 * 2); // dp x pp x tp
    EXPECT_EQ(text(planned.plan.loaded->schedule), "interleaved:16");
    EXPECT_EQ(placement_text(*planned.plan.loaded), "2,1,4,1");
    EXPECT_EQ(scenario_in("planning-other-machine-plan.json"), shown)
        << "also where nobody asks for the plan";

    const Project open = project_in("planning-other-machine.json");
    ASSERT_THAT(open.variants, SizeIs(2));
    EXPECT_EQ(open.variants[1].scenario.hardware.name, "h100-nvs72");
    EXPECT_EQ(open.variants[1].scenario.chips(), 4608);
    EXPECT_EQ(open.variants[1].scenario.planning.tokens, 300'000'000'000);
    EXPECT_EQ(open.variants[0].scenario.planning, counted_then());

    const Project gemm = project_in("planning-one-gemm.json");
    ASSERT_THAT(gemm.variants, SizeIs(2));
    EXPECT_TRUE(gemm.variants[0].scenario.gemm);
    EXPECT_FALSE(gemm.variants[1].scenario.gemm) << "a plan belongs to a training run";

    // The scenario's machine was edited, and plans were for the preset.
    const Project edited = project_in("planning-edited-machine.json");
    ASSERT_THAT(edited.variants, SizeIs(2));
    EXPECT_EQ(edited.variants[0].scenario.hardware.based_on, "tpu-v5p");
    EXPECT_EQ(edited.variants[1].scenario.hardware, *machine_preset("tpu-v5p"));
    EXPECT_EQ(edited.variants[1].scenario.mesh, edited.variants[0].scenario.mesh);
}

/// What is wrong with an old plan is said, however large a number is.
TEST(FileFixtures, WrongPlansOfBeforeAreRefused) {
    const auto refused = [](const char* key, const nlohmann::json& value) {
        nlohmann::json file = nlohmann::json::parse(fixture("planning-other-machine.json"));
        file[nlohmann::json::json_pointer(key)] = value;
        const Result<Project> read = read_project(file.dump(), "file");
        return read ? std::string("read") : read.error().sentence;
    };
    EXPECT_THAT(refused("/planning/cluster", "abacus"),
                testing::HasSubstr("There is no machine \"abacus\"; there are a100-330w, "));
    EXPECT_THAT(refused("/planning/cluster", 5), testing::HasSubstr("\"/planning/cluster\""));
    EXPECT_THAT(refused("/planning", 5), testing::HasSubstr("/planning"));
    nlohmann::json torus = nlohmann::json::parse(fixture("planning-other-machine.json"));
    torus["planning"]["cluster"] = "tpu-v5e";
    torus["mesh"] = {2, std::int64_t{9'000'000'000'000'000'000}};
    EXPECT_THAT(read_project(torus.dump(), "file").error().sentence, testing::HasSubstr("/mesh"));
}

TEST(FileFixtures, APlanForTheSameMachineIsTakenOver) {
    for (const char* name : {"planning-same-machine-plan.json", "planning-same-machine.json",
                             "planning-more-chips.json", "planning-of-a-group.json"}) {
        EXPECT_THAT(project_in(name).variants, SizeIs(1)) << name;
    }
    const Scenario same = scenario_in("planning-same-machine-plan.json");
    EXPECT_EQ(same.hardware, *machine_preset(same.hardware.name));
    ASSERT_TRUE(same.plan.loaded);
    EXPECT_EQ(same.plan.loaded->chips(), same.chips());
    EXPECT_EQ(strategy_name(*same.plan.loaded), "wang");
    EXPECT_EQ(placement_text(*same.plan.loaded), "tp1 4 x dp 4 x dp 4");

    const Scenario open = scenario_in("planning-same-machine.json");
    EXPECT_EQ(open.plan.split.schedule, "1f1b,interleaved:2");
    EXPECT_EQ(open.plan.split.zero, "1,3");
    EXPECT_EQ(open.planning.tokens, 15'000'000'000'000);
    EXPECT_EQ(scenario_in("planning-more-chips.json").chips(), 1024); // its mesh has 8 x 8

    const Scenario group = scenario_in("planning-of-a-group.json");
    EXPECT_EQ(group.hardware, one_pod("tpu-v5p")) << "the rings of the plan are in the wraps";
    EXPECT_EQ(group.planning.batch, 1024);
    EXPECT_EQ(group.batch, 8); // the plan's micro-batch
    EXPECT_EQ(group.plan.loaded->micro_batch, 8);
    EXPECT_THAT(group.mesh, ElementsAre(4, 2)); // tensor2 x tensor1
    EXPECT_EQ(group.plan.loaded->chips(), group.chips());
    EXPECT_TRUE(group.torus()->axes()[0].wraps) << "4 chips of a larger torus";
    EXPECT_FALSE(group.torus()->axes()[1].wraps);
}

TEST(FileFixtures, ProjectsKeepTheirVariants) {
    const Project read = project_in("project-planning.json");
    ASSERT_GE(read.variants.size(), 5U);
    EXPECT_EQ(read.current, 1U);
    EXPECT_EQ(read.pinned, 2U);
    EXPECT_EQ(read.variants[1].name, "GPUs");
    EXPECT_EQ(read.variants[1].scenario, scenario_in("planning-other-machine-plan.json"));
    EXPECT_EQ(read.variants[3].scenario, scenario_in("planning-of-a-group.json"));
    EXPECT_EQ(read.variants[4].name, "GPUs, plan");
    EXPECT_EQ(read.variants[4].scenario, project_in("planning-other-machine-plan.json").variants[1].scenario);
    ASSERT_THAT(read.marks, SizeIs(2));
    EXPECT_EQ(read.marks[1].at, Time(123'456'789));

    const Project plain = project_in("project-variants.json");
    EXPECT_EQ(plain.variants[1].scenario, scenario_in("scenario-every-field.json"));
    const Project clash = project_in("project-names-clash.json");
    ASSERT_THAT(clash.variants, SizeIs(3));
    EXPECT_EQ(clash.variants[2].name, "A, plan 2");

    const auto saved = nlohmann::json::parse(fixture("autosave.json"));
    const Project lost = read_project(saved["scenario"].get<std::string>(), "autosave").value();
    EXPECT_THAT(lost.variants, SizeIs(2));
}

TEST(FileFixtures, PlansMachinesAndModelsAreRead) {
    EXPECT_EQ(read_plan(fixture("plan-domains.json"), "plan").value(),
              *project_in("planning-other-machine-plan.json").variants[1].scenario.plan.loaded);
    EXPECT_EQ(read_plan(fixture("plan-torus.json"), "plan").value(),
              *scenario_in("planning-same-machine-plan.json").plan.loaded);
    EXPECT_EQ(read_machine(fixture("machine-torus.json"), "file").value(), one_pod("tpu-v5p"));
    EXPECT_EQ(read_machine(fixture("machine-ring-of-gpus.json"), "file").value(),
              *machine_preset("t3-paper"));
    // The sources of its numbers are said in other words by now.
    std::string domains = fixture("machine-domains.json");
    const std::string before = std::string("are ") + "no systolic arrays";
    for (std::size_t at = 0; (at = domains.find(before)) != std::string::npos;) {
        domains.replace(at, before.size(), "are not systolic arrays");
    }
    Machine h100 = *machine_preset("h100-nvs72");
    const Machine read = read_machine(domains, "file").value();
    EXPECT_EQ(read.hbm.value, Bytes(80'000'000'000)) << "read as 10^9 bytes then, and as GiB now";
    h100.hbm = read.hbm;
    h100.peak[DataType::fp8] = read.peak[DataType::fp8]; // not known then
    h100.power = read.power;                             // not said then
    h100.pcie = read.pcie;                               // likewise
    EXPECT_EQ(read, h100);
    EXPECT_EQ(read_machine(fixture("machine-edited.json"), "file").value(),
              scenario_in("scenario-every-field.json").hardware);
    // Files of then do not say what a model's makers count.
    Transformer model = *model_preset("llama-3-8b");
    model.published_parameters = 0;
    model.sources.erase("published_parameters");
    EXPECT_EQ(read_transformer(fixture("model.json"), "file").value(), model);
}

TEST(FileFixtures, LessonsAreRead) {
    const Result<Lesson> lesson = read_lesson(fixture("lesson.json"), "lesson.json");
    ASSERT_TRUE(lesson) << lesson.error().sentence;
    ASSERT_THAT(lesson->steps, SizeIs(2));
    EXPECT_EQ(lesson->steps[0].scenario.hardware, *machine_preset("h100-nvs8"));
    EXPECT_EQ(lesson->steps[0].scenario.chips(), 256);
    EXPECT_EQ(lesson->steps[1].scenario.hardware, *machine_preset("tpu-v4-paper"));
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
