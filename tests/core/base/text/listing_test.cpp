#include "core/base/text/listing.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(Listed, PutsAndBeforeTheLast) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"a"}), "a");
    EXPECT_EQ(listed({"a", "b"}), "a and b");
    EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

} // namespace
} // namespace meshslice
