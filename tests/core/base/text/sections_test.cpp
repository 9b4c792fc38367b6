#include "core/base/text/sections.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(Sections, AreTheHeadingsOfTheSecondLevelWithTheirLines) {
    EXPECT_EQ(sections("# Title\n\nBefore.\n\n## One\n\nfirst\nsecond\n\nthird\n## Two\n"),
              (std::vector<Section>{{"One", {"first", "second", "third"}}, {"Two", {}}}));
    EXPECT_TRUE(sections("").empty());
    EXPECT_EQ(sections("## Last, without a line break"),
              (std::vector<Section>{{"Last, without a line break", {}}}));
}

} // namespace
} // namespace meshslice
