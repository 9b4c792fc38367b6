// What a run does with the memory that the core and the links of a chip share.

#include "core/simulate/engine/run.h"

#include <cmath>

namespace meshslice {

/// A core begins to fetch its tiles; how long that takes depends on what else uses its memory.
void EngineRun::multiply(Chip chip) {
    Engine& engine = engines_[engine_index(chip, core_engine)];
    const OperationCost& cost = engine.plan->cost;
    if (controller_) {
        compute_stage(chip);
        return;
    }
    engine.began = now_;
    begin_in_memory(chip, core_engine, cost.memory, wires_.compute(member(chip), cost.compute));
}

/// An axis begins to copy: what it is about to send out of a slice (side 0), or what came into one (side 1).
void EngineRun::copy(Chip chip, std::size_t axis, std::size_t side) {
    Engine& engine = engines_[engine_index(chip, axis)];
    const OperationCost& cost = engine.plan->cost;
    engine.copies_back = side == 1;
    engine.began = now_;
    begin_in_memory(chip, axis, cost.copied[side], cost.copying[side]);
}

/// What a core or an axis moves in memory is done, unless it has been slowed since this was foreseen.
void EngineRun::moved(Chip chip, std::size_t which) {
    if (!over_in_memory(chip, which)) {
        return;
    }
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

/// What the last sum of a collective in a loop takes of memory, bytes/s: outside one nothing else is done
/// then.
std::int64_t EngineRun::sum_uses(const Engine& engine) {
    const OperationCost& cost = engine.plan->cost;
    return engine.plan->accesses[0] <= 0
               ? 0
               : std::llround(static_cast<double>(cost.copied[1].value()) / in_seconds(cost.copying[1]));
}

/// The last sum of a collective, whether or not anything else is done then.
void EngineRun::note_sum(Chip chip, std::size_t engine, int sign) {
    const Engine& of = engines_[engine_index(chip, engine)];
    const OperationCost& cost = of.plan->cost;
    if (cost.copying[1] <= Time(0)) {
        return;
    }
    const std::int64_t rate =
        std::llround(static_cast<double>(cost.copied[1].value()) / in_seconds(cost.copying[1]));
    controller_->note(now_, chip, {rate, rate}, sign,
                      {of.operation, of.iteration, 0, DramSource::scatter_write, true});
}

void EngineRun::begin_in_memory(Chip chip, std::size_t engine, Bytes bytes, Time alone) {
    if (controller_) { // The last sum of a reduction by compute units.
        controller_->load(now_, chip, sum_uses(engines_[engine_index(chip, engine)]));
        note_sum(chip, engine, 1);
        events_.push(now_ + alone, {chip, What::moved, static_cast<std::uint8_t>(engine)});
        return;
    }
    if (memory_holds_links_) {
        jobs_end_[engine_index(chip, engine)] = Time(-1);
        arbitration_->begin_job(now_, job_name(chip, engine), chip, bytes, alone);
    } else {
        memory_->begin(now_, chip, engine, bytes, alone);
    }
}

/// Whether it is done; if so, it makes room for others.
bool EngineRun::over_in_memory(Chip chip, std::size_t engine) {
    if (controller_) {
        controller_->load(now_, chip, -sum_uses(engines_[engine_index(chip, engine)]));
        note_sum(chip, engine, -1);
        return true;
    }
    if (memory_holds_links_) {
        Time& end = jobs_end_[engine_index(chip, engine)];
        if (end != now_) {
            return false;
        }
        end = Time(-1);
        arbitration_->end(job_name(chip, engine));
        return true;
    }
    if (!memory_->over(now_, chip, engine)) {
        return false;
    }
    memory_->end(now_, chip, engine);
    return true;
}

/// What a transfer that shares links reads at its sender and writes at its receiver from now on; its rate was
/// not known ahead.
void EngineRun::transfer_takes(Chip sender, int slot, std::int64_t bytes_per_second) {
    if (!memory_) {
        return;
    }
    const LinkState& link = links_[link_index(sender, slot)];
    std::int64_t& takes = shared_[link_index(sender, slot)].takes;
    const std::int64_t more = bytes_per_second - takes;
    takes = bytes_per_second;
    memory_->links_take(now_, sender, more * transfer_rates_.reads(link.operation, slot));
    memory_->links_take(now_, link.receiver, more);
}

void EngineRun::share_again() {
    if (controller_) {
        for (const auto& [chip, stream, at] : controller_->settle(now_)) {
            events_.push(at, {chip, stream == MemoryStream::compute ? What::stage : What::served, 0});
        }
    }
    if (arbitration_) {
        for (const FairShare::Completion& completion : arbitration_->settle(now_)) {
            expect(completion);
        }
    }
    if (memory_) {
        for (const auto& [chip, engine, at] : memory_->settle(now_)) {
            events_.push(at, {chip, What::moved, static_cast<std::uint8_t>(engine)});
        }
    }
}

} // namespace meshslice
