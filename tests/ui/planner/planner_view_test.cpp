#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/document/document.h"
#include "ui/planner/limits_pane.h"
#include "ui/planner/loaded_plan_bar.h"
#include "ui/planner/plan_pane.h"
#include "ui/planner/plan_table_model.h"
#include "ui/planner/planner_view.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"
#include "ui/view/picture_file.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;
using testing::Not;

/// GPT-3 175B on 512 chips of a100-nvs4, batch 1024.
class PlannerViewTest : public ::testing::Test {
  protected:
    PlannerViewTest() {
        Scenario scenario = default_scenario();
        scenario.batch = 1024;
        scenario.hardware = *machine_preset("a100-nvs4");
        scenario.planning.chips = 512;
        scenario.plan.split = {"all", "1f1b", "none", "1"};
        scenario.plan.split.rank = PlanOrder::ideal;
        EXPECT_TRUE(document.edit(scenario, "batch"));
        document.endEdit();
        session.follow();
        view.resize(900, 640);
        view.follow();
        QObject::connect(&session, &Session::changed, &view, &View::follow);
        view.show();
        wait();
    }
    void wait() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
        ASSERT_TRUE(QTest::qWaitFor([&] { return !session.isComputing(); }, patience_ms));
    }
    void choose(QComboBox* list, const char* word) {
        const int at = list->findData(QLatin1String(word));
        ASSERT_GE(at, 0) << word;
        list->setCurrentIndex(at);
        emit list->activated(at);
    }
    void typeChips(const char* text) {
        view.chips()->setFocus();
        view.chips()->selectAll();
        QTest::keyClicks(view.chips(), QLatin1String(text));
        QTest::keyClick(view.chips(), Qt::Key_Return);
    }
    [[nodiscard]] std::string title() {
        const auto& chart = view.canvas()->surface()->chart();
        return chart ? chart->title : std::string();
    }

    Document document;
    Session session{&document};
    PlannerView view{&session};
};

/// Micro-batches of one sample: 8 copies x 16 stages x 4 chips are 512, and 8 copies x 128 micro-batches
/// are 1024 samples.
TEST_F(PlannerViewTest, AnswersForTheScenario) {
    EXPECT_THAT(title(), HasSubstr(" a step at "));
    EXPECT_THAT(title(), HasSubstr(" of peak on 512 chips with 2D: dp 16 x pp 8 x tp 2x2, ZeRO 1"));
    EXPECT_THAT(view.accessibleDescription().toStdString(), HasSubstr("GPT-3 175B on 512 chips of"));
    EXPECT_THAT(view.accessibleDescription().toStdString(), HasSubstr("the largest part is compute"));
    const Chart& bars = *view.canvas()->surface()->chart();
    ASSERT_EQ(bars.panels.size(), 1u);
    EXPECT_EQ(bars.panels[0].y.categories.size(), 12u);
    EXPECT_EQ(bars.panels[0].series.front().role, Role::compute);
    ASSERT_TRUE(view.frontier()->surface()->chart());
    const auto& points = view.frontier()->surface()->chart()->panels[0];
    EXPECT_EQ(points.series.back().kind, SeriesKind::rule);
    EXPECT_EQ(points.series.back().points.front().x, 80e9) << "what an A100 has";
    EXPECT_EQ(view.selected(), 0);
    EXPECT_EQ(view.cluster()->currentData().toString(), QStringLiteral("a100-nvs4"));
    EXPECT_EQ(view.chips()->text(), QStringLiteral("512"));
}

TEST_F(PlannerViewTest, AnEditOfTheMachineIsUndone) {
    const std::string before = title();
    choose(view.cluster(), "h100-nvs8");
    EXPECT_EQ(document.scenario().hardware.name, "h100-nvs8");
    EXPECT_FALSE(view.isCurrent()) << "the old answer is not the new question's";
    EXPECT_TRUE(view.table().rows.empty());
    wait();
    EXPECT_NE(title(), before);
    EXPECT_EQ(session.plans()->current()->answer.question.machine.name, "h100-nvs8");
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario().hardware.name, "a100-nvs4");
    wait();
    EXPECT_EQ(title(), before);
    EXPECT_EQ(view.cluster()->currentData().toString(), QStringLiteral("a100-nvs4"));
}

/// What is being replaced does not look like what was asked for.
TEST_F(PlannerViewTest, OldPlansAreUnderAVeil) {
    EXPECT_FALSE(view.isStale());
    const std::string before = title();
    Gate gate(session.plans()->job());
    choose(view.cluster(), "h100-nvs8");
    EXPECT_EQ(title(), before) << "the old picture stays";
    EXPECT_FALSE(view.isCurrent());
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.isStale(); }, patience_ms)) << "and says that it is old";
    gate.open();
    wait();
    EXPECT_FALSE(view.isStale());
    EXPECT_NE(title(), before);
}

/// A step is 1024 x 2048 tokens: 1T of them are 476,838 steps.
TEST_F(PlannerViewTest, SaysTheDaysOfATraining) {
    EXPECT_THAT(title(), Not(HasSubstr(" days for ")));
    const auto type = [&](const char* text) {
        view.tokens()->setFocus();
        view.tokens()->selectAll();
        QTest::keyClicks(view.tokens(), QLatin1String(text));
        if (*text == 0) {
            QTest::keyClick(view.tokens(), Qt::Key_Delete);
        }
        QTest::keyClick(view.tokens(), Qt::Key_Return);
    };
    type("1T");
    EXPECT_EQ(document.scenario().planning.tokens, 1'000'000'000'000);
    wait();
    EXPECT_EQ(view.tokens()->text(), QStringLiteral("1T"));
    EXPECT_THAT(title(), HasSubstr(" days for "));
    const Table shown = view.rows()->source();
    const auto column = [&](const char* name) {
        return static_cast<std::size_t>(std::ranges::find(shown.columns, name) - shown.columns.begin());
    };
    ASSERT_LT(column("days"), shown.columns.size());
    const auto number = [&](const char* name) { return std::get<double>(shown.rows[0][column(name)]); };
    EXPECT_NEAR(number("days"), 476'838 * number("ideal_s") / 86'400, 1e-9 * number("days"));
    type("all");
    EXPECT_TRUE(view.refusal()->isVisible());
    EXPECT_EQ(document.scenario().planning.tokens, 1'000'000'000'000);
    type("");
    EXPECT_EQ(document.scenario().planning.tokens, std::nullopt);
    wait();
    EXPECT_THAT(title(), Not(HasSubstr(" days for ")));
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario().planning.tokens, 1'000'000'000'000);
}

TEST_F(PlannerViewTest, OneStrategyAlone) {
    choose(view.strategy(), "1d");
    wait();
    for (const auto& category : view.canvas()->surface()->chart()->panels[0].y.categories) {
        EXPECT_TRUE(category.starts_with("1D: ")) << category;
    }
}

/// What would be refused cannot be chosen, and says why.
TEST_F(PlannerViewTest, OffersTheStrategiesThatTheClusterRuns) {
    const auto offered = [&](const char* word) {
        const int at = view.strategy()->findData(QString::fromLatin1(word));
        return (view.strategy()->model()->flags(view.strategy()->model()->index(at, 0)) &
                Qt::ItemIsEnabled) != 0;
    };
    EXPECT_TRUE(offered("all") && offered("1d") && offered("2d") && offered("summa"));
    EXPECT_FALSE(offered("meshslice"));
    EXPECT_THAT(view.strategy()
                    ->itemData(view.strategy()->findData(QStringLiteral("meshslice")), Qt::ToolTipRole)
                    .toString()
                    .toStdString(),
                HasSubstr("expected 1d, 2d, summa or all in fast domains"));
    Scenario on_torus = document.scenario();
    on_torus.hardware = *machine_preset("tpu-v5p");
    document.edit(on_torus, "hardware");
    wait();
    EXPECT_TRUE(offered("all") && offered("1d") && offered("summa") && offered("meshslice"));
    EXPECT_FALSE(offered("2d"));
}

/// 7 divides neither 1024 nor GPT-3's 96 layers and heads; what is not a number changes nothing.
TEST_F(PlannerViewTest, ARefusedNumberOfChipsSaysWhatWouldWork) {
    typeChips("97");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return view.sentence().contains(QStringLiteral("97 chips")); }, patience_ms));
    EXPECT_THAT(view.sentence().toStdString(),
                HasSubstr("with a batch that is a multiple of 97 there is one"));
    EXPECT_FALSE(view.isCurrent());
    EXPECT_FALSE(view.canvas()->surface()->chart());
    EXPECT_TRUE(view.table().rows.empty());
    for (const PlanPane* pane : view.findChildren<PlanPane*>()) {
        EXPECT_EQ(pane->sentence(), view.sentence()) << "every page says why there is no plan";
    }
    typeChips("0");
    EXPECT_TRUE(view.refusal()->isVisible());
    EXPECT_THAT(view.refusal()->text().toStdString(), HasSubstr("a whole number from 1 to"));
    EXPECT_EQ(document.scenario().planning.chips, 97);
    typeChips("256");
    wait();
    EXPECT_FALSE(view.refusal()->isVisible());
    EXPECT_THAT(title(), HasSubstr("on 256 chips"));
}

/// 16 chips of 80 GB hold 1280 GB; 175e9 weights, gradients and Adam's state alone are 16 bytes each.
TEST_F(PlannerViewTest, NothingFitsIsSaid) {
    typeChips("16");
    wait();
    EXPECT_THAT(title(), HasSubstr("Nothing fits"));
    EXPECT_THAT(title(), HasSubstr("What would fit: "));
    const auto& panel = view.canvas()->surface()->chart()->panels[0];
    ASSERT_EQ(panel.series.size(), 1u);
    EXPECT_EQ(panel.series[0].role, Role::exposed) << "hatched";
    EXPECT_EQ(panel.y.groups.size(), panel.y.categories.size());
}

/// By expected time the plan that is expected to be the fastest stands first, in the bars and in the table;
/// what a row selects is its own plan, and ties are said. The order is the scenario's, so undo takes it back.
TEST_F(PlannerViewTest, OrdersByExpectedTime) {
    const std::string ideal = title();
    EXPECT_EQ(view.rank()->currentData().toString(), QStringLiteral("ideal"));
    EXPECT_THAT(view.bar()->line()->text().toStdString(), Not(HasSubstr("By expected time")));
    choose(view.rank(), "expected");
    EXPECT_EQ(document.scenario().plan.split.rank, PlanOrder::expected);
    wait();
    const auto found = session.plans()->current();
    ASSERT_EQ(found->expected.size(), found->plans.size());
    const auto column = static_cast<std::size_t>(view.rows()->columnNamed("expected_s"));
    ASSERT_LT(column, view.rows()->source().columns.size());
    const auto seconds = [&](int row) {
        const auto* const its =
            std::get_if<double>(&view.rows()->source().rows[static_cast<std::size_t>(row)][column]);
        return its != nullptr ? *its : -1;
    };
    double before = 0;
    for (int row = 0; row < view.rows()->rowCount() && seconds(row) > 0; ++row) {
        EXPECT_GE(seconds(row), before);
        before = seconds(row);
        const QModelIndex cell = view.rows()->index(row, static_cast<int>(column));
        EXPECT_THAT(cell.data(Qt::ToolTipRole).toString().toStdString(), HasSubstr("eight of ten from "));
    }
    EXPECT_GT(before, 0);
    EXPECT_EQ(view.selected(), 0) << "the first of the search";
    EXPECT_EQ(found->expected[0].seconds, seconds(0));
    EXPECT_EQ(found->answer.search.expected_splits.front(), seconds(0));
    EXPECT_EQ(view.canvas()->surface()->chart()->panels[0].y.items.front(), 0);
    EXPECT_THAT(view.bar()->line()->text().toStdString(), HasSubstr("By expected time plan"));
    const QModelIndex second = view.rows()->index(1, 0);
    QTest::mouseClick(view.plansTable()->viewport(), Qt::LeftButton, {},
                      view.plansTable()->visualRect(second).center());
    const auto chosen = static_cast<std::size_t>(view.selected());
    EXPECT_EQ(found->expected[chosen].seconds, seconds(1));
    EXPECT_EQ(found->plans[chosen].reading.time.total, std::get<double>(view.rows()->source().rows[1][2]));
    document.undoStack()->undo();
    EXPECT_EQ(view.rank()->currentData().toString(), QStringLiteral("ideal"));
    wait();
    EXPECT_EQ(title(), ideal);
    EXPECT_THAT(view.bar()->line()->text().toStdString(), Not(HasSubstr("By expected time")));
}

TEST_F(PlannerViewTest, AClickOnABarSelectsThePlanInBothCharts) {
    ChartSurface* surface = view.canvas()->surface();
    const auto parts = surface->readableParts();
    // A bar has its parts one after the other; a point inside one is a point of its plan.
    std::optional<QPoint> third;
    const std::string wanted = surface->chart()->panels[0].y.categories[2];
    for (const ReadablePart& part : parts) {
        if (!third && QString(part.name + part.text).contains(QString::fromStdString(wanted))) {
            third = part.area.center();
        }
    }
    ASSERT_TRUE(third);
    QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, *third);
    EXPECT_EQ(view.selected(), 2);
    EXPECT_EQ(view.plansTable()->currentIndex().row(), 2);
    // A plan that only the other chart has.
    const int last = view.rows()->rowCount() - 1;
    ASSERT_GE(last, 12);
    emit view.frontier()->surface()->picked(last);
    EXPECT_EQ(view.selected(), last);
}

/// The page of the selected plan says what the command line says. What is hidden and what is exposed are the
/// whole, and the chart above it has the exposed part.
TEST_F(PlannerViewTest, SaysWhatBoundsTheSelectedPlanAndWhatItHides) {
    view.turnTo(4);
    const auto chart = [&]() -> const std::optional<Chart>& {
        return view.limits()->canvas()->surface()->chart();
    };
    const auto note = [&](const std::string& beginning) {
        const auto& notes = chart()->notes;
        const auto found =
            std::ranges::find_if(notes, [&](const std::string& one) { return one.starts_with(beginning); });
        return found == notes.end() ? QString() : QString::fromStdString(*found);
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart().has_value(); }, patience_ms));
    ASSERT_EQ(chart()->panels.size(), 2U);
    const ChartPanel& times = chart()->panels[0];
    EXPECT_EQ(times.y.categories[0], "compute");
    EXPECT_TRUE(
        note("Largest part: compute").contains(QStringLiteral("It would be more with: half the FLOP/s ")));
    const auto part = std::ranges::find(times.y.categories, "data- and context-parallel communication");
    ASSERT_NE(part, times.y.categories.end());
    const double exposed =
        times.series[0].values[static_cast<std::size_t>(part - times.y.categories.begin())].value();
    const QRegularExpression amounts(QStringLiteral(
        "Hidden: ([\\d.]+).(m?)s of ([\\d.]+).(m?)s of data- and context-parallel communication"));
    const auto found = amounts.match(note("Hidden: "));
    ASSERT_TRUE(found.hasMatch()) << note("Hidden: ").toStdString();
    const auto seconds = [](const QString& number, bool milli) {
        return number.toDouble() * (milli ? 1e-3 : 1);
    };
    const double hidden = seconds(found.captured(1), !found.captured(2).isEmpty());
    const double whole = seconds(found.captured(3), !found.captured(4).isEmpty());
    EXPECT_GT(hidden, 0);
    EXPECT_NEAR(hidden + exposed, whole, 0.01 * whole);

    const Chart best = *chart();
    view.select(view.rows()->rowCount() - 1); // another plan has other words
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart() && chart()->notes != best.notes; }, patience_ms));
}

TEST_F(PlannerViewTest, LeavesTheProgramAsCsvAndPicture) {
    QTemporaryDir folder;
    const QString csv = folder.filePath(QStringLiteral("plan.csv"));
    ASSERT_TRUE(savePicture(view, csv, QSize(900, 600), Theme::light));
    QFile file(csv);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    EXPECT_TRUE(text.contains("rank,strategy,dp,pp,tp,micro_batch")) << text.left(300).toStdString();
    EXPECT_EQ(view.table().rows.size(), 12u);
    EXPECT_EQ(view.table().rows[0][2], Table::Cell(std::int64_t{16}));
    EXPECT_THAT(view.caption().toStdString(), HasSubstr("plans for 512 chips"));
    for (const int width : {1200, 600}) { // side by side, and one above the other
        QImage image(width, 700, QImage::Format_RGB32);
        image.fill(Qt::red);
        QPainter painter(&image);
        view.paintPicture(painter, image.size(), Theme::light);
        painter.end();
        EXPECT_NE(image.pixelColor(width - 3, 3), QColor(Qt::red));
        EXPECT_NE(image.pixelColor(3, 697), QColor(Qt::red));
        EXPECT_NE(image.pixelColor(width - 3, 697), QColor(Qt::red));
    }
}

/// A figure's title that goes over several lines stands above both charts in place of the first one's; the
/// second one keeps its own.
TEST_F(PlannerViewTest, AWrappedTitleLeavesTheSecondChartItsOwn) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("plan.svg"));
    Figure figure{{600, 700}, Theme::light, {}, {}};
    const QString long_title =
        QStringLiteral("Many copies of a short pipeline, which wait for each other's gradients, "
                       "against few copies of a long one, which waits to be filled");
    const auto texts = [&](const std::optional<QString>& title) {
        figure.title = title;
        EXPECT_TRUE(savePicture(view, path, figure));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        static const QRegularExpression text(QStringLiteral("<text[^>]*>([^<]*)</text>"));
        QString all;
        for (auto found = text.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();) {
            all += found.next().captured(1).trimmed() + QLatin1Char(' ');
        }
        return all.toStdString();
    };
    ASSERT_TRUE(view.frontier()->surface()->chart());
    const std::string of_second = view.frontier()->surface()->chart()->title;
    const std::string begins = of_second.substr(0, of_second.find(' ', 20)); // it may go over lines, too
    const std::string wrapped = texts(long_title);
    EXPECT_THAT(wrapped, HasSubstr(long_title.toStdString()));
    EXPECT_THAT(wrapped, HasSubstr(begins));
    EXPECT_THAT(texts(QStringLiteral("Short")), HasSubstr(begins));
    EXPECT_THAT(texts(QString(QLatin1String(""))), testing::Not(HasSubstr(begins))) << "no title is none";
}

/// The ranked plans and the three panes, each by its name.
TEST_F(PlannerViewTest, TurnsToItsPages) {
    ASSERT_EQ(view.pages().size(), view.tabs()->count());
    EXPECT_EQ(view.page(), 0);
    view.turnTo(static_cast<int>(view.pages().indexOf(QStringLiteral("cluster"))));
    EXPECT_EQ(view.tabs()->tabText(view.tabs()->currentIndex()), QStringLiteral("Cluster"));
}

TEST_F(PlannerViewTest, OneGemmIsNoTrainingRun) {
    Scenario scenario = document.scenario();
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    ASSERT_TRUE(document.edit(scenario, "gemm"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !session.isComputing(); }, patience_ms));
    EXPECT_THAT(view.sentence().toStdString(), HasSubstr("this scenario is a single GEMM"));
    EXPECT_FALSE(view.isCurrent());
}

TEST_F(PlannerViewTest, EveryControlSaysWhatItIs) {
    for (QWidget* control : std::initializer_list<QWidget*>{view.cluster(), view.chips(), view.strategy()}) {
        EXPECT_FALSE(control->accessibleName().isEmpty());
        EXPECT_FALSE(control->toolTip().isEmpty());
    }
    EXPECT_FALSE(view.canvas()->accessibleName().isEmpty());
    EXPECT_FALSE(view.frontier()->accessibleName().isEmpty());
    EXPECT_THAT(view.accessibleDescription().toStdString(), HasSubstr("GPT-3 175B"));
}

} // namespace
} // namespace meshslice::ui
