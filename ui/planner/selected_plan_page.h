#pragma once

#include "core/figure/table.h"
#include "core/plan/search/chosen_plan.h"
#include "ui/session/inquiry.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QLabel;
class QTableView;

namespace meshslice::ui {

class TableModel;

/// What the selected plan takes its time and its memory for, a part a row, and next to it in words what
/// bounds it, what would save or cost time, and what it hides. The words are found off the UI thread, and
/// only while the page is seen.
class SelectedPlanPage : public QWidget {
    Q_OBJECT
  public:
    explicit SelectedPlanPage(QWidget* parent = nullptr);

    /// Shows another plan from now on; none empties the page.
    void follow(const std::optional<ChosenPlan>& chosen, const Table& parts);

    [[nodiscard]] TableModel* parts() { return parts_; }
    [[nodiscard]] QTableView* table() { return table_; }
    /// What is said about the plan; while that is found, that it is being computed.
    [[nodiscard]] QLabel* explanation() { return explanation_; }

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void renew();
    void showAnswer();

    TableModel* parts_;
    QTableView* table_;
    QLabel* explanation_;
    std::optional<ChosenPlan> chosen_;
    Inquiry<ChosenPlan, std::vector<std::string>> inquiry_;
};

} // namespace meshslice::ui
