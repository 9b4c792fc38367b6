#pragma once

#include "core/base/result.h"
#include "core/program/program.h"

#include <utility>

namespace meshslice {

/// How many equal packets a panel of a stream is cut into: the largest number up to `most` that divides its
/// elements.
[[nodiscard]] std::int64_t stream_packets(std::int64_t panel_elements, std::int64_t most);

/// The most packets of a stream that a search tries.
inline constexpr std::int64_t most_packets_tried = 256;

/// Writes a program in the words of the literature, so that an algorithm reads like its pseudocode:
///
///     ProgramWriter chip(shape, Dataflow::OS, torus);
///     chip.loop(S, [&] {
///         const auto A_ = chip.all_gather_col(chip.slice_col(A, S, block));
///         ...
///
/// The subscripts are the paper's: `col` communicates among the chips of one row (the horizontal axis), `row`
/// among the chips of one column (the vertical axis). Shapes must divide evenly; the algorithms check that
/// before they write.
class ProgramWriter {
  public:
    /// Declares the shards of A, B and C that each chip holds, stored as the dataflow wants them
    /// (paper, 2.3.1): OS: A is m x k, B k x n. LS: B is n x k. RS: A is k x m. C is always m x n.
    ProgramWriter(const GemmShape& shape, Dataflow dataflow, const Torus& torus);

    /// The same with the caller's own layouts; `transposed` says how the dataflow wants them stored.
    ProgramWriter(const GemmShape& shape, Dataflow dataflow, const Torus& torus, Layouts layouts);

    [[nodiscard]] ValueId left() const { return left_value; }
    [[nodiscard]] ValueId right() const { return right_value; }
    [[nodiscard]] ValueId output() const { return output_value; }

    ValueId slice_col(ValueId source, std::int64_t count, std::int64_t block);
    ValueId slice_row(ValueId source, std::int64_t count, std::int64_t block);
    void put_slice_col(ValueId target, ValueId source, std::int64_t count, std::int64_t block);
    void put_slice_row(ValueId target, ValueId source, std::int64_t count, std::int64_t block);

    ValueId all_gather(ValueId source, Axis axis, Dimension dimension);
    ValueId reduce_scatter(ValueId source, Axis axis, Dimension dimension);
    void reduce_scatter(ValueId source, ValueId result, Axis axis, Dimension dimension);
    void all_gather(ValueId source, ValueId result, Axis axis, Dimension dimension);
    /// The same where each of `blocks` equal parts is gathered or scattered by itself.
    ValueId all_gather(ValueId source, Axis axis, Dimension dimension, std::int64_t blocks);
    ValueId reduce_scatter(ValueId source, Axis axis, Dimension dimension, std::int64_t blocks);
    ValueId all_to_all(ValueId source, Axis axis, Dimension split, Dimension joined,
                       std::int64_t split_blocks, std::int64_t joined_blocks);
    /// The chip's own part of what all along the axis have.
    ValueId take_part(ValueId source, Axis axis, Dimension dimension);
    /// Slice `number` of `count`, and the other way: contiguous where `count` blocks of `block` are all.
    ValueId slice_number(ValueId source, Dimension dimension, std::int64_t count, std::int64_t block,
                         std::int64_t number);
    void put_slice_number(ValueId target, ValueId source, Dimension dimension, std::int64_t count,
                          std::int64_t block, std::int64_t number);
    /// Operations so far.
    [[nodiscard]] std::size_t written() const { return written_; }
    /// What was written last makes the output itself.
    void last_is_output();
    void rename(ValueId value, std::string name);
    ValueId all_gather_col(ValueId source);
    ValueId all_gather_row(ValueId source);
    ValueId reduce_scatter_col(ValueId source);
    ValueId reduce_scatter_row(ValueId source);
    void reduce_scatter_col(ValueId source, ValueId result);
    void reduce_scatter_row(ValueId source, ValueId result);

    /// The reduce-scatter that was written last is fed by the GEMM that makes its source, in tiles of so many
    /// elements. It then goes one way round its ring, which must be closed. Inside the loop only in staggered
    /// order.
    void fuse(std::int64_t tile, ChunkOrder order = ChunkOrder::staggered);

    /// A temporary of zeros.
    ValueId buffer(std::string name, std::int64_t rows, std::int64_t columns);
    /// A temporary with the same content.
    ValueId copy(ValueId source);
    void add(ValueId target, ValueId source);
    [[nodiscard]] const Value& value(ValueId id) const { return program_.values[id]; }

    /// The next `per_iteration` panels of the ring, broadcast one after the other, in at most `most_packets`
    /// each, and joined.
    ValueId broadcast_col(ValueId source, std::int64_t panels, std::int64_t per_iteration,
                          std::int64_t most_packets);
    ValueId broadcast_row(ValueId source, std::int64_t panels, std::int64_t per_iteration,
                          std::int64_t most_packets);
    /// The other way: the partial sums of the next panels, reduced to their owners.
    void reduce_col(ValueId source, ValueId target, std::int64_t panels, std::int64_t per_iteration,
                    std::int64_t most_packets);
    void reduce_row(ValueId source, ValueId target, std::int64_t panels, std::int64_t per_iteration,
                    std::int64_t most_packets);

    /// Moves along the axis by `hops`, plus a factor times each coordinate of the chip.
    void skew(ValueId source, ValueId result, Axis axis, std::int64_t hops,
              std::array<std::int64_t, 3> factors);
    ValueId skew(ValueId source, Axis axis, std::array<std::int64_t, 3> factors);
    void shift_col(ValueId value, std::int64_t hops);
    void shift_row(ValueId value, std::int64_t hops);

    /// What is at hand in the first `parts` turns of a decomposed gather, and in the next of them.
    ValueId first_send_recv(ValueId shard, Axis axis, Dimension dimension, std::int64_t parts);
    void send_recv(ValueId at_hand, Axis axis, Dimension dimension, std::int64_t parts);
    /// For a decomposed scatter: adds the parts to the sum that goes round or, in the last turns, to the
    /// result.
    void add_send_recv(ValueId sum, ValueId source, Axis axis, Dimension dimension, std::int64_t parts);
    void last_add_send_recv(ValueId result, ValueId sum, ValueId source, Axis axis, Dimension dimension,
                            std::int64_t parts);
    /// The parts that belong to the halves at hand in some turns.
    ValueId take_chunks(ValueId source, Axis axis, Dimension dimension, Turns turns);
    void put_chunks(ValueId target, ValueId source, Axis axis, Dimension dimension, Turns turns);

    enum class Factor : std::uint8_t { as_is, transposed };
    /// A new temporary = left right
    ValueId multiply(ValueId left, Factor left_as, ValueId right, Factor right_as);
    /// result = left right
    void multiply_into(ValueId result, ValueId left, Factor left_as, ValueId right, Factor right_as);
    /// result += left right
    void multiply_add(ValueId result, ValueId left, Factor left_as, ValueId right, Factor right_as);

    /// The body is written once and runs `iterations` times. A program has one loop.
    template <class Body>
    void loop(std::int64_t iterations, Body&& body) {
        begin_loop(iterations);
        std::forward<Body>(body)();
        end_loop();
    }

    /// Refused where more operations were written than a program can hold.
    [[nodiscard]] Result<Program> finish() &&;

  private:
    void begin_loop(std::int64_t iterations);
    void end_loop();
    ValueId declare(std::string name, std::int64_t rows, std::int64_t columns, Value::Role role);
    ValueId slice(ValueId source, const Slicing& slicing);
    ValueId broadcast(ValueId source, Axis axis, Dimension dimension, std::int64_t panels,
                      std::int64_t per_iteration, std::int64_t most_packets);
    void reduce(ValueId source, ValueId target, Axis axis, Dimension dimension, std::int64_t panels,
                std::int64_t per_iteration, std::int64_t most_packets);
    Multiply product(ValueId result, ValueId left, Factor left_as, ValueId right, Factor right_as) const;
    void add(Operation operation);
    void replace_the_first();

    /// Whether a value is written before the loop, so that the loop hands it on from iteration to iteration.
    [[nodiscard]] bool carried(ValueId value) const;

    Program program_;
    bool inside_loop_ = false;
    std::size_t written_ = 0; ///< operations, including those that the program has no room for
};

} // namespace meshslice
