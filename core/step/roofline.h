#pragma once

#include "core/figure/table.h"
#include "core/machine/machine.h"
#include "core/step/training_step.h"

#include <string>
#include <vector>

namespace meshslice {

/// A limit in a roofline: achieved FLOP/s <= flat, or <= intensity x bandwidth where it slants.
struct Roof {
    std::string name;
    double flop_per_s = 0;  ///< of a flat roof; 0 for a slanted one
    double bytes_per_s = 0; ///< slope of a slanted roof; 0 for a flat one

    bool operator==(const Roof&) const = default;
};

struct RooflinePoint {
    std::string algorithm; ///< id
    std::string variant;   ///< the step's, where it has one
    std::string title;     ///< "FF1 forward"
    double intensity = 0;  ///< FLOP per byte
    double achieved = 0;   ///< FLOP/s of one chip over the simulated time
    double attainable = 0; ///< the lowest roof at this intensity
    double time_share = 0; ///< of the step
    std::string bound;     ///< the name of that lowest roof
};

/// One log-log picture (scaling book, chapter 1; MeshSlice is about the second of the two).
struct Roofline {
    std::string title;
    std::string intensity_name; ///< "FLOP per byte of HBM traffic"
    std::vector<Roof> roofs;
    std::vector<RooflinePoint> points;
};

/// The chip: HBM and compute roofs; FLOP per byte that the multiplications read and write.
[[nodiscard]] Roofline chip_roofline(const std::vector<TrainingStep>& steps, const Scenario& scenario);
/// The links: FLOP of one chip per byte on the link that needs the most time for its bytes; the slanted roof
/// is that link's bandwidth, one way. Where axes have different bandwidths, there is a roof for each.
[[nodiscard]] Roofline link_roofline(const std::vector<TrainingStep>& steps, const Scenario& scenario);

/// A sentence where the scenario leaves memory out: how many GEMMs it would limit. Empty where memory is
/// counted.
[[nodiscard]] std::string memory_note(const TrainingStep& step, const Scenario& scenario);

[[nodiscard]] Table table(const Roofline& roofline);

} // namespace meshslice
