#include "core/machine/network.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace meshslice {
namespace {

std::string torus_text(const Level& torus) {
    std::vector<std::string> rates;
    for (const TorusLinks& axis : torus.axes) {
        rates.push_back(text(axis.bandwidth.value));
    }
    const bool alike = std::ranges::all_of(rates, [&](const std::string& rate) { return rate == rates[0]; });
    return rates.size() == 1 ? say("torus of 1 axis, {} per link, one way", rates.front())
           : alike
               ? say("torus of {} axes, {} per link, one way", rates.size(), rates.front())
               : say("torus of {} axes, {} per link, one way", rates.size(), fmt::join(rates, said(" and ")));
}

std::string switch_text(const Level& level, bool innermost) {
    if (level.units.value > 0) {
        const std::string rate = text(Bandwidth(level.line_rate()));
        return innermost ? say("{} chips behind a switch, {} per chip, one way", level.units.value, rate)
                         : say("{} of these behind a switch, {} per chip, one way", level.units.value, rate);
    }
    return level.ports.value == 1
               ? say("1 NIC per chip, {} each, one way", text(level.bandwidth.value))
               : say("{:g} NICs per chip, {} each, one way", level.ports.value, text(level.bandwidth.value));
}

} // namespace

std::string_view name(LevelKind kind) {
    return kind == LevelKind::rings ? "rings" : "switch";
}

Level torus_level(int axes, const TorusLinks& links) {
    Level torus;
    torus.kind = LevelKind::rings;
    torus.axes.assign(static_cast<std::size_t>(axes), links);
    return torus;
}

// The cost of every operation asks for these; here they are compiled with the engine, wherever they are used.
const TorusLinks& Network::torus_links(int axis) const {
    assert(axis >= 0 && axis < torus_axes());
    return levels.front().axes[static_cast<std::size_t>(axis)];
}

TorusLinks& Network::torus_links(int axis) {
    return const_cast<TorusLinks&>(std::as_const(*this).torus_links(axis));
}

bool Network::axes_alike() const {
    for (int axis = 1; axis < torus_axes(); ++axis) {
        if (link_bandwidth(axis) != link_bandwidth(0)) {
            return false;
        }
    }
    return true;
}

void Network::set_link_bandwidth(Bandwidth bandwidth) {
    for (int axis = 0; axis < torus_axes(); ++axis) {
        torus_links(axis).bandwidth.value = bandwidth;
    }
}

const Level* switched_domain(const Network& network) {
    const auto found = std::find_if(network.levels.rbegin(), network.levels.rend(),
                                    [](const Level& level) { return level.units.value > 0; });
    return found == network.levels.rend() ? nullptr : &*found;
}

const Level* outer_network(const Network& network) {
    const bool is_last = !network.levels.empty() && network.levels.back().kind == LevelKind::switched &&
                         network.levels.back().units.value == 0;
    return is_last ? &network.levels.back() : nullptr;
}

std::vector<std::int64_t> unit_chips(const Network& network) {
    std::vector<std::int64_t> chips;
    std::int64_t all = 1;
    for (std::size_t k = 0; k + 1 < network.levels.size(); ++k) {
        all *= network.levels[k].units.value;
        chips.push_back(all);
    }
    return chips;
}

Result<void> checked_levels(const Network& network) {
    constexpr double most_chips = 1LL << 40;
    if (network.levels.empty()) {
        return refuse(said("The network has no level; expected a torus or a switch."));
    }
    if (network.levels.size() > Network::most_levels) {
        return refuse(say("The network has {} levels; expected at most {}.", network.levels.size(),
                          Network::most_levels));
    }
    std::size_t tori = 0;
    double chips = 1;
    for (std::size_t k = 0; k < network.levels.size(); ++k) {
        const Level& level = network.levels[k];
        const bool rings = level.kind == LevelKind::rings;
        tori += rings ? 1 : 0;
        if (rings && (level.axes.empty() || level.axes.size() > Network::most_torus_axes)) {
            return refuse(
                say("The torus has {} axes; expected 1 to {}.", level.axes.size(), Network::most_torus_axes));
        }
        if (!rings && level.units.value == 0 && k + 1 < network.levels.size()) {
            return refuse(said("A switch that joins any number of chips has to be the outermost level; "
                               "expected its number of units."));
        }
        chips *= rings || level.units.value == 0 ? 1.0 : static_cast<double>(level.units.value);
    }
    if (tori > 1) {
        return refuse(say("The network has {} levels of rings; expected one, with all axes.", tori));
    }
    if (chips > most_chips) {
        return refuse(say("The switches join {:.3g} chips; expected at most {:.3g}.", chips, most_chips));
    }
    return {};
}

Network torus_network(int axes, const TorusLinks& links) {
    return {{torus_level(axes, links)}};
}

std::string text(const Network& network) {
    std::vector<std::string> parts;
    for (const Level& level : network.levels) {
        parts.push_back(level.kind == LevelKind::rings
                            ? torus_text(level)
                            : switch_text(level, &level == &network.levels.front()));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string title(const Level& level) {
    return level.kind == LevelKind::rings ? said("torus")
           : level.units.value > 0        ? say("switch of {}", level.units.value)
                                          : said("outer network");
}

} // namespace meshslice
