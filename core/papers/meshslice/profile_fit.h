#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/machine/machine.h"
#include "core/papers/meshslice/paper_claims.h"

#include <string>
#include <vector>

namespace meshslice {

/// Constants of a machine fitted to the ten numbers that the paper states about fully connected layers on 256
/// chips (see paper_claims).
struct ProfileFit {
    struct Constant {
        std::string name; ///< "synchronization per hop"
        double value = 0; ///< base unit
        std::string unit;
    };

    Machine hardware;
    std::vector<Constant> free;
    std::vector<ClaimOutcome> residuals; ///< the ten, with the fitted constants
    double mean_deviation = 0;           ///< of their relative sizes
    double largest_deviation = 0;
    int tries = 0; ///< of different profiles
};

/// Fits three constants: synchronization per hop, launching a SendRecv, and the bandwidth of a link, all else
/// as `start` has it. Least sum of the twelfth powers of the relative deviations by a pattern search (Hooke
/// and Jeeves, 1961) from fixed beginnings with halving steps, so the same everywhere. The closed form is a
/// staircase in its constants (S and mesh are chosen again at every try), which rules out gradients.
[[nodiscard]] Result<ProfileFit> fit_profile(const Machine& start, const RunControl& control = {});

/// The ten numbers with the hardware as it is: nothing is free, nothing tried.
[[nodiscard]] Result<ProfileFit> unfitted_profile(const Machine& hardware);

} // namespace meshslice
