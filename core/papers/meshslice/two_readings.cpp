#include "core/papers/meshslice/two_readings.h"

#include <algorithm>
#include <utility>

namespace meshslice {

Panel two_readings(std::string title, std::string category_name) {
    return {std::move(title),
            std::move(category_name),
            {},
            "FLOP utilisation",
            PanelUnit::share,
            false,
            {{"estimated", {}, {}}, {"simulated", {}, {}}}};
}

void add_category(Panel& panel, std::string category, const TrainingStep& step) {
    panel.categories.push_back(std::move(category));
    panel.series[0].values.emplace_back(step.estimated_utilisation);
    panel.series[1].values.emplace_back(step.utilisation);
}

void add_empty_category(Panel& panel, std::string category) {
    panel.categories.push_back(std::move(category));
    for (Series& series : panel.series) {
        series.values.emplace_back();
    }
}

BestCategories best_categories(const Panel& panel) {
    const auto highest = [](const Series& series) {
        return static_cast<std::size_t>(std::ranges::max_element(series.values) - series.values.begin());
    };
    return {highest(panel.series[0]), highest(panel.series[1])};
}

} // namespace meshslice
