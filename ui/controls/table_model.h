#pragma once

#include "core/figure/table.h"

#include <QAbstractTableModel>

#include <vector>

namespace meshslice::ui {

/// Shows one of the engine's tables: quantities with their units by the ending of the column's name, numbers
/// to the right. It adapts and computes nothing.
class TableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// The bare number or text of a cell, to sort by and to copy; of a header, the column's name with its
    /// unit.
    static constexpr int sort_role = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    void setTable(const Table& table);
    /// Adds rows at the end and leaves the others alone.
    void addRows(const std::vector<std::vector<Table::Cell>>& rows);
    [[nodiscard]] const Table& source() const { return table_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

  private:
    Table table_;
};

/// In front of the name of a column that says how much more something is; its cells have a sign.
inline constexpr const char* difference_column = "difference ";

/// "12.3 ms" for 0.0123 in a column "time_s".
[[nodiscard]] QString cellText(const std::string& column, const Table::Cell& cell);
/// "time" for "time_s": the unit stands in the cells.
[[nodiscard]] QString columnTitle(const std::string& column);

} // namespace meshslice::ui
