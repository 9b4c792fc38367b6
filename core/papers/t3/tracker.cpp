#include "core/base/say.h"
#include "core/cost/traffic/memory_traffic.h"
#include "core/cost/workgroup_product.h"
#include "core/execute/rings/tracked_ring.h"
#include "core/papers/t3/runs/tracker_fields.h"
#include "core/papers/t3/studies.h"
#include "core/papers/t3/tensor_cases.h"
#include "core/program/address_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace meshslice {
namespace {

using IntegerMatrix = DenseMatrix<std::int64_t>;

constexpr std::array<std::int32_t, 3> rings_tried = {4, 8, 16};
constexpr std::uint64_t seeds_tried = 20;
constexpr std::int64_t rows = 8, columns_a_chip = 4, depth = 2,
                       tile = 3; // a chunk is ten tiles and a cut one

constexpr std::array<const char*, all_interleavings.size()> order_names = {
    "any", "one chip ahead", "one chip behind", "links first", "GEMMs first"};

/// Small whole numbers without a pattern.
IntegerMatrix digits(std::int64_t matrix_rows, std::int64_t matrix_columns) {
    IntegerMatrix made(matrix_rows, matrix_columns);
    std::int64_t state = matrix_rows;
    for (std::int64_t& one : made.data) {
        state = (state * 1103 + 12'345) % 65'536;
        one = state % 19 - 9;
    }
    return made;
}

IntegerMatrix multiplied(const IntegerMatrix& a, const IntegerMatrix& b) {
    IntegerMatrix c(a.rows, b.columns);
    for (std::int64_t row = 0; row < c.rows; ++row) {
        for (std::int64_t column = 0; column < c.columns; ++column) {
            for (std::int64_t k = 0; k < a.columns; ++k) {
                c.at(row, column) += a.at(row, k) * b.at(k, column);
            }
        }
    }
    return c;
}

/// Bytes of one chip as they are counted, with elements of one byte.
bool moved_as_counted(const TrackedOutcome<std::int64_t>& outcome, const TrackedRing& ring) {
    const DramTraffic counted =
        dram_traffic({{ring.rows, ring.columns, ring.depth}, ring.chips, DataType::int8}, Reduction::fused);
    const auto all = [](const std::vector<std::int64_t>& of, double value) {
        return std::ranges::all_of(of, [&](std::int64_t one) { return static_cast<double>(one) == value; });
    };
    return all(outcome.stored, counted.of(DramSource::gemm_write)) &&
           all(outcome.read, counted.of(DramSource::scatter_read)) &&
           all(outcome.updated, counted.of(DramSource::scatter_write));
}

std::string map_words(const std::vector<MappedChunk>& map) {
    std::string words;
    for (const MappedChunk& one : map) {
        const std::string way = one.way == MappedChunk::Way::remote ? say("chunk {} remote", one.chunk)
                                : one.way == MappedChunk::Way::dma  ? say("chunk {} by DMA", one.chunk)
                                                                    : say("chunk {} kept", one.chunk);
        words += (words.empty() ? "" : ", ") + way;
    }
    return words;
}

/// One chunk goes out by stores, N - 2 by DMA after two updates, and the own one last, kept after two.
bool as_figure_11(const std::vector<MappedChunk>& map) {
    const auto dma = std::ranges::count(map, MappedChunk::Way::dma, &MappedChunk::way);
    return map.front().way == MappedChunk::Way::remote && map.back().way == MappedChunk::Way::local &&
           static_cast<std::size_t>(dma) + 2 == map.size() &&
           std::all_of(map.begin() + 1, map.end(), [](const MappedChunk& one) { return one.updates == 2; });
}

/// What the tracker of the paper's GPU holds for FC-2 of Mega-GPT-2 on 8 of them, all of whose tiles are
/// whole.
std::string field_words() {
    const Machine gpu = t3_machine();
    const GemmShape shape{16'384, 3072, 12'288 / 8};
    const WorkgroupProduct product = workgroup_product(shape, gpu, DataType::bf16);
    const auto fields = [&](std::int64_t address_bits) {
        return tracker_fields({.shape = shape,
                               .workgroups = product.workgroups,
                               .workgroups_of_a_stage = product.per_stage,
                               .address_bits = address_bits});
    };
    const TrackerFields least = fields(48), most = fields(64);
    return say(
        "For FC-2 of Mega-GPT-2 on 8 GPUs, {} stages of {} work-groups with 8 wavefronts each: {} sets "
        "({} bits of the work-group) of 8 entries; an entry has {} tag bits, {} for the wavefront and "
        "{} that count to {} updates, so that with addresses of 48 to 64 bits all of it takes {} to "
        "{} bytes; the paper says 19 KB.",
        product.stages, product.per_stage, TrackerFields::sets, TrackerFields::index_bits, least.tag_bits,
        least.wavefront_bits, least.counter_bits, least.threshold, least.bytes, most.bytes);
}

Result<StudyResult> tracker(const StudyInputs& /*inputs*/, const RunControl& control) {
    ChartPanel panel{said("Tiles tracked at once"),
                     {said("order of events")},
                     {said("of the tiles of a chip"), ChartUnit::share}};
    for (const char* const name : order_names) {
        panel.x.categories.push_back(said(name));
    }
    int runs = 0, exact = 0, faults = 0, wrong_threshold = 0, not_cleared = 0;
    double most = 0;
    for (const std::int32_t chips : rings_tried) {
        TrackedRing ring = {chips, rows, columns_a_chip * chips, depth, tile};
        const IntegerMatrix a = digits(rows, ring.chips * depth),
                            b = digits(ring.chips * depth, ring.columns);
        const IntegerMatrix product = multiplied(a, b);
        ChartSeries series{say("{} chips", ring.chips), SeriesKind::points}; // its mark says which
        for (const Interleaving order : all_interleavings) {
            ring.interleaving = order;
            double live = 0;
            for (ring.seed = 1; ring.seed <= seeds_tried; ++ring.seed) {
                if (control.stop.stop_requested()) {
                    return cancelled();
                }
                ring.fault = TrackerFault::none;
                const auto outcome = run_tracked_ring(ring, a, b);
                if (!outcome) {
                    return refuse(outcome.error());
                }
                ++runs;
                exact += outcome->product == product && outcome->every_entry_once && outcome->nothing_left &&
                                 moved_as_counted(*outcome, ring)
                             ? 1
                             : 0;
                live = std::max(live, static_cast<double>(outcome->most_live_entries) /
                                          static_cast<double>(outcome->tiles_of_a_chip));
            }
            series.values.emplace_back(live);
            most = std::max(most, live);
            ring.seed = 1;
            ++faults;
            ring.fault = TrackerFault::threshold_of_one;
            wrong_threshold += run_tracked_ring(ring, a, b)->product == product ? 0 : 1;
            ring.fault = TrackerFault::not_cleared;
            not_cleared += run_tracked_ring(ring, a, b)->product == product ? 0 : 1;
        }
        panel.series.push_back(std::move(series));
    }
    const auto map = address_map({Collective::reduce_scatter, 4, true, RingMode::one_way}, 0);
    StudyResult result;
    result.panels = {std::move(panel)};
    result.table = table("Tiles tracked at once", result.panels);
    result.orderings = {
        {"t3-address-map", as_figure_11(*map) && exact == runs,
         say("{} of {} runs exact; chip 0 of four: {}", exact, runs, map_words(*map)), Reading::counted},
        {"t3-tracker-needed", wrong_threshold == faults && not_cleared == faults,
         say("{} of {} runs with a wrong threshold and {} without clearing give a wrong result",
             wrong_threshold, faults, not_cleared),
         Reading::counted}};
    result.finding = say("The GEMM is exact in all {} orders of events that were tried; up to {:.0f}% of a "
                         "chip's tiles are tracked at once",
                         exact, 100 * most);
    result.note = said(
        "Real GEMMs of small integers on rings of chips and links that go on in any order, each following "
        "the address map that the ring's schedule gives. The paper's tracker has 256 sets, one stage of "
        "work-groups: that presumes neighbours within about a stage of each other. We send to the next chip, "
        "the paper's figures to the one before.");
    result.note += " " + field_words();
    const auto gather = address_map({Collective::all_gather, 4, true, RingMode::one_way}, 0);
    result.note += " " + say("An all-gather would be mapped the same way, storing instead of adding "
                             "(section 7.1); chip 0 of four: {}.",
                             map_words(*gather));
    return result;
}

} // namespace

/// Sections 4.1 to 4.4 and Figures 7, 9, 11 and 12: who stores where, what is counted, and whether it comes
/// out.
const Study tracker_study{"t3-tracker",
                          "Tracker and address map",
                          "Is the GEMM right whatever the order in which tiles are made and arrive?",
                          "4.1 to 4.4, Figures 7, 9, 11 and 12",
                          tracker,
                          {false, false, ClustersAsked::none},
                          &t3_evaluation,
                          Reading::counted};

} // namespace meshslice
