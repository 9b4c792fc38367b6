#pragma once

#include "ui/view/view.h"

#include <vector>

class QLabel;
class QStackedLayout;
class QTableView;

namespace meshslice::ui {

class ProductOrder;
class TableModel;

/// The products of the step as a table, one row each, for both algorithms when two are compared. Choosing a
/// row selects its product in all views.
class ProductsView : public View {
    Q_OBJECT
  public:
    explicit ProductsView(Session* session, QWidget* parent = nullptr);

    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;

    [[nodiscard]] QTableView* tableView() { return rows_; }

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    [[nodiscard]] Table makeTable() const override;
    void showEvent(QShowEvent* event) override;

  private:
    void fitColumns();
    /// The table with a line of sums for each algorithm at its end; files get it without.
    [[nodiscard]] Table withTotals() const;
    void selectProduct();
    void followSelection();

    TableModel* model_;
    ProductOrder* sorted_;
    QTableView* rows_;
    QLabel* sentence_;
    QStackedLayout* pages_;
    bool fits_columns_ = false; ///< these results
    bool following_ = false;    ///< the row is being set to match the selection, not chosen by the user
};

} // namespace meshslice::ui
