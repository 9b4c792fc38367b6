#include "ui/document/autosave.h"
#include "ui/document/document.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

void change(Document& document, std::int64_t batch) {
    Scenario next = document.scenario();
    next.batch = batch;
    ASSERT_TRUE(document.edit(next, "batch"));
    document.endEdit();
}

qsizetype copies(const QString& folder) {
    return QDir(folder).entryList({QStringLiteral("unsaved-*.json")}, QDir::Files).size();
}

TEST(Autosave, CopiesOnlyUnsavedWork) {
    const QTemporaryDir folder;
    Document document;
    Autosave autosave(&document, folder.path());
    autosave.saveNow();
    EXPECT_EQ(copies(folder.path()), 0);
    change(document, 64);
    autosave.saveNow();
    EXPECT_EQ(copies(folder.path()), 1);
    ASSERT_TRUE(document.save(folder.filePath(QStringLiteral("saved.json"))));
    EXPECT_EQ(copies(folder.path()), 0);
}

TEST(Autosave, OffersTheWorkOfASessionThatEndedUncleanly) {
    const QTemporaryDir folder;
    Scenario lost;
    {
        Document document;
        Autosave autosave(&document, folder.path());
        change(document, 64);
        autosave.saveNow();
        lost = document.scenario();
        // A session that still runs keeps its copy for itself.
        EXPECT_TRUE(Autosave::lostWork(folder.path()).empty());
    }
    const auto found = Autosave::lostWork(folder.path());
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].scenario, lost);
    EXPECT_TRUE(found[0].document.isEmpty());

    Document next;
    next.restore(found[0].scenario, {});
    EXPECT_EQ(next.scenario(), lost);
    EXPECT_TRUE(next.isModified());
    Autosave::discard(found[0]);
    EXPECT_TRUE(Autosave::lostWork(folder.path()).empty());
}

TEST(Autosave, PassesOverCopiesThatNobodyCanRead) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("unsaved-x.json")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"scenario\": 3");
    file.close();
    EXPECT_TRUE(Autosave::lostWork(folder.path()).empty());
}

} // namespace
} // namespace meshslice::ui
