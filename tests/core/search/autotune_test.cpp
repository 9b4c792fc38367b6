#include "core/estimate/estimate.h"
#include "core/machine/catalogue.h"
#include "core/report/words/tuning_words.h"
#include "core/scenario/choices.h"
#include "core/search/autotune.h"
#include "core/step/training_step.h"
#include "core/tune/tune.h"
#include "tests/core/support/written.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <optional>
#include <random>

namespace meshslice {
namespace {

using testing::HasSubstr;

/// The shortest estimates of one GEMM by trying everything, in the order in which equals are preferred.
struct Tried {
    GemmOptions options;
    Time time;
};
std::vector<Tried> try_all(const Algorithm& algorithm, const Gemm& gemm, const Torus& torus,
                           const Scenario& scenario) {
    std::vector<Tried> tried;
    std::vector<std::optional<Axis>> axes = {std::nullopt};
    if (takes(algorithm, OptionId::decomposed)) {
        axes = {Axis::horizontal, Axis::vertical};
    }
    for (const auto& axis : axes) {
        GemmOptions options{1, scenario.plan.block, 0, axis};
        const auto counts = algorithm.slice_counts(gemm.shape, gemm.dataflow, torus, options);
        for (const std::int64_t slices : counts.value_or(std::vector<std::int64_t>{})) {
            for (std::int64_t packets = 1; packets <= (takes(algorithm, OptionId::packets) ? 256 : 1);
                 packets *= 2) {
                options.slices = slices;
                options.packets = takes(algorithm, OptionId::packets) ? packets : 0;
                const auto program = algorithm.write(gemm.shape, gemm.dataflow, torus, options);
                if (program) {
                    tried.push_back(
                        {options, estimate(*program, scenario.hardware, scenario.assume.schedule).total});
                }
            }
        }
    }
    return tried;
}
/// Of the fewest slices that take at most 1% longer than the fastest, the first that no other with as many
/// beats; the fastest itself is the first that no other beats by more than a picosecond a slice.
const Tried* best_of(const std::vector<Tried>& tried) {
    const auto fastest = std::ranges::find_if(tried, [&](const Tried& one) {
        return std::ranges::all_of(
            tried, [&](const Tried& other) { return one.time <= other.time + Time(other.options.slices); });
    });
    if (fastest == tried.end()) {
        return nullptr;
    }
    const Tried* best = &*fastest;
    for (const Tried& one : tried) {
        const bool near = one.time <= most_with_fewer_slices(fastest->time);
        const bool fewer = one.options.slices < best->options.slices;
        const bool faster =
            best != &*fastest && one.options.slices == best->options.slices && one.time < best->time;
        best = near && (fewer || faster) ? &one : best;
    }
    return best;
}

/// What the search promises: whatever is passed over, the answer is that of trying everything. Seeded, so
/// that every run tries the same.
TEST(Autotune, FindsWhatTryingEverythingFinds) {
    std::mt19937 random(20260731);
    const auto one_of = [&](const auto& choices) { return choices[random() % std::size(choices)]; };
    int candidates = 0;
    for (int round = 0; round < 24; ++round) {
        Scenario scenario = default_scenario();
        scenario.model = one_of(model_presets());
        scenario.hardware = one_of(presets_that(is_plain_torus));
        scenario.batch = one_of(std::vector<std::int64_t>{1, 4, 32});
        scenario.sequence = one_of(std::vector<std::int64_t>{256, 2048});
        scenario.plan.block = one_of(std::vector<std::int64_t>{1, 8, 128});
        scenario.wraps = one_of(std::vector<std::array<bool, 3>>{{true, true, true}, {true, false, true}});
        scenario.assume.schedule.prefetch.depth = one_of(std::vector<std::int64_t>{0, 1, 2});
        scenario.assume.schedule.ring =
            one_of(std::vector<RingMode>{RingMode::both_ways, RingMode::both_ways, RingMode::one_way});
        // Half of the time constants that make slices dear, so that the best is not always the finest.
        scenario.hardware.sync.value = seconds(one_of(std::vector<double>{1e-7, 5e-6}));
        scenario.mesh = {one_of(std::vector<std::int32_t>{4, 6, 8, 12, 16, 32, 64}), 1};

        const auto tuning = autotune(scenario, {});
        if (!tuning) { // Then no mesh of so many chips divides the model.
            for (const MeshChoice& choice : mesh_choices(scenario)) {
                EXPECT_NE(choice.objection, "") << tuning.error().sentence;
            }
            continue;
        }
        std::optional<Time> shortest; // of what fits into a chip's memory
        Bytes least = tuning->ranked.front().step.memory.bytes();
        for (const Candidate& candidate : tuning->ranked) {
            ++candidates;
            const Algorithm& algorithm = **meshslice::algorithm(candidate.step.algorithm);
            const Torus torus = *torus_of(applied(scenario, candidate), algorithm);
            Time sum;
            for (const GemmResult& result : candidate.step.gemms) {
                const std::vector<Tried> tried = try_all(algorithm, result.gemm, torus, scenario);
                const Tried* best = best_of(tried);
                ASSERT_TRUE(best);
                const std::string where = fmt::format(
                    "round {}: {} {} {} {}", round, candidate.step.algorithm, mesh_text(candidate.step.torus),
                    name(result.gemm.dataflow), text(result.gemm.shape));
                sum += result.estimate.total * result.gemm.copies;
                if (scenario.assume.schedule.prefetch.depth > 0 && takes(algorithm, OptionId::packets)) {
                    // Waves of streams are followed of the best packets without them only.
                    const auto same = std::ranges::find(tried, result.options, &Tried::options);
                    ASSERT_NE(same, tried.end()) << where;
                    EXPECT_EQ(result.estimate.total, same->time) << where;
                    EXPECT_LE(in_seconds(same->time), 1.02 * in_seconds(best->time)) << where;
                    continue;
                }
                EXPECT_EQ(result.estimate.total, best->time) << where;
                EXPECT_EQ(result.options.slices, best->options.slices) << where;
                EXPECT_EQ(result.options.packets, best->options.packets) << where;
                EXPECT_EQ(result.options.decomposed, best->options.decomposed) << where;
            }
            EXPECT_EQ(candidate.step.time, sum);
            least = std::min(least, candidate.step.memory.bytes());
            if (candidate.step.memory.bytes() <= scenario.hardware.hbm.value) {
                shortest = std::min(shortest.value_or(sum), sum);
            }
        }
        if (shortest) {
            EXPECT_EQ(tuning->ranked.front().step.time, *shortest);
        } else {
            EXPECT_EQ(tuning->ranked.front().step.memory.bytes(), least);
        }
        // And what is refused does not run.
        for (const Refusal& refusal : tuning->refused) {
            Scenario there = scenario;
            there.plan.algorithm = refusal.algorithm;
            if (!refusal.mesh.empty()) {
                there.mesh = refusal.mesh;
                EXPECT_FALSE(training_step(there, refusal.algorithm, Depth::estimate)) << refusal.sentence;
            }
        }
    }
    EXPECT_GT(candidates, 300);
}

/// The paper (section 5.2, Figure 13): of all meshes of 256 chips MeshSlice's best for GPT-3 is 32x8; and its
/// estimate is what a training step of that scenario estimates.
TEST(Autotune, FindsThePapersMesh) {
    const Scenario scenario = default_scenario();
    const auto tuning = autotune(scenario, {.algorithms = {"meshslice"}});
    ASSERT_TRUE(tuning);
    ASSERT_EQ(tuning->ranked.size(), 9u); // 256 = 2^8: nine ways to arrange them.
    const Candidate& best = tuning->ranked.front();
    EXPECT_EQ(best.step.mesh, (std::vector<std::int32_t>{32, 8}));
    const auto step = training_step(applied(scenario, best), "meshslice", Depth::estimate);
    EXPECT_EQ(best.step.time, step->estimated);
    EXPECT_DOUBLE_EQ(best.step.utilization, step->estimated_utilization);
    for (std::size_t k = 0; k < step->gemms.size(); ++k) {
        EXPECT_EQ(best.step.gemms[k].options.slices, step->gemms[k].options.slices);
        EXPECT_EQ(best.step.gemms[k].estimate.compute, step->gemms[k].estimate.compute);
        EXPECT_EQ(best.step.gemms[k].memory.buffers, step->gemms[k].count->buffers_per_chip);
        EXPECT_EQ(best.step.gemms[k].memory.shards(), step->gemms[k].count->shards_per_chip);
        Time communication;
        for (const LinkTime& part : best.step.gemms[k].estimate.links) {
            communication += part.total();
        }
        EXPECT_EQ(communication, step->gemms[k].estimate.communication());
    }
}

/// GPT-3 on 256 chips in bf16 with Adam, by hand, with C columns. A block has (3 + 1 + 4 + 4) x 12288^2
/// parameters in GEMMs, 96 blocks 173 946 175 488; a chip has 1/256 of them, in 1 358 954 496 B, and 1/C of
/// the biases and norms, 96 x (4 + 1 + 1 + 4) x 12288 x 2 B / C. The embedding, one matrix for input and
/// output, has 50257 x 12288 = 617 558 016 parameters, a chip 2 412 336 of them. Gradients are as large as
/// weights, Adam's state six times. Kept are 38 B for each of 262144 tokens and 12288 features and 4 B for
/// each token and head, over 256 chips: 478 543 872 B a block.
TEST(Autotune, CountsTheMemoryOfTrainingGpt3) {
    const auto tuning = autotune(default_scenario(), {.algorithms = {"meshslice"}});
    ASSERT_TRUE(tuning);
    int counted = 0;
    for (const Candidate& candidate : tuning->ranked) {
        const std::int32_t columns = candidate.step.mesh[1];
        if (columns > 96) {
            continue; // Some chips share a head.
        }
        ++counted;
        const MemoryUse& memory = candidate.step.memory;
        const double weights = 1'358'954'496 + 96.0 * 10 * 12'288 * 2 / columns;
        EXPECT_EQ(memory.weights, weights);
        EXPECT_EQ(memory.embeddings, 4'824'672);
        EXPECT_EQ(memory.gradients, weights + 4'824'672);
        EXPECT_EQ(memory.optimizer, 6 * (weights + 4'824'672));
        EXPECT_EQ(memory.activations, 96.0 * 478'543'872);
        EXPECT_EQ(candidate.step.capacity, Bytes(32'000'000'000));
    }
    EXPECT_GT(counted, 3);
}

TEST(Autotune, WhatDoesNotFitComesLastHoweverFast) {
    Scenario scenario = default_scenario();
    // Room for the 56.87 GB of GPT-3's own and small buffers only: some meshes fit, others do not.
    scenario.hardware.hbm.value = Bytes(56'874'038'016 + 600'000'000);
    const auto tuning = autotune(scenario, {.algorithms = {"meshslice", "collective"}});
    ASSERT_TRUE(tuning) << tuning.error().sentence;
    const auto fits = [](const Candidate& one) { return one.step.fits(); };
    const auto first_misfit = std::ranges::find_if_not(tuning->ranked, fits);
    ASSERT_NE(first_misfit, tuning->ranked.begin());
    ASSERT_NE(first_misfit, tuning->ranked.end());
    EXPECT_TRUE(std::none_of(first_misfit, tuning->ranked.end(), fits));
    EXPECT_TRUE(std::is_sorted(tuning->ranked.begin(), first_misfit,
                               [](const auto& a, const auto& b) { return a.step.time < b.step.time; }));
    EXPECT_TRUE(std::is_sorted(first_misfit, tuning->ranked.end(), [](const auto& a, const auto& b) {
        return a.step.memory.bytes() < b.step.memory.bytes();
    }));
    EXPECT_THAT(reason(*tuning, *first_misfit), testing::StartsWith("does not fit: "));
    EXPECT_THAT(finding(*tuning), testing::StartsWith("Best: "));
}

TEST(Autotune, AnswersTheSameWhateverTheThreads) {
    const Tuning alone = autotune(default_scenario(), {}, {}, 1).value();
    const Tuning together = autotune(default_scenario(), {}, {}, 5).value();
    ASSERT_EQ(alone.ranked.size(), together.ranked.size());
    for (std::size_t k = 0; k < alone.ranked.size(); ++k) {
        EXPECT_EQ(alone.ranked[k].step.algorithm, together.ranked[k].step.algorithm);
        EXPECT_EQ(alone.ranked[k].step.mesh, together.ranked[k].step.mesh);
        EXPECT_EQ(alone.ranked[k].step.time, together.ranked[k].step.time);
    }
    EXPECT_EQ(alone.refused, together.refused);
}

/// 56.9 GB and buffers do not fit into 56: the answer says so and names what needs least.
TEST(Autotune, WhereNothingFitsItShowsWhatNeedsLeast) {
    Scenario scenario = default_scenario();
    scenario.hardware.hbm.value = Bytes(56'000'000'000);
    const auto nothing = autotune(scenario, {});
    ASSERT_TRUE(nothing) << nothing.error().sentence;
    const Candidate& first = nothing->ranked.front();
    for (const Candidate& one : nothing->ranked) {
        EXPECT_FALSE(one.step.fits());
        EXPECT_GE(one.step.memory.bytes(), first.step.memory.bytes());
    }
    EXPECT_THAT(finding(*nothing),
                testing::StartsWith("Nothing fits into the memory of a chip. " + first.title));
    EXPECT_THAT(finding(*nothing), HasSubstr("needs the least: "));
    EXPECT_THAT(reason(*nothing, first), testing::StartsWith("does not fit: "));
}

/// Every loser has a reason, and of Cannon on a mesh that is not square the engine's own sentence.
TEST(Autotune, SaysWhyEachIsBehind) {
    Scenario scenario = default_scenario();
    scenario.hardware.hbm.value = Bytes(1'000'000'000'000); // everything fits
    const auto tuning = autotune(scenario, {});
    ASSERT_TRUE(tuning);
    EXPECT_EQ(reason(*tuning, tuning->ranked.front()), "");
    for (std::size_t k = 1; k < tuning->ranked.size(); ++k) {
        EXPECT_NE(reason(*tuning, tuning->ranked[k]), "") << k;
    }
    const auto cannon =
        std::ranges::find_if(tuning->refused, [](const Refusal& one) { return one.algorithm == "cannon"; });
    ASSERT_NE(cannon, tuning->refused.end());
    EXPECT_THAT(cannon->sentence, HasSubstr("not square"));
    const auto of = [&](const char* algorithm, std::vector<std::int32_t> mesh) {
        const auto found = std::ranges::find_if(tuning->ranked, [&](const Candidate& one) {
            return one.step.algorithm == algorithm && one.step.mesh == mesh;
        });
        return reason(*tuning, *found);
    };
    // Collective moves as much as MeshSlice and hides none of it; on one row of chips everything goes along
    // it.
    EXPECT_THAT(of("collective", {32, 8}), HasSubstr(" of waiting (the best: "));
    EXPECT_THAT(of("meshslice", {1, 256}),
                testing::MatchesRegex(".* of waiting .the best: .*, mostly on its horizontal links"));
}

/// The sentence would be refuted by the opposite experiment: of the links of all axes, those that it names
/// save most if they are twice as fast. Where an axis only has more to transfer, which others hide, it is not
/// named.
TEST(Autotune, NamesTheLinksThatACandidateWaitsFor) {
    int named = 0;
    for (const auto& [hardware, model, chips] : {std::tuple{"tpu-v5p", "llama-3-70b", 64},
                                                 {"tpu-v4-paper", "gpt3-175b", 256},
                                                 {"tpu-v5e", "llama-3-8b", 16}}) {
        Scenario scenario = default_scenario();
        scenario.hardware = *machine_preset(hardware);
        scenario.model = *model_preset(model);
        scenario.batch = 64;
        scenario.mesh = {chips, 1};
        const auto tuning = autotune(scenario, {});
        ASSERT_TRUE(tuning) << tuning.error().sentence;
        for (const Candidate& one : tuning->ranked) {
            const std::string words = reason(*tuning, one);
            const auto step = training_step(applied(scenario, one), one.step.algorithm, Depth::estimate);
            ASSERT_TRUE(step) << step.error().sentence;
            const auto saves = [&](Part part) {
                return step->bottleneck.saves[static_cast<std::size_t>(part)];
            };
            for (const auto& [links, part] : {std::pair{"its vertical links", Part::vertical_links},
                                              {"its horizontal links", Part::horizontal_links}}) {
                if (words.find(links) == std::string::npos) {
                    continue;
                }
                ++named;
                EXPECT_GE(saves(part) + 0.01,
                          std::max(saves(Part::vertical_links), saves(Part::horizontal_links)))
                    << one.title << " " << one.step.mesh[0] << ": " << words;
            }
        }
    }
    EXPECT_GT(named, 10);
}

TEST(Autotune, SimulationOfTheBestKeepsTheirOrderOrSaysSo) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.mesh = {4, 4};
    auto tuning = autotune(scenario, {});
    ASSERT_TRUE(tuning);
    const auto simulated = simulate_best(*tuning, scenario, 4);
    ASSERT_TRUE(simulated) << simulated.error().sentence;
    const std::string words = simulation_note(*tuning, scenario, 4);
    bool ordered = true;
    for (std::size_t k = 0; k < 4; ++k) {
        ASSERT_TRUE(tuning->ranked[k].simulated);
        ordered = ordered && (k == 0 || *tuning->ranked[k - 1].simulated <= *tuning->ranked[k].simulated ||
                              tuning->ranked[k - 1].step.time == tuning->ranked[k].step.time);
    }
    EXPECT_EQ(words.empty(), ordered) << words;
    EXPECT_FALSE(tuning->ranked[4].simulated);
}

/// SUMMA of GPT-3 on 4x64, in 2048 packets a panel, sends more of them than are kept in memory: that is said,
/// and the rest goes on.
TEST(Autotune, WhatCannotBeSimulatedIsSaid) {
    Scenario scenario = default_scenario();
    scenario.plan.packets = 2048;
    scenario.hardware = *machine_preset("tpu-v4-cloud");
    auto tuning =
        autotune(scenario, {.algorithms = {"collective", "summa"}, .mesh = std::vector<std::int32_t>{4, 64}});
    ASSERT_TRUE(tuning);
    ASSERT_EQ(tuning->ranked.size(), 2u);
    const auto simulated = simulate_best(*tuning, scenario, 2);
    ASSERT_TRUE(simulated) << simulated.error().sentence;
    const std::string words = simulation_note(*tuning, scenario, 2);
    EXPECT_THAT(words, HasSubstr("SUMMA on 4x64 could not be simulated: "));
    for (const Candidate& one : tuning->ranked) {
        EXPECT_EQ(one.simulated.has_value(), one.step.algorithm == "collective");
        EXPECT_EQ(one.not_simulated.empty(), one.step.algorithm == "collective");
    }
}

/// A core at half its speed, named on the mesh 4x2: there MeshSlice is simulated with it and takes longer
/// than on a healthy machine; on 8x1, which has no chip 3,1, and on 2x4 it is simulated as healthy. All on
/// one mesh have the faults; late synchronization is not of a place, so all have it.
TEST(Autotune, SimulatesTheFaultsWhereTheyAre) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    scenario.mesh = {4, 2};
    scenario.assume.faults.parts = {{{.chip = {3, 1}, .is_core = true}, 0.5}};
    auto tuning = autotune(scenario, {.algorithms = {"meshslice"}});
    ASSERT_TRUE(tuning) << tuning.error().sentence;
    ASSERT_EQ(tuning->ranked.size(), 4u); // 8x1, 4x2, 2x4, 1x8
    const auto simulated = simulate_best(*tuning, scenario, 4);
    ASSERT_TRUE(simulated) << simulated.error().sentence;
    const std::string words = simulation_note(*tuning, scenario, 4);
    for (const Candidate& one : tuning->ranked) {
        const bool there = one.step.mesh == scenario.mesh;
        Scenario healthy = applied(scenario, one);
        healthy.assume.faults = {};
        const Time time = training_step(healthy, "meshslice", Depth::simulate)->time;
        EXPECT_EQ(one.simulated_with_faults, there) << mesh_text(one.step.torus);
        if (there) {
            EXPECT_EQ(*one.simulated, training_step(scenario, "meshslice", Depth::simulate)->time);
            EXPECT_GT(*one.simulated, time);
        } else {
            EXPECT_EQ(*one.simulated, time) << mesh_text(one.step.torus);
        }
    }
    EXPECT_THAT(words, HasSubstr("On 4x2, MeshSlice is simulated with the faults; on other meshes"));

    auto alone = autotune(scenario, {.algorithms = {"meshslice"}, .mesh = scenario.mesh});
    ASSERT_TRUE(simulate_best(*alone, scenario, 1));
    EXPECT_EQ(simulation_note(*alone, scenario, 1), "Simulated with the faults of 4x2.");
    auto elsewhere = autotune(scenario, {.algorithms = {"meshslice"}});
    std::erase_if(elsewhere->ranked, [&](const Candidate& one) { return one.step.mesh == scenario.mesh; });
    ASSERT_TRUE(simulate_best(*elsewhere, scenario, 1));
    EXPECT_THAT(simulation_note(*elsewhere, scenario, 1), HasSubstr("Simulated without the faults: "));

    scenario.assume.faults = {.parts = {}, .jitter = seconds(5e-6)};
    auto late = autotune(scenario, {.algorithms = {"meshslice"}});
    ASSERT_TRUE(simulate_best(*late, scenario, 1));
    const Candidate& first = late->ranked.front();
    EXPECT_EQ(*first.simulated, training_step(applied(scenario, first), "meshslice", Depth::simulate)->time);
    EXPECT_FALSE(first.simulated_with_faults);
}

/// One chip sends nothing, and where launches cost nothing all seven algorithms that need no third axis are
/// one multiplication: the first of them, and how many are as fast.
TEST(Autotune, SaysHowManyAreAsFast) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("tpu-v4");
    scenario.gemm = SingleGemm{{512, 1024, 2048}, Dataflow::OS};
    scenario.mesh = {1, 1};
    const auto tuning = autotune(scenario, {});
    ASSERT_TRUE(tuning);
    ASSERT_EQ(tuning->ranked.size(), 7u);
    EXPECT_THAT(finding(*tuning), testing::StartsWith("Best: Cannon 1x1: "));
    EXPECT_THAT(finding(*tuning), testing::EndsWith("GB; 6 others are as fast"));
    EXPECT_EQ(mesh_text(tuning->ranked.back().step.torus), "one chip"); // FSDP's ring
    const auto first = autotune(scenario, {.algorithms = {"cannon"}});
    EXPECT_THAT(finding(*first), testing::EndsWith(" of 32.0\u2009GB"));
}

/// FSDP and 1D tensor parallelism have a rule of their own for what stays; Collective has none.
TEST(Autotune, TheFirstWithOpenDataflowsHasNoRuleOfItsOwn) {
    const auto tuning = autotune(default_scenario(), {.algorithms = {"fsdp", "1d-tp", "collective"}});
    ASSERT_TRUE(tuning);
    const Candidate* open = first_with_open_dataflows(*tuning);
    ASSERT_TRUE(open);
    EXPECT_EQ(open->step.algorithm, "collective");
    const auto before = std::ranges::find(tuning->ranked, "collective",
                                          [](const Candidate& one) { return one.step.algorithm; });
    EXPECT_EQ(open, &*before); // The fastest of its meshes.
    EXPECT_FALSE(first_with_open_dataflows(*autotune(default_scenario(), {.algorithms = {"fsdp"}})));
}

TEST(Autotune, RefusesWhatItDoesNotKnow) {
    EXPECT_THAT(autotune(default_scenario(), {.algorithms = {"magic"}}).error().sentence,
                HasSubstr("no algorithm \"magic\""));
    const auto crooked = autotune(default_scenario(), {.mesh = std::vector<std::int32_t>{7, 13}});
    ASSERT_FALSE(crooked);
    EXPECT_FALSE(crooked.error().sentence.empty());
    std::stop_source source;
    source.request_stop();
    const auto stopped = autotune(default_scenario(), {}, {source.get_token(), nullptr});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice
