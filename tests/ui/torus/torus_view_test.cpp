#include "core/machine/catalogue.h"
#include "core/simulate/record/timeline.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/look/figure_style.h"
#include "ui/look/palette.h"
#include "ui/look/picture_scale.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/torus/torus_view.h"
#include "ui/view/picture_area.h"

#include <QApplication>
#include <QComboBox>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSlider>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr Time us(std::int64_t count) {
    return microseconds(count);
}

/// On the hand-made torus every chip's core idles to 40 us, starts to 42, multiplies to 90 and idles to 100;
/// its south link starts to 10 us, agrees to 15, carries bytes to 41.2.
TEST(TorusFrame, SaysWhatEveryPartDoesAtAMoment) {
    const StepRuns runs = runsOf(handMadeResults());
    const TorusFrame early = frameAt(*runs[0], 0, us(20));
    EXPECT_EQ(early.cores, 4U);
    EXPECT_EQ(early.links, 16U);
    EXPECT_EQ(early.multiplying, 0U);
    EXPECT_EQ(early.waiting, 4U);
    EXPECT_EQ(early.moving, 4U);
    const TorusFrame late = frameAt(*runs[0], 0, us(150)); // 50 us into the second GEMM
    EXPECT_EQ(late.multiplying, 4U);
    EXPECT_EQ(late.waiting, 0U);
    EXPECT_EQ(late.moving, 0U);
    EXPECT_EQ(
        frameSentence(*runs[0], late).toStdString(),
        "150\u2009\u00b5s, FF1 backward data: 4 of 4 cores multiply, 0 wait; 0 of 16 links carry bytes");
    EXPECT_FALSE(frameAt(*runs[0], 0, us(200)).piece) << "the end is not a moment of the run any more";
}

TEST(TorusFrame, EventsAreWhereSomethingBeginsOrEnds) {
    const StepRuns runs = runsOf(handMadeResults());
    const std::vector<Time> events = {us(10), us(15),  us(40),  Time(41'200'000), us(42),
                                      us(90), us(100), us(110), us(115),          us(140)};
    Time at(0);
    for (const Time event : events) {
        ASSERT_EQ(eventAfter(*runs[0], at), event);
        at = event;
    }
    for (auto event = events.rbegin() + 1; event != events.rend(); ++event) {
        ASSERT_EQ(eventBefore(*runs[0], at), *event);
        at = *event;
    }
    EXPECT_EQ(eventBefore(*runs[0], us(10)), Time(0));
    EXPECT_EQ(eventBefore(*runs[0], Time(0)), std::nullopt);
    EXPECT_EQ(eventAfter(*runs[0], us(200)), std::nullopt);
}

TEST(TorusFrame, LoadsAreSharesOfTheRange) {
    const StepRuns runs = runsOf(handMadeResults());
    const std::vector<double> loads = loadsIn(*runs[0], {us(0), us(100)});
    EXPECT_NEAR(loads[0], 0.50, 1e-9);  // core: 40 to 90 us
    EXPECT_NEAR(loads[1], 0.412, 1e-9); // south: 0 to 41.2 us
    EXPECT_EQ(loads[2], 0);
}

/// The south link of every chip carries 1.179 MB from 15 to 41.2 us of each of the two GEMMs; what lies in
/// half of that time is half of the bytes. A chip sends what its links carry.
TEST(TorusMeasure, BytesAreThoseOfTheRange) {
    const StepRuns runs = runsOf(handMadeResults());
    const TorusMeasure all = bytesIn(*runs[0], {us(0), us(200)});
    EXPECT_EQ(all.values[1], 2 * 1'179'000.0);
    EXPECT_EQ(all.values[0], 2 * 1'179'000.0) << "the whole chip";
    EXPECT_EQ(all.values[2], 0.0) << "the north link";
    EXPECT_EQ(all.strength(runs[0]->rows()[1], 1), 1.0);
    EXPECT_EQ(all.text(1), QStringLiteral("2.36\u2009MB"));
    EXPECT_NEAR(bytesIn(*runs[0], {Time(28'100'000), us(100)}).values[1].value_or(0), 1'179'000.0 / 2, 1);
    EXPECT_TRUE(
        measureSentence(*runs[0], {us(0), us(200)}, all)
            .startsWith(QStringLiteral("Over 200\u2009\u00b5s: the links carry 9.43\u2009MB, between ")));
    EXPECT_EQ(measureSentence(*runs[0], {us(50), us(90)}, bytesIn(*runs[0], {us(50), us(90)})),
              QStringLiteral("Over 40.0\u2009\u00b5s: the links carry nothing"));
}

/// One GEMM on 2 x 2 chips, not sliced: B's half arrives last and the core waits for it, so it has no slack;
/// A's half comes earlier and has some.
class TorusSlackTest : public ::testing::Test {
  protected:
    TorusSlackTest() {
        auto results = std::make_shared<Results>();
        results->scenario = default_scenario();
        results->scenario.mesh = {2, 2};
        results->scenario.plan.algorithm = "collective";
        results->scenario.compare.clear();
        results->scenario.gemm = SingleGemm{{4096, 8192, 8192}, Dataflow::OS};
        results->steps.push_back(training_step(results->scenario, "collective", Depth::simulate).value());
        session.show(results);
        view.resize(900, 600);
        view.show();
        view.follow();
    }
    HandMadeSession session;
    TorusView view{&session};
};

TEST_F(TorusSlackTest, IsFoundWhenItIsAskedFor) {
    auto* what = view.findChildren<QComboBox*>().at(1);
    EXPECT_EQ(what->count(), 4);
    QTest::keyClick(what, Qt::Key_End);
    EXPECT_EQ(view.shows(), TorusShows::slack);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    const TorusMeasure& slack = view.picture().measure;
    EXPECT_EQ(slack.values[0], 0.0) << "the core";
    EXPECT_EQ(slack.values[1], 0.0) << "south, by which B comes";
    ASSERT_TRUE(slack.values[3]);
    EXPECT_GT(*slack.values[3], 0.0) << "east";
    EXPECT_EQ(slack.strength(view.picture().run->chip_rows()[0], 0), 1.0);
    EXPECT_LT(slack.strength(view.picture().run->chip_rows()[3], 3), 1.0);
    EXPECT_TRUE(view.picture().title.contains(QStringLiteral("have no slack")))
        << view.picture().title.toStdString();
    const auto lines = [&](const TorusPart& part) {
        return view.linesAt(view.pointOf(part)).join(QLatin1Char(' '));
    };
    EXPECT_TRUE(lines({0, std::nullopt}).contains(QStringLiteral("it sets the pace")));
    EXPECT_TRUE(lines({0, Link{0, Axis::horizontal, Direction::forward}}).contains(QStringLiteral("later")));
    EXPECT_EQ(view.table().columns.back(), "slack_s");
    view.setShows(TorusShows::bytes);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    EXPECT_EQ(view.table().columns.back(), "carried_bytes");
    EXPECT_TRUE(lines({0, std::nullopt}).contains(QStringLiteral("its chip sends")));
}

/// 2 x 2 x 2 chips: the button shows them in space, dragging and the arrows turn them, 0 turns them back, and
/// a click without dragging selects. With two axes there is no such button.
TEST_F(TorusSlackTest, ThreeAxesStandInSpace) {
    EXPECT_FALSE(view.spaceButton()->isVisible());
    auto results = std::make_shared<Results>(*session.current());
    results->scenario.hardware = *machine_preset("tpu-v4");
    results->scenario.mesh = {2, 2, 2};
    results->scenario.plan.algorithm = "meshslice-dp";
    const auto step = training_step(results->scenario, "meshslice-dp", Depth::simulate);
    ASSERT_TRUE(step) << step.error().sentence;
    results->steps = {*step};
    session.show(results);
    ASSERT_TRUE(view.spaceButton()->isVisible());
    EXPECT_FALSE(view.turn());
    const auto look = [&] {
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image);
        return image;
    };
    const QImage flat = look();
    QTest::mouseClick(view.spaceButton(), Qt::LeftButton);
    ASSERT_EQ(view.turn(), TorusTurn{});
    const QImage first = look();
    EXPECT_NE(first, flat);
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Left);
    EXPECT_GT(view.turn()->yaw, TorusTurn{}.yaw);
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_LT(view.turn()->pitch, TorusTurn{}.pitch);
    EXPECT_NE(look(), first);
    QTest::keyClick(&view, Qt::Key_0);
    EXPECT_EQ(view.turn(), TorusTurn{});
    EXPECT_EQ(look(), first);
    const QPoint place(450, 300);
    QTest::mousePress(&view, Qt::LeftButton, {}, place);
    QTest::mouseMove(&view, place + QPoint(60, 20));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, place + QPoint(60, 20));
    EXPECT_LT(view.turn()->yaw, TorusTurn{}.yaw) << "to the right: what is in front follows";
    EXPECT_GT(view.turn()->pitch, TorusTurn{}.pitch);
    EXPECT_FALSE(session.selection()->selected()) << "a drag is not a click";
    const Chip nearest = view.picture().grid.order().back();
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.pointOf({nearest, std::nullopt}));
    ASSERT_TRUE(session.selection()->selected());
    const auto& rows = view.picture().run->chip_rows();
    EXPECT_EQ(rows[*session.selection()->selected()->row].chip, nearest);
    QTest::mouseClick(view.spaceButton(), Qt::LeftButton);
    EXPECT_FALSE(view.turn());
}

/// Slack and measures of a run are as large as its timelines.
TEST_F(TorusSlackTest, NothingOfAnOldRunIsKept) {
    view.setShows(TorusShows::slack);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    const std::weak_ptr<const Results> old = session.current();
    view.hide();
    session.show(handMadeResults());
    EXPECT_TRUE(QTest::qWaitFor([&] { return old.expired(); }, 1000));
}

/// A file waits for it; when the next run begins it hears of that.
TEST_F(TorusSlackTest, AFileWaitsForIt) {
    view.hide();
    view.setShows(TorusShows::slack);
    EXPECT_FALSE(view.isCurrent());
    std::optional<Result<void>> outcome;
    view.complete([&](const Result<void>& completed) { outcome = completed; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return outcome.has_value(); }, patience_ms));
    EXPECT_TRUE(outcome->has_value());
    EXPECT_TRUE(view.isCurrent());
}

class TorusViewTest : public ::testing::Test {
  protected:
    TorusViewTest() {
        view.resize(900, 600);
        view.show();
        view.follow();
        QApplication::processEvents();
        session.selection()->setMoment(us(0));
    }
    HandMadeSession session{handMadeResults()};
    TorusView view{&session};
};

/// A link that is launched has a darker edge, one that synchronizes has half its width: no colour is needed
/// to tell them apart. Launches last until 10 us, synchronizations until 15.
TEST_F(TorusViewTest, LaunchAndSynchronizationLookDifferentInGrey) {
    const std::vector<Row>& rows = view.picture().run->chip_rows();
    const auto counted = [&](std::int64_t moment, const QColor& wanted) {
        session.selection()->setMoment(us(moment));
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image);
        int most = 0;
        for (const Row& row : rows) {
            if (row.is_core) {
                continue;
            }
            const QRect lane =
                fromPicture(view.picture().grid.lane({row.chip, row.axis, row.direction}).rect().toRect());
            int found = 0;
            for (int y = lane.top(); y <= lane.bottom(); ++y) {
                for (int x = lane.left(); x <= lane.right(); ++x) {
                    found += image.pixelColor(x, y) == wanted ? 1 : 0;
                }
            }
            most = std::max(most, 100 * found / std::max(1, lane.width() * lane.height()));
        }
        return most;
    };
    EXPECT_GT(counted(5, color(Role::launch, Theme::light)), 50);
    EXPECT_GT(counted(5, edgeColor(Role::launch, Theme::light)), 5);
    EXPECT_NEAR(counted(12, color(Role::sync, Theme::light)), 50, 12);
}

TEST_F(TorusViewTest, KeysStepFromEventToEvent) {
    QTest::keyClick(&view, Qt::Key_Period);
    EXPECT_EQ(session.selection()->moment(), us(10));
    QTest::keyClick(&view, Qt::Key_Period);
    EXPECT_EQ(session.selection()->moment(), us(15));
    QTest::keyClick(&view, Qt::Key_Comma);
    EXPECT_EQ(session.selection()->moment(), us(10));
    QTest::keyClick(&view, Qt::Key_End);
    EXPECT_EQ(session.selection()->moment(), us(200));
    QTest::keyClick(&view, Qt::Key_Home);
    EXPECT_EQ(session.selection()->moment(), us(0));
}

TEST_F(TorusViewTest, SpacePlaysToTheEndAndStops) {
    for (int k = 0; k < 3; ++k) {
        QTest::keyClick(&view, Qt::Key_Plus);
    }
    EXPECT_EQ(view.speed(), 10);
    QTest::keyClick(&view, Qt::Key_Space);
    EXPECT_TRUE(view.isPlaying());
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return session.selection()->moment().value_or(us(0)) > us(0); }, patience_ms));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isPlaying(); }, patience_ms));
    EXPECT_EQ(session.selection()->moment(), us(200));
    EXPECT_EQ(view.playButton()->text(), QStringLiteral("Play"));
}

/// The hand-made run has no program; the picture says so and the other colours are still there to choose.
TEST_F(TorusViewTest, SaysWhereThereIsNoSlack) {
    view.setShows(TorusShows::slack);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return view.picture().title == QStringLiteral("The program of this run is not known."); },
        patience_ms));
    EXPECT_TRUE(view.sentence().isEmpty());
    view.setShows(TorusShows::load);
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
}

/// What is added up over a stretch of time is so for all its moments: only another stretch is added up again,
/// and the last one stays meanwhile, with its own time.
TEST_F(TorusViewTest, AddsUpOnceForAllMoments) {
    {
        const Gate gate(view.measuresJob());
        view.setShows(TorusShows::bytes);
        EXPECT_EQ(view.picture().title, QStringLiteral("Adding up bytes…"));
        EXPECT_TRUE(view.measuresJob()->isBusy());
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    EXPECT_EQ(view.picture().measure.values[1], 2 * 1'179'000.0);
    const Gate gate(view.measuresJob());
    session.selection()->setMoment(us(50));
    view.slider()->setValue(view.slider()->maximum() / 4 * 3);
    EXPECT_FALSE(view.measuresJob()->isBusy());
    EXPECT_EQ(view.picture().frame.moment, us(150));
    EXPECT_EQ(view.picture().measure.values[1], 2 * 1'179'000.0);
    session.selection()->setRange({us(0), us(100)});
    EXPECT_TRUE(view.measuresJob()->isBusy());
    EXPECT_TRUE(view.picture().title.startsWith(QStringLiteral("Over 200")));
    EXPECT_FALSE(view.isCurrent()) << "for a file";
}

/// A figure's own title stands once, above both runs, and each keeps its name.
TEST_F(TorusViewTest, AFiguresTitleStandsOnce) {
    session.show(handMadeResults(true));
    view.setBoth(true);
    const auto painted = [&](const QString& title) {
        const FigureStyle style(title, {});
        QImage image(900, 600, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        view.paintPicture(painter, image.size(), Theme::light);
        return image;
    };
    const QImage one = painted(QStringLiteral("Overlap"));
    const QImage other = painted(QStringLiteral("Transfer"));
    EXPECT_NE(one, other);
    EXPECT_EQ(one.copy(450, 0, 450, 600), other.copy(450, 0, 450, 600)) << "above the second run";
    EXPECT_EQ(one.copy(0, 30, 900, 570), other.copy(0, 30, 900, 570)) << "below";
    const FigureStyle style(QStringLiteral("Overlap"), {});
    view.resize(1000, 700);
    ASSERT_EQ(view.pictures().size(), 2U);
    EXPECT_EQ(view.pictures()[0].title, QStringLiteral("MeshSlice"));
    EXPECT_EQ(view.pictures()[1].title, QStringLiteral("Collective"));
    EXPECT_GT(view.pictures()[1].title_area.height(), 0);
}

/// The south link of chip 0 is dead; on a ring of two what it would carry goes by the north link, in both
/// GEMMs 1.179 MB. The dead one is not coloured.
TEST_F(TorusViewTest, WhatGoesRoundADeadLinkIsOnTheLinksItTakes) {
    auto results = std::make_shared<Results>(*handMadeResults());
    for (GemmResult& gemm : results->steps[0].gemms) {
        std::vector<Row> rows = gemm.timeline->rows();
        rows[1].round = true;
        std::vector<std::size_t> begins{0};
        std::vector<Interval> intervals;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto own = gemm.timeline->intervals(row);
            intervals.insert(intervals.end(), own.begin(), own.end());
            begins.push_back(intervals.size());
        }
        gemm.timeline = std::make_shared<const Timeline>(gemm.timeline->torus(), gemm.timeline->operations(),
                                                         4, rows, begins, intervals, us(100));
    }
    session.show(results);
    const auto colour = [&](Direction direction) {
        QImage image(view.size(), QImage::Format_RGB32);
        view.render(&image);
        return image.pixelColor(view.pointOf({0, Link{0, Axis::vertical, direction}}));
    };
    for (const TorusShows shows : {TorusShows::bytes, TorusShows::load}) {
        view.setShows(shows);
        ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
        const auto& values = view.picture().measure.values;
        const bool bytes = shows == TorusShows::bytes;
        EXPECT_FALSE(values[1]);
        EXPECT_NEAR(values[2].value_or(0), bytes ? 2 * 1'179'000.0 : 2 * 31.2 / 200, 1e-9)
            << "it agrees for 5 us and transfers for 26.2";
        EXPECT_EQ(colour(Direction::forward), color(Role::background, themeOf(view.palette())));
        EXPECT_NE(colour(Direction::backward), color(Role::background, themeOf(view.palette())));
        EXPECT_EQ(view.linesAt(view.pointOf({0, Link{0, Axis::vertical, Direction::forward}})).back(),
                  QStringLiteral("carries nothing itself: what goes round counts on the links it takes"));
    }
    EXPECT_EQ(std::get<std::int64_t>(view.table().rows[1][8]), 0);
    EXPECT_EQ(std::get<std::int64_t>(view.table().rows[2][8]), 2'358'000);
}

TEST_F(TorusViewTest, PlayingStopsWhenNobodyLooks) {
    QTest::mouseClick(view.playButton(), Qt::LeftButton);
    EXPECT_TRUE(view.isPlaying());
    view.hide(); // and shown again, as when it is moved to another place
    view.show();
    QApplication::processEvents();
    EXPECT_TRUE(view.isPlaying());
    view.hide();
    QApplication::processEvents();
    EXPECT_FALSE(view.isPlaying());
}

TEST_F(TorusViewTest, TheSliderIsTheSameMoment) {
    view.slider()->setValue(view.slider()->maximum() / 2);
    EXPECT_EQ(session.selection()->moment(), us(100));
    session.selection()->setMoment(us(50));
    EXPECT_EQ(view.slider()->value(), view.slider()->maximum() / 4);
}

TEST_F(TorusViewTest, AClickSelectsTheRowInAllViews) {
    session.selection()->setMoment(us(50));
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.pointOf({2, std::nullopt}));
    const auto selected = session.selection()->selected();
    ASSERT_TRUE(selected);
    EXPECT_EQ(selected->row, 10U) << "five rows a chip: core and four links";
    EXPECT_EQ(selected->gemm, 0U);
    session.selection()->setMoment(us(20));
    QTest::mouseClick(&view, Qt::LeftButton, {},
                      view.pointOf({1, Link{1, Axis::vertical, Direction::forward}}));
    EXPECT_EQ(session.selection()->selected()->row, 6U);
}

TEST_F(TorusViewTest, TheTipSaysWhatAPartDoes) {
    session.selection()->setMoment(us(50));
    EXPECT_TRUE(view.linesAt(view.pointOf({0, std::nullopt}))
                    .join(QLatin1Char(' '))
                    .contains(QStringLiteral("multiply"), Qt::CaseInsensitive));
    session.selection()->setMoment(us(20));
    EXPECT_EQ(view.linesAt(view.pointOf({0, std::nullopt})).back(),
              QStringLiteral("waits for communication"));
    view.setShows(TorusShows::load);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    EXPECT_TRUE(
        view.linesAt(view.pointOf({0, std::nullopt})).value(1).startsWith(QStringLiteral("busy for ")));
    EXPECT_TRUE(view.linesAt(QPoint(2, 590)).isEmpty());
}

/// It adds up bytes and busy times of every row: a file waits for it, the window does not.
TEST_F(TorusViewTest, TheTableOfAFileIsAddedUpAsideOfTheWindow) {
    session.selection()->setMoment(us(50));
    const Table at_once = view.table();
    bool done = false;
    {
        const Gate gate(view.tableJob());
        view.complete([&](const Result<void>& outcome) { done = outcome.has_value(); });
        EXPECT_TRUE(view.tableJob()->isBusy());
        EXPECT_FALSE(done);
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return done; }, patience_ms));
    EXPECT_EQ(view.table(), at_once);
    session.selection()->setMoment(us(20)); // of another moment it is another one
    EXPECT_NE(view.table(), at_once);
    bool refused = false;
    {
        const Gate gate(view.tableJob());
        view.complete([&](const Result<void>& outcome) { refused = !outcome; });
        view.giveUp();
    }
    EXPECT_TRUE(refused);
}

TEST_F(TorusViewTest, TheTableHasEveryPart) {
    session.selection()->setMoment(us(50));
    const Table table = view.table();
    ASSERT_EQ(table.rows.size(), 20U);
    EXPECT_EQ(std::get<std::string>(table.rows[0][1]), "core");
    EXPECT_EQ(std::get<std::string>(table.rows[0][2]), "compute");
    EXPECT_EQ(std::get<std::string>(table.rows[1][2]), "idle");
}

/// The picture at another moment is another one, in the widget and in a file.
TEST_F(TorusViewTest, TheMomentIsInThePicture) {
    const auto painted = [&](Time moment) {
        session.selection()->setMoment(moment);
        QImage image(800, 600, QImage::Format_RGB32);
        image.fill(Qt::white); // a file has a margin below the picture
        QPainter painter(&image);
        view.paintPicture(painter, image.size(), Theme::light);
        return image;
    };
    EXPECT_NE(painted(us(20)), painted(us(50)));
    EXPECT_EQ(painted(us(20)), painted(us(20)));
}

/// Two runs next to each other at one moment: a click in the right picture selects a part of the second run.
TEST_F(TorusViewTest, ShowsBothRuns) {
    session.show(handMadeResults(true));
    EXPECT_EQ(view.pictures().size(), 1U);
    auto* choice = view.findChildren<QComboBox*>().back();
    ASSERT_EQ(choice->count(), 3) << "each, and both";
    QTest::keyClick(choice, Qt::Key_End);
    EXPECT_TRUE(view.showsBoth());
    ASSERT_EQ(view.pictures().size(), 2U);
    EXPECT_EQ(view.pictures()[0].step(), 0U);
    EXPECT_EQ(view.pictures()[1].step(), 1U);
    EXPECT_TRUE(view.pictures()[0].title.startsWith(QStringLiteral("MeshSlice: ")));
    EXPECT_LE(view.pictures()[0].grid.bounds().right(), view.pictures()[1].grid.bounds().left());
    const QSize wide = view.size();
    view.resize(400, 700);
    EXPECT_LE(view.pictures()[0].grid.bounds().bottom(), view.pictures()[1].grid.bounds().top());
    EXPECT_TRUE(view.pictures()[0].legend.empty()) << "one for both";
    EXPECT_FALSE(view.pictures()[1].legend.empty());
    EXPECT_DOUBLE_EQ(view.pictures()[0].grid.cell(), view.pictures()[1].grid.cell())
        << "neither looks larger";
    view.resize(wide);
    session.selection()->setMoment(us(70));
    const QPoint core = view.pointOf({3, std::nullopt}, 1);
    QTest::mouseClick(&view, Qt::LeftButton, {}, core);
    ASSERT_TRUE(session.selection()->selected());
    EXPECT_EQ(session.selection()->selected()->step, 1U);
    EXPECT_EQ(session.selection()->selected()->row, 15U);
    EXPECT_EQ(view.readableParts().size(), 8U);
    session.show(handMadeResults());
    EXPECT_EQ(view.pictures().size(), 1U) << "there is one run";
    session.show(handMadeResults(true));
    view.setStep(1);
    EXPECT_EQ(view.pictures().size(), 1U);
    EXPECT_EQ(view.picture().step(), 1U);
}

/// Of two variants on one torus, where B's cores multiply for longer: 48 us of 150 instead of 100 each.
TEST_F(TorusViewTest, ShowsTheDifferenceOfTwoVariants) {
    auto* choice = view.findChildren<QComboBox*>().back();
    session.show(handMadeResults(true));
    EXPECT_EQ(choice->count(), 3) << "of two algorithms there is none";
    auto both = std::make_shared<Results>(*handMadeResults(true));
    both->reference = Variant{"other", both->scenario};
    session.show(both);
    ASSERT_EQ(choice->count(), 4);
    QTest::keyClick(choice, Qt::Key_End);
    EXPECT_TRUE(view.showsDifference());
    EXPECT_EQ(view.shows(), TorusShows::load) << "at one moment there is nothing to subtract";
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    ASSERT_EQ(view.pictures().size(), 1U);
    const TorusMeasure& measure = view.picture().measure;
    ASSERT_TRUE(measure.difference);
    // The steps have two GEMMs of 100 us, and of 150: a core multiplies or launches 50 us of each.
    ASSERT_TRUE(measure.values[0]);
    EXPECT_NEAR(*measure.values[0], 0.5 - 50.0 / 150, 1e-9);
    EXPECT_EQ(measure.text(0), QStringLiteral("+17%"));
    EXPECT_TRUE(view.picture().title.startsWith(QStringLiteral("B against A: ")))
        << view.picture().title.toStdString();
    EXPECT_FALSE(view.grab().isNull());
    view.setShows(TorusShows::bytes);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.isCurrent(); }, patience_ms));
    EXPECT_TRUE(view.picture().title.startsWith(QStringLiteral("B against A: no link differs")))
        << "both send the same: " << view.picture().title.toStdString();
    view.setShows(TorusShows::now);
    EXPECT_FALSE(view.showsDifference());
    EXPECT_EQ(view.pictures().size(), 2U);
}

TEST(TorusInTheWindow, ASecondClickAsksWhatIf) {
    MainWindow window{Memory::forget};
    window.document()->restore(project_of(smallScenario()), {});
    window.resize(1280, 800);
    window.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    auto* torus = window.findChild<TorusView*>(QStringLiteral("torus"));
    window.pictures()->show(torus);
    QApplication::processEvents();
    const QPoint core = torus->pointOf({0, std::nullopt});
    QTest::mouseClick(torus, Qt::LeftButton, {}, core);
    bool asked = false;
    QTimer::singleShot(0, &window, [&] {
        if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())) {
            asked = true;
            for (QAction* action : menu->actions()) {
                if (action->text().contains(QStringLiteral("half"))) {
                    action->trigger();
                }
            }
            menu->close();
        }
    });
    QTest::mouseClick(torus, Qt::LeftButton, {}, core);
    EXPECT_TRUE(asked);
    EXPECT_EQ(window.document()->scenario().assume.faults.parts.size(), 1U);
}

TEST(TorusInTheWindow, ShowsTheMomentOfTheTimeline) {
    MainWindow window{Memory::forget};
    window.document()->restore(project_of(smallScenario()), {});
    window.resize(1280, 800);
    window.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    auto* timeline = window.findChild<TimelineView*>(QStringLiteral("timeline"));
    QTest::mouseClick(timeline, Qt::LeftButton, {}, QPoint(timeline->width() / 2, 60));
    EXPECT_GT(window.session()->selection()->moment().value_or(Time(0)), Time(0));
}

} // namespace
} // namespace meshslice::ui
