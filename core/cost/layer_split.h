#pragma once

#include "core/base/result.h"
#include "core/machine/data_type.h"
#include "core/machine/machine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {

/// The feed-forward part of a block, In[B, D] · W_in[D, F] -> Tmp[B, F], Tmp · W_out[F, D] -> Out[B, D] (How
/// to Scale Your Model, chapter 5, which leaves attention out). A gated one has a second W_in.
struct SplitLayer {
    double tokens = 1; ///< B, of all chips together
    double width = 1;  ///< D
    double hidden = 1; ///< F
    int matrices = 2;  ///< 2, or 3 where it is gated
    DataType type = DataType::bf16;

    [[nodiscard]] double element_bytes() const;
    [[nodiscard]] double forward_flop() const { return 2 * matrices * tokens * width * hidden; }
};

/// How the weights of chips that share the tokens are kept.
enum class SharedWeights : std::uint8_t {
    sharded,   ///< each has a part, and gathers the rest before it multiplies: FSDP, ZeRO 3
    replicated ///< each has all of them, and adds up gradients: data parallel
};

/// Of the chips that hold one layer, X x Y: X share the tokens, Y the hidden width (tensor parallel).
struct SplitSizes {
    std::int64_t tokens = 1, hidden = 1;

    [[nodiscard]] std::int64_t chips() const { return tokens * hidden; }
    bool operator==(const SplitSizes&) const = default;
};

/// The chips of a question of splits: a mesh of a torus, or so many behind switches.
struct SplitChips {
    const Machine& machine;
    std::vector<std::int32_t> mesh; ///< one number behind switches

    [[nodiscard]] std::int64_t count() const;
    /// On a torus: bytes/s of a chip over one axis, both ways; 0 behind switches.
    [[nodiscard]] double axis_rate() const;
    /// On a torus: how many of its axes a group of so many chips needs, the longest first.
    [[nodiscard]] int axes_of(std::int64_t chips) const;
};

/// What a split takes forward; backward, arithmetic and weights take twice of it. Replicated weights have no
/// gather: theirs is half of what summing their gradients takes, which half of the backward arithmetic, as
/// long as the forward one, can hide.
struct LayerSplit {
    SplitSizes sizes;
    int token_axes = 0, hidden_axes = 0; ///< M_X and M_Y of a torus; 0 behind switches
    double compute_s = 0;
    double weight_bytes = 0, weights_s = 0;         ///< gathered, or summed by halves, over X by each chip
    double activation_bytes = 0, activations_s = 0; ///< gathered and summed over Y by each chip
    bool exchanges_hide = true;                     ///< each other: the longer one counts, else their sum

    [[nodiscard]] double communication_s() const;
    /// Arithmetic over communication; none where nothing is exchanged.
    [[nodiscard]] std::optional<double> ratio() const;
    [[nodiscard]] bool bound_by_compute() const { return compute_s >= communication_s(); }
    /// With communication hidden behind arithmetic.
    [[nodiscard]] double seconds() const;
};

/// `sizes` has as many chips as there are. Exchanges run at the peak of the links, without latency, as in the
/// book: on a torus over all axes that a group uses, where an axis that both use is the tensor group's;
/// behind switches as bytes into a chip, and into a domain over all of its ports (chapter 12).
[[nodiscard]] LayerSplit split_of(const SplitLayer& layer, const SplitChips& chips, const SplitSizes& sizes,
                                  bool exchanges_hide);
/// Every X x Y with a token and a column of F for each, from all chips sharing the tokens on.
[[nodiscard]] std::vector<LayerSplit> all_splits(const SplitLayer& layer, const SplitChips& chips,
                                                 bool exchanges_hide);
/// The quickest; of equal ones the one that communicates least.
[[nodiscard]] const LayerSplit& best_of(const std::vector<LayerSplit>& splits);

/// From where on arithmetic bounds, in closed form (chapter 5); of tori whose axes are alike.
struct SplitBounds {
    double alpha = 0;        ///< FLOP per byte of one axis, by elements of two bytes: C / W
    double token_share = 0;  ///< tokens of a chip above which sharing tokens alone is bound by arithmetic
    double hidden_chips = 0; ///< chips below which the tensor group alone is, whatever the batch
    double mixed_share = 0; ///< tokens of a chip above which the best mix is; 0: one of the two alone is best
    double best_tokens = 0; ///< X of that mix, as a real number
};
[[nodiscard]] std::optional<SplitBounds> split_bounds(const SplitLayer& layer, const SplitChips& chips,
                                                      bool exchanges_hide);
/// The tokens of a pod above which pods that share the batch, joined by the slower network around them, hide
/// their gradients; none where the machine has no such network around a torus.
[[nodiscard]] std::optional<double> tokens_of_a_pod(const SplitLayer& layer, const Machine& machine);

/// A step of one layer, as the book lists them: an exchange, or a product.
struct SplitStep {
    bool backward = false;
    std::string what;   ///< "AllGather_Y In", "Tmp = In · W_in"
    std::string result; ///< the block of one chip, "[62500, 32768]"
    double bytes = 0;   ///< that each chip receives; 0 of a product
    double seconds = 0;
    bool waits = false; ///< the next product waits for it; else it can be done ahead or behind
};
[[nodiscard]] std::vector<SplitStep> steps_of(const SplitLayer& layer, const LayerSplit& split,
                                              SharedWeights weights);

} // namespace meshslice
