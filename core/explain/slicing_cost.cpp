#include "core/explain/slicing_cost.h"

#include "core/cost/operation_cost.h"

namespace meshslice {
namespace {

Time multiplications(const Program& program, const Scenario& scenario) {
    Time time;
    for (OperationId id = 0; id < program.operations.size(); ++id) {
        const Operation& operation = program.operations[id];
        if (place(operation) == Place::core) {
            time += operation_cost(program, operation, scenario.hardware, scenario.assume.schedule)
                        .total(program.runs(id));
        }
    }
    return time;
}

} // namespace

std::optional<SlicingCost> slicing_cost(const GemmResult& result, const Scenario& scenario,
                                        const Algorithm& algorithm) {
    if (!takes(algorithm, OptionId::slices) || result.options.slices < 2) {
        return std::nullopt;
    }
    GemmOptions one = result.options;
    one.slices = 1;
    const auto whole = algorithm.write(result.gemm.shape, result.gemm.dataflow, result.program->torus, one);
    if (!whole) {
        return std::nullopt;
    }
    const SlicingCost found{result.options.slices, multiplications(*result.program, scenario),
                            multiplications(*whole, scenario)};
    return found.cost() > Time(0) ? std::optional(found) : std::nullopt;
}

Time slicing_cost(const TrainingStep& step, const Scenario& scenario) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(step.algorithm);
    Time all;
    for (const GemmResult& result : step.gemms) {
        const auto one = algorithm ? slicing_cost(result, scenario, **algorithm) : std::nullopt;
        all += one ? one->cost() * result.gemm.copies : Time(0);
    }
    return all;
}

} // namespace meshslice
