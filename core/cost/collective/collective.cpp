#include "core/cost/collective/collective.h"

#include "core/base/say.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <span>

namespace meshslice {
namespace {

bool passes_whole(Collective what) {
    return what == Collective::broadcast || what == Collective::reduce;
}

/// Whether all that is exchanged leaves at the same time, over all levels.
bool at_once(Collective what) {
    return what == Collective::all_to_all || what == Collective::send_receive;
}

double of_group(const ChipGroup& group, std::size_t levels, std::size_t all_levels) {
    return levels == 0            ? 1.0
           : levels >= all_levels ? static_cast<double>(group.chips)
                                  : static_cast<double>(group.within[levels - 1]);
}

} // namespace

ChipGroup packed_group(const Network& network, std::int64_t chips) {
    ChipGroup group;
    group.chips = chips;
    const std::vector<std::int64_t> units = unit_chips(network);
    std::int64_t before = 1;
    for (std::size_t k = 0; k < group.within.size(); ++k) {
        const std::int64_t unit = k < units.size() ? units[k] / before : 1;
        const std::int64_t here = std::gcd(chips / before, std::max<std::int64_t>(unit, 1));
        before *= here;
        group.within[k] = before;
    }
    return group;
}

Result<LevelLaws> LevelLaws::of(const Machine& machine, ModelRules rules) {
    LevelLaws laws;
    laws.rules_ = rules;
    for (const Level& level : machine.network.levels) {
        if (level.kind == LevelKind::switched) {
            laws.levels_.push_back({level.kind, level.bandwidth.value.value() * level.efficiency.value,
                                    level.ports.value, in_seconds(level.latency.value), level.reduces});
            continue;
        }
        if (rules != ModelRules::exact) {
            return refuse(say("{} is a torus, for which no rules were published; the exact rules have it.",
                              machine.title));
        }
        const auto bandwidth = [](const TorusLinks& axis) { return axis.bandwidth.value; };
        const double link = level.axes.front().bandwidth.value.value();
        if (std::ranges::count(level.axes, Bandwidth(link), bandwidth) != std::ssize(level.axes)) {
            return refuse(
                say("{} has torus axes of different bandwidth; plans are made for axes that are alike.",
                    machine.title));
        }
        laws.levels_.push_back({level.kind, link, 1, in_seconds(machine.sync.value), false});
    }
    const auto launch = [&](Collective what) { return in_seconds(machine.launch_time(what)); };
    laws.gather_launch_ = launch(Collective::all_gather);
    laws.scatter_launch_ = launch(Collective::reduce_scatter);
    laws.send_launch_ = launch(Collective::send_receive);
    return laws;
}

double LevelLaws::places(const ChipGroup& group, std::size_t level) const {
    return of_group(group, level + 1, levels()) / of_group(group, level, levels());
}

LevelLaws::Stretch LevelLaws::stretch_from(const ChipGroup& group, std::size_t first) const {
    Stretch made{first, first + 1, 1, of_group(group, first, levels()), 0};
    while (levels_[first].kind == LevelKind::switched && made.end < levels() &&
           levels_[made.end].kind == LevelKind::switched) {
        ++made.end;
    }
    made.chips = of_group(group, made.end, levels()) / made.sharing;
    for (std::size_t level = first; level < made.end; ++level) {
        made.used += places(group, level) > 1 ? 1 : 0;
    }
    return made;
}

double LevelLaws::rounds(Collective what) const {
    // An all-reduce is a reduce-scatter and an all-gather; the published one sends twice only across domains
    // that have several of its chips, and takes its steps once.
    return what == Collective::all_reduce && !rules_.has(Slip::single_all_reduce) ? 2 : 1;
}

LevelLaws::Passing LevelLaws::passing(Collective what, const ChipGroup& group, const Stretch& stretch,
                                      std::size_t level) const {
    const Rates& its = levels_[level];
    const double chips = stretch.chips;
    const double sharing = of_group(group, level, levels()) / stretch.sharing; // chips that share the ports
    const double together = of_group(group, level + 1, levels()) / stretch.sharing;
    Passing made;
    made.ports = its.ports;
    if (what == Collective::send_receive) { // one chip of each unit sends across its border
        return made;
    }
    if (what == Collective::all_to_all) { // each chip brings its own across the border that they have to pass
        made.part = together - sharing;
        made.of = chips * chips;
        return made;
    }
    made.ports = (sharing == 1 && stretch.used == 1 && rules_.has(Slip::one_nic) ? 1 : its.ports) * sharing;
    if (its.reduces && what == Collective::all_reduce) {
        return made;
    }
    made.sends = stretch.used == 1 ? rounds(what) : what == Collective::all_reduce ? 2 : 1;
    // A ring passes once what switches add up, those within its places and those around it.
    double reduced = 1, reduced_within = 1;
    for (std::size_t k = stretch.first; k < stretch.end && what == Collective::all_reduce; ++k) {
        const double here = levels_[k].reduces ? places(group, k) : 1;
        reduced *= here;
        reduced_within *= k < level ? here : 1;
    }
    const double ring = chips / reduced;
    made.steps = (ring / sharing - ring / together) * reduced_within;
    // A panel that is broadcast passes every link whole; of what is gathered, each chip has its part already.
    if (!passes_whole(what)) {
        made.part = ring - 1;
        made.of = ring;
    }
    return made;
}

double LevelLaws::through_switches(Collective what, double bytes, const ChipGroup& group,
                                   const Stretch& stretch) const {
    double slowest = 0, steps = 0;
    for (std::size_t level = stretch.first; level < stretch.end; ++level) {
        if (places(group, level) <= 1) {
            continue;
        }
        const Rates& its = levels_[level];
        const Passing passing = this->passing(what, group, stretch, level);
        slowest = std::max(slowest, passing.seconds(bytes, its.rate));
        const double waits = its.latency * passing.steps;
        steps = at_once(what) ? std::max(steps, waits) : steps + waits;
    }
    return slowest + steps * rounds(what);
}

double LevelLaws::bytes_of(Collective what, double bytes, const ChipGroup& group,
                           const Stretch& stretch) const {
    const auto chips = static_cast<double>(group.chips);
    if (passes_whole(what) || what == Collective::send_receive || stretch.chips == chips) {
        return bytes;
    }
    return what == Collective::all_to_all ? bytes * stretch.chips / chips : bytes / stretch.sharing;
}

double LevelLaws::seconds(Collective what, double bytes, const ChipGroup& group) const {
    if (bytes == 0 || group.chips <= 1) {
        return 0;
    }
    double time = 0;
    for (std::size_t first = 0; first < levels();) {
        const Stretch stretch = stretch_from(group, first);
        if (stretch.chips > 1) {
            const double own = bytes_of(what, bytes, group, stretch);
            time += levels_[first].kind == LevelKind::switched
                        ? through_switches(what, own, group, stretch)
                        : along_rings(levels_[first], what, own, group, stretch.chips).time;
        }
        first = stretch.end;
    }
    return time;
}

double LevelLaws::seconds_at_once(std::span<const double> bytes, const ChipGroup& group) const {
    double slowest = 0, waits = 0;
    for (std::size_t level = 0; level < levels(); ++level) {
        const Rates& its = levels_[level];
        if (places(group, level) > 1 && bytes[level] > 0) {
            slowest = std::max(slowest, bytes[level] / (its.rate * its.ports));
            waits = std::max(waits, its.latency);
        }
    }
    return slowest + waits;
}

LevelLaws::RingTime LevelLaws::along_rings(const Rates& rings, Collective what, double bytes,
                                           const ChipGroup& group, double chips) const {
    if (what == Collective::all_reduce) {
        const RingTime scatter = along_rings(rings, Collective::reduce_scatter, bytes, group, chips);
        const RingTime gather = along_rings(rings, Collective::all_gather, bytes, group, chips);
        return {scatter.time + gather.time, scatter.waits + gather.waits};
    }
    std::array<AlongAxis, 3> axes{};
    std::size_t count = 0;
    for (const AlongAxis& axis : group.along) {
        if (axis.chips > 1) {
            axes[count++] = axis;
        }
    }
    if (what == Collective::all_to_all || what == Collective::send_receive) {
        // All axes at once: of what is exchanged, a quarter of an axis' chips pass its busiest link.
        const bool sends = what == Collective::send_receive;
        RingTime made{0, sends ? send_launch_ : gather_launch_};
        double slowest = 0;
        for (const AlongAxis& axis : std::span(axes).first(count)) {
            const double ways = axis.ring && !sends ? 2 : 1;
            const double hops = sends ? 1 : axis.ring ? axis.chips / 2 : axis.chips - 1;
            const double moved = sends ? bytes : bytes * axis.chips / (4 * chips);
            made.waits += hops * axis.stride * rings.latency;
            slowest = std::max(slowest, moved * axis.stride / (ways * rings.rate));
        }
        made.time = made.waits + slowest;
        return made;
    }
    const bool scatters = what == Collective::reduce_scatter || what == Collective::reduce;
    const double launch = scatters ? scatter_launch_ : gather_launch_;
    // Of an all-gather; a reduce-scatter is the same backwards.
    std::array<double, 3> held{}; // of each part, by one chip
    held.fill(bytes / static_cast<double>(count) / chips);
    RingTime made;
    for (std::size_t phase = 0; phase < count; ++phase) {
        double slowest = 0, its_waits = 0;
        for (std::size_t part = 0; part < count; ++part) {
            const AlongAxis& axis = axes[(part + phase) % count];
            const double steps = axis.chips - 1;
            const double stride = axis.stride;
            const double ways = axis.ring ? 2 : 1;
            const double moved = passes_whole(what) ? bytes / static_cast<double>(count) : held[part] * steps;
            const double waits = steps * stride * rings.latency;
            const double time = waits + moved * stride / (ways * rings.rate);
            its_waits = time > slowest ? waits : its_waits;
            slowest = std::max(slowest, time);
            held[part] *= axis.chips;
        }
        made.time += launch + slowest;
        made.waits += launch + its_waits;
    }
    return made;
}

double LevelLaws::seconds_over(double bytes, std::int64_t hops) const {
    const auto links = static_cast<double>(hops);
    const Rates& rings = levels_.front();
    return bytes == 0 ? 0 : send_launch_ + links * (rings.latency + bytes / rings.rate);
}

double LevelLaws::seconds_to_one(double bytes, std::size_t level) const {
    if (bytes == 0) {
        return 0;
    }
    const Rates& its = levels_[level];
    if (its.kind == LevelKind::rings) {
        return seconds_over(bytes, 1);
    }
    const double ports = level > 0 && rules_.has(Slip::one_nic) ? 1 : its.ports;
    return its.latency + bytes / (its.rate * ports);
}

std::vector<LevelTakes> LevelLaws::takes(Collective what, double bytes, const ChipGroup& group) const {
    std::vector<LevelTakes> all;
    for (std::size_t first = 0; first < levels();) {
        const Stretch stretch = stretch_from(group, first);
        const double own = bytes_of(what, bytes, group, stretch);
        for (std::size_t level = first; level < stretch.end; ++level) {
            if (places(group, level) <= 1) {
                continue;
            }
            const Rates& its = levels_[level];
            LevelTakes& made = all.emplace_back();
            made.level = level;
            made.places = static_cast<std::int64_t>(places(group, level));
            if (its.kind == LevelKind::rings) {
                const RingTime time = along_rings(its, what, own, group, stretch.chips);
                made.transfer = time.time - time.waits;
                made.waits = time.waits;
                continue;
            }
            const Passing passing = this->passing(what, group, stretch, level);
            made.transfer = passing.seconds(own, its.rate);
            made.steps = static_cast<std::int64_t>(passing.steps * rounds(what));
            made.step = its.latency;
            made.waits = its.latency * passing.steps * rounds(what);
        }
        first = stretch.end;
    }
    return all;
}

std::vector<SwitchLevel> CollectiveOnLevels::switches(const Network& network) const {
    std::vector<SwitchLevel> all;
    for (const LevelTakes& takes : levels) {
        const Level& level = network.levels[takes.level];
        const std::int64_t sharing = takes.level == 0 ? 1 : group.within[takes.level - 1];
        all.push_back(
            {takes.places, sharing, Bandwidth(level.line_rate()), level.reduces, takes.steps, takes.step});
    }
    return all;
}

const LevelTakes& CollectiveOnLevels::slowest() const {
    return *std::ranges::max_element(levels, {}, &LevelTakes::transfer);
}

Result<CollectiveOnLevels> collective_on_levels(const Machine& machine, Collective what, double bytes,
                                                std::int64_t chips) {
    const std::vector<Level>& levels = machine.network.levels;
    for (const Level& level : levels) {
        if (level.kind == LevelKind::rings) {
            return refuse(
                say("{} forms a torus, on which a group is one of axes, such as \"X=4\".", machine.title));
        }
    }
    if (chips < 2) {
        return refuse(say("{} chip has nothing to exchange; expected 2 or more.", chips));
    }
    const std::int64_t last = levels.back().units.value;
    const std::vector<std::int64_t> units = unit_chips(machine.network);
    const std::int64_t most = last * (units.empty() ? 1 : units.back());
    if (last > 0 && chips > most) {
        return refuse(say("The network of {} joins {} chips, fewer than {}.", machine.title, most, chips));
    }
    return LevelLaws::of(machine, ModelRules::exact).map([&](const LevelLaws& laws) {
        const ChipGroup group = packed_group(machine.network, chips);
        return CollectiveOnLevels{what, bytes, group, laws.seconds(what, bytes, group),
                                  laws.takes(what, bytes, group)};
    });
}

} // namespace meshslice
