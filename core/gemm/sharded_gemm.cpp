#include "core/gemm/sharded_gemm.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

/// One division that sharding asks for.
struct Division {
    std::string_view dimension;
    std::int64_t size;
    std::int32_t parts;
};

/// Rows of A, B and C are cut over the mesh's rows, columns over its columns, as the dataflow stores them.
std::vector<Division> divisions(const GemmShape& shape, Dataflow dataflow, std::int32_t rows,
                                std::int32_t columns) {
    const Division m_rows{"M", shape.m, rows};
    const Division n_columns{"N", shape.n, columns};
    switch (dataflow) {
    case Dataflow::OS: return {m_rows, n_columns, {"K", shape.k, columns}, {"K", shape.k, rows}};
    case Dataflow::LS: return {m_rows, n_columns, {"K", shape.k, columns}, {"N", shape.n, rows}};
    case Dataflow::RS: break;
    }
    return {m_rows, n_columns, {"K", shape.k, rows}, {"M", shape.m, columns}};
}

std::optional<Division> first_misfit(const GemmShape& shape, Dataflow dataflow, std::int32_t rows,
                                     std::int32_t columns) {
    for (const Division& division : divisions(shape, dataflow, rows, columns)) {
        if (division.size % division.parts != 0) {
            return division;
        }
    }
    return std::nullopt;
}

} // namespace

Result<void> fits_options(const GemmOptions& options) {
    const auto within = [](std::string_view what, std::int64_t value, std::int64_t least) -> Result<void> {
        if (value < least || value > most_dimension) {
            return refuse(say("The {} is {}; expected a whole number from {} to {}.", said(what), value,
                              least, most_dimension));
        }
        return {};
    };
    return within("slice count S", options.slices, 1)
        .and_then([&] { return within("block size B", options.block, 1); })
        .and_then([&] { return within("number of packets", options.packets, 0); });
}

std::int64_t sliced_dimension(const GemmShape& shape, Dataflow dataflow) {
    return dataflow == Dataflow::OS ? shape.k : dataflow == Dataflow::LS ? shape.n : shape.m;
}

std::string_view sliced_dimension_name(Dataflow dataflow) {
    return dataflow == Dataflow::OS ? "K" : dataflow == Dataflow::LS ? "N" : "M";
}

/// "2.5D and MeshSlice + DP".
std::string algorithms_on_three_axes() {
    std::vector<std::string> titles;
    for (const Algorithm& known : algorithms()) {
        if (known.torus_axes == 3) {
            titles.emplace_back(known.title);
        }
    }
    return listed(titles, "and");
}

Result<void> fits_mesh(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    if (torus.axis_count() != 2) {
        return refuse(
            torus.axis_count() == 1
                ? say("The mesh {} has 1 axis; this algorithm runs on a mesh of two.", shape_text(torus))
                : say("The mesh {} has {} axes; this algorithm runs on a mesh of two. On three axes: {}.",
                      shape_text(torus), torus.axis_count(), algorithms_on_three_axes()));
    }
    const auto misfit =
        first_misfit(shape, dataflow, torus.size(Axis::vertical), torus.size(Axis::horizontal));
    if (!misfit) {
        return {};
    }
    return refuse(say("The mesh {} has {} chips; {} = {} of the GEMM {} ({}) does not divide by {}.",
                      shape_text(torus), torus.chips(), misfit->dimension, misfit->size, text(shape),
                      name(dataflow), misfit->parts));
}

Result<void> divides(std::string_view name, std::int64_t size, std::int64_t parts, const Torus& torus) {
    if (size % parts == 0) {
        return {};
    }
    const bool ring = torus.axis_count() == 1;
    return refuse(ring ? say("A ring of all {} chips cuts {} = {} into {} parts, which does not divide.",
                             torus.chips(), name, size, parts)
                       : say("The mesh {} cuts {} = {} into {} parts, which does not divide.",
                             shape_text(torus), name, size, parts));
}

Result<void> fits_layouts(const GemmShape& shape, const Layouts& layouts, const Torus& torus) {
    struct Side {
        std::string_view name;
        std::int64_t size;
    };
    const Side m{"M", shape.m};
    const Side n{"N", shape.n};
    const Side k{"K", shape.k};
    const std::array<std::array<Side, 2>, 3> matrices = {{{m, k}, {k, n}, {m, n}}};
    for (std::size_t id = 0; id < layouts.size(); ++id) {
        const Side& rows = matrices[id][layouts[id].transposed ? 1 : 0];
        const Side& columns = matrices[id][layouts[id].transposed ? 0 : 1];
        for (const auto& [side, axes] :
             {std::pair(rows, layouts[id].rows), std::pair(columns, layouts[id].columns)}) {
            if (const auto fits = divides(side.name, side.size, parts(torus, axes), torus); !fits) {
                return fits;
            }
        }
    }
    return {};
}

Result<void> needs_rings(const Torus& torus, const Axes& axes, std::string_view who) {
    for (const Axis axis : axes) {
        if (torus.size(axis) > 1 && !torus.wraps(axis)) {
            return refuse(
                say("The {} axis of the mesh {} has no wrap-around; {} passes shards round a closed "
                    "ring.",
                    said(name(axis)), shape_text(torus), said(who)));
        }
    }
    return {};
}

Result<void> fits_ring(const GemmShape& shape, const Layouts& layouts, const Torus& torus,
                       std::string_view name, std::int64_t chunked, std::string_view who) {
    if (torus.axis_count() != 1) {
        return refuse(say("The mesh {} has {} axes; {} runs on one ring.", shape_text(torus),
                          torus.axis_count(), said(who)));
    }
    return needs_rings(torus, {Axis::vertical}, who)
        .and_then([&] { return divides(name, chunked, torus.chips(), torus); })
        .and_then([&] { return fits_layouts(shape, layouts, torus); });
}

/// How many blocks there are to deal to the slices; 1 where blocks do not divide what a chip holds.
static std::int64_t sliced_blocks(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                  std::int64_t block) {
    const std::int64_t dimension = sliced_dimension(shape, dataflow);
    const std::int64_t on_one_chip =
        std::gcd(dimension / torus.size(Axis::vertical), dimension / torus.size(Axis::horizontal));
    return on_one_chip % block == 0 ? on_one_chip / block : 1;
}

bool slice_count_works(const GemmShape& shape, Dataflow dataflow, const Torus& torus, std::int64_t block,
                       std::int64_t slices) {
    return sliced_blocks(shape, dataflow, torus, block) % slices == 0;
}

std::vector<std::int64_t> slice_counts(const GemmShape& shape, Dataflow dataflow, const Torus& torus,
                                       std::int64_t block) {
    const std::int64_t blocks = sliced_blocks(shape, dataflow, torus, block);
    std::vector<std::int64_t> counts;
    for (std::int64_t count = 1; count * count <= blocks; ++count) {
        if (blocks % count == 0) {
            counts.push_back(count);
            if (count != blocks / count) {
                counts.push_back(blocks / count);
            }
        }
    }
    std::sort(counts.begin(), counts.end());
    return counts;
}

} // namespace meshslice
