#include "core/report/chrome_trace.h"
#include "ui/commands/trace_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
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

/// Four chips of each algorithm, as eight processes.
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
    EXPECT_EQ(processes.size(), 8);
    EXPECT_TRUE(processes.contains(QStringLiteral("MeshSlice: chip 0,0")));
    EXPECT_TRUE(processes.contains(QStringLiteral("Collective: chip 1,1")));
    const double about = static_cast<double>(about_trace_size(tracedSteps(*results)).value());
    EXPECT_NEAR(about / static_cast<double>(file.size()), 1, 0.15) << about;
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
