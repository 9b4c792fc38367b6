#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/timeline/strip/overview.h"
#include "ui/timeline/view/timeline_view.h"

#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// Two pixels are a microsecond, from pixel 100 on.
const QRect overview_strip(100, 0, 400, 20);
const TimeRange whole_run{microseconds(0), microseconds(200)};

TEST(OverviewDrag, MovesTheFrameWhereItIsGrabbed) {
    const TimeRange range{microseconds(50), microseconds(100)};
    const OverviewDrag drag(overview_strip, whole_run, range, 220); // at 60 us
    EXPECT_EQ(drag.at(220), range);
    EXPECT_EQ(drag.at(240), (TimeRange{microseconds(60), microseconds(110)}));
    EXPECT_EQ(drag.at(0), (TimeRange{microseconds(0), microseconds(50)}));
    EXPECT_EQ(drag.at(900), (TimeRange{microseconds(150), microseconds(200)}));
}

TEST(OverviewDrag, BringsTheFrameToThePointer) {
    const OverviewDrag drag(overview_strip, whole_run, {microseconds(50), microseconds(100)},
                            400); // at 150 us
    EXPECT_EQ(drag.at(400), (TimeRange{microseconds(125), microseconds(175)}));
    EXPECT_EQ(drag.at(410), (TimeRange{microseconds(130), microseconds(180)}));
}

TEST(OverviewDrag, FramesARangeWhileAllIsSeen) {
    const OverviewDrag drag(overview_strip, whole_run, whole_run, 300); // at 100 us
    EXPECT_EQ(drag.at(302), whole_run) << "a click";
    EXPECT_EQ(drag.at(200), (TimeRange{microseconds(50), microseconds(100)}));
}

/// Above the axis of the real view: a drag zooms in, and another moves what is seen.
TEST(Overview, IsDraggedInTheTimeline) {
    HandMadeSession session{handMadeResults()};
    TimelineView view(&session);
    view.resize(1000, 400);
    view.follow();
    view.show();
    const auto range = [&] { return session.selection()->range(); };
    const auto drag = [&](int from, int to) {
        QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, {from, 8});
        QTest::mouseMove(&view, {to, 8});
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, {to, 8});
    };
    EXPECT_FALSE(view.linesAt({500, 8}).isEmpty()) << "it says what it is";
    drag(500, 600);
    const TimeRange framed = range();
    EXPECT_LT(length(framed), microseconds(40));
    EXPECT_GT(length(framed), microseconds(10));
    EXPECT_FALSE(view.marked().has_value());
    const QImage before = view.grab().toImage();
    drag(550, 650);
    EXPECT_EQ(length(range()), length(framed));
    EXPECT_NEAR(in_seconds(range().begin), in_seconds(framed.begin + length(framed)), 1e-6);
    EXPECT_NE(view.grab().toImage(), before);
    session.show(handMadeResults(true));
    EXPECT_FALSE(view.grab().isNull());
}

} // namespace
} // namespace meshslice::ui
