#include "core/cost/collective/expert_exchange.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice {
namespace {

constexpr double bf16_number = 2;       ///< bytes
constexpr double scaled_together = 128; ///< numbers of one scale
constexpr double scale = 4;             ///< bytes

/// How likely it is that none of `chosen` different ones out of `all` is one of these.
double none_of_these(double these, double all, double chosen) {
    double made = 1;
    for (double k = 0; k < chosen; ++k) {
        made *= std::max(all - these - k, 0.0) / std::max(all - k, 1.0);
    }
    return made;
}

/// How likely it is that just `hits` of `chosen` different ones out of `all` are of these.
double so_many_of_these(double hits, double these, double all, double chosen) {
    const auto ways = [](double from, double taken) {
        return std::lgamma(from + 1) - std::lgamma(taken + 1) - std::lgamma(from - taken + 1);
    };
    if (hits > these || chosen - hits > all - these) {
        return 0;
    }
    return std::exp(ways(these, hits) + ways(all - these, chosen - hits) - ways(all, chosen));
}

} // namespace

std::string_view name(ExpertOverlap overlap) {
    constexpr std::array<std::string_view, all_expert_overlaps.size()> names = {"none", "shared",
                                                                                "microbatch"};
    return names[static_cast<std::size_t>(overlap)];
}

double not_hidden(double exchange, double behind) {
    const double slower = behind * exchange_cores / (1 - exchange_cores);
    return behind > 0 ? std::min(exchange, std::max(exchange - behind, slower)) : exchange;
}

double dispatch_bytes(const ExpertExchange& exchange) {
    return exchange.dispatch == DataType::fp8 ? 1 + scale / scaled_together : bf16_number;
}

ExpertRouting limited(ExpertRouting routing, const ExpertExchange& exchange, double domains) {
    if (exchange.domains) {
        const auto most = static_cast<double>(*exchange.domains);
        const bool limits = most > 0 && most < domains;
        routing.groups = limits ? domains : 1;
        routing.groups_per_token = limits ? most : 1;
    }
    return routing;
}

double units_of_token(const ExpertRouting& routing, double units) {
    const double chosen = routing.experts * routing.groups_per_token / routing.groups; // to choose from
    const double each = routing.experts / units;
    const auto reached = [&](double experts) {
        return 1 - none_of_these(experts, chosen, routing.per_token);
    };
    if (units >= routing.groups) {
        return units * routing.groups_per_token / routing.groups * reached(each);
    }
    const double of_unit = routing.groups / units, of_group = routing.experts / routing.groups;
    double made = 0;
    for (double hits = 1; hits <= std::min(of_unit, routing.groups_per_token); ++hits) {
        made += so_many_of_these(hits, of_unit, routing.groups, routing.groups_per_token) *
                reached(hits * of_group);
    }
    return units * made;
}

CopiesAcross copies_across(const ExpertRouting& routing, const ExpertExchange& exchange,
                           const ChipGroup& group, std::size_t levels) {
    const double most = exchange.fullest.value_or(std::numeric_limits<double>::infinity());
    const auto chips = static_cast<double>(group.chips);
    CopiesAcross made{};
    double within = 1; // chips of a unit that this level joins with others
    for (std::size_t level = 0; level < levels; ++level) {
        const double around = level + 1 < levels ? static_cast<double>(group.within[level]) : chips;
        const double units = chips / within;
        if (exchange.once) {
            const double copies = units_of_token(routing, units);
            made[level] = std::min(copies * most, units) * (1 - within / around);
        } else {
            const double copies = std::min(routing.per_token, routing.experts / units);
            made[level] = std::min(routing.per_token * most, units * copies) * (around - within) / chips;
        }
        within = around;
    }
    return made;
}

double fullest_work(const ExpertRouting& routing, const ExpertExchange& exchange, double chips) {
    const double worst = chips * std::min(routing.per_token, routing.experts / chips) / routing.per_token;
    return exchange.fullest ? std::min(*exchange.fullest, worst) : worst;
}

} // namespace meshslice
