#pragma once

#include "core/base/short_list.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace meshslice {

/// One collective of an operation, along an axis of the tensor-parallel grid: 0 is tensor1, 1 is tensor2.
struct BlockCollective {
    Collective what = Collective::all_gather;
    double bytes = 0;
    int axis = 0;

    bool operator==(const BlockCollective&) const = default;
};

/// What one chip does for an operation in one pass.
struct PassWork {
    double matrix_flop = 0;
    double vector_flop = 0;
    double bytes = 0; ///< to and from HBM
    ShortList<BlockCollective, 4> collectives;

    bool operator==(const PassWork&) const = default;
};

/// One operation of a transformer block, as one chip of the group does it.
struct LayerOperation {
    std::string_view name; ///< "FF1", "attention", "norm 1"
    PassWork forward, backward;
    double kept = 0;           ///< bytes of activations that wait for the backward pass
    double weights = 0;        ///< bytes
    bool panelled = false;     ///< its collectives go panel by panel, and their first is all that never hides
    int layer = -1;            ///< which of fully_connected_layers() an algorithm's programs do; -1: none
    bool of_attention = false; ///< done again where attention is computed again: the QKV GEMM and attention

    bool operator==(const LayerOperation&) const = default;
};

struct Block {
    std::vector<LayerOperation> operations;
    double sent = 0;     ///< bytes that a chip hands to the next stage of the pipeline
    double input = 0;    ///< bytes of its input, as one chip keeps it
    double gathered = 0; ///< bytes of the largest input that is gathered for a GEMM and dropped after it
};

/// The operations of one block for one micro-batch, in the order of arXiv 2410.00273, tables A1 to A3: first
/// the feed-forward network, then attention. Two bytes an element, one in a dropout's mask. Models with a
/// gate projection have neither biases nor dropout; experts share the tensor-parallel group, each expert
/// split over all of it, and tokens are spread evenly.
[[nodiscard]] Block transformer_block(const TrainingRun& run, const Plan& plan, ModelRules rules);

} // namespace meshslice
