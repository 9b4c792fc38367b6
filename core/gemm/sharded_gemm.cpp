#include "core/gemm/sharded_gemm.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

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

std::string meshes_text(const std::vector<std::vector<std::int32_t>>& meshes) {
    constexpr std::size_t most_shown = 6;
    std::vector<std::string> words;
    for (const std::vector<std::int32_t>& mesh : meshes) {
        if (words.size() == most_shown) {
            return fmt::format("{} ...", fmt::join(words, ", "));
        }
        words.push_back(fmt::format("{}x{}", mesh[0], mesh[1]));
    }
    return fmt::format("{}.", fmt::join(words, ", "));
}

/// What would work instead: other meshes of as many chips, or of the nearest number of chips that has any.
std::string advice(const GemmShape& shape, Dataflow dataflow, std::int32_t chips) {
    const auto most = static_cast<std::int32_t>(Torus::most_chips);
    constexpr std::int32_t farthest = 1024; // Nobody means a cluster of quite another size.
    for (std::int32_t away = 0; away < std::min(chips, farthest); ++away) {
        for (const std::int32_t count : {chips + away, chips - away}) {
            const auto meshes = count <= most ? fitting_meshes(shape, dataflow, count)
                                              : std::vector<std::vector<std::int32_t>>{};
            if (!meshes.empty()) {
                return fmt::format("Meshes of {} chips that work: {}", count, meshes_text(meshes));
            }
        }
    }
    return "No mesh of about as many chips works; a mesh whose sides divide M, N and K does.";
}

/// The largest number up to `parts` that divides the size.
std::int64_t nearest_divisor(std::int64_t size, std::int64_t parts) {
    while (size % parts != 0) {
        --parts;
    }
    return parts;
}

} // namespace

Result<void> fits_options(const GemmOptions& options) {
    const auto within = [](std::string_view what, std::int64_t value, std::int64_t least) -> Result<void> {
        if (value < least || value > most_dimension) {
            return refuse(fmt::format("The {} is {}; a whole number from {} to {} was expected.", what, value,
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

Result<void> fits_mesh(const GemmShape& shape, Dataflow dataflow, const Torus& torus) {
    if (torus.axis_count() != 2) {
        return refuse(
            fmt::format("The mesh {} has {} {}; this algorithm runs on a mesh of two, such as 32x8.",
                        shape_text(torus), torus.axis_count(), torus.axis_count() == 1 ? "axis" : "axes"));
    }
    const auto misfit =
        first_misfit(shape, dataflow, torus.size(Axis::vertical), torus.size(Axis::horizontal));
    if (!misfit) {
        return {};
    }
    return refuse(
        fmt::format("The mesh {} has {} chips; {} = {} of the GEMM {} ({}) does not divide by {}. {}",
                    shape_text(torus), torus.chips(), misfit->dimension, misfit->size, text(shape),
                    name(dataflow), misfit->parts, advice(shape, dataflow, torus.chips())));
}

Result<void> divides(std::string_view name, std::int64_t size, std::int64_t parts, const Torus& torus) {
    if (size % parts == 0) {
        return {};
    }
    const bool ring = torus.axis_count() == 1;
    return refuse(fmt::format(
        "{} {} cuts {} = {} into {} parts, which does not divide; choose {}.",
        ring ? "A ring of all" : "The mesh",
        ring ? fmt::format("{} chips", torus.chips()) : shape_text(torus), name, size, parts,
        ring ? fmt::format("a number of chips that divides it, such as {}", nearest_divisor(size, parts))
             : "sizes of the mesh that divide it"));
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
                fmt::format("The {} axis of the mesh {} has no wrap-around; {} passes shards round a closed "
                            "ring.",
                            name(axis), shape_text(torus), who));
        }
    }
    return {};
}

Result<void> fits_ring(const GemmShape& shape, const Layouts& layouts, const Torus& torus,
                       std::string_view name, std::int64_t chunked, std::string_view who) {
    if (torus.axis_count() != 1) {
        return refuse(fmt::format("The mesh {} has {} axes; {} runs on one ring, such as 256.",
                                  shape_text(torus), torus.axis_count(), who));
    }
    return needs_rings(torus, {Axis::vertical}, who)
        .and_then([&] { return divides(name, chunked, torus.chips(), torus); })
        .and_then([&] { return fits_layouts(shape, layouts, torus); });
}

std::vector<std::vector<std::int32_t>> fitting_meshes(const GemmShape& shape, Dataflow dataflow,
                                                      std::int32_t chips) {
    std::vector<std::vector<std::int32_t>> meshes;
    const auto add = [&](std::int32_t rows) {
        if (!first_misfit(shape, dataflow, rows, chips / rows)) {
            meshes.push_back({rows, chips / rows});
        }
    };
    for (std::int32_t rows = 1; rows * rows <= chips; ++rows) {
        if (chips % rows == 0) {
            add(rows);
            if (rows != chips / rows) {
                add(chips / rows);
            }
        }
    }
    std::sort(meshes.rbegin(), meshes.rend());
    return meshes;
}

/// Of how many blocks the slices are dealt; where blocks do not divide what a chip holds it is one.
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
