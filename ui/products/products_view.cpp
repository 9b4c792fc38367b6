#include "ui/products/products_view.h"

#include "core/step/breakdown.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/view/finding.h"
#include "ui/view/painted_view.h"

#include <QFontMetricsF>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>

#include <algorithm>
#include <iterator>
#include <utility>

namespace meshslice::ui {

/// Sorts the products by what the user asks for; the sums stay below them.
class ProductOrder : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setProducts(int count) { products_ = count; }

  protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        const bool left_sum = left.row() >= products_;
        const bool right_sum = right.row() >= products_;
        if (left_sum || right_sum) {
            const bool before = left_sum == right_sum ? left.row() < right.row() : right_sum;
            return before == (sortOrder() == Qt::AscendingOrder);
        }
        return QSortFilterProxyModel::lessThan(left, right);
    }

  private:
    int products_ = 0; ///< the rows after these are sums
};

ProductsView::ProductsView(Session* session, QWidget* parent)
    : View(session, parent)
    , model_(new TableModel(this))
    , sorted_(new ProductOrder(this))
    , rows_(makeTableView(sorted_, tr("GEMMs of the step"), this))
    , sentence_(new QLabel(this))
    , pages_(new QStackedLayout(this)) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(TableModel::sort_role);
    rows_->setSortingEnabled(true);
    rows_->sortByColumn(-1, Qt::AscendingOrder); // the order of the step, until the user asks for another
    rows_->setSelectionMode(QAbstractItemView::SingleSelection);
    rows_->horizontalHeader()->setSortIndicatorShown(false); // its room is better spent on the columns
    rows_->setAccessibleDescription(tr("Choosing a row selects the GEMM in all views."));
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    sentence_->setMargin(24);
    pages_->addWidget(sentence_);
    pages_->addWidget(rows_);
    connect(rows_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ProductsView::selectProduct);
    connect(&selection(), &Selection::selectedChanged, this, &ProductsView::followSelection);
}

void ProductsView::resultsChanged() {
    following_ = true; // resetting the model moves the current row; the user has chosen nothing
    std::size_t products = 0;
    for (std::size_t step = 0; results() && step < results()->steps.size(); ++step) {
        products += results()->steps[step].gemms.size();
    }
    sorted_->setProducts(static_cast<int>(products));
    model_->setTable(withTotals());
    fits_columns_ = false;
    if (isVisible()) {
        fitColumns();
    }
    fitRowHeight(rows_);
    following_ = false;
    followSelection();
}

void ProductsView::stateChanged() {
    const QString words = sentence();
    sentence_->setText(words);
    pages_->setCurrentWidget(words.isEmpty() ? static_cast<QWidget*>(rows_) : sentence_);
}

void ProductsView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    fitColumns();
}

/// Every cell is measured, so it is done only where the table is seen.
void ProductsView::fitColumns() {
    if (!std::exchange(fits_columns_, true)) {
        rows_->resizeColumnsToContents();
    }
}

Table ProductsView::makeTable() const {
    Table all;
    all.title = tr("GEMMs of the step").toStdString();
    const ResultsPtr shown = results();
    if (!shown) {
        return all;
    }
    for (const TrainingStep& step : shown->steps) {
        Table one = gemm_table(step);
        const bool names_algorithm = std::ranges::count(one.columns, std::string("algorithm")) > 0;
        if (!names_algorithm) {
            one.columns.insert(one.columns.begin(), "algorithm");
            for (auto& row : one.rows) {
                row.insert(row.begin(), algorithmTitle(step.algorithm).toStdString());
            }
        }
        all.columns = one.columns;
        std::ranges::move(one.rows, std::back_inserter(all.rows));
    }
    return all;
}

Table ProductsView::withTotals() const {
    Table all = makeTable();
    std::size_t next = 0;
    const std::size_t products = all.rows.size();
    for (std::size_t step = 0; results() && step < results()->steps.size(); ++step) {
        const std::size_t count = results()->steps[step].gemms.size();
        const std::size_t first = std::exchange(next, next + count);
        if (count < 2 || next > products) {
            continue;
        }
        std::vector<Table::Cell> sums(all.columns.size(), std::string());
        sums[0] = algorithmTitle(results()->steps[step].algorithm).toStdString();
        sums[1] = tr("total").toStdString();
        for (std::size_t column = 2; column < sums.size(); ++column) {
            if (!all.columns[column].ends_with("_s")) {
                continue; // only times add up
            }
            double sum = 0;
            for (std::size_t row = first; row < next; ++row) {
                sum += std::get<double>(all.rows[row][column]);
            }
            sums[column] = sum;
        }
        all.rows.push_back(std::move(sums));
    }
    return all;
}

void ProductsView::selectProduct() {
    const QModelIndex current = sorted_->mapToSource(rows_->currentIndex());
    if (following_ || !results() || !current.isValid()) {
        return;
    }
    auto row = static_cast<std::size_t>(current.row());
    for (std::size_t step = 0; step < results()->steps.size(); ++step) {
        const std::size_t products = results()->steps[step].gemms.size();
        if (row < products) {
            selection().select(Selected{step, row, {}, {}});
            return;
        }
        row -= products;
    }
}

void ProductsView::followSelection() {
    following_ = true;
    const auto& selected = selection().selected();
    if (!selected || !results() || selected->step >= results()->steps.size()) {
        rows_->setCurrentIndex({});
    } else {
        std::size_t row = selected->gemm;
        for (std::size_t step = 0; step < selected->step; ++step) {
            row += results()->steps[step].gemms.size();
        }
        rows_->setCurrentIndex(sorted_->mapFromSource(model_->index(static_cast<int>(row), 0)));
    }
    following_ = false;
}

void ProductsView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    const Table shown = isCurrent() ? withTotals() : Table{};
    painter.fillRect(QRect({0, 0}, size), color(Role::background, theme));
    if (!isCurrent()) {
        paintSentence(painter, QRectF(QPointF(0, 0), size), whyNotCurrent(), theme);
        return;
    }
    const double margin = 16;
    // Columns as wide as their widest text, all scaled down together where they do not fit.
    const QFontMetricsF metrics(font());
    std::vector<double> widths;
    double total = 0;
    for (std::size_t column = 0; column < shown.columns.size(); ++column) {
        double widest = metrics.horizontalAdvance(columnTitle(shown.columns[column]));
        for (const auto& row : shown.rows) {
            widest =
                std::max(widest, metrics.horizontalAdvance(cellText(shown.columns[column], row[column])));
        }
        widths.push_back(widest + margin);
        total += widths.back();
    }
    const double line = metrics.height() + 8;
    const double lines = static_cast<double>(shown.rows.size()) + 3;
    const double scale = std::min({1.5, (size.width() - 2 * margin) / std::max(total, 1.0),
                                   (size.height() - 2 * margin) / (lines * line)});
    painter.save();
    painter.setFont(font());
    painter.translate(margin, margin);
    painter.scale(scale, scale);
    painter.setPen(color(Role::text, theme));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.drawText(QRectF(0, 0, size.width() / scale, line), Qt::AlignLeft | Qt::AlignVCenter,
                     QString::fromStdString(shown.title));
    painter.setFont(font());
    const auto paint_line = [&](double top, const auto& text_of, const auto& is_number) {
        double left = 0;
        for (std::size_t column = 0; column < widths.size(); ++column) {
            const QRectF area(left, top, widths[column] - margin, line);
            painter.drawText(area, (is_number(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                             text_of(column));
            left += widths[column];
        }
    };
    const auto numeric = [&](std::size_t column) {
        return !shown.rows.empty() && !std::holds_alternative<std::string>(shown.rows.front()[column]);
    };
    painter.setPen(color(Role::quietText, theme));
    paint_line(
        1.5 * line, [&](std::size_t column) { return columnTitle(shown.columns[column]); }, numeric);
    painter.setPen(color(Role::grid, theme));
    painter.drawLine(QPointF(0, 2.5 * line), QPointF(total, 2.5 * line));
    painter.setPen(color(Role::text, theme));
    for (std::size_t row = 0; row < shown.rows.size(); ++row) {
        paint_line(
            (static_cast<double>(row) + 2.5) * line,
            [&](std::size_t column) { return cellText(shown.columns[column], shown.rows[row][column]); },
            numeric);
    }
    painter.restore();
}

} // namespace meshslice::ui
