#include "core/report/path_table.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/path/path_view.h"
#include "ui/timeline/view/timeline_view.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// A real run of 4 x 4 chips, small enough to explain at once. The west link of its last chip is slow, so the
/// path is there.
ResultsPtr runWithSlowLink() {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {4, 4};
    results->scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    results->scenario.assume.faults.parts = {*parse_fault("3,3 west 1%")};
    results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
    return results;
}

class PathViewTest : public ::testing::Test {
  protected:
    PathViewTest() {
        session.show(results, reasons);
        view.eachHop()->setChecked(true);
        view.follow();
        view.resize(900, 400);
        view.show();
    }

    const ResultsPtr results = runWithSlowLink();
    const ReasonsPtr reasons = reasonsFor(results);
    const std::vector<CriticalEvent>& events = reasons->of(0, 0)->path->events;
    HandMadeSession session;
    PathView view{&session};
    QAbstractItemModel& model = *view.tableView()->model();
};

/// Every activity in order, each beginning when the one before it ends.
TEST_F(PathViewTest, ListsThePathInTheOrderOfTime) {
    const QAbstractItemModelTester tester(&model);
    ASSERT_EQ(model.rowCount(), static_cast<int>(events.size()));
    const Table table = view.table();
    ASSERT_EQ(table.columns[0], "start_s");
    double end = 0;
    for (const auto& row : table.rows) {
        EXPECT_NEAR(std::get<double>(row[0]), end, 1e-12);
        end = std::get<double>(row[0]) + std::get<double>(row[1]);
    }
    EXPECT_NEAR(end, in_seconds(results->steps[0].time), 1e-12);
    EXPECT_TRUE(view.whatTableLacks().isEmpty());
}

/// An operation is one line, however many hops it takes; the lines are all of the path, and choosing one goes
/// to its first bar. A bar of another hop that is selected elsewhere finds its line.
TEST_F(PathViewTest, AnOperationIsOneLineUntilEachHopIsAskedFor) {
    view.eachHop()->setChecked(false);
    const std::vector<PathGroup> groups = path_groups(results->steps[0], *reasons->steps[0]);
    ASSERT_EQ(model.rowCount(), static_cast<int>(groups.size()));
    EXPECT_LT(groups.size(), events.size() / 2);
    std::size_t together = 0;
    Time time;
    for (const PathGroup& group : groups) {
        EXPECT_EQ(group.first, together);
        together += group.count;
        time += group.time;
    }
    EXPECT_EQ(together, events.size());
    EXPECT_EQ(time, results->steps[0].time) << "no gap and no overlap";
    const auto long_one = std::ranges::max_element(groups, {}, &PathGroup::hops);
    ASSERT_GT(long_one->hops, 1u);
    const int line = static_cast<int>(long_one - groups.begin());
    EXPECT_TRUE(model.index(line, 2).data().toString().contains(QStringLiteral(" along the ")))
        << model.index(line, 2).data().toString().toStdString();
    view.tableView()->setCurrentIndex(model.index(line, 0));
    const CriticalEvent& first = events[long_one->first];
    EXPECT_EQ(session.selection()->selected()->row, row_of(*results->steps[0].gemms[0].timeline, first));
    const CriticalEvent& later = events[long_one->first + long_one->count - 1];
    session.selection()->select(Selected{0, 0, static_cast<std::size_t>(later.row), later.index});
    EXPECT_EQ(view.tableView()->currentIndex().row(), line);
    EXPECT_EQ(view.table().rows.size(), events.size()) << "a file has every hop";
}

/// Keys and clicks select the bar in all views, and the timeline scrolls to it.
TEST_F(PathViewTest, ChoosingALineGoesToTheBar) {
    TimelineView timeline(&session);
    timeline.resize(900, 300);
    timeline.follow();
    timeline.show();
    auto* scroll = timeline.findChild<QScrollBar*>();
    scroll->setValue(0);
    const auto far = std::ranges::find_if(events, [](const CriticalEvent& event) { return event.row > 60; });
    ASSERT_NE(far, events.end());
    const QModelIndex line = model.index(static_cast<int>(far - events.begin()), 2);
    view.tableView()->scrollTo(line);
    QTest::mouseClick(view.tableView()->viewport(), Qt::LeftButton, Qt::NoModifier,
                      view.tableView()->visualRect(line).center());
    EXPECT_EQ(session.selection()->selected(),
              (Selected{0, 0, static_cast<std::size_t>(far->row), far->index}));
    EXPECT_GT(scroll->value(), 0);
    QTest::keyClick(view.tableView(), Qt::Key_Down);
    EXPECT_EQ(view.tableView()->currentIndex().row(), line.row() + 1);
    EXPECT_NE(session.selection()->selected(),
              (Selected{0, 0, static_cast<std::size_t>(far->row), far->index}));

    const QSignalSpy asked(&view, &PathView::timelineAsked);
    QTest::keyClick(view.tableView(), Qt::Key_Return);
    EXPECT_EQ(asked.count(), 1);
}

TEST_F(PathViewTest, FollowsTheSelectionOfOthers) {
    session.selection()->select(
        Selected{0, 0, static_cast<std::size_t>(events.back().row), events.back().index});
    EXPECT_EQ(view.tableView()->currentIndex().row(), model.rowCount() - 1);
    session.selection()->select(Selected{0, 0, {}, {}});
    EXPECT_FALSE(view.tableView()->currentIndex().isValid());
    EXPECT_EQ(session.selection()->selected(), (Selected{0, 0, {}, {}})) << "following selects nothing";
}

TEST_F(PathViewTest, SaysWhyThereIsNone) {
    session.show(results);
    EXPECT_FALSE(view.sentence().isEmpty()) << "not found yet";
    EXPECT_TRUE(view.table().rows.empty());
    EXPECT_FALSE(view.grab().isNull());
    auto estimated = std::make_shared<Results>(*handMadeResults());
    estimated->steps[0].gemms[0].timeline = nullptr;
    session.show(estimated, reasonsFor(estimated));
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("estimated"))) << view.sentence().toStdString();
    session.show(nullptr);
    EXPECT_FALSE(view.sentence().isEmpty());
}

/// Of two variants the one that is edited comes first; the first column says whose line it is.
TEST_F(PathViewTest, ListsTheCurrentVariantFirst) {
    auto both = std::make_shared<Results>(*results);
    both->steps.push_back(both->steps[0]);
    both->steps[0].variant = "B (slow)";
    both->steps[1].variant = "A (as it is)";
    both->reference = Variant{"as it is", both->scenario};
    session.show(both, reasonsFor(both));
    const Table table = view.table();
    ASSERT_EQ(table.rows.size(), 2 * events.size());
    EXPECT_EQ(table.columns.front(), "variant");
    EXPECT_EQ(table.rows.front().front(), Table::Cell(std::string("B (slow)")));
    EXPECT_EQ(table.rows.back().front(), Table::Cell(std::string("A (as it is)")));
    view.tableView()->setCurrentIndex(model.index(0, 0));
    EXPECT_EQ(session.selection()->selected()->step, 0u);
    EXPECT_EQ(view.summary().count(QLatin1Char('\n')), 1) << "a line each";
    EXPECT_TRUE(view.summary().startsWith(QStringLiteral("B (slow), "))) << view.summary().toStdString();
    EXPECT_FALSE(view.grab().isNull());
}

/// Above the list what it is made of, in names that people use: no "meshslice".
TEST_F(PathViewTest, SaysWhatThePathIsMadeOf) {
    const QString sum = QString::fromStdString(path_summary(*reasons->steps[0]));
    EXPECT_EQ(view.summary(), QStringLiteral("MeshSlice, %1.").arg(sum));
    const auto labels = view.findChildren<QLabel*>();
    EXPECT_TRUE(std::ranges::any_of(
        labels, [&](const QLabel* label) { return label->isVisible() && label->text() == view.summary(); }));
    auto both = std::make_shared<Results>(*results);
    both->steps.push_back(both->steps[0]);
    both->steps[1].algorithm = "collective";
    session.show(both, reasonsFor(both));
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("MeshSlice"));
    EXPECT_EQ(model.index(model.rowCount() - 1, 0).data().toString(), QStringLiteral("Collective"));
    EXPECT_EQ(view.table().rows.front().front(), Table::Cell(std::string("meshslice")))
        << "files keep the names of the command line";
}

/// The launch of a chip that only receives has no bar: its line selects the row, and the timeline goes there.
TEST_F(PathViewTest, ALineWithoutABarSelectsItsRow) {
    auto path = std::make_shared<CriticalPath>(*reasons->of(0, 0)->path);
    path->events[1].row = -1;
    path->events[1].chip = 15;
    path->events[1].place = Place::core;
    auto changed = std::make_shared<Reasons>(*reasons);
    StepWhy why = *changed->steps[0];
    why.products[0].path = path;
    changed->steps[0] = why;
    session.show(results, changed);
    TimelineView timeline(&session);
    timeline.resize(900, 300);
    timeline.follow();
    timeline.show();
    view.tableView()->setCurrentIndex(model.index(1, 0));
    const auto& rows = results->steps[0].gemms[0].timeline->rows();
    const auto core =
        std::ranges::find_if(rows, [](const Row& row) { return row.chip == 15 && row.is_core; });
    EXPECT_EQ(session.selection()->selected(),
              (Selected{0, 0, static_cast<std::size_t>(core - rows.begin()), {}}));
    EXPECT_EQ(view.tableView()->currentIndex().row(), 1);
    EXPECT_GT(timeline.findChild<QScrollBar*>()->value(), 0);
}

/// A file waits for the path.
TEST_F(PathViewTest, WaitsForThePathForAFile) {
    Gate gate(session.explainer()->job());
    session.show(results);
    session.explainer()->request(results);
    int completed = 0;
    view.complete([&](const Result<void>& outcome) { completed += outcome ? 1 : 0; });
    EXPECT_EQ(completed, 0);
    gate.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return completed == 1; }, 30'000));
    EXPECT_FALSE(view.table().rows.empty());
}

} // namespace
} // namespace meshslice::ui
