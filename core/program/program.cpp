#include "core/program/program.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace meshslice {
namespace {

template <class... Cases>
struct Match : Cases... {
    using Cases::operator()...;
};

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

/// "SendRecv_row(A)", "3 x SendRecv_row(A)", or nothing but "A" where nothing is sent.
std::string sends_text(const std::string& name, std::int64_t count, const std::string& what) {
    return count == 0 ? what
                      : fmt::format("{}{}({})", count == 1 ? "" : fmt::format("{} x ", count), name, what);
}

/// "[1]": which part of a value, where it has several.
std::string part_text(std::int64_t part, std::int64_t parts) {
    return parts == 1 ? std::string() : fmt::format("[{}]", part);
}

} // namespace

std::string name(const Operation& operation) {
    return std::visit(
        Match{[](const Slice& o) { return fmt::format("slice_{}", subscript(o.slicing.dimension)); },
              [](const PutSlice& o) { return fmt::format("put_slice_{}", subscript(o.slicing.dimension)); },
              [](const AllGather& o) { return fmt::format("AG_{}", subscript(o.axis)); },
              [](const ReduceScatter& o) { return fmt::format("RdS_{}", subscript(o.axis)); },
              [](const Broadcast& o) { return fmt::format("bcast_{}", subscript(o.axis)); },
              [](const Reduce& o) { return fmt::format("reduce_{}", subscript(o.axis)); },
              [](const Shift& o) {
                  return fmt::format("{}_{}", o.is_skew() ? "skew" : "shift", subscript(o.axis));
              },
              [](const Exchange& o) { return fmt::format("SendRecv_{}", subscript(o.axis)); },
              [](const AddExchange& o) { return fmt::format("SendRecv_{}", subscript(o.axis)); },
              [](const TakeChunks& o) { return fmt::format("chunks_{}", subscript(o.axis)); },
              [](const PutChunks& o) { return fmt::format("put_chunks_{}", subscript(o.axis)); },
              [](const Add&) { return std::string("add"); },
              [](const Multiply&) { return std::string("multiply"); }},
        operation);
}

std::vector<ValueId> reads(const Operation& operation) {
    return std::visit(Match{[](const Multiply& o) {
                                return o.accumulate ? std::vector<ValueId>{o.left, o.right, o.result}
                                                    : std::vector<ValueId>{o.left, o.right};
                            },
                            [](const Add& o) {
                                return std::vector<ValueId>{o.source, o.target};
                            },
                            [](const AddExchange& o) {
                                return std::vector<ValueId>{o.source, o.sum};
                            },
                            [](const auto& o) { return std::vector<ValueId>{o.source}; }},
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

Place place(const Operation& operation) {
    const auto on_chip = [](const auto&) { return Place::nobody; };
    return std::visit(
        Match{[&](const Slice& o) { return on_chip(o); }, [&](const PutSlice& o) { return on_chip(o); },
              [&](const Add& o) { return on_chip(o); }, [&](const TakeChunks& o) { return on_chip(o); },
              [&](const PutChunks& o) { return on_chip(o); }, [](const Multiply&) { return Place::core; },
              [](const auto& o) { return static_cast<Place>(o.axis); }},
        operation);
}

std::string text(const Program& program, const Operation& operation) {
    const auto value = [&](ValueId id) -> const std::string& { return program.values[id].name; };
    return std::visit(
        Match{[&](const Slice& o) {
                  return fmt::format("{} = {}({}, {}, s)", value(o.result), name(operation), value(o.source),
                                     o.slicing.count);
              },
              [&](const PutSlice& o) {
                  return fmt::format("slice_{}({}, {}, s) = {}", subscript(o.slicing.dimension),
                                     value(o.target), o.slicing.count, value(o.source));
              },
              [&](const Multiply& o) {
                  return fmt::format("{} {} {}{} {}{}", value(o.result), o.accumulate ? "+=" : "=",
                                     value(o.left), o.transpose_left ? "^T" : "", value(o.right),
                                     o.transpose_right ? "^T" : "");
              },
              [&](const Add& o) { return fmt::format("{} += {}", value(o.target), value(o.source)); },
              [&](const Broadcast& o) {
                  return fmt::format("{}{} = {}(panel of {})", value(o.result), part_text(o.part, o.parts),
                                     name(operation), value(o.source));
              },
              [&](const Reduce& o) {
                  return fmt::format("panel of {} = {}({}{})", value(o.target), name(operation),
                                     value(o.source), part_text(o.part, o.parts));
              },
              [&](const PutChunks& o) {
                  return fmt::format("chunks_{}({}, {}) = {}", subscript(o.axis), value(o.target),
                                     turns_text(o.turns), value(o.source));
              },
              [&](const TakeChunks& o) {
                  return fmt::format("{} = {}({}, {})", value(o.result), name(operation), value(o.source),
                                     turns_text(o.turns));
              },
              [&](const Exchange& o) {
                  return fmt::format("{} = {}", value(o.result),
                                     sends_text(name(operation), o.count, value(o.source)));
              },
              [&](const AddExchange& o) {
                  const std::string sum = fmt::format("{} + {}", value(o.sum), value(o.source));
                  return fmt::format("{} = {}", value(o.result), sends_text(name(operation), o.count, sum));
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
        lines += fmt::format("{}{}\n", inside ? "    " : "", text(program, program.operations[id]));
    }
    return lines;
}

} // namespace meshslice
