#include "core/report/chart/landscape_chart.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshslice {
namespace {

struct Layer {
    std::string name;
    Time time;
    Time compute;
};

/// Forward and both backward passes of a layer together.
std::vector<Layer> layers_of(const Landscape& landscape, const LandscapeCell& cell) {
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
    return layers;
}

/// Still without bars.
ChartPanel layers_panel(std::string title) {
    ChartPanel panel;
    panel.title = std::move(title);
    panel.x.unit = ChartUnit::seconds;
    ChartSeries compute{said("multiply"), SeriesKind::stack};
    compute.role = Role::compute;
    ChartSeries exposed{said("exposed communication"), SeriesKind::stack};
    exposed.role = Role::exposed;
    panel.series = {std::move(compute), std::move(exposed)};
    return panel;
}

/// `of`: whose bar it is, ", A"; empty where there is one alone.
void add_bar(ChartPanel& panel, const Layer& layer, const std::string& category, const std::string& of) {
    const Time waits = layer.time - layer.compute;
    panel.y.categories.push_back(category);
    panel.y.details.push_back(say("{}: {}\nmultiply: {}\nexposed communication: {}, {} of the time",
                                  layer.name + of, text(layer.time), text(layer.compute), text(waits),
                                  percent_text(ratio(waits, layer.time))));
    panel.series[0].values.emplace_back(in_seconds(layer.compute));
    panel.series[1].values.emplace_back(in_seconds(waits));
}

} // namespace

Chart cell_chart(const Landscape& landscape, const LandscapeCell& cell, std::string title) {
    ChartPanel panel = layers_panel(std::move(title));
    for (const Layer& layer : layers_of(landscape, cell)) {
        add_bar(panel, layer, layer.name, {});
    }
    return {{}, {std::move(panel)}};
}

Chart cells_chart(const std::vector<NamedCell>& cells, std::string title) {
    std::vector<std::vector<Layer>> layers; // of each cell
    std::vector<std::string> names;         // that any of them has, each once
    for (const NamedCell& one : cells) {
        layers.push_back(layers_of(*one.landscape, *one.cell));
        for (const Layer& layer : layers.back()) {
            if (std::ranges::find(names, layer.name) == names.end()) {
                names.push_back(layer.name);
            }
        }
    }
    ChartPanel panel = layers_panel(std::move(title));
    for (const std::string& name : names) {
        for (std::size_t k = 0; k < cells.size(); ++k) {
            const auto own = std::ranges::find(layers[k], name, &Layer::name);
            if (own != layers[k].end()) {
                panel.y.groups.push_back(name);
                add_bar(panel, *own, cells[k].name, ", " + cells[k].name);
            }
        }
    }
    return {{}, {std::move(panel)}};
}

} // namespace meshslice
