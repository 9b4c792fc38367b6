#include "ui/document/autosave.h"
#include "ui/document/document.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <algorithm>
#include <sys/stat.h>
#include <utility>

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
        EXPECT_TRUE(Autosave::leftBehind(folder.path()).work.empty());
    }
    const auto found = Autosave::leftBehind(folder.path()).work;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].project.scenario(), lost);
    EXPECT_TRUE(found[0].document.isEmpty());

    Document next;
    next.restore(found[0].project, {});
    EXPECT_EQ(next.scenario(), lost);
    EXPECT_TRUE(next.isModified());
    Autosave::discard(found[0]);
    EXPECT_TRUE(Autosave::leftBehind(folder.path()).work.empty());
}

/// A copy of unsaved work that names a model of somebody else's.
QByteArray copyWithAModelThatIsNotHere() {
    const QTemporaryDir folder;
    Document document;
    Autosave autosave(&document, folder.path());
    change(document, 64);
    autosave.saveNow();
    QFile copy(QDir(folder.path()).entryInfoList({QStringLiteral("unsaved-*.json")}).constFirst().filePath());
    if (!copy.open(QIODevice::ReadOnly)) {
        return {};
    }
    QByteArray bytes = copy.readAll();
    const QByteArray model = QByteArray::fromStdString(document.scenario().model.name);
    EXPECT_TRUE(bytes.contains(model)) << bytes.toStdString();
    return bytes.replace(model, "gpt-of-somebody");
}

/// Of a newer program, say. It is kept, reported once, and not in the way of others.
TEST(Autosave, KeepsCopiesThatItCannotRead) {
    const QTemporaryDir folder;
    const QByteArray newer = "{\"document\": \"\", \"scenario\": \"{\\\"version\\\": 99999}\"}";
    const QByteArray broken = "{\"scenario\": 3";
    for (const auto& [name, bytes] : {std::pair("unsaved-a.json", newer), std::pair("unsaved-b.json", broken),
                                      std::pair("unsaved-c.json", copyWithAModelThatIsNotHere())}) {
        QFile file(folder.filePath(QLatin1String(name)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }
    const LeftBehind left = Autosave::leftBehind(folder.path());
    EXPECT_TRUE(left.work.empty());
    ASSERT_EQ(left.unreadable.size(), 3u);
    for (const QString& sentence : left.unreadable) {
        EXPECT_TRUE(sentence.contains(QStringLiteral(".json.unreadable"))) << sentence.toStdString();
    }
    QFile kept(folder.filePath(QStringLiteral("unsaved-a.json.unreadable")));
    ASSERT_TRUE(kept.open(QIODevice::ReadOnly));
    EXPECT_EQ(kept.readAll(), newer);
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("unsaved-b.json.unreadable"))));
    EXPECT_TRUE(std::ranges::any_of(left.unreadable, [](const QString& sentence) {
        return sentence.contains(QStringLiteral("gpt-of-somebody"));
    }));
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("unsaved-c.json.unreadable"))));
    EXPECT_TRUE(Autosave::leftBehind(folder.path()).unreadable.empty()) << "once";
}

TEST(Autosave, TheCopyStandsNextToTheFile) {
    EXPECT_EQ(Autosave::nextTo(QStringLiteral("/plans/gpt3.meshslice.json")),
              QStringLiteral("/plans/gpt3.unsaved.meshslice.json"));
    EXPECT_EQ(Autosave::nextTo(QStringLiteral("/plans/gpt3.json")),
              QStringLiteral("/plans/gpt3.unsaved.meshslice.json"));
    EXPECT_EQ(Autosave::nextTo(QStringLiteral("/plans/gpt3")),
              QStringLiteral("/plans/gpt3.unsaved.meshslice.json"));
    const QTemporaryDir mine;
    const QTemporaryDir folder;
    const QString file = mine.filePath(QStringLiteral("mine.meshslice.json"));
    const QString copy = mine.filePath(QStringLiteral("mine.unsaved.meshslice.json"));
    Document document;
    {
        Autosave autosave(&document, folder.path());
        ASSERT_TRUE(document.save(file));
        change(document, 64);
        autosave.saveNow();
        EXPECT_TRUE(QFile::exists(copy));
        ASSERT_TRUE(document.save(file));
        EXPECT_FALSE(QFile::exists(copy)) << "what is saved needs no copy";
        change(document, 128);
        autosave.saveNow();
    }                // and the program ends
    Document opened; // it is a project as any other
    ASSERT_TRUE(opened.open(copy));
    EXPECT_EQ(opened.scenario().batch, 128);
    const auto found = Autosave::leftBehind(folder.path()).work;
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].document, QFileInfo(file).absoluteFilePath());
    EXPECT_EQ(found[0].project, document.project());
    Autosave::discard(found[0]);
    EXPECT_FALSE(QFile::exists(copy));
    EXPECT_TRUE(Autosave::leftBehind(folder.path()).work.empty());
}

/// Two sessions with one file, or a copy that nobody has opened yet: neither copy is lost.
TEST(Autosave, NoCopyIsWrittenOverAnother) {
    const QTemporaryDir mine;
    const QTemporaryDir folder;
    const QString file = mine.filePath(QStringLiteral("mine.json"));
    Document first;
    ASSERT_TRUE(first.save(file));
    Document second;
    ASSERT_TRUE(second.open(file));
    {
        Autosave one(&first, folder.path());
        Autosave other(&second, folder.path());
        change(first, 64);
        change(second, 256);
        one.saveNow();
        other.saveNow();
    }
    const auto found = Autosave::leftBehind(folder.path()).work;
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].project.scenario().batch + found[1].project.scenario().batch, 64 + 256);
    EXPECT_NE(found[0].copy.isEmpty(), found[1].copy.isEmpty()) << "the second one is in the data folder";
}

TEST(Autosave, ACopyThatSomebodyTookAwayIsNotAskedAbout) {
    const QTemporaryDir mine;
    const QTemporaryDir folder;
    Document document;
    ASSERT_TRUE(document.save(mine.filePath(QStringLiteral("mine.json"))));
    {
        Autosave autosave(&document, folder.path());
        change(document, 64);
        autosave.saveNow();
    }
    ASSERT_TRUE(QFile::remove(mine.filePath(QStringLiteral("mine.unsaved.meshslice.json"))));
    const LeftBehind left = Autosave::leftBehind(folder.path());
    EXPECT_TRUE(left.work.empty());
    EXPECT_TRUE(left.unreadable.empty());
    EXPECT_EQ(copies(folder.path()), 0);
}

/// A copy that became the document, by opening it or by saving onto it, and one that somebody else wrote into
/// since, are not copies any more: nobody deletes them.
TEST(Autosave, ACopyThatBecameAFileIsKept) {
    const QTemporaryDir folder, notes;
    const QString path = folder.filePath(QStringLiteral("a.meshslice.json"));
    const QString copy = Autosave::nextTo(path);
    Document document;
    Autosave autosave(&document, notes.path());
    ASSERT_TRUE(document.save(path));
    change(document, 64);
    autosave.saveNow();
    ASSERT_TRUE(QFile::exists(copy));
    ASSERT_TRUE(document.open(copy));
    EXPECT_TRUE(QFile::exists(copy)) << "it is the document now";
    EXPECT_EQ(document.scenario().batch, 64);

    ASSERT_TRUE(QFile::remove(copy));
    ASSERT_TRUE(document.open(path));
    change(document, 32);
    autosave.saveNow();
    ASSERT_TRUE(QFile::exists(copy));
    ASSERT_TRUE(document.save(copy));
    EXPECT_TRUE(QFile::exists(copy)) << "it was saved";

    ASSERT_TRUE(QFile::remove(copy));
    ASSERT_TRUE(document.open(path));
    change(document, 16);
    autosave.saveNow();
    Document other;
    ASSERT_TRUE(other.open(copy));
    change(other, 8);
    ASSERT_TRUE(other.save(copy));
    change(document, 4);
    autosave.saveNow();
    ASSERT_TRUE(document.save(path));
    ASSERT_TRUE(other.open(copy)) << "somebody works in it";
    EXPECT_EQ(other.scenario().batch, 8);
}

/// A copy on a disk that is not there now is offered when it is.
TEST(Autosave, ACopyOnADiskThatIsAwayIsNotForgotten) {
    const QTemporaryDir parent, notes;
    ASSERT_TRUE(QDir(parent.path()).mkdir(QStringLiteral("disk")));
    const QString path = parent.filePath(QStringLiteral("disk/a.meshslice.json"));
    {
        Document document;
        Autosave autosave(&document, notes.path());
        ASSERT_TRUE(document.save(path));
        change(document, 64);
        autosave.saveNow();
    }
    ASSERT_TRUE(QDir(parent.path()).rename(QStringLiteral("disk"), QStringLiteral("away")));
    EXPECT_TRUE(Autosave::leftBehind(notes.path()).work.empty());
    ASSERT_TRUE(QDir(parent.path()).rename(QStringLiteral("away"), QStringLiteral("disk")));
    EXPECT_EQ(Autosave::leftBehind(notes.path()).work.size(), 1u);
}

/// Their folder stays as it came.
TEST(Autosave, ThereIsNoCopyNextToAnExample) {
    const QTemporaryDir mine;
    const QTemporaryDir folder;
    const QString file = mine.filePath(QStringLiteral("gpt3-32x8.json"));
    ASSERT_TRUE(QFile::copy(QStringLiteral(MESHSLICE_SOURCE_DIR "/resources/examples/gpt3-32x8.json"), file));
    Document document;
    ASSERT_TRUE(document.open(file));
    Autosave autosave(&document, folder.path());
    change(document, 64);
    autosave.saveNow();
    EXPECT_EQ(copies(folder.path()), 1);
    EXPECT_EQ(QDir(mine.path()).entryList(QDir::Files).size(), 1);
}

/// Opened by a relative path, edited, lost, and recovered in another folder that has a file of that name.
TEST(Autosave, TheRecoveredDocumentIsTheOneThatWasOpened) {
    const QTemporaryDir first;
    const QTemporaryDir second;
    const QTemporaryDir copies_folder;
    const QString started_in = QDir::currentPath();
    const QString name = QStringLiteral("doc.json");
    {
        Document document;
        ASSERT_TRUE(document.save(first.filePath(name)));
        ASSERT_TRUE(document.save(second.filePath(name)));
    }
    ASSERT_TRUE(QDir::setCurrent(first.path()));
    {
        Document document;
        ASSERT_TRUE(document.open(name));
        Autosave autosave(&document, copies_folder.path());
        change(document, 64);
        autosave.saveNow();
    }
    ASSERT_TRUE(QDir::setCurrent(second.path()));
    const auto found = Autosave::leftBehind(copies_folder.path()).work;
    ASSERT_EQ(found.size(), 1u);
    Document next;
    next.restore(found[0].project, found[0].document);
    EXPECT_EQ(QFileInfo(next.path()).canonicalFilePath(),
              QFileInfo(first.filePath(name)).canonicalFilePath());
    ASSERT_TRUE(next.save(next.path()));
    QDir::setCurrent(started_in);
    Document untouched;
    ASSERT_TRUE(untouched.open(second.filePath(name)));
    EXPECT_EQ(untouched.scenario(), default_scenario());
}

/// The rights of a file as `chmod` counts them.
unsigned modeOf(const QString& path) {
    struct stat found {};
    return ::stat(QFile::encodeName(path).constData(), &found) == 0 ? found.st_mode & 0777U : 0;
}

TEST(Autosave, OnlyTheOwnerReadsACopy) {
    const QTemporaryDir folder;
    const QTemporaryDir data;
    Document document;
    Autosave autosave(&document, data.path());
    const QString path = folder.filePath(QStringLiteral("doc.json"));
    ASSERT_TRUE(document.save(path));
    change(document, 64);
    autosave.saveNow();
    EXPECT_EQ(modeOf(Autosave::nextTo(path)), 0600U);
    for (const QFileInfo& note :
         QDir(data.path()).entryInfoList({QStringLiteral("unsaved-*.json")}, QDir::Files)) {
        EXPECT_EQ(modeOf(note.filePath()), 0600U);
    }
}

/// In a shared folder somebody else may have planted the link; where it leads to is not there.
TEST(Autosave, FollowsNoLink) {
    const QTemporaryDir folder;
    const QTemporaryDir elsewhere;
    const QTemporaryDir data;
    Document document;
    Autosave autosave(&document, data.path());
    const QString path = folder.filePath(QStringLiteral("doc.json"));
    ASSERT_TRUE(document.save(path));
    const QString planted = elsewhere.filePath(QStringLiteral("planted.txt"));
    ASSERT_TRUE(QFile::link(planted, Autosave::nextTo(path)));
    change(document, 64);
    autosave.saveNow();
    EXPECT_FALSE(QFile::exists(planted));
    EXPECT_TRUE(QFileInfo(Autosave::nextTo(path)).isSymLink()) << "it is not ours to remove";
    EXPECT_EQ(copies(data.path()), 1) << "the copy is where only we write";
}

TEST(Autosave, SaysOnceThatNoCopyCanBeKept) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("file"));
    ASSERT_TRUE(QFile(file).open(QIODevice::WriteOnly));
    Document document;
    Autosave autosave(&document, file + QStringLiteral("/unsaved")); // a file is not a folder
    int said = 0;
    QObject::connect(&autosave, &Autosave::failed, [&](const QString&) { ++said; });
    change(document, 64);
    autosave.saveNow();
    change(document, 128);
    autosave.saveNow();
    EXPECT_EQ(said, 1);
}

} // namespace
} // namespace meshslice::ui
