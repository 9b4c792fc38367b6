#include "ui/lab/lab_canvas.h"

#include "ui/controls/tip.h"
#include "ui/lab/lab_drag.h"
#include "ui/look/picture_scale.h"
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

LabCanvas::LabCanvas(QWidget* parent) : QWidget(parent) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Blocks of the matrices on the chips"));
}

std::vector<KeyHelp> LabCanvas::keys() {
    return {{tr("Left and right"), tr("Go back and forward by a step of the plan")},
            {tr("Home and End"), tr("Go to the beginning and the end of the plan")},
            {tr("Up and down, click"), tr("Outline what another chip holds")},
            {tr("Drag a letter of the mesh"),
             tr("Onto the rows or columns of a matrix: split them over it, or not any more")}};
}

void LabCanvas::show(const std::optional<LabQuestion>& question, const std::optional<CostedPlan>& plan,
                     int number, int plans, const QString& sentence) {
    question_ = question;
    plan_ = plan;
    number_ = number;
    plans_ = plans;
    sentence_ = sentence;
    simulated_.clear();
    done_ = 0;
    chip_ = question && chip_ < question->mesh.devices() ? chip_ : 0;
    changed();
}

LabShown LabCanvas::shown() const {
    return {&*question_, &*plan_, number_, plans_, done_, chip_, simulated_};
}

void LabCanvas::setSimulated(const QString& words) {
    simulated_ = words;
    changed();
}

LabLayout LabCanvas::layoutNow() const {
    return layoutLab(toPicture(size()), shown());
}

void LabCanvas::setDone(std::size_t done) {
    done_ = std::min(done, steps());
    changed();
}

void LabCanvas::setChip(std::int64_t chip) {
    chip_ = question_ ? std::clamp<std::int64_t>(chip, 0, question_->mesh.devices() - 1) : 0;
    changed();
}

void LabCanvas::changed() {
    setMinimumHeight(static_cast<int>(
        std::ceil((isReady() ? labHeight(toPicture(size()).width()) : 80) * pictureScale())));
    setAccessibleDescription(isReady() ? labStep(shown()) + QLatin1Char(' ') + labChip(shown(), chip_)
                                       : sentence_);
    update();
    emit stepped();
}

void LabCanvas::paintFor(QPainter& painter, const QSize& size, Theme theme) const {
    if (isReady()) {
        paintLab(painter, size, shown(), theme);
        return;
    }
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    paintSentence(painter, QRectF(QPointF(0, 0), size), sentence_, theme);
}

void LabCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    const Theme theme = themeOf(palette());
    if (isReady() || sentence_.isEmpty()) {
        paintFor(painter, toPicture(size()), theme);
    } else { // the fields above it say why
        const QRectF all(QPointF(0, 0), toPicture(size()));
        painter.fillRect(all, color(Role::background, theme));
        paintSentence(painter, all, tr("What is typed above cannot be drawn."), theme);
    }
    if (isReady()) {
        paintAxes(painter, layoutNow(), shown(), theme);
        if (dragged_) {
            paintDrag(painter, layoutNow(), shown(), *dragged_, drag_at_, theme);
        }
    }
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

QString LabCanvas::readAloud() const {
    return isReady() ? labTitle(shown()) + QStringLiteral(". ") + simulated_ + QLatin1Char(' ') +
                           accessibleDescription()
                     : sentence_;
}

std::vector<ReadablePart> LabCanvas::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!isReady()) {
        return parts;
    }
    const LabLayout layout = layoutNow();
    for (const LabMatrix& matrix : layout.matrices) {
        const QStringList notes = labNotes(matrix, shown());
        QStringList lines = {matrix.array.dimensions.empty() ? words(matrix.array.name)
                                                             : words(text(matrix.array, question_->mesh))};
        lines += notes;
        parts.push_back(readablePart(lines, fromPicture(matrix.area.toAlignedRect())));
    }
    for (const LabChip& one : layout.chips) {
        if (parts.size() < most_readable_parts) {
            parts.push_back(readablePart({tr("chip %1").arg(one.chip), labChip(shown(), one.chip)},
                                         fromPicture(one.area.toAlignedRect()), one.chip == chip_));
        }
    }
    return parts;
}

std::optional<std::int64_t> LabCanvas::chipAt(const QPoint& point) const {
    const LabLayout layout = layoutNow();
    const QPointF at = toPicture(point);
    for (const LabChip& one : layout.chips) {
        if (one.area.contains(at)) {
            return one.chip;
        }
    }
    for (const LabMatrix& matrix : layout.matrices) {
        for (const LabBlock& block : matrix.blocks) {
            if (block.area.contains(at)) {
                // Another click on a block goes to the next chip that holds it.
                const auto next = std::ranges::upper_bound(block.chips, chip_);
                const bool own = std::ranges::find(block.chips, chip_) != block.chips.end();
                return own && next != block.chips.end() ? *next : block.chips.front();
            }
        }
    }
    return std::nullopt;
}

QStringList LabCanvas::linesAt(const QPoint& point) const {
    if (!isReady()) {
        return {};
    }
    const LabLayout layout = layoutNow();
    const QPointF at = toPicture(point);
    if (const std::optional<std::size_t> axis = axisAt(layout, at)) {
        return {tr("axis %1 of the mesh").arg(QLatin1Char(question_->mesh.axes[*axis].name)),
                tr("Drag it onto a matrix: near its left edge it splits the rows, near its upper edge the "
                   "columns; onto what it splits already, and it does not any more")};
    }
    for (const LabChip& one : layout.chips) {
        if (one.area.contains(at)) {
            return {labChip(shown(), one.chip)};
        }
    }
    for (const LabMatrix& matrix : layout.matrices) {
        for (const LabBlock& block : matrix.blocks) {
            if (block.area.contains(at)) {
                QStringList chips;
                for (const std::int64_t chip : block.chips) {
                    chips << QString::number(chip);
                }
                return {words(text(matrix.array, question_->mesh)),
                        tr("on chips: %1").arg(chips.join(QStringLiteral(", ")))};
            }
        }
    }
    return {};
}

bool LabCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(help->pos()));
        return true;
    }
    return QWidget::event(event);
}

void LabCanvas::mousePressEvent(QMouseEvent* event) {
    if (isReady() && event->button() == Qt::LeftButton) {
        drag_at_ = toPicture(event->pos());
        dragged_ = axisAt(layoutNow(), drag_at_);
        if (const std::optional<std::int64_t> chip = chipAt(event->pos()); chip && !dragged_) {
            setChip(*chip);
        }
    }
    QWidget::mousePressEvent(event);
}

void LabCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!isReady()) {
        dragged_.reset();
    } else if (dragged_) {
        drag_at_ = toPicture(event->pos());
        update();
    }
    const bool over = isReady() && axisAt(layoutNow(), toPicture(event->pos()));
    setCursor(dragged_ ? Qt::ClosedHandCursor : over ? Qt::OpenHandCursor : Qt::ArrowCursor);
    QWidget::mouseMoveEvent(event);
}

void LabCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (const std::optional<std::size_t> axis = std::exchange(dragged_, std::nullopt); axis && isReady()) {
        update();
        if (const std::optional<LabDrop> drop = dropAt(layoutNow(), shown(), toPicture(event->pos()))) {
            const ShardedArray array = dropped(question_->gemm.operand(drop->which), drop->dimension, *axis);
            emit sharded(drop->which, words(text(array, question_->mesh)));
        }
    }
    QWidget::mouseReleaseEvent(event);
}

void LabCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left: setDone(done_ > 0 ? done_ - 1 : 0); return;
    case Qt::Key_Right: setDone(done_ + 1); return;
    case Qt::Key_Home: setDone(0); return;
    case Qt::Key_End: setDone(steps()); return;
    case Qt::Key_Up: setChip(chip_ - 1); return;
    case Qt::Key_Down: setChip(chip_ + 1); return;
    default: QWidget::keyPressEvent(event);
    }
}

void LabCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        changed();
    }
    QWidget::changeEvent(event);
}

void LabCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    changed();
}

} // namespace meshslice::ui
