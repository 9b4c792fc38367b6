#pragma once

#include "core/model/gemm.h"
#include "core/work/layers.h"

#include <array>
#include <string>
#include <vector>

namespace meshslice {

/// How a layer Y = X W runs: a row of Table 1 (paper, section 3.2.1), or its transposed version, which
/// transposes all matrices and swaps the directions of the two that move.
struct LayerDataflow {
    Stationary stationary = Stationary::Y;
    bool transposed = false;

    bool operator==(const LayerDataflow&) const = default;
};
[[nodiscard]] std::string text(const LayerDataflow& dataflow); ///< "Y-stationary", "W-stationary, transposed"

/// Whether the layer takes X as X^T: W-stationary does, and the transposed version of the others.
[[nodiscard]] bool takes_transposed(const LayerDataflow& dataflow);
/// Whether it leaves Y as Y^T: the transposed versions do.
[[nodiscard]] bool leaves_transposed(const LayerDataflow& dataflow);

/// The layers after which the activations (and before which, on the way back, their gradients) have to be
/// transposed, because the next layer takes them the other way round. The last layer's next is the first: the
/// blocks of a model are alike.
[[nodiscard]] std::vector<std::size_t> transpositions(const std::vector<LayerDataflow>& layers);
/// Whether some transposition is left whatever versions are chosen: with an odd number of W-stationary
/// layers, each of which turns the activations round once.
[[nodiscard]] bool transposition_unavoidable(const std::vector<LayerDataflow>& layers);

/// The paper's heuristic: the largest matrix of each layer stays, in the version that takes X as the layer
/// before leaves it; the first layer takes it as it is.
[[nodiscard]] std::vector<LayerDataflow> heuristic_dataflows(const std::vector<FullyConnectedLayer>& layers);

/// The three GEMMs of a layer in this dataflow. Transposed, C^T = B^T A^T: M and N change places, LS
/// becomes RS and RS becomes LS.
[[nodiscard]] std::vector<Gemm> training_gemms(const FullyConnectedLayer& layer,
                                               const LayerDataflow& dataflow);

/// How X, W and Y of a layer are stored: rows over the rows of chips, columns over the columns of chips.
struct StoredTensor {
    std::string name;          ///< "X", "W^T"
    std::string rows, columns; ///< "tokens", "in", "out"

    bool operator==(const StoredTensor&) const = default;
};
[[nodiscard]] std::array<StoredTensor, 3> stored_tensors(const LayerDataflow& dataflow);

} // namespace meshslice
