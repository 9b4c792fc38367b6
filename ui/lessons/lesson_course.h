#pragma once

#include "core/lesson/lesson.h"
#include "ui/document/document.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <optional>
#include <set>
#include <string>

namespace meshslice::ui {

/// Goes through a lesson. Its scenarios are a variant of the document of their own, which is there from the
/// first step on and gone when the lesson is left: what the user has made stays as it is, and undo leads back
/// to it at any time. Every step is one undo step. Where its variant goes, by undo or with another file, the
/// lesson is over.
///
/// A step that asks for a prediction shows the step before it until that has been made.
class LessonCourse : public QObject {
    Q_OBJECT
  public:
    explicit LessonCourse(Document* document, QObject* parent = nullptr);

    /// Null while there is none.
    [[nodiscard]] const LessonPtr& lesson() const { return lesson_; }
    [[nodiscard]] bool isOpen() const { return lesson_ != nullptr; }
    /// Counted from 0; there is a lesson.
    [[nodiscard]] std::size_t step() const { return step_; }
    [[nodiscard]] const LessonStep& current() const { return lesson_->steps[step_]; }
    [[nodiscard]] bool isLast() const { return step_ + 1 == lesson_->steps.size(); }
    /// What is expected of the step has not been said yet.
    [[nodiscard]] bool awaitsPrediction() const;
    /// The step that the window shows: the current one, or while that waits for a prediction the one before.
    [[nodiscard]] const LessonStep& shown() const;
    /// The step itself is shown, and from now on whenever one comes back to it.
    void reveal();
    /// Beyond the last step: what has been seen.
    [[nodiscard]] bool isAtEnd() const { return at_end_; }

    /// Begins a lesson, at a step of it that there is or else the first. False, after `refused`, where the
    /// document has no room for its variant: all is then as it was.
    bool begin(const LessonPtr& lesson, std::size_t step = 0);
    /// Shows another step, of those that there are.
    void goTo(std::size_t step);
    /// The next step, after the last one the end; a step before, from the end the last one.
    void goOn();
    void goBack();
    /// Shows another scenario in the place of the step's, as one undo step.
    void show(const Scenario& scenario);
    /// Shows the step again as it was at first.
    void reset();
    /// The document as it was before the lesson, with what the user has done to the other variants since.
    void leave();

  signals:
    /// Another lesson or step, or none.
    void changed();
    void refused(const QString& sentence);

  private:
    void followDocument();
    [[nodiscard]] std::optional<std::size_t> place(const std::string& name) const;
    /// The variant of the lesson, added where it is not there. False where it cannot be.
    bool put(const Scenario& scenario);

    Document* document_;
    LessonPtr lesson_;
    std::size_t step_ = 0;
    bool at_end_ = false;
    std::set<std::size_t> revealed_; ///< of the steps that ask for a prediction
    std::string name_;               ///< of the variant; empty while there is none
    Project before_;                 ///< as it was when the variant was added
    int before_index_ = 0;           ///< of the undo stack at that time
};

} // namespace meshslice::ui
