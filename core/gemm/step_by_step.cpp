#include "core/gemm/step_by_step.h"

namespace meshslice {

void gather_step_by_step(ProgramWriter& chip, ValueId shard, Axis axis, Dimension dimension, std::int64_t P,
                         const std::function<void(ValueId, Turn)>& product) {
    const ValueId at_hand = chip.copy(shard);
    if (P > 1) {
        chip.loop(P - 1, [&] {
            product(at_hand, {1, 0});
            chip.exchange(at_hand, axis, dimension);
        });
    }
    product(at_hand, {0, P - 1});
}

void scatter_step_by_step(ProgramWriter& chip, ValueId result, Axis axis, Dimension dimension, std::int64_t P,
                          const std::function<ValueId(Turn)>& product) {
    const ValueId sum = chip.buffer("C_s", chip.value(result).rows, chip.value(result).columns);
    if (P > 1) {
        chip.loop(P - 1, [&] {
            chip.add(sum, product({1, -(P - 1)}));
            chip.exchange(sum, axis, dimension);
        });
    }
    chip.add(result, product({0, 0}));
    chip.add(result, sum);
}

} // namespace meshslice
