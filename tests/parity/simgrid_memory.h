#pragma once

#include "core/base/quantity.h"
#include "core/torus/torus.h"

#include <cstdint>
#include <simgrid/s4u.hpp>
#include <vector>

namespace meshslice::parity {

/// The HBM of every chip: a SimGrid link that all who move bytes in it share, max-min fair.
class Memories {
  public:
    Memories(Chip chips, Bandwidth bandwidth, simgrid::s4u::NetZone* root);

    /// Begins to move bytes in a chip's memory, at `most` bytes/s at most. Who joins the actor waits for it.
    [[nodiscard]] simgrid::s4u::ActorPtr move(Chip chip, Bytes bytes, double most) const;

  private:
    struct Ends {
        simgrid::s4u::Host* who;
        simgrid::s4u::Host* memory;
    };
    std::vector<Ends> ends_;          ///< by chip
    mutable std::uint64_t flows_ = 0; ///< so far
};

} // namespace meshslice::parity
