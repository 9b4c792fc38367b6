#pragma once

#include <QString>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace meshslice::ui {

/// A table of whole rows as every view shows it: no grid, every other row shaded, no row numbers. Tab leaves
/// it: it is one stop, not a thousand. `name` is for screen readers.
[[nodiscard]] QTableView* makeTableView(QAbstractItemModel* model, const QString& name,
                                        QWidget* parent = nullptr);
/// Rows as high as the font asks; again where that may have changed.
void fitRowHeight(QTableView* view);

} // namespace meshslice::ui
