#include "ui/charts/chart_job_view.h"

#include "ui/view/painted_view.h"

#include <QEvent>
#include <QPainter>
#include <QSplitter>

namespace meshslice::ui {

ChartJobView::ChartJobView(Session* session, QWidget* parent)
    : View(session, parent), canvas_(new ChartCanvas(this)) {}

void ChartJobView::stateChanged() {
    if (!session().isComputing()) { // the cores are the run's while there is one
        takeScenario();
        renew();
    }
}

void ChartJobView::giveUp() {
    cancel(true);
    renew(); // what is seen is still asked for
}

void ChartJobView::paintCurrent(QPainter& painter, const QSize& size, Theme theme) const {
    canvas_->surface()->paintPicture(painter, size, theme);
}

double ChartJobView::pictureHeight(double width) const {
    const std::optional<Chart>& chart = canvas_->surface()->chart();
    return chart && isCurrent() ? figureHeight(*chart, width) : View::pictureHeight(width);
}

void ChartJobView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme, [&](const QSize& laid_out) {
        if (isCurrent()) {
            paintCurrent(painter, laid_out, theme);
            return;
        }
        painter.fillRect(QRect(QPoint(0, 0), laid_out), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), laid_out), sentence(), theme);
    });
}

QSplitter* ChartJobView::makeStack(QWidget* picture, QWidget* tables) {
    auto* stack = new QSplitter(Qt::Vertical, this);
    stack->addWidget(picture);
    stack->addWidget(tables);
    stack->setStretchFactor(0, 3);
    stack->setStretchFactor(1, 1);
    stack->setChildrenCollapsible(false);
    stack->setSizes({430, 170});
    stacked_ = picture;
    leaveRoomForPicture();
    return stack;
}

/// More than its title, also with large letters in a low window; then the view scrolls.
void ChartJobView::leaveRoomForPicture() {
    constexpr int lines = 10;
    if (stacked_ != nullptr) {
        stacked_->setMinimumHeight(lines * fontMetrics().height());
    }
}

void ChartJobView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        leaveRoomForPicture();
    }
}

void ChartJobView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    renew();
}

void ChartJobView::hideEvent(QHideEvent* event) {
    View::hideEvent(event);
    cancel(false);
}

} // namespace meshslice::ui
