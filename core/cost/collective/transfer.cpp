#include "core/cost/collective/transfer.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/cost/mesh_links.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice {
namespace {

using From = TransferAsked::From;

/// More are not walked through: larger than every pod that comes with the program.
constexpr std::int64_t most_chips = 16384;

Grid grid_of(const std::vector<MeshLinks>& links) {
    Grid grid;
    for (const MeshLinks& one : links) {
        grid.push_back({one.along.chips, one.along.ring, one.along.link.value()});
    }
    return grid;
}

std::string rate_text(std::int64_t links, double all_together) {
    return links == 1
               ? si_text(all_together, "B/s")
               : fmt::format("({} x {})", links, si_text(all_together / static_cast<double>(links), "B/s"));
}

/// "15/16 x ": what has to come, of all.
std::string share_text(std::int64_t part, std::int64_t whole) {
    return part == whole ? std::string() : fmt::format("{}/{} x ", part, whole);
}

TransferStage stage_over_links(const TransferAsked& asked, const Grid& grid,
                               const std::vector<GridWay>& ways) {
    if (asked.from == From::chip) {
        double rate = 0;
        for (const GridWay& way : ways) {
            rate += rate_of(grid, way);
        }
        return {said("links"), asked.bytes / rate,
                fmt::format("{} / {}", bytes_text(asked.bytes),
                            rate_text(static_cast<std::int64_t>(ways.size()), rate))};
    }
    const InwardCut cut = narrowest_cut(grid, asked.target);
    const std::int64_t chips = chips_of(grid);
    return {said("links"), cut.seconds(asked.bytes / static_cast<double>(chips)),
            fmt::format("{}{} / {}", share_text(cut.chips, chips), bytes_text(asked.bytes),
                        rate_text(cut.links, cut.rate))};
}

/// The target reads all of it where it works with it; else it writes what it has not had.
TransferStage stage_of_memory(const TransferAsked& asked, double rate) {
    const std::int64_t chips = asked.slice.devices();
    const bool reads = asked.flop > 0;
    const std::int64_t come = !reads && asked.from == From::chips ? chips - 1 : chips;
    return {reads ? said("reading it from HBM") : said("writing it to HBM"),
            asked.bytes * static_cast<double>(come) / static_cast<double>(chips) / rate,
            fmt::format("{}{} / {}", share_text(come, chips), bytes_text(asked.bytes), si_text(rate, "B/s"))};
}

double pcie_of(const TransferAsked& asked, const Machine& hardware) {
    return asked.pcie.value() > 0            ? asked.pcie.value()
           : hardware.pcie.value.value() > 0 ? hardware.pcie.value.value()
                                             : usual_pcie.value();
}

std::int64_t longest_way(const TransferAsked& asked, const Grid& grid) {
    if (asked.from == From::chip) {
        return hops_between(grid, asked.source, asked.target);
    }
    std::int64_t hops = 0;
    for (std::int64_t chip = 0; chip < chips_of(grid); ++chip) {
        hops = std::max(hops, hops_between(grid, place_of(grid, chip), asked.target));
    }
    return hops;
}

} // namespace

std::string text(const GridPlace& place) {
    return fmt::format("({})", fmt::join(place, ", "));
}

const TransferStage& Transfer::slowest() const {
    return *std::ranges::max_element(stages, {}, &TransferStage::seconds);
}

std::string Transfer::bound() const {
    return latency > slowest().seconds ? said("latency") : slowest().name;
}

Result<Transfer> transfer(const TransferAsked& asked, const Machine& hardware) {
    const std::int64_t chips = asked.slice.devices();
    if (chips > most_chips) {
        return refuse(say("{} has {} chips; a transfer is worked out on at most {}.", text(asked.slice),
                          chips, most_chips));
    }
    const Result<std::vector<MeshLinks>> links = links_of(asked.slice, hardware);
    if (!links) {
        return refuse(links.error());
    }
    if (chips == 1) {
        return refuse(say("{} is one chip, which has nothing to send; X=4,Y=4 has 16.", text(asked.slice)));
    }
    if (asked.from == From::chip && asked.source == asked.target) {
        return refuse(say("The chip {} is source and target; expected two places.", text(asked.source)));
    }
    const Grid grid = grid_of(*links);
    Transfer found;
    if (asked.from == From::chip) {
        found.ways = shortest_ways(grid, asked.source, asked.target);
    }
    found.hops = longest_way(asked, grid);
    found.latency = static_cast<double>(found.hops) * in_seconds(hardware.sync.value);
    if (asked.from == From::hosts) {
        const double rate = pcie_of(asked, hardware);
        const double share = asked.bytes / static_cast<double>(chips);
        found.stages.push_back({said("PCIe of each chip"), share / rate,
                                fmt::format("{} / {}", bytes_text(share), si_text(rate, "B/s"))});
    }
    found.stages.push_back(stage_over_links(asked, grid, found.ways));
    found.stages.push_back(stage_of_memory(asked, hardware.hbm_bandwidth.value.value()));
    if (asked.flop > 0) {
        const double peak = hardware.peak_rate(DataType::bf16).value();
        found.stages.push_back(
            {said("arithmetic"), asked.flop / peak,
             fmt::format("{} / {}", si_text(asked.flop, "FLOP"), si_text(peak, "FLOP/s"))});
    }
    return found;
}

Result<GridPlace> parse_grid_place(std::string_view words, const NamedMesh& slice, std::string_view who) {
    GridPlace place;
    std::size_t begin = 0;
    bool read = !slice.axes.empty();
    while (read && begin <= words.size()) {
        const std::size_t comma = std::min(words.find(',', begin), words.size());
        const Result<std::int64_t> at = parse_whole(words.substr(begin, comma - begin));
        read = at && place.size() < slice.axes.size() && *at >= 0 && *at < slice.axes[place.size()].size;
        if (read) {
            place.push_back(*at);
        }
        begin = comma + 1;
    }
    if (!read || place.size() != slice.axes.size()) {
        GridPlace last;
        std::ranges::transform(slice.axes, std::back_inserter(last),
                               [](const MeshAxis& axis) { return axis.size - 1; });
        return refuse(say("{} is \"{}\"; expected a place along each axis of {}, up to {}.", who,
                          shortened(words), text(slice), fmt::format("{}", fmt::join(last, ","))));
    }
    return place;
}

} // namespace meshslice
