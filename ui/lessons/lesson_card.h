#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QScrollArea;
class QToolButton;

namespace meshslice::ui {

class LessonCourse;
class LessonPanel;

/// A lesson for a room: the step's title, and below it two lines of its text with *more* where that is
/// longer, or the question of a prediction with its choices. The panel of the lesson knows the words and
/// answers.
class LessonCard : public QWidget {
    Q_OBJECT
  public:
    LessonCard(LessonCourse* course, LessonPanel* panel, QWidget* parent);

    /// A step on; a prediction that is awaited comes first.
    void goOn();
    void goBack();
    /// Answers a prediction with one of its choices, counted from 0. False where there is none to make.
    bool choose(std::size_t choice);

    [[nodiscard]] QLabel* title() { return title_; }
    /// "2 of 6".
    [[nodiscard]] QLabel* place() { return place_; }
    [[nodiscard]] QLabel* text() { return text_; }
    [[nodiscard]] QToolButton* more() { return more_; }
    [[nodiscard]] const std::vector<QPushButton*>& choices() const { return choices_; }
    [[nodiscard]] QToolButton* back() { return back_; }
    [[nodiscard]] QToolButton* forward() { return forward_; }

    /// Of three lines, or with all of the text of as many as that takes, up to a part of the window.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

  signals:
    /// It would like another height.
    void resized();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void layOut();
    void renew();
    void breakText();
    [[nodiscard]] int linesOfText() const;
    [[nodiscard]] QToolButton* makeButton(const QString& words, const QString& tip);

    LessonCourse* course_;
    LessonPanel* panel_;
    QLabel* title_;
    QLabel* place_;
    QLabel* text_;
    QScrollArea* area_ = nullptr;
    QWidget* choice_row_;
    std::vector<QPushButton*> choices_;
    QToolButton* more_;
    QToolButton* back_;
    QToolButton* forward_;
    QString whole_; ///< what is to be read
    bool expanded_ = false;
};

} // namespace meshslice::ui
