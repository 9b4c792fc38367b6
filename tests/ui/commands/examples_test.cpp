#include "tests/ui/support/own_settings.h"
#include "ui/commands/examples.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(ExamplesOfTheWindow, AreAllThatTheProgramHas) {
    const QDir folder(QStringLiteral(MESHSLICE_SOURCE_DIR "/resources/examples"));
    EXPECT_EQ(examples().size(),
              static_cast<std::size_t>(folder.entryList({QStringLiteral("*.json")}).size()));
    QStringList titles;
    for (const Example& example : examples()) {
        titles << example.title;
    }
    EXPECT_EQ(titles.filter(QStringLiteral("GPT-3 175B, 32 × 8, ")).size(), 1)
        << titles.join(QLatin1Char('|')).toStdString();
    EXPECT_EQ(titles.filter(QStringLiteral("One GEMM of 32768 × 8192 × 8192, 4 × 4")).size(), 1);
    EXPECT_EQ(titles.removeDuplicates(), 0);
}

class ExamplesMenu : public ::testing::Test {
  protected:
    ExamplesMenu() { files.fillExamples(&menu); }

    OwnSettings settings{QStringLiteral("examples_test")};
    Document document;
    QWidget window;
    FileCommands files{&document, &window};
    QMenu menu;
};

/// One click: the scenario is there, and there is nothing to save.
TEST_F(ExamplesMenu, OpensThem) {
    ASSERT_EQ(static_cast<std::size_t>(menu.actions().size()), examples().size());
    for (qsizetype k = 0; k < menu.actions().size(); ++k) {
        menu.actions()[k]->trigger();
        EXPECT_EQ(document.project(), examples()[static_cast<std::size_t>(k)].project);
        EXPECT_FALSE(document.isModified());
        EXPECT_TRUE(document.path().isEmpty());
    }
}

/// There is no file that saving could write over: where to put it is asked.
TEST_F(ExamplesMenu, OpensThemUntitledAndSaveAsksWhere) {
    menu.actions().front()->trigger();
    EXPECT_EQ(document.name(), QStringLiteral("Untitled"));
    bool asked = false;
    QTimer::singleShot(0, &window, [&] {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* dialog = qobject_cast<QFileDialog*>(widget)) {
                asked = dialog->acceptMode() == QFileDialog::AcceptSave;
                dialog->reject();
            }
        }
    });
    EXPECT_FALSE(files.save());
    EXPECT_TRUE(asked);
}

/// An example's file, opened as any file, is a template: Ctrl+S asks where to, away from the examples. Once
/// it is somebody's own it is saved as any other.
TEST_F(ExamplesMenu, AnExamplesFileIsNotWrittenOver) {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("sliced.meshslice.json"));
    ASSERT_TRUE(
        QFile::copy(QStringLiteral(MESHSLICE_SOURCE_DIR "/resources/examples/sliced.meshslice.json"), file));
    ASSERT_TRUE(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
    ASSERT_TRUE(files.openPath(file));
    EXPECT_TRUE(document.isExample());
    Scenario next = document.scenario();
    next.batch *= 2;
    ASSERT_TRUE(document.edit(next, "batch"));
    EXPECT_NE(QFileInfo(files.proposedPath()).absolutePath(), QFileInfo(file).absolutePath());
    EXPECT_EQ(QFileInfo(files.proposedPath()).fileName(), QStringLiteral("sliced.meshslice.json"));
    const QTemporaryDir mine;
    const QString own = mine.filePath(QStringLiteral("mine.meshslice.json"));
    QTimer::singleShot(0, &window, [&] {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            if (auto* dialog = qobject_cast<QFileDialog*>(widget)) {
                dialog->findChild<QLineEdit*>()->setText(own);
                QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
            }
        }
    });
    EXPECT_TRUE(files.save());
    EXPECT_EQ(document.path(), own);
    EXPECT_FALSE(document.isExample());
    Document untouched;
    ASSERT_TRUE(untouched.open(file));
    EXPECT_TRUE(untouched.isExample());
    next.batch *= 2;
    ASSERT_TRUE(document.edit(next, "batch"));
    EXPECT_TRUE(files.save()) << "nothing is asked";
    EXPECT_FALSE(document.isModified());
}

TEST(FirstSave, ProposesANameThatSaysWhatItIs) {
    Scenario scenario = default_scenario();
    EXPECT_EQ(proposedFileName(project_of(scenario)), QStringLiteral("gpt3-175b-32x8-meshslice.json"));
    scenario.gemm = SingleGemm{{64, 48, 32}, Dataflow::OS};
    scenario.mesh = {4, 2};
    scenario.plan.algorithm = "wang";
    EXPECT_EQ(proposedFileName(project_of(scenario)), QStringLiteral("gemm-64x48x32-4x2-wang.json"));
    Project two = project_of(scenario);
    two.variants.push_back({"Variant 2", default_scenario()});
    EXPECT_EQ(proposedFileName(two), QStringLiteral("gemm-64x48x32-4x2-wang.meshslice.json"));
    scenario.gemm.reset();
    scenario.model.name = "../my model/7 B";
    EXPECT_EQ(proposedFileName(project_of(scenario)), QStringLiteral("..-my-model-7-B-4x2-wang.json"));
}

/// A dialog takes a folder that is not there for the name of a file.
TEST(FirstSave, ProposesAFolderThatIsThere) {
    Document document;
    QWidget window;
    const FileCommands files(&document, &window);
    EXPECT_TRUE(QFileInfo(files.proposedPath()).absoluteDir().exists());
    EXPECT_EQ(QFileInfo(files.proposedPath()).fileName(), QStringLiteral("gpt3-175b-32x8-meshslice.json"));
}

} // namespace
} // namespace meshslice::ui
