#include "ui/roofline/roofline_view.h"

#include "core/base/text.h"
#include "ui/controls/tip.h"
#include "ui/view/finding.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace meshslice::ui {

RooflineView::RooflineView(Session* session, QWidget* parent) : PaintedView(session, parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Roofline"));
    connect(&selection(), &Selection::selectedChanged, this, [this] {
        describeSelection();
        update();
    });
}

void RooflineView::resultsChanged() {
    chip_ = {};
    links_ = {};
    if (results()) {
        chip_ = chip_roofline(results()->steps, results()->scenario);
        links_ = link_roofline(results()->steps, results()->scenario);
    }
    picture_.reset();
    hovered_.reset();
    describeSelection();
}

QString RooflineView::nothingToShow() const {
    return chip_.points.empty() && links_.points.empty() ? tr("There are no products to place under a roof.")
                                                         : QString();
}

const RooflinePicture& RooflineView::picture() const {
    if (!picture_ && results()) {
        picture_ = makeRooflines(*results(), chip_, links_, size());
    }
    static const RooflinePicture none;
    return picture_ ? *picture_ : none;
}

void RooflineView::paintContent(QPainter& painter) {
    paint(painter, picture(), theme());
    const std::optional<Selected>& selected = selection().selected();
    for (std::size_t panel = 0; panel < picture().panels.size(); ++panel) {
        const std::vector<RooflineDot>& dots = picture().panels[panel].dots;
        for (std::size_t dot = 0; dot < dots.size(); ++dot) {
            const bool chosen =
                selected && selected->step == dots[dot].step && selected->gemm == dots[dot].gemm;
            if (chosen || hovered_ == Hit{panel, dot}) {
                paintDot(painter, dots[dot], theme(), true);
            }
        }
    }
}

void RooflineView::paintForFile(QPainter& painter, const QSize& size, Theme theme) const {
    paint(painter, makeRooflines(*results(), chip_, links_, size), theme);
}

Table RooflineView::makeTable() const {
    // Both panels, one below the other, told apart by the first column.
    Table both;
    both.title = "roofline";
    for (const Roofline* roofline : {&chip_, &links_}) {
        const Table one = meshslice::table(*roofline);
        both.columns = one.columns;
        both.columns.insert(both.columns.begin(), "roofline");
        for (std::vector<Table::Cell> row : one.rows) {
            row.insert(row.begin(), roofline->title);
            both.rows.push_back(std::move(row));
        }
    }
    return both;
}

std::optional<RooflineView::Hit> RooflineView::hit(const QPoint& point) const {
    if (!sentence().isEmpty()) {
        return std::nullopt;
    }
    for (std::size_t panel = 0; panel < picture().panels.size(); ++panel) {
        if (const std::optional<std::size_t> dot = dotAt(picture().panels[panel], point)) {
            return Hit{panel, *dot};
        }
    }
    return std::nullopt;
}

QStringList RooflineView::lines(const RooflinePanel& panel, const RooflineDot& dot) const {
    const RooflinePoint& point = panel.roofline.points[dot.point];
    const auto of = [](const std::string& words) { return QString::fromStdString(words); };
    QStringList words{
        tr("%1, %2").arg(of(point.title), algorithmTitle(point.algorithm)),
        tr("intensity: %1 %2").arg(of(number_text(point.intensity)), of(panel.roofline.intensity_name)),
        tr("achieved: %1").arg(of(text(FlopRate(point.achieved)))),
        tr("attainable: %1, bound by %2").arg(of(text(FlopRate(point.attainable))), of(point.bound)),
        tr("%1 of its roof; %2 of the step's time")
            .arg(of(percent_text(point.attainable > 0 ? point.achieved / point.attainable : 0.0)),
                 of(percent_text(point.time_share)))};
    if (point.achieved > point.attainable) {
        words += tr("above its roof: simulated times count FLOP and link traffic, not memory traffic");
    }
    return words;
}

QStringList RooflineView::linesAt(const QPoint& point) const {
    const std::optional<Hit> at = hit(point);
    if (!at) {
        return {};
    }
    const RooflinePanel& panel = picture().panels[at->panel];
    return lines(panel, panel.dots[at->dot]);
}

bool RooflineView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        showTip(help, this, linesAt(help->pos()));
        return true;
    }
    return PaintedView::event(event);
}

void RooflineView::keyPressEvent(QKeyEvent* event) {
    const int turn = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const bool done = selectNextProduct(turn) || (event->key() == Qt::Key_Escape && clearSelection());
    if (!done) {
        PaintedView::keyPressEvent(event);
    }
}

void RooflineView::mouseMoveEvent(QMouseEvent* event) {
    const std::optional<Hit> at = hit(event->pos());
    if (at != hovered_) {
        hovered_ = at;
        update();
    }
}

void RooflineView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !sentence().isEmpty()) {
        PaintedView::mousePressEvent(event);
        return;
    }
    if (const std::optional<Hit> at = hit(event->pos())) {
        const RooflineDot& dot = picture().panels[at->panel].dots[at->dot];
        selection().select(Selected{dot.step, dot.gemm, {}, {}});
    } else {
        selection().select(std::nullopt);
    }
}

void RooflineView::leaveEvent(QEvent* event) {
    hovered_.reset();
    update();
    PaintedView::leaveEvent(event);
}

void RooflineView::resizeEvent(QResizeEvent* event) {
    PaintedView::resizeEvent(event);
    picture_.reset();
    hovered_.reset();
}

void RooflineView::describeSelection() {
    QString words = results() ? rooflineFinding(*results(), chip_, links_) : QString();
    const std::optional<Selected>& selected = selection().selected();
    for (const RooflinePanel& panel : picture().panels) {
        for (const RooflineDot& dot : panel.dots) {
            if (selected && dot.step == selected->step && dot.gemm == selected->gemm) {
                words += QStringLiteral("; ") + lines(panel, dot).join(QStringLiteral("; "));
            }
        }
    }
    setAccessibleDescription(words);
}

} // namespace meshslice::ui
