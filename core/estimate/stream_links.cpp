#include "core/estimate/stream_links.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <variant>

namespace meshslice {

namespace {

const Panels& panels_of(const Operation& stream) {
    const auto* broadcast = std::get_if<Broadcast>(&stream);
    return broadcast ? broadcast->panels : std::get<Reduce>(stream).panels;
}

/// The fewest turns in which every root moves by whole places, whatever panel it has: the numbers of panels
/// move on by `stride` a turn, and the root of number n is n x places / count, rounded down.
std::int64_t turns_of_whole_moves(const Program& program) {
    std::int64_t turns = 1;
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const Operation& stream = program.operations[id];
        if (is_stream(stream) && turns <= program.iterations) { // More are of no use.
            const Panels& panels = panels_of(stream);
            const std::int64_t places = program.torus.size(static_cast<Axis>(place(stream)));
            turns = std::lcm(turns, panels.count / std::gcd(panels.count, panels.turn.stride * places));
        }
    }
    return turns;
}

} // namespace

StreamLinks links_of_stream(const Communication& moves, Direction direction) {
    const RingSchedule& ring = moves.ring;
    const std::int32_t links = ring.longest_stream(direction);
    if (links == 0 || ring.part(direction, moves.chunk_elements).size() == 0) {
        return {};
    }
    const std::int32_t back = direction == Direction::forward ? links : ring.positions() - links;
    const std::int32_t from =
        ring.root() + (ring.collective() == Collective::reduce ? ring.positions() - back : 0);
    return {static_cast<std::size_t>(from % ring.positions()), static_cast<std::size_t>(links)};
}

bool streams_round(const Program& program, const Operation& stream) {
    const auto axis = static_cast<Axis>(place(stream));
    return program.torus.wraps(axis) && !program.torus.folded(axis);
}

std::int32_t root_of_panel(const Program& program, const Operation& stream, std::int64_t panel,
                           std::int64_t turn) {
    const Panels& panels = panels_of(stream);
    const std::int64_t number = (panels.turn.at(turn) + panel) % panels.count;
    return static_cast<std::int32_t>(number * program.torus.size(static_cast<Axis>(place(stream))) /
                                     panels.count);
}

std::optional<Move> move_of_roots(const CondensedProgram& condensed, std::int64_t turn, std::int64_t turns) {
    const Program& program = condensed.program;
    Move move{};
    std::array<bool, 3> known{};
    for (OperationId id = program.loop_begin; id < program.loop_end; ++id) {
        const Operation& stream = program.operations[id];
        if (!is_stream(stream)) {
            continue;
        }
        const std::size_t axis = engine_of(stream);
        const std::int32_t places = program.torus.size(static_cast<Axis>(axis));
        for (std::int64_t panel = 0; panel < condensed.times[id]; ++panel) {
            const std::int32_t by = root_of_panel(program, stream, panel, turn + turns) -
                                    root_of_panel(program, stream, panel, turn);
            const std::int32_t forward = by < 0 ? by + places : by;
            if ((known[axis] && move[axis] != forward) || (by != 0 && !streams_round(program, stream))) {
                return std::nullopt;
            }
            move[axis] = forward;
            known[axis] = true;
        }
    }
    return move;
}

MovesOfRoots moves_of_roots(const CondensedProgram& condensed) {
    const Program& program = condensed.program;
    MovesOfRoots found;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (!program.in_loop(id) && engine_of(program.operations[id]) < engine_count) {
            return found;
        }
    }
    const std::int64_t all = program.iterations;
    constexpr std::int64_t few = 8; // Of all turns, an eighth.
    const std::int64_t whole = turns_of_whole_moves(program);
    std::int64_t turns = whole;
    while (turns * few <= all &&
           !move_of_roots(condensed, 0, turns)) { // Then it is the same from every turn.
        turns += whole;
    }
    found.after = turns <= all / few ? turns : 1;
    found.more.assign(static_cast<std::size_t>(all), 0);
    std::optional<Move> next;
    for (std::int64_t turn = all - 1; turn >= found.after; --turn) {
        const std::optional<Move> move = move_of_roots(condensed, turn - found.after, found.after);
        const auto t = static_cast<std::size_t>(turn);
        found.more[t] = move && move == next ? found.more[t + 1] + 1 : 0;
        next = move;
    }
    return found;
}

std::vector<std::size_t> moved(const Torus& torus, const Move& move, std::int64_t times) {
    std::vector<std::size_t> to = {0};
    for (std::size_t axis = 0; axis < torus.axes().size(); ++axis) {
        const std::int64_t size = torus.axes()[axis].size;
        const std::int64_t by = move[axis] * times % size;
        std::vector<std::size_t> along;
        along.reserve(to.size() * static_cast<std::size_t>(size));
        for (const std::size_t before : to) {
            for (std::int64_t place = by; place < by + size; ++place) {
                along.push_back(before * static_cast<std::size_t>(size) +
                                static_cast<std::size_t>(place < size ? place : place - size));
            }
        }
        to = std::move(along);
    }
    return to;
}

namespace {

/// That the streams of a turn cross, panel by panel; 0 where they go along one axis only.
std::int64_t links_of_a_turn(const CondensedProgram& condensed) {
    const Program& program = condensed.program;
    std::int64_t links = 0;
    std::array<bool, engine_count> streams{};
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const std::size_t engine = engine_of(program.operations[id]);
        if (is_stream(program.operations[id]) && program.torus.size(static_cast<Axis>(engine)) > 1) {
            links += condensed.times[id] * program.torus.chips();
            streams[engine] = true;
        }
    }
    return std::ranges::count(streams, true) == 2 ? links : 0;
}

constexpr std::int64_t links_followed = std::int64_t{1} << 15;
constexpr std::int64_t fewest_turns = 32;
constexpr std::int64_t most_links_followed = std::int64_t{1} << 17;

} // namespace

std::int64_t turns_of_streams_followed(const CondensedProgram& condensed) {
    const std::int64_t links = links_of_a_turn(condensed);
    return links == 0
               ? 0
               : std::min(condensed.program.iterations, std::max(fewest_turns, links_followed / links));
}

bool follows_streams(const CondensedProgram& condensed) {
    const std::int64_t links = links_of_a_turn(condensed);
    return links > 0 && links * turns_of_streams_followed(condensed) <= most_links_followed;
}

} // namespace meshslice
