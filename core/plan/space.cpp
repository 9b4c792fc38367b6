#include "core/plan/space.h"

#include "core/base/listing.h"
#include "core/base/say.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace meshslice {
namespace {

constexpr std::int64_t least_width = 128; ///< columns or rows of a part: what a matrix unit is filled with
constexpr std::int64_t least_panel = 512; ///< of the summed dimension

std::vector<std::int64_t> divisors_up_to(std::int64_t value, std::int64_t most) {
    std::vector<std::int64_t> all = divisors(value);
    all.erase(std::ranges::upper_bound(all, most), all.end());
    return all;
}

bool grid_divides(const TrainingRun& run, TensorGrid grid, TensorStrategy strategy) {
    const Transformer& model = run.model;
    const bool summa = strategy == TensorStrategy::summa;
    return model.feed_forward % grid.tensor1 == 0 &&
           run.sequence % (summa ? grid.tensor2 : grid.tensor1 * grid.tensor2) == 0 &&
           (!summa || (model.hidden % grid.tensor2 == 0 && model.feed_forward % grid.tensor2 == 0)) &&
           (model.kv_heads % grid.tensor1 == 0 || grid.tensor1 % model.kv_heads == 0);
}

/// The smallest data-parallel size that grids and pipeline depths leave.
std::int64_t least_data_size(const PlanModel& model, const PlanSpace& space) {
    std::int64_t least = space.chips;
    for (const TensorStrategy strategy : space.strategies) {
        for (const TensorGrid grid : tensor_grids(model.run(), space.chips, strategy, model.rules())) {
            const std::int64_t rest = space.chips / grid.tensor1 / grid.tensor2;
            least = std::min(least, rest / std::gcd(rest, model.run().model.layers));
        }
    }
    return least;
}

} // namespace

std::vector<TensorGrid> tensor_grids(const TrainingRun& run, std::int64_t chips, TensorStrategy strategy,
                                     ModelRules rules) {
    const Transformer& model = run.model;
    std::vector<TensorGrid> grids;
    for (const std::int64_t m1 : divisors(chips)) {
        const std::int64_t width = strategy == TensorStrategy::one_d ? 3 * model.hidden : model.hidden;
        if (model.heads % m1 != 0 || model.hidden % m1 != 0 || width / m1 < std::min(least_width, width)) {
            continue;
        }
        for (const std::int64_t m2 :
             strategy == TensorStrategy::one_d ? std::vector<std::int64_t>{1} : divisors(chips / m1)) {
            const bool wide =
                strategy == TensorStrategy::one_d || run.sequence / m2 >= std::min(least_width, run.sequence);
            if (wide && (strategy != TensorStrategy::summa || model.hidden % m2 == 0) &&
                (rules.has(Slip::rounding_down) || grid_divides(run, {m1, m2}, strategy))) {
                grids.push_back({m1, m2});
            }
        }
    }
    return grids;
}

std::vector<std::int64_t> panel_counts(const TrainingRun& run, TensorGrid grid, TensorStrategy strategy,
                                       ModelRules rules) {
    if (strategy != TensorStrategy::summa) {
        return {1};
    }
    const std::int64_t e = run.model.hidden, f = run.model.feed_forward;
    std::vector<std::int64_t> counts;
    if (!rules.has(Slip::panel_list)) {
        // A panel belongs to one row and one column of the grid, and is a part of both summed dimensions.
        const std::int64_t least = std::lcm(grid.tensor1, grid.tensor2);
        for (std::int64_t count = least; count <= e; count *= 2) {
            if (e % count == 0 && f % count == 0 && (count == least || e / count >= least_panel)) {
                counts.push_back(count);
            }
        }
        return counts;
    }
    const std::int64_t least = std::max(grid.tensor1, grid.tensor2);
    if (e / least < least_panel) {
        return {least};
    }
    const double doublings = std::log2(static_cast<double>(e / least));
    std::int64_t count = least;
    for (int k = 0; k < doublings; ++k, count *= 2) {
        if (e % count == 0 && e / count >= least_panel) {
            counts.push_back(count);
        }
    }
    return counts;
}

std::vector<Placement> placements(const Plan& plan, std::int64_t domain, std::int64_t chips,
                                  ModelRules rules) {
    if (chips <= domain) {
        return {{plan.tensor1, plan.tensor2, plan.data, plan.pipeline}};
    }
    const bool full = rules.has(Slip::full_domains);
    const auto parts = [&](std::int64_t group, std::int64_t room) {
        return full ? divisors(std::gcd(group, room)) : divisors_up_to(group, room);
    };
    std::vector<Placement> all;
    for (const std::int64_t t1 : parts(plan.tensor1, domain)) {
        const std::int64_t after_t1 = domain / t1;
        for (const std::int64_t t2 : parts(plan.tensor2, after_t1)) {
            const std::int64_t after_t2 = after_t1 / t2;
            for (const std::int64_t td : parts(plan.data, after_t2)) {
                const std::int64_t left = after_t2 / td;
                if (!full) {
                    for (const std::int64_t tp : divisors_up_to(plan.pipeline, left)) {
                        all.push_back({t1, t2, td, tp});
                    }
                } else if (plan.pipeline % left == 0) {
                    all.push_back({t1, t2, td, left});
                }
            }
        }
    }
    return all;
}

std::string why_none(const PlanModel& model, const PlanSpace& space, const SpaceCounts& counts) {
    const TrainingRun& run = model.run();
    const Transformer& transformer = run.model;
    const auto first = std::ranges::find(counts, 0);
    switch (static_cast<SpaceRule>(first - counts.begin())) {
    case SpaceRule::grid:
        return say("No tensor-parallel grid divides {} heads and a hidden width of {} on {} chips.",
                   transformer.heads, transformer.hidden, space.chips);
    case SpaceRule::pipeline:
        return say("No pipeline depth divides {} layers and what a tensor-parallel group leaves of {} chips.",
                   transformer.layers, space.chips);
    case SpaceRule::batch:
        return say(
            "No plan on {} chips has a data-parallel size that divides the batch of {}; with a batch that is "
            "a multiple of {} there is one.",
            space.chips, run.batch, least_data_size(model, space));
    case SpaceRule::micro_batch:
        return say("No micro-batch divides a data-parallel copy's part of the batch of {}.", run.batch);
    case SpaceRule::schedule:
        return say(
            "No plan has as many layers and micro-batches as the schedule {} takes; 1f1b takes any number.",
            text(space.common.schedule));
    case SpaceRule::panels:
        return say("No panel count divides the hidden width of {} by both sides of a SUMMA grid.",
                   transformer.hidden);
    default:
        return say(
            "No placement fills fast domains of {} chips exactly on {} chips, as the published rules ask; "
            "the exact rules need not.",
            model.domain(), space.chips);
    }
}

namespace space_detail {

std::vector<Outer> outers(const TrainingRun& run, const PlanSpace& space, std::int64_t tensor,
                          SpaceCounts& counts) {
    const std::int64_t rest = space.chips / tensor;
    std::vector<Outer> all;
    for (const std::int64_t pipeline : divisors(std::min(rest, run.model.layers))) {
        if (rest % pipeline != 0 || run.model.layers % pipeline != 0) {
            continue;
        }
        ++counts[static_cast<std::size_t>(SpaceRule::pipeline)];
        const std::int64_t data = rest / pipeline;
        if (data <= run.batch && run.batch % data == 0) {
            ++counts[static_cast<std::size_t>(SpaceRule::batch)];
            all.push_back({pipeline, data, run.batch / data});
        }
    }
    return all;
}

std::vector<std::int64_t> micro_batches(const TrainingRun& run, const std::vector<Outer>& all,
                                        TensorStrategy strategy, TensorGrid grid) {
    std::int64_t most = 0;
    for (const Outer& outer : all) {
        most = std::max(most, outer.per_copy);
    }
    const std::int64_t by = strategy == TensorStrategy::one_d   ? grid.tensor1
                            : strategy == TensorStrategy::two_d ? grid.tensor1 * grid.tensor2
                                                                : grid.tensor2;
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : divisors(run.batch)) {
        const bool taken =
            size <= most && (size * run.sequence) % by == 0 &&
            std::ranges::any_of(all, [&](const Outer& outer) { return outer.per_copy % size == 0; });
        if (taken) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

bool schedule_takes(const TrainingRun& run, const Plan& plan) {
    if (plan.schedule.kind != PipelineKind::interleaved) {
        return true;
    }
    return plan.pipeline > 1 && run.model.layers / plan.pipeline % plan.schedule.chunks == 0 &&
           run.batch / plan.data / plan.micro_batch % plan.pipeline == 0;
}

std::vector<TensorGrid> near_grids(TensorGrid grid, std::int64_t domain, std::int64_t chips) {
    if (chips <= domain) {
        return {grid};
    }
    std::vector<TensorGrid> all;
    for (const std::int64_t t1 : divisors_up_to(grid.tensor1, domain)) {
        for (const std::int64_t t2 : divisors_up_to(grid.tensor2, domain / t1)) {
            all.push_back({t1, t2});
        }
    }
    return all;
}

std::vector<std::vector<Placement>> by_tensor_part(const std::vector<Placement>& all,
                                                   const std::vector<TensorGrid>& parts) {
    std::vector<std::vector<Placement>> made(parts.size());
    for (const Placement& one : all) {
        const auto part = std::ranges::find(parts, TensorGrid{one.tensor1, one.tensor2});
        made[static_cast<std::size_t>(part - parts.begin())].push_back(one);
    }
    return made;
}

} // namespace space_detail
} // namespace meshslice
