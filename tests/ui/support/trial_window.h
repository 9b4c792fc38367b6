#pragma once

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "ui/commands/dialogs/palette_dialog.h"
#include "ui/document/document.h"
#include "ui/editor/number_field.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/view/picture_area.h"
#include "ui/view/picture_column.h"
#include "ui/view/view.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QTabBar>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>

namespace meshslice::ui {

/// The real window, driven by clicks and keys, each of which counts, as users of a trial did. With
/// MESHSLICE_TEST_PICTURES=FOLDER the window is drawn there after each task.
class TrialTasksTest : public ::testing::Test {
  protected:
    TrialTasksTest() {
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
        settle();
    }
    ~TrialTasksTest() override { window.appearance()->setFontPercent(100); }

    void settle() {
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return !window.session()->isComputing() && window.session()->current() != nullptr; },
            10 * patience_ms));
        QApplication::processEvents();
    }
    void picture(const char* name) {
        const QString folder = qEnvironmentVariable("MESHSLICE_TEST_PICTURES");
        if (!folder.isEmpty()) {
            EXPECT_TRUE(QTest::qWaitFor([&] { return !window.session()->isExplaining(); }, patience_ms));
            EXPECT_TRUE(
                window.grab().save(QDir(folder).filePath(QLatin1String(name) + QLatin1String(".png"))));
        }
    }

    // Actions of a user, each one or two.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}, QWidget* at = nullptr) {
        ++actions;
        QTest::keyClick(at                            ? at
                        : QApplication::focusWidget() ? QApplication::focusWidget()
                                                      : &window,
                        key, modifiers);
        QApplication::processEvents();
    }
    template <class Widget>
    Widget* field(const char* name, QWidget* in = nullptr) {
        for (Widget* widget : (in ? in : &window)->findChildren<Widget*>()) {
            if (widget->accessibleName() == QLatin1String(name) && widget->isVisible()) {
                return widget;
            }
        }
        ADD_FAILURE() << "there is no field " << name;
        return nullptr;
    }
    /// A click into the field, and a text with Enter.
    void type(const char* name, const char* text) {
        auto* number = field<NumberField>(name);
        ASSERT_NE(number, nullptr);
        QTest::mouseDClick(number->findChild<QLineEdit*>(), Qt::LeftButton);
        number->selectAll();
        QTest::keyClicks(number, QLatin1String(text));
        QTest::keyClick(number, Qt::Key_Return);
        actions += 2;
        settle();
    }
    /// A click that opens the list, and one on a line of it.
    void choose(QComboBox* list, const QString& line) {
        ASSERT_NE(list, nullptr);
        const int at = std::max(list->findText(line), list->findData(line));
        ASSERT_GE(at, 0) << line.toStdString();
        list->showPopup();
        const QModelIndex item = list->model()->index(at, 0);
        list->view()->scrollTo(item);
        QTest::mouseClick(list->view()->viewport(), Qt::LeftButton, {},
                          list->view()->visualRect(item).center());
        QApplication::setActiveWindow(list->window()); // which the desktop does when a list is closed
        actions += 2;
        QApplication::processEvents();
    }
    /// The keys of a tab, and a click on one of its pages.
    void turnTo(Qt::Key tab, const QString& page) {
        press(tab, Qt::ControlModifier, &window);
        QTabBar* pages = window.pictures()->left()->pages();
        for (int k = 0; k < pages->count(); ++k) {
            if (pages->tabText(k) == page) {
                QTest::mouseClick(pages, Qt::LeftButton, Qt::NoModifier, pages->tabRect(k).center());
            }
        }
        ++actions;
        QApplication::processEvents();
    }
    /// Keys that open the palette, a few letters, and Enter.
    void command(const char* typed) {
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QApplication::processEvents();
        PaletteDialog* dialog = window.commandPalette()->dialog();
        ASSERT_NE(dialog, nullptr);
        QTest::keyClicks(dialog->line(), QLatin1String(typed));
        QTest::keyClick(dialog->line(), Qt::Key_Return);
        actions += 3;
        QTest::qWait(0);
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::setActiveWindow(&window); // which the desktop does when a dialog is closed
        QApplication::processEvents();
    }
    template <class Kind>
    Kind* view(const char* id) {
        for (View* one : window.views()) {
            if (one->id() == QLatin1String(id)) {
                return qobject_cast<Kind*>(one);
            }
        }
        return nullptr;
    }
    [[nodiscard]] const Scenario& scenario() { return window.document()->scenario(); }

    OwnSettings settings{QStringLiteral("trial_tasks_test")};
    MainWindow window{Memory::forget};
    int actions = 0;
};

} // namespace meshslice::ui
