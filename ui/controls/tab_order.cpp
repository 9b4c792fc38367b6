#include "ui/controls/tab_order.h"

#include <QWidget>

namespace meshslice::ui {

void tabInOrder(std::initializer_list<QWidget*> widgets) {
    QWidget* before = nullptr;
    for (QWidget* widget : widgets) {
        if (before != nullptr) {
            QWidget::setTabOrder(before, widget);
        }
        before = widget;
    }
}

} // namespace meshslice::ui
