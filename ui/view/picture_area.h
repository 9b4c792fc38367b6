#pragma once

#include "ui/view/view_place.h"

#include <QSplitter>

#include <array>
#include <map>
#include <vector>

class QScrollArea;

namespace meshslice::ui {

class PictureColumn;

/// The views in the middle of the window: those of the task, in one row of tabs or, where the user wants two
/// pictures side by side, one tab next to the others. A picture that needs more room than there is can be
/// scrolled.
class PictureArea : public QSplitter {
    Q_OBJECT
  public:
    PictureArea(std::vector<ViewPlace> places, Task task, QWidget* parent);
    ~PictureArea() override;

    void setTask(Task task);
    void setSideBySide(bool side_by_side);
    [[nodiscard]] bool isSideBySide() const { return side_by_side_; }
    /// The place that the user looked at last: that has or had the keyboard, or whose tab was clicked.
    [[nodiscard]] ViewPlace current() const;
    [[nodiscard]] View* currentView() const { return current().view; }
    /// Brings a view to the front, with the page that it has turned to. Where it is none of the task's, asks
    /// for a task first.
    void show(const View* view);
    void show(const ViewPlace& place);
    /// Brings a tab of the task to the front, with the page that was seen last; false where it has none.
    bool show(Tab tab);
    /// All of them, of every task.
    [[nodiscard]] const std::vector<ViewPlace>& places() const { return places_; }
    /// The one on the left, or the only one, and the one on the right.
    [[nodiscard]] PictureColumn* left() { return columns_[0]; }
    [[nodiscard]] PictureColumn* right() { return columns_[1]; }

  signals:
    /// Another view is in front.
    void turned();
    /// Something is to be shown that these tasks have.
    void taskAsked(meshslice::ui::Tasks tasks);

  private:
    /// Shares the places of the task out.
    void share();
    /// The tab that stands on the left of two: the timeline, unless its view has places in other tabs.
    [[nodiscard]] Tab leftTab(const std::vector<ViewPlace>& of_task) const;

    std::vector<ViewPlace> places_;
    Task task_;
    std::map<Task, ViewPlace> last_of_; ///< what was seen last of each task
    std::map<const View*, QScrollArea*> frames_;
    std::array<PictureColumn*, 2> columns_;
    PictureColumn* last_; ///< which the user was in last
    bool side_by_side_ = false;
};

} // namespace meshslice::ui
