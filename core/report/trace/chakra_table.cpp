#include "core/report/trace/chakra_table.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

std::string kind_of_nodes(const ChakraSum& one) {
    return std::string(one.kind == ChakraKind::collective ? name(one.collective) : name(one.kind));
}

} // namespace

Table chakra_table(std::span<const ChakraSum> sums, Tree& values) {
    Table table{
        said("Nodes"), {"node", "group", "count", "flop", "memory_bytes", "sent_bytes", "time_s"}, {}};
    for (const ChakraSum& one : sums) {
        const auto count = static_cast<std::int64_t>(one.count);
        table.rows.push_back(
            {kind_of_nodes(one), one.group, count, one.flop, one.memory_bytes, one.sent_bytes, one.seconds});
        values.push_back({{"node", kind_of_nodes(one)},
                          {"group", one.group},
                          {"count", count},
                          {"flop", one.flop},
                          {"memory_bytes", one.memory_bytes},
                          {"sent_bytes", one.sent_bytes},
                          {"time_s", one.seconds}});
    }
    return table;
}

std::vector<std::string> chakra_bytes(std::span<const ChakraSum> sums) {
    std::vector<std::pair<std::string, double>> operations;
    for (const ChakraSum& one : sums) {
        if (one.sent_bytes > 0) {
            const std::string what = one.kind == ChakraKind::send      ? said("send")
                                     : one.kind == ChakraKind::receive ? said("receive")
                                                                       : std::string(name(one.collective));
            const auto found = std::ranges::find(operations, what, &std::pair<std::string, double>::first);
            if (found == operations.end()) {
                operations.emplace_back(what, one.sent_bytes);
            } else {
                found->second += one.sent_bytes;
            }
        }
    }
    std::vector<std::string> words;
    for (const auto& [what, bytes] : operations) {
        words.push_back(fmt::format("{} {}", what, bytes_text(bytes)));
    }
    return words;
}

Paragraph chakra_lines(std::span<const ChakraSum> sums) {
    Paragraph lines{
        {}, {{say("node"), say("group"), say("count"), "FLOP", say("bytes"), say("time")}}, 2, false};
    for (const ChakraSum& one : sums) {
        const double bytes = one.sent_bytes > 0 ? one.sent_bytes : one.memory_bytes;
        lines.lines.push_back({kind_of_nodes(one), one.group, std::to_string(one.count),
                               one.flop > 0 ? si_text(one.flop, "FLOP") : std::string(),
                               bytes > 0 ? bytes_text(bytes) : std::string(),
                               one.seconds > 0 ? seconds_text(one.seconds) : std::string()});
    }
    return lines;
}

} // namespace meshslice
