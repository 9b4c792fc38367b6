#include "ui/editor/field_group.h"

#include "ui/look/glossary.h"
#include "ui/look/palette.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

class Choice : public QComboBox {
  public:
    using QComboBox::QComboBox;

    void showPopup() override {
        const int scroll_bar = 24;
        view()->setMinimumWidth(qMax(width(), view()->sizeHintForColumn(0) + scroll_bar));
        QComboBox::showPopup();
    }

  protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); } // the wheel scrolls the panel

    void paintEvent(QPaintEvent* /*event*/) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        option.currentText = elided(option);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }

    bool event(QEvent* event) override {
        if (event->type() == QEvent::ToolTip) {
            QStyleOptionComboBox option;
            initStyleOption(&option);
            const QString whole = elided(option) == currentText()
                                      ? QString()
                                      : QStringLiteral("<p><b>%1</b></p>").arg(currentText().toHtmlEscaped());
            QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), whole + toolTip(), this);
            return true;
        }
        return QComboBox::event(event);
    }

  private:
    [[nodiscard]] QString elided(const QStyleOptionComboBox& option) const {
        const QRect room =
            style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        const int padding = 4; // styles keep some to the text's sides
        return fontMetrics().elidedText(currentText(), Qt::ElideRight, room.width() - padding);
    }
};

} // namespace

FieldGroup::FieldGroup(const QString& heading, QWidget* parent)
    : QWidget(parent)
    , title_(new QLabel(heading, this))
    , body_(new QWidget(this))
    , grid_(new QGridLayout(body_))
    , sentence_(new QLabel(this)) {
    sentence_->setWordWrap(true);
    sentence_->setMinimumWidth(1); // a long word does not widen the panel
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sentence_->setAccessibleName(tr("Why this is refused"));
    sentence_->hide();
    colorSentence();
    QFont bold = title_->font();
    bold.setBold(true);
    title_->setFont(bold);

    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(8);
    grid_->setVerticalSpacing(4);
    grid_->setColumnStretch(1, 1);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(title_);
    column->addWidget(body_);
}

void FieldGroup::makeCollapsible() {
    fold_ = new QToolButton(this);
    fold_->setAutoRaise(true);
    fold_->setFocusPolicy(Qt::StrongFocus);
    fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QFont bold; // of which only the weight is the button's own
    bold.setBold(true);
    fold_->setFont(bold);
    setHeading(title_->text());
    delete layout()->replaceWidget(title_, fold_);
    title_->hide();
    connect(fold_, &QToolButton::clicked, this, [this] { setExpanded(!isExpanded()); });
    setExpanded(false);
}

void FieldGroup::setExpanded(bool expanded) {
    fold_->setArrowType(expanded ? Qt::DownArrow : Qt::RightArrow);
    body_->setVisible(expanded);
    emit expandedChanged();
}

void FieldGroup::setHeading(const QString& heading) {
    title_->setText(heading);
    if (fold_ != nullptr) {
        fold_->setText(heading);
        fold_->setAccessibleName(heading);
        fold_->setToolTip(tr("Shows or hides them"));
    }
}

void FieldGroup::addBehind(QWidget* field, QWidget* button) {
    for (const Line& line : lines_) {
        if (line.field == field) {
            grid_->addWidget(button, line.row, 3);
        }
    }
}

QLabel* FieldGroup::labelOf(const QWidget* field) const {
    const auto line = std::ranges::find(lines_, field, &Line::field);
    return line == lines_.end() ? nullptr : line->label;
}

void FieldGroup::setMarked(QWidget* field, bool marked) {
    for (const Line& line : lines_) {
        if (line.field == field) {
            QFont font; // of which only the weight is the label's own
            font.setBold(marked);
            line.label->setFont(font);
        }
    }
}

QLabel* FieldGroup::makeLabel(const QString& text, QWidget* field, const QString& meaning) {
    auto* label = new QLabel(text, this);
    label->setWordWrap(narrow_);
    label->setBuddy(field);
    QString plain = text;
    plain.remove(QLatin1Char('&'));
    field->setAccessibleName(plain);
    field->setAccessibleDescription(meaning);
    const QString tip =
        QStringLiteral("<p>%1</p>").arg(meaning.toHtmlEscaped()); // rich text, so that it wraps
    field->setToolTip(tip);
    label->setToolTip(tip + glossaryParagraph(plain));
    return label;
}

void FieldGroup::addNumber(const QString& label, QWidget* field, const QString& unit,
                           const QString& meaning) {
    const int row = nextRow();
    const Line line{makeLabel(label, field, meaning), field, new QLabel(unit, this), nullptr, row};
    line.unit->setForegroundRole(QPalette::PlaceholderText);
    if (narrow_) { // A spin box does not get narrower than it would like to be.
        field->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    grid_->addWidget(line.label, row, 0);
    grid_->addWidget(field, row, 1);
    grid_->addWidget(line.unit, row, 2);
    lines_.push_back(line);
}

void FieldGroup::addChoice(const QString& label, QWidget* field, QWidget* extra, const QString& meaning) {
    const int row = nextRow();
    const Line line{makeLabel(label, field, meaning), field, nullptr, extra, row};
    auto* fields = new QHBoxLayout;
    fields->setSpacing(4);
    fields->addWidget(field, 1);
    if (extra != nullptr) {
        fields->addWidget(extra);
    }
    grid_->addWidget(line.label, row, 0);
    grid_->addLayout(fields, row, 1, 1, 3);
    lines_.push_back(line);
}

void FieldGroup::addWide(QWidget* widget) {
    grid_->addWidget(widget, nextRow(), 0, 1, 4);
}

int FieldGroup::nextRow() {
    return std::exchange(rows_, rows_ + 2);
}

void FieldGroup::setFieldVisible(QWidget* field, bool visible) {
    for (const Line& line : lines_) {
        if (line.field != field) {
            continue;
        }
        for (QWidget* part :
             {static_cast<QWidget*>(line.label), line.field, static_cast<QWidget*>(line.unit), line.extra}) {
            if (part != nullptr) {
                part->setVisible(visible);
            }
        }
    }
}

int FieldGroup::labelWidth() const {
    int width = 0;
    if (isHidden()) {
        return width; // all of it is of another task
    }
    for (const Line& line : lines_) {
        width = qMax(width, isExpanded() && !narrow_ ? line.label->sizeHint().width() : 0);
    }
    return width;
}

int FieldGroup::unitWidth() const {
    int width = 0;
    if (isHidden()) {
        return width;
    }
    for (const Line& line : lines_) {
        const bool counts = line.unit != nullptr && isExpanded() && !narrow_;
        width = qMax(width, counts ? line.unit->sizeHint().width() : 0);
    }
    return width;
}

int FieldGroup::longestWord() const {
    QFont bold = font(); // which marked labels have
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    int width = 0;
    for (const Line& line : lines_) {
        for (QString word : line.label->text().split(QLatin1Char(' '))) {
            width = qMax(width, metrics.horizontalAdvance(word.remove(QLatin1Char('&'))));
        }
    }
    return width + 2;
}

void FieldGroup::setColumnWidths(int label, int unit) {
    const int own = narrow_ ? longestWord() : label;
    grid_->setColumnMinimumWidth(0, own);
    grid_->setColumnMinimumWidth(2, narrow_ ? 0 : unit);
    for (const Line& line : lines_) {
        if (narrow_) {
            line.label->setFixedWidth(own);
        }
    }
    // From the inside out, so that what is around hears of it now.
    grid_->activate();
    layout()->activate();
}

void FieldGroup::showSentence(const QString& sentence, QWidget* field) {
    QWidget* marked = sentence.isEmpty() ? nullptr : field;
    if (sentence == sentence_->text() && marked == marked_) {
        return;
    }
    if (marked_) {
        marked_->setPalette({});
    }
    marked_ = marked;
    if (fold_ != nullptr && !sentence.isEmpty()) {
        setExpanded(true); // The sentence must be seen.
    }
    int row = rows_;
    for (const Line& line : lines_) {
        row = line.field == field ? line.row + 1 : row;
    }
    grid_->removeWidget(sentence_);
    grid_->addWidget(sentence_, row, 0, 1, 4);
    sentence_->setText(sentence);
    sentence_->setVisible(!sentence.isEmpty());
    colorSentence();
    emit sentenceChanged();
}

QString FieldGroup::sentence() const {
    return sentence_->text();
}

void FieldGroup::colorSentence() {
    const Theme theme = themeOf(palette());
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, warningText(theme));
    sentence_->setPalette(colours);
    if (marked_) {
        QPalette field = palette();
        for (const QPalette::ColorRole role : {QPalette::Base, QPalette::Button}) {
            field.setColor(role, tint(Role::exposed, theme, 0.2));
        }
        marked_->setPalette(field);
    }
}

void FieldGroup::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        colorSentence();
    }
}

QComboBox* makeChoice(QWidget* parent) {
    auto* choice = new Choice(parent);
    choice->setFocusPolicy(Qt::StrongFocus);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(9);
    return choice;
}

} // namespace meshslice::ui
