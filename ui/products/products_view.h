#pragma once

#include "ui/view/view.h"

#include <cstddef>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QModelIndex;
class QStackedLayout;
class QTableView;

namespace meshslice::ui {

class ProductOrder;
class TableModel;

/// The GEMMs of the step as a table, one row each, the sums above them. Where two algorithms are compared,
/// the times of both stand next to each other, with their difference. Choosing a cell selects the GEMM of its
/// algorithm in all views. Times have bars, the largest of a column another colour; columns that have no room
/// are shown when they are asked for.
class ProductsView : public View {
    Q_OBJECT
  public:
    explicit ProductsView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;

    [[nodiscard]] QTableView* tableView() { return rows_; }
    /// Shows all columns; hidden where they have room anyway.
    [[nodiscard]] QCheckBox* allColumns() { return all_columns_; }
    /// The part of a cell's time in the longest of its column; none where it has no bar.
    [[nodiscard]] std::optional<double> barOf(const QModelIndex& index) const;

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    [[nodiscard]] Table makeTable() const override;
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void fitColumns();
    /// Hides the columns of which the table has more than it has room for.
    void hideColumns();
    [[nodiscard]] bool hasSums() const;
    /// The table as it is shown, with the line of sums; files get a line for each algorithm and GEMM.
    struct Shown {
        Table table;
        std::vector<std::size_t> steps; ///< whose value is in each column
        std::size_t compared = 0; ///< columns: the times with their differences, and how large the GEMMs are
        std::size_t first = 0;    ///< columns that are seen where not all have room
    };
    [[nodiscard]] Shown sideBySide() const;
    void selectProduct();
    void followSelection();

    TableModel* model_;
    ProductOrder* sorted_;
    QTableView* rows_;
    QWidget* page_; ///< the table and what is below it
    QCheckBox* all_columns_;
    QLabel* sentence_;
    QStackedLayout* pages_;
    std::vector<std::size_t> column_steps_;
    std::vector<double> longest_; ///< by column; 0 where it has no bars
    std::size_t first_columns_ = 0;
    bool fits_columns_ = false; ///< these results
    bool following_ = false;    ///< the row is being set to match the selection, not chosen by the user
};

} // namespace meshslice::ui
