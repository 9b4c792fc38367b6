#include "core/base/text/nearest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> names = {"all-gather", "all-reduce", "all-to-all",
                                        "reduce",     "llama-3-8b", "llama-3-70b"};

TEST(Nearest, TakesWhatWasTypedInAnotherWay) {
    EXPECT_EQ(resolved("all-reduce", names), "all-reduce");
    EXPECT_EQ(resolved("All_Reduce", names), "all-reduce");
    EXPECT_EQ(resolved("all-r", names), "all-reduce");
    EXPECT_EQ(resolved("reduce", names), "reduce"); // exactly, although a longer name has it too
    EXPECT_EQ(resolved("all", names), "");          // of several
    EXPECT_EQ(resolved("allreduce", names), "");    // not the beginning of any
    EXPECT_EQ(resolved("", names), "");
}

TEST(Nearest, SuggestsWhatWasMeant) {
    EXPECT_THAT(likely_names("allreduce", names), ElementsAre("all-reduce"));
    EXPECT_THAT(likely_names("llama3-8b", names), ElementsAre("llama-3-8b"));
    EXPECT_THAT(likely_names("llama", names), ElementsAre("llama-3-8b", "llama-3-70b"));
    EXPECT_THAT(likely_names("rdeuce", names), ElementsAre("reduce")); // two letters changed places
    EXPECT_THAT(likely_names("gpt", names), IsEmpty());
    EXPECT_EQ(suggestion("allreduce", names), "did you mean all-reduce?");
    EXPECT_EQ(suggestion("gpt", {"a", "b"}), "there are a and b.");
}

} // namespace
} // namespace meshslice
