#pragma once

#include "core/gemm/algorithms.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <string>
#include <vector>

namespace meshslice {

/// A mesh has two axes, rows and columns, or a third one of layers. An axis of one chip has no links, so it
/// needs no axis of the hardware: on hardware with one torus axis the meshes are P x 1 and 1 x P.
using Mesh = std::vector<std::int32_t>;

/// The chips of a mesh.
[[nodiscard]] std::int64_t chips_of(const Mesh& mesh);
/// The axes along which a mesh has links: those of more than one chip.
[[nodiscard]] int linked_axes(const Mesh& mesh);

/// All meshes of `chips` chips that the hardware's links can make, of as many axes as the algorithm runs on:
/// rows and columns, or, for an algorithm of three axes, rows, columns and layers (one layer among them);
/// tall ones first. Algorithms of one ring run on any of them that has a closed walk. None where an algorithm
/// of three axes meets hardware with fewer, where the chips do not form a torus, or where there are more than
/// a pod has.
[[nodiscard]] std::vector<Mesh> meshes_for(const Machine& hardware, const Algorithm& algorithm,
                                           std::int32_t chips);
/// Why there are none.
[[nodiscard]] std::string no_mesh(const Machine& hardware, const Algorithm& algorithm);

/// Why no program runs on a machine without a torus, and which have one.
[[nodiscard]] std::string no_torus(const Machine& hardware);

/// Refuses a mesh that the hardware's links cannot make, and names presets that can.
[[nodiscard]] Result<void> checked(const Mesh& mesh, const Machine& hardware);

} // namespace meshslice
