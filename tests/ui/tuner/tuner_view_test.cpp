#include "core/machine/catalogue.h"
#include "core/report/words/tuning_words.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/look/heat_cell.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/tuner/tuner_view.h"
#include "ui/view/picture_file.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <gtest/gtest.h>

#include <cmath>

namespace meshslice::ui {
namespace {

/// One GEMM on eight chips: four meshes, K = 2048, so S = 1 ... 64 by twos, where it divides (tests of the
/// landscape work that out).
Scenario small() {
    Scenario scenario = default_scenario();
    scenario.gemm = SingleGemm{{512, 1024, 2048}, Dataflow::OS};
    scenario.mesh = {4, 2};
    scenario.plan.slices = 2;
    scenario.compare.clear();
    return scenario;
}

ResultsPtr resultsOf(const Scenario& scenario) {
    auto results = std::make_shared<Results>();
    results->scenario = scenario;
    results->steps.push_back(*training_step(scenario, scenario.plan.algorithm, Depth::estimate));
    return results;
}

/// What the user takes from the tuner into the scenario.
struct Choice {
    std::string algorithm;
    std::vector<std::int32_t> mesh;
    std::optional<std::int64_t> slices;

    bool operator==(const Choice&) const = default;
};

class TunerViewTest : public ::testing::Test {
  protected:
    TunerViewTest() {
        view.setPalette(widgetPalette(Theme::light));
        view.resize(900, 600);
        document.restore(project_of(small()), {});
        QObject::connect(&document, &Document::scenarioChanged, &view, [this] {
            const Scenario& now = document.scenario();
            choices.push_back({now.plan.algorithm, now.mesh, now.plan.slices});
        });
        show(small());
        view.show();
    }
    /// Shows a scenario's results, complete as for a file.
    void show(const Scenario& scenario) {
        session.show(resultsOf(scenario));
        bool complete = false;
        view.complete([&](const Result<void>& outcome) { complete = outcome.has_value(); });
        EXPECT_TRUE(QTest::qWaitFor([&] { return complete; }, patience_ms));
    }
    QPoint middleOf(const TunerPlace& place) const {
        for (const TunerCellBox& box : view.picture().cells) {
            if (box.place == place) {
                return box.area.center().toPoint();
            }
        }
        ADD_FAILURE() << "no such cell";
        return {};
    }

    HandMadeSession session;
    Document& document = session.own_document;
    TunerView view{&session};
    std::vector<Choice> choices;
};

/// 4x2 is the second mesh and S = 2 the third column: best, 1, 2, ...
TEST_F(TunerViewTest, BeginsAtTheScenariosOwnCell) {
    ASSERT_TRUE(view.answer());
    EXPECT_TRUE(view.sentence().isEmpty()) << view.sentence().toStdString();
    EXPECT_EQ(view.selectedCell(), (TunerPlace{1, 2}));
    EXPECT_FALSE(view.job()->isBusy());
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral("Best for MeshSlice: ")));
    EXPECT_EQ(view.picture().cells.size(), 32u);
}

TEST_F(TunerViewTest, AClickLoadsACell) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf({2, 4}));
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices[0], (Choice{"meshslice", {2, 4}, 8}));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf({0, 0}));
    ASSERT_EQ(choices.size(), 2u);
    EXPECT_EQ(choices[1], (Choice{"meshslice", {8, 1}, std::nullopt}));
}

/// S = 64 does not divide on 8x1: the cell explains itself and loads nothing.
TEST_F(TunerViewTest, ACellThatDoesNotRunSaysWhy) {
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, middleOf({0, 7}));
    EXPECT_TRUE(choices.empty());
    EXPECT_EQ(view.selectedCell(), (TunerPlace{0, 7}));
    EXPECT_TRUE(view.linesAt(middleOf({0, 7})).join(QLatin1Char(' ')).contains(QStringLiteral("S = 64")));
}

TEST_F(TunerViewTest, KeysGoFromCellToCellAndLoad) {
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Down);
    EXPECT_EQ(view.selectedCell(), (TunerPlace{2, 3}));
    EXPECT_TRUE(choices.empty());
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices[0], (Choice{"meshslice", {2, 4}, 4}));
    for (int press = 0; press < 20; ++press) {
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Up);
    }
    EXPECT_EQ(view.selectedCell(), (TunerPlace{0, 0})) << "stays at the border";
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_EQ(view.selectedCell(), (TunerPlace{1, 2}));
}

/// A click on the legend of the bars, or a digit, shows one part alone and loads nothing; the arrows still go
/// from cell to cell.
TEST_F(TunerViewTest, TheBarsHaveALegend) {
    ASSERT_TRUE(view.bars()->chart());
    EXPECT_EQ(view.bars()->chart()->panels[0].title, cellChart(*view.answer(), {1, 2})->panels[0].title);
    const ChartLayout& layout = view.bars()->layout();
    ASSERT_EQ(layout.legend.size(), 2u);
    const QPoint entry = layout.legend[0].area.center().toPoint() + view.bars()->offset();
    QTest::mouseClick(&view, Qt::LeftButton, {}, entry);
    EXPECT_EQ(view.bars()->hidden(), (std::set<std::string>{"exposed communication"}));
    QTest::keyClick(&view, Qt::Key_0);
    EXPECT_TRUE(view.bars()->hidden().empty());
    EXPECT_TRUE(choices.empty());
    const auto before = view.selectedCell();
    QTest::keyClick(&view, Qt::Key_Right);
    EXPECT_NE(view.selectedCell(), before);
}

TEST_F(TunerViewTest, AClickLoadsAnAlgorithm) {
    ASSERT_GE(view.picture().leaders.size(), 2u);
    const TunerAnswer& answer = *view.answer();
    const Candidate& second = answer.tuning.ranked[answer.leaders[1]];
    const QPoint point = view.picture().leaders[1].center().toPoint();
    EXPECT_TRUE(view.linesAt(point).front().startsWith(QString::fromStdString(second.title)));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, point);
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices[0], (Choice{second.step.algorithm, second.step.mesh, std::nullopt}));
    EXPECT_TRUE(view.linesAt(QPoint(1, 1)).isEmpty());
}

/// GPT-3 on 256 TPU v4: the buffers of some cells are too large for 61 GB, and algorithms that keep copies of
/// the weights need more. What is named the best fits; what does not is hatched among the cells and stands
/// apart among the algorithms, and can be loaded all the same.
TEST_F(TunerViewTest, WhatDoesNotFitIsMarkedAndApart) {
    Scenario scenario = default_scenario();
    scenario.hardware = *machine_preset("tpu-v4");
    scenario.hardware.hbm.value = Bytes(61'000'000'000);
    document.restore(project_of(scenario), {});
    view.resize(1200, 900);
    show(scenario);
    choices.clear();
    const TunerAnswer& answer = *view.answer();
    const Landscape& land = answer.landscape;
    EXPECT_TRUE(land.cell(land.best->first, land.best->second).fits);
    EXPECT_TRUE(view.accessibleDescription().contains(QStringLiteral(" of 61.0")));
    const TunerPicture& picture = view.picture();
    EXPECT_TRUE(tunerKey(picture, {}).contains(QStringLiteral("Hatched: does not fit")));
    const auto misfit = std::ranges::find_if(picture.cells, [&](const TunerCellBox& box) {
        const LandscapeCell& cell = land.cell(box.place.first, box.place.second);
        return cell.runs() && !cell.fits;
    });
    ASSERT_NE(misfit, picture.cells.end());
    EXPECT_TRUE(view.linesAt(misfit->area.center().toPoint())
                    .join(QLatin1Char('\n'))
                    .contains(QStringLiteral("does not fit: ")));
    ASSERT_TRUE(picture.misfits);
    for (std::size_t k = 0; k < picture.leaders.size(); ++k) {
        EXPECT_FALSE(picture.misfits->intersects(picture.leaders[k]));
        const bool fits = answer.tuning.ranked[answer.leaders[k]].step.fits();
        EXPECT_EQ(fits, picture.leaders[k].bottom() <= picture.misfits->top()) << k;
    }
    const std::size_t last = picture.leaders.size() - 1;
    const QPoint point = picture.leaders[last].center().toPoint();
    EXPECT_TRUE(view.linesAt(point).join(QLatin1Char('\n')).contains(QStringLiteral("does not fit: ")));
    const Candidate chosen = answer.tuning.ranked[answer.leaders[last]];
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, point);
    ASSERT_EQ(choices.size(), 1u);
    EXPECT_EQ(choices[0], (Choice{chosen.step.algorithm, chosen.step.mesh, std::nullopt}));
}

/// 56.9 GB and buffers do not fit into 56: the title says so and names what needs least.
TEST(TunerPicture, SaysThatNothingFits) {
    Scenario scenario = default_scenario();
    scenario.hardware.hbm.value = Bytes(56'000'000'000);
    const auto answer = computeTuner(tunerRequest(scenario, Depth::estimate));
    ASSERT_TRUE(answer);
    EXPECT_TRUE(tunerFinding(**answer).startsWith(QStringLiteral("Nothing fits with MeshSlice; ")))
        << tunerFinding(**answer).toStdString();
    EXPECT_TRUE(tunerFinding(**answer).contains(QStringLiteral(" needs the least: 5")));
    EXPECT_TRUE(cellLines(**answer, *(*answer)->landscape.best)
                    .contains(QStringLiteral("nothing fits; this needs the least memory")));
    const TunerPicture picture = makeTunerPicture(*answer, {1200, 900});
    ASSERT_TRUE(picture.misfits);
    EXPECT_TRUE(tunerKey(picture, {}).contains(QStringLiteral("Corner: needs the least memory.")));
    EXPECT_LT(picture.misfits->top(), picture.leaders.front().top());
}

/// Another mesh or slice count of the same chips asks for nothing new; another batch does.
TEST_F(TunerViewTest, AsksOnlyWhatItDoesNotKnow) {
    const TunerAnswerPtr before = view.answer();
    Scenario moved = small();
    moved.mesh = {2, 4};
    moved.plan.slices = 16;
    session.show(resultsOf(moved));
    EXPECT_FALSE(view.job()->isBusy());
    EXPECT_EQ(view.answer(), before);
    EXPECT_EQ(view.selectedCell(), (TunerPlace{2, 5}));
    moved.plan.block = 16;
    session.show(resultsOf(moved));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.answer() != before; }, patience_ms));
    EXPECT_FALSE(view.job()->isBusy());
}

TEST_F(TunerViewTest, SimulatesOnRequest) {
    auto* depths = view.findChild<QComboBox*>();
    ASSERT_NE(depths, nullptr);
    QTest::keyClick(depths, Qt::Key_Down);
    emit depths->activated(1);
    EXPECT_EQ(view.depth(), Depth::simulate);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return view.answer()->landscape.depth == Depth::simulate && !view.job()->isBusy(); },
        patience_ms));
    EXPECT_TRUE(view.sentence().isEmpty());
    const auto step = training_step(small(), "meshslice", Depth::simulate);
    EXPECT_EQ(view.answer()->landscape.cell(1, 2).time, step->time);
}

/// GPT-3 on 256 chips takes a while to simulate; Cancel goes back to the estimates.
TEST_F(TunerViewTest, CancelGoesBackToTheEstimates) {
    show(default_scenario());
    const TunerAnswerPtr estimates = view.answer();
    const Gate gate(view.job());
    view.setDepth(Depth::simulate);
    ASSERT_TRUE(view.job()->isBusy());
    auto* cancel = view.findChild<QPushButton*>();
    ASSERT_TRUE(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    EXPECT_FALSE(view.job()->isBusy());
    EXPECT_FALSE(cancel->isVisible());
    EXPECT_EQ(view.depth(), Depth::estimate);
    EXPECT_EQ(view.answer(), estimates);
    EXPECT_FALSE(view.isStale());
    EXPECT_TRUE(view.isCurrent());
}

TEST_F(TunerViewTest, SaysWhatIsMissing) {
    HandMadeSession other;
    TunerView fresh(&other);
    EXPECT_TRUE(fresh.sentence().contains(QStringLiteral("Nothing to show yet")));
    other.show(resultsOf(small())); // not visible: asks nothing
    EXPECT_TRUE(fresh.sentence().contains(QStringLiteral("Trying every mesh")));
    EXPECT_FALSE(fresh.job()->isBusy());
    other.fail(QStringLiteral("It broke."));
    EXPECT_EQ(fresh.sentence(), QStringLiteral("It broke."));
    EXPECT_TRUE(fresh.table().rows.empty());
}

/// A new run gives up what a file waits for; the file hears of it.
TEST_F(TunerViewTest, AFileHearsThatTheScenarioWasEdited) {
    const Gate gate(view.job());
    Scenario other = small();
    other.plan.block = 16;
    session.show(resultsOf(other));
    std::optional<Result<void>> outcome;
    view.complete([&](const Result<void>& completed) { outcome = completed; });
    view.hide(); // another tab: the file is still wanted
    EXPECT_TRUE(view.job()->isBusy());
    session.compute(small());
    ASSERT_TRUE(outcome.has_value());
    EXPECT_EQ(outcome->error().kind, Error::Kind::cancelled);
    EXPECT_FALSE(view.job()->isBusy());
}

TEST_F(TunerViewTest, IsWrittenInEveryFormat) {
    const QTemporaryDir folder;
    for (const char* name : {"t.png", "t.svg", "t.pdf", "t.csv"}) {
        EXPECT_TRUE(savePicture(view, folder.filePath(QLatin1String(name)), {900, 600}, Theme::dark)) << name;
    }
    EXPECT_EQ(view.table().rows.size(), 32u);
}

/// Numbers can be read on every colour of the scale, in both themes: contrast of 4.5 or more (WCAG 2.1).
TEST(TunerPicture, NumbersCanBeRead) {
    const auto luminance = [](const QColor& color) {
        const auto linear = [](double part) {
            return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
               0.0722 * linear(color.blueF());
    };
    for (const Theme theme : {Theme::light, Theme::dark}) {
        for (double strength = 0.06; strength <= 1.0; strength += 0.01) {
            const QColor ground = tint(Role::compute, theme, strength);
            const double a = luminance(ground) + 0.05;
            const double b = luminance(readableOn(ground)) + 0.05;
            EXPECT_GE(std::max(a, b) / std::min(a, b), 4.5) << strength;
        }
    }
}

/// Nothing lies over anything else and nothing outside, whatever the size.
TEST(TunerPicture, PartsDoNotOverlap) {
    const auto answer = computeTuner(tunerRequest(default_scenario(), Depth::estimate));
    ASSERT_TRUE(answer);
    for (const QSize size : {QSize(360, 320), QSize(700, 500), QSize(960, 640), QSize(1600, 1000)}) {
        const TunerPicture picture = makeTunerPicture(*answer, size);
        const QRectF all(QPointF(0, 0), size);
        EXPECT_FALSE(picture.heat.intersects(picture.bars));
        EXPECT_FALSE(picture.heat.intersects(picture.ranking));
        EXPECT_FALSE(picture.bars.intersects(picture.ranking));
        EXPECT_FALSE(picture.heat.intersects(tunerControls(size)));
        EXPECT_FALSE(picture.heat.intersects(picture.scale));
        for (const QRectF& part : {picture.heat, picture.bars, picture.ranking, picture.scale}) {
            EXPECT_TRUE(all.contains(part)) << size.width();
        }
        EXPECT_EQ(picture.rows.size() + static_cast<std::size_t>(picture.hidden_rows), 9u);
    }
}

/// As high as it asks to be, it shows every mesh, every algorithm and every reason; none is cut in a window
/// of 1280 x 800, and where it is narrow the ranking stands below the bars.
TEST(TunerPicture, ReasonsHaveALineOfTheirOwn) {
    const auto answer = computeTuner(tunerRequest(default_scenario(), Depth::estimate));
    ASSERT_TRUE(answer);
    for (const int width : {400, 960}) {
        const int height = static_cast<int>(std::ceil(leastHeight(**answer, width)));
        const TunerPicture picture = makeTunerPicture(*answer, {width, height});
        EXPECT_TRUE(picture.explained);
        EXPECT_EQ(picture.hidden_rows, 0);
        EXPECT_EQ(picture.leaders.size(), (*answer)->leaders.size());
        EXPECT_EQ(picture.ranking.top() >= picture.bars.bottom(), width == 400);
        EXPECT_LE(picture.ranking.bottom(), height);
        EXPECT_FALSE(picture.heat.intersects(picture.bars));
        for (const std::size_t leader : (*answer)->leaders) {
            const QString why = words(reason((*answer)->tuning, (*answer)->tuning.ranked[leader]));
            EXPECT_TRUE(width < 960 ||
                        textWidth(lettering(Lettering::small), why) <= picture.ranking.width() - 8)
                << why.toStdString();
        }
    }
    EXPECT_FALSE(makeTunerPicture(*answer, {960, 420}).explained);
}

/// In any width a reason that is too long for one line has another: nothing of it is cut, and the rows
/// follow each other.
TEST(TunerPicture, LongReasonsAreWrapped) {
    Scenario fits_in_part = default_scenario(); // Llama-3-70B on 64 chips: long reasons and misfits
    fits_in_part.model = *model_preset("llama-3-70b");
    fits_in_part.hardware = *machine_preset("tpu-v5e");
    fits_in_part.mesh = {8, 8};
    fits_in_part.batch = 64;
    Scenario roomy = default_scenario();
    roomy.hardware.hbm.value = Bytes(61'000'000'000);
    bool some_wrapped = false;
    for (const Scenario& scenario : {roomy, fits_in_part}) {
        const auto answer = computeTuner(tunerRequest(scenario, Depth::estimate));
        ASSERT_TRUE(answer);
        for (const int width : {200, 300, 420, 619, 620, 700, 1000, 1600}) {
            const int height = static_cast<int>(std::ceil(leastHeight(**answer, width)));
            const TunerPicture picture = makeTunerPicture(*answer, {width, height});
            ASSERT_TRUE(picture.explained) << width;
            ASSERT_EQ(picture.leaders.size(), (*answer)->leaders.size()) << width;
            EXPECT_LE(picture.leaders.back().bottom(), height) << width;
            for (std::size_t k = 0; k < picture.leaders.size(); ++k) {
                const QString why =
                    words(reason((*answer)->tuning, (*answer)->tuning.ranked[(*answer)->leaders[k]]));
                const QFont font = lettering(Lettering::small);
                const QStringList lines = wrapped(font, why, picture.leaders[k].width() - 8);
                EXPECT_EQ(lines.join(QLatin1Char(' ')), why) << width;
                EXPECT_GE(picture.leaders[k].height(), 20 + 14.0 * static_cast<double>(lines.size()));
                some_wrapped = some_wrapped || lines.size() > 1;
                for (const QString& line : lines) {
                    EXPECT_LE(textWidth(font, line), picture.leaders[k].width() - 8) << line.toStdString();
                }
                EXPECT_TRUE(k == 0 || picture.leaders[k].top() >= picture.leaders[k - 1].bottom()) << k;
            }
        }
    }
    EXPECT_TRUE(some_wrapped) << "else nothing is tested";
}

/// Nothing in a file of a usual size is cut: no reason, no title of the bars. In the window neither, as high
/// as the picture asks to be. TranslatedWindowTest asks it in Chinese, too.
TEST_F(TunerViewTest, NoWordsAreCut) {
    const QTemporaryDir folder;
    const auto cut_in = [&](const QSize& size) {
        const QString path = folder.filePath(QStringLiteral("tuner.svg"));
        EXPECT_TRUE(savePicture(view, path, size, Theme::light));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        const QString drawn = QString::fromUtf8(file.readAll());
        EXPECT_TRUE(drawn.contains(QStringLiteral("MeshSlice")));
        const qsizetype at = drawn.indexOf(QChar(0x2026));
        return at < 0 ? std::string() : drawn.mid(std::max<qsizetype>(0, at - 60), 70).toStdString();
    };
    Scenario llama = default_scenario();
    llama.model = *model_preset("llama-3-70b");
    llama.hardware = *machine_preset("tpu-v5p");
    llama.mesh = {8, 8};
    llama.batch = 64;
    for (const Scenario& scenario : {default_scenario(), llama}) {
        show(scenario);
        for (const QSize& size : {QSize(960, 600), QSize(1280, 800), QSize(1920, 1080), QSize(960, 480)}) {
            EXPECT_EQ(cut_in(size), "") << size.width();
        }
        for (const int width : {400, 627}) { // large letters in 960 x 600, usual ones
            EXPECT_EQ(cut_in({width, static_cast<int>(leastHeight(*view.answer(), width)) + 40}), "")
                << width;
        }
    }
    show(default_scenario());
    ASSERT_TRUE(view.picture().leaders.size() > 1);
    EXPECT_TRUE(makeTunerPicture(view.answer(), {960, 578}).explained) << "rows give way to reasons";
}

/// The cells assume a healthy machine, which the key says where the scenario is of another.
TEST(TunerPicture, TheKeySaysThatFaultsAreLeftOut) {
    Scenario scenario = small();
    const auto healthy = computeTuner(tunerRequest(scenario, Depth::simulate));
    scenario.assume.faults.parts = {{{.chip = {3, 1}, .is_core = true}, 0.5}};
    const auto faulty = computeTuner(tunerRequest(scenario, Depth::simulate));
    ASSERT_TRUE(healthy && faulty);
    EXPECT_EQ((*faulty)->landscape.cell(1, 2).time, (*healthy)->landscape.cell(1, 2).time);
    const TunerPicture picture = makeTunerPicture(*faulty, {900, 600});
    TunerMarks marks;
    EXPECT_FALSE(tunerKey(picture, marks).contains(QStringLiteral("faults are left out")));
    marks.faulty = true;
    EXPECT_TRUE(tunerKey(picture, marks).contains(QStringLiteral("faults are left out")));
}

/// One chip: no mesh to choose and nothing to slice for.
TEST(TunerPicture, OfOneChipNamesOneSliceCount) {
    Scenario scenario = small();
    scenario.hardware = *machine_preset("tpu-v4");
    scenario.mesh = {1, 1};
    const auto answer = computeTuner(tunerRequest(scenario, Depth::estimate));
    ASSERT_TRUE(answer);
    EXPECT_TRUE(tunerFinding(**answer).startsWith(QStringLiteral("Best for MeshSlice: 1x1 with S = 1, ")));
    EXPECT_TRUE(cellLines(**answer, {0, 0}).contains(QStringLiteral("the best of all")));
    scenario.plan.algorithm = "fsdp";
    const auto ring = computeTuner(tunerRequest(scenario, Depth::estimate));
    ASSERT_TRUE(ring);
    EXPECT_TRUE(tunerFinding(**ring).startsWith(QStringLiteral("Best for FSDP: one chip, ")));
}

/// In the window a click is one undoable edit of the document, and the run follows.
TEST(TunerInTheWindow, AClickIsAnUndoableEdit) {
    MainWindow window(Memory::forget);
    window.document()->restore(project_of(small()), {});
    auto* tuner = window.findChild<TunerView*>();
    ASSERT_NE(tuner, nullptr);
    const int steps = window.document()->undoStack()->count();
    tuner->choose("collective", {2, 4}, std::nullopt);
    EXPECT_EQ(window.document()->scenario().plan.algorithm, "collective");
    EXPECT_EQ(window.document()->scenario().mesh, (std::vector<std::int32_t>{2, 4}));
    EXPECT_EQ(window.document()->scenario().plan.slices, std::nullopt);
    EXPECT_EQ(window.document()->undoStack()->count(), steps + 1);
    tuner->choose("collective", {8, 1}, std::nullopt);
    EXPECT_EQ(window.document()->undoStack()->count(), steps + 2);
    window.document()->undoStack()->undo();
    window.document()->undoStack()->undo();
    EXPECT_EQ(window.document()->scenario(), small());
}

} // namespace
} // namespace meshslice::ui
