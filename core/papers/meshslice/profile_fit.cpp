#include "core/papers/meshslice/profile_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t constants = 3;
using Point = std::array<double, constants>; ///< seconds, seconds, bytes/s

constexpr Point beginning = {10e-6, 30e-6, 45e9};
constexpr Point first_step = {4e-6, 12e-6, 9e9};
constexpr double last_step = 1.0 / 64; ///< of the first
/// The ends of the search: no negative time; no bandwidth above the physical link's; no launch of a SendRecv
/// with which FSDP would launch for longer than it transfers, which the paper's Figure 10 denies.
constexpr Point least = {0, 0, 20e9};
constexpr Point most = {50e-6, 45e-6, 45e9};

Machine with(const Machine& start, const Point& point) {
    Machine hardware = start;
    hardware.sync.value = seconds(point[0]);
    hardware.launch[Collective::send_receive].value = seconds(point[1]);
    hardware.network.set_link_bandwidth(Bandwidth(point[2]));
    return hardware;
}

/// The ten that the paper states in numbers.
Result<std::vector<ClaimOutcome>> residuals(const Machine& hardware) {
    return paper_claims(hardware).map([](std::vector<ClaimOutcome> all) {
        std::erase_if(all, [](const ClaimOutcome& one) { return !one.paper; });
        return all;
    });
}

Result<ProfileFit> with_residuals(ProfileFit fit) {
    auto all = residuals(fit.hardware);
    if (!all) {
        return refuse(all.error());
    }
    fit.residuals = *std::move(all);
    for (const ClaimOutcome& one : fit.residuals) {
        const double size = std::abs(one.deviation());
        fit.mean_deviation += size / static_cast<double>(fit.residuals.size());
        fit.largest_deviation = std::max(fit.largest_deviation, size);
    }
    return fit;
}

} // namespace

Result<ProfileFit> fit_profile(const Machine& start, const RunControl& control) {
    ProfileFit fit;
    std::map<Point, Result<double>> known; // The search comes by where it was, and stops at the ends.
    const auto deviation = [&](const Point& point) -> Result<double> {
        if (const auto before = known.find(point); before != known.end()) {
            return before->second;
        }
        ++fit.tries;
        const auto sum = residuals(with(start, point)).map([](const std::vector<ClaimOutcome>& all) {
            double together = 0;
            for (const ClaimOutcome& one : all) {
                together += std::pow(one.deviation(), 12); // So that the largest is small.
            }
            return together;
        });
        known.emplace(point, sum);
        return sum;
    };
    Point best = beginning;
    Result<double> least_deviation = deviation(best);
    if (!least_deviation) {
        return refuse(least_deviation.error());
    }
    for (double share = 1; share >= last_step;) {
        bool better = false;
        for (std::size_t constant = 0; constant < constants; ++constant) {
            for (const double way : {1.0, -1.0}) {
                if (control.stop.stop_requested()) {
                    return cancelled();
                }
                Point tried = best;
                tried[constant] = std::clamp(tried[constant] + way * share * first_step[constant],
                                             least[constant], most[constant]);
                const Result<double> there = deviation(tried);
                if (there && *there < *least_deviation) {
                    best = tried;
                    least_deviation = there;
                    better = true;
                }
            }
        }
        share = better ? share : share / 2;
    }
    fit.hardware = with(start, best);
    fit.free = {{"synchronization per hop", best[0], "s"},
                {"launch of a SendRecv", best[1], "s"},
                {"bandwidth of a link, one way", best[2], "B/s"}};
    return with_residuals(std::move(fit));
}

Result<ProfileFit> unfitted_profile(const Machine& hardware) {
    ProfileFit fit;
    fit.hardware = hardware;
    return with_residuals(std::move(fit));
}

} // namespace meshslice
