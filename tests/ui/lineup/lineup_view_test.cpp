#include "core/gemm/algorithms.h"
#include "tests/ui/lineup/hand_made_lineup.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/lineup/chip_box.h"
#include "ui/lineup/lineup_view.h"
#include "ui/lineup/lineup_window.h"
#include "ui/look/lettering.h"
#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/picture_file.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

Scenario realScenario() {
    Scenario scenario = default_scenario();
    scenario.mesh = {4, 4};
    return scenario;
}

/// What the window would show of the scenario; the line-up asks for no more than the GEMMs' number.
ResultsPtr realResults() {
    auto results = std::make_shared<Results>();
    results->scenario = realScenario();
    results->steps.push_back(
        *training_step(results->scenario, results->scenario.plan.algorithm, Depth::estimate));
    return results;
}

class LineupViewTest : public ::testing::Test {
  protected:
    LineupViewTest() {
        view.setPalette(widgetPalette(Theme::light));
        view.resize(1000, 560);
        session.show(handMadeResults());
        answer(handMadeEntries());
        view.show();
    }
    /// An answer to what the view asks.
    void answer(std::vector<LineupEntry> entries) {
        view.inquiry().take(view.wanted(), handMadeLineup(std::move(entries)));
    }
    void press(Qt::Key key) { QTest::keyClick(&view, key); }
    /// The middle of a lane at a time; blocks are SUMMA, Collective, MeshSlice, Cannon.
    QPoint at(Time time, std::size_t block, std::size_t lane) const {
        const RunLayout layout = view.layoutNow();
        return {static_cast<int>(layout.scale(*view.window()).x(time)),
                layout.rowOf(layout.blocks[block].first + lane).center().y()};
    }
    std::string linesAt(const QPoint& point) const {
        return view.linesAt(point).join(QStringLiteral(" | ")).toStdString();
    }

    HandMadeSession session;
    Selection& selection = *session.selection();
    LineupView view{&session};
    const TimeRange whole{Time(0), microseconds(200)};
};

TEST_F(LineupViewTest, BeginsWithAllOfIt) {
    EXPECT_EQ(view.range(), whole);
    EXPECT_TRUE(view.sentence().isEmpty());
    EXPECT_FALSE(view.isStale());
    EXPECT_FALSE(view.inquiry().job()->isBusy()) << "what is shown answers what is asked";
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("MeshSlice is fastest")));
}

/// B takes 90 us with MeshSlice where A takes 100: 10% less. Cannon runs in neither, for the same reason, and
/// stands once.
TEST_F(LineupViewTest, ShowsTheAlgorithmsOfTwoVariants) {
    auto* sides = view.findChildren<QComboBox*>().last();
    for (auto* list : view.findChildren<QComboBox*>()) {
        sides = list->accessibleName() == QStringLiteral("Whose algorithms are shown") ? list : sides;
    }
    EXPECT_FALSE(sides->isVisible()) << "there is one scenario";
    auto results = std::make_shared<Results>(*handMadeResults());
    results->reference = Variant{"other", results->scenario};
    results->reference->scenario.batch = 77;
    session.show(results);
    EXPECT_TRUE(sides->isVisible());
    EXPECT_EQ(sides->currentText(), QStringLiteral("B"));
    EXPECT_FALSE(view.wanted().reference);
    view.setSide(LineupView::Side::a);
    EXPECT_EQ(view.wanted().scenario.batch, 77);
    view.inquiry().take(view.wanted(), makeLineup(view.wanted(), handMadeEntries()));
    EXPECT_TRUE(view.accessibleDescription().startsWith(QStringLiteral("A: MeshSlice is fastest")))
        << view.accessibleDescription().toStdString();
    view.setSide(LineupView::Side::both);
    ASSERT_TRUE(view.wanted().reference);
    EXPECT_EQ(view.wanted().reference->batch, 77);
    std::vector<LineupEntry> of_b = handMadeEntries();
    of_b[3] = entryOf("meshslice", "MeshSlice", microseconds(90));
    view.inquiry().take(view.wanted(), makeLineup(view.wanted(), of_b, handMadeEntries()));
    EXPECT_EQ(view.window()->runs.size(), 7u) << "three twice and one that runs in neither";
    EXPECT_TRUE(view.accessibleDescription().contains(
        QStringLiteral("Fastest of A: MeshSlice, 100\u2009µs; of B: MeshSlice, 90.0\u2009µs (−10%)")))
        << view.accessibleDescription().toStdString();
    const LineupPtr shown = view.lineup();
    QStringList names;
    for (const LineupRun& run : shown->runs) {
        names << run.name();
    }
    EXPECT_EQ(names.join(QLatin1Char('|')).toStdString(),
              "Cannon|A  SUMMA|B  SUMMA|A  Collective|B  Collective|A  MeshSlice|B  MeshSlice");
    EXPECT_EQ(comparedWithFastest(*shown, shown->runs[6]), QStringLiteral("−10% vs A"));
    EXPECT_EQ(comparedWithFastest(*shown, shown->runs[5]), QString());
    EXPECT_EQ(comparedWithFastest(*shown, shown->runs[2]), QStringLiteral("= A"));
    const Table table = lineupTable(*shown);
    EXPECT_EQ(table.columns[0], "variant");
    EXPECT_EQ(std::get<std::string>(table.rows[6][0]), "B");
    EXPECT_FALSE(view.grab().isNull());
}

/// One real GEMM on twice as many chips: both are run, and B is faster with every algorithm that runs in
/// both.
TEST(LineupOfVariants, RunsTheSameGemmOfBoth) {
    LineupRequest request{realScenario(), 1, realScenario()};
    request.scenario.mesh = {8, 4};
    const auto both = computeLineup(request);
    ASSERT_TRUE(both);
    std::size_t pairs = 0;
    for (const LineupRun& run : (*both)->runs) {
        if (const LineupRun* of_a = run.step ? inA(**both, run) : nullptr) {
            ++pairs;
            EXPECT_TRUE(run.algorithm != "meshslice" || (*both)->step(run).time < (*both)->step(*of_a).time);
        }
    }
    EXPECT_GE(pairs, 4u);
}

TEST_F(LineupViewTest, KeysZoomAndPan) {
    press(Qt::Key_W);
    const TimeRange closer = view.range();
    EXPECT_LT(length(closer), length(whole));
    press(Qt::Key_D);
    EXPECT_GT(view.range().begin, closer.begin);
    EXPECT_EQ(length(view.range()), length(closer));
    press(Qt::Key_A);
    EXPECT_EQ(view.range(), closer);
    press(Qt::Key_S);
    press(Qt::Key_S);
    EXPECT_EQ(view.range(), whole);
    for (const Qt::Key key : {Qt::Key_F, Qt::Key_Home}) {
        press(Qt::Key_W);
        press(key);
        EXPECT_EQ(view.range(), whole);
    }
    EXPECT_EQ(selection.range(), TimeRange{}) << "the axis is this GEMM's own";
}

TEST_F(LineupViewTest, ControlAndWheelZoomAndADragPans) {
    const QPoint cursor = at(microseconds(50), 0, 0);
    QWheelEvent wheel(QPointF(cursor), view.mapToGlobal(QPointF(cursor)), QPoint(), QPoint(0, 120),
                      Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
    EXPECT_LT(length(view.range()), length(whole));
    EXPECT_LE(std::abs(at(microseconds(50), 0, 0).x() - cursor.x()), 1);
    const TimeRange closer = view.range();
    QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, cursor);
    QTest::mouseMove(&view, cursor - QPoint(60, 0));
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, cursor - QPoint(60, 0));
    EXPECT_GT(view.range().begin, closer.begin);
    EXPECT_EQ(length(view.range()), length(closer));
    EXPECT_EQ(selection.selected(), std::nullopt);
}

TEST_F(LineupViewTest, ExplainsWhatIsUnderThePointer) {
    EXPECT_NE(linesAt(at(microseconds(60), 0, 0)).find("multiply: C += A' B'"), std::string::npos);
    EXPECT_NE(linesAt(at(microseconds(20), 1, 0)).find("the core waits"), std::string::npos);
    EXPECT_NE(linesAt(at(microseconds(30), 2, 2)).find("transfer: AG_row"), std::string::npos);
    EXPECT_EQ(linesAt(at(microseconds(30), 2, 1)), "");
    const RunLayout layout = view.layoutNow();
    EXPECT_NE(linesAt(layout.blocks[0].spans.topLeft() + QPoint(4, 4)).find("prologue: 40"),
              std::string::npos);
    EXPECT_NE(linesAt(layout.rowOf(1).topLeft() - QPoint(layout.left - 20, 0)).find("SUMMA: 150"),
              std::string::npos);
    EXPECT_NE(linesAt(layout.blocks[3].area.center()).find("The mesh 2x2 is too small."), std::string::npos);
}

TEST_F(LineupViewTest, PaintsBarsInTheirColours) {
    const QImage image = view.grab().toImage();
    EXPECT_EQ(image.pixelColor(at(microseconds(60), 2, 0)), color(Role::compute, Theme::light));
    const QPoint below(0, view.layoutNow().row / 2 - 4); // the word in the bar
    EXPECT_EQ(image.pixelColor(at(microseconds(30), 2, 2) + below),
              color(Role::transferVertical, Theme::light));
    view.setPalette(widgetPalette(Theme::dark));
    EXPECT_EQ(view.grab().toImage().pixelColor(at(microseconds(60), 2, 0)),
              color(Role::compute, Theme::dark));
}

TEST_F(LineupViewTest, SortsAndChoosesChips) {
    view.setOrder(LineupOrder::fastestFirst);
    EXPECT_EQ(view.window()->runs[0].name.value(0), QStringLiteral("MeshSlice"));
    EXPECT_EQ(view.window()->runs[3].name.value(0), QStringLiteral("Cannon"));
    view.setChip(2);
    EXPECT_EQ(view.window()->at(0).lanes.front(), 10u);
    auto* box = view.findChild<ChipBox*>();
    EXPECT_EQ(box->text(), QStringLiteral("chip 1,0"));
    EXPECT_EQ(box->maximum(), 3);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QStringLiteral("1,1")); // what the box selects is without its "chip "
    QTest::keyClick(box, Qt::Key_Return);
    EXPECT_EQ(view.chip(), 3);
    QTest::keyClick(box, Qt::Key_Down);
    EXPECT_EQ(view.chip(), 2);
}

TEST_F(LineupViewTest, StatesAreSentences) {
    session.show(nullptr);
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("Nothing to show yet")));
    EXPECT_TRUE(view.table().rows.empty());
    press(Qt::Key_W); // nothing to zoom, nothing to crash
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {500, 150});
    EXPECT_FALSE(view.grab().isNull());
    const Gate gate(view.inquiry().job());
    auto other = std::make_shared<Results>(*handMadeResults());
    other->scenario.batch += 1;
    session.show(other);
    EXPECT_TRUE(view.inquiry().job()->isBusy());
    EXPECT_TRUE(view.sentence().isEmpty()) << "the old picture stays";
    EXPECT_FALSE(view.isCurrent());
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.isStale(); }, patience_ms)) << "and says that it is old";
    session.compute(); // another scenario: this question is over
    EXPECT_FALSE(view.inquiry().job()->isBusy());
    session.show(other);
    view.inquiry().take(view.wanted(), refuse("Too many chips."));
    EXPECT_EQ(view.sentence(), QStringLiteral("Too many chips."));
    EXPECT_TRUE(view.table().rows.empty());
    EXPECT_FALSE(view.isStale());
}

/// The scenario's own algorithm does not run; the others may.
TEST_F(LineupViewTest, RunsTheOthersAfterARefusal) {
    const Gate gate(view.inquiry().job());
    Scenario other = handMadeResults()->scenario;
    other.batch += 1;
    session.compute(other);
    EXPECT_FALSE(view.inquiry().job()->isBusy());
    session.fail(QStringLiteral("The mesh 7x13 has 91 chips."));
    EXPECT_TRUE(view.inquiry().job()->isBusy());
    EXPECT_EQ(view.inquiry().asked()->scenario.batch, other.batch);
}

TEST_F(LineupViewTest, ExportsOpenAgain) {
    const QTemporaryDir folder;
    const QSize size(900, 600);
    const QString png = folder.filePath(QStringLiteral("lineup.png"));
    const QString svg = folder.filePath(QStringLiteral("lineup.svg"));
    const QString pdf = folder.filePath(QStringLiteral("lineup.pdf"));
    for (const QString& path : {png, svg, pdf}) {
        const auto saved = savePicture(view, path, size, Theme::light);
        ASSERT_TRUE(saved) << saved.error().sentence;
    }
    EXPECT_EQ(QImage(png).size(), size);
    QSvgRenderer drawing(svg);
    EXPECT_TRUE(drawing.isValid());
    EXPECT_EQ(drawing.viewBox().size(), size);
    QFile page(pdf);
    ASSERT_TRUE(page.open(QIODevice::ReadOnly));
    EXPECT_TRUE(page.readAll().startsWith("%PDF"));
}

TEST(LineupViewAlone, ComputesOnlyWhileItIsSeen) {
    HandMadeSession session;
    LineupView view(&session);
    const auto answered = [&] {
        return QTest::qWaitFor([&] { return !view.inquiry().job()->isBusy(); }, patience_ms);
    };
    Gate gate(view.inquiry().job());
    session.show(realResults());
    EXPECT_FALSE(view.inquiry().job()->isBusy());
    view.show();
    EXPECT_TRUE(view.inquiry().job()->isBusy());
    view.hide();
    EXPECT_FALSE(view.inquiry().job()->isBusy());
    view.show();
    gate.open();
    ASSERT_TRUE(answered());
    ASSERT_NE(view.lineup(), nullptr);
    EXPECT_EQ(view.lineup()->product, QStringLiteral("QKV forward"));
    // Another GEMM is another question; the old picture stays until it is answered.
    Gate second(view.inquiry().job());
    session.selection()->select(Selected{1, 8, {}, {}});
    EXPECT_TRUE(view.inquiry().job()->isBusy());
    EXPECT_TRUE(view.sentence().isEmpty());
    second.open();
    ASSERT_TRUE(answered());
    EXPECT_EQ(view.lineup()->product, QStringLiteral("FF1 backward weight"));
    EXPECT_EQ(view.findChildren<QComboBox*>()[0]->currentText(), QStringLiteral("FF1 backward weight"));
    // A bar of the same GEMM is the same question.
    session.selection()->select(Selected{0, 8, 0, 0});
    EXPECT_FALSE(view.inquiry().job()->isBusy());
}

TEST(LineupViewAlone, IsCompleteForAFileWithoutBeingSeen) {
    HandMadeSession session;
    LineupView view(&session);
    session.show(realResults());
    EXPECT_TRUE(view.table().rows.empty());
    bool complete = false;
    view.complete([&](const Result<void>& outcome) { complete = outcome.has_value(); });
    EXPECT_FALSE(complete) << "nothing is computed in the caller's thread";
    ASSERT_TRUE(QTest::qWaitFor([&] { return complete; }, patience_ms));
    EXPECT_EQ(view.table().rows.size(), view.lineup()->runs.size());
    EXPECT_TRUE(view.sentence().isEmpty());
    // Of another GEMM it is not yet, and does not pretend to be.
    session.selection()->select(Selected{0, 3, {}, {}});
    EXPECT_TRUE(view.table().rows.empty());
}

TEST(LineupViewAlone, SurvivesEverySizeAndNoResults) {
    HandMadeSession session;
    LineupView view(&session);
    for (const QSize size : {QSize(1, 1), QSize(50, 20), QSize(300, 90), QSize(4000, 3000)}) {
        view.resize(size);
        session.show(nullptr);
        EXPECT_FALSE(view.grab().isNull());
        session.show(handMadeResults());
        view.inquiry().take(view.wanted(), handMadeLineup(handMadeEntries()));
        EXPECT_FALSE(view.grab().isNull());
        QTest::keyClick(&view, Qt::Key_W);
        view.inquiry().take(view.wanted(), handMadeLineup({{"cannon", "Cannon", {}, "No."}}));
        EXPECT_FALSE(view.sentence().isEmpty());
    }
}

TEST(LineupData, SaysWhatCannotBeAsked) {
    const auto refused = computeLineup({realScenario(), 99});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().sentence.find("GEMM 100"), std::string::npos) << refused.error().sentence;
}

/// Cannon needs a square mesh. On 4 x 2 the timeline has nothing to show; the line-up shows who runs there,
/// and says why Cannon does not.
TEST(LineupInTheWindow, ShowsTheOthersWhereTheChosenAlgorithmDoesNotRun) {
    MainWindow window(Memory::forget);
    window.resize(1280, 800);
    window.show();
    Scenario scenario = realScenario();
    scenario.mesh = {4, 2};
    scenario.plan.algorithm = "cannon";
    window.document()->restore(project_of(scenario), {});
    auto* view = window.findChild<LineupView*>();
    auto* timeline = window.findChild<TimelineView*>(QStringLiteral("timeline"));
    ASSERT_TRUE(view != nullptr && timeline != nullptr);
    window.pictures()->show(view);
    const auto answered = [&] {
        return !window.session()->runner()->isBusy() && view->lineup() && !view->inquiry().job()->isBusy() &&
               window.session()->state().kind == Session::Kind::failed;
    };
    ASSERT_TRUE(QTest::qWaitFor(answered, patience_ms));
    EXPECT_FALSE(timeline->sentence().isEmpty());
    EXPECT_TRUE(view->sentence().isEmpty()) << view->sentence().toStdString();
    EXPECT_TRUE(view->isVisible());
    std::size_t run = 0;
    for (const LineupRun& one : view->lineup()->runs) {
        run += one.step ? 1 : 0;
        EXPECT_TRUE(one.algorithm != "cannon" || !one.objection.isEmpty());
    }
    EXPECT_GT(run, 3u);
    EXPECT_EQ(view->lineup()->runs.size(), algorithms().size());
    // The next good run is shown as ever.
    scenario.plan.algorithm = "meshslice";
    window.document()->restore(project_of(scenario), {});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window.session()->current() && !window.session()->runner()->isBusy(); }, patience_ms));
    EXPECT_TRUE(timeline->sentence().isEmpty());
}

/// What keys and the wheel do that only scrolls: six algorithms have no room in a low window.
TEST_F(LineupViewTest, KeysAndTheWheelScroll) {
    std::vector<LineupEntry> many = handMadeEntries();
    for (const char* more : {"wang", "fsdp", "1d"}) {
        many.push_back(entryOf(more, more, microseconds(120)));
    }
    answer(many);
    view.resize(1000, 300);
    EXPECT_GT(view.layoutNow().hidden, 0);
    EXPECT_EQ(view.window()->scrolled, 0);
    press(Qt::Key_Down);
    EXPECT_EQ(view.window()->scrolled, view.layoutNow().row);
    press(Qt::Key_Up);
    EXPECT_EQ(view.window()->scrolled, 0);
    press(Qt::Key_PageDown);
    EXPECT_GT(view.window()->scrolled, 2 * view.layoutNow().row);
    press(Qt::Key_PageUp);
    EXPECT_EQ(view.window()->scrolled, 0);
    const QPointF middle = QRectF(view.layoutNow().body).center();
    QWheelEvent wheel(middle, view.mapToGlobal(middle), QPoint(), QPoint(0, -120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
    EXPECT_EQ(view.window()->scrolled, std::min(3 * view.layoutNow().row, view.layoutNow().hidden));
    EXPECT_EQ(view.range(), view.window()->whole()) << "time stays";
    auto* bar = view.findChild<QScrollBar*>();
    EXPECT_EQ(bar->value(), view.window()->scrolled);
    bar->setValue(0);
    EXPECT_EQ(view.window()->scrolled, 0);
}

/// From a part of the axis a double click shows all of it; F what the view opens with.
TEST_F(LineupViewTest, ADoubleClickShowsAll) {
    press(Qt::Key_W);
    QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(90), 0, 0));
    EXPECT_EQ(view.range(), whole);
    EXPECT_EQ(selection.selected(), std::nullopt);
}

/// In a picture as narrow as large letters leave it in a small window, the finding takes two lines, and the
/// controls stand below it.
TEST_F(LineupViewTest, AFindingTakesTwoLinesWhereItIsNarrow) {
    const QString finding = lineupFinding(*view.lineup());
    const int wide = static_cast<int>(textWidth(lettering(Lettering::title, true), finding)) + 40;
    const auto layout = [&](int width) { return layoutRun({width, 500}, *view.window()); };
    EXPECT_EQ(layout(wide).title.height(), 12 + run_title_line);
    const RunLayout narrow = layout(wide * 2 / 3);
    EXPECT_EQ(narrow.title.height(), 12 + 2 * run_title_line);
    EXPECT_GE(narrow.about.top(), narrow.title.top() + narrow.title.height());
}

} // namespace
} // namespace meshslice::ui
