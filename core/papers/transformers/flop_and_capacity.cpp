#include "core/base/say.h"
#include "core/base/text.h"
#include "core/papers/transformers/memory_sweep.h"
#include "core/papers/transformers/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr std::size_t memory_points = 4, rate_points = 8; ///< from one generation to the next
constexpr std::size_t newest = 2;                         ///< B200 among the generations

std::vector<ChipMemory> memories_along() {
    const auto capacities = along_generations({80e9, 141e9, 192e9, 384e9}, memory_points);
    const auto bandwidths = along_generations({1555e9, 4800e9, 8000e9, 16'000e9}, memory_points);
    std::vector<ChipMemory> points;
    for (std::size_t k = 0; k < capacities.size(); ++k) {
        points.push_back({capacities[k], bandwidths[k]});
    }
    return points;
}

std::vector<ChipRates> rates_along() {
    const auto matrix = along_generations({312e12, 989.4e12, 2500e12, 3750e12}, rate_points);
    const auto vector = along_generations({78e12, 133.8e12, 339e12, 508.5e12}, rate_points);
    std::vector<ChipRates> points;
    for (std::size_t k = 0; k < matrix.size(); ++k) {
        points.push_back({matrix[k], vector[k]});
    }
    return points;
}

/// Days by rates and memory; of the published rules only at the generations' rates.
using RateDays = std::vector<std::vector<std::optional<double>>>;

/// What faster arithmetic gains with B200's memory, and what better memory gains at B200's rates; from A100.
struct Gains {
    double rates = 0, memory = 0;
};
Gains gains(const RateDays& days) {
    const std::size_t rate = newest * (rate_points - 1), memory = newest * (memory_points - 1);
    const auto &slow = days[0][memory], &small = days[rate][0], &all = days[rate][memory];
    return {slow && all ? *slow / *all : 0, small && all ? *small / *all : 0};
}

Result<StudyResult> flop_and_capacity(const StudyInputs& inputs, const RunControl& control) {
    const std::int64_t chips = std::max(1, inputs.chips.back() / 2);
    const std::vector<ChipMemory> memories = memories_along();
    const std::vector<ChipRates> rates = rates_along();
    const std::array asked = {std::pair(&inputs.models.front(), TensorStrategy::one_d),
                              std::pair(&inputs.models.back(), TensorStrategy::two_d)};
    std::array<ByRules<Gains>, asked.size()> found;
    StudyResult result;
    result.table = {"Days of training by arithmetic and memory",
                    {"of", "rules", "capacity_bytes", "bandwidth_bytes_per_s", "matrix_flop_per_s",
                     "vector_flop_per_s", "days"},
                    {}};
    for (std::size_t m = 0; m < asked.size(); ++m) {
        const auto& [model, strategy] = asked[m];
        const std::string title =
            strategy == TensorStrategy::one_d ? say("{}, 1D", model->title) : say("{}, 2D", model->title);
        ByRules<RateDays> days;
        const BlocksByRules blocks = no_blocks_yet();
        for (std::size_t r = 0; r < rule_sets.size(); ++r) {
            days[r].resize(rates.size());
            for (std::size_t k = 0; k < rates.size(); ++k) {
                if (r == by_published && k % (rate_points - 1) != 0) {
                    continue;
                }
                for (const ChipMemory& memory : memories) {
                    const auto one = days_by_capacity(
                        *model, with_memory(with_rates(inputs.hardware, rates[k]), memory), strategy, chips,
                        {memory.capacity}, rule_sets[r], control, blocks[r]);
                    if (!one) {
                        return refuse(one.error());
                    }
                    days[r][k].push_back(one->front());
                    result.table.rows.push_back(
                        {title, std::string(r == by_exact ? "exact" : "reference"), memory.capacity,
                         memory.bandwidth, rates[k].matrix, rates[k].vector,
                         one->front() ? Table::Cell(*one->front()) : Table::Cell(std::string())});
                }
                done(control, (m * rule_sets.size() + r) * rates.size() + k + 1,
                     asked.size() * rule_sets.size() * rates.size());
            }
            found[m][r] = gains(days[r]);
        }
        ChartPanel panel{
            title, {said("HBM capacity (GB); bandwidth grows with it")}, {said("days of training")}};
        for (const ChipMemory& memory : memories) {
            panel.x.categories.push_back(fmt::format("{:.0f}", memory.capacity / 1e9));
            panel.x.details.push_back(si_text(memory.bandwidth, "B/s"));
        }
        constexpr std::array roles = {Role::transferVertical, Role::transferHorizontal, Role::compute,
                                      Role::transferThird};
        const std::array names = {said("rates of A100"), said("rates of H200"), said("rates of B200"),
                                  said("1.5 times B200")};
        for (std::size_t g = 0; g < generation_rates.size(); ++g) {
            ChartSeries series{names[g], SeriesKind::line, days[by_exact][g * (rate_points - 1)]};
            series.role = roles[g];
            series.emphasized = g == newest;
            panel.series.push_back(std::move(series));
        }
        result.panels.push_back(std::move(panel));
        result.finding += (result.finding.empty() ? std::string() : said("; ")) +
                          say("{} on {} chips: from A100 to B200, arithmetic makes it {:.2f} times as fast, "
                              "memory {:.2f} times",
                              title, chips, found[m][by_exact].rates, found[m][by_exact].memory);
    }
    ByRules<Judgement> flop, memory;
    for (std::size_t r = 0; r < rule_sets.size(); ++r) {
        const Gains& words = found[0][r];
        const Gains& images = found[1][r];
        const std::string numbers =
            say("arithmetic {:.2f} times and {:.2f} times, memory {:.2f} times and {:.2f} times", words.rates,
                images.rates, words.memory, images.memory);
        flop[r] = {words.rates > words.memory && images.rates > images.memory && words.memory > 0 &&
                       images.memory > 0,
                   numbers};
        memory[r] = {words.memory > 0 && images.memory > words.memory, numbers};
    }
    result.orderings = {judged("figA5-flop", flop), judged("figA5-vision-memory", memory)};
    result.note =
        said("Network and domain stay those of the chosen cluster. Rates and memories lie evenly between "
             "A100, H200, B200 and the published implementation's guess of what follows. Lines are by the "
             "exact rules, and so is the table; by the published ones it has the generations' rates.");
    return result;
}

} // namespace

/// Figure A5: days of training by arithmetic and memory.
const Study flop_and_capacity_study{"flop-and-capacity",
                                    "FLOP against capacity",
                                    "What would faster arithmetic bring, and what better memory?",
                                    "B, Figure A5",
                                    flop_and_capacity,
                                    {true, true, ClustersAsked::largest},
                                    &transformers_evaluation,
                                    Reading::estimated};

} // namespace meshslice
