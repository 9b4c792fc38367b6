#include "ui/document/document.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

Scenario withBatch(const Document& document, std::int64_t batch) {
    Scenario next = document.scenario();
    next.batch = batch;
    return next;
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    ASSERT_EQ(file.write(bytes), bytes.size());
}

TEST(Document, StartsWithTheDefaultScenarioUnmodified) {
    Document document;
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_FALSE(document.isModified());
    EXPECT_TRUE(document.path().isEmpty());
}

TEST(Document, TypingInOneFieldIsOneUndoStep) {
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 4), "batch"));
    ASSERT_TRUE(document.edit(withBatch(document, 40), "batch"));
    ASSERT_TRUE(document.edit(withBatch(document, 409), "batch"));
    EXPECT_EQ(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario(), default_scenario());
    document.undoStack()->redo();
    EXPECT_EQ(document.scenario().batch, 409);
}

TEST(Document, AnEditAfterLeavingTheFieldIsAStepOfItsOwn) {
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 4), "batch"));
    document.endEdit();
    ASSERT_TRUE(document.edit(withBatch(document, 40), "batch"));
    EXPECT_EQ(document.undoStack()->count(), 2);
}

TEST(Document, TypingBackToTheOldValueLeavesNoStep) {
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 4), "batch"));
    ASSERT_TRUE(document.edit(default_scenario(), "batch"));
    EXPECT_EQ(document.undoStack()->count(), 0);
    EXPECT_FALSE(document.isModified());
}

/// A mark is an undo step, asks for no run, and is kept in the file.
TEST(Document, KeepsMarks) {
    Document document;
    const QSignalSpy scenario(&document, &Document::scenarioChanged);
    const QSignalSpy project(&document, &Document::projectChanged);
    ASSERT_TRUE(document.setMarks({{"second", Time(9)}, {"first", Time(5)}}));
    EXPECT_EQ(document.project().marks, (std::vector<TimeMark>{{"first", Time(5)}, {"second", Time(9)}}));
    EXPECT_EQ(scenario.count(), 0);
    EXPECT_EQ(project.count(), 1);
    EXPECT_TRUE(document.isModified());
    EXPECT_FALSE(document.setMarks({{"", Time(5)}}));
    EXPECT_EQ(document.undoStack()->count(), 1);
    const QTemporaryDir folder;
    ASSERT_TRUE(document.save(folder.filePath(QStringLiteral("marks.json"))));
    document.undoStack()->undo();
    EXPECT_TRUE(document.project().marks.empty());
    ASSERT_TRUE(document.open(folder.filePath(QStringLiteral("marks.json"))));
    EXPECT_EQ(document.project().marks.size(), 2U);
}

TEST(Document, UndoAndRedoAreInverse) {
    Document document;
    for (std::int64_t batch = 1; batch <= 20; ++batch) {
        ASSERT_TRUE(document.edit(withBatch(document, batch), "batch"));
        document.endEdit();
    }
    const Scenario last = document.scenario();
    while (document.undoStack()->canUndo()) {
        document.undoStack()->undo();
    }
    EXPECT_EQ(document.scenario(), default_scenario());
    while (document.undoStack()->canRedo()) {
        document.undoStack()->redo();
    }
    EXPECT_EQ(document.scenario(), last);
}

TEST(Document, ARefusedEditChangesNothingAndSaysWhy) {
    Document document;
    QSignalSpy refused(&document, &Document::refused);
    QSignalSpy changed(&document, &Document::scenarioChanged);
    const auto edit = document.edit(withBatch(document, 0), "batch");
    ASSERT_FALSE(edit);
    EXPECT_FALSE(edit.error().sentence.empty());
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_EQ(document.undoStack()->count(), 0);
    EXPECT_EQ(changed.count(), 0);
    ASSERT_EQ(refused.count(), 1);
    EXPECT_EQ(refused[0][1].toString().toStdString(), edit.error().sentence);
}

TEST(Document, SavedAndOpenedAgainIsTheSameScenario) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("scenario.json"));
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 64), "batch"));
    ASSERT_TRUE(document.isModified());
    ASSERT_TRUE(document.save(path));
    EXPECT_FALSE(document.isModified());
    EXPECT_EQ(document.path(), path);

    Document other;
    ASSERT_TRUE(other.open(path));
    EXPECT_EQ(other.scenario(), document.scenario());
    EXPECT_FALSE(other.isModified());
    EXPECT_EQ(other.undoStack()->count(), 0);
}

TEST(Document, UndoPastTheSavedStateIsModified) {
    const QTemporaryDir folder;
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 64), "batch"));
    ASSERT_TRUE(document.save(folder.filePath(QStringLiteral("a.json"))));
    document.undoStack()->undo();
    EXPECT_TRUE(document.isModified());
    document.undoStack()->redo();
    EXPECT_FALSE(document.isModified());
}

TEST(Document, AFileThatCannotBeReadLeavesTheDocumentAsItWas) {
    const QTemporaryDir folder;
    const QString bad = folder.filePath(QStringLiteral("bad.json"));
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 64), "batch"));
    const Scenario before = document.scenario();
    const QByteArray wrong_files[] = {
        "", "{", "[]", "{\"version\": 999}", "<html></html>", QByteArray(100'000, '[')};
    for (const QByteArray& bytes : wrong_files) {
        write(bad, bytes);
        const auto opened = document.open(bad);
        ASSERT_FALSE(opened) << bytes.left(20).constData();
        EXPECT_FALSE(opened.error().sentence.empty());
        EXPECT_EQ(document.scenario(), before);
        EXPECT_TRUE(document.path().isEmpty());
        EXPECT_TRUE(document.isModified());
        EXPECT_EQ(document.undoStack()->count(), 1);
    }
    EXPECT_FALSE(document.open(folder.filePath(QStringLiteral("missing.json"))));
    EXPECT_FALSE(document.open(folder.path()));
}

TEST(Document, SavingWhereItCannotBeWrittenKeepsTheWorkUnsaved) {
    const QTemporaryDir folder;
    Document document;
    ASSERT_TRUE(document.edit(withBatch(document, 64), "batch"));
    ASSERT_FALSE(document.save(folder.filePath(QStringLiteral("no/such/folder/a.json"))));
    EXPECT_TRUE(document.isModified());
    EXPECT_TRUE(document.path().isEmpty());
}

TEST(Document, NoticesThatAnotherProgramHasWrittenTheFile) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    Document document;
    ASSERT_TRUE(document.save(path));
    EXPECT_FALSE(document.changedOnDisk());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    ASSERT_TRUE(
        file.setFileTime(QDateTime::currentDateTime().addSecs(60), QFileDevice::FileModificationTime));
    file.close();
    EXPECT_TRUE(document.changedOnDisk());
}

} // namespace
} // namespace meshslice::ui
