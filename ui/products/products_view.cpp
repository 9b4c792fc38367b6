#include "ui/products/products_view.h"

#include "core/step/breakdown.h"
#include "ui/controls/table_model.h"
#include "ui/controls/table_view.h"
#include "ui/products/bar_cells.h"
#include "ui/view/finding.h"
#include "ui/view/painted_view.h"
#include "ui/view/table_picture.h"

#include <QCheckBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStackedLayout>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

namespace meshslice::ui {

/// Sorts the GEMMs by what the user asks for; the line of sums stays above them, in bold letters.
class ProductOrder : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setSums(bool sums) { sums_ = sums; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::FontRole && isSum(mapToSource(index))) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return QSortFilterProxyModel::data(index, role);
    }

  protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override {
        if (isSum(left) || isSum(right)) {
            return isSum(left) == (sortOrder() == Qt::AscendingOrder);
        }
        return QSortFilterProxyModel::lessThan(left, right);
    }

  private:
    [[nodiscard]] bool isSum(const QModelIndex& source) const { return sums_ && source.row() == 0; }

    bool sums_ = false; ///< the first row has sums
};

namespace {

constexpr int column_gap = 8;

/// The columns of which both algorithms' values stand next to each other, and the difference.
constexpr std::array compared = {"time_s", "exposed_s"};

double number(const Table::Cell& cell) {
    const auto* whole = std::get_if<std::int64_t>(&cell);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(cell);
}

/// Every GEMM takes as long as its closed form says, to half a percent.
bool likeTheClosedForm(const TrainingStep& step) {
    constexpr double most = 0.005;
    return std::ranges::all_of(step.gemms, [](const GemmResult& gemm) {
        return std::abs(ratio(gemm.estimated(), gemm.time) - 1) <= most;
    });
}

std::size_t columnOf(const Table& table, std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.columns, name) - table.columns.begin());
}

/// The sums of a step's table: a cell each, empty where nothing adds up.
std::vector<Table::Cell> sumsOf(const Table& table, const TrainingStep& step) {
    std::vector<Table::Cell> sums(table.columns.size(), std::string());
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        if (!table.columns[column].ends_with("_s")) {
            continue; // only times add up
        }
        double sum = 0;
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            // A GEMM with copies runs as often one after the other; the other columns have all of them.
            const bool of_one = table.columns[column] == "time_s" || table.columns[column] == "estimated_s";
            sum += number(table.rows[row][column]) *
                   (of_one ? static_cast<double>(step.gemms[row].gemm.copies) : 1);
        }
        sums[column].emplace<double>(sum);
    }
    return sums;
}

} // namespace

ProductsView::ProductsView(Session* session, QWidget* parent)
    : View(session, parent)
    , model_(new TableModel(this))
    , sorted_(new ProductOrder(this))
    , rows_(makeTableView(sorted_, tr("GEMMs of the step"), this))
    , page_(new QWidget(this))
    , all_columns_(new QCheckBox(tr("&All columns"), page_))
    , sentence_(new QLabel(this))
    , pages_(new QStackedLayout(this)) {
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(TableModel::sort_role);
    rows_->setSortingEnabled(true);
    rows_->sortByColumn(-1, Qt::AscendingOrder); // the order of the step, until the user asks for another
    rows_->setAccessibleDescription(tr("Choosing a row selects the GEMM in all views."));
    sentence_->setAlignment(Qt::AlignCenter);
    sentence_->setWordWrap(true);
    sentence_->setMargin(24);
    pages_->addWidget(sentence_);
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(rows_, 1);
    column->addWidget(all_columns_);
    all_columns_->setToolTip(tr("Also what the links and the core do for how long, and the slices"));
    all_columns_->hide();
    connect(all_columns_, &QCheckBox::toggled, this, &ProductsView::hideColumns);
    rows_->setItemDelegate(new BarCells([this](const QModelIndex& index) { return barOf(index); }, this));
    pages_->addWidget(page_);
    connect(rows_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &ProductsView::selectProduct);
    connect(&selection(), &Selection::selectedChanged, this, &ProductsView::followSelection);
}

void ProductsView::resultsChanged() {
    following_ = true; // resetting the model moves the current row; the user has chosen nothing
    sorted_->setSums(hasSums());
    Shown shown = sideBySide();
    model_->setTable(shown.table);
    column_steps_ = std::move(shown.steps);
    first_columns_ = shown.first;
    longest_.clear();
    for (std::size_t column = 0; column < shown.table.columns.size(); ++column) {
        double longest = 0;
        const std::string& name = shown.table.columns[column];
        const bool bars = name.ends_with("_s") && !name.starts_with(difference_column);
        for (std::size_t row = hasSums() ? 1 : 0; bars && row < shown.table.rows.size(); ++row) {
            longest = std::max(longest, number(shown.table.rows[row][column]));
        }
        longest_.push_back(longest);
    }
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
    pages_->setCurrentWidget(words.isEmpty() ? page_ : static_cast<QWidget*>(sentence_));
}

std::vector<KeyHelp> ProductsView::keys() const {
    return {
        {tr("Up and down"), tr("Select the next or the previous GEMM")},
        {tr("Ctrl+A, Ctrl+C"), tr("Copy the whole table for a spreadsheet; Ctrl+C alone, the chosen rows")}};
}

void ProductsView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    fitColumns();
}

/// Columns are as wide as their letters need.
void ProductsView::changeEvent(QEvent* event) {
    View::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        fits_columns_ = false;
        fitRowHeight(rows_);
        if (isVisible()) {
            fitColumns();
        }
    }
}

/// Every cell is measured, so it is done only where the table is seen.
void ProductsView::fitColumns() {
    if (!std::exchange(fits_columns_, true)) {
        rows_->resizeColumnsToContents();
        for (int column = 0; column < sorted_->columnCount(); ++column) { // numbers next to words need a gap
            rows_->setColumnWidth(column, rows_->columnWidth(column) + column_gap);
        }
    }
    hideColumns();
}

void ProductsView::hideColumns() {
    int needed = 0;
    for (int column = 0; column < sorted_->columnCount(); ++column) {
        rows_->setColumnHidden(column, false);
        needed += rows_->columnWidth(column);
    }
    const int width = rows_->viewport()->width();
    const bool room = needed <= width;
    all_columns_->setVisible(!room);
    int shown = 0;
    for (int column = 0; column < sorted_->columnCount(); ++column) { // what is compared comes first
        shown += rows_->columnWidth(column);
        const bool fits = static_cast<std::size_t>(column) < first_columns_ && shown <= width;
        rows_->setColumnHidden(column, !room && !all_columns_->isChecked() && !fits);
    }
}

void ProductsView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    if (fits_columns_) {
        hideColumns();
    }
}

std::optional<double> ProductsView::barOf(const QModelIndex& index) const {
    const QModelIndex source = sorted_->mapToSource(index);
    const auto column = static_cast<std::size_t>(source.column());
    if (!source.isValid() || column >= longest_.size() || longest_[column] <= 0 ||
        (hasSums() && source.row() == 0)) {
        return std::nullopt;
    }
    return number(model_->source().rows[static_cast<std::size_t>(source.row())][column]) / longest_[column];
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
                std::vector<Table::Cell> named(1, stepTitle(step).toStdString());
                std::ranges::move(row, std::back_inserter(named));
                row = std::move(named);
            }
        }
        all.columns = one.columns;
        std::ranges::move(one.rows, std::back_inserter(all.rows));
    }
    return all;
}

bool ProductsView::hasSums() const {
    return results() && !results()->steps.empty() && results()->steps.front().gemms.size() > 1;
}

ProductsView::Shown ProductsView::sideBySide() const {
    Shown made;
    Table& all = made.table;
    all.title = tr("GEMMs of the step").toStdString();
    const ResultsPtr shown = results();
    if (!shown || shown->steps.empty()) {
        return made;
    }
    std::vector<Table> steps;
    for (const TrainingStep& step : shown->steps) {
        Table one = gemm_table(step);
        if (hasSums()) {
            one.rows.insert(one.rows.begin(), sumsOf(one, step));
            one.rows.front().front().emplace<std::string>(tr("total").toStdString());
        }
        steps.push_back(std::move(one));
    }
    const Table& first = steps.front();
    const auto add = [&](const std::string& name, std::size_t step, const auto& cell_of) {
        all.columns.push_back(name);
        made.steps.push_back(step);
        all.rows.resize(first.rows.size());
        for (std::size_t row = 0; row < first.rows.size(); ++row) {
            all.rows[row].emplace_back(cell_of(row));
        }
    };
    const auto add_own = [&](const std::string& name, std::size_t step, const std::string& column) {
        const std::size_t at = columnOf(steps[step], column);
        add(name, step, [&, at](std::size_t row) { return steps[step].rows[row][at]; });
    };
    const auto name_of = [&](std::size_t step) { return stepName(*shown, step).toStdString(); };
    const bool copied = std::ranges::any_of(shown->steps.front().gemms,
                                            [](const GemmResult& one) { return one.gemm.copies != 1; });
    for (const char* column : {"layer", "pass"}) {
        add_own(column, 0, column);
    }
    const bool both = steps.size() == 2 && steps[1].rows.size() == first.rows.size();
    // Of two variants A comes first and what B takes more; of two algorithms the scenario's own comes first.
    const std::size_t before = shown->reference ? 1 : 0;
    const std::size_t after = 1 - before;
    std::vector<std::string> rest;
    for (const std::string& column : first.columns) {
        const bool placed = columnOf(first, column) < 2 || column == "m" || column == "n" || column == "k" ||
                            column == "copies" || std::ranges::count(compared, column) > 0;
        // Where the closed form says the same, it need not be said.
        const bool said = column == "estimated_s" && std::ranges::all_of(shown->steps, likeTheClosedForm);
        if (!placed && !said) {
            rest.push_back(column);
        }
    }
    for (const std::string column : compared) {
        if (!both) {
            add_own(column, 0, column);
            continue;
        }
        for (const std::size_t step : {before, after}) {
            add_own(name_of(step) + " " + column, step, column);
        }
        const std::size_t at = columnOf(first, column);
        add(difference_column + column, 0, [&, at](std::size_t row) {
            return number(steps[after].rows[row][at]) - number(steps[before].rows[row][at]);
        });
    }
    for (const char* column : {"m", "n", "k", "copies"}) {
        std::string name = column;
        if (name == "copies" && !copied) {
            continue;
        }
        if (name.size() == 1) {
            name = static_cast<char>(name[0] - 'a' + 'A'); // as everywhere else
        }
        add_own(name, 0, column);
    }
    made.first = all.columns.size();
    made.compared = both ? all.columns.size() : all.columns.size() + rest.size();
    for (const std::string& column : rest) {
        for (std::size_t step = 0; step < (both ? 2u : 1u); ++step) {
            add_own(both ? name_of(step) + " " + column : column, step, column);
        }
    }
    return made;
}

void ProductsView::selectProduct() {
    const QModelIndex current = sorted_->mapToSource(rows_->currentIndex());
    if (following_ || !results() || !current.isValid()) {
        return;
    }
    const int row = current.row() - (hasSums() ? 1 : 0);
    const std::size_t step = column_steps_[static_cast<std::size_t>(current.column())];
    if (row >= 0 && static_cast<std::size_t>(row) < results()->steps[step].gemms.size()) {
        selection().select(Selected{step, static_cast<std::size_t>(row), {}, {}});
    }
}

void ProductsView::followSelection() {
    following_ = true;
    const auto& selected = selection().selected();
    const auto step = selected ? std::ranges::find(column_steps_, selected->step) : column_steps_.end();
    if (step == column_steps_.end() || !results()) {
        rows_->setCurrentIndex({});
    } else {
        const int row = static_cast<int>(selected->gemm) + (hasSums() ? 1 : 0);
        const QModelIndex now = sorted_->mapToSource(rows_->currentIndex());
        const auto column = static_cast<int>(step - column_steps_.begin());
        const bool there = now.isValid() && now.row() == row &&
                           column_steps_[static_cast<std::size_t>(now.column())] == selected->step;
        if (!there) {
            rows_->setCurrentIndex(sorted_->mapFromSource(model_->index(row, column)));
        }
    }
    following_ = false;
}

void ProductsView::paintPicture(QPainter& painter, const QSize& size, Theme theme) const {
    Table shown;
    if (isCurrent()) {
        Shown all =
            sideBySide(); // of which the picture has what is compared: letters stay large enough to read
        shown = std::move(all.table);
        shown.columns.resize(all.compared);
        for (auto& row : shown.rows) {
            row.resize(all.compared);
        }
    }
    if (!isCurrent()) {
        painter.fillRect(QRect({0, 0}, size), color(Role::background, theme));
        paintSentence(painter, QRectF(QPointF(0, 0), size), whyNotCurrent(), theme);
        return;
    }
    paintTable(painter, size, theme, font(), shown, hasSums());
}

} // namespace meshslice::ui
