#include "ui/planner/plan_table_model.h"

#include "core/scenario/fields.h"
#include "ui/look/words.h"

#include <QComboBox>
#include <QFont>
#include <QLineEdit>

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 9> fields_of_columns = {
    {{"dp", "planning.dp"},
     {"pp", "planning.pp"},
     {"tp", "planning.tp"},
     {"ep", "planning.ep"},
     {"micro-batch", "planning.micro_batch"},
     {"schedule", "planning.schedule"},
     {"recompute", "planning.recompute"},
     {"ZeRO", "planning.zero"},
     {"panels", "planning.panels"}}};

constexpr const char* chosen_property = "chosen"; ///< of a list, by the user

const PlanTableModel* planTable(const QModelIndex& index) {
    return qobject_cast<const PlanTableModel*>(index.model());
}

} // namespace

std::string_view PlanTableModel::fieldOf(int column) const {
    if (column < 0 || column >= columnCount()) {
        return {};
    }
    const auto* const found = std::ranges::find(
        fields_of_columns, std::string_view(source().columns[static_cast<std::size_t>(column)]),
        &std::pair<std::string_view, std::string_view>::first);
    return found == fields_of_columns.end() ? std::string_view() : found->second;
}

int PlanTableModel::columnOf(std::string_view field) const {
    for (int column = 0; column < columnCount(); ++column) {
        if (fieldOf(column) == field) {
            return column;
        }
    }
    return -1;
}

int PlanTableModel::columnNamed(std::string_view name) const {
    const auto& columns = source().columns;
    const auto found = std::ranges::find(columns, name);
    return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

void PlanTableModel::setFixed(std::set<std::string, std::less<>> fields) {
    fixed_ = std::move(fields);
    if (rowCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::FontRole});
    }
}

Qt::ItemFlags PlanTableModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags usual = TableModel::flags(index);
    return fieldOf(index.column()).empty() ? usual : usual | Qt::ItemIsEditable;
}

QVariant PlanTableModel::data(const QModelIndex& index, int role) const {
    const std::string_view field = fieldOf(index.column());
    if (field.empty()) {
        const bool said = (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) &&
                          index.column() == columnNamed("expected_s");
        return said ? expected_.value(index.row()) : TableModel::data(index, role);
    }
    switch (role) {
    case Qt::EditRole: return TableModel::data(index, sort_role).toString();
    case Qt::FontRole: {
        if (!fixed_.contains(field)) {
            return {};
        }
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ToolTipRole:
        return fixed_.contains(field)
                   ? tr("Fixed. Double click, F2 or Enter changes it; auto leaves it to the search.")
                   : tr("Chosen by the search. Double click, F2 or Enter fixes it.");
    default: return TableModel::data(index, role);
    }
}

bool PlanTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const std::string_view field = fieldOf(index.column());
    const QString text = value.toString().trimmed();
    if (role != Qt::EditRole || field.empty() ||
        (text == data(index, Qt::EditRole).toString() && fixed_.contains(field))) {
        return false;
    }
    emit editAsked(words(std::string(field)), text);
    return true;
}

QWidget* PlanCellEditor::createEditor(QWidget* parent, const QStyleOptionViewItem& /*option*/,
                                      const QModelIndex& index) const {
    const Field<Scenario>& row = scenario_field(planTable(index)->fieldOf(index.column()));
    if (row.choices.empty()) {
        auto* line = new QLineEdit(parent);
        line->setFrame(false);
        line->setAccessibleName(translated(row.label));
        line->setPlaceholderText(tr("auto"));
        return line;
    }
    auto* list = new QComboBox(parent);
    list->setAccessibleName(translated(row.label));
    for (const FieldChoice& choice : row.choices) {
        list->addItem(translated(choice.label.empty() ? choice.word : choice.label), words(choice.word));
    }
    list->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* self = const_cast<PlanCellEditor*>(this); // Qt's createEditor() is const, its signals are not
    connect(list, &QComboBox::activated, self, [self, list] {
        list->setProperty(chosen_property, true);
        emit self->commitData(list);
        emit self->closeEditor(list);
    });
    return list;
}

void PlanCellEditor::setEditorData(QWidget* editor, const QModelIndex& index) const {
    const QString now = index.data(Qt::EditRole).toString();
    if (auto* line = qobject_cast<QLineEdit*>(editor)) {
        line->setText(now);
        line->selectAll();
    } else if (auto* list = qobject_cast<QComboBox*>(editor)) {
        if (list->findData(now) < 0) {
            list->insertItem(0, now, now);
        }
        list->setCurrentIndex(list->findData(now));
    }
}

void PlanCellEditor::setModelData(QWidget* editor, QAbstractItemModel* model,
                                  const QModelIndex& index) const {
    if (auto* line = qobject_cast<QLineEdit*>(editor)) {
        if (line->isModified() || line->hasFocus()) { // else it was left as it was
            model->setData(index, line->text());
        }
    } else if (auto* list = qobject_cast<QComboBox*>(editor)) {
        if (list->property(chosen_property).toBool()) {
            model->setData(index, list->currentData());
        }
    }
}

} // namespace meshslice::ui
