#pragma once

#include "core/base/result.h"
#include "core/machine/collective.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace meshslice {

/// A collective that all chips of a cluster take part in, each group for itself. A group has every
/// `stride`-th chip: of 16 chips in groups of 4, 0 1 2 3 with a stride of 1 and 0 4 8 12 with one of 4.
struct ClusterExchange {
    Collective what = Collective::all_reduce;
    double bytes = 0; ///< of the whole tensor of a group; of a send-receive what a chip sends
    std::int64_t group = 2;
    std::int64_t stride = 1;

    [[nodiscard]] std::int64_t chip(std::int64_t group_number, std::int64_t member) const {
        return group_number / stride * stride * group + group_number % stride + member * stride;
    }
    bool operator==(const ClusterExchange&) const = default;
};

/// Bytes that go from one chip to another once other flows have ended.
struct ClusterFlow {
    std::int32_t from = 0, to = 0;
    std::int32_t exchange = 0; ///< the exchange that it belongs to
    std::int32_t step = 0;     ///< of its ring
    double bytes = 0;
    std::vector<std::uint32_t> after; ///< by their places in the list, all before this one
};

/// More flows are not simulated.
inline constexpr std::size_t most_cluster_flows = 200'000;

/// The flows of exchanges that all begin at the same time. Rings pass through the domains of `domain` chips
/// one after the other. Where a group has m chips in each of several domains there are m rings, each with its
/// part of the tensor: ring c enters a domain at the group's chip c there and leaves it from the chip before
/// that one, so that every chip's port to the network around is used. In a step each chip sends a chunk to
/// the next one; a step begins at a chip when its own last one has been sent and the chunk has arrived. An
/// all-reduce is a reduce-scatter and an all-gather. What is broadcast or reduced goes along the rings in
/// pieces, as many as the group has chips. Of an all-to-all each chip sends all of its own at once.
///
/// Refuses chips that the groups do not divide, and more flows than are simulated.
[[nodiscard]] Result<std::vector<ClusterFlow>> cluster_flows(const std::vector<ClusterExchange>& exchanges,
                                                             std::int64_t chips, std::int64_t domain);

/// How many chips of a group are in each domain; 1 where that differs from domain to domain.
[[nodiscard]] std::int64_t members_in_domain(const ClusterExchange& exchange, std::int64_t domain);

} // namespace meshslice
