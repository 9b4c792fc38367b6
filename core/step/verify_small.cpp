#include "core/step/verify_small.h"

#include "core/execute/execute.h"

namespace meshslice {

GemmShape quick_shape(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                      const Torus& torus, const GemmOptions& options) {
    const Result<Program> whole = algorithm.write(shape, dataflow, torus, options);
    if (whole && flop(shape).value() / 2 <= most_quick_products && small_enough(*whole)) {
        return shape;
    }
    GemmShape small = shape;
    for (std::int64_t GemmShape::*const dimension : {&GemmShape::m, &GemmShape::n, &GemmShape::k}) {
        while (small.*dimension % 2 == 0) {
            GemmShape half = small;
            half.*dimension /= 2;
            if (!algorithm.write(half, dataflow, torus, options)) {
                break;
            }
            small = half;
        }
    }
    return small;
}

Result<SmallVerification> verify_small(const Algorithm& algorithm, const GemmShape& shape, Dataflow dataflow,
                                       const Torus& torus, const GemmOptions& options,
                                       const Schedule& schedule, std::uint64_t seed,
                                       const std::stop_token& stop) {
    SmallVerification small;
    small.shape = quick_shape(algorithm, shape, dataflow, torus, options);
    const Result<Program> program = algorithm.write(small.shape, dataflow, torus, options);
    if (!program) {
        return refuse(program.error());
    }
    Result<Verification> verification = verify(*program, schedule, Numbers::integers, seed, stop);
    if (!verification) {
        return refuse(verification.error());
    }
    small.verification = *std::move(verification);
    return small;
}

} // namespace meshslice
