#include "core/program/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace meshslice {
namespace {

template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>; // clang 14 does not find it by itself

/// The paper's subscript: "row" for the vertical axis, "col" for the horizontal one.
std::string_view subscript(Axis axis) {
    constexpr std::array<std::string_view, 3> names = {"row", "col", "third"};
    return names[static_cast<std::size_t>(axis)];
}
std::string_view subscript(Dimension dimension) {
    return dimension == Dimension::rows ? "row" : "col";
}

/// "s", "s - 3", "3", "2s".
std::string turn_text(const Turn& turn) {
    if (turn.stride == 0) {
        return fmt::format("{}", turn.offset);
    }
    const std::string s = turn.stride == 1 ? "s" : fmt::format("{}s", turn.stride);
    return turn.offset == 0 ? s
                            : fmt::format("{} {} {}", s, turn.offset > 0 ? '+' : '-', std::abs(turn.offset));
}

/// "s", or of several "2s .. 2s + 1".
std::string turns_text(const Turns& turns) {
    const Turn last{turns.first.stride, turns.first.offset + turns.count - 1};
    return turns.count == 1 ? turn_text(turns.first)
                            : fmt::format("{} .. {}", turn_text(turns.first), turn_text(last));
}

/// "[1]": which part of a value, where it has several.
std::string part_text(std::int64_t part, std::int64_t parts) {
    return parts == 1 ? std::string() : fmt::format("[{}]", part);
}

/// ", p = 0 .. 3": over the parts of a value.
std::string parts_text(std::int64_t first, std::int64_t parts) {
    return fmt::format(", p = {} .. {}", first, parts - 1);
}

/// The chip's place along an axis: its row, column or layer.
constexpr std::array<char, 3> places = {'i', 'j', 'k'};

/// ", each of 4 blocks", where there are several.
std::string blocks_text(std::int64_t blocks) {
    return blocks == 1 ? std::string() : fmt::format(", each of {} blocks", blocks);
}

/// "3", "3 - i": how far each ring moves, i, j and k being the chip's row, column and layer.
std::string hops_text(const Torus& torus, const Shift& shift) {
    std::string words = shift.hops != 0 || !shift.is_skew() ? fmt::format("{}", shift.hops) : "";
    for (std::size_t axis = 0; axis < places.size(); ++axis) {
        const bool there = static_cast<int>(axis) < torus.axis_count();
        const std::int64_t factor = there ? shift.skew[axis] : 0;
        if (factor != 0) {
            const std::string size = std::abs(factor) == 1 ? "" : fmt::format("{} ", std::abs(factor));
            const char* sign = words.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
            words += fmt::format("{}{}{}", sign, size, places[axis]);
        }
    }
    return words;
}

} // namespace

const Fusion* Program::fusion_of(OperationId operation) const {
    const auto found = std::ranges::find_if(
        fusions, [&](const Fusion& one) { return one.producer == operation || one.collective == operation; });
    return found == fusions.end() ? nullptr : &*found;
}

std::int64_t Program::tiles_of_a_chunk(const Fusion& fusion) const {
    const std::int64_t chunk = values[writes(operations[fusion.collective])].elements();
    return (chunk + fusion.tile - 1) / fusion.tile;
}

std::string name(const Operation& operation) {
    return std::visit(
        Match{[](const Slice& o) { return fmt::format("slice_{}", subscript(o.slicing.dimension)); },
              [](const PutSlice& o) { return fmt::format("put_slice_{}", subscript(o.slicing.dimension)); },
              [](const AllGather& o) { return fmt::format("AG_{}", subscript(o.axis)); },
              [](const ReduceScatter& o) { return fmt::format("RdS_{}", subscript(o.axis)); },
              [](const AllToAll& o) { return fmt::format("A2A_{}", subscript(o.axis)); },
              [](const TakePart& o) { return fmt::format("part_{}", subscript(o.dimension)); },
              [](const Broadcast& o) { return fmt::format("bcast_{}", subscript(o.axis)); },
              [](const Reduce& o) { return fmt::format("reduce_{}", subscript(o.axis)); },
              [](const Shift& o) {
                  return fmt::format("{}_{}", o.is_skew() ? "skew" : "shift", subscript(o.axis));
              },
              [](const SendRecv& o) { return fmt::format("SendRecv_{}", subscript(o.axis)); },
              [](const AddSendRecv& o) { return fmt::format("SendRecv_{}", subscript(o.axis)); },
              [](const TakeChunks& o) { return fmt::format("chunks_{}", subscript(o.dimension)); },
              [](const PutChunks& o) { return fmt::format("put_chunks_{}", subscript(o.dimension)); },
              [](const Add&) { return std::string("add"); },
              [](const Multiply&) { return std::string("multiply"); }},
        operation);
}

ReadValues reads(const Operation& operation) {
    return std::visit(
        Match{[](const Multiply& o) {
                  return o.accumulate ? ReadValues{o.left, o.right, o.result} : ReadValues{o.left, o.right};
              },
              [](const Add& o) {
                  return ReadValues{o.source, o.target};
              },
              [](const AddSendRecv& o) {
                  return ReadValues{o.source, o.sum};
              },
              [](const auto& o) { return ReadValues{o.source}; }},
        operation);
}

ValueId writes(const Operation& operation) {
    return std::visit(Match{[](const PutSlice& o) { return o.target; }, [](const Add& o) { return o.target; },
                            [](const PutChunks& o) { return o.target; },
                            [](const Reduce& o) { return o.target; }, [](const auto& o) { return o.result; }},
                      operation);
}

bool writes_a_part(const Operation& operation) {
    return std::visit(Match{[](const PutSlice&) { return true; }, [](const PutChunks&) { return true; },
                            [](const Reduce&) { return true; },
                            [](const Broadcast& o) { return o.parts > 1; },
                            [](const auto&) { return false; }},
                      operation);
}

namespace {

template <class One>
constexpr std::size_t index_of = Operation(std::in_place_type<One>).index();
template <class One>
Place along_axis(const Operation& operation) {
    return static_cast<Place>(std::get_if<One>(&operation)->axis);
}

} // namespace

Place place(const Operation& operation) {
    switch (operation.index()) { // Asked for every operation of every estimate.
    case index_of<Multiply>: return Place::core;
    case index_of<AllGather>: return along_axis<AllGather>(operation);
    case index_of<ReduceScatter>: return along_axis<ReduceScatter>(operation);
    case index_of<AllToAll>: return along_axis<AllToAll>(operation);
    case index_of<Broadcast>: return along_axis<Broadcast>(operation);
    case index_of<Reduce>: return along_axis<Reduce>(operation);
    case index_of<Shift>: return along_axis<Shift>(operation);
    case index_of<SendRecv>: return along_axis<SendRecv>(operation);
    case index_of<AddSendRecv>: return along_axis<AddSendRecv>(operation);
    default: return Place::nobody;
    }
}

std::string text(const Program& program, const Operation& operation) {
    const auto value = [&](ValueId id) -> const std::string& { return program.values[id].name; };
    return std::visit(
        Match{[&](const Slice& o) {
                  return o.slicing.count == 1
                             ? fmt::format("{} = {}", value(o.result), value(o.source))
                             : fmt::format("{} = {}({}, {}, {})", value(o.result), name(operation),
                                           value(o.source), o.slicing.count, turn_text(o.slicing.turn));
              },
              [&](const PutSlice& o) {
                  return fmt::format("slice_{}({}, {}, {}) = {}", subscript(o.slicing.dimension),
                                     value(o.target), o.slicing.count, turn_text(o.slicing.turn),
                                     value(o.source));
              },
              [&](const Multiply& o) {
                  return fmt::format("{} {} {}{} {}{}", value(o.result), o.accumulate ? "+=" : "=",
                                     value(o.left), o.transpose_left ? "^T" : "", value(o.right),
                                     o.transpose_right ? "^T" : "");
              },
              [&](const TakePart& o) {
                  return fmt::format("{} = {}({}, {})", value(o.result), name(operation), value(o.source),
                                     places[static_cast<std::size_t>(o.axis)]);
              },
              [&](const AllGather& o) {
                  return fmt::format("{} = {}({}{})", value(o.result), name(operation), value(o.source),
                                     blocks_text(o.blocks));
              },
              [&](const ReduceScatter& o) {
                  return fmt::format("{} = {}({}{})", value(o.result), name(operation), value(o.source),
                                     blocks_text(o.blocks));
              },
              [&](const AllToAll& o) {
                  return fmt::format("{} = {}({}, {} to {}{})", value(o.result), name(operation),
                                     value(o.source), subscript(o.joined), subscript(o.split),
                                     blocks_text(o.split_blocks * o.joined_blocks));
              },
              [&](const Add& o) { return fmt::format("{} += {}", value(o.target), value(o.source)); },
              [&](const Broadcast& o) {
                  return fmt::format("{}{} = {}(panel {} of {})", value(o.result), part_text(o.part, o.parts),
                                     name(operation), turn_text(o.panels.turn), value(o.source));
              },
              [&](const Reduce& o) {
                  return fmt::format("panel {} of {} = {}({}{})", turn_text(o.panels.turn), value(o.target),
                                     name(operation), value(o.source), part_text(o.part, o.parts));
              },
              [&](const PutChunks& o) {
                  return fmt::format("chunks_{}({}, {}) = {}", subscript(o.dimension), value(o.target),
                                     turns_text(o.turns), value(o.source));
              },
              [&](const TakeChunks& o) {
                  return fmt::format("{} = {}({}, {})", value(o.result), name(operation), value(o.source),
                                     turns_text(o.turns));
              },
              [&](const SendRecv& o) {
                  if (o.count == 0) {
                      return fmt::format("{} = {}", value(o.result), value(o.source));
                  }
                  if (o.parts == 1) {
                      return fmt::format("{} = {}({})", value(o.result), name(operation), value(o.source));
                  }
                  return o.count < o.parts
                             ? fmt::format("{0}[0] = {1}, {0}[p] = {2}({0}[p - 1]){3}", value(o.result),
                                           value(o.source), name(operation), parts_text(1, o.parts))
                             : fmt::format("{0}[p] = {1}({0}[p - 1]){2}, first of {0}[{3}]", value(o.result),
                                           name(operation), parts_text(0, o.parts), o.parts - 1);
              },
              [&](const AddSendRecv& o) {
                  const std::string sum = value(o.sum);
                  const std::string source = value(o.source);
                  if (o.parts == 1) {
                      return o.count == 0 ? fmt::format("{} = {} + {}", value(o.result), sum, source)
                                          : fmt::format("{} = {}({} + {})", value(o.result), name(operation),
                                                        sum, source);
                  }
                  const std::string last =
                      o.count < o.parts
                          ? fmt::format("; {} = {} + {}[{}]", value(o.result), sum, source, o.count)
                          : std::string();
                  return fmt::format("{0} = {1}({0} + {2}[p]){3}{4}", sum, name(operation), source,
                                     parts_text(0, o.count), last);
              },
              [&](const Shift& o) {
                  return fmt::format("{} = {}({}, {})", value(o.result), name(operation), value(o.source),
                                     hops_text(program.torus, o));
              },
              [&](const auto& o) {
                  return fmt::format("{} = {}({})", value(o.result), name(operation), value(o.source));
              }},
        operation);
}

std::string pseudocode(const Program& program) {
    std::string lines;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const bool inside = program.in_loop(id);
        if (inside && id == program.loop_begin) {
            lines += fmt::format("for s = 0 .. {}:\n", program.iterations - 1);
        }
        const Fusion* fusion = program.fusion_of(id);
        const std::string fed =
            fusion != nullptr && fusion->collective == id
                ? fmt::format(", tile by tile as {} is made{}",
                              program.values[writes(program.operations[fusion->producer])].name,
                              fusion->order == ChunkOrder::unstaggered ? ", the same chunk first on all chips"
                                                                       : "")
                : std::string();
        lines += fmt::format("{}{}{}\n", inside ? "    " : "", text(program, program.operations[id]), fed);
    }
    return lines;
}

} // namespace meshslice
