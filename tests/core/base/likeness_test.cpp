#include "core/base/likeness.h"

#include <gtest/gtest.h>

namespace meshslice {
namespace {

TEST(Likeness, AMistypedWordIsLikeTheOneThatWasMeant) {
    const std::vector<std::string> known = {"mesh", "model", "batch"};
    EXPECT_EQ(likely("modle", known), "model") << "two letters";
    EXPECT_EQ(likely("Mesh", known), "mesh") << "its case alone";
    EXPECT_EQ(likely("batches", known), "batch");
    EXPECT_EQ(likely("colour", known), "");
    EXPECT_EQ(likely("ms", known), "") << "half of it";
}

} // namespace
} // namespace meshslice
