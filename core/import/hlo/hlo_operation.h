#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace meshslice {

/// An array of XLA, as its HLO writes it: "bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)}".
struct HloShape {
    std::string type; ///< "bf16"
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> minor_to_major; ///< axes, the one first whose elements are next to each other
    /// Each tiles the last axes of what the one before it has made, in the order from major to minor.
    std::vector<std::vector<std::int64_t>> tiles;
    std::int64_t memory_space = 0; ///< 0: HBM; 1: VMEM on TPUs; 5: the host's

    [[nodiscard]] std::int64_t bits() const; ///< of an element; 0 where the type is not known
    [[nodiscard]] double elements() const;
    /// With what fills up the tiles.
    [[nodiscard]] double padded_elements() const;
    /// The sizes from major to minor as the first tile fills them up.
    [[nodiscard]] std::vector<std::int64_t> padded_sizes() const;
    [[nodiscard]] double bytes() const { return elements() * static_cast<double>(bits()) / 8; }
    [[nodiscard]] double padded_bytes() const { return padded_elements() * static_cast<double>(bits()) / 8; }

    bool operator==(const HloShape&) const = default;
};
/// As it is written.
[[nodiscard]] std::string text(const HloShape& shape);

struct HloOperand {
    std::string name;
    std::optional<HloShape> shape; ///< where the text has it

    bool operator==(const HloOperand&) const = default;
};

/// Axes of the operands of a dot that go together.
struct HloDot {
    std::vector<std::int64_t> left_contracted, right_contracted, left_batch, right_batch;
    bool complete = false; ///< whether the text says what is contracted of both operands

    bool operator==(const HloDot&) const = default;
};

/// An operation of a dump or of a profile, such as "%all-gather.1 = bf16[64]{0} all-gather(bf16[16]{0} %x),
/// replica_groups={{0,1,2,3}}, dimensions={0}".
struct HloOperation {
    std::string name;
    std::vector<HloShape> results;     ///< several of a tuple, those of tuples within it one after the other
    std::vector<std::size_t> elements; ///< of a tuple: at which of the results each of its elements begins
    std::string opcode;                ///< "fusion"
    std::vector<HloOperand> operands;
    /// "all-gather", "reduce-scatter", "all-reduce", "all-to-all", "collective-permute": by the opcode or by
    /// the computation that a fusion calls; empty: it does not communicate, or only
    /// waits for what another operation has started.
    std::string collective;
    /// Which devices do it together; one empty group: all of them.
    std::vector<std::vector<std::int64_t>> groups;
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs; ///< of a permute: from, to
    std::vector<std::int64_t> dimensions; ///< of the array, along which it gathers or scatters
    bool has_channel = false;             ///< channel_id: partitions take part
    bool global_ids = false;              ///< whether groups name partitions, not replicas of all of them
    HloDot dot;
    std::string calls; ///< of a fusion
    /// Computations that it runs one after the other or one of: of a while, a conditional, a call.
    std::vector<std::string> runs;
    std::string body;                  ///< of a while, one of those that it runs
    std::string condition;             ///< of a while, another one
    std::optional<std::int64_t> trips; ///< of a while, how often its body runs, where XLA wrote that down
    std::optional<std::int64_t> value; ///< of a constant that is one whole number
    std::string direction;             ///< of a compare: "LT"
    /// Results that stand in the memory of an operand, by output_to_operand_aliasing: which, and of which.
    std::vector<std::pair<std::int64_t, std::int64_t>> aliases;
    std::int64_t element = 0; ///< of the tuple that a get-tuple-element takes
    double flop = 0;          ///< of a dot whose operands have shapes; 0: not known

    bool operator==(const HloOperation&) const = default;
};

/// Whether it begins as the MLIR that JAX lowers to (StableHLO), or has an operation of it in its first line.
[[nodiscard]] bool is_mlir(std::string_view text);
/// What it is, and how one gets HLO.
[[nodiscard]] std::string hlo_of_mlir_words();

/// Refuses another text, and says at which letter it is wrong; and what checked_operation() refuses.
[[nodiscard]] Result<HloOperation> read_hlo_operation(std::string_view text);

} // namespace meshslice
