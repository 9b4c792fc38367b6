#include "core/question/catalogue/serve/serve_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A deployment whose time per token takes so much of its limit, by constants that measured runs are up to
/// 13% slower than.
Served served(double share) {
    Served made{};
    RatedDeployment one;
    one.worst = share;
    one.which = "tpot_p95";
    made.rated = RatedSearch{{RatedKind{one, {}}}, 1000, 5};
    made.tpot_band = ServedBand{0.96, 1.13};
    return made;
}

/// 97% and 13% slower are 110% of the limit; 80% and 13% slower are 90%.
TEST(RatedWords, SayWhetherOurErrorIsLargerThanWhatIsLeft) {
    EXPECT_THAT(rated_words(served(0.97)),
                HasSubstr("tpot_p95 takes 97% of its limit, and one in ten measured runs is "
                          "more than 13% slower than ours: the goal may be missed."));
    EXPECT_THAT(rated_words(served(0.8)),
                HasSubstr("tpot_p95 takes 80% of its limit; a run that is 13% slower, as one in "
                          "ten measured ones is, still meets the goal."));
    Served unknown = served(0.97);
    unknown.tpot_band.reset();
    EXPECT_THAT(rated_words(unknown), HasSubstr("tpot_p95 takes 97% of its limit.\n"));
    EXPECT_THAT(rated_words(served(1.2)), Not(HasSubstr("of its limit")));
}

} // namespace
} // namespace meshslice
