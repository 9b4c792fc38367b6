#include "core/papers/meshslice/setup/two_readings.h"

#include "core/base/language.h"

#include <algorithm>
#include <utility>

namespace meshslice {

ChartPanel two_readings(std::string title, std::string category_name) {
    ChartPanel panel{
        std::move(title), {std::move(category_name)}, {said("FLOP utilization"), ChartUnit::share}};
    panel.series = {{said("estimated"), SeriesKind::line}, {said("simulated"), SeriesKind::line}};
    emphasize(panel.series[1]);
    return panel;
}

void add_category(ChartPanel& panel, std::string category, const TrainingStep& step) {
    panel.x.categories.push_back(std::move(category));
    panel.series[0].values.emplace_back(step.estimated_utilization);
    panel.series[1].values.emplace_back(step.utilization);
}

void add_empty_category(ChartPanel& panel, std::string category) {
    panel.x.categories.push_back(std::move(category));
    for (ChartSeries& series : panel.series) {
        series.values.emplace_back();
    }
}

BestCategories best_categories(const ChartPanel& panel) {
    const auto highest = [](const ChartSeries& series) {
        return static_cast<std::size_t>(std::ranges::max_element(series.values) - series.values.begin());
    };
    return {highest(panel.series[0]), highest(panel.series[1])};
}

} // namespace meshslice
