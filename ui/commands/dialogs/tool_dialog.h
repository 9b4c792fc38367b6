#pragma once

#include "ui/commands/tool_pages.h"
#include "ui/session/latest_job.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <utility>
#include <vector>

class QDialogButtonBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace meshslice::ui {

class TableModel;

/// Next to the window: what a tool finds about the scenario as it was when the tool was called. Computed off
/// the UI thread, with its progress and a button that cancels it.
class ToolDialog : public QDialog {
    Q_OBJECT
  public:
    using Work = std::function<Result<ToolPage>(const RunControl&)>;

    /// `about`: what it is of.
    ToolDialog(const QString& title, const QString& about, Work work, QWidget* parent);

    [[nodiscard]] bool isBusy() const { return job_.isBusy(); }
    [[nodiscard]] LatestJob* job() { return &job_; }
    [[nodiscard]] QLabel* finding() { return finding_; }
    [[nodiscard]] TableModel* rows() { return rows_; }
    [[nodiscard]] QPushButton* cancelButton() { return cancel_; }
    /// One for each offer.
    [[nodiscard]] const std::vector<std::pair<QPushButton*, ToolOffer>>& offers() const { return offers_; }
    /// Greys the buttons of the offers that there is nothing left of to take.
    void setTaken(const std::function<bool(const ToolOffer&)>& is_taken);
    /// Says below the table why an offer was not taken; an empty sentence hides the last one.
    void setRemark(const QString& sentence);
    [[nodiscard]] QLabel* remark() { return remark_; }

  signals:
    /// The answer has come, and its offers with it.
    void answered();
    /// A button was pressed.
    void taken(const ToolOffer& offer);

  private:
    void take(const Result<ToolPage>& page);
    void end(const QString& sentence);

    QLabel* finding_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    TableModel* rows_;
    QTableView* table_;
    QLabel* caption_;
    QLabel* remark_;
    QDialogButtonBox* buttons_;
    std::vector<std::pair<QPushButton*, ToolOffer>> offers_;
    QTimer look_;
    LatestJob job_; ///< last: it ends before what it touches
};

} // namespace meshslice::ui
