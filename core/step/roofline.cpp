#include "core/step/roofline.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/cost/link_bandwidth.h"
#include "core/cost/operation_cost.h"
#include "core/cost/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <set>

namespace meshslice {
namespace {

/// Of the slanted roofs only `slanted` holds for the point.
void place_under_roofs(RooflinePoint& point, const std::vector<Roof>& roofs, const std::string& slanted) {
    for (const Roof& roof : roofs) {
        if (roof.bytes_per_s > 0 && roof.name != slanted) {
            continue;
        }
        const double limit = roof.flop_per_s > 0 ? roof.flop_per_s : roof.bytes_per_s * point.intensity;
        if (point.bound.empty() || limit < point.attainable) {
            point.attainable = limit;
            point.bound = roof.name;
        }
    }
}

/// What limits a GEMM apart from its multiplications.
struct Traffic {
    double bytes = 0;
    std::string roof; ///< the name of the slanted one that holds for them
};

/// One point per GEMM; `traffic` says what a GEMM moves: 0 bytes for one that moves nothing (it has no
/// point).
template <class TrafficOf>
void add_points(Roofline& roofline, const std::vector<TrainingStep>& steps, TrafficOf traffic) {
    for (const TrainingStep& step : steps) {
        for (const GemmResult& result : step.gemms) {
            const Traffic moved = traffic(result);
            if (moved.bytes <= 0) {
                continue;
            }
            RooflinePoint point;
            point.algorithm = step.algorithm;
            point.variant = step.variant;
            point.title = result.title();
            const auto flop = static_cast<double>(result.count->flop_per_chip.value());
            point.intensity = flop / moved.bytes;
            point.achieved = flop * static_cast<double>(result.gemm.copies) / in_seconds(result.time);
            point.time_share = ratio(result.time, step.time);
            place_under_roofs(point, roofline.roofs, moved.roof);
            roofline.points.push_back(std::move(point));
        }
    }
}

/// Bytes between one chip and its HBM: of the tiles, which read a row or column more than once, where GEMMs
/// are modelled tile by tile.
double hbm_traffic(const GemmResult& result, const Scenario& scenario) {
    if (!tiled(scenario.assume.schedule, scenario.hardware)) {
        return static_cast<double>(result.count->hbm_per_chip.value());
    }
    const Program& program = *result.program;
    double bytes = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (std::holds_alternative<Multiply>(program.operations[id])) {
            const OperationCost cost =
                operation_cost(program, program.operations[id], scenario.hardware, scenario.assume.schedule);
            bytes += static_cast<double>(cost.memory.value()) * static_cast<double>(program.runs(id));
        }
    }
    return bytes;
}

Roof compute_roof(const Scenario& scenario) {
    const FlopRate peak = scenario.hardware.peak_rate(scenario.assume.schedule.type);
    return {fmt::format("peak {}", name(scenario.assume.schedule.type)), peak.value(), 0};
}

} // namespace

Roofline chip_roofline(const std::vector<TrainingStep>& steps, const Scenario& scenario) {
    Roofline roofline;
    roofline.title = "One chip: memory and compute";
    roofline.intensity_name = "FLOP per byte of HBM traffic";
    roofline.roofs = {{"HBM", 0, scenario.hardware.hbm_bandwidth.value.value()}, compute_roof(scenario)};
    add_points(roofline, steps, [&](const GemmResult& result) {
        return Traffic{hbm_traffic(result, scenario), "HBM"};
    });
    return roofline;
}

Roofline link_roofline(const std::vector<TrainingStep>& steps, const Scenario& scenario) {
    Roofline roofline;
    roofline.title = "The links: communication and compute";
    roofline.intensity_name = "FLOP per byte on the busiest link";
    const Network& network = scenario.hardware.network;
    std::set<Bandwidth, std::greater<>> bandwidths; // the fastest link first
    for (int axis = 0; axis < network.torus_axes(); ++axis) {
        bandwidths.insert(network.link_bandwidth(axis));
    }
    const auto roof_name = [&](Bandwidth bandwidth) {
        return bandwidths.size() == 1 ? std::string("one link, one way")
                                      : fmt::format("one link of {}, one way", text(bandwidth));
    };
    for (const Bandwidth bandwidth : bandwidths) {
        roofline.roofs.push_back({roof_name(bandwidth), 0, bandwidth.value()});
    }
    roofline.roofs.push_back(compute_roof(scenario));
    add_points(roofline, steps, [&](const GemmResult& result) {
        std::array<Bytes, 3> busiest{}; // link, by axis
        for (const LinkTraffic& link : result.count->links) {
            Bytes& most = busiest[static_cast<std::size_t>(link.link.axis)];
            most = std::max(most, link.bytes);
        }
        Traffic longest;
        double seconds = 0;
        for (std::size_t axis = 0; axis < busiest.size(); ++axis) {
            if (busiest[axis] > Bytes(0)) {
                const Bandwidth bandwidth =
                    link_bandwidth(network, result.program->torus, static_cast<Axis>(axis));
                const auto bytes = static_cast<double>(busiest[axis].value());
                if (bytes / bandwidth.value() > seconds) {
                    seconds = bytes / bandwidth.value();
                    longest = {bytes, roof_name(bandwidth)};
                }
            }
        }
        return longest;
    });
    return roofline;
}

std::string memory_note(const TrainingStep& step, const Scenario& scenario) {
    if (step.memory_counted) {
        return {};
    }
    std::size_t limited = 0;
    for (const RooflinePoint& point : chip_roofline({step}, scenario).points) {
        limited += point.achieved > point.attainable ? 1 : 0;
    }
    return limited == 0 ? said("Memory is left out, as chosen; it would limit none of the GEMMs.")
                        : say("Memory is left out, as chosen, and would limit {} of {} GEMMs: they read and "
                              "write more than HBM moves in that time.",
                              limited, step.gemms.size());
}

Table table(const Roofline& roofline) {
    Table table;
    table.title = roofline.title;
    table.columns = {
        "algorithm", "gemm",      "intensity_flop_per_byte", "achieved_flop_per_s", "attainable_flop_per_s",
        "bound",     "time_share"};
    for (const RooflinePoint& point : roofline.points) {
        table.rows.push_back({point.algorithm, point.title, point.intensity, point.achieved, point.attainable,
                              point.bound, point.time_share});
    }
    std::vector<std::string> variants;
    std::ranges::transform(roofline.points, std::back_inserter(variants), &RooflinePoint::variant);
    name_variants(table, variants);
    return table;
}

} // namespace meshslice
