#pragma once

#include "core/papers/transformers/plan_setup.h"

#include <optional>
#include <vector>

namespace meshslice {

/// Two ends of the space between data and pipeline parallelism (section 4, Q1 iv): tensor-parallel groups of
/// so many chips with so many stages and a micro-batch.
struct GridSizes {
    struct Size {
        std::int64_t tensor = 1, pipeline = 1;
        std::int64_t micro_batch = 0; ///< 0: all samples of a copy at once
    };
    std::vector<Size> sizes;
};

/// Of the language model: no pipeline and one micro-batch with four times the group of the best 1D plan; then
/// the deepest pipeline that divides, micro-batches of 1 and the group of the best 1D plan. For GPT-3 1T on
/// 16,384 B200 these are the paper's 32 x 1 and 8 x 128.
[[nodiscard]] Result<GridSizes> grid_sizes(const Transformer& model, const Machine& cluster,
                                           std::int64_t chips, ModelRules rules, const RunControl& control);

/// All grids of these sizes, the tallest first ("16x2, pp 1"), each in its best placement; of a 1D strategy
/// one grid each. `panels` of SUMMA; none: the best count. Those that are not legal are left out.
[[nodiscard]] PlanMarks grid_sweep(const PlanModel& model, TensorStrategy strategy, const GridSizes& sizes,
                                   std::int64_t chips, std::optional<std::int64_t> panels);

} // namespace meshslice
