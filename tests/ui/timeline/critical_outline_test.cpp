#include "tests/ui/support/hand_made_results.h"
#include "ui/timeline/critical_outline.h"

#include <gmock/gmock.h>

namespace meshslice::ui {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

CriticalEvent event(std::int64_t start, std::int64_t end, std::int32_t row) {
    return {microseconds(start), microseconds(end), row, 0, 0, {}, {}};
}

/// Of the hand-made GEMMs: the south link (row 1) launches, synchronizes and transfers until about 42 us,
/// then the core (row 0) launches and multiplies until 90 us.
CriticalPath handMadePath() {
    CriticalPath path;
    path.events = {event(0, 10, 1), event(10, 15, 1), event(15, 42, 1), event(42, 44, 0), event(44, 90, 0)};
    return path;
}

/// A pixel is a microsecond, from pixel 10 on; rows of 18 pixels from y = 100 on.
const TimeScale scale{{microseconds(0), microseconds(200)}, 10, 200};
const QRect area(0, 100, 210, 90);
constexpr int row_height = 18;

std::vector<QRect> outlines(const CriticalPath& path, const TimeScale& shown = scale,
                            std::size_t first_row = 0) {
    const StepRuns runs = runsOf(handMadeResults());
    return outlineCriticalPath(
        *runs[0], [&](std::size_t) { return &path; }, shown, area, row_height,
        first_row < 20 ? rowsFrom(first_row, 20 - first_row) : std::vector<RowLine>());
}

QRect inRow(int left, int right, int row) {
    return {left, 100 + row * row_height, right - left, row_height};
}

/// Two GEMMs of 100 us each, with the same path.
TEST(CriticalOutline, HasOneFrameForEachStayInARow) {
    EXPECT_THAT(outlines(handMadePath()), UnorderedElementsAre(inRow(10, 52, 1), inRow(52, 100, 0),
                                                               inRow(110, 152, 1), inRow(152, 200, 0)));
}

TEST(CriticalOutline, ShowsOnlyRowsAndTimesThatAreSeen) {
    // From 30 to 80 us, four pixels each: of the first GEMM's stays, cut at the picture's edges.
    const TimeScale closer{{microseconds(30), microseconds(80)}, 10, 200};
    EXPECT_THAT(outlines(handMadePath(), closer), UnorderedElementsAre(inRow(10, 58, 1), inRow(58, 210, 0)));
    // Row 1 is the first that is shown, and the core's is above it.
    EXPECT_THAT(outlines(handMadePath(), scale, 1),
                UnorderedElementsAre(inRow(10, 52, 0), inRow(110, 152, 0)));
    EXPECT_THAT(outlines(handMadePath(), scale, 1000), IsEmpty());
    EXPECT_THAT(outlines(handMadePath(), {{microseconds(0), microseconds(200)}, 10, 0}), IsEmpty());
}

/// The launch of a chip that only receives is in no row.
TEST(CriticalOutline, LeavesOutWhatIsInNoRow) {
    CriticalPath path;
    path.events = {event(0, 10, -1), event(10, 20, 0)};
    EXPECT_THAT(outlines(path), UnorderedElementsAre(inRow(20, 30, 0), inRow(120, 130, 0)));
}

/// A thousand changes between two rows within 100 us: frames of less than a pixel flow together, so that each
/// row has one; what is far enough keeps its own.
TEST(CriticalOutline, JoinsWhatIsTooNarrowToTellApart) {
    CriticalPath path;
    for (int k = 0; k < 1000; ++k) {
        path.events.push_back({Time(k * 100'000), Time((k + 1) * 100'000), k % 2, 0, 0, {}, {}});
    }
    EXPECT_THAT(outlines(path), SizeIs(2)); // both GEMMs: the second begins where the first ends
    path.events = {event(0, 1, 0), event(50, 51, 0)};
    EXPECT_THAT(outlines(path),
                ElementsAre(inRow(10, 15, 0), inRow(60, 65, 0), inRow(110, 115, 0), inRow(160, 165, 0)));
}

TEST(CriticalOutline, IsNothingWhereNoPathIsKnown) {
    const StepRuns runs = runsOf(handMadeResults());
    const PathOf none = [](std::size_t) -> const CriticalPath* { return nullptr; };
    EXPECT_THAT(outlineCriticalPath(*runs[0], none, scale, area, row_height, rowsFrom(0, 20)), IsEmpty());
}

TEST(CriticalOutline, KnowsWhatThePathDoesAtATime) {
    const CriticalPath path = handMadePath();
    EXPECT_EQ(eventAt(path, microseconds(0)), path.events.data());
    EXPECT_EQ(eventAt(path, microseconds(10)), path.events.data() + 1); // an event ends where the next begins
    EXPECT_EQ(eventAt(path, microseconds(89)), path.events.data() + 4);
    EXPECT_EQ(eventAt(path, microseconds(90)), nullptr);
    EXPECT_EQ(eventAt(path, Time(-1)), nullptr);
}

} // namespace
} // namespace meshslice::ui
