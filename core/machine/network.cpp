#include "core/machine/network.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <utility>

namespace meshslice {
namespace {

std::string text(const SwitchedDomain& domain) {
    return say("{} chips behind a switch, {} per chip, one way", domain.chips.value,
               meshslice::text(domain.bandwidth.value));
}

std::string text(const OuterNetwork& network) {
    return network.nics.value == 1
               ? say("1 NIC per chip, {} each, one way", meshslice::text(network.bandwidth.value))
               : say("{:g} NICs per chip, {} each, one way", network.nics.value,
                     meshslice::text(network.bandwidth.value));
}

std::string torus_text(const Network& network) {
    std::vector<std::string> rates;
    for (int axis = 0; axis < network.torus_axes(); ++axis) {
        rates.push_back(text(network.link_bandwidth(axis)));
    }
    return rates.size() == 1 ? say("torus of 1 axis, {} per link, one way", rates.front())
           : network.axes_alike()
               ? say("torus of {} axes, {} per link, one way", rates.size(), rates.front())
               : say("torus of {} axes, {} per link, one way", rates.size(), fmt::join(rates, said(" and ")));
}

} // namespace

// The cost of every operation asks for these two; here they are compiled with the engine, wherever they are
// used.
int Network::torus_axes() const {
    return static_cast<int>(std::ranges::count_if(
        levels, [](const NetworkLevel& level) { return std::holds_alternative<TorusLinks>(level); }));
}

const TorusLinks& Network::torus_links(int axis) const {
    assert(axis >= 0 && axis < torus_axes());
    return std::get<TorusLinks>(levels[static_cast<std::size_t>(axis)]);
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

Result<void> checked_levels(const Network& network) {
    const int axes = network.torus_axes();
    const auto of_kind = [&](std::size_t kind) {
        return std::ranges::count(network.levels, kind, &NetworkLevel::index);
    };
    const std::ptrdiff_t domains = of_kind(1);
    const bool inside_out = std::ranges::is_sorted(network.levels, {}, &NetworkLevel::index);
    if (network.levels.empty()) {
        return refuse(said("The network has no level; torus axes, a switched domain or an outer network was "
                           "expected."));
    }
    if (!inside_out || axes > Network::most_torus_axes || domains > 1 || of_kind(2) > 1 ||
        (axes > 0 && domains > 0)) {
        return refuse(
            say("The network has {} torus axes, {} switched domains and {} outer networks{}; from the inside "
                "out, "
                "up to {} torus axes or one switched domain, then at most one outer network was expected.",
                axes, domains, of_kind(2), inside_out ? std::string() : said(" in another order"),
                Network::most_torus_axes));
    }
    return {};
}

Network torus_network(int axes, const TorusLinks& links) {
    return {std::vector<NetworkLevel>(static_cast<std::size_t>(axes), links)};
}

std::string text(const Network& network) {
    std::vector<std::string> parts;
    if (network.torus_axes() > 0) {
        parts.push_back(torus_text(network));
    }
    for (const NetworkLevel& level : network.levels) {
        if (const auto* domain = std::get_if<SwitchedDomain>(&level)) {
            parts.push_back(text(*domain));
        } else if (const auto* outer = std::get_if<OuterNetwork>(&level)) {
            parts.push_back(text(*outer));
        }
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace meshslice
