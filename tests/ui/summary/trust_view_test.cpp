#include "core/evidence/measured_scenario.h"
#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/document/document.h"
#include "ui/look/palette.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"
#include "ui/summary/trust_view.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QUndoStack>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

/// Llama 3 8B on 64 H100, which many published runs are like.
class TrustViewTest : public ::testing::Test {
  protected:
    TrustViewTest() {
        Scenario scenario = default_scenario();
        scenario.model = *model_preset("llama-3-8b");
        scenario.sequence = 8192;
        scenario.batch = 128;
        scenario.hardware = *machine_preset("h100-nvs8");
        scenario.planning.chips = 64;
        scenario.plan.split.strategy = "1d";
        EXPECT_TRUE(document.edit(scenario, "model"));
        document.endEdit();
        session.follow();
        view.setPalette(widgetPalette(Theme::light));
        view.resize(1000, 640);
        view.follow();
        QObject::connect(&session, &Session::changed, &view, &View::follow);
        view.show();
        settle();
    }
    void settle() {
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return session.plans()->current() && view.isCurrent(); }, patience_ms));
    }
    [[nodiscard]] const Chart& chart() { return *view.canvas()->surface()->chart(); }
    [[nodiscard]] std::size_t points(const char* name) {
        const auto& all = chart().panels.at(0).series;
        const auto found = std::ranges::find(all, name, &ChartSeries::name);
        return found == all.end() ? 0 : found->points.size();
    }
    void choose(QComboBox* list, const char* data) {
        const int at = list->findData(QString::fromLatin1(data));
        ASSERT_GE(at, 0) << data;
        list->setFocus();
        list->setCurrentIndex(at);
    }

    Document document;
    Session session{&document};
    TrustView view{&session};
};

/// All shipped runs, with those nearest to the plan marked and first in the table.
TEST_F(TrustViewTest, MarksTheRunsNearestToThePlan) {
    EXPECT_THAT(chart().title, HasSubstr("eight of ten between "));
    EXPECT_EQ(points("nearest to the plan"), 5U);
    EXPECT_EQ(points("nearest to the plan") + points("dense models") + points("models with experts"),
              left_out_training().size());
    EXPECT_THAT(view.expected()->text().toStdString(), HasSubstr("Expected by measured runs: "));
    EXPECT_TRUE(view.expected()->isVisible());
    const Table table = view.table();
    ASSERT_EQ(table.rows.size(), left_out_training().size());
    const auto near = std::ranges::find(table.columns, "nearest to the plan") - table.columns.begin();
    for (std::size_t row = 0; row < 6; ++row) {
        EXPECT_EQ(std::get<std::string>(table.rows[row][static_cast<std::size_t>(near)]),
                  row < 5 ? "yes" : "");
    }
    EXPECT_FALSE(view.hardware()->accessibleName().isEmpty());
    EXPECT_THAT(view.accessibleDescription().toStdString(), HasSubstr("eight of ten"));
    EXPECT_GT(view.canvas()->readableParts().size(), left_out_training().size() / 2);
}

TEST_F(TrustViewTest, FiltersByChipAndByKind) {
    choose(view.kind(), "experts");
    EXPECT_EQ(points("dense models"), 0U);
    EXPECT_GT(points("models with experts"), 0U);
    choose(view.kind(), "");
    choose(view.hardware(), "H100-SXM-80G");
    EXPECT_GT(points("dense models"), 0U);
    for (const auto& row : view.table().rows) {
        EXPECT_EQ(std::get<std::string>(row[1]), "H100-SXM-80G");
    }
    EXPECT_EQ(view.runs()->model()->rowCount(), static_cast<int>(view.table().rows.size()));
}

/// A run that is selected in the table is selected in the chart, and the other way round; its lines say what
/// was measured, what is predicted, and where it stands.
TEST_F(TrustViewTest, SelectsInBoth) {
    view.runs()->setFocus();
    view.runs()->setCurrentIndex(view.runs()->model()->index(0, 0));
    QTest::keyClick(view.runs(), Qt::Key_Down);
    ASSERT_EQ(view.runs()->currentIndex().row(), 1);
    const std::vector<PredictedTraining>& all = left_out_training();
    const std::string model = std::get<std::string>(view.table().rows[1][0]);
    const auto parts = view.canvas()->readableParts();
    EXPECT_TRUE(std::ranges::any_of(parts, [&](const ReadablePart& part) {
        const std::string said = QString(part.name + part.text).toStdString();
        return said.find(model) != std::string::npos && said.find("measured ") != std::string::npos;
    })) << model;
    emit view.canvas()->surface()->picked(static_cast<int>(all.size()) - 1);
    const int row = view.runs()->currentIndex().row();
    EXPECT_EQ(std::get<std::string>(view.table().rows[static_cast<std::size_t>(row)][0]),
              all.back().row().model);
    emit view.canvas()->surface()->picked(std::nullopt);
    EXPECT_FALSE(view.runs()->selectionModel()->hasSelection());
}

/// The button loads the selected run, in one undo step; of one that cannot be expressed it is off and the
/// line above says why.
TEST_F(TrustViewTest, LoadsTheSelectedRun) {
    EXPECT_FALSE(view.loadButton()->isEnabled()) << "none is selected";
    const Scenario before = document.scenario();
    const std::vector<PredictedTraining>& all = left_out_training();
    const auto select = [&](auto fits) {
        const auto found =
            std::ranges::find_if(all, [&](const PredictedTraining& one) { return fits(one.row()); });
        emit view.canvas()->surface()->picked(static_cast<int>(found - all.begin()));
        return found->row();
    };
    const TrainingRow refused =
        select([&](const TrainingRow& one) { return !measured_scenario(one, before); });
    EXPECT_FALSE(view.loadButton()->isEnabled());
    EXPECT_THAT(view.selected()->text().toStdString(),
                HasSubstr("It cannot be loaded. " + measured_scenario(refused, before).error().sentence));
    const TrainingRow row = select([](const TrainingRow& one) { return one.id == "T0002"; });
    ASSERT_TRUE(view.loadButton()->isEnabled()) << view.selected()->text().toStdString();
    EXPECT_THAT(view.selected()->text().toStdString(), HasSubstr("mosaicml/llm-foundry"));
    QTest::mouseClick(view.loadButton(), Qt::LeftButton);
    EXPECT_EQ(document.scenario().chips(), 256);
    EXPECT_EQ(document.scenario().plan.split.zero, "3");
    document.undoStack()->undo();
    EXPECT_TRUE(document.scenario() == before);
}

/// One GEMM has no plan; the runs are there, and none is marked.
TEST_F(TrustViewTest, ShowsTheRunsWithoutAPlan) {
    Scenario gemm = document.scenario();
    gemm.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    ASSERT_TRUE(document.edit(gemm, "gemm"));
    document.endEdit();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !session.plans()->current() && view.isCurrent(); }, patience_ms));
    EXPECT_EQ(points("nearest to the plan"), 0U);
    EXPECT_FALSE(view.expected()->isVisible());
}

} // namespace
} // namespace meshslice::ui
