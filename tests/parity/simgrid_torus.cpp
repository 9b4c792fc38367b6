#include "tests/parity/simgrid_torus.h"

#include "core/program/dependencies.h"
#include "core/program/ring_schedule.h"
#include "tests/parity/simgrid_configure.h"
#include "tests/parity/simgrid_memory.h"
#include "tests/parity/simgrid_ports.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::parity {
namespace {

namespace s4u = simgrid::s4u;

/// What all actors read.
class Lowering {
  public:
    Lowering(const Program& program, const Settings& settings)
        : program_(program), settings_(settings), needs_(program.operations.size()) {
        std::vector<bool> takes_time;
        for (OperationId id = 0; id < program.operations.size(); ++id) {
            const Operation& operation = program.operations[id];
            auto& ways = moves_.emplace_back();
            for (std::int32_t way = 0; way < variants(program, operation); ++way) {
                ways.push_back(communication(program, operation, settings.schedule.ring, way));
            }
            takes_time.push_back(place(operation) == Place::core || ways.front());
            if (takes_time.back()) {
                queues_[engine_of(operation)].push_back(id);
            }
        }
        for (const Dependency& need :
             contracted(dependencies(program, settings.schedule.prefetch), takes_time)) {
            needs_[need.after].push_back(need);
        }
    }

    [[nodiscard]] const Program& program() const { return program_; }
    [[nodiscard]] const Machine& hardware() const { return settings_.hardware; }
    [[nodiscard]] const Schedule& schedule() const { return settings_.schedule; }
    [[nodiscard]] DataType type() const { return settings_.schedule.type; }
    [[nodiscard]] const GivenTimes& given() const { return settings_.given; }
    /// Of an operation; null where chips are not modelled tile by tile.
    [[nodiscard]] const GivenTimes::Tiled* tiled(OperationId id) const {
        return given().tiled.empty() ? nullptr : &given().tiled[id];
    }
    [[nodiscard]] const std::vector<Dependency>& needs(OperationId id) const { return needs_[id]; }
    [[nodiscard]] const Communication& moves(OperationId id, std::int64_t iteration, Chip chip) const {
        const std::int32_t way = variant(program_, program_.operations[id], iteration, chip);
        return *moves_[id][static_cast<std::size_t>(way)];
    }

    /// Calls `run` with every operation of an engine that takes time, and its iteration, in program order.
    template <class Run>
    void in_program_order(std::size_t engine, Run run) const {
        const auto run_range = [&](std::size_t begin, std::size_t end, std::int64_t iteration) {
            for (const OperationId id : queues_[engine]) {
                if (id >= begin && id < end) {
                    run(id, iteration);
                }
            }
        };
        run_range(0, program_.loop_begin, 0);
        for (std::int64_t iteration = 0; iteration < program_.iterations; ++iteration) {
            run_range(program_.loop_begin, program_.loop_end, iteration);
        }
        run_range(program_.loop_end, program_.operations.size(), 0);
    }

  private:
    const Program& program_;
    const Settings& settings_;
    std::vector<std::vector<std::optional<Communication>>> moves_; ///< by operation and variant
    std::vector<std::vector<Dependency>> needs_;                   ///< by the operation that waits
    std::array<std::vector<OperationId>, engine_count> queues_;
};

/// When operations have finished, on all chips.
struct Completions {
    double sum = 0; ///< of simulated seconds
    std::int64_t count = 0;
};

/// How often each operation of one chip has finished. The actors of the chip wait here for one another.
class Progress {
  public:
    Progress(const Lowering& lowering, Completions& completions)
        : lowering_(lowering), completions_(completions), finished_(lowering.program().operations.size()) {}

    void wait_until_ready(OperationId id, std::int64_t iteration) {
        const std::unique_lock lock(*mutex_);
        changed_->wait(lock, [&] {
            return std::ranges::all_of(lowering_.needs(id), [&](const Dependency& need) {
                return finished_[need.before] >= runs_needed(lowering_.program(), need, iteration);
            });
        });
    }
    void finish(OperationId id) {
        const std::unique_lock lock(*mutex_);
        ++finished_[id];
        changed_->notify_all();
    }
    void count_completion() {
        completions_.sum += s4u::Engine::get_clock();
        ++completions_.count;
    }

  private:
    const Lowering& lowering_;
    Completions& completions_;
    std::vector<std::int64_t> finished_;
    s4u::MutexPtr mutex_ = s4u::Mutex::create();
    s4u::ConditionVariablePtr changed_ = s4u::ConditionVariable::create();
};

/// What the actors of a chip share.
struct ChipState {
    const Lowering& lowering;
    Progress& progress;
    const Memories& memories;
    Chip chip;
};

struct Core {
    ChipState is;
    double speed; ///< share of a healthy one's

    /// In FLOP: those of the multiplication, or as many as the core could do while its matrices pass once
    /// between the chip and its HBM, where memory counts.
    [[nodiscard]] double work(const Multiply& multiply) const {
        const Machine& hardware = is.lowering.hardware();
        const Schedule& schedule = is.lowering.schedule();
        const GemmShape& shape = multiply.shape;
        const double own =
            2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
        if (chip_model(schedule, hardware) != ChipModel::roofline) {
            return own;
        }
        const auto elements = static_cast<double>(shape.m * shape.k + shape.k * shape.n +
                                                  shape.m * shape.n * (multiply.accumulate ? 2 : 1));
        const double passing = elements * static_cast<double>(element_bytes(schedule.type)) /
                               hardware.hbm_bandwidth.value.value();
        return std::max(own, passing * hardware.effective_rate(schedule.type).value());
    }

    void operator()() const {
        const Time launch = is.lowering.hardware().launch.multiply.value;
        is.lowering.in_program_order(core_engine, [&](OperationId id, std::int64_t iteration) {
            is.progress.wait_until_ready(id, iteration);
            s4u::this_actor::sleep_for(in_seconds(launch));
            if (const GivenTimes::Tiled* tiled = is.lowering.tiled(id)) {
                const double alone = in_seconds(tiled->compute) / speed;
                const auto bytes = static_cast<double>(tiled->memory.value());
                is.memories.move(is.chip, tiled->memory, bytes / alone)->join();
            } else {
                const auto& multiply = std::get<Multiply>(is.lowering.program().operations[id]);
                s4u::this_actor::execute(work(multiply));
            }
            is.progress.count_completion();
            is.progress.finish(id);
        });
    }
};

/// What a chip sends along an axis in one direction, and what comes to it travelling that way.
class Port {
  public:
    Port(const ChipState& chip, const Link& link, const Ports& ports, s4u::BarrierPtr both_done)
        : lowering_(chip.lowering)
        , progress_(chip.progress)
        , memories_(chip.memories)
        , link_(link)
        , host_(ports.of(link))
        , clock_(ports.clock(link))
        , sync_(lowering_.hardware().sync.value * ports.hops(link))
        , ports_(ports)
        , both_done_(std::move(both_done)) {
        const Torus& torus = lowering_.program().torus;
        if (torus.neighbour(link.chip, link.axis, link.direction)) {
            out_ = s4u::Mailbox::by_name(name(link));
        }
        if (const auto sender = torus.neighbour(link.chip, link.axis, opposite(link.direction))) {
            in_ = s4u::Mailbox::by_name(name(Link{*sender, link.axis, link.direction}));
        }
    }

    void operator()() {
        const auto engine = static_cast<std::size_t>(link_.axis);
        lowering_.in_program_order(engine, [&](OperationId id, std::int64_t iteration) {
            progress_.wait_until_ready(id, iteration);
            const Communication& moves = lowering_.moves(id, iteration, link_.chip);
            const Time launch = lowering_.hardware().launch_time(moves.ring.collective());
            const std::int32_t launches = moves.ring.steps() == 0 ? 0 : moves.repeats;
            if (launches > 0) {
                copy(id, 0);
            }
            for (std::int32_t k = 0; k < launches; ++k) {
                s4u::this_actor::sleep_for(in_seconds(launch));
                move(moves, lowering_.tiled(id));
                both_done_->wait();
            }
            if (launches > 0) {
                copy(id, 1);
            }
            if (link_.direction == Direction::forward) {
                if (launches > 0) { // Else the ring had nothing to move.
                    progress_.count_completion();
                }
                progress_.finish(id);
            }
        });
    }

  private:
    /// Of a step: sender and receiver meet, synchronize and the chunk crosses; then the receiver hears of it.
    /// The first two are apart only where synchronizations are flows of their own, the last where what
    /// crosses comes from a reader of memory and not from the port, where a mailbox cannot bring it.
    enum class Stage { meet, synchronize, cross, arrive };
    [[nodiscard]] bool apart() const { return lowering_.given().late != nullptr; }
    [[nodiscard]] Stage first_stage() const { return apart() ? Stage::meet : Stage::cross; }

    [[nodiscard]] std::int32_t sends(const Communication& moves, Chip chip) const {
        const Torus& torus = lowering_.program().torus;
        return moves.sending_steps(link_.direction, torus.coordinate(chip, link_.axis)).count();
    }

    /// Both ports of the axis wait for it.
    void copy(OperationId id, std::size_t side) {
        const GivenTimes::Tiled* tiled = lowering_.tiled(id);
        if (tiled == nullptr || tiled->copied[side] == Bytes(0)) {
            return;
        }
        if (link_.direction == Direction::forward) {
            const double all = lowering_.hardware().hbm_bandwidth.value.value();
            memories_.move(link_.chip, tiled->copied[side], all)->join();
        }
        both_done_->wait();
    }

    s4u::CommPtr cross(std::uint64_t bytes, const GivenTimes::Tiled* tiled) {
        if (tiled == nullptr) {
            return out_->put_async(&chunk_, bytes);
        }
        const Torus& torus = lowering_.program().torus;
        const Chip receiver = *torus.neighbour(link_.chip, link_.axis, link_.direction);
        return s4u::Comm::sendto_async(ports_.reader(link_, tiled->reads),
                                       ports_.of({receiver, link_.axis, link_.direction}), bytes);
    }

    s4u::CommPtr begin(Stage stage, std::uint64_t bytes, const GivenTimes::Tiled* tiled) {
        switch (stage) {
        case Stage::meet: return out_->put_async(&chunk_, 0);
        case Stage::synchronize: {
            const Time lasts = sync_ + lowering_.given().late(link_, synced_++);
            return s4u::Comm::sendto_async(host_, clock_, static_cast<std::uint64_t>(lasts.value()));
        }
        case Stage::arrive: return out_->put_async(&chunk_, 0);
        case Stage::cross: break;
        }
        return cross(bytes, tiled);
    }

    void move(const Communication& moves, const GivenTimes::Tiled* tiled) {
        const Torus& torus = lowering_.program().torus;
        const std::int32_t position = torus.coordinate(link_.chip, link_.axis);
        const auto sender = torus.neighbour(link_.chip, link_.axis, opposite(link_.direction));
        const std::int32_t to_send = out_ == nullptr ? 0 : sends(moves, link_.chip);
        const std::int32_t messages = apart() ? 2 : 1; // that a receiver gets for each chunk
        const std::int32_t to_come = in_ == nullptr ? 0 : messages * sends(moves, *sender);
        const auto bytes =
            static_cast<std::uint64_t>(moves.step_bytes(link_.direction, lowering_.type()).value());
        void* arriving = nullptr;
        s4u::CommPtr sending;
        s4u::CommPtr receiving;
        Stage stage = first_stage();
        for (std::int32_t sent = 0, come = 0; sent < to_send || come < to_come;) {
            // A receive is always open, so that a sender waits for our launch and for nothing else.
            if (receiving == nullptr && come < to_come) {
                receiving = in_->get_async<void>(&arriving);
            }
            if (sending == nullptr && sent < to_send &&
                come / messages >= moves.ring.arrivals_needed(link_.direction, position, sent)) {
                sending = begin(stage, bytes, tiled);
            }
            std::vector<s4u::CommPtr> under_way;
            for (const s4u::CommPtr& one : {sending, receiving}) {
                if (one != nullptr) {
                    under_way.push_back(one);
                }
            }
            const auto done = static_cast<std::size_t>(s4u::Comm::wait_any(under_way));
            if (under_way[done] != sending) {
                receiving = nullptr;
                ++come;
            } else if (stage == (tiled == nullptr ? Stage::cross : Stage::arrive)) {
                sending = nullptr;
                stage = first_stage();
                ++sent;
            } else {
                stage = static_cast<Stage>(static_cast<int>(stage) + 1);
                sending = begin(stage, bytes, tiled);
            }
        }
    }

    const Lowering& lowering_;
    Progress& progress_;
    const Memories& memories_;
    Link link_;
    s4u::Host* host_;
    s4u::Host* clock_;
    Time sync_; ///< of all hops
    const Ports& ports_;
    s4u::Mailbox* out_ = nullptr; ///< null at the end of a line
    s4u::Mailbox* in_ = nullptr;  ///< null at its beginning
    s4u::BarrierPtr both_done_;
    std::uint64_t synced_ = 0; ///< synchronizations of this link so far
    char chunk_ = 0;           ///< SimGrid carries no data, but wants an address.
};

void start_chip(const ChipState& is, s4u::Host* core, double speed, const Ports& ports) {
    const Torus& torus = is.lowering.program().torus;
    s4u::Actor::create("core", core, Core{is, speed});
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        const s4u::BarrierPtr both_done = s4u::Barrier::create(2);
        for (const Direction direction : both_directions) {
            const Link link{is.chip, axis, direction};
            s4u::Actor::create("port", ports.of(link), Port(is, link, ports, both_done));
        }
    }
}

} // namespace

std::optional<Outcome> outcome_on_simgrid(const Program& program, const Settings& settings) {
    const s4u::Engine engine("meshslice");
    configure_simgrid();
    const Lowering lowering(program, settings);
    s4u::NetZone* root = s4u::create_full_zone("torus");
    const Memories memories(settings.given.tiled.empty() ? 0 : program.torus.chips(),
                            settings.hardware.hbm_bandwidth.value, root);
    const Ports ports(program.torus, settings, memories, root);
    std::vector<s4u::Host*> cores;
    const double rate = settings.hardware.effective_rate(settings.schedule.type).value();
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        cores.push_back(
            root->create_host("core of " + std::to_string(chip), rate * settings.conditions.core(chip)));
    }
    root->seal();
    Completions completions;
    std::vector<Progress> progress;
    progress.reserve(cores.size());
    for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
        start_chip({lowering, progress.emplace_back(lowering, completions), memories, chip},
                   cores[static_cast<std::size_t>(chip)], settings.conditions.core(chip), ports);
    }
    bool waits_for_ever = false;
    s4u::Engine::on_deadlock_cb([&] { waits_for_ever = true; });
    engine.run();
    if (waits_for_ever) {
        return std::nullopt;
    }
    return Outcome{s4u::Engine::get_clock(), completions.sum / static_cast<double>(completions.count)};
}

} // namespace meshslice::parity
