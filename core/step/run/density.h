#pragma once

#include "core/step/training_step.h"

#include <cstddef>
#include <span>
#include <vector>

namespace meshslice {

/// A run from afar: for each of equally long parts of a stretch, how much of it the cores multiply and the
/// links are busy, averaged over them; 0 to 1.
struct StepDensity {
    std::vector<float> cores;
    std::vector<float> links;

    bool operator==(const StepDensity&) const = default;
};

/// As fine as the strip of a window shows it.
inline constexpr std::size_t density_parts = 800;
/// Of a step that records more busy intervals than this some of the chips stand for all: a window adds up in
/// the milliseconds between an edit and its picture.
inline constexpr std::size_t most_intervals_for_density = 100'000;

/// What was only estimated counts as idle.
[[nodiscard]] StepDensity density(const TrainingStep& step, Stretch whole, std::size_t parts,
                                  std::size_t most_intervals = most_intervals_for_density);

/// Of more cores or links than this some stand for all.
inline constexpr std::size_t most_rows_for_density = 1'024;
/// The same of some rows of the step's timelines (a row of the mesh, the cores), averaged over these. Of
/// memories alone: how much of it they serve GEMMs, and communication.
/// Where they have more intervals in the stretch than `most_intervals`, all copies and GEMMs together, some
/// of the rows stand for the others; of each copy at least one is added up.
[[nodiscard]] StepDensity density_of_rows(const TrainingStep& step, std::span<const std::size_t> rows,
                                          Stretch whole, std::size_t parts,
                                          std::size_t most_intervals = most_intervals_for_density);

} // namespace meshslice
