#include "core/simulate/engine/simulate.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/simulate/engine/fold.h"
#include "core/simulate/engine/longest_run.h"
#include "core/simulate/engine/run.h"
#include "core/simulate/engine/simulate_in_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice {
namespace {

std::int64_t recorded_intervals(const Program& program, const Plans& plans, const ChipClasses& classes) {
    std::int64_t count = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (!takes_time(program, plans, id)) {
            continue;
        }
        const Place where = place(program.operations[id]);
        if (where == Place::core) {
            for (const Chip chip : classes.representatives) {
                count += intervals_on_core(program, plans, id, chip);
            }
            continue;
        }
        const IntervalsOnLinks intervals(program, plans, id);
        for (const Chip chip : classes.representatives) {
            for (const Direction direction : both_directions) {
                if (program.torus.neighbour(chip, static_cast<Axis>(where), direction)) {
                    count += intervals.of(chip, direction);
                }
            }
        }
    }
    return count;
}

/// A GEMM's stores go to one neighbour and by no detour.
Result<void> whole_rings(const Program& program, const Conditions& conditions) {
    for (const Fusion& fusion : program.fusions) {
        const auto axis = static_cast<Axis>(place(program.operations[fusion.collective]));
        for (Chip chip = 0; chip < program.torus.chips(); ++chip) {
            if (conditions.link(program.torus, chip, link_slot(axis, Direction::forward)) == 0) {
                return refuse(said("A GEMM feeds a ring whose links all work; one is dead or missing here."));
            }
        }
    }
    return {};
}

/// Links of collectives that no GEMM feeds are never slowed by the memory of chips whose GEMMs are made in
/// stages: refuses those of several axes that together ask for more than there is.
Result<void> memory_for_links(const Program& program, const Plans& plans, const Machine& hardware,
                              const Schedule& schedule) {
    std::array<double, 3> most{}; // bytes/s, by axis
    for (const std::vector<OperationPlan>& ways : plans) {
        for (const OperationPlan& way : ways) {
            double uses = 0;
            for (const Direction direction : both_directions) {
                const Time takes = way.cost.transfer[static_cast<std::size_t>(direction)];
                if (way.accesses[0] > 0 && takes > Time(0)) {
                    uses +=
                        (way.accesses[0] + way.accesses[1]) *
                        static_cast<double>(way.communication->step_bytes(direction, schedule.type).value()) /
                        in_seconds(takes);
                }
            }
            if (uses > 0) {
                double& axis = most[static_cast<std::size_t>(way.communication->axis)];
                axis = std::max(axis, uses);
            }
        }
    }
    const double all = most[0] + most[1] + most[2];
    constexpr double rounding = 1.0001; // of picoseconds
    if (const Bandwidth memory = hardware.hbm_bandwidth.value; all > rounding * memory.value()) {
        return refuse(
            say("The links of {} would move {} in a chip's memory, which serves {}: the GEMM's stages "
                "are not simulated where memory slows links. Take slower links or faster memory.",
                text(program.shape), text(Bandwidth(all)), text(memory)));
    }
    return {};
}

} // namespace

std::int64_t recorded_intervals(const Program& program, const Machine& hardware, const Schedule& schedule,
                                const Conditions& conditions, const std::stop_token& stop) {
    const Conditions met = with_missing_links(program.torus, conditions);
    const Plans all = plans(program, hardware, schedule, met);
    const ChipClasses classes = fold(program, all, met, [&] { return stop.stop_requested(); });
    return recorded_intervals(program, all, classes) +
           static_cast<std::int64_t>(classes.count()) *
               memory_stretches(program, all, schedule.arbitration).least;
}

std::int64_t most_cuts(const Program& program, const Machine& hardware, const Schedule& schedule,
                       const Conditions& conditions, const std::stop_token& stop) {
    if (!staged(schedule, hardware)) {
        return 0;
    }
    const Conditions met = with_missing_links(program.torus, conditions);
    const Plans all = plans(program, hardware, schedule, met);
    const ChipClasses classes = fold(program, all, met, [&] { return stop.stop_requested(); });
    return static_cast<std::int64_t>(classes.count()) *
           (memory_stretches(program, all, schedule.arbitration).cuts + most_cuts_by_links(program, all));
}

double longest_run_seconds(const Program& program, const Machine& hardware, const Schedule& schedule,
                           const Conditions& conditions) {
    const Conditions met = with_missing_links(program.torus, conditions);
    return longest_run_seconds(program, plans(program, hardware, schedule, met), met);
}

Result<std::shared_ptr<const Timeline>> simulate(const Program& program, const Machine& hardware,
                                                 const Schedule& schedule, const Conditions& conditions,
                                                 const RunControl& control, Folding folding,
                                                 std::shared_ptr<IntervalMemory> memory, std::int64_t most) {
    return simulate_in_room(program, hardware, schedule, conditions, control, folding, std::move(memory),
                            std::make_shared<RecordingRoom>(most));
}

Result<std::shared_ptr<const Timeline>>
simulate_in_room(const Program& program, const Machine& hardware, const Schedule& schedule,
                 const Conditions& conditions, const RunControl& control, Folding folding,
                 std::shared_ptr<IntervalMemory> memory, std::shared_ptr<RecordingRoom> room) {
    if (control.stop.stop_requested()) {
        return cancelled();
    }
    if (!program.fusions.empty() && !staged(schedule, hardware)) {
        return refuse(said("A GEMM feeds a ring where GEMMs are made in stages: on a ring of GPUs, with the "
                           "chip model by-hardware."));
    }
    const Conditions met = with_missing_links(program.torus, conditions);
    Plans all = plans(program, hardware, schedule, met);
    if (const double longest = longest_run_seconds(program, all, met); longest > most_simulated_seconds) {
        return refuse(say("The GEMM {} with these faults could take {:.1e} s; runs of up to {:.1e} s "
                          "are simulated, so take more chips, a smaller GEMM or milder faults.",
                          text(program.shape), longest, most_simulated_seconds));
    }
    if (const auto whole = whole_rings(program, met); !whole) {
        return refuse(whole.error());
    }
    if (const auto served = memory_for_links(program, all, hardware, schedule); !served) {
        return refuse(served.error());
    }
    ChipClasses classes = folding == Folding::alike_chips
                              ? fold(program, all, met, [&] { return control.stop.stop_requested(); })
                              : all_different(program.torus);
    if (classes.count() == 0) {
        return cancelled();
    }
    const std::int64_t intervals = recorded_intervals(program, all, classes);
    const std::int64_t of_memories = static_cast<std::int64_t>(classes.count()) *
                                     memory_stretches(program, all, schedule.arbitration).least;
    if (!room->take(intervals + of_memories)) {
        return refuse(say("Simulating {} in {} slices on {} chips would record {} busy intervals, more than "
                          "the {} that fit in memory; take fewer slices or chips.",
                          text(program.shape), program.iterations, program.torus.chips(),
                          intervals + of_memories, room->most()));
    }
    const auto count = static_cast<std::size_t>(intervals);
    std::span<Interval> place = memory ? memory->take(count) : std::span<Interval>();
    if (place.size() < count) {
        memory = std::make_shared<IntervalMemory>(count, control.memory);
        place = memory->take(count);
    }
    Wires wires(program, met, hardware.network);
    return EngineRun(program, hardware, schedule, std::move(all), std::move(classes), std::move(wires),
                     std::move(memory), place, std::move(room), of_memories, folding)
        .run(control);
}

} // namespace meshslice
