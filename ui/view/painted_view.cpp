#include "ui/view/painted_view.h"

#include "ui/controls/tip.h"
#include "ui/look/lettering.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

namespace {

/// Without a key that makes it another one; the large letters and the digits of the pad count as plain.
bool is_plain(const QKeyEvent& key) {
    return (key.modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == Qt::NoModifier;
}

} // namespace

PaintedView::PaintedView(Session* session, QWidget* parent) : View(session, parent) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PaintedView::stateChanged() {
    takeHeight();
    if (sentence() != painted_) {
        update();
    }
}

bool PaintedView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, tipAt(help->pos()));
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (is_plain(*key) && handleKey(key->key(), false)) {
            event->accept();
            return true;
        }
    }
    return View::event(event);
}

void PaintedView::keyPressEvent(QKeyEvent* event) {
    if (!is_plain(*event) || !sentence().isEmpty() || !handleKey(event->key(), true)) {
        View::keyPressEvent(event);
    }
}

void PaintedView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    painted_ = sentence();
    if (painted_.isEmpty()) {
        paintContent(painter);
    } else {
        const QRectF all(QPointF(0, 0), pictureSize());
        painter.fillRect(all, color(Role::background, theme()));
        paintSentence(painter, all, painted_, theme());
    }
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

QString PaintedView::readAloud() const {
    if (const QString instead = sentence(); !instead.isEmpty()) {
        return instead;
    }
    QStringList said = {isStale() ? tr("The picture is being updated.") : QString(), atAGlance(),
                        accessibleDescription()};
    said.removeAll(QString());
    return said.join(QLatin1Char(' '));
}

void PaintedView::paintBuffered(QPainter& painter, QPixmap& base,
                                const std::function<void(QPainter& painter)>& paintBase) const {
    const double ratio = devicePixelRatioF();
    if (base.isNull() || base.devicePixelRatio() != ratio) {
        base = QPixmap(size() * ratio);
        base.setDevicePixelRatio(ratio);
        QPainter base_painter(&base);
        base_painter.scale(pictureScale(), pictureScale());
        paintBase(base_painter);
    }
    painter.save();
    painter.resetTransform(); // it is enlarged already
    painter.drawPixmap(0, 0, base);
    painter.restore();
}

void PaintedView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    paintEnlarged(painter, size, theme, [&](const QSize& laid_out) {
        if (isCurrent() && nothingToShow().isEmpty()) {
            paintForFile(painter, laid_out, theme);
            return;
        }
        painter.fillRect(QRect(QPoint(0, 0), laid_out), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), laid_out),
                      isCurrent() ? nothingToShow() : whyNotCurrent(), theme);
    });
}

double PaintedView::pictureHeight(double width) const {
    return std::max(View::pictureHeight(width), leastHeight(width));
}

void PaintedView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        looksChanged();
        takeHeight();
        update();
    }
    View::changeEvent(event);
}

void PaintedView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    takeHeight();
}

void PaintedView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    if (height_is_due_) {
        takeHeight();
    }
}

void PaintedView::takeHeight() {
    height_is_due_ = !isVisible();
    if (height_is_due_) {
        return;
    }
    const double scale = pictureScale();
    const double least = sentence().isEmpty() ? leastHeight(width() / scale) : 0;
    setMinimumHeight(static_cast<int>(std::ceil(least * scale)));
}

void paintEnlarged(QPainter& painter, const QSize& size, Theme theme,
                   const std::function<void(const QSize& size)>& paint) {
    const double scale = pictureScale();
    if (scale == 1) {
        paint(size);
        return;
    }
    painter.save();
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    painter.scale(scale, scale);
    // Rounded down: drawings and pages are not clipped.
    paint({static_cast<int>(size.width() / scale), static_cast<int>(size.height() / scale)});
    painter.restore();
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
