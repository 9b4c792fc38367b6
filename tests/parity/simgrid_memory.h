#pragma once

#include "core/base/quantity.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace meshslice::parity {

/// The HBM of every chip: a SimGrid link that all activities that move bytes in it share, max-min fair.
class Memories {
  public:
    /// `name`: of what is shared, another for each of several.
    Memories(Chip chips, Bandwidth bandwidth, simgrid::s4u::NetZone* root, std::string name = "memory");

    /// The memory itself; null where there is none.
    [[nodiscard]] const simgrid::s4u::Link* of(Chip chip) const {
        return links_.empty() ? nullptr : links_[static_cast<std::size_t>(chip)];
    }
    /// Begins to move bytes in a chip's memory, at most `most` bytes/s. Join the actor to wait for it.
    [[nodiscard]] simgrid::s4u::ActorPtr move(Chip chip, Bytes bytes, double most) const;

  private:
    struct Ends {
        simgrid::s4u::Host* who;
        simgrid::s4u::Host* memory;
    };
    std::vector<Ends> ends_; ///< by chip
    std::vector<const simgrid::s4u::Link*> links_;
    std::string name_;
    mutable std::uint64_t flows_ = 0; ///< so far
};

} // namespace meshslice::parity
