// A GEMM that feeds a ring with a slow link, by hand for every policy of memory: SimGrid knows no rule by
// which one flow stands still while another is served, and no strict priority, so that round robin and
// compute first have no other referee.

#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/machine/ring_stores.h"
#include "core/simulate/engine/simulate.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace meshslice {
namespace {

/// FC-2 of T-NLG on 8 GPUs, FLOP of one stage of 28 at 180 TFLOP/s, and c = 8.716288 MB. A link at a quarter
/// of 150 GB/s sends from the first stage's end without a rest, seven chunks, then one more flight and
/// update; no other link or GEMM is as late. The gather begins there, and that link sends seven chunks again,
/// each after a flight. Compute first lets a ring stand still while the GEMM writes, at most for all its
/// writes: 2 x 7 c at 1 TB/s.
TEST(SlowRing, IsAsLongAsItsSlowLink) {
    constexpr std::int32_t chips = 8;
    const Program program =
        *(*algorithm("t3"))->write({8192, 4256, 17024}, Dataflow::LS, *Torus::create({TorusAxis{chips}}), {});
    const double stage = 2.0 * 8192 * 4256 * 2128 / 1.8e14 / 28;
    const double chunk = 8192.0 * 4256 * 2 / chips;
    const double sends = 7 * chunk / (150e9 / 4);
    const double by_hand = stage + sends + 0.5e-6 + 2 * 32768 / 1e12 + sends + 7 * 0.5e-6;
    for (const Chip slow : {0, 5}) {
        Conditions conditions;
        conditions.link_speed.assign(static_cast<std::size_t>(chips * program.torus.link_slots()), 1);
        conditions.link_speed[static_cast<std::size_t>(slow * program.torus.link_slots() +
                                                       link_slot(Axis::vertical, Direction::forward))] = 0.25;
        for (const MemoryPolicy policy : all_memory_policies) {
            Schedule schedule{.ring = RingMode::one_way, .prefetch = {}};
            schedule.arbitration = policy;
            const auto run = simulate(program, *machine_preset("t3-paper"), schedule, conditions);
            ASSERT_TRUE(run);
            const double writes = policy == MemoryPolicy::compute_first ? 2 * 7 * chunk / 1e12 : 0;
            const double took = in_seconds((*run)->end());
            EXPECT_GT(took, by_hand * (1 - 1e-3)) << name(policy) << ' ' << slow;
            EXPECT_LT(took, (by_hand + writes) * (1 + 1e-3)) << name(policy) << ' ' << slow;
        }
    }
}

} // namespace
} // namespace meshslice
