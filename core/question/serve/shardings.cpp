#include "core/question/serve/shardings.h"

#include "core/base/say.h"
#include "core/cost/collective/collective.h"
#include "core/machine/catalogue.h"
#include "core/question/serve/served_chip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr double bytes_between_chips = 2; ///< of an element that chips exchange

/// Chips of a replica in two parts: those `across`, and the others.
struct PartedChips {
    ChipGroup across, rest, all;
};

/// Along whole axes of a torus, else within one switch.
std::optional<PartedChips> parted(const Machine& machine, std::int64_t chips, std::int64_t across) {
    PartedChips made{{}, {}, group_of_replica(machine, chips)};
    if (across <= 1 || across >= chips || chips % across != 0) {
        return std::nullopt;
    }
    if (machine.network.torus_axes() == 0) {
        const Level* const domain = switched_domain(machine.network);
        if (domain == nullptr || chips > domain->units.value) {
            return std::nullopt;
        }
        made.across = packed_group(machine.network, across);
        made.rest = packed_group(machine.network, chips / across);
        return made;
    }
    for (std::size_t axis = 0; axis < made.all.along.size(); ++axis) {
        if (made.all.along[axis].chips != across) {
            continue;
        }
        made.across = made.rest = made.all;
        for (std::size_t other = 0; other < made.all.along.size(); ++other) {
            (other == axis ? made.rest : made.across).along[other] = AlongAxis{};
        }
        made.across.chips = across;
        made.rest.chips = chips / across;
        made.across.within.fill(across);
        made.rest.within.fill(chips / across);
        return made;
    }
    return std::nullopt;
}

/// Of a layer of the model, what its chips exchange.
struct ExchangedLayer {
    const LevelLaws& laws;
    const InferenceModel& model;
    bool ideal = false; ///< without launches and latencies
    double rows = 1;

    [[nodiscard]] double seconds(Collective what, double bytes, const ChipGroup& group) const {
        constexpr double large = 1e15;
        return ideal ? laws.seconds(what, large, group) * bytes / large : laws.seconds(what, bytes, group);
    }
    [[nodiscard]] double bytes(double columns) const { return bytes_between_chips * rows * columns; }
    [[nodiscard]] double queries() const { return model.heads * model.head_size; }
    /// Columns of queries, keys and values.
    [[nodiscard]] double projected() const {
        return model.latent ? queries() : (model.heads + 2 * model.kv_heads) * model.head_size;
    }
    [[nodiscard]] double width() const {
        return model.experts > 0 ? (model.chosen + model.shared_experts) * model.expert_width : model.width;
    }
    [[nodiscard]] double one_dimension(const ChipGroup& all) const {
        constexpr double times = 2; // after attention, and after the feed-forward network
        return times * seconds(Collective::all_reduce, bytes(model.hidden), all);
    }
    /// Rows in the model's own dimension are gathered over the rest and scattered there, twice; columns are
    /// summed over the chips across, and gathered again where they go into the next product.
    [[nodiscard]] double two_dimensions(const PartedChips& parts) const {
        const auto across = static_cast<double>(parts.across.chips),
                   rest = static_cast<double>(parts.rest.chips);
        const double own = bytes(model.hidden) / across;
        const double into = std::max(model.matrices - 1, 1.0) * bytes(width()) / rest;
        const double out = bytes(width()) / rest;
        return 2 * (seconds(Collective::all_gather, own, parts.rest) +
                    seconds(Collective::reduce_scatter, own, parts.rest)) +
               seconds(Collective::reduce_scatter, into, parts.across) +
               seconds(Collective::all_gather, out, parts.across) +
               seconds(Collective::reduce_scatter, bytes(projected()) / rest, parts.across) +
               seconds(Collective::all_gather, bytes(queries()) / rest, parts.across);
    }
    /// Heads for requests, there and back.
    [[nodiscard]] double to_requests(const PartedChips& parts) const {
        const auto rest = static_cast<double>(parts.rest.chips);
        return seconds(Collective::all_to_all, bytes(projected()) / rest, parts.across) +
               seconds(Collective::all_to_all, bytes(queries()) / rest, parts.across);
    }
};

/// The share of the cache, and of reading it, that is left where requests are split too: heads of which there
/// are fewer than chips are kept once.
double cache_left(const ServedModel& model, const ServingLayout& layout) {
    const InferenceModel& whole = model.whole;
    const double heads = whole.latent ? 1 : std::max(whole.kv_heads, 1.0);
    const auto tensor = static_cast<double>(layout.tensor), across = static_cast<double>(layout.cache_across);
    return std::min(tensor, heads) / (across * std::min(tensor / across, heads));
}

std::vector<std::int64_t> possible_parts(const Machine& machine, std::int64_t chips) {
    std::vector<std::int64_t> made;
    for (std::int64_t across = 2; across < chips; across *= 2) {
        if (parted(machine, chips, across)) {
            made.push_back(across);
        }
    }
    return made;
}

/// Weights lie in two dimensions on tori alone: what sums and gathers of that kind take on a switch, whose
/// all-reduces are one kernel, was not measured.
bool has_axes(const Machine& machine) {
    return machine.network.torus_axes() > 0;
}

std::size_t kind_of(std::string_view operation, const ServedOperations& costs) {
    return static_cast<std::size_t>(std::ranges::find(costs, operation, &ServedOperation::name) -
                                    costs.begin());
}

/// The step of one phase. None where a layout has no place on the machine.
std::optional<SharedStep> shared_step(const Replica& one, const Machine& machine, const LevelLaws& laws,
                                      ServedPhase phase, const ServingLayout& layout) {
    SharedStep made{layout};
    made.batch = one.batch;
    made.costs = step_costs(one, phase, phase == ServedPhase::decode ? middle_context(one) : 0);
    ServedMemory memory = served_memory(one);
    const std::int64_t across = std::max(layout.weights_across, layout.cache_across);
    if (across > 1) {
        const std::optional<PartedChips> parts = parted(machine, layout.tensor, across);
        if (!parts) {
            return std::nullopt;
        }
        const double rows = phase == ServedPhase::decode ? one.batch * (1 + one.drafts)
                                                         : one.batch * (one.input - one.shared);
        const ExchangedLayer layer{laws, one.model.whole, one.efficiency == Efficiency::ideal, rows};
        const double usual = layer.one_dimension(parts->all);
        // Sums over the chips across can be scattered by requests: 2D needs no all-to-all.
        const double now =
            layout.weights_across > 1 ? layer.two_dimensions(*parts) : usual + layer.to_requests(*parts);
        ServedOperation& exchange = made.costs[kind_of("exchange", made.costs)];
        exchange.seconds *= usual > 0 ? now / usual : 1;
        exchange.bytes = 0; // of several collectives
        if (layout.cache_across > 1) {
            const double left = cache_left(one.model, layout);
            ServedOperation& attention = made.costs[kind_of("attention", made.costs)];
            if (phase == ServedPhase::decode) { // a prefill computes it, which heads share already
                attention.seconds *= left;
                attention.memory *= left;
                attention.bytes *= left;
            }
            memory.cache *= left;
        }
    }
    made.seconds = seconds_of(made.costs);
    made.memory = memory.total();
    made.fits = made.memory <= one.chip.chip.memory;
    made.bound = bound_of(made.costs);
    return made;
}

void in_order(std::vector<SharedStep>& steps) {
    std::ranges::stable_sort(steps, [](const SharedStep& a, const SharedStep& b) {
        return a.fits != b.fits ? a.fits : a.seconds < b.seconds;
    });
}

/// Chips of a replica at which the links take as long as the products, as far as these take half as long on
/// twice as many.
double limit_of(const std::vector<SharedStep>& steps, bool reads) {
    for (const SharedStep& one : steps) {
        const ServedOperation& products = one.costs[kind_of("products", one.costs)];
        const double links = one.costs[kind_of("exchange", one.costs)].seconds;
        if (one.layout.weights_across == 1 && one.layout.cache_across == 1 && links > 0) {
            return (reads ? products.memory : products.compute) * static_cast<double>(one.layout.tensor) /
                   links;
        }
    }
    return 0;
}

} // namespace

Result<ServingShardings> serving_shardings(const ServingAsked& asked, std::int64_t chips, double requests,
                                           const RunControl& control) {
    if (asked.data > 1 || asked.stages > 1 || asked.apart()) {
        return refuse(
            say("Layouts are compared of replicas without data-parallel attention, stages and pools "
                "of one phase; expected tensor parallelism alone."));
    }
    const Result<LevelLaws> laws = LevelLaws::of(asked.machine, ModelRules::exact);
    if (!laws) {
        return refuse(laws.error());
    }
    ServingAsked of_all = asked;
    of_all.chips = chips;
    ServingShardings made{chips, requests, {}, {}};
    Error refusal = {say("No split of the chips divides the heads.")};
    for (const std::int64_t tensor : possible_splits(of_all)) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        Result<Replica> one = replica_of(of_all, tensor);
        if (!one) {
            refusal = one.error();
            continue;
        }
        const std::int64_t replicas = chips / tensor;
        one->batch = requests / static_cast<double>(replicas);
        if (one->batch < 1) { // some replicas would have nothing to do
            continue;
        }
        std::vector<ServingLayout> layouts = {{tensor, 1, 1}};
        for (const std::int64_t across : possible_parts(asked.machine, tensor)) {
            const bool splits = one->batch >= static_cast<double>(across) &&
                                split_objection(asked.model, tensor / across).empty();
            if (splits) {
                if (has_axes(asked.machine)) {
                    layouts.push_back({tensor, across, across});
                }
                if (cache_left(asked.model, {tensor, 1, across}) < 1) {
                    layouts.push_back({tensor, 1, across});
                }
            }
        }
        for (const ServingLayout& layout : layouts) {
            for (const ServedPhase phase : {ServedPhase::prefill, ServedPhase::decode}) {
                std::optional<SharedStep> step = shared_step(*one, asked.machine, *laws, phase, layout);
                if (!step) {
                    continue;
                }
                step->replicas = replicas;
                const bool decodes = phase == ServedPhase::decode;
                step->per_chip = requests * (decodes ? one->accepted : one->input) / step->seconds /
                                 static_cast<double>(chips);
                (decodes ? made.decode : made.prefill).push_back(*step);
            }
        }
    }
    if (made.decode.empty()) {
        return refuse(refusal);
    }
    in_order(made.prefill);
    in_order(made.decode);
    made.prefill_limit = limit_of(made.prefill, false);
    made.decode_limit = limit_of(made.decode, true);
    return made;
}

Result<std::vector<LayerExchange>> layer_exchanges(const ServingAsked& asked, double rows) {
    const Result<LevelLaws> laws = LevelLaws::of(asked.machine, ModelRules::exact);
    if (!laws) {
        return refuse(laws.error());
    }
    const ExchangedLayer layer{*laws, asked.model.whole, asked.efficiency == Efficiency::ideal, rows};
    constexpr std::int64_t most = 1024;
    std::vector<LayerExchange> made;
    if (!has_axes(asked.machine)) {
        return made;
    }
    for (std::int64_t chips = 4; chips <= most; chips *= 2) {
        LayerExchange one{chips};
        for (const std::int64_t across : possible_parts(asked.machine, chips)) {
            const std::optional<PartedChips> parts = parted(asked.machine, chips, across);
            const double seconds = layer.two_dimensions(*parts);
            if (one.across == 1 || seconds < one.two_dimensions) {
                one.two_dimensions = seconds;
                one.across = across;
            }
            one.one_dimension = layer.one_dimension(parts->all);
        }
        if (one.across > 1) {
            made.push_back(one);
        }
    }
    return made;
}

} // namespace meshslice
