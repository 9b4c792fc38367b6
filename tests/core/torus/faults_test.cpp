#include "core/torus/faults.h"

#include <gmock/gmock.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Faults faults(const std::vector<const char*>& words) {
    Faults all;
    for (const char* fault : words) {
        all.parts.push_back(*parse_fault(fault));
    }
    return all;
}

TEST(Fault, IsReadAsItIsWritten) {
    for (const char* words :
         {"3,5 east 50%", "0,0 core 80%", "1,2 north dead", "1,2,3 down 12.5%", "7 south 0.1%"}) {
        const auto fault = parse_fault(words);
        ASSERT_TRUE(fault) << words;
        EXPECT_EQ(text(*fault), words);
    }
    EXPECT_EQ(parse_fault("3,5 west 0.5")->speed, 0.5);
}

TEST(Fault, RefusesWordsThatAreNone) {
    const std::vector<std::pair<const char*, const char*>> cases = {
        {"", "three words"},
        {"3,5 east", "three words"},
        {"3,5 east 50% now", "three words"},
        {"x east 50%", "not a chip"},
        {"0,0, east 50%", "not a chip"},
        {",0 east 50%", "not a chip"},
        {"-1,2 east 50%", "not a chip"},
        {"3,5 sideways 50%", "not a part"},
        {"3,5 east half", "not a share"},
        {"3,5 east 150%", "or dead"},
        {"3,5 east -5%", "or dead"},
        {"3,5 core dead", "core nothing"},
        {"3,5 core 0.00001", "0.001%; expected from 0.1% to 100%"},
        {"3,5 east 50", "\"3,5 east 50\" leaves a share of 5000%"},
        {"3,5 core 100.0001%", "100.0001%"},
        {"3,5 east nan", "not a share"}};
    for (const auto& [words, reason] : cases) {
        const auto fault = parse_fault(words);
        ASSERT_FALSE(fault) << words;
        EXPECT_THAT(fault.error().sentence, HasSubstr(reason)) << words;
    }
}

TEST(Conditions, HoldTheSpeedOfEveryPart) {
    const Torus torus = *Torus::create({4, 6});
    const auto found = conditions(torus, faults({"1,2 east 50%", "3,5 core 80%"}));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->link(torus, 1 * 6 + 2, link_slot(Axis::horizontal, Direction::forward)), 0.5);
    EXPECT_EQ(found->link(torus, 1 * 6 + 2, link_slot(Axis::horizontal, Direction::backward)), 1);
    EXPECT_EQ(found->core(23), 0.8);
    EXPECT_EQ(found->core(22), 1);
    EXPECT_TRUE(conditions(torus, {})->healthy());
}

TEST(Conditions, RefuseWhatTheTorusDoesNotHave) {
    const Torus torus = *Torus::create({{4, true}, {6, false}});
    const std::vector<std::pair<std::vector<const char*>, const char*>> cases = {
        {{"4,0 core 50%"}, "does not have"},
        {{"0 core 50%"}, "does not have"},
        {{"0,5 east 50%"}, "no neighbour"},
        {{"0,0 up 50%"}, "no neighbour"},
        {{"0,0 core 50%", "0,0 core 60%"}, "another fault"},
        {{"0,2 east dead"}, "without wrap-around there is no other way round: the torus is cut"},
        {{"0,2 south dead", "2,2 north dead"}, "the torus is cut"}};
    for (const auto& [words, reason] : cases) {
        const auto found = conditions(torus, faults(words));
        ASSERT_FALSE(found) << words.front();
        EXPECT_THAT(found.error().sentence, HasSubstr(reason));
    }
    // Both directions of one connection: what would go south goes north over the other three, and the other
    // way round.
    EXPECT_TRUE(conditions(torus, faults({"0,2 south dead", "1,2 north dead"})));
    EXPECT_TRUE(conditions(torus, faults({"0,2 south dead", "2,2 south dead"})));
    EXPECT_FALSE(conditions(torus, {{}, most_jitter + Time(1), 1}));
}

/// Chips 0 1 2 / 3 4 5 stand in the ring as 0 1 2 5 4 3: chip 2's way on is south, chip 4's west.
TEST(Ring, MeetsTheFaultsOfTheLinksThatItUses) {
    const Torus torus = *Torus::create({2, 3});
    const auto found =
        conditions_on_ring(torus, faults({"0,0 east 50%", "1,1 west 25%", "1,1 core 10%", "1,0 west 5%"}));
    ASSERT_TRUE(found);
    EXPECT_THAT(found->core_speed, ElementsAre(1, 1, 1, 1, 0.1, 1));
    // Forward and backward of every place.
    EXPECT_THAT(found->link_speed, ElementsAre(0.5, 1, 1, 1, 1, 1, 1, 1, 0.25, 1, 1, 1));
}

} // namespace
} // namespace meshslice
