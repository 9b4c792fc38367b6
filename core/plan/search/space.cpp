#include "core/plan/search/space.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"
#include "core/plan/occupied.h"
#include "core/plan/torus_placement.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace meshslice {
namespace {

constexpr std::int64_t least_width = 128; ///< columns or rows of a part: what a matrix unit is filled with
constexpr std::int64_t least_panel = 512; ///< of the summed dimension, where panels are free

std::vector<std::int64_t> divisors_up_to(std::int64_t value, std::int64_t most) {
    std::vector<std::int64_t> all = divisors(value);
    all.erase(std::ranges::upper_bound(all, most), all.end());
    return all;
}

/// How the two sides of the grid may stand in the units of each level: the chips of both in one.
using GridParts = std::vector<std::vector<TensorGrid>>;

void add_grids(TensorGrid grid, const std::vector<std::int64_t>& units, std::int64_t chips,
               std::vector<TensorGrid>& made, GridParts& all) {
    if (made.size() == units.size()) {
        all.push_back(made);
        return;
    }
    const std::int64_t unit = units[made.size()];
    const TensorGrid within = made.empty() ? TensorGrid{} : made.back();
    const auto add = [&](TensorGrid next) {
        made.push_back(next);
        add_grids(grid, units, chips, made, all);
        made.pop_back();
    };
    if (chips <= unit) {
        add(grid);
        return;
    }
    for (const std::int64_t t1 : divisors_up_to(grid.tensor1, unit)) {
        for (const std::int64_t t2 : divisors_up_to(grid.tensor2, unit / t1)) {
            if (t1 % within.tensor1 == 0 && t2 % within.tensor2 == 0) {
                add({t1, t2});
            }
        }
    }
}

/// How many of `experts` chips may stand in one unit of each level; as grids of one side, behind each of
/// `all`.
void add_expert_parts(std::int64_t experts, const std::vector<std::int64_t>& units, GridParts& all) {
    GridParts chains = {{}};
    for (const std::int64_t unit : units) {
        GridParts longer;
        for (const std::vector<TensorGrid>& chain : chains) {
            for (const std::int64_t chips : divisors_up_to(experts, unit)) {
                if (chain.empty() || chips % chain.back().tensor1 == 0) {
                    longer.push_back(chain);
                    longer.back().push_back({chips, 1});
                }
            }
        }
        chains = std::move(longer);
    }
    GridParts made;
    for (const std::vector<TensorGrid>& part : all) {
        for (const std::vector<TensorGrid>& chain : chains) {
            made.push_back(part);
            made.back().insert(made.back().end(), chain.begin(), chain.end());
        }
    }
    all = std::move(made);
}

bool grid_divides(const TrainingRun& run, TensorGrid grid, TensorStrategy strategy) {
    const Transformer& model = run.model;
    const bool algorithm = strategy == TensorStrategy::of_algorithm;
    const bool summa = strategy == TensorStrategy::summa || algorithm;
    return (!algorithm || model.kv_heads % grid.tensor1 == 0) && model.feed_forward % grid.tensor1 == 0 &&
           run.sequence % (summa ? grid.tensor2 : grid.tensor1 * grid.tensor2) == 0 &&
           (!summa || (model.hidden % grid.tensor2 == 0 && model.feed_forward % grid.tensor2 == 0)) &&
           (model.kv_heads % grid.tensor1 == 0 || grid.tensor1 % model.kv_heads == 0);
}

/// Whether a group that is named, and need not share evenly, has a part for each chip.
bool grid_leaves_some(const TrainingRun& run, TensorGrid grid) {
    const Transformer& model = run.model;
    return model.heads >= grid.tensor1 && model.feed_forward >= grid.tensor1 &&
           run.sequence >= grid.tensor1 * grid.tensor2 &&
           (model.kv_heads % grid.tensor1 == 0 || grid.tensor1 % model.kv_heads == 0 ||
            model.kv_heads == model.heads);
}

/// The smallest data-parallel size that grids and pipeline depths leave.
std::int64_t least_data_size(const PlanModel& model, const PlanSpace& space) {
    std::int64_t least = space.chips;
    std::vector<TensorStrategy> strategies = space.strategies;
    if (!space.algorithms.empty()) {
        strategies.push_back(TensorStrategy::of_algorithm);
    }
    for (const TensorStrategy strategy : strategies) {
        for (const TensorGrid grid : tensor_grids(model.run(), space, strategy, model.rules())) {
            const std::int64_t rest = space.chips / grid.tensor1 / grid.tensor2;
            least = std::min(least, rest / stage_counts(model.run(), rest).back());
        }
    }
    return least;
}

} // namespace

std::vector<std::int64_t> stage_counts(const TrainingRun& run, std::int64_t chips) {
    std::vector<std::int64_t> counts = divisors(chips);
    std::erase_if(counts, [&](std::int64_t stages) { return !takes_stages(run, stages); });
    return counts;
}

std::vector<std::int64_t> expert_sizes(const TrainingRun& run, const PlanSpace& space,
                                       TensorStrategy strategy) {
    const bool both = strategy == TensorStrategy::summa || strategy == TensorStrategy::of_algorithm;
    const std::int64_t fixed = space.fixed.experts;
    if (fixed != 0) {
        return both && fixed > 1 ? std::vector<std::int64_t>() : std::vector{fixed};
    }
    std::vector<std::int64_t> sizes = {1};
    const std::int64_t experts = common_experts(run.model);
    const std::int64_t most = both || experts == 0 ? 1 : std::gcd(experts, space.chips);
    for (std::int64_t size = 2; most % size == 0; size *= 2) {
        sizes.push_back(size);
    }
    return sizes;
}

std::vector<ContextExchange> contexts_of(const TrainingRun& run, const PlanSpace& space, TensorGrid grid,
                                         TensorStrategy strategy) {
    if (strategy != TensorStrategy::two_d || grid.tensor2 == 1) {
        return {ContextExchange::gather};
    }
    std::vector<ContextExchange> all = space.contexts;
    std::erase_if(all, [&](ContextExchange one) {
        return one == ContextExchange::all_to_all && !takes_all_to_all(run, grid.tensor1, grid.tensor2);
    });
    return all;
}

std::vector<const Algorithm*> tensor_algorithms() {
    std::vector<const Algorithm*> all;
    for (const Algorithm& one : algorithms()) {
        if (one.torus_axes == 2) {
            all.push_back(&one);
        }
    }
    return all;
}

Result<void> set_strategies(PlanSpace& space, std::string_view words, bool torus) {
    std::vector<std::string> names;
    space.strategies.clear();
    space.algorithms.clear();
    const auto add = [&](TensorStrategy strategy) {
        names.emplace_back(name(strategy));
        if (words == "all" || words == name(strategy)) {
            space.strategies.push_back(strategy);
        }
    };
    for (const TensorStrategy one : all_tensor_strategies) {
        if (!torus || one == TensorStrategy::one_d) {
            add(one);
        }
    }
    for (const Algorithm* one : torus ? tensor_algorithms() : std::vector<const Algorithm*>()) {
        names.emplace_back(one->id);
        if (words == "all" || words == one->id) {
            space.algorithms.push_back(one);
        }
    }
    if (space.strategies.empty() && space.algorithms.empty()) {
        names.emplace_back("all");
        return refuse(torus ? say("The strategy is \"{}\"; expected {} on a torus.", shortened(words),
                                  listed(names, "or"))
                            : say("The strategy is \"{}\"; expected {} in fast domains.", shortened(words),
                                  listed(names, "or")));
    }
    return {};
}

std::vector<TensorGrid> tensor_grids(const TrainingRun& run, const PlanSpace& space, TensorStrategy strategy,
                                     ModelRules rules) {
    const Transformer& model = run.model;
    const FixedSplit& fixed = space.fixed;
    const bool both = strategy == TensorStrategy::summa || strategy == TensorStrategy::of_algorithm;
    const bool uneven = fixed.tensor1 != 0 && !both && !rules.has(Slip::rounding_down);
    std::vector<TensorGrid> grids;
    for (const std::int64_t m1 : divisors(space.chips)) {
        const std::int64_t width = strategy == TensorStrategy::one_d ? 3 * model.hidden : model.hidden;
        const bool even = model.heads % m1 == 0 && model.hidden % m1 == 0;
        if ((!even && !uneven) || width / m1 < std::min(least_width, width) ||
            (fixed.tensor1 != 0 && m1 != fixed.tensor1)) {
            continue;
        }
        for (const std::int64_t m2 :
             strategy == TensorStrategy::one_d ? std::vector<std::int64_t>{1} : divisors(space.chips / m1)) {
            const bool wide =
                strategy == TensorStrategy::one_d || run.sequence / m2 >= std::min(least_width, run.sequence);
            const TensorGrid grid{m1, m2};
            if (wide && (fixed.tensor2 == 0 || m2 == fixed.tensor2) && (!both || model.hidden % m2 == 0) &&
                (rules.has(Slip::rounding_down) || grid_divides(run, grid, strategy) ||
                 (uneven && grid_leaves_some(run, grid)))) {
                grids.push_back(grid);
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
        const bool free = rules.has(Slip::free_panels);
        for (const std::int64_t count : divisors(std::gcd(e, f))) {
            const bool doubled =
                count % least == 0 && std::has_single_bit(static_cast<std::uint64_t>(count / least));
            if (count % least == 0 && (!free || count == least || (doubled && e / count >= least_panel))) {
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

std::vector<std::int64_t> panels_of(const TrainingRun& run, const PlanSpace& space, TensorGrid grid,
                                    TensorStrategy strategy, ModelRules rules) {
    std::vector<std::int64_t> counts = panel_counts(run, grid, strategy, rules);
    if (space.fixed.panels != 0 && strategy == TensorStrategy::summa) {
        std::erase_if(counts, [&](std::int64_t count) { return count != space.fixed.panels; });
    }
    return counts;
}

namespace {

/// How groups may stand in one unit of a level.
std::vector<Placement> placements_in(const Plan& plan, std::int64_t unit, std::int64_t chips,
                                     ModelRules rules) {
    if (chips <= unit) {
        return {{plan.tensor1, plan.tensor2, plan.data, plan.pipeline}};
    }
    const bool full = rules.has(Slip::full_domains);
    const auto parts = [&](std::int64_t group, std::int64_t room) {
        return full ? divisors(std::gcd(group, room)) : divisors_up_to(group, room);
    };
    std::vector<Placement> all;
    for (const std::int64_t t1 : parts(plan.tensor1, unit)) {
        const std::int64_t after_t1 = unit / t1;
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

bool stands_within(const Placement& inner, const Placement& outer) {
    return outer.tensor1 % inner.tensor1 == 0 && outer.tensor2 % inner.tensor2 == 0 &&
           outer.data % inner.data == 0 && outer.pipeline % inner.pipeline == 0;
}

} // namespace

std::vector<Placed> placements(const Plan& plan, const std::vector<std::int64_t>& units, std::int64_t chips,
                               ModelRules rules) {
    std::vector<Placed> all;
    for (const Placement& innermost : placements_in(plan, units.empty() ? 1 : units.front(), chips, rules)) {
        all.push_back({innermost});
    }
    for (std::size_t level = 1; level < units.size(); ++level) {
        const std::vector<Placement> here = placements_in(plan, units[level], chips, rules);
        std::vector<Placed> more;
        for (Placed one : all) {
            const Placement within = level == 1 ? one.placement : one.around[level - 2];
            for (const Placement& next : here) {
                if (stands_within(within, next)) {
                    one.around[level - 1] = next;
                    more.push_back(one);
                }
            }
        }
        all = std::move(more);
    }
    if (!rules.has(Slip::full_domains)) {
        std::erase_if(all, [&, its = plan](const Placed& one) mutable {
            one.put(its);
            const std::optional<Occupied> room = occupied(its, units);
            return !room || !room->within;
        });
    }
    return all;
}

namespace {

/// Whether a search with another batch has any.
bool has_a_plan(const PlanModel& model, const PlanSpace& space, std::int64_t batch) {
    TrainingRun run = model.run();
    run.batch = batch;
    const Result<PlanModel> other = PlanModel::of(run, model.hardware(), model.rules());
    bool any = false;
    const auto look = [&](TensorStrategy strategy, const Algorithm* algorithm) {
        for (const TensorGrid grid : tensor_grids(run, space, strategy, model.rules())) {
            Plan plan;
            plan.strategy = strategy;
            plan.algorithm = algorithm;
            plan.tensor1 = grid.tensor1;
            plan.tensor2 = grid.tensor2;
            SpaceCounts counts{};
            any = any || !for_each_placed(*other, space, plan, counts, [&](const Plan& one, const auto&) {
                      return algorithm != nullptr && !other->passes(one, other->block(one));
                  });
        }
    };
    for (const TensorStrategy strategy : other ? space.strategies : std::vector<TensorStrategy>()) {
        look(strategy, nullptr);
    }
    for (const Algorithm* algorithm : other ? space.algorithms : std::vector<const Algorithm*>()) {
        if (!any) {
            look(TensorStrategy::of_algorithm, algorithm);
        }
    }
    return any;
}

} // namespace

std::string why_none(const PlanModel& model, const PlanSpace& space, const SpaceCounts& counts) {
    const TrainingRun& run = model.run();
    const Transformer& transformer = run.model;
    const auto first = std::ranges::find(counts, 0);
    if (const std::int64_t most = model.hardware().pod.chips.value;
        model.torus() && most > 0 && space.chips > most && !joins_tori(model.hardware())) {
        return say("The largest torus of {} has {} chips, and {} were asked for.", model.hardware().title,
                   most, space.chips);
    }
    switch (static_cast<SpaceRule>(first - counts.begin())) {
    case SpaceRule::grid:
        return say("No tensor-parallel grid divides {} heads and a hidden width of {} on {} chips.",
                   transformer.heads, transformer.hidden, space.chips);
    case SpaceRule::pipeline:
        return say("No pipeline depth divides {} layers and what a tensor-parallel group leaves of {} chips.",
                   transformer.layers, space.chips);
    case SpaceRule::batch:
        if (const std::int64_t batch = least_data_size(model, space); has_a_plan(model, space, batch)) {
            return say(
                "No plan on {} chips has a data-parallel size that divides the batch of {}; with a batch "
                "that is a multiple of {} there is one.",
                space.chips, run.batch, batch);
        }
        return say("No plan on {} chips has a data-parallel size that divides the batch of {}.", space.chips,
                   run.batch);
    case SpaceRule::micro_batch:
        return say("No micro-batch divides a data-parallel copy's part of the batch of {}.", run.batch);
    case SpaceRule::schedule:
        return say("No plan has layers and micro-batches that suit the schedule {}; 1f1b takes any number.",
                   schedules_text(space.choices));
    case SpaceRule::panels:
        return say("No panel count divides the hidden width of {} by both sides of a SUMMA grid.",
                   transformer.hidden);
    default:
        if (model.torus()) {
            return say("No torus of {} chips that a pod of {} has holds the groups of any plan.", space.chips,
                       model.hardware().title);
        }
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
    for (const std::int64_t pipeline : stage_counts(run, rest)) {
        const bool other = (space.fixed.pipeline != 0 && pipeline != space.fixed.pipeline) ||
                           (space.fixed.data != 0 && rest / pipeline != space.fixed.data) ||
                           rest / pipeline % std::max<std::int64_t>(1, space.fixed.experts) != 0;
        if (other) {
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

std::vector<Outer> outers_of(const TrainingRun& run, const PlanSpace& space, const Plan& plan,
                             SpaceCounts& counts) {
    std::vector<Outer> all = outers(run, space, plan.tensor1 * plan.tensor2, counts);
    const std::int64_t of_context = plan.strategy == TensorStrategy::two_d ? plan.tensor2 : 1;
    std::erase_if(all, [&](const Outer& outer) {
        return outer.data % plan.experts != 0 ||
               (plan.shard > 0 &&
                (outer.data * of_context % plan.shard != 0 || plan.shard % plan.experts != 0));
    });
    return all;
}

std::vector<std::int64_t> micro_batches(const TrainingRun& run, const PlanSpace& space,
                                        const std::vector<Outer>& all, TensorStrategy strategy,
                                        TensorGrid grid) {
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
            size <= most && (space.fixed.micro_batch == 0 || size == space.fixed.micro_batch) &&
            (size * run.sequence) % by == 0 &&
            std::ranges::any_of(all, [&](const Outer& outer) { return outer.per_copy % size == 0; });
        if (taken) {
            sizes.push_back(size);
        }
    }
    return sizes;
}

std::vector<Placed> grid_placements(const PlanModel& model, const Plan& plan, std::int64_t chips) {
    const std::vector<std::int64_t>& units = model.units();
    GridParts parts;
    std::vector<TensorGrid> part;
    add_grids({plan.tensor1, plan.tensor2}, units.empty() ? std::vector<std::int64_t>{1} : units, chips, part,
              parts);
    std::vector<Placed> made;
    for (const std::vector<TensorGrid>& its : parts) {
        Placed& one = made.emplace_back();
        one.placement = {its.front().tensor1, its.front().tensor2, 1, 1};
        for (std::size_t level = 1; level < its.size(); ++level) {
            one.around[level - 1] = {its[level].tensor1, its[level].tensor2, 1, 1};
        }
    }
    return made;
}

std::vector<std::vector<Placed>> placed_by_tensor_part(const PlanModel& model, const Plan& plan,
                                                       std::int64_t chips) {
    std::vector<std::vector<Placed>> made;
    if (model.torus()) {
        made.resize(4); // a ring or a line, along both sides
        Placed one{{plan.tensor1, plan.tensor2, plan.data, plan.pipeline}, {}, {}};
        Plan of_axes = plan;
        for (const TorusAxes& axes : torus_placements(plan, model.hardware())) {
            of_axes.axes = one.axes = axes;
            one.placement.data = plan.data / of_axes.tori();
            const GridRings rings = grid_rings(of_axes, model.hardware().pod);
            made[(rings.tensor1 ? 0 : 1) + (rings.tensor2 ? 0 : 2)].push_back(one);
        }
        for (std::vector<Placed>& part : made) {
            std::ranges::sort(part, {}, &Placed::axes);
        }
        return made;
    }
    const std::vector<std::int64_t>& units = model.units();
    GridParts parts;
    std::vector<TensorGrid> part;
    const std::vector<std::int64_t> levels = units.empty() ? std::vector<std::int64_t>{1} : units;
    add_grids({plan.tensor1, plan.tensor2}, levels, chips, part, parts);
    if (plan.experts > 1) {
        add_expert_parts(plan.experts, levels, parts);
    }
    made.resize(parts.size());
    for (const Placed& one : placements(plan, units, chips, model.rules())) {
        part = {{one.placement.tensor1, one.placement.tensor2}};
        for (std::size_t level = 1; level < units.size(); ++level) {
            part.push_back({one.around[level - 1].tensor1, one.around[level - 1].tensor2});
        }
        if (plan.experts > 1) {
            Plan there = plan;
            one.put(there);
            const ChipGroup experts = expert_group(there);
            for (std::size_t level = 0; level < levels.size(); ++level) {
                part.push_back({experts.within[level], 1});
            }
        }
        const auto found = std::ranges::find(parts, part);
        made[static_cast<std::size_t>(found - parts.begin())].push_back(one);
    }
    return made;
}

} // namespace space_detail
} // namespace meshslice
