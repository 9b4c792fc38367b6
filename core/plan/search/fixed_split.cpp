// Whether a search that keeps parts of a split has plans at all, and which parts it could keep.

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/plan/search/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// "16, 20 or 32": two below and one above.
std::string values_near(const std::set<std::int64_t>& numbers, std::int64_t value) {
    constexpr int below = 2;
    std::vector<std::string> words;
    auto at = numbers.lower_bound(value);
    const auto above = at;
    for (int k = 0; k < below && at != numbers.begin(); ++k) {
        --at;
    }
    for (; at != above; ++at) {
        words.push_back(fmt::to_string(*at));
    }
    if (above != numbers.end()) {
        words.push_back(fmt::to_string(*above));
    }
    return listed(words, "or");
}

std::vector<TensorStrategy> strategies_of(const PlanSpace& space) {
    std::vector<TensorStrategy> all = space.strategies;
    if (!space.algorithms.empty()) {
        all.push_back(TensorStrategy::of_algorithm);
    }
    return all;
}

std::vector<TensorGrid> all_grids(const PlanModel& model, const PlanSpace& space) {
    std::vector<TensorGrid> all;
    for (const TensorStrategy strategy : strategies_of(space)) {
        std::ranges::copy(tensor_grids(model.run(), space, strategy, model.rules()), std::back_inserter(all));
    }
    return all;
}

/// Micro-batches, or panels of SUMMA plans, that go with the rest of what is fixed.
std::set<std::int64_t> micro_batches_left(const PlanModel& model, PlanSpace space) {
    space.fixed.micro_batch = 0;
    std::set<std::int64_t> sizes;
    for (const TensorStrategy strategy : strategies_of(space)) {
        for (const TensorGrid grid : tensor_grids(model.run(), space, strategy, model.rules())) {
            SpaceCounts counts{};
            const auto outers = space_detail::outers(model.run(), space, grid.tensor1 * grid.tensor2, counts);
            const auto its = space_detail::micro_batches(model.run(), space, outers, strategy, grid);
            sizes.insert(its.begin(), its.end());
        }
    }
    return sizes;
}
std::set<std::int64_t> panels_left(const PlanModel& model, const PlanSpace& space) {
    std::set<std::int64_t> all;
    for (const TensorGrid grid : tensor_grids(model.run(), space, TensorStrategy::summa, model.rules())) {
        const auto its = panel_counts(model.run(), grid, TensorStrategy::summa, model.rules());
        all.insert(its.begin(), its.end());
    }
    return all;
}

/// Of what stands in the last place.
Result<void> check_fixed_counts(const PlanModel& model, const PlanSpace& space) {
    const FixedSplit& fixed = space.fixed;
    if (fixed.micro_batch != 0) {
        const std::set<std::int64_t> sizes = micro_batches_left(model, space);
        if (!sizes.empty() && !sizes.contains(fixed.micro_batch)) {
            return refuse(say("No plan on {} chips has a micro-batch of {}: it must divide a data-parallel "
                              "copy's part of the batch of {}, as {} does.",
                              space.chips, fixed.micro_batch, model.run().batch,
                              values_near(sizes, fixed.micro_batch)));
        }
    }
    const bool summa = std::ranges::find(space.strategies, TensorStrategy::summa) != space.strategies.end();
    if (fixed.panels != 0 && summa) {
        const std::set<std::int64_t> counts = panels_left(model, space);
        if (!counts.empty() && !counts.contains(fixed.panels)) {
            return refuse(say("No SUMMA grid on {} chips has {} panels; it may have {}.", space.chips,
                              fixed.panels, values_near(counts, fixed.panels)));
        }
    }
    return {};
}

/// Chips that share the experts.
Result<void> check_fixed_experts(const PlanModel& model, const PlanSpace& space) {
    const std::int64_t fixed = space.fixed.experts, experts = common_experts(model.run().model);
    if (fixed <= 1) {
        return {};
    }
    if (experts == 0) {
        return refuse(say("{} has no experts that {} chips could share; an expert-parallel size of 1 works.",
                          model.run().model.title, fixed));
    }
    const std::int64_t common = std::gcd(experts, space.chips);
    if (common % fixed != 0) {
        const std::vector<std::int64_t> all = divisors(common);
        return refuse(say("The expert-parallel size, {}, must divide {} experts and {} chips, as {} does.",
                          fixed, experts, space.chips, values_near({all.begin(), all.end()}, fixed)));
    }
    if (std::ranges::all_of(strategies_of(space), [&](TensorStrategy strategy) {
            return expert_sizes(model.run(), space, strategy).empty();
        })) {
        return refuse(
            said("Expert-parallel groups are planned for the strategies 1d and 2d; with another one "
                 "an expert-parallel size of 1 works."));
    }
    return {};
}

std::string side_text(std::int64_t side) {
    return side == 0 ? std::string("any") : fmt::to_string(side);
}

} // namespace

Result<void> check_fixed(const PlanModel& model, const PlanSpace& space) {
    const TrainingRun& run = model.run();
    const FixedSplit& fixed = space.fixed;
    const auto divides = [&](std::int64_t part, std::int64_t of) {
        return part == 0 || (space.chips % part == 0 && of % part == 0);
    };
    const auto both = [&](std::int64_t of) {
        const std::vector<std::int64_t> common = divisors(std::gcd(space.chips, of));
        return std::set<std::int64_t>(common.begin(), common.end());
    };
    if (fixed.pipeline != 0 && (space.chips % fixed.pipeline != 0 || !takes_stages(run, fixed.pipeline))) {
        const std::vector<std::int64_t> counts = stage_counts(run, space.chips);
        if (run.uneven_stages) {
            const std::string near = values_near({counts.begin(), counts.end()}, fixed.pipeline);
            return refuse(fixed.pipeline > run.model.layers
                              ? say("{} pipeline stages are more than {} layers; those near it are {}.",
                                    fixed.pipeline, run.model.layers, near)
                              : say("{} chips do not divide by {} pipeline stages; those near it are {}.",
                                    space.chips, fixed.pipeline, near));
        }
        return refuse(
            say("The number of pipeline stages, {}, must divide {} layers and {} chips, as {} does.",
                fixed.pipeline, run.model.layers, space.chips,
                values_near(both(run.model.layers), fixed.pipeline)));
    }
    if (!divides(fixed.data, run.batch)) {
        return refuse(say("The data-parallel size, {}, must divide a batch of {} and {} chips, as {} does.",
                          fixed.data, run.batch, space.chips, values_near(both(run.batch), fixed.data)));
    }
    if (const Result<void> sound = check_fixed_experts(model, space); !sound) {
        return sound;
    }
    const std::vector<TensorGrid> grids = all_grids(model, space);
    if (grids.empty()) {
        PlanSpace free = space;
        free.fixed.tensor1 = free.fixed.tensor2 = 0;
        std::set<std::int64_t> first, second;
        for (const TensorGrid grid : all_grids(model, free)) {
            first.insert(grid.tensor1);
            if (fixed.tensor1 == 0 || grid.tensor1 == fixed.tensor1) {
                second.insert(grid.tensor2);
            }
        }
        if (first.empty()) {
            return {}; // whatever is fixed: the search says why
        }
        const std::string grid = fmt::format("{}x{}", side_text(fixed.tensor1), side_text(fixed.tensor2));
        return refuse(second.empty()
                          ? say("A tensor-parallel grid of {} is not possible for {} on {} chips; a first "
                                "side of {} works.",
                                grid, run.model.title, space.chips, values_near(first, fixed.tensor1))
                          : say("A tensor-parallel grid of {} is not possible for {} on {} chips; a second "
                                "side of {} works.",
                                grid, run.model.title, space.chips, values_near(second, fixed.tensor2)));
    }
    std::set<std::int64_t> data, pipeline; // that go with the rest of what is fixed
    if (fixed.shard > 0 && fixed.experts > 1 && fixed.shard % fixed.experts != 0) {
        return refuse(say("Groups of {} chips that share weights do not divide by {} that share experts; a "
                          "multiple of {} works.",
                          fixed.shard, fixed.experts, fixed.experts));
    }
    bool shares_experts = false, shares_in_groups = fixed.shard == 0;
    for (const TensorGrid grid : grids) {
        const std::int64_t rest = space.chips / grid.tensor1 / grid.tensor2;
        for (const std::int64_t stages : stage_counts(run, rest)) {
            const std::int64_t copies = rest / stages;
            if (run.batch % copies != 0) {
                continue;
            }
            if (copies % std::max<std::int64_t>(1, fixed.experts) == 0) {
                shares_experts = true;
            } else {
                continue;
            }
            shares_in_groups = shares_in_groups || copies * grid.tensor2 % fixed.shard == 0;
            if (fixed.pipeline == 0 || stages == fixed.pipeline) {
                data.insert(copies);
            }
            if (fixed.data == 0 || copies == fixed.data) {
                pipeline.insert(stages);
            }
        }
    }
    if (fixed.experts > 1 && !shares_experts) {
        return refuse(
            say("No plan on {} chips with a batch of {} has a data-parallel size that divides by the "
                "expert-parallel size, {}.",
                space.chips, run.batch, fixed.experts));
    }
    if (!shares_in_groups) {
        return refuse(say("No plan on {} chips with a batch of {} has chips with the same weights that are "
                          "groups of {}; expected a divisor of the data-parallel size.",
                          space.chips, run.batch, fixed.shard));
    }
    if (fixed.data != 0 && !data.empty() && !data.contains(fixed.data)) {
        return refuse(say("No plan on {} chips has a data-parallel size of {} with the other sizes that are "
                          "fixed; it may be {}.",
                          space.chips, fixed.data, values_near(data, fixed.data)));
    }
    if (fixed.pipeline != 0 && !pipeline.empty() && !pipeline.contains(fixed.pipeline)) {
        std::int64_t copies = 0; // the fewest that this depth leaves
        for (const TensorGrid grid : grids) {
            const std::int64_t rest = space.chips / grid.tensor1 / grid.tensor2;
            if (rest % fixed.pipeline == 0 && (copies == 0 || rest / fixed.pipeline < copies)) {
                copies = rest / fixed.pipeline;
            }
        }
        if (copies > 1 && fixed.data == 0) {
            return refuse(
                say("With {} pipeline stages there are {} data-parallel copies, by which the batch of {} "
                    "does not divide; with a batch of {} there is a plan, or with {} stages.",
                    fixed.pipeline, copies, run.batch, copies * ((run.batch + copies - 1) / copies),
                    values_near(pipeline, fixed.pipeline)));
        }
        return refuse(
            say("No plan on {} chips has a pipeline of {} stages with the other sizes that are fixed; "
                "it may have {}.",
                space.chips, fixed.pipeline, values_near(pipeline, fixed.pipeline)));
    }
    return check_fixed_counts(model, space);
}

} // namespace meshslice
