#include "ui/controls/scrolling.h"

#include <QScrollArea>

namespace meshslice::ui {

QScrollArea* makeScrolling(QWidget* page, QWidget* parent) {
    auto* frame = new QScrollArea(parent);
    frame->setFrameShape(QFrame::NoFrame);
    frame->setFocusPolicy(Qt::NoFocus);
    frame->setWidgetResizable(true);
    frame->setWidget(page);
    return frame;
}

} // namespace meshslice::ui
