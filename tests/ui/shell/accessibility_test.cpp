// Without a mouse and without looking: every control has a name, and every one can be reached with keys.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/lessons/lesson_course.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/shell/pictures/projector.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/views.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QTabBar>
#include <QTest>
#include <QTextEdit>
#include <QTimer>
#include <gtest/gtest.h>

#include <set>

namespace meshslice::ui {
namespace {

/// Something that a user sets, presses or reads row by row, and not a part of another one.
bool isControl(const QWidget* widget) {
    const bool part = qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QLineEdit*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QAbstractItemView*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QTabBar*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QDockWidget*>(widget->parentWidget()) != nullptr ||
                      qobject_cast<const QHeaderView*>(widget) != nullptr ||
                      qobject_cast<const QScrollBar*>(widget) != nullptr ||
                      widget->window()->windowType() == Qt::Popup ||
                      widget->objectName().startsWith(QStringLiteral("qt_"));
    return !part && (qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                     qobject_cast<const QLineEdit*>(widget) != nullptr ||
                     qobject_cast<const QComboBox*>(widget) != nullptr ||
                     qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
                     qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
                     qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
                     qobject_cast<const QTextEdit*>(widget) != nullptr ||
                     qobject_cast<const View*>(widget) != nullptr);
}

QString nameOf(QWidget* widget) {
    const QAccessibleInterface* const face = QAccessible::queryAccessibleInterface(widget);
    return face == nullptr ? QString() : face->text(QAccessible::Name);
}

/// "QToolButton in QWidget in StudiesView": where to look for it.
std::string whereIs(const QWidget* widget) {
    std::string at;
    for (const QWidget* one = widget; one != nullptr && at.size() < 200; one = one->parentWidget()) {
        at += (at.empty() ? "" : " in ") + std::string(one->metaObject()->className()) +
              (one->objectName().isEmpty() ? "" : " \"" + one->objectName().toStdString() + "\"");
    }
    return at;
}

/// The controls below a widget that have no name.
std::set<std::string> nameless(QWidget* root) {
    std::set<std::string> found;
    for (QWidget* one : root->findChildren<QWidget*>()) {
        if (isControl(one) && nameOf(one).trimmed().isEmpty()) {
            found.insert(whereIs(one));
        }
    }
    return found;
}

class AccessibilityTest : public ::testing::Test {
  protected:
    AccessibilityTest() {
        (void)window.document()->edit(smallScenario(), "mesh");
        window.resize(1280, 800);
        window.show();
        window.activateWindow();
        settle();
    }
    static void settle() {
        for (int k = 0; k < 6; ++k) {
            QApplication::processEvents();
        }
    }
    static QList<QAction*> leaves(QMenu* menu) {
        QList<QAction*> all;
        for (QAction* action : menu->actions()) {
            all += action->menu() != nullptr ? leaves(action->menu()) : QList<QAction*>{action};
        }
        return all;
    }

    const OwnSettings settings{QStringLiteral("accessibility")};
    MainWindow window{Memory::forget};
};

/// The test can fail: a button without words has no name.
TEST_F(AccessibilityTest, FindsWhatHasNoName) {
    QWidget root;
    auto* button = new QPushButton(&root);
    EXPECT_EQ(nameless(&root).size(), 1u);
    button->setAccessibleName(QStringLiteral("Play"));
    EXPECT_TRUE(nameless(&root).empty());
}

TEST_F(AccessibilityTest, EveryControlOfTheWindowHasAName) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    std::set<std::string> all = nameless(&window);
    window.lessons()->begin(lesson("slicing"));
    window.findChild<Projector*>()->setOn(true);
    settle();
    all.merge(nameless(&window));
    window.findChild<Projector*>()->setOn(false);
    window.lessons()->course()->leave();
    for (const std::string& one : all) {
        ADD_FAILURE() << "no name: " << one;
    }
}

/// Every dialog that a menu opens.
TEST_F(AccessibilityTest, EveryControlOfTheDialogsHasAName) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    std::set<std::string> all;
    int dialogs = 0;
    for (QAction* menu : window.menuBar()->actions()) {
        for (QAction* action : leaves(menu->menu())) {
            // Asks with dots; those of the desktop that wait for a file are not ours.
            const QString text = action->text().remove(QLatin1Char('&'));
            const bool of_desktop = text.startsWith(QStringLiteral("Open")) ||
                                    text.startsWith(QStringLiteral("Save")) ||
                                    text.startsWith(QStringLiteral("About"));
            const bool opens =
                text.endsWith(QStringLiteral("…")) || menu->text().contains(QStringLiteral("Help"));
            if (!opens || of_desktop || !action->isEnabled()) {
                continue;
            }
            const auto look = [&] {
                for (QWidget* top : QApplication::topLevelWidgets()) {
                    auto* const dialog = qobject_cast<QDialog*>(top);
                    if (dialog != nullptr && dialog->isVisible()) {
                        ++dialogs;
                        for (const std::string& one : nameless(dialog)) {
                            all.insert(text.toStdString() + ": " + one);
                        }
                        dialog->close();
                    }
                }
            };
            QTimer waiting; // some hold up what opened them
            QObject::connect(&waiting, &QTimer::timeout, &waiting, look);
            waiting.start(20);
            action->trigger();
            settle();
            look();
            waiting.stop();
            QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            settle();
        }
    }
    EXPECT_GE(dialogs, 6);
    for (const std::string& one : all) {
        ADD_FAILURE() << "no name: " << one;
    }
}

/// What is seen and can be used has the keyboard sooner or later, when Tab is pressed again and again; and
/// what has it is seen.
TEST_F(AccessibilityTest, TabReachesEveryControlOfEveryView) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    for (View* view : window.views()) {
        window.pictures()->show(view);
        view->setFocus();
        settle();
        std::set<QWidget*> reached;
        std::string last;
        for (int k = 0; k < 400; ++k) {
            QWidget* const now = QApplication::focusWidget();
            if (now == nullptr) {
                break;
            }
            reached.insert(now);
            last = whereIs(now);
            for (int links = 0; links < 40 && QApplication::focusWidget() == now; ++links) {
                QTest::keyClick(now, Qt::Key_Tab); // a page with links goes through these first
            }
            if (QApplication::focusWidget() == now) {
                ADD_FAILURE() << "Tab does not leave " << last;
                break;
            }
        }
        for (QWidget* one : view->findChildren<QWidget*>()) {
            if (!isControl(one) || !one->isVisible() || !one->isEnabled() ||
                one->focusPolicy() == Qt::ClickFocus) { // another way leads there, which its tip says
                continue;
            }
            const auto has = [&](QWidget* widget) { return reached.contains(widget); };
            const QList<QWidget*> parts = one->findChildren<QWidget*>();
            EXPECT_TRUE(has(one) || (one->focusProxy() != nullptr && has(one->focusProxy())) ||
                        std::ranges::any_of(parts, has))
                << view->id().toStdString() << ": " << whereIs(one) << "\nlast: " << last << ", "
                << reached.size();
        }
    }
}

/// All that a menu does has a key of its own or is reached by letters: each menu and each entry has a
/// mnemonic or can be walked to, and the views, the projector, the lessons and the palette have shortcuts.
TEST_F(AccessibilityTest, EveryTaskHasAWayByKeys) {
    for (const QAction* menu : window.menuBar()->actions()) {
        EXPECT_TRUE(menu->text().contains(QLatin1Char('&'))) << menu->text().toStdString();
    }
    std::set<QString> keys;
    for (const QAction* menu : window.menuBar()->actions()) {
        for (const QAction* action : leaves(menu->menu())) {
            for (const QKeySequence& key : action->shortcuts()) {
                const QString text = key.toString(QKeySequence::PortableText);
                EXPECT_TRUE(keys.insert(text).second) << "two actions have " << text.toStdString();
            }
        }
    }
    for (const char* needed : {"F11", "F1", "F2", "F4", "Ctrl+Shift+P", "Ctrl+Shift+L", "Alt+Right",
                               "Alt+Left", "Ctrl+D", "Ctrl+E", "Ctrl+S", "Ctrl+O", "Ctrl+Z"}) {
        EXPECT_TRUE(keys.contains(QString::fromLatin1(needed))) << needed;
    }
    for (const Task task : allTasks()) {
        window.activateWindow();
        QTest::keySequence(&window, keyOf(task));
        settle();
        EXPECT_EQ(window.session()->task(), task) << titleOf(task).toStdString();
        for (const ViewPlace& place : window.pictures()->places()) {
            if (!has(place.tasks, task)) {
                continue;
            }
            QTest::keySequence(&window, keyOf(place.tab));
            settle();
            EXPECT_EQ(window.pictures()->current().tab, place.tab) << place.title.toStdString();
            EXPECT_NE(QApplication::focusWidget(), nullptr);
        }
    }
}

} // namespace
} // namespace meshslice::ui
