// Four variants to a file and back, through the keys and dialogs of the real window.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/editor/number_field.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/variants/variant_card.h"

#include <QApplication>
#include <QFileDialog>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <gtest/gtest.h>

#include <functional>

namespace meshslice::ui {
namespace {

class ProjectFileTest : public ::testing::Test {
  protected:
    ProjectFileTest() {
        window.document()->beginWith(project_of(smallScenario()));
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    }
    /// Presses the keys of a menu's action; goes to the folder in the file dialog that they open, and types a
    /// name there, then Enter.
    void typeIntoDialog(Qt::Key key, Qt::KeyboardModifiers modifiers, const QString& name) {
        bool answered = false;
        QTimer::singleShot(0, &window, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            auto* line = dialog->findChild<QLineEdit*>();
            dialog->setDirectory(folder.path());
            line->selectAll();
            QTest::keyClicks(line, name);
            QTest::keyClick(line, Qt::Key_Return);
            answered = !dialog->isVisible();
            if (!answered) {
                dialog->reject();
            }
        });
        QTest::keyClick(&window, key, modifiers);
        EXPECT_TRUE(answered) << name.toStdString();
        QApplication::setActiveWindow(&window); // which the desktop does when a dialog is closed
    }
    void typeBatch(const char* batch) {
        auto* field = window.findChild<NumberField*>();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QString::fromLatin1(batch));
        QTest::keyClick(field, Qt::Key_Return);
    }

    OwnSettings settings{QStringLiteral("project_file_test")};
    QTemporaryDir folder;
    MainWindow window{Memory::forget};
};

TEST_F(ProjectFileTest, FourVariantsAreSavedAndOpened) {
    for (const char* batch : {"64", "128", "512"}) {
        QTest::keyClick(&window, Qt::Key_D, Qt::ControlModifier);
        typeBatch(batch);
    }
    const Project four = window.document()->project();
    ASSERT_EQ(four.variants.size(), 4u);
    EXPECT_EQ(four.variants[2].scenario.batch, 128);
    typeIntoDialog(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier, QStringLiteral("four"));
    const QString file = folder.filePath(QStringLiteral("four.meshslice.json"));
    EXPECT_EQ(window.document()->path().toStdString(), file.toStdString()) << "the ending is added";
    EXPECT_FALSE(window.isWindowModified());

    QTest::keyClick(&window, Qt::Key_N, Qt::ControlModifier);
    ASSERT_EQ(window.document()->project().variants.size(), 1u);
    typeIntoDialog(Qt::Key_O, Qt::ControlModifier, QStringLiteral("four.meshslice.json"));
    EXPECT_EQ(window.document()->project(), four);
    EXPECT_EQ(window.document()->path().toStdString(), file.toStdString());
    EXPECT_TRUE(window.windowTitle().startsWith(QStringLiteral("four.meshslice.json")));
    const auto cards = [this] {
        qsizetype seen = 0;
        for (const QWidget* card : window.findChildren<VariantCard*>()) {
            seen += card->isVisible() ? 1 : 0;
        }
        return seen;
    };
    EXPECT_TRUE(QTest::qWaitFor([&] { return cards() == 4; }, patience_ms));
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
}

/// Nothing is lost where the dialog is left, or where the file is none.
TEST_F(ProjectFileTest, WhatIsThereStaysWhenTheDialogIsLeft) {
    typeBatch("64");
    window.document()->undoStack()->setClean();
    const Project before = window.document()->project();
    bool seen = false;
    QTimer::singleShot(0, &window, [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        seen = dialog != nullptr && dialog->acceptMode() == QFileDialog::AcceptOpen;
        QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape);
    });
    QTest::keyClick(&window, Qt::Key_O, Qt::ControlModifier);
    EXPECT_TRUE(seen);
    EXPECT_EQ(window.document()->project(), before);
}

} // namespace
} // namespace meshslice::ui
