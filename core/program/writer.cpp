#include "core/program/writer.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <utility>

namespace meshslice {
namespace {

/// "A_s" -> "A'", "A" -> "A_s": the marks the paper puts on the name of the matrix itself.
std::string marked(const std::string& name, const char* mark) {
    std::string bare = name;
    if (bare.ends_with('\'')) {
        bare.pop_back();
    } else if (bare.ends_with("_s")) {
        bare.resize(bare.size() - 2);
    }
    return bare.append(mark);
}

} // namespace

std::int64_t stream_packets(std::int64_t panel_elements, std::int64_t most) {
    std::int64_t count = std::min(panel_elements, most);
    while (panel_elements % count != 0) {
        --count;
    }
    return count;
}

/// Rows over the mesh's rows, columns over its columns; the dataflow says which factor is stored transposed.
/// Made once: the autotuner writes thousands of programs.
static const Layouts& mesh_layouts(Dataflow dataflow) {
    const auto layouts = [](bool left_transposed, bool right_transposed) {
        const Axes rows = {Axis::vertical};
        const Axes columns = {Axis::horizontal};
        return Layouts{
            {{rows, columns, left_transposed}, {rows, columns, right_transposed}, {rows, columns, false}}};
    };
    static const std::array<Layouts, 3> all = {layouts(false, false), layouts(false, true),
                                               layouts(true, false)};
    return all[static_cast<std::size_t>(dataflow)];
}

ProgramWriter::ProgramWriter(const GemmShape& shape, Dataflow dataflow, const Torus& torus)
    : ProgramWriter(shape, dataflow, torus, mesh_layouts(dataflow)) {}

ProgramWriter::ProgramWriter(const GemmShape& shape, Dataflow dataflow, const Torus& torus, Layouts layouts) {
    program_.values.reserve(12);
    program_.operations.reserve(8);
    program_.shape = shape;
    program_.dataflow = dataflow;
    program_.torus = torus;
    program_.layouts = std::move(layouts);
    const auto shard = [&](const char* name, std::int64_t height, std::int64_t width, Value::Role role) {
        const Layout& layout = program_.layouts[program_.values.size()];
        const std::int64_t rows = parts(torus, layout.rows);
        const std::int64_t columns = parts(torus, layout.columns);
        if (layout.transposed) {
            std::swap(height, width);
        }
        assert(height % rows == 0 && width % columns == 0);
        declare(name, height / rows, width / columns, role);
    };
    shard("A", shape.m, shape.k, Value::Role::left);
    shard("B", shape.k, shape.n, Value::Role::right);
    shard("C", shape.m, shape.n, Value::Role::output);
}

ValueId ProgramWriter::declare(std::string name, std::int64_t rows, std::int64_t columns, Value::Role role) {
    Value value{std::move(name), rows, columns, role};
    // After the loop its temporaries are free again: a new value of the same shape reuses one.
    if (role == Value::Role::temporary && !inside_loop_) {
        for (OperationId id = program_.loop_begin; id < program_.loop_end; ++id) {
            const ValueId made = writes(program_.operations[id]);
            if (program_.values[made] == value && !carried(made)) {
                return made;
            }
        }
    }
    program_.values.push_back(std::move(value));
    return static_cast<ValueId>(program_.values.size() - 1);
}

bool ProgramWriter::carried(ValueId value) const {
    return std::any_of(program_.operations.begin(), program_.operations.begin() + program_.loop_begin,
                       [&](const Operation& operation) { return writes(operation) == value; });
}

void ProgramWriter::add(Operation operation) {
    if (++written_ <= most_operations) {
        program_.operations.push_back(std::move(operation));
    }
}

ValueId ProgramWriter::slice(ValueId source, const Slicing& slicing) {
    const Value whole = program_.values[source];
    const bool rows = slicing.dimension == Dimension::rows;
    assert((rows ? whole.rows : whole.columns) % (slicing.count * slicing.block) == 0);
    const ValueId result =
        declare(marked(whole.name, "_s"), rows ? whole.rows / slicing.count : whole.rows,
                rows ? whole.columns : whole.columns / slicing.count, Value::Role::temporary);
    add(Slice{source, result, slicing});
    return result;
}

ValueId ProgramWriter::slice_col(ValueId source, std::int64_t count, std::int64_t block) {
    return slice(source, {Dimension::columns, count, block});
}
ValueId ProgramWriter::slice_row(ValueId source, std::int64_t count, std::int64_t block) {
    return slice(source, {Dimension::rows, count, block});
}
void ProgramWriter::put_slice_col(ValueId target, ValueId source, std::int64_t count, std::int64_t block) {
    add(PutSlice{source, target, {Dimension::columns, count, block}});
}
void ProgramWriter::put_slice_row(ValueId target, ValueId source, std::int64_t count, std::int64_t block) {
    add(PutSlice{source, target, {Dimension::rows, count, block}});
}

ValueId ProgramWriter::all_gather(ValueId source, Axis axis, Dimension dimension) {
    return all_gather(source, axis, dimension, 1);
}

ValueId ProgramWriter::all_gather(ValueId source, Axis axis, Dimension dimension, std::int64_t blocks) {
    const Value shard = program_.values[source];
    const std::int64_t ring = program_.torus.size(axis);
    const bool rows = dimension == Dimension::rows;
    const ValueId result = declare(marked(shard.name, "'"), rows ? shard.rows * ring : shard.rows,
                                   rows ? shard.columns : shard.columns * ring, Value::Role::temporary);
    add(AllGather{source, result, axis, dimension, blocks});
    return result;
}

ValueId ProgramWriter::all_gather_col(ValueId source) {
    return all_gather(source, Axis::horizontal, Dimension::columns);
}
ValueId ProgramWriter::all_gather_row(ValueId source) {
    return all_gather(source, Axis::vertical, Dimension::rows);
}

ValueId ProgramWriter::reduce_scatter(ValueId source, Axis axis, Dimension dimension) {
    return reduce_scatter(source, axis, dimension, 1);
}

ValueId ProgramWriter::reduce_scatter(ValueId source, Axis axis, Dimension dimension, std::int64_t blocks) {
    const Value partial = program_.values[source];
    const std::int64_t ring = program_.torus.size(axis);
    const bool rows = dimension == Dimension::rows;
    assert((rows ? partial.rows : partial.columns) % ring == 0);
    const ValueId result = declare(marked(partial.name, "_s"), rows ? partial.rows / ring : partial.rows,
                                   rows ? partial.columns : partial.columns / ring, Value::Role::temporary);
    add(ReduceScatter{source, result, axis, dimension, false, blocks});
    return result;
}

ValueId ProgramWriter::all_to_all(ValueId source, Axis axis, Dimension split, Dimension joined,
                                  std::int64_t split_blocks, std::int64_t joined_blocks) {
    const Value whole = program_.values[source];
    const std::int64_t ring = program_.torus.size(axis);
    const bool rows = split == Dimension::rows;
    assert(split != joined && (rows ? whole.rows : whole.columns) % (ring * split_blocks) == 0);
    const ValueId result =
        declare(marked(whole.name, "'"), rows ? whole.rows / ring : whole.rows * ring,
                rows ? whole.columns * ring : whole.columns / ring, Value::Role::temporary);
    add(AllToAll{source, result, axis, split, joined, split_blocks, joined_blocks});
    return result;
}

ValueId ProgramWriter::take_part(ValueId source, Axis axis, Dimension dimension) {
    const Value whole = program_.values[source];
    const std::int64_t ring = program_.torus.size(axis);
    const bool rows = dimension == Dimension::rows;
    const ValueId result = declare(marked(whole.name, "_s"), rows ? whole.rows / ring : whole.rows,
                                   rows ? whole.columns : whole.columns / ring, Value::Role::temporary);
    add(TakePart{source, result, axis, dimension});
    return result;
}

ValueId ProgramWriter::slice_number(ValueId source, Dimension dimension, std::int64_t count,
                                    std::int64_t block, std::int64_t number) {
    return slice(source, {dimension, count, block, {0, number}});
}

void ProgramWriter::put_slice_number(ValueId target, ValueId source, Dimension dimension, std::int64_t count,
                                     std::int64_t block, std::int64_t number) {
    add(PutSlice{source, target, {dimension, count, block, {0, number}}});
}

void ProgramWriter::last_is_output() {
    const ValueId made = writes(program_.operations.back());
    [[maybe_unused]] const Value& output = program_.values[output_value];
    assert(made + 1U == program_.values.size() && program_.values[made].rows == output.rows &&
           program_.values[made].columns == output.columns);
    for (Operation& operation : program_.operations) {
        std::visit(
            [&](auto& one) {
                if constexpr (requires { one.target; }) {
                    one.target = one.target == made ? output_value : one.target;
                } else {
                    one.result = one.result == made ? output_value : one.result;
                }
            },
            operation);
    }
    program_.values.pop_back();
}

void ProgramWriter::rename(ValueId value, std::string name) {
    program_.values[value].name = std::move(name);
}

ValueId ProgramWriter::reduce_scatter_col(ValueId source) {
    return reduce_scatter(source, Axis::horizontal, Dimension::columns);
}
ValueId ProgramWriter::reduce_scatter_row(ValueId source) {
    return reduce_scatter(source, Axis::vertical, Dimension::rows);
}
void ProgramWriter::reduce_scatter(ValueId source, ValueId result, Axis axis, Dimension dimension) {
    add(ReduceScatter{source, result, axis, dimension});
}
void ProgramWriter::all_gather(ValueId source, ValueId result, Axis axis, Dimension dimension) {
    add(AllGather{source, result, axis, dimension});
}
void ProgramWriter::reduce_scatter_col(ValueId source, ValueId result) {
    add(ReduceScatter{source, result, Axis::horizontal, Dimension::columns});
}
void ProgramWriter::reduce_scatter_row(ValueId source, ValueId result) {
    add(ReduceScatter{source, result, Axis::vertical, Dimension::rows});
}

void ProgramWriter::fuse(std::int64_t tile, ChunkOrder order) {
    auto* const scatter = std::get_if<ReduceScatter>(&program_.operations.back());
    assert(scatter != nullptr && tile >= 1 && program_.torus.wraps(scatter->axis));
    scatter->one_way = true;
    const auto collective = static_cast<OperationId>(program_.operations.size() - 1);
    OperationId producer = collective;
    while (producer > 0 && writes(program_.operations[producer]) != scatter->source) {
        --producer;
    }
    [[maybe_unused]] const auto* multiply = std::get_if<Multiply>(&program_.operations[producer]);
    assert(multiply != nullptr && !multiply->accumulate &&
           program_.in_loop(producer) == program_.in_loop(collective) &&
           (order == ChunkOrder::staggered || !program_.in_loop(collective)));
    program_.fusions.push_back({producer, collective, tile, order});
}

ValueId ProgramWriter::buffer(std::string name, std::int64_t rows, std::int64_t columns) {
    return declare(std::move(name), rows, columns, Value::Role::temporary);
}

ValueId ProgramWriter::copy(ValueId source) {
    return slice(source, {Dimension::columns, 1, program_.values[source].columns, {}});
}

void ProgramWriter::add(ValueId target, ValueId source) {
    add(Add{source, target});
}

ValueId ProgramWriter::broadcast(ValueId source, Axis axis, Dimension dimension, std::int64_t panels,
                                 std::int64_t per_iteration, std::int64_t most_packets) {
    const Value whole = program_.values[source];
    const std::int64_t ring = program_.torus.size(axis);
    const std::int64_t on_one_chip = panels / ring;
    const bool rows = dimension == Dimension::rows;
    const std::int64_t height = rows ? whole.rows / on_one_chip : whole.rows;
    const std::int64_t width = rows ? whole.columns : whole.columns / on_one_chip;
    const ValueId result = declare(marked(whole.name, "'"), rows ? height * per_iteration : height,
                                   rows ? width : width * per_iteration, Value::Role::temporary);
    const std::int64_t packets = stream_packets(height * width, most_packets);
    program_.operations.reserve(program_.operations.size() + static_cast<std::size_t>(per_iteration));
    for (std::int64_t part = 0; part < per_iteration; ++part) {
        add(Broadcast{
            source, result, axis, dimension, {panels, {per_iteration, part}}, part, per_iteration, packets});
    }
    return result;
}

ValueId ProgramWriter::broadcast_col(ValueId source, std::int64_t panels, std::int64_t per_iteration,
                                     std::int64_t most_packets) {
    return broadcast(source, Axis::horizontal, Dimension::columns, panels, per_iteration, most_packets);
}
ValueId ProgramWriter::broadcast_row(ValueId source, std::int64_t panels, std::int64_t per_iteration,
                                     std::int64_t most_packets) {
    return broadcast(source, Axis::vertical, Dimension::rows, panels, per_iteration, most_packets);
}

void ProgramWriter::reduce(ValueId source, ValueId target, Axis axis, Dimension dimension,
                           std::int64_t panels, std::int64_t per_iteration, std::int64_t most_packets) {
    const std::int64_t packets =
        stream_packets(program_.values[source].elements() / per_iteration, most_packets);
    program_.operations.reserve(program_.operations.size() + static_cast<std::size_t>(per_iteration));
    for (std::int64_t part = 0; part < per_iteration; ++part) {
        add(Reduce{
            source, target, axis, dimension, {panels, {per_iteration, part}}, part, per_iteration, packets});
    }
}

void ProgramWriter::reduce_col(ValueId source, ValueId target, std::int64_t panels,
                               std::int64_t per_iteration, std::int64_t most_packets) {
    reduce(source, target, Axis::horizontal, Dimension::columns, panels, per_iteration, most_packets);
}
void ProgramWriter::reduce_row(ValueId source, ValueId target, std::int64_t panels,
                               std::int64_t per_iteration, std::int64_t most_packets) {
    reduce(source, target, Axis::vertical, Dimension::rows, panels, per_iteration, most_packets);
}

void ProgramWriter::skew(ValueId source, ValueId result, Axis axis, std::int64_t hops,
                         std::array<std::int64_t, 3> factors) {
    add(Shift{source, result, axis, hops, factors});
}
ValueId ProgramWriter::skew(ValueId source, Axis axis, std::array<std::int64_t, 3> factors) {
    const Value whole = program_.values[source];
    const ValueId result = buffer(marked(whole.name, "'"), whole.rows, whole.columns);
    skew(source, result, axis, 0, factors);
    return result;
}
void ProgramWriter::shift_col(ValueId value, std::int64_t hops) {
    add(Shift{value, value, Axis::horizontal, hops, {}});
}
void ProgramWriter::shift_row(ValueId value, std::int64_t hops) {
    add(Shift{value, value, Axis::vertical, hops, {}});
}

ValueId ProgramWriter::first_send_recv(ValueId shard, Axis axis, Dimension dimension, std::int64_t parts) {
    const Value one = program_.values[shard];
    const bool rows = dimension == Dimension::rows;
    const ValueId result = buffer(marked(one.name, "_s"), rows ? one.rows * parts : one.rows,
                                  rows ? one.columns : one.columns * parts);
    add(SendRecv{shard, result, axis, dimension, parts, parts - 1});
    return result;
}
void ProgramWriter::send_recv(ValueId at_hand, Axis axis, Dimension dimension, std::int64_t parts) {
    add(SendRecv{at_hand, at_hand, axis, dimension, parts, parts});
}

void ProgramWriter::add_send_recv(ValueId sum, ValueId source, Axis axis, Dimension dimension,
                                  std::int64_t parts) {
    add(AddSendRecv{source, sum, sum, axis, dimension, parts, parts});
}
void ProgramWriter::last_add_send_recv(ValueId result, ValueId sum, ValueId source, Axis axis,
                                       Dimension dimension, std::int64_t parts) {
    add(AddSendRecv{source, sum, result, axis, dimension, parts, parts - 1});
}

ValueId ProgramWriter::take_chunks(ValueId source, Axis axis, Dimension dimension, Turns turns) {
    const Value whole = program_.values[source];
    const std::int64_t ring = program_.torus.size(axis);
    const bool rows = dimension == Dimension::rows;
    const ValueId result =
        buffer(marked(whole.name, "_s"), rows ? whole.rows / ring * turns.count : whole.rows,
               rows ? whole.columns : whole.columns / ring * turns.count);
    add(TakeChunks{source, result, axis, dimension, turns});
    return result;
}

void ProgramWriter::put_chunks(ValueId target, ValueId source, Axis axis, Dimension dimension, Turns turns) {
    add(PutChunks{source, target, axis, dimension, turns});
}

ValueId ProgramWriter::multiply(ValueId left, Factor left_as, ValueId right, Factor right_as) {
    const Value a = program_.values[left];
    const Value b = program_.values[right];
    const ValueId result = declare("C'", left_as == Factor::as_is ? a.rows : a.columns,
                                   right_as == Factor::as_is ? b.columns : b.rows, Value::Role::temporary);
    multiply_into(result, left, left_as, right, right_as);
    return result;
}

void ProgramWriter::multiply_into(ValueId result, ValueId left, Factor left_as, ValueId right,
                                  Factor right_as) {
    add(product(result, left, left_as, right, right_as));
}

void ProgramWriter::multiply_add(ValueId result, ValueId left, Factor left_as, ValueId right,
                                 Factor right_as) {
    Multiply sum = product(result, left, left_as, right, right_as);
    sum.accumulate = true;
    add(sum);
}

Multiply ProgramWriter::product(ValueId result, ValueId left, Factor left_as, ValueId right,
                                Factor right_as) const {
    const Value& a = program_.values[left];
    const Value& b = program_.values[right];
    const bool a_as_is = left_as == Factor::as_is;
    const bool b_as_is = right_as == Factor::as_is;
    const GemmShape shape{a_as_is ? a.rows : a.columns, b_as_is ? b.columns : b.rows,
                          a_as_is ? a.columns : a.rows};
    assert(shape.k == (b_as_is ? b.rows : b.columns));
    assert(shape.m == program_.values[result].rows && shape.n == program_.values[result].columns);
    return {left, right, result, !a_as_is, !b_as_is, false, shape};
}

void ProgramWriter::begin_loop(std::int64_t iterations) {
    assert(program_.loop_begin == program_.loop_end && iterations >= 1);
    program_.loop_begin = static_cast<OperationId>(program_.operations.size());
    program_.iterations = iterations;
    inside_loop_ = true;
}

void ProgramWriter::end_loop() {
    inside_loop_ = false;
    program_.loop_end = static_cast<OperationId>(program_.operations.size());
}

Result<Program> ProgramWriter::finish() && {
    if (written_ > most_operations) {
        return refuse(say("Written out, the GEMM {} on the mesh {} is a program of {} operations; at most {} "
                          "are possible. Choose more iterations, each of fewer operations.",
                          text(program_.shape), shape_text(program_.torus), written_, most_operations));
    }
    replace_the_first();
    return std::move(program_);
}

/// An operation that adds to a result not yet written replaces it instead, so that no zeros are read from
/// memory. Inside a loop only the first iteration could do so, and all iterations run the same program.
void ProgramWriter::replace_the_first() {
    for (OperationId id = 0; id < program_.operations.size(); ++id) {
        auto* multiply = std::get_if<Multiply>(&program_.operations[id]);
        if (multiply == nullptr || !multiply->accumulate || program_.runs(id) > 1) {
            continue;
        }
        const auto before = std::span(program_.operations).first(id);
        multiply->accumulate = std::ranges::any_of(
            before, [&](const Operation& operation) { return writes(operation) == multiply->result; });
    }
}

} // namespace meshslice
