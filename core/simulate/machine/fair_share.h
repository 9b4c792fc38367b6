#pragma once

#include "core/base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace meshslice {

/// Resources, links or memories, that several flows use at once, and the rates at which they do: max-min
/// fair. No flow can get more without taking from one that has no more than it (progressive filling;
/// Bertsekas and Gallager, Data Networks, 6.5.2). Rates change only when a flow starts or ends; between those
/// times every flow advances evenly.
class FairShare {
  public:
    static constexpr double unheld = std::numeric_limits<double>::infinity();

    /// `capacities`: units/s of every resource.
    explicit FairShare(std::vector<double> capacities)
        : capacities_(std::move(capacities))
        , users_(capacities_.size())
        , dirty_(capacities_.size())
        , room_of_(capacities_.size(), none) {}

    /// What a flow takes of a resource: this many units for each unit of its own (a byte, say).
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

    /// A flow of `amount` units begins; it takes at most `most` units/s, however much there is. It names each
    /// resource once, and at least one resource if `most` is unlimited.
    void start(Time now, std::uint32_t flow, std::vector<Use> uses, double amount, double most = unheld);
    /// The flow has ended; others may go faster.
    void end(Time now, std::uint32_t flow);
    /// Shares again what has begun or ended since the last call, all of it at `now`.
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
    };

    void touch(const Flow& flow);
    void find_affected();
    void fill();

    std::vector<double> capacities_;
    std::vector<std::vector<std::uint32_t>> users_; ///< by resource: flows, by place
    std::vector<Flow> flows_;                       ///< by place; those that ended are used again
    std::vector<std::uint32_t> free_;               ///< places
    std::vector<std::uint32_t> place_of_;           ///< by name
    std::vector<bool> dirty_;                       ///< by resource
    std::vector<std::uint32_t> changed_;            ///< resources that flows began or ceased to use
    std::vector<std::uint32_t> unused_;             ///< places of flows that began without any resource

    // Used while rates are found again:
    struct Room {
        std::uint32_t resource;
        double left;   ///< units/s
        double weight; ///< of the flows that still want more
    };
    std::vector<Room> rooms_;
    std::vector<std::uint32_t> room_of_;  ///< by resource
    std::vector<std::uint32_t> affected_; ///< flows, by place
    std::vector<Completion> completions_;
};

} // namespace meshslice
