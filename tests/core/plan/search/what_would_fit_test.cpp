#include "core/machine/catalogue.h"
#include "tests/core/plan/plan_spaces.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice::test {
namespace {

using testing::HasSubstr;

TEST(PlanSearch, SaysWhatWouldFit) {
    const PlanModel model = model_of("gpt3-1t", "b200-nvs8", 4096, ModelRules::exact);
    const PlanSpace space = space_of(32, {TensorStrategy::one_d});
    EXPECT_EQ(search_plans(model, space, 1)->feasible, 0);
    EXPECT_THAT(what_would_fit(model, space), testing::Contains(HasSubstr("chips")));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THAT(what_would_fit(model, space, stop.get_token()), testing::IsEmpty());
}

/// Every number of chips in between is asked.
TEST(PlanSearch, SaysTheSmallestNumberOfChipsThatWouldFit) {
    const PlanModel model = model_of("gpt3-175b", "a100-nvs8", 96, ModelRules::exact);
    const PlanSpace space = space_of(12, {TensorStrategy::one_d});
    std::int64_t least = 13;
    for (;; ++least) {
        const auto found = search_plans(model, space_of(least, {TensorStrategy::one_d}), 0);
        if (found && found->feasible > 0) {
            break;
        }
    }
    EXPECT_LT(least, 96); // or doubling alone could have found it
    const auto ways = what_would_fit(model, space);
    ASSERT_EQ(ways.size(), 1u);
    EXPECT_THAT(ways.front(), HasSubstr(fmt::format("{} chips", least)));
}

/// Each number of chips that a sentence suggests is one on which the same search finds a plan that fits; on a
/// torus with each algorithm (Cannon's grids are square) and each generation's pods. And soon: a large model
/// on few chips of a torus has many numbers to be asked about.
TEST(PlanSearch, WhatIsSuggestedWorks) {
    int suggested = 0;
    for (const char* on : {"tpu-v5p", "tpu-v5e", "h100-nvs8"}) {
        for (const char* which : {"gpt3-175b", "llama-3-8b"}) {
            const TrainingRun run = training_run(*model_preset(which), 2048, 48).value();
            const PlanModel model = PlanModel::of(run, *machine_preset(on), ModelRules::exact).value();
            for (const char* strategy : {"1d", "cannon", "meshslice", "2d"}) {
                PlanSpace space = space_of(2, {});
                if (!set_strategies(space, strategy, model.torus())) {
                    continue; // none of its
                }
                space.choices = plan_choices({}).value();
                const auto found = search_plans(model, space, 0);
                if (!found || found->feasible > 0) {
                    continue;
                }
                for (const std::string& way : what_would_fit(model, space)) {
                    ASSERT_THAT(way, HasSubstr(" chips (")) << way;
                    PlanSpace other = space;
                    other.chips = std::stoll(way);
                    const auto then = search_plans(model, other, 1);
                    ASSERT_TRUE(then) << on << strategy << way;
                    EXPECT_GT(then->feasible, 0) << on << strategy << way;
                    EXPECT_TRUE(model.check(then->ranked.front().plan)) << on << strategy << way;
                    ++suggested;
                    // No number below it: it is the smallest.
                    for (other.chips = 3;
                         std::string_view(strategy) == "1d" && other.chips < std::min(std::stoll(way), 64LL);
                         ++other.chips) {
                        const auto fewer = search_plans(model, other, 0);
                        ASSERT_FALSE(fewer && fewer->feasible > 0) << on << strategy << other.chips;
                    }
                }
            }
        }
    }
    EXPECT_GT(suggested, 5);
}

/// A batch that leaves no plan names one that leaves some.
TEST(PlanSearch, ASuggestedBatchWorks) {
    for (const char* on : {"tpu-v5p", "h100-nvs8"}) {
        for (const std::int64_t chips : {6, 7, 10, 28}) {
            const auto searched = [&](std::int64_t batch) {
                const TrainingRun run = training_run(*model_preset("llama-3-8b"), 2048, batch).value();
                const PlanModel model = PlanModel::of(run, *machine_preset(on), ModelRules::exact).value();
                return search_plans(model, space_of(chips, {TensorStrategy::one_d}), 1);
            };
            const auto refused = searched(1);
            if (refused) {
                continue;
            }
            const std::string& sentence = refused.error().sentence;
            const std::size_t at = sentence.find("a multiple of ");
            ASSERT_NE(at, std::string::npos) << sentence;
            EXPECT_TRUE(searched(std::stoll(sentence.substr(at + 14)))) << on << chips << sentence;
        }
    }
}

TEST(PlanSearch, NoMoreChipsAreProposedThanCanBePlanned) {
    TrainingRun run = run_of("gpt3-1t", 4096);
    Machine tiny = *machine_preset("b200-nvs8");
    tiny.hbm.value = Bytes(1'000);
    const PlanModel model = PlanModel::of(run, tiny, ModelRules::exact).value();
    EXPECT_THAT(what_would_fit(model, space_of(std::int64_t{1} << 22, {TensorStrategy::one_d})),
                testing::IsEmpty());
}

} // namespace
} // namespace meshslice::test
