#include "core/simulate/simulate.h"

#include "core/program/dependencies.h"
#include "core/simulate/event_queue.h"
#include "core/simulate/fold.h"
#include "core/simulate/plan.h"
#include "core/simulate/wires.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace meshslice {
namespace {

/// The operations of one engine, in program order; the same for every chip.
struct EngineQueue {
    std::vector<OperationId> operations;
    std::size_t loop_begin = 0; ///< positions of the loop's operations in it
    std::size_t loop_end = 0;
};

/// One discrete-event run, of one chip of each class; below, a chip is its class's number.
class Run {
  public:
    Run(const Program& program, const Schedule& schedule, Plans plans, ChipClasses classes, Wires wires);

    Result<std::shared_ptr<const Timeline>> run(const RunControl& control);

  private:
    enum class What : std::uint8_t { launched, sent, computed, idle, agreed, arrived };
    struct Event {
        Chip chip;
        What what;
        std::uint8_t where; ///< axis of a launch, link slot of a send, an agreement or an arrival
    };

    /// Where one engine of one chip stands.
    struct Engine {
        std::uint32_t position = 0; ///< in its queue
        std::uint32_t iteration = 0;
        std::uint32_t run =
            0; ///< how many it has begun: chips in the same run of an axis do the same operation
        std::int32_t repeat = 0;      ///< of an operation that is launched several times in a row
        std::int32_t outstanding = 0; ///< sends and arrivals still to come
        bool busy = false;
        bool launched = false;
    };
    struct LinkState {
        std::int32_t sent = 0;    ///< completed sends since the launch
        std::int32_t arrived = 0; ///< chunks that came in, travelling in this link's direction
        // What the operation that was launched asks of it: a send needs `first_needed` + sent x `more_needed`
        // arrivals.
        std::int32_t sends = 0;
        std::int32_t first_needed = 0;
        std::int32_t more_needed = 0;
        std::int32_t first_step = 0;
        Time sync;
        Time transfer;
        std::uint32_t synced = 0; ///< synchronisations in all
        bool busy = false;
        bool shares = false; ///< links with other transfers
        Chip receiver = -1;  ///< -1: no link
        Chip sender = -1;    ///< who sends to this chip by its link in the same direction; -1: nobody
        std::int32_t row = -1;
        Time began;              ///< of a transfer that shares links
        Time arrives = Time(-1); ///< as things stand
    };

    Chip member(Chip chip) const { return classes_.representatives[static_cast<std::size_t>(chip)]; }
    std::size_t engine_index(Chip chip, std::size_t engine) const {
        return static_cast<std::size_t>(chip) * engine_count + engine;
    }
    std::size_t link_index(Chip chip, int slot) const {
        return static_cast<std::size_t>(chip) * slots_ + static_cast<std::size_t>(slot);
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
    void try_start_all(Chip chip);
    void try_start(Chip chip, std::size_t engine);
    void launch(Chip chip, std::size_t engine);
    void launched(Chip chip, Axis axis);
    void try_send(Chip chip, int slot);
    void agreed(Chip chip, int slot);
    void arrived(Chip chip, int slot);
    void expect(const std::vector<FairShare::Completion>& completions);
    void sent(Chip chip, int slot);
    void finish(Chip chip, std::size_t engine);
    void advance(Engine& engine, const EngineQueue& queue) const;
    void record(std::int32_t row, Interval interval);
    std::vector<OperationLabel> labels() const;

    const Program& program_;
    const Schedule& schedule_;
    std::size_t slots_;
    Plans plans_;
    ChipClasses classes_;
    Wires wires_;
    std::vector<std::vector<Dependency>> needs_; ///< by the operation that waits
    std::array<EngineQueue, engine_count> queues_;

    Time now_;
    EventQueue<Event> events_;
    std::vector<Engine> engines_;             ///< by chip and engine
    std::vector<LinkState> links_;            ///< by chip and link slot
    std::vector<std::int32_t> done_;          ///< finished runs, by chip and operation
    std::vector<std::int32_t> ring_position_; ///< by chip and axis

    std::vector<Row> rows_;
    std::vector<std::size_t> row_begin_;
    std::vector<std::size_t> cursor_; ///< next free interval of each row
    std::vector<std::int32_t> core_row_;
    std::vector<Interval> intervals_;
    Time end_;
};

Run::Run(const Program& program, const Schedule& schedule, Plans plans, ChipClasses classes, Wires wires)
    : program_(program)
    , schedule_(schedule)
    , slots_(static_cast<std::size_t>(program.torus.link_slots()))
    , plans_(std::move(plans))
    , classes_(std::move(classes))
    , wires_(std::move(wires))
    , needs_(program.operations.size()) {
    std::vector<bool> timed;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        timed.push_back(takes_time(program, plans_, id));
        if (!timed.back()) {
            continue;
        }
        EngineQueue& queue = queues_[engine_of(program.operations[id])];
        queue.operations.push_back(id);
        queue.loop_begin += id < program.loop_begin ? 1 : 0;
        queue.loop_end += id < program.loop_end ? 1 : 0;
    }
    for (const Dependency& dependency : contracted(dependencies(program, schedule.prefetch), timed)) {
        needs_[dependency.after].push_back(dependency);
    }
    engines_.resize(classes_.count() * engine_count);
    links_.resize(classes_.count() * slots_);
    done_.resize(classes_.count() * program.operations.size());
    lay_out_rows();
}

/// Every row and how many intervals each will hold are known before the run: resources work in program order.
void Run::lay_out_rows() {
    const Torus& torus = program_.torus;
    row_begin_.push_back(0);
    const auto add_row = [&](const Row& row, std::int64_t intervals) {
        rows_.push_back(row);
        cursor_.push_back(row_begin_.back());
        row_begin_.push_back(row_begin_.back() + static_cast<std::size_t>(intervals));
        return static_cast<std::int32_t>(rows_.size() - 1);
    };
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        const Chip member = this->member(static_cast<Chip>(chip));
        std::int64_t on_core = 0;
        for (const OperationId id : queues_[core_engine].operations) {
            on_core += intervals_on_core(program_, plans_, id);
        }
        core_row_.push_back(add_row({member, true, Axis::vertical, Direction::forward}, on_core));
        for (int a = 0; a < torus.axis_count(); ++a) {
            const auto axis = static_cast<Axis>(a);
            ring_position_.push_back(torus.coordinate(member, axis));
            for (const Direction direction : both_directions) {
                LinkState& link = links_[link_index(static_cast<Chip>(chip), link_slot(axis, direction))];
                if (const auto sender = torus.neighbour(member, axis, opposite(direction))) {
                    link.sender = static_cast<Chip>(classes_.of(*sender));
                }
                if (const auto receiver = torus.neighbour(member, axis, direction)) {
                    std::int64_t on_link = 0;
                    for (const OperationId id : queues_[static_cast<std::size_t>(a)].operations) {
                        on_link += intervals_on_link(program_, plans_, id, member, direction);
                    }
                    link.receiver = static_cast<Chip>(classes_.of(*receiver));
                    link.row = add_row({member, false, axis, direction}, on_link);
                }
            }
        }
    }
    intervals_.resize(row_begin_.back());
}

void Run::record(std::int32_t row, Interval interval) {
    if (interval.start != interval.end || interval.activity == Activity::compute ||
        interval.activity == Activity::transfer) {
        intervals_[cursor_[static_cast<std::size_t>(row)]++] = interval;
    }
}

void Run::try_start_all(Chip chip) {
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        try_start(chip, engine);
    }
}

void Run::try_start(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const EngineQueue& queue = queues_[which];
    if (engine.busy || engine.position == queue.operations.size()) {
        return;
    }
    const OperationId id = queue.operations[engine.position];
    for (const Dependency& need : needs_[id]) {
        if (done(chip, need.before) < runs_needed(program_, need, engine.iteration)) {
            return;
        }
    }
    engine.busy = true;
    launch(chip, which);
}

void Run::launch(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationId id = queues_[which].operations[engine.position];
    ++engine.run;
    const OperationPlan& plan = this->plan(id, engine.iteration, chip);
    const Time ready = now_ + plan.cost.launch;
    if (which == core_engine) {
        const std::int32_t row = core_row_[static_cast<std::size_t>(chip)];
        record(row, {now_, ready, engine.iteration, 0, id, Activity::launch});
        const Time computed = ready + wires_.compute(member(chip), plan.cost.compute);
        record(row, {ready, computed, engine.iteration, 0, id, Activity::compute});
        events_.push(computed, {chip, What::computed, 0});
        return;
    }
    const auto axis = static_cast<Axis>(which);
    const auto position = static_cast<std::size_t>(
        ring_position_[static_cast<std::size_t>(chip * program_.torus.axis_count()) + which]);
    engine.outstanding = 0;
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        const int slot = link_slot(axis, direction);
        LinkState& link = links_[link_index(chip, slot)];
        link.sent = 0;
        link.arrived = 0;
        link.sends = plan.sends[d][position];
        engine.outstanding += link.sends + plan.arrivals[d][position];
        if (link.row < 0 || link.sends == 0) {
            continue;
        }
        record(link.row, {now_, ready, engine.iteration, 0, id, Activity::launch});
        const RingSchedule& ring = plan.communication->ring;
        const auto at = static_cast<std::int32_t>(position);
        link.first_needed = ring.arrivals_needed(direction, at, 0);
        link.more_needed = ring.arrivals_needed(direction, at, 1) - link.first_needed;
        link.first_step = plan.first_step[d][position] + engine.repeat * plan.cost.steps;
        link.sync = wires_.sync(member(chip), slot, plan.cost.sync);
        link.shares = wires_.shares(member(chip), slot);
        if (!link.shares) {
            link.transfer = wires_.transfer(member(chip), slot, plan.cost.transfer[d]);
        }
    }
    if (engine.outstanding == 0) {
        // Nothing moves in this ring (a skew by no hop): done at once, but not before this call is.
        events_.push(now_, {chip, What::idle, static_cast<std::uint8_t>(which)});
    } else if (plan.cost.launch == Time(0)) {
        launched(chip, axis);
    } else {
        events_.push(ready, {chip, What::launched, static_cast<std::uint8_t>(which)});
    }
}

/// The chip is ready: it may send, and its neighbours may send to it.
void Run::launched(Chip chip, Axis axis) {
    engines_[engine_index(chip, static_cast<std::size_t>(axis))].launched = true;
    for (const Direction direction : both_directions) {
        const int slot = link_slot(axis, direction);
        try_send(chip, slot);
        if (const Chip sender = links_[link_index(chip, slot)].sender; sender >= 0) {
            try_send(sender, slot);
        }
    }
}

void Run::try_send(Chip chip, int slot) {
    LinkState& link = links_[link_index(chip, slot)];
    if (link.busy || link.receiver < 0) {
        return;
    }
    const auto axis = static_cast<std::size_t>(slot / 2);
    const Engine& engine = engines_[engine_index(chip, axis)];
    if (!engine.launched || link.sent == link.sends ||
        link.arrived < link.first_needed + link.sent * link.more_needed) {
        return;
    }
    const Engine& receiver = engines_[engine_index(link.receiver, axis)];
    if (!receiver.launched || engine.run != receiver.run) {
        return;
    }
    link.busy = true;
    const OperationId id = queues_[axis].operations[engine.position];
    const auto step = static_cast<std::uint16_t>(link.first_step + link.sent);
    const Time agreed = now_ + link.sync + wires_.late(member(chip), slot, link.synced++);
    record(link.row, {now_, agreed, engine.iteration, step, id, Activity::sync});
    if (link.shares) {
        events_.push(agreed, {chip, What::agreed, static_cast<std::uint8_t>(slot)});
        return;
    }
    const Time arrival = agreed + link.transfer;
    record(link.row, {agreed, arrival, engine.iteration, step, id, Activity::transfer});
    events_.push(arrival, {chip, What::sent, static_cast<std::uint8_t>(slot)});
}

/// A transfer that shares links begins; how long it takes depends on the others.
void Run::agreed(Chip chip, int slot) {
    const auto axis = static_cast<std::size_t>(slot / 2);
    const Engine& engine = engines_[engine_index(chip, axis)];
    const OperationId id = queues_[axis].operations[engine.position];
    const Communication& moves = *plan(id, engine.iteration, chip).communication;
    links_[link_index(chip, slot)].began = now_;
    expect(wires_.start(now_, member(chip), slot,
                        moves.step_bytes(static_cast<Direction>(slot % 2), schedule_.type)));
}

void Run::expect(const std::vector<FairShare::Completion>& completions) {
    for (const auto& [flow, at] : completions) {
        // Shared links leave no two chips alike: a transfer's name is its index here too.
        LinkState& link = links_[flow];
        if (link.arrives != at) {
            link.arrives = at;
            events_.push(at, {static_cast<Chip>(flow / slots_), What::arrived,
                              static_cast<std::uint8_t>(flow % slots_)});
        }
    }
}

void Run::arrived(Chip chip, int slot) {
    LinkState& link = links_[link_index(chip, slot)];
    if (link.arrives != now_) {
        return; // As things stood when this was expected.
    }
    link.arrives = Time(-1);
    const auto axis = static_cast<std::size_t>(slot / 2);
    const Engine& engine = engines_[engine_index(chip, axis)];
    record(link.row,
           {link.began, now_, engine.iteration, static_cast<std::uint16_t>(link.first_step + link.sent),
            queues_[axis].operations[engine.position], Activity::transfer});
    expect(wires_.end(now_, member(chip), slot));
    sent(chip, slot);
}

void Run::sent(Chip chip, int slot) {
    LinkState& link = links_[link_index(chip, slot)];
    const Chip receiver = link.receiver;
    link.busy = false;
    ++link.sent;
    ++links_[link_index(receiver, slot)].arrived;
    try_send(chip, slot);
    try_send(receiver, slot);
    const auto axis = static_cast<std::size_t>(slot / 2);
    for (const Chip end : {chip, receiver}) {
        if (--engines_[engine_index(end, axis)].outstanding == 0) {
            finish(end, axis);
        }
    }
}

void Run::finish(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationId id = queues_[which].operations[engine.position];
    engine.launched = false;
    if (++engine.repeat < plan(id, engine.iteration, chip).cost.launches) {
        launch(chip, which);
        return;
    }
    engine.repeat = 0;
    ++done(chip, id);
    engine.busy = false;
    advance(engine, queues_[which]);
    end_ = std::max(end_, now_);
    try_start_all(chip);
}

void Run::advance(Engine& engine, const EngineQueue& queue) const {
    ++engine.position;
    if (engine.position == queue.loop_end && queue.loop_begin != queue.loop_end &&
        engine.iteration + 1 < program_.iterations) {
        ++engine.iteration;
        engine.position = static_cast<std::uint32_t>(queue.loop_begin);
    } else if (engine.position == queue.loop_end) {
        engine.iteration = 0;
    }
}

std::vector<OperationLabel> Run::labels() const {
    std::vector<OperationLabel> labels;
    for (std::size_t id = 0; id < program_.operations.size(); ++id) {
        OperationLabel label{
            name(program_.operations[id]), text(program_, program_.operations[id]), {}, {}, {}};
        for (const OperationPlan& way : plans_[id]) {
            if (way.communication) {
                const auto bytes = [&](Direction d) {
                    return way.communication->step_bytes(d, schedule_.type);
                };
                label.bytes = std::max(label.bytes, bytes(Direction::forward));
                label.bytes_back = std::max(label.bytes_back, bytes(Direction::backward));
            }
        }
        if (const auto* multiply = std::get_if<Multiply>(&program_.operations[id])) {
            label.flop = flop(multiply->shape);
        }
        labels.push_back(std::move(label));
    }
    return labels;
}

Result<std::shared_ptr<const Timeline>> Run::run(const RunControl& control) {
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        try_start_all(static_cast<Chip>(chip));
    }
    // Often enough to stop within a fraction of a millisecond, seldom enough to cost nothing.
    constexpr std::size_t events_between_checks = 4096;
    const double expected = static_cast<double>(intervals_.size()) / 2;
    std::size_t handled = 0;
    std::size_t next_check = 0;
    std::vector<Event> batch;
    while (!events_.empty()) {
        now_ = events_.pop(batch);
        for (const Event& event : batch) {
            switch (event.what) {
            case What::launched: launched(event.chip, static_cast<Axis>(event.where)); break;
            case What::sent: sent(event.chip, event.where); break;
            case What::computed: finish(event.chip, core_engine); break;
            case What::idle: finish(event.chip, event.where); break;
            case What::agreed: agreed(event.chip, event.where); break;
            case What::arrived: arrived(event.chip, event.where); break;
            }
        }
        handled += batch.size();
        if (handled >= next_check) {
            next_check = handled + events_between_checks;
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            if (control.progress) {
                control.progress->store(std::min(1.0, static_cast<double>(handled) / expected));
            }
        }
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (cursor_[row] != row_begin_[row + 1]) {
            return refuse(
                fmt::format("The program {} cannot run to its end: {} waits for something that never comes.",
                            text(program_.shape), row_name(program_.torus, rows_[row])));
        }
    }
    return std::make_shared<const Timeline>(program_.torus, labels(), program_.iterations,
                                            std::move(classes_), rows_, row_begin_, std::move(intervals_),
                                            end_);
}

std::int64_t recorded_intervals(const Program& program, const Plans& plans, const ChipClasses& classes) {
    std::int64_t count = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (!takes_time(program, plans, id)) {
            continue;
        }
        const Place where = place(program.operations[id]);
        for (const Chip chip : classes.representatives) {
            if (where == Place::core) {
                count += intervals_on_core(program, plans, id);
                continue;
            }
            for (const Direction direction : both_directions) {
                if (program.torus.neighbour(chip, static_cast<Axis>(where), direction)) {
                    count += intervals_on_link(program, plans, id, chip, direction);
                }
            }
        }
    }
    return count;
}

} // namespace

std::int64_t recorded_intervals(const Program& program, const Hardware& hardware, const Schedule& schedule,
                                const Conditions& conditions) {
    const Plans all = plans(program, hardware, schedule, conditions);
    return recorded_intervals(program, all, fold(program, all, conditions));
}

Result<std::shared_ptr<const Timeline>> simulate(const Program& program, const Hardware& hardware,
                                                 const Schedule& schedule, const Conditions& conditions,
                                                 const RunControl& control, Folding folding) {
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    Plans all = plans(program, hardware, schedule, conditions);
    ChipClasses classes =
        folding == Folding::alike_chips ? fold(program, all, conditions) : all_different(program.torus);
    const std::int64_t intervals = recorded_intervals(program, all, classes);
    if (intervals > most_intervals) {
        return refuse(fmt::format(
            "Simulating {} in {} slices on {} chips would record {} busy intervals, more than "
            "the {} that fit in memory; fewer slices or chips would do.",
            text(program.shape), program.iterations, program.torus.chips(), intervals, most_intervals));
    }
    return Run(program, schedule, std::move(all), std::move(classes),
               Wires(program, conditions, hardware.link_bandwidth.value))
        .run(control);
}

} // namespace meshslice
