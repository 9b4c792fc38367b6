#include "core/execute/link_loads.h"

namespace meshslice {

LinkLoads::LinkLoads(const Torus& torus)
    : torus_(torus)
    , links_(torus.links())
    , index_(static_cast<std::size_t>(torus.chips() * torus.link_slots()))
    , elements_(links_.size()) {
    for (std::size_t k = 0; k < links_.size(); ++k) {
        index_[slot(links_[k])] = k;
    }
}

std::size_t LinkLoads::slot(const Link& link) const {
    return static_cast<std::size_t>(link.chip * torus_.link_slots() + link_slot(link.axis, link.direction));
}

void LinkLoads::cross(const Link& link, std::int64_t elements) {
    if (!torus_.missing(link)) {
        elements_[index_[slot(link)]] += elements;
        return;
    }
    for (std::int32_t place = 0; place < torus_.size(link.axis); ++place) {
        const Link back{torus_.along(link.chip, link.axis, place), link.axis, opposite(link.direction)};
        if (!torus_.missing(back)) {
            elements_[index_[slot(back)]] += elements;
        }
    }
}

std::vector<LinkTraffic> LinkLoads::traffic(std::int64_t bytes_of_an_element) const {
    std::vector<LinkTraffic> traffic;
    for (std::size_t k = 0; k < links_.size(); ++k) {
        if (!torus_.missing(links_[k])) {
            traffic.push_back({links_[k], Bytes(elements_[k] * bytes_of_an_element)});
        }
    }
    return traffic;
}

} // namespace meshslice
