#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/controls/table_model.h"
#include "ui/products/products_view.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QTableView>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// A block of MeshSlice next to Collective.
ResultsPtr twoAlgorithms() {
    auto results = std::make_shared<Results>();
    results->scenario = smallScenario();
    for (const char* algorithm : {"meshslice", "collective"}) {
        results->steps.push_back(training_step(results->scenario, algorithm, Depth::estimate).value());
    }
    return results;
}

class ProductsViewTest : public ::testing::Test {
  protected:
    ProductsViewTest() {
        view.resize(900, 500);
        view.follow();
        view.show();
    }
    [[nodiscard]] int visibleColumns() const {
        const QHeaderView* header = table().horizontalHeader();
        return header->count() - header->hiddenSectionCount();
    }
    [[nodiscard]] QTableView& table() const { return *view.tableView(); }

    HandMadeSession session{twoAlgorithms()};
    mutable ProductsView view{&session};
};

/// The times of both with their differences stay; how long links take for what is shown when it is asked for.
TEST_F(ProductsViewTest, ColumnsThatHaveNoRoomAreAskedFor) {
    const int all = table().model()->columnCount();
    EXPECT_LT(visibleColumns(), all);
    ASSERT_FALSE(view.allColumns()->isHidden());
    int width = 0;
    for (int column = 0; column < all; ++column) {
        width += table().isColumnHidden(column) ? 0 : table().columnWidth(column);
    }
    EXPECT_LE(width, table().viewport()->width()) << "nothing lies beyond the edge";
    QTest::keyClick(view.allColumns(), Qt::Key_Space);
    EXPECT_EQ(visibleColumns(), all);
    QTest::keyClick(view.allColumns(), Qt::Key_Space);
    view.resize(4000, 500);
    EXPECT_EQ(visibleColumns(), all) << "there is room";
    EXPECT_TRUE(view.allColumns()->isHidden());
}

/// By hand: the longest time of a column has the whole bar, half of it would have half; the line of sums,
/// names and differences have none.
TEST_F(ProductsViewTest, TimesHaveBars) {
    const QAbstractItemModel& model = *table().model();
    int time = -1;
    for (int column = 0; column < model.columnCount() && time < 0; ++column) {
        const QVariant name = model.headerData(column, Qt::Horizontal, TableModel::sort_role);
        time = name.toString().contains(QStringLiteral("time")) ? column : -1;
    }
    ASSERT_GE(time, 0);
    double longest = 0;
    for (int row = 1; row < model.rowCount(); ++row) {
        longest = std::max(longest, model.index(row, time).data(TableModel::sort_role).toDouble());
    }
    int whole = 0;
    for (int row = 1; row < model.rowCount(); ++row) {
        const std::optional<double> bar = view.barOf(model.index(row, time));
        ASSERT_TRUE(bar);
        EXPECT_NEAR(*bar, model.index(row, time).data(TableModel::sort_role).toDouble() / longest, 1e-9);
        whole += *bar == 1 ? 1 : 0;
    }
    EXPECT_GE(whole, 1);
    EXPECT_FALSE(view.barOf(model.index(0, time))) << "sums";
    EXPECT_FALSE(view.barOf(model.index(1, 0))) << "a name";
    EXPECT_FALSE(view.grab().isNull());
}

} // namespace
} // namespace meshslice::ui
