#pragma once

#include "core/model/gemm.h"
#include "core/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// The products that a training step of the scenario runs, in order: four layers in three passes, or the one
/// product it asks for. Refused where the model's sizes do not give whole products.
[[nodiscard]] Result<std::vector<Gemm>> products(const Scenario& scenario);

/// The slice counts that work for every product of the scenario with its algorithm, ascending. Empty where
/// the algorithm does not slice or does not fit the mesh.
[[nodiscard]] std::vector<std::int64_t> slice_choices(const Scenario& scenario);

/// A mesh with as many chips, and the engine's sentence where the scenario's algorithm does not run on it.
struct MeshChoice {
    std::vector<std::int32_t> mesh;
    std::string objection;
};
/// All ways to arrange the scenario's chips in rows and columns, tall ones first.
[[nodiscard]] std::vector<MeshChoice> mesh_choices(const Scenario& scenario);

} // namespace meshslice
