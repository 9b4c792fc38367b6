#include "ui/commands/trace_file.h"

#include <QFile>
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
    const auto saved = saveTrace(smallResults(), 0, path);
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
    EXPECT_FALSE(saveTrace(nullptr, 0, folder.filePath(QStringLiteral("a.json"))));
    EXPECT_FALSE(saveTrace(smallResults(), 5, folder.filePath(QStringLiteral("a.json"))));
    EXPECT_FALSE(saveTrace(smallResults(), 0, folder.filePath(QStringLiteral("no/folder/a.json"))));
    EXPECT_FALSE(QFile::exists(folder.filePath(QStringLiteral("a.json"))));
}

} // namespace
} // namespace meshslice::ui
