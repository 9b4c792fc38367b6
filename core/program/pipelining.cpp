#include "core/program/pipelining.h"

#include "core/base/parse.h"

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

Result<Prefetch> parse_prefetch(std::string_view words) {
    if (words == "unbounded") {
        return Prefetch{Prefetch::without_bound};
    }
    const Result<std::int64_t> depth = parse_whole(words);
    if (!depth || *depth < 0 || *depth >= Prefetch::without_bound) {
        return refuse(fmt::format(
            "The prefetch depth \"{}\" is neither a whole number from 0 on nor \"unbounded\".", words));
    }
    return Prefetch{*depth};
}

} // namespace meshslice
