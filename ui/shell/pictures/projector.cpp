#include "ui/shell/pictures/projector.h"

#include "ui/lab/lab_view.h"
#include "ui/lessons/highlight_frame.h"
#include "ui/lessons/lesson_card.h"
#include "ui/lessons/lesson_course.h"
#include "ui/look/picture_scale.h"
#include "ui/settings/appearance.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start/lessons.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFontInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTextEdit>
#include <QTimer>
#include <QToolBar>
#include <QVariant>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

/// A slide is 254 mm wide (13.33 inches at 96 dots an inch would be PowerPoint's; 10 inches is the width of
/// this program's own preset of a slide), and its letters have 14 points of 25.4 / 72 mm.
constexpr double slide_letter = 14 * 25.4 / 72 / 254;
constexpr double slide_height = 143.0 / 254;
constexpr int step_percent = 5;
/// A picture that cannot show all of itself with letters of a slide has smaller ones, down to these.
constexpr int least_projected = 150;

/// Types into a field, where letters and arrows are the field's own.
bool isTyping(const QWidget* widget) {
    const auto* const box = qobject_cast<const QComboBox*>(widget);
    return qobject_cast<const QLineEdit*>(widget) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
           qobject_cast<const QTextEdit*>(widget) != nullptr || (box != nullptr && box->isEditable());
}

/// Of a window, around what is in its middle.
bool isPart(const QObject* child) {
    return qobject_cast<const QToolBar*>(child) != nullptr ||
           qobject_cast<const QDockWidget*>(child) != nullptr ||
           qobject_cast<const QStatusBar*>(child) != nullptr;
}

} // namespace

Projector::Projector(MainWindow* window) : QObject(window), window_(window) {
    setObjectName(QStringLiteral("projector"));
    qApp->installEventFilter(this);
    connect(window->pictures(), &PictureArea::turned, this, [this] {
        if (on_) {
            clearAround();
            fitText();
        }
    });
    connect(window->lessons()->course(), &LessonCourse::changed, this, &Projector::followLesson);
}

void Projector::fill(QMenu* menu) {
    action_ = menu->addAction(tr("Projector: this picture on the whole screen"));
    action_->setShortcut(Qt::Key_F11);
    action_->setCheckable(true);
    action_->setStatusTip(tr("One picture with the letters of a slide; Escape or F11 leaves"));
    connect(action_, &QAction::triggered, this, &Projector::setOn);
}

LessonCard* Projector::card() const {
    return card_dock_ ? qobject_cast<LessonCard*>(card_dock_->widget()) : nullptr;
}

int Projector::percentFor(const QSize& screen, double letter) {
    const double width = std::min<double>(screen.width(), screen.height() / slide_height);
    const double percent = 100 * slide_letter * width / std::max(1.0, letter);
    return std::max(100, step_percent * static_cast<int>(std::lround(percent / step_percent)));
}

void Projector::setOn(bool on) {
    if (on == on_) {
        return;
    }
    if (on) {
        enter();
    } else {
        leave();
    }
    if (action_) {
        action_->setChecked(on_);
    }
}

void Projector::putAway(QWidget* part) {
    if (part == nullptr || part->isHidden()) {
        return;
    }
    away_.emplace_back(part);
    part->hide();
}

void Projector::enter() {
    on_ = true;
    window_->lessons()->setProjected(true);
    before_ = {window_->saveState(window_state_version),
               window_->windowState(),
               window_->appearance()->fontPercent(),
               {}};
    // A hidden menu bar would take its keys along.
    window_->menuBar()->setFixedHeight(0);
    for (QWidget* part : window_->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (isPart(part)) {
            putAway(part);
        }
    }
    clearAround();
    window_->setWindowState(window_->windowState() | Qt::WindowFullScreen);
    followLesson();
    fitText();
    if (QWidget* picture = window_->pictures()->currentView(); picture != nullptr) {
        picture->setFocus();
    }
}

/// From the picture out to the window: what lies next to it is put away. Pages behind it stay where they are.
void Projector::clearAround() {
    View* const view = window_->pictures()->currentView();
    if (view == nullptr) {
        return;
    }
    const HighlightFrame* const frame = window_->lessons()->frame();
    view->setProperty(projected_property,
                      QVariant::fromValue<QObject*>(frame != nullptr ? frame->target() : nullptr));
    const QWidget* inner = view;
    for (QWidget* outer = inner->parentWidget(); outer != nullptr && outer != window_;
         inner = outer, outer = outer->parentWidget()) {
        if (auto* tabs = qobject_cast<QTabWidget*>(outer)) {
            putAway(tabs->tabBar());
            continue;
        }
        if (qobject_cast<QStackedWidget*>(outer) != nullptr ||
            qobject_cast<QAbstractScrollArea*>(outer) != nullptr ||
            qobject_cast<QAbstractScrollArea*>(outer->parentWidget()) != nullptr) {
            continue;
        }
        if (auto* splitter = qobject_cast<QSplitter*>(outer)) {
            before_.splitters.emplace_back(splitter, splitter->saveState());
        }
        for (QObject* child : outer->children()) {
            auto* part = qobject_cast<QWidget*>(child);
            if (part != nullptr && part != inner && !part->isWindow() &&
                qobject_cast<QSplitterHandle*>(part) == nullptr) {
                putAway(part);
            }
        }
    }
}

void Projector::bringBack() {
    for (View* view : window_->views()) {
        view->setProperty(projected_property, QVariant());
    }
    for (const QPointer<QWidget>& part : away_) {
        if (part) {
            part->show();
        }
    }
    away_.clear();
    for (auto at = before_.splitters.rbegin(); at != before_.splitters.rend(); ++at) { // the first state last
        if (at->first) {
            at->first->restoreState(at->second);
        }
    }
}

void Projector::leave() {
    on_ = false;
    delete card_dock_;
    window_->menuBar()->setMinimumHeight(0);
    window_->menuBar()->setMaximumHeight(QWIDGETSIZE_MAX);
    window_->appearance()->setFontPercent(before_.text);
    bringBack();
    window_->setWindowState(before_.state);
    window_->restoreState(before_.docks, window_state_version);
    window_->lessons()->setProjected(false);
    // Once more when fonts and the window have their sizes again, which both take a turn of the loop.
    QTimer::singleShot(0, this, [this] {
        QTimer::singleShot(0, this, [this] {
            if (!on_) {
                window_->restoreState(before_.docks, window_state_version);
                window_->lessons()->setProjected(false);
            }
        });
    });
}

/// As a slide has them, or as large as the picture still has room with.
void Projector::fitText() {
    const View* const view = window_->pictures()->currentView();
    if (view == nullptr) {
        return;
    }
    Appearance* const look = window_->appearance();
    const QSize room = window_->size();
    const double letter = QFontInfo(QApplication::font()).pixelSize() * 100.0 / look->fontPercent();
    const int wanted = std::min(percentFor(room, letter), Appearance::most_projected_percent);
    const int card = card_dock_ ? card_dock_->height() : 0;
    look->setProjectedPercent(wanted);
    const QSize least = view->minimumSizeHint().expandedTo(view->minimumSize());
    const double fits = std::min({1.0, room.width() / std::max(1.0, double(least.width())),
                                  (room.height() - card) / std::max(1.0, double(least.height()))});
    if (fits < 1) {
        look->setProjectedPercent(std::max(least_projected, static_cast<int>(wanted * fits)));
    }
}

void Projector::followLesson() {
    if (!on_) {
        return;
    }
    const bool open = window_->lessons()->course()->isOpen();
    if (open && !card_dock_) {
        card_dock_ = new QDockWidget(window_);
        card_dock_->setObjectName(QStringLiteral("lesson card"));
        card_dock_->setTitleBarWidget(new QWidget(card_dock_));
        card_dock_->setFeatures(QDockWidget::NoDockWidgetFeatures);
        card_dock_->setWidget(
            new LessonCard(window_->lessons()->course(), window_->lessons()->panel(), card_dock_));
        window_->addDockWidget(Qt::BottomDockWidgetArea, card_dock_);
    } else if (!open) {
        delete card_dock_;
    }
    clearAround(); // another step keeps other fields
}

/// Tabs around the picture, which a turn to another one may bring along.
bool Projector::isTabOutside(const QObject* watched) const {
    const auto* const bar = qobject_cast<const QTabBar*>(watched);
    const View* const view = window_->pictures()->currentView();
    return bar != nullptr && window_->pictures()->isAncestorOf(bar) &&
           (view == nullptr || !view->isAncestorOf(bar));
}

bool Projector::takeKey(const QKeyEvent& key) {
    if (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::ShiftModifier)) {
        return false;
    }
    if (key.key() == Qt::Key_Escape) {
        setOn(false);
        return true;
    }
    LessonCard* const lesson = card();
    if (lesson == nullptr) {
        return false;
    }
    switch (key.key()) {
    case Qt::Key_Right:
    case Qt::Key_PageDown: lesson->goOn(); return true;
    case Qt::Key_Left:
    case Qt::Key_PageUp: lesson->goBack(); return true;
    default: break;
    }
    return key.key() >= Qt::Key_1 && key.key() <= Qt::Key_9 &&
           lesson->choose(static_cast<std::size_t>(key.key() - Qt::Key_1));
}

bool Projector::eventFilter(QObject* watched, QEvent* event) {
    if (!on_) {
        return false;
    }
    switch (event->type()) {
    case QEvent::Close:
        if (watched == window_) {
            setOn(false); // what is kept of the window is as it was before
        }
        return false;
    case QEvent::Resize:
        if (watched == window_) {
            QTimer::singleShot(0, this, [this] {
                if (on_) {
                    fitText();
                }
            });
        }
        return false;
    case QEvent::Show: {
        // What somebody else brings back is away all the same, until this is over.
        const auto away = [&](const QPointer<QWidget>& part) { return part == watched; };
        if (std::ranges::any_of(away_, away)) {
            static_cast<QWidget*>(watched)->hide();
        } else if ((watched->parent() == window_ && watched != card_dock_ && isPart(watched)) ||
                   isTabOutside(watched)) {
            putAway(static_cast<QWidget*>(watched));
        }
        return false;
    }
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress: {
        const auto* const widget = qobject_cast<const QWidget*>(watched);
        if (widget == nullptr || widget->window() != window_ ||
            QApplication::activePopupWidget() != nullptr || QApplication::activeModalWidget() != nullptr) {
            return false;
        }
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (isTyping(widget) && key.key() != Qt::Key_Escape) {
            return false;
        }
        if (event->type() == QEvent::ShortcutOverride) {
            if (key.key() == Qt::Key_Escape) { // not the run's that it would cancel
                event->accept();
                return true;
            }
            return false;
        }
        return takeKey(key);
    }
    default: return false;
    }
}

} // namespace meshslice::ui
