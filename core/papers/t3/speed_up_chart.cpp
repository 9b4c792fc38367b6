#include "core/papers/t3/speed_up_chart.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <array>

namespace meshslice {

MeanSpeedUps mean_speed_ups(const std::vector<CaseTimes>& cases) {
    std::array<std::vector<double>, 4> all;
    for (const CaseTimes& one : cases) {
        all[0].push_back(one.speed_up(one.t3));
        all[1].push_back(one.speed_up(one.t3_mca));
        all[2].push_back(one.speed_up(one.parts.overlapped()));
        all[3].push_back(one.speed_up(one.parts.overlapped_near_memory()));
    }
    return {geometric_mean(all[0]), geometric_mean(all[1]), geometric_mean(all[2]), geometric_mean(all[3])};
}

std::vector<ChartPanel> speed_up_panels(const std::vector<CaseTimes>& cases) {
    std::vector<ChartPanel> panels;
    for (const CaseTimes& one : cases) {
        if (panels.empty() || panels.back().title != one.of.model) {
            ChartPanel panel{one.of.model,
                             {said("sub-layer")},
                             {said("speed-up over one after the other"), ChartUnit::ratio}};
            panel.y.low = 1;
            panel.series = {{said("T3")},
                            {said("T3-MCA")},
                            {said("ideal overlap")},
                            {said("ideal, near-memory reduction")}};
            panel.series[0].role = Role::transferHorizontal;
            panel.series[1].role = Role::compute;
            panel.series[1].emphasized = true;
            panel.series[2].role = Role::quietText;
            panel.series[3].role = Role::sync;
            panels.push_back(std::move(panel));
        }
        ChartPanel& panel = panels.back();
        panel.x.categories.push_back(fmt::format("{} {}", one.of.gemm.chips, one.of.layer->name));
        panel.series[0].values.emplace_back(one.speed_up(one.t3));
        panel.series[1].values.emplace_back(one.speed_up(one.t3_mca));
        panel.series[2].values.emplace_back(one.speed_up(one.parts.overlapped()));
        panel.series[3].values.emplace_back(one.speed_up(one.parts.overlapped_near_memory()));
    }
    return panels;
}

Table speed_up_table(const std::vector<CaseTimes>& cases) {
    Table table{"Sub-layers one after the other and overlapped",
                {"case", "sequential_s", "T3_s", "T3-MCA_s", "ideal_s", "ideal_near_memory_s", "T3_ratio",
                 "T3-MCA_ratio", "ideal_ratio", "ideal_near_memory_ratio"},
                {}};
    for (const CaseTimes& one : cases) {
        const double ideal = one.parts.overlapped(), near_memory = one.parts.overlapped_near_memory();
        table.rows.push_back({text(one.of), one.parts.sequential(), one.t3, one.t3_mca, ideal, near_memory,
                              one.speed_up(one.t3), one.speed_up(one.t3_mca), one.speed_up(ideal),
                              one.speed_up(near_memory)});
    }
    return table;
}

} // namespace meshslice
