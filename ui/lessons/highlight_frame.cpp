#include "ui/lessons/highlight_frame.h"

#include <QEvent>
#include <QPainter>

namespace meshslice::ui {
namespace {

constexpr int highlight_width = 2;
constexpr int highlight_gap = 1;

} // namespace

HighlightFrame::HighlightFrame(QWidget* target) : QWidget(target->parentWidget()), target_(target) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QStringLiteral("highlight"));
    target->installEventFilter(this);
    if (parentWidget() != nullptr) {
        parentWidget()->installEventFilter(this); // whose size decides what of the frame is seen
    }
    follow();
}

void HighlightFrame::follow() {
    if (!target_ || parentWidget() == nullptr) {
        hide();
        return;
    }
    constexpr int out = highlight_width + highlight_gap;
    // What fills its parent is framed inside, or nothing of the frame would be seen.
    setGeometry(target_->geometry().adjusted(-out, -out, out, out).intersected(parentWidget()->rect()));
    setVisible(!target_->isHidden());
    raise();
}

bool HighlightFrame::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::ShowToParent:
    case QEvent::HideToParent:
    case QEvent::ZOrderChange: follow(); break;
    default: break;
    }
    return QWidget::eventFilter(watched, event);
}

void HighlightFrame::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const auto ring = [&](int inset, int width, const QColor& color) {
        const QRect outer = rect().adjusted(inset, inset, -inset, -inset);
        const QRect inner = outer.adjusted(width, width, -width, -width);
        painter.setClipRegion(QRegion(outer) - QRegion(inner));
        painter.fillRect(outer, color);
    };
    ring(0, highlight_width, palette().color(QPalette::WindowText));
    ring(highlight_width, highlight_gap, palette().color(QPalette::Window));
}

} // namespace meshslice::ui
