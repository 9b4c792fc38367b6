#include "ui/planner/pipeline_picture.h"

#include "core/base/text.h"
#include "core/report/chart/ticks.h"
#include "ui/look/figure_style.h"
#include "ui/look/hatch.h"
#include "ui/look/lettering.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"
#include "ui/timeline/strip/time_axis.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

constexpr int pipeline_margin = 12;
constexpr int pipeline_title_height = 36;
constexpr int narrow_title_height = 52; ///< three lines
constexpr int narrow_pipeline = 480;
constexpr int pipeline_legend_height = 20;
constexpr int pipeline_ruler_height = 20;
constexpr int least_row = 3;
constexpr int readable_row = 14;      ///< with its name and its numbers
constexpr int least_stage_rows = 160; ///< of the height, of many stages
constexpr int largest_row = 26;
constexpr int least_memory = 96;
constexpr int memory_heading = 20;
constexpr int names_width = 84;
constexpr int row_for_names = 12; ///< from this height on each row has its name

struct PipelineWords {
    Q_DECLARE_TR_FUNCTIONS(PipelineWords)
};

QString lookName(PipelineLook look) {
    switch (look) {
    case PipelineLook::forward: return PipelineWords::tr("forward");
    case PipelineLook::backward: return PipelineWords::tr("backward");
    case PipelineLook::update: return PipelineWords::tr("optimizer step");
    case PipelineLook::exposed: return PipelineWords::tr("exposed communication");
    case PipelineLook::bubble: return PipelineWords::tr("waits for another stage");
    }
    return {};
}

QString activityName(PipelineActivity activity) {
    switch (activity) {
    case PipelineActivity::exposed_send: return PipelineWords::tr("waits for a transfer between stages");
    case PipelineActivity::exposed_gather: return PipelineWords::tr("waits for weights");
    case PipelineActivity::exposed_reduce: return PipelineWords::tr("waits for the reduction of gradients");
    default: return lookName(look(activity));
    }
}

QString timeText(Time time) {
    return words(text(time));
}

QString stageName(std::size_t stage) {
    return PipelineWords::tr("stage %1").arg(stage + 1);
}

/// Backward passes are pale with a line around them: told from forward ones in grey too.
void paintLook(QPainter& painter, const QRectF& bar, PipelineLook look, Theme theme) {
    switch (look) {
    case PipelineLook::forward: painter.fillRect(bar, color(Role::compute, theme)); break;
    case PipelineLook::backward:
        painter.fillRect(bar, tint(Role::compute, theme, 0.4));
        for (const QRectF& line : edgesOf(bar)) {
            painter.fillRect(line, color(Role::compute, theme));
        }
        break;
    case PipelineLook::update: paintTextured(painter, bar, Role::slicing, theme); break;
    case PipelineLook::exposed: paintHatch(painter, bar, theme); break;
    case PipelineLook::bubble: paintTextured(painter, bar, Role::sync, theme); break;
    }
}

void paintBar(QPainter& painter, const QRect& row, const PipelineBar& bar, Theme theme) {
    const QRectF area(bar.left, row.top(), bar.right - bar.left, row.height());
    if (bar.count == 1) {
        paintLook(painter, area, look(bar.first.activity), theme);
        return;
    }
    Time all;
    for (const Time part : bar.time) {
        all += part;
    }
    Time below;
    double top = area.top();
    for (std::size_t k = 0; k < bar.time.size(); ++k) {
        below += bar.time[k];
        const double bottom = area.top() + std::round(area.height() * ratio(below, all));
        if (bottom > top) {
            paintLook(painter, {area.left(), top, area.width(), bottom - top}, static_cast<PipelineLook>(k),
                      theme);
            top = bottom;
        }
    }
}

void paintNumber(QPainter& painter, const QRect& row, const PipelineBar& bar, Theme theme) {
    const PipelineLook kind = look(bar.first.activity);
    if (bar.count > 1 || bar.first.micro_batch < 0 || row.height() < row_for_names ||
        (kind != PipelineLook::forward && kind != PipelineLook::backward)) {
        return;
    }
    const QString number = QString::number(bar.first.micro_batch + 1);
    if (textWidth(lettering(Lettering::tiny), number) + 4 > bar.right - bar.left) {
        return;
    }
    const bool black = reads_black_on(kind == PipelineLook::forward ? rgb(Role::compute, theme)
                                                                    : tinted(Role::compute, theme, 0.4));
    painter.setPen(black ? Qt::black : Qt::white);
    painter.drawText(QRectF(bar.left, row.top(), bar.right - bar.left, row.height()), Qt::AlignCenter,
                     number);
}

void paintLegend(QPainter& painter, const QRect& area, const PlanTimeline& timeline, bool merged,
                 Theme theme) {
    const PipelineRun& run = *timeline.run;
    double x = area.left();
    const QFont font = lettering(Lettering::small);
    painter.setFont(font);
    for (std::size_t k = 0; k < pipeline_looks; ++k) {
        bool there = false;
        for (std::size_t a = 0; a < pipeline_activity_count; ++a) {
            const auto activity = static_cast<PipelineActivity>(a);
            const bool of_network = activity == PipelineActivity::send_forward ||
                                    activity == PipelineActivity::send_backward ||
                                    activity == PipelineActivity::gather_weights ||
                                    activity == PipelineActivity::reduce_gradients;
            for (std::size_t stage = 0; !there && !of_network && stage < run.stages(); ++stage) {
                there = static_cast<std::size_t>(look(activity)) == k && run.total(stage, activity) > Time(0);
            }
        }
        const QString name = lookName(static_cast<PipelineLook>(k));
        const double width = 18 + textWidth(font, name);
        if (!there || x + width > area.right()) {
            continue;
        }
        paintLook(painter, {x, area.top() + 4.0, 14, 12}, static_cast<PipelineLook>(k), theme);
        painter.setPen(color(Role::text, theme));
        painter.drawText(QRectF(x + 18, area.top(), width, area.height()), Qt::AlignVCenter, name);
        x += width + 18;
    }
    if (merged) {
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(x, area.top(), area.right() - x, area.height()),
                   Qt::AlignVCenter | Qt::AlignLeft, font,
                   PipelineWords::tr("several in a pixel: height by share of time; Ctrl+wheel zooms"));
    }
}

void paintRuler(QPainter& painter, const PipelineLayout& layout, const TimeScale& scale, Theme theme) {
    const QFont font = lettering(Lettering::small);
    painter.setFont(font);
    const TimeAxis axis = TimeAxis::choose(scale, 80);
    for (const Time tick : axis.ticks(scale.range)) {
        const int x = scale.pixel(tick);
        painter.fillRect(
            QRect(x, layout.ruler.bottom() - 3, 1, layout.memory.bottom() - layout.ruler.bottom() + 4),
            color(Role::grid, theme));
        const QString label = axis.tickLabel(tick) + QChar(0x2009) + axis.unitName;
        const double width = textWidth(font, label);
        const double left =
            std::clamp(x - width / 2, static_cast<double>(layout.ruler.left()), layout.ruler.right() - width);
        painter.setPen(color(Role::quietText, theme));
        painter.drawText(QRectF(left, layout.ruler.top(), width + 2, layout.ruler.height() - 4),
                         Qt::AlignLeft | Qt::AlignVCenter, label);
    }
}

/// Every how many rows there is room for a name: 1, 2, 4, 8, ...
std::size_t everyRow(int row) {
    std::size_t every = 1;
    while (row * static_cast<int>(every) < row_for_names) {
        every *= 2;
    }
    return every;
}

void paintRows(QPainter& painter, const PipelineLayout& layout, const PipelinePicture& picture, Theme theme,
               const std::vector<std::vector<PipelineBar>>& bars) {
    const std::size_t every = everyRow(layout.row);
    for (std::size_t stage = 0; stage < bars.size(); ++stage) {
        const QRect all = layout.rowOf(stage);
        const QRect row = layout.row >= 8 ? all.adjusted(0, 1, 0, -1) : all;
        painter.fillRect(row, color(Role::background, theme));
        for (const PipelineBar& bar : bars[stage]) {
            paintBar(painter, row, bar, theme);
        }
        painter.setFont(lettering(Lettering::tiny));
        for (const PipelineBar& bar : bars[stage]) {
            paintNumber(painter, row, bar, theme);
        }
        const bool selected = stage == picture.stage;
        const int apart = std::abs(static_cast<int>(stage) - static_cast<int>(picture.stage)) * layout.row;
        if (selected || (stage % every == 0 && apart >= row_for_names)) {
            painter.setPen(color(selected ? Role::text : Role::quietText, theme));
            const QRectF name(pipeline_margin, all.center().y() - 8.0, layout.labels - pipeline_margin - 6,
                              16);
            drawFitted(painter, name, Qt::AlignRight | Qt::AlignVCenter,
                       lettering(Lettering::small, selected), stageName(stage));
        }
        if (selected) {
            painter.fillRect(QRect(layout.labels - 4, all.top(), 3, all.height()), color(Role::text, theme));
        }
    }
}

void paintMemory(QPainter& painter, const PipelineLayout& layout, const PipelinePicture& picture,
                 Theme theme) {
    const PipelineRun& run = *picture.timeline.run;
    const QRect plot = layout.memory;
    const TimeScale scale = picture.scale(layout);
    double most = picture.timeline.capacity;
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        most = std::max(most, static_cast<double>(run.peak(stage).value()));
    }
    most *= 1.05;
    const auto y = [&](double bytes) { return plot.bottom() + 1 - bytes / most * plot.height(); };
    const QFont font = lettering(Lettering::small);
    const QRectF heading(plot.left(), plot.top() - memory_heading, plot.width(), memory_heading - 2);
    const QFont bold = lettering(Lettering::small, true);
    const QString all = words(bytes_text(picture.timeline.capacity));
    const QString peak = words(text(run.peak(picture.stage)));
    // Either is shorter where both have no room next to each other.
    const QString held =
        run.stages() == 1
            ? PipelineWords::tr("Memory held: %1 at most").arg(words(text(run.peak(0))))
            : PipelineWords::tr("Memory of each stage: %1 at most %2; thin lines, the other stages")
                  .arg(stageName(picture.stage), peak);
    QString limit = PipelineWords::tr("dashed: what a chip has, %1").arg(all);
    if (textWidth(bold, held) + textWidth(font, limit) + 12 > heading.width()) {
        limit = PipelineWords::tr("dashed: %1").arg(all);
    }
    const double limit_width = textWidth(font, limit) + 12;
    const QString shown = firstFitting(
        bold, {held, PipelineWords::tr("%1 holds at most %2").arg(stageName(picture.stage), peak)},
        heading.width() - limit_width);
    painter.setPen(warningText(theme));
    drawFitted(painter, heading, Qt::AlignRight | Qt::AlignVCenter, font, limit);
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, heading.adjusted(0, 0, -limit_width, 0), Qt::AlignLeft | Qt::AlignVCenter, bold,
               shown.isEmpty() ? held : shown);
    painter.setFont(font);
    for (const double tick : linear_ticks(0, most, std::max(2, plot.height() / 24))) {
        painter.fillRect(QRectF(plot.left(), y(tick) - 0.5, plot.width(), 1), color(Role::grid, theme));
        painter.setPen(color(Role::quietText, theme));
        painter.drawText(QRectF(0, y(tick) - 8, layout.labels - 8, 16), Qt::AlignRight | Qt::AlignVCenter,
                         tick == 0 ? QStringLiteral("0") : words(bytes_text(tick)));
    }
    painter.save();
    painter.setClipRect(plot.adjusted(0, -1, 1, 2));
    const auto line = [&](std::size_t stage) {
        QPolygonF corners;
        for (const QPointF& corner : memoryLine(run, stage, scale)) {
            corners.append({corner.x(), y(corner.y())});
        }
        return corners;
    };
    painter.setPen(QPen(tint(Role::compute, theme, 0.45), 1));
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        if (stage != picture.stage) {
            painter.drawPolyline(line(stage));
        }
    }
    painter.setPen(QPen(color(Role::compute, theme), 2));
    painter.drawPolyline(line(picture.stage));
    painter.setPen(QPen(color(Role::exposed, theme), 1.5, Qt::DashLine));
    const double capacity = y(picture.timeline.capacity);
    painter.drawLine(QPointF(plot.left(), capacity), QPointF(plot.right() + 1, capacity));
    painter.restore();
}

} // namespace

std::optional<std::size_t> PipelineLayout::stageAt(int y) const {
    if (row <= 0 || y < rows.top() || y > rows.bottom()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>((y - rows.top()) / row);
}

int leastPipelineHeight(std::size_t stages) {
    const int count = std::max(1, static_cast<int>(stages));
    return narrow_title_height + pipeline_legend_height + pipeline_ruler_height +
           std::clamp(least_stage_rows / count, least_row, readable_row) * count + memory_heading +
           least_memory + 2 * pipeline_margin;
}

PipelineLayout layoutPipeline(const QSize& size, std::size_t stages) {
    PipelineLayout layout;
    layout.labels = names_width;
    const int width = std::max(1, size.width() - names_width - pipeline_margin);
    int y = 4;
    if (!hasNoTitle()) {
        const int height = size.width() < narrow_pipeline ? narrow_title_height : pipeline_title_height;
        layout.title = {pipeline_margin, y, std::max(1, size.width() - 2 * pipeline_margin), height};
        y += height;
    }
    layout.legend = {pipeline_margin, y, std::max(1, size.width() - 2 * pipeline_margin),
                     pipeline_legend_height};
    y += pipeline_legend_height;
    layout.ruler = {names_width, y, width, pipeline_ruler_height};
    y += pipeline_ruler_height;
    const int count = std::max(1, static_cast<int>(stages));
    const int room = size.height() - y - memory_heading - least_memory - pipeline_margin;
    layout.row = std::clamp(room / count, least_row, largest_row);
    layout.rows = {names_width, y, width, layout.row * count};
    y += layout.row * count + memory_heading + 4;
    layout.memory = {names_width, y, width, std::max(40, size.height() - y - pipeline_margin)};
    return layout;
}

QString pipelineFinding(const PlanTimeline& timeline) {
    const SimulatedTime time = simulated_time(*timeline.run);
    const auto share = [&](double part) {
        return words(percent_text(time.total > 0 ? part / time.total : 0));
    };
    const QString total = words(seconds_text(time.total));
    const QString exposed = share(time.data + time.pipeline);
    const QString most = words(bytes_text(time.memory));
    const QString capacity = words(bytes_text(timeline.capacity));
    QString finding =
        timeline.run->stages() == 1
            ? PipelineWords::tr(
                  "Simulated: %1 a step; one stage, which waits for no other; %2 of the step in "
                  "exposed communication; it holds %3 of %4.")
                  .arg(total, exposed, most, capacity)
            : PipelineWords::tr("Simulated: %1 a step; stages on average wait for each other for %2 of it, "
                                "and for exposed communication for %3; the fullest holds %4 of %5.")
                  .arg(total, share(time.bubble), exposed, most, capacity);
    if (std::abs(time.total - timeline.estimated) > 0.005 * timeline.estimated) {
        finding +=
            QLatin1Char(' ') +
            PipelineWords::tr("The ranking estimates %1.").arg(words(seconds_text(timeline.estimated)));
    }
    return finding;
}

QStringList stageLines(const PlanTimeline& timeline, std::size_t stage) {
    const PipelineRun& run = *timeline.run;
    QStringList lines = {stageName(stage)};
    for (const PipelineActivity activity :
         {PipelineActivity::forward, PipelineActivity::backward, PipelineActivity::update,
          PipelineActivity::bubble, PipelineActivity::exposed_send, PipelineActivity::exposed_gather,
          PipelineActivity::exposed_reduce}) {
        const Time total = run.total(stage, activity);
        if (total > Time(0)) {
            lines << PipelineWords::tr("%1: %2, %3")
                         .arg(activityName(activity), timeText(total),
                              words(percent_text(ratio(total, run.time()))));
        }
    }
    lines << PipelineWords::tr("holds %1 at most").arg(words(text(run.peak(stage))));
    return lines;
}

QStringList pipelineLinesAt(const PipelinePicture& picture, const PipelineLayout& layout,
                            const QPoint& point) {
    const PipelineRun& run = *picture.timeline.run;
    const TimeScale scale = picture.scale(layout);
    if (layout.memory.contains(point)) {
        const Time at = scale.time(point.x());
        return {PipelineWords::tr("%1 holds %2")
                    .arg(stageName(picture.stage), words(text(memoryAt(run, picture.stage, at)))),
                PipelineWords::tr("at %1").arg(timeText(at))};
    }
    const std::optional<std::size_t> stage = layout.stageAt(point.y());
    if (!stage || *stage >= run.stages()) {
        return {};
    }
    if (point.x() < layout.rows.left()) {
        return stageLines(picture.timeline, *stage);
    }
    const std::vector<PipelineBar> bars = pipelineBars(run, *stage, scale);
    const auto bar = std::ranges::find_if(
        bars, [&](const PipelineBar& one) { return one.left <= point.x() && point.x() < one.right; });
    if (bar == bars.end()) {
        return {};
    }
    const PipelineInterval& first = bar->first;
    QStringList lines;
    if (bar->count > 1) {
        lines << PipelineWords::tr("%1: %2 stretches of time within a pixel")
                     .arg(stageName(*stage))
                     .arg(bar->count);
        for (std::size_t k = 0; k < pipeline_looks; ++k) {
            if (bar->time[k] > Time(0)) {
                lines << PipelineWords::tr("%1: %2").arg(lookName(static_cast<PipelineLook>(k)),
                                                         timeText(bar->time[k]));
            }
        }
        lines << PipelineWords::tr("Zoom in to tell them apart.");
    } else {
        lines << PipelineWords::tr("%1: %2").arg(stageName(*stage), activityName(first.activity));
        if (first.micro_batch >= 0) {
            lines << PipelineWords::tr("micro-batch %1 of %2")
                         .arg(first.micro_batch + 1)
                         .arg(picture.timeline.shape.micro_batches);
        }
        lines << PipelineWords::tr("%1, from %2")
                     .arg(timeText(first.end - first.start), moment(first.start, first.end - first.start));
    }
    lines << PipelineWords::tr("holds %1 then").arg(words(text(memoryAt(run, *stage, first.start))));
    return lines;
}

void paintPipeline(QPainter& painter, const QSize& size, const PipelinePicture& picture, Theme theme) {
    painter.fillRect(QRect(QPoint(0, 0), size), color(Role::background, theme));
    const PipelineRun& run = *picture.timeline.run;
    const PipelineLayout layout = layoutPipeline(size, run.stages());
    const TimeScale scale = picture.scale(layout);
    const QString finding = pictureTitle(pipelineFinding(picture.timeline));
    if (!layout.title.isEmpty()) {
        const QFont font = lettering(Lettering::normal, true);
        painter.setPen(color(Role::text, theme));
        painter.setFont(font);
        painter.drawText(
            layout.title, Qt::AlignLeft | Qt::AlignVCenter,
            inLines(font, finding, layout.title.width(), layout.title.height() / 17).join(QLatin1Char('\n')));
    }
    std::vector<std::vector<PipelineBar>> bars;
    bool merged = false;
    for (std::size_t stage = 0; stage < run.stages(); ++stage) {
        bars.push_back(pipelineBars(run, stage, scale));
        merged =
            merged || std::ranges::any_of(bars.back(), [](const PipelineBar& bar) { return bar.count > 1; });
    }
    paintLegend(painter, layout.legend, picture.timeline, merged, theme);
    paintRuler(painter, layout, scale, theme);
    paintRows(painter, layout, picture, theme, bars);
    paintMemory(painter, layout, picture, theme);
}

} // namespace meshslice::ui
