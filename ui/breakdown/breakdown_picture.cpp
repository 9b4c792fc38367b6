#include "ui/breakdown/breakdown_picture.h"

#include "core/base/text.h"
#include "ui/charts/legend.h"
#include "ui/look/hatch.h"
#include "ui/look/lettering.h"
#include "ui/view/finding.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice::ui {
namespace {

struct BreakdownWords {
    Q_DECLARE_TR_FUNCTIONS(Breakdown)
};

constexpr double title_height = 34;

/// Copies have a colour of their own only where slices are copied.
std::vector<LegendItem> legendItems(const std::vector<BreakdownRow>& rows) {
    std::vector<LegendItem> items = {
        {BreakdownWords::tr("multiply"), Role::compute},
        {BreakdownWords::tr("core waits: exposed communication"), Role::exposed},
        {BreakdownWords::tr("launch"), Role::launch},
        {BreakdownWords::tr("synchronisation"), Role::sync},
        {BreakdownWords::tr("transfer, both axes"), Role::transferHorizontal, Role::transferVertical},
        {BreakdownWords::tr("thick: time; thin: communication of both axes, hidden or not"), std::nullopt}};
    if (std::ranges::any_of(rows, [](const BreakdownRow& row) { return row.usage.copy > Time(0); })) {
        items.insert(items.end() - 1, {BreakdownWords::tr("copying slices"), Role::slicing});
    }
    return items;
}

/// Unit of an axis of picoseconds.
struct TimeUnit {
    double picoseconds;
    QString name;
};
TimeUnit unitFor(double longest) {
    const std::array<TimeUnit, 4> units = {{{1e12, QStringLiteral("s")},
                                            {1e9, QStringLiteral("ms")},
                                            {1e6, QStringLiteral("µs")},
                                            {1e3, QStringLiteral("ns")}}};
    for (const TimeUnit& unit : units) {
        if (longest >= unit.picoseconds) {
            return unit;
        }
    }
    return units.back();
}

void paintPart(QPainter& painter, const QRectF& bar, BreakdownPart::Kind kind, Theme theme) {
    switch (kind) {
    case BreakdownPart::Kind::compute: painter.fillRect(bar, color(Role::compute, theme)); break;
    case BreakdownPart::Kind::coreLaunch:
    case BreakdownPart::Kind::launch: painter.fillRect(bar, color(Role::launch, theme)); break;
    case BreakdownPart::Kind::copy: painter.fillRect(bar, color(Role::slicing, theme)); break;
    case BreakdownPart::Kind::sync: painter.fillRect(bar, color(Role::sync, theme)); break;
    case BreakdownPart::Kind::exposed: paintHatch(painter, bar, theme); break;
    case BreakdownPart::Kind::transfer: {
        // Both axes added up: half the bar in the colour of each.
        const double half = std::ceil(bar.height() / 2);
        painter.fillRect(bar, color(Role::transferHorizontal, theme));
        painter.fillRect(bar.adjusted(0, half, 0, 0), color(Role::transferVertical, theme));
        break;
    }
    }
}

void paintParts(QPainter& painter, const PixelAxis& axis, const QRectF& bar,
                const std::vector<BreakdownPart>& parts, Theme theme) {
    for (const BreakdownPart& part : parts) {
        const double left = std::round(axis.pixel(static_cast<double>(part.begin.value())));
        const double right = std::round(axis.pixel(static_cast<double>(part.end.value())));
        if (right > left) {
            paintPart(painter, QRectF(left, bar.top(), right - left, bar.height()), part.kind, theme);
        }
    }
}

void paintLine(QPainter& painter, const BreakdownPicture& picture, const BreakdownPanel& panel,
               const BreakdownLine& line, Theme theme) {
    const BreakdownRow& row = picture.rows[line.row];
    paintParts(painter, panel.x, line.time, timeParts(row), theme);
    paintParts(painter, panel.x, line.communication, communicationParts(row), theme);
    if (line.area.height() < 9) {
        return; // no room for a text between the bars
    }
    const QFont font = lettering(line.area.height() >= 17 ? Lettering::small : Lettering::tiny);
    // Beside its own bar; where the bars are too thin for that, beside the longer of the two.
    const bool roomy = line.area.height() >= 14;
    const auto beside = [&](const QRectF& bar, Time length, const QString& words) {
        const Time longest = roomy ? length : std::max(row.time, row.usage.communication());
        const double end = panel.x.pixel(static_cast<double>(longest.value()));
        const double middle = roomy ? bar.center().y() : line.area.center().y();
        drawFitted(painter, QRectF(end + 6, middle - 8, panel.plot.right() - end + 6, 16),
                   Qt::AlignLeft | Qt::AlignVCenter, font, words);
    };
    painter.setPen(color(Role::text, theme));
    beside(line.time, row.time,
           BreakdownWords::tr("%1, waits %2")
               .arg(QString::fromStdString(text(row.time)),
                    QString::fromStdString(percent_text(ratio(row.usage.exposed, row.time)))));
    if (line.area.height() >= 28 && row.usage.communication() > Time(0)) {
        painter.setPen(color(Role::quietText, theme));
        beside(line.communication, row.usage.communication(),
               BreakdownWords::tr("communication %1")
                   .arg(QString::fromStdString(text(row.usage.communication()))));
    }
}

void paintGroup(QPainter& painter, const BreakdownPicture& picture, const BreakdownPanel& panel,
                const BreakdownGroup& group, Theme theme) {
    const double right = panel.plot.left() - 8;
    painter.setPen(color(Role::text, theme));
    drawFitted(painter,
               QRectF(right - picture.layout.algorithms - picture.layout.names, group.area.top(),
                      picture.layout.names, group.area.height()),
               Qt::AlignRight | Qt::AlignVCenter, lettering(Lettering::small, !group.gemm), group.title);
    for (const BreakdownLine& line : group.lines) {
        if (picture.layout.algorithms > 0 && line.area.height() >= 9) {
            painter.setPen(color(Role::quietText, theme));
            drawFitted(painter,
                       QRectF(right - picture.layout.algorithms, line.area.top(), picture.layout.algorithms,
                              line.area.height()),
                       Qt::AlignRight | Qt::AlignVCenter,
                       lettering(line.area.height() >= 13 ? Lettering::small : Lettering::tiny),
                       picture.algorithms[line.step]);
        }
        paintLine(painter, picture, panel, line, theme);
    }
}

} // namespace

QString breakdownFinding(const Results& results) {
    const QString compared = comparisonFinding(results);
    if (!compared.isEmpty()) {
        return compared;
    }
    if (results.steps.size() == 1 && results.steps[0].usage.communication() > Time(0)) {
        return BreakdownWords::tr("%1 hides %2 of its communication behind multiplication")
            .arg(algorithmTitle(results.steps[0].algorithm),
                 QString::fromStdString(percent_text(results.steps[0].hidden_share())));
    }
    return BreakdownWords::tr("Where does the time of each product go?");
}

BreakdownPicture makeBreakdown(const Results& results, std::vector<BreakdownRow> rows, const QSize& size) {
    BreakdownPicture picture;
    picture.size = size;
    picture.title = breakdownFinding(results);
    picture.rows = std::move(rows);
    for (const TrainingStep& step : results.steps) {
        picture.algorithms.push_back(algorithmTitle(step.algorithm));
    }
    const int legend = placeLegend(legendItems(picture.rows), size.width() - 24.0).lines;
    const QRectF area(0, title_height, size.width(),
                      std::max(60.0, size.height() - title_height - legend * legend_line_height - 8));
    picture.layout = layoutBreakdown(picture.rows, results.steps.size(), picture.algorithms, area);
    return picture;
}

void paint(QPainter& painter, const BreakdownPicture& picture, Theme theme) {
    const QSize size = picture.size;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(12, 6, size.width() - 24, 24), Qt::AlignLeft | Qt::AlignVCenter,
               lettering(Lettering::title, true), picture.title);
    for (const BreakdownPanel& panel : picture.layout.panels) {
        const TimeUnit unit = unitFor(panel.x.high);
        paintAxisBelow(painter, panel.plot, panel.x, axis_ticks(panel.x, 64, unit.picoseconds),
                       BreakdownWords::tr("time on one chip (%1)").arg(unit.name), theme);
        painter.fillRect(QRectF(panel.plot.left() - 1, panel.plot.top(), 1, panel.plot.height()),
                         color(Role::quietText, theme));
        for (const BreakdownGroup& group : panel.groups) {
            paintGroup(painter, picture, panel, group, theme);
        }
    }
    const std::vector<LegendItem> items = legendItems(picture.rows);
    const int lines = placeLegend(items, size.width() - 24.0).lines;
    paintLegend(painter, items, QPointF(12, size.height() - lines * legend_line_height - 4),
                size.width() - 24.0, theme);
}

} // namespace meshslice::ui
