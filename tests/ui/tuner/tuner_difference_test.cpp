#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/shell/main_window.h"
#include "ui/tuner/tuner_view.h"
#include "ui/view/picture_file.h"

#include <QComboBox>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace meshslice::ui {
namespace {

/// One GEMM on eight chips: 8x1, 4x2, 2x4 and 1x8. K = 2048 is cut into 1 to 64 slices, 32 on 8x1 and 1x8; of
/// K = 1024 half as many (tests of the landscape work that out).
Scenario ofDepth(std::int64_t k) {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{512, 1024, k}, Dataflow::OS};
    scenario.mesh = {4, 2};
    scenario.plan.slices = 2;
    scenario.compare.clear();
    return scenario;
}

/// The second one next to the first.
ResultsPtr variantsOf(const Scenario& a, const Scenario& b) {
    auto results = std::make_shared<Results>();
    results->scenario = b;
    results->reference = Variant{"first", a};
    results->steps.push_back(*training_step(b, b.plan.algorithm, Depth::estimate));
    results->steps.push_back(*training_step(a, a.plan.algorithm, Depth::estimate));
    return results;
}

TunerDifferencePtr differenceOf(const Scenario& a, const Scenario& b) {
    const auto first = computeTuner(tunerRequest(a, Depth::estimate));
    const auto second = computeTuner(tunerRequest(b, Depth::estimate));
    return first && second ? tunerDifference(*first, *second) : nullptr;
}

class TunerDifferenceTest : public ::testing::Test {
  protected:
    TunerDifferenceTest() {
        view.setPalette(widgetPalette(Theme::light));
        view.resize(900, 700);
        document.restore(project_of(ofDepth(1024)), {});
        session.show(variantsOf(ofDepth(2048), ofDepth(1024)));
        view.show();
        wait();
    }
    void wait() {
        bool complete = false;
        view.complete([&](const Result<void>& outcome) { complete = outcome.has_value(); });
        EXPECT_TRUE(QTest::qWaitFor([&] { return complete; }, patience_ms));
    }
    QComboBox* sides() {
        for (auto* box : view.findChildren<QComboBox*>()) {
            if (box->count() == 3) {
                return box;
            }
        }
        return nullptr;
    }
    /// As the user does it.
    void choose(Qt::Key key) {
        QTest::keyClick(sides(), key);
        wait();
    }

    HandMadeSession session;
    Document& document = session.own_document;
    TunerView view{&session};
};

/// It begins with what is edited, B; up is A, down the difference. With one scenario there is no choice.
TEST_F(TunerDifferenceTest, ShowsEitherVariantOrTheDifference) {
    ASSERT_NE(sides(), nullptr);
    EXPECT_TRUE(sides()->isVisible());
    EXPECT_FALSE(sides()->toolTip().isEmpty());
    EXPECT_FALSE(sides()->accessibleName().isEmpty());
    EXPECT_EQ(view.side(), TunerSide::b);
    EXPECT_EQ(view.picture().columns, 7u) << "best, 1, 2, 4, 8, 16, 32";
    EXPECT_TRUE(view.picture().title.front().startsWith(QStringLiteral("B: Best for MeshSlice: ")));
    choose(Qt::Key_Up);
    EXPECT_EQ(view.side(), TunerSide::a);
    EXPECT_EQ(view.picture().columns, 8u) << "and 64";
    EXPECT_TRUE(view.picture().title.front().startsWith(QStringLiteral("A: Best for MeshSlice: ")));
    EXPECT_EQ(view.difference(), nullptr);
    choose(Qt::Key_End);
    EXPECT_EQ(view.side(), TunerSide::difference);
    ASSERT_NE(view.difference(), nullptr);
    EXPECT_EQ(view.picture().columns, 8u);
    EXPECT_EQ(view.picture().cells.size(), 32u);
    EXPECT_TRUE(
        view.picture().title.front().startsWith(QStringLiteral("B is faster on all 4 meshes; most on ")))
        << view.picture().title.front().toStdString();
    auto one = std::make_shared<Results>(*session.current());
    one->reference.reset();
    one->steps.pop_back();
    session.show(one);
    EXPECT_FALSE(sides()->isVisible());
    EXPECT_EQ(view.side(), TunerSide::b);
}

/// S = 64: A cuts so on 4x2 and 2x4, B nowhere; on 8x1 neither does. The words, the table and the tip say so.
TEST_F(TunerDifferenceTest, MarksWhatOnlyOneRuns) {
    choose(Qt::Key_End);
    const TunerDifference& difference = *view.difference();
    EXPECT_NE(difference.cell(1, 7).a, nullptr);
    EXPECT_EQ(difference.cell(1, 7).b, nullptr);
    EXPECT_EQ(difference.cell(0, 7).a, nullptr);
    EXPECT_TRUE(difference.cell(1, 6).in_both());
    EXPECT_TRUE(differenceKey(view.picture(), {}).contains(QStringLiteral("Only A, only B")));
    EXPECT_TRUE(differenceKey(view.picture(), {}).contains(QStringLiteral("Dot: neither runs")));
    EXPECT_TRUE(cellLines(difference, {1, 7}).contains(QStringLiteral("B does not have this slice count")));
    const Table table = view.table();
    ASSERT_EQ(table.rows.size(), 32u);
    EXPECT_EQ(std::vector(table.columns.begin(), table.columns.begin() + 6),
              (std::vector<std::string>{"mesh", "slices", "A estimated_s", "B estimated_s",
                                        "difference estimated_s", "difference share"}));
    const auto number = [&](std::size_t row, std::size_t column) {
        return std::get<double>(table.rows[row][column]);
    };
    EXPECT_DOUBLE_EQ(number(8, 4), number(8, 3) - number(8, 2));
    EXPECT_DOUBLE_EQ(number(8, 5), number(8, 3) / number(8, 2) - 1);
    EXPECT_LT(number(8, 5), 0) << "half the work takes less time";
    EXPECT_EQ(table.rows[15][3], Table::Cell(std::string())) << "4x2, S = 64";
    EXPECT_EQ(table.rows[15][4], Table::Cell(std::string()));
}

/// 4x2 with S = 2 is the second row and the third column. A click on 2x4 with S = 8 loads that into B; one on
/// S = 64, which B does not run, loads nothing.
TEST_F(TunerDifferenceTest, KeysAndClicksWork) {
    choose(Qt::Key_End);
    EXPECT_EQ(view.selectedCell(), (TunerPlace{1, 2}));
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_EQ(view.selectedCell(), (TunerPlace{1, 3}));
    EXPECT_EQ(view.bars()->chart()->panels.at(0).y.categories, (std::vector<std::string>{"A", "B"}))
        << "one GEMM has one layer, but two names";
    const auto click = [&](const TunerPlace& place) {
        for (const TunerCellBox& box : view.picture().cells) {
            if (box.place == place) {
                QTest::mouseClick(&view, Qt::LeftButton, {}, box.area.center().toPoint());
                return;
            }
        }
        ADD_FAILURE() << "no such cell";
    };
    click({1, 7});
    EXPECT_EQ(document.scenario(), ofDepth(1024));
    click({2, 4});
    EXPECT_EQ(document.scenario().mesh, (std::vector<std::int32_t>{2, 4}));
    EXPECT_EQ(document.scenario().plan.slices, 8);
    EXPECT_EQ(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario(), ofDepth(1024));
    ASSERT_EQ(view.picture().leaders.size(), 4u) << "a line for each mesh";
    const QPoint line = view.picture().leaders[3].center().toPoint();
    EXPECT_TRUE(view.linesAt(line).front().startsWith(QStringLiteral("1x8")));
    QTest::mouseClick(&view, Qt::LeftButton, {}, line);
    EXPECT_EQ(document.scenario().mesh, (std::vector<std::int32_t>{1, 8}));
    EXPECT_EQ(document.scenario().plan.slices, std::nullopt);
}

/// A place of the difference is another one of B's map, or none: without A, B's own cell is selected, and
/// with A again that of the difference. B has no eighth column.
TEST_F(TunerDifferenceTest, ACellOfTheDifferenceIsNoneOfB) {
    choose(Qt::Key_End);
    view.setFocus();
    for (int k = 0; k < 5; ++k) {
        QTest::keyClick(&view, Qt::Key_Right);
    }
    ASSERT_EQ(view.selectedCell(), (TunerPlace{1, 7}));
    auto one = std::make_shared<Results>(*session.current());
    one->reference.reset();
    one->steps.pop_back();
    session.show(one);
    EXPECT_EQ(view.selectedCell(), (TunerPlace{1, 2}));
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_EQ(view.selectedCell(), (TunerPlace{1, 3}));
    session.show(variantsOf(ofDepth(2048), ofDepth(1024)));
    wait();
    EXPECT_EQ(view.selectedCell(), (TunerPlace{1, 2}));
}

/// A screen reader hears each candidate with both times; a file of every format can be written.
TEST_F(TunerDifferenceTest, IsReadAndWritten) {
    choose(Qt::Key_End);
    EXPECT_EQ(view.readableParts().size(), 36u) << "32 cells and 4 meshes";
    EXPECT_TRUE(view.accessibleDescription().startsWith(view.picture().title.front()));
    EXPECT_TRUE(view.caption().startsWith(QStringLiteral("A: a GEMM with M = 512, N = 1024 and K = 2048")));
    EXPECT_TRUE(view.caption().contains(QStringLiteral("B: a GEMM with M = 512, N = 1024 and K = 1024")));
    const QTemporaryDir folder;
    for (const char* name : {"t.png", "t.svg", "t.pdf", "t.csv"}) {
        EXPECT_TRUE(savePicture(view, folder.filePath(QLatin1String(name)), {900, 600}, Theme::light))
            << name;
    }
}

/// A file waits for both; when one is given up it hears of it.
TEST_F(TunerDifferenceTest, WaitsForBoth) {
    choose(Qt::Key_End);
    const Gate gate(view.jobOfA());
    Scenario other = ofDepth(2048);
    other.plan.block = 16;
    session.show(variantsOf(other, ofDepth(1024)));
    EXPECT_TRUE(view.jobOfA()->isBusy());
    EXPECT_FALSE(view.isCurrent());
    EXPECT_TRUE(view.table().rows.empty());
    std::optional<Result<void>> outcome;
    view.complete([&](const Result<void>& completed) { outcome = completed; });
    session.compute(ofDepth(1024));
    ASSERT_TRUE(outcome.has_value());
    EXPECT_FALSE(*outcome);
}

/// Nothing lies over anything else and nothing outside, whatever the size.
TEST(TunerDifference, PartsDoNotOverlap) {
    Scenario slow = default_scenario();
    slow.hardware = *machine_preset("tpu-v4");
    const TunerDifferencePtr difference = differenceOf(default_scenario(), slow);
    ASSERT_NE(difference, nullptr);
    for (const QSize size : {QSize(360, 320), QSize(700, 500), QSize(960, 640), QSize(1600, 1000)}) {
        const TunerPicture picture = makeDifferencePicture(difference, size);
        const QRectF all(QPointF(0, 0), size);
        EXPECT_FALSE(picture.heat.intersects(picture.bars));
        EXPECT_FALSE(picture.heat.intersects(picture.ranking));
        EXPECT_FALSE(picture.bars.intersects(picture.ranking));
        EXPECT_FALSE(picture.scale.intersects(tunerControls(size, true)));
        for (const QRectF& part : {picture.heat, picture.bars, picture.ranking, picture.scale}) {
            EXPECT_TRUE(all.contains(part)) << size.width();
        }
        for (const QRectF& line : picture.leaders) {
            EXPECT_TRUE(picture.ranking.adjusted(0, 0, 0, 1).contains(line)) << size.width();
        }
    }
}

/// Links twice as fast make no mesh slower; other chips share none; the same takes the same.
TEST(TunerDifference, TheFindingSaysWhatThereIs) {
    Scenario fast = ofDepth(2048);
    EXPECT_EQ(tunerFinding(*differenceOf(fast, fast)),
              QStringLiteral("A and B take the same time on all 4 meshes"));
    Scenario large = fast;
    large.mesh = {4, 4};
    EXPECT_EQ(tunerFinding(*differenceOf(fast, large)),
              QStringLiteral("There is no mesh of both: A has 8 chips, B 16"));
    Scenario ring = fast;
    ring.plan.algorithm = "fsdp";
    EXPECT_TRUE(tunerFinding(*differenceOf(ring, fast))
                    .startsWith(QStringLiteral("There is no mesh on which both A and B run")));
    Scenario double_work = fast;
    double_work.gemm->shape.m *= 2;
    const QString finding = tunerFinding(*differenceOf(fast, double_work));
    EXPECT_TRUE(finding.startsWith(QStringLiteral("B is slower on all 4 meshes; most on ")))
        << finding.toStdString();
    EXPECT_TRUE(finding.endsWith(QStringLiteral(" times as long for 2 times the FLOP")))
        << finding.toStdString();
}

/// Faster is blue and slower vermilion, both the stronger the larger the difference, and the same has
/// neither.
TEST(TunerDifference, ColoursHaveASign) {
    TunerDifference made;
    made.strongest = std::log(2.0);
    LandscapeCell a;
    a.time = Time(1'000'000'000);
    const auto color_of = [&](std::int64_t picoseconds) {
        LandscapeCell b;
        b.time = Time(picoseconds);
        return differenceColor(made, {&a, &b}, Theme::light);
    };
    EXPECT_EQ(color_of(500'000'000), color(Role::compute, Theme::light));
    EXPECT_EQ(color_of(2'000'000'000), color(Role::exposed, Theme::light));
    EXPECT_EQ(color_of(1'000'000'000), color(Role::panel, Theme::light));
    EXPECT_GT(color_of(900'000'000).lightness(), color_of(600'000'000).lightness());
}

} // namespace
} // namespace meshslice::ui
