#pragma once

#include <QStyledItemDelegate>

namespace meshslice::ui {

/// Of the first study of a paper: what stands above it. No text where there is none.
inline constexpr int study_heading_role = Qt::UserRole;

/// A list of studies in which each paper's stand under its name. The heading is a part of the item below it,
/// so that rows are studies.
class StudyHeadings : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace meshslice::ui
