#include "core/cost/layer_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

/// Bytes over a rate of the slowest level that a group behind switches crosses. A unit of the level further
/// in receives what its chips lack over all of its ports, and passes it on inside at the same time.
double behind_switches(const SplitChips& chips, const std::function<double(double inside)>& share,
                       double bytes) {
    const Network& network = chips.machine.network;
    const std::vector<std::int64_t> units = unit_chips(network);
    double seconds = 0;
    for (std::size_t level = 0; level < network.levels.size(); ++level) {
        const double inside = level == 0 ? 1 : static_cast<double>(units[level - 1]);
        if (const double ports = share(inside); ports > 0) {
            seconds = std::max(seconds, bytes / (ports * network.levels[level].line_rate()));
        }
    }
    return seconds;
}

double as_real(std::int64_t whole) {
    return static_cast<double>(whole);
}

/// "[62500, 32768]".
std::string block(double rows, double columns) {
    return fmt::format("[{:.6g}, {:.6g}]", rows, columns);
}

} // namespace

double SplitLayer::element_bytes() const {
    return static_cast<double>(bits(type)) / 8;
}

std::int64_t SplitChips::count() const {
    return std::accumulate(mesh.begin(), mesh.end(), std::int64_t{1}, std::multiplies<>());
}

double SplitChips::axis_rate() const {
    double slowest = 0;
    for (int axis = 0; axis < machine.network.torus_axes(); ++axis) {
        const double rate = 2 * machine.network.link_bandwidth(axis).value();
        slowest = axis == 0 ? rate : std::min(slowest, rate);
    }
    return slowest;
}

int SplitChips::axes_of(std::int64_t group) const {
    std::vector<std::int32_t> sizes = mesh;
    std::ranges::sort(sizes, std::greater<>());
    int axes = 0;
    for (std::int64_t held = 1; held < group && axes < static_cast<int>(sizes.size()); ++axes) {
        held *= sizes[static_cast<std::size_t>(axes)];
    }
    return axes;
}

double LayerSplit::communication_s() const {
    return exchanges_hide ? std::max(weights_s, activations_s) : weights_s + activations_s;
}

std::optional<double> LayerSplit::ratio() const {
    return communication_s() > 0 ? std::optional(compute_s / communication_s()) : std::nullopt;
}

double LayerSplit::seconds() const {
    return std::max(compute_s, communication_s());
}

LayerSplit split_of(const SplitLayer& layer, const SplitChips& chips, const SplitSizes& sizes,
                    bool exchanges_hide) {
    LayerSplit split{.sizes = sizes, .exchanges_hide = exchanges_hide};
    const double x = as_real(sizes.tokens), y = as_real(sizes.hidden), bytes = layer.element_bytes();
    split.compute_s = layer.forward_flop() / (x * y * chips.machine.peak_rate(layer.type).value());
    const bool gathers = sizes.tokens > 1;
    split.weight_bytes = gathers ? bytes * layer.matrices * layer.width * layer.hidden / y : 0;
    split.activation_bytes = sizes.hidden > 1 ? 2 * bytes * layer.tokens * layer.width / x : 0;
    if (const double rate = chips.axis_rate(); rate > 0) {
        const int axes = chips.axes_of(chips.count());
        split.hidden_axes = chips.axes_of(sizes.hidden);
        split.token_axes = sizes.tokens > 1 ? std::max(1, axes - split.hidden_axes) : 0;
        split.weights_s = gathers ? split.weight_bytes / (rate * split.token_axes) : 0;
        split.activations_s = sizes.hidden > 1 ? split.activation_bytes / (rate * split.hidden_axes) : 0;
        return split;
    }
    // The tensor group has neighbouring chips.
    split.weights_s = behind_switches(
        chips,
        [&](double inside) {
            const double sharing = std::max(1.0, inside / y);
            return x > sharing ? sharing : 0;
        },
        split.weight_bytes);
    split.activations_s = behind_switches(
        chips, [&](double inside) { return y > inside ? std::min(y, inside) : 0; }, split.activation_bytes);
    return split;
}

std::vector<LayerSplit> all_splits(const SplitLayer& layer, const SplitChips& chips, bool exchanges_hide) {
    std::vector<LayerSplit> splits;
    const std::int64_t count = chips.count();
    for (std::int64_t hidden = 1; hidden <= count; ++hidden) {
        const SplitSizes sizes{count / hidden, hidden};
        if (count % hidden == 0 && as_real(sizes.tokens) <= layer.tokens && as_real(hidden) <= layer.hidden) {
            splits.push_back(split_of(layer, chips, sizes, exchanges_hide));
        }
    }
    return splits;
}

const LayerSplit& best_of(const std::vector<LayerSplit>& splits) {
    return *std::ranges::min_element(
        splits, {}, [](const LayerSplit& one) { return std::pair(one.seconds(), one.communication_s()); });
}

std::optional<SplitBounds> split_bounds(const SplitLayer& layer, const SplitChips& chips,
                                        bool exchanges_hide) {
    const double rate = chips.axis_rate();
    if (!(rate > 0)) {
        return std::nullopt;
    }
    const double alpha = chips.machine.peak_rate(layer.type).value() / rate * layer.element_bytes() / 2;
    const int axes = std::max(1, chips.axes_of(chips.count()));
    const double gated = layer.matrices / 2.0;
    SplitBounds bounds{
        .alpha = alpha, .token_share = alpha / axes, .hidden_chips = gated * layer.hidden / alpha};
    if (axes > 1) {
        const double others = axes - 1; // M_X M_Y: one axis is the tensor group's
        const double best =
            std::sqrt(layer.tokens * others * as_real(chips.count()) / (gated * layer.hidden));
        if (best > 1 && best < as_real(chips.count())) { // else one of the two alone is best
            bounds.best_tokens = best;
            bounds.mixed_share = alpha * alpha / (gated * layer.hidden * others) * (exchanges_hide ? 1 : 4);
        }
    }
    return bounds;
}

std::optional<double> tokens_of_a_pod(const SplitLayer& layer, const Machine& machine) {
    const Level* const around = machine.network.torus_axes() > 0 ? outer_network(machine.network) : nullptr;
    if (around == nullptr) {
        return std::nullopt;
    }
    return machine.peak_rate(layer.type).value() / around->line_rate() * layer.element_bytes() / 2;
}

std::vector<SplitStep> steps_of(const SplitLayer& layer, const LayerSplit& split, SharedWeights weights) {
    const double tokens = layer.tokens / as_real(split.sizes.tokens);
    const double part_of_width = layer.width / as_real(split.sizes.hidden);
    const double hidden = layer.hidden / as_real(split.sizes.hidden);
    const bool shares = split.sizes.tokens > 1, tensor = split.sizes.hidden > 1;
    const bool gathers = shares && weights == SharedWeights::sharded;
    const double in = layer.matrices - 1; // W_in and its gate are one array here
    // A replicated weight is a whole one; its gradient is summed, which takes a scatter and a gather.
    const double product_s = split.compute_s / layer.matrices;
    const double gather_s = split.weights_s / layer.matrices;
    const double matrix_bytes = layer.element_bytes() * layer.width * hidden;
    const double stored_rows = layer.width / (gathers ? as_real(split.sizes.tokens) : 1);
    const bool gated = layer.matrices > 2;
    const std::string w_in = gated ? "W_in, W_gate" : "W_in";
    const std::string gradient_of_w_in = gated ? "dW_in, dW_gate" : "dW_in";

    std::vector<SplitStep> steps;
    bool backward = false;
    const auto exchange = [&](std::string what, std::string result, double bytes, double seconds,
                              bool waits) {
        steps.push_back({backward, std::move(what), std::move(result), bytes, seconds, waits});
    };
    const auto product = [&](std::string what, std::string result, double seconds) {
        steps.push_back({backward, std::move(what), std::move(result), 0, seconds, false});
    };
    const auto over_tensor = [&](const char* what, const std::string& result) {
        if (tensor) {
            exchange(what, result, split.activation_bytes / 2, split.activations_s / 2, true);
        }
    };
    const auto gather_weights = [&](const std::string& what, double many, const std::string& result) {
        if (gathers) {
            exchange("AllGather_X " + what, result, many * matrix_bytes, many * gather_s, false);
        }
    };
    const auto sum_gradient = [&](const std::string& what, double many, double rows, double columns) {
        if (gathers) {
            exchange("ReduceScatter_X " + what, block(rows, columns), many * matrix_bytes, many * gather_s,
                     false);
        } else if (shares) {
            exchange("AllReduce_X " + what, block(rows, columns), 2 * many * matrix_bytes,
                     2 * many * gather_s, false);
        }
    };

    over_tensor("AllGather_Y In", block(tokens, layer.width));
    gather_weights(w_in, in, block(layer.width, hidden));
    product(gated ? "Tmp = act(In · W_gate) * (In · W_in)" : "Tmp = In · W_in", block(tokens, hidden),
            in * product_s);
    gather_weights("W_out", 1, block(hidden, layer.width));
    product("Out = Tmp · W_out", block(tokens, layer.width), product_s);
    over_tensor("ReduceScatter_Y Out", block(tokens, part_of_width));

    backward = true;
    over_tensor("AllGather_Y dOut", block(tokens, layer.width));
    product("dW_out = Tmp · dOut", block(hidden, layer.width), product_s);
    sum_gradient("dW_out", 1, hidden, stored_rows);
    gather_weights("W_out", 1, block(hidden, layer.width));
    product("dTmp = dOut · W_out", block(tokens, hidden), product_s);
    over_tensor("AllGather_Y In", block(tokens, layer.width));
    product(gradient_of_w_in + " = In · dTmp", block(layer.width, hidden), in * product_s);
    sum_gradient(gradient_of_w_in, in, stored_rows, hidden);
    gather_weights(w_in, in, block(layer.width, hidden));
    product("dIn = dTmp · " + w_in, block(tokens, layer.width), in * product_s);
    over_tensor("ReduceScatter_Y dIn", block(tokens, part_of_width));
    return steps;
}

} // namespace meshslice
