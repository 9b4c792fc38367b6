#include "core/simulate/record/chip_classes.h"

#include <numeric>

namespace meshslice {

std::vector<std::int32_t> ChipClasses::members() const {
    std::vector<std::int32_t> members(count());
    for (const std::int32_t which : class_of) {
        ++members[static_cast<std::size_t>(which)];
    }
    return members;
}

ChipClasses all_different(const Torus& torus) {
    ChipClasses classes;
    classes.representatives.resize(static_cast<std::size_t>(torus.chips()));
    std::iota(classes.representatives.begin(), classes.representatives.end(), Chip{0});
    classes.class_of.assign(classes.representatives.begin(), classes.representatives.end());
    return classes;
}

} // namespace meshslice
