// What the autotuner has to say of its candidates.

#include "core/base/text.h"
#include "core/scenario/choices.h"
#include "core/search/autotune.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

/// One part of the time of a candidate and of the best.
struct Part {
    std::string words; ///< "of transfer"
    Time own, best;

    [[nodiscard]] Time loss() const { return own - best; }
};

constexpr std::array<std::string_view, 3> link_names = {"vertical links", "horizontal links",
                                                        "third axis' links"};

/// All GEMMs' communication, overlapped or not.
std::array<LinkTime, 3> links(const TrainingStep& step) {
    std::array<LinkTime, 3> sums{};
    for (const GemmResult& result : step.gemms) {
        for (std::size_t axis = 0; axis < sums.size(); ++axis) {
            sums[axis] += result.estimate.links[axis] * result.gemm.copies;
        }
    }
    return sums;
}

std::string time_reason(const Candidate& candidate, const Candidate& best) {
    if (candidate.step.time <= best.step.time) {
        return "as fast";
    }
    const auto own_links = links(candidate.step);
    const auto best_links = links(best.step);
    const bool one_ring = algorithm(candidate.step.algorithm).value()->torus_axes == 1;
    std::vector<Part> parts;
    for (std::size_t axis = 0; axis < own_links.size(); ++axis) {
        const auto place = one_ring ? std::string_view("ring") : link_names[axis];
        parts.push_back({fmt::format("its {}: {{}} of transfer against {{}}", place),
                         own_links[axis].transfer, best_links[axis].transfer});
        parts.push_back({fmt::format("its {}: {{}} of synchronisation against {{}}", place),
                         own_links[axis].sync, best_links[axis].sync});
        parts.push_back({fmt::format("its {}: {{}} of copying slices against {{}}", place),
                         own_links[axis].copy, best_links[axis].copy});
        parts.push_back({fmt::format("its {}: {{}} of launches against {{}}", place), own_links[axis].launch,
                         best_links[axis].launch});
    }
    const Part compute{"its multiplications: {} against {}", candidate.step.usage.compute,
                       best.step.usage.compute};
    parts.push_back(compute);
    const Part worst = *std::ranges::max_element(parts, {}, &Part::loss);
    // Where what it does more of is less than half of what it loses, it hides less of it.
    const Time loss = candidate.step.time - best.step.time;
    if (worst.loss() * 2 < loss) {
        return fmt::format("hides less: {} exposed against {}", text(candidate.step.usage.exposed),
                           text(best.step.usage.exposed));
    }
    if (text(worst.own) == text(worst.best)) {
        return fmt::format("hardly: {} behind", text(loss));
    }
    return fmt::format(fmt::runtime(worst.words), text(worst.own), text(worst.best));
}

} // namespace

std::string reason(const Tuning& tuning, const Candidate& candidate) {
    const Candidate& best = tuning.ranked.front();
    const std::string memory = fmt::format("{} of {}", text(candidate.memory.total()), text(tuning.capacity));
    if (!candidate.fits && tuning.fits_memory) {
        return fmt::format("does not fit: {}{}", memory,
                           candidate.step.time < best.step.time ? ", though faster" : "");
    }
    const std::string slower = &candidate == &best ? std::string() : time_reason(candidate, best);
    if (candidate.fits) {
        return slower;
    }
    return fmt::format("would not fit: {}{}{}", memory, slower.empty() ? "" : "; ", slower);
}

std::string slices_text(const Candidate& candidate) {
    if (!takes(*algorithm(candidate.step.algorithm).value(), OptionId::slices) ||
        candidate.step.gemms.empty()) {
        return {};
    }
    const auto [least, most] = std::ranges::minmax_element(
        candidate.step.gemms, {}, [](const GemmResult& one) { return one.options.slices; });
    const std::int64_t low = least->options.slices;
    const std::int64_t high = most->options.slices;
    return low == high ? fmt::format("S = {}", low) : fmt::format("S = {} to {}", low, high);
}

std::string finding(const Tuning& tuning) {
    const Candidate& best = tuning.ranked.front();
    const std::string slices = slices_text(best);
    const auto equals =
        std::ranges::count_if(
            tuning.ranked,
            [&](const Candidate& one) { return one.step.time == best.step.time && one.fits == best.fits; }) -
        1;
    const std::string others = equals == 0   ? ""
                               : equals == 1 ? "; one other is as fast"
                                             : fmt::format("; {} others are as fast", equals);
    return fmt::format("{}: {} {}{}{}: {}, {} of peak{}",
                       best.fits ? "Best" : "Nothing fits into the memory of a chip; the fastest", best.title,
                       mesh_text(best.step.torus), slices.empty() ? "" : ", ", slices, text(best.step.time),
                       percent_text(best.step.utilisation), others);
}

} // namespace meshslice
