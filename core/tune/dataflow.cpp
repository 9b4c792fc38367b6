#include "core/tune/dataflow.h"

#include "core/base/say.h"
#include "core/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace meshslice {

std::string text(const LayerDataflow& dataflow) {
    return say("{}-stationary{}", name(dataflow.stationary),
               dataflow.transposed ? said(", transposed") : std::string());
}

bool takes_transposed(const LayerDataflow& dataflow) {
    return (dataflow.stationary == Stationary::W) != dataflow.transposed;
}

bool leaves_transposed(const LayerDataflow& dataflow) {
    return dataflow.transposed;
}

std::vector<std::size_t> transpositions(const std::vector<LayerDataflow>& layers) {
    std::vector<std::size_t> after;
    for (std::size_t k = 0; k < layers.size(); ++k) {
        if (leaves_transposed(layers[k]) != takes_transposed(layers[(k + 1) % layers.size()])) {
            after.push_back(k);
        }
    }
    return after;
}

bool transposition_unavoidable(const std::vector<LayerDataflow>& layers) {
    return std::ranges::count(layers, Stationary::W, &LayerDataflow::stationary) % 2 == 1;
}

std::vector<LayerDataflow> heuristic_dataflows(const std::vector<FullyConnectedLayer>& layers) {
    std::vector<LayerDataflow> chosen;
    bool incoming = false;
    for (const FullyConnectedLayer& layer : layers) {
        LayerDataflow dataflow{largest_matrix_stays(layer), false};
        dataflow.transposed = takes_transposed(dataflow) != incoming;
        incoming = leaves_transposed(dataflow);
        chosen.push_back(dataflow);
    }
    return chosen;
}

std::vector<Gemm> training_gemms(const FullyConnectedLayer& layer, const LayerDataflow& dataflow) {
    std::vector<Gemm> gemms = training_gemms(layer, dataflow.stationary);
    for (Gemm& gemm : gemms) {
        if (dataflow.transposed) {
            std::swap(gemm.shape.m, gemm.shape.n);
            gemm.dataflow = gemm.dataflow == Dataflow::LS   ? Dataflow::RS
                            : gemm.dataflow == Dataflow::RS ? Dataflow::LS
                                                            : Dataflow::OS;
        }
    }
    return gemms;
}

std::array<StoredTensor, 3> stored_tensors(const LayerDataflow& dataflow) {
    const auto stored = [](const char* name, const char* rows, const char* columns, bool transposed) {
        return transposed ? StoredTensor{fmt::format("{}^T", name), columns, rows}
                          : StoredTensor{name, rows, columns};
    };
    const bool weight = (dataflow.stationary == Stationary::X) != dataflow.transposed;
    return {stored("X", "tokens", "in", takes_transposed(dataflow)), stored("W", "in", "out", weight),
            stored("Y", "tokens", "out", leaves_transposed(dataflow))};
}

} // namespace meshslice
