#include "core/machine/catalogue.h"
#include "core/model/transformer.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"
#include "ui/look/palette.h"
#include "ui/measured/log_pane.h"
#include "ui/measured/measured_view.h"
#include "ui/session/plans.h"
#include "ui/session/session.h"
#include "ui/timeline/panes/runs_pane.h"
#include "ui/timeline/run_layout.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const QString kineto = QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/core/import/kineto.json");

/// Llama 3 8B on 8 H100, and the trace of two steps of 100 µs on one device.
class MeasuredViewTest : public ::testing::Test {
  protected:
    MeasuredViewTest() {
        Scenario scenario = default_scenario();
        scenario.model = *model_preset("llama-3-8b");
        scenario.batch = 8;
        scenario.hardware = *machine_preset("h100-nvs8");
        scenario.planning.chips = 8;
        scenario.plan.split.strategy = "1d";
        EXPECT_TRUE(document.edit(scenario, "model"));
        document.endEdit();
        session.follow();
        view.setPalette(widgetPalette(Theme::light));
        view.resize(1000, 640);
        view.follow();
        view.show();
    }
    void open(const QString& path) {
        view.open(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return view.predicted() != nullptr; }, patience_ms))
            << view.notice()->text().toStdString();
    }
    /// The session has taken over what the document holds.
    [[nodiscard]] bool follows() {
        return QTest::qWaitFor([&] { return session.state().scenario == document.scenario(); }, patience_ms);
    }
    void choose(QComboBox* list, int at) {
        list->setCurrentIndex(at);
        emit list->activated(at);
    }
    [[nodiscard]] const RunWindow& shown() { return *view.runs()->browser().window(); }
    [[nodiscard]] double cell(int row, int column) {
        return view.parts()->index(row, column).data(TableModel::sort_role).toDouble();
    }

    Document document;
    Session session{&document};
    MeasuredView view{&session};
};

TEST_F(MeasuredViewTest, AsksForATraceFirst) {
    EXPECT_TRUE(view.isUnused());
    EXPECT_FALSE(view.isCurrent());
    EXPECT_THAT(view.sentence().toStdString(), HasSubstr("Open what a profiler recorded"));
    EXPECT_FALSE(view.steps()->isVisible());
    EXPECT_FALSE(view.progressBar()->isVisible());
    EXPECT_EQ(session.plans()->current(), nullptr) << "nothing is searched before there is a trace";
}

/// The last step above the plan's, on one axis; the parts add up to the step on both sides.
TEST_F(MeasuredViewTest, ShowsTheLastStepAboveThePlans) {
    open(kineto);
    settle();
    ASSERT_EQ(shown().runs.size(), 2U);
    EXPECT_EQ(shown().runs[0].run->reading(), RunReading::measured);
    EXPECT_EQ(shown().runs[0].run->end(), seconds(85e-6)) << "nothing runs in the last 15 µs";
    EXPECT_EQ(shown().range.end, shown().runs[1].run->end()) << "the longer of the two";
    EXPECT_EQ(view.steps()->currentIndex(), 2);
    EXPECT_EQ(view.parts()->rowCount(), 6);
    for (const int column : {1, 2}) {
        double sum = 0;
        for (int row = 1; row < 6; ++row) {
            sum += cell(row, column);
        }
        EXPECT_NEAR(sum, cell(0, column), 1e-9 * cell(0, column));
    }
    EXPECT_NEAR(cell(0, 1), 100e-6, 1e-12);
    EXPECT_NEAR(cell(0, 2), session.plans()->selectedPlan()->reading.time.total, 1e-12);
    EXPECT_THAT(view.accessibleDescription().toStdString(), HasSubstr("Measured 100"));
    EXPECT_THAT(view.notice()->text().toStdString(), HasSubstr("The plan has 8 chips."));
    EXPECT_FALSE(view.runs()->readableParts().empty());
    EXPECT_EQ(view.table().rows.size(), 6U);
}

/// 60 GB are held at most, of the 85.9 GB of the plan's chip; device 3, which is not shown, holds more. What
/// a trace does not say is not there.
TEST_F(MeasuredViewTest, ShowsWhatDevicesHold) {
    open(kineto);
    EXPECT_TRUE(shown().runs[0].counters.empty());
    EXPECT_TRUE(shown().about.isEmpty());
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("memory.json")));
    ASSERT_TRUE(file.open(QFile::WriteOnly));
    file.write(R"([{"ph": "X", "cat": "kernel", "name": "gemm", "ts": 100, "dur": 10,
        "args": {"device": 0, "stream": 7}},
        {"ph": "X", "cat": "kernel", "name": "gemm", "ts": 100, "dur": 5, "args": {"device": 3, "stream": 7}},
        {"ph": "i", "name": "[memory]", "ts": 104, "args": {"Total Allocated": 70e9, "Device Id": 3,
        "Device Type": 1}},
        {"ph": "i", "name": "[memory]", "ts": 104, "args": {"Total Allocated": 60e9, "Device Id": 0,
        "Device Type": 1}}])");
    file.close();
    open(file.fileName());
    settle();
    ASSERT_EQ(shown().runs.size(), 2U);
    EXPECT_EQ(shown().runs[0].counters.size(), 1U);
    EXPECT_TRUE(shown().holdsBelow);
    EXPECT_DOUBLE_EQ(shown().limit, 85899345920.0) << "80 GiB";
    EXPECT_THAT(shown().about.toStdString(),
                AllOf(HasSubstr("Device 0 holds 60.0"), HasSubstr(" at most; the plan predicts "),
                      HasSubstr(" of arrays.")));
    EXPECT_THAT(memoryFinding(*view.shown(), nullptr, "").toStdString(), HasSubstr("Device 3 holds 70.0"));
    EXPECT_FALSE(layoutRun({1000, 640}, shown()).held.isEmpty());
}

/// Another step, the mean of both, and the axis from the first GEMM on.
TEST_F(MeasuredViewTest, TheListsChooseWhatIsShown) {
    open(kineto);
    settle();
    const Time whole = shown().runs[0].run->end();
    choose(view.steps(), 0);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    EXPECT_EQ(view.shown()->step->steps, 2U);
    EXPECT_GT(shown().runs[0].run->end(), whole);
    choose(view.steps(), 1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.shown()->number == 1U; }, patience_ms));
    const Time before = slices(*shown().runs[0].run, 0).front().start;
    choose(view.begins(), 1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    EXPECT_LE(slices(*shown().runs[0].run, 0).front().start, before);
    EXPECT_EQ(view.shown()->number, 1U) << "the step stays";
}

/// A log of training says what the command says, next to the scenario's first plan; its step can be taken.
TEST_F(MeasuredViewTest, ShowsALogOfTraining) {
    view.open(QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/fuzz/seeds/evidence/megatron.log"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.logged().has_value(); }, patience_ms))
        << view.notice()->text().toStdString();
    EXPECT_THAT(view.logPane()->text()->toPlainText().toStdString(),
                AllOf(HasSubstr("Measured: a step takes 13.6"), HasSubstr("expected ")));
    EXPECT_TRUE(view.logPane()->chart()->isVisible());
    EXPECT_FALSE(view.runs()->isVisible());
    EXPECT_TRUE(view.isCurrent());
    QTest::mouseClick(view.takeButton(), Qt::LeftButton);
    EXPECT_NEAR(document.scenario().planning.measured_step.value_or(0), 13.6207, 1e-9);
    open(kineto);
    EXPECT_TRUE(view.runs()->isVisible());
    EXPECT_FALSE(view.logPane()->isVisible());
}

/// Another scenario is another answer, by the log that was read.
TEST_F(MeasuredViewTest, ReadsALogOnce) {
    view.open(QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/fuzz/seeds/evidence/megatron.log"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.logged().has_value(); }, patience_ms));
    ASSERT_EQ(view.logReadings().reads(), 1U);
    const std::string before = view.logged()->answer.headline;
    session.edit([](Scenario& next) { next.batch = 64; }, "batch");
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.logged()->answer.headline != before; }, patience_ms));
    EXPECT_EQ(view.logReadings().reads(), 1U);
}

TEST_F(MeasuredViewTest, ShowsABenchmarkOfAServer) {
    view.open(QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/fuzz/seeds/evidence/vllm.json"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.logged().has_value(); }, patience_ms))
        << view.notice()->text().toStdString();
    EXPECT_THAT(view.logPane()->text()->toPlainText().toStdString(),
                AllOf(HasSubstr("Measured: first token 180"), HasSubstr("expected 173"),
                      HasSubstr("From the log: --input 1024")));
    EXPECT_FALSE(view.takeButton()->isVisible()) << "it has no step";
    EXPECT_FALSE(view.logPane()->chart()->isVisible());
}

/// The prediction comes nearer to what was measured, by one undo step.
TEST_F(MeasuredViewTest, FitsTheMachine) {
    open(kineto);
    settle();
    const Scenario before = document.scenario();
    ASSERT_TRUE(view.fitButton()->isEnabled());
    QTest::mouseClick(view.fitButton(), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !(document.scenario().hardware == before.hardware); }, patience_ms));
    EXPECT_THAT(view.notice()->text().toStdString(), HasSubstr("Fitted to this step"));
    EXPECT_THAT(document.scenario().hardware.hbm_bandwidth.source,
                HasSubstr("Fitted to kineto.json, step 2"));
    document.undoStack()->undo();
    EXPECT_TRUE(document.scenario() == before);
    EXPECT_THAT(view.notice()->text().toStdString(), Not(HasSubstr("Fitted to this step")));
}

/// The machine stays where the plan has become another one, or the scenario one that nothing follows yet.
TEST_F(MeasuredViewTest, AFitOfAnotherPlanIsLeftOut) {
    for (const bool followed : {true, false}) {
        open(kineto);
        settle();
        const Machine before = document.scenario().hardware;
        Gate gate(view.fitJob());
        QTest::mouseClick(view.fitButton(), Qt::LeftButton);
        ASSERT_TRUE(view.fitJob()->isBusy());
        Scenario next = document.scenario();
        next.batch *= 2;
        ASSERT_TRUE(document.edit(next, "batch"));
        document.endEdit();
        ASSERT_TRUE(!followed || follows());
        gate.open();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !view.fitJob()->isBusy(); }, patience_ms));
        EXPECT_TRUE(document.scenario().hardware == before) << followed;
        EXPECT_THAT(view.notice()->text().toStdString(), HasSubstr("The fit was of another plan or step"));
        ASSERT_TRUE(follows());
    }
}

TEST_F(MeasuredViewTest, AFitIsGivenUpWithWhatItIsOf) {
    open(kineto);
    settle();
    const Gate gate(view.fitJob());
    QTest::mouseClick(view.fitButton(), Qt::LeftButton);
    ASSERT_TRUE(view.fitJob()->isBusy());
    view.open(kineto);
    EXPECT_FALSE(view.fitJob()->isBusy()) << "another file is read";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    settle();
    QTest::mouseClick(view.fitButton(), Qt::LeftButton);
    ASSERT_TRUE(view.fitJob()->isBusy());
    choose(view.steps(), 1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.shown()->number == 1U; }, patience_ms));
    EXPECT_FALSE(view.fitJob()->isBusy()) << "another step is shown";
    QTest::mouseClick(view.fitButton(), Qt::LeftButton);
    ASSERT_TRUE(view.fitJob()->isBusy());
    view.hide();
    EXPECT_FALSE(view.fitJob()->isBusy());
}

/// How many steps there are in it is not known.
TEST_F(MeasuredViewTest, FitsNothingToAFileWithoutSteps) {
    QFile from(kineto);
    ASSERT_TRUE(from.open(QIODevice::ReadOnly));
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("unmarked.json")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(from.readAll().replace("ProfilerStep", "Marked"));
    file.close();
    open(file.fileName());
    settle();
    ASSERT_EQ(view.shown()->step->steps, 0U);
    EXPECT_TRUE(view.fitButton()->isVisible());
    EXPECT_FALSE(view.fitButton()->isEnabled());
}

/// A log that cannot be read leaves what was shown, a trace or another log, under its own name.
TEST_F(MeasuredViewTest, ARefusedLogLeavesWhatWasShown) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("broken.log")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("an iteration that has no times\n");
    file.close();
    const auto open_log = [&](const QString& path) {
        view.open(path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !view.logJob()->isBusy(); }, patience_ms));
    };
    open(kineto);
    settle();
    open_log(file.fileName());
    EXPECT_TRUE(view.runs()->isVisible());
    EXPECT_FALSE(view.logPane()->isVisible());
    EXPECT_THAT(view.notice()->text().toStdString(),
                AllOf(HasSubstr("broken.log"), HasSubstr("What is shown is still kineto.json.")));
    EXPECT_TRUE(view.isCurrent());
    open_log(QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/fuzz/seeds/evidence/megatron.log"));
    ASSERT_TRUE(view.logged().has_value());
    open_log(file.fileName());
    EXPECT_TRUE(view.logPane()->isVisible());
    EXPECT_THAT(view.notice()->text().toStdString(),
                AllOf(HasSubstr("broken.log"), HasSubstr("What is shown is still megatron.log.")));
}

/// A file that is none leaves what was shown, and the sentence says why.
TEST_F(MeasuredViewTest, ARefusedFileLeavesWhatWasShown) {
    open(kineto);
    settle();
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("broken.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"traceEvents\": [");
    file.close();
    open(path);
    EXPECT_THAT(view.notice()->text().toStdString(), HasSubstr("is broken at byte"));
    EXPECT_THAT(view.notice()->text().toStdString(), HasSubstr("What is shown is still kineto.json."));
    EXPECT_EQ(view.parts()->rowCount(), 6);
}

/// While a file is read it can be given up.
TEST_F(MeasuredViewTest, ReadingCanBeStopped) {
    const Gate gate(view.job());
    view.open(kineto);
    EXPECT_TRUE(view.progressBar()->isVisible());
    ASSERT_TRUE(view.stopButton()->isVisible());
    QTest::mouseClick(view.stopButton(), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return gate.hasGivenUp(); }, patience_ms));
    EXPECT_FALSE(view.progressBar()->isVisible());
    EXPECT_FALSE(view.shown());
}

/// The measured time becomes the measured step of the scenario, as one undo step.
TEST_F(MeasuredViewTest, TakesTheMeasuredStep) {
    open(kineto);
    settle();
    const Scenario before = document.scenario();
    QTest::mouseClick(view.takeButton(), Qt::LeftButton);
    EXPECT_NEAR(document.scenario().planning.measured_step.value_or(0), 100e-6, 1e-12);
    document.undoStack()->undo();
    EXPECT_TRUE(document.scenario() == before);
}

} // namespace
} // namespace meshslice::ui
