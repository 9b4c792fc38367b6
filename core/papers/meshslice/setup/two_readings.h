#pragma once

#include "core/papers/meshslice/setup/paper_setup.h"
#include "core/step/training_step.h"

#include <cstddef>
#include <string>

namespace meshslice {

/// A panel with the estimate of every category next to its simulation.
[[nodiscard]] ChartPanel two_readings(std::string title, std::string category_name);
/// The FLOP utilizations of a simulated step, as one more category.
void add_category(ChartPanel& panel, std::string category, const TrainingStep& step);
/// One more category, in which nothing runs.
void add_empty_category(ChartPanel& panel, std::string category);

/// The categories at which each of the two is highest, the first where several are; of a panel with at least
/// one.
struct BestCategories {
    std::size_t estimated = 0;
    std::size_t simulated = 0;
};
[[nodiscard]] BestCategories best_categories(const ChartPanel& panel);

} // namespace meshslice
