#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace meshslice {

struct TrainingRow;

/// Of the measured runs that come with the program the one whose step came closest to its ideal time.
struct ClosestToIdeal {
    double times = 1;      ///< so many times its ideal time it took at most
    std::int64_t runs = 0; ///< of so many
    std::string id, model, hardware, recipe, framework;
    std::int64_t chips = 0;
    bool experts = false; ///< of models with experts; else of those without

    bool operator==(const ClosestToIdeal&) const = default;
};

/// Seconds that the program says of a run's plan on the machine that comes with its chip. What a run does not
/// say, such as what it computes again, is taken as its plan is the fastest. None where it cannot be put as a
/// plan.
[[nodiscard]] std::optional<double> shortest_ideal(const TrainingRow& row);
/// Among runs of models with experts, or of those without, by shortest_ideal(): the ideal time of a run may
/// be longer, and then it came closer than `times`. None where no run can be put as a plan.
[[nodiscard]] std::optional<ClosestToIdeal> closest_to_ideal(bool experts);
/// The same where it took more than `times` its ideal time; else none, which is mostly known without a plan
/// for each run.
[[nodiscard]] std::optional<ClosestToIdeal> closest_above(double times, bool experts);

} // namespace meshslice
