#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/timeline/timeline_view.h"

#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// A pixel is a microsecond, from pixel 100 on.
const TimeScale mark_scale{{microseconds(0), microseconds(200)}, 100, 200};

TEST(TimeMarks, AreFoundNearThePointer) {
    const std::vector<TimeMark> marks = {{"a", microseconds(10)}, {"b", microseconds(16)}};
    EXPECT_EQ(markAt(marks, mark_scale, 106), 0u);
    EXPECT_EQ(markAt(marks, mark_scale, 114), 1u) << "the nearest";
    EXPECT_EQ(markAt(marks, mark_scale, 122), std::nullopt);
    EXPECT_EQ(markAt({}, mark_scale, 110), std::nullopt);
}

TEST(TimeMarks, ComeAndGo) {
    std::vector<TimeMark> marks = toggled({}, mark_scale, 150);
    EXPECT_EQ(marks, (std::vector<TimeMark>{{"Mark 1", microseconds(50)}}));
    marks = toggled(marks, mark_scale, 180);
    EXPECT_EQ(marks.back(), (TimeMark{"Mark 2", microseconds(80)}));
    marks = toggled(marks, mark_scale, 148);
    EXPECT_EQ(marks, (std::vector<TimeMark>{{"Mark 2", microseconds(80)}}));
    EXPECT_EQ(freeMarkName(marks), "Mark 1");
    EXPECT_EQ(toggled({}, mark_scale, 50).front().at, Time(0)) << "no run begins before 0";
}

/// M at the pointer; undo takes it back; a number goes there.
TEST(TimeMarks, AreSetByKeyAndKeptInTheDocument) {
    HandMadeSession session{handMadeResults()};
    TimelineView view(&session);
    view.resize(1000, 300);
    view.follow();
    view.show();
    Document& document = session.own_document;
    const QImage before = view.grab().toImage();
    QTest::mouseMove(&view, {600, 150});
    QTest::keyClick(&view, Qt::Key_M);
    ASSERT_EQ(document.project().marks.size(), 1u);
    const Time at = document.project().marks[0].at;
    EXPECT_GT(at, microseconds(60));
    EXPECT_LT(at, microseconds(160));
    QTest::mouseMove(&view, {2, 2});
    EXPECT_NE(view.grab().toImage(), before);
    EXPECT_EQ(view.linesAt({600, overviewHeight(1) + 12}).value(0), QStringLiteral("Mark 1"));

    document.undoStack()->undo();
    EXPECT_TRUE(view.linesAt({600, overviewHeight(1) + 12}).isEmpty());
    document.undoStack()->redo();
    session.selection()->setRange({microseconds(0), microseconds(10)});
    QTest::keyClick(&view, Qt::Key_2); // there is none
    EXPECT_EQ(session.selection()->range().begin, microseconds(0));
    QTest::keyClick(&view, Qt::Key_1);
    EXPECT_LE(session.selection()->range().begin, at);
    EXPECT_GE(session.selection()->range().end, at);
    EXPECT_EQ(session.selection()->moment(), at);
    QTest::keyClick(&view, Qt::Key_Home);
    QTest::mouseMove(&view, {601, 150});
    QTest::keyClick(&view, Qt::Key_M);
    EXPECT_TRUE(document.project().marks.empty()) << "the mark that is there goes";
}

} // namespace
} // namespace meshslice::ui
