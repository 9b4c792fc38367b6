#include "ui/lessons/lesson_panel.h"

#include "ui/controls/elided_label.h"
#include "ui/controls/scrolling.h"
#include "ui/controls/wrapping_row.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QAccessible>
#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextDocument>

#include <algorithm>
#include <cmath>
#include <variant>

namespace meshslice::ui {
namespace {

constexpr int panel_lines = 10; ///< that it asks for
constexpr int least_panel_lines = 6;
constexpr int letters_of_a_half = 44; ///< below it text and question stand below each other
constexpr std::size_t most_choices = 5;

QString paragraph(const QString& html) {
    return QStringLiteral("<p style=\"margin-top:0; margin-bottom:6px\">%1</p>").arg(html);
}

/// "1.31x: slower" of a number, with what it stands for.
QString answerWords(const LessonQuestion& question, double answer) {
    const QString number = words(answer_text(answer, question.unit));
    const auto choice = question.choice_of(answer);
    return choice ? LessonPanel::tr("%1: %2").arg(number, words(question.choices[*choice].says.plain()))
                  : number;
}

QString withMore(QString sentence, const LessonText& more) {
    return more.empty() ? sentence : sentence + translated(" ") + words(more.plain());
}

} // namespace

LessonPanel::LessonPanel(LessonCourse* course, QWidget* parent)
    : QWidget(parent)
    , course_(course)
    , heading_(new ElidedLabel(this, 2))
    , text_(new QLabel(this))
    , look_at_(makeButton({}, tr("Brings the keyboard to what is framed")))
    , question_(new QWidget(this))
    , ask_(new QLabel(question_))
    , answer_(new QLineEdit(question_))
    , check_(makeButton(tr("&Check"), tr("Asks the engine whether the answer is right (Enter)")))
    , choice_row_(new QWidget(question_))
    , hint_(makeButton(tr("&Hint"), tr("Says how to find the answer")))
    , show_me_(makeButton(tr("Show &me"), tr("Says the answer, and shows the run that it is of")))
    , verdict_(new QLabel(question_))
    , again_(makeButton(tr("&Reset the step"), tr("Shows the step again as it was at first")))
    , back_(makeButton(tr("Back"), tr("The step before (Alt+Left)")))
    , forward_(makeButton(tr("Forward"), {}))
    , leave_(
          makeButton(tr("Back to &my project"), tr("Ends the lesson; what you had before it is shown again")))
    , inquiry_(
          [](const Asked& asked, const RunControl& control) {
              const LessonStep& step = asked.lesson->steps[asked.step];
              return value_of((asked.predicts ? step.predict : step.question)->answer, control);
          },
          [this] { take(); }) {
    setAccessibleName(tr("Lesson"));
    QFont bold;
    bold.setBold(true);
    heading_->setFont(bold);
    for (QLabel* label : {text_, ask_, verdict_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::RichText);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        label->setFocusPolicy(Qt::StrongFocus); // so that it is read without a mouse
    }
    ask_->setFocusPolicy(Qt::ClickFocus); // the field next to it says it
    verdict_->setAccessibleName(tr("What the engine says to the answer"));
    answer_->setAccessibleName(tr("Answer"));
    look_at_->setAccessibleName(tr("Go to what is framed"));
    layOut();
    connect(answer_, &QLineEdit::returnPressed, this, &LessonPanel::check);
    connect(answer_, &QLineEdit::textEdited, this, [this] { say({}, false, false); });
    connect(check_, &QPushButton::clicked, this, &LessonPanel::check);
    connect(hint_, &QPushButton::clicked, this,
            [this] { say(words(question()->hint.plain()), false, false); });
    connect(show_me_, &QPushButton::clicked, this, &LessonPanel::tell);
    connect(again_, &QPushButton::clicked, course_, &LessonCourse::reset);
    connect(back_, &QPushButton::clicked, course_, &LessonCourse::goBack);
    connect(forward_, &QPushButton::clicked, this, [this] {
        if (course_->isAtEnd()) {
            emit finished();
        } else {
            course_->goOn();
        }
    });
    connect(leave_, &QPushButton::clicked, course_, &LessonCourse::leave);
    connect(look_at_, &QPushButton::clicked, this, &LessonPanel::lookAtAsked);
    connect(course_, &LessonCourse::changed, this, &LessonPanel::follow);
    follow();
}

QPushButton* LessonPanel::makeButton(const QString& words, const QString& tip) {
    auto* button = new QPushButton(words, this);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    return button;
}

void LessonPanel::layOut() {
    auto* half = new QWidget(this);
    auto* left = new QVBoxLayout(half);
    left->setContentsMargins(0, 0, 8, 0);
    left->addWidget(text_);
    left->addStretch(1);
    auto* right = new QVBoxLayout(question_);
    right->setContentsMargins(0, 0, 8, 0);
    right->addWidget(ask_);
    auto* fields = new QHBoxLayout;
    fields->addWidget(answer_, 1);
    fields->addWidget(check_);
    right->addLayout(fields);
    auto* row = new WrappingRow(6);
    row->setContentsMargins(0, 0, 0, 0);
    for (std::size_t k = 0; k < most_choices; ++k) {
        choices_.push_back(makeButton({}, tr("Answers with this (Alt+%1)").arg(k + 1)));
        choices_.back()->setAccessibleName(tr("Answer %1").arg(k + 1));
        row->add(choices_.back());
        connect(choices_.back(), &QPushButton::clicked, this, [this, k] { choose(k); });
    }
    choice_row_->setLayout(row);
    right->addWidget(choice_row_);
    auto* helps = new QHBoxLayout;
    helps->addWidget(hint_);
    helps->addWidget(show_me_);
    helps->addStretch(1);
    right->addLayout(helps);
    right->addWidget(verdict_);
    right->addStretch(1);
    text_area_ = makeScrolling(half, this);
    question_area_ = makeScrolling(question_, this);
    for (QScrollArea* area : {text_area_, question_area_}) {
        area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    }
    halves_ = new QBoxLayout(QBoxLayout::LeftToRight);
    halves_->setSpacing(12);
    halves_->addWidget(text_area_, 1);
    halves_->addWidget(question_area_, 1);
    auto* head = new QHBoxLayout;
    head->addWidget(heading_, 1);
    head->addWidget(look_at_);
    head->addWidget(again_);
    head->addWidget(back_);
    head->addWidget(forward_);
    head->addWidget(leave_);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 6, 8, 6);
    all->setSpacing(6);
    all->addLayout(head);
    all->addLayout(halves_, 1);
    // As they are read.
    QWidget* before = text_;
    std::vector<QWidget*> order = {look_at_, answer_, check_};
    order.insert(order.end(), choices_.begin(), choices_.end());
    order.insert(order.end(), {hint_, show_me_, verdict_, forward_, back_, again_, leave_});
    for (QWidget* next : order) {
        setTabOrder(before, next);
        before = next;
    }
}

void LessonPanel::follow() {
    inquiry_.clear();
    answer_->clear();
    say({}, false, false);
    if (!course_->isOpen()) {
        return;
    }
    if (goes_on_at_ != course_->step()) {
        goes_on_at_.reset();
    }
    const Lesson& lesson = *course_->lesson();
    const bool at_end = course_->isAtEnd();
    const LessonPtr next = nextLesson(lesson);
    heading_->setText(at_end ? tr("%1: the end").arg(lessonTitle(lesson))
                             : tr("%1: %2 (step %3 of %4)")
                                   .arg(lessonTitle(lesson), words(course_->current().title.text()))
                                   .arg(static_cast<int>(course_->step()) + 1)
                                   .arg(static_cast<int>(lesson.steps.size())));
    text_->setText(at_end ? seen()
                   : course_->awaitsPrediction()
                       ? above(course_->step()) +
                             paragraph(tr("What do you expect? The picture still shows the "
                                          "step before; your answer shows what happens."))
                       : textOf(course_->step()));
    text_->setAccessibleName(heading_->text() + QLatin1Char('\n') + read());
    showQuestion();
    back_->setEnabled(course_->step() > 0 || at_end);
    again_->setEnabled(!at_end);
    forward_->setText(!at_end ? course_->isLast() ? tr("Finish") : tr("Forward")
                      : next ? tr("Next lesson")
                              : tr("Close"));
    forward_->setToolTip(!at_end ? course_->isLast() ? tr("What you have seen (Alt+Right)")
                                                     : tr("The next step (Alt+Right)")
                         : next ? lessonTitle(*next)
                                 : leave_->toolTip());
    text_area_->verticalScrollBar()->setValue(0);
    question_area_->verticalScrollBar()->setValue(0);
    setAccessibleDescription(text_->accessibleName());
    QAccessibleEvent told(text_, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&told);
    emit renewed();
}

void LessonPanel::showQuestion() {
    const LessonQuestion* const asked_now = question();
    question_area_->setVisible(asked_now != nullptr);
    if (asked_now == nullptr) {
        return;
    }
    const bool typed = asked_now->choices.empty();
    ask_->setText(lessonHtml(asked_now->ask.text()));
    answer_->setVisible(typed);
    check_->setVisible(typed);
    choice_row_->setVisible(!typed);
    hint_->setVisible(!asked_now->hint.empty());
    answer_->setAccessibleName(words(asked_now->ask.plain()));
    const QString example = words(answer_example(asked_now->unit));
    answer_->setPlaceholderText(asked_now->unit.empty() ? tr("a number") : tr("as in %1").arg(example));
    for (std::size_t k = 0; k < choices_.size(); ++k) {
        const bool there = k < asked_now->choices.size();
        choices_[k]->setVisible(there);
        if (there) {
            const QString said = words(asked_now->choices[k].says.plain());
            choices_[k]->setText(QStringLiteral("&%1  %2").arg(k + 1).arg(
                QString(said).replace(QLatin1Char('&'), QStringLiteral("&&"))));
            choices_[k]->setAccessibleName(said);
        }
    }
    if (const auto known = right_.find(asked()); known != right_.end() && !course_->awaitsPrediction()) {
        answer_->setText(known->second.typed);
        say(known->second.sentence, true, false);
    }
}

QString LessonPanel::textOf(std::size_t step) const {
    const Lesson& lesson = *course_->lesson();
    const QString shown = lessonHtml(lesson.steps[step].text.text());
    const Answered* const before = step == course_->step() ? predicted() : nullptr;
    if (before != nullptr) {
        return paragraph(QStringLiteral("<b>%1</b>").arg(before->sentence.toHtmlEscaped())) + shown;
    }
    return above(step) + shown;
}

QString LessonPanel::above(std::size_t step) const {
    const QString said = step == 0 ? tr("You need: %1").arg(words(course_->lesson()->needs.plain()))
                         : step == goes_on_at_
                             ? tr("You were here last time; “Back” goes to the steps before.")
                             : QString();
    return said.isEmpty() ? said : paragraph(QStringLiteral("<i>%1</i>").arg(said.toHtmlEscaped()));
}

QString LessonPanel::seen() const {
    const Lesson& lesson = *course_->lesson();
    QString html;
    if (!lesson.seen.empty()) {
        html = lessonHtml(lesson.seen.text());
    } else {
        QStringList titles;
        for (const LessonStep& step : lesson.steps) {
            titles << words(step.title.text());
        }
        html = paragraph(tr("You have seen: %1.").arg(titles.join(QStringLiteral("; "))).toHtmlEscaped());
    }
    if (const LessonPtr next = nextLesson(lesson)) {
        html += paragraph(tr("Next: %1.").arg(lessonTitle(*next)).toHtmlEscaped());
    }
    return html;
}

QString LessonPanel::read() const {
    if (!course_->isOpen()) {
        return {};
    }
    if (course_->isAtEnd()) {
        QTextDocument document;
        document.setHtml(seen());
        return document.toPlainText();
    }
    if (course_->awaitsPrediction()) {
        return words(question()->ask.plain());
    }
    const Answered* const before = predicted();
    return (before == nullptr ? QString() : before->sentence + QLatin1Char('\n')) +
           words(course_->current().text.plain());
}

LessonPanel::Asked LessonPanel::asked() const {
    return {course_->lesson(), course_->step(), course_->awaitsPrediction()};
}

const LessonQuestion* LessonPanel::question() const {
    if (!course_->isOpen() || course_->isAtEnd()) {
        return nullptr;
    }
    const LessonStep& step = course_->current();
    const std::optional<LessonQuestion>& now = course_->awaitsPrediction() ? step.predict : step.question;
    return now ? &*now : nullptr;
}

const LessonPanel::Answered* LessonPanel::predicted() const {
    const auto known = right_.find({course_->lesson(), course_->step(), true});
    return known == right_.end() || course_->awaitsPrediction() ? nullptr : &known->second;
}

int LessonPanel::heightForLesson(int width) const {
    const int least = sizeHint().height();
    if (!course_->isOpen() || width < 2 * letters_of_a_half * fontMetrics().averageCharWidth()) {
        return least; // text and question below each other are scrolled
    }
    QTextDocument document;
    document.setDefaultFont(text_->font());
    document.setTextWidth(width / 2.0 - 4 * fontMetrics().averageCharWidth());
    double longest = 0;
    for (std::size_t step = 0; step < course_->lesson()->steps.size(); ++step) {
        document.setHtml(textOf(step));
        longest = std::max(longest, document.size().height());
    }
    return std::max(least, static_cast<int>(std::ceil(longest)) + forward_->sizeHint().height() +
                               2 * fontMetrics().lineSpacing());
}

void LessonPanel::setLookAt(const QString& name) {
    look_at_->setVisible(!name.isEmpty());
    look_at_->setText(tr("Go to %1").arg(QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"))));
}

void LessonPanel::takeKeyboard() {
    const LessonQuestion* const asked_now = question();
    QWidget* first = text_;
    if (asked_now != nullptr) {
        first = asked_now->choices.empty() ? static_cast<QWidget*>(answer_) : choices_.front();
    }
    first->setFocus(Qt::ShortcutFocusReason);
}

void LessonPanel::choose(std::size_t choice) {
    const LessonQuestion* const asked_now = question();
    if (asked_now != nullptr && choice < asked_now->choices.size()) {
        chosen_ = choice;
        ask(Wanted::check);
    }
}

void LessonPanel::tell() {
    if (question() != nullptr) {
        ask(Wanted::show);
    }
}

void LessonPanel::check() {
    const LessonQuestion* const asked_now = question();
    if (asked_now == nullptr || !asked_now->choices.empty()) {
        return;
    }
    const QString objection = notAnAnswer(answer_->text(), *asked_now);
    if (!objection.isEmpty()) {
        say(objection, false, true);
        return;
    }
    ask(Wanted::check);
}

void LessonPanel::ask(Wanted wanted) {
    wanted_ = wanted;
    typed_ = answer_->text();
    say(tr("Computing…"), false, false);
    if (!inquiry_.ask(asked())) {
        take(); // known already
    }
}

void LessonPanel::take() {
    const LessonQuestion* const asked_now = question();
    if (asked_now == nullptr || !inquiry_.answered()) {
        return;
    }
    if (!inquiry_.answer()) {
        say(tr("The engine has no answer: %1").arg(inquiry_.refusal()), false, true);
        return;
    }
    take(*asked_now, *inquiry_.answer());
}

void LessonPanel::take(const LessonQuestion& question, double answer) {
    const QString is = answerWords(question, answer);
    const bool predicts = course_->awaitsPrediction();
    if (wanted_ == Wanted::check) {
        Heard told;
        if (question.choices.empty()) {
            told = heard(typed_, question, answer);
            if (!told.right && predicts) {
                told.sentence = withMore(tr("You said %1; the engine says %2.").arg(typed_.trimmed(), is),
                                         question.because);
            }
        } else {
            const std::size_t chosen = chosen_.value_or(0);
            told.right = question.choice_of(answer) == chosen;
            told.sentence = told.right ? withMore(tr("Right: %1.").arg(is), question.because)
                            : predicts ? withMore(tr("You said “%1”; the engine says %2.")
                                                      .arg(words(question.choices[chosen].says.plain()), is),
                                                  question.because)
                                       : tr("Not so. Try another one, or “Show me”.");
        }
        if (predicts) {
            reveal(told.sentence, told.right);
            return;
        }
        say(told.sentence, told.right, !told.right);
        if (told.right) {
            right_.insert_or_assign(asked(), Answered{typed_, told.sentence});
            if (course_->isLast()) {
                emit lastAnswered();
            }
        }
        return;
    }
    const QuestionNumber& number = question.answer.of;
    QString sentence = withMore(withMore(tr("The answer is %1.").arg(is), question.hint), question.because);
    if (predicts) {
        reveal(sentence, false);
        return;
    }
    if (number.another) {
        course_->show(*number.scenario);
        sentence += translated(" ") + tr("The window shows that run now; Reset the step takes it back.");
    }
    say(sentence, false, false);
}

void LessonPanel::reveal(const QString& sentence, bool right) {
    right_.insert_or_assign(asked(), Answered{typed_, sentence, right});
    course_->reveal();
    if (isVisible()) {
        takeKeyboard();
    }
}

void LessonPanel::say(const QString& sentence, bool right, bool wrong) {
    wrong_ = wrong;
    verdict_->setProperty("right", right);
    const QString shown = sentence.toHtmlEscaped();
    verdict_->setText(right   ? QStringLiteral("<b>%1</b>").arg(shown)
                      : wrong ? QStringLiteral("<span style=\"color:%1\">%2</span>")
                                    .arg(warningText(themeOf(palette())).name(), shown)
                              : shown);
    verdict_->setAccessibleDescription(sentence);
    verdict_->setVisible(!sentence.isEmpty());
    if (!sentence.isEmpty()) {
        QAccessibleEvent told(verdict_, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&told);
        // It has its place when the layout has made room.
        QMetaObject::invokeMethod(
            this, [this] { question_area_->ensureWidgetVisible(verdict_, 0, 4); }, Qt::QueuedConnection);
    }
}

void LessonPanel::turn() {
    const bool wide = width() >= 2 * letters_of_a_half * fontMetrics().averageCharWidth();
    halves_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void LessonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    turn();
}

void LessonPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange && halves_ != nullptr) {
        turn();
        updateGeometry();
    } else if (event->type() == QEvent::PaletteChange && wrong_) {
        say(verdict_->accessibleDescription(), false, true); // in the warning colour of the theme
    }
}

QSize LessonPanel::sizeHint() const {
    return {80 * fontMetrics().averageCharWidth(), panel_lines * fontMetrics().lineSpacing() + 40};
}

QSize LessonPanel::minimumSizeHint() const {
    return {40 * fontMetrics().averageCharWidth(), least_panel_lines * fontMetrics().lineSpacing() + 30};
}

} // namespace meshslice::ui
