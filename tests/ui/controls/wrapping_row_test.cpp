#include "tests/ui/support/patience.h"
#include "ui/controls/wrapping_row.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTest>
#include <QVBoxLayout>
#include <QWidget>
#include <gtest/gtest.h>

#include <cstdlib>

namespace meshslice::ui {
namespace {

/// A name, a number, a number with its unit and a list of sizes.
class WrappingRowTest : public ::testing::Test {
  protected:
    WrappingRowTest() {
        row->setContentsMargins(0, 0, 0, 0);
        unit.setBuddy(&chips);
        row->add(&name);
        row->add(&mesh, 2);
        row->add(&chips, 4);
        row->add(&unit);
        row->add(&sizes, 2);
        mesh.setText(QStringLiteral("X=4, Y=2"));
        chips.setText(QStringLiteral("1024"));
        sizes.setText(QStringLiteral("I=8192, J=8192, K=4096"));
    }

    void beWide(int width) {
        row->invalidate();                  // nothing is painted here
        row->setGeometry({0, 0, width, 0}); // hears its width,
        box.setFixedSize(width, row->sizeHint().height());
        row->setGeometry(box.rect()); // and has its height
    }
    [[nodiscard]] int middle(const QWidget& widget) const { return widget.geometry().center().y(); }
    [[nodiscard]] bool together(const QWidget& left, const QWidget& right) const {
        return std::abs(middle(left) - middle(right)) <= 1 &&
               left.geometry().right() < right.geometry().left();
    }

    QWidget box;
    WrappingRow* row = [this] {
        auto* made = new WrappingRow(6);
        box.setLayout(made);
        return made;
    }();
    QLabel name{QStringLiteral("Mesh"), &box};
    QLineEdit mesh{&box};
    QLineEdit chips{&box};
    QLabel unit{QStringLiteral("chips"), &box};
    QLineEdit sizes{&box};
};

TEST_F(WrappingRowTest, OneLineWhereThereIsRoom) {
    beWide(1200);
    EXPECT_TRUE(together(name, mesh));
    EXPECT_TRUE(together(mesh, chips));
    EXPECT_TRUE(together(chips, unit));
    EXPECT_TRUE(together(unit, sizes));
    EXPECT_EQ(sizes.geometry().right(), box.rect().right()) << "the room is used";
    EXPECT_NEAR(chips.width(), 2 * mesh.width(), 2) << "by their shares";
}

/// At every width from one field's to all of them: nothing is cut, nothing meets, labels stay with their
/// fields.
TEST_F(WrappingRowTest, NothingIsCutAtAnyWidth) {
    int lines_before = 0;
    const int one_field = sizes.fontMetrics().horizontalAdvance(sizes.text()) + 40;
    for (int width = one_field; width <= row->sizeHint().width() + 40; ++width) {
        beWide(width);
        EXPECT_TRUE(together(name, mesh)) << width;
        EXPECT_TRUE(together(chips, unit)) << width;
        EXPECT_GE(mesh.width(), mesh.fontMetrics().horizontalAdvance(mesh.text())) << width;
        EXPECT_GE(chips.width(), chips.fontMetrics().horizontalAdvance(chips.text())) << width;
        EXPECT_GE(sizes.width(), sizes.fontMetrics().horizontalAdvance(sizes.text())) << width;
        const QList<QWidget*> all = {&name, &mesh, &chips, &unit, &sizes};
        for (const QWidget* one : all) {
            EXPECT_TRUE(box.rect().contains(one->geometry())) << width;
            for (const QWidget* other : all) {
                EXPECT_TRUE(one == other || !one->geometry().intersects(other->geometry())) << width;
            }
        }
        const int lines = (box.height() + row->spacing()) / (mesh.sizeHint().height() + row->spacing());
        EXPECT_TRUE(lines_before == 0 || lines <= lines_before) << "more room, more lines at " << width;
        lines_before = lines;
    }
    EXPECT_EQ(lines_before, 1);
}

/// Larger letters take another line; a number that got longer is shown whole.
TEST_F(WrappingRowTest, FollowsLettersAndNumbers) {
    beWide(row->sizeHint().width() + 4);
    ASSERT_TRUE(together(unit, sizes));
    chips.setText(QStringLiteral("1024 * 1024"));
    beWide(box.width());
    EXPECT_FALSE(together(unit, sizes));
    EXPECT_GE(chips.width(), chips.fontMetrics().horizontalAdvance(chips.text()));
    chips.setText(QStringLiteral("1024"));
    beWide(box.width());
    ASSERT_TRUE(together(unit, sizes));
    QFont large = box.font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    box.setFont(large);
    beWide(box.width());
    EXPECT_FALSE(together(unit, sizes));
}

/// A field that is hidden takes no room, and none for what goes before it.
TEST_F(WrappingRowTest, WhatIsHiddenTakesNoRoom) {
    const int with = row->sizeHint().width();
    sizes.hide();
    EXPECT_LT(row->sizeHint().width(), with);
    beWide(row->sizeHint().width());
    EXPECT_TRUE(together(mesh, chips));
}

/// The same in a page that is seen, with a picture below.
class SeenRowTest : public ::testing::Test {
  protected:
    SeenRowTest() {
        auto* all = new QVBoxLayout(&page);
        all->setContentsMargins(0, 0, 0, 0);
        all->setSpacing(0);
        for (QWidget* one : {static_cast<QWidget*>(&mesh), static_cast<QWidget*>(&list)}) {
            row->add(one, 1);
        }
        row->setContentsMargins(0, 0, 0, 0);
        all->addLayout(row);
        all->addWidget(&picture, 1);
        mesh.setText(QStringLiteral("4"));
        list.setEditable(true);
        list.addItems({QStringLiteral("4"), QStringLiteral("a long name of a mesh of chips")});
        page.resize(0, 400);
        page.show();
        settle();
        page.resize(row->sizeHint().width() + 8, 400);
        settle();
    }
    /// How often the page was laid out until nothing more was asked for.
    int settle() {
        struct Counter : QObject {
            int count = 0;
            bool eventFilter(QObject* /*watched*/, QEvent* event) override {
                count += event->type() == QEvent::LayoutRequest ? 1 : 0;
                return false;
            }
        } counter;
        page.installEventFilter(&counter);
        for (int turn = 0; turn < 20; ++turn) {
            QApplication::processEvents();
        }
        return counter.count;
    }
    [[nodiscard]] bool inOneLine() const { return mesh.y() == list.y(); }

    QWidget page;
    WrappingRow* row = new WrappingRow(6);
    QLineEdit mesh;
    QComboBox list;
    QWidget picture;
};

/// The picture moves with the lines, and the page comes to rest.
TEST_F(SeenRowTest, ThePictureHasWhatIsLeft) {
    ASSERT_TRUE(inOneLine());
    const int high = picture.height();
    const int wide = page.width();
    page.resize(wide / 2, 400);
    EXPECT_LE(settle(), 4);
    EXPECT_FALSE(inOneLine());
    EXPECT_EQ(picture.y(), list.geometry().bottom() + 1);
    EXPECT_LT(picture.height(), high);
    page.resize(wide, 400);
    EXPECT_LE(settle(), 4);
    EXPECT_TRUE(inOneLine());
    EXPECT_EQ(picture.height(), high);
}

/// What is written into a field is shown whole, also without a signal.
TEST_F(SeenRowTest, WhatAProgramWritesIsShownWhole) {
    const int before = mesh.width();
    {
        const QSignalBlocker quiet(&mesh);
        mesh.setText(QStringLiteral("I=8192, J=8192, K=4096"));
    }
    settle();
    EXPECT_GE(mesh.width(), mesh.fontMetrics().horizontalAdvance(mesh.text()));
    EXPECT_GT(mesh.width(), before);
    {
        const QSignalBlocker quiet(&list);
        list.setCurrentIndex(1);
    }
    settle();
    EXPECT_GE(list.width(), list.fontMetrics().horizontalAdvance(list.currentText()));
    EXPECT_FALSE(inOneLine());
}

/// Nothing moves under who types, not even when something else is laid out; what was typed is shown
/// afterwards.
TEST_F(SeenRowTest, NothingMovesWhileItIsTyped) {
    page.activateWindow();
    mesh.setFocus();
    ASSERT_TRUE(QTest::qWaitFor([&] { return mesh.hasFocus(); }, patience_ms));
    const QRect before = mesh.geometry();
    mesh.selectAll();
    QTest::keyClicks(&mesh, QStringLiteral("I=8192, J=8192, K=4096"));
    picture.setMinimumHeight(20);
    row->invalidate();
    settle();
    EXPECT_EQ(mesh.geometry(), before);
    list.setFocus();
    settle();
    EXPECT_GE(mesh.width(), mesh.fontMetrics().horizontalAdvance(mesh.text()));
}

/// From right to left it is the mirror image; a field that is deleted is gone.
TEST_F(SeenRowTest, RightToLeftAndWithoutAField) {
    const QRect first = mesh.geometry();
    page.setLayoutDirection(Qt::RightToLeft);
    settle();
    EXPECT_EQ(page.width() - 1 - mesh.geometry().right(), first.left());
    auto* more = new QLabel(QStringLiteral("more"));
    row->add(more);
    settle();
    ASSERT_EQ(row->count(), 3);
    delete more;
    settle();
    EXPECT_EQ(row->count(), 2);
}

/// A sentence takes the lines that it needs, and the page sees no height for a width.
TEST(SentenceRow, TakesTheLinesThatItNeeds) {
    QWidget page;
    auto* all = new QVBoxLayout(&page);
    auto* sentence =
        new QLabel(QStringLiteral("These plans are for other chips than those of the headline."));
    sentence->setWordWrap(true);
    all->addLayout(sentenceRow(sentence));
    all->addStretch(1);
    page.resize(2000, 300);
    page.show();
    QApplication::processEvents();
    const int one_line = sentence->height();
    page.resize(200, 300);
    QApplication::processEvents();
    EXPECT_GE(sentence->height(), 3 * one_line / 2);
    EXPECT_FALSE(page.layout()->hasHeightForWidth());
}

} // namespace
} // namespace meshslice::ui
