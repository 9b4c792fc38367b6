#pragma once

#include "core/scenario/scenario.h"

#include <string>
#include <vector>

namespace meshslice {

/// A field that two scenarios have different values of.
struct Difference {
    std::string name; ///< "batch", "HBM bandwidth"
    std::string from; ///< "128", "2.80 TB/s"
    std::string to;   ///< "256", "x 0.5"

    bool operator==(const Difference&) const = default;
};

/// In the order of the fields; of hardware that came from the same preset number by number.
[[nodiscard]] std::vector<Difference> differences(const Scenario& from, const Scenario& to);

/// "batch 256, HBM bandwidth x 0.5"; empty where there are none.
[[nodiscard]] std::string text(const std::vector<Difference>& differences);

} // namespace meshslice
