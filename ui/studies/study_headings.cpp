#include "ui/studies/study_headings.h"

#include <QFontMetrics>
#include <QPainter>
#include <QPalette>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr int around_heading = 4; ///< above and below it, the first one's too
constexpr int left_of_heading = 3;

QFont headingFont(const QStyleOptionViewItem& option) {
    QFont font = option.font;
    font.setBold(true);
    return font;
}

int headingHeight(const QStyleOptionViewItem& option, const QModelIndex& index) {
    return index.data(study_heading_role).toString().isEmpty()
               ? 0
               : QFontMetrics(headingFont(option)).height() + 2 * around_heading;
}

} // namespace

void StudyHeadings::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const {
    const int height = headingHeight(option, index);
    if (height > 0) {
        QRect area = option.rect;
        area.setHeight(height);
        area.adjust(left_of_heading, around_heading, 0, -around_heading);
        painter->save();
        painter->setFont(headingFont(option));
        painter->setPen(option.palette.color(QPalette::Text));
        painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, index.data(study_heading_role).toString());
        painter->restore();
    }
    QStyleOptionViewItem below = option;
    below.rect.setTop(option.rect.top() + height);
    QStyledItemDelegate::paint(painter, below, index);
}

QSize StudyHeadings::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize own = QStyledItemDelegate::sizeHint(option, index);
    const int wide =
        QFontMetrics(headingFont(option)).horizontalAdvance(index.data(study_heading_role).toString()) +
        2 * left_of_heading;
    return {std::max(own.width(), wide), own.height() + headingHeight(option, index)};
}

} // namespace meshslice::ui
