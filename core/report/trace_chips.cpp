#include "core/report/trace_chips.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

namespace meshslice {
namespace {

constexpr std::int32_t to_the_end = std::numeric_limits<std::int32_t>::max();

std::optional<std::int32_t> whole_number(std::string_view words) {
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
    const bool read = error == std::errc() && end == words.data() + words.size() && number >= 0;
    return read ? std::optional(number) : std::nullopt;
}

/// "3", "0..3", "*".
std::optional<TraceChips::Stretch> stretch(std::string_view words) {
    if (words == "*") {
        return TraceChips::Stretch{0, to_the_end};
    }
    const auto dots = words.find("..");
    if (dots == std::string_view::npos) {
        const auto one = whole_number(words);
        return one ? std::optional(TraceChips::Stretch{*one, *one}) : std::nullopt;
    }
    const auto first = whole_number(words.substr(0, dots));
    const auto last = whole_number(words.substr(dots + 2));
    return first && last && *first <= *last ? std::optional(TraceChips::Stretch{*first, *last})
                                            : std::nullopt;
}

std::optional<std::vector<TraceChips::Stretch>> box(std::string_view words) {
    std::vector<TraceChips::Stretch> all;
    while (true) {
        const auto comma = words.find(',');
        const auto one = stretch(words.substr(0, comma));
        if (!one) {
            return std::nullopt;
        }
        all.push_back(*one);
        if (comma == std::string_view::npos) {
            return all;
        }
        words.remove_prefix(comma + 1);
    }
}

/// One chip of each class: the lowest. Chips are alike that are so in every GEMM.
std::vector<Chip> one_of_each(const TrainingStep& step) {
    std::map<std::vector<std::int32_t>, Chip> first; // by the classes in each GEMM
    for (Chip chip = 0; chip < step.torus.chips(); ++chip) {
        std::vector<std::int32_t> classes;
        for (const GemmResult& gemm : step.gemms) {
            if (gemm.timeline) {
                classes.push_back(gemm.timeline->classes().representative(chip));
            }
        }
        first.emplace(std::move(classes), chip);
    }
    std::vector<Chip> chips;
    for (const auto& [classes, chip] : first) {
        chips.push_back(chip);
    }
    std::ranges::sort(chips);
    return chips;
}

} // namespace

std::string trace_chips_help() {
    return said("all, alike (one of each class of alike chips), or a list such as \"0,0 0,1\" or "
                "\"0..3,0\"; * is a whole axis");
}

Result<TraceChips> parse_trace_chips(const std::string& words) {
    std::istringstream in(words);
    TraceChips chips;
    std::string word;
    while (in >> word) {
        if (word == "all" || word == "alike") {
            std::string more;
            if (!chips.listed.empty() || in >> more) {
                return refuse(say("\"{}\" stands alone, without other chips.", word));
            }
            chips.which = word == "all" ? TraceChips::Which::all : TraceChips::Which::alike;
            return chips;
        }
        const auto one = box(word);
        if (!one) {
            return refuse(say("\"{}\" selects no chip; use {}.", shortened(word), trace_chips_help()));
        }
        chips.listed.push_back(*one);
    }
    if (chips.listed.empty()) {
        return refuse(say("No chip is named. Chips of a trace: {}.", trace_chips_help()));
    }
    chips.which = TraceChips::Which::listed;
    return chips;
}

Result<std::vector<Chip>> traced_chips(const TraceChips& chips, const TrainingStep& step) {
    const Torus& torus = step.torus;
    if (chips.which == TraceChips::Which::alike) {
        return one_of_each(step);
    }
    std::set<Chip> found;
    if (chips.which == TraceChips::Which::all) {
        for (Chip chip = 0; chip < torus.chips(); ++chip) {
            found.insert(found.end(), chip);
        }
    }
    for (const auto& listed : chips.listed) {
        if (listed.size() != static_cast<std::size_t>(torus.axis_count())) {
            return refuse(say("A chip of {} has other coordinates: its mesh is {}.", title(step),
                              mesh_text(step.torus)));
        }
        std::vector<Chip> box = {0};
        for (std::size_t k = 0; k < listed.size(); ++k) {
            const auto axis = static_cast<Axis>(k);
            const auto [first, last] = listed[k];
            if (first >= torus.size(axis) || (last != to_the_end && last >= torus.size(axis))) {
                return refuse(say("{} has no chip with coordinate {} along axis {}: its mesh is {}.",
                                  title(step), last == to_the_end || first >= torus.size(axis) ? first : last,
                                  k + 1, mesh_text(step.torus)));
            }
            std::vector<Chip> next;
            for (const Chip chip : box) {
                for (std::int32_t at = first; at <= std::min(last, torus.size(axis) - 1); ++at) {
                    next.push_back(torus.along(chip, axis, at));
                }
            }
            box = std::move(next);
        }
        found.insert(box.begin(), box.end());
    }
    return std::vector<Chip>(found.begin(), found.end());
}

} // namespace meshslice
