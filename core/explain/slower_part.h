#pragma once

#include "core/scenario/scenario.h"
#include "core/step/bottleneck.h"
#include "core/step/training_step.h"

#include <array>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace meshslice {

/// A slower part that saves less than this share of the time is not named. Less than for other remedies,
/// because nobody expects it.
inline constexpr double least_saved_by_slower = 0.01;

/// What a slower part frees for those that wait.
enum class Freed : std::uint8_t {
    memory_for_cores, ///< HBM bandwidth that links would have taken in bursts from multiplications
    memory_for_links, ///< HBM bandwidth that links would have taken from copies and other links
    other,            ///< not known: latency or the memory itself is slower, or cores that share it
    folded_links      ///< links of a folded ring, because chips send in step
};
/// "memory_for_cores", "memory_for_links", "other", "folded_links"
[[nodiscard]] std::string_view id(Freed freed);

/// A part at less of its speed with which a run would end sooner. Where the memory of a chip or the links of
/// a folded ring are shared max-min fair, bursts of one user slow the others, also where nothing waits for
/// what the burst carries.
struct SlowerPart {
    Part part = Part::links;
    double times =
        1;     ///< its speed is divided by this; launches and synchronizations take so many times as long
    Time time; ///< simulated, of one copy of a GEMM, or of all GEMMs of a step
    Freed freed = Freed::other;

    bool operator==(const SlowerPart&) const = default;
};

/// How many times slower, or faster, parts are asked for: as far as people do.
inline constexpr std::array asked_times = {1.5, 2.0, 4.0};

/// The slower part with the shortest estimate, where a simulation with it ends so much sooner that it is
/// worth telling. Of `gemms` of a step that was simulated for the scenario, without faults: one copy of a
/// single one, all copies of several. None where chips share nothing by max-min fairness that a link could
/// take from others, and where GEMMs are made in stages, whose memory serves by other policies.
[[nodiscard]] std::optional<SlowerPart> slower_part(const std::vector<const GemmResult*>& gemms,
                                                    const Scenario& scenario,
                                                    const std::stop_token& stop = {});

} // namespace meshslice
