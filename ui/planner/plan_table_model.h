#pragma once

#include "ui/controls/table_model.h"

#include <QStringList>
#include <QStyledItemDelegate>

#include <set>
#include <string>
#include <string_view>

namespace meshslice::ui {

/// The ranked plans, whose cells can be edited where they are parts that a scenario may fix. It changes
/// nothing itself: what is typed is asked for. Fixed parts are bold.
class PlanTableModel : public TableModel {
    Q_OBJECT
  public:
    using TableModel::TableModel;

    /// The scenario's field that a column is about, "planning.dp"; empty where it is none that can be fixed.
    [[nodiscard]] std::string_view fieldOf(int column) const;
    /// The column of a field, -1 where there is none.
    [[nodiscard]] int columnOf(std::string_view field) const;
    /// What is to be said about what is expected of the plan of each row.
    void setExpected(const QStringList& words) { expected_ = words; }
    /// The column of a name of the table, -1 where there is none.
    [[nodiscard]] int columnNamed(std::string_view name) const;
    /// The fields that the scenario fixes.
    void setFixed(std::set<std::string, std::less<>> fields);

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// Asks for the edit; the table follows the plans that are found then.
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  signals:
    void editAsked(const QString& field, const QString& text);

  private:
    std::set<std::string, std::less<>> fixed_;
    QStringList expected_;
};

/// A line for a number or a grid, a list for a choice.
class PlanCellEditor : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

} // namespace meshslice::ui
