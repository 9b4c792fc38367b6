#pragma once

#include "core/base/result.h"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// How a fabric joins the chips of a group.
enum class FabricLaw : std::uint8_t {
    switched, ///< every chip has its ports to itself, to any other one
    mesh,     ///< a chip has a link to each of `peers` others, and a smaller group uses fewer of them
    pcie,     ///< two chips meet in one switch; more share what lies between such switches
    network   ///< joins servers, through the NICs that a server has
};

/// What joins chips, at the rate of its data sheet.
struct Fabric {
    std::string name, title;
    FabricLaw law = FabricLaw::switched;
    double line_rate = 0;     ///< bytes/s of one chip, or one NIC, one way
    bool reduces = false;     ///< whether its switches add up an all-reduce
    std::int64_t peers = 0;   ///< of a mesh
    double nics_per_node = 0; ///< of a network
    bool lone_nic = false;    ///< whether a single NIC that sends and receives reaches less than several
    std::string source;

    bool operator==(const Fabric&) const = default;
};

/// A collective as it was measured, or as it is asked for.
struct AchievedAsked {
    std::string operation;           ///< "all_gather", "all_reduce", ..., "moe_dispatch_normal"
    std::string stack;               ///< what ran it: "nccl", "torch", "custom", "deepep"
    const Fabric* inside = nullptr;  ///< within a server
    const Fabric* outside = nullptr; ///< between servers; null: one server
    std::int64_t chips = 2, servers = 1;
    double per_server = 2;
    /// The gathered, scattered, summed or exchanged tensor; of a send-receive and of experts what a chip
    /// sends.
    double bytes = 0;
    double cores = 24;                    ///< that expert kernels may use
    double topk = 8;                      ///< experts of a token
    bool ring = false, in_switch = false; ///< an all-reduce that was made to take a ring, or the switches
    bool network_only = false;            ///< also chips of one server talk over the network
};

/// Whose three constants a prediction needs: a fabric, an operation, and what runs it.
struct AchievedCell {
    std::string fabric, operation, stack;

    auto operator<=>(const AchievedCell&) const = default;
};
/// The cells that an operation may take, of which the fastest counts; of an all-reduce behind switches that
/// add up, a ring and the switches ("all_reduce_in_switch").
[[nodiscard]] std::vector<AchievedCell> achieved_cells(const AchievedAsked& asked);

/// What laws of all fabrics share.
enum class SharedConstant : std::uint8_t {
    gather_base,   ///< a launch takes as long as so many steps: of an all-gather
    scatter_base,  ///< of a reduce-scatter
    reduce_base,   ///< of an all-reduce
    exchange_base, ///< of an all-to-all and of kernels in which each chip writes to every other
    network_base,  ///< of all between servers, in steps of the network
    expert_base,   ///< of dispatch and combine
    gather_copy,   ///< a chip's own part is copied at 1 / so much of the links' rate: of an all-gather
    scatter_copy,
    reduce_copy,
    exchange_copy,
    inner_step,  ///< of a step between servers, a step within one
    tree,        ///< steps of a level of a tree
    pcie_size,   ///< the size dependence of all PCIe fabrics, whose own third constant is `beyond pairs`
    expert_size, ///< that of dispatch and combine; of normal kernels the third constant is for cores
    lone_nic,    ///< share that the only NIC of a server reaches
    peer_rate    ///< bytes/s that a chip can send to one other, by the cores that an exchange gives to it
};
inline constexpr std::size_t shared_constants = static_cast<std::size_t>(SharedConstant::peer_rate) + 1;
[[nodiscard]] std::string_view name(SharedConstant constant);
/// Where a fit begins, and to what it is drawn.
[[nodiscard]] double first_guess(SharedConstant constant);

/// Logarithms of the three constants of a cell: the latency of its floor in seconds, bytes/s that a chip's
/// links reach, and the size dependence.
using CellLogs = std::array<double, 3>;
/// Logarithms of those that are shared.
using SharedLogs = std::array<double, shared_constants>;

/// The logarithm of the seconds of one cell.
///
///     time^p = (latency x steps)^p + (bytes over a chip's links / rate)^p
///
/// where steps and bytes are those of the algorithm: rings pass (n - 1) / n of the bytes in n - 1 steps, an
/// all-reduce twice; switches that add up get all of it once, and send 1 / n of it back; an all-to-all sends
/// (n - 1) / n at once; each copies its own part. Between servers a ring is as fast as the NICs of a server
/// together, and an all-reduce takes the shorter of ring and tree. Dispatch and combine send what leaves a
/// server over the network and the rest within. p below 1, the size dependence, makes the middle sizes slower
/// than either bound: pipelines fill, and libraries change their protocol.
/// `inside` are the constants within a server, of dispatch and combine that leave it.
[[nodiscard]] double log_seconds(const AchievedAsked& asked, const AchievedCell& cell,
                                 const SharedLogs& shared, const CellLogs& logs, const CellLogs* inside);

/// The kinds of cells, by what their third constant says.
enum class CellKind : std::uint8_t { size, beyond_pairs, cores, experts };
[[nodiscard]] CellKind kind(const AchievedCell& cell, FabricLaw law);

/// All constants, as effects that add up in logarithms: a cell without rows has those of its fabric,
/// operation and stack, and a fabric without rows its line rate.
struct AchievedConstants {
    SharedLogs shared{};
    std::map<std::string, CellLogs> fabrics, operations, stacks;
    std::map<AchievedCell, CellLogs> cells;

    /// Of a cell on a fabric.
    [[nodiscard]] CellLogs of(const AchievedCell& cell, const Fabric& fabric) const;
    [[nodiscard]] double seconds(const AchievedAsked& asked) const;
    bool operator==(const AchievedConstants&) const = default;
};
/// The same before anything was measured.
[[nodiscard]] AchievedConstants unmeasured_constants();
/// Where the constants of a cell begin, without effects.
[[nodiscard]] CellLogs cell_begin(const AchievedCell& cell, const Fabric& fabric);

} // namespace meshslice
