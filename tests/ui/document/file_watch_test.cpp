#include "tests/ui/support/patience.h"
#include "ui/calibration/calibration_view.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"
#include "ui/document/file_watch.h"
#include "ui/measured/measured_view.h"
#include "ui/shell/main_window.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

std::string fileOf(std::int64_t batch) {
    Scenario scenario = default_scenario();
    scenario.batch = batch;
    return write_scenario(scenario);
}

void writeFile(const QString& path, const std::string& text) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text.data(), static_cast<qint64>(text.size()));
    file.close();
    // A clock may stand still between two writes: the time is another one in any case.
    QFile again(path);
    ASSERT_TRUE(again.open(QIODevice::ReadWrite));
    static int hours = 0;
    again.setFileTime(QDateTime::currentDateTime().addSecs(3600 * ++hours),
                      QFileDevice::FileModificationTime);
}

TEST(FileWatch, NoticesWritesAndReplacements) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    writeFile(path, fileOf(64));
    Document document;
    const FileWatch watch(&document);
    QSignalSpy changed(&watch, &FileWatch::changedOutside);
    ASSERT_TRUE(document.open(path));
    writeFile(path, fileOf(32));
    ASSERT_TRUE(QTest::qWaitFor([&] { return changed.size() >= 1; }, patience_ms));
    changed.clear();
    writeFile(path, fileOf(32)); // again, and nobody has read the first
    ASSERT_TRUE(QTest::qWaitFor([&] { return changed.size() >= 1; }, patience_ms));
    ASSERT_TRUE(document.open(path));
    changed.clear();
    EXPECT_EQ(document.scenario().batch, 32);
    const QString other = folder.filePath(QStringLiteral("b.json"));
    writeFile(other, fileOf(16));
    QFile::remove(path);
    ASSERT_TRUE(QFile::rename(other, path));
    ASSERT_TRUE(QTest::qWaitFor([&] { return changed.size() >= 1; }, patience_ms));
}

TEST(FileWatch, OwnSavesAreNoChange) {
    const QTemporaryDir folder;
    Document document;
    const FileWatch watch(&document);
    QSignalSpy changed(&watch, &FileWatch::changedOutside);
    ASSERT_TRUE(document.save(folder.filePath(QStringLiteral("a.json"))));
    ASSERT_TRUE(document.duplicate(0));
    ASSERT_TRUE(document.save(document.path()));
    QApplication::processEvents();
    EXPECT_EQ(changed.size(), 0);
}

TEST(FileWatch, TheWindowAsksOnceAndReadsAgain) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    writeFile(path, fileOf(64));
    MainWindow window{Memory::forget};
    window.show();
    ASSERT_TRUE(window.files()->openPath(path));
    writeFile(path, fileOf(32));
    const auto boxes = [&] { return window.findChildren<QMessageBox*>(); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return boxes().size() == 1; }, patience_ms));
    window.files()->askToReload();
    ASSERT_EQ(boxes().size(), 1);
    for (QAbstractButton* button : boxes().front()->buttons()) {
        if (button->text().contains(QStringLiteral("again"))) {
            QTest::mouseClick(button, Qt::LeftButton);
        }
    }
    EXPECT_EQ(window.document()->scenario().batch, 32);
}

TEST(DroppedFile, IsOpened) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    writeFile(path, fileOf(64));
    MainWindow window{Memory::forget};
    window.show();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &drop);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.document()->scenario().batch == 64; }, patience_ms));
}

/// Traces and logs go to the view that shows them, and leave the document as it is.
TEST(DroppedFile, MayBeMeasured) {
    const auto drop_on = [](MainWindow& window, const char* file) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/fuzz/seeds/") +
                                          QLatin1String(file))});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &enter);
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
        QApplication::sendEvent(&window, &drop);
    };
    MainWindow window{Memory::forget};
    window.show();
    const Scenario before = window.document()->scenario();
    auto* const measured = window.findChild<MeasuredView*>();
    auto* const fit = window.findChild<CalibrationView*>();
    drop_on(window, "evidence/megatron.log");
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return measured->isVisible() && (measured->logJob()->isBusy() || measured->logged()); },
        patience_ms));
    measured->giveUp(); // plans of this scenario take long
    drop_on(window, "measurements/nccl-tests.txt");
    EXPECT_TRUE(QTest::qWaitFor([&] { return fit->isVisible() && !fit->job()->isBusy(); }, patience_ms));
    EXPECT_TRUE(window.document()->scenario() == before);
}

/// What the next test starts and kills: saves two projects in turn as fast as it can.
TEST(SaveLoop, DISABLED_SavesUntilItIsKilled) {
    const QString path = qEnvironmentVariable("MESHSLICE_SAVE_LOOP");
    ASSERT_FALSE(path.isEmpty());
    Document small;
    Document large;
    for (int k = 0; k < 20; ++k) {
        ASSERT_TRUE(large.duplicate(0));
    }
    for (;;) {
        ASSERT_TRUE(small.save(path));
        ASSERT_TRUE(large.save(path));
    }
}

/// Killed at any moment, a save leaves the old file or the new one, never a part of one. Each time takes a
/// tenth of a second: MESHSLICE_SAVE_KILLS says how often, as CI does.
TEST(SaveLoop, LeavesAWholeFileWheneverItIsKilled) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.meshslice.json"));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("MESHSLICE_SAVE_LOOP"), path);
    for (const char* sharding : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX", "GTEST_SHARD_STATUS_FILE"}) {
        environment.remove(QLatin1String(sharding)); // the other program runs this one test
    }
    bool said = false;
    const int asked = qEnvironmentVariableIntValue("MESHSLICE_SAVE_KILLS", &said);
    for (int round = 0; round < (said ? asked : 10); ++round) {
        QFile::remove(path);
        QProcess saver;
        saver.setProcessEnvironment(environment);
        saver.start(QCoreApplication::applicationFilePath(),
                    {QStringLiteral("--gtest_filter=SaveLoop.DISABLED_SavesUntilItIsKilled"),
                     QStringLiteral("--gtest_also_run_disabled_tests")});
        ASSERT_TRUE(saver.waitForStarted(patience_ms));
        ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path); }, patience_ms));
        QTest::qSleep(round % 20); // somewhere in the loop
        saver.kill();
        ASSERT_TRUE(saver.waitForFinished(patience_ms));
        Document read;
        const Result<void> opened = read.open(path);
        ASSERT_TRUE(opened) << opened.error().sentence;
        EXPECT_TRUE(read.project().variants.size() == 1 || read.project().variants.size() == 21);
    }
}

} // namespace
} // namespace meshslice::ui
