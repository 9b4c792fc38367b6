// What the sweep shows: its points as lines or as a heat map, with A's next to them, and all of them as a
// table.

#include "core/base/language.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_heat.h"
#include "core/report/sweep/sweep_table.h"
#include "ui/charts/heat/heat_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/look/words.h"
#include "ui/sweeps/done_points.h"
#include "ui/sweeps/sweeps_view.h"

#include <QComboBox>
#include <QPushButton>
#include <QRadioButton>
#include <QStackedWidget>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr int column_padding = 10;
constexpr int widest_sweep_column = 320; ///< of the table; a cell's tooltip has all of it

} // namespace

bool SweepsView::showsHeatMap() const {
    return chosen_.fields.size() == 2 && as_heat_map_->isChecked();
}

void SweepsView::showPoints() {
    const bool busy = inquiry_.asked().has_value();
    busy ? growing_.start() : growing_.stop();
    stop_->setVisible(busy || stopped_.has_value());
    // As wide as it gets, so that it does not grow with every tenth.
    stop_->setMinimumWidth(stop_->fontMetrics().horizontalAdvance(tr("Stop (%1%)").arg(100)) +
                           2 * column_padding);
    stop_->setText(busy ? tr("Stop (%1%)").arg(std::lround(100 * inquiry_.progress())) : tr("Go on"));
    const Result<Sweep> sweep = wanted();
    const std::vector<SweepPoint>* of_a = pointsOfA();
    if (!sweep || shown_ != *sweep || shows_a_ != (of_a != nullptr)) {
        shows_a_ = of_a != nullptr;
        shown_ = sweep ? std::optional(*sweep) : std::nullopt;
        points_.clear();
        rows_->setTable(sweep ? shownTable(*sweep, {}) : Table());
        drawn_.reset();
    }
    if (sweep) {
        const std::vector<SweepPoint> more = done_->of(*sweep, points_.size());
        rows_->addRows(shownTable(*sweep, more).rows);
        points_.insert(points_.end(), more.begin(), more.end());
        if (!more.empty()) {
            fitColumns();
        }
    }
    table_->setVisible(!points_.empty());
    as_lines_->setVisible(sweep && sweep->fields.size() == 2);
    as_heat_map_->setVisible(sweep && sweep->fields.size() == 2);
    whose_->setVisible(of_a != nullptr && sweep && sweep->fields.size() == 2);
    drawPoints(sweep, busy);
}

/// Of the points that follow those that are shown.
Table SweepsView::shownTable(const Sweep& sweep, const std::vector<SweepPoint>& more) const {
    Table table = shown_sweep_table(sweep, shown_as(sweep, more.empty() ? points_ : more), more);
    if (const std::vector<SweepPoint>* of_a = pointsOfA()) {
        const auto from = static_cast<std::ptrdiff_t>(std::min(points_.size(), of_a->size()));
        add_reference(table, sweep, more, std::vector<SweepPoint>(of_a->begin() + from, of_a->end()));
    }
    return table;
}

void SweepsView::fitColumns() {
    table_->resizeColumnsToContents();
    for (int column = 0; column < rows_->columnCount(); ++column) {
        table_->setColumnWidth(column,
                               std::min(widest_sweep_column, table_->columnWidth(column) + column_padding));
    }
}

void SweepsView::drawPoints(const Result<Sweep>& sweep, bool busy) {
    // A picture costs as much as it has points: of those that grow there are only so many.
    const bool few_more = drawn_ && points_.size() < *drawn_ + *drawn_ / 4;
    if (busy && !points_.empty() && few_more) {
        return;
    }
    drawn_ = points_.size();
    const QString instead = sentenceOf(sweep);
    std::string finding = points_.empty() ? std::string() : finding_in_a_line(*sweep, points_);
    const std::vector<SweepPoint>* of_a = points_.empty() ? nullptr : pointsOfA();
    if (of_a != nullptr) {
        if (const std::string difference = sweep_difference(*sweep, points_, *of_a); !difference.empty()) {
            finding = difference + said(" ") + finding;
        }
    }
    const bool heat = !points_.empty() && showsHeatMap();
    pictures_->setCurrentIndex(heat ? 1 : 0);
    heat_->show(heat ? std::optional(heatMap(*sweep, finding)) : std::nullopt, instead);
    const bool has_lines = !points_.empty() && !heat;
    canvas()->show(has_lines ? std::optional(lines(*sweep, finding)) : std::nullopt, instead);
    setAccessibleDescription(points_.empty() ? instead : words(finding));
}

Chart SweepsView::lines(const Sweep& sweep, const std::string& finding) const {
    const std::vector<SweepPoint>* a = pointsOfA();
    if (a == nullptr || (sweep.fields.size() == 2 && whose_->currentIndex() == whose_b)) {
        return sweep_chart(sweep, points_, finding);
    }
    const Sweep its = wantedOfA().value();
    if (sweep.fields.size() == 1) {
        Chart chart = sweep_chart(sweep, points_, finding);
        add_reference(chart, sweep, points_, its, *a);
        return chart;
    }
    return whose_->currentIndex() == whose_both ? sweep_chart_against(sweep, points_, its, *a, finding)
                                                : sweep_chart(its, *a, "A: " + finding_in_a_line(its, *a));
}

HeatMap SweepsView::heatMap(const Sweep& sweep, const std::string& finding) const {
    const std::vector<SweepPoint>* a = pointsOfA();
    if (a == nullptr || whose_->currentIndex() == whose_b) {
        return sweep_heat(sweep, points_, finding);
    }
    if (whose_->currentIndex() == whose_both) {
        return sweep_heat_against(sweep, points_, *a, finding);
    }
    const Sweep its = wantedOfA().value();
    return sweep_heat(its, *a, "A: " + finding_in_a_line(its, *a));
}

Table SweepsView::makeTable() const {
    Table table = sweep_table(*inquiry_.answered(), *inquiry_.answer());
    if (const std::vector<SweepPoint>* of_a = pointsOfA()) {
        add_reference(table, *inquiry_.answered(), *inquiry_.answer(), *of_a);
    }
    return table;
}

QString SweepsView::pictured() const {
    return words(sweep_title(*inquiry_.answered()));
}

double SweepsView::pictureHeight(double width) const {
    return showsHeatMap() && heat_->map() ? figureHeight(*heat_->map(), width)
                                          : ChartJobView::pictureHeight(width);
}

void SweepsView::paintCurrent(QPainter& painter, const QSize& size, Theme theme) const {
    if (showsHeatMap()) {
        heat_->paintPicture(painter, size, theme);
    } else {
        ChartJobView::paintCurrent(painter, size, theme);
    }
}

} // namespace meshslice::ui
