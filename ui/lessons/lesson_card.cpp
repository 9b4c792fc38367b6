#include "ui/lessons/lesson_card.h"

#include "ui/controls/scrolling.h"
#include "ui/lessons/lesson_course.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTextLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace meshslice::ui {
namespace {

constexpr int card_lines = 2; ///< below the title
constexpr std::size_t most_card_choices = 5;
constexpr double largest_part = 0.45; ///< of the window, with all of the text

/// The lines of a text where they are so wide.
QStringList cardLines(const QString& text, const QFont& font, int width) {
    QStringList lines;
    for (const QString& paragraph : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        QTextLayout layout(paragraph, font);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(std::max(1, width));
            lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
        }
        layout.endLayout();
    }
    return lines;
}

} // namespace

LessonCard::LessonCard(LessonCourse* course, LessonPanel* panel, QWidget* parent)
    : QWidget(parent)
    , course_(course)
    , panel_(panel)
    , title_(new QLabel(this))
    , place_(new QLabel(this))
    , text_(new QLabel(this))
    , choice_row_(new QWidget(this))
    , more_(makeButton(tr("more"), tr("All of the text")))
    , back_(makeButton(QStringLiteral("‹"), tr("The step before (Left, Page Up)")))
    , forward_(makeButton(QStringLiteral("›"), tr("The next step (Right, Page Down)"))) {
    setAccessibleName(tr("Lesson"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    back_->setAccessibleName(tr("Back"));
    forward_->setAccessibleName(tr("Forward"));
    more_->setCheckable(true);
    QFont bold;
    bold.setBold(true);
    title_->setFont(bold);
    title_->setTextFormat(Qt::PlainText);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // never what makes the window wide
    text_->setTextFormat(Qt::PlainText);
    text_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    layOut();
    connect(panel_, &LessonPanel::renewed, this, &LessonCard::renew);
    connect(more_, &QToolButton::toggled, this, [this](bool all) {
        expanded_ = all;
        breakText();
    });
    connect(back_, &QToolButton::clicked, this, &LessonCard::goBack);
    connect(forward_, &QToolButton::clicked, this, &LessonCard::goOn);
    renew();
}

QToolButton* LessonCard::makeButton(const QString& words, const QString& tip) {
    auto* button = new QToolButton(this);
    button->setText(words);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void LessonCard::layOut() {
    auto* head = new QHBoxLayout;
    head->addWidget(title_, 1);
    for (QWidget* one : std::initializer_list<QWidget*>{more_, back_, place_, forward_}) {
        head->addWidget(one);
    }
    auto* row = new QHBoxLayout(choice_row_);
    row->setContentsMargins(0, 0, 0, 0);
    for (std::size_t k = 0; k < most_card_choices; ++k) {
        choices_.push_back(new QPushButton(choice_row_));
        choices_.back()->setAutoDefault(false);
        choices_.back()->setAccessibleName(tr("Answer %1").arg(k + 1));
        choices_.back()->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        row->addWidget(choices_.back());
        connect(choices_.back(), &QPushButton::clicked, this, [this, k] { choose(k); });
    }
    row->addStretch(1);
    area_ = makeScrolling(text_, this);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setBackgroundRole(QPalette::Base);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(16, 6, 16, 8);
    all->setSpacing(2);
    all->addLayout(head);
    all->addWidget(area_, 1);
    all->addWidget(choice_row_);
}

void LessonCard::goOn() {
    if (course_->awaitsPrediction()) {
        panel_->tell();
    } else if (course_->isAtEnd()) {
        emit panel_->finished();
    } else {
        course_->goOn();
    }
}

void LessonCard::goBack() {
    course_->goBack();
}

bool LessonCard::choose(std::size_t choice) {
    if (!course_->awaitsPrediction() || choice >= course_->current().predict->choices.size()) {
        return false;
    }
    panel_->choose(choice);
    return true;
}

void LessonCard::renew() {
    if (!course_->isOpen()) {
        return;
    }
    const Lesson& lesson = *course_->lesson();
    title_->setText(course_->isAtEnd()
                        ? lessonTitle(lesson)
                        : tr("%1: %2").arg(lessonTitle(lesson), words(course_->current().title.text())));
    place_->setText(course_->isAtEnd() ? tr("the end")
                                       : tr("%1 of %2")
                                             .arg(static_cast<int>(course_->step()) + 1)
                                             .arg(static_cast<int>(lesson.steps.size())));
    back_->setEnabled(course_->step() > 0 || course_->isAtEnd());
    whole_ = panel_->read();
    const bool asks = course_->awaitsPrediction();
    const std::size_t choices = asks ? course_->current().predict->choices.size() : 0;
    choice_row_->setVisible(choices > 0);
    for (std::size_t k = 0; k < choices_.size(); ++k) {
        choices_[k]->setVisible(k < choices);
        if (k < choices) {
            const QString said = words(course_->current().predict->choices[k].says.plain());
            choices_[k]->setText(QStringLiteral("%1  %2").arg(k + 1).arg(
                QString(said).replace(QLatin1Char('&'), QStringLiteral("&&"))));
            choices_[k]->setAccessibleName(said);
        }
    }
    expanded_ = false;
    more_->setChecked(false);
    breakText();
}

int LessonCard::linesOfText() const {
    return choice_row_->isHidden() ? card_lines : 1;
}

void LessonCard::breakText() {
    const int room = width() - 32;
    QStringList lines = cardLines(whole_, font(), room);
    const int most = linesOfText();
    const bool cut = lines.size() > most;
    more_->setVisible(cut);
    more_->setText(expanded_ ? tr("less") : tr("more"));
    if (cut && !expanded_) {
        lines = lines.mid(0, most);
        QString& last = lines.last();
        while (!last.isEmpty() && fontMetrics().horizontalAdvance(last + QStringLiteral(" …")) > room) {
            last = last.left(std::max<qsizetype>(0, last.lastIndexOf(QLatin1Char(' '))));
        }
        last += QStringLiteral(" …");
    }
    text_->setText(lines.join(QLatin1Char('\n')));
    text_->setToolTip(QString());
    text_->setAccessibleName(whole_);
    text_->setMinimumHeight(static_cast<int>(lines.size()) * fontMetrics().lineSpacing());
    updateGeometry();
    setFixedHeight(sizeHint().height());
    emit resized();
}

QSize LessonCard::sizeHint() const {
    const int line = fontMetrics().lineSpacing();
    const int head = std::max(forward_->sizeHint().height(), line);
    const int text = expanded_ ? text_->minimumHeight() : linesOfText() * line;
    const int row = choice_row_->isHidden() ? 0 : choice_row_->sizeHint().height() + 2;
    const int all = head + text + row + 6 + 8 + 4;
    const int most = static_cast<int>(largest_part * window()->height());
    return {40 * fontMetrics().averageCharWidth(),
            expanded_ ? std::min(all, std::max(most, head + 3 * line)) : all};
}

void LessonCard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() != event->size().width()) {
        breakText();
    }
}

void LessonCard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && area_ != nullptr) {
        breakText();
    }
}

} // namespace meshslice::ui
