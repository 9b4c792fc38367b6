#include "ui/lab/form/field_row.h"

#include "ui/controls/wrapping_row.h"

namespace meshslice::ui {

WrappingRow* fieldRow(std::initializer_list<std::pair<QWidget*, int>> widgets) {
    auto* row = new WrappingRow(8);
    row->setContentsMargins(12, 6, 12, 0);
    for (const auto& [widget, stretch] : widgets) {
        row->add(widget, stretch);
    }
    return row;
}

} // namespace meshslice::ui
