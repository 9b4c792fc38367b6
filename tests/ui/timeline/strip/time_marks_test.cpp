#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/timeline/view/timeline_view.h"

#include <QMenu>
#include <QPainter>
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
    EXPECT_EQ(marks, (std::vector<TimeMark>{{"Mark 1", microseconds(80)}})) << "it is the first one now";
    EXPECT_EQ(toggled({}, mark_scale, 50).front().at, Time(0)) << "no run begins before 0";
}

/// The number in a mark's name is that of its key, whenever it was set; one with a name keeps it and says its
/// number, too.
TEST(TimeMarks, AreNumberedFromLeftToRight) {
    std::vector<TimeMark> marks = toggled({}, mark_scale, 180);
    marks = toggled(marks, mark_scale, 140);
    EXPECT_EQ(marks, (std::vector<TimeMark>{{"Mark 1", microseconds(40)}, {"Mark 2", microseconds(80)}}));
    marks[0].name = "first slice";
    marks = toggled(marks, mark_scale, 120);
    EXPECT_EQ(marks[0], (TimeMark{"Mark 1", microseconds(20)}));
    EXPECT_EQ(marks[1], (TimeMark{"first slice", microseconds(40)}));
    EXPECT_EQ(marks[2], (TimeMark{"Mark 3", microseconds(80)}));
    EXPECT_EQ(markTitle(marks, 1), QStringLiteral("2: first slice"));
    EXPECT_EQ(markTitle(marks, 2), QStringLiteral("Mark 3"));
    const QStringList said = markLines(marks, 1, QStringLiteral("40 us"));
    EXPECT_EQ(said.mid(0, 2), QStringList({QStringLiteral("2: first slice"), QStringLiteral("40 us")}));
    EXPECT_TRUE(said.join(QLatin1Char(' ')).contains(QStringLiteral("Key 2")));
    EXPECT_EQ(markLines(std::vector<TimeMark>(10, TimeMark{"x", {}}), 9, {}).size(), 3)
        << "no key goes there";
}

/// On an axis from 100 to 300 a flag from 150 on: a label of 40 pixels at 160 goes to its nearer side.
TEST(TimeMarks, TheLabelOfTheCursorCoversNoFlag) {
    const QRect ruler(100, 0, 200, 24);
    const std::vector<MarkFlag> flags = {{150, QRectF(150, 1, 60, 18), QStringLiteral("Mark 1")}};
    EXPECT_DOUBLE_EQ(freeOfFlags(260, 40, flags, ruler), 240) << "in the middle where it is free";
    EXPECT_DOUBLE_EQ(freeOfFlags(100, 40, flags, ruler), 100) << "within the axis";
    EXPECT_DOUBLE_EQ(freeOfFlags(160, 40, flags, ruler), 150 - 4 - 40);
    EXPECT_DOUBLE_EQ(freeOfFlags(205, 40, flags, ruler), 210 + 4);
    EXPECT_DOUBLE_EQ(freeOfFlags(160, 180, flags, ruler), 100) << "nowhere is it free";
    const std::vector<MarkFlag> made =
        markFlags({{"Mark 1", microseconds(50)}, {"Mark 2", microseconds(52)}}, mark_scale, ruler);
    ASSERT_EQ(made.size(), 2u);
    EXPECT_EQ(made[0].x, 150);
    EXPECT_FALSE(made[0].place.isEmpty());
    EXPECT_TRUE(made[1].place.isEmpty()) << "its title would meet the other one";
}

/// The line of a mark leaves out the words that it would cross.
TEST(TimeMarks, LinesLeaveOutWords) {
    QImage image(200, 100, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paintMarks(painter, {{50, {}, {}}}, QRect(0, 0, 200, 20), 99,
               {QRect(40, 40, 30, 20), QRect(60, 70, 30, 20)}, Theme::light);
    painter.end();
    const auto inked = [&](int from, int to) {
        for (int y = from; y < to; ++y) {
            if (image.pixelColor(50, y) != QColor(Qt::white)) {
                return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(inked(21, 40));
    EXPECT_FALSE(inked(40, 60));
    EXPECT_TRUE(inked(60, 70));
    EXPECT_TRUE(inked(70, 90)) << "the other words are elsewhere";
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
    QMenu menu;
    view.offer(menu);
    QAction* remove = nullptr;
    for (QAction* entry : menu.actions()) {
        remove = entry->text() == QStringLiteral("Remove a mark") ? entry : remove;
    }
    ASSERT_NE(remove, nullptr);
    ASSERT_EQ(remove->menu()->actions().size(), 3) << "the mark, a line, all of them";
    remove->menu()->actions().front()->trigger();
    EXPECT_TRUE(document.project().marks.empty());
    document.undoStack()->undo();
    ASSERT_EQ(document.project().marks.size(), 1u);
    QTest::mouseMove(&view, {601, 150});
    QTest::keyClick(&view, Qt::Key_M);
    EXPECT_TRUE(document.project().marks.empty()) << "the mark that is there goes";
}

} // namespace
} // namespace meshslice::ui
