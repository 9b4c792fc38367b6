#include "ui/controls/table_model.h"

#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

Table sample() {
    return {"sample",
            {"layer", "time_s", "moved_bytes", "slices", "share"},
            {{std::string("FF1"), 0.0142, std::int64_t{45'000'000'000}, std::int64_t{16}, 0.71},
             {std::string("QKV"), 0.002, std::int64_t{512}, std::int64_t{4}, 0.084}}};
}

TEST(TableModel, PassesTheModelTesterThroughResets) {
    TableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setTable(sample());
    model.setTable({});
    model.setTable(sample());
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.columnCount(), 5);
    EXPECT_EQ(model.rowCount(model.index(0, 0)), 0);
}

TEST(TableModel, ShowsQuantitiesWithUnits) {
    // The ending of the column's name says the unit: 0.0142 in time_s is 14.2 ms, apart by a thin space.
    struct Case {
        const char* column;
        Table::Cell cell;
        QString shown;
    };
    const QChar thin(0x2009);
    const Case cases[] = {
        {"time_s", 0.0142, QStringLiteral("14.2%1ms").arg(thin)},
        {"start_ps", std::int64_t{2'000'000}, QStringLiteral("2.00%1µs").arg(thin)},
        {"moved_bytes", std::int64_t{45'000'000'000}, QStringLiteral("45.0%1GB").arg(thin)},
        {"slices", std::int64_t{16}, QStringLiteral("16")},
        {"share", 0.71, QStringLiteral("71%")},
        {"T3_ratio", 1.4, QStringLiteral("1.40×")}, // as many digits as 1.45 has
        {"layer", std::string("FF1"), QStringLiteral("FF1")},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(cellText(one.column, one.cell).toStdString(), one.shown.toStdString()) << one.column;
    }
    EXPECT_EQ(columnTitle("time_s"), QStringLiteral("time"));
    EXPECT_EQ(columnTitle("peak_flop_per_s"), QStringLiteral("peak"));
    EXPECT_EQ(columnTitle("slices"), QStringLiteral("slices"));
}

TEST(TableModel, SortsByTheNumberAndNotByItsText) {
    TableModel model;
    model.setTable(sample());
    QSortFilterProxyModel sorted;
    sorted.setSourceModel(&model);
    sorted.setSortRole(TableModel::sort_role);
    sorted.sort(2); // 512 B before 45 GB, though "45" < "512" as text
    EXPECT_EQ(sorted.index(0, 0).data().toString(), QStringLiteral("QKV"));
}

TEST(TableModel, AnswersNothingOutsideItsTable) {
    TableModel model;
    model.setTable(sample());
    EXPECT_FALSE(model.headerData(99, Qt::Horizontal).isValid());
    EXPECT_FALSE(model.headerData(0, Qt::Vertical).isValid());
    EXPECT_FALSE(model.data({}).isValid());
}

} // namespace
} // namespace meshslice::ui
