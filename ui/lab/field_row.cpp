#include "ui/lab/field_row.h"

#include <QHBoxLayout>

namespace meshslice::ui {

QHBoxLayout* fieldRow(std::initializer_list<std::pair<QWidget*, int>> widgets) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 0);
    row->setSpacing(8);
    for (const auto& [widget, stretch] : widgets) {
        row->addWidget(widget, stretch);
    }
    return row;
}

} // namespace meshslice::ui
