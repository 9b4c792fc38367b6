#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/cost/schedule.h"
#include "core/machine/machine.h"
#include "core/program/dependencies.h"
#include "core/program/program.h"
#include "core/simulate/engine/event_queue.h"
#include "core/simulate/engine/simulate.h"
#include "core/simulate/machine/arbitration.h"
#include "core/simulate/machine/link_demand.h"
#include "core/simulate/machine/memory_controller.h"
#include "core/simulate/machine/plan.h"
#include "core/simulate/machine/shared_memory.h"
#include "core/simulate/machine/wires.h"
#include "core/simulate/record/chip_classes.h"
#include "core/simulate/record/recording_room.h"
#include "core/simulate/record/row_writer.h"
#include "core/simulate/record/timeline.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace meshslice {

/// The operations of one engine, in program order; the same for every chip.
struct EngineQueue {
    std::vector<OperationId> operations;
    std::size_t loop_begin = 0; ///< positions of the loop's operations in it
    std::size_t loop_end = 0;
};

/// One discrete-event run, of one chip of each class; below, a chip is its class's number.
class EngineRun {
  public:
    /// `memory` has room for `intervals`, all that the run records of cores and links. They and the first
    /// `stretches` of memories have taken theirs in `room`; more are refused where it has none left.
    EngineRun(const Program& program, const Machine& hardware, const Schedule& schedule, Plans plans,
              ChipClasses classes, Wires wires, std::shared_ptr<const IntervalMemory> memory,
              std::span<Interval> intervals, std::shared_ptr<RecordingRoom> room, std::int64_t stretches,
              Folding folding);
    EngineRun(const EngineRun&) = delete;
    EngineRun& operator=(const EngineRun&) = delete;

    Result<std::shared_ptr<const Timeline>> run(const RunControl& control);

  private:
    enum class What : std::uint8_t {
        launched,
        computed,
        idle,
        agreed,
        arrived,
        multiplies,
        moved,
        stage,   ///< half a stage of a GEMM may be over
        served,  ///< a job of communication in memory may be
        crossed, ///< a piece has left its link
        landed,  ///< ... and is at its receiver
        freed,   ///< a link no longer uses memory
        taken,   ///< ... or begins to
    };
    struct Event {
        Chip chip;
        What what;
        std::uint8_t where; ///< axis of a launch, link slot of an agreement or an arrival, engine, fusion
    };

    /// Where one engine of one chip stands.
    struct Engine {
        std::uint32_t position = 0; ///< in its queue
        std::uint32_t iteration = 0;
        OperationId operation = 0;           ///< that it is busy with
        const OperationPlan* plan = nullptr; ///< of that, in this iteration
        std::uint32_t run =
            0; ///< how many it has begun: chips in the same run of an axis do the same operation
        std::int32_t repeat = 0; ///< of an operation that is launched several times in a row
        std::uint16_t stage = 0; ///< half stages of a GEMM that are over
        bool busy = false;
        bool copies_back = false; ///< a slice, after the last step
        Time began;               ///< to multiply, or to copy
    };
    /// What every step asks of a chip's place in the rings of an axis: small, so that it stays in the cache.
    struct RingPlace {
        std::uint32_t launched_run = 0; ///< of its engine; 0: none
        std::int32_t outstanding = 0;   ///< sends and arrivals still to come
        Time over;                      ///< when the last of those that are known is
    };
    /// What every step asks of a link, in one cache line.
    struct alignas(64) LinkState {
        std::int32_t arrived = 0; ///< chunks that came in since the launch, in this link's direction
        // Of the operation that was launched:
        std::int32_t to_send = 0;     ///< steps
        std::int32_t needed = 0;      ///< arrivals before the next of them
        std::int32_t most_needed = 0; ///< all there are
        std::uint16_t step = 0;       ///< that comes next
        OperationId operation = 0;
        std::int8_t more_needed = 0; ///< before each step after the next, up to most_needed
        bool shares = false; ///< links or memories with other transfers, so that only its end is known
        bool busy = false;   ///< where it does
        std::uint32_t iteration = 0;
        std::uint32_t synced = 0; ///< synchronizations in all
        Chip receiver = -1;       ///< -1: no link
        Chip sender = -1;         ///< that sends to this chip by its link in the same direction; -1: none
        Time sync;
        Time transfer;
        Time free; ///< when its last step is over, or will be
    };
    static_assert(sizeof(LinkState) == 64);
    /// How far a GEMM and the collective that it feeds have come on a chip, in pieces of all runs so far.
    struct Feed {
        std::int64_t made = 0;
        std::int64_t read_begun = 0, read = 0; ///< to be sent; those of the first chunk need no reading
        std::int64_t sent_begun = 0, sent = 0;
        std::int64_t landed = 0, added = 0; ///< from the neighbour
        std::int64_t runs = 0;              ///< of the collective that are over
        std::int64_t begun = 0;             ///< that the chip takes pieces of
        // In unstaggered order, of the one run: pieces by the number that they have in staggered order.
        std::vector<std::uint16_t> order;          ///< as they became complete, to be sent so
        std::vector<std::int64_t> made_of_a_chunk; ///< by the ring's send of the chunk
        std::vector<std::int64_t> added_to_a_chunk;
        bool launched = false;
        bool sending = false;
        Time lands; ///< the last piece, at the neighbour
    };
    /// A transfer whose duration is known only at its end.
    struct SharedTransfer {
        Time began;
        Time arrives = Time(-1); ///< as things stand
        std::int64_t takes = 0;  ///< bytes/s
    };

    /// Where all chips stand when the first one's core begins an iteration.
    struct Turn {
        std::int64_t iteration = -1;
        Time at;
        std::vector<std::uint64_t> state; ///< from then on, see note_turn()
        std::vector<EventQueue<Event>::Entry> to_come;
        std::vector<RowWriter> links, cores; ///< what they had written
    };

    /// What a transfer of a collective that no GEMM feeds does with the memories of its sender and receiver.
    struct LinkUses {
        std::array<std::int64_t, 2> takes{}; ///< bytes/s of plain accesses, where others may want them
        std::array<MemoryController::LinkUse, 2> moves{};
        MemoryAccess of;
    };

    Chip member(Chip chip) const { return classes_.representatives[static_cast<std::size_t>(chip)]; }
    std::size_t engine_index(Chip chip, std::size_t engine) const {
        return static_cast<std::size_t>(chip) * engine_count + engine;
    }
    std::size_t link_index(Chip chip, int slot) const {
        // What moves at the same time lies side by side: a power of two between them would map them all to
        // the same few cache sets.
        return static_cast<std::size_t>(slot) * classes_.count() + static_cast<std::size_t>(chip);
    }
    /// Numbers of flows in the arbitration: all transfers, then the jobs of engines.
    std::uint32_t transfer_name(Chip chip, int slot) const {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(chip) * slots_) +
               static_cast<std::uint32_t>(slot);
    }
    std::uint32_t job_name(Chip chip, std::size_t engine) const {
        return static_cast<std::uint32_t>(classes_.count() * slots_ + engine_index(chip, engine));
    }
    std::size_t ring_place_index(Chip chip, std::size_t axis) const {
        return static_cast<std::size_t>(chip) * (slots_ / 2) + axis;
    }
    std::size_t ring_position(Chip chip, std::size_t axis) const {
        return static_cast<std::size_t>(ring_position_[ring_place_index(chip, axis)]);
    }
    std::int32_t& done(Chip chip, OperationId operation) {
        return done_[static_cast<std::size_t>(chip) * program_.operations.size() + operation];
    }

    /// The plan that the ring of `chip` follows in an iteration.
    const OperationPlan& plan(OperationId id, std::int64_t iteration, Chip chip) const {
        const std::vector<OperationPlan>& ways = plans_[id];
        if (ways.size() == 1) {
            return ways.front();
        }
        return ways[static_cast<std::size_t>(
            variant(program_, program_.operations[id], iteration, member(chip)))];
    }
    void lay_out_rows();
    [[nodiscard]] std::vector<LinkDemand> demand() const;
    /// Returns a row that did not get all its intervals, if there is one.
    std::optional<Row> unfinished_row() const;
    void record(RowWriter& row, const Interval& interval) {
        row.write(interval);
        ++recorded_;
    }
    void try_start_all(Chip chip);
    void try_start(Chip chip, std::size_t engine);
    void launch(Chip chip, std::size_t engine);
    void launch_links(Chip chip, std::size_t axis);
    void multiply(Chip chip);
    void copy(Chip chip, std::size_t axis, std::size_t side);
    void compute_stage(Chip chip);
    void write_stage(Chip chip);
    void stage_over(Chip chip);
    void feed_links(Chip chip, std::size_t axis);
    void send_pieces(Chip chip, const FedCollective& fed);
    void made_pieces(Chip chip, const StagedGemm& gemm, std::int64_t count);
    void added_piece(Chip chip, const FedCollective& fed);
    [[nodiscard]] std::int64_t number_of(const Feed& feed, const FedCollective& fed, std::int64_t k) const;
    void send_piece(Chip chip, const FedCollective& fed);
    void crossed(Chip chip, const FedCollective& fed);
    void landed(Chip chip, const FedCollective& fed);
    void job_over(Chip chip);
    void use_memory(Chip chip, int slot, Time begins, Time ends);
    [[nodiscard]] static std::int64_t sum_uses(const Engine& engine);
    void link_uses(Chip chip, int slot, std::int64_t sign);
    void note_sum(Chip chip, std::size_t engine, int sign);
    [[nodiscard]] bool adds_up(OperationId id) const;
    [[nodiscard]] MemoryAccess use_of_piece(const FedCollective& fed, std::int64_t k,
                                            DramSource source) const;
    void set_up_stages(const Machine& hardware);
    const FedCollective& fed_collective(std::size_t fusion) const {
        return *plans_[program_.fusions[fusion].collective].front().fed;
    }
    Feed& feed_of(Chip chip, std::int32_t fusion) {
        return feeds_[static_cast<std::size_t>(chip) * program_.fusions.size() +
                      static_cast<std::size_t>(fusion)];
    }
    double& dram(Chip chip, DramSource source) {
        return dram_[static_cast<std::size_t>(chip)].bytes[static_cast<std::size_t>(source)];
    }
    void moved(Chip chip, std::size_t engine);
    void begin_in_memory(Chip chip, std::size_t engine, Bytes bytes, Time alone);
    [[nodiscard]] bool over_in_memory(Chip chip, std::size_t engine);
    void transfer_takes(Chip sender, int slot, std::int64_t bytes_per_second);
    void share_again();
    bool stretches_have_room();
    void launched(Chip chip, Axis axis);
    void send(Chip chip, int slot);
    bool send_from(Chip chip, int slot);
    [[nodiscard]] Time arrival(const LinkState& link, int slot) const;
    void sent(Chip chip, LinkState& link, int slot, Time at);
    void agreed(Chip chip, int slot);
    void arrived(Chip chip, int slot);
    void expect(const FairShare::Completion& completion);
    void finish(Chip chip, std::size_t engine);
    void advance(Engine& engine, const EngineQueue& queue) const;
    std::vector<OperationLabel> labels() const;
    [[nodiscard]] bool turns_may_repeat() const;
    [[nodiscard]] std::int64_t last_turns() const;
    void look_for_repetition();
    [[nodiscard]] std::int64_t furthest_iteration() const;
    void note_turn(std::int64_t iteration, Turn& turn) const;
    [[nodiscard]] bool repeats(Turn& before, Turn& now) const;
    void repeat(const Turn& before, const Turn& now, std::int64_t turns);

    const Program& program_;
    const Schedule& schedule_;
    std::size_t slots_;
    Plans plans_;
    ChipClasses classes_;
    Wires wires_;
    std::vector<std::vector<Dependency>> needs_; ///< by the operation that waits
    std::array<EngineQueue, engine_count> queues_;

    TransferRates transfer_rates_;
    bool memory_holds_links_;            ///< so that memories are shared by `arbitration_`, else by `memory_`
    std::optional<SharedMemory> memory_; ///< where chips are modelled tile by tile
    std::optional<Arbitration> arbitration_;     ///< where anything is shared that is not known ahead
    std::optional<MemoryController> controller_; ///< where GEMMs are made in stages
    std::vector<Feed> feeds_;                    ///< there, by chip and fusion
    std::vector<DramTraffic> dram_;              ///< there, by chip
    /// There, by link: what its transfers take of the memories at its two ends, those to come.
    std::vector<std::deque<LinkUses>> uses_;
    std::vector<DramTraffic> dram_of_a_run_; ///< there, by operation; nothing where it is recorded as it is
    Time now_;
    EventQueue<Event> events_;
    std::vector<Engine> engines_;             ///< by chip and engine
    std::vector<RingPlace> ring_places_;      ///< by chip and axis
    std::vector<LinkState> links_;            ///< by link slot and chip
    std::vector<RowWriter> link_rows_;        ///< the same
    std::vector<SharedTransfer> shared_;      ///< the same, where anything is arbitrated
    std::vector<Time> jobs_end_;              ///< as things stand; by chip and engine, where memories are
    std::vector<std::int32_t> done_;          ///< finished runs, by chip and operation
    std::vector<std::int32_t> ring_position_; ///< by chip and axis

    std::vector<Row> rows_;
    std::vector<std::size_t> row_begin_;
    std::vector<RowWriter> cores_;                          ///< by chip
    std::vector<RowWriter*> writers_;                       ///< by row: one of a core or of a link
    std::shared_ptr<const IntervalMemory> interval_memory_; ///< of
    std::span<Interval> intervals_;
    std::shared_ptr<RecordingRoom> room_;
    std::int64_t stretches_;   ///< of memories, that have room
    std::size_t recorded_ = 0; ///< intervals
    std::int64_t next_look_;   ///< iteration in which a turn may repeat the one before; past the last: none
    int looks_in_vain_ = 0;
    Time began_turn_, period_; ///< when the first chip's core began the last one, and how long it was
    Turn turn_before_, turn_;  ///< looked at last
    std::stop_token stop_;
    Time end_;
};

} // namespace meshslice
