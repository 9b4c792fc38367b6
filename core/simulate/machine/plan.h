#pragma once

#include "core/cost/operation_cost.h"
#include "core/program/ring_schedule.h"
#include "core/torus/faults.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice {

/// A GEMM that work-groups make in stages (see WorkgroupProduct).
struct StagedGemm {
    std::int64_t stages = 1;
    Time compute; ///< of all stages, without memory
    double read_bytes = 0;
    std::int64_t written_bytes = 0; ///< its whole result
    double write_cost = 1;          ///< of a byte, in plain writes
    // Where it feeds a collective:
    std::int32_t fusion = -1; ///< which of the program's; -1: none
    std::int64_t chunks = 1;  ///< of the result
    std::int64_t pieces = 1;  ///< of all chunks
    ChunkOrder order = ChunkOrder::staggered;
    Axis axis = Axis::vertical; ///< of the ring

    /// The pieces that are made once so many stages have been written.
    [[nodiscard]] std::int64_t pieces_made(std::int64_t by_stages) const;
    /// What stage `stage` writes into the memory of the chip at `position` of the ring, in bytes: tiles that
    /// go straight to the neighbour are written there. In staggered order it is the same at all positions.
    [[nodiscard]] std::int64_t bytes_written(std::int64_t stage, std::int32_t position) const;
    /// Of the stages, those that write.
    [[nodiscard]] std::int64_t writing_stages(std::int32_t position) const;
    /// Which of the ring's sends of the chip at `position` the piece that is made after `made` others belongs
    /// to; past the last of them the own chunk, which it keeps.
    [[nodiscard]] std::int64_t send_of(std::int64_t made, std::int32_t position) const;
};

/// A reduce-scatter that a GEMM feeds: each chunk crosses its link in pieces, one after the other. A piece is
/// a tile, or several where there are more than a run can number.
struct FedCollective {
    Axis axis = Axis::vertical;
    std::int32_t fusion = 0;
    std::int64_t chunks = 2;
    std::int64_t pieces = 1; ///< of a chunk
    std::int64_t chunk_bytes = 0;
    ChunkOrder order = ChunkOrder::staggered;
    Time transfer; ///< of a chunk
    Time flight;   ///< of its last byte
    double update_cost = 1;

    [[nodiscard]] std::int64_t sends() const { return (chunks - 1) * pieces; }
    [[nodiscard]] std::int64_t piece_bytes(std::int64_t send) const;
};
/// Part `k` of `parts` that are as equal as whole numbers can be, and add up to `whole`.
[[nodiscard]] std::int64_t part_of(std::int64_t whole, std::int64_t parts, std::int64_t k);

/// What a run needs to know of one operation, or of one variant of it: the same for every chip except
/// for its position in the ring.
struct OperationPlan {
    std::optional<Communication> communication; ///< none for the core
    OperationCost cost;
    bool syncs = false; ///< whether a step begins with a synchronization that takes time
    /// By direction and ring position, of one launch: the first step, the number of sends, and of arrivals.
    std::array<std::vector<std::int32_t>, 2> first_step, sends, arrivals;
    std::optional<StagedGemm> gemm;   ///< where GEMMs are made in stages
    std::optional<FedCollective> fed; ///< there, of a collective that one feeds
    /// There, of a collective in a loop, which others and GEMMs may overlap: plain accesses of memory for
    /// each byte that crosses a link, by the chip that sends it and by the one that it comes to.
    std::array<double, 2> accesses{};
    /// There, of any collective that no GEMM feeds: the same, to be recorded.
    std::array<double, 2> recorded{};
};

/// Of every operation and each of its variants.
using Plans = std::vector<std::vector<OperationPlan>>;
[[nodiscard]] Plans plans(const Program& program, const Machine& hardware, const Schedule& schedule,
                          const Conditions& conditions = {});

/// How many stretches the memory of a chip serves, of both streams together.
struct MemoryStretches {
    /// One for each stage that writes and for each piece that is read or added.
    std::int64_t least = 0;
    /// At most so many more: one wherever the policy gives one of them another share because the other stream
    /// begins or ends something. Whether it does while the other is served, only the run itself knows.
    std::int64_t cuts = 0;
};
[[nodiscard]] MemoryStretches memory_stretches(const Program& program, const Plans& plans,
                                               MemoryPolicy policy);

/// How often, at most, a chip's memory is shared out again because a link or the sum of a collective that no
/// GEMM feeds begins or ends to use it. Each may cut a stretch of both streams.
[[nodiscard]] std::int64_t most_cuts_by_links(const Program& program, const Plans& plans);

/// Whether an operation takes any time at all; the others need no engine.
[[nodiscard]] bool takes_time(const Program& program, const Plans& plans, OperationId id);

/// How many busy intervals all runs of an operation leave behind in the row of a chip's core.
[[nodiscard]] std::int64_t intervals_on_core(const Program& program, const Plans& plans, OperationId id,
                                             Chip chip);

/// The same in the rows of links, of one operation of `program` and `plans`, which have to outlive this.
class IntervalsOnLinks {
  public:
    IntervalsOnLinks(const Program& program, const Plans& plans, OperationId id);

    /// In the row of the link by which `chip` sends in `direction`.
    [[nodiscard]] std::int64_t of(Chip chip, Direction direction) const;

  private:
    const Program& program_;
    const Operation& operation_;
    const std::vector<OperationPlan>& ways_;
    std::int64_t runs_;
    /// By direction and position on the ring, where all chips go the same ways. Counted once: a program may
    /// have as many runs as packets, and a torus thousands of links.
    std::array<std::vector<std::int64_t>, 2> at_position_;
};

} // namespace meshslice
