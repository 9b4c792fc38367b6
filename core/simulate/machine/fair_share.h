#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace meshslice {

/// Resources, links or memories, that several flows use at once, and the rates at which they do: max-min
/// fair. No flow can get more without one that has no more getting less (progressive filling; Bertsekas and
/// Gallager, Data Networks, 6.5.2). Rates change only when a flow starts or ends; between those times every
/// flow advances evenly.
class FairShare {
  public:
    static constexpr double unheld = std::numeric_limits<double>::infinity();

    /// `capacities`: units/s of every resource.
    explicit FairShare(std::vector<double> capacities)
        : capacities_(std::move(capacities))
        , users_(capacities_.size())
        , dirty_(capacities_.size())
        , level_(capacities_.size(), unheld)
        , room_of_(capacities_.size(), none) {}

    /// What a flow takes of a resource: so many units for each of its own, which are bytes, say.
    struct Use {
        std::uint32_t resource;
        double weight = 1;
    };
    /// A flow whose rate has changed, and when it ends from here on, if nothing changes.
    struct Completion {
        std::uint32_t flow; ///< the caller's name for it
        Time at;
        double rate; ///< units/s
    };

    /// A flow of `amount` units begins; it takes no more than `most` units/s, however much there is. It
    /// names each resource once, and one at least if nothing else holds it.
    void start(Time now, std::uint32_t flow, std::vector<Use> uses, double amount, double most = unheld);
    /// The flow has ended; others may go faster.
    void end(std::uint32_t flow);
    /// Shares again what has changed hands since the last call, of all that happened at `now`.
    const std::vector<Completion>& settle(Time now);

  private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    struct Flow {
        std::uint32_t name = 0;
        std::vector<Use> uses;
        double left = 0; ///< units, at `since`
        double most = 0; ///< units/s
        double rate = 0;
        Time since;
        bool seen = false; ///< among those whose rates are found again
        double again = 0;  ///< that rate
        double held = 0;   ///< units/s, by `most` and by resources that are not shared out again
    };

    void touch(const Flow& flow);
    void add_room(std::uint32_t resource);
    void add_flows(std::size_t first);
    bool add_who_feels_it();
    void fill();

    std::vector<double> capacities_;
    std::vector<std::vector<std::uint32_t>> users_; ///< by resource: flows, by place
    std::vector<Flow> flows_;                       ///< by place; those that ended are used again
    std::vector<std::uint32_t> free_;               ///< places
    std::vector<std::uint32_t> place_of_;           ///< by name
    std::vector<bool> dirty_;                       ///< by resource
    std::vector<double> level_; ///< by resource: the rate that it allows, infinite where it is not full
    std::vector<std::uint32_t> changed_; ///< resources that flows began or ceased to use
    std::vector<std::uint32_t> unused_;  ///< places of flows that began without any resource

    // While rates are found again:
    struct Room {
        std::uint32_t resource;
        double left = 0;       ///< units/s
        double weight = 0;     ///< of the flows that still want more
        double level = unheld; ///< the rate at which it is full
    };
    std::vector<Room> rooms_;
    std::vector<std::uint32_t> room_of_;  ///< by resource
    std::vector<std::uint32_t> affected_; ///< flows, by place
    std::vector<Completion> completions_;
};

} // namespace meshslice
