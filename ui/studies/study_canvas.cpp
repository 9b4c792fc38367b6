#include "ui/studies/study_canvas.h"

#include "core/report/study_look.h"
#include "ui/controls/tip.h"
#include "ui/look/words.h"
#include "ui/studies/study_picture.h"
#include "ui/view/painted_view.h"

#include <QHelpEvent>
#include <QPainter>

namespace meshslice::ui {

StudyCanvas::StudyCanvas(QWidget* parent) : QWidget(parent) {
    setAccessibleName(tr("Chart of the study"));
}

void StudyCanvas::show(const std::optional<StudyResult>& result, const QString& sentence) {
    result_ = result;
    sentence_ = sentence;
    setAccessibleDescription(result_ ? words(result_->finding) : sentence_);
    update();
}

QStringList StudyCanvas::linesAt(const QPointF& point) const {
    if (!result_) {
        return {};
    }
    const StudyChart chart = layoutStudy(*result_, size());
    const StudyHit hit = mark_at(chart, {point.x(), point.y()});
    if (hit.mark == nullptr) {
        return {};
    }
    const Panel& panel = *hit.panel;
    const QString whose = hit.mark->published ? tr("published (MeshSlice, ISCA 2025)") : tr("ours");
    return {
        words(panel.series[hit.mark->series].name),
        QStringLiteral("%1: %2").arg(words(panel.category_name), words(panel.categories[hit.mark->category])),
        QStringLiteral("%1: %2, %3")
            .arg(words(panel.value_name), words(value_text(panel.unit, hit.mark->value)), whose)};
}

bool StudyCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(help->pos()));
        return true;
    }
    return QWidget::event(event);
}

void StudyCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme theme = themeOf(palette());
    if (result_) {
        paint(painter, layoutStudy(*result_, size()), theme);
        return;
    }
    painter.fillRect(rect(), color(Role::background, theme));
    paintSentence(painter, rect(), sentence_, theme);
}

} // namespace meshslice::ui
