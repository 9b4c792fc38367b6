// What a run sets up before its first event: queues, rows, labels.

#include "core/simulate/engine/run.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace meshslice {

EngineRun::EngineRun(const Program& program, const Machine& hardware, const Schedule& schedule, Plans plans,
                     ChipClasses classes, Wires wires, std::shared_ptr<const IntervalMemory> memory,
                     std::span<Interval> intervals, std::shared_ptr<RecordingRoom> room,
                     std::int64_t stretches, Folding folding)
    : program_(program)
    , schedule_(schedule)
    , slots_(static_cast<std::size_t>(program.torus.link_slots()))
    , plans_(std::move(plans))
    , classes_(std::move(classes))
    , wires_(std::move(wires))
    , needs_(program.operations.size())
    , transfer_rates_(plans_, wires_)
    , memory_holds_links_(tiled(schedule, hardware) && memory_holds_links(program, plans_, hardware))
    , interval_memory_(std::move(memory))
    , intervals_(intervals)
    , room_(std::move(room))
    , stretches_(stretches) {
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
    ring_places_.resize(classes_.count() * slots_ / 2);
    links_.resize(classes_.count() * slots_);
    link_rows_.resize(links_.size());
    cores_.resize(classes_.count());
    done_.resize(classes_.count() * program.operations.size());
    lay_out_rows();
    if (staged(schedule, hardware)) {
        set_up_stages(hardware);
    }
    if (memory_holds_links_) {
        jobs_end_.resize(engines_.size(), Time(-1));
    } else if (tiled(schedule, hardware)) {
        memory_.emplace(hardware.hbm_bandwidth.value, demand());
    }
    if (memory_holds_links_ || wires_.any_shared()) {
        shared_.resize(links_.size());
        arbitration_.emplace(program, wires_, memory_holds_links_ ? classes_.count() : 0,
                             hardware.hbm_bandwidth.value);
    }
    next_look_ = folding != Folding::no_turns && turns_may_repeat() ? 1 : program.iterations;
}

/// Every row and how many intervals each will hold are known before the run: resources work in program order.
void EngineRun::lay_out_rows() {
    const Torus& torus = program_.torus;
    row_begin_.push_back(0);
    const auto add_row = [&](const Row& row, std::int64_t intervals, RowWriter& writer) {
        rows_.push_back(row);
        writers_.push_back(&writer);
        row_begin_.push_back(row_begin_.back() + static_cast<std::size_t>(intervals));
    };
    std::map<OperationId, IntervalsOnLinks> on_links;
    for (int axis = 0; axis < torus.axis_count(); ++axis) {
        for (const OperationId id : queues_[static_cast<std::size_t>(axis)].operations) {
            on_links.try_emplace(id, program_, plans_, id);
        }
    }
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        const Chip member = this->member(static_cast<Chip>(chip));
        std::int64_t on_core = 0;
        for (const OperationId id : queues_[core_engine].operations) {
            on_core += intervals_on_core(program_, plans_, id, member);
        }
        add_row({member, true, Axis::vertical, Direction::forward}, on_core, cores_[chip]);
        for (int a = 0; a < torus.axis_count(); ++a) {
            const auto axis = static_cast<Axis>(a);
            ring_position_.push_back(torus.coordinate(member, axis));
            for (const Direction direction : both_directions) {
                const std::size_t at = link_index(static_cast<Chip>(chip), link_slot(axis, direction));
                LinkState& link = links_[at];
                if (const auto sender = torus.neighbour(member, axis, opposite(direction))) {
                    link.sender = static_cast<Chip>(classes_.of(*sender));
                }
                if (const auto receiver = torus.neighbour(member, axis, direction)) {
                    std::int64_t on_link = 0;
                    for (const OperationId id : queues_[static_cast<std::size_t>(a)].operations) {
                        on_link += on_links.at(id).of(member, direction);
                    }
                    link.receiver = static_cast<Chip>(classes_.of(*receiver));
                    const bool round = wires_.round(member, link_slot(axis, direction));
                    add_row({member, false, axis, direction, round}, on_link, link_rows_[at]);
                }
            }
        }
    }
    if (row_begin_.back() != intervals_.size()) { // It would write into other rows.
        throw std::logic_error("a run records another number of intervals than was planned");
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        *writers_[row] = RowWriter(intervals_.data() + row_begin_[row]);
    }
}

/// What links take of each chip's memory, as far as it is known ahead: that of the links that share with no
/// others.
std::vector<LinkDemand> EngineRun::demand() const {
    std::vector<LinkDemand> demand(classes_.count(), LinkDemand(transfer_rates_));
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        for (int slot = 0; slot < static_cast<int>(slots_); ++slot) {
            const LinkState& link = links_[link_index(static_cast<Chip>(chip), slot)];
            for (const bool sends : {true, false}) {
                const Chip sender = sends ? static_cast<Chip>(chip) : link.sender;
                if ((sends ? link.receiver : sender) >= 0 && !wires_.shares(member(sender), slot)) {
                    demand[chip].add(link_rows_[link_index(sender, slot)], member(sender), slot, sends);
                }
            }
        }
    }
    return demand;
}

std::optional<Row> EngineRun::unfinished_row() const {
    std::optional<Row> unfinished;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (writers_[row]->end() != intervals_.data() + row_begin_[row + 1] && !unfinished) {
            unfinished = rows_[row];
        }
    }
    return unfinished;
}

std::vector<OperationLabel> EngineRun::labels() const {
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
                label.adds = way.communication->ring.adds() ||
                             std::holds_alternative<AddSendRecv>(program_.operations[id]);
            }
            label.ring_steps.push_back(way.communication
                                           ? way.communication->ring.steps() *
                                                 static_cast<std::int32_t>(way.communication->repeats)
                                           : 0);
            if (way.gemm) {
                label.stages = way.gemm->stages;
            }
            if (way.fed) {
                label.pieces = way.fed->pieces;
                label.ring_steps.back() = static_cast<std::int32_t>(way.fed->sends());
            }
        }
        if (const auto* multiply = std::get_if<Multiply>(&program_.operations[id])) {
            label.flop = flop(multiply->shape);
        }
        labels.push_back(std::move(label));
    }
    return labels;
}

} // namespace meshslice
