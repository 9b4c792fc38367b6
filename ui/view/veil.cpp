#include "ui/view/veil.h"

#include "ui/look/lettering.h"
#include "ui/look/palette.h"
#include "ui/look/picture_scale.h"

#include <QEvent>
#include <QPainter>

namespace meshslice::ui {
namespace {

constexpr int strip_height = 22;
constexpr int veil_alpha = 110;

} // namespace

Veil::Veil(QWidget* over, Note note) : QWidget(over), note_(note) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(Veil::note());
    over->installEventFilter(this);
    hide();
}

QString Veil::note() {
    return tr("Updating… (showing the previous result)");
}

void Veil::setOn(bool on) {
    if (on == !isHidden()) {
        return;
    }
    if (on) {
        setGeometry(parentWidget()->rect());
        raise();
    }
    setVisible(on);
}

bool Veil::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void Veil::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.scale(pictureScale(), pictureScale());
    const QSizeF whole = toPicture(size());
    const Theme theme = themeOf(palette());
    QColor veil = color(Role::background, theme);
    veil.setAlpha(veil_alpha);
    painter.fillRect(QRectF(QPointF(0, 0), whole), veil);
    const QFont font = lettering(Lettering::normal);
    QRectF strip(0, whole.height() - strip_height, whole.width(), strip_height);
    if (note_ == Note::right) {
        const double wide = std::min(whole.width(), textWidth(font, note()) + 32);
        strip = QRectF(whole.width() - wide, 0, wide, whole.height());
    }
    painter.fillRect(strip, color(Role::panel, theme));
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, strip.adjusted(8, 0, -8, 0), Qt::AlignCenter, font, note());
}

} // namespace meshslice::ui
