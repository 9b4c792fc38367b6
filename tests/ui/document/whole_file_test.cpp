// A full disk loses nothing: the old file stays and the user hears of it.

#include "tests/ui/support/full_disk.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/commands/trace_file.h"
#include "ui/document/autosave.h"
#include "ui/document/document.h"
#include "ui/document/whole_file.h"
#include "ui/settings/appearance.h"
#include "ui/shell/pictures/capture.h"
#include "ui/view/picture_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <optional>

namespace meshslice::ui {
namespace {

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void changeBatch(Document& document, std::int64_t batch) {
    Scenario next = document.scenario();
    next.batch = batch;
    ASSERT_TRUE(document.edit(next, "batch"));
}

TEST(WholeFile, StaysAsItWasOnAFullDisk) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.txt"));
    ASSERT_TRUE(writeWhole(path, "old"));
    std::optional<Result<void>> written;
    {
        const FullDisk full;
        written = writeWhole(path, "new");
    }
    ASSERT_FALSE(*written);
    EXPECT_FALSE(written->error().sentence.empty());
    EXPECT_EQ(contents(path), "old");
    EXPECT_EQ(QDir(folder.path()).entryList(QDir::Files).size(), 1) << "no temporary file is left";
    ASSERT_TRUE(writeWhole(path, "new"));
    EXPECT_EQ(contents(path), "new");
}

/// What only its owner could read stays so.
TEST(WholeFile, KeepsTheRightsOfTheFile) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.txt"));
    ASSERT_TRUE(writeWhole(path, "old"));
    ASSERT_TRUE(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner));
    ASSERT_TRUE(writeWhole(path, "new"));
    EXPECT_EQ(QFile::permissions(path) & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
    ASSERT_TRUE(QFile::setPermissions(path, QFile::ReadOwner));
    EXPECT_FALSE(writeWhole(path, "newer")) << "it is write-protected";
    EXPECT_EQ(contents(path), "new");
}

TEST(WholeFile, ADocumentThatCannotBeSavedStaysModified) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("doc.json"));
    Document document;
    ASSERT_TRUE(document.save(path));
    const QByteArray before = contents(path);
    ASSERT_FALSE(before.isEmpty());
    changeBatch(document, 64);
    std::optional<Result<void>> saved;
    {
        const FullDisk full;
        saved = document.save(path);
    }
    ASSERT_FALSE(*saved);
    EXPECT_NE(saved->error().sentence.find("doc.json"), std::string::npos) << saved->error().sentence;
    EXPECT_TRUE(document.isModified());
    EXPECT_EQ(contents(path), before);
    ASSERT_TRUE(document.save(path));
    EXPECT_FALSE(document.isModified());
    EXPECT_NE(contents(path), before);
}

TEST(WholeFile, AnAutosaveIsTriedAgain) {
    const QTemporaryDir folder;
    {
        Document document;
        Autosave autosave(&document, folder.path());
        changeBatch(document, 64);
        {
            const FullDisk full;
            autosave.saveNow();
        }
        EXPECT_TRUE(QDir(folder.path()).entryList({QStringLiteral("*.json")}).isEmpty());
        autosave.saveNow();
    }
    ASSERT_EQ(Autosave::leftBehind(folder.path()).work.size(), 1u);
}

/// The last bytes of a picture, a table and a trace are refused, however many fit before them.
TEST(WholeFile, ExportsSayThatTheDiskIsFull) {
    const QTemporaryDir folder;
    HandMadeSession session(handMadeResults());
    BreakdownView view(&session);
    view.follow();
    for (const char* name : {"a.png", "a.svg", "a.pdf", "a.csv"}) {
        const QString path = folder.filePath(QLatin1String(name));
        const FullDisk full(40);
        const auto saved = savePicture(view, path, {400, 300}, Theme::light);
        EXPECT_FALSE(saved) << name;
        EXPECT_FALSE(QFile::exists(path)) << name;
    }
    const QString trace = folder.filePath(QStringLiteral("trace.json"));
    {
        const FullDisk full(40);
        EXPECT_FALSE(saveTrace(handMadeResults(), trace));
    }
    EXPECT_FALSE(QFile::exists(trace));
    EXPECT_TRUE(saveTrace(handMadeResults(), trace));
}

/// Neither the window's picture nor any other is left cut.
TEST(WholeFile, ACaptureLeavesNoCutPicture) {
    const QTemporaryDir folder;
    CaptureRequest request;
    request.folder = folder.path();
    request.size = {960, 600};
    request.project.variants.front().scenario.mesh = {4, 4};
    QStringList written;
    {
        const FullDisk full(40);
        const auto captured = capture(request, [&](const QString& path) { written << path; });
        ASSERT_FALSE(captured);
        EXPECT_NE(captured.error().sentence.find("window.png cannot be written"), std::string::npos)
            << captured.error().sentence;
    }
    EXPECT_TRUE(written.isEmpty());
    EXPECT_TRUE(QDir(folder.path()).isEmpty())
        << QDir(folder.path()).entryList().join(QLatin1Char(' ')).toStdString();
    Appearance().setTheme(ThemeChoice::system);
}

} // namespace
} // namespace meshslice::ui
