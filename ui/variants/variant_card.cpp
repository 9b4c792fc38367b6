#include "ui/variants/variant_card.h"

#include "ui/look/lettering.h"
#include "ui/look/palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr int card_margin = 8;
constexpr int card_gap = 8;
/// More than a card or a title shows; the card cuts it with an ellipsis, and its tooltip has all of it.
constexpr int longest_name = 100; // as files have it

} // namespace

VariantCard::VariantCard(QWidget* parent) : QAbstractButton(parent) {
    setCheckable(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
}

void VariantCard::setFace(const CardFace& face) {
    if (face == face_) {
        return;
    }
    face_ = face;
    setChecked(face.current);
    setToolTip(face.tip);
    const QString spoken = face.letter.isEmpty() ? face.name : face.letter + QStringLiteral(": ") + face.name;
    setAccessibleName(spoken);
    setAccessibleDescription(
        QStringList({face.trouble, face.answer, face.difference}).join(QStringLiteral(" ")).trimmed());
    update();
}

QSize VariantCard::sizeHint() const {
    const QFontMetrics metrics = fontMetrics();
    return {card_margin * 2 + metrics.horizontalAdvance(QLatin1Char('0')) * (folded_ ? 40 : 32),
            metrics.height() * (folded_ ? 1 : 2) + (folded_ ? 8 : 14)};
}

void VariantCard::setFolded(bool folded) {
    if (folded != folded_) {
        folded_ = folded;
        updateGeometry();
        update();
    }
}

QSize VariantCard::minimumSizeHint() const {
    return {card_margin * 2 + fontMetrics().horizontalAdvance(QLatin1Char('0')) * 20, sizeHint().height()};
}

void VariantCard::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme theme = themeOf(palette());
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(face_.current ? palette().color(QPalette::Highlight) : palette().color(QPalette::Mid),
                        face_.current ? 2 : 1));
    painter.setBrush(palette().color(face_.current || underMouse() ? QPalette::Base : QPalette::Window));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::WindowText), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(3, 3, -3, -3), 2, 2);
    }
    const int edge = folded_ ? 2 : 5;
    const QRectF area = QRectF(rect()).adjusted(card_margin, edge, -card_margin, -edge);
    const QRectF top(area.left(), area.top(), area.width(), folded_ ? area.height() : area.height() / 2);
    const QRectF bottom(area.left(), area.center().y() + 1, area.width(), area.height() / 2 - 1);
    QFont bold = font();
    bold.setBold(true);

    painter.setPen(palette().color(QPalette::WindowText));
    double left = top.left();
    if (!face_.letter.isEmpty()) {
        painter.setFont(bold);
        drawFitted(painter, top, Qt::AlignLeft | Qt::AlignVCenter, bold, face_.letter);
        left += textWidth(bold, face_.letter) + card_gap;
    }
    if (folded_) {
        paintFolded(painter, QRectF(left, top.top(), top.right() - left, top.height()));
        return;
    }
    const double answer = textWidth(font(), face_.answer);
    drawFitted(painter, top, Qt::AlignRight | Qt::AlignVCenter, font(), face_.answer);
    const QRectF place(left, top.top(), top.right() - answer - card_gap - left, top.height());
    drawFitted(painter, place, Qt::AlignLeft | Qt::AlignVCenter, face_.current ? bold : font(), face_.name);

    double right = bottom.right();
    const auto note = [&](const QString& words, const QColor& colour) {
        if (!words.isEmpty()) {
            painter.setPen(colour);
            drawFitted(painter, QRectF(bottom.left(), bottom.top(), right - bottom.left(), bottom.height()),
                       Qt::AlignRight | Qt::AlignVCenter, font(), words);
            right -= textWidth(font(), words) + card_gap;
        }
    };
    note(face_.difference, palette().color(QPalette::WindowText));
    note(face_.trouble, warningText(theme));
    // As long as the others' bars, so that they can be compared by eye.
    paintBar(painter,
             QRectF(bottom.left(), bottom.top(),
                    std::min(right, bottom.left() + bottom.width() / 2.6) - bottom.left(), bottom.height()));
}

/// The name has the room that it needs up to half; the rest says as much as fits, the time at least.
void VariantCard::paintFolded(QPainter& painter, const QRectF& area) const {
    QFont name = font();
    name.setBold(face_.current);
    const double own = std::min(textWidth(name, face_.name), area.width() / 2);
    const QString time = face_.answer.section(QLatin1Char(','), 0, 0);
    const QString gap = QStringLiteral("   ");
    const QString said = firstFitting(font(),
                                      {face_.answer + gap + face_.difference + gap + face_.trouble,
                                       time + gap + face_.difference + gap + face_.trouble,
                                       time + gap + face_.difference, time + gap + face_.trouble, time},
                                      area.width() - own - card_gap)
                             .trimmed();
    drawFitted(painter, area, Qt::AlignRight | Qt::AlignVCenter, font(), said);
    const double room = area.width() - textWidth(font(), said) - card_gap;
    drawFitted(painter, QRectF(area.left(), area.top(), std::max(0.0, room), area.height()),
               Qt::AlignLeft | Qt::AlignVCenter, name, face_.name);
}

/// The time of the core: multiplying, waiting, and the rest.
void VariantCard::paintBar(QPainter& painter, const QRectF& area) const {
    if (face_.length <= 0 || area.width() < 8) {
        return;
    }
    const Theme theme = themeOf(palette());
    painter.setRenderHint(QPainter::Antialiasing, false);
    const QRectF bar(area.left(), area.center().y() - 4, area.width() * face_.length, 8);
    painter.fillRect(bar, palette().color(QPalette::Base));
    const QRectF computes(bar.left(), bar.top(), bar.width() * face_.computes, bar.height());
    painter.fillRect(computes, color(Role::compute, theme));
    const QRectF waits(computes.right(), bar.top(), bar.width() * face_.waits, bar.height());
    painter.fillRect(waits, QBrush(color(Role::exposed, theme), Qt::BDiagPattern));
    painter.setPen(palette().color(QPalette::Mid));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
}

void VariantCard::mousePressEvent(QMouseEvent* event) {
    QAbstractButton::mousePressEvent(event);
    if (event->button() == Qt::LeftButton) {
        grabbed_ = event->pos().x();
        drags_ = false;
    }
}

void VariantCard::mouseMoveEvent(QMouseEvent* event) {
    QAbstractButton::mouseMoveEvent(event);
    if (!grabbed_) {
        return;
    }
    drags_ = drags_ || std::abs(event->pos().x() - *grabbed_) >= QApplication::startDragDistance();
    if (drags_) {
        setCursor(Qt::ClosedHandCursor);
    }
}

void VariantCard::mouseReleaseEvent(QMouseEvent* event) {
    const int grabbed = grabbed_.value_or(0);
    grabbed_.reset();
    unsetCursor();
    if (std::exchange(drags_, false)) {
        setDown(false); // a drag is not a click
        event->accept();
        emit dropped(mapToParent(event->pos()).x() - grabbed + width() / 2);
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
}

void VariantCard::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) {
        editName();
    }
}

void VariantCard::editName() {
    if (name_ == nullptr) {
        name_ = new QLineEdit(face_.name, this);
        name_->setAccessibleName(tr("Name of the variant"));
        name_->setToolTip(tr("Enter takes the name, Escape leaves it as it is."));
        name_->setMaxLength(std::max(longest_name, static_cast<int>(face_.name.size())));
        connect(name_, &QLineEdit::inputRejected, this, [this] {
            QToolTip::showText(name_->mapToGlobal(QPoint(0, name_->height())),
                               tr("A name has at most %1 characters.").arg(name_->maxLength()), name_);
        });
        name_->installEventFilter(this);
        connect(name_, &QLineEdit::returnPressed, this, [this] {
            endName(true);
            setFocus();
        });
    }
    placeName();
    name_->show();
    name_->selectAll();
    name_->setFocus();
}

void VariantCard::placeName() {
    if (name_ != nullptr) {
        name_->setGeometry(rect().adjusted(2, 2, -2, -2));
    }
}

void VariantCard::resizeEvent(QResizeEvent* event) {
    QAbstractButton::resizeEvent(event);
    placeName();
}

bool VariantCard::eventFilter(QObject* watched, QEvent* event) {
    if (watched == name_) {
        if (event->type() == QEvent::FocusOut) {
            const Qt::FocusReason why = static_cast<QFocusEvent*>(event)->reason();
            if (why != Qt::PopupFocusReason && why != Qt::ActiveWindowFocusReason) {
                endName(true); // the focus is on its way to where the user wants it
            }
        } else if (event->type() == QEvent::KeyPress &&
                   static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            endName(false);
            setFocus();
            return true;
        } else if (event->type() == QEvent::ShortcutOverride) {
            event->accept(); // the window's keys are letters here
        }
    }
    return QAbstractButton::eventFilter(watched, event);
}

void VariantCard::endName(bool take) {
    if (name_ == nullptr) {
        return;
    }
    QLineEdit* field = std::exchange(name_, nullptr);
    field->removeEventFilter(this);
    field->hide();
    field->deleteLater();
    const QString name = field->text().trimmed();
    if (take && !name.isEmpty() && name != face_.name) {
        emit nameAsked(name);
    }
}

} // namespace meshslice::ui
