#include "core/step/estimated_step.h"

#include "core/scenario/choices.h"
#include "core/step/distinct_gemms.h"
#include "core/tune/tune.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

/// A product with the best options that the scenario and `slices` leave open.
Result<EstimatedProduct> estimated_product(const Scenario& scenario, const Algorithm& algorithm,
                                           const Torus& torus, const Gemm& gemm,
                                           std::optional<std::int64_t> slices, const std::stop_token& stop) {
    const GemmOptions given = gemm_options(scenario);
    const auto options = best_options(algorithm, gemm.shape, gemm.dataflow, torus, given, slices,
                                      scenario.hardware, scenario.schedule, stop);
    if (!options) {
        return refuse(options.error());
    }
    const auto program = algorithm.write(gemm.shape, gemm.dataflow, torus, *options);
    if (!program) {
        return refuse(program.error());
    }
    if (longest_seconds(*program, scenario.hardware, scenario.schedule) * static_cast<double>(gemm.copies) >
        most_countable_seconds) {
        return refuse(fmt::format("The product {} could take longer than a day; times of up to a day are "
                                  "counted, so take more chips, fewer slices or a smaller product.",
                                  text(gemm.shape)));
    }
    return EstimatedProduct{gemm, *options, estimate(*program, scenario.hardware, scenario.schedule)};
}

void add_up(EstimatedStep& step, const Scenario& scenario) {
    for (const EstimatedProduct& product : step.products) {
        const std::int64_t copies = product.gemm.copies;
        step.time += product.time();
        step.compute += product.estimate.compute * copies;
        step.launch += product.estimate.launch * copies;
        step.sync += product.estimate.sync * copies;
        step.transfer += product.estimate.transfer * copies;
        step.copy += product.estimate.copy * copies;
        step.flop += flop(product.gemm.shape) * copies;
    }
    const double peak = scenario.hardware.peak_rate(scenario.schedule.type).value() * step.chips;
    step.utilisation = static_cast<double>(step.flop.value()) / (peak * in_seconds(step.time));
}

} // namespace

std::vector<std::int64_t> slice_counts(const EstimatedStep& step) {
    std::vector<std::int64_t> counts;
    for (const EstimatedProduct& product : step.products) {
        counts.push_back(product.options.slices);
    }
    return counts;
}

Result<EstimatedStep> estimated_step(const Scenario& scenario, const std::string& id,
                                     const std::vector<std::int64_t>& unroll, std::stop_token stop) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(id);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    const Result<Torus> torus = torus_of(scenario, **algorithm);
    if (!torus) {
        return refuse(torus.error());
    }
    const Result<std::vector<Gemm>> gemms = products(scenario, id);
    if (!gemms) {
        return refuse(gemms.error());
    }
    EstimatedStep step;
    step.algorithm = id;
    step.mesh = scenario.mesh;
    step.chips = torus->chips();
    const bool unrolls = takes_at_most(**algorithm, OptionId::slices) && unroll.size() == gemms->size();
    const std::vector<std::size_t> first = distinct_gemms(*gemms);
    for (std::size_t k = 0; k < gemms->size(); ++k) {
        const Gemm& gemm = (*gemms)[k];
        if (first[k] != k && (!unrolls || unroll[first[k]] == unroll[k])) {
            EstimatedProduct same = step.products[first[k]];
            same.gemm = gemm;
            step.products.push_back(std::move(same));
            continue;
        }
        auto product = estimated_product(scenario, **algorithm, *torus, gemm,
                                         unrolls ? std::optional(unroll[k]) : scenario.slices, stop);
        if (!product) {
            return refuse(product.error());
        }
        step.products.push_back(std::move(*product));
    }
    add_up(step, scenario);
    return step;
}

Result<EstimatedStep> on_best_mesh(const Scenario& scenario, const std::string& id, std::int32_t chips,
                                   const std::vector<std::int64_t>& unroll, std::stop_token stop) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(id);
    if (!algorithm) {
        return refuse(algorithm.error());
    }
    std::optional<EstimatedStep> best;
    std::optional<Error> objection;
    Scenario arranged = scenario;
    for (const std::vector<std::int32_t>& mesh : meshes_of(chips, false)) {
        arranged.mesh = mesh;
        Result<EstimatedStep> step = estimated_step(arranged, id, unroll, stop);
        if (!step && step.error().kind == Error::Kind::cancelled) {
            return step;
        }
        if (!step) {
            objection = objection.value_or(step.error());
        } else if (!best || step->time < best->time) {
            best = std::move(*step);
        }
        if (best && (*algorithm)->torus_axes == 1) {
            break; // One ring through all chips, whatever the mesh.
        }
    }
    if (!best) {
        return refuse(objection.value_or(Error{fmt::format("There is no mesh of {} chips.", chips)}));
    }
    return *std::move(best);
}

} // namespace meshslice
