#pragma once

#include "core/cost/sharded_plans.h"
#include "core/figure/table.h"
#include "core/question/question.h"

#include <string>

namespace meshslice {

/// What is asked about a GEMM of sharded arrays.
struct ShardedGemmAsked {
    ShardedGemm gemm;
    NamedMesh mesh;
    DimensionSizes sizes;
    DataType kind = DataType::bf16;
    Machine hardware;
    bool all = false;      ///< words list every plan, not only the best
    bool verify = false;   ///< runs every plan on real arrays
    bool simulate = false; ///< the programs of the plans that are listed
    bool trace = false;    ///< the shown plan has to be simulated
    std::string plan = {}; ///< whose steps and code are shown: its place from 1 or its steps; empty: the best
};

/// The case, the plans in their order, the steps of one and its code; a check for each plan that was run.
[[nodiscard]] Result<Answer> sharded_gemm_answer(const Asked& asked, const ShardedGemmAsked& read,
                                                 const RunControl& control);
/// The steps that bring one array from one sharding to another, "A[I_X, J] -> A[I, J_X]".
[[nodiscard]] Result<Answer> resharding_answer(const Asked& asked, const NamedMesh& mesh,
                                               const DimensionSizes& sizes, DataType type);
/// The plans of a GEMM, one a row.
[[nodiscard]] Table sharded_plan_table(const ShardedPlans& plans, const ShardedGemm& gemm,
                                       const NamedMesh& mesh);

} // namespace meshslice
