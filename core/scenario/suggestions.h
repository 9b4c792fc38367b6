#pragma once

#include "core/base/result.h"
#include "core/scenario/meshes.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// What a scenario that is refused could have instead, everything else as it is. Each has been tried: with it
/// the algorithm runs all GEMMs.
struct Suggestions {
    std::vector<std::int64_t> slices; ///< S; empty where S is not what does not fit
    bool closed_rings = false;        ///< wrap-around on all axes
    std::vector<Mesh> meshes;         ///< of the nearest number of chips that has any, tall ones first
    bool open_slices = false;         ///< the meshes work only with S left open

    bool operator==(const Suggestions&) const = default;
};

/// None where the scenario runs, and where no mesh of about as many chips helps.
[[nodiscard]] Suggestions suggestions(const Scenario& scenario, const std::string& algorithm);

/// "Slice counts that work: 1, 2, 4."; "Meshes of 25 chips that work: 5x5."; empty where there are none.
[[nodiscard]] std::string text(const Suggestions& suggestions);

/// The refusal of a scenario with what would work instead.
[[nodiscard]] Error with_suggestions(Error refusal, const Scenario& scenario, const std::string& algorithm);

} // namespace meshslice
