#include "core/simulate/engine/fold.h"

#include <boost/functional/hash.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

using Colour = std::int32_t;

constexpr std::size_t chips_between_looks = 4096;

/// Gives each distinct key a number, in the order of first appearance.
template <class Key>
std::pair<std::vector<Colour>, std::size_t> numbered(const std::vector<Key>& keys) {
    const auto hash = [&](std::uint32_t k) { return boost::hash<Key>()(keys[k]); };
    const auto alike = [&](std::uint32_t one, std::uint32_t other) { return keys[one] == keys[other]; };
    std::unordered_map<std::uint32_t, Colour, decltype(hash), decltype(alike)> seen(keys.size(), hash, alike);
    std::vector<Colour> colours;
    colours.reserve(keys.size());
    for (std::uint32_t k = 0; k < keys.size(); ++k) {
        colours.push_back(seen.try_emplace(k, static_cast<Colour>(seen.size())).first->second);
    }
    return {std::move(colours), seen.size()};
}

/// By chip and link slot: the neighbour there; -1 where there is none.
std::vector<std::array<Chip, 6>> neighbours_of(const Torus& torus) {
    std::vector<std::array<Chip, 6>> all(static_cast<std::size_t>(torus.chips()));
    for (Chip chip = 0; chip < torus.chips(); ++chip) {
        std::array<Chip, 6>& own = all[static_cast<std::size_t>(chip)];
        own.fill(-1);
        for (int slot = 0; slot < torus.link_slots(); ++slot) {
            const auto neighbour =
                torus.neighbour(chip, static_cast<Axis>(slot / 2), static_cast<Direction>(slot % 2));
            own[static_cast<std::size_t>(slot)] = neighbour.value_or(-1);
        }
    }
    return all;
}

/// The first step of each direction, its sends and arrivals, and what they need; the order of production.
using Duty = std::array<std::int32_t, 11>;

/// What the ring position along an axis makes a chip do in one way of an operation: its first step, sends and
/// arrivals, and how many arrivals its first two sends need; every further one needs as many more as the
/// second. Where all chips make the chunks of a fed ring in the same order, that order stands elsewhere to
/// each one's own chunk.
Duty duty(const OperationPlan& way, std::size_t position) {
    Duty all{};
    all.back() =
        way.fed && way.fed->order == ChunkOrder::unstaggered ? static_cast<std::int32_t>(position) : 0;
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        const std::int32_t sends = way.sends[d][position];
        const auto needed = [&](std::int32_t send) {
            return send < sends ? way.communication->ring.arrivals_needed(
                                      direction, static_cast<std::int32_t>(position), send)
                                : 0;
        };
        std::ranges::copy(
            std::array{way.first_step[d][position], sends, way.arrivals[d][position], needed(0), needed(1)},
            all.begin() + static_cast<std::ptrdiff_t>(5 * d));
    }
    return all;
}

/// The places along an axis that do the same in every operation and variant: distinguished way by way, until
/// no two are alike.
std::vector<Colour> position_colours(const Program& program, const Plans& plans, Axis axis,
                                     const Stopped& stopped) {
    std::vector<Colour> colours(static_cast<std::size_t>(program.torus.size(axis)));
    std::size_t count = 1;
    for (const std::vector<OperationPlan>& ways : plans) {
        for (const OperationPlan& way : ways) {
            if (count == colours.size() || stopped()) {
                return colours;
            }
            if (!way.communication || way.communication->axis != axis) {
                continue;
            }
            std::vector<std::pair<Colour, Duty>> keys;
            keys.reserve(colours.size());
            for (std::size_t position = 0; position < colours.size(); ++position) {
                keys.emplace_back(colours[position], duty(way, position));
            }
            std::tie(colours, count) = numbered(keys);
        }
    }
    return colours;
}

/// What a chip does by itself: its duties in the rings, how far each skew moves its ring, and its speeds.
std::pair<std::vector<Colour>, std::size_t> own_colours(const Program& program, const Plans& plans,
                                                        const Conditions& conditions,
                                                        const Stopped& stopped) {
    const Torus& torus = program.torus;
    std::vector<std::vector<Colour>> keys(static_cast<std::size_t>(torus.chips()));
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        const std::vector<Colour> positions = position_colours(program, plans, axis, stopped);
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            keys[static_cast<std::size_t>(chip)].push_back(
                positions[static_cast<std::size_t>(torus.coordinate(chip, axis))]);
        }
    }
    for (const Operation& operation : program.operations) {
        const auto* shift = std::get_if<Shift>(&operation);
        for (Chip chip = 0; shift && shift->is_skew() && chip < torus.chips(); ++chip) {
            keys[static_cast<std::size_t>(chip)].push_back(variant(program, operation, 0, chip));
        }
    }
    if (!conditions.healthy()) {
        std::vector<std::pair<std::vector<Colour>, std::vector<double>>> with_speeds(keys.size());
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            auto& [key, speeds] = with_speeds[static_cast<std::size_t>(chip)];
            key = std::move(keys[static_cast<std::size_t>(chip)]);
            speeds.push_back(conditions.core(chip));
            for (int slot = 0; slot < torus.link_slots(); ++slot) {
                speeds.push_back(conditions.link(torus, chip, slot));
            }
        }
        return numbered(with_speeds);
    }
    return numbered(keys);
}

/// Chips of one class whose neighbours are of other classes than the rest's.
struct Leaving {
    Colour from = 0;
    std::array<Colour, 6> around{}; ///< the classes of the neighbours, by slot
    std::vector<Chip> chips;
};

/// Splits classes until all chips of a class have neighbours of the same classes, slot by slot; numbered in
/// the order of first appearance. After the first round only chips next to one that has left its class are
/// looked at again, so that what a fault makes different spreads at the price of the chips it reaches.
std::vector<Colour> refined(std::vector<Colour> colours, std::size_t count,
                            const std::vector<std::array<Chip, 6>>& neighbours, const Stopped& stopped) {
    const auto colour = [&](Chip chip) { return chip < 0 ? -1 : colours[static_cast<std::size_t>(chip)]; };
    std::vector<std::optional<std::array<Colour, 6>>> seen(count); ///< by class, by those who stay in it
    std::vector<std::size_t> sizes(count);                         ///< by class
    for (const Colour own : colours) {
        ++sizes[static_cast<std::size_t>(own)];
    }
    std::vector<std::size_t> stay = sizes; // of each class, in a round
    std::vector<Chip> look(colours.size());
    std::iota(look.begin(), look.end(), 0);
    std::vector<bool> looked_at(colours.size());
    std::size_t looked = 0;
    while (!look.empty() && sizes.size() < colours.size() && !stopped()) {
        std::vector<Leaving> leaving;
        std::unordered_map<std::array<Colour, 7>, std::size_t, boost::hash<std::array<Colour, 7>>> groups;
        for (const Chip chip : look) {
            if (++looked % chips_between_looks == 0 && stopped()) {
                return colours;
            }
            Leaving own{colour(chip), {}, {}};
            std::ranges::transform(neighbours[static_cast<std::size_t>(chip)], own.around.begin(), colour);
            const auto from = static_cast<std::size_t>(own.from);
            if (seen[from] == own.around) {
                continue;
            }
            std::array<Colour, 7> key{own.from};
            std::ranges::copy(own.around, key.begin() + 1);
            const auto [group, is_new] = groups.try_emplace(key, leaving.size());
            if (is_new) {
                leaving.push_back(std::move(own));
            }
            leaving[group->second].chips.push_back(chip);
            --stay[from];
        }
        look.clear();
        for (const Leaving& group : leaving) {
            const auto from = static_cast<std::size_t>(group.from);
            if (stay[from] == 0) { // No chip stays: the first group keeps the class's number.
                seen[from] = group.around;
                stay[from] = group.chips.size();
                continue;
            }
            for (const Chip chip : group.chips) {
                colours[static_cast<std::size_t>(chip)] = static_cast<Colour>(sizes.size());
                for (const Chip neighbour : neighbours[static_cast<std::size_t>(chip)]) {
                    if (neighbour >= 0 && !looked_at[static_cast<std::size_t>(neighbour)]) {
                        looked_at[static_cast<std::size_t>(neighbour)] = true;
                        look.push_back(neighbour);
                    }
                }
            }
            sizes[from] -= group.chips.size();
            sizes.push_back(group.chips.size());
            stay.push_back(group.chips.size());
            seen.emplace_back(group.around);
        }
        for (const Leaving& group : leaving) {
            stay[static_cast<std::size_t>(group.from)] = sizes[static_cast<std::size_t>(group.from)];
        }
        for (const Chip chip : look) {
            looked_at[static_cast<std::size_t>(chip)] = false;
        }
    }
    return numbered(colours).first;
}

} // namespace

ChipClasses fold(const Program& program, const Plans& plans, const Conditions& conditions,
                 const Stopped& stopped) {
    const Torus& torus = program.torus;
    const auto& speeds = conditions.link_speed;
    const bool detours = std::ranges::find(speeds, 0.0) != speeds.end(); // cross links of chips far away
    if (conditions.jitter > Time(0) || detours) {
        return all_different(torus);
    }
    // Once stopped, whatever asks again hears so.
    bool over = false;
    const Stopped once = [&] { return over = over || (stopped && stopped()); };
    auto [colours, count] = own_colours(program, plans, conditions, once);
    colours = refined(std::move(colours), count, neighbours_of(torus), once);
    if (over) {
        return {};
    }
    ChipClasses result;
    result.class_of = std::move(colours);
    for (Chip chip = 0; chip < torus.chips(); ++chip) {
        if (static_cast<std::size_t>(result.class_of[static_cast<std::size_t>(chip)]) == result.count()) {
            result.representatives.push_back(chip);
        }
    }
    return result;
}

} // namespace meshslice
