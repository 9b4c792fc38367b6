#include "core/report/resource_words.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <array>

namespace meshslice {

std::string resource_words(Place place, const Torus& torus) {
    constexpr std::array<std::string_view, engine_count> words = {
        "the vertical links", "the horizontal links", "the third axis' links", "compute"};
    if (place != Place::core && torus.axis_count() == 1) {
        return said("the ring's links");
    }
    return said(words[static_cast<std::size_t>(place)]);
}

std::string part_words(Part part, const Torus& torus) {
    switch (part) {
    case Part::compute: return said("compute");
    case Part::memory: return said("memory");
    case Part::latency: return said("latency");
    case Part::vertical_links: return resource_words(Place::vertical_links, torus);
    case Part::horizontal_links: return resource_words(Place::horizontal_links, torus);
    case Part::links:
        return said(torus.axis_count() > 2 ? "the links of all axes" : "the links of both axes");
    case Part::third_links: break;
    }
    return resource_words(Place::third_links, torus);
}

std::string bound_words(const Bottleneck& bottleneck, const Torus& torus) {
    if (!bottleneck.part) {
        return said("no single faster part would help");
    }
    if (!bottleneck.nothing_overlaps && bottleneck.balanced()) {
        return is_links(*bottleneck.part)
                   ? say("balanced, {} matter most", part_words(*bottleneck.part, torus))
                   : say("balanced, {} matters most", part_words(*bottleneck.part, torus));
    }
    return bottleneck.nothing_overlaps ? say("nothing overlaps, the largest wait is for {}",
                                             part_words(bottleneck.largest_wait(), torus))
                                       : say("bound by {}", part_words(*bottleneck.part, torus));
}

std::string saving_words(const Bottleneck& bottleneck, const Torus& torus) {
    if (!bottleneck.part) {
        return {};
    }
    const Part part = *bottleneck.part;
    const std::string what = part == Part::compute  ? said("twice the FLOP/s")
                             : part == Part::memory ? said("twice the HBM bandwidth")
                             : part == Part::latency
                                 ? said("launches and synchronisations in half the time")
                                 : say("twice the bandwidth of {}", part_words(part, torus));
    return say("{} would save {} of the time", what, percent_text(bottleneck.most()));
}

} // namespace meshslice
