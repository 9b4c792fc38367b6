#include "core/sharding/resharding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace meshslice {
namespace {

/// "'X'" or "('X', 'Y')": what jax.lax takes for the axes of a collective.
std::string axis_argument(const AxisList& axes, const NamedMesh& mesh) {
    std::vector<std::string> names;
    for (const std::size_t axis : axes) {
        names.push_back(fmt::format("'{}'", mesh.axes[axis].name));
    }
    return names.size() == 1 ? names.front() : fmt::format("({})", fmt::join(names, ", "));
}

std::int64_t devices_along(const AxisList& axes, const NamedMesh& mesh) {
    std::int64_t devices = 1;
    for (const std::size_t axis : axes) {
        devices *= mesh.axes[axis].size;
    }
    return devices;
}

std::string einsum_letters(const ShardedArray& array) {
    std::string letters;
    for (const ArrayDimension& dimension : array.dimensions) {
        letters += static_cast<char>(std::tolower(static_cast<unsigned char>(dimension.letter)));
    }
    return letters;
}

/// Names that Python takes and that are apart, whatever the arrays are called.
std::string variable(Operand which) {
    constexpr std::array names = {"a", "b", "c"};
    return names[static_cast<std::size_t>(which)];
}

std::string line_of(const ShardingStep& step, const ShardedGemm& gemm, const NamedMesh& mesh) {
    const std::string it = variable(step.which);
    const std::string axes = axis_argument(step.axes, mesh);
    if (step.multiplies()) {
        return fmt::format("c = jnp.einsum('{},{}->{}', a, b)", einsum_letters(gemm.left),
                           einsum_letters(gemm.right), einsum_letters(gemm.result));
    }
    if (step.slices()) {
        return fmt::format("{0} = lax.dynamic_slice_in_dim({0}, lax.axis_index({1}) * ({0}.shape[{2}] // "
                           "{3}), {0}.shape[{2}] // {3}, axis={2})",
                           it, axes, step.to, devices_along(step.axes, mesh));
    }
    switch (*step.sends) {
    case Collective::all_gather:
        return fmt::format("{0} = lax.all_gather({0}, {1}, axis={2}, tiled=True)", it, axes, step.from);
    case Collective::reduce_scatter:
        return fmt::format("{0} = lax.psum_scatter({0}, {1}, scatter_dimension={2}, tiled=True)", it, axes,
                           step.to);
    case Collective::all_reduce: return fmt::format("{0} = lax.psum({0}, {1})", it, axes);
    case Collective::all_to_all:
        return fmt::format("{0} = lax.all_to_all({0}, {1}, split_axis={2}, concat_axis={3}, tiled=True)", it,
                           axes, step.to, step.from);
    default: return {};
    }
}

} // namespace

std::string shard_map_text(const ShardedPlan& plan, const ShardedGemm& gemm, const NamedMesh& mesh) {
    if (std::ranges::any_of(all_operands,
                            [&](Operand which) { return !gemm.operand(which).unreduced.empty(); })) {
        return {};
    }
    std::string out = "import functools\nimport jax\nimport jax.numpy as jnp\nfrom jax import lax\n"
                      "from jax.sharding import PartitionSpec as P\n\n";
    out += fmt::format("mesh = {}\n\n\n", make_mesh_text(mesh));
    // check_vma: JAX does not know by itself that what was gathered is the same on all devices.
    out += fmt::format("@functools.partial(jax.shard_map, mesh=mesh, in_specs=({}, {}),\n"
                       "                   out_specs={}, check_vma=False)\n",
                       partition_spec(gemm.left, mesh), partition_spec(gemm.right, mesh),
                       partition_spec(gemm.result, mesh));
    out += "def matmul(a, b):\n";
    for (const ShardingStep& step : plan.steps) {
        out += fmt::format("    {}\n", line_of(step, gemm, mesh));
    }
    return out + "    return c\n";
}

} // namespace meshslice
