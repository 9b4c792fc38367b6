#include "core/evidence/training/step_ratio.h"

#include "core/evidence/eight_of_ten.h"
#include "core/evidence/training/training_evidence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

/// Fewer do not show how far off a ratio is.
constexpr std::size_t least_groups = 10;

/// What two runs share, and how both are run.
struct PairClass {
    bool model = false, chip = false, numbers = false, adapters = false;
    TrainingStack first = TrainingStack::megatron, second = TrainingStack::megatron; ///< in order

    auto operator<=>(const PairClass&) const = default;
};

PairClass class_of(const StepKind& a, const StepKind& b) {
    return {a.model == b.model, a.chip == b.chip,           a.numbers == b.numbers,
            a.adapters,         std::min(a.stack, b.stack), std::max(a.stack, b.stack)};
}

/// What pairs of a class have in common: one group of them.
using PairGroup = std::tuple<std::string, std::string, std::string, std::string, bool>;

PairGroup group_of(const TrainingRow& row, const PairClass& of) {
    const std::string all;
    return {of.model ? row.model : all, of.chip ? row.hardware : all, of.numbers ? row.precision : all,
            of.first == of.second ? row.framework : all, row.fine_tuning};
}

/// Errors of the ratios of a group's pairs, and the rows that they are of.
struct GroupErrors {
    std::vector<double> errors;
    std::set<const TrainingRow*> rows;
};
using ClassErrors = std::map<PairClass, std::map<PairGroup, GroupErrors>>;

struct RowError {
    const TrainingRow* row;
    double log_error;
    StepKind kind;
};

/// Rows with errors, each with how unlike the nearest one of another configuration is.
std::vector<RowError> known_rows(const FittedTraining& fitted, const std::vector<TrainingRow>& shipped) {
    std::vector<RowError> known;
    std::vector<const TrainingRow*> rows;
    for (const TrainingRow& row : shipped) {
        const auto found = fitted.left_out.find(row.id);
        if (row.reason.empty() && !row.anchor && !row.doubtful && found != fitted.left_out.end()) {
            known.push_back({&row, found->second, kind_of(row)});
            rows.push_back(&row);
        }
    }
    const std::vector<double> distances = distances_to_nearest(fitted, shipped, rows);
    for (std::size_t k = 0; k < known.size(); ++k) {
        known[k].kind.nearest = distances[k];
    }
    return known;
}

/// How far apart the errors of two runs are, as if a run like them had been measured.
double error_of_ratio(const RowError& a, const RowError& b) {
    return std::abs(a.log_error - b.log_error) / widened(1, std::max(a.kind.nearest, b.kind.nearest));
}

ClassErrors errors_of_pairs(const FittedTraining& fitted, const std::vector<TrainingRow>& shipped) {
    const std::vector<RowError> known = known_rows(fitted, shipped);
    ClassErrors all;
    for (std::size_t k = 0; k < known.size(); ++k) {
        const TrainingRow& a = *known[k].row;
        for (std::size_t other = k + 1; other < known.size(); ++other) {
            const TrainingRow& b = *known[other].row;
            const bool alike = a.group != b.group && a.lora == b.lora && a.fine_tuning == b.fine_tuning &&
                               (a.stack != b.stack || a.framework == b.framework);
            if (alike) {
                const PairClass of = class_of(known[k].kind, known[other].kind);
                GroupErrors& group = all[of][group_of(a, of)];
                group.errors.push_back(error_of_ratio(known[k], known[other]));
                group.rows.insert({&a, &b});
            }
        }
    }
    return all;
}

/// What a share of eight_of_ten does not exceed, where each group weighs as much as its rows, and one group
/// more, of the mean weight, is off by any amount: that of the two runs that are asked about (split conformal
/// prediction: Papadopoulos et al. 2002).
StepRatio ratio_of(const std::map<PairGroup, GroupErrors>& groups) {
    StepRatio made;
    std::vector<std::pair<double, double>> weighed; ///< error and weight
    double all = 0;
    for (const auto& [name, group] : groups) {
        const auto rows = static_cast<double>(group.rows.size());
        for (const double error : group.errors) {
            weighed.emplace_back(error, rows / static_cast<double>(group.errors.size()));
        }
        all += rows;
    }
    std::ranges::sort(weighed);
    const double with_one_more = all + all / static_cast<double>(groups.size());
    double sum = 0;
    for (const auto& [error, weight] : weighed) {
        sum += weight;
        made.half = error;
        if (sum >= eight_of_ten * with_one_more) {
            break;
        }
    }
    made.pairs = static_cast<std::int64_t>(weighed.size());
    made.groups = static_cast<std::int64_t>(groups.size());
    return made;
}

using ClassRatios = std::map<PairClass, StepRatio>;

ClassRatios ratios_of(const ClassErrors& errors) {
    ClassRatios made;
    for (const auto& [of, groups] : errors) {
        if (groups.size() >= least_groups) {
            StepRatio ratio = ratio_of(groups);
            ratio.model = of.model;
            ratio.chip = of.chip;
            ratio.numbers = of.numbers;
            ratio.software = of.first == of.second;
            made.emplace(of, ratio);
        }
    }
    return made;
}

std::optional<StepRatio> ratio_in(const ClassRatios& all, const StepKind& a, const StepKind& b) {
    const auto found = all.find(class_of(a, b));
    if (found == all.end() || a.adapters != b.adapters || a.model.empty()) {
        return std::nullopt;
    }
    StepRatio made = found->second;
    made.wider = widened(1, std::max(a.nearest, b.nearest));
    made.half *= made.wider;
    return made;
}

} // namespace

double StepRatio::least_times() const {
    return std::exp(half);
}

StepKind kind_of(const TrainingRow& row) {
    return {row.model, row.hardware, row.precision, row.stack, row.lora};
}

std::optional<StepRatio> step_ratio(const FittedTraining& fitted, const std::vector<TrainingRow>& shipped,
                                    const StepKind& a, const StepKind& b) {
    return ratio_in(ratios_of(errors_of_pairs(fitted, shipped)), a, b);
}

std::optional<StepRatio> step_ratio(const StepKind& a, const StepKind& b) {
    static const ClassRatios all = ratios_of(errors_of_pairs(fitted_training(), measured_training()));
    return ratio_in(all, a, b);
}

} // namespace meshslice
