#include "ui/breakdown/breakdown_view.h"

#include "core/base/text.h"
#include "core/report/chart/step_charts.h"
#include "core/step/breakdown.h"
#include "ui/look/picture_scale.h"
#include "ui/view/finding.h"

#include <QEvent>
#include <QPainter>
#include <QToolButton>

namespace meshslice::ui {

QString breakdownFinding(const Results& results) {
    const QString compared = comparisonFinding(results);
    if (!compared.isEmpty()) {
        return compared;
    }
    if (results.steps.size() == 1 && results.steps[0].usage.communication() > Time(0)) {
        return BreakdownView::tr("%1 hides %2 of its communication behind multiplication")
            .arg(stepTitle(results.steps[0]),
                 QString::fromStdString(percent_text(results.steps[0].hidden_share())));
    }
    return BreakdownView::tr("Where does the time of each GEMM go?");
}

BreakdownView::BreakdownView(Session* session, QWidget* parent)
    : ChartView(session, parent), more_(new QToolButton(this)) {
    setAccessibleName(tr("Breakdown"));
    more_->hide();
    more_->setAutoRaise(true);
    more_->setToolTip(tr("The GEMMs whose core waits longest come first"));
    connect(more_, &QToolButton::clicked, this, [this] { showAll(!all_); });
}

QAbstractButton* BreakdownView::moreButton() {
    return more_;
}

void BreakdownView::showAll(bool all) {
    if (all_ != all) {
        all_ = all;
        resultsChanged();
        stateChanged();
        update();
    }
}

std::size_t BreakdownView::gemms() const {
    return results() ? most_gemms(results()->steps) : 0;
}

Chart BreakdownView::makeChart() const {
    BreakdownRows rows;
    rows.by_waiting = gemms() > 1;
    rows.most = all_ ? gemms() : first_gemms;
    return breakdown_chart(results()->steps, breakdownFinding(*results()).toStdString(), rows);
}

void BreakdownView::stateChanged() {
    const bool more = sentence().isEmpty() && gemms() > first_gemms;
    more_->setVisible(more);
    more_->setText(all_ ? tr("Show the worst %1").arg(first_gemms) : tr("Show all %1 GEMMs").arg(gemms()));
    more_->setAccessibleName(more_->text());
    placeButton();
    ChartView::stateChanged();
}

double BreakdownView::footHeight() const {
    return more_->isHidden() ? 0 : more_->sizeHint().height() / pictureScale();
}

double BreakdownView::leastHeight(double width) const {
    return ChartView::leastHeight(width) + footHeight();
}

void BreakdownView::placeButton() {
    const QSize size = more_->sizeHint();
    more_->setGeometry(QRect(QPoint(width() - size.width() - 8, height() - size.height()), size));
    const QSize all = pictureSize();
    surface()->setArea(QRect(0, 0, all.width(), all.height() - static_cast<int>(footHeight())));
}

void BreakdownView::paintContent(QPainter& painter) {
    painter.fillRect(QRect(QPoint(0, 0), pictureSize()), color(Role::background, theme()));
    ChartView::paintContent(painter);
}

void BreakdownView::resizeEvent(QResizeEvent* event) {
    ChartView::resizeEvent(event);
    placeButton();
}

void BreakdownView::changeEvent(QEvent* event) {
    ChartView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        placeButton();
    }
}

Table BreakdownView::makeTable() const {
    return meshslice::table(breakdown(results()->steps));
}

QString BreakdownView::nothingToShow() const {
    return thereAreGemms() ? QString() : tr("There are no GEMMs to break down.");
}

} // namespace meshslice::ui
