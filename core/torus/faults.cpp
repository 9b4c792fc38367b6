#include "core/torus/faults.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/torus/routes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <sstream>

namespace meshslice {
namespace {

constexpr std::string_view expected =
    "expected a chip's coordinates, a part (core, south, north, east, west, up or down) and the share of its "
    "speed that is left, such as \"3,5 east 50%\" or \"3,5 east dead\"";

struct Way {
    std::string_view word;
    Axis axis;
    Direction direction;
};
constexpr std::array<Way, 6> ways = {{{"south", Axis::vertical, Direction::forward},
                                      {"north", Axis::vertical, Direction::backward},
                                      {"east", Axis::horizontal, Direction::forward},
                                      {"west", Axis::horizontal, Direction::backward},
                                      {"up", Axis::third, Direction::forward},
                                      {"down", Axis::third, Direction::backward}}};

Result<std::vector<std::int32_t>> parse_coordinates(const std::string& words) {
    std::vector<std::int32_t> coordinates;
    std::istringstream parts(words + ','); // or an empty last part would not be seen
    for (std::string part; std::getline(parts, part, ',');) {
        const Result<std::int64_t> coordinate = parse_whole(part);
        if (!coordinate || *coordinate < 0 || *coordinate >= Torus::most_chips) {
            return refuse(say("\"{}\" is not a chip", shortened(words)));
        }
        coordinates.push_back(static_cast<std::int32_t>(*coordinate));
    }
    return coordinates;
}

std::optional<double> parse_share(std::string words) {
    if (words == "dead") {
        return 0.0;
    }
    const bool percent = words.ends_with('%');
    if (percent) {
        words.pop_back();
    }
    const Result<double> number = parse_quantity(words, "");
    return number ? std::optional(percent ? *number / 100 : *number) : std::nullopt;
}

/// The chip with these coordinates; none where the torus has no such.
std::optional<Chip> chip_at(const Torus& torus, const std::vector<std::int32_t>& coordinates) {
    if (static_cast<int>(coordinates.size()) != torus.axis_count()) {
        return std::nullopt;
    }
    Chip chip = 0;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
        const auto axis = static_cast<Axis>(k);
        if (coordinates[k] < 0 || coordinates[k] >= torus.size(axis)) {
            return std::nullopt;
        }
        chip = torus.along(chip, axis, coordinates[k]);
    }
    return chip;
}

/// `words`: as the fault was written.
Result<void> checked_speed(const Fault& fault, std::string_view words) {
    if (fault.part.is_core && fault.speed == 0) {
        return refuse(say("The fault \"{}\" leaves a core nothing; expected a share from {}% to 100%.", words,
                          100 * least_speed));
    }
    const bool dead = !fault.part.is_core && fault.speed == 0;
    if (!dead && !(fault.speed >= least_speed && fault.speed <= 1)) {
        return refuse(say("The fault \"{}\" leaves a share of {:.10g}%; expected from {}% to 100%{}.", words,
                          100 * fault.speed, 100 * least_speed,
                          fault.part.is_core ? std::string() : said(", or dead")));
    }
    return {};
}

/// A dead link's traffic goes round the other way: over the links of the opposite direction. On a folded ring
/// there is none to go by.
Result<void> not_cut(const Torus& torus, const Conditions& found) {
    for (const Link& link : torus.links()) {
        if (found.link(torus, link.chip, link_slot(link.axis, link.direction)) > 0 || torus.missing(link)) {
            continue;
        }
        const std::string name = say("The {} of chip {} is dead", link_text(link.axis, link.direction),
                                     place_text(torus, link.chip));
        if (!torus.wraps(link.axis)) {
            return refuse(
                say("{}, and without wrap-around there is no other way round: the torus is cut.", name));
        }
        if (torus.folded(link.axis)) {
            return refuse(
                say("{}, and a ring folded onto a line has no other way round: the torus is cut.", name));
        }
        for (std::int32_t place = 0; place < torus.size(link.axis); ++place) {
            const Chip chip = torus.along(link.chip, link.axis, place);
            const auto beyond = torus.neighbour(link.chip, link.axis, link.direction);
            const bool over_the_dead_one = chip == beyond; // Its way back is not on the detour.
            const Direction round = opposite(link.direction);
            if (!over_the_dead_one && found.link(torus, chip, link_slot(link.axis, round)) == 0) {
                return refuse(say("{}, and so is the {} of chip {}, by which its traffic would go round the "
                                  "other way: the torus is cut.",
                                  name, link_text(link.axis, round), place_text(torus, chip)));
            }
        }
    }
    return {};
}

} // namespace

std::string text(const FaultyPart& part) {
    std::string_view resource = "core";
    for (const Way& way : ways) {
        if (!part.is_core && way.axis == part.axis && way.direction == part.direction) {
            resource = way.word;
        }
    }
    return fmt::format("{} {}", fmt::join(part.chip, ","), resource);
}

std::string text(const Fault& fault) {
    const bool dead = !fault.part.is_core && fault.speed == 0;
    return fmt::format("{} {}", text(fault.part), dead ? "dead" : fmt::format("{:.10g}%", fault.speed * 100));
}

Result<Fault> parse_fault(std::string_view words) {
    std::istringstream in{std::string(words)};
    std::string place, part, share, rest;
    in >> place >> part >> share;
    const auto wrong = [&](const std::string& what) {
        return refuse(say("The fault \"{}\": {}; {}.", shortened(words), what, said(expected)));
    };
    if (share.empty() || in >> rest) {
        return wrong("it has not three words");
    }
    Fault fault;
    auto chip = parse_coordinates(place);
    if (!chip) {
        return wrong(chip.error().sentence);
    }
    fault.part.chip = *std::move(chip);
    fault.part.is_core = part == "core";
    bool known = fault.part.is_core;
    for (const Way& way : ways) {
        if (part == way.word) {
            fault.part.axis = way.axis;
            fault.part.direction = way.direction;
            known = true;
        }
    }
    if (!known) {
        return wrong(say("\"{}\" is not a part", shortened(part)));
    }
    const auto speed = parse_share(share);
    if (!speed) {
        return wrong(say("\"{}\" is not a share", shortened(share)));
    }
    fault.speed = *speed;
    if (const auto fits = checked_speed(fault, shortened(words)); !fits) {
        return refuse(fits.error());
    }
    return fault;
}

Conditions with_missing_links(const Torus& torus, Conditions conditions) {
    for (const Link& link : torus.links()) {
        if (torus.missing(link)) {
            const auto slots = static_cast<std::size_t>(torus.link_slots());
            if (conditions.link_speed.empty()) {
                conditions.link_speed.assign(static_cast<std::size_t>(torus.chips()) * slots, 1);
            }
            conditions.link_speed[static_cast<std::size_t>(link.chip) * slots +
                                  static_cast<std::size_t>(link_slot(link.axis, link.direction))] = 0;
        }
    }
    return conditions;
}

Result<Conditions> conditions(const Torus& torus, const Faults& faults) {
    if (faults.parts.size() > most_faults) {
        return refuse(say("There are {} faults; expected at most {}.", faults.parts.size(), most_faults));
    }
    if (faults.jitter < Time(0) || faults.jitter > most_jitter) {
        return refuse(
            say("The jitter is {}; expected from 0 to {}.", text(faults.jitter), text(most_jitter)));
    }
    Conditions found;
    found.jitter = faults.jitter;
    found.seed = faults.seed;
    constexpr double unnamed = -1;
    std::vector<double> cores(static_cast<std::size_t>(torus.chips()), unnamed);
    std::vector<double> links(cores.size() * static_cast<std::size_t>(torus.link_slots()), unnamed);
    bool any_core = false;
    bool any_link = false;
    for (const Fault& fault : faults.parts) {
        if (const auto fits = checked_speed(fault, text(fault)); !fits) {
            return refuse(fits.error());
        }
        const auto chip = chip_at(torus, fault.part.chip);
        if (!chip) {
            return refuse(say("The fault \"{}\" names a chip that the mesh {} does not have.", text(fault),
                              shape_text(torus)));
        }
        const FaultyPart& part = fault.part;
        const bool there = part.is_core || (torus.neighbour(*chip, part.axis, part.direction) &&
                                            !torus.missing({*chip, part.axis, part.direction}));
        if (!there) {
            return refuse(
                say("The fault \"{}\" names a link that the mesh {} does not have: that chip has no "
                    "neighbour there.",
                    text(fault), shape_text(torus)));
        }
        const auto at = static_cast<std::size_t>(*chip);
        const auto slot = static_cast<std::size_t>(part.is_core ? 0 : link_slot(part.axis, part.direction));
        double& speed =
            part.is_core ? cores[at] : links[at * static_cast<std::size_t>(torus.link_slots()) + slot];
        if (speed != unnamed) {
            return refuse(
                say("The fault \"{}\" names a part that another fault names already.", text(fault)));
        }
        speed = fault.speed;
        any_core = any_core || (part.is_core && fault.speed < 1);
        any_link = any_link || (!part.is_core && fault.speed < 1);
    }
    const auto healed = [](std::vector<double>& speeds) {
        for (double& speed : speeds) {
            speed = speed == unnamed ? 1 : speed;
        }
        return std::move(speeds);
    };
    if (any_core) {
        found.core_speed = healed(cores);
    }
    if (any_link) {
        found.link_speed = healed(links);
        if (const auto whole = not_cut(torus, found); !whole) {
            return refuse(whole.error());
        }
    }
    return found;
}

Result<Conditions> conditions_on_ring(const Torus& torus, const Faults& faults) {
    Result<Conditions> on_torus = conditions(torus, faults);
    if (!on_torus || (on_torus->core_speed.empty() && on_torus->link_speed.empty())) {
        return on_torus;
    }
    const Result<Walk> walk_or = walk_through(torus);
    if (!walk_or) {
        return refuse(walk_or.error());
    }
    const std::vector<Chip>* walk = &walk_or->chips;
    Conditions found;
    found.jitter = faults.jitter;
    found.seed = faults.seed;
    const std::size_t chips = walk->size();
    for (std::size_t k = 0; k < chips; ++k) {
        if (!on_torus->core_speed.empty()) {
            found.core_speed.push_back(on_torus->core((*walk)[k]));
        }
        if (on_torus->link_speed.empty()) {
            continue;
        }
        for (const Chip next : {(*walk)[(k + 1) % chips], (*walk)[(k + chips - 1) % chips]}) {
            double speed = 0;
            for (int a = 0; a < torus.axis_count(); ++a) {
                for (const Direction direction : both_directions) {
                    const auto axis = static_cast<Axis>(a);
                    if (torus.neighbour((*walk)[k], axis, direction) == next &&
                        !torus.missing({(*walk)[k], axis, direction})) {
                        speed =
                            std::max(speed, on_torus->link(torus, (*walk)[k], link_slot(axis, direction)));
                    }
                }
            }
            found.link_speed.push_back(speed);
        }
    }
    const Result<Torus> ring = Torus::create(std::vector<TorusAxis>{{torus.chips(), true, walk_or->folded}});
    if (!found.link_speed.empty()) {
        if (const auto whole = not_cut(*ring, found); !whole) {
            return refuse(whole.error());
        }
    }
    return found;
}

} // namespace meshslice
