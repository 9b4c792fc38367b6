#include "core/execute/execute.h"

#include "core/execute/machine.h"

#include <fmt/format.h>

#include <memory>

namespace meshslice {

Result<void> small_enough(const Program& program) {
    std::int64_t elements = 0;
    for (const Value& value : program.values) {
        elements += value.elements();
    }
    __extension__ using Wide = __int128;
    if (static_cast<Wide>(elements) * program.torus.chips() > most_executed_elements ||
        flop(program.shape).value() / 2 > most_executed_products) {
        return refuse(fmt::format("The GEMM {} on {} chips is too large to run on real matrices; at most {} "
                                  "elements on all chips together and {} multiply-adds are.",
                                  text(program.shape), program.torus.chips(), most_executed_elements,
                                  most_executed_products));
    }
    return {};
}

template <class Number>
Result<Execution<Number>> execute(const Program& program, const Schedule& schedule,
                                  const DenseMatrix<Number>& a, const DenseMatrix<Number>& b,
                                  const std::stop_token& stop, const TrackedRing& actors) {
    if (const Result<void> small = small_enough(program); !small) {
        return refuse(small.error());
    }
    const std::unique_ptr<Machine<Number>> chips = machine<Number>(program, schedule, stop);
    chips->scatter(left_value, a);
    chips->scatter(right_value, b);
    Execution<Number> execution;
    const auto run = [&](OperationId begin, std::size_t end, std::int64_t iteration) {
        for (std::size_t id = begin; id < end && !stop.stop_requested(); ++id) {
            const Fusion* const fusion = program.fusion_of(static_cast<OperationId>(id));
            if (fusion != nullptr && fusion->collective == id) {
                execution.fused.push_back(chips->run_fused(*fusion, actors));
            } else {
                chips->run(program.operations[id], iteration);
            }
        }
    };
    run(0, program.loop_begin, 0);
    if (program.loop_begin != program.loop_end) {
        for (std::int64_t iteration = 0; iteration < program.iterations && !stop.stop_requested();
             ++iteration) {
            run(program.loop_begin, program.loop_end, iteration);
        }
    }
    run(program.loop_end, program.operations.size(), 0);
    if (stop.stop_requested()) {
        return cancelled();
    }
    bool disagree = false;
    execution.product = chips->gather(output_value, program.shape.m, program.shape.n, disagree);
    execution.copies_agree = !disagree;
    execution.links = chips->traffic();
    return execution;
}

template Result<Execution<std::int64_t>> execute(const Program&, const Schedule&,
                                                 const DenseMatrix<std::int64_t>&,
                                                 const DenseMatrix<std::int64_t>&, const std::stop_token&,
                                                 const TrackedRing&);
template Result<Execution<float>> execute(const Program&, const Schedule&, const DenseMatrix<float>&,
                                          const DenseMatrix<float>&, const std::stop_token&,
                                          const TrackedRing&);
template Result<Execution<double>> execute(const Program&, const Schedule&, const DenseMatrix<double>&,
                                           const DenseMatrix<double>&, const std::stop_token&,
                                           const TrackedRing&);

} // namespace meshslice
