#include "ui/timeline/panes/run_pane.h"

#include "ui/controls/tip.h"
#include "ui/look/palette.h"
#include "ui/look/picture_scale.h"
#include "ui/timeline/run_picture.h"
#include "ui/view/painted_view.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>
#include <utility>

namespace meshslice::ui {

RunPane::RunPane(QWidget* parent)
    : QWidget(parent)
    , browser_([this] { browsed(); },
               [this](const RunKey& key) {
                   if (!opening_.ask({browser_.depth(), key})) {
                       opened();
                   }
               })
    , opened_runs_(std::make_shared<OpenedRuns>())
    , opening_([runs = opened_runs_](const Opening& opening,
                                     const RunControl& control) { return runs->open(opening.key, control); },
               [this] { opened(); }) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMouseTracking(true);
}

std::vector<KeyHelp> RunPane::keys() {
    return {{tr("W and S, Ctrl+wheel"), tr("Zoom into the time and out")},
            {tr("A and D, left and right, drag"), tr("Move in time")},
            {tr("Up and down"), tr("Select a row")},
            {tr("Enter or double click"), tr("Go into a bar")},
            {tr("Backspace"), tr("Go back out")},
            {tr("Home, or double click elsewhere"), tr("Show all of the time")}};
}

void RunPane::show(RunWindow window) {
    sentence_.clear();
    opened_runs_->clear();
    opening_.clear();
    browser_.show(std::move(window));
}

void RunPane::explain(const QString& sentence) {
    sentence_ = sentence;
    opening_.clear();
    browser_.clear();
    browsed();
}

void RunPane::browsed() {
    const RunWindow* const window = browser_.window();
    setAccessibleDescription(window == nullptr ? sentence_
                                               : QString(window->path.join(QStringLiteral(", ")) +
                                                         QStringLiteral(": ") + window->words.finding));
    setMinimumHeight(static_cast<int>(std::ceil(leastHeight() * pictureScale())));
    update();
}

void RunPane::opened() {
    if (opening_.answered() && opening_.answered()->depth == browser_.depth() && opening_.answer()) {
        browser_.enter(opening_.answered()->key, *opening_.answer());
    }
    browser_.note(opening_.refusal());
}

RunLayout RunPane::layoutNow() const {
    return browser_.window() != nullptr ? layoutRun(toPicture(size()), *browser_.window()) : RunLayout();
}

void RunPane::paintFor(QPainter& painter, const QSize& size, Theme theme) const {
    if (browser_.window() != nullptr) {
        paintRun(painter, size, *browser_.window(), theme);
    }
}

double RunPane::leastHeight() const {
    return browser_.window() != nullptr ? leastRunHeight(*browser_.window()) : 0;
}

QString RunPane::readAloud() const {
    return accessibleDescription();
}

std::vector<ReadablePart> RunPane::readableParts() const {
    return browser_.window() != nullptr ? readableRuns(*browser_.window(), layoutNow())
                                        : std::vector<ReadablePart>();
}

bool RunPane::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this,
                browser_.window() != nullptr
                    ? runLinesAt(*browser_.window(), layoutNow(), toPicture(help->pos()))
                    : QStringList());
        return true;
    }
    return QWidget::event(event);
}

void RunPane::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    const QSize laid_out = toPicture(size());
    const Theme theme = themeOf(palette());
    if (browser_.window() != nullptr) {
        paintRun(painter, laid_out, *browser_.window(), theme);
        browser_.paintCursor(painter, laid_out, theme);
    } else {
        painter.fillRect(QRect(QPoint(0, 0), laid_out), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), laid_out), sentence_, theme);
    }
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

void RunPane::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        browsed();
    }
    QWidget::changeEvent(event);
}

void RunPane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    update();
}

void RunPane::keyPressEvent(QKeyEvent* event) {
    const bool plain = (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
    if (!plain || !browser_.key(event->key(), toPicture(size()))) {
        QWidget::keyPressEvent(event);
    }
}

void RunPane::wheelEvent(QWheelEvent* event) {
    const TimeStep step = timeStep(*event);
    if (browser_.window() == nullptr || step.move == TimeMove::rows) {
        event->ignore(); // the page scrolls
        return;
    }
    browser_.move(step, event->position().x() / pictureScale(), toPicture(size()));
    event->accept();
}

void RunPane::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && browser_.window() != nullptr) {
        browser_.press(toPicture(event->pos()));
    }
}

void RunPane::mouseMoveEvent(QMouseEvent* event) {
    browser_.hover(toPicture(event->pos()));
    update();
    browser_.drag(toPicture(event->pos()), toPicture(size()));
}

void RunPane::mouseReleaseEvent(QMouseEvent* event) {
    browser_.release(toPicture(event->pos()), toPicture(size()));
}

void RunPane::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        browser_.doubleClick(toPicture(event->pos()), toPicture(size()));
    }
}

void RunPane::leaveEvent(QEvent* event) {
    browser_.hover(std::nullopt);
    update();
    QWidget::leaveEvent(event);
}

} // namespace meshslice::ui
