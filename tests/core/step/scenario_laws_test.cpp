#include "tests/core/support/scenario_laws.h"

#include <gtest/gtest.h>

#include <map>

namespace meshslice {
namespace {

/// Of random scenarios: a faster part slows nothing, and no run beats its memory or its cores. What is said
/// by closed form (the slice count, what bounds the run, the estimate) may be off where a memory is too
/// narrow for several streams at once, and hardly ever is. tests/bench/law_table prints a thousand.
TEST(ScenarioLaws, Hold) {
    constexpr std::uint32_t scenarios = 40;
    const std::map<Law, double> allowed = {{Law::faster_parts, 0.01},  {Law::memory_floor, 1e-9},
                                           {Law::compute_floor, 1e-9}, {Law::automatic_s, 0.03},
                                           {Law::bound_by, 0.05},      {Law::estimate, 0.05}};
    std::map<Law, int> asked;
    std::map<Law, int> broken;
    for (std::uint32_t seed = 0; seed < scenarios; ++seed) {
        const Breaches found = drawn_breaches(5000 + seed);
        for (const Breaches::One& one : found.all) {
            ++asked[one.law];
            const bool breaks = one.share > allowed.at(one.law);
            broken[one.law] += breaks ? 1 : 0;
            const bool by_closed_form =
                one.law == Law::automatic_s || one.law == Law::bound_by || one.law == Law::estimate;
            EXPECT_TRUE(!breaks || (by_closed_form && one.share < 0.2))
                << name(one.law) << ", " << one.what << ": " << found.words;
        }
    }
    for (const Law law : all_laws) {
        EXPECT_GE(asked[law], law == Law::automatic_s ? 12 : 25) << name(law);
        EXPECT_LE(broken[law], 1) << name(law);
    }
}

} // namespace
} // namespace meshslice
