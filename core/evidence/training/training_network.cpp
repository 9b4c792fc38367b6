#include "core/evidence/training/training_network.h"

#include "core/calibrate/measured_rows.h"
#include "core/cost/collective/fitted_collectives.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>

namespace meshslice {
namespace {

/// No collective was measured on a torus of TPUs: about as much of the links as NVLink reaches.
constexpr double torus_share = 0.8;
constexpr double bits_in_byte = 8;
constexpr double large_gather = 1e9; ///< bytes of an all-gather that latency does not matter to

/// Bytes/s that leave each of `chips` in an all-gather of large_gather tensors.
double gathered_rate(AchievedAsked asked) {
    asked.operation = "all_gather";
    asked.stack = "nccl";
    asked.bytes = large_gather;
    const auto chips = static_cast<double>(asked.chips);
    return large_gather * (chips - 1) / chips / fitted_collectives().constants.seconds(asked);
}

/// Within a domain; 0 where nothing is known of its fabric.
double inside_rate(const std::string& hardware) {
    const FabricCatalogue& known = known_fabrics();
    const FabricsOfHardware* const of = known.of(hardware);
    if (of == nullptr) {
        return 0;
    }
    AchievedAsked asked;
    asked.inside = known.fabric(of->inside);
    asked.chips = 8;
    asked.per_server = 8;
    return gathered_rate(asked);
}

/// Of the line rate of links between servers, what an all-gather over four of them reaches.
double outside_share() {
    static const double share = [] {
        constexpr double otherwise = 0.85;
        const FabricCatalogue& known = known_fabrics();
        AchievedAsked asked;
        asked.inside = known.fabric("nvlink4");
        asked.outside = known.fabric("ndr");
        if (asked.inside == nullptr || asked.outside == nullptr) {
            return otherwise;
        }
        constexpr std::int64_t servers = 4, each = 8;
        asked.chips = servers * each;
        asked.servers = servers;
        asked.per_server = each;
        const double links = asked.outside->line_rate * asked.outside->nics_per_node;
        return std::clamp(gathered_rate(asked) / links, 0.3, 1.0);
    }();
    return share;
}

struct ToldNumber {
    double value = 0;
    std::size_t end = 0; ///< behind it
};
std::optional<ToldNumber> whole_at(std::string_view words, std::size_t at) {
    ToldNumber made{0, at};
    while (made.end < words.size() && std::isdigit(static_cast<unsigned char>(words[made.end])) != 0) {
        made.value = 10 * made.value + (words[made.end] - '0');
        ++made.end;
    }
    return made.end > at ? std::optional(made) : std::nullopt;
}

/// Slices of a torus that a row tells: "2 slice(s) of 256 chips".
double told_slices(std::string_view words) {
    const std::size_t at = words.find(" slice");
    std::size_t begin = at;
    while (begin != std::string_view::npos && begin > 0 &&
           std::isdigit(static_cast<unsigned char>(words[begin - 1])) != 0) {
        --begin;
    }
    const auto told = at == std::string_view::npos ? std::nullopt : whole_at(words, begin);
    return told ? std::max(1.0, told->value) : 1;
}

} // namespace

double told_rate(std::string_view text, double per_node) {
    const std::string small = small_word(text);
    const std::string_view words = small;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const auto first = whole_at(words, at);
        if (!first) {
            continue;
        }
        at = first->end;
        if (at < words.size() && words[at] == 'x') {
            if (const auto second = whole_at(words, at + 1)) { // "8x400G": of a node
                const std::size_t unit = words.find_first_not_of(' ', second->end);
                if (unit != std::string_view::npos && words[unit] == 'g') {
                    return first->value * second->value * 1e9 / bits_in_byte / per_node;
                }
            }
            continue;
        }
        const std::size_t unit = words.find_first_not_of(' ', at);
        if (unit == std::string_view::npos || words[unit] != 'g' ||
            words.substr(unit).starts_with("gb/s e")) {
            continue;
        }
        const std::string_view rest = words.substr(unit);
        for (const std::string_view gigabits : {"gb/s", "g"}) {
            if (rest.starts_with(gigabits)) {
                const double rate = first->value * 1e9 / bits_in_byte;
                const std::string_view of = rest.substr(gigabits.size());
                if (of.starts_with(" per gpu")) {
                    return rate;
                }
                if (of.starts_with(" per node")) {
                    return rate / per_node;
                }
            }
        }
    }
    return 0;
}

double TrainingNetwork::ring(double chips, double apart) const {
    const double near = apart < domain ? std::max(1.0, std::min(chips, std::floor(domain / apart))) : 1;
    return near >= chips ? inside : std::min(inside, outside * near);
}

TrainingNetwork network_of(const TrainingRow& row) {
    TrainingNetwork made;
    if (row.chip == nullptr) {
        return made;
    }
    const TrainingChip& chip = *row.chip;
    if (chip.torus()) {
        made.domain = std::max(1.0, std::floor(row.chips / told_slices(row.interconnect)));
        made.inside = torus_share * chip.inside * chip.inside_times;
        made.outside = torus_share * chip.outside * chip.outside_times;
        return made;
    }
    static const std::map<std::string, double> inside = [] {
        std::map<std::string, double> all;
        for (const TrainingChip& one : training_facts().chips) {
            all[one.name] = inside_rate(one.name);
        }
        return all;
    }();
    const auto found = inside.find(chip.name);
    made.inside = found != inside.end() && found->second > 0 ? found->second : torus_share * chip.inside;
    made.inside *= chip.inside_times;
    made.domain = std::max(static_cast<double>(chip.domain), chip.domain > 8 ? 0 : row.per_node);
    const double told = told_rate(row.interconnect, row.per_node);
    made.outside = outside_share() * (told > 0 ? told : chip.outside) * chip.outside_times;
    return made;
}

} // namespace meshslice
