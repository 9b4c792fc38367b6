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
