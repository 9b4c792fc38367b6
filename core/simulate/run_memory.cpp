// What a run does with the memory that the core and the links of a chip share.

#include "core/simulate/run.h"

namespace meshslice {

/// A core begins to fetch its tiles; how long it takes depends on what else its memory has to do.
void Run::multiply(Chip chip) {
    Engine& engine = engines_[engine_index(chip, core_engine)];
    const OperationCost& cost =
        plan(queues_[core_engine].operations[engine.position], engine.iteration, chip).cost;
    engine.began = now_;
    memory_->begin(now_, chip, core_engine, cost.memory, wires_.compute(member(chip), cost.compute));
}

/// An axis begins to copy: what it is about to send out of a slice (side 0), or what came into one (side 1).
void Run::copy(Chip chip, std::size_t axis, std::size_t side) {
    Engine& engine = engines_[engine_index(chip, axis)];
    const OperationCost& cost = plan(queues_[axis].operations[engine.position], engine.iteration, chip).cost;
    engine.copies_back = side == 1;
    engine.began = now_;
    memory_->begin(now_, chip, axis, cost.copied[side], cost.copying[side]);
}

/// What a core or an axis moved in memory is done, unless it has been slowed since this was expected.
void Run::moved(Chip chip, std::size_t which) {
    if (memory_->ends(chip, which) != now_) {
        return;
    }
    memory_->end(now_, chip, which);
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationId id = queues_[which].operations[engine.position];
    if (which == core_engine) {
        record(core_row_[static_cast<std::size_t>(chip)],
               {engine.began, now_, engine.iteration, 0, id, Activity::compute});
        finish(chip, which);
        return;
    }
    const OperationPlan& plan = this->plan(id, engine.iteration, chip);
    for (const Direction direction : both_directions) {
        const LinkState& link = links_[link_index(chip, link_slot(static_cast<Axis>(which), direction))];
        if (link.row >= 0 &&
            plan.sends[static_cast<std::size_t>(direction)][ring_position(chip, which)] > 0) {
            record(link.row, {engine.began, now_, engine.iteration, 0, id, Activity::copy});
        }
    }
    engine.copies_back ? finish(chip, which) : launch_links(chip, which);
}

/// What a transfer reads at its sender and writes at its receiver is wanted of their memories (`sign` 1), or
/// no more (-1).
void Run::links_take(Chip sender, const LinkState& link, const OperationPlan& plan, int sign) {
    memory_->links_take(now_, sender, sign * link.bytes_per_second * plan.cost.reads);
    memory_->links_take(now_, link.receiver, sign * link.bytes_per_second);
}

void Run::settle_memory() {
    if (memory_) {
        for (const auto& [chip, engine, ends] : memory_->settle(now_)) {
            events_.push(ends, {chip, What::moved, static_cast<std::uint8_t>(engine)});
        }
    }
}

} // namespace meshslice
