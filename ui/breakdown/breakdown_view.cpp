#include "ui/breakdown/breakdown_view.h"

#include "core/base/text.h"
#include "ui/controls/tip.h"
#include "ui/view/finding.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace meshslice::ui {

BreakdownView::BreakdownView(Session* session, QWidget* parent) : PaintedView(session, parent) {
    setAccessibleName(tr("Breakdown"));
    connect(&selection(), &Selection::selectedChanged, this, [this] {
        describeSelection();
        update();
    });
}

void BreakdownView::resultsChanged() {
    rows_ = results() ? breakdown(results()->steps) : std::vector<BreakdownRow>();
    picture_.reset();
    describeSelection();
}

QString BreakdownView::nothingToShow() const {
    return rows_.empty() ? tr("There are no products whose time could be broken down.") : QString();
}

const BreakdownPicture& BreakdownView::picture() const {
    if (!picture_ && results()) {
        picture_ = makeBreakdown(*results(), rows_, size());
    }
    static const BreakdownPicture none;
    return picture_ ? *picture_ : none;
}

void BreakdownView::paintContent(QPainter& painter) {
    paint(painter, picture(), theme());
    const std::optional<Selected>& selected = selection().selected();
    if (!selected) {
        return;
    }
    for (const BreakdownPanel& panel : picture().layout.panels) {
        for (const BreakdownGroup& group : panel.groups) {
            if (group.gemm == selected->gemm) {
                painter.setRenderHint(QPainter::Antialiasing, false);
                painter.setPen(
                    QPen(color(Role::text, theme()), 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(group.area.adjusted(6, -1, -6, 1));
            }
        }
    }
}

void BreakdownView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    paint(painter, makeBreakdown(*results(), rows_, size), theme);
}

Table BreakdownView::makeTable() const {
    return meshslice::table(rows_);
}

BreakdownView::Hit BreakdownView::hit(const QPoint& point) const {
    if (!sentence().isEmpty()) {
        return {};
    }
    for (const BreakdownPanel& panel : picture().layout.panels) {
        for (const BreakdownGroup& group : panel.groups) {
            for (const BreakdownLine& line : group.lines) {
                if (line.area.contains(point)) {
                    return {&group, &line};
                }
            }
        }
    }
    return {};
}

QStringList BreakdownView::lines(const BreakdownRow& row) const {
    const auto of = [](const std::string& words) { return QString::fromStdString(words); };
    const Usage& usage = row.usage;
    QStringList words;
    words += tr("%1, %2: %3").arg(of(row.title), algorithmTitle(row.algorithm), of(text(row.time)));
    words += tr("multiply: %1, %2 of the time")
                 .arg(of(text(usage.compute)), of(percent_text(ratio(usage.compute, row.time))));
    words += tr("core waits for exposed communication: %1, %2 of the time")
                 .arg(of(text(usage.exposed)), of(percent_text(ratio(usage.exposed, row.time))));
    words += tr("communication: launch %1 + synchronisation %2 + transfer %3 = %4")
                 .arg(of(text(usage.launch)), of(text(usage.sync)), of(text(usage.transfer)),
                      of(text(usage.communication())));
    if (usage.copy > Time(0)) {
        words += tr("of it, copying slices together and back: %1").arg(of(text(usage.copy)));
    }
    words += tr("mean of all chips; both axes added up");
    return words;
}

QStringList BreakdownView::linesAt(const QPoint& point) const {
    const Hit at = hit(point);
    return at.line ? lines(rows_[at.line->row]) : QStringList();
}

bool BreakdownView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(help->pos()));
        return true;
    }
    return PaintedView::event(event);
}

void BreakdownView::keyPressEvent(QKeyEvent* event) {
    const int turn = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    const bool done = selectNextProduct(turn) || (event->key() == Qt::Key_Escape && clearSelection());
    if (!done) {
        PaintedView::keyPressEvent(event);
    }
}

void BreakdownView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !sentence().isEmpty()) {
        PaintedView::mousePressEvent(event);
        return;
    }
    const Hit at = hit(event->pos());
    if (at.group && at.group->gemm) {
        selection().select(Selected{at.line->step, *at.group->gemm, {}, {}});
    } else {
        selection().select(std::nullopt);
    }
}

void BreakdownView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    picture_.reset();
}

void BreakdownView::describeSelection() {
    QString words = results() ? breakdownFinding(*results()) : QString();
    const std::optional<Selected>& selected = selection().selected();
    if (selected && results() && selected->step < results()->steps.size()) {
        const std::size_t row = selected->step * (rows_.size() / results()->steps.size()) + selected->gemm;
        if (row < rows_.size()) {
            words += QStringLiteral("; ") + lines(rows_[row]).join(QStringLiteral("; "));
        }
    }
    setAccessibleDescription(words);
}

} // namespace meshslice::ui
