#include "ui/measured/log_pane.h"

#include "ui/charts/chart_canvas.h"
#include "ui/look/words.h"
#include "ui/view/painted_view.h"

#include <QFontDatabase>
#include <QPainter>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <optional>

namespace meshslice::ui {

LogPane::LogPane(QWidget* parent)
    : QWidget(parent), chart_(new ChartCanvas(this)), text_(new QPlainTextEdit(this)) {
    chart_->setAccessibleName(tr("Time of each logged step"));
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setTabChangesFocus(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->setAccessibleName(tr("What the log says"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(chart_, 3);
    all->addWidget(text_, 2);
    setFocusProxy(text_);
}

void LogPane::show(const LoggedRun& run) {
    charted_ = !run.answer.charts.empty();
    headline_ = words(run.answer.headline);
    chart_->setVisible(charted_);
    chart_->show(charted_ ? std::optional(run.answer.charts.front().chart) : std::nullopt, headline_);
    // Columns stand under each other.
    QFont fixed = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    fixed.setPointSizeF(font().pointSizeF());
    text_->setFont(fixed);
    text_->setPlainText(words(words_of(run.answer)));
    setAccessibleDescription(headline_);
}

void LogPane::paintFor(QPainter& painter, const QSize& size, Theme theme) const {
    if (charted_) {
        chart_->surface()->paintPicture(painter, size, theme);
        return;
    }
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    paintSentence(painter, QRectF(QPointF(0, 0), size), headline_, theme);
}

} // namespace meshslice::ui
