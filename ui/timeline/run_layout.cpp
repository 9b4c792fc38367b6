#include "ui/timeline/run_layout.h"

#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"

#include <QCoreApplication>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct RunLayoutWords {
    Q_DECLARE_TR_FUNCTIONS(RunPicture)
};

constexpr int about_height = 20;
constexpr int run_ruler_height = 24;
constexpr int spans_height = 16;
constexpr int heading_height = 22;
constexpr int bands_height = 34; ///< of two lines of spans
constexpr int pane_gap = 6;
constexpr int objection_height = 22;
constexpr int gap_above = 4;
constexpr int least_gap = 10; ///< below each run's rows
constexpr int most_gap = 28;
constexpr int highest_row = 30;
constexpr int readable_row = 14; ///< lower rows are scrolled instead
constexpr int lowest_row = 3;
constexpr int lowest_row_below_spans = 8;
constexpr int least_all_rows = 160;  ///< of the height, of many rows
constexpr int most_unscrolled = 128; ///< rows
constexpr int narrowest_data = 260;  ///< next to the rows' names
constexpr int least_row_names = 84;
constexpr int most_row_names = 240;
constexpr int least_held = 96;
constexpr int narrow_picture = 480;
constexpr double read_out_width = 430;
constexpr double brief_read_out_width = 200; ///< enough for where the pointer is
constexpr std::size_t least_rows = 3;        ///< of a pane; where there would be fewer, they get more room

double widest(const QFont& font, const QStringList& texts) {
    double most = 0;
    for (const QString& one : texts) {
        most = std::max(most, textWidth(font, one));
    }
    return most;
}

/// What the first line, in bold, and the others ask for.
double widestOf(const QStringList& lines) {
    return std::max(widest(lettering(Lettering::normal, true), lines.mid(0, 1)),
                    widest(lettering(Lettering::small), lines.mid(1)));
}

int rowNamesWidth(const RunWindow& window) {
    const QFont font = lettering(Lettering::small, true);
    double most = textWidth(font, RunLayoutWords::tr("time (%1)").arg(QStringLiteral("ms")));
    std::size_t measured = 0;
    for (const ShownRun& shown : window.runs) {
        for (std::size_t row = 0; row < shown.rows.size() && measured < 256; ++row, ++measured) {
            most = std::max(most, textWidth(font, shown.rows[row].where + shown.rows[row].name));
        }
    }
    return std::clamp(static_cast<int>(most) + 20, least_row_names, most_row_names);
}

/// Names give way to data: first the rows', then half of the runs'.
void placeColumns(RunLayout& layout, const QSize& size, const RunWindow& window) {
    double names = 0;
    double ends = 0;
    for (const ShownRun& shown : window.runs) {
        names = std::max(names, widestOf(shown.name));
        if (!shown.ends.isEmpty()) { // as they are said where the end is out of the picture
            const QString first = RunLayoutWords::tr("→ %1").arg(shown.ends.front());
            ends = std::max({ends, textWidth(lettering(Lettering::small, true), first),
                             widest(lettering(Lettering::small), shown.ends.mid(1))});
        }
    }
    layout.names = names > 0 ? static_cast<int>(names) + run_margin + 6 : 0;
    const int beside = layout.names > 0 && ends > 0 ? static_cast<int>(ends) + 18 : run_margin;
    const int after = window.scrollBar + (window.rowHeight > 0 ? 1 : beside);
    int rows = window.rowNames > 0 ? window.rowNames : rowNamesWidth(window);
    if (layout.names > 0 && size.width() - layout.names - rows - after < narrowest_data) {
        rows = 0;
    }
    layout.names = std::min(layout.names, size.width() / 3);
    layout.left = std::min(layout.names + rows, size.width() / (layout.names > 0 ? 2 : 3));
    layout.right = std::max(layout.left, size.width() - after);
}

/// The blocks from the top of the body, in a height that `room` of it is for.
void stackBlocks(RunLayout& layout, const QSize& size, const RunWindow& window, int room, int least) {
    const bool several = window.runs.size() > 1;
    int running = 0;
    int rows = 0;
    int objections = 0;
    bool named = false; // stretches
    for (const ShownRun& shown : window.runs) {
        (shown.rows.empty() ? objections : running) += 1;
        rows += static_cast<int>(shown.rows.size());
        named = named || !shown.spans.empty();
    }
    const int between = several ? least_gap : 0;
    const int free = room - gap_above - objections * objection_height - running * between;
    int spans = named ? spans_height : 0;
    const auto height = [&] { return (free - running * spans) / std::max(1, rows); };
    if (height() < std::max(least, lowest_row_below_spans) && least < readable_row) {
        spans = 0;
    }
    layout.row = std::clamp(height(), least, highest_row);
    const int rest = free - running * spans - rows * layout.row;
    const int gap = several ? std::clamp(least_gap + rest / std::max(1, running), least_gap, most_gap) : 0;

    int top = layout.body.top() + gap_above;
    std::size_t first = 0;
    for (const ShownRun& shown : window.runs) {
        RunLayout::Block block;
        block.first = first;
        block.count = shown.rows.size();
        first += block.count;
        if (!layout.blocks.empty() && layout.blocks.back().count > 0) {
            block.line = top - gap / 2 + 1;
        }
        const int left = layout.left;
        if (block.count == 0) {
            block.area = {0, top, size.width(), objection_height};
            top += objection_height;
        } else {
            const int used = static_cast<int>(block.count) * layout.row;
            block.spans = {left, top, layout.dataWidth(), spans};
            block.rows = {left, top + spans, layout.dataWidth(), used};
            block.area = {0, top, size.width(), spans + used};
            top += spans + used + gap;
        }
        layout.blocks.push_back(block);
    }
    layout.hidden = std::max(0, top - gap - (layout.body.top() + room));
    const int scrolled = std::clamp(window.scrolled, 0, layout.hidden);
    for (RunLayout::Block& block : layout.blocks) {
        for (QRect* rect : {&block.area, &block.spans, &block.rows}) {
            rect->translate(0, -scrolled);
        }
        block.line = block.line ? std::optional(*block.line - scrolled) : std::nullopt;
    }
}

/// Blocks as high as each other; their rows have a height of their own.
void placePanes(RunLayout& layout, const RunWindow& window) {
    const auto panes = static_cast<int>(std::max<std::size_t>(1, window.runs.size()));
    const int each = std::max(0, (layout.body.height() - (panes - 1) * pane_gap) / panes);
    layout.row = window.rowHeight;
    std::size_t first = 0;
    for (const ShownRun& shown : window.runs) {
        const int top = layout.body.top() + static_cast<int>(layout.blocks.size()) * (each + pane_gap);
        RunLayout::Block block;
        block.first = first;
        block.count = shown.rows.size();
        first += block.count;
        block.area = {0, top, layout.right, each};
        block.heading = {0, top, layout.right, shown.heading.isEmpty() ? 0 : heading_height};
        block.spans = {layout.left, top + block.heading.height(), layout.dataWidth(), bands_height};
        const int used = block.heading.height() + bands_height + 2;
        block.rows = {layout.left, top + used, layout.dataWidth(), std::max(0, each - used)};
        layout.blocks.push_back(block);
    }
}

/// What stands above and below the body.
void frame(RunLayout& layout, const QSize& size, const RunWindow& window) {
    const auto lines = static_cast<int>(findingLines(window, size.width()).size());
    layout.title = {0, window.top, size.width(),
                    lines > 0              ? run_margin + lines * run_title_line
                    : window.rowHeight > 0 ? 0
                                           : gap_above};
    const bool about = !window.about.isEmpty() || window.path.size() > 1;
    layout.about = {0, layout.title.top() + layout.title.height(), size.width(),
                    window.controls > 0 ? window.controls
                    : about             ? about_height
                                        : 0};
    int y = layout.about.top() + layout.about.height();
    layout.overview.setRect(layout.left, y, layout.dataWidth(), layout.overview.height());
    y += layout.overview.height();
    layout.ruler = {layout.left, y, layout.dataWidth(), run_ruler_height};
    y += run_ruler_height;
    LegendPlaces legend = placeLegend(legendOf(window, layout), size.width() - 16.0);
    if (!layout.brief && legend.lines * legend_line_height > most_legend * size.height()) {
        layout.brief = true;
        legend = placeLegend(legendOf(window, layout), size.width() - 16.0);
    }
    const double note = window.readsOut         ? (layout.brief ? brief_read_out_width : read_out_width)
                        : window.note.isEmpty() ? 0
                                                : 40 + textWidth(lettering(Lettering::small), window.note);
    const bool beside = legend.lastWidth + note < size.width() - 16.0;
    const int below = layout.legendless
                          ? static_cast<int>(legend_line_height) + 4
                          : static_cast<int>((legend.lines + (beside ? 0 : 1)) * legend_line_height) + 4;
    layout.legend = {0, std::max(y, size.height() - below), size.width(), below};
    layout.body = {0, y, size.width(), layout.legend.top() - y};
}

} // namespace

QRect RunLayout::rowOf(std::size_t number) const {
    for (const Block& block : blocks) {
        if (number - block.first < block.count) {
            const int down = static_cast<int>(number - block.first) * row;
            return {block.rows.left(), block.rows.top() + down, block.rows.width(), row};
        }
    }
    return {};
}

std::optional<std::size_t> RunLayout::blockAt(const QPoint& point) const {
    for (std::size_t block = 0; body.contains(point) && block < blocks.size(); ++block) {
        if (blocks[block].area.contains(point)) {
            return block;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> RunLayout::rowAt(const QPoint& point) const {
    const std::optional<std::size_t> at = blockAt(point);
    if (!at || row < 1 || point.y() < blocks[*at].rows.top()) {
        return std::nullopt;
    }
    const auto down = static_cast<std::size_t>((point.y() - blocks[*at].rows.top()) / row);
    return down < blocks[*at].count ? std::optional(blocks[*at].first + down) : std::nullopt;
}

std::vector<std::size_t> RunLayout::seen() const {
    std::vector<std::size_t> rows;
    for (const Block& block : blocks) {
        for (std::size_t number = block.first; number < block.first + block.count; ++number) {
            if (rowOf(number).intersects(body)) {
                rows.push_back(number);
            }
        }
    }
    return rows;
}

bool RunLayout::inData(const QPoint& point) const {
    return point.x() >= left && point.x() < right && point.y() >= ruler.top() && point.y() < legend.top();
}

QStringList findingLines(const RunWindow& window, int width) {
    const QString title = pictureTitle(window.words.finding);
    return title.isEmpty() || hasNoTitle() ? QStringList()
                                           : inLines(lettering(Lettering::title, true), title,
                                                     width - 2 * run_margin, width < narrow_picture ? 3 : 2);
}

int leastRunHeight(const RunWindow& window) {
    const int count = std::clamp(static_cast<int>(window.rowCount()), 1, most_unscrolled);
    const bool holds = !window.runs.empty() && !window.runs.front().counters.empty();
    return run_margin + 3 * run_title_line + (window.path.size() > 1 ? about_height : 0) + run_ruler_height +
           gap_above + std::clamp(least_all_rows / count, lowest_row, readable_row) * count +
           (holds ? held_heading + gap_above + least_held : 0) + run_margin + 2 * about_height + 4;
}

std::size_t RunLayout::rowsThatFit(std::size_t block) const {
    return static_cast<std::size_t>(std::max(0, blocks[block].rows.height() / std::max(1, row)));
}

std::vector<LegendItem> legendOf(const RunWindow& window, const RunLayout& layout) {
    return layout.legendless ? std::vector<LegendItem>() : legendOf(window, layout.brief);
}

QRectF noteLine(const RunWindow& window, const RunLayout& layout) {
    const QRectF legend = layout.legend;
    const LegendPlaces places = placeLegend(legendOf(window, layout), legend.width() - 16);
    const double top = legend.bottom() - 22;
    const bool beside = legend.top() + 2 + places.lines * legend_line_height > top + 1;
    const double left = beside ? 8 + places.lastWidth + 12 : 8;
    return {left, top, legend.right() - 8 - left, legend_line_height};
}

RunLayout layoutRun(const QSize& size, const RunWindow& window) {
    RunLayout layout;
    placeColumns(layout, size, window);
    layout.overview.setHeight(window.overview);
    frame(layout, size, window);
    if (window.rowHeight > 0) {
        placePanes(layout, window);
        for (int given_up = 0; window.yields && given_up < 2 && layout.rowsThatFit(0) < least_rows;
             ++given_up) {
            layout.overview.setHeight(0);
            layout.legendless = given_up > 0;
            layout.blocks.clear();
            frame(layout, size, window);
            placePanes(layout, window);
        }
        return layout;
    }
    const bool holds =
        (window.runs.size() == 1 || window.holdsBelow) && !window.runs.front().counters.empty();
    const int least = holds ? lowest_row : window.scrollBar > 0 || window.runs.size() == 1 ? readable_row : 4;
    const int plot = holds ? held_heading + gap_above + least_held + run_margin : 0;
    stackBlocks(layout, size, window, layout.body.height() - plot, least);
    if (holds) {
        const int top = layout.blocks.back().rows.bottom() + 1 + held_heading + gap_above;
        layout.body.setHeight(std::max(0, layout.blocks.back().rows.bottom() + 1 - layout.body.top()));
        layout.held = {layout.left, top, layout.dataWidth(),
                       std::max(40, layout.legend.top() - run_margin - top)};
    }
    return layout;
}

} // namespace meshslice::ui
