#pragma once

#include "core/lesson/lesson.h"
#include "ui/commands/dialogs/welcome_dialog.h"
#include "ui/lab/lab_view.h"
#include "ui/session/task.h"

#include <QObject>
#include <QPointer>
#include <QString>

#include <cstddef>
#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QMenu;

namespace meshslice::ui {

class HighlightFrame;
class LessonCourse;
class LessonPanel;
class MainWindow;

/// Lessons in the window: the panel below the pictures, the menu, and what each step shows and points at.
class Lessons : public QObject {
    Q_OBJECT
  public:
    explicit Lessons(MainWindow* window);

    [[nodiscard]] LessonCourse* course() { return course_; }
    [[nodiscard]] LessonPanel* panel() { return panel_; }
    [[nodiscard]] QDockWidget* dock() { return dock_; }
    /// Around what the step points at; null where it points at nothing.
    [[nodiscard]] HighlightFrame* frame() const;

    void fill(QMenu* menu);
    /// While somebody else shows the lesson's words, and nothing but the picture besides.
    void setProjected(bool projected);
    /// Those that come with the program, and how far the user is in each.
    [[nodiscard]] std::vector<OfferedLesson> offered() const;

    /// Begins one, or goes on where it was left.
    void begin(const LessonPtr& lesson);
    /// By its place among `offered`.
    void beginOffered(std::size_t place);
    /// By its id, or of a file.
    void beginNamed(const QString& name);
    /// False, with a box that says why, where the file cannot be read as a lesson.
    bool beginFile(const QString& path);

  private:
    void askForFile();
    /// The keyboard goes to the lesson; where none is open the one that was open last goes on.
    void goTo();
    void follow();
    void finish();
    void showView(const LessonStep& step);
    void pointAt(const LessonStep& step);
    /// What the step does not need is out of sight: the details, the cards of other variants, and the form
    /// unless something is to be typed there. All of it is back when the lesson is over, or somebody turns to
    /// another view.
    void tidy();
    void bringBack();
    [[nodiscard]] static bool needsForm(const LessonStep& step);
    void goToWhatIsFramed();
    /// How far it is; `done`: to its end, now or earlier.
    void remember(bool done = false) const;
    [[nodiscard]] LabView* lab() const;

    MainWindow* window_;
    LessonCourse* course_;
    LessonPanel* panel_;
    QDockWidget* dock_;
    QPointer<HighlightFrame> frame_;
    std::optional<LabView::State> lab_before_; ///< what the user had there before the lesson
    std::optional<Task> task_before_;          ///< and what the frame was about
    /// Which docks there were before the lesson.
    struct Sights {
        bool scenario = true, details = true, details_in_front = false;
    };
    std::optional<Sights> sights_; ///< none where the frame was not about the scenario
    bool projected_ = false;
    LessonPtr has_room_;                ///< for whose texts the panel is high enough
    std::vector<QAction*> of_a_lesson_; ///< that only an open one has
};

} // namespace meshslice::ui
