#include "core/evidence/training/training_fit.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace meshslice {
namespace {

using StepVector = Eigen::VectorXd;
using StepMatrix = Eigen::MatrixXd;
using Index = Eigen::Index;

constexpr double software_noise = 0.06; ///< what software leaves unexplained, in logarithms

/// Where a constant begins, how far chips of a family differ from each other, and what it cannot exceed.
struct Prior {
    double begin = 1, deviation = 0.3, most = std::numeric_limits<double>::infinity();
};
/// Large GEMMs reach 70 to 90% of the rate on most chips (github.com/stas00/ml-engineering,
/// compute/accelerator/README.md, commit 744d01e18b).
constexpr std::array<Prior, chip_constants> chip_priors = {{{0.72, 0.15, 0.95},
                                                            {0.60, 0.20, 0.95},
                                                            {0.45, 0.30, 0.80},
                                                            {0.50, 0.30, 0.95},
                                                            {500e-6, 0.25},
                                                            {0.60, 0.20, 1.00},
                                                            {60e-6, 0.40}}};
constexpr std::array<Prior, stack_constants> stack_priors = {
    {{0.2, 0.7, 1.0}, {0.006, 0.7}, {0.7, 0.3, 1.0}, {0.7, 0.3, 1.0}}};
/// Families differ from where they begin by more than chips from their family.
constexpr double family_spread = 2;

/// A row and where its constants stand among the unknowns.
struct ObservedStep {
    StepAmounts amounts;
    double log_time = 0, weight = 1;
    std::array<Index, chip_constants> chip{};
    std::string chip_name;
};

/// Draws an unknown to a number, or to another unknown.
struct Pull {
    Index what = 0, to = -1;
    double begin = 0, deviation = 1;
};

class TrainingFit {
  public:
    explicit TrainingFit(const std::vector<TrainingRow>& rows) {
        for (std::size_t k = 0; k < stack_constants; ++k) {
            const Prior& prior = stack_priors[k];
            pulls_.push_back({unknown(prior), -1, std::log(prior.begin), prior.deviation});
        }
        std::map<std::string, double> group_rows;
        for (const TrainingRow& row : rows) {
            if (fits(row)) {
                ++group_rows[row.group];
            }
        }
        for (const TrainingRow& row : rows) {
            if (fits(row)) {
                observe(row, 1 / std::sqrt(group_rows[row.group]));
            }
        }
        x_ = Eigen::Map<const StepVector>(begin_.data(), size());
    }

    [[nodiscard]] Result<void> run(const RunControl& control) {
        constexpr int most_steps = 60;
        constexpr double enough = 1e-7, most_damping = 1e6;
        double damping = 1e-2, cost = cost_at(x_);
        for (int step = 0; step < most_steps && damping < most_damping; ++step) {
            normal_equations();
            double gained = 0;
            while (damping < most_damping) {
                if (control.stop.stop_requested()) {
                    return cancelled();
                }
                const StepVector next = moved(damping);
                const double its = cost_at(next);
                if (its < cost) {
                    gained = cost - its;
                    x_ = next;
                    cost = its;
                    damping = std::max(damping / 5, 1e-6);
                    break;
                }
                damping *= 4;
            }
            if (gained < enough * cost) {
                break;
            }
        }
        normal_equations();
        return {};
    }

    [[nodiscard]] FittedTraining fitted() const {
        const StepMatrix inverse = normal_.ldlt().solve(StepMatrix::Identity(size(), size()));
        std::map<Index, std::int64_t> rows;
        for (const ObservedStep& one : observed_) {
            for (const Index at : std::set<Index>(one.chip.begin(), one.chip.end())) {
                ++rows[at];
            }
        }
        const auto value = [&](Index at, std::int64_t its) {
            return FittedValue{std::exp(x_[at]), std::sqrt(std::max(0.0, inverse(at, at))), its};
        };
        FittedTraining made;
        for (std::size_t k = 0; k < stack_constants; ++k) {
            made.stack[k] = value(static_cast<Index>(k), static_cast<std::int64_t>(observed_.size()));
        }
        for (const auto& [key, at] : families_) {
            made.families[key.first][key.second] = value(at, rows.contains(at) ? rows.at(at) : 0);
        }
        for (const auto& [key, at] : chips_) {
            made.chips[key.first][key.second] = value(at, rows.contains(at) ? rows.at(at) : 0);
        }
        return made;
    }

  private:
    using Key = std::pair<std::string, std::size_t>;

    [[nodiscard]] static bool fits(const TrainingRow& row) {
        return row.reason.empty() && !row.anchor && row.quantity != TrainingQuantity::none;
    }
    [[nodiscard]] Index size() const { return static_cast<Index>(begin_.size()); }

    Index unknown(const Prior& prior) {
        begin_.push_back(std::log(prior.begin));
        most_.push_back(std::log(prior.most));
        return size() - 1;
    }

    Index family(std::string_view name, std::size_t k) {
        const auto [found, is_new] = families_.try_emplace({std::string(name), k}, size());
        if (is_new) {
            const Prior& prior = chip_priors[k];
            pulls_.push_back({unknown(prior), -1, std::log(prior.begin), family_spread * prior.deviation});
        }
        return found->second;
    }

    Index chip(const TrainingChip& its, std::size_t k) {
        const Index of = family(its.family(), k);
        if (!of_chip(static_cast<ChipConstant>(k))) {
            return of;
        }
        const auto [found, is_new] = chips_.try_emplace({its.name, k}, size());
        if (is_new) {
            pulls_.push_back({unknown(chip_priors[k]), of, 0, chip_priors[k].deviation});
        }
        return found->second;
    }

    void observe(const TrainingRow& row, double weight) {
        ObservedStep one;
        one.amounts = amounts_of(decided(row));
        one.log_time = std::log(measured_step(row));
        one.weight = weight / software_noise;
        one.chip_name = row.chip->name;
        for (std::size_t k = 0; k < chip_constants; ++k) {
            const auto constant = static_cast<ChipConstant>(k);
            const bool used = (constant != ChipConstant::low_gemm || row.bits < 16) &&
                              (constant != ChipConstant::experts || row.experts > 0);
            one.chip[k] = used ? chip(*row.chip, k) : family(row.chip->family(), k);
        }
        observed_.push_back(std::move(one));
    }

    [[nodiscard]] static double log_step(const ObservedStep& one, const StepVector& x) {
        TrainingEfficiencies reached;
        for (std::size_t k = 0; k < chip_constants; ++k) {
            reached.chip[k] = std::exp(x[one.chip[k]]);
        }
        for (std::size_t k = 0; k < stack_constants; ++k) {
            reached.stack[k] = std::exp(x[static_cast<Index>(k)]);
        }
        return std::log(step_seconds(one.amounts, reached).total);
    }
    [[nodiscard]] static double robust(double deviation) {
        return 2 * (std::sqrt(1 + deviation * deviation) - 1);
    }
    [[nodiscard]] static double deviation(const Pull& pull, const StepVector& x) {
        return (x[pull.what] - (pull.to < 0 ? pull.begin : x[pull.to])) / pull.deviation;
    }

    [[nodiscard]] double cost_at(const StepVector& x) const {
        double sum = 0;
        for (const ObservedStep& one : observed_) {
            sum += robust(one.weight * (log_step(one, x) - one.log_time));
        }
        for (const Pull& pull : pulls_) {
            sum += robust(deviation(pull, x));
        }
        return sum;
    }

    void add(const std::vector<std::pair<Index, double>>& slopes, double deviation) {
        const double weight = 1 / std::sqrt(1 + deviation * deviation);
        for (const auto& [row, slope] : slopes) {
            gradient_[row] += weight * slope * deviation;
            for (const auto& [column, other] : slopes) {
                normal_(row, column) += weight * slope * other;
            }
        }
    }

    void normal_equations() {
        constexpr double small = 1e-5;
        normal_ = StepMatrix::Zero(size(), size());
        gradient_ = StepVector::Zero(size());
        StepVector moved = x_;
        std::vector<std::pair<Index, double>> slopes;
        for (const ObservedStep& one : observed_) {
            const double here = log_step(one, x_);
            std::set<Index> touched(one.chip.begin(), one.chip.end());
            for (std::size_t k = 0; k < stack_constants; ++k) {
                touched.insert(static_cast<Index>(k));
            }
            slopes.clear();
            for (const Index at : touched) {
                moved[at] += small;
                slopes.emplace_back(at, one.weight * (log_step(one, moved) - here) / small);
                moved[at] = x_[at];
            }
            add(slopes, one.weight * (here - one.log_time));
        }
        for (const Pull& pull : pulls_) {
            slopes.assign({{pull.what, 1 / pull.deviation}});
            if (pull.to >= 0) {
                slopes.emplace_back(pull.to, -1 / pull.deviation);
            }
            add(slopes, deviation(pull, x_));
        }
    }

    /// A damped step; what stands at its bound and is driven beyond it stays.
    [[nodiscard]] StepVector moved(double damping) const {
        StepMatrix damped = normal_;
        damped.diagonal() += damping * (normal_.diagonal().array() + 1e-6).matrix();
        StepVector gradient = gradient_;
        for (Index k = 0; k < size(); ++k) {
            if (x_[k] >= most_[static_cast<std::size_t>(k)] - 1e-12 && gradient[k] < 0) {
                damped.row(k).setZero();
                damped.col(k).setZero();
                damped(k, k) = 1;
                gradient[k] = 0;
            }
        }
        StepVector next = x_ - damped.ldlt().solve(gradient);
        for (Index k = 0; k < size(); ++k) {
            next[k] = std::min(next[k], most_[static_cast<std::size_t>(k)]);
        }
        return next;
    }

    std::vector<double> begin_, most_;
    std::map<Key, Index> families_, chips_;
    std::vector<Pull> pulls_;
    std::vector<ObservedStep> observed_;
    StepVector x_, gradient_;
    StepMatrix normal_;
};

} // namespace

Result<FittedTraining> fit_training_constants(const std::vector<TrainingRow>& rows,
                                              const RunControl& control) {
    TrainingFit fit(rows);
    if (const Result<void> done = fit.run(control); !done) {
        return refuse(done.error());
    }
    return fit.fitted();
}

/// The same on every machine, whatever its standard library (FNV-1a).
std::string fold_name(const TrainingRow& row) {
    constexpr std::uint64_t folds = 5;
    std::uint64_t hash = 14695981039346656037u;
    for (const char letter : row.group) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    }
    return std::to_string((hash >> 32) % folds);
}

Result<std::vector<double>> errors_without(const std::vector<TrainingRow>& rows, const TrainingPart& part,
                                           const RunControl& control) {
    std::vector<double> errors(rows.size(), 0);
    std::set<std::string> parts;
    for (const TrainingRow& row : rows) {
        parts.insert(part(row));
    }
    for (const std::string& out : parts) {
        std::vector<TrainingRow> rest;
        std::ranges::copy_if(rows, std::back_inserter(rest),
                             [&](const TrainingRow& row) { return part(row) != out; });
        const Result<FittedTraining> fitted = fit_training_constants(rest, control);
        if (!fitted) {
            return refuse(fitted.error());
        }
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const TrainingRow& row = rows[k];
            if (row.reason.empty() && row.quantity != TrainingQuantity::none && part(row) == out) {
                errors[k] = std::log(predicted_step(decided(row), *fitted).total / measured_step(row));
            }
        }
    }
    return errors;
}

} // namespace meshslice
