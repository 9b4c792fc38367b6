#include "core/program/program.h"

#include <fmt/format.h>

#include <array>

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

} // namespace

std::string name(const Operation& operation) {
    return std::visit(
        Match{[](const Slice& o) { return fmt::format("slice_{}", subscript(o.slicing.dimension)); },
              [](const PutSlice& o) { return fmt::format("put_slice_{}", subscript(o.slicing.dimension)); },
              [](const AllGather& o) { return fmt::format("AG_{}", subscript(o.axis)); },
              [](const ReduceScatter& o) { return fmt::format("RdS_{}", subscript(o.axis)); },
              [](const Multiply&) { return std::string("multiply"); }},
        operation);
}

std::vector<ValueId> reads(const Operation& operation) {
    return std::visit(Match{[](const Multiply& o) {
                                return o.accumulate ? std::vector<ValueId>{o.left, o.right, o.result}
                                                    : std::vector<ValueId>{o.left, o.right};
                            },
                            [](const auto& o) { return std::vector<ValueId>{o.source}; }},
                      operation);
}

ValueId writes(const Operation& operation) {
    return std::visit(
        Match{[](const PutSlice& o) { return o.target; }, [](const auto& o) { return o.result; }}, operation);
}

Place place(const Operation& operation) {
    return std::visit(Match{[](const AllGather& o) { return static_cast<Place>(o.axis); },
                            [](const ReduceScatter& o) { return static_cast<Place>(o.axis); },
                            [](const Multiply&) { return Place::core; },
                            [](const auto&) { return Place::nobody; }},
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
