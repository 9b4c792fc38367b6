#pragma once

#include <QStyledItemDelegate>

#include <functional>
#include <optional>

namespace meshslice::ui {

/// Draws a bar behind the numbers of a table, as long as the number's part of its column's largest one; the
/// largest has the colour of what is wrong.
class BarCells : public QStyledItemDelegate {
    Q_OBJECT
  public:
    /// The part of a cell's number in the largest of its column, 0 to 1; none where the cell has no bar.
    using Share = std::function<std::optional<double>(const QModelIndex& index)>;

    BarCells(Share share, QObject* parent) : QStyledItemDelegate(parent), share_(std::move(share)) {}

  protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

  private:
    Share share_;
};

} // namespace meshslice::ui
