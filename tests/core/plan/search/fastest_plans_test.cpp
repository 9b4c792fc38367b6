#include "core/plan/search/fastest_plans.h"
#include "tests/core/plan/plan_spaces.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshslice::test {
namespace {

/// The first plan of what a search of all plans has found, of those with at most so much memory.
std::optional<RankedPlan> first_within(double capacity, const PlanModel& model, const PlanSpace& space) {
    const Result<PlanSearch> all = search_plans(model, space, 0);
    for (const RankedPlan& one : all ? all->frontier : std::vector<RankedPlan>()) {
        if (one.reading.fits && one.reading.memory.total() <= capacity) {
            return one;
        }
    }
    return std::nullopt;
}

/// One model is asked for all numbers of chips, so that later ones meet what earlier ones left.
void expect_the_frontiers_first(const PlanModel& model, PlanSpace space,
                                const std::vector<std::int64_t>& chips) {
    FastestPlans fastest(model);
    const std::vector<double> capacities = {model.capacity() / 4, model.capacity()};
    for (const std::int64_t count : chips) {
        space.chips = count;
        const auto found = fastest.within(capacities, space).value();
        ASSERT_EQ(found.size(), 2u);
        EXPECT_EQ(found[0], first_within(capacities[0], model, space)) << count;
        EXPECT_EQ(found[1], first_within(capacities[1], model, space)) << count;
    }
}

TEST(FastestPlans, AreTheFirstOfAFullSearch) {
    for (const ModelRules rules :
         {ModelRules::exact, ModelRules::reference, ModelRules::exact.with(Slip::free_panels)}) {
        for (const TensorStrategy strategy :
             {TensorStrategy::one_d, TensorStrategy::two_d, TensorStrategy::summa}) {
            const PlanModel model = model_of("gpt3-175b", "b200-nvs8", 16, rules);
            expect_the_frontiers_first(model, space_of(1, {strategy}), {16, 48});
        }
    }
}

TEST(FastestPlans, AreTheFirstOfAllStrategiesAndChoices) {
    PlanSpace space = space_of(1, {TensorStrategy::one_d, TensorStrategy::two_d, TensorStrategy::summa});
    space.choices = plan_choices({}).value();
    space.contexts = {ContextExchange::gather, ContextExchange::ring, ContextExchange::all_to_all};
    expect_the_frontiers_first(model_of("llama-3-8b", "h100-nvs8", 8, ModelRules::exact), space, {8, 16});
    space.choices.schedules.push_back({PipelineKind::zero_bubble, 1});
    space.choices.schedules.push_back({PipelineKind::gpipe, 1});
    space.fixed.experts = 0; // any
    space.tensor_overlap = true;
    expect_the_frontiers_first(model_of("mixtral-8x7b", "h100-nvs8", 8, ModelRules::exact), space, {16});
}

/// The ends of a pipeline, and stages with a layer less, can make up for some of a layer's time.
TEST(FastestPlans, CountWhatRunsCount) {
    TrainingRun run = run_of("llama-3-8b", 32);
    run.ends = run.optimizer_step = run.uneven_stages = true;
    const PlanModel model = PlanModel::of(run, *machine_preset("h100-nvs8"), ModelRules::exact).value();
    PlanSpace space = space_of(1, {TensorStrategy::one_d});
    space.choices = plan_choices({}).value();
    expect_the_frontiers_first(model, space, {8, 24});
}

/// Models of two machines that share what a chip does.
TEST(FastestPlans, AreTheSameWhereMachinesShareBlocks) {
    const auto blocks = std::make_shared<ChipBlocks>();
    for (const char* on : {"b200-nvs8", "a100-nvs4"}) {
        const PlanModel alone = model_of("gpt3-175b", on, 16, ModelRules::exact);
        const PlanModel sharing =
            PlanModel::of(alone.run(), alone.hardware(), ModelRules::exact, {}, blocks).value();
        const PlanSpace space = space_of(64, {TensorStrategy::summa});
        EXPECT_EQ(FastestPlans(sharing).within({sharing.capacity()}, space).value().front(),
                  first_within(alone.capacity(), alone, space));
    }
}

TEST(FastestPlans, AreNoneWhereNoneFitsOrTheSpaceIsEmpty) {
    const PlanModel model = model_of("gpt3-1t", "b200-nvs8", 64, ModelRules::exact);
    FastestPlans fastest(model);
    EXPECT_EQ(fastest.within({model.capacity()}, space_of(8, {TensorStrategy::one_d})).value().front(),
              std::nullopt);
    EXPECT_EQ(fastest.within({model.capacity()}, space_of(1009, {TensorStrategy::one_d})).value().front(),
              std::nullopt);
    PlanSpace fixed = space_of(512, {TensorStrategy::one_d});
    fixed.fixed.pipeline = 3;
    EXPECT_EQ(fastest.within({model.capacity()}, fixed).value().front(), std::nullopt);
}

TEST(FastestPlans, Stop) {
    const PlanModel model = model_of("gpt3-1t", "b200-nvs8", 64, ModelRules::exact);
    std::stop_source stop;
    stop.request_stop();
    const auto found = FastestPlans(model).within({model.capacity()}, space_of(512, {TensorStrategy::one_d}),
                                                  {stop.get_token(), nullptr});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, Error::Kind::cancelled);
}

} // namespace
} // namespace meshslice::test
