// A machine file of three levels, two dies in a package, a switch of eight packages and a network around
// them, in the window: its plans, where their groups stand, and what is inside a collective.

#include "core/base/json/json_reader.h"
#include "core/machine/machine.h"
#include "tests/ui/support/patience.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"
#include "ui/planner/cluster/cluster_pane.h"
#include "ui/planner/pipeline_pane.h"
#include "ui/planner/planner_view.h"
#include "ui/session/session.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

/// Llama 3 8B on 32 dies, batch 32, in pipelines of two stages whose tensor-parallel groups hold 8 dies.
class ThreeLevelsInTheWindow : public ::testing::Test {
  protected:
    ThreeLevelsInTheWindow() {
        const std::string path = MESHSLICE_SOURCE_DIR "/tests/support/three-levels.json";
        Scenario scenario = default_scenario();
        scenario.hardware = read_machine(read_text_file(path).value(), path).value();
        scenario.model = *model_preset("llama-3-8b");
        scenario.batch = 32;
        scenario.planning.chips = 32;
        EXPECT_TRUE(document.edit(scenario, "hardware"));
        document.endEdit();
        session.follow();
        view = std::make_unique<PlannerView>(&session);
        view->resize(1100, 800);
        view->follow();
        QObject::connect(&session, &Session::changed, view.get(), &View::follow);
        view->show();
        wait();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return view->isCurrent(); }, patience_ms));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !session.isComputing(); }, patience_ms));
    }
    void open(int page) {
        view->tabs()->setCurrentIndex(page);
        wait();
    }
    [[nodiscard]] int column(const QString& title) const {
        for (int k = 0; k < view->rows()->columnCount(); ++k) {
            if (view->rows()->headerData(k, Qt::Horizontal).toString().simplified() == title) {
                return k;
            }
        }
        return -1;
    }

    Document document;
    Session session{&document};
    std::unique_ptr<PlannerView> view;
};

/// Two dies of a package and sixteen of a server, each in four groups.
TEST_F(ThreeLevelsInTheWindow, TheTableSaysWhereGroupsStandOnEachLevel) {
    ASSERT_GT(view->rows()->rowCount(), 0);
    const int placement = column(QStringLiteral("in a unit of each level"));
    ASSERT_GE(placement, 0);
    auto* const table = view->findChild<QTableView*>();
    ASSERT_NE(table, nullptr);
    for (int row = 0; row < view->rows()->rowCount(); ++row) {
        const QString shown = view->rows()->index(row, placement).data().toString();
        EXPECT_EQ(shown.count(QLatin1Char('/')), 1) << shown.toStdString();
        EXPECT_EQ(shown.count(QLatin1Char(',')), 6) << shown.toStdString();
        EXPECT_GE(table->columnWidth(placement), QFontMetrics(table->font()).horizontalAdvance(shown))
            << "it is not clipped: " << shown.toStdString();
    }
}

TEST_F(ThreeLevelsInTheWindow, ThePlacesAreThoseOfTheServer) {
    open(2);
    const ClusterLayout layout = view->places()->layoutNow();
    ASSERT_FALSE(layout.boxes.empty());
    EXPECT_EQ(layout.boxes.front().chips.size(), 16u) << "8 packages of 2 dies";
}

} // namespace
} // namespace meshslice::ui
