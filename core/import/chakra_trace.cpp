#include "core/import/chakra_trace.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/import/gzip_file.h"
#include "core/run/trace_notes.h"

#include <queue>

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace meshslice {
namespace {

constexpr std::uint64_t most_message_bytes = 1u << 26;
constexpr std::size_t most_chakra_nodes = 50'000'000;
/// Of nodes, what they wait for, and words: a compressed file of a few MB can hold any number.
constexpr std::size_t most_chakra_bytes = std::size_t{8} << 30U;

std::size_t kept_bytes(const ChakraNode& node) {
    constexpr std::size_t of_order = 64; // of a node where it is placed
    return sizeof node + of_order + node.after.size() * 2 * sizeof(std::uint64_t) + node.name.size() +
           node.group.size();
}

/// A member of a protobuf message: a number, or bytes.
struct WireMember {
    std::uint64_t number = 0; ///< of the member
    unsigned wire = 0;        ///< how it is written: 2 as bytes behind their length
    std::uint64_t value = 0;
    std::string_view bytes;
};

/// The members of one message, one after the other.
class WireMessage {
  public:
    explicit WireMessage(std::string_view bytes) : left_(bytes) {}

    /// None at the end, and where the message is broken.
    std::optional<WireMember> next() {
        if (left_.empty()) {
            return std::nullopt;
        }
        const std::uint64_t key = varint();
        WireMember made{key >> 3U, static_cast<unsigned>(key & 7U), 0, {}};
        switch (key & 7U) {
        case 0: made.value = varint(); break;
        case 1: made.value = fixed(8); break;
        case 2: made.bytes = taken(varint()); break;
        case 5: made.value = fixed(4); break;
        default: broken_ = true;
        }
        broken_ = broken_ || made.number == 0;
        return broken_ ? std::nullopt : std::optional(made);
    }
    /// One number of a packed list.
    std::optional<std::uint64_t> next_number() {
        if (left_.empty()) {
            return std::nullopt;
        }
        const std::uint64_t value = varint();
        return broken_ ? std::nullopt : std::optional(value);
    }
    [[nodiscard]] bool broken() const { return broken_; }

  private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !left_.empty(); shift += 7) {
            const auto byte = static_cast<unsigned char>(left_.front());
            left_.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80U) {
                return value;
            }
        }
        broken_ = true;
        return 0;
    }
    std::uint64_t fixed(std::size_t size) {
        std::uint64_t value = 0;
        const std::string_view its = taken(size);
        for (std::size_t k = its.size(); k-- > 0;) {
            value = (value << 8U) | static_cast<unsigned char>(its[k]);
        }
        return value;
    }
    std::string_view taken(std::uint64_t size) {
        if (size > left_.size()) {
            broken_ = true;
            left_ = {};
            return {};
        }
        const std::string_view its = left_.substr(0, size);
        left_.remove_prefix(size);
        return its;
    }

    std::string_view left_;
    bool broken_ = false;
};

std::uint64_t from_zigzag(std::uint64_t value) {
    return (value >> 1U) ^ (~(value & 1U) + 1);
}

/// NaN and what is below 0 count as 0.
std::uint64_t whole_of(double value) {
    return value > 0 ? static_cast<std::uint64_t>(std::min(value, 0x1p63)) : 0;
}

/// A number of an attribute: each type that one may have is a member of its own.
std::optional<std::uint64_t> attribute_number(const WireMember& member) {
    switch (member.number) {
    case 3: return whole_of(std::bit_cast<double>(member.value));
    case 5: return whole_of(std::bit_cast<float>(static_cast<std::uint32_t>(member.value)));
    case 7:
    case 9:
    case 11:
    case 13:
    case 19:
    case 21:
    case 23:
    case 25:
    case 27: return member.value;
    case 15:
    case 17: return from_zigzag(member.value);
    default: return std::nullopt;
    }
}

/// Takes a node's attribute; whether it is sound.
bool take_attribute(std::string_view bytes, ChakraNode& node) {
    WireMessage message(bytes);
    std::string_view name, text;
    std::uint64_t number = 0;
    while (const std::optional<WireMember> member = message.next()) {
        if (member->number == 1) {
            name = member->bytes;
        } else if (member->number == 29) {
            text = member->bytes;
        } else if (const auto value = attribute_number(*member)) {
            number = *value;
        }
    }
    if (name == "num_ops") {
        node.flop = number;
    } else if (name == "tensor_size") {
        node.memory_bytes = number;
    } else if (name == "comm_type") {
        node.collective = static_cast<ChakraCollective>(std::min<std::uint64_t>(number, 255));
    } else if (name == "comm_size") {
        node.sent_bytes = number;
    } else if (name == "comm_src") {
        node.from = static_cast<std::uint32_t>(number);
    } else if (name == "comm_dst") {
        node.to = static_cast<std::uint32_t>(number);
    } else if (name == "comm_tag") {
        node.tag = static_cast<std::uint32_t>(number);
    } else if (name == "pg_name") {
        node.group = text.empty() ? std::string() : std::string(text.substr(0, 200));
    } else if (name == "is_cpu_op") {
        node.of_host = number != 0;
    }
    return !message.broken();
}

/// A node's dependencies, one by one or packed.
bool take_dependencies(const WireMember& member, bool packed, ChakraNode& node) {
    if (!packed) {
        node.after.push_back(member.value);
        return true;
    }
    WireMessage list(member.bytes);
    while (const std::optional<std::uint64_t> one = list.next_number()) {
        node.after.push_back(*one);
    }
    return !list.broken();
}

/// None where the message is broken, or the node is of no kind that is known.
std::optional<ChakraNode> chakra_node_of(std::string_view bytes) {
    WireMessage message(bytes);
    ChakraNode node;
    bool sound = true;
    while (const std::optional<WireMember> member = message.next()) {
        switch (member->number) {
        case 1: node.id = member->value; break;
        case 2: node.name = std::string(member->bytes.substr(0, 4096)); break;
        case 3:
            sound = sound && member->value < chakra_kind_count;
            node.kind =
                static_cast<ChakraKind>(std::min<std::uint64_t>(member->value, chakra_kind_count - 1));
            break;
        case 4:
        case 5: sound = take_dependencies(*member, member->wire == 2, node) && sound; break;
        case 6: node.start_us = member->value; break;
        case 7: node.duration_us = member->value; break;
        case 10: sound = take_attribute(member->bytes, node) && sound; break;
        default: break;
        }
    }
    const bool known = node.kind != ChakraKind::collective ||
                       static_cast<std::size_t>(node.collective) < chakra_collective_count;
    return sound && known && !message.broken() ? std::optional(std::move(node)) : std::nullopt;
}

/// Reads messages behind their lengths; says how many bytes it has read.
class MessageStream {
  public:
    explicit MessageStream(std::istream& stream) : stream_(stream) {}

    /// The next message; none at the end, and where the stream is broken.
    std::optional<std::string_view> next() {
        std::uint64_t size = 0;
        for (unsigned shift = 0;; shift += 7) {
            const int byte = stream_.get();
            if (byte == std::istream::traits_type::eof()) {
                broken_ = shift > 0;
                return std::nullopt;
            }
            ++at_;
            size |= std::uint64_t{static_cast<unsigned>(byte) & 0x7fU} << shift;
            if (byte < 0x80) {
                break;
            }
            if (shift >= 28) {
                broken_ = true;
                return std::nullopt;
            }
        }
        if (size > most_message_bytes) {
            broken_ = true;
            return std::nullopt;
        }
        buffer_.clear();
        constexpr std::size_t piece = 1u << 16; // a length that is wrong takes no more memory than there is
        while (buffer_.size() < size) {
            const std::size_t had = buffer_.size();
            buffer_.resize(had + std::min<std::size_t>(piece, size - had));
            stream_.read(buffer_.data() + had, static_cast<std::streamsize>(buffer_.size() - had));
            if (static_cast<std::size_t>(stream_.gcount()) < buffer_.size() - had) {
                broken_ = true;
                return std::nullopt;
            }
        }
        at_ += size;
        return std::string_view(buffer_);
    }
    [[nodiscard]] bool broken() const { return broken_; }
    [[nodiscard]] std::uint64_t at() const { return at_; }

  private:
    std::istream& stream_;
    std::string buffer_;
    std::uint64_t at_ = 0;
    bool broken_ = false;
};

bool printable_version(std::string_view version) {
    return version.size() < 64 && std::ranges::all_of(version, [](char c) { return c > ' ' && c < 0x7f; });
}

/// Whether an attribute of the whole is a text of this program: its name, and what it wrote.
bool says(std::string_view attribute, std::string_view name, std::string_view words) {
    WireMessage message(attribute);
    bool named = false, worded = false;
    while (const std::optional<WireMember> member = message.next()) {
        named = named || (member->number == 1 && member->bytes == name);
        worded = worded || (member->number == 29 && member->bytes == words);
    }
    return named && worded;
}

/// The message of the whole; none where it is broken.
std::optional<ChakraTrace> chakra_whole(std::string_view bytes) {
    WireMessage message(bytes);
    ChakraTrace made;
    while (const std::optional<WireMember> member = message.next()) {
        if (member->number == 1) {
            made.version = std::string(member->bytes);
        } else if (member->number == 2) {
            made.predicted = made.predicted || says(member->bytes, trace_notes::writer, trace_notes::program);
        } else {
            return std::nullopt;
        }
    }
    return message.broken() || !printable_version(made.version) ? std::nullopt : std::optional(made);
}

/// Where each node stands, by its number; refuses one that is there twice.
Result<std::unordered_map<std::uint64_t, std::uint32_t>> places_of(const ChakraTrace& trace,
                                                                   const std::string& origin) {
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    places.reserve(trace.nodes.size());
    for (std::size_t k = 0; k < trace.nodes.size(); ++k) {
        if (!places.emplace(trace.nodes[k].id, static_cast<std::uint32_t>(k)).second) {
            return refuse(say("{} has node {} twice.", origin, trace.nodes[k].id));
        }
    }
    return places;
}

/// The nodes by what they wait for.
struct ChakraOrder {
    std::vector<std::uint32_t> waits;               ///< of each node, for how many
    std::vector<std::vector<std::uint32_t>> before; ///< of each node, those that wait for it
};
Result<ChakraOrder> chakra_order(const ChakraTrace& trace, const std::string& origin) {
    const auto places = places_of(trace, origin);
    if (!places) {
        return refuse(places.error());
    }
    ChakraOrder order{std::vector<std::uint32_t>(trace.nodes.size()), {}};
    order.before.resize(trace.nodes.size());
    for (std::size_t k = 0; k < trace.nodes.size(); ++k) {
        for (const std::uint64_t id : trace.nodes[k].after) {
            const auto other = places->find(id);
            if (other == places->end()) {
                return refuse(
                    say("{}: node {} waits for node {}, which is not there.", origin, trace.nodes[k].id, id));
            }
            order.before[other->second].push_back(static_cast<std::uint32_t>(k));
            ++order.waits[k];
        }
    }
    return order;
}

/// When each node ends where it begins as soon as it can; fewer ends than nodes where some wait for each
/// other.
struct ChakraPlaced {
    std::vector<std::uint64_t> starts; ///< us
    std::size_t placed = 0;
};
ChakraPlaced placed_by_dependencies(const ChakraTrace& trace, ChakraOrder order) {
    using Ready = std::pair<std::uint64_t, std::uint32_t>; // when, which
    std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
    std::vector<std::uint64_t> from(trace.nodes.size());
    for (std::size_t k = 0; k < trace.nodes.size(); ++k) {
        if (order.waits[k] == 0) {
            ready.emplace(0, static_cast<std::uint32_t>(k));
        }
    }
    ChakraPlaced made{std::vector<std::uint64_t>(trace.nodes.size()), 0};
    std::array<std::uint64_t, 3> free{}; // the host has a part of its own
    for (; !ready.empty(); ++made.placed) {
        const auto [when, k] = ready.top();
        ready.pop();
        const ChakraNode& node = trace.nodes[k];
        std::uint64_t& part = free[node.of_host ? 2 : node.communicates() ? 1 : 0];
        const std::uint64_t start = node.duration_us > 0 ? std::max(when, part) : when;
        // Far above what a trace may last, and far below where sums wrap.
        const std::uint64_t end = std::min<std::uint64_t>(
            start + std::min<std::uint64_t>(node.duration_us, 1ULL << 40U), 1ULL << 62U);
        part = node.duration_us > 0 ? end : part;
        made.starts[k] = start;
        for (const std::uint32_t next : order.before[k]) {
            from[next] = std::max(from[next], end);
            if (--order.waits[next] == 0) {
                ready.emplace(from[next], next);
            }
        }
    }
    return made;
}

DeviceWork work_of_node(const ChakraNode& node) {
    const bool memory = node.kind == ChakraKind::load || node.kind == ChakraKind::store;
    return node.communicates() ? DeviceWork::communication : memory ? DeviceWork::copy : work_of(node.name);
}

std::string kernel_name(const ChakraNode& node) {
    return !node.name.empty()                    ? node.name
           : node.kind == ChakraKind::collective ? std::string(name(node.collective))
                                                 : std::string(name(node.kind));
}

} // namespace

std::string_view name(ChakraKind kind) {
    static constexpr std::array<std::string_view, chakra_kind_count> names = {
        "INVALID_NODE", "METADATA_NODE",  "MEM_LOAD_NODE",  "MEM_STORE_NODE",
        "COMP_NODE",    "COMM_SEND_NODE", "COMM_RECV_NODE", "COMM_COLL_NODE",
        "STORAGE_NODE", "BATCH_NODE",     "CHECKPOINT_NODE"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view name(ChakraCollective collective) {
    static constexpr std::array<std::string_view, chakra_collective_count> names = {
        "all-reduce", "reduce",         "all-gather",           "gather", "scatter", "broadcast",
        "all-to-all", "reduce-scatter", "reduce-scatter-block", "barrier"};
    return names[static_cast<std::size_t>(collective)];
}

bool ChakraTrace::has_times() const {
    return std::ranges::any_of(nodes, [](const ChakraNode& node) { return node.duration_us > 0; });
}

bool is_chakra(std::string_view first_bytes) {
    // A version, behind a length of one byte; or no version, and a node with its number.
    if (first_bytes.size() < 4) {
        return false;
    }
    const auto at = [&](std::size_t k) { return static_cast<unsigned char>(first_bytes[k]); };
    if (at(0) == 0) {
        return at(2) == 0x08 || at(2) == 0x12; // node 0 begins with its name
    }
    const std::size_t version = at(2);
    return at(0) < 0x80 && at(1) == 0x0a && version + 2 <= at(0) && first_bytes.size() >= version + 3 &&
           printable_version(first_bytes.substr(3, version));
}

Result<ChakraTrace> read_chakra(std::istream& stream, const std::string& origin, const RunControl& control) {
    MessageStream messages(stream);
    const auto first = messages.next();
    auto whole = first ? chakra_whole(*first) : std::nullopt;
    if (!whole) {
        return refuse(say("{} does not begin as an execution trace of Chakra does.", origin));
    }
    ChakraTrace trace = *std::move(whole);
    std::uint64_t at = messages.at();
    std::size_t kept = 0;
    while (const auto message = messages.next()) {
        std::optional<ChakraNode> node = chakra_node_of(*message);
        if (!node) {
            return refuse(say("{} is broken at byte {}; expected a node of an execution trace.", origin, at));
        }
        kept += kept_bytes(*node);
        trace.nodes.push_back(*std::move(node));
        at = messages.at();
        constexpr std::size_t asked_every = 1024;
        if (trace.nodes.size() % asked_every == 0 && control.stop.stop_requested()) {
            return cancelled();
        }
        if (trace.nodes.size() > most_chakra_nodes) {
            return refuse(say("{} has more than {} nodes.", origin, most_chakra_nodes));
        }
        if (kept > most_chakra_bytes) {
            return refuse(say("{} takes more than {} of memory.", origin,
                              bytes_text(static_cast<double>(most_chakra_bytes))));
        }
    }
    if (messages.broken()) {
        return refuse(say("{} is broken at byte {}; expected a node of an execution trace.", origin, at));
    }
    if (trace.nodes.empty()) {
        return refuse(say("{} has no node.", origin));
    }
    return chakra_order(trace, origin).and_then([&](ChakraOrder order) -> Result<ChakraTrace> {
        if (placed_by_dependencies(trace, std::move(order)).placed < trace.nodes.size()) {
            return refuse(say("{}: nodes wait for each other in a circle.", origin));
        }
        return std::move(trace);
    });
}

Result<ChakraTrace> read_chakra_file(const std::string& path, const RunControl& control) {
    return read_through_gzip(path, control, [&](std::istream& stream) -> Result<ChakraTrace> {
        return read_chakra(stream, path, control);
    });
}

Result<DeviceTrace> device_trace_of(const ChakraTrace& trace, const std::string& origin) {
    if (!trace.has_times()) {
        return refuse(say("No node of {} has a time; only what they compute and send is known.", origin));
    }
    const bool timed =
        std::ranges::any_of(trace.nodes, [](const ChakraNode& node) { return node.start_us > 0; });
    std::vector<std::uint64_t> starts;
    if (timed) {
        std::ranges::transform(trace.nodes, std::back_inserter(starts), &ChakraNode::start_us);
    } else {
        Result<ChakraOrder> order = chakra_order(trace, origin);
        if (!order) {
            return refuse(order.error());
        }
        starts = placed_by_dependencies(trace, *std::move(order)).starts;
    }
    DeviceTrace made;
    made.writer = trace.predicted ? TraceWriter::meshslice : TraceWriter::chakra;
    made.predicted = trace.predicted;
    std::unordered_map<std::string, std::uint32_t> kernels;
    std::array<DeviceLane, 2> lanes = {DeviceLane{"0", "compute", {}}, DeviceLane{"0", "communication", {}}};
    std::optional<std::uint64_t> begin;
    for (std::size_t k = 0; k < trace.nodes.size(); ++k) {
        if (trace.nodes[k].duration_us > 0 && !trace.nodes[k].of_host) {
            begin = std::min(begin.value_or(starts[k]), starts[k]);
        }
    }
    constexpr double us = 1e-6;
    for (std::size_t k = 0; k < trace.nodes.size(); ++k) {
        const ChakraNode& node = trace.nodes[k];
        if (node.duration_us == 0 || node.of_host) {
            continue;
        }
        const auto [kernel, added] =
            kernels.emplace(kernel_name(node), static_cast<std::uint32_t>(made.kernels.size()));
        if (added) {
            made.kernels.push_back({kernel->first, work_of_node(node), 0, 0});
        }
        DeviceKernel& its = made.kernels[kernel->second];
        its.flops += static_cast<double>(node.flop);
        its.bytes += static_cast<double>(node.memory_bytes);
        const auto start = static_cast<double>(starts[k] - *begin);
        const double end = start + static_cast<double>(node.duration_us);
        constexpr double most_us = 4e12; // half of what 64 bits of picoseconds hold
        if (end > most_us) {
            return refuse(say("{}: node {} ends {} after the first one begins.", origin, node.id,
                              fmt::format("{:.3g} s", end * us)));
        }
        lanes[node.communicates() ? 1 : 0].events.push_back(
            {seconds(start * us), seconds(end * us), kernel->second});
        made.end = std::max(made.end, seconds(end * us));
    }
    for (DeviceLane& lane : lanes) {
        if (!lane.events.empty()) {
            std::ranges::stable_sort(lane.events, {}, &DeviceEvent::start);
            made.lanes.push_back(std::move(lane));
        }
    }
    return made.lanes.empty() ? Result<DeviceTrace>(refuse(say("{} has no event of a device.", origin)))
                              : Result<DeviceTrace>(std::move(made));
}

std::vector<ChakraSum> sums_of(const ChakraTrace& trace) {
    std::vector<ChakraSum> sums;
    std::map<std::tuple<ChakraKind, ChakraCollective, std::string_view>, std::size_t> places;
    for (const ChakraNode& node : trace.nodes) {
        const bool coll = node.kind == ChakraKind::collective;
        const ChakraCollective collective = coll ? node.collective : ChakraCollective::all_reduce;
        const std::string_view group = coll ? std::string_view(node.group) : std::string_view();
        const auto [place, added] = places.try_emplace({node.kind, collective, group}, sums.size());
        if (added) {
            sums.push_back({node.kind, node.collective, std::string(group)});
        }
        ChakraSum* const its = &sums[place->second];
        ++its->count;
        its->flop += static_cast<double>(node.flop);
        its->memory_bytes += static_cast<double>(node.memory_bytes);
        its->sent_bytes += static_cast<double>(node.sent_bytes);
        its->seconds += static_cast<double>(node.duration_us) * 1e-6;
    }
    return sums;
}

} // namespace meshslice
