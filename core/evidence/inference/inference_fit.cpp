#include "core/evidence/inference/inference_fit.h"

#include "core/evidence/folds.h"
#include "core/evidence/inference/served_runs.h"
#include "core/evidence/inference/serving_rows.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace meshslice {
namespace {

using LogVector = Eigen::VectorXd;
using NormalMatrix = Eigen::MatrixXd;
using ResultKind = InferenceQuantity;

/// Weighs the priors against the rows.
constexpr double static_prior_weight = 0.03, serving_prior_weight = 0.2;
constexpr auto first_of_memory = static_cast<std::size_t>(InferenceConstant::runtime);
constexpr std::string_view compared_to = "TensorRT-LLM 0.9"; ///< its engine constants are 1

struct ObservedQuantity {
    const InferenceRow* row = nullptr;
    ResultKind quantity = ResultKind::ttft;
    double log_measured = 0;
    std::array<Eigen::Index, inference_constants> places{}; ///< -1: as in `fixed`
    const InferenceValues* fixed = nullptr;
    double weight = 1;
    double outlier_from = 0.1; ///< deviations above it weigh less
    double correction = 0;     ///< added to the logarithm of what is predicted without simulation
};

double loss_of(double deviation, double outlier_from) {
    const double part = deviation / outlier_from;
    return 2 * outlier_from * outlier_from * (std::sqrt(1 + part * part) - 1);
}
double weight_of(double deviation, double outlier_from) {
    const double part = deviation / outlier_from;
    return 1 / std::sqrt(1 + part * part);
}

/// The quantities that are fitted: the whole time says nothing new next to its parts.
std::vector<ResultKind> fitted_quantities(const InferenceRow& row) {
    const auto has = [&](ResultKind one) { return row.measured[static_cast<std::size_t>(one)] > 0; };
    std::vector<ResultKind> made;
    for (const ResultKind one : {ResultKind::ttft, ResultKind::tpot, ResultKind::memory}) {
        if (has(one)) {
            made.push_back(one);
        }
    }
    if (!has(ResultKind::ttft) && !has(ResultKind::tpot)) {
        for (const ResultKind one : {ResultKind::e2e, ResultKind::throughput}) {
            if (has(one)) {
                made.push_back(one);
                break;
            }
        }
    }
    return made;
}

class InferenceFit {
  public:
    InferenceFit(const std::vector<InferenceRow>& rows, InferenceFitKind kind, const FittedInference* start)
        : serving_(kind == InferenceFitKind::serving), start_(start) {
        std::vector<const InferenceRow*> taken;
        for (const InferenceRow& row : rows) {
            if (row.reason.empty() && row.trust != "c" &&
                (serving_ ? row.log == nullptr : row.load == "static")) {
                taken.push_back(&row);
                measured_chips_.insert(row.asked.chip->name);
            }
        }
        logs_ = serving_ ? means_of_logs(rows) : std::vector<InferenceRow>();
        for (const InferenceRow& row : logs_) {
            taken.push_back(&row);
        }
        for (const InferenceRow* row : taken) {
            observe(*row, rows);
        }
        x_ = begin_ = Eigen::Map<const LogVector>(begins_.data(), static_cast<Eigen::Index>(begins_.size()));
        precision_ =
            Eigen::Map<const LogVector>(precisions_.data(), static_cast<Eigen::Index>(precisions_.size()));
        if (start_ != nullptr) {
            x_ = Eigen::Map<const LogVector>(starts_.data(), static_cast<Eigen::Index>(starts_.size()));
        }
    }

    /// What simulation makes of the rows, next to what is predicted without it.
    [[nodiscard]] Result<void> correct(const RunControl& control) {
        constexpr double share = 0.7;
        for (std::size_t k = 0; k < observed_.size();) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            const InferenceRow& row = *observed_[k].row;
            const InferenceValues values = values_at(observed_[k], x_);
            const InferenceResults simulated =
                row.log == nullptr ? predicted_results(row, values) : mean_of_log(row, values);
            for (; k < observed_.size() && observed_[k].row == &row; ++k) {
                ObservedQuantity& one = observed_[k];
                const double found = simulated[static_cast<std::size_t>(one.quantity)];
                if (found > 0) {
                    const double whole = std::log(found) - (log_predicted(one, values) - one.correction);
                    one.correction += (corrected_ ? share : 1) * (whole - one.correction);
                }
            }
        }
        corrected_ = true;
        return {};
    }

    [[nodiscard]] Result<void> run(const RunControl& control) {
        constexpr int most_steps = 40;
        constexpr double enough = 1e-5, most_damping = 1e4, most_move = 0.5;
        double damping = 1e-3;
        double cost = cost_at(x_);
        for (int step = 0; step < most_steps && damping < most_damping; ++step) {
            normal_equations();
            double gained = 0;
            while (damping < most_damping) {
                if (control.stop.stop_requested()) {
                    return cancelled();
                }
                NormalMatrix damped = normal_;
                damped.diagonal() += damping * (normal_.diagonal().array() + 1e-9).matrix();
                const LogVector move =
                    damped.ldlt().solve(gradient_).cwiseMax(-most_move).cwiseMin(most_move);
                const LogVector next = x_ - move;
                const double its = cost_at(next);
                if (its < cost) {
                    gained = cost - its;
                    x_ = next;
                    cost = its;
                    damping = std::max(damping / 5, 1e-7);
                    break;
                }
                damping *= 5;
            }
            if (gained < enough * cost) {
                break;
            }
        }
        normal_equations();
        return {};
    }

    /// With standard errors from the inverse of the normal equations.
    [[nodiscard]] FittedInference fitted() const {
        const NormalMatrix inverse =
            normal_.ldlt().solve(NormalMatrix::Identity(normal_.rows(), normal_.cols()));
        const double variance = squares_ / std::max<double>(1, static_cast<double>(observed_.size()));
        FittedInference made;
        const std::size_t first_shared = inference_chip_constants + inference_engine_constants;
        made.shared.resize((serving_ ? inference_constants : first_serving_constant) - first_shared);
        if (serving_) {
            const InferenceValues fixed =
                fitted_inference().values(InferenceChip(), std::string(compared_to));
            for (std::size_t k = first_shared; k < inference_constants; ++k) {
                made.shared[k - first_shared].value = fixed[k];
            }
            for (const auto& [name, values] : fixed_) {
                auto& list = made.chips[name];
                for (std::size_t k = 0; k < inference_chip_constants; ++k) {
                    list.push_back({values[k], 0});
                }
            }
        }
        for (const auto& [what, at] : places_) {
            const auto& [name, constant] = what;
            const InferenceFitted one{std::exp(x_[at]), std::sqrt(std::max(0.0, inverse(at, at) * variance))};
            if (is_of_chip(constant)) {
                auto& list = made.chips[name];
                list.resize(inference_chip_constants);
                list[constant] = one;
            } else if (is_of_engine(constant)) {
                auto& list = made.engines[name];
                list.resize(inference_engine_constants);
                list[constant - inference_chip_constants] = one;
            } else {
                made.shared[constant - inference_chip_constants - inference_engine_constants] = one;
            }
            if (const auto rows = rows_.find(name); rows != rows_.end()) {
                made.rows[name] = rows->second;
            }
        }
        return made;
    }

  private:
    void observe(const InferenceRow& row, const std::vector<InferenceRow>& rows) {
        const bool log = row.log != nullptr;
        const auto count =
            log ? std::ranges::count_if(rows, [&](const InferenceRow& one) { return one.log == row.log; })
                : 1;
        rows_[row.asked.chip->name] += count;
        rows_[row.engine] += count;
        const InferenceValues* fixed = nullptr;
        if (serving_) {
            fixed = &fixed_
                         .try_emplace(row.asked.chip->name,
                                      fitted_inference().values(*row.asked.chip, std::string(compared_to)))
                         .first->second;
        }
        std::array<Eigen::Index, inference_constants> places{};
        for (std::size_t k = 0; k < inference_constants; ++k) {
            places[k] = place_of(row, k, fixed);
        }
        for (const ResultKind quantity : fitted_quantities(row)) {
            ObservedQuantity& one = observed_.emplace_back();
            one.row = &row;
            one.quantity = quantity;
            one.log_measured = std::log(row.measured[static_cast<std::size_t>(quantity)]);
            one.places = places;
            one.fixed = fixed;
            if (serving_) {
                const bool first = quantity == ResultKind::ttft;
                constexpr double of_log = 200, first_of_log = 20;
                one.weight = log                        ? (first ? first_of_log : of_log)
                             : !first                   ? 1
                             : row.load == "aggregated" ? 0.1
                                                        : 0;
                one.outlier_from = first ? 0.3 : 0.12;
            }
        }
    }

    Eigen::Index place_of(const InferenceRow& row, std::size_t constant, const InferenceValues* fixed) {
        constexpr std::size_t of_logs = 3; // gemm, memory, cache
        if (serving_ ? !moves_in_serving(constant) || (is_of_chip(constant) && constant >= of_logs &&
                                                       !measured_chips_.contains(row.asked.chip->name))
                     : constant >= first_serving_constant ||
                           (is_of_engine(constant) && row.engine == compared_to)) {
            return -1;
        }
        const std::string& of = is_of_chip(constant)     ? row.asked.chip->name
                                : is_of_engine(constant) ? row.engine
                                                         : all_;
        const auto [found, is_new] =
            places_.try_emplace({of, constant}, static_cast<Eigen::Index>(begins_.size()));
        if (is_new) {
            InferenceConstantSheet known = sheet(static_cast<InferenceConstant>(constant));
            if (serving_) {
                known = serving_sheet(constant);
                if (known.begin == sheet(static_cast<InferenceConstant>(constant)).begin &&
                    constant < first_serving_constant) {
                    known.begin = (*fixed)[constant];
                }
            }
            begins_.push_back(std::log(known.begin));
            precisions_.push_back((serving_ ? serving_prior_weight : static_prior_weight) / known.deviation);
            if (start_ != nullptr) {
                starts_.push_back(std::log(start_->values(*row.asked.chip, row.engine)[constant]));
            }
        }
        return found->second;
    }

    /// All constants that are not fitted are as in `fixed`, or 1.
    [[nodiscard]] static InferenceValues values_at(const ObservedQuantity& one, const LogVector& x) {
        InferenceValues values{};
        for (std::size_t k = 0; k < inference_constants; ++k) {
            values[k] = one.places[k] >= 0           ? std::exp(x[one.places[k]])
                        : one.fixed != nullptr       ? (*one.fixed)[k]
                        : k < first_serving_constant ? 1
                                                     : sheet(static_cast<InferenceConstant>(k)).without;
        }
        return values;
    }
    [[nodiscard]] InferenceResults mean_of_log(const InferenceRow& mean,
                                               const InferenceValues& values) const {
        InferenceRow row = mean;
        RunResults results;
        InferenceResults sums{};
        const auto count = static_cast<double>(mean.log->requests.size());
        for (row.place = 0; row.place < mean.log->requests.size(); ++row.place) {
            const InferenceResults one = results.of(row, values);
            for (std::size_t q = 0; q < inference_quantities; ++q) {
                const bool first = q == static_cast<std::size_t>(ResultKind::ttft);
                sums[q] += (first ? std::log(std::max(one[q], 1e-9)) : one[q]) / count;
            }
        }
        at(sums, ResultKind::ttft) = std::exp(at(sums, ResultKind::ttft));
        return sums;
    }
    [[nodiscard]] static double log_predicted(const ObservedQuantity& one, const InferenceValues& values) {
        const InferenceRow& row = *one.row;
        if (row.load != "static") {
            return std::log(steady_results(row, values)[static_cast<std::size_t>(one.quantity)]) +
                   one.correction;
        }
        switch (one.quantity) {
        case ResultKind::ttft: return std::log(prefill_step(row.asked, values).total());
        case ResultKind::tpot: return std::log(middle_decode_step(row.asked, values).total());
        case ResultKind::memory: return std::log(inference_memory(row.asked, values));
        default: return std::log(predicted_results(row, values)[static_cast<std::size_t>(one.quantity)]);
        }
    }

    [[nodiscard]] double cost_at(const LogVector& x) const {
        double sum = precision_.cwiseProduct(x - begin_).squaredNorm();
        for (const ObservedQuantity& one : observed_) {
            sum += one.weight *
                   loss_of(log_predicted(one, values_at(one, x)) - one.log_measured, one.outlier_from);
        }
        return sum;
    }

    void normal_equations() {
        constexpr double small = 1e-4;
        normal_ = precision_.cwiseAbs2().asDiagonal();
        gradient_ = precision_.cwiseAbs2().cwiseProduct(x_ - begin_);
        squares_ = 0;
        std::vector<std::pair<Eigen::Index, double>> slopes;
        for (const ObservedQuantity& one : observed_) {
            InferenceValues values = values_at(one, x_);
            const double here = log_predicted(one, values);
            const double deviation = here - one.log_measured;
            const double weight = one.weight * weight_of(deviation, one.outlier_from);
            squares_ += weight * deviation * deviation;
            slopes.clear();
            const bool memory = one.quantity == ResultKind::memory;
            for (std::size_t k = 0; k < inference_constants; ++k) {
                const bool of_memory = k >= first_of_memory && k < first_serving_constant;
                if (one.places[k] < 0 || of_memory != memory) {
                    continue;
                }
                const double kept = values[k];
                values[k] *= 1 + small;
                if (const double slope = (log_predicted(one, values) - here) / small; slope != 0) {
                    slopes.emplace_back(one.places[k], slope);
                }
                values[k] = kept;
            }
            for (const auto& [i, of_i] : slopes) {
                gradient_[i] += weight * of_i * deviation;
                for (const auto& [j, of_j] : slopes) {
                    normal_(i, j) += weight * of_i * of_j;
                }
            }
        }
    }

    bool serving_ = false, corrected_ = false;
    const FittedInference* start_ = nullptr;
    std::string all_;
    std::set<std::string> measured_chips_; ///< by more than logs
    std::vector<InferenceRow> logs_;
    std::map<std::string, InferenceValues> fixed_; ///< of a chip, by static batches
    std::map<std::pair<std::string, std::size_t>, Eigen::Index> places_;
    std::map<std::string, std::int64_t, std::less<>> rows_;
    std::vector<double> begins_, precisions_, starts_;
    std::vector<ObservedQuantity> observed_;
    LogVector begin_, x_, precision_, gradient_;
    NormalMatrix normal_;
    double squares_ = 0;
};

} // namespace

std::string fold_part(const InferenceRow& row) {
    return std::to_string(fold_of(row.group));
}

Result<FittedInference> fit_inference_constants(const std::vector<InferenceRow>& rows,
                                                const RunControl& control, InferenceFitKind kind,
                                                const FittedInference* start) {
    InferenceFit fit(rows, kind, start);
    const int looks = kind == InferenceFitKind::serving ? (start == nullptr ? 4 : 2) : 0;
    for (int look = start == nullptr ? 0 : 1; look <= looks; ++look) {
        if (look > 0) {
            if (const Result<void> done = fit.correct(control); !done) {
                return refuse(done.error());
            }
        }
        if (const Result<void> done = fit.run(control); !done) {
            return refuse(done.error());
        }
    }
    return fit.fitted();
}

Result<std::map<std::string, double, std::less<>>>
left_out_errors(const std::vector<InferenceRow>& rows, const LeftOutPart& part, const RunControl& control,
                InferenceFitKind kind, const FittedInference* start) {
    std::set<std::string> parts;
    for (const InferenceRow& row : rows) {
        if (row.reason.empty()) {
            parts.insert(part(row));
        }
    }
    std::map<std::string, double, std::less<>> errors;
    for (const std::string& left_out : parts) {
        std::vector<InferenceRow> rest;
        std::ranges::copy_if(rows, std::back_inserter(rest), [&](const InferenceRow& row) {
            return row.reason.empty() && part(row) != left_out;
        });
        const Result<FittedInference> fitted = fit_inference_constants(rest, control, kind, start);
        if (!fitted) {
            return refuse(fitted.error());
        }
        RunResults results;
        for (const InferenceRow& row : rows) {
            if (!row.reason.empty() || part(row) != left_out) {
                continue;
            }
            const InferenceResults made = results.of(row, fitted->values(*row.asked.chip, row.engine));
            for (std::size_t q = 0; q < inference_quantities; ++q) {
                if (made[q] > 0 && row.measured[q] > 0) {
                    errors[key_of(row, static_cast<ResultKind>(q))] = std::log(made[q] / row.measured[q]);
                }
            }
        }
    }
    return errors;
}

} // namespace meshslice
