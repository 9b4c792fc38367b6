#include "core/papers/meshslice/paper_claims.h"

#include "core/papers/meshslice/product_shapes.h"
#include "core/papers/meshslice/setup/paper_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace meshslice {
namespace {

constexpr std::int32_t large_cluster = 256;
constexpr std::int32_t small_cluster = 16;

/// Both 2D baselines that the paper's numbers are about, or why one of them does not run.
Result<std::map<std::string, TrainingStep>> with_baselines(const Scenario& scenario) {
    auto steps = compared(scenario, large_cluster, {"collective", "wang"});
    if (steps && steps->size() < 3) {
        return refuse(fmt::format("{} does not run on {} chips with Collective and Wang.",
                                  scenario.model.title, large_cluster));
    }
    return steps;
}

} // namespace

Result<std::vector<ClaimOutcome>> paper_claims(const Machine& hardware) {
    const StudyInputs inputs = paper_inputs(hardware);
    std::vector<ClaimOutcome> outcomes;
    std::vector<ProductComparison> all_products;
    for (const Transformer& model : inputs.models) {
        const std::string name = claim_name(model);
        const Scenario weak = paper_scenario(model, batch(BatchRule::weak, large_cluster), hardware);
        if (const auto valid = checked(weak); !valid) {
            return refuse(valid.error());
        }
        const auto steps = with_baselines(weak);
        if (!steps) {
            return refuse(steps.error());
        }
        Scenario y_stationary = weak;
        y_stationary.plan.stationary = Stationary::Y;
        const auto unoptimized = on_best_mesh(y_stationary, "meshslice", large_cluster);
        const auto small =
            on_best_mesh(paper_scenario(model, batch(BatchRule::weak, small_cluster), hardware), "meshslice",
                         small_cluster);
        if (!unoptimized || !small) {
            return refuse(!unoptimized ? unoptimized.error() : small.error());
        }
        const TrainingStep& best = steps->at("meshslice");
        outcomes.push_back(
            outcome(fmt::format("table2-{}-optimized", name), best.utilization, Reading::estimated));
        outcomes.push_back(
            outcome(fmt::format("table2-{}-ystn", name), unoptimized->utilization, Reading::estimated));
        outcomes.push_back(outcome(fmt::format("fig9-{}-over-wang", name),
                                   best.utilization / steps->at("wang").utilization, Reading::estimated));
        outcomes.push_back(outcome(fmt::format("scaling-loss-{}", name),
                                   1 - best.utilization / small->utilization, Reading::estimated));
        const auto products = compared_products(weak, large_cluster, {"collective", "wang"});
        if (!products) {
            return refuse(products.error());
        }
        std::ranges::copy(*products, std::back_inserter(all_products));
    }
    outcomes.push_back(
        outcome("fig11-over-collective", mean_speed_up(all_products, "collective"), Reading::estimated));
    outcomes.push_back(outcome("fig11-over-wang", mean_speed_up(all_products, "wang"), Reading::estimated));
    for (const Transformer& model : inputs.models) {
        const auto steps =
            with_baselines(paper_scenario(model, batch(BatchRule::strong, large_cluster), hardware));
        if (!steps) {
            return refuse(steps.error());
        }
        for (const char* id : {"meshslice", "collective", "wang"}) {
            outcomes.push_back(outcome(fmt::format("strong-{}-{}", claim_name(model), id),
                                       steps->at(id).utilization, Reading::estimated));
        }
    }
    return outcomes;
}

} // namespace meshslice
