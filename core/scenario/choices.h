#pragma once

#include "core/gemm/algorithms.h"
#include "core/model/gemm.h"
#include "core/scenario/meshes.h"
#include "core/scenario/scenario.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// Tokens in a sequence where none are said: as many as the model is usually trained on, and 2048, as in the
/// papers, of a model that does not say.
[[nodiscard]] std::int64_t usual_sequence(const Transformer& model);

/// The GEMMs that a training step of the scenario runs, in order: four layers in three passes, or the one
/// GEMM it asks for. Refused where the model's sizes do not give whole GEMMs.
/// Where the scenario leaves the dataflow open, the algorithm's own rule decides, else the largest matrix
/// stays.
[[nodiscard]] Result<std::vector<Gemm>> products(const Scenario& scenario, const std::string& algorithm);

/// An algorithm, found by its id, with the GEMMs that it runs in a scenario.
struct AlgorithmAndGemms {
    const Algorithm* algorithm;
    std::vector<Gemm> gemms;
};
/// Refused where an algorithm for rings of GPUs meets other hardware or a chip model without stages.
[[nodiscard]] Result<AlgorithmAndGemms> algorithm_and_gemms(const Scenario& scenario, const std::string& id);

/// Another machine may not have the scenario's mesh: then one of as many chips, as square as possible, is
/// taken, if there is any.
void take_a_mesh(Scenario& scenario);

/// The torus on which an algorithm runs in this scenario: its mesh; for algorithms of one ring, a ring
/// through all of its chips, which uses two links of each.
[[nodiscard]] Result<Torus> torus_of(const Scenario& scenario, const Algorithm& algorithm);

/// What the scenario chooses about every GEMM, before S is chosen: one slice, and a chunk a chip where the
/// packets are left open.
[[nodiscard]] GemmOptions gemm_options(const Scenario& scenario);

/// The scenario's faults as that torus meets them.
[[nodiscard]] Result<Conditions> conditions_of(const Scenario& scenario, const Algorithm& algorithm);
/// Faults of parts of a mesh, as the torus that the algorithm makes of it meets them.
[[nodiscard]] Result<Conditions> conditions_on(const Torus& mesh, const Faults& faults,
                                               const Algorithm& algorithm);

/// The slice counts that work for every GEMM of the scenario with its algorithm, ascending. Empty where
/// the algorithm does not slice or does not fit the mesh.
[[nodiscard]] std::vector<std::int64_t> slice_choices(const Scenario& scenario);

/// The engine's sentence where the scenario does not run with this algorithm; empty where it does.
[[nodiscard]] std::string objection(const Scenario& scenario, const std::string& algorithm);

/// A mesh with as many chips, and the engine's sentence where the scenario's algorithm does not run on it.
struct MeshChoice {
    Mesh mesh;
    std::string objection;
};
/// All ways to arrange the scenario's chips that its hardware's links can make (see meshes_for), tall ones
/// first; of those with layers only the ones that run. Where there are none, the scenario's own and why.
[[nodiscard]] std::vector<MeshChoice> mesh_choices(const Scenario& scenario);
/// Gives the scenario so many chips: the squarest mesh of them on which its algorithm runs. Refused where
/// there is none, with the nearest numbers of chips that have one.
[[nodiscard]] Result<void> set_chips(Scenario& scenario, std::int64_t chips);
/// Meshes of other chip counts on which the scenario's algorithm runs, the nearest counts first, about `most`
/// of them.
[[nodiscard]] std::vector<Mesh> near_meshes(const Scenario& scenario, std::size_t most);
/// The mesh most like the scenario's on which its algorithm runs on its hardware: of as many chips, else of
/// half as many, and so on. None where there is none. The window asks for it in the middle of an edit, so its
/// work has a limit that does not depend on the scenario: it tries fewer than 8,000 meshes whatever the
/// hardware, fewer than 3,000 on every preset, and each takes microseconds, because none of its chips is
/// visited.
[[nodiscard]] std::optional<Mesh> nearest_mesh(const Scenario& scenario);

} // namespace meshslice
