#include "core/cost/collective/collective_costs.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/nearest.h"
#include "core/base/text/parse.h"
#include "core/cost/collective/twisted_exchange.h"
#include "core/cost/mesh_links.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace meshslice {

Result<Collective> parse_exchange(std::string_view words) {
    const auto* const what =
        std::ranges::find(all_collectives, words, [](Collective one) { return name(one); });
    if (what != all_collectives.end()) {
        return *what;
    }
    std::vector<std::string> names;
    std::ranges::transform(all_collectives, std::back_inserter(names),
                           [](Collective one) { return std::string(name(one)); });
    return refuse(say("There is no collective \"{}\"; {}", shortened(words), suggestion(words, names)));
}

Result<double> parse_exchange_bytes(std::string_view words, std::string_view who) {
    Result<double> bytes = parse_quantity(words, "B");
    if (!bytes || !(*bytes >= 1) || *bytes > most_exchanged_bytes) {
        return refuse(
            say("{} is \"{}\"; expected 1 B to 1 EB, such as 34e6 or \"34 MB\".", who, shortened(words)));
    }
    return bytes;
}

Result<std::vector<UsedAxis>> used_axes(const NamedMesh& taking_part, const NamedMesh& slice,
                                        const Machine& hardware, const AxesTaken& taken) {
    for (const MeshAxis& axis : taking_part.axes) {
        if (std::ranges::find(slice.axes, axis) == slice.axes.end()) {
            return refuse(
                say("The slice {} does not have the axis {}={}.", text(slice), axis.name, axis.size));
        }
    }
    if (taking_part.devices() == 1) {
        return refuse(say("{} is one chip, which has nothing to exchange; X=16 has 16.", text(taking_part)));
    }
    const Result<std::vector<MeshLinks>> links = links_of(slice, hardware);
    if (!links) {
        return refuse(links.error());
    }
    std::vector<UsedAxis> used;
    for (std::size_t k = 0; k < slice.axes.size(); ++k) {
        const MeshAxis& axis = slice.axes[k];
        if (axis.size == 1 || std::ranges::find(taking_part.axes, axis) == taking_part.axes.end()) {
            continue;
        }
        const MeshLinks& found = (*links)[k];
        const bool ring = taken.rings.value_or(found.closes);
        used.push_back({axis.name, {axis.size, ring, ring && taken.one_way, found.along.link}, found.closes});
    }
    return used;
}

std::optional<AxesObjection> objection(Collective what, const std::vector<UsedAxis>& axes,
                                       const AxesTaken& taken) {
    using Kind = AxesObjection::Kind;
    if (what == Collective::send_receive && (axes.size() > 1 || taken.one_way)) {
        return AxesObjection{axes.size() > 1 ? Kind::several_axes : Kind::one_way_already, {}};
    }
    const auto open = std::ranges::find_if(axes, [](const UsedAxis& one) { return !one.axis.ring; });
    return taken.one_way && open != axes.end() ? std::optional(AxesObjection{Kind::open_line, *open})
                                               : std::nullopt;
}

std::string why_open(const Machine& hardware, const UsedAxis& axis) {
    const std::int64_t side = hardware.pod.ring_axis.value;
    return side > 0 && axis.axis.chips % side != 0
               ? say("{} closes axes of a multiple of {} chips", hardware.title, side)
               : say("{} closes the axes of slices of a multiple of {} chips, which a larger slice can give",
                     hardware.title, hardware.pod.ring_mesh.value);
}

double CollectiveCosts::latency_bound_below() const {
    if (!axes.empty() && twisted == nullptr) {
        return meshslice::latency_bound_below(what, exchange_axes(), hop());
    }
    const ExchangeBound one = of(1).bound;
    return one.latency / one.bandwidth;
}

std::string level_words(const Level& level, std::int64_t places) {
    const std::string words = say("{}: {} places, {} a chip one way, {} of it reached, {} a step",
                                  title(level), places, si_text(level.line_rate(), "B/s"),
                                  percent_text(level.efficiency.value), text(level.latency.value));
    return level.reduces ? say("{}; the switch adds up an all-reduce", words) : words;
}

std::vector<ExchangeAxis> CollectiveCosts::exchange_axes() const {
    std::vector<ExchangeAxis> all;
    std::ranges::transform(axes, std::back_inserter(all), &UsedAxis::axis);
    return all;
}

std::optional<double> CollectiveCosts::modelled(double bytes) const {
    const bool has_law =
        what != Collective::all_to_all && what != Collective::send_receive && twisted == nullptr;
    const Result<LevelLaws> laws = LevelLaws::of(hardware, ModelRules::exact);
    if (!has_law || !laws) {
        return std::nullopt;
    }
    ChipGroup chips;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const ExchangeAxis& axis = axes[k].axis;
        // One way round a ring takes as long as along a line.
        chips.along[k] = {static_cast<std::int32_t>(axis.chips), 1, axis.ring && !axis.one_way};
        chips.chips *= axis.chips;
    }
    chips.within.fill(chips.chips);
    return laws->seconds(what, bytes, chips);
}

OfSize CollectiveCosts::of(double bytes) const {
    if (axes.empty()) {
        const CollectiveOnLevels on = on_levels(bytes);
        return {bytes, exchange_bound(what, bytes, chips, on.switches(hardware.network)), on.seconds};
    }
    if (twisted != nullptr) {
        return {bytes, twisted_bound(what, bytes, *twisted, axes.front().axis.link, hop()), {}};
    }
    return {bytes, exchange_bound(what, bytes, exchange_axes(), hop()), modelled(bytes)};
}

std::vector<OfSize> CollectiveCosts::sizes(const std::vector<double>& digits) const {
    std::vector<OfSize> all;
    for (double decade = 1e3; decade < 1e10; decade *= 10) {
        for (const double digit : digits) {
            all.push_back(of(digit * decade));
        }
    }
    all.push_back(of(1e10));
    return all;
}

} // namespace meshslice
