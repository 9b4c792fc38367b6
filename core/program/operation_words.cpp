#include "core/program/operation_words.h"

#include "core/base/say.h"

#include <type_traits>
#include <variant>

namespace meshslice {
namespace {

std::string matrix_of(const Program& program, ValueId value) {
    const std::string& name = program.values[value].name;
    return name.substr(0, name.find_first_of("_'"));
}

/// What is done with the matrix that travels, or that is cut or put together.
std::string act(const Program& program, const Operation& operation, const std::string& matrix) {
    return std::visit(
        [&](const auto& one) -> std::string {
            using Kind = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Kind, AllGather>) {
                return say("gather {}", matrix);
            } else if constexpr (std::is_same_v<Kind, ReduceScatter>) {
                return say("reduce-scatter {}", matrix);
            } else if constexpr (std::is_same_v<Kind, Broadcast>) {
                return say("broadcast {}", matrix);
            } else if constexpr (std::is_same_v<Kind, Reduce>) {
                return say("reduce {}", matrix);
            } else if constexpr (std::is_same_v<Kind, Shift>) {
                return say("shift {}", matrix);
            } else if constexpr (std::is_same_v<Kind, SendRecv>) {
                return say("pass {} on", matrix);
            } else if constexpr (std::is_same_v<Kind, AddSendRecv>) {
                return say("add to {} and pass it on", matrix);
            } else if constexpr (std::is_same_v<Kind, AllToAll>) {
                return say("all-to-all of {}", matrix);
            } else if constexpr (std::is_same_v<Kind, Slice>) {
                return say("cut a slice from {}", matrix_of(program, one.source));
            } else if constexpr (std::is_same_v<Kind, PutSlice>) {
                return say("put a slice into {}", matrix_of(program, one.target));
            } else if constexpr (std::is_same_v<Kind, Add>) {
                return say("add to {}", matrix_of(program, one.target));
            } else {
                return said(name(operation));
            }
        },
        operation);
}

} // namespace

std::string travelling_matrix(const Program& program, OperationId operation) {
    const ValueId* source = std::visit(
        [](const auto& one) -> const ValueId* {
            using Kind = std::decay_t<decltype(one)>;
            if constexpr (std::is_same_v<Kind, AllGather> || std::is_same_v<Kind, ReduceScatter> ||
                          std::is_same_v<Kind, Broadcast> || std::is_same_v<Kind, Reduce> ||
                          std::is_same_v<Kind, Shift> || std::is_same_v<Kind, SendRecv> ||
                          std::is_same_v<Kind, AddSendRecv> || std::is_same_v<Kind, AllToAll>) {
                return &one.source;
            } else {
                return nullptr;
            }
        },
        program.operations[operation]);
    return source == nullptr ? std::string() : matrix_of(program, *source);
}

std::string brief_operation_words(const Program& program, OperationId operation) {
    return act(program, program.operations[operation], travelling_matrix(program, operation));
}

std::string operation_words(const Program& program, OperationId operation) {
    const std::string brief = brief_operation_words(program, operation);
    if (travelling_matrix(program, operation).empty()) {
        return brief;
    }
    if (program.torus.axis_count() == 1) {
        return say("{} along the ring", brief);
    }
    switch (place(program.operations[operation])) {
    case Place::vertical_links: return say("{} along the column", brief);
    case Place::horizontal_links: return say("{} along the row", brief);
    case Place::third_links: return say("{} along the third axis", brief);
    case Place::core:
    case Place::nobody: break;
    }
    return brief;
}

} // namespace meshslice
