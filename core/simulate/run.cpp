#include "core/simulate/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice {

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
    engine.operation = id;
    engine.plan = &plan(id, engine.iteration, chip);
    launch(chip, which);
}

void Run::launch(Chip chip, std::size_t which) {
    Engine& engine = engines_[engine_index(chip, which)];
    const OperationPlan& plan = *engine.plan;
    ++engine.run;
    const Time ready = now_ + plan.cost.launch;
    if (which == core_engine) {
        RowWriter& row = cores_[static_cast<std::size_t>(chip)];
        row.write({now_, ready, engine.iteration, 0, engine.operation, Activity::launch});
        if (memory_) {
            events_.push(ready, {chip, What::multiplies, 0});
            return;
        }
        const Time computed = ready + wires_.compute(member(chip), plan.cost.compute);
        row.write({ready, computed, engine.iteration, 0, engine.operation, Activity::compute});
        events_.push(computed, {chip, What::computed, 0});
        return;
    }
    if (plan.cost.copied[0] > Bytes(0) && engine.repeat == 0) {
        copy(chip, which, 0);
    } else {
        launch_links(chip, which);
    }
}

void Run::launch_links(Chip chip, std::size_t which) {
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
        link_rows_[link_index(chip, slot)].write(
            {now_, ready, engine.iteration, 0, engine.operation, Activity::launch});
        const RingSchedule& ring = plan.communication->ring;
        const auto at = static_cast<std::int32_t>(position);
        link.needed = ring.arrivals_needed(direction, at, 0);
        link.more_needed = ring.arrivals_needed(direction, at, 1) - link.needed;
        link.step =
            static_cast<std::uint16_t>(plan.first_step[d][position] + engine.repeat * plan.cost.steps);
        link.sync = wires_.sync(member(chip), slot, plan.cost.sync);
        link.shares = wires_.shares(member(chip), slot);
        const Bandwidth rate = plan.cost.rate[d];
        if (!link.shares) {
            link.transfer = wires_.transfer(member(chip), slot, plan.cost.transfer[d], rate);
        }
        if (memory_) {
            // A transfer that shares links is taken to be as fast as on its own.
            const double pace = link.shares ? 1 : wires_.pace(member(chip), slot, rate);
            link.bytes_per_second = std::llround(rate.value() * pace);
            link.reads = static_cast<std::uint8_t>(plan.cost.reads);
        }
    }
    if (place.outstanding == 0) {
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
    const auto which = static_cast<std::size_t>(axis);
    ring_places_[ring_place_index(chip, which)].launched_run = engines_[engine_index(chip, which)].run;
    for (const Direction direction : both_directions) {
        const int slot = link_slot(axis, direction);
        try_send(chip, slot);
        if (const Chip sender = links_[link_index(chip, slot)].sender; sender >= 0) {
            try_send(sender, slot);
        }
    }
}

void Run::try_send(Chip chip, int slot) {
    const std::size_t at = link_index(chip, slot);
    LinkState& link = links_[at];
    if (link.busy || link.receiver < 0) {
        return;
    }
    const auto axis = static_cast<std::size_t>(slot / 2);
    const std::uint32_t launched_run = ring_places_[ring_place_index(chip, axis)].launched_run;
    if (launched_run == 0 ||
        launched_run != ring_places_[ring_place_index(link.receiver, axis)].launched_run ||
        link.to_send == 0 || link.arrived < link.needed) {
        return;
    }
    link.busy = true;
    const Time agreed = now_ + link.sync + wires_.late(member(chip), slot, link.synced++);
    RowWriter& row = link_rows_[at];
    row.write({now_, agreed, link.iteration, link.step, link.operation, Activity::sync});
    if (link.shares) {
        events_.push(agreed, {chip, What::agreed, static_cast<std::uint8_t>(slot)});
        return;
    }
    if (memory_) {
        if (link.transfer == Time(0) || (memory_->links_alone(chip) && memory_->links_alone(link.receiver))) {
            uncounted_from_[at] = agreed; // Until somebody else wants something of either memory.
        } else {
            events_.push(agreed, {chip, What::agreed, static_cast<std::uint8_t>(slot)});
        }
    }
    const Time arrival = agreed + link.transfer;
    row.write({agreed, arrival, link.iteration, link.step, link.operation, Activity::transfer});
    events_.push(arrival, {chip, What::sent, static_cast<std::uint8_t>(slot)});
}

/// A transfer begins that uses memory which somebody else wants, or that shares links, so that how long it
/// takes depends on others.
void Run::agreed(Chip chip, int slot) {
    LinkState& link = links_[link_index(chip, slot)];
    if (memory_) {
        links_take(chip, link, 1);
    }
    if (!link.shares) {
        return; // The rest was known before.
    }
    const Engine& engine = engines_[engine_index(chip, static_cast<std::size_t>(slot / 2))];
    shared_[link_index(chip, slot)].began = now_;
    const auto direction = static_cast<Direction>(slot % 2);
    const double rate = engine.plan->cost.rate[static_cast<std::size_t>(direction)].value();
    expect(wires_.start(now_, member(chip), slot,
                        engine.plan->communication->step_bytes(direction, schedule_.type),
                        memory_ ? rate : FairShare::unheld));
}

void Run::expect(const std::vector<FairShare::Completion>& completions) {
    for (const auto& [flow, at] : completions) {
        // Shared links leave no two chips alike: a transfer's name is of its chip here too.
        const auto chip = static_cast<Chip>(flow / slots_);
        const auto slot = static_cast<int>(flow % slots_);
        SharedTransfer& transfer = shared_[link_index(chip, slot)];
        if (transfer.arrives != at) {
            transfer.arrives = at;
            events_.push(at, {chip, What::arrived, static_cast<std::uint8_t>(slot)});
        }
    }
}

void Run::arrived(Chip chip, int slot) {
    SharedTransfer& transfer = shared_[link_index(chip, slot)];
    if (transfer.arrives != now_) {
        return; // As things stood when this was expected.
    }
    transfer.arrives = Time(-1);
    LinkState& link = links_[link_index(chip, slot)];
    link_rows_[link_index(chip, slot)].write(
        {transfer.began, now_, link.iteration, link.step, link.operation, Activity::transfer});
    expect(wires_.end(now_, member(chip), slot));
    sent(chip, slot);
}

void Run::sent(Chip chip, int slot) {
    LinkState& link = links_[link_index(chip, slot)];
    const Chip receiver = link.receiver;
    if (memory_) {
        if (Time& uncounted = uncounted_from_[link_index(chip, slot)]; uncounted < Time(0)) {
            links_take(chip, link, -1);
        } else {
            uncounted = Time(-1);
        }
    }
    link.busy = false;
    --link.to_send;
    link.needed += link.more_needed;
    ++link.step;
    ++links_[link_index(receiver, slot)].arrived;
    try_send(chip, slot);
    try_send(receiver, slot);
    const auto axis = static_cast<std::size_t>(slot / 2);
    for (const Chip end : {chip, receiver}) {
        if (--ring_places_[ring_place_index(end, axis)].outstanding == 0) {
            finish(end, axis);
        }
    }
}

void Run::finish(Chip chip, std::size_t which) {
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
    ++done(chip, engine.operation);
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

/// Fetches what the events after the next few will touch: in a large torus it is not in the cache.
void Run::look_ahead(const std::vector<Event>& batch, std::size_t k) const {
    constexpr std::size_t near = 4;
    constexpr std::size_t far = 8;
    const auto of_link = [&](std::size_t event) {
        return event < batch.size() && (batch[event].what == What::agreed || batch[event].what == What::sent);
    };
    if (of_link(k + far)) {
        __builtin_prefetch(&links_[link_index(batch[k + far].chip, batch[k + far].where)], 1);
    }
    if (of_link(k + near) && batch[k + near].what == What::sent) {
        const Event& event = batch[k + near];
        const std::size_t at = link_index(event.chip, event.where);
        link_rows_[at].fetch();
        __builtin_prefetch(&links_[link_index(links_[at].receiver, event.where)], 1);
    }
}

Result<std::shared_ptr<const Timeline>> Run::run(const RunControl& control) {
    for (std::size_t chip = 0; chip < classes_.count(); ++chip) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        try_start_all(static_cast<Chip>(chip));
    }
    settle_memory();
    // Often enough to stop within a few milliseconds even where every event is the first to touch a huge
    // page, seldom enough to cost nothing.
    constexpr std::size_t events_between_checks = 4;
    const double expected = static_cast<double>(intervals_.size()) / 2;
    std::size_t handled = 0;
    std::size_t next_check = 0;
    std::vector<Event> batch;
    while (!events_.empty()) {
        now_ = events_.pop(batch);
        for (std::size_t k = 0; k < batch.size(); ++k) {
            if (k % events_between_checks == events_between_checks - 1 && control.stop.stop_requested()) {
                return cancelled();
            }
            look_ahead(batch, k);
            const Event& event = batch[k];
            switch (event.what) {
            case What::launched: launched(event.chip, static_cast<Axis>(event.where)); break;
            case What::sent: sent(event.chip, event.where); break;
            case What::computed: finish(event.chip, core_engine); break;
            case What::idle: finish(event.chip, event.where); break;
            case What::agreed: agreed(event.chip, event.where); break;
            case What::arrived: arrived(event.chip, event.where); break;
            case What::multiplies: multiply(event.chip); break;
            case What::moved: moved(event.chip, event.where); break;
            }
        }
        settle_memory();
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
    if (const auto row = close_rows()) {
        return refuse(
            fmt::format("The program {} cannot run to its end: {} waits for something that never comes.",
                        text(program_.shape), part_name(program_.torus, *row)));
    }
    std::vector<ActivityTimes> busy;
    for (const RowWriter* const writer : writers_) {
        busy.push_back(writer->busy());
    }
    return std::make_shared<const Timeline>(program_.torus, labels(), program_.iterations,
                                            std::move(classes_), rows_, row_begin_,
                                            std::move(interval_memory_), intervals_, busy, end_);
}

} // namespace meshslice
