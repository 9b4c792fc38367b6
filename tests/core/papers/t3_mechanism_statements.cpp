#include "core/cost/workgroup_product.h"
#include "core/execute/rings/tracked_ring.h"
#include "core/explain/piece_history.h"
#include "core/papers/t3/runs/tracker_fields.h"
#include "core/program/address_map.h"
#include "core/program/dependencies.h"
#include "core/simulate/machine/memory_controller.h"
#include "tests/core/papers/t3_statements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using Way = MappedChunk::Way;

RingSchedule scatter_ring(std::int32_t chips) {
    return {Collective::reduce_scatter, chips, true, RingMode::one_way};
}
/// What one more chip, that is one more step, adds in `reads` and `writes` of the scatter.
bool step_costs(Reduction reduction, double reads, double writes) {
    const auto some = dram_chunks(8, reduction), more = dram_chunks(9, reduction);
    return more[1] - some[1] == reads && more[2] - some[2] == writes;
}
TrackerFields fields_of(const TensorCase& one, std::int64_t address_bits = 48) {
    const WorkgroupProduct product = workgroup_product(one.gemm.shape, t3_machine(), DataType::bf16);
    return tracker_fields({.shape = one.gemm.shape,
                           .workgroups = product.workgroups,
                           .workgroups_of_a_stage = product.per_stage,
                           .address_bits = address_bits});
}

/// Whether following the maps of an all-gather every chip ends with every chunk stored once, a chunk being
/// sent on when it has been stored as often as its map says, and every chip having sent all but one.
bool gathers_by_map(std::int32_t chips) {
    const RingSchedule ring(Collective::all_gather, chips, true, RingMode::one_way);
    const auto positions = static_cast<std::size_t>(chips);
    std::vector<std::vector<int>> stores(positions, std::vector<int>(positions, 0));
    std::vector<int> sends(positions, 0);
    std::vector<std::pair<std::int32_t, std::int32_t>> stored; // by which chip, which chunk
    for (std::int32_t chip = 0; chip < chips; ++chip) {
        stored.emplace_back(chip, chip); // its GEMM's
    }
    for (std::size_t next = 0; next < stored.size(); ++next) {
        const auto [chip, chunk] = stored[next];
        const auto at = static_cast<std::size_t>(chip);
        const auto map = address_map(ring, chip);
        const auto mapped = std::ranges::find(*map, chunk, &MappedChunk::chunk);
        const int count = ++stores[at][static_cast<std::size_t>(chunk)];
        if (mapped->way != Way::local && count == mapped->updates) {
            ++sends[at];
            stored.emplace_back(mapped->receiver, chunk);
        }
        if (stored.size() > positions * positions) {
            return false; // it would go on for ever
        }
    }
    return std::ranges::all_of(
               stores,
               [](const auto& of) { return std::ranges::all_of(of, [](int n) { return n == 1; }); }) &&
           std::ranges::all_of(sends, [&](int n) { return n == chips - 1; });
}

/// A case whose output is divided into whole tiles, of 128 x 128 = 8 x 2048 elements: Mega-GPT-2's.
const TensorCase& whole_tiles() {
    return stated_cases().front();
}

TrackedOutcome<std::int64_t> tracked(const TrackedRing& ring) {
    const DenseMatrix<std::int64_t> a(ring.rows, ring.chips * ring.depth),
        b(ring.chips * ring.depth, ring.columns);
    return run_tracked_ring(ring, a, b).value();
}

/// When two jobs of communication of `bytes` each end, queued at once at 1 TB/s.
std::vector<Time> served_one_by_one(double bytes, double cost) {
    MemoryController memory(1, Bandwidth(1e12), MemoryPolicy::communication_aware);
    memory.queue(Time(0), 0, {bytes, cost, {}}, 1);
    memory.queue(Time(0), 0, {bytes, cost, {}}, 2);
    std::vector<Time> ends;
    for (Time now; ends.size() < 2;) {
        now = memory.settle(now).front().at;
        EXPECT_TRUE(memory.over(now, 0, MemoryStream::communication));
        ends.push_back(now);
    }
    return ends;
}
/// What 1 us of computing and 1 us of communication then take, which begin at once; or each alone.
Time takes_under(MemoryPolicy policy, bool computes, bool communicates, MemoryStream of) {
    MemoryController memory(1, Bandwidth(1e12), policy);
    if (computes) {
        memory.compute(Time(0), 0, Time(1'000'000), 0);
    }
    if (communicates) {
        memory.queue(Time(0), 0, {1e6, 1, {}}, 1);
    }
    for (Time now;;) {
        const auto next = memory.settle(now);
        if (next.empty()) {
            return Time(-1);
        }
        for (const auto& [chip, stream, at] : std::vector(next.begin(), next.end())) {
            if (at > now || next.size() == 1) {
                now = at;
            }
            if (memory.over(at, 0, stream) && stream == of) {
                return at;
            }
        }
    }
}
} // namespace

std::vector<Statement> statements_of_the_mechanism() {
    return {
        // 2.3 to 2.5, the ring and its GEMM
        {"ring-steps",
         [] {
             bool all_hold = true;
             for (std::int32_t chips = 2; chips <= 64; ++chips) {
                 const RingSchedule gather{Collective::all_gather, chips, true, RingMode::one_way};
                 all_hold =
                     all_hold && scatter_ring(chips).steps() == chips - 1 && gather.steps() == chips - 1;
             }
             return is(all_hold);
         }},
        {"all-reduce-is-rs-ag",
         [] {
             return is(pseudocode(ring_program("tp-ar", {8, 8, 8}, 4)) ==
                       "C' = A B^T\nC_s = RdS_row(C')\nC = AG_row(C_s)\n");
         }},
        {"serialized-all-reduce",
         [] { // A partial sum of all of C on every chip, K / N deep; the scatter waits for all of it.
             const Program program = ring_program("tp-ar", {8, 12, 16}, 4);
             const auto& multiply = std::get<Multiply>(program.operations[0]);
             return is(program.values[multiply.result].elements() == 8 * 12 &&
                       program.values[multiply.left].elements() == 8 * 16 / 4 &&
                       dependencies(program, {}) == std::vector{Dependency{0, 1, 0}, Dependency{1, 2, 0}});
         }},
        {"gemm-stage",
         [] {
             const WorkgroupProduct product =
                 workgroup_product(fc2_of_t_nlg().gemm.shape, t3_machine(), DataType::bf16);
             return is(product.per_stage == 80 && product.workgroups == 64 * 34 && product.stages == 28);
         }},
        {"tp-degrees",
         [] { // The models of 64 have no sizes in the paper; rings of 64 run.
             std::set<std::int64_t> rings;
             for (const TensorCase& one : stated_cases()) {
                 rings.insert(one.gemm.chips);
             }
             TensorCase of_64 = fc2_of_t_nlg();
             of_64.gemm.chips = 64;
             of_64.gemm.shape = {8192, 4096, 256};
             return is(rings == std::set<std::int64_t>{8, 16, 32} &&
                       ring_seconds("t3", of_64, MemoryPolicy::communication_aware) > 0);
         }},
        {"contention-traffic",
         [] {
             const auto chunks = dram_chunks(8, Reduction::by_units);
             return is(step_costs(Reduction::by_units, 2, 1) && chunks[3] == 7 && chunks[4] == 7);
         }},
        // 4.1 to 4.4, address map, tracker and near-memory updates
        {"t3-steady-steps",
         [] {
             bool all_hold = true;
             for (const std::int32_t chips : {2, 3, 4, 8, 16, 32}) {
                 all_hold = all_hold && std::ranges::count(*address_map(scatter_ring(chips), 1), Way::dma,
                                                           &MappedChunk::way) == chips - 2;
             }
             return is(all_hold);
         }},
        {"t3-fig7-stages",
         [] { return is(address_map(scatter_ring(4), 0)->size() == 4 && scatter_ring(4).steps() == 3); }},
        {"t3-address-map-4",
         [] { // Ours sends to the next chip, the paper's to the one before.
             return is(*address_map(scatter_ring(4), 0) ==
                       std::vector{MappedChunk{3, Way::remote, 1, 0}, MappedChunk{2, Way::dma, 1, 2},
                                   MappedChunk{1, Way::dma, 1, 2}, MappedChunk{0, Way::local, 0, 2}});
         }},
        {"t3-order-4",
         [] { // p - 1, p - 2, p - 3, p: the paper's order in our direction.
             bool all_hold = true;
             for (std::int32_t chip = 0; chip < 4; ++chip) {
                 for (std::int32_t slot = 0; slot < 4; ++slot) {
                     all_hold = all_hold &&
                                (*address_map(scatter_ring(4), chip))[static_cast<std::size_t>(slot)].chunk ==
                                    (chip + 7 - slot) % 4;
                 }
             }
             return is(all_hold);
         }},
        {"tracker-granularity",
         [] { // Counted by any tile, a wavefront's as well as a work-group's.
             bool all_hold = true;
             for (const std::int64_t tile : {2, 4, 16}) {
                 const auto outcome = tracked({4, 8, 16, 2, tile});
                 all_hold = all_hold && outcome.every_entry_once && outcome.tiles_of_a_chip == 8 * 16 / tile;
             }
             return is(all_hold);
         }},
        {"tracker-threshold",
         [] {
             return Found{2048 * 2, double(fields_of(whole_tiles()).threshold)};
         }},
        {"tracker-updates-ring-rs",
         [] { // Two of every element but those of the first chunk, which is not tracked.
             const auto outcome = tracked({4, 8, 16, 2, 4});
             return is(outcome.stored.front() + outcome.updated.front() == 2 * (8 * 16 - 8 * 16 / 4) &&
                       TrackedStage().updates == 2);
         }},
        {"tracker-wf-tile",
         [] { // 128 x 128 elements by 8 wavefronts; T-NLG's last tiles are cut.
             return Found{8192.0 * 4256 / (64 * 34 * 8), double(fields_of(fc2_of_t_nlg()).elements), 1};
         }},
        {"tracker-entries",
         [] {
             return Found{256, double(TrackerFields::sets)};
         }},
        {"tracker-index-bits",
         [] {
             return Found{8, double(TrackerFields::index_bits)};
         }},
        {"tracker-wf-bits",
         [] {
             return Found{3, double(fields_of(fc2_of_t_nlg()).wavefront_bits)};
         }},
        {"tracker-wg-msb-bits",
         [] {
             const auto tag = [](std::int64_t workgroups) {
                 return tracker_fields({.shape = {4096, 4096, 1},
                                        .workgroups = 1024,
                                        .workgroups_of_a_stage = workgroups})
                     .tag_bits;
             };
             return is(tag(80) == 0 && tag(256) == 0 && tag(512) == 1 && tag(2048) == 3 && tag(4096) == 4);
         }},
        {"tracker-size",
         [] { // The width of addresses is not printed: 19 KB are between those of 48 and of 64 bits.
             const std::int64_t least = fields_of(whole_tiles(), 48).bytes,
                                most = fields_of(whole_tiles(), 64).bytes;
             return is(least == 256 * 8 * 64 / 8 && most == 256 * 8 * 80 / 8 && least < 19'000 &&
                       19'000 < most);
         }},
        {"tracker-off-critical-path",
         [] { // What waits for neither memory nor link goes in the picosecond in which it is counted out.
             const auto run = ring_run("t3", fc2_of_t_nlg(), MemoryPolicy::ideal);
             const Program program = ring_program("t3", fc2_of_t_nlg());
             Time least_read(1), least_sent(1);
             bool none_earlier = true;
             for (std::int64_t number = 0; number < 7 * 266; number += 38) { // first of half a stage
                 const auto piece = piece_history(program, *run, 1, 0, 3, number);
                 if (!piece || !piece->sent) {
                     return is(false);
                 }
                 const Time goes = piece->read ? piece->read->begin : piece->sent->begin;
                 Time& least = piece->read ? least_read : least_sent;
                 least = std::min(least, goes - piece->triggered());
                 none_earlier = none_earlier && goes >= piece->triggered();
             }
             return is(none_earlier && least_read == Time(0) && least_sent == Time(0));
         }},
        {"ag-by-t3",
         [] { // A chip's own chunk by its stores, the others by DMA as they have arrived: walked by the map.
             bool all_hold = true;
             for (const std::int32_t chips : {2, 3, 4, 8, 16}) {
                 all_hold = all_hold && gathers_by_map(chips);
             }
             return is(all_hold);
         }},
        {"dma-granularity",
         [] { // A piece is a tile, or several: a chunk of 8192 x 4256 / 8 elements is 266 of 128 x 128.
             const Program program = ring_program("t3", fc2_of_t_nlg());
             return is(program.fusions.front().tile == 128 * 128 &&
                       program.tiles_of_a_chunk(program.fusions.front()) == 266);
         }},
        {"nmc-atomic",
         [] { // 1 MB at twice the cost: 2 us each, one after the other.
             return is(served_one_by_one(1e6, 2) == std::vector{Time(2'000'000), Time(4'000'000)});
         }},
        {"nmc-flags",
         [] { // What the flags of the allocation and of the call ask for is one line of the program.
             return is(pseudocode(ring_program("t3", {8, 8, 8}, 4)) ==
                       "C' = A B^T\nC_s = RdS_row(C'), tile by tile as C' is made\nC = AG_row(C_s)\n");
         }},
        {"step-traffic-baseline", [] { return is(step_costs(Reduction::by_units, 2, 1)); }},
        {"step-traffic-t3", [] { return is(step_costs(Reduction::fused, 1, 1)); }},
        // 4.5, arbitration
        {"mca-round-robin",
         [] { // Next to 1 us of communication 1 us of computing takes two; alone each takes one.
             constexpr auto robin = MemoryPolicy::round_robin;
             constexpr auto own = MemoryStream::compute, other = MemoryStream::communication;
             return is(takes_under(robin, true, true, own) == Time(2'000'000) &&
                       takes_under(robin, true, true, other) == Time(1'000'000) &&
                       takes_under(robin, true, false, own) == Time(1'000'000) &&
                       takes_under(robin, false, true, other) == Time(1'000'000));
         }},
        {"mca-stage-drain",
         [] { // Once the GEMM is over the communication that is left has all of the memory.
             return is(takes_under(MemoryPolicy::communication_aware, false, true,
                                   MemoryStream::communication) == Time(1'000'000));
         }},
    };
}

} // namespace meshslice
