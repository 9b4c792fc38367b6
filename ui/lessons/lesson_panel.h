#pragma once

#include "core/lesson/lesson.h"
#include "ui/lessons/lesson_course.h"
#include "ui/session/inquiry.h"

#include <QWidget>

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

class QBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;

namespace meshslice::ui {

class ElidedLabel;

/// A step of the lesson: what to look at and why it is so, and its question, which the engine answers off the
/// UI thread. A step that asks for a prediction shows that alone until it has been made. After the last one
/// it says what has been seen. Text and question stand next to each other where it is wide, else below each
/// other.
class LessonPanel : public QWidget {
    Q_OBJECT
  public:
    explicit LessonPanel(LessonCourse* course, QWidget* parent = nullptr);

    /// What the step points at, for the button that goes there; empty hides it.
    void setLookAt(const QString& name);
    /// The lesson that is begun next goes on at this step, and its text says so.
    void goesOnAt(std::size_t step) { goes_on_at_ = step; }
    /// The keyboard goes to the question, or where there is none to the text.
    void takeKeyboard();

    [[nodiscard]] ElidedLabel* heading() { return heading_; }
    [[nodiscard]] QLabel* text() { return text_; }
    [[nodiscard]] QLabel* ask() { return ask_; }
    [[nodiscard]] QLineEdit* answer() { return answer_; }
    [[nodiscard]] QPushButton* checkButton() { return check_; }
    /// Of the question, where its answers are to be chosen from.
    [[nodiscard]] const std::vector<QPushButton*>& choices() const { return choices_; }
    /// Answers with one of them.
    void choose(std::size_t choice);
    /// Says the answer; a prediction that is awaited is then over.
    void tell();
    /// What is to be read now, without marks: the question while a prediction is awaited, else what became of
    /// it and the step's text, or what has been seen.
    [[nodiscard]] QString read() const;
    [[nodiscard]] QPushButton* hintButton() { return hint_; }
    [[nodiscard]] QPushButton* showMe() { return show_me_; }
    [[nodiscard]] QPushButton* again() { return again_; }
    [[nodiscard]] QPushButton* back() { return back_; }
    [[nodiscard]] QPushButton* forward() { return forward_; }
    [[nodiscard]] QPushButton* leave() { return leave_; }
    [[nodiscard]] QPushButton* lookAt() { return look_at_; }
    /// What was said to the answer; its dynamic property "right" is whether that was it.
    [[nodiscard]] QLabel* verdict() { return verdict_; }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }

    /// With which no text of the lesson has to be scrolled where the panel is so wide; never less than it
    /// asks for by itself.
    [[nodiscard]] int heightForLesson(int width) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

  signals:
    /// Other words than before.
    void renewed();
    /// The keyboard is wanted at what the step points at.
    void lookAtAsked();
    /// Forward from the end.
    void finished();
    /// The question of the last step has its answer.
    void lastAnswered();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    /// A question of a lesson.
    struct Asked {
        LessonPtr lesson;
        std::size_t step = 0;
        bool predicts = false;

        auto operator<=>(const Asked&) const = default;
    };
    /// What was typed, and what was said to it.
    struct Answered {
        QString typed;
        QString sentence;
        bool right = true; ///< a prediction need not be
    };
    enum class Wanted : std::uint8_t { check, show };

    void layOut();
    void follow();
    [[nodiscard]] QString textOf(std::size_t step) const;
    /// What stands above it.
    [[nodiscard]] QString above(std::size_t step) const;
    [[nodiscard]] Asked asked() const;
    /// That is waiting for an answer; null where there is none.
    [[nodiscard]] const LessonQuestion* question() const;
    /// What became of the step's prediction; null where none was made.
    [[nodiscard]] const Answered* predicted() const;
    [[nodiscard]] QString seen() const;
    void showQuestion();
    void check();
    void take(const LessonQuestion& question, double answer);
    /// The prediction has its answer.
    void reveal(const QString& sentence, bool right);
    void ask(Wanted wanted);
    void take();
    void say(const QString& sentence, bool right, bool wrong);
    void turn();
    [[nodiscard]] QPushButton* makeButton(const QString& words, const QString& tip);

    LessonCourse* course_;
    ElidedLabel* heading_;
    QLabel* text_;
    QPushButton* look_at_;
    QWidget* question_;
    QLabel* ask_;
    QLineEdit* answer_;
    QPushButton* check_;
    QWidget* choice_row_;
    std::vector<QPushButton*> choices_;
    std::optional<std::size_t> chosen_; ///< of them, which is being checked
    QPushButton* hint_;
    QPushButton* show_me_;
    QLabel* verdict_;
    QPushButton* again_;
    QPushButton* back_;
    QPushButton* forward_;
    QPushButton* leave_;
    QBoxLayout* halves_ = nullptr;
    QScrollArea* text_area_ = nullptr;
    QScrollArea* question_area_ = nullptr;
    Wanted wanted_ = Wanted::check;
    QString typed_; ///< that is being checked
    bool wrong_ = false;
    std::optional<std::size_t> goes_on_at_; ///< where it was left; none after another step was shown
    std::map<Asked, Answered> right_;       ///< the questions that have their answers, and predictions
    Inquiry<Asked, double> inquiry_;
};

} // namespace meshslice::ui
