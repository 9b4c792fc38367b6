#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/look/picture_scale.h"
#include "ui/timeline/view/timeline_geometry.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_file.h"

#include <QApplication>
#include <QFile>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class TimelineViewTest : public ::testing::Test {
  protected:
    TimelineViewTest() {
        view.setPalette(widgetPalette(Theme::light));
        view.resize(1000, 300);
        session.show(handMadeResults());
        view.show();
        scroll = view.findChild<QScrollBar*>();
    }

    /// The pixel of a time and a row.
    QPoint at(Time time, std::size_t row) const {
        const TimelinePicture& shown = view.picture();
        const std::size_t line = row - static_cast<std::size_t>(scroll->value());
        return {static_cast<int>(shown.scale.x(time)), shown.lineRect(0, line).center().y()};
    }
    void wheel(int delta, Qt::KeyboardModifiers modifiers, const QPoint& where) {
        QWheelEvent event(QPointF(where), view.mapToGlobal(QPointF(where)), QPoint(), QPoint(0, delta),
                          Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    }
    void press(Qt::Key key) { QTest::keyClick(&view, key); }
    std::string linesAt(Time time, std::size_t row) const {
        return view.linesAt(at(time, row)).join(QStringLiteral(" | ")).toStdString();
    }

    HandMadeSession session;
    Selection& selection = *session.selection();
    TimelineView view{&session};
    QScrollBar* scroll = nullptr;
    const TimeRange whole{Time(0), microseconds(200)};
};

TEST_F(TimelineViewTest, BeginsWithTheWholeRun) {
    EXPECT_EQ(selection.range(), whole);
    EXPECT_FALSE(view.accessibleName().isEmpty());
    EXPECT_TRUE(view.sentence().isEmpty());
}

TEST_F(TimelineViewTest, KeysZoomAndPan) {
    press(Qt::Key_W);
    const TimeRange closer = selection.range();
    EXPECT_LT(length(closer), length(whole));
    press(Qt::Key_D);
    EXPECT_GT(selection.range().begin, closer.begin);
    EXPECT_EQ(length(selection.range()), length(closer));
    press(Qt::Key_A);
    EXPECT_EQ(selection.range(), closer);
    press(Qt::Key_S);
    press(Qt::Key_S);
    EXPECT_EQ(selection.range(), whole);
    press(Qt::Key_W);
    press(Qt::Key_Home);
    EXPECT_EQ(selection.range(), whole);
}

TEST_F(TimelineViewTest, ControlAndWheelZoomAtTheCursor) {
    const QPoint cursor = at(microseconds(50), 0);
    wheel(120, Qt::ControlModifier, cursor);
    EXPECT_LT(length(selection.range()), length(whole));
    EXPECT_LE(std::abs(at(microseconds(50), 0).x() - cursor.x()), 1);
    const TimeRange closer = selection.range();
    wheel(-120, Qt::ShiftModifier, cursor);
    EXPECT_GT(selection.range().begin, closer.begin);
    EXPECT_EQ(length(selection.range()), length(closer));
}

TEST_F(TimelineViewTest, WheelAndArrowsScrollRows) {
    ASSERT_GT(scroll->maximum(), 0); // twenty rows do not fit
    press(Qt::Key_Down);
    EXPECT_EQ(scroll->value(), 1);
    press(Qt::Key_Up);
    EXPECT_EQ(scroll->value(), 0);
    wheel(-120, Qt::NoModifier, {500, 150});
    EXPECT_EQ(scroll->value(), 3);
    EXPECT_EQ(selection.range(), whole);
}

TEST_F(TimelineViewTest, AClickSelectsABar) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(60), 0));
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 0, 1}));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(130), 1));
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 1, 2}));
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("AG_row")));
    // A resting link is nothing to select.
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(60), 3));
    EXPECT_EQ(selection.selected(), std::nullopt);
}

/// Text twice as large: what is drawn at a place is what is clicked there.
TEST_F(TimelineViewTest, ClicksFindTheBarsOfAnEnlargedPicture) {
    setPictureScale(2);
    view.resize(1000, 400);
    QFont larger = view.font();
    larger.setPointSize(18);
    view.setFont(larger);
    const QPoint bar = at(microseconds(44), 0);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, bar * 2);
    const auto selected = selection.selected();
    const QImage image = view.grab().toImage();
    setPictureScale(1);
    EXPECT_EQ(selected, (Selected{0, 0, 0, 1}));
    EXPECT_EQ(image.pixelColor(bar * 2), color(Role::compute, Theme::light));
}

/// A frame of 2 pixels with a gap of one marks the selected bar, a pointer above it one that is too narrow;
/// the critical path has a line below its bars and no frame.
TEST_F(TimelineViewTest, TheSelectedBarIsFramedWithAGap) {
    const QPoint inside = at(microseconds(60), 0);
    const int left = at(microseconds(42), 0).x();
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, inside);
    QTest::mouseMove(&view, {2, 2});
    QImage image = view.grab().toImage();
    const auto ink = color(Role::text, Theme::light);
    int gap = 0;
    int frame = 0;
    for (int x = left - 5; x < left + 3; ++x) {
        gap += image.pixelColor(x, inside.y()) == color(Role::background, Theme::light) ? 1 : 0;
        frame += image.pixelColor(x, inside.y()) == ink ? 1 : 0;
    }
    EXPECT_EQ(frame, 2);
    EXPECT_EQ(gap, 1);
    // So narrow a view that the launch, 2 of 200 us, has less than 3 pixels.
    view.resize(420, 300);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(41), 5));
    ASSERT_EQ(selection.selected(), (Selected{0, 0, 5, 0}));
    image = view.grab().toImage();
    const QPoint launch = at(microseconds(41), 5);
    int pointer = 0;
    for (int x = launch.x() - 5; x <= launch.x() + 5; ++x) {
        pointer += image.pixelColor(x, launch.y() - 12) == ink ? 1 : 0;
    }
    EXPECT_GE(pointer, 3);
    EXPECT_LE(pointer, 9);
}

TEST_F(TimelineViewTest, AClickOnAWaitSelectsTheWait) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(120), 0));
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 0, 0, 0, true}));
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("the core waits")));
    EXPECT_FALSE(view.grab().isNull());
    press(Qt::Key_F); // 100 to 140 us, with 15% of 40 on either side
    EXPECT_EQ(selection.range(), (TimeRange{microseconds(94), microseconds(146)}));
    press(Qt::Key_Comma); // the bar before it, and the one after
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 0, 1}));
    selection.select(Selected{0, 1, 0, 0, 0, true});
    press(Qt::Key_Period);
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 0, 0}));
    selection.select(Selected{0, 0, 0, 2, 0, true}); // after the last
    press(Qt::Key_Period);
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 0, 0}));
}

TEST_F(TimelineViewTest, AClickSelectsTheCopyThatWasClicked) {
    auto results = std::make_shared<Results>(*handMadeResults());
    results->steps[0].gemms.pop_back();
    results->steps[0].gemms[0].gemm.copies = 2; // as long as the two GEMMs were
    session.show(results);
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(160), 0));
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 0, 1, 1}));
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("copy 2 of 2")));
    press(Qt::Key_F); // 142 to 190 us
    EXPECT_EQ(selection.range(), (TimeRange{Time(134'800'000), Time(197'200'000)}));
}

TEST_F(TimelineViewTest, AnEstimatedRunSaysWhyThereAreNoBars) {
    auto results = std::make_shared<Results>(*handMadeResults(true));
    results->estimated_because = {"Its bars do not fit.", "Its bars do not fit."};
    for (GemmResult& product : results->steps[1].gemms) {
        product.timeline = nullptr;
    }
    results->steps[0].gemms[1].timeline = nullptr;
    session.show(results); // one GEMM of three has bars
    EXPECT_TRUE(view.sentence().isEmpty());
    EXPECT_FALSE(view.grab().isNull());
    for (const int y : {60, 120, 200, 260}) {
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {700, y});
        press(Qt::Key_F);
        press(Qt::Key_Period);
        press(Qt::Key_Comma);
    }
    results = std::make_shared<Results>(*results);
    results->steps[0].gemms[0].timeline = nullptr;
    selection.select(Selected{0, 0, 0, 1});
    session.show(results);
    EXPECT_EQ(selection.selected(), (Selected{0, 0, {}, {}})) << "the bar is gone, the GEMM is there";
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("Its bars do not fit.")));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {500, 150});
    press(Qt::Key_Period);
    EXPECT_FALSE(view.grab().isNull());
    EXPECT_TRUE(view.table().rows.empty());
}

TEST_F(TimelineViewTest, TwoAlgorithmsMayHaveTwoToruses) {
    auto results = std::make_shared<Results>(*handMadeResults());
    results->steps.push_back(combResults(50)->steps[0]); // one row, where the other has twenty
    session.show(results);
    scroll->setValue(scroll->maximum());
    EXPECT_FALSE(view.grab().isNull());
    for (const int y : {60, 120, 200, 260}) {
        QTest::mouseMove(&view, {500, y});
        QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {500, y});
        press(Qt::Key_Period);
    }
    EXPECT_FALSE(view.grab().isNull());
}

TEST_F(TimelineViewTest, StepsThroughTheBarsOfARow) {
    press(Qt::Key_Period);
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 0, 0}));
    press(Qt::Key_Period);
    press(Qt::Key_Period);
    EXPECT_EQ(selection.selected(), (Selected{0, 1, 0, 0}));
    press(Qt::Key_Comma);
    EXPECT_EQ(selection.selected(), (Selected{0, 0, 0, 1}));
    press(Qt::Key_Escape);
    EXPECT_EQ(selection.selected(), std::nullopt);
}

TEST_F(TimelineViewTest, StepsScrollTheBarIntoView) {
    selection.setRange({microseconds(42), microseconds(60)});
    selection.select(Selected{0, 0, 0, 1});
    press(Qt::Key_Period); // the launch of the next GEMM at 140 us
    EXPECT_LE(selection.range().begin, microseconds(140));
    EXPECT_GE(selection.range().end, microseconds(142));
    EXPECT_EQ(length(selection.range()), microseconds(18));
}

TEST_F(TimelineViewTest, FitsTheSelectionThenTheWhole) {
    selection.select(Selected{0, 0, 0, 1}); // 42 to 90 us, with 15% of 48 on either side
    press(Qt::Key_F);
    EXPECT_EQ(selection.range(), (TimeRange{Time(34'800'000), Time(97'200'000)}));
    press(Qt::Key_F);
    EXPECT_EQ(selection.range(), whole);
}

TEST_F(TimelineViewTest, ADragMarksAStretch) {
    const QPoint from = at(microseconds(42), 0);
    const QPoint to = at(microseconds(142), 0);
    QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(&view, to);
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, to);
    ASSERT_TRUE(view.marked().has_value());
    EXPECT_NEAR(in_seconds(length(*view.marked())), 100e-6, 1e-6);
    // Of these 100 us the core is busy 48 + 2.
    EXPECT_TRUE(view.readOut().contains(QStringLiteral("busy 50%"))) << view.readOut().toStdString();
    EXPECT_EQ(selection.selected(), std::nullopt);
    EXPECT_EQ(selection.range(), whole);
    const TimeRange marked = *view.marked();
    EXPECT_EQ(selection.marked(), marked);
    press(Qt::Key_Return);
    EXPECT_EQ(selection.range(), marked);
    press(Qt::Key_Escape);
    EXPECT_FALSE(view.marked().has_value());
    EXPECT_FALSE(selection.marked().has_value());
}

TEST_F(TimelineViewTest, TheMiddleButtonPans) {
    selection.setRange({microseconds(50), microseconds(150)});
    const QPoint from = at(microseconds(100), 1);
    QTest::mousePress(&view, Qt::MiddleButton, Qt::NoModifier, from);
    QTest::mouseMove(&view, at(microseconds(80), 1));
    QTest::mouseRelease(&view, Qt::MiddleButton, Qt::NoModifier, at(microseconds(80), 1));
    EXPECT_NEAR(in_seconds(selection.range().begin), 70e-6, 1e-6);
    EXPECT_EQ(length(selection.range()), microseconds(100));
}

TEST_F(TimelineViewTest, ADoubleClickZoomsToTheBar) {
    QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, at(microseconds(60), 0));
    EXPECT_EQ(selection.range(), (TimeRange{Time(34'800'000), Time(97'200'000)}));
}

TEST_F(TimelineViewTest, ExplainsWhatIsUnderThePointer) {
    EXPECT_NE(linesAt(microseconds(60), 0).find("multiply: C += A' B'"), std::string::npos);
    EXPECT_NE(linesAt(microseconds(20), 0).find("the core waits"), std::string::npos);
    EXPECT_NE(linesAt(microseconds(30), 1).find("transfer: AG_row"), std::string::npos);
    EXPECT_EQ(linesAt(microseconds(60), 3), "");
    EXPECT_TRUE(view.linesAt({2, 2}).isEmpty());
}

TEST_F(TimelineViewTest, RowHeightsChangeHowManyRowsFit) {
    const int hidden = scroll->maximum();
    view.setRowHeight(RowHeight::comfortable);
    EXPECT_GT(scroll->maximum(), hidden);
    view.setRowHeight(RowHeight::compact);
    EXPECT_LT(scroll->maximum(), hidden);
}

TEST_F(TimelineViewTest, PaintsBarsInTheirColours) {
    const QImage image = view.grab().toImage();
    EXPECT_EQ(image.pixelColor(at(microseconds(44), 0)), color(Role::compute, Theme::light));
    const QPoint above_its_word(0, 6);
    EXPECT_EQ(image.pixelColor(at(microseconds(17), 1) - above_its_word),
              color(Role::transferVertical, Theme::light));
    // Half as high as the others, at the bottom.
    const QPoint sync = at(microseconds(12), 1);
    EXPECT_EQ(image.pixelColor(sync + QPoint(0, 4)), color(Role::sync, Theme::light));
    EXPECT_EQ(image.pixelColor(sync - QPoint(0, 4)), color(Role::background, Theme::light));
    view.setPalette(widgetPalette(Theme::dark));
    EXPECT_EQ(view.grab().toImage().pixelColor(at(microseconds(44), 0)), color(Role::compute, Theme::dark));
}

TEST_F(TimelineViewTest, NewResultsKeepTheZoomAndDropWhatIsGone) {
    selection.setRange({microseconds(10), microseconds(20)});
    selection.select(Selected{0, 1, 0, 1});
    session.show(handMadeResults());
    EXPECT_EQ(selection.range(), (TimeRange{microseconds(10), microseconds(20)}));
    EXPECT_EQ(selection.selected(), (Selected{0, 1, {}, {}})) << "the GEMM; its bars may be others now";
    session.show(combResults(3));
    EXPECT_EQ(selection.range(), (TimeRange{Time(0), microseconds(6)})); // nothing of the old range is left
    EXPECT_EQ(selection.selected(), std::nullopt);
}

TEST_F(TimelineViewTest, ComparesTwoAlgorithmsOnOneAxis) {
    session.show(handMadeResults(true));
    EXPECT_EQ(selection.range().end, microseconds(300));
    EXPECT_FALSE(view.grab().isNull());
    selection.select(Selected{1, 0, 0, 1});
    press(Qt::Key_Period);
    EXPECT_EQ(selection.selected(), (Selected{1, 1, 0, 0}));
}

TEST_F(TimelineViewTest, StatesAreSentences) {
    session.compute();
    EXPECT_TRUE(view.sentence().isEmpty()); // the old picture stays
    EXPECT_FALSE(view.isStale());           // and not at once with a note
    EXPECT_TRUE(QTest::qWaitFor([this] { return view.isStale(); }, 5000));
    EXPECT_FALSE(view.grab().isNull());
    session.fail(QStringLiteral("The mesh 7x13 has 91 chips."));
    EXPECT_EQ(view.sentence(), QStringLiteral("The mesh 7x13 has 91 chips."));
    EXPECT_FALSE(view.isStale());
    press(Qt::Key_W); // nothing to zoom, nothing to crash
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, {500, 150});
    EXPECT_FALSE(view.grab().isNull());
    session.show(nullptr);
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("Choose a model")));
    EXPECT_FALSE(view.grab().isNull());
    session.show(handMadeResults());
    EXPECT_TRUE(view.sentence().isEmpty());
}

TEST(TimelineViewAlone, SurvivesEverySizeAndNoResults) {
    HandMadeSession session;
    TimelineView view(&session);
    for (const QSize size : {QSize(1, 1), QSize(50, 20), QSize(300, 90), QSize(4000, 3000)}) {
        view.resize(size);
        session.show(nullptr);
        EXPECT_FALSE(view.grab().isNull());
        session.show(handMadeResults(true));
        EXPECT_FALSE(view.grab().isNull());
        QTest::keyClick(&view, Qt::Key_W);
        QTest::keyClick(&view, Qt::Key_Period);
    }
    EXPECT_TRUE(view.table().rows.size() > 0);
}

/// A real run of 2 x 2 chips, small enough to explain at once.
ResultsPtr smallRun() {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {2, 2};
    results->scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
    return results;
}

TEST_F(TimelineViewTest, MarksTheCriticalPathOrNot) {
    const ResultsPtr results = smallRun();
    session.show(results);
    const QImage without = view.grab().toImage();
    EXPECT_TRUE(view.marksCriticalPath());
    session.show(results, reasonsFor(results));
    const QImage with = view.grab().toImage();
    EXPECT_NE(with, without);
    press(Qt::Key_C);
    EXPECT_FALSE(view.marksCriticalPath());
    EXPECT_EQ(view.grab().toImage(), without);
    press(Qt::Key_C);
    EXPECT_EQ(view.grab().toImage(), with);
    // A GEMM of other results has another path: none is drawn until its own is known.
    session.show(smallRun());
    EXPECT_EQ(view.grab().toImage(), without);
}

/// A file waits for the critical path, which is found off the UI thread.
TEST_F(TimelineViewTest, WaitsForTheCriticalPathForAFile) {
    const ResultsPtr results = smallRun();
    Gate gate(session.explainer()->job());
    session.show(results);
    session.explainer()->request(results);
    int completed = 0;
    view.complete([&](const Result<void>& outcome) { completed += outcome ? 1 : 0; });
    EXPECT_EQ(completed, 0);
    const QImage without = view.grab().toImage();
    gate.open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return completed == 1; }, 30'000));
    EXPECT_NE(view.grab().toImage(), without);
}

/// Back from the multiplication that ends last, each time to what it waited for: that is the critical path.
/// And on again from where it began.
TEST_F(TimelineViewTest, BracketsGoAlongWhatBarsWaitFor) {
    const ResultsPtr results = smallRun();
    const ReasonsPtr reasons = reasonsFor(results);
    session.show(results, reasons);
    const std::vector<CriticalEvent>& events = reasons->of(0, 0)->path->events;
    const auto startOf = [&] {
        const Selected& at = *selection.selected();
        return results->steps[0].gemms[0].timeline->intervals(*at.row)[*at.interval].start;
    };
    press(Qt::Key_BracketLeft); // nothing is selected
    EXPECT_EQ(selection.selected(), std::nullopt);
    selection.select(Selected{0, 0, static_cast<std::size_t>(events.back().row), events.back().index});
    for (std::size_t k = events.size() - 1; k-- > 0;) {
        press(Qt::Key_BracketLeft);
        ASSERT_TRUE(QTest::qWaitFor([&] { return startOf() == events[k].start; }, patience_ms)) << k;
        const QImage image = view.grab().toImage();
        EXPECT_FALSE(image.isNull());
    }
    press(Qt::Key_BracketLeft);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return view.readOut().contains(QStringLiteral("nothing")); }, patience_ms));
    press(Qt::Key_BracketRight);
    ASSERT_TRUE(QTest::qWaitFor([&] { return startOf() >= events[0].end; }, patience_ms));
    EXPECT_TRUE(view.readOut().isEmpty());
}

/// A multiplication is selected: arrows come from the transfers that it waited for.
TEST_F(TimelineViewTest, ArrowsShowWhatASelectedBarWaitedFor) {
    const ResultsPtr results = smallRun();
    session.show(results);
    press(Qt::Key_C); // the critical path does not matter here
    QTest::mouseMove(&view, {2, 2});
    selection.select(Selected{0, 0, 0, 0});
    const QImage before = view.grab().toImage(); // no answer arrives before events are taken in
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.grab().toImage() != before; }, patience_ms));
    selection.select(std::nullopt);
    EXPECT_FALSE(view.grab().isNull());
}

/// The slow link is one of the last chip of 16, in row 79 of 80 (five rows a chip: core, south, north, east,
/// west); the path is on it in the middle of the run.
TEST_F(TimelineViewTest, ScrollsToTheCriticalPath) {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {4, 4};
    results->scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
    results->scenario.assume.faults.parts = {*parse_fault("3,3 west 1%")};
    results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
    session.show(results);
    scroll->setValue(0); // It is at the fault.
    view.scrollToCriticalPath();
    EXPECT_EQ(scroll->value(), 0) << "nothing is known yet";
    session.show(results, reasonsFor(results));
    view.scrollToCriticalPath();
    EXPECT_EQ(scroll->value(), scroll->maximum());
    EXPECT_GT(scroll->maximum(), 60);
}

/// Five rows a chip: the east link of chip 2,1 is row 5 x 9 + 3 = 48 of 80. A fault that is only made worse
/// leaves the user where he is; one that is in sight already too.
TEST_F(TimelineViewTest, ScrollsToAFaultThatIsNew) {
    const auto with = [](const std::vector<std::string>& faults) {
        auto results = std::make_shared<Results>();
        results->scenario = default_scenario();
        results->scenario.mesh = {4, 4};
        results->scenario.gemm = SingleGemm{{4096, 4096, 4096}, Dataflow::OS};
        for (const std::string& fault : faults) {
            results->scenario.assume.faults.parts.push_back(*parse_fault(fault));
        }
        results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
        return results;
    };
    session.show(with({}));
    EXPECT_EQ(scroll->value(), 0);
    session.show(with({"2,1 east 50%"}));
    const int page = scroll->pageStep();
    ASSERT_LT(page, 48);
    EXPECT_EQ(scroll->value(), 48 - page / 2);
    session.show(with({"2,1 east 50%", "2,1 core 50%"})); // In row 45.
    EXPECT_EQ(scroll->value(), 48 - page / 2);
    scroll->setValue(0);
    session.show(with({"2,1 east 25%", "2,1 core 50%"}));
    EXPECT_EQ(scroll->value(), 0);
    session.show(with({"3,3 west dead"}));
    EXPECT_EQ(scroll->value(), scroll->maximum());
    session.show(with({}));
    EXPECT_EQ(scroll->value(), scroll->maximum());
}

/// In a small window with large letters the legend is 384 pixels wide: in short words it takes at most three
/// lines of what the rows need, and still names every role.
TEST(TimelineLegend, IsBriefWhereThereIsLittleRoom) {
    const StepRuns runs = runsOf(handMadeResults());
    const auto whole = timelineLegend(runs, true);
    const auto brief = timelineLegend(runs, true, true);
    EXPECT_EQ(brief.size() + 1, whole.size()) << "without the remark";
    EXPECT_LE(placeLegend(brief, 384).lines, 3);
    EXPECT_GT(placeLegend(whole, 384).lines, 3);
    for (std::size_t k = 0; k < brief.size(); ++k) {
        EXPECT_EQ(brief[k].role, whole[k].role);
    }
}

/// A file does not scroll: it says which rows it has.
TEST(TimelineFile, SaysWhichRowsItHas) {
    HandMadeSession session{handMadeResults()};
    TimelineView view(&session);
    view.setObjectName(QStringLiteral("timeline"));
    view.follow();
    const QTemporaryDir folder;
    const auto written = [&](int height) {
        const QString path = folder.filePath(QStringLiteral("timeline.svg"));
        EXPECT_TRUE(savePicture(view, path, {1000, height}, Theme::light));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll());
    };
    const QString part = written(300);
    EXPECT_TRUE(part.contains(QStringLiteral("Rows 1 to "))) << part.left(4000).toStdString();
    EXPECT_FALSE(written(1000).contains(QStringLiteral("Rows 1 to ")));
}

} // namespace
} // namespace meshslice::ui
