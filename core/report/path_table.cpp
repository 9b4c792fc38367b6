#include "core/report/path_table.h"

#include "core/report/resource_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {

std::size_t path_length(const StepWhy& why) {
    std::size_t length = 0;
    for (const ProductWhy& product : why.products) {
        length += product.path ? product.path->events.size() : 0;
    }
    return length;
}

std::vector<PathPlace> path_places(const StepWhy& why, std::size_t most) {
    std::vector<PathPlace> places;
    places.reserve(std::min(most, path_length(why)));
    for (std::size_t gemm = 0; gemm < why.products.size(); ++gemm) {
        const std::size_t events =
            why.products[gemm].path ? why.products[gemm].path->events.size() : std::size_t{0};
        for (std::size_t event = 0; event < events && places.size() < most; ++event) {
            places.push_back({gemm, event});
        }
    }
    return places;
}

Table path_table(const TrainingStep& step, const StepWhy& why, const std::vector<PathPlace>& places) {
    Table table;
    table.title = "critical path";
    table.columns = {"start_s", "time_s", "chip", "resource", "kind", "operation", "slice", "layer", "pass"};
    for (const PathPlace& place : places) {
        const GemmResult& gemm = step.gemms[place.gemm];
        const Timeline& timeline = *gemm.timeline;
        const CriticalEvent& event = why.products[place.gemm].path->events[place.event];
        std::string resource(resource_words(event.place, timeline.torus()));
        std::string operation;
        std::string slice;
        if (event.row >= 0) {
            const auto row = static_cast<std::size_t>(event.row);
            const Interval& interval = timeline.intervals(row)[event.index];
            resource = resource_name(timeline.torus(), timeline.rows()[row]);
            operation = timeline.operations()[interval.operation].name;
            if (gemm.program && gemm.program->in_loop(interval.operation)) {
                slice = fmt::format("{} of {}", interval.iteration + 1, timeline.iterations());
            }
        }
        table.rows.push_back({in_seconds(gemm.start + event.start), in_seconds(event.end - event.start),
                              place_text(timeline.torus(), event.chip), resource,
                              std::string(name(event.activity)), operation, slice, gemm.gemm.layer,
                              std::string(name(gemm.gemm.pass))});
    }
    return table;
}

} // namespace meshslice
