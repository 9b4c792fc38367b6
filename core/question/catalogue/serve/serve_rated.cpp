// The deployments that a goal under a rate was simulated on, in words and values.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/question/catalogue/serve/serve_text.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace meshslice {
namespace {

std::string servers_text(std::int64_t count) {
    return count == 1 ? said("1 server") : say("{} servers", count);
}
std::string replicas_text(std::int64_t count) {
    return count == 1 ? said("1 replica") : say("{} replicas", count);
}

std::string deployment_words(const RatedDeployment& one) {
    const double servers = static_cast<double>(one.replicas + one.prefill);
    const std::string each = chips_text(static_cast<double>(one.chips) / servers);
    const auto count = [](std::int64_t value) { return static_cast<double>(value); };
    if (one.scales()) {
        return one.apart() ? say("{} of prompts and {} to {} that decode, of {} each, at most {} in each",
                                 servers_text(one.prefill), one.replicas, one.most_servers, each,
                                 requests_text(count(one.batch)))
                           : say("{} to {} of {}, at most {} in each", one.replicas,
                                 replicas_text(one.most_servers), each, requests_text(count(one.batch)));
    }
    return one.apart() ? say("{} of prompts and {} that decode, of {} each, at most {} in each",
                             servers_text(one.prefill), one.replicas, each, requests_text(count(one.batch)))
                       : say("{} of {}, at most {} in each", replicas_text(one.replicas), each,
                             requests_text(count(one.batch)));
}

/// In the currency of the price: of the chips that are held, and of what they put out at this rate.
double hour_of(const Served& served, const RatedDeployment& one) {
    return served.price * one.held;
}
double million_tokens_of(const Served& served, const RatedDeployment& one) {
    constexpr double hour = 3600, million = 1e6;
    const double tokens = one.summary.tokens_per_s;
    return tokens > 0 ? million * hour_of(served, one) / hour / tokens : 0;
}

std::string missed_words(const RatedDeployment& one) {
    return one.overloaded ? said("the queue grows")
                          : say("{} takes {} of its limit", one.which, percent_text(one.worst));
}

std::string changed_words(const std::optional<double>& chips) {
    return chips ? number_text(*chips) : said("none");
}

Tree deployment_tree(const RatedDeployment& one) {
    return {{"chips", one.chips},
            {"chips_held", one.held},
            {"most_replicas", one.scales() ? Tree(one.most_servers) : Tree()},
            {"failures", one.failures},
            {"tp", one.tensor},
            {"batch", one.batch},
            {"replicas", one.replicas},
            {"prefill_replicas", one.prefill},
            {"met", one.met()},
            {"simulated", one.simulated},
            {"saturated", one.overloaded},
            {"nearest_limit", one.which},
            {"share_of_limit", one.which.empty() ? Tree() : Tree(one.worst)},
            {"ttft_p95_s", one.summary.ttft.p95},
            {"tpot_p95_s", one.summary.tpot.p95},
            {"e2e_p95_s", one.summary.e2e.p95}};
}

/// How far from its limit what is nearest to it is, and whether our error is larger.
std::string margin_words(const Served& served) {
    const RatedDeployment& one = served.rated->kinds.front().found;
    if (one.which.empty()) {
        return {};
    }
    const std::optional<ServedBand> none;
    const std::optional<ServedBand>& band = one.which.starts_with("ttft")   ? served.ttft_band
                                            : one.which.starts_with("tpot") ? served.tpot_band
                                                                            : none;
    const std::string taken = percent_text(one.worst);
    if (!band || band->high <= 1) {
        return say("{} takes {} of its limit.", one.which, taken);
    }
    const std::string slower = percent_text(band->high - 1);
    return one.worst * band->high > 1 ? say("{} takes {} of its limit, and one in ten measured runs is more "
                                            "than {} slower than ours: the "
                                            "goal may be missed.",
                                            one.which, taken, slower)
                                      : say("{} takes {} of its limit; a run that is {} slower, as one in "
                                            "ten measured ones is, still meets "
                                            "the goal.",
                                            one.which, taken, slower);
}

} // namespace

std::string rated_headline(const RatedSearch& found, double rate) {
    const RatedDeployment& first = found.kinds.front().found;
    return found.met() && first.scales()
               ? say("{} on average can serve {} requests/s within the goal: {}", chips_text(first.held),
                     number_text(rate), deployment_words(first))
           : found.met() ? say("{} can serve {} requests/s within the goal: {}", chips_text(first.held),
                               number_text(rate), deployment_words(first))
                         : say("No deployment that was tried meets the goal; of {}, {}",
                               chips_text(static_cast<double>(first.chips)), missed_words(first));
}

std::string rated_lines(const Served& served) {
    std::string lines = rated_words(served);
    for (const std::string& one : rated_changes(served)) {
        lines += one + "\n";
    }
    return lines;
}

std::vector<std::string> rated_changes(const Served& served) {
    std::vector<std::string> sentences;
    for (const RatedChange& one : served.rated->met() ? served.changes : std::vector<RatedChange>()) {
        sentences.push_back(say("With twice the {}: {} chips; with half: {}; both with tp {}.", one.number,
                                changed_words(one.twice), changed_words(one.half),
                                served.rated->kinds.front().found.tensor));
    }
    return sentences;
}

std::string rated_words(const Served& served) {
    const RatedSearch& found = *served.rated;
    std::string lines =
        say("{} deployments were simulated, each with {} requests.", found.tried, found.requests) + "\n";
    if (!found.met()) {
        return lines;
    }
    if (const std::string margin = margin_words(served); !margin.empty()) {
        lines += margin + "\n";
    }
    if (served.price > 0) {
        const RatedDeployment& first = found.kinds.front().found;
        lines += say("An hour costs {}, and a million tokens out {}.", number_text(hour_of(served, first)),
                     number_text(million_tokens_of(served, first))) +
                 "\n";
    }
    if (const std::optional<RatedDeployment>& fewer = found.kinds.front().fewer) {
        const std::string chips = chips_text(static_cast<double>(fewer->chips));
        lines += (fewer->scales() ? say("With {} at first, {}.", chips, missed_words(*fewer))
                                  : say("With {}, {}.", chips, missed_words(*fewer))) +
                 "\n";
    }
    if (served.asked.fail_every > 0) {
        const std::int64_t failures = found.kinds.front().found.failures;
        lines += (failures > 0 ? say("Servers failed {} times in the simulation.", failures)
                               : said("No server failed in the simulation; more requests would show what "
                                      "failures do.")) +
                 "\n";
    }
    if (found.kinds.size() > 1) {
        const RatedDeployment& next = found.kinds[1].found;
        lines += next.met() && next.scales()
                     ? say("Next: {} on average, {}.", chips_text(next.held), deployment_words(next))
                 : next.met() ? say("Next: {}, {}.", chips_text(next.held), deployment_words(next))
                              : say("No other kind of deployment that was tried meets the goal; with {}, {}.",
                                    chips_text(static_cast<double>(next.chips)), missed_words(next));
        lines += "\n";
    }
    if (served.may_scale &&
        std::ranges::none_of(found.kinds, [](const RatedKind& kind) { return kind.found.scales(); })) {
        lines +=
            said("Wherever servers may start, those that are there at first meet the goal alone.") + "\n";
    }
    return lines;
}

Table rated_table(const RatedSearch& found) {
    Table table{said("The fewest chips of each kind of deployment"),
                {"chips", "tp", "batch", "prefill_replicas", "replicas", "ttft_p95_s", "tpot_p95_s",
                 "share_of_limit", "nearest_limit", "met", "most_replicas"},
                {}};
    for (const RatedKind& kind : found.kinds) {
        const RatedDeployment& one = kind.found;
        const auto number = [](std::int64_t value) { return static_cast<double>(value); };
        table.rows.push_back({one.held, number(one.tensor), number(one.batch), number(one.prefill),
                              number(one.replicas), one.summary.ttft.p95, one.summary.tpot.p95, one.worst,
                              one.overloaded ? said("the queue grows") : one.which,
                              one.met() ? said("met") : said("not met"),
                              number(std::max(one.most_servers, one.replicas))});
    }
    return table;
}

Tree rated_tree(const Served& served) {
    const RatedSearch& found = *served.rated;
    Tree kinds = Tree::array(), changes = Tree::array();
    for (const RatedKind& kind : found.kinds) {
        kinds.push_back(deployment_tree(kind.found));
        if (kind.fewer) {
            kinds.back()["one_fewer"] = deployment_tree(*kind.fewer);
        }
    }
    for (const RatedChange& one : served.changes) {
        changes.push_back({{"number", one.number},
                           {"chips_at_twice", one.twice ? Tree(*one.twice) : Tree()},
                           {"chips_at_half", one.half ? Tree(*one.half) : Tree()}});
    }
    const RatedDeployment& first = found.kinds.front().found;
    const bool costs = served.price > 0 && found.met();
    return {{"met", found.met()},
            {"cost_per_hour", costs ? Tree(hour_of(served, first)) : Tree()},
            {"cost_per_million_output_tokens", costs ? Tree(million_tokens_of(served, first)) : Tree()},
            {"tried", found.tried},
            {"requests", found.requests},
            {"deployments", std::move(kinds)},
            {"changes", std::move(changes)}};
}

} // namespace meshslice
