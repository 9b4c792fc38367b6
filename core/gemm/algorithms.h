#pragma once

#include "core/base/result.h"
#include "core/program/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What a caller may choose about a distributed product beyond its shape and dataflow.
struct GemmOptions {
    /// S, or the iterations to which SUMMA or Wang is unrolled; algorithms that do not slice ignore it.
    std::int64_t slices = 1;
    std::int64_t block = 1;   ///< B of Algorithm 2: columns (rows) that stay together when a shard is sliced
    std::int64_t packets = 0; ///< of a streamed panel, at most; 0: as many as the ring has chips
    /// Whose collective Wang's algorithm takes apart; none: of the closed rings that S divides the one with
    /// more traffic.
    std::optional<Axis> decomposed = {};
};

/// One distributed GeMM algorithm as the rest of the program knows it: data, and one function that writes it.
struct Algorithm {
    std::string_view id;      ///< "meshslice"
    std::string_view title;   ///< "MeshSlice"
    std::string_view summary; ///< one sentence
    std::string_view source;  ///< publication and section
    std::string_view needs;   ///< what mesh and divisibility it asks for, as a sentence
    std::vector<Dataflow> dataflows;
    int torus_axes = 2;  ///< of the mesh
    bool slices = false; ///< whether S has a meaning for it
    /// Whether a given S bounds the iterations of an unrolled loop (paper, section 4.2), so that the largest
    /// count up to S that works does.
    bool unrolls = false;
    bool streams = false;    ///< whether it streams packets
    bool decomposes = false; ///< whether it takes the collective of one axis apart
    /// Which matrix of a model's `index`-th layer stays put, where the algorithm has a rule of its own; null:
    /// the largest.
    Stationary (*stationary)(std::size_t index) = nullptr;

    /// Writes the program, or says what does not fit and what would.
    Result<Program> (*write)(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                             const GemmOptions& options);
    /// The slice counts that work for this product beside the other options, ascending; never empty when the
    /// product fits the mesh.
    Result<std::vector<std::int64_t>> (*slice_counts)(const GemmShape& shape, Dataflow dataflow,
                                                      const Torus& torus, const GemmOptions& options);
};

/// Every algorithm there is, in the order they are shown.
[[nodiscard]] const std::vector<Algorithm>& algorithms();
/// By id; the error lists the ids there are. The pointer stays valid.
[[nodiscard]] Result<const Algorithm*> algorithm(std::string_view id);

} // namespace meshslice
