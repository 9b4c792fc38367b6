#include "core/evidence/collectives/collective_fit.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace meshslice {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

/// Standard deviations of the priors, in logarithms of latency, rate and third constant. They say how
/// different fabrics, operations and stacks are before a row is seen: a stack that is started from Python may
/// pay any latency, and has the same links.
constexpr double noise = 0.06; ///< what libraries and repeats leave unexplained
constexpr double shared_deviation = 0.5;
constexpr CellLogs fabric_deviation = {0.6, 0.35, 0.3};
constexpr CellLogs stack_deviation = {1.5, 0.15, 0.4};
constexpr CellLogs operation_deviation = {0.6, 0.35, 0.3};
constexpr CellLogs cell_deviation = {0.25, 0.12, 0.1};
constexpr double robust_from = 0.05; ///< deviations above it weigh less
constexpr double large_bytes = 16e6;
constexpr double large_weight = 2;

/// Where the effects of a cell stand among the unknowns.
struct Candidate {
    AchievedCell cell;
    CellLogs begin{};
    bool cores = false;
    std::array<Eigen::Index, 4> effects{}; ///< of fabric, stack, operation and cell
};

struct Observed {
    const CollectiveRow* row = nullptr;
    double log_time = 0, weight = 1;
    std::vector<Candidate> candidates;
    std::vector<Candidate> inside; ///< of experts that leave a server; else none
    std::vector<Eigen::Index> touched;
};

class Unknowns {
  public:
    Eigen::Index of(char kind, const AchievedCell& key, const CellLogs& deviation) {
        const auto [found, is_new] = places_.try_emplace({kind, key}, size());
        if (is_new) {
            for (const double one : deviation) {
                precision_.push_back(noise / one);
            }
        }
        return found->second;
    }
    [[nodiscard]] Eigen::Index size() const { return static_cast<Eigen::Index>(precision_.size()); }
    [[nodiscard]] const std::vector<double>& precision() const { return precision_; }
    [[nodiscard]] const auto& places() const { return places_; }

    Unknowns() : precision_(shared_constants, noise / shared_deviation) {}

  private:
    std::vector<double> precision_; ///< of the prior of each, times the noise
    std::map<std::pair<char, AchievedCell>, Eigen::Index> places_;
};

const Fabric& fabric_of(const AchievedAsked& asked) {
    const bool leaves = asked.servers > 1 || asked.network_only;
    return leaves && asked.outside != nullptr ? *asked.outside : *asked.inside;
}

Candidate candidate_of(const AchievedCell& cell, const Fabric& fabric, Unknowns& unknowns) {
    return {cell,
            cell_begin(cell, fabric),
            kind(cell, fabric.law) == CellKind::cores && fabric.law != FabricLaw::network,
            {unknowns.of('f', {cell.fabric, {}, {}}, fabric_deviation),
             unknowns.of('s', {{}, {}, cell.stack}, stack_deviation),
             unknowns.of('o', {{}, cell.operation, {}}, operation_deviation),
             unknowns.of('c', cell, cell_deviation)}};
}

CellLogs logs_of(const Candidate& one, const Vector& x) {
    CellLogs logs = one.begin;
    for (std::size_t effect = 0; effect < one.effects.size(); ++effect) {
        for (std::size_t k = 0; k < logs.size(); ++k) {
            if (effect != 0 || k != 1 || !one.cores) { // What cores move is not the fabric's.
                logs[k] += x[one.effects[effect] + static_cast<Eigen::Index>(k)];
            }
        }
    }
    return logs;
}

double predicted(const Observed& one, const Vector& x) {
    SharedLogs shared{};
    for (std::size_t k = 0; k < shared_constants; ++k) {
        shared[k] = x[static_cast<Eigen::Index>(k)];
    }
    const CellLogs inside = one.inside.empty() ? CellLogs{} : logs_of(one.inside.front(), x);
    double least = 0;
    for (std::size_t k = 0; k < one.candidates.size(); ++k) {
        const Candidate& candidate = one.candidates[k];
        const double time = log_seconds(one.row->asked, candidate.cell, shared, logs_of(candidate, x),
                                        one.inside.empty() ? nullptr : &inside);
        least = k == 0 ? time : std::min(least, time);
    }
    return least;
}

Observed observed_of(const CollectiveRow& row, Unknowns& unknowns) {
    Observed one;
    one.row = &row;
    one.log_time = std::log(row.seconds);
    one.weight = row.bytes >= large_bytes ? large_weight : 1;
    const AchievedAsked& asked = row.asked;
    for (const AchievedCell& cell : achieved_cells(asked)) {
        one.candidates.push_back(candidate_of(cell, fabric_of(asked), unknowns));
    }
    if (asked.servers > 1 && !asked.network_only && asked.operation.starts_with("moe_")) {
        one.inside.push_back(
            candidate_of({asked.inside->name, asked.operation, asked.stack}, *asked.inside, unknowns));
    }
    std::set<Eigen::Index> touched;
    for (std::size_t k = 0; k < shared_constants; ++k) {
        touched.insert(static_cast<Eigen::Index>(k));
    }
    for (const auto* list : {&one.candidates, &one.inside}) {
        for (const Candidate& candidate : *list) {
            for (const Eigen::Index effect : candidate.effects) {
                touched.insert({effect, effect + 1, effect + 2});
            }
        }
    }
    one.touched.assign(touched.begin(), touched.end());
    return one;
}

/// What a deviation counts in the sum, and what it weighs in the next step.
double robust(double deviation) {
    const double part = deviation / robust_from;
    return 2 * robust_from * robust_from * (std::sqrt(1 + part * part) - 1);
}
double robust_weight(double deviation) {
    const double part = deviation / robust_from;
    return 1 / std::sqrt(1 + part * part);
}

class Fit {
  public:
    explicit Fit(const std::vector<CollectiveRow>& rows) {
        for (const CollectiveRow& row : rows) {
            if (row.reason.empty()) {
                observed_.push_back(observed_of(row, unknowns_));
            }
        }
        begin_ = Vector::Zero(unknowns_.size());
        for (std::size_t k = 0; k < shared_constants; ++k) {
            begin_[static_cast<Eigen::Index>(k)] = std::log(first_guess(static_cast<SharedConstant>(k)));
        }
        x_ = begin_;
        precision_ = Eigen::Map<const Vector>(unknowns_.precision().data(), unknowns_.size());
    }

    [[nodiscard]] Result<void> run(const RunControl& control) {
        constexpr int most_steps = 40;
        constexpr double enough = 1e-6;
        constexpr double most_damping = 1e6;
        double damping = 1e-2;
        double cost = cost_at(x_);
        for (int step = 0; step < most_steps && damping < most_damping; ++step) {
            normal_equations();
            double gained = 0;
            while (damping < most_damping) {
                if (control.stop.stop_requested()) {
                    return cancelled();
                }
                Matrix damped = normal_;
                damped.diagonal() += damping * (normal_.diagonal().array() + 1e-6).matrix();
                const Vector next = x_ - damped.ldlt().solve(gradient_);
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

    [[nodiscard]] FittedCollectives fitted() const {
        FittedCollectives made;
        for (std::size_t k = 0; k < shared_constants; ++k) {
            made.constants.shared[k] = x_[static_cast<Eigen::Index>(k)];
        }
        for (const auto& [what, at] : unknowns_.places()) {
            const CellLogs logs = {x_[at], x_[at + 1], x_[at + 2]};
            const auto& [kind, key] = what;
            switch (kind) {
            case 'f': made.constants.fabrics[key.fabric] = logs; break;
            case 's': made.constants.stacks[key.stack] = logs; break;
            case 'o': made.constants.operations[key.operation] = logs; break;
            default: made.constants.cells[key] = logs; break;
            }
        }
        made.cells = cells();
        return made;
    }

  private:
    [[nodiscard]] double cost_at(const Vector& x) const {
        double sum = precision_.cwiseProduct(x - begin_).squaredNorm();
        for (const Observed& one : observed_) {
            sum += robust(one.weight * (predicted(one, x) - one.log_time));
        }
        return sum;
    }

    void normal_equations() {
        constexpr double small = 1e-5;
        normal_ = precision_.cwiseAbs2().asDiagonal();
        gradient_ = precision_.cwiseAbs2().cwiseProduct(x_ - begin_);
        squares_ = 0;
        Vector moved = x_;
        std::vector<double> slopes;
        for (const Observed& one : observed_) {
            const double here = predicted(one, x_);
            const double deviation = one.weight * (here - one.log_time);
            const double weight = robust_weight(deviation);
            squares_ += weight * deviation * deviation;
            slopes.clear();
            for (const Eigen::Index k : one.touched) {
                moved[k] += small;
                slopes.push_back(one.weight * (predicted(one, moved) - here) / small);
                moved[k] = x_[k];
            }
            for (std::size_t i = 0; i < slopes.size(); ++i) {
                const Eigen::Index row = one.touched[i];
                gradient_[row] += weight * slopes[i] * deviation;
                for (std::size_t j = 0; j < slopes.size(); ++j) {
                    normal_(row, one.touched[j]) += weight * slopes[i] * slopes[j];
                }
            }
        }
    }

    /// With standard errors from the inverse of the normal equations.
    [[nodiscard]] std::vector<FittedCell> cells() const {
        const Matrix inverse = normal_.ldlt().solve(Matrix::Identity(normal_.rows(), normal_.cols()));
        const double variance =
            std::max(noise * noise, squares_ / std::max<double>(1, static_cast<double>(observed_.size())));
        std::map<AchievedCell, FittedCell> all;
        std::map<AchievedCell, std::set<std::string>> groups;
        for (const Observed& one : observed_) {
            for (const Candidate& candidate : one.candidates) {
                FittedCell& cell = all[candidate.cell];
                ++cell.rows;
                groups[candidate.cell].insert(one.row->group);
                if (cell.rows > 1) {
                    continue;
                }
                const CellLogs logs = logs_of(candidate, x_);
                cell.cell = candidate.cell;
                cell.kind = kind(candidate.cell, fabric_of(one.row->asked).law);
                cell.latency = std::exp(logs[0]);
                cell.rate = std::exp(logs[1]);
                cell.third = std::exp(logs[2]);
                for (std::size_t k = 0; k < logs.size(); ++k) {
                    double sum = 0;
                    for (const Eigen::Index a : candidate.effects) {
                        for (const Eigen::Index b : candidate.effects) {
                            const auto place = static_cast<Eigen::Index>(k);
                            sum += inverse(a + place, b + place);
                        }
                    }
                    cell.errors[k] = std::sqrt(std::max(0.0, sum * variance));
                }
            }
        }
        std::vector<FittedCell> list;
        for (auto& [key, cell] : all) {
            cell.groups = static_cast<std::int64_t>(groups[key].size());
            list.push_back(std::move(cell));
        }
        return list;
    }

    Unknowns unknowns_;
    std::vector<Observed> observed_;
    Vector begin_, x_, precision_, gradient_;
    Matrix normal_;
    double squares_ = 0;
};

} // namespace

Result<FittedCollectives> fit_collective_constants(const std::vector<CollectiveRow>& rows,
                                                   const RunControl& control) {
    Fit fit(rows);
    if (const Result<void> done = fit.run(control); !done) {
        return refuse(done.error());
    }
    return fit.fitted();
}

Result<std::vector<double>> left_out_errors(const std::vector<CollectiveRow>& rows,
                                            const RunControl& control) {
    std::vector<double> errors(rows.size(), 0);
    for (int fold = 0; fold < folds; ++fold) {
        std::vector<CollectiveRow> rest;
        std::ranges::copy_if(rows, std::back_inserter(rest),
                             [&](const CollectiveRow& row) { return fold_of(row.group) != fold; });
        const Result<FittedCollectives> fitted = fit_collective_constants(rest, control);
        if (!fitted) {
            return refuse(fitted.error());
        }
        for (std::size_t k = 0; k < rows.size(); ++k) {
            if (rows[k].reason.empty() && fold_of(rows[k].group) == fold) {
                errors[k] = log_error(fitted->constants, rows[k]);
            }
        }
    }
    return errors;
}

double log_error(const AchievedConstants& constants, const CollectiveRow& row) {
    return std::log(constants.seconds(row.asked) / row.seconds);
}

} // namespace meshslice
