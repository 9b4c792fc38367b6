#include "core/plan/search/advice/batch_that_fills.h"

namespace meshslice {
namespace {

constexpr std::int64_t most_times = 4096;
constexpr double worth_saying = 1.25; ///< times the utilization of now
constexpr double close_enough = 0.9;  ///< of the utilization of the largest batch

} // namespace

std::optional<LargerBatch> batch_that_fills(const PlanModel& model, const Plan& plan) {
    const LayerCost layer = model.layer(plan); // the micro-batch stays, and so does its cost
    const PlanReading now = model.reading(plan, layer);
    const auto utilization = [&](std::int64_t times) {
        TrainingRun run = model.run();
        run.batch *= times;
        const Result<PlanModel> other = PlanModel::of(run, model.hardware(), model.rules());
        return other ? other->reading(plan, layer).utilization : 0;
    };
    const double most = utilization(most_times);
    if (most < worth_saying * now.utilization || !now.fits) {
        return std::nullopt;
    }
    const auto batch = static_cast<double>(model.run().batch);
    LargerBatch found;
    found.utilization_now = now.utilization;
    found.bubble = now.time.bubble / now.time.total;
    found.chips_of_a_sample = static_cast<double>(plan.chips()) / batch;
    for (std::int64_t times = 2; times <= most_times; times *= 2) {
        found.batch = model.run().batch * times;
        found.utilization = utilization(times);
        if (found.utilization >= close_enough * most) {
            break;
        }
    }
    return found;
}

} // namespace meshslice
