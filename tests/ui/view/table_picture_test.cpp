#include "core/figure/table.h"
#include "ui/view/table_picture.h"

#include <QFont>
#include <QImage>
#include <QPainter>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace meshslice::ui {
namespace {

Table numbers(int rows) {
    Table table;
    table.title = "Numbers";
    table.columns = {"number", "word"};
    for (std::int64_t row = 0; row < rows; ++row) {
        table.rows.push_back({row, std::string("word")});
    }
    return table;
}

/// 4.5 lines of 20 pixels are 90: with the title's 2.5 lines there is room for two rows.
TEST(TableBlocks, KeepTheSizeOfTheLetters) {
    const QSizeF room(460, 90);
    EXPECT_EQ(tableBlocks(2, room, 20, 460), (TableBlocks{1, 2, 2, 1}));
    EXPECT_EQ(tableBlocks(1, QSizeF(4600, 900), 20, 460), (TableBlocks{1, 1, 1, 1.5})) << "enlarged a little";
    // Two blocks of 210 pixels and the gap of 40 are 460.
    EXPECT_EQ(tableBlocks(4, room, 20, 210), (TableBlocks{2, 2, 4, 1}));
    EXPECT_EQ(tableBlocks(3, room, 20, 210), (TableBlocks{2, 2, 3, 1}));
    EXPECT_EQ(tableBlocks(5, room, 20, 210), (TableBlocks{2, 1, 2, 1})) << "and a line that says so";
    EXPECT_EQ(tableBlocks(5, room, 20, 300), (TableBlocks{1, 1, 1, 1}));
    EXPECT_EQ(tableBlocks(1, room, 20, 920), (TableBlocks{1, 1, 1, 0.5})) << "too wide";
}

/// A figure may be 10 pixels high, where not even the title has room.
TEST(TablePicture, IsPaintedAtEverySize) {
    for (const int rows : {0, 1, 2, 40}) {
        for (const QSize size :
             {QSize(10, 10), QSize(600, 40), QSize(600, 90), QSize(20, 400), QSize(600, 400)}) {
            QImage image(size, QImage::Format_RGB32);
            QPainter painter(&image);
            paintTable(painter, size, Theme::light, QFont(), numbers(rows), true);
            painter.end();
            EXPECT_EQ(image.pixelColor(0, 0), QColor(Qt::white)) << rows << ' ' << size.height();
        }
    }
}

} // namespace
} // namespace meshslice::ui
