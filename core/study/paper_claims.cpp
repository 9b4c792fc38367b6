#include "core/study/paper_claims.h"

#include "core/study/paper_setup.h"
#include "core/study/product_shapes.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::int32_t cluster = 256;
constexpr std::int32_t small_cluster = 16;

/// Sums of ratios of times over the products of Figure 11.
struct Ratios {
    double over_collective = 0;
    double over_wang = 0;
    double count = 0;
};

void add(Ratios& ratios, const std::map<std::string, EstimatedStep>& steps) {
    const EstimatedStep& meshslice = steps.at("meshslice");
    for (const std::size_t k : distinct_products(meshslice)) {
        const double own = in_seconds(meshslice.products[k].time());
        ratios.over_collective += in_seconds(steps.at("collective").products[k].time()) / own;
        ratios.over_wang += in_seconds(steps.at("wang").products[k].time()) / own;
        ratios.count += 1;
    }
}

class Outcomes {
  public:
    void add(const std::string& id, double ours) {
        const std::vector<Claim>& claims = meshslice_paper().claims;
        const auto claim = std::ranges::find(claims, id, &Claim::id);
        all.push_back({id, claim == claims.end() ? std::nullopt : std::optional(claim->value), ours});
    }

    std::vector<ClaimOutcome> all;
};

/// Both 2D baselines that the paper's numbers are about, or why one of them does not run.
Result<std::map<std::string, EstimatedStep>> with_baselines(const Scenario& scenario) {
    auto steps = compared(scenario, cluster, {"collective", "wang"});
    if (steps && steps->size() < 3) {
        return refuse(fmt::format("{} does not run on {} chips with Collective and Wang.",
                                  scenario.model.title, cluster));
    }
    return steps;
}

} // namespace

Result<std::vector<ClaimOutcome>> paper_claims(const Hardware& hardware) {
    const StudyInputs inputs = paper_inputs(hardware);
    Outcomes outcomes;
    Ratios ratios;
    for (const Transformer& model : inputs.models) {
        const std::string name = claim_name(model);
        const Scenario weak = paper_scenario(model, batch(BatchRule::weak, cluster), hardware);
        if (const auto valid = checked(weak); !valid) {
            return refuse(valid.error());
        }
        const auto steps = with_baselines(weak);
        if (!steps) {
            return refuse(steps.error());
        }
        Scenario y_stationary = weak;
        y_stationary.stationary = Stationary::Y;
        const auto unoptimised = on_best_mesh(y_stationary, "meshslice", cluster);
        const auto small =
            on_best_mesh(paper_scenario(model, batch(BatchRule::weak, small_cluster), hardware), "meshslice",
                         small_cluster);
        if (!unoptimised || !small) {
            return refuse(!unoptimised ? unoptimised.error() : small.error());
        }
        const EstimatedStep& best = steps->at("meshslice");
        outcomes.add(fmt::format("table2-{}-optimised", name), best.utilisation);
        outcomes.add(fmt::format("table2-{}-ystn", name), unoptimised->utilisation);
        outcomes.add(fmt::format("fig9-{}-over-wang", name),
                     best.utilisation / steps->at("wang").utilisation);
        outcomes.add(fmt::format("scaling-loss-{}", name), 1 - best.utilisation / small->utilisation);
        add(ratios, *steps);
    }
    outcomes.add("fig11-over-collective", ratios.over_collective / ratios.count);
    outcomes.add("fig11-over-wang", ratios.over_wang / ratios.count);
    for (const Transformer& model : inputs.models) {
        const auto steps = with_baselines(paper_scenario(model, batch(BatchRule::strong, cluster), hardware));
        if (!steps) {
            return refuse(steps.error());
        }
        for (const char* id : {"meshslice", "collective", "wang"}) {
            outcomes.add(fmt::format("strong-{}-{}", claim_name(model), id), steps->at(id).utilisation);
        }
    }
    return outcomes.all;
}

} // namespace meshslice
