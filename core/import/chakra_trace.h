#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"
#include "core/import/device_trace.h"

#include <array>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Execution traces of MLCommons Chakra, which ASTRA-sim reads: what one rank computes and communicates, as a
/// graph (Sridharan et al., arXiv 2305.14516). A file is protobuf: a message of the whole, then one for each
/// node, each behind its length (github.com/mlcommons/chakra, schema/protobuf/et_def.proto).

/// What a node is, by the numbers of the schema.
enum class ChakraKind : std::uint8_t {
    invalid,
    metadata,
    load,
    store,
    compute,
    send,
    receive,
    collective,
    storage,
    batch,
    checkpoint
};
inline constexpr std::size_t chakra_kind_count = 11;
[[nodiscard]] std::string_view name(ChakraKind kind); ///< "COMP_NODE"
/// What a collective is, by the numbers of the schema.
enum class ChakraCollective : std::uint8_t {
    all_reduce,
    reduce,
    all_gather,
    gather,
    scatter,
    broadcast,
    all_to_all,
    reduce_scatter,
    reduce_scatter_block,
    barrier
};
inline constexpr std::size_t chakra_collective_count = 10;
[[nodiscard]] std::string_view name(ChakraCollective collective); ///< "all-reduce"

struct ChakraNode {
    std::uint64_t id = 0;
    std::string name;
    ChakraKind kind = ChakraKind::invalid;
    std::vector<std::uint64_t> after; ///< nodes that it waits for, of either kind of dependency
    std::uint64_t start_us = 0, duration_us = 0;
    // Attributes; 0 where a node has none:
    std::uint64_t flop = 0;         ///< num_ops
    std::uint64_t memory_bytes = 0; ///< tensor_size
    ChakraCollective collective = ChakraCollective::all_reduce;
    /// comm_size, as ASTRA-sim counts: what a rank has before the collective begins.
    std::uint64_t sent_bytes = 0;
    std::uint32_t from = 0, to = 0, tag = 0; ///< of a send or a receive: ranks
    std::string group;                       ///< pg_name: a key of the file of groups; empty: all ranks
    bool of_host = false;

    [[nodiscard]] bool communicates() const {
        return kind == ChakraKind::send || kind == ChakraKind::receive || kind == ChakraKind::collective;
    }
    bool operator==(const ChakraNode&) const = default;
};
struct ChakraTrace {
    std::string version;
    std::vector<ChakraNode> nodes;
    bool predicted = false; ///< this program wrote it, of a plan

    /// Whether a node says how long it takes.
    [[nodiscard]] bool has_times() const;
    bool operator==(const ChakraTrace&) const = default;
};

/// Whether a file begins as an execution trace does.
[[nodiscard]] bool is_chakra(std::string_view first_bytes);
/// Members that are not known are passed over. Refuses what is cut or is not such a file, with the place; a
/// node that is there twice, one that waits for a node that is not there, and nodes that wait for each other.
[[nodiscard]] Result<ChakraTrace> read_chakra(std::istream& stream, const std::string& origin,
                                              const RunControl& control = {});
/// The same of a file, which may be compressed with gzip.
[[nodiscard]] Result<ChakraTrace> read_chakra_file(const std::string& path, const RunControl& control = {});

/// The nodes that take time, as a device ran them: where no node says when it starts, each begins when all
/// that it waits for is over and its part of the device is free, which computes, and communicates, one thing
/// at a time. Refuses a trace without times.
[[nodiscard]] Result<DeviceTrace> device_trace_of(const ChakraTrace& trace, const std::string& origin);

/// The nodes of one kind together.
struct ChakraSum {
    ChakraKind kind = ChakraKind::invalid;
    ChakraCollective collective = ChakraCollective::all_reduce;
    std::string group;
    std::uint64_t count = 0;
    double flop = 0, memory_bytes = 0, sent_bytes = 0, seconds = 0;
};
/// By kind, collective and group, in the order in which they come up.
[[nodiscard]] std::vector<ChakraSum> sums_of(const ChakraTrace& trace);

} // namespace meshslice
