#include "core/estimate/stream_links.h"

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
    StreamLinks links;
    for (std::int32_t place = 0; place < moves.ring.positions(); ++place) {
        const RingSchedule::Steps steps = moves.sending_steps(direction, place);
        if (steps.count() > 0) {
            links.from = steps.begin == 0 ? static_cast<std::size_t>(place) : links.from;
            ++links.count;
        }
    }
    return links;
}

bool follows_streams(const CondensedProgram& condensed, Prefetch prefetch) {
    const Program& program = condensed.program;
    if (prefetch.depth > 0) {
        return false;
    }
    std::int64_t links = 0;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        if (is_stream(program.operations[id])) {
            links += condensed.times[id] * program.runs(id) * program.torus.chips();
        }
    }
    return links > 0 && links <= most_links_followed;
}

} // namespace meshslice
