#pragma once

#include "core/base/short_list.h"
#include "core/model/gemm.h"

#include <cstdint>
#include <string_view>

namespace meshslice {

enum class TaskKind : std::uint8_t { gemm, attention, vector, exchange, host };

/// Where a task stands between the residual stream and the wide inner part of a mixer or a feed-forward
/// network (heads, inner features): it leads into that part, lies inside it, leads out of it, or works on the
/// stream itself. Tensor parallelism splits a task by this.
enum class TaskPlace : std::uint8_t { into, inside, out_of, stream };

/// The dimensions of a task, by name: of the whole task, or a chip's part of each. 1 where it has none.
struct Dims {
    double samples = 1; ///< sequences of a batch
    double rows = 1;    ///< new tokens of a sample
    double routed = 1;  ///< experts that each token goes to
    double copies = 1;  ///< experts, each with weights of its own
    double in = 1;      ///< columns of X, rows of W
    double out = 1;     ///< columns of W and of Y; features of a vector operation
    double heads = 1, kv_heads = 1, head_size = 1;
    double value_size = 0; ///< features of a head's values; 0: as many as head_size
    double keys = 1;       ///< tokens of a sample that attention may look at, cached ones too
    double seen = 1;       ///< the share of them that a token sees
    double panels = 1; ///< how often the output of a GEMM is read and written, because it is summed in parts
    /// Additions that a sum saves because its first term needs none: 0 where a term counts as 2 FLOP, as the
    /// field counts; 1 where the additions that there are count.
    double saved = 0;
    double operand = 2; ///< bytes of a number that a GEMM multiplies; what it makes has 2
    double cast = 0;    ///< bytes that pass memory to make one from 2 bytes
    double frozen = 0;  ///< bytes of a weight that is not trained; 0: it is
    double rank = 0;    ///< of the adapters that are trained next to it; 0: none

    [[nodiscard]] double tokens() const { return samples * rows * routed; } ///< rows of X, of all copies
    bool operator==(const Dims&) const = default;
};

/// What a task comes to with some dimensions. Two bytes an element, one in a dropout's mask, and those of
/// Dims::operand where a GEMM multiplies it.
struct Amounts {
    double matrix_flop = 0;
    double vector_flop = 0;
    double bytes = 0;   ///< to and from memory
    double cast = 0;    ///< to and from memory before it, so that GEMMs can multiply in few bits
    double kept = 0;    ///< bytes of activations that wait for the backward pass
    double weights = 0; ///< bytes
    double frozen = 0;  ///< of these, that are not trained
    double state = 0;   ///< bytes that stay from step to step, or from token to token, in addition to weights

    Amounts& operator+=(const Amounts& other);
    bool operator==(const Amounts&) const = default;
};

/// One task of a workload, whole: no matter how many chips share it. Its amounts follow from its dimensions,
/// so a chip's part of it follows from a chip's part of the dimensions.
struct Task {
    std::string_view name;     ///< "attention", "norm 1"
    Pass pass = Pass::forward; ///< prefill and decode are kinds of batch, not passes
    TaskKind kind = TaskKind::vector;
    TaskPlace place = TaskPlace::stream;
    bool of_mixer = false; ///< of attention and its GEMMs, not of the feed-forward network
    Dims dims;
    Amounts (*law)(const Dims& dims, Pass pass) = nullptr;
    ShortList<std::int16_t, 3> after; ///< places in the list of the tasks that it waits for

    [[nodiscard]] Amounts amounts() const { return law(dims, pass); }
    [[nodiscard]] Amounts amounts(const Dims& of_chip) const { return law(of_chip, pass); }
    bool operator==(const Task&) const = default;
};

} // namespace meshslice
