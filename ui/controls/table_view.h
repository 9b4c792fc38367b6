#pragma once

#include "core/figure/table.h"

#include <QString>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace meshslice::ui {

/// A table of whole rows as every view shows it: no grid, every other row shaded, no row numbers. Tab leaves
/// it: it is one stop, not a thousand. `name` is for screen readers. Ctrl+A and Ctrl+C copy it for a
/// spreadsheet.
[[nodiscard]] QTableView* makeTableView(QAbstractItemModel* model, const QString& name,
                                        QWidget* parent = nullptr);
/// The selected rows of a table of TableModel, or all where none is selected, in the order shown: a line of
/// the columns' full names with their units, then the bare numbers, between tabs.
[[nodiscard]] QString tabSeparated(const QTableView& view);
/// A whole table in the same form.
[[nodiscard]] QString tabSeparated(const Table& table);
/// Rows as high as the font asks; again where that may have changed.
void fitRowHeight(QTableView* view);

} // namespace meshslice::ui
