#include "core/base/text.h"
#include "core/report/traced_step.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/commands/dialogs/trace_dialog.h"
#include "ui/commands/trace_file.h"

#include <QComboBox>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

ResultsPtr smallResults() {
    auto results = std::make_shared<Results>();
    results->scenario = default_scenario();
    results->scenario.mesh = {2, 2};
    results->scenario.gemm = SingleGemm{{1024, 1024, 1024}, Dataflow::OS};
    results->steps.push_back(training_step(results->scenario, "meshslice", Depth::simulate).value());
    return results;
}

TEST(TraceFile, IsJson) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    const auto saved = saveTrace(smallResults(), path);
    ASSERT_TRUE(saved) << saved.error().sentence;
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QJsonParseError error{};
    const QJsonDocument trace = QJsonDocument::fromJson(file.readAll(), &error);
    EXPECT_EQ(error.error, QJsonParseError::NoError);
    EXPECT_TRUE(trace.isObject() || trace.isArray());
}

TEST(TraceFile, SaysWhyThereIsNone) {
    const QTemporaryDir folder;
    EXPECT_FALSE(saveTrace(nullptr, folder.filePath(QStringLiteral("a.json"))));
    EXPECT_FALSE(saveTrace(std::make_shared<Results>(), folder.filePath(QStringLiteral("a.json"))));
    EXPECT_FALSE(saveTrace(smallResults(), folder.filePath(QStringLiteral("no/folder/a.json"))));
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("a.json"))));
}

/// Four chips of each algorithm are eight processes.
TEST(TraceFile, HoldsBothAlgorithms) {
    auto results = std::make_shared<Results>(*smallResults());
    results->steps.push_back(training_step(results->scenario, "collective", Depth::simulate).value());
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("trace.json"));
    ASSERT_TRUE(saveTrace(results, path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QStringList processes;
    for (const QJsonValue& event :
         QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("traceEvents")].toArray()) {
        if (event[QStringLiteral("name")] == QLatin1String("process_name")) {
            processes << event[QStringLiteral("args")][QStringLiteral("name")].toString();
        }
    }
    EXPECT_EQ(processes.size(), 10) << "and one for the counters of each";
    EXPECT_TRUE(processes.contains(QStringLiteral("MeshSlice: all 4 chips")));
    EXPECT_TRUE(processes.contains(QStringLiteral("MeshSlice: chip 0,0")));
    EXPECT_TRUE(processes.contains(QStringLiteral("Collective: chip 1,1")));
    const double about = static_cast<double>(about_trace_size(*tracedRuns(*results, {})).text.value());
    EXPECT_NEAR(about / static_cast<double>(file.size()), 1, 0.15) << about;
}

/// Two variants, of which the trace has the chips that are chosen; what is said of its size follows them. A
/// row of two chips has half of what all four have.
TEST(TraceFile, HoldsTheChosenChipsOfBothVariants) {
    auto results = std::make_shared<Results>(*smallResults());
    Scenario slow = results->scenario;
    slow.plan.slices = 4;
    results->reference = Variant{"finer", slow};
    results->steps.push_back(training_step(slow, "meshslice", Depth::simulate).value());
    results->steps[0].variant = "B (first)";
    results->steps[1].variant = "A (finer)";
    const auto row = parse_trace_chips("0,0..1");
    ASSERT_TRUE(row);
    const QTemporaryDir folder;
    const auto written = [&](const TraceChips& chips) {
        const QString path = folder.filePath(QStringLiteral("trace.json"));
        EXPECT_TRUE(saveTrace(results, path, chips));
        QFile file(path);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        const auto runs = tracedRuns(*results, chips);
        const double about = static_cast<double>(about_trace_size(*runs).text.value());
        EXPECT_NEAR(about / static_cast<double>(file.size()), 1, 0.15) << about;
        return QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("traceEvents")].toArray();
    };
    const auto names = [](const QJsonArray& events) {
        QStringList found;
        for (const QJsonValue& event : events) {
            if (event[QStringLiteral("name")] == QLatin1String("process_name")) {
                found << event[QStringLiteral("args")][QStringLiteral("name")].toString();
            }
        }
        return found;
    };
    const auto bars = [](const QJsonArray& events) {
        return std::ranges::count_if(events, [](const QJsonValue& event) {
            return event[QStringLiteral("ph")] == QLatin1String("X") &&
                   event[QStringLiteral("cat")] != QLatin1String("wait");
        });
    };
    const QJsonArray some = written(*row);
    EXPECT_EQ(names(some).join(QStringLiteral("; ")),
              QStringLiteral("B (first): chip 0,0; B (first): chip 0,1; B (first): all 4 chips; "
                             "A (finer): chip 0,0; A (finer): chip 0,1; A (finer): all 4 chips"));
    EXPECT_EQ(2 * bars(some), bars(written({})));
}

/// What is chosen and typed decides what is said and written; what names no chip of the mesh is said and
/// cannot be saved.
TEST(TraceDialogTest, SaysTheSizeOfWhatIsChosen) {
    HandMadeSession session(smallResults());
    TraceDialog dialog(&session, nullptr);
    dialog.show();
    const auto said = [&](const TraceChips& chips) {
        return QString::fromStdString(text(about_trace_size(*tracedRuns(*session.current(), chips)).text));
    };
    const auto says_size = [&](const TraceChips& chips) {
        return QTest::qWaitFor([&] { return dialog.note()->text().contains(said(chips)); }, patience_ms);
    };
    EXPECT_EQ(dialog.chips()->which, TraceChips::Which::alike) << "hundreds of alike ones are a gigabyte";
    EXPECT_TRUE(dialog.note()->text().startsWith(QStringLiteral("1 chip; "))) << "of a closed torus";
    EXPECT_TRUE(says_size({TraceChips::Which::alike}));
    EXPECT_FALSE(dialog.listed()->isEnabled());
    dialog.which()->setFocus();
    QTest::keyClick(dialog.which(), Qt::Key_Down);
    EXPECT_EQ(dialog.chips(), TraceChips{});
    EXPECT_TRUE(dialog.note()->text().startsWith(QStringLiteral("4 chips; ")));
    EXPECT_TRUE(says_size({}));
    QTest::keyClick(dialog.which(), Qt::Key_Down);
    ASSERT_TRUE(dialog.listed()->isEnabled());
    dialog.listed()->selectAll();
    QTest::keyClicks(dialog.listed(), QStringLiteral("0..1,0"));
    EXPECT_TRUE(dialog.note()->text().startsWith(QStringLiteral("2 chips; ")));
    EXPECT_TRUE(says_size(*parse_trace_chips("0..1,0")));
    EXPECT_TRUE(dialog.saveButton()->isEnabled());
    const QSignalSpy asked(&dialog, &TraceDialog::saveAsked);
    QTest::mouseClick(dialog.saveButton(), Qt::LeftButton);
    EXPECT_EQ(asked.count(), 1);
    QTest::keyClicks(dialog.listed(), QStringLiteral(" 7,7"));
    EXPECT_FALSE(dialog.saveButton()->isEnabled());
    EXPECT_TRUE(dialog.note()->text().contains(
        QStringLiteral("MeshSlice has no chip with coordinate 7 along axis 1")));
    dialog.listed()->clear();
    EXPECT_TRUE(dialog.note()->text().startsWith(QStringLiteral("No chip is named.")));
    session.fail(QStringLiteral("It broke."));
    EXPECT_EQ(dialog.note()->text(), QStringLiteral("It broke."));
    EXPECT_FALSE(dialog.saveButton()->isEnabled());
    for (const QWidget* field :
         {static_cast<QWidget*>(dialog.which()), static_cast<QWidget*>(dialog.listed())}) {
        EXPECT_FALSE(field->toolTip().isEmpty());
        EXPECT_FALSE(field->accessibleName().isEmpty());
    }
}

/// It reads every interval, which may be millions: the window does not wait for it, and saving neither.
TEST(TraceDialogTest, AddsUpTheSizeAsideOfTheWindow) {
    HandMadeSession session(smallResults());
    TraceDialog dialog(&session, nullptr);
    dialog.which()->setCurrentIndex(1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !dialog.job()->isBusy(); }, patience_ms));
    {
        const Gate gate(dialog.job());
        QTest::keyClick(dialog.which(), Qt::Key_Up);
        EXPECT_TRUE(dialog.job()->isBusy());
        EXPECT_EQ(dialog.note()->text(), QStringLiteral("1 chip; with waits, flows and counters about …"));
        EXPECT_TRUE(dialog.saveButton()->isEnabled());
    }
    const TraceSize size = about_trace_size(*tracedRuns(*session.current(), {TraceChips::Which::alike}));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return dialog.note()->text().contains(QString::fromStdString(text(size.text))); },
        patience_ms));
    EXPECT_GT(size.flows_left_out, 0u) << "the others of its rings send to it";
    EXPECT_TRUE(dialog.note()->text().endsWith(
        QStringLiteral(". Arrows from chips that are not in it are left out: up to %L1.")
            .arg(static_cast<qlonglong>(size.flows_left_out))))
        << dialog.note()->text().toStdString();
}

/// What is only estimated has no bars to write.
TEST(TraceFile, LeavesOutWhatIsOnlyEstimated) {
    auto results = std::make_shared<Results>(*smallResults());
    results->steps.push_back(training_step(results->scenario, "collective", Depth::estimate).value());
    results->estimated_because = {"", "it is too large"};
    EXPECT_EQ(tracedSteps(*results).size(), 1u);
}

} // namespace
} // namespace meshslice::ui
