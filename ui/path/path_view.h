#pragma once

#include "ui/view/view.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

class QCheckBox;
class QLabel;
class QStackedLayout;
class QTableView;

namespace meshslice::ui {

class TableModel;

/// The critical path as a list: what sets the time of the run, in the order of time, of each algorithm or
/// variant, the current one first, and above it what it is made of. A line is an operation with all its hops,
/// or, when asked, each activity by itself. Choosing a line selects its first bar, or the row of what has
/// none, in all views, and the timeline scrolls there.
class PathView : public View {
    Q_OBJECT
  public:
    explicit PathView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    /// Waits for the critical path.
    void complete(const Completed& completed) override;
    void giveUp() override { waiting_.clear(); }
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;
    /// Of a very long path the table has the first lines.
    [[nodiscard]] QString whatTableLacks() const override;

    [[nodiscard]] QTableView* tableView() { return rows_; }
    /// Lists each activity by itself.
    [[nodiscard]] QCheckBox* eachHop() { return each_hop_; }
    /// What each path is made of, a line each.
    [[nodiscard]] QString summary() const;

  signals:
    /// The chosen bar is to be seen in the timeline.
    void timelineAsked();

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    [[nodiscard]] QString nothingToShow() const override;
    [[nodiscard]] Table makeTable() const override;
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    /// The steps of which there is a path, in the order of the list.
    [[nodiscard]] std::vector<std::size_t> stepsWithPath() const;
    [[nodiscard]] std::size_t mostLines() const;
    [[nodiscard]] Table shownTable() const;
    /// The paths of all steps below each other; `path` makes a table of one.
    [[nodiscard]] Table
    joined(const std::function<Table(const TrainingStep& step, const StepWhy& why)>& path) const;
    /// There is another path; the list is made when it is seen.
    void renew();
    void makeList();
    void goToLine();
    void followSelection();

    TableModel* model_;
    QTableView* rows_;
    QLabel* summary_;
    QCheckBox* each_hop_;
    QWidget* list_; ///< the two
    QLabel* sentence_;
    QStackedLayout* pages_;
    std::vector<Selected> events_;      ///< of all paths, in the order of the list
    std::vector<std::size_t> first_of_; ///< the first event of each line
    std::vector<std::size_t> line_of_;  ///< the line of each event
    std::weak_ptr<const Reasons> listed_;
    std::vector<Completed> waiting_;
    bool made_ = false;      ///< the list is that of the reasons
    bool following_ = false; ///< the line is being set to match the selection, not chosen by the user
};

} // namespace meshslice::ui
