#include "ui/view/painted_view.h"

#include "ui/look/lettering.h"
#include "ui/session/selection.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <chrono>

namespace meshslice::ui {
namespace {

constexpr std::chrono::milliseconds patience{250};

} // namespace

PaintedView::PaintedView(Selection* selection, QWidget* parent) : View(parent), selection_(selection) {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    patience_.setSingleShot(true);
    patience_.setInterval(patience);
    connect(&patience_, &QTimer::timeout, this, [this] {
        stale_ = true;
        update();
    });
}

void PaintedView::showResults(const ResultsPtr& results) {
    results_ = results;
    state_ = results ? ViewState::ready : ViewState::empty;
    sentence_.clear();
    stale_ = false;
    patience_.stop();
    resultsChanged();
    update();
}

void PaintedView::showState(ViewState state, const QString& sentence) {
    state_ = state;
    sentence_ = sentence;
    if (state == ViewState::computing) {
        if (!stale_ && !patience_.isActive()) {
            patience_.start();
        }
    } else {
        patience_.stop();
        stale_ = false;
    }
    if (state == ViewState::empty && results_) {
        results_.reset();
        resultsChanged();
    }
    update();
}

QString PaintedView::sentence() const {
    if (state_ == ViewState::failed) {
        return sentence_.isEmpty() ? tr("The run failed.") : sentence_;
    }
    if (results_) {
        return nothingToShow();
    }
    if (!sentence_.isEmpty()) {
        return sentence_;
    }
    return state_ == ViewState::computing
               ? tr("Computing …")
               : tr("Nothing to show yet. Choose a model and a mesh on the left, or open an example.");
}

bool PaintedView::selectNextProduct(int turn) {
    if (turn == 0 || !results_ || !sentence().isEmpty() || results_->steps.empty()) {
        return false;
    }
    const std::optional<Selected>& selected = selection_->selected();
    const std::size_t step = selected && selected->step < results_->steps.size() ? selected->step : 0;
    const std::size_t count = results_->steps[step].gemms.size();
    if (count > 0) {
        const std::size_t next = !selected ? 0 : (selected->gemm + (turn > 0 ? 1 : count - 1)) % count;
        selection_->select(Selected{step, next, {}, {}});
    }
    return true;
}

bool PaintedView::clearSelection() {
    if (!selection_->selected()) {
        return false;
    }
    selection_->select(std::nullopt);
    return true;
}

void PaintedView::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const QString words = sentence();
    if (!words.isEmpty()) {
        painter.fillRect(rect(), color(Role::background, theme()));
        paintSentence(painter, rect(), words, theme());
        return;
    }
    paintContent(painter);
    if (!stale_) {
        return;
    }
    QColor veil = color(Role::background, theme());
    veil.setAlpha(110);
    painter.fillRect(rect(), veil);
    const QString note = tr("Being renewed: this picture is of the previous run");
    const QFont font = lettering(Lettering::normal);
    const QRectF strip(0, 0, width(), 22);
    painter.fillRect(strip, color(Role::panel, theme()));
    painter.setPen(color(Role::text, theme()));
    drawFitted(painter, strip.adjusted(8, 0, -8, 0), Qt::AlignCenter, font, note);
}

void PaintedView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) {
        themeChanged();
        update();
    }
    View::changeEvent(event);
}

void paintSentence(QPainter& painter, const QRectF& area, const QString& sentence, Theme theme) {
    const double width = std::max(40.0, std::min(480.0, area.width() - 48.0));
    const QRectF column(area.center().x() - width / 2, area.top() + 8, width,
                        std::max(0.0, area.height() - 16));
    painter.setFont(lettering(Lettering::title));
    painter.setPen(color(Role::quietText, theme));
    painter.drawText(column, Qt::AlignCenter | Qt::TextWordWrap, sentence);
}

} // namespace meshslice::ui
