#include "core/question/serve/replica/layout.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/machine/pod.h"
#include "core/question/serve/replica/served_chip.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {
namespace {

constexpr double bytes_between_chips = 2; ///< of an element that chips exchange
constexpr double large_array = 1e15;      ///< bytes, of which launches and latencies are nothing

/// The parts of a group on a torus, by the axes that those across have.
PartedChips parted_by_axes(ChipGroup all, const std::array<bool, 3>& across) {
    PartedChips made{all, all, all};
    made.across.chips = made.rest.chips = 1;
    for (std::size_t axis = 0; axis < all.along.size(); ++axis) {
        (across[axis] ? made.across : made.rest).chips *= all.along[axis].chips;
        (across[axis] ? made.rest : made.across).along[axis] = AlongAxis{};
    }
    for (ChipGroup* part : {&made.across, &made.rest}) {
        part->within.fill(part->chips);
    }
    return made;
}

/// The first axis for those across and the others as close to a square as they divide. None where the pod is
/// smaller.
std::optional<PartedChips> parted_as_asked(const Machine& machine, std::int64_t chips, std::int64_t across) {
    const int axes = machine.network.torus_axes();
    const std::int64_t rest = chips / across;
    std::array<std::int64_t, 3> sides = {across, rest, 1};
    if (axes < 2 || across * rest != chips) {
        return std::nullopt;
    }
    if (axes > 2) {
        for (std::int64_t side = 1; side * side <= rest; ++side) {
            if (rest % side == 0) {
                sides = {across, rest / side, side};
            }
        }
    }
    std::vector<std::int32_t> mesh;
    ChipGroup all = group_of_replica(machine, chips);
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
        all.along[axis] = {static_cast<std::int32_t>(sides[axis]), 1,
                           closes(machine.pod, sides[axis], chips)};
        if (axis < static_cast<std::size_t>(axes)) {
            mesh.push_back(all.along[axis].chips);
        }
    }
    return fits_pod(machine.pod, mesh, machine.title)
               ? std::optional(parted_by_axes(all, {true, false, false}))
               : std::nullopt;
}

/// Behind switches, some within units of a level and the same part of others.
PartedChips parted_by_levels(const Machine& machine, std::int64_t chips, std::int64_t across) {
    PartedChips made{{}, packed_group(machine.network, chips / across), group_of_replica(machine, chips)};
    made.across.chips = across;
    for (std::size_t level = 0; level < made.across.within.size(); ++level) {
        made.across.within[level] =
            std::max<std::int64_t>(made.all.within[level] / made.rest.within[level], 1);
    }
    return made;
}

Machine without_losses(Machine machine) {
    for (Level& level : machine.network.levels) {
        level.efficiency.value = 1;
    }
    return machine;
}

} // namespace

std::optional<PartedChips> parted(const Machine& machine, std::int64_t chips, std::int64_t across) {
    if (across <= 1 || across >= chips || chips % across != 0) {
        return std::nullopt;
    }
    const ChipGroup all = group_of_replica(machine, chips);
    if (machine.network.torus_axes() == 0) {
        const Level* const domain = switched_domain(machine.network);
        if (domain == nullptr || chips > domain->units.value) {
            return std::nullopt;
        }
        return PartedChips{packed_group(machine.network, across),
                           packed_group(machine.network, chips / across), all};
    }
    for (std::size_t axis = 0; axis < all.along.size(); ++axis) {
        if (all.along[axis].chips == across) {
            return parted_by_axes(all, {axis == 0, axis == 1, axis == 2});
        }
    }
    return std::nullopt;
}

Result<LayoutExchanges> LayoutExchanges::of(const Machine& machine, const ServedModel& model,
                                            const ServingLayout& layout, bool ideal) {
    Result<LevelLaws> laws = LevelLaws::of(ideal ? without_losses(machine) : machine, ModelRules::exact);
    if (!laws) {
        return refuse(laws.error());
    }
    LayoutExchanges made(*std::move(laws));
    made.model_ = model.whole;
    made.layout_ = layout;
    made.ideal_ = ideal;
    made.plain_ = group_of_replica(machine, layout.tensor);
    for (const ServedPart& part : model.parts) {
        const double heads = part.products.latent ? 1 : std::max(part.attention.kv_heads, 1.0);
        made.columns_of_keys_ +=
            part.kept / std::min(static_cast<double>(layout.tensor), heads) / model.whole.layers;
    }
    const bool torus = machine.network.torus_axes() > 0;
    const auto place = [&](std::int64_t chips, std::int64_t across) {
        const std::optional<PartedChips> parts = parted(machine, chips, across);
        return parts || !torus ? parts : parted_as_asked(machine, chips, across);
    };
    if (layout.weights_across > 1) {
        if (machine.network.torus_axes() < 2) {
            return refuse(say("Weights in two dimensions lie along two axes of a torus, which {} does not "
                              "have; expected a number of chips, such as {}.",
                              machine.title, layout.tensor));
        }
        if (layout.weights_across < layout.tensor) {
            made.weights_ = place(layout.tensor, layout.weights_across);
        }
        if (!made.weights_) {
            return refuse(say("Weights on {} x {} chips have no place on {}; expected two sides of at least "
                              "2 that its axes hold.",
                              layout.weights_across, layout.tensor / layout.weights_across, machine.title));
        }
    } else if (layout.cache_across > 1) {
        made.cache_ = place(layout.tensor, layout.cache_across);
        if (!made.cache_) {
            return refuse(
                say("{} parts of {} chips have no place on {}; expected a number that divides them, "
                    "within one switch or along the axes of a torus.",
                    layout.cache_across, layout.tensor, machine.title));
        }
    }
    if (layout.context > 1) {
        // One chip of each group: all of them where a group has one.
        const std::int64_t all = layout.chips();
        made.context_ = layout.tensor == 1
                            ? std::optional(PartedChips{group_of_replica(machine, all), {}, {}})
                        : torus ? place(all, layout.context)
                                : std::optional(parted_by_levels(machine, all, layout.context));
        if (!made.context_) {
            return refuse(say("{} groups of {} chips have no place on {}; expected fewer chips.",
                              layout.context, layout.tensor, machine.title));
        }
    }
    return made;
}

std::vector<CollectiveOfGroup> LayoutExchanges::one_dimension(double rows) const {
    const CollectiveOfGroup sum = {Collective::all_reduce, bytes_between_chips * rows * model_.hidden,
                                   plain_};
    return {sum, sum};
}

/// Rows in the model's own dimension are gathered over the rest and scattered there, twice; columns are
/// summed over the chips across, and gathered again where they go into the next product.
std::vector<CollectiveOfGroup> LayoutExchanges::two_dimensions(double rows) const {
    const auto across = static_cast<double>(weights_->across.chips),
               rest = static_cast<double>(weights_->rest.chips);
    const auto bytes = [&](double columns) { return bytes_between_chips * rows * columns; };
    const double width =
        model_.experts > 0 ? (model_.chosen + model_.shared_experts) * model_.expert_width : model_.width;
    const double projected =
        model_.latent ? columns_of_queries() : (model_.heads + 2 * model_.kv_heads) * model_.head_size;
    const CollectiveOfGroup gather = {Collective::all_gather, bytes(model_.hidden) / across, weights_->rest};
    const CollectiveOfGroup scatter = {Collective::reduce_scatter, gather.bytes, weights_->rest};
    const auto sum = [&](double columns) {
        return CollectiveOfGroup{Collective::reduce_scatter, bytes(columns) / rest, weights_->across};
    };
    const auto again = [&](double columns) {
        return CollectiveOfGroup{Collective::all_gather, bytes(columns) / rest, weights_->across};
    };
    return {gather,       sum(projected), again(columns_of_queries()),
            scatter,      gather,         sum(std::max(model_.matrices - 1, 1.0) * width),
            again(width), scatter};
}

std::vector<CollectiveOfGroup> LayoutExchanges::of_weights(double rows) const {
    if (layout_.tensor <= 1) {
        return {};
    }
    if (weights_) { // its sums can be scattered by requests, which needs no all-to-all
        return two_dimensions(rows);
    }
    std::vector<CollectiveOfGroup> made = one_dimension(rows);
    if (model_.parallel && layout_.plain()) {
        made.pop_back();
    }
    if (cache_) {
        const double rest = static_cast<double>(cache_->rest.chips);
        const double projected =
            model_.latent ? columns_of_queries() : (model_.heads + 2 * model_.kv_heads) * model_.head_size;
        const auto to = [&](double columns) {
            return CollectiveOfGroup{Collective::all_to_all, bytes_between_chips * rows * columns / rest,
                                     cache_->across};
        };
        made.insert(made.begin(), {to(projected), to(columns_of_queries())});
    }
    return made;
}

double LayoutExchanges::transfer(const CollectiveOfGroup& one) const {
    return laws_.seconds(one.what, large_array, one.group) * one.bytes / large_array;
}

double LayoutExchanges::seconds(const std::vector<CollectiveOfGroup>& all) const {
    double sum = 0;
    for (const CollectiveOfGroup& one : all) {
        sum += ideal_ ? transfer(one) : laws_.seconds(one.what, one.bytes, one.group);
    }
    return sum;
}

double LayoutExchanges::of_plain(double rows) const {
    const double usual = plain_seconds(rows);
    return (weights_ || cache_) && usual > 0 ? seconds(of_weights(rows)) / usual : 1;
}

std::vector<CollectiveOfGroup> LayoutExchanges::of_prompts(const StepBatch& batch) const {
    if (!context_ || !(batch.prompt_tokens > 0)) {
        return {};
    }
    // A token sees all before it: at the end of its part of a prompt half of the part more than on average.
    const double prompts = std::max(batch.prompts, 1.0);
    const double seen =
        prompts * (batch.prompt_keys / batch.prompt_tokens + batch.prompt_tokens / prompts / 2);
    const double keys = bytes_between_chips * seen * columns_of_keys_;
    const double queries = bytes_between_chips * batch.prompt_tokens * columns_of_queries() /
                           static_cast<double>(layout_.tensor);
    const double back = queries * static_cast<double>(layout_.context);
    const std::vector<CollectiveOfGroup> of_keys = {{Collective::all_gather, keys, context_->across}};
    const std::vector<CollectiveOfGroup> of_queries = {{Collective::all_gather, queries, context_->across},
                                                       {Collective::all_to_all, back, context_->across}};
    return context_seconds(of_keys, 0, 1) <= context_seconds(of_queries, 0, 1) ? of_keys : of_queries;
}

std::vector<CollectiveOfGroup> LayoutExchanges::of_decoding(double rows) const {
    if (!context_ || !(rows > 0)) {
        return {};
    }
    const double queries =
        bytes_between_chips * rows * columns_of_queries() / static_cast<double>(layout_.tensor);
    return {{Collective::all_gather, queries, context_->across},
            {Collective::all_to_all, queries * static_cast<double>(layout_.context), context_->across}};
}

double LayoutExchanges::context_seconds(const std::vector<CollectiveOfGroup>& all, double latency,
                                        double share) const {
    double sum = 0;
    for (const CollectiveOfGroup& one : all) {
        sum += latency + transfer(one) / share;
    }
    return sum;
}

} // namespace meshslice
