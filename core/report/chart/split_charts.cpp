#include "core/report/chart/split_charts.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::array split_line_roles = {Role::transferHorizontal, Role::transferVertical,
                                         Role::transferThird, Role::slicing, Role::launch};
constexpr int batches_a_decade = 6;

std::vector<double> batches_between(double low, double high) {
    const int count = std::max(2, static_cast<int>(std::ceil(std::log10(high / low) * batches_a_decade)) + 1);
    std::vector<double> all;
    for (int k = 0; k < count; ++k) {
        all.push_back(low * std::pow(high / low, static_cast<double>(k) / (count - 1)));
    }
    return all;
}

ChartSeries split_line(std::string name, Role role) {
    ChartSeries made{std::move(name), SeriesKind::line};
    made.role = role;
    return made;
}

std::string bound_words(const LayerSplit& split) {
    if (!split.ratio()) {
        return said("nothing is exchanged");
    }
    const std::string by = number_text(std::max(*split.ratio(), 1 / *split.ratio()));
    return split.bound_by_compute() ? say("bound by compute, {}× the communication", by)
                                    : say("bound by communication, {}× the arithmetic", by);
}

std::string place_words(const AskedSplits& asked) {
    return say("{} chips of {}", asked.chips.count(), asked.chips.machine.title);
}

std::string weights_words(const AskedSplits& asked) {
    return asked.weights == SharedWeights::sharded ? said("gathered weights")
                                                   : said("half of summing gradients");
}

/// Some of the splits, from tokens alone to the hidden width alone, with the one that is shown among them.
std::vector<SplitSizes> some_splits(const std::vector<LayerSplit>& all, const SplitSizes& shown) {
    std::vector<SplitSizes> chosen = {shown};
    const auto add = [&](std::size_t place) {
        if (place < all.size() && chosen.size() < split_line_roles.size() &&
            std::ranges::find(chosen, all[place].sizes) == chosen.end()) {
            chosen.push_back(all[place].sizes);
        }
    };
    const std::size_t at =
        static_cast<std::size_t>(std::ranges::find(all, shown, &LayerSplit::sizes) - all.begin());
    add(0);
    add(all.size() - 1);
    add(at + 2);
    add(at >= 2 ? at - 2 : all.size());
    std::ranges::sort(chosen, std::greater<>(), &SplitSizes::tokens);
    return chosen;
}

} // namespace

std::vector<LayerSplit> AskedSplits::splits() const {
    return all_splits(layer, chips, exchanges_hide);
}

AskedSplits AskedSplits::of_tokens(double tokens) const {
    AskedSplits other = *this;
    other.layer.tokens = tokens;
    return other;
}

std::string split_text(const SplitSizes& sizes) {
    return fmt::format("{} × {}", sizes.tokens, sizes.hidden);
}

Chart split_chart(const AskedSplits& asked, const LayerSplit& shown) {
    ChartPanel panel{{},
                     {said("chips that share the tokens"), ChartUnit::none, true},
                     {said("time of a layer, forward"), ChartUnit::seconds, true}};
    ChartSeries arithmetic = split_line(said("arithmetic"), Role::compute);
    ChartSeries weights = split_line(weights_words(asked), Role::transferHorizontal);
    ChartSeries activations = split_line(said("exchanged activations"), Role::transferVertical);
    ChartSeries all = split_line(said("the longest of them"), Role::text);
    const std::vector<LayerSplit> splits = asked.splits();
    all.name = asked.exchanges_hide ? said("the longest of them")
                                    : said("the longer of arithmetic and all exchanges");
    for (const LayerSplit& one : splits) {
        const double at = static_cast<double>(one.sizes.tokens);
        const std::string detail = fmt::format("{}; {}", split_text(one.sizes), bound_words(one));
        arithmetic.points.push_back({at, one.compute_s, {}, detail});
        if (one.weights_s > 0) {
            weights.points.push_back({at, one.weights_s, {}, detail});
        }
        if (one.activations_s > 0) {
            activations.points.push_back({at, one.activations_s, {}, detail});
        }
        all.points.push_back({at, one.seconds(), {}, detail});
    }
    all.dashed = true;
    ChartSeries mark{said("this split"), SeriesKind::points};
    mark.role = Role::text;
    mark.emphasized = true;
    mark.points = {{static_cast<double>(shown.sizes.tokens), shown.seconds(), split_text(shown.sizes),
                    bound_words(shown)}};
    for (ChartSeries* const one : {&arithmetic, &weights, &activations, &all, &mark}) {
        if (!one->points.empty()) {
            panel.series.push_back(std::move(*one));
        }
    }
    const LayerSplit& best = best_of(splits);
    Chart chart{shown.sizes == best.sizes
                    ? say("{} is best on {}: {}, {}", split_text(shown.sizes), place_words(asked),
                          seconds_text(shown.seconds()), bound_words(shown))
                    : say("{} on {}: {}, {}; {} takes {}", split_text(shown.sizes), place_words(asked),
                          seconds_text(shown.seconds()), bound_words(shown), split_text(best.sizes),
                          seconds_text(best.seconds())),
                {std::move(panel)}};
    return chart;
}

Chart split_batch_chart(const AskedSplits& asked, const LayerSplit& shown) {
    const double chips = static_cast<double>(asked.chips.count());
    const double low = std::max(1.0, std::min(chips, asked.layer.tokens) / 16);
    const double high = std::max(asked.layer.tokens * 16, chips * 4096);
    ChartPanel panel{{},
                     {said("batch of all chips (tokens)"), ChartUnit::none, true},
                     {said("time of a layer, forward"), ChartUnit::seconds, true}};
    ChartSeries arithmetic = split_line(said("arithmetic"), Role::compute);
    arithmetic.emphasized = true;
    const std::vector<double> batches = batches_between(low, high);
    for (const double tokens : batches) {
        const AskedSplits of = asked.of_tokens(tokens);
        arithmetic.points.push_back(
            {tokens, split_of(of.layer, of.chips, shown.sizes, of.exchanges_hide).compute_s});
    }
    panel.series.push_back(std::move(arithmetic));
    std::size_t role = 0;
    for (const SplitSizes& sizes : some_splits(asked.splits(), shown.sizes)) {
        ChartSeries line = split_line(split_text(sizes), split_line_roles[role++]);
        for (const double tokens : batches) {
            const AskedSplits of = asked.of_tokens(tokens);
            const LayerSplit one = split_of(of.layer, of.chips, sizes, of.exchanges_hide);
            if (tokens >= static_cast<double>(sizes.tokens)) {
                line.points.push_back({tokens, one.seconds(), {}, bound_words(one)});
            }
        }
        panel.series.push_back(std::move(line));
    }
    panel.series.push_back(rule(say("this batch: {}", number_text(asked.layer.tokens)), Role::quietText,
                                {{asked.layer.tokens, panel.series.front().points.front().y},
                                 {asked.layer.tokens, panel.series.front().points.back().y}},
                                true));
    return {said("How long does a layer take, by its batch and split?"), {std::move(panel)}};
}

Chart split_ratio_chart(const AskedSplits& asked) {
    const double chips = static_cast<double>(asked.chips.count());
    ChartPanel panel{{},
                     {said("tokens of a chip"), ChartUnit::none, true},
                     {said("arithmetic over communication"), ChartUnit::ratio, true}};
    const double here = asked.layer.tokens / chips;
    const double low = std::max(std::min(8.0, here / 4), 1 / chips), high = std::max(4096.0, here * 4);
    ChartSeries tokens_alone = split_line(said("tokens alone"), Role::transferHorizontal);
    ChartSeries hidden_alone = split_line(said("hidden width alone (tensor)"), Role::transferVertical);
    ChartSeries mixed = split_line(said("the best of both"), Role::compute);
    mixed.emphasized = true;
    std::optional<double> from; // the first batch that arithmetic bounds
    bool always = true;
    for (const double share : batches_between(low, high)) {
        const std::vector<LayerSplit> splits = asked.of_tokens(share * chips).splits();
        if (splits.empty()) {
            continue;
        }
        const auto put = [&](ChartSeries& line, const LayerSplit& one) {
            if (const std::optional<double> ratio = one.ratio()) {
                line.points.push_back({share, *ratio, {}, split_text(one.sizes)});
            }
        };
        if (splits.front().sizes.hidden == 1) {
            put(tokens_alone, splits.front());
        }
        if (splits.back().sizes.tokens == 1) {
            put(hidden_alone, splits.back());
        }
        const LayerSplit& best = best_of(splits);
        put(mixed, best);
        if (!from && best.bound_by_compute()) {
            from = share;
        }
        always = always && best.bound_by_compute();
    }
    for (ChartSeries* const one : {&tokens_alone, &hidden_alone, &mixed}) {
        if (!one->points.empty()) {
            panel.series.push_back(std::move(*one));
        }
    }
    panel.series.push_back(rule(said("as long as each other"), Role::text, {{low, 1}, {high, 1}}));
    ChartSeries thresholds{said("bound by arithmetic from here on"), SeriesKind::points};
    thresholds.role = Role::quietText;
    if (const auto bounds = split_bounds(asked.layer, asked.chips, asked.exchanges_hide)) {
        if (bounds->token_share > low) {
            thresholds.points.push_back({bounds->token_share, 1, fmt::format("{:.0f}", bounds->token_share),
                                         said("tokens alone, in closed form")});
        }
        if (bounds->mixed_share > low) {
            thresholds.points.push_back({bounds->mixed_share, 1, fmt::format("{:.0f}", bounds->mixed_share),
                                         said("the best mix, in closed form")});
        }
        panel.series.push_back(std::move(thresholds));
    }
    panel.series.push_back(
        rule(say("this batch: {}", number_text(here)), Role::quietText, {{here, 0.1}, {here, 10}}, true));
    return {
        from ? say("Arithmetic bounds the best split from about {} tokens of a chip on", number_text(*from))
             : say("Communication bounds every split up to {} tokens of a chip", number_text(high)),
        {std::move(panel)}};
}

} // namespace meshslice
