#include "core/search/landscape_difference.h"

#include "core/base/text.h"
#include "core/gemm/algorithms.h"
#include "core/scenario/meshes.h"

#include <algorithm>

namespace meshslice {
namespace {

/// What is alike in both: the mesh, or of rings how many chips they have.
struct CommonMesh {
    bool ring = false;
    Mesh mesh;

    bool operator==(const CommonMesh&) const = default;
};

CommonMesh common_mesh(const Landscape& landscape, std::size_t row) {
    const auto found = algorithm(landscape.algorithm);
    const Mesh& mesh = landscape.meshes[row];
    if (found && (*found)->torus_axes == 1) {
        return {true, {static_cast<std::int32_t>(chips_of(mesh))}};
    }
    return {false, mesh};
}

/// Null where it does not run.
const LandscapeCell* running(const Landscape& landscape, std::optional<std::size_t> row,
                             std::optional<std::size_t> column) {
    if (!row || !column) {
        return nullptr;
    }
    const LandscapeCell& cell = landscape.cell(*row, *column);
    return cell.runs() ? &cell : nullptr;
}

} // namespace

LandscapeDifference landscape_difference(const Landscape& a, const Landscape& b) {
    LandscapeDifference all;
    std::vector<CommonMesh> places;
    for (std::size_t row = 0; row < b.meshes.size(); ++row) {
        places.push_back(common_mesh(b, row));
        all.meshes.push_back({{}, row});
    }
    for (std::size_t row = 0; row < a.meshes.size(); ++row) {
        const CommonMesh place = common_mesh(a, row);
        const auto found = std::ranges::find(places, place);
        if (found == places.end()) {
            places.push_back(place);
            all.meshes.push_back({row, {}});
        } else {
            all.meshes[static_cast<std::size_t>(found - places.begin())].a = row;
        }
    }
    std::vector<std::optional<std::int64_t>> counts = b.slices;
    for (const auto& count : a.slices) {
        if (std::ranges::find(counts, count) == counts.end()) {
            counts.push_back(count);
        }
    }
    std::ranges::sort(counts); // none comes before any number
    const auto column_in = [](const Landscape& landscape, const std::optional<std::int64_t>& count) {
        const auto found = std::ranges::find(landscape.slices, count);
        return found == landscape.slices.end()
                   ? std::nullopt
                   : std::optional(static_cast<std::size_t>(found - landscape.slices.begin()));
    };
    for (const auto& count : counts) {
        all.slices.push_back({column_in(a, count), column_in(b, count)});
    }
    return all;
}

DifferenceCell difference_cell(const Landscape& a, const Landscape& b, const LandscapeDifference& difference,
                               std::size_t row, std::size_t column) {
    const InBoth& mesh = difference.meshes[row];
    const InBoth& slices = difference.slices[column];
    return {running(a, mesh.a, slices.a), running(b, mesh.b, slices.b)};
}

DifferenceSummary summary(const Landscape& a, const Landscape& b, const LandscapeDifference& difference) {
    DifferenceSummary all;
    double least = 1;
    double most = 1;
    for (std::size_t row = 0; row < difference.meshes.size(); ++row) {
        const DifferenceCell cell = difference_cell(a, b, difference, row, 0);
        if (!cell.in_both()) {
            all.only_a += cell.a != nullptr ? 1 : 0;
            all.only_b += cell.b != nullptr ? 1 : 0;
            continue;
        }
        ++all.both;
        all.misfits += cell.fits() ? 0 : 1;
        if (text(cell.a->time) == text(cell.b->time)) {
            continue;
        }
        const double times = cell.times();
        if (times < 1) {
            ++all.faster;
            if (times < least) {
                least = times;
                all.most_faster = row;
            }
        } else {
            ++all.slower;
            if (times > most) {
                most = times;
                all.most_slower = row;
            }
        }
    }
    return all;
}

} // namespace meshslice
