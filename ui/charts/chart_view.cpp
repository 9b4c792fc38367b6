#include "ui/charts/chart_view.h"

#include "core/report/chart/step_charts.h"
#include "ui/look/words.h"

#include <QKeyEvent>

namespace meshslice::ui {

ChartView::ChartView(Session* session, QWidget* parent)
    : PaintedView(session, parent), surface_(new ChartSurface(this)) {
    setFocusPolicy(Qt::StrongFocus);
    connect(&selection(), &Selection::selectedChanged, this, &ChartView::takeSelection);
    connect(surface_, &ChartSurface::picked, this, [this](std::optional<int> item) {
        const ResultsPtr shown = results();
        if (!shown || shown->steps.empty() || !item) {
            selection().select(std::nullopt);
            return;
        }
        const auto [step, gemm] = of_chart_item(*item, most_gemms(shown->steps));
        selection().select(Selected{step, gemm, {}, {}});
    });
}

std::vector<KeyHelp> ChartView::keys() const {
    return {{tr("Arrows"), tr("Select the next or the previous GEMM")},
            {tr("1 … 9, 0"), tr("Show one series of the legend alone, or all")},
            {tr("Esc"), tr("Clear the selection")}};
}

std::vector<ReadablePart> ChartView::readableParts() const {
    return sentence().isEmpty() ? surface_->readableParts() : std::vector<ReadablePart>();
}

void ChartView::resultsChanged() {
    const ResultsPtr shown = results();
    there_are_gemms_ = shown && !shown->steps.empty() && !shown->steps.front().gemms.empty();
    chart_ = there_are_gemms_ ? std::optional(makeChart()) : std::nullopt;
}

void ChartView::stateChanged() {
    surface_->setChart(sentence().isEmpty() ? chart_ : std::nullopt);
    takeSelection();
    PaintedView::stateChanged();
}

void ChartView::takeSelection() {
    const std::optional<Selected>& selected = selection().selected();
    const ResultsPtr shown = results();
    std::optional<int> item;
    if (selected && shown && selected->step < shown->steps.size()) {
        item = chart_item(selected->step, selected->gemm, most_gemms(shown->steps));
    }
    surface_->select(item);
    QString said = surface_->chart() ? words(surface_->chart()->title) : sentence();
    const QStringList lines = item ? surface_->linesOfItem(*item) : QStringList();
    setAccessibleDescription(
        lines.isEmpty() ? said : said + QStringLiteral("; ") + lines.join(QStringLiteral("; ")));
}

double ChartView::leastHeight(double width) const {
    return chart_ ? ui::leastHeight(*chart_, width) : 0;
}

double ChartView::pictureHeight(double width) const {
    return chart_ ? figureHeight(*chart_, width) : PaintedView::pictureHeight(width);
}

void ChartView::paintContent(QPainter& painter) {
    surface_->paint(painter);
}

void ChartView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    surface_->paintPicture(painter, size, theme);
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool forward = key == Qt::Key_Right || key == Qt::Key_Down;
    const int turn = forward ? 1 : key == Qt::Key_Left || key == Qt::Key_Up ? -1 : 0;
    if (!selectNextProduct(turn) && !(key == Qt::Key_Escape && clearSelection())) {
        PaintedView::keyPressEvent(event);
    }
}

} // namespace meshslice::ui
