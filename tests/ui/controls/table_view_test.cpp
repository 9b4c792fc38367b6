#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"

#include <QClipboard>
#include <QFont>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QTest>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace meshslice::ui {
namespace {

class TableViewTest : public ::testing::Test {
  protected:
    TableViewTest() {
        model.setTable({"sample",
                        {"layer", "Collective exposed_s", "moved_bytes"},
                        {{std::string("FF1"), 0.0142, std::int64_t{45'000'000'000}},
                         {std::string("QKV"), 0.002, std::int64_t{512}}}});
        sorted.setSourceModel(&model);
        sorted.setSortRole(TableModel::sort_role);
        view->show();
        view->setFocus();
    }
    static QString copied() { return QGuiApplication::clipboard()->text(); }

    TableModel model;
    QSortFilterProxyModel sorted;
    std::unique_ptr<QTableView> view{makeTableView(&sorted, QStringLiteral("sample"))};
};

const QString header = QStringLiteral("layer\tCollective exposed_s\tmoved_bytes\n");

/// For a spreadsheet: numbers without units, which stand in the names of the columns.
TEST_F(TableViewTest, CopiesTheWholeTable) {
    QTest::keyClick(view.get(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(view.get(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(copied(), QString(header + QStringLiteral("FF1\t0.0142\t45000000000\nQKV\t0.002\t512\n")));
}

TEST_F(TableViewTest, CopiesTheSelectedRowsInTheOrderShown) {
    sorted.sort(2); // QKV first
    view->selectRow(0);
    QTest::keyClick(view.get(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(copied(), QString(header + QStringLiteral("QKV\t0.002\t512\n")));
    view->clearSelection();
    QTest::keyClick(view.get(), Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(copied(), QString(header + QStringLiteral("QKV\t0.002\t512\nFF1\t0.0142\t45000000000\n")))
        << "without a selection, all of it";
}

/// Letters twice as high have rows that are at least as much higher as the letters are.
TEST_F(TableViewTest, RowsFollowTheTextSize) {
    const int before = view->rowHeight(0);
    const int letters = view->fontMetrics().height();
    QFont large = view->font();
    large.setPointSizeF(2 * large.pointSizeF());
    view->setFont(large);
    ASSERT_GT(view->fontMetrics().height(), letters);
    EXPECT_EQ(view->rowHeight(0) - before, view->fontMetrics().height() - letters);
}

/// See main.cpp. A test that turned the wheel with Shift once made the test of selected rows copy all of
/// them, where it came right before it.
TEST_F(TableViewTest, NoTestBeginsWithTheKeysOfAnother) {
    EXPECT_EQ(QGuiApplication::keyboardModifiers(), Qt::NoModifier);
    QTest::mouseClick(view.get(), Qt::LeftButton, Qt::ShiftModifier);
    EXPECT_EQ(QGuiApplication::keyboardModifiers(), Qt::ShiftModifier) << "what main.cpp is there for";
}

/// "Collective" and "exposed" below each other: the column is no wider than the longer of them, and neither
/// is cut.
TEST_F(TableViewTest, LongTitlesStandInTwoLines) {
    EXPECT_EQ(model.headerData(1, Qt::Horizontal).toString(), QStringLiteral("Collective\nexposed"));
    view->resizeColumnsToContents();
    const QFontMetrics letters = view->horizontalHeader()->fontMetrics();
    EXPECT_GE(view->columnWidth(1), letters.horizontalAdvance(QStringLiteral("Collective")));
    EXPECT_LT(view->columnWidth(1), letters.horizontalAdvance(QStringLiteral("Collective exposed")));
    EXPECT_GE(view->horizontalHeader()->height(), 2 * letters.height());
}

/// A number ends well before the next column's word begins.
TEST_F(TableViewTest, HeadsStandApart) {
    const QHeaderView* heads = view->horizontalHeader();
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString title = model.headerData(column, Qt::Horizontal).toString();
        const int words = heads->fontMetrics().size(0, title).width();
        EXPECT_GE(heads->sectionSizeHint(column), words + 16) << title.toStdString();
    }
}

/// With larger text the heads still have their words: columns grow as letters do, and shrink again.
TEST_F(TableViewTest, ColumnsFollowTheTextSize) {
    view->resizeColumnsToContents();
    std::vector<int> before;
    for (int column = 0; column < 3; ++column) {
        before.push_back(view->columnWidth(column));
    }
    const QFont usual = view->font();
    QFont large = usual;
    large.setPointSizeF(usual.pointSizeF() * 1.6);
    view->setFont(large);
    for (int column = 0; column < 3; ++column) {
        EXPECT_GE(view->columnWidth(column), view->horizontalHeader()->sectionSizeHint(column) * 0.97)
            << column;
        EXPECT_GT(view->columnWidth(column), before[static_cast<std::size_t>(column)] * 1.3) << column;
    }
    view->setFont(usual);
    for (int column = 0; column < 3; ++column) {
        EXPECT_NEAR(view->columnWidth(column), before[static_cast<std::size_t>(column)], 3) << column;
    }
}

} // namespace
} // namespace meshslice::ui
