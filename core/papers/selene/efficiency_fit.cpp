#include "core/papers/selene/efficiency_fit.h"

#include "core/machine/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace meshslice {
namespace {

constexpr double data_sheet_hbm = 2.0e12; ///< bytes/s of the card with 80 GB

double judged_by(const StepDeviations& all) {
    return all.mean + all.worst / 2;
}

} // namespace

const Publication& selene_measurements() {
    const Result<const Publication*> paper = publication("selene-measurements");
    assert(paper && "the measurements come with the program");
    return **paper;
}

FittedEfficiencies efficiencies(const Machine& cluster) {
    const Level* domain = switched_domain(cluster.network);
    return {cluster.effective_fraction.value, cluster.hbm_bandwidth.value.value(),
            domain == nullptr ? 1 : domain->efficiency.value};
}

Machine with_efficiencies(const Machine& cluster, const FittedEfficiencies& reached) {
    constexpr const char* fitted =
        "Fitted to eight steps measured on Selene (Korthikanti et al., 2022, table 5)";
    Machine made = cluster;
    made.effective_fraction = {reached.peak, fitted};
    made.hbm_bandwidth = {Bandwidth(reached.hbm), fitted};
    for (Level& level : made.network.levels) {
        if (level.units.value > 0) {
            level.efficiency = {reached.links, fitted};
        }
    }
    return made;
}

Result<StepDeviations> step_deviations(const Machine& cluster) {
    StepDeviations all;
    for (const MeasuredRun& of : measured_runs) {
        for (const bool full : {true, false}) {
            const auto ours = measured_step(of, full, cluster);
            if (!ours) {
                return refuse(ours.error());
            }
            all.steps.push_back(outcome(selene_measurements(),
                                        fmt::format("step-{}-{}", of.id, full ? "full" : "selective"),
                                        ours->time.total, Reading::estimated));
            const double off = std::abs(all.steps.back().deviation());
            all.mean += off / (2 * static_cast<double>(measured_runs.size()));
            all.worst = std::max(all.worst, off);
        }
    }
    return all;
}

Result<EfficiencyFit> fit_efficiencies(const Machine& start, const RunControl& control) {
    auto own = step_deviations(start);
    if (!own) {
        return refuse(own.error());
    }
    EfficiencyFit fit{start, *own, *own};
    FittedEfficiencies best = efficiencies(start);
    double least = 1e9;
    const auto better = [&](const FittedEfficiencies& tried) {
        ++fit.tries;
        const auto found = step_deviations(with_efficiencies(start, tried));
        if (!found || judged_by(*found) >= least) {
            return false;
        }
        least = judged_by(*found);
        best = tried;
        return true;
    };
    for (const double peak : {0.65, 0.7, 0.75, 0.8}) {
        for (const double hbm : {0.4, 0.55, 0.7, 0.85}) {
            for (const double links : {0.25, 0.4, 0.55, 0.7}) {
                if (control.stop.stop_requested()) {
                    return cancelled();
                }
                (void)better({peak, hbm * data_sheet_hbm, links});
            }
        }
    }
    constexpr std::array<double FittedEfficiencies::*, 3> numbers = {
        &FittedEfficiencies::peak, &FittedEfficiencies::hbm, &FittedEfficiencies::links};
    for (double by = 0.1; by > 0.002; by /= 2) {
        for (bool found = true; found;) {
            found = false;
            for (const auto number : numbers) {
                const double most = number == &FittedEfficiencies::hbm ? data_sheet_hbm : 1.0;
                for (const double times : {1 + by, 1 / (1 + by)}) {
                    if (control.stop.stop_requested()) {
                        return cancelled();
                    }
                    FittedEfficiencies next = best;
                    next.*number = std::min(most, next.*number * times);
                    found = better(next) || found;
                }
            }
        }
    }
    fit.hardware = with_efficiencies(start, best);
    auto fitted = step_deviations(fit.hardware);
    if (!fitted) {
        return refuse(fitted.error());
    }
    fit.fitted = *std::move(fitted);
    return fit;
}

} // namespace meshslice
