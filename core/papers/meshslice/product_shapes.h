#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/step/best_mesh.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace meshslice {

/// Those of the GEMMs that are unlike in shape, where a GEMM and its transpose (M and N exchanged) are
/// alike: of the twelve of a training step the eight of the paper's section 5.1.4. The first of each.
[[nodiscard]] std::vector<Gemm> distinct_products(const std::vector<Gemm>& all);

/// One GEMM, by each algorithm on its own best mesh for this GEMM; by algorithm id.
struct ProductComparison {
    Gemm gemm;
    std::map<std::string, TrainingStep> steps;
};
/// Every distinct GEMM of the scenario's training step in MeshSlice's dataflows, on `chips` chips, as
/// compared() does it.
[[nodiscard]] Result<std::vector<ProductComparison>>
compared_products(const Scenario& scenario, std::int32_t chips, const std::vector<std::string>& algorithms,
                  const RunControl& control = {});

/// How much faster MeshSlice is than `other`: the arithmetic mean of the ratios of times over the GEMMs
/// that `other` runs; 0 where it runs none.
[[nodiscard]] double mean_speed_up(const std::vector<ProductComparison>& products, const std::string& other);

} // namespace meshslice
