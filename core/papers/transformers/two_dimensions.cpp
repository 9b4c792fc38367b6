#include "core/base/say.h"
#include "core/papers/transformers/generations.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace meshslice {
namespace {

constexpr std::size_t published_kinds = 9, kinds_a_generation = 3;

/// Time of 1D over that of another strategy, by cluster and number of chips.
using SpeedUps = std::vector<std::vector<std::optional<double>>>;

std::vector<double> where(const SpeedUps& all, auto takes) {
    std::vector<double> some;
    for (std::size_t k = 0; k < std::min(all.size(), published_kinds); ++k) {
        for (std::size_t c = 0; c < all[k].size(); ++c) {
            if (all[k][c] && takes(k, c)) {
                some.push_back(*all[k][c]);
            }
        }
    }
    return some;
}

std::vector<double> everywhere(const SpeedUps& all) {
    return where(all, [](std::size_t, std::size_t) { return true; });
}

/// Those on the fewest chips on which 1D fits on a cluster, or on the most.
std::vector<double> at_an_end(const SpeedUps& all, bool least) {
    std::vector<double> ends;
    for (std::size_t k = 0; k < std::min(all.size(), published_kinds); ++k) {
        std::vector<double> of_cluster;
        for (const std::optional<double>& one : all[k]) {
            if (one) {
                of_cluster.push_back(*one);
            }
        }
        if (!of_cluster.empty()) {
            ends.push_back(least ? of_cluster.front() : of_cluster.back());
        }
    }
    return ends;
}

std::string range_words(const std::vector<double>& values) {
    if (values.empty()) {
        return said("none");
    }
    const auto [least, most] = std::ranges::minmax(values);
    return say("{:.3f} to {:.3f}, median {:.3f}", least, most, middle(values));
}

/// The median of both strategies together is a gain of 5 to 10%.
Judgement five_to_ten(const SpeedUps& summa, const SpeedUps& two_d) {
    std::vector<double> all = everywhere(summa);
    std::ranges::copy(everywhere(two_d), std::back_inserter(all));
    const double typical = middle(all);
    return {typical >= 1.05 && typical <= 1.1,
            say("SUMMA {}; 2D {}", range_words(everywhere(summa)), range_words(everywhere(two_d)))};
}

Judgement never_slower(const SpeedUps& summa, const SpeedUps& two_d) {
    const auto fine = [](double one) { return one >= 1; };
    return {std::ranges::all_of(everywhere(summa), fine) && std::ranges::all_of(everywhere(two_d), fine),
            say("SUMMA {}; 2D {}", range_words(everywhere(summa)), range_words(everywhere(two_d)))};
}

/// The median at one end against that of all.
Judgement most_at(const SpeedUps& all, bool least) {
    const std::vector<double> end = at_an_end(all, least);
    return {!end.empty() && middle(end) > middle(everywhere(all)),
            say("median {:.3f} there, {:.3f} of all", middle(end), middle(everywhere(all)))};
}

/// The medians fall along a property of the clusters.
Judgement falls_along(const SpeedUps& all, auto group) {
    Judgement found{true, {}};
    double before = 0;
    for (std::size_t g = 0; g < kinds_a_generation; ++g) {
        const double typical = middle(where(all, [&](std::size_t k, std::size_t) { return group(k) == g; }));
        found.holds = found.holds && (g == 0 || typical < before);
        found.numbers += fmt::format("{}{:.3f}", g == 0 ? "" : ", ", typical);
        before = typical;
    }
    return found;
}

Result<StudyResult> two_dimensions(const StudyInputs& inputs, const RunControl& control) {
    const Transformer& of = inputs.models.front();
    const std::vector<ClusterKind> kinds = cluster_kinds(inputs.hardware);
    std::array<ByRules<SpeedUps>, 2> gains; // of SUMMA, of 2D
    const BlocksByRules blocks = no_blocks_yet();
    StudyResult result;
    result.table = {"Speed-up over 1D", {"of", "rules", "cluster", "chips", "speed_up"}, {}};
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const auto one_d =
            best_by_chips(of, kinds[k].hardware, TensorStrategy::one_d, inputs.chips, control, blocks);
        if (!one_d) {
            return refuse(one_d.error());
        }
        for (std::size_t s = 0; s < gains.size(); ++s) {
            const auto other =
                best_by_chips(of, kinds[k].hardware, s == 0 ? TensorStrategy::summa : TensorStrategy::two_d,
                              inputs.chips, control, blocks);
            if (!other) {
                return refuse(other.error());
            }
            for (std::size_t r = 0; r < rule_sets.size(); ++r) {
                std::vector<std::optional<double>> values;
                for (std::size_t c = 0; c < inputs.chips.size(); ++c) {
                    const auto& base = (*one_d)[r][c].plan;
                    const auto& its = (*other)[r][c].plan;
                    values.push_back(base && its
                                         ? std::optional(base->reading.time.total / its->reading.time.total)
                                         : std::nullopt);
                    result.table.rows.push_back(
                        {std::string(s == 0 ? "SUMMA" : "2D"),
                         std::string(r == by_exact ? "exact" : "reference"), kinds[k].title,
                         std::int64_t{inputs.chips[c]},
                         values.back() ? Table::Cell(*values.back()) : Table::Cell(std::string())});
                }
                gains[s][r].push_back(std::move(values));
            }
        }
        done(control, k + 1, kinds.size());
    }
    for (std::size_t s = 0; s < gains.size(); ++s) {
        const ChartAxis ratio{said("speed-up over 1D"), ChartUnit::ratio};
        std::ranges::move(cluster_panels(s == 0 ? std::string("SUMMA") : std::string("2D"), ratio,
                                         inputs.chips, kinds, gains[s][by_exact]),
                          std::back_inserter(result.panels));
    }
    ByRules<Judgement> typical, slower, small, large, generation, domain;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        const SpeedUps& summa = gains[0][r];
        const SpeedUps& two_d = gains[1][r];
        typical[r] = five_to_ten(summa, two_d);
        slower[r] = never_slower(summa, two_d);
        small[r] = most_at(summa, true);
        large[r] = most_at(two_d, false);
        generation[r] = falls_along(summa, [](std::size_t k) { return k / kinds_a_generation; });
        domain[r] = falls_along(summa, [](std::size_t k) { return k % kinds_a_generation; });
    }
    result.orderings = {judged("figA4-typical", typical),        judged("figA4-never-slower", slower),
                        judged("figA4-summa-small", small),      judged("figA4-2d-large", large),
                        judged("figA4-generations", generation), judged("figA4-domains", domain)};
    result.finding =
        say("{}: over 1D, SUMMA is {} times as fast, 2D {}", of.title,
            range_words(everywhere(gains[0][by_exact])), range_words(everywhere(gains[1][by_exact])));
    result.note = said("Lines are by the exact rules; the table has both.");
    return result;
}

} // namespace

/// Figure A4: what tensor parallelism in two dimensions gains over one.
const Study two_dimensions_study{"two-dimensions",
                                 "Two dimensions against one",
                                 "How much faster is tensor parallelism in two dimensions than in one?",
                                 "B, Figure A4",
                                 two_dimensions,
                                 {true, false, ClustersAsked::all},
                                 &transformers_evaluation,
                                 Reading::estimated};

} // namespace meshslice
