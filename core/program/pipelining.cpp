#include "core/program/pipelining.h"

#include <fmt/format.h>

namespace meshslice {

std::string_view name(RingMode mode) {
    return mode == RingMode::both_ways ? "both" : "one-way";
}

Result<RingMode> parse_ring_mode(std::string_view words) {
    for (const RingMode mode : {RingMode::both_ways, RingMode::one_way}) {
        if (words == name(mode)) {
            return mode;
        }
    }
    return refuse(fmt::format("\"{}\" is not a way to use a ring; the two are both and one-way.", words));
}

std::string text(Prefetch prefetch) {
    return prefetch.unbounded() ? "unbounded" : fmt::format("{}", prefetch.depth);
}

} // namespace meshslice
