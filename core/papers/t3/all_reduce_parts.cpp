#include "core/base/say.h"
#include "core/cost/workgroup_product.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

Result<StudyResult> all_reduce_parts(const StudyInputs& inputs, const RunControl& control) {
    const auto cases = tensor_cases(inputs, ModelSize::any);
    if (!cases) {
        return refuse(cases.error());
    }
    StudyResult result;
    result.table = {"GEMM, reduce-scatter and all-gather",
                    {"case", "GEMM_flop", "stages", "GEMM_s", "reduce-scatter_s",
                     "reduce-scatter_near_memory_s", "all-gather_s"},
                    {}};
    bool op_is_smallest = true, stages_stay = true;
    double least_share = 1, most_share = 0;
    std::string model;
    std::int64_t stages = 0;
    for (const TensorCase& one : *cases) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const auto parts = all_reduce_times(one.gemm, inputs.hardware);
        if (!parts) {
            return refuse(parts.error());
        }
        const std::int64_t own_stages =
            workgroup_product(one.gemm.shape, inputs.hardware, one.gemm.type).stages;
        if (one.model != model) {
            model = one.model;
            stages = own_stages;
            ChartPanel panel{
                model, {said("sub-layer")}, {said("time one after the other"), ChartUnit::seconds}};
            panel.series = {{said("GEMM"), SeriesKind::stack},
                            {said("reduce-scatter"), SeriesKind::stack},
                            {said("all-gather"), SeriesKind::stack}};
            panel.series[0].role = Role::compute;
            panel.series[1].role = Role::transferHorizontal;
            panel.series[2].role = Role::transferVertical;
            result.panels.push_back(std::move(panel));
        }
        stages_stay = stages_stay && own_stages == stages;
        ChartPanel& panel = result.panels.back();
        const double all = parts->sequential();
        panel.x.categories.push_back(fmt::format("{} {}", one.gemm.chips, one.layer->name));
        panel.series[0].values.emplace_back(parts->gemm);
        panel.series[1].values.emplace_back(parts->scatter);
        panel.series[2].values.emplace_back(parts->gather);
        result.table.rows.push_back({text(one), static_cast<double>(flop(one.gemm.shape).value()), own_stages,
                                     parts->gemm, parts->scatter, parts->scatter_near_memory, parts->gather});
        const double share = 1 - parts->gemm / all;
        least_share = std::min(least_share, share);
        most_share = std::max(most_share, share);
        // A ring's four layers begin with OP.
        op_is_smallest =
            op_is_smallest &&
            (one.layer == &sub_layers.front() ||
             parts->gemm >
                 *panel.series[0].values[panel.x.categories.size() - 1 -
                                         static_cast<std::size_t>(one.layer - &sub_layers.front())]);
    }
    result.orderings = {
        {"op-smallest", op_is_smallest,
         say("OP's GEMM is the shortest on every ring: {}", op_is_smallest ? said("yes") : said("no")),
         Reading::estimated},
        {"k-slicing-keeps-stages", stages_stay,
         say("as many stages on every ring and in every sub-layer of a model: {}",
             stages_stay ? said("yes") : said("no")),
         Reading::counted}};
    result.finding = say("One after the other, communication takes {:.0f} to {:.0f}% of a sub-layer",
                         100 * least_share, 100 * most_share);
    result.note =
        said("The paper's bars (Figure 15) are lost in the text that was read: these are ours. FC-1 backward "
             "has the shape of FC-2 forward; the paper's kernels for the two differ.");
    return result;
}

} // namespace

/// Figure 15: what a sub-layer's time is made of, one after the other.
const Study all_reduce_parts_study{"t3-sub-layers",
                                   "Parts of a sub-layer",
                                   "How long are GEMM, reduce-scatter and all-gather of every sub-layer?",
                                   "5.2, Figures 5 and 15",
                                   all_reduce_parts,
                                   {true, true, ClustersAsked::all},
                                   &t3_evaluation,
                                   Reading::estimated};

} // namespace meshslice
