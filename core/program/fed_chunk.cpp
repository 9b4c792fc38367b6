#include "core/program/fed_chunk.h"

#include <algorithm>

namespace meshslice {

TileState FedChunk::state(std::int64_t tile) const {
    if (tile < sent) {
        return TileState::sent;
    }
    if (map.way == MappedChunk::Way::remote) {
        return tile < made ? TileState::made : TileState::waiting;
    }
    return tile < std::min(made, arrived)   ? TileState::complete
           : tile < std::max(made, arrived) ? TileState::counted
                                            : TileState::waiting;
}

std::int64_t FedChunk::in(TileState state) const {
    const bool remote = map.way == MappedChunk::Way::remote;
    const std::int64_t both = remote ? sent : std::min(made, arrived);
    const std::int64_t any = remote ? made : std::max(made, arrived);
    switch (state) {
    case TileState::waiting: return tiles - any;
    case TileState::made: return remote ? made - sent : 0;
    case TileState::counted: return remote ? 0 : any - both;
    case TileState::complete: return both - sent;
    case TileState::sent: break;
    }
    return sent;
}

} // namespace meshslice
