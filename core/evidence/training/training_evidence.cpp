#include "core/evidence/training/training_evidence.h"

#include "core/evidence/eight_of_ten.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t near_runs = 30;
constexpr std::size_t shown_runs = 5;

double doublings(double a, double b) {
    return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : 0;
}
/// Of matrices, about.
double size_of(const TrainingRow& row) {
    return row.layers * row.hidden * row.hidden * (row.experts > 0 ? 8 : 12);
}
double between_chips(const TrainingChip& a, const TrainingChip& b) {
    constexpr double generation = 0.7, kind = 1, family = 2;
    if (a.name == b.name) {
        return 0;
    }
    return a.family() != b.family() ? family : a.name.front() == b.name.front() ? generation : kind;
}

/// The part of their distance that chips, software and kind of model make.
double distance_in_kind(const TrainingRow& a, const TrainingRow& b) {
    constexpr double other_stack = 1, other_kind = 2, other_bits = 0.5;
    double sum = between_chips(*a.chip, *b.chip);
    sum += a.stack == b.stack ? 0 : other_stack;
    sum += (a.experts > 0) == (b.experts > 0) ? 0 : other_kind;
    sum += a.bits == b.bits ? 0 : other_bits;
    return sum;
}

/// How unlike two runs are; 1 is another stack.
double distance(const TrainingRow& a, const TrainingRow& b) {
    constexpr double of_size = 0.15, of_chips = 0.1, of_sequence = 0.1, other_split = 0.3;
    double sum = distance_in_kind(a, b);
    sum += of_size * doublings(size_of(a), size_of(b)) + of_chips * doublings(a.chips, b.chips) +
           of_sequence * doublings(a.sequence, b.sequence);
    for (const auto& [its, other] : {std::pair(a.tensor, b.tensor), std::pair(a.pipeline, b.pipeline),
                                     std::pair(a.context, b.context)}) {
        sum += (its > 1) == (other > 1) ? 0 : other_split;
    }
    return sum;
}

double place_in(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return sorted[below] * (1 - part) + sorted[above] * part;
}

/// Whether it is another run, of another configuration.
bool is_of_another(const TrainingRow& row, const NearTraining& known) {
    return known.row->group != row.group && known.row->id != row.id;
}

/// Rows with errors, the nearest first.
std::vector<NearTraining> nearest_of(const TrainingRow& row, const std::vector<NearTraining>& known) {
    std::vector<NearTraining> near;
    for (const NearTraining& one : known) {
        if (is_of_another(row, one)) {
            near.push_back({one.row, distance(row, *one.row), one.log_error});
        }
    }
    const std::size_t count = std::min(near_runs, near.size());
    std::ranges::partial_sort(
        near, near.begin() + static_cast<std::ptrdiff_t>(count), {},
        [](const NearTraining& one) { return std::tuple(one.distance, std::abs(one.log_error)); });
    near.resize(count);
    return near;
}

/// Whether a reader is shown the same of both: the same run on the same chips and software.
bool shown_alike(const TrainingRow& a, const TrainingRow& b) {
    const auto shown = [](const TrainingRow& row) {
        return std::tie(row.model, row.hardware, row.framework, row.chips, row.batch, row.sequence,
                        row.precision, row.lora, row.fine_tuning);
    };
    return shown(a) == shown(b);
}

/// How far apart what two runs train is: all weights on text, all of them on packed samples, or adapters. A
/// chip of another family does not make up for that.
int other_training(const TrainingRow& a, const TrainingRow& b) {
    const auto kind = [](const TrainingRow& row) { return row.lora ? 2 : row.fine_tuning ? 1 : 0; };
    return a.chip->family() == b.chip->family() ? std::abs(kind(a) - kind(b)) : 2;
}

/// Those that a reader is shown, each once: of the same training first, of these the nearest.
std::vector<NearTraining> shown_near(const TrainingRow& row, const std::vector<NearTraining>& known) {
    struct Candidate {
        int other;
        NearTraining run;
    };
    std::vector<Candidate> near;
    for (const NearTraining& one : known) {
        if (is_of_another(row, one)) {
            near.push_back(
                {other_training(row, *one.row), {one.row, distance(row, *one.row), one.log_error}});
        }
    }
    std::ranges::stable_sort(near, {}, [](const Candidate& one) {
        return std::tuple(one.other, one.run.distance, std::abs(one.run.log_error));
    });
    std::vector<NearTraining> shown;
    for (const Candidate& one : near) {
        const bool again = std::ranges::any_of(
            shown, [&](const NearTraining& other) { return shown_alike(*one.run.row, *other.row); });
        if (!again) {
            shown.push_back(one.run);
        }
        if (shown.size() == shown_runs) {
            break;
        }
    }
    return shown;
}

/// |ln| of the errors of these rows that a share of eight_of_ten does not exceed (split conformal).
double conformal(const std::vector<NearTraining>& rows) {
    std::vector<double> errors;
    for (const NearTraining& one : rows) {
        errors.push_back(std::abs(one.log_error));
    }
    std::ranges::sort(errors);
    const double place = std::ceil(eight_of_ten * static_cast<double>(errors.size() + 1)) - 1;
    return errors[std::min(static_cast<std::size_t>(place), errors.size() - 1)];
}

/// Half of an interval of eight_of_ten, in logarithms: so many of the nearest were no further off. Few rows
/// train adapters, so that most of the nearest may train all weights and be less off: a run with adapters is
/// taken to be off by no less than these few are.
double half_band(const TrainingRow& row, const std::vector<NearTraining>& near,
                 const std::vector<NearTraining>& known) {
    const double half = widened(conformal(near), near.front().distance);
    std::vector<NearTraining> adapters;
    std::ranges::copy_if(known, std::back_inserter(adapters), [&](const NearTraining& one) {
        return row.lora && one.row->lora && one.row->group != row.group && one.row->id != row.id;
    });
    return adapters.empty() ? half : std::max(half, conformal(adapters));
}

void set_answer(PredictedTraining& one, double step_s, const std::vector<NearTraining>& known) {
    const TrainingRow& row = one.row();
    one.predicted = quantity_of(row, step_s);
    one.low = one.high = one.predicted;
    const std::vector<NearTraining> near = nearest_of(row, known);
    if (!near.empty()) {
        const double half = half_band(row, near, known);
        one.low = one.predicted * std::exp(-half);
        one.high = one.predicted * std::exp(half);
        one.nearest = shown_near(row, known);
        one.distance = near.front().distance;
    }
}

std::vector<NearTraining> known_errors(const FittedTraining& fitted,
                                       const std::vector<TrainingRow>& shipped) {
    std::vector<NearTraining> known;
    for (const TrainingRow& row : shipped) {
        if (const auto found = fitted.left_out.find(row.id);
            row.reason.empty() && !row.anchor && found != fitted.left_out.end()) {
            known.push_back({&row, 0, found->second});
        }
    }
    return known;
}

/// Mean error where each group has its own best value: the median of what was measured.
double floor_of(const std::vector<const PredictedTraining*>& rows) {
    std::map<std::pair<std::string, TrainingQuantity>, std::vector<double>> groups;
    for (const PredictedTraining* one : rows) {
        groups[{one->row().group, one->row().quantity}].push_back(one->row().measured);
    }
    double sum = 0;
    for (auto& [group, values] : groups) {
        std::ranges::sort(values);
        const double best = values[(values.size() - 1) / 2];
        for (const double value : values) {
            sum += std::abs(best / value - 1);
        }
    }
    return sum / static_cast<double>(rows.size());
}

TrainingSummary summary_of(const std::vector<const PredictedTraining*>& rows) {
    TrainingSummary made;
    made.rows = static_cast<std::int64_t>(rows.size());
    std::vector<double> errors;
    std::vector<const PredictedTraining*> scored;
    for (const PredictedTraining* one : rows) {
        if (one->scored()) {
            scored.push_back(one);
            errors.push_back(std::abs(one->error()));
            made.mean += errors.back();
            made.inside_band += one->inside() ? 1 : 0;
        }
    }
    made.predicted = static_cast<std::int64_t>(errors.size());
    if (errors.empty()) {
        return made;
    }
    const auto count = static_cast<double>(errors.size());
    std::ranges::sort(errors);
    made.mean /= count;
    made.inside_band /= count;
    made.median = place_in(errors, 0.5);
    made.ninetieth = place_in(errors, 0.9);
    made.worst = errors.back();
    made.floor = floor_of(scored);
    return made;
}

} // namespace

double widened(double half, double distance) {
    constexpr double widening = 0.5;
    return half * (1 + widening * distance);
}

std::vector<PredictedTraining> predicted_training(const FittedTraining& fitted,
                                                  const std::vector<TrainingRow>& shipped,
                                                  const std::vector<TrainingRow>& asked) {
    const std::vector<NearTraining> known = known_errors(fitted, shipped);
    std::vector<PredictedTraining> made;
    for (const TrainingRow& row : asked) {
        PredictedTraining& one = made.emplace_back();
        one.training = decided(row);
        if (row.reason.empty()) {
            one.step = predicted_step(one.training, fitted);
            set_answer(one, one.step.total, known);
        }
    }
    return made;
}

std::vector<PredictedTraining> left_out_training(const FittedTraining& fitted,
                                                 const std::vector<TrainingRow>& shipped,
                                                 const std::vector<TrainingRow>& asked,
                                                 const std::vector<double>& log_errors) {
    const std::vector<NearTraining> known = known_errors(fitted, shipped);
    std::vector<PredictedTraining> made;
    for (std::size_t k = 0; k < asked.size(); ++k) {
        PredictedTraining& one = made.emplace_back();
        one.training = decided(asked[k]);
        if (asked[k].reason.empty() && asked[k].quantity != TrainingQuantity::none) {
            set_answer(one, measured_step(asked[k]) * std::exp(log_errors[k]), known);
        }
    }
    return made;
}

std::vector<double> distances_to_nearest(const FittedTraining& fitted,
                                         const std::vector<TrainingRow>& shipped,
                                         const std::vector<const TrainingRow*>& asked) {
    const std::vector<NearTraining> known = known_errors(fitted, shipped);
    std::vector<double> made;
    for (const TrainingRow* row : asked) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const NearTraining& one : known) {
            if (distance_in_kind(*row, *one.row) < nearest && is_of_another(*row, one)) {
                nearest = std::min(nearest, distance(*row, *one.row));
            }
        }
        made.push_back(nearest);
    }
    return made;
}

const std::vector<PredictedTraining>& left_out_training() {
    static const std::vector<PredictedTraining> all = [] {
        const FittedTraining& fitted = fitted_training();
        std::vector<TrainingRow> rows;
        std::vector<double> errors;
        for (const TrainingRow& row : measured_training()) {
            const auto known = fitted.left_out.find(row.id);
            if (row.reason.empty() && !row.doubtful && row.quantity != TrainingQuantity::none &&
                known != fitted.left_out.end()) {
                rows.push_back(row);
                errors.push_back(known->second);
            }
        }
        return left_out_training(fitted, measured_training(), rows, errors);
    }();
    return all;
}

double predicted_seconds(const PredictedTraining& one) {
    return one.row().quantity == TrainingQuantity::step_time ? one.predicted
                                                             : quantity_of(one.row(), one.predicted);
}

double step_error(const PredictedTraining& one) {
    return predicted_seconds(one) / measured_step(one.row()) - 1;
}

std::vector<TrainingSummary> training_summaries(const std::vector<PredictedTraining>& rows) {
    std::map<std::tuple<std::string, std::string, std::string>, std::vector<const PredictedTraining*>> parts;
    for (const PredictedTraining& one : rows) {
        const TrainingRow& row = one.row();
        if (row.doubtful || row.quantity == TrainingQuantity::none) {
            continue;
        }
        const std::string kind = row.anchor ? "anchors" : row.experts > 0 ? "experts" : "dense";
        parts[{"", "", kind}].push_back(&one);
        parts[{"hardware", row.hardware, kind}].push_back(&one);
        parts[{"framework", row.framework, kind}].push_back(&one);
    }
    std::vector<TrainingSummary> made;
    for (const auto& [key, part] : parts) {
        TrainingSummary& one = made.emplace_back(summary_of(part));
        std::tie(one.by, one.name, one.model_kind) = key;
    }
    return made;
}

} // namespace meshslice
