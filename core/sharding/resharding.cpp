#include "core/sharding/resharding.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace meshslice {
namespace {

/// As the book writes it.
std::string_view book_name(const ShardingStep& step) {
    constexpr std::array<std::string_view, 4> names = {"AllGather", "ReduceScatter", "AllReduce", "AllToAll"};
    return step.sends ? names[static_cast<std::size_t>(*step.sends)] : "Slice";
}

std::string axes_text(const AxisList& axes, const NamedMesh& mesh) {
    std::string names;
    for (const std::size_t axis : axes) {
        names += mesh.axes[axis].name;
    }
    return names;
}

std::string letter_of(const ShardedArray& array, std::size_t dimension) {
    return std::string(1, array.dimensions[dimension].letter);
}

void append_axes(AxisList& axes, const AxisList& more) {
    axes.insert(axes.end(), more.begin(), more.end());
}

/// Every choice of some of the axes, in every order.
void choose(const AxisList& from, AxisList& chosen, std::vector<AxisList>& all) {
    for (const std::size_t axis : from) {
        if (std::ranges::find(chosen, axis) == chosen.end()) {
            chosen.push_back(axis);
            all.push_back(chosen);
            choose(from, chosen, all);
            chosen.pop_back();
        }
    }
}

AxisList without(const AxisList& axes, const AxisList& gone) {
    AxisList rest;
    std::ranges::copy_if(axes, std::back_inserter(rest),
                         [&](std::size_t axis) { return std::ranges::find(gone, axis) == gone.end(); });
    return rest;
}

AxisList free_axes(const ShardedArray& array, const NamedMesh& mesh) {
    AxisList used = array.unreduced;
    for (const ArrayDimension& dimension : array.dimensions) {
        append_axes(used, dimension.axes);
    }
    AxisList all;
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        all.push_back(axis);
    }
    return without(all, used);
}

/// Gathering and exchanging the minor axes of each dimension.
void add_gathers(const ShardedArray& array, Operand which, std::vector<ShardingStep>& all) {
    for (std::size_t from = 0; from < array.dimensions.size(); ++from) {
        const AxisList& axes = array.dimensions[from].axes;
        for (std::size_t kept = 0; kept < axes.size(); ++kept) {
            const auto cut = axes.begin() + static_cast<std::ptrdiff_t>(kept);
            ShardingStep step{Collective::all_gather, which, AxisList(cut, axes.end()), from, from, array};
            step.after.dimensions[from].axes.resize(kept);
            all.push_back(step);
            step.sends = Collective::all_to_all;
            for (std::size_t to = 0; to < array.dimensions.size(); ++to) {
                if (to != from) {
                    ShardingStep exchange = step;
                    exchange.to = to;
                    append_axes(exchange.after.dimensions[to].axes, step.axes);
                    all.push_back(std::move(exchange));
                }
            }
        }
    }
}

void add_sums(const ShardedArray& array, Operand which, std::vector<ShardingStep>& all) {
    std::vector<AxisList> choices;
    AxisList chosen;
    choose(array.unreduced, chosen, choices);
    for (const AxisList& axes : choices) {
        ShardingStep step{Collective::all_reduce, which, axes, 0, 0, array};
        step.after.unreduced = without(array.unreduced, axes);
        if (std::ranges::is_sorted(axes)) {
            all.push_back(step);
        }
        step.sends = Collective::reduce_scatter;
        for (std::size_t to = 0; to < array.dimensions.size(); ++to) {
            ShardingStep scatter = step;
            scatter.to = to;
            append_axes(scatter.after.dimensions[to].axes, axes);
            all.push_back(std::move(scatter));
        }
    }
}

/// The next axis, from `axis` on, goes to each place of the array, or to none.
void place_in_states(std::size_t axis, const NamedMesh& mesh, ShardedArray& array,
                     std::vector<ShardedArray>& all) {
    if (axis == mesh.axes.size()) {
        all.push_back(array);
        return;
    }
    place_in_states(axis + 1, mesh, array, all);
    array.unreduced.push_back(axis);
    place_in_states(axis + 1, mesh, array, all);
    array.unreduced.pop_back();
    for (ArrayDimension& dimension : array.dimensions) {
        for (std::size_t place = 0; place <= dimension.axes.size(); ++place) {
            const auto at = static_cast<std::ptrdiff_t>(place);
            dimension.axes.insert(dimension.axes.begin() + at, axis);
            place_in_states(axis + 1, mesh, array, all);
            dimension.axes.erase(dimension.axes.begin() + at);
        }
    }
}

} // namespace

std::string text(const ShardingStep& step, const NamedMesh& mesh) {
    const std::string axes = axes_text(step.axes, mesh);
    if (step.multiplies()) {
        return "Multiply";
    }
    const bool alone = step.sends == Collective::all_gather || step.sends == Collective::all_reduce;
    return alone ? fmt::format("{}_{}", book_name(step), axes)
                 : fmt::format("{}_{{{}, {}}}", book_name(step), axes, letter_of(step.after, step.to));
}

std::string words(const ShardingStep& step, const NamedMesh& mesh) {
    const std::string axes = axes_text(step.axes, mesh);
    const std::string& array = step.after.name;
    const std::string to = step.multiplies() ? std::string() : letter_of(step.after, step.to);
    if (step.multiplies()) {
        return step.after.unreduced.empty()
                   ? say("Every chip multiplies what it has: a block of {}.", array)
                   : say("Every chip multiplies what it has: a part of the sum of a block of {}, which is "
                         "added up over {}.",
                         array, axes_text(step.after.unreduced, mesh));
    }
    if (step.slices()) {
        return say("Every chip keeps its block of {} along {}; nothing is sent.", to, axes);
    }
    switch (*step.sends) {
    case Collective::all_gather:
        return say("Chips along {} send each other their blocks of {}, until each has all of {}.", axes,
                   array, letter_of(step.after, step.from));
    case Collective::all_reduce:
        return say("Chips along {} add up their partial sums of {}, and each has the whole sum.", axes,
                   array);
    case Collective::reduce_scatter:
        return say("Chips along {} add up their partial sums of {}, and each keeps its block of {}.", axes,
                   array, to);
    case Collective::all_to_all:
        return say("Chips along {} exchange blocks of {}: {} becomes whole, and {} is split.", axes, array,
                   letter_of(step.after, step.from), to);
    default: return {};
    }
    return {};
}

std::vector<ShardingStep> steps_from(const ShardedArray& array, Operand which, const NamedMesh& mesh) {
    std::vector<ShardingStep> all;
    add_gathers(array, which, all);
    add_sums(array, which, all);
    for (const std::size_t axis : free_axes(array, mesh)) {
        for (std::size_t to = 0; to < array.dimensions.size(); ++to) {
            ShardingStep step{std::nullopt, which, {axis}, to, to, array};
            step.after.dimensions[to].axes.push_back(axis);
            all.push_back(std::move(step));
        }
    }
    return all;
}

std::vector<ShardedArray> all_states(const ShardedArray& array, const NamedMesh& mesh) {
    ShardedArray bare = array;
    bare.unreduced.clear();
    for (ArrayDimension& dimension : bare.dimensions) {
        dimension.axes.clear();
    }
    std::vector<ShardedArray> all;
    place_in_states(0, mesh, bare, all);
    return all;
}

ShardedArray in_order(ShardedArray array) {
    std::ranges::sort(array.unreduced);
    return array;
}

ShardedArray ShardedPlan::state(const ShardedGemm& gemm, Operand which, std::size_t done) const {
    ShardedArray state =
        which == Operand::result ? ShardedArray{gemm.result.name, {}, {}} : in_order(gemm.operand(which));
    for (std::size_t k = 0; k < done && k < steps.size(); ++k) {
        if (steps[k].which == which) {
            state = steps[k].after;
        }
    }
    return state;
}

std::string text(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh) {
    std::vector<std::string> parts;
    for (const ShardingStep& step : plan.steps) {
        parts.push_back(step.multiplies()
                            ? text(step, mesh)
                            : fmt::format("{} {}", text(step, mesh), gemm.operand(step.which).name));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace meshslice
