#include "core/base/say.h"
#include "core/papers/transformers/generations.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace meshslice {
namespace {

constexpr std::size_t generations = 3, domain_sizes = 3;
constexpr double visible = 1.1; ///< a domain's effect: times as fast

/// Days by cluster kind and number of chips, of one model and rules.
using Days = std::vector<std::vector<std::optional<double>>>;

struct ModelDays {
    ByRules<Days> days;
    std::vector<std::int32_t> chips;
};

std::size_t kind_of(std::size_t generation, std::size_t domain) {
    return generation * domain_sizes + domain;
}

/// On 4 chips in a domain over 64: how many times as long, by number of chips of one generation.
std::vector<std::pair<std::int32_t, double>> domain_effects(const ModelDays& of, std::size_t r,
                                                            std::size_t generation) {
    std::vector<std::pair<std::int32_t, double>> effects;
    for (std::size_t c = 0; c < of.chips.size(); ++c) {
        const auto& small = of.days[r][kind_of(generation, 0)][c];
        const auto& large = of.days[r][kind_of(generation, domain_sizes - 1)][c];
        if (small && large) {
            effects.emplace_back(of.chips[c], *small / *large);
        }
    }
    return effects;
}

std::string effect_words(const std::vector<std::pair<std::int32_t, double>>& effects) {
    std::string words;
    for (const auto& [chips, times] : effects) {
        words += fmt::format("{}{}: {:.2f}x", words.empty() ? "" : ", ", chips, times);
    }
    return words;
}

/// All of a generation on so many chips are within these days.
Judgement days_within(const ModelDays& of, std::size_t r, std::size_t generation, std::int32_t chips,
                      double least, double most) {
    Judgement found{true, {}};
    const auto at = std::ranges::find(of.chips, chips);
    if (at == of.chips.end()) {
        return {};
    }
    for (std::size_t d = 0; d < domain_sizes; ++d) {
        const auto& days =
            of.days[r][kind_of(generation, d)][static_cast<std::size_t>(at - of.chips.begin())];
        found.holds = found.holds && days && *days >= least && *days <= most;
        found.numbers += fmt::format("{}{:.1f}", found.numbers.empty() ? "" : ", ", days.value_or(0));
    }
    found.numbers = say("{} days in domains of 4, 8 and 64", found.numbers);
    return found;
}

/// A newer generation is faster on as many chips in domains as large.
Judgement newer_is_faster(const ModelDays& of, std::size_t r) {
    Judgement found{true, {}};
    std::vector<double> times;
    for (std::size_t g = 0; g + 1 < generations; ++g) {
        for (std::size_t d = 0; d < domain_sizes; ++d) {
            for (std::size_t c = 0; c < of.chips.size(); ++c) {
                const auto& old = of.days[r][kind_of(g, d)][c];
                const auto& next = of.days[r][kind_of(g + 1, d)][c];
                if (old) {
                    found.holds = found.holds && next && *next < *old;
                    times.push_back(next ? *old / *next : 0);
                }
            }
        }
    }
    if (times.empty()) {
        return {}; // no older generation has a plan that fits
    }
    const auto [least, most] = std::ranges::minmax(times);
    found.numbers = say("{:.2f} to {:.2f} times as fast as the generation before", least, most);
    return found;
}

Judgement fewer_suffice(const ModelDays& of, std::size_t r) {
    Judgement found{true, {}};
    std::array<std::int32_t, generations> fewest{};
    for (std::size_t g = 0; g < generations; ++g) {
        const auto& days = of.days[r][kind_of(g, 1)];
        const auto first = std::ranges::find_if(days, [](const auto& one) { return one.has_value(); });
        fewest[g] = first == days.end() ? 0 : of.chips[static_cast<std::size_t>(first - days.begin())];
        found.holds = found.holds && fewest[g] > 0 && (g == 0 || fewest[g] < fewest[g - 1]);
        found.numbers += fmt::format("{}{}", g == 0 ? "" : ", ", fewest[g]);
    }
    found.numbers = say("{} chips at least", found.numbers);
    return found;
}

/// The effect is larger at both ends than anywhere between.
Judgement domain_at_the_ends(const ModelDays& of, std::size_t r) {
    Judgement found{true, {}};
    for (std::size_t g = 0; g < generations; ++g) {
        const auto effects = domain_effects(of, r, g);
        if (effects.size() < 3) {
            return {};
        }
        double between = 0;
        for (std::size_t k = 1; k + 1 < effects.size(); ++k) {
            between = std::max(between, effects[k].second);
        }
        found.holds = found.holds && effects.front().second > between && effects.back().second > between;
        found.numbers += (found.numbers.empty() ? std::string() : said("; ")) + effect_words(effects);
    }
    return found;
}

Judgement domain_everywhere(const ModelDays& of, std::size_t r) {
    Judgement found{true, {}};
    for (std::size_t g = 0; g < generations; ++g) {
        const auto effects = domain_effects(of, r, g);
        found.holds = found.holds && !effects.empty() &&
                      std::ranges::all_of(effects, [](const auto& one) { return one.second >= visible; });
        found.numbers += (found.numbers.empty() ? std::string() : said("; ")) + effect_words(effects);
    }
    return found;
}

/// On 8192 of the newest chips it still takes longer than a week.
Judgement ten_thousand(const ModelDays& of, std::size_t r) {
    const auto at = std::ranges::find(of.chips, 8192);
    if (at == of.chips.end()) {
        return {};
    }
    const auto& days = of.days[r][kind_of(2, 1)][static_cast<std::size_t>(at - of.chips.begin())];
    return {days && *days > 7, say("{:.2f} days on 8192 B200 in domains of 8", days.value_or(0))};
}

Result<StudyResult> days_of_training(const StudyInputs& inputs, const RunControl& control) {
    const std::vector<ClusterKind> kinds = cluster_kinds(inputs.hardware);
    const std::array asked = {std::pair(&inputs.models.front(), TensorStrategy::one_d),
                              std::pair(&inputs.models.back(), TensorStrategy::two_d)};
    std::array<ModelDays, asked.size()> found;
    StudyResult result;
    PlanTable table("Days of training");
    for (std::size_t m = 0; m < asked.size(); ++m) {
        const auto& [model, strategy] = asked[m];
        found[m].chips = inputs.chips;
        const BlocksByRules blocks = no_blocks_yet();
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            const auto marks =
                best_by_chips(*model, kinds[k].hardware, strategy, inputs.chips, control, blocks);
            const auto run = plan_model(*model, kinds[k].hardware, ModelRules::exact);
            if (!marks || !run) {
                return refuse(!marks ? marks.error() : run.error());
            }
            for (std::size_t r = 0; r < rule_sets.size(); ++r) {
                std::vector<std::optional<double>> days;
                for (const PlanMark& mark : (*marks)[r]) {
                    days.push_back(
                        mark.plan ? std::optional(training_days(run->run(), mark.plan->reading.time.total))
                                  : std::nullopt);
                }
                found[m].days[r].push_back(std::move(days));
            }
            table.add(fmt::format("{}, {}", model->title, kinds[k].title), *marks, run->run());
            done(control, m * kinds.size() + k + 1, asked.size() * kinds.size());
        }
        const bool one_d = strategy == TensorStrategy::one_d;
        ChartAxis days{said("days of training")};
        days.logarithmic = true;
        const std::string title = one_d ? say("{}, 1D", model->title) : say("{}, 2D", model->title);
        std::ranges::move(cluster_panels(title, days, inputs.chips, kinds, found[m].days[by_exact]),
                          std::back_inserter(result.panels));
        const auto& newest = found[m].days[by_exact][kind_of(2, 1)].back();
        const auto& oldest = found[m].days[by_exact][kind_of(0, 1)].back();
        result.finding +=
            (result.finding.empty() ? std::string() : said("; ")) +
            (newest && oldest ? say("{}: {:.1f} days on {} A100, {:.1f} on as many B200", title, *oldest,
                                    inputs.chips.back(), *newest)
                              : say("{}: not everything fits on {} chips", title, inputs.chips.back()));
    }
    const auto both = [](auto judge) { return ByRules<Judgement>{judge(by_published), judge(by_exact)}; };
    const ModelDays& words = found[0];
    const ModelDays& images = found[1];
    result.orderings = {
        judged("fig5-language-a100",
               both([&](std::size_t r) { return days_within(words, r, 0, 16'384, 20, 40); })),
        judged("fig5-language-b200",
               both([&](std::size_t r) { return days_within(words, r, 2, 16'384, 2.5, 5.5); })),
        judged("fig5-language-generations", both([&](std::size_t r) { return newer_is_faster(words, r); })),
        judged("fig5-language-fewer", both([&](std::size_t r) { return fewer_suffice(words, r); })),
        judged("fig5-language-ten-thousand", both([&](std::size_t r) { return ten_thousand(words, r); })),
        judged("fig5-language-domains", both([&](std::size_t r) { return domain_at_the_ends(words, r); })),
        judged("fig5-vision-generations", both([&](std::size_t r) { return newer_is_faster(images, r); })),
        judged("fig5-vision-domains", both([&](std::size_t r) { return domain_everywhere(images, r); }))};
    result.table = std::move(table).table();
    result.note =
        said("Lines are by the exact rules; the table has both. Domains of 4, 8 and 64 chips of each "
             "generation. The published search fills a domain exactly or drops a plan, so that larger "
             "domains are slower there in a few cases.");
    return result;
}

} // namespace

/// Figure 5: days of training by generation, domain and number of chips.
const Study days_of_training_study{"training-days",
                                   "Days of training",
                                   "What do newer chips and larger fast domains bring to a whole training?",
                                   "4 (Q3), Figure 5",
                                   days_of_training,
                                   {true, false, ClustersAsked::all},
                                   &transformers_evaluation,
                                   Reading::estimated};

} // namespace meshslice
