#include "core/simulate/fold.h"

#include <boost/functional/hash.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

using Colour = std::int32_t;

/// Numbers what differs, in the order in which it first comes.
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

/// By chip and link slot: the chip beside it; -1 where there is none.
std::vector<std::array<Chip, 6>> neighbours(const Torus& torus) {
    std::vector<std::array<Chip, 6>> all(static_cast<std::size_t>(torus.chips()));
    for (Chip chip = 0; chip < torus.chips(); ++chip) {
        std::array<Chip, 6>& beside = all[static_cast<std::size_t>(chip)];
        beside.fill(-1);
        for (int slot = 0; slot < torus.link_slots(); ++slot) {
            const auto neighbour =
                torus.neighbour(chip, static_cast<Axis>(slot / 2), static_cast<Direction>(slot % 2));
            beside[static_cast<std::size_t>(slot)] = neighbour.value_or(-1);
        }
    }
    return all;
}

/// What the ring position along an axis makes a chip do, in every operation and variant.
std::vector<Colour> position_colours(const Program& program, const Plans& plans, Axis axis) {
    std::vector<std::vector<std::int32_t>> duties(static_cast<std::size_t>(program.torus.size(axis)));
    for (std::size_t id = 0; id < plans.size(); ++id) {
        for (const OperationPlan& way : plans[id]) {
            if (!way.communication || way.communication->axis != axis) {
                continue;
            }
            for (std::size_t position = 0; position < duties.size(); ++position) {
                for (const Direction direction : both_directions) {
                    const auto d = static_cast<std::size_t>(direction);
                    const std::int32_t sends = way.sends[d][position];
                    std::vector<std::int32_t>& duty = duties[position];
                    duty.insert(duty.end(), {way.first_step[d][position], sends, way.arrivals[d][position]});
                    for (std::int32_t send = 0; send < sends; ++send) {
                        duty.push_back(way.communication->ring.arrivals_needed(
                            direction, static_cast<std::int32_t>(position), send));
                    }
                }
            }
        }
    }
    return numbered(duties).first;
}

/// What a chip does by itself: its duties in the rings, how far each skew moves its ring, and how fast.
std::pair<std::vector<Colour>, std::size_t> own_colours(const Program& program, const Plans& plans,
                                                        const Conditions& conditions) {
    const Torus& torus = program.torus;
    std::vector<std::vector<Colour>> keys(static_cast<std::size_t>(torus.chips()));
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        const std::vector<Colour> positions = position_colours(program, plans, axis);
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

} // namespace

ChipClasses fold(const Program& program, const Plans& plans, const Conditions& conditions) {
    const Torus& torus = program.torus;
    const auto& speeds = conditions.link_speed;
    const bool detours = std::ranges::find(speeds, 0.0) != speeds.end(); // cross links of chips far away
    if (conditions.jitter > Time(0) || detours) {
        return all_different(torus);
    }
    auto [colours, count] = own_colours(program, plans, conditions);
    const std::vector<std::array<Chip, 6>> beside = neighbours(torus);
    // The colours of a chip and of its neighbours, slot by slot.
    using Surroundings = std::array<Colour, 7>;
    std::vector<Surroundings> keys(colours.size());
    for (std::size_t before = 0; before != count && count < colours.size();) {
        before = count;
        for (std::size_t chip = 0; chip < keys.size(); ++chip) {
            keys[chip][0] = colours[chip];
            std::ranges::transform(beside[chip], keys[chip].begin() + 1, [&](Chip neighbour) {
                return neighbour < 0 ? -1 : colours[static_cast<std::size_t>(neighbour)];
            });
        }
        std::tie(colours, count) = numbered(keys);
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
