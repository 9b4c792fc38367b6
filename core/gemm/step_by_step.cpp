#include "core/gemm/step_by_step.h"

namespace meshslice {

void gather_step_by_step(ProgramWriter& chip, ValueId shard, const Decomposed& ring,
                         const std::function<void(ValueId, Turns)>& product) {
    const std::int64_t u = ring.unrolled();
    const ValueId at_hand = chip.first_send_recv(shard, ring.axis, ring.dimension, u);
    if (ring.iterations > 1) {
        chip.loop(ring.iterations - 1, [&] {
            product(at_hand, {{u, 0}, u});
            chip.send_recv(at_hand, ring.axis, ring.dimension, u);
        });
    }
    product(at_hand, {{0, ring.chips - u}, u});
}

void scatter_step_by_step(ProgramWriter& chip, ValueId result, const Decomposed& ring,
                          const std::function<ValueId(Turns)>& product) {
    const std::int64_t u = ring.unrolled();
    const ValueId sum = chip.buffer("C_s", chip.value(result).rows, chip.value(result).columns);
    if (ring.iterations > 1) {
        chip.loop(ring.iterations - 1, [&] {
            chip.add_send_recv(sum, product({{u, 1 - ring.chips}, u}), ring.axis, ring.dimension, u);
        });
    }
    chip.last_add_send_recv(result, sum, product({{0, 1 - u}, u}), ring.axis, ring.dimension, u);
}

} // namespace meshslice
