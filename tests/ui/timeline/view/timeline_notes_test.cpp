#include "core/base/text.h"
#include "core/report/trace/chrome_trace.h"
#include "tests/ui/support/drawn_texts.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/commands/trace_file.h"
#include "ui/timeline/view/timeline_notes.h"
#include "ui/timeline/view/timeline_table.h"
#include "ui/timeline/view/timeline_view.h"

#include <QFile>
#include <QInputDialog>
#include <QMenu>
#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class TimelineNotesTest : public ::testing::Test {
  protected:
    TimelineNotesTest() {
        view.resize(1000, 600);
        view.follow();
        view.show();
    }
    /// Types into the dialog that the key N has opened.
    void write(const QString& words) {
        auto* dialog = view.findChild<QInputDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->setTextValue(words);
        dialog->accept();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    [[nodiscard]] const std::vector<TimeMark>& marks() const { return session.own_document.project().marks; }

    HandMadeSession session{handMadeResults(true)};
    TimelineView view{&session};
};

/// The multiplication of chip 0,0 goes from 42 to 90 us: the note stands at 66 us on its core, of MeshSlice.
/// N once more edits it, and without words it goes away.
TEST_F(TimelineNotesTest, ANoteIsWrittenEditedAndRemovedByTheKeyboard) {
    session.selection()->select(Selected{0, 0, 0, 1});
    QTest::keyClick(&view, Qt::Key_N);
    write(QStringLiteral("Why so long?"));
    ASSERT_EQ(marks().size(), 1u);
    EXPECT_EQ(marks()[0], (TimeMark{"Why so long?", microseconds(66), "0,0 core", "meshslice"}));
    ASSERT_EQ(view.picture().notes.size(), 1u) << "not on the other run";
    EXPECT_FALSE(view.picture().notes[0].box.isEmpty());
    const QStringList tip = view.linesAt(view.picture().notes[0].box.center());
    ASSERT_FALSE(tip.isEmpty());
    EXPECT_TRUE(tip.front().contains(QStringLiteral("Why so long?")));
    QTest::keyClick(&view, Qt::Key_N);
    EXPECT_EQ(view.findChild<QInputDialog*>()->textValue(), QStringLiteral("Why so long?"));
    write(QStringLiteral("The prologue"));
    ASSERT_EQ(marks().size(), 1u);
    EXPECT_EQ(marks()[0].name, "The prologue");
    QMenu menu;
    (void)view.offer(menu);
    QStringList entries;
    for (const QAction* action : menu.findChildren<QAction*>()) {
        entries << action->text();
    }
    EXPECT_TRUE(entries.join(QLatin1Char('|')).contains(QStringLiteral("The prologue"))) << "listed";
    QTest::keyClick(&view, Qt::Key_N);
    write(QString());
    EXPECT_TRUE(marks().empty());
}

/// Without a bar it is a moment's, a mark with a name.
TEST_F(TimelineNotesTest, ANoteOnAMomentIsAMark) {
    QTest::keyClick(&view, Qt::Key_N);
    write(QStringLiteral("half way"));
    ASSERT_EQ(marks().size(), 1u);
    EXPECT_FALSE(marks()[0].is_note());
    EXPECT_EQ(marks()[0].name, "half way");
    EXPECT_EQ(view.picture().flags.size(), 1u);
}

/// Picture, table and trace have it.
TEST_F(TimelineNotesTest, FilesHaveTheNotes) {
    const TimeMark note{"Why so long?", microseconds(66), "0,0 core", "meshslice"};
    const TimeMark moment{"half way", microseconds(100)};
    ASSERT_TRUE(session.own_document.setMarks({note, moment}));
    DrawnTexts page({1000, 600});
    QPainter painter(&page);
    view.paintPicture(painter, {1000, 600}, Theme::light);
    painter.end();
    EXPECT_TRUE(std::ranges::any_of(page.texts(), [](const DrawnTexts::Text& text) {
        return text.words.contains(QStringLiteral("Why so long?"));
    }));
    const Table table = view.table();
    const auto row_of = [&](const char* words) {
        return std::ranges::find_if(table.rows, [&](const std::vector<Table::Cell>& row) {
            return row[7] == Table::Cell(std::string(words));
        });
    };
    ASSERT_NE(row_of("Why so long?"), table.rows.end());
    EXPECT_EQ((*row_of("Why so long?"))[4], Table::Cell(std::string("0,0")));
    EXPECT_EQ((*row_of("Why so long?"))[6], Table::Cell(std::string("note")));
    EXPECT_EQ((*row_of("half way"))[10], Table::Cell(100e-6));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    const TraceMarks marked{marks(), runNames(*session.current(), session.own_document.project())};
    ASSERT_TRUE(saveTrace(session.current(), path, {}, {}, marked));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray trace = file.readAll();
    EXPECT_TRUE(trace.contains(
        R"({"ph":"i","s":"t","name":"Why so long?","cat":"note","pid":0,"tid":0,"ts":66.000000})"))
        << trace.mid(trace.indexOf("Why so long") - 60, 200).toStdString();
    EXPECT_TRUE(trace.contains(R"("s":"g","name":"half way")"));
}

/// FF1 backward data begins at 100 us with MeshSlice and at 150 us with Collective: that is moved 50 us
/// earlier. G does it for the selected GEMM, and once more undoes it.
TEST_F(TimelineNotesTest, BothRunsAreAlignedAtAGemm) {
    session.selection()->select(Selected{0, 1, {}, {}});
    const auto begins = [&](std::size_t step) {
        return view.picture().window.runs[step].run->parts()[1].begin;
    };
    EXPECT_EQ(begins(0), microseconds(100));
    EXPECT_EQ(begins(1), microseconds(150));
    QTest::keyClick(&view, Qt::Key_G);
    EXPECT_EQ(view.alignedGemm(), 1u);
    EXPECT_EQ(begins(0), microseconds(100));
    EXPECT_EQ(begins(1), microseconds(100));
    EXPECT_TRUE(view.picture().window.runs[1].heading.startsWith(QStringLiteral("Moved 50.0")))
        << view.picture().window.runs[1].heading.toStdString();
    EXPECT_FALSE(view.grab().isNull());
    QTest::keyClick(&view, Qt::Key_G);
    EXPECT_FALSE(view.alignedGemm());
    EXPECT_EQ(begins(1), microseconds(150));
}

} // namespace
} // namespace meshslice::ui
