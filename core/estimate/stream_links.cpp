#include "core/estimate/stream_links.h"

#include <algorithm>
#include <array>
#include <variant>

namespace meshslice {

Operation nth_panel(Operation stream, std::int64_t panel) {
    if (auto* broadcast = std::get_if<Broadcast>(&stream)) {
        broadcast->panels.turn.offset += panel;
    } else {
        std::get<Reduce>(stream).panels.turn.offset += panel;
    }
    return stream;
}

StreamLinks links_of_stream(const Communication& moves, Direction direction) {
    const RingSchedule& ring = moves.ring;
    const std::int32_t links = ring.longest_stream(direction);
    if (links == 0 || ring.part(direction, moves.chunk_elements).size() == 0) {
        return {};
    }
    const std::int32_t back = direction == Direction::forward ? links : ring.positions() - links;
    const std::int32_t from =
        ring.root() + (ring.pattern() == RingSchedule::Pattern::reduce ? ring.positions() - back : 0);
    return {static_cast<std::size_t>(from % ring.positions()), static_cast<std::size_t>(links)};
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
