#include "core/search/lineup.h"

#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/machine/ring_stores.h"
#include "core/scenario/choices.h"

#include <fmt/format.h>

namespace meshslice {

Result<std::vector<LineupEntry>> lineup(const Scenario& scenario, std::size_t gemm,
                                        const RunControl& control) {
    const auto all = products(scenario, scenario.plan.algorithm);
    if (!all) {
        return refuse(all.error());
    }
    if (gemm >= all->size()) {
        return refuse(say("There is no GEMM {}; the step has {}.", gemm + 1, all->size()));
    }
    Scenario one = scenario;
    one.gemm = SingleGemm{(*all)[gemm].shape, (*all)[gemm].dataflow};
    std::vector<LineupEntry> entries;
    const bool gpus = feeds_rings(scenario.hardware);
    for (const Algorithm& algorithm : gpus ? all_algorithms() : algorithms()) {
        LineupEntry entry{std::string(algorithm.id), std::string(algorithm.title), {}, {}};
        Result<TrainingStep> step = training_step(one, entry.algorithm, Depth::simulate, control);
        if (!step && step.error().kind != Error::Kind::cancelled && one.plan.slices) {
            Scenario own = one; // Its slice counts may be others.
            own.plan.slices.reset();
            step = training_step(own, entry.algorithm, Depth::simulate, control);
        }
        if (step) {
            entry.step = std::move(*step);
        } else if (step.error().kind == Error::Kind::cancelled) {
            return refuse(step.error());
        } else {
            entry.objection = step.error().sentence;
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

} // namespace meshslice
