#include "core/question/catalogue/study/studies.h"
#include "core/scenario/examples.h"
#include "ui/settings/appearance.h"
#include "ui/shell/pictures/capture.h"
#include "ui/shell/views.h"

#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QSet>
#include <QTemporaryDir>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice::ui {
namespace {

TEST(Capture, WritesTheWindowAndEveryView) {
    const QTemporaryDir folder;
    CaptureRequest request;
    request.folder = folder.filePath(QStringLiteral("pictures"));
    request.size = {1280, 800};
    request.project.variants.front().scenario.mesh = {4, 4};
    QStringList written;
    const auto captured = capture(request, [&](const QString& path) { written << path; });
    ASSERT_TRUE(captured) << captured.error().sentence;
    // The window in four arrangements, and every view in four formats, with four more pages of the plan,
    // seven of serving, ten of the lab, and every study but the first; calibration and measured trace wait
    // for files.
    const auto studied = static_cast<qsizetype>(studies().size());
    EXPECT_EQ(written.size(),
              4 + 4 * (static_cast<qsizetype>(viewRegister().size()) - 2 + 4 + 7 + 10 + studied - 1));
    EXPECT_EQ(QSet<QString>(written.begin(), written.end()).size(), written.size());
    for (const char* page : {"plan",
                             "plan-pipeline",
                             "plan-cluster",
                             "plan-chips",
                             "plan-limits",
                             "serving",
                             "serving-frontier",
                             "serving-timeline",
                             "serving-batches",
                             "serving-memory",
                             "serving-cache",
                             "serving-shardings",
                             "serving-schedules",
                             "lab",
                             "lab-stepper",
                             "lab-rooflines",
                             "lab-splits",
                             "lab-pipeline",
                             "lab-collectives",
                             "lab-flows",
                             "lab-transfers",
                             "lab-systolic",
                             "lab-warps",
                             "studies"}) {
        EXPECT_EQ(written.filter(QLatin1Char('/') + QLatin1String(page) + QLatin1String(".png")).size(), 1)
            << page;
    }
    EXPECT_TRUE(written.filter(QStringLiteral("calibration")).isEmpty());
    EXPECT_TRUE(written.filter(QStringLiteral("/measured")).isEmpty());
    for (const QString& path : written) {
        EXPECT_GT(QFileInfo(path).size(), 60) << path.toStdString();
    }
    for (const char* const arranged : {"window", "window-compare", "window-teach", "window-large-text"}) {
        const QImage window(request.folder + QLatin1Char('/') + QLatin1String(arranged) +
                            QStringLiteral(".png"));
        EXPECT_EQ(window.size(), request.size) << arranged;
    }
    Appearance().setTheme(ThemeChoice::system);
}

TEST(Capture, RefusesAScenarioThatDoesNotRun) {
    const QTemporaryDir folder;
    CaptureRequest request;
    request.folder = folder.path();
    request.project.variants.front().scenario.mesh = {7, 13};
    const auto captured = capture(request, [](const QString&) {});
    ASSERT_FALSE(captured);
    EXPECT_FALSE(captured.error().sentence.empty());
    Appearance().setTheme(ThemeChoice::system);
}

/// One page by the name of its file, without the view's others.
TEST(Capture, WritesOnePageOfAView) {
    const QTemporaryDir folder;
    CaptureRequest request;
    request.folder = folder.path();
    request.size = {800, 600};
    request.project.variants.front().scenario.mesh = {4, 4};
    request.views = {QStringLiteral("lab-pipeline")};
    const auto captured = capture(request, [](const QString&) {});
    ASSERT_TRUE(captured) << captured.error().sentence;
    const QStringList pictures = QDir(folder.path()).entryList({QStringLiteral("*.png")});
    EXPECT_EQ(pictures.join(QLatin1Char(' ')), QStringLiteral("lab-pipeline.png window.png"));
    request.views = {QStringLiteral("lab-nothing")};
    EXPECT_THAT(capture(request, [](const QString&) {}).error().sentence,
                testing::HasSubstr("There is no view \"lab-nothing\"; there are "));
    Appearance().setTheme(ThemeChoice::system);
}

/// A model is served on machines that no block runs on.
TEST(Capture, WritesAServedModelWhereNoBlockRuns) {
    const QTemporaryDir folder;
    CaptureRequest request;
    request.folder = folder.path();
    request.size = {800, 600};
    const auto& all = example_projects();
    request.project = std::ranges::find(all, ProjectTask::serving, [](const auto& one) {
                          return one.project.task;
                      })->project;
    request.views = {QStringLiteral("serving")};
    const auto captured = capture(request, [](const QString&) {});
    ASSERT_TRUE(captured) << captured.error().sentence;
    EXPECT_TRUE(QFileInfo::exists(folder.filePath(QStringLiteral("serving.png"))));
    Appearance().setTheme(ThemeChoice::system);
}

TEST(Capture, RefusesAFolderThatCannotBeMade) {
    CaptureRequest request;
    request.folder = QStringLiteral("/dev/null/pictures");
    const auto captured = capture(request, [](const QString&) {});
    ASSERT_FALSE(captured);
}

} // namespace
} // namespace meshslice::ui
