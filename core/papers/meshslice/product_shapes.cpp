#include "core/papers/meshslice/product_shapes.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/papers/meshslice/studies.h"
#include "core/scenario/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace meshslice {

std::vector<Gemm> distinct_products(const std::vector<Gemm>& all) {
    const auto alike = [](const GemmShape& a, const GemmShape& b) {
        return a.k == b.k && std::minmax(a.m, a.n) == std::minmax(b.m, b.n);
    };
    std::vector<Gemm> unlike;
    for (const Gemm& gemm : all) {
        const bool known =
            std::ranges::any_of(unlike, [&](const Gemm& other) { return alike(other.shape, gemm.shape); });
        if (!known) {
            unlike.push_back(gemm);
        }
    }
    return unlike;
}

Result<std::vector<ProductComparison>> compared_products(const Scenario& scenario, std::int32_t chips,
                                                         const std::vector<std::string>& algorithms,
                                                         const RunControl& control) {
    const Result<std::vector<Gemm>> all = products(scenario, "meshslice");
    if (!all) {
        return refuse(all.error());
    }
    std::vector<ProductComparison> found;
    for (const Gemm& gemm : distinct_products(*all)) {
        Scenario alone = scenario;
        alone.gemm = SingleGemm{gemm.shape, gemm.dataflow};
        auto steps = compared(alone, chips, algorithms, control);
        if (!steps) {
            return refuse(steps.error());
        }
        found.push_back({gemm, *std::move(steps)});
    }
    return found;
}

double mean_speed_up(const std::vector<ProductComparison>& products, const std::string& other) {
    double sum = 0;
    double count = 0;
    for (const ProductComparison& product : products) {
        if (const auto step = product.steps.find(other); step != product.steps.end()) {
            sum += ratio(step->second.time, product.steps.at("meshslice").time);
            count += 1;
        }
    }
    return count == 0 ? 0 : sum / count;
}

namespace {

/// "QKV forward", "FF1 data": short, as a chart has eight of them side by side.
std::string category(const Gemm& gemm) {
    const char* pass = gemm.pass == Pass::forward         ? "forward"
                       : gemm.pass == Pass::backward_data ? "data"
                                                          : "weight";
    return fmt::format("{} {}", gemm.layer, pass);
}

/// Of the GEMMs with more FLOP and of the others, half each: the mean gain over Collective and Wang.
OrderingOutcome larger_gain_more(std::vector<ProductComparison> all) {
    std::ranges::stable_sort(all, std::ranges::greater(),
                             [](const ProductComparison& one) { return flop(one.gemm.shape); });
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    const std::vector<ProductComparison> larger(all.begin(), middle);
    const std::vector<ProductComparison> smaller(middle, all.end());
    const auto gain = [](const std::vector<ProductComparison>& some) {
        return (mean_speed_up(some, "collective") + mean_speed_up(some, "wang")) / 2;
    };
    return {"shapes-larger-gain-more", gain(larger) > gain(smaller),
            say("larger {:.2f}x, smaller {:.2f}x", gain(larger), gain(smaller)), Reading::estimated};
}

Result<StudyResult> product_shapes(const StudyInputs& inputs, const RunControl& control) {
    const std::vector<std::string> two_axes = {"cannon", "summa", "collective", "wang", "meshslice"};
    const std::int32_t cluster = inputs.chips.back();
    StudyResult result;
    std::vector<ProductComparison> all;
    std::string closest;
    double smallest_lead = std::numeric_limits<double>::infinity();
    for (const Transformer& model : inputs.models) {
        const auto products =
            compared_products(paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware),
                              cluster, two_axes, control);
        if (!products) {
            return refuse(products.error());
        }
        ChartPanel panel{model.title, {"GEMM"}, {said("FLOP utilization"), ChartUnit::share}};
        for (const std::string& id : two_axes) {
            panel.series.push_back({std::string((*algorithm(id))->title)});
            if (id == "meshslice") {
                emphasize(panel.series.back());
            }
        }
        for (const ProductComparison& product : *products) {
            panel.x.categories.push_back(category(product.gemm));
            for (std::size_t k = 0; k < two_axes.size(); ++k) {
                const auto step = product.steps.find(two_axes[k]);
                const bool runs = step != product.steps.end();
                panel.series[k].values.push_back(runs ? std::optional(step->second.utilization)
                                                      : std::nullopt);
                const double lead = runs && two_axes[k] != "meshslice"
                                        ? ratio(step->second.time, product.steps.at("meshslice").time)
                                        : std::numeric_limits<double>::infinity();
                if (lead < smallest_lead) {
                    smallest_lead = lead;
                    closest = say("closest: {} on {} of {}, MeshSlice {:.3f}x as fast", panel.series[k].name,
                                  text(product.gemm.shape), model.title, lead);
                }
            }
        }
        std::ranges::copy(*products, std::back_inserter(all));
        result.panels.push_back(std::move(panel));
        if (control.progress) {
            *control.progress =
                static_cast<double>(result.panels.size()) / static_cast<double>(inputs.models.size());
        }
    }
    const double over_collective = mean_speed_up(all, "collective");
    const double over_wang = mean_speed_up(all, "wang");
    result.finding = say("On average MeshSlice is {:.2f}x as fast as Collective and {:.2f}x as fast as Wang",
                         over_collective, over_wang);
    if (cluster == 256 && inputs.models == paper_inputs(inputs.hardware).models) {
        result.claims = {outcome("fig11-over-collective", over_collective, Reading::estimated),
                         outcome("fig11-over-wang", over_wang, Reading::estimated)};
        result.orderings = {{"shapes-meshslice-fastest", smallest_lead > 1, closest, Reading::estimated},
                            larger_gain_more(std::move(all))};
    }
    result.table = table("FLOP utilization of single GEMMs", result.panels);
    return result;
}

} // namespace

/// The 2D algorithms on each distinct GEMM of a step, each on its best mesh for it.
const Study product_shapes_study{
    "product-shapes",      "GEMM by GEMM",    "Which algorithm is fastest on each GEMM of a step?",
    "5.1.4, Figure 11",    product_shapes,    {true, true, ClustersAsked::largest},
    &meshslice_evaluation, Reading::estimated};

} // namespace meshslice
