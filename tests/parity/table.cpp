#include "tests/parity/table.h"

#include "core/machine/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace meshslice::parity {
namespace {

constexpr std::int64_t most_slices = 8;

constexpr GemmShape bound_by_cores{16384, 8192, 8192};
constexpr GemmShape bound_by_links{2048, 8192, 16384};

GemmOptions options(std::int64_t slices) {
    GemmOptions chosen;
    chosen.slices = slices;
    chosen.block = 8;
    return chosen;
}

Torus folded(const Torus& torus) {
    std::vector<TorusAxis> axes(torus.axes().begin(), torus.axes().end());
    for (TorusAxis& axis : axes) {
        axis.folded = true;
    }
    return *Torus::create(axes);
}

std::string_view name(Circumstances machine) {
    switch (machine) {
    case Circumstances::as_it_is: break;
    case Circumstances::folded: return "folded";
    case Circumstances::jitter: return "jitter";
    case Circumstances::tiled: return "tiled";
    }
    return "as it is";
}

/// Adds the case in as many slices as work, up to `most_slices`, unless the algorithm does not fit the mesh.
void add_if_it_fits(Case row, std::vector<Case>& cases) {
    const auto counts = row.algorithm->slice_counts(row.shape, row.dataflow, row.torus, options(1));
    if (!counts) {
        return;
    }
    for (const std::int64_t count : *counts) {
        row.slices = count <= most_slices ? std::max(row.slices, count) : row.slices;
    }
    cases.push_back(std::move(row));
}

} // namespace

std::vector<Case> table_cases() {
    std::vector<Case> cases;
    const Torus square = *Torus::create({4, 4});
    for (const char* id : {"collective", "cannon", "summa", "wang", "meshslice"}) {
        const Algorithm* one = *algorithm(id);
        for (const Dataflow dataflow : one->dataflows) {
            add_if_it_fits({one, dataflow, square, bound_by_cores, {}}, cases);
            add_if_it_fits({one, dataflow, *Torus::create({8, 2}), bound_by_cores, {}}, cases);
        }
        for (const auto& mesh : {std::vector{2, 2}, std::vector{2, 4}, std::vector{8, 8}}) {
            add_if_it_fits({one, Dataflow::OS, *Torus::create(mesh), bound_by_links, {}}, cases);
        }
        for (const RingMode ring : {RingMode::both_ways, RingMode::one_way}) {
            for (const std::int64_t depth :
                 {std::int64_t{0}, std::int64_t{1}, std::int64_t{2}, Prefetch::without_bound}) {
                const Schedule schedule{DataType::bf16, ring, {depth}};
                add_if_it_fits({one, Dataflow::OS, square, bound_by_links, schedule}, cases);
            }
        }
    }
    for (const Circumstances machine : {Circumstances::folded, Circumstances::jitter, Circumstances::tiled}) {
        for (const char* id : {"collective", "cannon", "wang", "meshslice"}) {
            for (const auto& mesh : {std::vector{4, 4}, std::vector{8, 2}}) {
                Case row{*algorithm(id), Dataflow::OS, *Torus::create(mesh), bound_by_links, {}, 1, machine};
                if (machine == Circumstances::folded) {
                    row.torus = folded(row.torus);
                }
                add_if_it_fits(row, cases);
            }
        }
    }
    return cases;
}

Result<Comparison> compare(const Case& row) {
    const Result<Program> program =
        row.algorithm->write(row.shape, row.dataflow, row.torus, options(row.slices));
    if (!program) {
        return refuse(program.error());
    }
    Settings settings{*machine_preset("tpu-v4-cloud"), row.schedule, {}, {}};
    if (row.machine == Circumstances::jitter) {
        settings.conditions.jitter = seconds(2e-6);
    } else if (row.machine == Circumstances::tiled) {
        settings.schedule.chip = ChipModel::tiled;
    }
    return compare(*program, settings, told_the_same(*program, settings));
}

Result<std::string> written_table() {
    std::string table =
        "| algorithm | dataflow | mesh | machine | GEMM | S | ring | prefetch | ours, ms | SimGrid, ms | "
        "deviation |\n"
        "|---|---|---|---|---|--:|---|---|--:|--:|--:|\n";
    double largest = 0;
    const std::vector<Case> cases = table_cases();
    for (const Case& row : cases) {
        const Result<Comparison> both = compare(row);
        if (!both) {
            return refuse(both.error());
        }
        const double deviation = both->largest_deviation();
        largest = std::max(largest, deviation);
        table +=
            fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {:.6f} | {:.6f} | {:.6f}% |\n",
                        row.algorithm->title, name(row.dataflow), shape_text(row.torus), name(row.machine),
                        text(row.shape), row.slices, name(row.schedule.ring), text(row.schedule.prefetch),
                        both->ours.makespan * 1e3, both->simgrid.makespan * 1e3, deviation * 100);
    }
    table += fmt::format("\nLargest deviation of the {} rows: {:.6f}%.\n", cases.size(), largest * 100);
    return table;
}

} // namespace meshslice::parity
