#include "core/question/serve/shardings.h"

#include "core/base/say.h"
#include "core/cost/collective/collective.h"
#include "core/machine/catalogue.h"
#include "core/question/serve/replica/served_chip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

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

/// The step of one phase.
SharedStep shared_step(const Replica& one, ServedPhase phase) {
    SharedStep made{one.layout};
    made.batch = one.batch;
    made.costs = step_costs(one, phase, phase == ServedPhase::decode ? middle_context(one) : 0);
    made.seconds = seconds_of(made.costs);
    made.memory = served_memory(one).total();
    made.fits = made.memory <= one.chip.chip.memory;
    made.bound = bound_of(made.costs);
    return made;
}

/// Requests whose heads are fewer than chips keep less where parts of the chips have requests of their own.
bool keeps_less(const ServedModel& model, std::int64_t tensor, std::int64_t across) {
    const auto chips = static_cast<double>(tensor), parts = static_cast<double>(across);
    return model.cached_numbers(1, chips / parts) / parts < 0.999 * model.cached_numbers(1, chips);
}

/// Of a replica of so many chips with so many requests, those that have a place.
std::vector<ServingLayout> possible_layouts(const ServingAsked& asked, std::int64_t chips, double batch) {
    std::vector<ServingLayout> made;
    const auto add = [&](const ServingLayout& layout) {
        if (layout.tensor <= widest_split(asked.machine) && layout_objection(asked.model, layout).empty()) {
            made.push_back(layout);
        }
    };
    add({chips});
    for (const std::int64_t across : possible_parts(asked.machine, chips)) {
        if (batch < static_cast<double>(across)) {
            continue;
        }
        if (has_axes(asked.machine)) {
            add({chips, across, across});
        }
        if (keeps_less(asked.model, chips, across)) {
            add({chips, 1, across});
        }
    }
    constexpr std::int64_t most_groups = 8;
    for (std::int64_t groups = 2; groups <= std::min(most_groups, chips); groups *= 2) {
        add({chips / groups, 1, 1, groups});
    }
    return made;
}

/// Powers of two that divide the chips, up to those of a unit; where a network joins units, all of them,
/// whose groups divide the tokens of a request.
std::vector<std::int64_t> replica_sizes(const ServingAsked& asked) {
    std::vector<std::int64_t> made;
    for (std::int64_t chips = 1; chips <= asked.chips; chips *= 2) {
        if (asked.chips % chips == 0) {
            made.push_back(chips);
        }
    }
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
        if (one.layout.plain() && links > 0) {
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
    ServingAsked of_all = asked;
    of_all.chips = chips;
    of_all.weights_across = of_all.cache_across = of_all.context = 1;
    ServingShardings made{chips, requests, {}, {}};
    Error refusal = {say("No split of the chips divides the heads.")};
    for (const std::int64_t each : replica_sizes(of_all)) {
        const std::int64_t replicas = chips / each;
        const double batch = requests / static_cast<double>(replicas);
        if (batch < 1) { // some replicas would have nothing to do
            continue;
        }
        for (const ServingLayout& layout : possible_layouts(asked, each, batch)) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            of_all.weights_across = layout.weights_across;
            of_all.cache_across = layout.cache_across;
            of_all.context = layout.context;
            Result<Replica> one = replica_of(of_all, layout.tensor);
            if (!one) {
                refusal = one.error();
                continue;
            }
            one->batch = batch;
            for (const ServedPhase phase : {ServedPhase::prefill, ServedPhase::decode}) {
                SharedStep step = shared_step(*one, phase);
                step.replicas = replicas;
                const bool decodes = phase == ServedPhase::decode;
                step.per_chip = requests * (decodes ? one->accepted : one->input) / step.seconds /
                                static_cast<double>(chips);
                (decodes ? made.decode : made.prefill).push_back(std::move(step));
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
    constexpr std::int64_t most = 1024;
    std::vector<LayerExchange> made;
    if (!has_axes(asked.machine)) {
        return made;
    }
    for (std::int64_t chips = 4; chips <= most; chips *= 2) {
        LayerExchange one{chips};
        for (const std::int64_t across : possible_parts(asked.machine, chips)) {
            const Result<LayoutExchanges> layer = LayoutExchanges::of(
                asked.machine, asked.model, {chips, across, across}, asked.efficiency == Efficiency::ideal);
            if (!layer) {
                return refuse(layer.error());
            }
            const double seconds = layer->seconds(layer->of_weights(rows));
            if (one.across == 1 || seconds < one.two_dimensions) {
                one.two_dimensions = seconds;
                one.across = across;
            }
            one.one_dimension = layer->plain_seconds(rows);
        }
        if (one.across > 1) {
            made.push_back(one);
        }
    }
    return made;
}

} // namespace meshslice
