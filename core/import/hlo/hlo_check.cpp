#include "core/import/hlo/hlo_check.h"

#include "core/base/say.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace meshslice {
namespace {

using AxisSizes = std::vector<std::int64_t>;

/// "bf16[64,4096]", without its layout.
std::string bare_text(const std::string& type, const AxisSizes& sizes) {
    return fmt::format("{}[{}]", type, fmt::join(sizes, ","));
}
std::string bare_text(const HloShape& shape) {
    return bare_text(shape.type, shape.sizes);
}

Result<void> checked_groups(const HloOperation& operation) {
    std::set<std::int64_t> devices;
    for (const std::vector<std::int64_t>& one : operation.groups) {
        // An all-reduce alone does not care: its result is as large as its operand.
        if (operation.collective != "all-reduce" && one.size() != operation.groups.front().size()) {
            return refuse(say("replica_groups has a group of {} devices and one of {}; expected groups of "
                              "one size.",
                              operation.groups.front().size(), one.size()));
        }
        for (const std::int64_t device : one) {
            if (!devices.insert(device).second) {
                return refuse(say("replica_groups has device {} twice; expected each device once.", device));
            }
        }
    }
    std::set<std::int64_t> senders, receivers;
    for (const auto& [from, to] : operation.pairs) {
        if (!senders.insert(from).second || !receivers.insert(to).second) {
            return refuse(
                say("source_target_pairs has {} to {}, and one of them before; expected each device "
                    "to send once and to receive once at most.",
                    from, to));
        }
    }
    return {};
}

/// An axis list of a dot, within its operand and without an axis twice.
Result<void> checked_axes(const char* key, const AxisSizes& axes, const HloShape& of) {
    for (std::size_t k = 0; k < axes.size(); ++k) {
        if (static_cast<std::size_t>(axes[k]) >= of.sizes.size()) {
            return refuse(say("{} has axis {}; expected one of the {} axes of {}.", key, axes[k],
                              of.sizes.size(), text(of)));
        }
        if (std::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(k), axes[k]) !=
            axes.begin() + static_cast<std::ptrdiff_t>(k)) {
            return refuse(say("{} has axis {} twice.", key, axes[k]));
        }
    }
    return {};
}

/// What two operands share along axes: those that are contracted, or those of the batch.
Result<void> checked_pairs(bool contracts, const AxisSizes& left_axes, const AxisSizes& right_axes,
                           const HloShape& left, const HloShape& right) {
    if (left_axes.size() != right_axes.size()) {
        return refuse(contracts
                          ? say("The dot contracts {} axes of {} with {} of {}; expected as many of both.",
                                left_axes.size(), text(left), right_axes.size(), text(right))
                          : say("The dot's batch has {} axes of {} and {} of {}; expected as many of both.",
                                left_axes.size(), text(left), right_axes.size(), text(right)));
    }
    for (std::size_t k = 0; k < left_axes.size(); ++k) {
        const std::int64_t its = left.sizes[static_cast<std::size_t>(left_axes[k])];
        const std::int64_t other = right.sizes[static_cast<std::size_t>(right_axes[k])];
        if (its != other) {
            return refuse(contracts
                              ? say("The dot contracts axis {} of {}, which has {}, with axis {} of {}, "
                                    "which has {}; expected equal sizes.",
                                    left_axes[k], text(left), its, right_axes[k], text(right), other)
                              : say("The dot's batch axis {} of {} has {}, and axis {} of {} has {}; "
                                    "expected equal sizes.",
                                    left_axes[k], text(left), its, right_axes[k], text(right), other));
        }
    }
    return {};
}

void add_free(const HloShape& shape, const AxisSizes& batch, const AxisSizes& contracted, AxisSizes& sizes) {
    for (std::size_t axis = 0; axis < shape.sizes.size(); ++axis) {
        const auto its = static_cast<std::int64_t>(axis);
        if (std::ranges::find(batch, its) == batch.end() &&
            std::ranges::find(contracted, its) == contracted.end()) {
            sizes.push_back(shape.sizes[axis]);
        }
    }
}

Result<void> checked_dot(const HloOperation& operation) {
    const HloDot& dot = operation.dot;
    const auto shape = [&](std::size_t k) {
        return k < operation.operands.size() ? operation.operands[k].shape : std::nullopt;
    };
    const std::optional<HloShape> left = shape(0), right = shape(1);
    Result<void> sound;
    const auto check = [&](const char* key, const AxisSizes& axes, const std::optional<HloShape>& of) {
        sound = sound && of ? checked_axes(key, axes, *of) : sound;
    };
    check("lhs_contracting_dims", dot.left_contracted, left);
    check("rhs_contracting_dims", dot.right_contracted, right);
    check("lhs_batch_dims", dot.left_batch, left);
    check("rhs_batch_dims", dot.right_batch, right);
    if (!sound || !left || !right || !dot.complete) {
        return sound;
    }
    sound = checked_pairs(true, dot.left_contracted, dot.right_contracted, *left, *right);
    sound = sound ? checked_pairs(false, dot.left_batch, dot.right_batch, *left, *right) : sound;
    if (!sound || operation.results.size() != 1) {
        return sound;
    }
    AxisSizes sizes;
    for (const std::int64_t axis : dot.left_batch) {
        sizes.push_back(left->sizes[static_cast<std::size_t>(axis)]);
    }
    add_free(*left, dot.left_batch, dot.left_contracted, sizes);
    add_free(*right, dot.right_batch, dot.right_contracted, sizes);
    const HloShape& made = operation.results.front();
    return made.sizes == sizes
               ? Result<void>()
               : refuse(say("A dot of {} and {} along these axes makes {}; the text has {}.", text(*left),
                            text(*right), bare_text(made.type, sizes), bare_text(made)));
}

/// What the collective makes of one of its arrays: of several among `devices`, along an axis or, where none
/// is said, somewhere.
Result<void> checked_array(const HloOperation& operation, const HloShape& operand, const HloShape& made,
                           std::int64_t devices) {
    const std::string& what = operation.collective;
    const bool gathers = what == "all-gather", scatters = what == "reduce-scatter";
    const auto wrong = [&](const std::string& expected) {
        return gathers || scatters ? refuse(say("{} of {} among {} devices makes {}; the text has {}.", what,
                                                bare_text(operand), devices, expected, bare_text(made)))
                                   : refuse(say("{} of {} makes {}; the text has {}.", what,
                                                bare_text(operand), expected, bare_text(made)));
    };
    if (what == "all-to-all") {
        return made.elements() == operand.elements() && made.type == operand.type
                   ? Result<void>()
                   : wrong(said("an array of as many elements"));
    }
    if (!gathers && !scatters) { // all-reduce, collective-permute
        return made.type == operand.type && made.sizes == operand.sizes ? Result<void>()
                                                                        : wrong(bare_text(operand));
    }
    if (devices == 0) {
        return {};
    }
    const HloShape& small = gathers ? operand : made;
    const HloShape& large = gathers ? made : operand;
    const auto times = static_cast<double>(devices);
    if (operation.dimensions.size() != 1) {
        return large.elements() == small.elements() * times
                   ? Result<void>()
                   : wrong(gathers ? say("{} times as many elements", devices)
                                   : say("{} times fewer elements", devices));
    }
    const auto axis = static_cast<std::size_t>(operation.dimensions.front());
    if (axis >= operand.sizes.size()) {
        return refuse(say("{} has axis {}; expected one of the {} axes of {}.", "dimensions", axis,
                          operand.sizes.size(), text(operand)));
    }
    if (scatters && operand.sizes[axis] % devices != 0) {
        return refuse(say("reduce-scatter leaves each of {} devices a part of axis {} of {}; expected a size "
                          "that they divide.",
                          devices, axis, text(operand)));
    }
    AxisSizes sizes = operand.sizes;
    sizes[axis] = gathers ? sizes[axis] * devices : sizes[axis] / devices;
    return made.type == operand.type && made.sizes == sizes ? Result<void>()
                                                            : wrong(bare_text(operand.type, sizes));
}

/// Where among the results the array is that becomes of operand `k`; the tuple of a start has its operands
/// first. None where they do not match one by one.
std::optional<std::size_t> result_of(const HloOperation& operation, std::size_t k) {
    const std::size_t operands = operation.operands.size(), results = operation.results.size();
    const bool starts = operation.opcode.ends_with("-start");
    if (operation.opcode == "collective-permute-start") {
        return operands == 1 && results >= 2 ? std::optional<std::size_t>(1) : std::nullopt;
    }
    if (starts && operation.collective != "all-reduce") {
        return results == 2 * operands ? std::optional(operands + k) : std::nullopt;
    }
    return results == operands ? std::optional(k) : std::nullopt;
}

Result<void> checked_collective(const HloOperation& operation) {
    // Not a fusion that calls one. Groups of replicas whose partitions take part too are larger than they
    // say.
    if (operation.collective.empty() || !operation.opcode.starts_with(operation.collective)) {
        return {};
    }
    const bool known = !operation.groups.empty() && !operation.groups.front().empty() &&
                       (operation.global_ids || !operation.has_channel);
    const std::int64_t devices =
        known ? static_cast<std::int64_t>(operation.groups.front().size()) : std::int64_t{0};
    for (std::size_t k = 0; k < operation.operands.size(); ++k) {
        const std::optional<std::size_t> at = result_of(operation, k);
        const std::optional<HloShape>& operand = operation.operands[k].shape;
        if (!operand || !at || (operation.collective == "all-to-all" && operation.operands.size() > 1)) {
            continue;
        }
        if (const Result<void> sound = checked_array(operation, *operand, operation.results[*at], devices);
            !sound) {
            return sound;
        }
    }
    return {};
}

} // namespace

Result<void> checked_operation(const HloOperation& operation) {
    const Result<void> groups = checked_groups(operation);
    if (!groups) {
        return groups;
    }
    return operation.opcode == "dot" ? checked_dot(operation) : checked_collective(operation);
}

} // namespace meshslice
