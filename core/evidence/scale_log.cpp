#include "core/evidence/scale_log.h"

#include "core/base/say.h"
#include "core/evidence/measured_scenario.h"
#include "core/evidence/training/training_amounts.h"
#include "core/evidence/training/training_constants.h"
#include "core/plan/search/chosen_plan.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_measured = 3;

/// "llama" of "Llama 3 70B" and of "llama3-70b".
std::string family_of(std::string_view name) {
    std::string family;
    for (const char letter : name) {
        if (std::isalpha(static_cast<unsigned char>(letter)) == 0) {
            break;
        }
        family += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return family;
}

/// MFU with attention counted half, whatever the row's own convention.
double utilization_of(const TrainingRow& row) {
    TrainingRow counted = row;
    counted.count = FlopCount::half_attention;
    return counted_flop(counted) / measured_step(row) / row.chip->bf16;
}

/// Of a run on its own number of chips the batch on another one; none where that is not whole.
std::optional<std::int64_t> batch_on(const PlanQuestion& question, std::int64_t chips, ScaledBatch batch) {
    if (batch == ScaledBatch::whole) {
        return question.batch;
    }
    // Both are below 2^25.
    const std::int64_t samples = question.batch * chips;
    return samples % question.chips == 0 && samples > 0 ? std::optional(samples / question.chips)
                                                        : std::nullopt;
}

} // namespace

double ScaleRow::expected_utilization() const {
    return best && expected.known() ? meshslice::expected_utilization(*best, expected) : 0;
}

std::vector<std::int64_t> doubled_chips(std::int64_t from, std::int64_t to) {
    std::vector<std::int64_t> all;
    for (std::int64_t chips = from; chips <= to; chips *= 2) {
        all.push_back(chips);
    }
    return all;
}

std::vector<MeasuredAtScale> measured_at_scale(const PlanQuestion& question, std::int64_t chips,
                                               std::size_t most) {
    const Transformer& model = question.model;
    const std::int64_t own_bits = bits(multiplied(question.recipe));
    const TrainingChip* chip = measured_chip(question.machine);
    const std::string family = family_of(model.name);
    if (chip == nullptr || family.empty()) {
        return {};
    }
    const auto parameters = static_cast<double>(layer_parameters(model) + embedding_parameters(model));
    using Rank = std::tuple<bool, bool, double, double>;
    std::vector<std::pair<Rank, const TrainingRow*>> ranked;
    for (const TrainingRow& row : measured_training()) {
        const double apart = std::abs(std::log2(row.chips / static_cast<double>(chips)));
        if (row.reason.empty() && !row.fine_tuning && !row.proxy() && row.chip->family() == chip->family() &&
            family_of(row.model) == family && apart <= 0.5 && row.quantity != TrainingQuantity::none) {
            ranked.push_back({{row.chip != chip, row.bits != own_bits,
                               std::abs(std::log(row.parameters / parameters)), apart},
                              &row});
        }
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<Rank, const TrainingRow*>::first);
    std::vector<MeasuredAtScale> made;
    for (const auto& [rank, row] : ranked) {
        const bool again = std::ranges::any_of(made, [&its = *row](const MeasuredAtScale& other) {
            return other.model == its.model && other.hardware == its.hardware;
        });
        if (made.size() < most && !again) {
            made.push_back({row->id, row->model, row->hardware,
                            row->bits < 16 ? row->precision : std::string(), std::llround(row->chips),
                            utilization_of(*row)});
        }
    }
    return made;
}

Result<ScaleLog> scale_log(const PlanQuestion& question, const std::vector<std::int64_t>& chips,
                           ScaledBatch batch, const RunControl& control) {
    const Result<PlanModel> sound = plan_model(question);
    if (!sound) {
        return refuse(sound.error());
    }
    ScaleLog made{question, batch, sound->capacity(), {}};
    for (std::size_t k = 0; k < chips.size(); ++k) {
        ScaleRow row{chips[k]};
        const std::optional<std::int64_t> samples = batch_on(question, chips[k], batch);
        row.measured = measured_at_scale(question, chips[k], most_measured);
        if (samples) {
            PlanQuestion asked = question;
            asked.chips = row.chips;
            asked.batch = row.batch = *samples;
            RunControl of_search;
            of_search.stop = control.stop;
            const Result<PlanModel> model = plan_model(asked);
            const Result<PlanSpace> space = model ? plan_space(asked, *model) : refuse(model.error());
            const Result<PlanSearch> found =
                space ? search_plans(*model, *space, 1, of_search, ranked_by(asked)) : refuse(space.error());
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            if (found) {
                row.best = found->feasible > 0 ? found->ranked.front() : found->smallest;
                row.expected = expected_of(asked, *row.best);
            } else {
                row.objection = found.error().sentence;
            }
        } else {
            row.batch = 0;
            row.objection = say("A batch of {} on {} chips is not a whole number of samples on {}.",
                                question.batch, question.chips, chips[k]);
        }
        made.rows.push_back(std::move(row));
        if (control.progress != nullptr) {
            control.progress->store(static_cast<double>(k + 1) / static_cast<double>(chips.size()));
        }
    }
    return made;
}

} // namespace meshslice
