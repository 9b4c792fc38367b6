#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace meshslice {

/// Links that several flows cross at once, and the rates at which they do: max-min fair. No flow can get more
/// without one that has no more getting less (progressive filling; Bertsekas and Gallager, Data
/// Networks, 6.5.2). Rates change only when a flow starts or ends; between those times every flow advances
/// evenly.
class FairShare {
  public:
    static constexpr double unheld = std::numeric_limits<double>::infinity();

    /// `capacities`: bytes/s of every link.
    explicit FairShare(std::vector<double> capacities) : capacities_(std::move(capacities)) {}

    struct Completion {
        std::uint32_t flow; ///< the caller's name for it
        Time at;
    };

    /// A flow of `bytes` over the links begins; it takes no more than `most` bytes/s, however wide they are.
    /// Returns when every flow ends from here on, if nothing changes.
    const std::vector<Completion>& start(Time now, std::uint32_t flow, std::vector<std::uint32_t> links,
                                         double bytes, double most = unheld);
    /// The flow has ended; the others may go faster.
    const std::vector<Completion>& end(Time now, std::uint32_t flow);

  private:
    struct Flow {
        std::uint32_t name;
        std::vector<std::uint32_t> links;
        double left; ///< bytes, at `since_`
        double most; ///< bytes/s
        double rate = 0;
    };

    void advance(Time now);
    const std::vector<Completion>& shared(Time now);

    std::vector<double> capacities_;
    std::vector<Flow> flows_;
    Time since_;
    std::vector<Completion> completions_;
};

} // namespace meshslice
