#include "core/report/resource_words.h"

#include <array>

namespace meshslice {

std::string_view resource_words(Place place, const Torus& torus) {
    constexpr std::array<std::string_view, engine_count> words = {
        "the vertical links", "the horizontal links", "the third axis' links", "compute"};
    if (place != Place::core && torus.axis_count() == 1) {
        return "the ring's links";
    }
    return words[static_cast<std::size_t>(place)];
}

} // namespace meshslice
