#pragma once

#include "tests/parity/simgrid_memory.h"
#include "tests/parity/simgrid_torus.h"

#include <cstddef>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace meshslice::parity {

/// "12 east link": of a SimGrid link, and of the mailbox through which it is used.
[[nodiscard]] std::string name(const Link& link);

/// The hosts of the ports, wired. Each ring is a zone of its own, so that the tables of routes stay small.
class Ports {
  public:
    Ports(const Torus& torus, const Settings& settings, const Memories& memories,
          const simgrid::s4u::NetZone* root);

    [[nodiscard]] simgrid::s4u::Host* of(const Link& link) const { return hosts_[index(link)]; }
    /// Where memories count: from where to send what is read `reads` times (1 or 2) from the chip's memory,
    /// by the same links, to be written to the receiver's.
    [[nodiscard]] simgrid::s4u::Host* reader(const Link& link, std::int64_t reads) const {
        return readers_[index(link)].at(static_cast<std::size_t>(reads - 1));
    }
    /// Where synchronizations are flows of their own: what every port of the link's ring can send to at a
    /// byte per picosecond, whatever else is sent.
    [[nodiscard]] simgrid::s4u::Host* clock(const Link& link) const { return clocks_[index(link)]; }
    /// How many links the link's route has: 1, or the rest of the ring where it is dead or missing.
    [[nodiscard]] std::int32_t hops(const Link& link) const;

  private:
    [[nodiscard]] std::size_t index(const Link& link) const {
        return static_cast<std::size_t>(link.chip * torus_.link_slots() +
                                        link_slot(link.axis, link.direction));
    }
    [[nodiscard]] bool carries(const Link& link) const;
    /// Bytes/s of a link, as slow as it is.
    [[nodiscard]] double bandwidth(const Link& link) const;
    void wire_ring(Chip first, Axis axis, const simgrid::s4u::NetZone* root);
    void add_clock(simgrid::s4u::NetZone* ring, const std::vector<Link>& links);
    [[nodiscard]] std::vector<simgrid::s4u::LinkInRoute> route(const Link& link, Chip receiver) const;

    const Torus& torus_;
    const Settings& settings_;
    const Memories& memories_;
    std::vector<simgrid::s4u::Host*> hosts_;                  ///< by chip and link slot
    std::vector<simgrid::s4u::Host*> clocks_;                 ///< the same
    std::vector<std::array<simgrid::s4u::Host*, 2>> readers_; ///< the same
};

} // namespace meshslice::parity
