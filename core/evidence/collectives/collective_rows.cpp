#include "core/evidence/collectives/collective_rows.h"

#include "core/base/embedded_resources.h"
#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/calibrate/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

/// 0 where the cell is empty or is not a number.
double number_in(const MeasuredRows& rows, std::string_view column) {
    return parse_quantity(rows.cell(column), "").value_or(0);
}

std::string bare_letters(std::string_view words) {
    std::string letters = small_word(words);
    std::erase_if(letters, [](char c) { return c == '_' || c == '-' || c == ' '; });
    return letters;
}

/// As our laws call it; empty where they do not know it.
std::string collective_word(std::string_view words) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 12> names = {
        {{"allgather", "all_gather"},
         {"reducescatter", "reduce_scatter"},
         {"allreduce", "all_reduce"},
         {"alltoall", "alltoall"},
         {"broadcast", "broadcast"},
         {"reduce", "reduce"},
         {"sendrecv", "send_recv"},
         {"sendreceive", "send_recv"},
         {"moedispatchlowlatency", "moe_dispatch_low_latency"},
         {"moecombinelowlatency", "moe_combine_low_latency"},
         {"moedispatchnormal", "moe_dispatch_normal"},
         {"moecombinenormal", "moe_combine_normal"}}};
    const std::string letters = bare_letters(words);
    for (const auto& [word, name] : names) {
        if (letters == word) {
            return std::string(name);
        }
    }
    return {};
}

/// A token travels in fp8 with a scale of four bytes for each 128 of its values, and comes back in bf16
/// (github.com/deepseek-ai/DeepEP, README.md). Normal kernels send it once to each chip that has one of its
/// experts; low-latency ones once to each expert.
double expert_bytes(const std::string& operation, double tokens, double hidden, double topk, double chips) {
    const double token =
        operation.find("dispatch") != std::string::npos ? hidden * (1 + 4.0 / 128) : 2 * hidden;
    const bool normal = operation.ends_with("_normal");
    const double copies = normal ? chips * (1 - std::pow(1 - 1 / chips, topk)) : topk;
    return tokens * copies * token;
}

/// What ran it, as far as that changes its time.
void set_stack(const std::string& library, const std::string& version, AchievedAsked& asked) {
    const std::string letters = bare_letters(library);
    const auto has = [&](std::string_view word) { return letters.find(word) != std::string::npos; };
    asked.stack = asked.operation.starts_with("moe_") ? "deepep"
                  : has("custom")                     ? "custom"
                  : has("torch")                      ? "torch"
                                                      : "nccl";
    const bool off = has("nvlsoff");
    asked.ring = has("ring") || off;
    asked.in_switch = has("nvls") && !off;
    // The first low-latency kernels sent everything over RDMA, also within a server (DeepEP, docs/legacy.md).
    asked.network_only = asked.operation.ends_with("_low_latency") && version.starts_with("V1 2025");
}

/// Sets the fabrics; says what is missing.
std::string set_fabrics(const std::string& hardware, AchievedAsked& asked) {
    const FabricCatalogue& known = known_fabrics();
    const FabricsOfHardware* const of = known.of(hardware);
    if (of == nullptr) {
        return say("The network of \"{}\" is not known.", hardware);
    }
    if (asked.chips <= of->domain) { // Trays of one domain are one server to its switches.
        asked.per_server *= static_cast<double>(asked.servers);
        asked.servers = 1;
    }
    const bool beyond = of->pair > 0 && asked.servers == 1 && asked.chips > of->pair;
    asked.inside = known.fabric(beyond ? of->beyond_pairs : of->inside);
    asked.outside = known.fabric(of->outside);
    return {};
}

std::string why_not_predicted(const CollectiveRow& row, bool doubtful) {
    if (doubtful) {
        return say("Its trust is C, so it is left out.");
    }
    if (collective_word(row.operation).empty()) {
        return say("The operation \"{}\" is not known.", row.operation);
    }
    if (row.chips < 2) {
        return say("It does not say how many chips took part.");
    }
    if (!(row.bytes > 0)) {
        return say("It does not say how much was exchanged.");
    }
    return {};
}

CollectiveRow measured_row(const MeasuredRows& rows, const std::string& origin) {
    CollectiveRow row;
    row.id = std::string(rows.cell("id"));
    if (row.id.empty()) {
        row.id = fmt::format("{}:{}", origin, rows.line());
    }
    row.hardware = std::string(rows.cell("hardware"));
    row.operation = collective_word(rows.cell("op"));
    if (row.operation.empty()) {
        row.operation = std::string(rows.cell("op"));
    }
    row.library = std::string(rows.cell("library"));
    constexpr double most_chips = 1e6;
    const double servers = std::clamp(number_in(rows, "nodes"), 1.0, most_chips);
    const double each = number_in(rows, "gpus_per_node");
    const double chips = number_in(rows, "n") > 0 ? number_in(rows, "n") : servers * each;
    row.chips = static_cast<std::int64_t>(std::clamp(chips, 0.0, most_chips));
    row.servers = static_cast<std::int64_t>(servers);
    row.seconds = std::max(number_in(rows, "time"), 0.0) * 1e-6;
    AchievedAsked& asked = row.asked;
    asked.operation = row.operation;
    asked.chips = row.chips;
    asked.servers = row.servers;
    asked.per_server = each > 0 ? each : chips / servers;
    const bool experts = row.operation.starts_with("moe_");
    row.bytes = experts && number_in(rows, "tokens_per_rank") > 0
                    ? expert_bytes(row.operation, number_in(rows, "tokens_per_rank"),
                                   number_in(rows, "hidden"), number_in(rows, "topk"), std::max(chips, 1.0))
                    : number_in(rows, "bytes");
    asked.bytes = row.bytes;
    asked.cores = number_in(rows, "sms") > 0 ? number_in(rows, "sms") : asked.cores;
    asked.topk = number_in(rows, "topk") > 0 ? number_in(rows, "topk") : asked.topk;
    set_stack(row.library, std::string(rows.cell("version")), asked);
    row.group = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", row.hardware, row.operation, row.servers, row.chips,
                            row.library, rows.cell("version"), rows.cell("experts"), rows.cell("sms"));
    const std::string trust = small_word(rows.cell("trust"));
    row.scored = trust != "c" && row.seconds > 0;
    row.reason = why_not_predicted(row, trust == "c");
    if (row.reason.empty()) {
        row.reason = set_fabrics(row.hardware, asked);
    }
    if (row.reason.empty() && !(row.seconds > 0)) {
        row.reason = say("It has no time.");
    }
    return row;
}

} // namespace

Result<std::vector<CollectiveRow>> read_collective_rows(std::string_view csv, const std::string& origin) {
    MeasuredRows rows(csv, origin, "hardware,op,n,bytes,time_us");
    for (const char* column : {"hardware", "op", "n"}) {
        if (!rows.error() && !rows.has(column)) {
            rows.refuse_file(fmt::format("has no column \"{}\"", column));
        }
    }
    std::vector<CollectiveRow> all;
    while (rows.next()) {
        all.push_back(measured_row(rows, origin));
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    return all;
}

const std::vector<CollectiveRow>& measured_collectives() {
    static const std::vector<CollectiveRow> all = [] {
        for (const EmbeddedFile& file : embedded_measured()) {
            if (file.name == "collectives.csv") {
                const auto read = read_collective_rows(file.text, std::string(file.name));
                assert(read && "a test reads what comes with the program");
                return read.value_or(std::vector<CollectiveRow>());
            }
        }
        return std::vector<CollectiveRow>();
    }();
    return all;
}

} // namespace meshslice
