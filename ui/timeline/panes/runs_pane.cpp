#include "ui/timeline/panes/runs_pane.h"

#include "ui/controls/tip.h"
#include "ui/look/picture_scale.h"
#include "ui/view/painted_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace meshslice::ui {

RunsPane::RunsPane(QWidget* parent)
    : QWidget(parent)
    , opened_runs_(std::make_shared<OpenedRuns>())
    , browser_([this] { changed(); },
               [this](const RunKey& key) {
                   if (!opening_.ask({browser_.depth(), key})) {
                       opened();
                   }
               })
    , opening_([runs = opened_runs_](const Opening& opening,
                                     const RunControl& control) { return runs->open(opening.key, control); },
               [this] { opened(); }) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
}

void RunsPane::show(RunWindow window) {
    sentence_.clear();
    opened_runs_->clear();
    opening_.clear();
    browser_.show(std::move(window));
    changed();
}

void RunsPane::say(const QString& sentence) {
    sentence_ = sentence;
    opening_.clear();
    browser_.clear();
    changed();
}

std::vector<KeyHelp> RunsPane::keys() const {
    return {{tr("W and S, Ctrl+wheel"), tr("Zoom into the time and out")},
            {tr("A and D, left and right, drag"), tr("Move in time")},
            {tr("Up and down"), tr("Select a row")},
            {tr("Enter or double click"), tr("Go into a bar that has something inside")},
            {tr("Backspace"), tr("Go back out")},
            {tr("Home, or double click elsewhere"), tr("Show the whole time")}};
}

void RunsPane::changed() {
    const RunWindow* window = browser_.window();
    const int least = window != nullptr ? leastRunHeight(*window) : 0;
    setMinimumHeight(static_cast<int>(std::ceil(least * pictureScale())));
    setAccessibleDescription(window != nullptr ? window->words.finding : sentence_);
    update();
}

void RunsPane::opened() {
    if (opening_.answered() && opening_.answered()->depth == browser_.depth() && opening_.answer()) {
        browser_.enter(opening_.answered()->key, *opening_.answer());
    }
    browser_.note(opening_.refusal());
}

RunLayout RunsPane::layoutNow() const {
    return browser_.window() != nullptr ? layoutRun(toPicture(size()), *browser_.window()) : RunLayout();
}

void RunsPane::paintFor(QPainter& painter, const QSize& size, Theme theme) const {
    if (browser_.window() != nullptr) {
        paintRun(painter, size, *browser_.window(), theme);
        return;
    }
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    paintSentence(painter, QRectF(QPointF(0, 0), size), sentence_, theme);
}

bool RunsPane::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const bool there = browser_.window() != nullptr;
        showTip(help, this,
                there ? runLinesAt(*browser_.window(), layoutNow(), toPicture(help->pos())) : QStringList());
        return true;
    }
    return QWidget::event(event);
}

void RunsPane::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    const QSize laid_out = toPicture(size());
    const Theme theme = themeOf(palette());
    paintFor(painter, laid_out, theme);
    if (browser_.window() != nullptr) {
        browser_.paintCursor(painter, laid_out, theme);
    }
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

void RunsPane::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        changed();
    }
    QWidget::changeEvent(event);
}

void RunsPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    update();
}

void RunsPane::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    if (!plain || browser_.window() == nullptr || !browser_.key(event->key(), toPicture(size()))) {
        QWidget::keyPressEvent(event);
    }
}

void RunsPane::wheelEvent(QWheelEvent* event) {
    const TimeStep step = timeStep(*event);
    if (browser_.window() == nullptr || step.move == TimeMove::rows) {
        event->ignore(); // the page scrolls
        return;
    }
    browser_.move(step, event->position().x() / pictureScale(), toPicture(size()));
    event->accept();
}

void RunsPane::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && browser_.window() != nullptr) {
        browser_.press(toPicture(event->pos()));
        return;
    }
    QWidget::mousePressEvent(event);
}

void RunsPane::mouseMoveEvent(QMouseEvent* event) {
    browser_.hover(toPicture(event->pos()));
    update();
    if (browser_.window() == nullptr || !browser_.drag(toPicture(event->pos()), toPicture(size()))) {
        QWidget::mouseMoveEvent(event);
    }
}

void RunsPane::mouseReleaseEvent(QMouseEvent* event) {
    if (browser_.window() != nullptr) {
        browser_.release(toPicture(event->pos()), toPicture(size()));
    }
    QWidget::mouseReleaseEvent(event);
}

void RunsPane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && browser_.window() != nullptr) {
        browser_.doubleClick(toPicture(event->pos()), toPicture(size()));
    }
}

void RunsPane::leaveEvent(QEvent* event) {
    browser_.hover(std::nullopt);
    update();
    QWidget::leaveEvent(event);
}

QString RunsPane::readAloud() const {
    return browser_.window() != nullptr ? browser_.window()->words.finding : sentence_;
}

std::vector<ReadablePart> RunsPane::readableParts() const {
    return browser_.window() != nullptr ? readableRuns(*browser_.window(), layoutNow())
                                        : std::vector<ReadablePart>();
}

} // namespace meshslice::ui
