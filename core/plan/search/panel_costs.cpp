#include "core/plan/search/panel_costs.h"

#include <algorithm>
#include <cstddef>

namespace meshslice {
namespace {

const LayerCost& plain(const PanelCosts::Cost& cost) {
    return cost.layers.of(Recompute::none);
}

bool no_better(const LayerPass& one, const LayerPass& other, bool shared) {
    return other.time() <= one.time() && (!shared || other.tensor <= one.tensor);
}

bool no_better(const PanelCosts::Cost& one, const PanelCosts::Cost& other, bool shared) {
    return no_better(plain(one).forward, plain(other).forward, shared) &&
           no_better(plain(one).backward, plain(other).backward, shared);
}

/// Whether so many seconds more of launches outweigh all that more panels could hide.
bool outweighed(const LayerPass& fewer, double launches) {
    return launches >= fewer.memory + fewer.tensor;
}

} // namespace

const PanelCosts::Cost& PanelCosts::of(const Plan& plan, bool shared) {
    if (plan.micro_batch != micro_batch_) {
        micro_batch_ = plan.micro_batch;
        readers_.clear();
        costs_.clear();
    }
    Costs& costs = costs_[{model_.tensor_part(plan), shared}];
    if (costs.empty()) {
        read(plan, shared, costs);
    }
    return costs.at(plan.panels);
}

void PanelCosts::read(Plan plan, bool shared, Costs& costs) {
    std::vector<std::pair<std::int64_t, Cost*>> all;
    double launch = 0; // of a panel of all operations, in either pass
    for (const std::int64_t count : counts_) {
        plan.panels = count;
        Cost& its = costs[count];
        its.behind = !shared && launch > 0 && std::ranges::any_of(all, [&](const auto& fewer) {
            const double launches = launch * static_cast<double>(count - fewer.first);
            return outweighed(plain(*fewer.second).forward, launches) &&
                   outweighed(plain(*fewer.second).backward, launches);
        });
        its.runs = true;
        if (its.behind) {
            continue;
        }
        LayerCosts& reader = readers_.try_emplace(count, recomputes_).first->second;
        its.runs = reader.read(model_, plan);
        its.layers = reader.all();
        its.refusal = reader.refusal();
        if (its.runs) {
            all.emplace_back(count, &its);
            launch = launch > 0 ? launch : model_.panel_launch(plan);
        }
    }
    // Of equal ones the first stays.
    for (std::size_t k = 0; k < all.size(); ++k) {
        Cost& its = *all[k].second;
        for (std::size_t other = 0; other < all.size() && !its.behind; ++other) {
            const Cost& that = *all[other].second;
            its.behind =
                k != other && no_better(its, that, shared) && (other < k || !no_better(that, its, shared));
        }
    }
}

} // namespace meshslice
