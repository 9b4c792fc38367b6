#include "ui/studies/study_canvas.h"

#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QPainter>

namespace meshslice::ui {

StudyCanvas::StudyCanvas(QWidget* parent) : QWidget(parent), surface_(new ChartSurface(this)) {
    setAccessibleName(tr("Chart of the study"));
    setFocusPolicy(Qt::StrongFocus);
    connect(surface_, &ChartSurface::described, this, &QWidget::setAccessibleDescription);
}

void StudyCanvas::show(const std::optional<StudyResult>& result, const QString& sentence) {
    surface_->setChart(result ? std::optional(chart(*result)) : std::nullopt);
    sentence_ = sentence;
    setAccessibleDescription(result ? words(result->finding) : sentence_);
    update();
}

void StudyCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (surface_->chart()) {
        surface_->paint(painter);
        return;
    }
    painter.fillRect(rect(), color(Role::background, themeOf(palette())));
    paintSentence(painter, rect(), sentence_, themeOf(palette()));
}

} // namespace meshslice::ui
