#include "tests/parity/simgrid_memory.h"

#include <string>
#include <utility>

namespace meshslice::parity {

namespace s4u = simgrid::s4u;

Memories::Memories(Chip chips, Bandwidth bandwidth, s4u::NetZone* root, std::string name)
    : name_(std::move(name)) {
    for (Chip chip = 0; chip < chips; ++chip) {
        // A zone each, so that the tables of routes stay small.
        const std::string of_chip = " of " + std::to_string(chip);
        s4u::NetZone* zone = s4u::create_full_zone("zone of the " + name_ + of_chip);
        zone->set_parent(root);
        const Ends ends{zone->create_host("who uses the " + name_ + of_chip, 1.0),
                        zone->create_host(name_ + of_chip, 1.0)};
        const s4u::Link* hbm =
            zone->create_link("bandwidth of the " + name_ + of_chip, bandwidth.value())->seal();
        zone->add_route(ends.who->get_netpoint(), ends.memory->get_netpoint(), nullptr, nullptr,
                        {s4u::LinkInRoute(hbm)}, false);
        zone->seal();
        ends_.push_back(ends);
        links_.push_back(hbm);
    }
}

s4u::ActorPtr Memories::move(Chip chip, Bytes bytes, double most) const {
    // Only what goes through a mailbox can be held to a rate, and it goes from actor to actor.
    const Ends& ends = ends_[static_cast<std::size_t>(chip)];
    s4u::Mailbox* mailbox = s4u::Mailbox::by_name(name_ + " flow " + std::to_string(flows_++));
    s4u::Actor::create("in memory", ends.memory, [mailbox] {
        char* nothing = nullptr;
        mailbox->get_async<char>(&nothing)->wait();
    });
    return s4u::Actor::create("user of memory", ends.who, [mailbox, bytes, most] {
        char nothing = 0; // SimGrid carries no data, but wants an address.
        mailbox->put_init(&nothing, static_cast<std::uint64_t>(bytes.value()))->set_rate(most)->wait();
    });
}

} // namespace meshslice::parity
