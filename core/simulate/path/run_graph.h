#pragma once

#include "core/program/program.h"
#include "core/simulate/machine/plan.h"
#include "core/simulate/record/timeline.h"

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <stop_token>
#include <utility>
#include <vector>

namespace meshslice {

/// Something a chip does in a run, from `start` to `end`: a recorded interval, or what leaves none behind:
/// the launch of a chip that only receives, and the moment at which a communication is over for a chip.
struct RunEvent {
    Time start;
    Time end;
    std::int32_t row = -1;   ///< of the timeline; -1: not recorded
    std::uint32_t index = 0; ///< in that row
    Chip chip = 0;           ///< a representative of the timeline's classes
    std::uint32_t iteration = 0;
    OperationId operation = 0;
    Place place = Place::core;
    Activity activity = Activity::compute;
    bool marks_end = false; ///< that moment: it takes no time and belongs to no activity
};

/// What waited for what in a recorded run, of one chip of each class: the neighbour of a class is the class
/// of the neighbour. `second` could not start before `first` had ended, and every event starts exactly when
/// the last of those that it waits for ends (at 0 where there are none):
/// - the engines of a chip take their operations in turn, each after those that it depends on (see
///   dependencies()); a communication is over for a chip when all it sends and all it gets has crossed its
///   link;
/// - a link sends one chunk after the other, the first once sender and receiver have launched, each once the
///   chunks that it passes on, or adds to, have arrived.
/// Of the events that another waits for, those of its own row or engine stand first.
struct RunGraph {
    /// `memory`: where it comes from; none: huge_pages().
    explicit RunGraph(std::pmr::memory_resource* memory = nullptr);

    std::pmr::vector<RunEvent>
        events; ///< chip by chip, representatives ascending; of a chip in program order
    std::pmr::vector<std::pair<std::uint32_t, std::uint32_t>> waits;
    /// For each of the waits, if asked for: `own_chip`, or by which link slot the chip of `first` is a
    /// neighbour of that of `second`. Of alike chips the events alone do not say it.
    std::vector<std::int8_t> hops;
    static constexpr std::int8_t own_chip = -1;
};
/// What a graph makes room for: for so many intervals at most so many waits. Streams in packets come nearest.
[[nodiscard]] constexpr std::size_t room_for_waits(std::size_t intervals) {
    return intervals * 9 / 4;
}
enum class Hops : std::uint8_t { left_out, kept };

/// The graph of a run that simulate() recorded of this program, with the plans and the schedule it was made
/// from. Nothing of it holds if it is stopped.
[[nodiscard]] RunGraph run_graph(const Program& program, const Plans& plans, const Schedule& schedule,
                                 const Timeline& timeline, const std::stop_token& stop = {},
                                 Hops hops = Hops::left_out, std::pmr::memory_resource* memory = nullptr);

} // namespace meshslice
