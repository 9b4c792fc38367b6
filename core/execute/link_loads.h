#pragma once

#include "core/count/count.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <vector>

namespace meshslice {

/// What every link of a torus has carried so far, in elements.
class LinkLoads {
  public:
    explicit LinkLoads(const Torus& torus);

    /// Counts what is sent by a link; where a folded ring lacks the link, it counts for all links of the way
    /// back.
    void cross(const Link& link, std::int64_t elements);

    /// Of every link that there is, in the order of Torus::links().
    [[nodiscard]] std::vector<LinkTraffic> traffic(std::int64_t bytes_of_an_element) const;

  private:
    [[nodiscard]] std::size_t slot(const Link& link) const;

    const Torus& torus_;
    std::vector<Link> links_;
    std::vector<std::size_t> index_;     ///< by chip and link slot
    std::vector<std::int64_t> elements_; ///< by link
};

} // namespace meshslice
