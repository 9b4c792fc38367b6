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

std::string time_reason(const Candidate& candidate, const Candidate& best) {
    if (candidate.time <= best.time) {
        return "as fast";
    }
    const auto own_links = candidate.links();
    const auto best_links = best.links();
    const bool one_ring = algorithm(candidate.algorithm).value()->torus_axes == 1;
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
    const Part compute{"its multiplications: {} against {}", candidate.compute(), best.compute()};
    parts.push_back(compute);
    const Part worst = *std::ranges::max_element(parts, {}, &Part::loss);
    // Where what it does more of is less than half of what it loses, it hides less of it.
    const Time loss = candidate.time - best.time;
    if (worst.loss() * 2 < loss) {
        return fmt::format("hides less: {} exposed against {}", text(candidate.exposed()),
                           text(best.exposed()));
    }
    if (text(worst.own) == text(worst.best)) {
        return fmt::format("hardly: {} behind", text(loss));
    }
    return fmt::format(fmt::runtime(worst.words), text(worst.own), text(worst.best));
}

} // namespace

std::string no_mesh(const Scenario& scenario, const Algorithm& algorithm) {
    const std::int64_t axes = scenario.hardware.torus_axes.value;
    return axes < 3 ? fmt::format("{} needs a torus of three axes; that of {} has {}.", algorithm.title,
                                  scenario.hardware.title, axes)
                    : fmt::format("{} needs layers of chips; one chip makes none.", algorithm.title);
}

std::string reason(const Tuning& tuning, const Candidate& candidate) {
    const Candidate& best = tuning.ranked.front();
    const std::string memory = fmt::format("{} of {}", text(candidate.memory.total()), text(tuning.capacity));
    if (!candidate.fits && tuning.fits_memory) {
        return fmt::format("does not fit: {}{}", memory, candidate.time < best.time ? ", though faster" : "");
    }
    const std::string slower = &candidate == &best ? std::string() : time_reason(candidate, best);
    if (candidate.fits) {
        return slower;
    }
    return fmt::format("would not fit: {}{}{}", memory, slower.empty() ? "" : "; ", slower);
}

std::string slices_text(const Candidate& candidate) {
    if (!takes(*algorithm(candidate.algorithm).value(), OptionId::slices) || candidate.products.empty()) {
        return {};
    }
    const auto [least, most] = std::ranges::minmax_element(
        candidate.products, {}, [](const TunedProduct& one) { return one.tuned.options.slices; });
    const std::int64_t low = least->tuned.options.slices;
    const std::int64_t high = most->tuned.options.slices;
    return low == high ? fmt::format("S = {}", low) : fmt::format("S = {} to {}", low, high);
}

std::string mesh_text(const Candidate& candidate) {
    if (algorithm(candidate.algorithm).value()->torus_axes != 1) {
        return fmt::format("{}", fmt::join(candidate.mesh, "x"));
    }
    const std::int64_t chips = chips_of(candidate.mesh);
    return chips == 1 ? "one chip" : fmt::format("ring of {}", chips);
}

std::string finding(const Tuning& tuning) {
    const Candidate& best = tuning.ranked.front();
    const std::string slices = slices_text(best);
    const auto equals = std::ranges::count_if(tuning.ranked,
                                              [&](const Candidate& one) {
                                                  return one.time == best.time && one.fits == best.fits;
                                              }) -
                        1;
    const std::string others = equals == 0   ? ""
                               : equals == 1 ? "; one other is as fast"
                                             : fmt::format("; {} others are as fast", equals);
    return fmt::format("{}: {} {}{}{}: {}, {} of peak{}",
                       best.fits ? "Best" : "Nothing fits into the memory of a chip; the fastest", best.title,
                       mesh_text(best), slices.empty() ? "" : ", ", slices, text(best.time),
                       percent_text(best.utilisation), others);
}

} // namespace meshslice
