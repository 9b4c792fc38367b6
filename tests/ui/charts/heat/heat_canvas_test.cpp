#include "ui/charts/heat/heat_canvas.h"
#include "ui/look/heat_cell.h"

#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace meshslice::ui {
namespace {

/// Three columns, two rows: the third runs best but does not fit, the last does not run.
HeatMap six_cells() {
    HeatMap map;
    map.title = "Best at 8";
    map.x = "batch";
    map.y = "mesh";
    map.columns = {"4", "8", "16"};
    map.rows = {"2x2", "4x4"};
    map.measure = "FLOP utilization";
    map.cells = {{0.25, false, "", 0}, {0.75, false, "", 1}, {0.9, true, "does not fit", 2},
                 {0.5, false, "", 3},  {0.6, false, "", 4},  {std::nullopt, false, "No.", 5}};
    map.best = 1;
    return map;
}

QImage painted(const HeatMap& map, const QSize& size, Theme theme) {
    QImage image(size, QImage::Format_RGB32);
    QPainter painter(&image);
    paintHeat(painter, map, layoutHeat(map, size), theme);
    return image;
}

TEST(HeatLayout, HasACellForEachPair) {
    const HeatMap map = six_cells();
    const HeatLayout layout = layoutHeat(map, {600, 400});
    for (std::size_t k = 0; k < map.cells.size(); ++k) {
        EXPECT_EQ(layout.cellAt(map, layout.cell(map, k).center()), k);
        EXPECT_TRUE(QRectF(0, 0, 600, 400).contains(layout.cell(map, k)));
    }
    EXPECT_FALSE(layout.cellAt(map, QPointF(2, 2)));
    EXPECT_EQ(layout.column_stride, 1u);
}

/// A hundred columns in 500 pixels: five pixels each, so every few have their names, and none is lost.
TEST(HeatLayout, ThinsNamesThatHaveNoRoom) {
    HeatMap map = six_cells();
    map.columns.assign(100, "1000");
    map.rows.assign(60, "32x8");
    map.cells.assign(6000, {0.5});
    const HeatLayout layout = layoutHeat(map, {620, 400});
    EXPECT_GT(layout.column_stride, 3u);
    EXPECT_GT(layout.row_stride, 1u);
    EXPECT_LE(layout.cells.right(), 620);
}

/// The colour, the hatch and the cross are there in both themes, and what stands for more is stronger.
TEST(HeatPicture, TellsCellsApart) {
    const HeatMap map = six_cells();
    const HeatLayout layout = layoutHeat(map, {600, 400});
    for (const Theme theme : {Theme::light, Theme::dark}) {
        const QImage image = painted(map, {600, 400}, theme);
        const auto corner = [&](std::size_t k) {
            return image.pixelColor(layout.cell(map, k).toRect().topLeft() + QPoint(4, 4));
        };
        const auto colours = [&](std::size_t k) {
            std::set<QRgb> found;
            const QRect area = layout.cell(map, k).toRect().adjusted(3, 3, -3, -3);
            for (int y = area.top(); y < area.bottom(); ++y) {
                for (int x = area.left(); x < area.right(); ++x) {
                    found.insert(image.pixel(x, y));
                }
            }
            return found;
        };
        EXPECT_EQ(corner(1), tint(Role::compute, theme, 1.0));
        EXPECT_EQ(corner(0), tint(Role::compute, theme, 0.06));
        const double ground = color(Role::background, theme).lightnessF();
        EXPECT_GT(std::abs(corner(1).lightnessF() - ground), std::abs(corner(3).lightnessF() - ground) + 0.05)
            << "in grey, too";
        EXPECT_TRUE(colours(2).contains(color(Role::background, theme).rgb())) << "no colour of the scale";
        EXPECT_GT(colours(2).size(), 2u) << "but lines";
        EXPECT_EQ(corner(5), color(Role::panel, theme));
        EXPECT_GT(colours(5).size(), 1u) << "a cross";
    }
}

TEST(HeatPicture, IsReadOnEveryColour) {
    EXPECT_EQ(readableOn(Qt::white), QColor(Qt::black));
    EXPECT_EQ(readableOn(QColor(0, 0x40, 0x70)), QColor(Qt::white));
}

TEST(HeatCanvas, GoesFromCellToCell) {
    HeatCanvas canvas;
    canvas.resize(600, 400);
    canvas.show(six_cells(), {});
    const QSignalSpy picked(&canvas, &HeatCanvas::picked);
    EXPECT_EQ(canvas.selected(), 1u) << "the best";
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(canvas.selected(), 4u);
    QTest::keyClick(&canvas, Qt::Key_Down);
    EXPECT_EQ(canvas.selected(), 4u) << "there is no row below";
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Return);
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked[0][0], 5);
    canvas.show(std::nullopt, QStringLiteral("Computing…"));
    EXPECT_FALSE(canvas.selected());
    QTest::keyClick(&canvas, Qt::Key_Return);
    EXPECT_EQ(picked.count(), 1);
}

} // namespace
} // namespace meshslice::ui
