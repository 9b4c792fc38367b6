#include "core/base/fields/field_choices.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(FieldChoices, AreFoundOnceWhenSomebodyLooks) {
    int searches = 0;
    const FieldChoices choices = FieldChoices::later([&] {
        ++searches;
        return std::vector<FieldChoice>{{"one", "One"}, {"two", {}}};
    });
    const FieldChoices copy = choices;
    EXPECT_EQ(searches, 0);
    ASSERT_EQ(copy.size(), 2);
    EXPECT_EQ(copy.begin()->label, "One");
    EXPECT_EQ(choices.all().back().word, "two");
    EXPECT_EQ(searches, 1);
}

TEST(FieldChoices, AChangeLeavesCopiesAsTheyAre) {
    const FieldChoices choices = FieldChoices::later([] { return std::vector<FieldChoice>{{"one", {}}}; });
    FieldChoices changed = choices;
    changed.push_back({"two", {}});
    changed.edit().front().label = "First";
    EXPECT_EQ(changed.size(), 2);
    EXPECT_EQ(choices.size(), 1);
    EXPECT_EQ(choices.begin()->label, "");
}

} // namespace
} // namespace meshslice
