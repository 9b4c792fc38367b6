#include "ui/products/bar_cells.h"

#include "ui/look/palette.h"

#include <QLinearGradient>

#include <algorithm>

namespace meshslice::ui {

void BarCells::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const std::optional<double> share = share_(index);
    if (!share || option->state.testFlag(QStyle::State_Selected)) {
        return;
    }
    constexpr double quiet = 0.3;
    constexpr double loud = 0.55;
    constexpr double edge = 1e-6; // the bar ends at once
    const bool worst = *share >= 1;
    const Theme theme = themeOf(option->palette);
    const QColor ink = tint(worst ? Role::exposed : Role::compute, theme, worst ? loud : quiet);
    // Behind the text and left of the next column, from the left edge on.
    QLinearGradient bar(option->rect.topLeft(), option->rect.topRight());
    const double end = std::clamp(*share, 0.0, 1.0 - edge);
    bar.setColorAt(0, ink);
    bar.setColorAt(end, ink);
    bar.setColorAt(end + edge / 2, Qt::transparent);
    bar.setColorAt(1, Qt::transparent);
    option->backgroundBrush = bar;
}

} // namespace meshslice::ui
