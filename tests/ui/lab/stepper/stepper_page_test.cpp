#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/pictures_together.h"
#include "ui/lab/stepper/stepper_chunks.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/lab/stepper/stepper_text.h"
#include "ui/look/picture_scale.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"

#include <QComboBox>
#include <QLabel>
#include <QPainter>
#include <QSlider>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class StepperPageTest : public ::testing::Test {
  protected:
    StepperPageTest() {
        view.resize(960, 600);
        view.turnTo(1);
        view.show();
        wait();
    }
    void wait() {
        EXPECT_TRUE(QTest::qWaitFor([&] { return !page.job()->isBusy(); }, patience_ms));
        EXPECT_TRUE(page.isCurrent()) << canvas.sentence().toStdString();
    }
    /// Chooses from a list as a user does, with its text.
    void choose(StepperField which, const QString& text) {
        QComboBox* box = page.field(which);
        const int index = box->findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        box->setCurrentIndex(index);
        emit box->activated(index);
        wait();
    }
    /// Clicks the button until the end; returns how often.
    int clickThrough() {
        int clicks = 0;
        while (page.forward()->isEnabled()) {
            QTest::mouseClick(page.forward(), Qt::LeftButton);
            ++clicks;
        }
        return clicks;
    }

    HandMadeSession session;
    LabView view{&session};
    StepperPage& page = *view.stepper();
    StepperCanvas& canvas = *page.canvas();
};

/// It begins with MeshSlice on 2 x 2 chips: ten steps (tests/core/draw/stepping_test.cpp), the last of which
/// says that C is right.
TEST_F(StepperPageTest, ClicksThroughMeshSlice) {
    EXPECT_FALSE(page.back()->isEnabled());
    EXPECT_EQ(canvas.layoutNow().chips.size(), 4U);
    EXPECT_EQ(canvas.layoutNow().code.size(), 6U); // The loop and its five lines.
    EXPECT_EQ(clickThrough(), 10);
    EXPECT_EQ(canvas.moment(), canvas.lastMoment());
    EXPECT_TRUE(canvas.readAloud().contains(QStringLiteral("C is right")))
        << canvas.readAloud().toStdString();
    QTest::mouseClick(page.back(), Qt::LeftButton);
    EXPECT_EQ(canvas.moment(), 9U);
    EXPECT_TRUE(canvas.accessibleDescription().startsWith(QStringLiteral("s = 1: B' = AG_row(B_s)")))
        << canvas.accessibleDescription().toStdString();
}

/// Forward and back is where one was: the same lines are read of every chip and link.
TEST_F(StepperPageTest, GoesBackToWhatItWas) {
    std::vector<std::vector<ReadablePart>> seen;
    for (std::size_t moment = 0; moment <= canvas.lastMoment(); ++moment) {
        seen.push_back(canvas.readableParts());
        QTest::keyClick(&canvas, Qt::Key_Period);
    }
    EXPECT_NE(seen.front(), seen.back());
    for (std::size_t moment = canvas.lastMoment(); moment > 0; --moment) {
        EXPECT_EQ(canvas.readableParts(), seen[moment]) << moment;
        QTest::keyClick(&canvas, Qt::Key_Comma);
    }
    EXPECT_EQ(canvas.readableParts(), seen.front());
    QTest::keyClick(&canvas, Qt::Key_Comma);
    EXPECT_EQ(canvas.moment(), 0U);
    page.slider()->setValue(4);
    EXPECT_EQ(canvas.moment(), 4U);
    QTest::keyClick(&canvas, Qt::Key_End);
    EXPECT_EQ(page.slider()->value(), 10);
    QTest::keyClick(&canvas, Qt::Key_PageUp);
    EXPECT_EQ(canvas.moment(), 9U);
    QTest::keyClick(&canvas, Qt::Key_Home);
    EXPECT_EQ(canvas.moment(), 0U);
}

/// The student tries contiguous slices of A alone, and sees the wrong product.
TEST_F(StepperPageTest, ShowsTheWrongProductOfContiguousSlices) {
    choose(StepperField::slicing, QStringLiteral("A contiguous"));
    EXPECT_FALSE(stepperVerdict(canvas.shown()).contains(QStringLiteral("wrong")));
    clickThrough();
    const QString verdict = stepperVerdict(canvas.shown());
    EXPECT_TRUE(verdict.startsWith(QStringLiteral("C is wrong: "))) << verdict.toStdString();
    EXPECT_FALSE(canvas.stepping()->right());
    choose(StepperField::slicing, QStringLiteral("every S-th block"));
    clickThrough();
    EXPECT_TRUE(canvas.stepping()->right());
}

/// Everything in the list can be stepped through to its end, with whatever else was chosen before.
TEST_F(StepperPageTest, StepsThroughEverythingInTheList) {
    QComboBox* what = page.field(StepperField::what);
    int shown = 0;
    for (int index = 0; index < what->count(); ++index) {
        if (!what->itemData(index).isValid()) {
            continue; // The line between algorithms and collectives.
        }
        what->setCurrentIndex(index);
        emit what->activated(index);
        wait();
        EXPECT_EQ(what->currentIndex(), index);
        EXPECT_GE(clickThrough(), 1) << what->currentText().toStdString();
        const QString verdict = stepperVerdict(canvas.shown());
        EXPECT_TRUE(verdict.isEmpty() || verdict.startsWith(QStringLiteral("C is right")))
            << what->currentText().toStdString() << ": " << verdict.toStdString();
        ++shown;
    }
    EXPECT_EQ(shown, static_cast<int>(all_algorithms().size() + all_collectives.size()));
}

/// A collective by itself, with what every link has carried: on a ring of four, both ways, three half shards
/// of two numbers.
TEST_F(StepperPageTest, CountsWhatLinksCarry) {
    choose(StepperField::what, QStringLiteral("AllGather"));
    choose(StepperField::mesh, QStringLiteral("4 chips"));
    EXPECT_EQ(clickThrough(), 3);
    for (std::size_t link = 0; link < 8; ++link) {
        EXPECT_EQ(stepperLinkLines(canvas.shown(), link).last(),
                  QStringLiteral("so far: 6 numbers, 12 bytes in bf16"));
    }
    choose(StepperField::links, QStringLiteral("open lines"));
    clickThrough();
    // The first chip sends nothing but its own shard.
    EXPECT_EQ(stepperLinkLines(canvas.shown(), 0).last(),
              QStringLiteral("so far: 4 numbers, 8 bytes in bf16"));
    EXPECT_FALSE(page.field(StepperField::dataflow)->isVisibleTo(&page));
}

/// At every size all cells stand in their chips, and the numbers have room on the smallest mesh.
TEST_F(StepperPageTest, NumbersHaveRoom) {
    const StepperLayout layout = canvas.layoutNow();
    for (const StepperMatrix& matrix : layout.matrices) {
        EXPECT_TRUE(layout.chips[static_cast<std::size_t>(matrix.chip)].area.contains(matrix.area));
        EXPECT_GE(matrix.cell_width, 14);
    }
    for (const StepperLink& link : layout.links) {
        EXPECT_GE(link.area.left(), 0);
        EXPECT_LE(link.area.right() * canvas.scale(), canvas.width() + 1);
    }
    const QRectF code = layout.code.front().area;
    QTest::mouseClick(&canvas, Qt::LeftButton, {}, (layout.code[3].area.center() * canvas.scale()).toPoint());
    EXPECT_EQ(canvas.moment(), 3U); // The third line: AG_col.
    EXPECT_TRUE(code.isValid());
}

/// On a large screen the numbers are larger, and all of them still seen.
TEST_F(StepperPageTest, GrowsWithItsRoom) {
    EXPECT_DOUBLE_EQ(canvas.scale(), pictureScale());
    view.resize(2400, 1600);
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas.scale() >= 1.5 * pictureScale(); }, patience_ms));
    const StepperLayout layout = canvas.layoutNow();
    EXPECT_LE(layout.width * canvas.scale(), canvas.width() + 1);
    EXPECT_LE(layout.height * canvas.scale(), canvas.height() + 1);
    for (const StepperChip& chip : layout.chips) {
        EXPECT_LE(chip.area.right() * canvas.scale(), canvas.width() + 1);
        EXPECT_LE(chip.area.bottom() * canvas.scale(), canvas.height() + 1);
    }
}

/// T3 on four chips: a chunk of every chip is made with each odd step and sent with each even one, and then
/// three hops of the all-gather. Every chip says of each of its chunks what has become of it, in the order in
/// which it makes them, and nothing is painted over anything else.
TEST_F(StepperPageTest, StepsThroughChunksThatFeedTheRing) {
    choose(StepperField::what, QStringLiteral("T3"));
    choose(StepperField::mesh, QStringLiteral("4 chips"));
    EXPECT_EQ(canvas.lastMoment(), 7U + 3U);
    const auto lines = [&] { return stepperChunkLines(canvas.shown(), 0); };
    const auto numbers = canvas.stepping()->moments.front().fed.front().chunks.front().tiles;
    const QString all = QString::number(numbers);
    ASSERT_EQ(lines().size(), 4);
    EXPECT_EQ(lines()[0], QStringLiteral("chunk 3, stored straight to chip 1: %1 waiting").arg(all));
    const std::vector<QStringList> expected = {
        {QStringLiteral("made, on the way out"), QStringLiteral("waiting"), QStringLiteral("waiting"),
         QStringLiteral("waiting")},
        {QStringLiteral("sent"), QStringLiteral("with 1 of 2 updates"), QStringLiteral("waiting"),
         QStringLiteral("waiting")},
        {QStringLiteral("sent"), QStringLiteral("complete"), QStringLiteral("waiting"),
         QStringLiteral("waiting")},
        {QStringLiteral("sent"), QStringLiteral("sent"), QStringLiteral("with 1 of 2 updates"),
         QStringLiteral("waiting")},
        {QStringLiteral("sent"), QStringLiteral("sent"), QStringLiteral("complete"),
         QStringLiteral("waiting")},
        {QStringLiteral("sent"), QStringLiteral("sent"), QStringLiteral("sent"),
         QStringLiteral("with 1 of 2 updates")},
        {QStringLiteral("sent"), QStringLiteral("sent"), QStringLiteral("sent"), QStringLiteral("complete")}};
    QStringList said;
    for (const QStringList& states : expected) {
        QTest::mouseClick(page.forward(), Qt::LeftButton);
        for (qsizetype slot = 0; slot < states.size(); ++slot) {
            EXPECT_TRUE(lines()[slot].endsWith(QStringLiteral(": %1 %2").arg(all, states[slot])))
                << canvas.moment() << ": " << lines()[slot].toStdString();
        }
        said << stepperStep(canvas.shown());
    }
    EXPECT_TRUE(said[0].endsWith(QStringLiteral("Every chip makes chunk 1 of 4: its stores go straight to "
                                                "the next chip, and nothing is kept here.")))
        << said[0].toStdString();
    EXPECT_TRUE(said[1].contains(QStringLiteral("hop 1 of 3. What was on its way is added in the next")))
        << said[1].toStdString();
    EXPECT_TRUE(said[6].endsWith(QStringLiteral("its own: with both updates counted it is complete and "
                                                "stays.")))
        << said[6].toStdString();
    const Table table = page.table();
    EXPECT_EQ(table.columns.back(), "chunks_sent");
    EXPECT_EQ(std::get<std::int64_t>(table.rows[4].back()), 8); // two of each chip's four
    EXPECT_EQ(std::get<std::int64_t>(table.rows[0][6]), 16);    // all are waiting
    // A line of the program is the GEMM with what it feeds: then comes the all-gather.
    QTest::keyClick(&canvas, Qt::Key_Home);
    QTest::keyClick(&canvas, Qt::Key_PageDown);
    EXPECT_EQ(canvas.moment(), 7U);
    EXPECT_EQ(clickThrough(), 3);
    EXPECT_TRUE(stepperVerdict(canvas.shown()).startsWith(QStringLiteral("C is right")));
}

/// Of up to sixteen chips every chunk is drawn in its chip, below what the chip holds.
TEST_F(StepperPageTest, ChunksHaveRoomOnAnyNumberOfChips) {
    choose(StepperField::what, QStringLiteral("T3"));
    const QComboBox* meshes = page.field(StepperField::mesh);
    QStringList seen;
    for (int index = 0; index < meshes->count(); ++index) {
        seen << meshes->itemText(index);
    }
    for (const QString& mesh : seen) {
        choose(StepperField::mesh, mesh);
        const StepperLayout layout = canvas.layoutNow();
        ASSERT_EQ(layout.chunks.size(), layout.chips.size());
        EXPECT_FALSE(layout.chunk_legend.isNull());
        for (const StepperChunks& chunks : layout.chunks) {
            EXPECT_TRUE(layout.chips[static_cast<std::size_t>(chunks.chip)].area.contains(chunks.area));
            EXPECT_GE(chunks.area.width(), stepperChunksWidth(*canvas.stepping()) - 1)
                << mesh.toStdString() << " in " << canvas.width() << " x " << canvas.height();
            for (const StepperMatrix& matrix : layout.matrices) {
                EXPECT_FALSE(matrix.area.intersects(chunks.area)) << mesh.toStdString();
            }
        }
        for (const StepperLine& line : layout.code) {
            EXPECT_FALSE(line.area.intersects(layout.chunk_legend));
        }
        EXPECT_FALSE(layout.result_notes.intersects(layout.chunk_legend));
    }
    EXPECT_EQ(seen.size(), 6);
    choose(StepperField::what, QStringLiteral("MeshSlice"));
    EXPECT_TRUE(canvas.layoutNow().chunks.empty());
    EXPECT_TRUE(stepperChunkLines(canvas.shown(), 0).empty());
}

/// The stepper, the torus and the timeline have one clock: a step moves it, and it moves the stepper, no
/// matter what sets it, until the run's end is its last step.
TEST_F(StepperPageTest, SharesItsClockWithTorusAndTimeline) {
    EXPECT_EQ(page.timeline()->sentence(), QString());
    EXPECT_EQ(page.torus()->sentence(), QString());
    EXPECT_EQ(page.clock()->moment(), Time(0));
    EXPECT_FALSE(page.timeline()->table().rows.empty());
    EXPECT_EQ(page.simulated()->text(),
              QStringLiteral("Timeline and torus at 0\u2009s: each number a block of 512 x 512, on TPU v5e"));
    Time before;
    QTest::mouseClick(page.forward(), Qt::LeftButton);
    QTest::mouseClick(page.forward(), Qt::LeftButton);
    QTest::mouseClick(page.forward(), Qt::LeftButton); // The first that takes time.
    ASSERT_TRUE(page.clock()->moment());
    EXPECT_GT(*page.clock()->moment(), Time(0));
    EXPECT_EQ(canvas.moment(), 3U);
    // The torus goes on, event by event, and the stepper with it.
    for (int event = 0; event < 200 && canvas.moment() != canvas.lastMoment(); ++event) {
        QTest::keyClick(page.torus(), Qt::Key_Period);
        EXPECT_GT(*page.clock()->moment(), before);
        before = *page.clock()->moment();
    }
    EXPECT_EQ(canvas.moment(), canvas.lastMoment());
    EXPECT_EQ(page.slider()->value(), page.slider()->maximum());
    // Any moment of the timeline; at its beginning nothing has happened yet.
    page.clock()->setMoment(Time(0));
    EXPECT_EQ(canvas.moment(), 0U);
    // A step is where it was, although another began at the same time.
    QTest::keyClick(&canvas, Qt::Key_Period);
    EXPECT_EQ(canvas.moment(), 1U);
}

/// What plays on the torus is stepped through.
TEST_F(StepperPageTest, FollowsTheTorusThatPlays) {
    view.resize(1400, 1000);
    const auto seen = [&] { return page.pictures()->areTogether() && page.torus()->isVisible(); };
    ASSERT_TRUE(QTest::qWaitFor(seen, patience_ms));
    QTest::keyClick(page.torus(), Qt::Key_Space);
    EXPECT_TRUE(QTest::qWaitFor([&] { return canvas.moment() >= 3; }, patience_ms));
    EXPECT_TRUE(seen());
    QTest::keyClick(page.torus(), Qt::Key_Space);
    EXPECT_TRUE(view.isCurrent());
}

/// All three are seen where there is room; else one at a time.
TEST_F(StepperPageTest, PicturesStandTogetherWhereThereIsRoom) {
    view.setMinimumSize(1, 1);
    view.resize(1400, 1000);
    QApplication::processEvents();
    EXPECT_TRUE(page.pictures()->areTogether());
    EXPECT_TRUE(canvas.isVisible() && page.timeline()->isVisible() && page.torus()->isVisible());
    // Never so that much of the numbers has to be scrolled to.
    view.resize(1400, canvas.minimumHeight() + 200);
    QApplication::processEvents();
    EXPECT_FALSE(page.pictures()->areTogether());
    view.resize(620, 420);
    QApplication::processEvents();
    EXPECT_FALSE(page.pictures()->areTogether());
    EXPECT_TRUE(canvas.isVisible());
    EXPECT_FALSE(page.timeline()->isVisible());
    ASSERT_EQ(page.pictures()->pages()->count(), 3);
    page.pictures()->pages()->setCurrentIndex(2);
    EXPECT_TRUE(page.torus()->isVisible());
    EXPECT_FALSE(canvas.isVisible());
    view.resize(1400, 1000);
    const auto all_seen = [&] {
        return canvas.isVisible() && page.timeline()->isVisible() && page.torus()->isVisible();
    };
    EXPECT_TRUE(QTest::qWaitFor(all_seen, patience_ms));
    // Whatever the step, they stay where they are.
    for (std::size_t moment = 0; moment <= canvas.lastMoment(); ++moment) {
        canvas.setMoment(moment);
        EXPECT_TRUE(page.pictures()->areTogether()) << moment;
    }
}

/// Files have the page that is seen; the other is a file of its own.
TEST_F(StepperPageTest, IsAPageOfTheLab) {
    EXPECT_EQ(
        view.pages(),
        (QStringList{QStringLiteral("sharding"), QStringLiteral("stepper"), QStringLiteral("serving"),
                     QStringLiteral("rooflines"), QStringLiteral("splits"), QStringLiteral("pipeline"),
                     QStringLiteral("collectives"), QStringLiteral("flows"), QStringLiteral("transfers"),
                     QStringLiteral("systolic"), QStringLiteral("warps")}));
    EXPECT_TRUE(view.isCurrent());
    EXPECT_EQ(view.View::table().rows.size(), 11U);
    QImage image(960, 600, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    view.paintPicture(painter, image.size(), Theme::light);
    painter.end();
    QImage other(image.size(), QImage::Format_RGB32);
    view.turnTo(0);
    QPainter again(&other);
    view.paintPicture(again, other.size(), Theme::light);
    again.end();
    EXPECT_NE(image, other);
}

} // namespace
} // namespace meshslice::ui
