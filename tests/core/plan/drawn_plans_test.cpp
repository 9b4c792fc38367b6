// Estimates of plans that nobody chose, on chips and networks of many speeds, against their simulation.

#include "core/machine/catalogue.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/search/space.h"
#include "core/plan/torus_placement.h"
#include "tests/core/plan/published.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice::test {
namespace {

class PlanDraw {
  public:
    explicit PlanDraw(unsigned seed) : bits_(seed) {}

    template <class Value, std::size_t count>
    Value one_of(const std::array<Value, count>& values) {
        return values[bits_() % count];
    }
    bool coin() { return bits_() % 2 == 0; }
    /// From 1 to 10^-2, every power as often.
    double slower() { return std::pow(10.0, -2.0 * static_cast<double>(bits_() % 1000) / 1000); }

    /// Chips whose networks are up to a hundred times as slow.
    Machine chips() {
        constexpr std::array names = {"a100-nvs4", "h100-nvs8", "b200-nvs8", "tpu-v4", "tpu-v5p"};
        Machine made = *machine_preset(one_of(names));
        const double fast = slower(), slow = slower();
        for (Level& level : made.network.levels) {
            for (TorusLinks& axis : level.axes) {
                axis.bandwidth.value = Bandwidth(axis.bandwidth.value.value() * fast);
            }
            level.bandwidth.value =
                Bandwidth(level.bandwidth.value.value() * (level.units.value > 0 ? fast : slow));
        }
        return made;
    }
    /// Of a model of 32 to 96 layers; where it does not run it is drawn again by the next that asks.
    Plan plan(bool torus) {
        Plan made;
        made.data = one_of(std::array<std::int64_t, 3>{1, 2, 4});
        made.pipeline = one_of(std::array<std::int64_t, 5>{1, 2, 4, 8, 16});
        made.tensor1 = one_of(std::array<std::int64_t, 3>{1, 2, 4});
        if (!torus && coin()) {
            made.strategy = coin() ? TensorStrategy::two_d : TensorStrategy::summa;
            made.tensor2 = 2;
            made.panels = made.strategy == TensorStrategy::summa ? 4 : 1;
        }
        constexpr std::array<PipelineSchedule, 5> schedules = {
            PipelineSchedule{PipelineKind::one_f_one_b, 1}, PipelineSchedule{PipelineKind::gpipe, 1},
            PipelineSchedule{PipelineKind::interleaved, 2}, PipelineSchedule{PipelineKind::interleaved, 2},
            PipelineSchedule{PipelineKind::interleaved, 4}};
        made.schedule = made.pipeline > 1 ? one_of(schedules) : PipelineSchedule{};
        constexpr std::array recomputes = {Recompute::none, Recompute::attention, Recompute::full};
        made.recompute = one_of(recomputes);
        made.zero = one_of(std::array<int, 4>{0, 1, 2, 3});
        made.tensor_overlap = coin();
        made.data_overlap = coin();
        return made;
    }
    /// One of the ways in which its groups can stand; false where there is none.
    bool place(Plan& plan, const PlanModel& model) {
        if (model.torus()) {
            plan.placement = {plan.tensor1, plan.tensor2, plan.data, plan.pipeline};
            const std::vector<TorusAxes> all = torus_placements(plan, model.hardware());
            if (!all.empty()) {
                plan.axes = all[bits_() % all.size()];
            }
            return !all.empty();
        }
        const std::vector<Placed> all = placements(plan, model.units(), plan.chips(), ModelRules::exact);
        all[bits_() % all.size()].put(plan);
        return true;
    }
    std::int64_t groups() { return one_of(std::array<std::int64_t, 4>{1, 2, 4, 8}); }

  private:
    std::mt19937 bits_;
};

struct DrawnPlan {
    PlanModel model;
    Plan plan;
};
std::optional<DrawnPlan> drawn_plan(unsigned seed) {
    PlanDraw draw(seed);
    const Machine chips = draw.chips();
    Plan plan = draw.plan(chips.network.torus_axes() > 0);
    const char* model = draw.one_of(std::array{"gpt3-175b", "llama-3-8b", "llama-3-70b"});
    const std::int64_t batch = plan.data * plan.pipeline * draw.groups();
    PlanModel made =
        PlanModel::of(training_run(*model_preset(model), 2048, batch).value(), chips, ModelRules::exact)
            .value();
    const std::int64_t layers = made.run().model.layers;
    if (layers % plan.pipeline != 0 || layers / plan.pipeline % plan.schedule.chunks != 0 ||
        !draw.place(plan, made) || !made.check(plan)) {
        return std::nullopt;
    }
    return DrawnPlan{std::move(made), plan};
}

struct PlanSpread {
    double least = 0, most = 0, sum = 0;
    int count = 0;
};

/// Which of the closed form's ways a plan goes, and how far off it may be: simulated over estimated - 1.
struct PlanClass {
    std::string name;
    double least, most;
};
PlanClass plan_class_of(const DrawnPlan& drawn) {
    const Plan& plan = drawn.plan;
    const bool exchanges = plan.zero >= 2 && shares_weights(plan);
    const bool interleaved = plan.schedule.kind == PipelineKind::interleaved;
    if (shares_weights(plan) && interleaved) {
        return exchanges ? PlanClass{"interleaved, ZeRO 2 and 3", -0.45, 0.2}
                         : PlanClass{"interleaved, ZeRO 0 and 1", -0.25, 0.02};
    }
    const PlanTransfers moved = drawn.model.transfers(plan, drawn.model.layer(plan));
    if (shares_weights(plan) && plan.data_overlap && moved.shared) {
        return {"data-parallel communication on links of the tensor-parallel group", -0.06, 0.05};
    }
    if (exchanges && plan.data_overlap) {
        return {"ZeRO 2 and 3, overlapped", -0.1, 0.15};
    }
    if (plan.schedule.kind == PipelineKind::one_f_one_b) {
        return {"1F1B", -0.05, 0.05};
    }
    return interleaved ? PlanClass{"interleaved", -0.01, 0.07} : PlanClass{"GPipe", -0.001, 0.001};
}

/// Networks from those of the chips down to a hundredth of them, so that links between stages never rest in
/// many of these plans.
TEST(DrawnPlans, EstimatesFollowTheSimulation) {
    std::map<std::string, PlanSpread> spreads;
    int plans = 0, tori = 0;
    for (unsigned seed = 0; plans < 600 && seed < 6000; ++seed) {
        const std::optional<DrawnPlan> drawn = drawn_plan(seed);
        if (!drawn) {
            continue;
        }
        const auto& [model, plan] = *drawn;
        const Result<PipelineRun> run = simulate_plan(model, plan);
        ASSERT_TRUE(run) << text(plan) << ": " << run.error().sentence;
        const double estimated = model.reading(plan, model.layer(plan)).time.total;
        const double off = in_seconds(run->time()) / estimated - 1;
        const PlanClass of = plan_class_of(*drawn);
        EXPECT_GT(off, of.least) << seed << ": " << text(plan) << ", " << of.name;
        EXPECT_LT(off, of.most) << seed << ": " << text(plan) << ", " << of.name;
        PlanSpread& spread = spreads[of.name];
        spread.least = std::min(spread.least, off);
        spread.most = std::max(spread.most, off);
        spread.sum += std::abs(off);
        ++spread.count;
        ++plans;
        tori += model.torus() ? 1 : 0;
    }
    for (const auto& [name, spread] : spreads) {
        std::printf("%s: %d plans, simulation %+.2f%% to %+.2f%% of the estimate, %.2f%% on average\n",
                    name.c_str(), spread.count, 100 * spread.least, 100 * spread.most,
                    100 * spread.sum / spread.count);
    }
    EXPECT_EQ(plans, 600);
    EXPECT_GT(tori, 100);
    EXPECT_EQ(spreads.size(), 7u);
}

} // namespace
} // namespace meshslice::test
