#include "core/estimate/walk/chip_by_chip.h"

#include "core/estimate/walk/chip_walk.h"

#include <algorithm>
#include <cstdlib>

namespace meshslice {

bool differs_by_chip(const Program& program) {
    // Searches ask this of every program, most of which are for closed rings.
    return std::ranges::any_of(program.torus.axes(), &TorusAxis::folded) &&
           std::ranges::any_of(program.operations,
                               [&](const Operation& operation) { return is_late(program, operation); });
}

LoopTime loop_time_chip_by_chip(const CondensedProgram& condensed, const Machine& hardware,
                                const Schedule& schedule, const std::vector<Dependency>& needs) {
    ChipWalk walk(condensed, hardware, schedule, needs, {});
    LoopTime time = walk.walk();
    // Two that share a link from the same time on last twice as long: half of what is missing comes with
    // every walk.
    constexpr int most_walks = 40;
    constexpr std::int64_t nearly = 20000;
    for (int walks = 1; walks < most_walks && walk.shares(); ++walks) {
        const Time before = walk.crossing();
        time = walk.walk();
        if (std::abs((walk.crossing() - before).value()) <= before.value() / nearly) {
            break;
        }
    }
    return time;
}

std::optional<LoopTime> loop_time_of_streams(const CondensedProgram& condensed, const Machine& hardware,
                                             const Schedule& schedule, const std::vector<Dependency>& needs,
                                             const Slower& slower, Time most) {
    const std::int64_t iterations = condensed.program.iterations;
    const std::int64_t turns = turns_of_streams_followed(condensed);
    if (turns == iterations) {
        return ChipWalk(condensed, hardware, schedule, needs, slower).walk_within(most, 0);
    }
    CondensedProgram first = condensed;
    first.program.iterations = turns;
    ChipWalk walk(first, hardware, schedule, needs, slower);
    std::optional<LoopTime> time = walk.walk_within(most, iterations - turns);
    if (time) {
        const Time rest = walk.later_turn() * (iterations - turns);
        time->steady = Time((time->steady * (turns - 1) + rest).value() / (iterations - 1));
        time->total += rest;
        time->epilogue = time->total - time->prologue - time->steady * (iterations - 1);
    }
    return time;
}

} // namespace meshslice
