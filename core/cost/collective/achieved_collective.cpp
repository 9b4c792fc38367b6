#include "core/cost/collective/achieved_collective.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice {
namespace {

/// Of the line rate, before a row says anything; in the middle of what nccl-tests reach.
constexpr double usual_efficiency = 0.8;
constexpr double usual_latency = 8e-6; ///< s
constexpr double usual_size = 0.65;
/// A stream of dispatch is as fast as the cores that move it: 14 GB/s each, of the 24 that normal kernels
/// take (github.com/deepseek-ai/DeepEP, README.md: bandwidths with 24 SMs).
constexpr double usual_cores = 24;
constexpr double rate_of_cores = usual_cores * 14e9;
constexpr double most_size = 1.5;
constexpr double most_core_share = 1.2;

bool is_expert(std::string_view operation) {
    return operation.starts_with("moe_");
}

/// (a^p + b^p)^(1/p) in logarithms.
double power_sum(double a, double b, double p) {
    const double first = p * a;
    const double second = p * b;
    const double most = std::max(first, second);
    return (most + std::log(std::exp(first - most) + std::exp(second - most))) / p;
}

/// Of the copies of a token that go to chips, by an even router, how many leave for another server.
double to_other_servers(const AchievedAsked& asked) {
    const auto reached = [&](double units) { return units * (1 - std::pow(1 - 1 / units, asked.topk)); };
    const auto servers = static_cast<double>(asked.servers);
    return reached(servers) * (servers - 1) / servers / reached(static_cast<double>(asked.chips));
}

/// Steps of a cell's latency, and bytes over a chip's links.
struct Passed {
    double steps = 1, bytes = 0;
    double to_one = 0; ///< bytes that go to one other chip, where an operation sends to each by itself
};

struct Law {
    const AchievedAsked& asked;
    const AchievedCell& cell;
    const SharedLogs& shared;

    [[nodiscard]] double at(SharedConstant constant) const {
        return std::exp(shared[static_cast<std::size_t>(constant)]);
    }
    [[nodiscard]] double steps(SharedConstant base, double steps) const {
        return (at(base) + steps) / at(base);
    }

    /// How much slower links are than a chip's own, of a small group in a mesh.
    [[nodiscard]] double fewer_links() const {
        const Fabric& fabric = *asked.inside;
        if (fabric.law != FabricLaw::mesh) {
            return 1;
        }
        const auto peers = static_cast<double>(fabric.peers);
        return peers / std::min(static_cast<double>(asked.chips - 1), peers);
    }

    [[nodiscard]] Passed within() const {
        using enum SharedConstant;
        const auto n = static_cast<double>(asked.chips);
        const double others = (n - 1) / n;
        const double bytes = asked.bytes * fewer_links();
        const std::string& what = cell.operation;
        if (what == "all_gather") {
            return {steps(gather_base, n - 1), bytes * (others + at(gather_copy) / n)};
        }
        if (what == "reduce_scatter") {
            return {steps(scatter_base, n - 1), bytes * (others + at(scatter_copy) / n)};
        }
        if (what == "all_reduce") {
            const SharedConstant base = cell.stack == "custom" ? exchange_base : reduce_base;
            return {steps(base, n - 1), bytes * (2 * others + at(reduce_copy) / n)};
        }
        if (what == "all_reduce_in_switch") {
            return {steps(reduce_base, n - 1), bytes * (1 + 1 / n)};
        }
        if (what == "alltoall") {
            return {steps(exchange_base, n - 1), bytes * (others + at(exchange_copy) / n), bytes / n};
        }
        if (what == "broadcast" || what == "reduce") {
            return {steps(gather_base, n - 1), bytes};
        }
        return {1, bytes};
    }

    [[nodiscard]] Passed between() const {
        using enum SharedConstant;
        const Fabric& network = *asked.outside;
        const auto n = static_cast<double>(asked.chips);
        const auto servers = static_cast<double>(asked.servers);
        const double each = std::max(asked.per_server, 1.0);
        const double nics = std::min(each, network.nics_per_node);
        const double ports = nics * (network.lone_nic && each == 1 ? std::min(at(lone_nic), 1.0) : 1);
        const double hops = servers - 1 + at(inner_step) * (n - servers);
        const std::string& what = cell.operation;
        if (what == "all_gather" || what == "reduce_scatter") {
            return {steps(network_base, hops), asked.bytes * (n - 1) / n / ports};
        }
        if (what == "all_reduce" || what == "all_reduce_in_switch") {
            const double levels = std::log2(servers) + at(inner_step) * std::log2(each);
            return {steps(network_base, std::min(2 * hops, at(tree) * levels)),
                    asked.bytes * 2 * (n - 1) / n / ports};
        }
        if (what == "alltoall") {
            return {steps(network_base, hops), asked.bytes * (n - each) / n / std::min(1.0, ports / each)};
        }
        if (what == "broadcast" || what == "reduce") {
            return {steps(network_base, hops), asked.bytes / ports};
        }
        return {1, asked.bytes};
    }
};

/// A broadcast and a reduction pass their bytes as the halves of an all-reduce do.
std::string sibling(const std::string& operation) {
    return operation == "broadcast" ? "all_gather" : operation == "reduce" ? "reduce_scatter" : operation;
}

} // namespace

std::string_view name(SharedConstant constant) {
    constexpr std::array<std::string_view, shared_constants> names = {
        "gather_base", "scatter_base", "reduce_base", "exchange_base", "network_base", "expert_base",
        "gather_copy", "scatter_copy", "reduce_copy", "exchange_copy", "inner_step",   "tree",
        "pcie_size",   "expert_size",  "lone_nic",    "peer_rate"};
    return names[static_cast<std::size_t>(constant)];
}

double first_guess(SharedConstant constant) {
    constexpr std::array<double, shared_constants> guesses = {4,   4,   3,   20, 4,    8, 0.45, 0.3,
                                                              0.2, 0.2, 0.1, 3,  0.75, 1, 0.82, 340e9};
    return guesses[static_cast<std::size_t>(constant)];
}

std::vector<AchievedCell> achieved_cells(const AchievedAsked& asked) {
    const bool leaves = asked.servers > 1 || asked.network_only;
    const Fabric& fabric = leaves && asked.outside != nullptr ? *asked.outside : *asked.inside;
    const std::string place = leaves ? fabric.name + " around " + asked.inside->name : fabric.name;
    const AchievedCell cell{place, asked.operation, asked.stack};
    if (asked.operation != "all_reduce" || leaves || !fabric.reduces || asked.ring || asked.stack != "nccl") {
        return {cell};
    }
    const AchievedCell in_switch{place, "all_reduce_in_switch", asked.stack};
    if (asked.in_switch) {
        return {in_switch};
    }
    // Two chips have nothing to gain from a switch that adds up.
    return asked.chips > 2 ? std::vector{cell, in_switch} : std::vector{cell};
}

CellKind kind(const AchievedCell& cell, FabricLaw law) {
    if (is_expert(cell.operation)) {
        return cell.operation.ends_with("_normal") ? CellKind::cores : CellKind::experts;
    }
    return law == FabricLaw::pcie ? CellKind::beyond_pairs : CellKind::size;
}

CellLogs cell_begin(const AchievedCell& cell, const Fabric& fabric) {
    const bool cores = kind(cell, fabric.law) == CellKind::cores && fabric.law != FabricLaw::network;
    return {std::log(usual_latency), std::log(cores ? rate_of_cores : usual_efficiency * fabric.line_rate),
            std::log(usual_size)};
}

double log_seconds(const AchievedAsked& asked, const AchievedCell& cell, const SharedLogs& shared,
                   const CellLogs& logs, const CellLogs* inside) {
    const Law law{asked, cell, shared};
    const bool leaves = asked.servers > 1 || asked.network_only;
    const Fabric& fabric = leaves && asked.outside != nullptr ? *asked.outside : *asked.inside;
    const CellKind its = kind(cell, fabric.law);
    const double third = std::exp(logs[2]);
    if (is_expert(cell.operation)) {
        constexpr double most_in_a_server = 8;
        const double base = law.at(SharedConstant::expert_base);
        const double others = std::min(static_cast<double>(asked.chips), most_in_a_server) - 1;
        const double steps = (base + others) / (base + most_in_a_server - 1);
        double seconds = asked.bytes / std::exp(logs[1]);
        if (its == CellKind::cores && fabric.law != FabricLaw::network) {
            seconds *= std::pow(usual_cores / asked.cores, std::min(third / usual_size, most_core_share));
        }
        if (asked.servers > 1 && !asked.network_only && inside != nullptr) {
            const double stays = asked.per_server / static_cast<double>(asked.chips);
            const double within = asked.bytes / std::exp((*inside)[1]);
            // Normal kernels send a token once to a server, where it is handed on meanwhile.
            seconds = its == CellKind::cores ? std::max(seconds * to_other_servers(asked), within)
                                             : seconds * (1 - stays) + within * stays;
        }
        return power_sum(logs[0] + std::log(steps), std::log(seconds),
                         std::min(law.at(SharedConstant::expert_size), most_size));
    }
    Passed passed = leaves && asked.outside != nullptr ? law.between() : law.within();
    double p = std::min(third, most_size);
    if (its == CellKind::beyond_pairs) {
        p = std::min(law.at(SharedConstant::pcie_size), most_size);
        passed.bytes /= asked.chips > 2 ? std::min(third, 1.0) : 1;
    }
    const double seconds =
        std::max(passed.bytes / std::exp(logs[1]), passed.to_one / law.at(SharedConstant::peer_rate));
    return power_sum(logs[0] + std::log(passed.steps), std::log(seconds), p);
}

CellLogs AchievedConstants::of(const AchievedCell& cell, const Fabric& fabric) const {
    CellLogs logs = cell_begin(cell, fabric);
    const bool cores = kind(cell, fabric.law) == CellKind::cores && fabric.law != FabricLaw::network;
    const auto add = [&](const auto& effects, const auto& key, bool of_fabric) {
        if (const auto found = effects.find(key); found != effects.end()) {
            for (std::size_t k = 0; k < logs.size(); ++k) {
                // What cores move is not the fabric's.
                logs[k] += of_fabric && cores && k == 1 ? 0 : found->second[k];
            }
        }
    };
    add(fabrics, cell.fabric, true);
    add(stacks, cell.stack, false);
    add(operations, operations.contains(cell.operation) ? cell.operation : sibling(cell.operation), false);
    add(cells, cell, false);
    return logs;
}

double AchievedConstants::seconds(const AchievedAsked& asked) const {
    const bool leaves = asked.servers > 1 || asked.network_only;
    const Fabric& fabric = leaves && asked.outside != nullptr ? *asked.outside : *asked.inside;
    const AchievedCell within{asked.inside->name, asked.operation, asked.stack};
    const CellLogs inside = of(within, *asked.inside);
    double least = std::numeric_limits<double>::infinity();
    for (const AchievedCell& cell : achieved_cells(asked)) {
        least = std::min(least, log_seconds(asked, cell, shared, of(cell, fabric), &inside));
    }
    return std::exp(least);
}

AchievedConstants unmeasured_constants() {
    AchievedConstants begin;
    for (std::size_t k = 0; k < shared_constants; ++k) {
        begin.shared[k] = std::log(first_guess(static_cast<SharedConstant>(k)));
    }
    return begin;
}

} // namespace meshslice
