#include "core/base/embedded_resources.h"
#include "core/base/json/json_reader.h"
#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/question/catalogue/questions.h"
#include "core/report/words/comparison_words.h"
#include "core/scenario/examples.h"
#include "core/scenario/file/project.h"
#include "core/step/training_step.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
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
        const Result<Project> project = read_project(*text, path);
        ASSERT_TRUE(project) << project.error().sentence;
        EXPECT_EQ(write_project(*project), *text);
        if (project->task != ProjectTask::step) {
            continue; // WholeRunsTakeWhatTheySay asks them
        }
        for (const Variant& variant : project->variants) {
            for (const std::string& algorithm : {variant.scenario.plan.algorithm, variant.scenario.compare}) {
                const bool runs = algorithm.empty() ||
                                  training_step(variant.scenario, algorithm, Depth::estimate).has_value();
                EXPECT_TRUE(runs) << variant.name << ": " << algorithm;
            }
        }
    }
    EXPECT_GT(examples, 0);
}

/// What is said of an example holds, in the words in which the program compares two runs: it fits into the
/// memory of its chips with both algorithms, and MeshSlice takes so much less time.
TEST(Examples, DoWhatTheirDescriptionsClaim) {
    EXPECT_EQ(example_projects().size(), embedded_examples().size());
    for (const ExampleProject& example : example_projects()) {
        SCOPED_TRACE(example.file);
        if (example.project.task != ProjectTask::step) {
            continue;
        }
        const Scenario& scenario = example.project.scenario();
        const bool variants = example.project.pinned.has_value();
        const Scenario& other_scenario =
            variants ? example.project.variants[*example.project.pinned].scenario : scenario;
        auto own = training_step(scenario, scenario.plan.algorithm, Depth::simulate);
        const auto other = training_step(
            other_scenario, variants ? other_scenario.plan.algorithm : scenario.compare, Depth::simulate);
        ASSERT_TRUE(own && other);
        std::string claim = comparison_words(*own, *other, Time(0));
        if (variants) { // by their letters
            EXPECT_THAT(example.point, testing::HasSubstr("B"));
            claim = claim.substr(claim.find("takes"));
        } else {
            EXPECT_THAT(claim, testing::EndsWith(" less time"));
        }
        EXPECT_THAT(example.point, testing::HasSubstr(claim));
    }
}

const ExampleProject& example_of(const std::string& file) {
    return *std::ranges::find(example_projects(), file, &ExampleProject::file);
}

Tree best_plan_of(const Scenario& scenario) {
    const Question question = plan_question();
    Asked asked = asked_of(question, {}, Speech::file).value();
    asked.scenario = &scenario;
    asked.said.file = true;
    return question.answer(asked, {}).value().values;
}

/// The same of whole runs: what is expected of the fastest plan, and what a user gets.
TEST(Examples, WholeRunsTakeWhatTheySay) {
    using testing::HasSubstr;
    const ExampleProject& llama = example_of("train-llama-3-70b.meshslice.json");
    const Tree plan = best_plan_of(llama.project.scenario());
    for (const char* time : {"plans/0/expected_s", "plans/0/time_s"}) {
        EXPECT_THAT(llama.point, HasSubstr(fmt::format("{:.2f} s", number_at(plan, time).value())));
    }

    const ExampleProject& deepseek = example_of("train-deepseek-v3.meshslice.json");
    const Tree a = best_plan_of(deepseek.project.variants.at(0).scenario);
    const Tree b = best_plan_of(deepseek.project.variants.at(1).scenario);
    const double across = number_at(a, "plans/0/experts_s").value();
    const double inside = number_at(b, "plans/0/experts_s").value();
    EXPECT_THAT(deepseek.point, HasSubstr(fmt::format("{:.0f} ms of the ideal step instead of {:.2f} s",
                                                      1000 * inside, across)));
    const double before = number_at(a, "plans/0/expected_s").value();
    const double after = number_at(b, "plans/0/expected_s").value();
    EXPECT_THAT(deepseek.point, HasSubstr(percent_text((before - after) / before) + " less time"));

    const ExampleProject& served = example_of("serve-llama-3-70b.meshslice.json");
    EXPECT_EQ(served.project.task, ProjectTask::serving);
    const Question serve = serve_question();
    const Tree users =
        serve.answer(asked_of(serve, served.project.scenario().serving, Speech::file).value(), {})
            .value()
            .values;
    EXPECT_THAT(served.point,
                HasSubstr(fmt::format("{:.3g} tokens/s", number_at(users, "tokens_per_s_per_user").value())));
    EXPECT_THAT(served.point, HasSubstr(fmt::format("{:.0f}.", number_at(users, "tokens_per_s").value())));
}

const Scenario& example(const std::string& file) {
    const auto found = std::ranges::find(example_projects(), file, &ExampleProject::file);
    EXPECT_NE(found, example_projects().end()) << file;
    return found->project.scenario();
}

/// What else they say: what bounds them, and that the chips of one have no rings.
TEST(Examples, ShowTheirPoints) {
    const auto bound = [](const std::string& file) {
        return training_step(example(file), "meshslice", Depth::simulate).value().bottleneck;
    };
    EXPECT_EQ(bound("megatron-nlg-32x8.json").part, Part::compute);
    EXPECT_EQ(bound("llama-3-70b-v5e-16x16.json").part, Part::horizontal_links);
    EXPECT_EQ(example("llama-3-8b-v5e-4x4.json").wraps, (std::array{false, false, true}));
    EXPECT_EQ(example("left-stationary-4x2.json").gemm->dataflow, Dataflow::LS);
    const TrainingStep left =
        training_step(example("left-stationary-4x2.json"), "meshslice", Depth::simulate).value();
    EXPECT_GT(left.hidden_share(), 0.5);
}

/// The one GEMM that the manual follows slice by slice: of all algorithms that run there MeshSlice takes the
/// least time; in 64 slices it takes longer than Collective.
TEST(Examples, TheOneGemmShowsMeshSliceAhead) {
    Scenario scenario = example("one-product-4x4.json");
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
    scenario.plan.slices = 64;
    EXPECT_GT(training_step(scenario, "meshslice", Depth::simulate).value().time,
              training_step(scenario, "collective", Depth::simulate).value().time);
}

TEST(Examples, TheFirstIsWhatTheWindowOpensWith) {
    const std::string path = std::string(MESHSLICE_SOURCE_DIR) + "/resources/examples/gpt3-32x8.json";
    EXPECT_EQ(read_scenario(read_text_file(path).value(), path).value(), default_scenario());
}

} // namespace
} // namespace meshslice
