#pragma once

#include "core/base/quantity.h"

namespace meshslice {

/// The half-open stretch [begin, end) of a run, in time from its start.
struct Stretch {
    Time begin;
    Time end;

    bool operator==(const Stretch&) const = default;
};
/// The part of a stretch that lies within another; empty where they do not touch.
[[nodiscard]] Stretch common(Stretch one, Stretch other);

} // namespace meshslice
