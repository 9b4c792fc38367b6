#include "core/report/chart/flow_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace meshslice {

const FoundFlows::Link* FoundFlows::busiest(int tier) const {
    const Link* most = nullptr;
    for (const Link& one : links) {
        if (one.tier == tier && (most == nullptr || one.use > most->use)) {
            most = &one;
        }
    }
    return most;
}

double FoundFlows::mean_use(int tier) const {
    double sum = 0, count = 0;
    for (const Link& one : links) {
        if (one.tier == tier) {
            sum += one.use;
            count += 1;
        }
    }
    return count == 0 ? 0 : sum / count;
}

Chart flow_time_chart(const FoundFlows& found) {
    const bool several = found.exchanges.size() > 1;
    ChartPanel panel{{}, {said("time"), ChartUnit::seconds}, {}};
    panel.y.where = "for {}";
    ChartSeries times{several ? said("simulated") : said("simulated, alone"), SeriesKind::stack};
    times.role = Role::transferHorizontal;
    ChartSeries planned{said("as plans count it, alone"), SeriesKind::points};
    planned.role = Role::text;
    for (const FoundFlows::Exchange& one : found.exchanges) {
        for (const bool together : {false, true}) {
            if (together && !several) {
                continue;
            }
            panel.y.categories.push_back(!several   ? one.name
                                         : together ? said("with the other")
                                                    : said("alone"));
            if (several) {
                panel.y.groups.push_back(one.name);
            }
            times.values.emplace_back(together ? one.together_s : one.alone_s);
            planned.values.push_back(together ? std::optional<double>() : one.planned_s);
        }
    }
    panel.series = {std::move(times), std::move(planned)};
    const auto slower = [](const FoundFlows::Exchange& one) { return one.together_s / one.alone_s; };
    const FoundFlows::Exchange& most = *std::ranges::max_element(found.exchanges, {}, slower);
    constexpr double hardly = 1.005; // 1x in three digits
    std::string title = !several ? say("{}: {}, {} as plans count it", most.name,
                                       seconds_text(most.together_s), seconds_text(most.planned_s))
                        : slower(most) < hardly
                            ? say("{}: {}; neither slows the other", most.name, seconds_text(most.together_s))
                            : say("{}: {}, with the other traffic {}× as long", most.name,
                                  seconds_text(most.together_s), number_text(slower(most)));
    Chart chart{std::move(title), {std::move(panel)}};
    return chart;
}

Chart flow_use_chart(const FoundFlows& found) {
    ChartPanel panel{{}, {said("use of a link's rate"), ChartUnit::share}, {}};
    panel.x.high = 1;
    ChartSeries mean{said("mean"), SeriesKind::stack};
    mean.role = Role::transferHorizontal;
    ChartSeries most{said("busiest link"), SeriesKind::points};
    most.role = Role::text;
    const FoundFlows::Link* top = nullptr;
    for (std::size_t tier = 0; tier < found.tiers.size(); ++tier) {
        const FoundFlows::Link* busiest = found.busiest(static_cast<int>(tier));
        if (busiest == nullptr) {
            continue;
        }
        panel.y.categories.push_back(found.tiers[tier]);
        mean.values.emplace_back(found.mean_use(static_cast<int>(tier)));
        most.values.emplace_back(busiest->use);
        most.details.push_back(busiest->place + ", " + busiest->name);
        top = top == nullptr || busiest->use > top->use ? busiest : top;
    }
    panel.series = {std::move(mean), std::move(most)};
    return {say("Busiest: {}, {}, {} of its rate", top->place, top->name, percent_text(top->use)),
            {std::move(panel)}};
}

} // namespace meshslice
