#include "core/sharding/layout.h"

namespace meshslice {

std::int64_t parts(const Torus& torus, const Axes& axes) {
    std::int64_t count = 1;
    for (const Axis axis : axes) {
        count *= torus.size(axis);
    }
    return count;
}

std::int64_t part_of(const Torus& torus, const Axes& axes, Chip chip) {
    std::int64_t part = 0;
    for (const Axis axis : axes) {
        part = part * torus.size(axis) + torus.coordinate(chip, axis);
    }
    return part;
}

} // namespace meshslice
