#include "core/simulate/engine/run.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice {

void EngineRun::try_start_all(Chip chip) {
    for (std::size_t engine = 0; engine < engine_count; ++engine) {
        try_start(chip, engine);
    }
}

void EngineRun::try_start(Chip chip, std::size_t which) {
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
    engine.operation = id;
    engine.plan = &plan(id, engine.iteration, chip);
    launch(chip, which);
}

void EngineRun::launch(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationPlan& plan = *engine.plan;
    ++engine.run;
    const Time ready = now_ + plan.cost.launch;
    if (which == core_engine) {
        RowWriter& row = cores_[static_cast<std::size_t>(chip)];
        record(row, {now_, ready, engine.iteration, 0, engine.operation, Activity::launch});
        if (memory_ || memory_holds_links_ || controller_) {
            events_.push(ready, {chip, What::multiplies, 0});
            return;
        }
        const Time computed = ready + wires_.compute(member(chip), plan.cost.compute);
        record(row, {ready, computed, engine.iteration, 0, engine.operation, Activity::compute});
        events_.push(computed, {chip, What::computed, 0});
        return;
    }
    if (plan.cost.copied[0] > Bytes(0) && engine.repeat == 0) {
        copy(chip, which, 0);
    } else {
        launch_links(chip, which);
    }
}

void EngineRun::launch_links(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationPlan& plan = *engine.plan;
    const Time ready = now_ + plan.cost.launch;
    const auto axis = static_cast<Axis>(which);
    const std::size_t position = ring_position(chip, which);
    RingPlace& place = ring_places_[ring_place_index(chip, which)];
    place.outstanding = 0;
    for (const Direction direction : both_directions) {
        const auto d = static_cast<std::size_t>(direction);
        const int slot = link_slot(axis, direction);
        LinkState& link = links_[link_index(chip, slot)];
        link.arrived = 0;
        link.to_send = plan.sends[d][position];
        place.outstanding += link.to_send + plan.arrivals[d][position];
        if (link.receiver < 0 || link.to_send == 0) {
            continue;
        }
        link.iteration = engine.iteration;
        link.operation = engine.operation;
        record(link_rows_[link_index(chip, slot)],
               {now_, ready, engine.iteration, 0, engine.operation, Activity::launch});
        const RingSchedule& ring = plan.communication->ring;
        const auto at = static_cast<std::int32_t>(position);
        link.needed = ring.arrivals_needed(direction, at, 0);
        link.more_needed = static_cast<std::int8_t>(ring.arrivals_needed(direction, at, 1) - link.needed);
        link.most_needed = plan.arrivals[d][position];
        link.step =
            static_cast<std::uint16_t>(plan.first_step[d][position] + engine.repeat * plan.cost.steps);
        link.sync = wires_.sync(member(chip), slot, plan.cost.sync);
        link.shares = memory_holds_links_ || wires_.shares(member(chip), slot);
        if (!link.shares) {
            link.transfer = wires_.transfer(member(chip), slot, plan.cost.transfer[d]);
        }
    }
    if (plan.fed && plan.cost.launch == Time(0)) {
        feed_links(chip, which);
    } else if (place.outstanding == 0) {
        // Nothing moves in this ring (a skew by no hop): done at once, but only after this call.
        events_.push(now_, {chip, What::idle, static_cast<std::uint8_t>(which)});
    } else if (plan.cost.launch == Time(0)) {
        launched(chip, axis);
    } else {
        events_.push(ready, {chip, What::launched, static_cast<std::uint8_t>(which)});
    }
}

/// The chip is ready: it may send, and its neighbours may send to it.
void EngineRun::launched(Chip chip, Axis axis) {
    const auto which = static_cast<std::size_t>(axis);
    if (engines_[engine_index(chip, which)].plan->fed) {
        feed_links(chip, which);
        return;
    }
    ring_places_[ring_place_index(chip, which)].launched_run = engines_[engine_index(chip, which)].run;
    for (const Direction direction : both_directions) {
        const int slot = link_slot(axis, direction);
        send(chip, slot);
        if (const Chip sender = links_[link_index(chip, slot)].sender; sender >= 0) {
            send(sender, slot);
        }
    }
}

/// A step is over, or will be at a time that is known.
inline void EngineRun::sent(Chip chip, LinkState& link, int slot, Time at) {
    const auto axis = static_cast<std::size_t>(slot / 2);
    link.free = at;
    --link.to_send;
    link.needed = std::min(link.needed + link.more_needed, link.most_needed);
    ++link.step;
    ++links_[link_index(link.receiver, slot)].arrived;
    for (const Chip end : {chip, link.receiver}) {
        RingPlace& place = ring_places_[ring_place_index(end, axis)];
        place.over = std::max(place.over, at);
        if (--place.outstanding == 0) {
            events_.push(place.over, {end, What::idle, static_cast<std::uint8_t>(axis)});
        }
    }
}

/// Sends all that this link can, and all that can be sent on from there. When a step begins follows from the
/// steps before it and from the launches at its two ends, all of which are known by now, so it is written
/// down ahead of time instead of being waited for.
void EngineRun::send(Chip chip, int slot) {
    constexpr int steps_between_looks = 4; // Each may be the first to touch a huge page.
    for (int step = 1; send_from(chip, slot); ++step) {
        if (step % steps_between_looks == 0 && stop_.stop_requested()) {
            return; // Everything after this is lost.
        }
        chip = links_[link_index(chip, slot)].receiver;
    }
}

/// Returns whether anything is on its way that the receiver may send on.
bool EngineRun::send_from(Chip chip, int slot) {
    const std::size_t at = link_index(chip, slot);
    LinkState& link = links_[at];
    if (link.busy || link.receiver < 0 || link.to_send == 0 || link.arrived < link.needed) {
        return false;
    }
    const auto axis = static_cast<std::size_t>(slot / 2);
    const std::uint32_t launched_run = ring_places_[ring_place_index(chip, axis)].launched_run;
    if (launched_run == 0 ||
        launched_run != ring_places_[ring_place_index(link.receiver, axis)].launched_run) {
        return false;
    }
    RowWriter& row = link_rows_[at];
    do {
        // Not in the past: what it was waiting for has only just happened.
        const Time begin = std::max({now_, link.free, link.needed > 0 ? arrival(link, slot) : now_});
        const Time agreed = begin + link.sync + wires_.late(member(chip), slot, link.synced++);
        record(row, {begin, agreed, link.iteration, link.step, link.operation, Activity::sync});
        if (link.shares) {
            link.busy = true;
            events_.push(agreed, {chip, What::agreed, static_cast<std::uint8_t>(slot)});
            return false;
        }
        const Time arrives = agreed + link.transfer;
        record(row, {agreed, arrives, link.iteration, link.step, link.operation, Activity::transfer});
        if (controller_) {
            use_memory(chip, slot, agreed, arrives);
        }
        sent(chip, link, slot, arrives);
    } while (link.to_send > 0 && link.arrived >= link.needed);
    return true;
}

/// When the last of the chunks that the link needs for its next step arrives; any time in the past if it is
/// there.
Time EngineRun::arrival(const LinkState& link, int slot) const {
    const std::size_t before = link_index(link.sender, slot);
    if (link.arrived == link.needed || links_[before].free <= now_) {
        return links_[before].free;
    }
    // More of them have been written down since: in one interval each, or two where steps synchronize.
    const Interval* const last = link_rows_[before].end() - 1;
    return (last - (link.arrived - link.needed) * (last[-1].activity == Activity::sync ? 2 : 1))->end;
}

/// A transfer begins that shares links or memories, so that its duration depends on others.
void EngineRun::agreed(Chip chip, int slot) {
    const Engine& engine = engines_[engine_index(chip, static_cast<std::size_t>(slot / 2))];
    const LinkState& link = links_[link_index(chip, slot)];
    shared_[link_index(chip, slot)].began = now_;
    arbitration_->begin_transfer(
        now_, transfer_name(chip, slot), member(chip), slot,
        engine.plan->communication->step_bytes(static_cast<Direction>(slot % 2), schedule_.type), chip,
        link.receiver, transfer_rates_.reads(link.operation, slot));
}

/// A flow will end at another time than expected, or is now known to end at all.
void EngineRun::expect(const FairShare::Completion& completion) {
    const std::size_t transfers = classes_.count() * slots_;
    if (completion.flow >= transfers) {
        const std::size_t job = completion.flow - transfers;
        if (jobs_end_[job] != completion.at) {
            jobs_end_[job] = completion.at;
            events_.push(completion.at, {static_cast<Chip>(job / engine_count), What::moved,
                                         static_cast<std::uint8_t>(job % engine_count)});
        }
        return;
    }
    const auto chip = static_cast<Chip>(completion.flow / slots_);
    const auto slot = static_cast<int>(completion.flow % slots_);
    transfer_takes(chip, slot, std::llround(completion.rate));
    SharedTransfer& transfer = shared_[link_index(chip, slot)];
    if (transfer.arrives != completion.at) {
        transfer.arrives = completion.at;
        events_.push(completion.at, {chip, What::arrived, static_cast<std::uint8_t>(slot)});
    }
}

void EngineRun::arrived(Chip chip, int slot) {
    SharedTransfer& transfer = shared_[link_index(chip, slot)];
    if (transfer.arrives != now_) {
        return; // The rate has changed since this was foreseen.
    }
    transfer.arrives = Time(-1);
    LinkState& link = links_[link_index(chip, slot)];
    record(link_rows_[link_index(chip, slot)],
           {transfer.began, now_, link.iteration, link.step, link.operation, Activity::transfer});
    transfer_takes(chip, slot, 0);
    arbitration_->end(transfer_name(chip, slot));
    link.busy = false;
    sent(chip, link, slot, now_);
    send(chip, slot);
    send(link.receiver, slot);
}

void EngineRun::finish(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationCost& cost = engine.plan->cost;
    if (which != core_engine) {
        ring_places_[ring_place_index(chip, which)].launched_run = 0;
    }
    if (++engine.repeat < cost.launches) {
        launch(chip, which);
        return;
    }
    if (!engine.copies_back && cost.copied[1] > Bytes(0)) {
        copy(chip, which, 1);
        return;
    }
    engine.copies_back = false;
    engine.repeat = 0;
    if (controller_) {
        for (std::size_t source = 0; source < dram_sources; ++source) {
            dram_[static_cast<std::size_t>(chip)].bytes[source] +=
                dram_of_a_run_[engine.operation].bytes[source];
        }
    }
    ++done(chip, engine.operation);
    engine.busy = false;
    advance(engine, queues_[which]);
    end_ = std::max(end_, now_);
    try_start_all(chip);
}

void EngineRun::advance(Engine& engine, const EngineQueue& queue) const {
    ++engine.position;
    if (engine.position == queue.loop_end && queue.loop_begin != queue.loop_end &&
        engine.iteration + 1 < program_.iterations) {
        ++engine.iteration;
        engine.position = static_cast<std::uint32_t>(queue.loop_begin);
    } else if (engine.position == queue.loop_end) {
        engine.iteration = 0;
    }
}

/// Those that memories have recorded beyond what was certain before the run.
bool EngineRun::stretches_have_room() {
    const std::int64_t more = controller_->recorded() - stretches_;
    stretches_ += std::max<std::int64_t>(more, 0);
    return more <= 0 || room_->take(more);
}

Result<std::shared_ptr<const Timeline>> EngineRun::run(const RunControl& control) {
    stop_ = control.stop;
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        if (stop_.stop_requested()) {
            return cancelled();
        }
        try_start_all(static_cast<Chip>(chip));
    }
    share_again();
    std::vector<Event> batch;
    while (!events_.empty()) {
        now_ = events_.pop(batch);
        if (controller_) { // So that it does not matter which chip's events were foreseen first.
            std::ranges::stable_sort(batch, {}, &Event::what);
        }
        for (const Event& event : batch) {
            if (stop_.stop_requested()) {
                return cancelled();
            }
            switch (event.what) {
            case What::launched: launched(event.chip, static_cast<Axis>(event.where)); break;
            case What::computed: finish(event.chip, core_engine); break;
            case What::idle: finish(event.chip, event.where); break;
            case What::agreed: agreed(event.chip, event.where); break;
            case What::arrived: arrived(event.chip, event.where); break;
            case What::multiplies: multiply(event.chip); break;
            case What::moved: moved(event.chip, event.where); break;
            case What::stage: stage_over(event.chip); break;
            case What::served: job_over(event.chip); break;
            case What::crossed: crossed(event.chip, fed_collective(event.where)); break;
            case What::landed: landed(event.chip, fed_collective(event.where)); break;
            case What::freed: link_uses(event.chip, event.where, -1); break;
            case What::taken: link_uses(event.chip, event.where, 1); break;
            }
        }
        share_again();
        if (next_look_ < program_.iterations) {
            look_for_repetition();
        }
        if (controller_ && !stretches_have_room()) {
            return refuse(
                say("Simulating {} in {} slices on {} chips records more than the {} busy intervals "
                    "that fit in memory; take fewer slices or chips.",
                    text(program_.shape), program_.iterations, program_.torus.chips(), room_->most()));
        }
        if (control.progress) {
            control.progress->store(
                std::min(1.0, static_cast<double>(recorded_) / static_cast<double>(intervals_.size())));
        }
    }
    if (const auto row = unfinished_row()) {
        if (stop_.stop_requested()) {
            return cancelled();
        }
        return refuse(say("The program {} cannot run to its end: {} waits for something that never comes.",
                          text(program_.shape), part_name(program_.torus, *row)));
    }
    std::vector<ActivityTimes> busy;
    for (const RowWriter* const writer : writers_) {
        busy.push_back(writer->busy());
    }
    return std::make_shared<const Timeline>(
        program_.torus, labels(), program_.iterations, std::move(classes_), rows_, row_begin_,
        std::move(interval_memory_), intervals_, busy, end_, std::move(dram_),
        controller_ ? controller_->take_served() : std::vector<ServedStreams>());
}

} // namespace meshslice
