#include "tests/ui/support/hand_made_session.h"
#include "ui/charts/chart_canvas.h"
#include "ui/lab/form/question_form.h"
#include "ui/lab/form/question_page.h"
#include "ui/lab/lab_view.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTabBar>
#include <QTest>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace meshslice::ui {
namespace {

class QuestionPageTest : public ::testing::Test {
  protected:
    QuestionPageTest() {
        view.resize(900, 560);
        view.show();
    }
    QuestionPage& turnTo(const QString& page) {
        view.turnTo(static_cast<int>(view.pages().indexOf(page)));
        return *view.questionPage(page.toStdString());
    }
    static QString title(QuestionPage& page) { return words(page.canvas()->surface()->chart()->title); }
    static void type(QuestionPage& page, std::size_t field, const QString& text) {
        auto* line = qobject_cast<QLineEdit*>(page.form()->field(field));
        ASSERT_NE(line, nullptr);
        line->selectAll();
        QTest::keyClicks(line, text);
    }
    static void choose(QuestionPage& page, std::size_t field, const QString& data) {
        auto* box = qobject_cast<QComboBox*>(page.form()->field(field));
        ASSERT_NE(box, nullptr);
        box->setCurrentIndex(box->findData(data));
    }

    HandMadeSession session;
    LabView view{&session};
};

/// At every key; what is refused says so and leaves the chart, and what is written to a file is refused too.
TEST_F(QuestionPageTest, RooflinesFollowWhatIsTyped) {
    QuestionPage& page = turnTo(QStringLiteral("rooflines"));
    EXPECT_TRUE(page.isCurrent());
    EXPECT_TRUE(title(page).contains(QStringLiteral("[256, 8192]"))) << title(page).toStdString();
    type(page, 0, QStringLiteral("64x4096x16384"));
    EXPECT_TRUE(title(page).contains(QStringLiteral("[64, 4096]"))) << title(page).toStdString();
    const QString before = title(page);
    type(page, 0, QStringLiteral("64x4096"));
    EXPECT_EQ(title(page), before);
    EXPECT_TRUE(page.notice()->isVisibleTo(&page));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("512x8192x32768")));
    EXPECT_FALSE(view.isCurrent());
    Result<void> completed;
    view.complete([&](const Result<void>& done) { completed = done; });
    EXPECT_FALSE(completed);
    type(page, 0, QStringLiteral("512x8192x32768"));
    EXPECT_FALSE(page.notice()->isVisibleTo(&page));
    EXPECT_TRUE(view.isCurrent());
    // A memory of PCIe is a line, until nothing is typed.
    const auto lines = [&] { return page.table().rows.size(); };
    const std::size_t with = lines();
    type(page, 5, QStringLiteral("0"));
    EXPECT_FALSE(page.isCurrent());
    qobject_cast<QLineEdit*>(page.form()->field(5))->clear();
    EXPECT_TRUE(page.isCurrent());
    EXPECT_EQ(lines(), with - 1);
}

/// Several charts and tables stand behind tabs; a key leaves the one that is seen.
TEST_F(QuestionPageTest, SeveralPicturesHaveTabs) {
    EXPECT_FALSE(turnTo(QStringLiteral("rooflines")).parts()->isVisibleTo(&view));
    QuestionPage& page = turnTo(QStringLiteral("splits"));
    ASSERT_TRUE(page.parts()->isVisibleTo(&view));
    ASSERT_EQ(page.parts()->count(), 5);
    const QString first = title(page);
    const QRect tab = page.parts()->tabRect(1);
    QTest::mouseClick(page.parts(), Qt::LeftButton, Qt::NoModifier, tab.center());
    EXPECT_NE(title(page), first);
    EXPECT_TRUE(title(page).contains(QStringLiteral("tokens of a chip"))) << title(page).toStdString();
    const QString at_half = title(page);
    type(page, 0, QStringLiteral("128Kix8192x65536"));
    EXPECT_EQ(page.parts()->currentIndex(), 1);
    EXPECT_NE(title(page), at_half);
    // The steps are a table, which then is what is copied.
    QTest::mouseClick(page.parts(), Qt::LeftButton, Qt::NoModifier, page.parts()->tabRect(4).center());
    EXPECT_EQ(page.table().columns.front(), "pass");
    EXPECT_FALSE(page.canvas()->isVisibleTo(&page));
    type(page, 2, QStringLiteral("5x5"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("such as")))
        << page.notice()->text().toStdString();
    EXPECT_FALSE(page.table().rows.empty());
}

/// Four stages are four rows: in a high window the next chart has the room below them, in a low one it has a
/// tab alone.
TEST_F(QuestionPageTest, WhatFitsBelowFewRowsIsShownThere) {
    view.resize(1200, 900);
    QuestionPage& page = turnTo(QStringLiteral("pipeline"));
    EXPECT_TRUE(page.canvasBelow()->isVisibleTo(&page));
    EXPECT_FALSE(page.listed()->isVisibleTo(&page));
    QTest::qWait(1); // lays out
    EXPECT_GT(page.canvasBelow()->geometry().top(), page.canvas()->mapTo(&page, QPoint()).y());
    type(page, 0, QStringLiteral("64")); // as many rows fill the page
    EXPECT_FALSE(page.canvasBelow()->isVisibleTo(&page));
    type(page, 0, QStringLiteral("4"));
    EXPECT_TRUE(page.canvasBelow()->isVisibleTo(&page));
    view.resize(900, 400);
    QTest::qWait(1);
    EXPECT_FALSE(page.canvasBelow()->isVisibleTo(&page));
    EXPECT_FALSE(page.listed()->isVisibleTo(&page));
    view.resize(1200, 900);
    page.parts()->setCurrentIndex(page.parts()->count() - 1); // the table
    EXPECT_FALSE(page.canvasBelow()->isVisibleTo(&page));
    EXPECT_TRUE(page.listed()->isVisibleTo(&page));
}

/// Every choice of every list has an answer, or a sentence; every chip draws.
TEST_F(QuestionPageTest, EveryChoiceIsAnswered) {
    for (const char* const name : {"rooflines", "splits", "collectives", "transfers"}) {
        QuestionPage& page = turnTo(QString::fromLatin1(name));
        for (std::size_t field = 0; field < 7; ++field) {
            auto* box = qobject_cast<QComboBox*>(page.form()->field(field));
            for (int k = 0; box != nullptr && k < box->count(); ++k) {
                box->setCurrentIndex(k);
                EXPECT_EQ(page.isCurrent(), !page.notice()->isVisibleTo(&page))
                    << name << ' ' << box->itemText(k).toStdString();
                EXPECT_FALSE(page.table().rows.empty());
            }
            if (box != nullptr) {
                box->setCurrentIndex(0);
            }
        }
    }
}

TEST_F(QuestionPageTest, CollectivesSayWhatIsWrongInTheirWords) {
    QuestionPage& page = turnTo(QStringLiteral("collectives"));
    EXPECT_TRUE(title(page).startsWith(QStringLiteral("all-gather of 34"))) << title(page).toStdString();
    type(page, 2, QStringLiteral("X=4"));
    EXPECT_TRUE(page.isCurrent());
    choose(page, 5, QStringLiteral("one-way")); // an axis of 4 is a line
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("X=4 is an open line")))
        << page.notice()->text().toStdString();
    choose(page, 4, QStringLiteral("rings"));
    EXPECT_TRUE(page.isCurrent());
    type(page, 3, QStringLiteral("Y=4"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("does not have the axis")));
    type(page, 3, QStringLiteral("X=4, Y=4"));
    EXPECT_TRUE(page.isCurrent()) << page.notice()->text().toStdString();
    choose(page, 0, QStringLiteral("send-recv"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("both ways works")));
    choose(page, 5, QString());
    EXPECT_TRUE(page.isCurrent());
    type(page, 1, QStringLiteral("34 m"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("34 MB")));
}

/// Servers of 8 H100s: as many chips as the axes have, or as are typed.
TEST_F(QuestionPageTest, CollectivesAreAnsweredBehindSwitches) {
    QuestionPage& page = turnTo(QStringLiteral("collectives"));
    choose(page, 6, QStringLiteral("h100-nvs8"));
    EXPECT_TRUE(title(page).contains(QStringLiteral("among 16 chips on NVIDIA H100")))
        << title(page).toStdString();
    type(page, 7, QStringLiteral("8"));
    EXPECT_TRUE(title(page).contains(QStringLiteral("among 8 chips"))) << title(page).toStdString();
    EXPECT_FALSE(page.table().rows.empty());
    choose(page, 4, QStringLiteral("rings"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("has no meaning")))
        << page.notice()->text().toStdString();
    choose(page, 4, QString());
    choose(page, 6, QStringLiteral("tpu-v5e"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("whose axes say which chips take part")))
        << page.notice()->text().toStdString();
    qobject_cast<QLineEdit*>(page.form()->field(7))->clear();
    EXPECT_TRUE(page.isCurrent());
}

/// From chip to chip, or from hosts; what is wrong is said in the words of the fields, at the field.
TEST_F(QuestionPageTest, TransfersAreDrawnAndRefused) {
    QuestionPage& page = turnTo(QStringLiteral("transfers"));
    EXPECT_TRUE(title(page).contains(QStringLiteral("(0, 0) to (3, 3) on TPU v5e")))
        << title(page).toStdString();
    type(page, 2, QStringLiteral("3,0"));
    EXPECT_TRUE(title(page).contains(QStringLiteral("(0, 0) to (3, 0)")));
    type(page, 1, QStringLiteral("hosts"));
    EXPECT_EQ(page.table().rows.size(), 3u);
    type(page, 4, QStringLiteral("1 GB/s"));
    EXPECT_TRUE(title(page).contains(QStringLiteral("bound by PCIe of each chip")));
    for (const auto& [field, wrong, says] : std::vector<std::tuple<std::size_t, const char*, const char*>>{
             {0, "X=64, Y=64", "the largest torus of TPU v5e has 256"},
             {0, "X=32, Y=8", "TPU v5e"},
             {1, "4,4", "From is \"4,4\"; expected a place along each axis of {X:4, Y:4}, up to 3,3."},
             {2, "", "To is \"\""},
             {3, "much", "Size is \"much\""},
             {4, "fast", "PCIe is \"fast\""},
             {5, "8x8", "BxDxF"}}) {
        const QString before = qobject_cast<QLineEdit*>(page.form()->field(field))->text();
        qobject_cast<QLineEdit*>(page.form()->field(field))->setText(QLatin1String(wrong));
        EXPECT_FALSE(page.isCurrent()) << wrong;
        EXPECT_TRUE(page.notice()->text().contains(QString::fromLatin1(says).toHtmlEscaped()) ||
                    page.notice()->text().contains(QLatin1String(says)))
            << page.notice()->text().toStdString();
        qobject_cast<QLineEdit*>(page.form()->field(field))->setText(before);
        EXPECT_TRUE(page.isCurrent());
    }
    type(page, 1, QStringLiteral("3,0"));
    EXPECT_TRUE(page.notice()->text().contains(QStringLiteral("are the same chip")));
}

/// The file has what is seen: another page, another picture and table.
TEST_F(QuestionPageTest, ExportsThePageInView) {
    const auto picture = [&] {
        QImage image(800, 500, QImage::Format_ARGB32);
        QPainter painter(&image);
        view.paintPicture(painter, image.size(), Theme::light);
        return image;
    };
    turnTo(QStringLiteral("rooflines"));
    const QImage rooflines = picture();
    EXPECT_EQ(static_cast<const View&>(view).table().columns.front(), "level");
    turnTo(QStringLiteral("collectives"));
    EXPECT_NE(picture(), rooflines);
    EXPECT_EQ(static_cast<const View&>(view).table().columns.front(), "bytes");
    EXPECT_TRUE(view.caption().contains(QStringLiteral("all-gather along X=16 on TPU v5e")))
        << view.caption().toStdString();
}

} // namespace
} // namespace meshslice::ui
