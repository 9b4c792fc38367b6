#include "tests/parity/simgrid_torus.h"

#include "core/program/dependencies.h"
#include "core/program/ring_schedule.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>
#include <xbt/log.h>

namespace meshslice::parity {
namespace {

namespace s4u = simgrid::s4u;

/// Named as in SimGrid's manual, "Configuring SimGrid", and in what any SimGrid 3.32 program says to --help.
void configure() {
    constexpr std::array settings = {
        // A flow takes latency + bytes / bandwidth as given. The default model, LV08, fits both to TCP.
        "network/model:CM02",
        "network/latency-factor:1",
        "network/bandwidth-factor:1",
        "network/weight-S:0",
        // Acknowledgements take nothing of the opposite link.
        "network/crosstraffic:0",
        // CM02 keeps a flow below TCP-gamma / (2 latency); here, below what no link has.
        "network/TCP-gamma:1e18",
        // Events closer than this are one: a picosecond, the unit of our own clock.
        "surf/precision:1e-12",
        // KiB; there are thousands of actors, and none calls deeply.
        "contexts/stack-size:128",
    };
    xbt_log_control_set("root.thres:critical"); // Else every setting is announced.
    for (const char* setting : settings) {
        s4u::Engine::set_config(setting);
    }
}

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
    [[nodiscard]] const Hardware& hardware() const { return settings_.hardware; }
    [[nodiscard]] DataType type() const { return settings_.schedule.type; }
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

struct Core {
    const Lowering& lowering;
    Progress& progress;

    void operator()() const {
        const Time launch = lowering.hardware().launch_time(LaunchKind::multiply);
        lowering.in_program_order(core_engine, [&](OperationId id, std::int64_t iteration) {
            progress.wait_until_ready(id, iteration);
            s4u::this_actor::sleep_for(in_seconds(launch));
            const auto& multiply = std::get<Multiply>(lowering.program().operations[id]);
            s4u::this_actor::execute(static_cast<double>(flop(multiply.shape).value()));
            progress.count_completion();
            progress.finish(id);
        });
    }
};

/// What a chip sends along an axis in one direction, and what comes to it travelling that way.
struct Port {
    const Lowering& lowering;
    Progress& progress;
    Link link;
    s4u::Mailbox* out; ///< null at the end of a line
    s4u::Mailbox* in;  ///< null at its beginning
    s4u::BarrierPtr both_done;

    void operator()() const {
        const auto engine = static_cast<std::size_t>(link.axis);
        lowering.in_program_order(engine, [&](OperationId id, std::int64_t iteration) {
            progress.wait_until_ready(id, iteration);
            const Communication& moves = lowering.moves(id, iteration, link.chip);
            const Time launch = lowering.hardware().launch_time(moves.launch);
            const std::int32_t launches = moves.ring.steps() == 0 ? 0 : moves.repeats;
            for (std::int32_t k = 0; k < launches; ++k) {
                s4u::this_actor::sleep_for(in_seconds(launch));
                move(moves);
                both_done->wait();
            }
            if (link.direction == Direction::forward) {
                if (launches > 0) { // Else the ring had nothing to move.
                    progress.count_completion();
                }
                progress.finish(id);
            }
        });
    }

  private:
    [[nodiscard]] std::int32_t sends(const Communication& moves, Chip chip) const {
        const Torus& torus = lowering.program().torus;
        return moves.sending_steps(link.direction, torus.coordinate(chip, link.axis)).count();
    }

    void move(const Communication& moves) const {
        const Torus& torus = lowering.program().torus;
        const std::int32_t position = torus.coordinate(link.chip, link.axis);
        const auto sender = torus.neighbour(link.chip, link.axis, opposite(link.direction));
        const std::int32_t to_send = out == nullptr ? 0 : sends(moves, link.chip);
        const std::int32_t to_come = in == nullptr ? 0 : sends(moves, *sender);
        const auto bytes =
            static_cast<std::uint64_t>(moves.step_bytes(link.direction, lowering.type()).value());
        char chunk = 0; // SimGrid carries no data, but wants an address.
        void* arriving = nullptr;
        s4u::CommPtr sending;
        s4u::CommPtr receiving;
        for (std::int32_t sent = 0, arrived = 0; sent < to_send || arrived < to_come;) {
            // A receive is always open, so that a sender waits for our launch and for nothing else.
            if (receiving == nullptr && arrived < to_come) {
                receiving = in->get_async<void>(&arriving);
            }
            if (sending == nullptr && sent < to_send &&
                arrived >= moves.ring.arrivals_needed(link.direction, position, sent)) {
                sending = out->put_async(&chunk, bytes);
            }
            std::vector<s4u::CommPtr> under_way;
            for (const s4u::CommPtr& one : {sending, receiving}) {
                if (one != nullptr) {
                    under_way.push_back(one);
                }
            }
            const auto done = static_cast<std::size_t>(s4u::Comm::wait_any(under_way));
            if (under_way[done] == sending) {
                sending = nullptr;
                ++sent;
            } else {
                receiving = nullptr;
                ++arrived;
            }
        }
    }
};

std::string name(const Link& link) {
    return std::to_string(link.chip) + ' ' + link_text(link.axis, link.direction);
}

/// The hosts of the ports, wired. Each ring is a zone of its own, so that the tables of routes stay small.
class Ports {
  public:
    Ports(const Torus& torus, const Settings& settings, const s4u::NetZone* root)
        : torus_(torus)
        , settings_(settings)
        , hosts_(static_cast<std::size_t>(torus.chips() * torus.link_slots())) {
        for (int a = 0; a < torus.axis_count(); ++a) {
            const auto axis = static_cast<Axis>(a);
            for (Chip chip = 0; chip < torus.chips(); ++chip) {
                if (torus.coordinate(chip, axis) == 0) {
                    wire_ring(chip, axis, root);
                }
            }
        }
    }

    [[nodiscard]] s4u::Host* of(const Link& link) const { return hosts_[index(link)]; }

  private:
    [[nodiscard]] std::size_t index(const Link& link) const {
        return static_cast<std::size_t>(link.chip * torus_.link_slots() +
                                        link_slot(link.axis, link.direction));
    }

    void wire_ring(Chip first, Axis axis, const s4u::NetZone* root) {
        s4u::NetZone* ring = s4u::create_full_zone("ring of " + name({first, axis, Direction::forward}));
        ring->set_parent(root);
        std::vector<Link> links; ///< whether or not they lead anywhere
        for (std::int32_t position = 0; position < torus_.size(axis); ++position) {
            for (const Direction direction : both_directions) {
                links.push_back({torus_.along(first, axis, position), axis, direction});
            }
        }
        for (const Link& link : links) {
            hosts_[index(link)] = ring->create_host("port of " + name(link), 1.0);
            const double speed =
                settings_.conditions.link(torus_, link.chip, link_slot(link.axis, link.direction));
            if (speed > 0 && torus_.neighbour(link.chip, link.axis, link.direction)) {
                ring->create_link(name(link), settings_.hardware.link_bandwidth.value.value() * speed)
                    ->set_latency(in_seconds(settings_.hardware.sync.value))
                    ->seal();
            }
        }
        for (const Link& link : links) {
            if (const auto receiver = torus_.neighbour(link.chip, link.axis, link.direction)) {
                ring->add_route(of(link)->get_netpoint(),
                                of({*receiver, link.axis, link.direction})->get_netpoint(), nullptr, nullptr,
                                route(link, *receiver), false);
            }
        }
        ring->seal();
    }

    /// The link itself or, where it is dead, those of the other direction, round to the same neighbour.
    [[nodiscard]] std::vector<s4u::LinkInRoute> route(const Link& link, Chip receiver) const {
        if (const s4u::Link* alive = s4u::Link::by_name_or_null(name(link))) {
            return {s4u::LinkInRoute(alive)};
        }
        std::vector<s4u::LinkInRoute> round;
        Link hop{link.chip, link.axis, opposite(link.direction)};
        while (hop.chip != receiver) {
            round.emplace_back(s4u::Link::by_name(name(hop)));
            hop.chip = *torus_.neighbour(hop.chip, hop.axis, hop.direction);
        }
        return round;
    }

    const Torus& torus_;
    const Settings& settings_;
    std::vector<s4u::Host*> hosts_; ///< by chip and link slot
};

void start_chip(const Lowering& lowering, Chip chip, s4u::Host* core, const Ports& ports,
                Progress& progress) {
    const Torus& torus = lowering.program().torus;
    s4u::Actor::create("core", core, Core{lowering, progress});
    for (int a = 0; a < torus.axis_count(); ++a) {
        const auto axis = static_cast<Axis>(a);
        const s4u::BarrierPtr both_done = s4u::Barrier::create(2);
        for (const Direction direction : both_directions) {
            const Link link{chip, axis, direction};
            const auto sender = torus.neighbour(chip, axis, opposite(direction));
            s4u::Mailbox* out =
                torus.neighbour(chip, axis, direction) ? s4u::Mailbox::by_name(name(link)) : nullptr;
            s4u::Mailbox* in = sender ? s4u::Mailbox::by_name(name(Link{*sender, axis, direction})) : nullptr;
            s4u::Actor::create("port", ports.of(link), Port{lowering, progress, link, out, in, both_done});
        }
    }
}

} // namespace

std::optional<Outcome> outcome_on_simgrid(const Program& program, const Settings& settings) {
    const s4u::Engine engine("meshslice");
    configure();
    const Lowering lowering(program, settings);
    s4u::NetZone* root = s4u::create_full_zone("torus");
    const Ports ports(program.torus, settings, root);
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
        start_chip(lowering, chip, cores[static_cast<std::size_t>(chip)], ports,
                   progress.emplace_back(lowering, completions));
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
