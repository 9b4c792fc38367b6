#include "core/report/chart/landscape_chart.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {

Chart cell_chart(const Landscape& landscape, const LandscapeCell& cell, std::string title) {
    struct Layer {
        std::string name;
        Time time;
        Time compute;
    };
    std::vector<Layer> layers;
    for (std::size_t k = 0; k < cell.products.size(); ++k) {
        const Gemm& gemm = landscape.gemms[k];
        const std::string name = gemm.layer.empty() ? text(gemm.shape) : gemm.layer;
        if (layers.empty() || layers.back().name != name) {
            layers.push_back({name, {}, {}});
        }
        layers.back().time += cell.products[k].time;
        layers.back().compute += cell.products[k].compute;
    }
    ChartPanel panel;
    panel.title = std::move(title);
    panel.x.unit = ChartUnit::seconds;
    ChartSeries compute{said("multiply"), SeriesKind::stack};
    compute.role = Role::compute;
    ChartSeries exposed{said("exposed communication"), SeriesKind::stack};
    exposed.role = Role::exposed;
    for (const Layer& layer : layers) {
        const Time waits = layer.time - layer.compute;
        panel.y.categories.push_back(layer.name);
        panel.y.details.push_back(say("{}: {}\nmultiply: {}\nexposed communication: {}, {} of the time",
                                      layer.name, text(layer.time), text(layer.compute), text(waits),
                                      percent_text(ratio(waits, layer.time))));
        compute.values.emplace_back(in_seconds(layer.compute));
        exposed.values.emplace_back(in_seconds(waits));
    }
    panel.series = {std::move(compute), std::move(exposed)};
    return {{}, {std::move(panel)}};
}

} // namespace meshslice
