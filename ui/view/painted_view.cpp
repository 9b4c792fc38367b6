#include "ui/view/painted_view.h"

#include "ui/look/lettering.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {

PaintedView::PaintedView(Session* session, QWidget* parent) : View(session, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PaintedView::stateChanged() {
    if (sentence() != painted_) {
        update();
    }
}

void PaintedView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painted_ = sentence();
    if (painted_.isEmpty()) {
        paintContent(painter);
        return;
    }
    painter.fillRect(rect(), color(Role::background, theme()));
    paintSentence(painter, rect(), painted_, theme());
}

void PaintedView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    if (isCurrent() && nothingToShow().isEmpty()) {
        paintForFile(painter, size, theme);
        return;
    }
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    paintSentence(painter, QRectF(QPointF(0, 0), size), isCurrent() ? nothingToShow() : whyNotCurrent(),
                  theme);
}

void PaintedView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        themeChanged();
        update();
    }
    View::changeEvent(event);
}

void paintSentence(QPainter& painter, const QRectF& area, const QString& sentence, Theme theme) {
    const double width = std::max(40.0, std::min(480.0, area.width() - 48.0));
    const QRectF column(area.center().x() - width / 2, area.top() + 8, width,
                        std::max(0.0, area.height() - 16));
    painter.setFont(lettering(Lettering::title));
    painter.setPen(color(Role::quietText, theme));
    painter.drawText(column, Qt::AlignCenter | Qt::TextWordWrap, sentence);
}

} // namespace meshslice::ui
