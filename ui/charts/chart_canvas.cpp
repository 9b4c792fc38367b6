#include "ui/charts/chart_canvas.h"

#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QEvent>
#include <QPainter>

#include <cmath>

namespace meshslice::ui {

ChartCanvas::ChartCanvas(QWidget* parent)
    : QWidget(parent), surface_(new ChartSurface(this, ChartKeys::walk)) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
    connect(surface_, &ChartSurface::described, this, &QWidget::setAccessibleDescription);
}

std::vector<KeyHelp> ChartCanvas::keys() const {
    return {{tr("Left and right"), tr("Go from value to value of the chart")},
            {tr("1 … 9, 0"), tr("Show one series of the legend alone, or all")}};
}

void ChartCanvas::show(std::optional<Chart> chart, const QString& sentence) {
    sentence_ = sentence;
    setAccessibleDescription(chart ? words(chart->title) : sentence_);
    surface_->setChart(std::move(chart));
    takeHeight();
    update();
}

void ChartCanvas::takeHeight() {
    const double scale = pictureScale();
    const double least = surface_->chart() ? leastHeight(*surface_->chart(), width() / scale) : 0;
    setMinimumHeight(static_cast<int>(std::ceil(least * scale)));
}

void ChartCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    takeHeight();
}

void ChartCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        takeHeight();
    }
}

void ChartCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    if (surface_->chart()) {
        surface_->paint(painter);
    } else {
        const QRectF all(QPointF(0, 0), toPicture(size()));
        painter.fillRect(all, color(Role::background, themeOf(palette())));
        paintSentence(painter, all, sentence_, themeOf(palette()));
    }
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

std::vector<ReadablePart> ChartCanvas::readableParts() const {
    return surface_->readableParts();
}

} // namespace meshslice::ui
