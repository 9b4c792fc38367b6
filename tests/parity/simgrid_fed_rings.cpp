#include "tests/parity/simgrid_fed_rings.h"

#include "tests/parity/simgrid_configure.h"
#include "tests/parity/simgrid_memory.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <simgrid/s4u.hpp>
#include <variant>
#include <vector>

namespace meshslice::parity {
namespace {

namespace s4u = simgrid::s4u;

std::int64_t divided_up(std::int64_t all, std::int64_t by) {
    return (all + by - 1) / by;
}

/// What the run of one slice is made of, the same for every chip unless it says which.
struct OneRun {
    OneRun(const Program& program, const Settings& settings) {
        const Machine& gpu = settings.hardware;
        const Fusion& fusion = program.fusions.front();
        const Axis axis = std::get<ReduceScatter>(program.operations[fusion.collective]).axis;
        const auto& multiply = std::get<Multiply>(program.operations[fusion.producer]);
        const std::int64_t tile = gpu.output_tile.value;
        const GemmShape& shape = multiply.shape;
        chips = program.torus.size(axis);
        in_order_of_sends = fusion.order == ChunkOrder::staggered;
        gathers = std::ranges::any_of(program.operations, [&](const Operation& one) {
            const auto* gather = std::get_if<AllGather>(&one);
            return gather != nullptr && gather->axis == axis;
        });
        const double bandwidth = gpu.network.link_bandwidth(static_cast<int>(axis)).value();
        for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
            const int slot = link_slot(axis, Direction::forward);
            link_rates.push_back(bandwidth * settings.conditions.link(program.torus, chip, slot));
            core_speeds.push_back(settings.conditions.core(chip));
        }
        runs = program.iterations;
        const double bytes = 2; // bf16
        stages = divided_up(divided_up(shape.m, tile) * divided_up(shape.n, tile),
                            gpu.cores.value * gpu.ring_stores->workgroups.value);
        const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
                   k = static_cast<double>(shape.k);
        stage_compute =
            2 * m * n * k / gpu.effective_rate(DataType::bf16).value() / static_cast<double>(stages);
        stage_reads = (m * k + k * n) * bytes / static_cast<double>(stages);
        chunk_bytes = m * n * bytes / static_cast<double>(chips);
        pieces = divided_up(shape.m * shape.n / chips, fusion.tile);
        flight = in_seconds(gpu.ring_stores->link_flight.value);
        ideal = settings.schedule.arbitration == MemoryPolicy::ideal;
        cost = ideal ? 1 : gpu.ring_stores->near_memory_cost.value;
    }

    [[nodiscard]] std::int64_t sends() const { return (chips - 1) * pieces; }
    [[nodiscard]] std::int64_t made_after(std::int64_t stage) const {
        return chips * pieces * stage / stages;
    }
    /// The chunk of which a chip makes its `n`-th piece, by how many chips it is from there to its owner,
    /// less one: the first that the ring sends is 0, and all others come by from the chip before first.
    [[nodiscard]] std::int64_t chunk_of(std::int64_t n, std::int32_t chip) const {
        const std::int64_t chunk = n / pieces; // as made
        return in_order_of_sends ? chunk : (chip + chips - 1 - chunk) % chips;
    }
    /// Into the chip's own memory: all but the chunk that the ring sends first.
    [[nodiscard]] double written_by(std::int64_t stage, std::int32_t chip) const {
        std::int64_t kept = 0;
        for (std::int64_t n = made_after(stage); n < made_after(stage + 1); ++n) {
            kept += chunk_of(n, chip) > 0 ? 1 : 0;
        }
        return chunk_bytes * static_cast<double>(kept) / static_cast<double>(pieces);
    }
    [[nodiscard]] double piece_bytes() const { return chunk_bytes / static_cast<double>(pieces); }

    std::int64_t chips = 0, runs = 0, stages = 0, pieces = 0;
    double stage_compute = 0, stage_reads = 0, chunk_bytes = 0, flight = 0, cost = 1;
    std::vector<double> link_rates, core_speeds; ///< by chip
    bool ideal = false, in_order_of_sends = true;
    bool gathers = false; ///< afterwards, one way round
};

/// A run on one chip. A piece goes on when the chip has made it and, except in the chunk that goes first, the
/// part of the chip before has been added.
struct FedRun {
    std::vector<std::int64_t> made, added; ///< pieces, by chunk
    std::vector<std::int64_t> complete;    ///< chunks of the pieces that may go on, in that order
};
/// To be read, or a chunk's that is added, in a run.
struct MemoryJob {
    bool adds = false;
    std::int64_t run = 0, chunk = 0;
};
/// What the actors of a chip tell one another; counted over all runs.
struct FedChip {
    std::int64_t made = 0, begun = 0, over = 0;
    std::int64_t read_begun = 0, read = 0, sent_begun = 0, sent = 0, added = 0;
    std::int64_t gathered = 0; ///< chunks, of other chips
    std::vector<FedRun> runs;
    std::deque<MemoryJob> jobs; ///< of memory, in turn
};

class FedRings {
  public:
    FedRings(const OneRun& run, const Machine& hardware, s4u::NetZone* root)
        : run_(run)
        , gemm_(chip_count(), hardware.hbm_bandwidth.value, root, "memory")
        , wires_(chip_count(), Bandwidth(*std::ranges::max_element(run.link_rates)), root, "wire")
        , chips_(static_cast<std::size_t>(run.chips)) {
        if (run.ideal) {
            pieces_ =
                std::make_unique<Memories>(chip_count(), hardware.hbm_bandwidth.value, root, "second memory");
        }
        unlimited_ = hardware.hbm_bandwidth.value.value();
        s4u::Host* const host = root->create_host("actors", 1.0);
        root->seal();
        for (std::int32_t chip = 0; chip < run.chips; ++chip) {
            at(chip).begun = 1;
            const std::vector<std::int64_t> none(static_cast<std::size_t>(run.chips));
            at(chip).runs.assign(static_cast<std::size_t>(run.runs), {none, none, {}});
            s4u::Actor::create("gemm", host, [this, chip] { make(chip); });
            s4u::Actor::create("reader", host, [this, chip] { read_ahead(chip); });
            s4u::Actor::create("link", host, [this, chip, host] { send(chip, host); });
            s4u::Actor::create("memory", host, [this, chip] { serve(chip); });
        }
    }

    [[nodiscard]] bool over() const {
        const std::int64_t gathered = run_.gathers ? run_.chips - 1 : 0;
        return std::ranges::all_of(
            chips_, [&](const FedChip& one) { return one.over == run_.runs && one.gathered == gathered; });
    }

  private:
    [[nodiscard]] Chip chip_count() const { return static_cast<Chip>(run_.chips); }
    FedChip& at(std::int32_t chip) { return chips_[static_cast<std::size_t>(chip)]; }
    FedChip& next(std::int32_t chip) { return at((chip + 1) % static_cast<std::int32_t>(run_.chips)); }

    template <class Ready>
    void wait_until(const Ready& ready) {
        const std::unique_lock lock(*mutex_);
        changed_->wait(lock, ready);
    }
    /// Whatever changed, a run may be over now.
    void tell(std::int32_t chip) {
        FedChip& own = at(chip);
        if (own.begun > own.over && own.sent == own.begun * run_.sends() &&
            own.added >= own.begun * run_.sends() && own.made >= own.begun * run_.chips * run_.pieces) {
            ++own.over;
            own.begun += own.over < run_.runs ? 1 : 0;
        }
        changed_->notify_all();
    }

    /// A piece is made, or added.
    void count(FedChip& own, std::int64_t run, std::int64_t chunk, bool adds) const {
        FedRun& of = own.runs[static_cast<std::size_t>(run)];
        const auto at = static_cast<std::size_t>(chunk);
        ++(adds ? own.added : own.made);
        const std::int64_t now = ++(adds ? of.added : of.made)[at];
        if (chunk < run_.chips - 1 && (chunk == 0 || (adds ? of.made : of.added)[at] >= now)) {
            of.complete.push_back(chunk);
        }
    }

    void make(std::int32_t chip) {
        FedChip& own = at(chip);
        const double compute = run_.stage_compute / run_.core_speeds[static_cast<std::size_t>(chip)];
        for (std::int64_t run = 0; run < run_.runs; ++run) {
            wait_until([&] { return own.over >= run - 1; }); // two buffers
            for (std::int64_t stage = 0; stage < run_.stages; ++stage) {
                if (run_.ideal) {
                    s4u::this_actor::sleep_for(compute);
                } else {
                    gemm_.move(chip, Bytes(std::llround(run_.stage_reads)), run_.stage_reads / compute)
                        ->join();
                }
                const double written = run_.written_by(stage, chip);
                if (written > 0) {
                    gemm_.move(chip, Bytes(std::llround(written * run_.cost)), unlimited_)->join();
                }
                for (std::int64_t n = run_.made_after(stage); n < run_.made_after(stage + 1); ++n) {
                    count(own, run, run_.chunk_of(n, chip), false);
                }
                tell(chip);
            }
        }
    }

    /// One piece ahead of the link. Those of the chunk that goes first need no reading.
    void read_ahead(std::int32_t chip) {
        FedChip& own = at(chip);
        for (std::int64_t run = 0; run < run_.runs; ++run) {
            const std::vector<std::int64_t>& complete = own.runs[static_cast<std::size_t>(run)].complete;
            for (std::size_t k = 0; k < static_cast<std::size_t>(run_.sends()); ++k) {
                wait_until([&] {
                    return own.begun > run && own.read_begun <= own.sent_begun && complete.size() > k;
                });
                ++own.read_begun;
                if (complete[k] == 0) {
                    ++own.read;
                } else {
                    own.jobs.push_back({false, run, complete[k]});
                }
                changed_->notify_all();
            }
        }
    }

    void send(std::int32_t chip, s4u::Host* host) {
        FedChip& own = at(chip);
        FedChip& receiver = next(chip);
        const double rate = run_.link_rates[static_cast<std::size_t>(chip)];
        for (std::int64_t run = 0; run < run_.runs; ++run) {
            for (std::size_t k = 0; k < static_cast<std::size_t>(run_.sends()); ++k) {
                wait_until([&] { return own.read > own.sent_begun && receiver.begun > run; });
                ++own.sent_begun;
                changed_->notify_all();
                wires_.move(chip, Bytes(std::llround(run_.piece_bytes())), rate)->join();
                ++own.sent;
                // What is this chip's chunk n is chunk n + 1 to the next.
                const MemoryJob job{true, run, own.runs[static_cast<std::size_t>(run)].complete[k] + 1};
                s4u::Actor::create("flight", host, [this, &receiver, job] {
                    s4u::this_actor::sleep_for(run_.flight);
                    receiver.jobs.push_back(job);
                    changed_->notify_all();
                });
                tell(chip);
            }
        }
        if (run_.gathers) {
            gather(chip, receiver, rate);
        }
    }

    /// Begins where both ends of the link are done; then every chunk goes on once it is there.
    void gather(std::int32_t chip, FedChip& receiver, double rate) {
        const FedChip& own = at(chip);
        wait_until([&] { return own.over == run_.runs && receiver.over == run_.runs; });
        for (std::int64_t chunk = 0; chunk + 1 < run_.chips; ++chunk) {
            wait_until([&] { return own.gathered >= chunk; });
            s4u::this_actor::sleep_for(run_.flight);
            wires_.move(chip, Bytes(std::llround(run_.chunk_bytes)), rate)->join();
            ++receiver.gathered;
            changed_->notify_all();
        }
    }

    void serve(std::int32_t chip) {
        FedChip& own = at(chip);
        const Memories& memory = run_.ideal ? *pieces_ : gemm_;
        const std::int64_t all = run_.runs * (2 * run_.sends() - run_.pieces);
        for (std::int64_t job = 0; job < all; ++job) {
            wait_until([&] { return !own.jobs.empty(); });
            const MemoryJob over = own.jobs.front();
            const double bytes = run_.piece_bytes() * (over.adds ? run_.cost : 1);
            memory.move(chip, Bytes(std::llround(bytes)), unlimited_)->join();
            own.jobs.pop_front();
            if (over.adds) {
                count(own, over.run, over.chunk, true);
            } else {
                ++own.read;
            }
            tell(chip);
        }
    }

    const OneRun& run_;
    Memories gemm_, wires_;
    std::unique_ptr<Memories> pieces_;
    double unlimited_ = 0;
    std::vector<FedChip> chips_;
    s4u::MutexPtr mutex_ = s4u::Mutex::create();
    s4u::ConditionVariablePtr changed_ = s4u::ConditionVariable::create();
};

} // namespace

std::optional<Outcome> outcome_of_fed_rings(const Program& program, const Settings& settings) {
    const s4u::Engine engine("meshslice");
    configure_simgrid();
    const OneRun run(program, settings);
    const FedRings rings(run, settings.hardware, s4u::create_full_zone("torus"));
    bool waits_for_ever = false;
    s4u::Engine::on_deadlock_cb([&] { waits_for_ever = true; });
    engine.run();
    if (waits_for_ever || !rings.over()) {
        return std::nullopt;
    }
    return Outcome{s4u::Engine::get_clock(), s4u::Engine::get_clock()};
}

} // namespace meshslice::parity
