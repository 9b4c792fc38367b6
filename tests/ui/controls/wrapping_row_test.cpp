#include "ui/controls/wrapping_row.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
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
    for (int width = row->minimumSize().width(); width <= row->sizeHint().width() + 40; ++width) {
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

/// Larger letters take another line; a number that got longer is shown whole once it has been typed.
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

} // namespace
} // namespace meshslice::ui
