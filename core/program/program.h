#pragma once

#include "core/base/quantity.h"
#include "core/base/short_list.h"
#include "core/model/gemm.h"
#include "core/program/chunk_order.h"
#include "core/sharding/layout.h"
#include "core/torus/torus.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace meshslice {

/// A matrix that every chip holds its own part of; `rows` x `columns` is the part on one chip.
struct Value {
    enum class Role : std::uint8_t { left, right, output, temporary };

    std::string name; ///< as the literature writes it: "A", "A_s", "A'"
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    Role role = Role::temporary;

    [[nodiscard]] std::int64_t elements() const { return rows * columns; }
    bool operator==(const Value&) const = default;
};

/// Index into Program::values.
using ValueId = std::uint16_t;
/// Where every program keeps its operands and its result.
inline constexpr ValueId left_value = 0;
inline constexpr ValueId right_value = 1;
inline constexpr ValueId output_value = 2;
/// Index into Program::operations; a program has at most `most_operations`.
using OperationId = std::uint8_t;
inline constexpr std::size_t most_operations = 255;

enum class Dimension : std::uint8_t { rows, columns };

/// A number that changes with the loop: iteration x stride + offset. Outside the loop the iteration is 0.
struct Turn {
    std::int64_t stride = 1;
    std::int64_t offset = 0;

    [[nodiscard]] std::int64_t at(std::int64_t iteration) const { return iteration * stride + offset; }
    bool operator==(const Turn&) const = default;
};

/// Blocked slicing (paper, Algorithm 2): splits `dimension` of the source into blocks of `block`, deals the
/// blocks round-robin into `count` sub-shards and takes the one whose number is the turn, modulo `count`. One
/// block per sub-shard makes them contiguous panels.
struct Slicing {
    Dimension dimension = Dimension::columns;
    std::int64_t count = 1;
    std::int64_t block = 1;
    Turn turn = {};

    [[nodiscard]] std::int64_t number(std::int64_t iteration) const { return turn.at(iteration) % count; }
    bool operator==(const Slicing&) const = default;
};

/// result = slice_{row|col}(source, S, s).
struct Slice {
    ValueId source, result;
    Slicing slicing;
};

/// The other way: slice_{row|col}(target, S, s) = source.
struct PutSlice {
    ValueId source, target;
    Slicing slicing;
};

/// target += source, on the same chip.
struct Add {
    ValueId source, target;
};

/// result = the part of the source, along `dimension`, that belongs to the chip's place along `axis`. Nothing
/// is sent.
struct TakePart {
    ValueId source, result;
    Axis axis;
    Dimension dimension;
};

/// result = the shards of all chips of the ring along `axis`, joined in ring order along `dimension`. Where
/// the shard itself is made of `blocks` equal parts, each of these is joined by itself, so that what was
/// gathered along another axis before stays the major order.
struct AllGather {
    ValueId source, result;
    Axis axis;
    Dimension dimension;
    std::int64_t blocks = 1;
};

/// Sums the sources of all chips of the ring along `axis` and leaves to each chip the part of `dimension`
/// that belongs to its place in the ring; of each of `blocks` equal parts its own part.
struct ReduceScatter {
    ValueId source, result;
    Axis axis;
    Dimension dimension;
    /// All of it goes forward, whatever the schedule's ring mode: the chunks then have one order.
    bool one_way = false;
    std::int64_t blocks = 1;
};

/// Cuts the source along `split` into one chunk for each chip of the ring along `axis`, sends each to its
/// chip, and joins in ring order along `joined` what the chip gets from all: what was cut along one dimension
/// is then cut along the other (scaling book, chapter 3). Each of `split_blocks` equal parts of `split` is
/// cut by itself, and of what is joined each of `joined_blocks`.
struct AllToAll {
    ValueId source, result;
    Axis axis;
    Dimension split, joined;
    std::int64_t split_blocks = 1;
    std::int64_t joined_blocks = 1;
};

/// The panels of a matrix along a ring, for SUMMA (paper, section 2.3.3): `count` panels in all, the same
/// number on every chip, one chip after the other. The turn says whose panel is next.
struct Panels {
    std::int64_t count = 1; ///< in the whole ring; a multiple of its chips
    Turn turn;

    [[nodiscard]] std::int64_t number(std::int64_t iteration) const { return turn.at(iteration) % count; }
    bool operator==(const Panels&) const = default;
};

/// Part `part` of `parts` of the result, along `dimension` = the panel of the chip whose turn it is, sent
/// from chip to chip round the ring as a stream of `packets`.
struct Broadcast {
    ValueId source, result;
    Axis axis;
    Dimension dimension;
    Panels panels;
    std::int64_t part = 0;
    std::int64_t parts = 1;
    std::int64_t packets = 1;
};

/// The other way: sums part `part` of `parts` of the sources into the panel of the target of the chip whose
/// turn it is, as a stream of packets; the targets of the other chips stay as they are.
struct Reduce {
    ValueId source, target;
    Axis axis;
    Dimension dimension;
    Panels panels;
    std::int64_t part = 0;
    std::int64_t parts = 1;
    std::int64_t packets = 1;
};

/// Moves a value `hops` chips along the ring, hop by hop, the shorter way round: forward if above 0. A skew
/// moves every ring by its own distance: `hops` plus, for each coordinate of the chip, a factor times that
/// coordinate (0 along the ring itself).
struct Shift {
    ValueId source, result;
    Axis axis;
    std::int64_t hops = 0;
    std::array<std::int64_t, 3> skew{}; ///< the factors, by axis

    [[nodiscard]] bool is_skew() const { return skew != std::array<std::int64_t, 3>{}; }
};

/// Wang's decomposition of a gather (paper, section 2.3.4): `count` SendRecvs one after the other. In each,
/// the first half of the chunk that every chip has at hand, along `dimension`, moves one chip forward and the
/// second half one backward (one-way: all of it forward). The result is what was at hand in `parts` turns,
/// joined: `parts` = `count`, or one more where the last chunk of the source, with which it begins, is itself
/// the first.
struct SendRecv {
    ValueId source, result;
    Axis axis;
    Dimension dimension;
    std::int64_t parts = 1;
    std::int64_t count = 1;
};

/// The same for a scatter: every chip adds the next of the source's `parts` to the sum at hand and passes it
/// on by a SendRecv, `count` times: after every part, or after all but the last, whose sum then stays.
struct AddSendRecv {
    ValueId source, sum, result;
    Axis axis;
    Dimension dimension;
    std::int64_t parts = 1;
    std::int64_t count = 1;
};

/// Turns of a decomposed collective that one iteration takes together: that many SendRecvs, one
/// multiplication.
struct Turns {
    Turn first;
    std::int64_t count = 1;
};

/// From a value made of the chunks of all chips of a ring, joined along `dimension`: the pieces at hand in
/// some turns, joined. After t SendRecvs these are the first half of the chunk t behind and the second half
/// of the one t ahead.
struct TakeChunks {
    ValueId source, result;
    Axis axis;
    Dimension dimension;
    Turns turns;
};

/// The other way: puts the halves that the source is made of into the chunks of the target that they belong
/// to.
struct PutChunks {
    ValueId source, target;
    Axis axis;
    Dimension dimension;
    Turns turns;
};

/// result (+)= left right, with either factor transposed.
struct Multiply {
    ValueId left, right, result;
    bool transpose_left = false;
    bool transpose_right = false;
    bool accumulate = false; ///< adds to what the result holds instead of replacing it
    GemmShape shape;         ///< of the multiplication on one chip
};

using Operation = std::variant<Slice, PutSlice, Add, AllGather, ReduceScatter, Broadcast, Reduce, Shift,
                               SendRecv, AddSendRecv, TakeChunks, PutChunks, Multiply, TakePart, AllToAll>;

/// A GEMM that feeds the reduce-scatter of its result tile by tile: the collective's steps begin as parts of
/// their data are finished. It says that they do, never when (T3, ASPLOS 2024, section 4). Nothing else
/// writes or reads the GEMM's result.
struct Fusion {
    OperationId producer = 0;   ///< a Multiply that does not accumulate
    OperationId collective = 0; ///< a ReduceScatter of its result, one way
    std::int64_t tile = 1; ///< elements that are finished, counted and sent together; the last of a chunk may
                           ///< have fewer
    /// Of production. What becomes of a chunk is the same in both (see address_map()).
    ChunkOrder order = ChunkOrder::staggered;

    bool operator==(const Fusion&) const = default;
};

/// A distributed GEMM, written once: the operations that every chip of the torus runs, before, inside and
/// after one loop. It knows no time, no hardware and no screen. The operations inside the loop run
/// `iterations` times; what depends on the iteration (which slice is taken) is part of the operation's
/// meaning.
struct Program {
    GemmShape shape;
    Dataflow dataflow = Dataflow::OS;
    Torus torus;
    Layouts layouts; ///< of A, B and C
    std::vector<Value> values;
    std::vector<Operation> operations;
    std::vector<Fusion> fusions; ///< by producer, ascending
    OperationId loop_begin = 0;  ///< operations [loop_begin, loop_end) are the loop's body
    OperationId loop_end = 0;
    std::int64_t iterations = 1;

    [[nodiscard]] bool in_loop(OperationId operation) const {
        return operation >= loop_begin && operation < loop_end;
    }
    /// How often the operation runs: once outside the loop, `iterations` times inside.
    [[nodiscard]] std::int64_t runs(OperationId operation) const {
        return in_loop(operation) ? iterations : 1;
    }
    /// The fusion that an operation has a part in; null for none.
    [[nodiscard]] const Fusion* fusion_of(OperationId operation) const;
    /// Into how many tiles a chunk of a fused collective is cut.
    [[nodiscard]] std::int64_t tiles_of_a_chunk(const Fusion& fusion) const;
};

/// What an operation is called, by the literature: "slice_col", "AG_row", "RdS_col", "multiply".
[[nodiscard]] std::string name(const Operation& operation);
/// The values an operation reads, its accumulated result included.
using ReadValues = ShortList<ValueId, 3>;
[[nodiscard]] ReadValues reads(const Operation& operation);
/// The value it writes, wholly or in part.
[[nodiscard]] ValueId writes(const Operation& operation);
/// Whether it leaves a part of that value as it was.
[[nodiscard]] bool writes_a_part(const Operation& operation);

/// The place where an operation is done: the core, or the two links of one axis. Slicing is only addressing
/// and needs no engine (the paper's cost model, section 3.2.2, gives it no time; on real chips the paper
/// measures 1.3%, section 5.3.1).
enum class Place : std::uint8_t {
    vertical_links = 0,
    horizontal_links = 1,
    third_links = 2,
    core = 3,
    nobody = 4
};
[[nodiscard]] Place place(const Operation& operation);

/// The engines of a chip, numbered like their places: the links of three axes and the core. Each works by
/// itself.
inline constexpr std::size_t engine_count = 4;
inline constexpr auto core_engine = static_cast<std::size_t>(Place::core);
/// `engine_count` or more for operations that need no engine.
[[nodiscard]] inline std::size_t engine_of(const Operation& operation) {
    return static_cast<std::size_t>(place(operation));
}

/// One operation as a line of pseudocode: "A' = AG_col(A_s)".
[[nodiscard]] std::string text(const Program& program, const Operation& operation);
/// The whole program as pseudocode, one operation a line.
[[nodiscard]] std::string pseudocode(const Program& program);

} // namespace meshslice
