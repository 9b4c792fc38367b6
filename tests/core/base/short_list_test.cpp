#include "core/base/short_list.h"

#include <gmock/gmock.h>

#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int> values(const ShortList<int, 3>& list) {
    return {list.begin(), list.end()};
}

TEST(ShortList, KeepsItsValuesInOrder) {
    EXPECT_THAT(values({}), IsEmpty());
    EXPECT_THAT(values({7, 5}), ElementsAre(7, 5));
    EXPECT_THAT(values({7, 5, 7}), ElementsAre(7, 5, 7));
    EXPECT_EQ((ShortList<int, 3>{7, 5}).size(), 2u);
}

/// As many values, the same ones, in the same order; a list that ends in zeros is not the shorter one.
TEST(ShortList, EqualsWhatHasTheSameValues) {
    const ShortList<int, 3> list{7, 5};
    EXPECT_EQ(list, (ShortList<int, 3>{7, 5}));
    EXPECT_NE(list, (ShortList<int, 3>{5, 7}));
    EXPECT_NE(list, (ShortList<int, 3>{7}));
    EXPECT_NE(list, (ShortList<int, 3>{7, 5, 0}));
}

} // namespace
} // namespace meshslice
