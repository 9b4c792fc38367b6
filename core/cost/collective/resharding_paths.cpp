#include "core/cost/collective/resharding_paths.h"

#include <queue>

#include <algorithm>
#include <cassert>
#include <tuple>

namespace meshslice {
namespace {

/// Seconds, steps, bytes: what paths are compared by, in this order.
using PathCost = std::tuple<double, int, double>;

PathCost plus(const PathCost& cost, double seconds, double received) {
    return {std::get<0>(cost) + seconds, std::get<1>(cost) + 1, std::get<2>(cost) + received};
}

bool moves_only(const ShardingStep& step, const AxisList& moved) {
    return std::ranges::all_of(
        step.axes, [&](std::size_t axis) { return std::ranges::find(moved, axis) != moved.end(); });
}

/// Where an axis stands: in which dimension and at which place of it; partial sums and copies after all.
std::pair<std::size_t, std::size_t> place_in(const ShardedArray& array, std::size_t axis) {
    for (std::size_t k = 0; k < array.dimensions.size(); ++k) {
        const AxisList& axes = array.dimensions[k].axes;
        if (const auto found = std::ranges::find(axes, axis); found != axes.end()) {
            return {k, static_cast<std::size_t>(found - axes.begin())};
        }
    }
    const bool sums = std::ranges::find(array.unreduced, axis) != array.unreduced.end();
    return {array.dimensions.size(), sums ? 1 : 0};
}

} // namespace

ReshardingCosts::ReshardingCosts(const NamedMesh& mesh, const DimensionSizes& sizes, std::int64_t bits,
                                 const std::vector<MeshLinks>& links, double hop)
    : mesh_(mesh)
    , sizes_(sizes)
    , bytes_an_element_(static_cast<double>(bits) / 8)
    , links_(links)
    , hop_(hop) {}

bool ReshardingCosts::divides(const ShardedArray& array) const {
    return std::ranges::all_of(array.dimensions, [&](const ArrayDimension& dimension) {
        std::int64_t parts = 1;
        for (const std::size_t axis : dimension.axes) {
            parts *= mesh_.axes[axis].size;
        }
        return sizes_.at(dimension.letter) % parts == 0;
    });
}

double ReshardingCosts::held(const ShardedArray& array) const {
    double bytes = bytes_an_element_;
    for (const ArrayDimension& dimension : array.dimensions) {
        bytes *= static_cast<double>(sizes_.at(dimension.letter));
        for (const std::size_t axis : dimension.axes) {
            bytes /= static_cast<double>(mesh_.axes[axis].size);
        }
    }
    return bytes;
}

double ReshardingCosts::chips_of(const ShardingStep& step) const {
    double chips = 1;
    for (const std::size_t axis : step.axes) {
        chips *= static_cast<double>(mesh_.axes[axis].size);
    }
    return chips;
}

double ReshardingCosts::whole(const ShardingStep& step, const ShardedArray& before) const {
    const bool blocks = step.sends == Collective::all_gather || step.sends == Collective::all_to_all;
    return held(before) * (blocks ? chips_of(step) : 1);
}

double ReshardingCosts::received(const ShardingStep& step, const ShardedArray& before) const {
    const double chips = chips_of(step);
    const double others = (chips - 1) / chips;
    if (!step.sends) {
        return 0;
    }
    return *step.sends == Collective::all_to_all   ? held(before) * others
           : *step.sends == Collective::all_reduce ? 2 * whole(step, before) * others
                                                   : whole(step, before) * others;
}

std::vector<ExchangeAxis> ReshardingCosts::axes_of(const ShardingStep& step) const {
    std::vector<ExchangeAxis> axes;
    for (const std::size_t axis : step.axes) {
        if (mesh_.axes[axis].size > 1) {
            axes.push_back(links_[axis].along);
        }
    }
    return axes;
}

std::optional<ExchangeBound> ReshardingCosts::exchange(const ShardingStep& step,
                                                       const ShardedArray& before) const {
    const std::vector<ExchangeAxis> axes = axes_of(step);
    if (!step.sends || axes.empty()) {
        return std::nullopt;
    }
    return exchange_bound(*step.sends, whole(step, before), axes, hop_);
}

double ReshardingCosts::seconds(const ShardingStep& step, const ShardedArray& before) const {
    const std::vector<ExchangeAxis> axes = axes_of(step);
    if (!step.sends || axes.empty()) {
        return 0;
    }
    const auto [known, fresh] = known_.try_emplace({*step.sends, step.axes});
    if (fresh) { // the time is linear in the bytes, and its words take long
        const ExchangeBound one = exchange_bound(*step.sends, 1, axes, hop_);
        known->second = {one.latency, one.bandwidth};
    }
    return std::max(known->second.first, known->second.second * whole(step, before));
}

bool ReshardingPaths::ByText::operator()(const ShardedArray& left, const ShardedArray& right) const {
    for (std::size_t k = 0; k < left.dimensions.size(); ++k) {
        if (left.dimensions[k].axes != right.dimensions[k].axes) {
            return left.dimensions[k].axes < right.dimensions[k].axes;
        }
    }
    return left.unreduced < right.unreduced;
}

ReshardingPaths::ReshardingPaths(const ShardedArray& from, Operand which, const ReshardingCosts& costs,
                                 const AxisList& moved) {
    struct Waiting {
        PathCost cost;
        ShardedArray state;
        std::optional<Edge> by;
    };
    const auto later = [](const Waiting& one, const Waiting& other) { return one.cost > other.cost; };
    std::priority_queue<Waiting, std::vector<Waiting>, decltype(later)> waiting(later);
    waiting.push({{0, 0, 0}, from, std::nullopt});
    while (!waiting.empty()) {
        const Waiting next = waiting.top();
        waiting.pop();
        if (!reached_.try_emplace(next.state, next.by).second) {
            continue;
        }
        for (ShardingStep& step : steps_from(next.state, which, costs.mesh())) {
            if (!moves_only(step, moved) || !costs.divides(step.after) || reached_.contains(step.after)) {
                continue;
            }
            const double seconds = costs.seconds(step, next.state);
            const double received = costs.received(step, next.state);
            ShardedArray after = step.after;
            waiting.push({plus(next.cost, seconds, received), std::move(after),
                          Edge{std::move(step), next.state, seconds, received}});
        }
    }
}

std::optional<std::vector<ShardingStep>> ReshardingPaths::to(const ShardedArray& state) const {
    auto at = reached_.find(state);
    if (at == reached_.end()) {
        return std::nullopt;
    }
    std::vector<ShardingStep> steps;
    for (; at->second; at = reached_.find(at->second->before)) {
        steps.push_back(at->second->step);
    }
    std::ranges::reverse(steps);
    return steps;
}

ReshardingPathsTo::ReshardingPathsTo(const ShardedArray& to, Operand which, const ReshardingCosts& costs,
                                     const AxisList& moved) {
    using Edge = ReshardingPaths::Edge;
    std::map<ShardedArray, std::vector<Edge>, ReshardingPaths::ByText> arriving;
    for (const ShardedArray& state : all_states(to, costs.mesh())) {
        if (!costs.divides(state)) {
            continue;
        }
        for (ShardingStep& step : steps_from(state, which, costs.mesh())) {
            if (moves_only(step, moved) && costs.divides(step.after)) {
                const double seconds = costs.seconds(step, state);
                const double received = costs.received(step, state);
                std::vector<Edge>& there = arriving[step.after];
                there.push_back({std::move(step), state, seconds, received});
            }
        }
    }
    struct Waiting {
        PathCost cost;
        ShardedArray state;
        std::optional<Edge> on;
    };
    const auto later = [](const Waiting& one, const Waiting& other) { return one.cost > other.cost; };
    std::priority_queue<Waiting, std::vector<Waiting>, decltype(later)> waiting(later);
    waiting.push({{0, 0, 0}, to, std::nullopt});
    while (!waiting.empty()) {
        const Waiting next = waiting.top();
        waiting.pop();
        if (!leads_on_.try_emplace(next.state, next.on).second) {
            continue;
        }
        for (const Edge& edge : arriving[next.state]) {
            if (!leads_on_.contains(edge.before)) {
                waiting.push({plus(next.cost, edge.seconds, edge.received), edge.before, edge});
            }
        }
    }
}

std::optional<std::vector<ShardingStep>> ReshardingPathsTo::from(const ShardedArray& state) const {
    auto at = leads_on_.find(state);
    if (at == leads_on_.end()) {
        return std::nullopt;
    }
    std::vector<ShardingStep> steps;
    for (; at->second; at = leads_on_.find(at->second->step.after)) {
        steps.push_back(at->second->step);
    }
    return steps;
}

AxisList moved_axes(const ShardedArray& from, const ShardedArray& to, const NamedMesh& mesh) {
    AxisList moved;
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        if (place_in(from, axis) != place_in(to, axis)) {
            moved.push_back(axis);
        }
    }
    return moved;
}

} // namespace meshslice
