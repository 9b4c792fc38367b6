#include "core/step/roofline.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {
namespace {

void place_under_roofs(RooflinePoint& point, const std::vector<Roof>& roofs) {
    for (const Roof& roof : roofs) {
        const double limit = roof.flop_per_s > 0 ? roof.flop_per_s : roof.bytes_per_s * point.intensity;
        if (point.bound.empty() || limit < point.attainable) {
            point.attainable = limit;
            point.bound = roof.name;
        }
    }
}

/// One point per product; `bytes` says what a product moves, 0 for one that moves nothing (it has no point).
template <class BytesOf>
void add_points(Roofline& roofline, const std::vector<TrainingStep>& steps, BytesOf bytes) {
    for (const TrainingStep& step : steps) {
        for (const GemmResult& result : step.gemms) {
            const double moved = bytes(result);
            if (moved <= 0) {
                continue;
            }
            RooflinePoint point;
            point.algorithm = step.algorithm;
            point.title = result.title();
            const auto flop = static_cast<double>(result.count.flop_per_chip.value());
            point.intensity = flop / moved;
            point.achieved = flop * static_cast<double>(result.gemm.copies) / in_seconds(result.time);
            point.time_share = ratio(result.time, step.time);
            place_under_roofs(point, roofline.roofs);
            roofline.points.push_back(std::move(point));
        }
    }
}

Roof compute_roof(const Scenario& scenario) {
    const FlopRate peak = scenario.hardware.peak_rate(scenario.schedule.type);
    return {fmt::format("peak {}", name(scenario.schedule.type)), peak.value(), 0};
}

} // namespace

Roofline chip_roofline(const std::vector<TrainingStep>& steps, const Scenario& scenario) {
    Roofline roofline;
    roofline.title = "One chip: memory and compute";
    roofline.intensity_name = "FLOP per byte of HBM traffic";
    roofline.roofs = {{"HBM", 0, scenario.hardware.hbm_bandwidth.value.value()}, compute_roof(scenario)};
    add_points(roofline, steps, [](const GemmResult& result) {
        return static_cast<double>(result.count.hbm_per_chip.value());
    });
    return roofline;
}

Roofline link_roofline(const std::vector<TrainingStep>& steps, const Scenario& scenario) {
    Roofline roofline;
    roofline.title = "The links: communication and compute";
    roofline.intensity_name = "FLOP per byte on the busiest link";
    roofline.roofs = {{"one link, one way", 0, scenario.hardware.link_bandwidth.value.value()},
                      compute_roof(scenario)};
    add_points(roofline, steps, [](const GemmResult& result) {
        return static_cast<double>(result.count.busiest_link.value());
    });
    return roofline;
}

std::string memory_note(const TrainingStep& step, const Scenario& scenario) {
    std::size_t limited = 0;
    for (const RooflinePoint& point : chip_roofline({step}, scenario).points) {
        limited += point.achieved > point.attainable ? 1 : 0;
    }
    if (limited == 0) {
        return {};
    }
    return fmt::format(
        "Memory would limit {} of {} products: their multiplications read and write more than HBM moves "
        "in that time, which leaves memory out; chips told tile by tile count it.",
        limited, step.gemms.size());
}

Table table(const Roofline& roofline) {
    Table table;
    table.title = roofline.title;
    table.columns = {
        "algorithm", "product",   "intensity_flop_per_byte", "achieved_flop_per_s", "attainable_flop_per_s",
        "bound",     "time_share"};
    for (const RooflinePoint& point : roofline.points) {
        table.rows.push_back({point.algorithm, point.title, point.intensity, point.achieved, point.attainable,
                              point.bound, point.time_share});
    }
    return table;
}

} // namespace meshslice
