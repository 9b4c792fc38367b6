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

/// What the run of one slice is made of, the same for every chip.
struct OneRun {
    OneRun(const Program& program, const Settings& settings) {
        const Hardware& gpu = settings.hardware;
        const Fusion& fusion = program.fusions.front();
        const auto& multiply = std::get<Multiply>(program.operations[fusion.producer]);
        const std::int64_t tile = gpu.output_tile.value;
        const GemmShape& shape = multiply.shape;
        chips = program.torus.size(Axis::horizontal);
        runs = program.iterations;
        const double bytes = 2; // bf16
        stages = divided_up(divided_up(shape.m, tile) * divided_up(shape.n, tile),
                            gpu.cores.value * gpu.gpu.workgroups.value);
        const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n),
                   k = static_cast<double>(shape.k);
        stage_compute =
            2 * m * n * k / gpu.effective_rate(DataType::bf16).value() / static_cast<double>(stages);
        stage_reads = (m * k + k * n) * bytes / static_cast<double>(stages);
        chunk_bytes = m * n * bytes / static_cast<double>(chips);
        pieces = divided_up(shape.m * shape.n / chips, fusion.tile);
        flight = in_seconds(gpu.gpu.link_flight.value);
        ideal = settings.schedule.arbitration == MemoryPolicy::ideal;
        cost = ideal ? 1 : gpu.gpu.near_memory_cost.value;
    }

    [[nodiscard]] std::int64_t sends() const { return (chips - 1) * pieces; }
    [[nodiscard]] std::int64_t made_after(std::int64_t stage) const {
        return chips * pieces * stage / stages;
    }
    /// Into the chip's own memory: all but the chunk that is made first.
    [[nodiscard]] double written_after(std::int64_t stage) const {
        const auto part = static_cast<double>(std::max<std::int64_t>(pieces, made_after(stage)) - pieces);
        return chunk_bytes * part / static_cast<double>(pieces);
    }
    [[nodiscard]] double piece_bytes() const { return chunk_bytes / static_cast<double>(pieces); }

    std::int64_t chips = 0, runs = 0, stages = 0, pieces = 0;
    double stage_compute = 0, stage_reads = 0, chunk_bytes = 0, flight = 0, cost = 1;
    bool ideal = false;
};

/// What the actors of a chip tell one another; counted over all runs.
struct FedChip {
    std::int64_t made = 0, begun = 0, over = 0;
    std::int64_t read_begun = 0, read = 0, sent_begun = 0, sent = 0, added = 0;
    std::deque<bool> jobs; ///< of memory, in turn: whether a piece is added; else read
};

class FedRings {
  public:
    FedRings(const OneRun& run, const Hardware& hardware, s4u::NetZone* root)
        : run_(run)
        , gemm_(chip_count(), hardware.hbm_bandwidth.value, root, "memory")
        , wires_(chip_count(), hardware.network.link_bandwidth(1), root, "wire")
        , chips_(static_cast<std::size_t>(run.chips)) {
        if (run.ideal) {
            pieces_ =
                std::make_unique<Memories>(chip_count(), hardware.hbm_bandwidth.value, root, "second memory");
        }
        unlimited_ = hardware.hbm_bandwidth.value.value();
        link_rate_ = hardware.network.link_bandwidth(1).value();
        s4u::Host* const host = root->create_host("actors", 1.0);
        root->seal();
        for (std::int32_t chip = 0; chip < run.chips; ++chip) {
            at(chip).begun = 1;
            s4u::Actor::create("gemm", host, [this, chip] { make(chip); });
            s4u::Actor::create("reader", host, [this, chip] { read_ahead(chip); });
            s4u::Actor::create("link", host, [this, chip, host] { send(chip, host); });
            s4u::Actor::create("memory", host, [this, chip] { serve(chip); });
        }
    }

    [[nodiscard]] bool over() const {
        return std::ranges::all_of(chips_, [&](const FedChip& one) { return one.over == run_.runs; });
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

    void make(std::int32_t chip) {
        FedChip& own = at(chip);
        for (std::int64_t run = 0; run < run_.runs; ++run) {
            wait_until([&] { return own.over >= run - 1; }); // two buffers
            for (std::int64_t stage = 0; stage < run_.stages; ++stage) {
                if (run_.ideal) {
                    s4u::this_actor::sleep_for(run_.stage_compute);
                } else {
                    gemm_
                        .move(chip, Bytes(std::llround(run_.stage_reads)),
                              run_.stage_reads / run_.stage_compute)
                        ->join();
                }
                const double written = run_.written_after(stage + 1) - run_.written_after(stage);
                if (written > 0) {
                    gemm_.move(chip, Bytes(std::llround(written * run_.cost)), unlimited_)->join();
                }
                own.made += run_.made_after(stage + 1) - run_.made_after(stage);
                tell(chip);
            }
        }
    }

    /// One piece ahead of the link. Those of the first chunk need no reading.
    void read_ahead(std::int32_t chip) {
        FedChip& own = at(chip);
        for (std::int64_t run = 0; run < run_.runs; ++run) {
            for (std::int64_t k = 0; k < run_.sends(); ++k) {
                wait_until([&] {
                    return own.begun > run && own.read_begun <= own.sent_begun &&
                           own.made > run * run_.chips * run_.pieces + k &&
                           (k < run_.pieces || own.added > own.read_begun - run_.pieces);
                });
                ++own.read_begun;
                if (k < run_.pieces) {
                    ++own.read;
                } else {
                    own.jobs.push_back(false);
                }
                changed_->notify_all();
            }
        }
    }

    void send(std::int32_t chip, s4u::Host* host) {
        FedChip& own = at(chip);
        FedChip& receiver = next(chip);
        for (std::int64_t run = 0; run < run_.runs; ++run) {
            for (std::int64_t k = 0; k < run_.sends(); ++k) {
                wait_until([&] { return own.read > own.sent_begun && receiver.begun > run; });
                ++own.sent_begun;
                changed_->notify_all();
                wires_.move(chip, Bytes(std::llround(run_.piece_bytes())), link_rate_)->join();
                ++own.sent;
                s4u::Actor::create("flight", host, [this, &receiver] {
                    s4u::this_actor::sleep_for(run_.flight);
                    receiver.jobs.push_back(true);
                    changed_->notify_all();
                });
                tell(chip);
            }
        }
    }

    void serve(std::int32_t chip) {
        FedChip& own = at(chip);
        const Memories& memory = run_.ideal ? *pieces_ : gemm_;
        const std::int64_t all = run_.runs * (2 * run_.sends() - run_.pieces);
        for (std::int64_t job = 0; job < all; ++job) {
            wait_until([&] { return !own.jobs.empty(); });
            const bool adds = own.jobs.front();
            const double bytes = run_.piece_bytes() * (adds ? run_.cost : 1);
            memory.move(chip, Bytes(std::llround(bytes)), unlimited_)->join();
            own.jobs.pop_front();
            ++(adds ? own.added : own.read);
            tell(chip);
        }
    }

    const OneRun& run_;
    Memories gemm_, wires_;
    std::unique_ptr<Memories> pieces_;
    double unlimited_ = 0, link_rate_ = 0;
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
