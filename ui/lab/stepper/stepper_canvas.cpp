#include "ui/lab/stepper/stepper_canvas.h"

#include "ui/controls/tip.h"
#include "ui/lab/stepper/stepper_chunks.h"
#include "ui/lab/stepper/stepper_text.h"
#include "ui/look/picture_scale.h"
#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {

StepperCanvas::StepperCanvas(QWidget* parent) : QWidget(parent) {
    letReadablesBeRead();
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("What every chip holds, step by step"));
}

std::vector<KeyHelp> StepperCanvas::keys() {
    return {{tr("Full stop and comma, right and left"), tr("Go on and back by a step")},
            {tr("Page Down and Page Up"), tr("Go on and back by a line of the program")},
            {tr("Home and End"), tr("Go to the beginning and the end")},
            {tr("Click a line of the program"), tr("Go to the next step that runs it")}};
}

void StepperCanvas::show(const SteppingPtr& stepping, const QString& title, const QString& sentence) {
    stepping_ = stepping;
    title_ = title;
    sentence_ = sentence;
    moment_ = 0;
    changed();
}

void StepperCanvas::setMoment(std::size_t moment) {
    moment_ = std::min(moment, lastMoment());
    changed();
}

void StepperCanvas::skipLine(bool forward) {
    if (!isReady()) {
        return;
    }
    const auto& moments = stepping_->moments;
    const auto line = [&](std::size_t moment) { // Of a GEMM that feeds its collective, the collective's.
        const std::optional<OperationId> is = moments[moment].line;
        const Fusion* const fusion = is ? stepping_->program.fusion_of(*is) : nullptr;
        return fusion != nullptr ? std::optional(fusion->collective) : is;
    };
    const auto same = [&](std::size_t one, std::size_t other) {
        return line(one) == line(other) && moments[one].iteration == moments[other].iteration;
    };
    std::size_t to = moment_;
    if (forward) {
        to = std::min(to + 1, lastMoment());
        while (to < lastMoment() && same(to, to + 1)) {
            ++to;
        }
    } else {
        while (to > 0 && same(to, moment_)) {
            --to;
        }
    }
    setMoment(to);
}

StepperLayout StepperCanvas::layoutNow() const {
    const QSizeF room = QSizeF(size()) / scale();
    return layoutStepper(room.width(), shown(), room.height());
}

namespace {

/// In a room letters are large, but all of the picture is seen: down to so much of what they are, and never
/// smaller than usual.
double leastScale() {
    constexpr double least_share = 0.55;
    return std::max(std::min(1.0, pictureScale()), least_share * pictureScale());
}

} // namespace

double StepperCanvas::scale() const {
    constexpr double most = 4, step = 0.0625;
    if (!isReady()) {
        return pictureScale();
    }
    for (double scale = most * pictureScale(); scale > leastScale(); scale -= step) {
        const QSizeF room = QSizeF(size()) / scale;
        const StepperLayout layout = layoutStepper(room.width(), shown(), room.height());
        if (layout.width <= room.width() && layout.height <= room.height()) {
            return scale;
        }
    }
    return leastScale();
}

void StepperCanvas::changed() {
    StepperLayout layout;
    layout.height = 80;
    if (isReady()) {
        layout = layoutStepper(size().width() / leastScale(), shown(), 0);
    }
    const auto pixels = [](double length) { return static_cast<int>(std::ceil(length * leastScale())); };
    setMinimumHeight(pixels(layout.height));
    setMinimumWidth(isReady() ? pixels(layoutStepper(0, shown()).width) : 0);
    setAccessibleDescription(isReady() ? stepperStep(shown()) : sentence_);
    update();
    emit stepped();
}

void StepperCanvas::paintFor(QPainter& painter, const QSizeF& size, Theme theme) const {
    if (isReady()) {
        paintStepper(painter, size, shown(), theme);
        return;
    }
    painter.fillRect(QRectF(QPointF(0, 0), size), color(Role::background, theme));
    paintSentence(painter, QRectF(QPointF(0, 0), size), sentence_, theme);
}

void StepperCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const double scale = this->scale();
    painter.scale(scale, scale);
    paintFor(painter, QSizeF(size()) / scale, themeOf(palette()));
    painter.resetTransform();
    paintFocusFrame(painter, *this);
}

QString StepperCanvas::readAloud() const {
    return isReady() ? title_ + QStringLiteral(". ") + accessibleDescription() + QLatin1Char(' ') +
                           stepperVerdict(shown())
                     : sentence_;
}

std::vector<ReadablePart> StepperCanvas::readableParts() const {
    std::vector<ReadablePart> parts;
    if (!isReady()) {
        return parts;
    }
    const StepperLayout layout = layoutNow();
    const double scale = this->scale();
    const auto onScreen = [&](const QRectF& area) {
        return QRectF(area.topLeft() * scale, area.size() * scale).toAlignedRect();
    };
    for (const StepperChip& chip : layout.chips) {
        parts.push_back(readablePart(stepperChipLines(shown(), chip.chip), onScreen(chip.area)));
    }
    for (const StepperLink& link : layout.links) {
        if (parts.size() < most_readable_parts) {
            parts.push_back(readablePart(stepperLinkLines(shown(), link.link), onScreen(link.area)));
        }
    }
    return parts;
}

QStringList StepperCanvas::linesAt(const QPoint& point) const {
    if (!isReady()) {
        return {};
    }
    const StepperLayout layout = layoutNow();
    const QPointF at = QPointF(point) / scale();
    for (const StepperMatrix& matrix : layout.matrices) {
        if (matrix.area.united(matrix.name).contains(at)) {
            return stepperMatrixLines(shown(), matrix.chip, matrix.value);
        }
    }
    for (const StepperChunks& chunks : layout.chunks) {
        if (chunks.area.contains(at)) {
            return stepperChunkLines(shown(), chunks.chip);
        }
    }
    for (const StepperLink& link : layout.links) {
        if (link.area.contains(at)) {
            return stepperLinkLines(shown(), link.link);
        }
    }
    for (const StepperLine& line : layout.code) {
        if (line.area.contains(at) && line.operation) {
            return {line.text, tr("Click: go to the next step that runs it")};
        }
    }
    return {};
}

bool StepperCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(help->pos()));
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride) { // Before the window's own full stop and comma.
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Period || key == Qt::Key_Comma) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void StepperCanvas::mousePressEvent(QMouseEvent* event) {
    if (isReady() && event->button() == Qt::LeftButton) {
        const QPointF at = QPointF(event->pos()) / scale();
        for (const StepperLine& line : layoutNow().code) {
            if (!line.area.contains(at) || !line.operation) {
                continue;
            }
            const std::size_t count = stepping_->moments.size();
            for (std::size_t k = 1; k <= count; ++k) { // Round and round.
                if (stepping_->moments[(moment_ + k) % count].line == line.operation) {
                    setMoment((moment_ + k) % count);
                    break;
                }
            }
        }
    }
    QWidget::mousePressEvent(event);
}

void StepperCanvas::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Comma:
    case Qt::Key_Left: setMoment(moment_ > 0 ? moment_ - 1 : 0); return;
    case Qt::Key_Period:
    case Qt::Key_Right: setMoment(moment_ + 1); return;
    case Qt::Key_PageDown: skipLine(true); return;
    case Qt::Key_PageUp: skipLine(false); return;
    case Qt::Key_Home: setMoment(0); return;
    case Qt::Key_End: setMoment(lastMoment()); return;
    default: QWidget::keyPressEvent(event);
    }
}

void StepperCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        changed();
    }
    QWidget::changeEvent(event);
}

void StepperCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    changed();
}

} // namespace meshslice::ui
