#include "ui/lessons/lesson_panel.h"

#include "ui/controls/elided_label.h"
#include "ui/controls/scrolling.h"
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
    , hint_(makeButton(tr("&Hint"), tr("Says how to find the answer")))
    , show_me_(makeButton(tr("Show &me"), tr("Says the answer, and shows the run that it is of")))
    , verdict_(new QLabel(question_))
    , again_(makeButton(tr("&Reset the step"), tr("Shows the step again as it was at first")))
    , back_(makeButton(tr("Back"), tr("The step before (Alt+Left)")))
    , forward_(makeButton({}, {}))
    , leave_(
          makeButton(tr("Back to &my project"), tr("Ends the lesson; what you had before it is shown again")))
    , inquiry_(
          [](const Asked& asked, const RunControl& control) {
              return value_of(asked.lesson->steps[asked.step].question->answer, control);
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
    layOut();
    connect(answer_, &QLineEdit::returnPressed, this, &LessonPanel::check);
    connect(answer_, &QLineEdit::textEdited, this, [this] { say({}, false, false); });
    connect(check_, &QPushButton::clicked, this, &LessonPanel::check);
    connect(hint_, &QPushButton::clicked, this,
            [this] { say(words(course_->current().question->hint.plain()), false, false); });
    connect(show_me_, &QPushButton::clicked, this, [this] { ask(Wanted::show); });
    connect(again_, &QPushButton::clicked, course_, &LessonCourse::reset);
    connect(back_, &QPushButton::clicked, course_, [this] { course_->goTo(course_->step() - 1); });
    connect(forward_, &QPushButton::clicked, this, [this] {
        if (course_->isLast()) {
            emit finished();
        } else {
            course_->goTo(course_->step() + 1);
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
    for (QWidget* next : std::initializer_list<QWidget*>{look_at_, answer_, check_, hint_, show_me_, verdict_,
                                                         forward_, back_, again_, leave_}) {
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
    const LessonStep& step = course_->current();
    heading_->setText(tr("%1: %2 (step %3 of %4)")
                          .arg(lessonTitle(lesson), words(step.title.text()))
                          .arg(static_cast<int>(course_->step()) + 1)
                          .arg(static_cast<int>(lesson.steps.size())));
    text_->setText(textOf(course_->step()));
    text_->setAccessibleName(heading_->text() + QLatin1Char('\n') + words(step.text.plain()));
    question_area_->setVisible(step.question.has_value());
    if (step.question) {
        ask_->setText(lessonHtml(step.question->ask.text()));
        answer_->setAccessibleName(words(step.question->ask.plain()));
        const QString example = words(answer_example(step.question->unit));
        answer_->setPlaceholderText(step.question->unit.empty() ? tr("a number")
                                                                : tr("as in %1").arg(example));
        if (const auto known = right_.find(asked()); known != right_.end()) {
            answer_->setText(known->second.typed);
            say(known->second.sentence, true, false);
        }
    }
    back_->setEnabled(course_->step() > 0);
    const LessonPtr next = nextLesson(lesson);
    forward_->setText(!course_->isLast() ? tr("Forward") : next ? tr("Next lesson") : tr("Finish"));
    forward_->setToolTip(!course_->isLast() ? tr("The next step (Alt+Right)")
                         : next             ? lessonTitle(*next)
                                            : leave_->toolTip());
    text_area_->verticalScrollBar()->setValue(0);
    question_area_->verticalScrollBar()->setValue(0);
    setAccessibleDescription(text_->accessibleName());
    QAccessibleEvent told(text_, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&told);
}

QString LessonPanel::textOf(std::size_t step) const {
    const Lesson& lesson = *course_->lesson();
    const QString shown = lessonHtml(lesson.steps[step].text.text());
    const QString above = step == 0 ? tr("You need: %1").arg(words(lesson.needs.plain()))
                          : step == goes_on_at_
                              ? tr("You were here last time; “Back” goes to the steps before.")
                              : QString();
    return above.isEmpty() ? shown
                           : QStringLiteral("<p style=\"margin-top:0; margin-bottom:6px\"><i>%1</i></p>")
                                     .arg(above.toHtmlEscaped()) +
                                 shown;
}

LessonPanel::Asked LessonPanel::asked() const {
    return {course_->lesson(), course_->step()};
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
    (course_->isOpen() && course_->current().question ? static_cast<QWidget*>(answer_) : text_)
        ->setFocus(Qt::ShortcutFocusReason);
}

void LessonPanel::check() {
    if (!course_->isOpen() || !course_->current().question) {
        return;
    }
    const LessonQuestion& question = *course_->current().question;
    const QString objection = notAnAnswer(answer_->text(), question);
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
    if (!course_->isOpen() || !course_->current().question || !inquiry_.answered()) {
        return;
    }
    const LessonQuestion& question = *course_->current().question;
    if (!inquiry_.answer()) {
        say(tr("The engine has no answer: %1").arg(inquiry_.refusal()), false, true);
        return;
    }
    const double answer = *inquiry_.answer();
    if (wanted_ == Wanted::check) {
        const Heard told = heard(typed_, question, answer);
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
    QString sentence = tr("The answer is %1.").arg(words(answer_text(answer, question.unit)));
    for (const LessonText* more : {&question.hint, &question.because}) {
        if (!more->empty()) {
            sentence += translated(" ") + words(more->plain());
        }
    }
    if (number.another) {
        course_->show(*number.scenario);
        sentence += translated(" ") + tr("The window shows that run now; Reset the step takes it back.");
    }
    say(sentence, false, false);
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
