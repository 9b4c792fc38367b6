// Copy as text and Paste from the clipboard.

#include "core/scenario/file/shared_text.h"
#include "tests/ui/support/own_settings.h"
#include "ui/commands/file_commands.h"
#include "ui/document/document.h"

#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class SharedTextOfTheWindow : public ::testing::Test {
  protected:
    /// The sentence of the box that is open; closes it.
    QString sentence() {
        for (auto* const box : window.findChildren<QMessageBox*>()) {
            if (box->isVisible()) {
                const QString found = box->text() + box->informativeText();
                box->close();
                return found;
            }
        }
        return {};
    }

    OwnSettings settings{QStringLiteral("shared_text_test")};
    Document document;
    QWidget window;
    FileCommands files{&document, &window};
    QClipboard* clipboard = QGuiApplication::clipboard();
};

TEST_F(SharedTextOfTheWindow, IsPastedAsItWasCopied) {
    Project project;
    project.variants.front().scenario.batch = 321;
    project.variants.push_back({"Other", default_scenario()});
    document.beginWith(project);
    files.copyAsText();
    EXPECT_TRUE(is_shared_text(clipboard->text().toStdString()));
    document.reset();
    QSignalSpy opened(&files, &FileCommands::opened);
    files.pasteText();
    EXPECT_EQ(opened.size(), 1);
    EXPECT_EQ(document.project(), project);
    EXPECT_TRUE(document.isModified()) << "no file holds it";
}

TEST_F(SharedTextOfTheWindow, SaysWhatIsWrongAndChangesNothing) {
    const Project before = document.project();
    clipboard->setText(QStringLiteral("hello"));
    files.pasteText();
    EXPECT_TRUE(sentence().contains(QStringLiteral("The clipboard has no scenario")));
    files.copyAsText();
    clipboard->setText(clipboard->text().chopped(3));
    files.pasteText();
    EXPECT_TRUE(sentence().contains(QStringLiteral("damaged or cut")));
    EXPECT_EQ(document.project(), before);
    EXPECT_FALSE(document.isModified());
}

} // namespace
} // namespace meshslice::ui
