#include "ui/lab/lab_drag.h"

#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct LabDragWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Lab)
};

QString letterOf(const LabShown& shown, std::size_t axis) {
    return QString(QLatin1Char(shown.question->mesh.axes[axis].name));
}

void paintTag(QPainter& painter, const QRectF& area, const QString& letter, Theme theme) {
    painter.setPen(QPen(color(Role::quietText, theme), 1));
    painter.setBrush(tint(Role::transferHorizontal, theme, 0.25));
    painter.drawRoundedRect(area, 4, 4);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, area, Qt::AlignCenter, lettering(Lettering::normal, true), letter);
}

} // namespace

std::optional<std::size_t> axisAt(const LabLayout& layout, const QPointF& at) {
    const auto found =
        std::ranges::find_if(layout.axes, [&](const LabAxis& one) { return one.area.contains(at); });
    return found == layout.axes.end() ? std::nullopt : std::optional(found->axis);
}

std::optional<LabDrop> dropAt(const LabLayout& layout, const LabShown& shown, const QPointF& at) {
    for (const LabMatrix& matrix : layout.matrices) {
        if (!matrix.area.contains(at)) {
            continue;
        }
        const double right = (at.x() - matrix.area.left()) / matrix.area.width();
        const double down = (at.y() - matrix.area.top()) / matrix.area.height();
        const bool flat = shown.question->gemm.operand(matrix.which).dimensions.size() < 2;
        return LabDrop{matrix.which, flat || right < down ? std::size_t{0} : std::size_t{1}};
    }
    return std::nullopt;
}

ShardedArray dropped(ShardedArray array, std::size_t dimension, std::size_t axis) {
    AxisList& target = array.dimensions[dimension].axes;
    if (std::erase(target, axis) > 0) {
        return array;
    }
    for (ArrayDimension& other : array.dimensions) {
        std::erase(other.axes, axis);
    }
    std::erase(array.unreduced, axis);
    target.push_back(axis);
    return array;
}

void paintAxes(QPainter& painter, const LabLayout& layout, const LabShown& shown, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const LabAxis& one : layout.axes) {
        paintTag(painter, one.area, letterOf(shown, one.axis), theme);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, layout.axes_hint, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
               LabDragWords::tr("drag onto a matrix"));
}

void paintDrag(QPainter& painter, const LabLayout& layout, const LabShown& shown, std::size_t axis,
               const QPointF& at, Theme theme) {
    QString says = letterOf(shown, axis);
    if (const std::optional<LabDrop> drop = dropAt(layout, shown, at)) {
        const auto matrix = std::ranges::find(layout.matrices, drop->which, &LabMatrix::which);
        const QRectF& area = matrix->area;
        const bool rows = drop->dimension == 0 && matrix->area.width() > 0 &&
                          shown.question->gemm.operand(drop->which).dimensions.size() == 2;
        const QRectF edge = rows ? QRectF(area.left() - 4, area.top(), 6, area.height())
                                 : QRectF(area.left(), area.top() - 4, area.width(), 6);
        painter.fillRect(edge, color(Role::text, theme));
        says = words(text(dropped(shown.question->gemm.operand(drop->which), drop->dimension, axis),
                          shown.question->mesh));
    }
    const QFont font = lettering(Lettering::normal, true);
    const double width = QFontMetricsF(font).horizontalAdvance(says) + 16;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(color(Role::text, theme), 1));
    painter.setBrush(color(Role::background, theme));
    const QRectF box(at.x() + 10, at.y() - 26, width, 22);
    painter.drawRoundedRect(box, 4, 4);
    painter.setBrush(Qt::NoBrush);
    drawFitted(painter, box, Qt::AlignCenter, font, says);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace meshslice::ui
