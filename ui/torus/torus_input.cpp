// How the torus answers to keys, mouse and screen readers. The other half of TorusView, which paints, is in
// torus_view.cpp.

#include "core/base/text.h"
#include "ui/look/words.h"
#include "ui/timeline/fault_menu.h"
#include "ui/timeline/view/timeline_geometry.h"
#include "ui/torus/torus_view.h"
#include "ui/view/finding.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace meshslice::ui {

std::optional<TorusView::Part> TorusView::partAt(const QPoint& point) const {
    if (sentence().isEmpty()) {
        for (const TorusPicture& one : pictures()) {
            if (const std::optional<TorusPart> part = one.grid.at(toPicture(point))) {
                return Part{&one, *part};
            }
        }
    }
    return std::nullopt;
}

QPoint TorusView::pointOf(const TorusPart& part, std::size_t picture) const {
    const TorusGrid& grid = pictures()[picture].grid;
    const QRectF place = part.link ? grid.lane(*part.link).rect() : grid.core(part.chip);
    const QRect shown = fromPicture(place.toAlignedRect());
    return shown.center();
}

std::optional<TorusPart> TorusView::selectedPart(std::size_t step) const {
    const auto& selected = selection().selected();
    if (!selected || selected->step != step || !selected->row ||
        *selected->row >= runs_[step]->chip_rows().size()) {
        return std::nullopt;
    }
    const Row& row = runs_[step]->chip_rows()[*selected->row];
    return row.is_core ? TorusPart{row.chip, std::nullopt}
                       : TorusPart{row.chip, Link{row.chip, row.axis, row.direction}};
}

bool TorusView::isSelected(const Part& part) const {
    return selectedPart(part.picture->step()) == part.part;
}

QStringList TorusView::linesAt(const QPoint& point) const {
    const std::optional<Part> part = partAt(point);
    return part ? linesOf(*part) : QStringList();
}

QStringList TorusView::linesOf(const Part& part) const {
    const TorusPicture& picture = *part.picture;
    const auto row = picture.rowOf(part.part);
    return row ? rowLines(picture, *row) : QStringList();
}

std::vector<ReadablePart> TorusView::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!sentence().isEmpty()) {
        return parts;
    }
    for (const TorusPicture& picture : pictures()) {
        const std::size_t step = picture.step();
        const Torus& torus = runs_[step]->torus();
        const auto room = most_readable_parts / pictures().size();
        const auto count = std::min<std::size_t>(static_cast<std::size_t>(torus.chips()), room);
        for (std::size_t k = 0; k < count; ++k) {
            const Part core{&picture, {static_cast<Chip>(k), std::nullopt}};
            const auto row = picture.rowOf(core.part);
            QStringList lines = linesOf(core);
            const QString name = row ? words(row_name(torus, runs_[step]->chip_rows()[*row])) : QString();
            if (lines.value(0) != name) {
                lines.prepend(name);
            }
            if (showsBoth()) {
                lines.front().prepend(stepTitle(runs_[step]->step()) + QStringLiteral(": "));
            }
            parts.push_back(readablePart(
                lines, fromPicture(picture.grid.core(core.part.chip).toAlignedRect()), isSelected(core)));
        }
    }
    return parts;
}

/// The bar that it does now, or the next.
void TorusView::select(const Part& part) {
    const auto row = part.picture->rowOf(part.part);
    if (!row) {
        return;
    }
    const std::size_t step = part.picture->step();
    const auto& now = part.picture->frame.now[*row];
    const auto bar = now ? now : bar_from(*runs_[step], *row, 0, moment() + Time(1));
    if (bar) {
        selection().select(selectedBar(runs_, step, *row, bar->item));
    }
}

void TorusView::askWhatIf(const Part& part, const QPoint& at) {
    const auto row = part.picture->rowOf(part.part);
    if (!row) {
        return;
    }
    const std::size_t step = part.picture->step();
    QMenu menu(this);
    addFaults(menu, session(), step, runs_[step]->torus(), runs_[step]->chip_rows()[*row]);
    if (!menu.isEmpty()) {
        menu.exec(at);
    }
}

void TorusView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        return;
    }
    setFocus();
    if (standsInSpace() && sentence().isEmpty()) { // a click if it does not become a drag
        grabbed_ = event->pos();
        turning_ = false;
    } else {
        click(event);
    }
}

void TorusView::mouseMoveEvent(QMouseEvent* event) {
    if (!grabbed_) {
        PaintedView::mouseMoveEvent(event);
        return;
    }
    const QPoint way = event->pos() - *grabbed_;
    turning_ = turning_ || way.manhattanLength() >= QApplication::startDragDistance();
    if (turning_) {
        constexpr double radians_per_pixel = 0.01;
        grabbed_ = event->pos();
        setCursor(Qt::ClosedHandCursor);
        turnBy(-way.x() * radians_per_pixel, way.y() * radians_per_pixel);
    }
}

void TorusView::mouseReleaseEvent(QMouseEvent* event) {
    if (grabbed_ && event->button() == Qt::LeftButton) {
        grabbed_.reset();
        unsetCursor();
        if (!std::exchange(turning_, false)) {
            click(event);
        }
    }
}

void TorusView::click(QMouseEvent* event) {
    const auto part = partAt(event->pos());
    if (!part) {
        selection().select(std::nullopt);
    } else if (isSelected(*part)) {
        askWhatIf(*part, event->globalPosition().toPoint());
    } else {
        select(*part);
    }
}

void TorusView::contextMenuEvent(QContextMenuEvent* event) {
    std::optional<Part> part = partAt(event->pos());
    if (event->reason() == QContextMenuEvent::Keyboard) {
        part.reset();
        for (const TorusPicture& one : pictures()) {
            if (const auto selected = selectedPart(one.step())) {
                part = Part{&one, *selected};
            }
        }
    }
    if (part) {
        askWhatIf(*part, event->globalPos());
    }
}

bool TorusView::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* pressed = static_cast<QKeyEvent*>(event);
        const int key = pressed->key();
        const bool plain = !pressed->modifiers().testFlag(Qt::ControlModifier); // with it: larger text
        if (plain && (key == Qt::Key_Space || key == Qt::Key_Plus || key == Qt::Key_Minus)) {
            event->accept();
            return true;
        }
    }
    return PaintedView::event(event);
}

void TorusView::keyPressEvent(QKeyEvent* event) {
    if (!sentence().isEmpty() || event->modifiers().testFlag(Qt::ControlModifier)) {
        PaintedView::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Space: setPlaying(!isPlaying()); break;
    case Qt::Key_Period: goToEvent(true); break;
    case Qt::Key_Comma: goToEvent(false); break;
    case Qt::Key_Plus: changeSpeed(1); break;
    case Qt::Key_Minus: changeSpeed(-1); break;
    case Qt::Key_Home: goTo(Time(0)); break;
    case Qt::Key_End: goTo(whole().end); break;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_0:
        if (!standsInSpace()) {
            PaintedView::keyPressEvent(event);
        } else if (event->key() == Qt::Key_0) {
            turn_ = {};
            changed();
        } else {
            constexpr double by = 0.1;
            turnBy(event->key() == Qt::Key_Left    ? by
                   : event->key() == Qt::Key_Right ? -by
                                                   : 0,
                   event->key() == Qt::Key_Up     ? -by
                   : event->key() == Qt::Key_Down ? by
                                                  : 0);
        }
        break;
    default: PaintedView::keyPressEvent(event);
    }
}

} // namespace meshslice::ui
