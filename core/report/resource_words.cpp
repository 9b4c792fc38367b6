#include "core/report/resource_words.h"

#include "core/base/text.h"

#include <fmt/format.h>

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

std::string_view part_words(Part part, const Torus& torus) {
    switch (part) {
    case Part::compute: return "compute";
    case Part::memory: return "memory";
    case Part::latency: return "latency";
    case Part::vertical_links: return resource_words(Place::vertical_links, torus);
    case Part::horizontal_links: return resource_words(Place::horizontal_links, torus);
    case Part::links: return torus.axis_count() > 2 ? "the links of all axes" : "the links of both axes";
    case Part::third_links: break;
    }
    return resource_words(Place::third_links, torus);
}

std::string bound_words(const Bottleneck& bottleneck, const Torus& torus) {
    if (!bottleneck.part) {
        return "no single faster part would help";
    }
    if (!bottleneck.nothing_overlaps && bottleneck.balanced()) {
        return fmt::format("balanced, {} {} most", part_words(*bottleneck.part, torus),
                           is_links(*bottleneck.part) ? "matter" : "matters");
    }
    return bottleneck.nothing_overlaps ? fmt::format("nothing overlaps, the largest wait is for {}",
                                                     part_words(bottleneck.largest_wait(), torus))
                                       : fmt::format("bound by {}", part_words(*bottleneck.part, torus));
}

std::string saving_words(const Bottleneck& bottleneck, const Torus& torus) {
    if (!bottleneck.part) {
        return {};
    }
    const Part part = *bottleneck.part;
    const std::string what = part == Part::compute  ? std::string("twice the FLOP/s")
                             : part == Part::memory ? std::string("twice the HBM bandwidth")
                             : part == Part::latency
                                 ? std::string("launches and synchronisations in half the time")
                                 : fmt::format("twice the bandwidth of {}", part_words(part, torus));
    return fmt::format("{} would save {} of the time", what, percent_text(bottleneck.most()));
}

} // namespace meshslice
