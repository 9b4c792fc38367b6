#include "core/papers/transformers/generations.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {

std::vector<ClusterKind> cluster_kinds(const Machine& asked) {
    std::vector<ClusterKind> kinds;
    const std::array chips = {std::pair("a100", "A100"), std::pair("h200", "H200"),
                              std::pair("b200", "B200")};
    for (std::size_t generation = 0; generation < chips.size(); ++generation) {
        for (const std::int64_t domain : {4, 8, 64}) {
            kinds.push_back({*machine_preset(fmt::format("{}-nvs{}", chips[generation].first, domain)),
                             generation, domain, fmt::format("{}, {}", chips[generation].second, domain),
                             chips[generation].second});
        }
    }
    if (std::ranges::find(kinds, asked, &ClusterKind::hardware) == kinds.end()) {
        const Level* domain = switched_domain(asked.network);
        kinds.push_back(
            {asked, chips.size(), domain == nullptr ? 1 : domain->units.value, asked.title, asked.title});
    }
    return kinds;
}

std::vector<ChartPanel> cluster_panels(const std::string& title, const ChartAxis& values,
                                       const std::vector<std::int32_t>& chips,
                                       const std::vector<ClusterKind>& kinds,
                                       const std::vector<std::vector<std::optional<double>>>& all) {
    constexpr std::array roles = {Role::transferVertical, Role::compute, Role::transferHorizontal};
    std::vector<ChartPanel> panels;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        if (k == 0 || kinds[k].generation != kinds[k - 1].generation) {
            ChartPanel panel{fmt::format("{}, {}", title, kinds[k].family), {said("chips")}, values};
            panel.x.where = "on {} chips";
            for (const std::int32_t count : chips) {
                panel.x.categories.push_back(fmt::to_string(count));
            }
            panels.push_back(std::move(panel));
        }
        ChartSeries series{say("domains of {}", kinds[k].domain), SeriesKind::line, all[k]};
        series.role = roles[panels.back().series.size() % roles.size()];
        series.emphasized = kinds[k].domain == 8;
        panels.back().series.push_back(std::move(series));
    }
    return panels;
}

} // namespace meshslice
