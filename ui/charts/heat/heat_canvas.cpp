#include "ui/charts/heat/heat_canvas.h"

#include "ui/charts/heat/heat_picture.h"
#include "ui/controls/tip.h"
#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice::ui {

HeatCanvas::HeatCanvas(QWidget* parent) : QWidget(parent) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
}

void HeatCanvas::show(std::optional<HeatMap> map, const QString& sentence) {
    const bool same = map && map_ && map->columns == map_->columns && map->rows == map_->rows;
    selected_ = same ? selected_ : std::nullopt;
    map_ = std::move(map);
    sentence_ = sentence;
    setAccessibleDescription(map_ ? words(map_->title) : sentence_);
    takeHeight();
    update();
}

std::optional<std::size_t> HeatCanvas::selected() const {
    return !map_ ? std::nullopt : selected_ ? selected_ : map_->best.value_or(0);
}

std::vector<KeyHelp> HeatCanvas::keys() const {
    return {{tr("Arrows"), tr("Move between cells")},
            {tr("Enter or click"), tr("Take the cell's values into the scenario")}};
}

HeatLayout HeatCanvas::layoutNow() const {
    return map_ ? layoutHeat(*map_, toPicture(size())) : HeatLayout();
}

void HeatCanvas::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    if (map_) {
        paintHeat(painter, *map_, layoutHeat(*map_, size), theme);
    }
}

void HeatCanvas::takeHeight() {
    const double scale = pictureScale();
    const double least = map_ ? leastHeight(*map_, width() / scale) : 0;
    setMinimumHeight(static_cast<int>(std::ceil(least * scale)));
}

void HeatCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    takeHeight();
}

void HeatCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        takeHeight();
    }
}

void HeatCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    const Theme theme = themeOf(palette());
    if (map_) {
        paintHeat(painter, *map_, layoutNow(), theme, hasFocus() ? selected() : std::nullopt);
    } else {
        const QRectF all(QPointF(0, 0), toPicture(size()));
        painter.fillRect(all, color(Role::background, theme));
        paintSentence(painter, all, sentence_, theme);
    }
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

std::vector<ReadablePart> HeatCanvas::readableParts() const {
    std::vector<ReadablePart> parts;
    const HeatLayout layout = layoutNow();
    for (std::size_t cell = 0; map_ && cell < std::min(map_->cells.size(), most_readable_parts); ++cell) {
        parts.push_back(readablePart(words(heat_text(*map_, cell)).split(QLatin1Char('\n')),
                                     fromPicture(layout.cell(*map_, cell).toAlignedRect()),
                                     cell == selected()));
    }
    return parts;
}

bool HeatCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && map_) {
        auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = layoutNow().cellAt(*map_, toPicture(help->pos()));
        showTip(help, this, cell ? words(heat_text(*map_, *cell)).split(QLatin1Char('\n')) : QStringList());
        return true;
    }
    return QWidget::event(event);
}

void HeatCanvas::pick(std::size_t cell) {
    if (map_->cells[cell].item >= 0) {
        emit picked(map_->cells[cell].item);
    }
}

void HeatCanvas::mousePressEvent(QMouseEvent* event) {
    const auto cell = map_ && event->button() == Qt::LeftButton
                          ? layoutNow().cellAt(*map_, toPicture(event->pos()))
                          : std::nullopt;
    if (!cell) {
        QWidget::mousePressEvent(event);
        return;
    }
    selected_ = cell;
    update();
    pick(*cell);
}

void HeatCanvas::move(int rows, int columns) {
    const auto across = static_cast<std::ptrdiff_t>(map_->columns.size());
    const auto down = static_cast<std::ptrdiff_t>(map_->rows.size());
    const auto from = static_cast<std::ptrdiff_t>(*selected());
    const auto row = std::clamp<std::ptrdiff_t>(from / across + rows, 0, down - 1);
    const auto column = std::clamp<std::ptrdiff_t>(from % across + columns, 0, across - 1);
    selected_ = static_cast<std::size_t>(row * across + column);
    setAccessibleDescription(
        words(heat_text(*map_, *selected_)).replace(QLatin1Char('\n'), QStringLiteral("; ")));
    update();
}

void HeatCanvas::keyPressEvent(QKeyEvent* event) {
    const bool plain = !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier));
    if (!map_ || !plain) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left: move(0, -1); return;
    case Qt::Key_Right: move(0, 1); return;
    case Qt::Key_Up: move(-1, 0); return;
    case Qt::Key_Down: move(1, 0); return;
    case Qt::Key_Return:
    case Qt::Key_Enter: pick(*selected()); return;
    default: QWidget::keyPressEvent(event);
    }
}

void HeatCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void HeatCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

} // namespace meshslice::ui
