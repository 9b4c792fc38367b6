#include "core/program/chunk_order.h"

namespace meshslice {

std::string_view name(ChunkOrder order) {
    return order == ChunkOrder::staggered ? "staggered" : "unstaggered";
}

} // namespace meshslice
