#include "core/base/say.h"
#include "core/papers/transformers/memory_sweep.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::size_t swept_capacities = 32, swept_bandwidths = 28;
constexpr std::array<std::size_t, 6> drawn_bandwidths = {0, 1, 3, 7, 13, 27};
constexpr double enough_bandwidth = 2e12; ///< bytes/s
constexpr double weak = 1.15;             ///< times as long
constexpr double comparable = 1.1;        ///< times as long

/// Days by bandwidth and capacity.
using MemoryDays = std::vector<std::vector<std::optional<double>>>;

/// Of all points with enough bandwidth, the slowest over the fastest; 0 where something does not fit.
double spread(const MemoryDays& days, const std::vector<double>& bandwidths) {
    double least = 0, most = 0;
    for (std::size_t k = 0; k < days.size(); ++k) {
        for (const std::optional<double>& one : days[k]) {
            if (bandwidths[k] >= enough_bandwidth) {
                if (!one) {
                    return 0;
                }
                least = least == 0 ? *one : std::min(least, *one);
                most = std::max(most, *one);
            }
        }
    }
    return least == 0 ? 0 : most / least;
}

/// With 1 TB at the first bandwidth from 1.5 TB/s on, over a B200's 192 GB at 8 TB/s, nearest points.
double alternative(const MemoryDays& days) {
    constexpr std::size_t slow = 2, of_b200 = 13, small = 4; // 1.65 and 7.96 TB/s; 199 GB
    const auto &its = days[slow].back(), &ours = days[of_b200][small];
    return its && ours ? *its / *ours : 0;
}

/// What the least capacity costs at a B200's bandwidth.
double cost_of_little(const MemoryDays& days) {
    constexpr std::size_t of_b200 = 13;
    const auto &least = days[of_b200].front(), &most = days[of_b200].back();
    return least && most ? *least / *most : 0;
}

Result<StudyResult> bandwidth_and_capacity(const StudyInputs& inputs, const RunControl& control) {
    const std::int64_t chips = std::max(1, inputs.chips.back() / 2);
    const std::vector<double> capacities = evenly(80e9, 1000e9, swept_capacities);
    const std::vector<double> bandwidths = evenly(500e9, 16'000e9, swept_bandwidths);
    const std::array asked = {std::pair(&inputs.models.front(), TensorStrategy::one_d),
                              std::pair(&inputs.models.back(), TensorStrategy::two_d)};
    std::array<ByRules<MemoryDays>, asked.size()> found;
    StudyResult result;
    result.table = {"Days of training by bandwidth and capacity of HBM",
                    {"of", "rules", "capacity_bytes", "bandwidth_bytes_per_s", "days"},
                    {}};
    for (std::size_t m = 0; m < asked.size(); ++m) {
        const auto& [model, strategy] = asked[m];
        const std::string title =
            strategy == TensorStrategy::one_d ? say("{}, 1D", model->title) : say("{}, 2D", model->title);
        const BlocksByRules blocks = no_blocks_yet();
        for (std::size_t r = 0; r < rule_sets.size(); ++r) {
            for (std::size_t k = 0; k < bandwidths.size(); ++k) {
                auto days =
                    days_by_capacity(*model, with_memory(inputs.hardware, {capacities.back(), bandwidths[k]}),
                                     strategy, chips, capacities, rule_sets[r], control, blocks[r]);
                if (!days) {
                    return refuse(days.error());
                }
                for (std::size_t c = 0; c < capacities.size(); ++c) {
                    result.table.rows.push_back(
                        {title, std::string(r == by_exact ? "exact" : "reference"), capacities[c],
                         bandwidths[k], (*days)[c] ? Table::Cell(*(*days)[c]) : Table::Cell(std::string())});
                }
                found[m][r].push_back(*std::move(days));
                done(control, (m * rule_sets.size() + r) * bandwidths.size() + k + 1,
                     asked.size() * rule_sets.size() * bandwidths.size());
            }
        }
        ChartPanel panel{title, {said("capacity of HBM"), ChartUnit::bytes}, {said("days of training")}};
        constexpr std::array roles = {Role::transferVertical, Role::transferHorizontal,
                                      Role::transferThird,    Role::sync,
                                      Role::compute,          Role::launch};
        for (std::size_t d = 0; d < drawn_bandwidths.size(); ++d) {
            const std::size_t k = drawn_bandwidths[d];
            ChartSeries series{fmt::format("{:.1f} TB/s", bandwidths[k] / 1e12), SeriesKind::line};
            series.role = roles[d];
            series.emphasized = roles[d] == Role::compute;
            for (std::size_t c = 0; c < capacities.size(); ++c) {
                if (const auto& one = found[m][by_exact][k][c]) {
                    series.points.push_back({capacities[c], *one});
                }
            }
            panel.series.push_back(std::move(series));
        }
        result.panels.push_back(std::move(panel));
        result.finding +=
            (result.finding.empty() ? std::string() : said("; ")) +
            say("{} on {} chips: with 1 TB at 1.6 TB/s it takes {:.2f} times as long as with 199 GB at "
                "8 TB/s",
                title, chips, alternative(found[m][by_exact]));
    }
    ByRules<Judgement> language, alternatives, vision;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        const std::array spreads = {spread(found[0][r], bandwidths), spread(found[1][r], bandwidths)};
        const std::array others = {alternative(found[0][r]), alternative(found[1][r])};
        const std::array little = {cost_of_little(found[0][r]), cost_of_little(found[1][r])};
        language[r] = {
            spreads[0] > 0 && spreads[0] <= weak,
            say("from 2 TB/s on, the slowest takes {:.3f} times as long as the fastest", spreads[0])};
        alternatives[r] = {others[0] > 0 && others[1] > 0 && others[0] <= comparable &&
                               others[1] <= comparable,
                           say("{:.3f} and {:.3f} times as long", others[0], others[1])};
        vision[r] = {
            little[0] > 0 && little[1] > little[0],
            say("80 GB instead of 1 TB at 8 TB/s: {:.3f} and {:.3f} times as long", little[0], little[1])};
    }
    result.orderings = {judged("figA6-language-weak", language), judged("figA6-alternatives", alternatives),
                        judged("figA6-vision-capacity", vision)};
    result.note =
        said("Arithmetic, network and domain stay those of the chosen cluster. One search for each bandwidth "
             "serves all capacities, since a capacity only says which plans fit. Lines are by the exact "
             "rules; the table has both.");
    return result;
}

} // namespace

/// Figure A6: days of training by bandwidth and capacity of memory.
const Study bandwidth_and_capacity_study{"bandwidth-and-capacity",
                                         "Bandwidth against capacity",
                                         "Can more memory make up for slower memory?",
                                         "B, Figure A6",
                                         bandwidth_and_capacity,
                                         {true, true, ClustersAsked::largest},
                                         &transformers_evaluation,
                                         Reading::estimated};

} // namespace meshslice
