// What a run does with the memory that the core and the links of a chip share.

#include "core/simulate/engine/run.h"

namespace meshslice {

/// A core begins to fetch its tiles; how long it takes depends on what else its memory has to do.
void Run::multiply(Chip chip) {
    Engine& engine = engines_[engine_index(chip, core_engine)];
    const OperationCost& cost = engine.plan->cost;
    engine.began = now_;
    memory_->begin(now_, chip, core_engine, cost.memory, wires_.compute(member(chip), cost.compute));
}

/// An axis begins to copy: what it is about to send out of a slice (side 0), or what came into one (side 1).
void Run::copy(Chip chip, std::size_t axis, std::size_t side) {
    Engine& engine = engines_[engine_index(chip, axis)];
    const OperationCost& cost = engine.plan->cost;
    engine.copies_back = side == 1;
    engine.began = now_;
    memory_->begin(now_, chip, axis, cost.copied[side], cost.copying[side]);
}

/// What a core or an axis moves in memory is done, unless it has been slowed since this was expected.
void Run::moved(Chip chip, std::size_t which) {
    if (!memory_->over(now_, chip, which)) {
        return;
    }
    memory_->end(now_, chip, which);
    Engine& engine = engines_[engine_index(chip, which)];
    if (which == core_engine) {
        record(cores_[static_cast<std::size_t>(chip)],
               {engine.began, now_, engine.iteration, 0, engine.operation, Activity::compute});
        finish(chip, which);
        return;
    }
    for (const Direction direction : both_directions) {
        const std::size_t at = link_index(chip, link_slot(static_cast<Axis>(which), direction));
        if (links_[at].receiver >= 0 &&
            engine.plan->sends[static_cast<std::size_t>(direction)][ring_position(chip, which)] > 0) {
            record(link_rows_[at],
                   {engine.began, now_, engine.iteration, 0, engine.operation, Activity::copy});
        }
    }
    engine.copies_back ? finish(chip, which) : launch_links(chip, which);
}

/// What a transfer that shares links reads at its sender and writes at its receiver: from now on (`sign` 1),
/// or no more (-1), for nobody knew when it would end.
void Run::shared_transfer_takes(Chip sender, int slot, int sign) {
    if (memory_) {
        const LinkState& link = links_[link_index(sender, slot)];
        const auto takes = [&](bool at_sender) {
            return sign * transfer_rates_.rate(member(sender), slot, link.operation, at_sender);
        };
        memory_->links_take(now_, sender, takes(true));
        memory_->links_take(now_, link.receiver, takes(false));
    }
}

void Run::settle_memory() {
    if (memory_) {
        for (const auto& [chip, engine, at] : memory_->settle(now_)) {
            events_.push(at, {chip, What::moved, static_cast<std::uint8_t>(engine)});
        }
    }
}

} // namespace meshslice
