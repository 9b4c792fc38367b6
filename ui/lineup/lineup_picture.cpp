#include "ui/lineup/lineup_picture.h"

#include "core/base/text.h"
#include "ui/lineup/lineup_text.h"
#include "ui/lineup/lineup_words.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/timeline_picture.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <iterator>

namespace meshslice::ui {
namespace {

constexpr int tick_spacing = 84;
constexpr int margin = 10;
constexpr int name_line = 17;

/// The finding in at most two lines; none where a figure has no title.
QStringList titleLines(const Lineup& lineup, const QSize& size) {
    const QString title = pictureTitle(lineupFinding(lineup));
    return title.isEmpty() ? QStringList()
                           : inLines(lettering(Lettering::title, true), title, size.width() - 2 * margin, 2);
}

void paintHeader(QPainter& painter, const LineupPicture& picture, Theme theme) {
    const LineupLayout& layout = picture.layout;
    painter.setPen(color(Role::text, theme));
    QRectF line(margin, 8, layout.title.width() - 2 * margin, lineup_title_line);
    for (const QString& one : titleLines(*picture.lineup, picture.size)) {
        drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::title, true), one);
        line.translate(0, lineup_title_line);
    }
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(layout.subtitle).adjusted(picture.aboutLeft, 0, -margin, 0),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small), picture.about);
    paintRuler(painter, layout.ruler, picture.scale, picture.axis, theme);
}

/// The name with time and share of the peak, as many lines as fit next to the lanes.
void paintName(QPainter& painter, const LineupPicture& picture, std::size_t block, Theme theme) {
    const LineupRun& run = picture.run(block);
    const QRect area = picture.layout.blocks[block].area;
    const int lines = std::clamp(area.height() / name_line, 1, 3);
    const int top = area.top() + std::max(0, (area.height() - lines * name_line) / 2);
    const auto line = [&](int index, Role role, const QFont& font, const QString& text) {
        if (index < lines) {
            painter.setPen(color(role, theme));
            drawFitted(painter,
                       QRectF(margin, top + index * name_line, picture.layout.names - margin - 4, name_line),
                       Qt::AlignLeft | Qt::AlignVCenter, font, text);
        }
    };
    line(0, Role::text, lettering(Lettering::normal, true), run.name());
    line(1, Role::text, lettering(Lettering::small), speedText(picture.lineup->step(run)));
    line(2, Role::quietText, lettering(Lettering::small), waitText(*picture.lineup, run));
}

void paintPlaces(QPainter& painter, const LineupPicture& picture, std::size_t block, Theme theme) {
    const LineupLayout& layout = picture.layout;
    const int width = layout.left - layout.names;
    if (width <= 0 || layout.rowHeight < 10) {
        return;
    }
    const QFont font = lettering(layout.rowHeight >= 13 ? Lettering::small : Lettering::tiny);
    for (std::size_t lane = 0; lane < picture.lanes[block].size(); ++lane) {
        const Row& place = picture.lanes[block][lane].place;
        const QRect at = layout.blocks[block].lanes[lane];
        painter.setPen(color(place.is_core ? Role::text : Role::quietText, theme));
        drawFitted(painter, QRectF(layout.names, at.top(), width - 8, at.height()),
                   Qt::AlignRight | Qt::AlignVCenter, font, laneName(place));
    }
}

/// Thin brackets above the core's lane, open below.
void paintPhases(QPainter& painter, const LineupPicture& picture, std::size_t block, Theme theme) {
    const QRect strip = picture.layout.blocks[block].phases;
    if (strip.height() < 10) {
        return;
    }
    const QFont font = lettering(Lettering::tiny);
    const QColor quiet = color(Role::quietText, theme);
    const int middle = strip.top() + strip.height() / 2;
    const int end = picture.layout.right;
    for (const LineupPhase& phase : phasesOf(picture.lineup->result(picture.run(block)))) {
        const int from = picture.scale.pixel(phase.range.begin);
        // The closed form may last a little longer than the run.
        const Time lasts = picture.lineup->result(picture.run(block)).time;
        const int to = picture.scale.pixel(std::min(phase.range.end, lasts)) - 1;
        const int left = std::max(from, strip.left());
        const int right = std::min(to, end - 1);
        if (right - left < 2) {
            continue;
        }
        painter.fillRect(QRect(left, middle, right - left + 1, 1), quiet);
        for (const int tick : {from, to}) {
            if (tick >= strip.left() && tick < end) {
                painter.fillRect(QRect(tick, middle, 1, strip.bottom() - middle - 1), quiet);
            }
        }
        const QString label = phaseText(phase, font, right - left - 12);
        if (!label.isEmpty()) {
            const double width = textWidth(font, label) + 8;
            const QRectF place((left + right - width) / 2, strip.top(), width, strip.height());
            painter.fillRect(place, color(Role::background, theme));
            painter.setPen(quiet);
            drawFitted(painter, place, Qt::AlignCenter, font, label);
        }
    }
}

/// Where the run ends, and how long it is; in the margin where the end is out of the picture.
void paintEnd(QPainter& painter, const LineupPicture& picture, std::size_t block, Theme theme) {
    const LineupLayout& layout = picture.layout;
    const LineupRun& run = picture.run(block);
    const LineupLayout::Block& at = layout.blocks[block];
    const QRect first = at.lanes.front();
    const Time end = picture.lineup->step(run).time;
    if (end < picture.scale.range.begin) {
        return;
    }
    const bool seen = end <= picture.scale.range.end;
    const int x = seen ? picture.scale.pixel(end) : layout.right;
    if (seen) {
        painter.fillRect(QRect(x, first.top(), 1, at.lanes.back().bottom() - first.top() + 1),
                         color(Role::text, theme));
    }
    const double width = picture.size.width() - x - 8.0;
    const int line = std::max(layout.rowHeight, name_line - 3);
    const QString length = words(text(end));
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, QRectF(x + 6, first.top(), width, line), Qt::AlignLeft | Qt::AlignVCenter,
               lettering(Lettering::small, true), seen ? length : LineupWords::tr("→ %1").arg(length));
    if (at.area.height() >= 2 * line) {
        painter.setPen(color(Role::quietText, theme));
        drawFitted(painter, QRectF(x + 6, first.top() + line, width, line), Qt::AlignLeft | Qt::AlignVCenter,
                   lettering(Lettering::small), comparedWithFastest(*picture.lineup, run));
    }
}

void paintLanes(QPainter& painter, const LineupPicture& picture, std::size_t block, Theme theme) {
    const LineupLayout::Block& at = picture.layout.blocks[block];
    // The core's lane differs by its background, as long as the run lasts.
    const QRect core = at.lanes.front();
    const int end = std::clamp(picture.scale.pixel(picture.lineup->step(picture.run(block)).time),
                               picture.layout.left, picture.layout.right);
    painter.fillRect(QRect(core.left(), core.top(), end - core.left(), core.height()),
                     color(Role::panel, theme));
    const int top = core.top();
    for (const Time tick : picture.axis.ticks(picture.scale.range)) {
        const int x = picture.scale.pixel(tick);
        if (x < picture.layout.right) {
            painter.fillRect(QRect(x, top, 1, at.lanes.back().bottom() - top + 1), color(Role::grid, theme));
        }
    }
    paintBars(painter, picture.bars[block], theme);
}

void paintObjection(QPainter& painter, const LineupPicture& picture, std::size_t block, Theme theme) {
    const LineupRun& run = picture.run(block);
    const QRect area = picture.layout.blocks[block].area;
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(margin, area.top(), picture.layout.names - margin - 4, area.height()),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true), run.name());
    drawFitted(
        painter,
        QRectF(picture.layout.names, area.top(), area.width() - picture.layout.names - margin, area.height()),
        Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
        LineupWords::tr("does not run here: %1").arg(run.objection));
}

/// In brief where the whole one would take too much of the picture.
std::vector<LegendItem> lineupLegend(const Lineup& lineup, const QSize& size) {
    constexpr double most_legend = 0.15; // of the height
    std::vector<LegendItem> whole = timelineLegend(lineup.steps);
    const int lines = placeLegend(whole, size.width() - 16.0).lines;
    return lines * legend_line_height > most_legend * size.height()
               ? timelineLegend(lineup.steps, false, true)
               : whole;
}

} // namespace

LineupRoom lineupRoom(const Lineup& lineup, const LineupWindow& window, const QSize& size) {
    const QFont bold = lettering(Lettering::normal, true);
    const QFont small = lettering(Lettering::small);
    const QFont smallBold = lettering(Lettering::small, true);
    LineupRoom room;
    double names = 0;
    double places = textWidth(small, LineupWords::tr("time (%1)").arg(QStringLiteral("ms")));
    double ends = 0;
    for (const std::size_t index : inOrder(lineup, window.order)) {
        const LineupRun& run = lineup.runs[index];
        names = std::max(names, textWidth(bold, run.name()));
        if (!run.step) {
            room.lanes.push_back(0);
            continue;
        }
        const GemmResult& result = lineup.result(run);
        names = std::max(
            {names, textWidth(small, speedText(lineup.step(run))), textWidth(small, waitText(lineup, run))});
        ends = std::max(
            {ends, textWidth(smallBold, LineupWords::tr("→ %1").arg(words(text(lineup.step(run).time)))),
             textWidth(small, comparedWithFastest(lineup, run))});
        const auto lanes =
            result.timeline ? lanesOf(*result.timeline, window.chip) : std::vector<LineupLane>();
        room.lanes.push_back(lanes.size());
        for (const LineupLane& lane : lanes) {
            places = std::max(places, textWidth(small, laneName(lane.place)));
        }
    }
    room.names = static_cast<int>(names) + margin + 8;
    room.places = static_cast<int>(places) + 20;
    room.ends = static_cast<int>(ends) + 18;
    room.titleLines = static_cast<int>(titleLines(lineup, size).size());
    room.legendLines = placeLegend(lineupLegend(lineup, size), size.width() - 16.0).lines;
    return room;
}

LineupPicture makeLineupPicture(const LineupPtr& lineup, const LineupWindow& window, const QSize& size,
                                const LineupRoom& room) {
    LineupPicture picture;
    picture.lineup = lineup;
    picture.window = window;
    picture.size = size;
    picture.layout = layoutLineup(size, room);
    picture.scale = {window.range, picture.layout.left, picture.layout.dataWidth()};
    picture.axis = TimeAxis::choose(picture.scale, tick_spacing);
    picture.order = inOrder(*lineup, window.order);
    picture.legend = lineupLegend(*lineup, size);
    for (std::size_t block = 0; block < picture.order.size(); ++block) {
        const LineupRun& run = picture.run(block);
        std::vector<LineupLane> lanes;
        Bars bars;
        if (run.step && lineup->result(run).timeline) {
            lanes = lanesOf(*lineup->result(run).timeline, window.chip);
            for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
                Bars one = buildBars(*lineup->steps[*run.step], picture.scale,
                                     picture.layout.blocks[block].lanes[lane], picture.layout.rowHeight,
                                     rowsFrom(lanes[lane].row, 1));
                std::ranges::move(one.groups, std::back_inserter(bars.groups));
                std::ranges::move(one.waits, std::back_inserter(bars.waits));
            }
        }
        picture.lanes.push_back(std::move(lanes));
        picture.bars.push_back(std::move(bars));
    }
    return picture;
}

void paint(QPainter& painter, const LineupPicture& picture, Theme theme) {
    const LineupLayout& layout = picture.layout;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRect(QPoint(0, 0), picture.size), color(Role::background, theme));
    paintHeader(painter, picture, theme);
    if (layout.hidden > 0) {
        painter.setClipRect(layout.body);
    }
    for (std::size_t block = 0; block < picture.order.size(); ++block) {
        const QRect area = layout.blocks[block].area;
        if (area.bottom() < layout.body.top() || area.top() > layout.body.bottom()) {
            continue;
        }
        if (const std::optional<int> line = layout.blocks[block].separator) {
            painter.fillRect(QRect(0, *line, picture.size.width(), 1), color(Role::grid, theme));
        }
        if (picture.lanes[block].empty()) {
            paintObjection(painter, picture, block, theme);
            continue;
        }
        paintName(painter, picture, block, theme);
        paintLanes(painter, picture, block, theme);
        paintPhases(painter, picture, block, theme);
        paintPlaces(painter, picture, block, theme);
        paintEnd(painter, picture, block, theme);
    }
    painter.setClipping(false);
    painter.fillRect(QRect(0, layout.legend.top() - 1, picture.size.width(), 1), color(Role::grid, theme));
    paintLegend(painter, picture.legend, QPointF(8, layout.legend.top() + 2), picture.size.width() - 16.0,
                theme);
}

} // namespace meshslice::ui
