#include "core/import/hlo/hlo_lists.h"
#include "core/import/hlo/hlo_loops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;

/// A loop over (i, x) from `first` on, which adds `step` and goes on while `compare` of its condition.
std::string counting(const std::string& first, const std::string& step, const std::string& compare,
                     const std::string& settings = {}) {
    return "HloModule m, is_scheduled=true\n"
           "%body (t: (s32[], f32[8])) -> (s32[], f32[8]) {\n"
           "  %t = (s32[], f32[8]{0}) parameter(0)\n"
           "  %i = s32[] get-tuple-element(%t), index=0\n"
           "  %x = f32[8]{0} get-tuple-element(%t), index=1\n"
           "  %step = s32[] constant(" +
           step +
           ")\n"
           "  %next = s32[] add(%i, %step)\n"
           "  ROOT %r = (s32[], f32[8]{0}) tuple(%next, %x)\n"
           "}\n"
           "%cond (u: (s32[], f32[8])) -> pred[] {\n"
           "  %u = (s32[], f32[8]{0}) parameter(0)\n"
           "  %j = s32[] get-tuple-element(%u), index=0\n"
           "  %n = s32[] constant(10)\n"
           "  ROOT %c = pred[] compare(" +
           compare +
           "\n"
           "}\n"
           "ENTRY %main (p: f32[8]) -> f32[8] {\n"
           "  %p = f32[8]{0} parameter(0)\n"
           "  %first = s32[] constant(" +
           first +
           ")\n"
           "  %b = (s32[], f32[8]{0}) tuple(%first, %p)\n"
           "  %w = (s32[], f32[8]{0}) while(%b), condition=%cond, body=%body" +
           settings +
           "\n"
           "  ROOT %o = f32[8]{0} get-tuple-element(%w), index=1\n"
           "}\n";
}

std::optional<std::int64_t> trips_in(const std::string& text) {
    const auto module = read_hlo_module(text, "step.txt");
    EXPECT_TRUE(module) << module.error().sentence;
    const HloRepeats repeats = module ? hlo_repeats(*module) : HloRepeats();
    EXPECT_EQ(repeats.loops.size(), 1u);
    return repeats.loops.empty() ? std::nullopt : repeats.loops[0].trips;
}

TEST(HloLoopTrips, FollowFromTheCondition) {
    EXPECT_EQ(trips_in(counting("0", "1", "%j, %n), direction=LT")), 10);
    EXPECT_EQ(trips_in(counting("1", "1", "%j, %n), direction=LE")), 10) << "1 to 10";
    EXPECT_EQ(trips_in(counting("0", "3", "%j, %n), direction=LT")), 4) << "0, 3, 6, 9";
    EXPECT_EQ(trips_in(counting("30", "-4", "%j, %n), direction=GT")), 5) << "30, 26, 22, 18, 14";
    EXPECT_EQ(trips_in(counting("0", "1", "%n, %j), direction=GT")), 10) << "the other way around";
    EXPECT_EQ(trips_in(counting("0", "5", "%j, %n), direction=NE")), 2) << "0, 5";
    EXPECT_EQ(trips_in(counting("12", "1", "%j, %n), direction=LT")), 0);
}

TEST(HloLoopTrips, AreUnknownWhereTheConditionDoesNotSayThem) {
    EXPECT_EQ(trips_in(counting("0", "-1", "%j, %n), direction=LT")), std::nullopt) << "does not end";
    EXPECT_EQ(trips_in(counting("0", "3", "%j, %n), direction=NE")), std::nullopt) << "passes 10";
    std::string by_data = counting("0", "1", "%j, %n), direction=LT");
    by_data.replace(by_data.find("%first = s32[] constant(0)"), 26, "%first = s32[] custom-call()");
    EXPECT_EQ(trips_in(by_data), std::nullopt) << "begins at what is computed";
}

/// What XLA wrote counts before the condition: as JSON, and as a text in quotes.
TEST(HloLoopTrips, AreThoseThatXlaWrote) {
    const std::string compare = "%j, %n), direction=LT";
    EXPECT_EQ(trips_in(counting("0", "1", compare,
                                ", backend_config={\"known_trip_count\":{\"n\":\"7\"},"
                                "\"known_init_step\":{\"init\":\"0\",\"step\":\"1\"}}")),
              7);
    EXPECT_EQ(
        trips_in(counting("0", "1", compare, R"(, backend_config="{\"known_trip_count\":{\"n\":\"8\"}}")")),
        8);
    EXPECT_EQ(trips_in(counting("0", "1", compare, ", backend_config={\"other\":{\"n\":\"7\"}}")), 10);
    EXPECT_EQ(known_hlo_trips("{\"known_trip_count\": { \"n\": 25 } }"), 25);
    EXPECT_EQ(known_hlo_trips("{\"known_trip_count\":{\"n\":\"-\"}}"), std::nullopt);
    EXPECT_EQ(known_hlo_trips("known_trip_count"), std::nullopt);
}

/// The additions and comparisons that XLA fuses, as openxla/xla's command_buffer tests have them.
TEST(HloLoopTrips, FollowThroughFusions) {
    EXPECT_EQ(trips_in("HloModule m\n"
                       "compare_fusion {\n"
                       "  a = s32[] parameter(0)\n"
                       "  ten = s32[] constant(10)\n"
                       "  ROOT c = pred[] compare(a, ten), direction=LT\n"
                       "}\n"
                       "add_two {\n"
                       "  b = s32[] parameter(0)\n"
                       "  two = s32[] constant(2)\n"
                       "  ROOT d = s32[] add(b, two)\n"
                       "}\n"
                       "body {\n"
                       "  t = (s32[], f32[]) parameter(0)\n"
                       "  i = s32[] get-tuple-element(t), index=0\n"
                       "  x = f32[] get-tuple-element(t), index=1\n"
                       "  n = s32[] fusion(i), kind=kLoop, calls=add_two\n"
                       "  ROOT r = (s32[], f32[]) tuple(n, x)\n"
                       "}\n"
                       "cond {\n"
                       "  u = (s32[], f32[]) parameter(0)\n"
                       "  j = s32[] get-tuple-element(u), index=0\n"
                       "  ROOT f = pred[] fusion(j), kind=kLoop, calls=compare_fusion\n"
                       "}\n"
                       "ENTRY main {\n"
                       "  p = f32[] parameter(0)\n"
                       "  z = s32[] constant(0)\n"
                       "  s = s32[] copy(z)\n"
                       "  b = (s32[], f32[]) tuple(s, p)\n"
                       "  ROOT w = (s32[], f32[]) while(b), condition=cond, body=body\n"
                       "}\n"),
              5);
}

/// The inner body runs 3 x 4 times, its condition 3 x (4 + 1), the outer one's 3 + 1; what a call runs in the
/// inner body as often as that; an unknown loop once.
TEST(HloRepeatsOfComputations, MultiplyWithinEachOther) {
    const std::string loop = "  ROOT %w = f32[8]{0} while(%p), condition=%";
    const auto computation = [](const std::string& name, const std::string& root) {
        return "%" + name + " (p: f32[8]) -> f32[8] {\n  %p = f32[8]{0} parameter(0)\n" + root + "\n}\n";
    };
    const std::string yes = "  ROOT %y = pred[] custom-call(%p)";
    const std::string times = ", backend_config={\"known_trip_count\":{\"n\":\"";
    const auto module = read_hlo_module(
        "HloModule m\n" + computation("leaf", "  ROOT %n = f32[8]{0} negate(%p)") +
            computation("inner", "  ROOT %c = f32[8]{0} call(%p), to_apply=%leaf") + computation("ci", yes) +
            computation("outer", loop + "ci, body=%inner" + times + "4\"}}") + computation("co", yes) +
            computation("free", "  ROOT %f = f32[8]{0} negate(%p)") + computation("cf", yes) + "ENTRY " +
            computation("main", "  %u = f32[8]{0} while(%p), condition=%cf, body=%free\n" + loop +
                                    "co, body=%outer" + times + "3\"}}"),
        "step.txt");
    ASSERT_TRUE(module) << module.error().sentence;
    const HloRepeats repeats = hlo_repeats(*module);
    std::vector<std::int64_t> counts;
    std::vector<bool> known;
    for (const HloTimes& one : repeats.computations) {
        counts.push_back(one.times);
        known.push_back(one.known());
    }
    EXPECT_THAT(counts, ElementsAre(12, 12, 15, 3, 4, 1, 1, 1));
    EXPECT_THAT(known, ElementsAre(true, true, true, true, true, false, false, true));
    ASSERT_EQ(repeats.loops.size(), 3u);
    EXPECT_EQ(repeats.loops[0].trips, 4);
    EXPECT_TRUE(repeats.loops[0].written);
    EXPECT_EQ(repeats.loops[1].trips, std::nullopt);
    EXPECT_FALSE(repeats.computations[5].trips_known);
    EXPECT_FALSE(repeats.computations[5].conditional);
}

/// One of two branches runs in each of 5 trips: either at most 5 times, and what both call at most 10 times.
TEST(HloRepeatsOfComputations, AreTheMostInBranches) {
    const auto module = read_hlo_module(
        "HloModule m\n"
        "leaf {\n  p = f32[8] parameter(0)\n  ROOT n = f32[8] negate(p)\n}\n"
        "left {\n  p = f32[8] parameter(0)\n  ROOT c = f32[8] call(p), to_apply=leaf\n}\n"
        "right {\n  p = f32[8] parameter(0)\n  ROOT c = f32[8] call(p), to_apply=leaf\n}\n"
        "body {\n  p = f32[8] parameter(0)\n  w = pred[] custom-call(p)\n"
        "  ROOT c = f32[8] conditional(w, p, p), true_computation=left, false_computation=right\n}\n"
        "yes {\n  p = f32[8] parameter(0)\n  ROOT y = pred[] custom-call(p)\n}\n"
        "ENTRY main {\n  p = f32[8] parameter(0)\n"
        "  ROOT l = f32[8] while(p), condition=yes, body=body, "
        "backend_config={\"known_trip_count\":{\"n\":\"5\"}}\n}\n",
        "step.txt");
    ASSERT_TRUE(module) << module.error().sentence;
    const std::vector<HloTimes> all = hlo_repeats(*module).computations;
    ASSERT_EQ(all.size(), 6u);
    for (const auto& [at, times] : {std::pair(0u, 10), std::pair(1u, 5), std::pair(2u, 5)}) {
        EXPECT_EQ(all[at].times, times) << at;
        EXPECT_TRUE(all[at].conditional) << at;
        EXPECT_FALSE(all[at].known()) << at;
        EXPECT_TRUE(all[at].trips_known) << at;
    }
    EXPECT_EQ(all[3].times, 5);
    EXPECT_TRUE(all[3].known()) << "the body";
}

/// Each is 2^53, of which an int64 holds 1023.
TEST(HloRepeatsOfComputations, AreNotKnownBeyondWhatTheyCount) {
    HloTimes sum{0};
    for (int k = 0; k < 2000; ++k) {
        sum.add({HloTimes::most});
    }
    EXPECT_EQ(sum.times, std::int64_t{1} << 53);
    EXPECT_FALSE(sum.known());
    EXPECT_TRUE(HloTimes{HloTimes::most - 1}.known());
}

} // namespace
} // namespace meshslice
