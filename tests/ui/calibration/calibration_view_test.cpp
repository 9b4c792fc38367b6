#include "core/machine/catalogue.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/calibration/calibration_view.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class CalibrationViewTest : public ::testing::Test {
  protected:
    CalibrationViewTest() {
        document.restore(project_of(default_scenario()), {});
        view.resize(900, 600);
        view.show();
    }
    QString file(const char* name, const char* content) const {
        QFile out(folder.filePath(QLatin1String(name)));
        EXPECT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(content);
        return out.fileName();
    }
    void open(const char* name, const char* content) {
        view.openCollectives(file(name, content));
        EXPECT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    }
    /// 1 us + (P - 1) x 2 us + (P - 1) / P x bytes / (2 x 50 GB/s), worked by hand.
    static constexpr const char* exact = "operation,chips,bytes,time\n"
                                         "all_gather,2,1000000,8 us\n"
                                         "all_gather,2,10000000,53 us\n"
                                         "all_gather,5,1000000,17 us\n"
                                         "all_gather,5,10000000,89 us\n";

    QTemporaryDir folder;
    HandMadeSession session;
    Document& document = session.own_document;
    CalibrationView view{&session};
};

TEST_F(CalibrationViewTest, BeginsWithWhatToDo) {
    EXPECT_FALSE(view.use()->isVisible());
    EXPECT_FALSE(view.isCurrent());
    EXPECT_TRUE(view.sentence().startsWith(QStringLiteral("Open times that were measured")));
    EXPECT_FALSE(view.canvas()->surface()->chart());
}

TEST_F(CalibrationViewTest, FitsAndTakesTheMachineOver) {
    QAbstractItemModelTester tester(view.constants(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    open("ring.csv", exact);
    ASSERT_TRUE(view.shown()) << view.notice()->text().toStdString();
    EXPECT_NEAR(view.shown()->collectives->sync.value, 2e-6, 1e-12);
    EXPECT_NEAR(view.shown()->collectives->link_bandwidth.value, 50e9, 1e3);
    EXPECT_EQ(view.constants()->rowCount(), 3); // launch, synchronization, bandwidth
    ASSERT_TRUE(view.canvas()->surface()->chart());
    EXPECT_EQ(view.table().rows.size(), 4u);

    const std::string before = document.scenario().hardware.title;
    QTest::mouseClick(view.use(), Qt::LeftButton);
    EXPECT_NEAR(in_seconds(document.scenario().hardware.sync.value), 2e-6, 1e-12);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario().hardware.title, before);
}

/// The same times, each once 30% shorter and once 30% longer: a fit that says not to be trusted.
TEST_F(CalibrationViewTest, WarnsOfAPoorFit) {
    open("ring.csv", exact);
    EXPECT_EQ(view.notice()->text(), QString());
    open("noisy.csv", "operation,chips,bytes,time\n"
                      "all_gather,2,1000000,5.6 us\n"
                      "all_gather,2,1000000,10.4 us\n"
                      "all_gather,2,10000000,37.1 us\n"
                      "all_gather,2,10000000,68.9 us\n"
                      "all_gather,5,1000000,11.9 us\n"
                      "all_gather,5,1000000,22.1 us\n"
                      "all_gather,5,10000000,62.3 us\n"
                      "all_gather,5,10000000,115.7 us\n");
    ASSERT_TRUE(view.shown()) << view.notice()->text().toStdString();
    EXPECT_TRUE(view.notice()->text().endsWith(QStringLiteral("Do not trust its constants.")))
        << view.notice()->text().toStdString();
}

TEST_F(CalibrationViewTest, AnotherUseOfTheRingIsAnotherFit) {
    open("ring.csv", exact);
    ASSERT_TRUE(view.shown());
    view.ring()->setCurrentIndex(1);
    emit view.ring()->activated(1);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return view.isCurrent() && view.shown()->measured.ring == RingMode::one_way; }, patience_ms));
    EXPECT_NEAR(view.shown()->collectives->link_bandwidth.value, 100e9, 1e4);
}

/// The machine may have been edited since: the fitted constants go into it as it is.
TEST_F(CalibrationViewTest, KeepsEditsOfTheMachineSinceTheFit) {
    open("ring.csv", exact);
    ASSERT_TRUE(view.shown());
    session.edit(
        [](Scenario& next) {
            next.hardware = *machine_preset("tpu-v5e");
            next.mesh = {16, 16};
        },
        "hardware");
    QTest::mouseClick(view.use(), Qt::LeftButton);
    const Machine& now = document.scenario().hardware;
    EXPECT_EQ(now.peak[DataType::bf16].value, machine_preset("tpu-v5e")->peak[DataType::bf16].value);
    EXPECT_NEAR(in_seconds(now.sync.value), 2e-6, 1e-12);
    EXPECT_EQ(now.title, "TPU v5e, calibrated");
    EXPECT_EQ(now.name, "tpu-v5e-calibrated");
    QTest::mouseClick(view.use(), Qt::LeftButton);
    EXPECT_EQ(now.title, "TPU v5e, calibrated") << "said once";
}

/// A second file that is opened while the first is being fitted does not drop it.
TEST_F(CalibrationViewTest, FilesOpenedOneAfterTheOtherAreFittedTogether) {
    {
        const Gate gate(view.job());
        view.openCollectives(file("ring.csv", exact));
        view.openGemms(file("gemms.csv", "M,N,K,time\n4096,4096,4096,1 ms\n2048,2048,2048,200 us\n"));
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    ASSERT_TRUE(view.shown()) << view.notice()->text().toStdString();
    EXPECT_TRUE(view.shown()->collectives && view.shown()->gemms);
    EXPECT_EQ(view.table().rows.size(), 6u);
}

/// What cannot be read changes nothing, and says where it is wrong.
TEST_F(CalibrationViewTest, ARefusedFileLeavesWhatWasThere) {
    open("ring.csv", exact);
    ASSERT_TRUE(view.shown());
    const Chart chart = *view.canvas()->surface()->chart();
    open("wrong.csv", "operation,chips,bytes,time\nall_gather,two,1000000,8 us\n");
    EXPECT_TRUE(QTest::qWaitFor([&] { return view.notice()->text().contains(QStringLiteral("wrong.csv")); },
                                patience_ms));
    EXPECT_TRUE(view.notice()->text().endsWith(QStringLiteral("The fit below is still of ring.csv.")))
        << view.notice()->text().toStdString();
    EXPECT_EQ(*view.canvas()->surface()->chart(), chart);
    EXPECT_TRUE(view.isCurrent());
}

/// A click on the legend shows one operation alone, a second one all again.
TEST_F(CalibrationViewTest, TheLegendIsolates) {
    open("ring.csv", "operation,chips,bytes,time\n"
                     "all_gather,2,1000000,8 us\nall_gather,2,10000000,53 us\n"
                     "all_gather,5,1000000,17 us\nall_gather,5,10000000,89 us\n"
                     "reduce_scatter,2,1000000,8.1 us\n");
    ASSERT_TRUE(view.shown());
    ChartSurface* surface = view.canvas()->surface();
    ASSERT_EQ(surface->layout().legend.size(), 2u);
    const QPoint at = surface->layout().legend[1].area.center().toPoint() + surface->offset();
    QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, at);
    EXPECT_EQ(surface->hidden(), (std::set<std::string>{"all gather"}));
    QTest::mouseClick(view.canvas(), Qt::LeftButton, {}, at);
    EXPECT_TRUE(surface->hidden().empty());
}

} // namespace
} // namespace meshslice::ui
