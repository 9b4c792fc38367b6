#include "ui/timeline/view/timeline_picture.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/bars/bar_text.h"
#include "ui/timeline/critical_outline.h"
#include "ui/timeline/strip/overview.h"
#include "ui/timeline/view/timeline_bars.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(Timeline)
};
struct RowNames {
    Q_DECLARE_TR_FUNCTIONS(RowNames)
};

constexpr int timeline_tick_spacing = 84;

/// "chip 3,5" and "core" of a row's name.
struct RowWords {
    QString chip;
    QString resource;
};

RowWords wordsOf(const Torus& torus, const Row& row) {
    const QString chip = RowNames::tr("chip %1").arg(QString::fromStdString(place_text(torus, row.chip)));
    return {chip, row.is_core ? RowNames::tr("core") : QString::fromStdString(resource_name(torus, row))};
}

/// ", 50%" behind the name of a part that a fault names; ", east link dead" behind the links by which what it
/// would carry goes round.
QString faultWords(const Faults& faults, const Torus& torus, const Row& row) {
    for (const Fault& fault : faults.parts) {
        if (isPart(fault.part, torus, row) && fault.speed < 1) {
            return fault.speed == 0 ? RowNames::tr(", %1 dead")
                                          .arg(QString::fromStdString(link_text(row.axis, row.direction)))
                                    : translated(", ") + QString::fromStdString(percent_text(fault.speed));
        }
    }
    return {};
}

QString foldSign(bool folded) {
    return folded ? QStringLiteral("\u25b8 ") : QStringLiteral("\u25be ");
}

/// As wide as the longest name of a row, or of a group.
int labelWidth(const StepRuns& runs, RowHeight height, const std::vector<RowList>& lists) {
    const QFont font = lettering(Lettering::small);
    double widest = textWidth(font, RowNames::tr("time (%1)").arg(QStringLiteral("ms")));
    std::vector<Fault> faults;
    for (const StepRunPtr& run : runs) {
        const std::vector<Fault>& parts = run->conditions().assume.faults.parts;
        faults.insert(faults.end(), parts.begin(), parts.end());
    }
    const bool dead = std::ranges::any_of(faults, [](const Fault& one) { return one.speed == 0; });
    const QString longest =
        dead ? QString::fromStdString(meshslice::say("{}s round", "")) +
                   RowNames::tr(", %1 dead")
                       .arg(QString::fromStdString(link_text(Axis::vertical, Direction::forward)))
        : faults.empty() ? QString()
                         : QStringLiteral(", 50%");
    for (const StepRunPtr& run : runs) {
        const std::vector<Row>& rows = run->rows();
        // The last chip has the longest coordinates; its rows have every kind of link.
        for (std::size_t row = rows.size(); row-- > 0 && rows[row].chip == rows.back().chip;) {
            const RowWords words = wordsOf(run->torus(), rows[row]);
            const QString whole = height == RowHeight::compact
                                      ? words.chip
                                      : QString(words.chip + QStringLiteral("  ") + words.resource + longest);
            widest = std::max(widest, textWidth(font, whole));
        }
    }
    const QFont bold = lettering(Lettering::small, true);
    for (const RowList& list : lists) {
        for (const RowList::Group& group : list.groups) {
            widest = std::max(widest, textWidth(bold, foldSign(group.collapsed) + group.name));
        }
    }
    return static_cast<int>(widest) + 18;
}

/// A line of a step as a row of the picture: a row of the chips, or the heading of a group.
RunRow runRow(const StepRun& run, const RowList& list, const RowLine& line) {
    RunRow made;
    if (line.group) {
        const RowList::Group& group = list.groups[line.index];
        made.name = foldSign(group.collapsed) + group.name;
        made.where = group.rows.size() == 1
                         ? RowNames::tr("%1 (one row)").arg(made.name)
                         : RowNames::tr("%1 (%L2 rows)").arg(made.name).arg(group.rows.size());
        return made;
    }
    const Row& row = run.rows()[line.index];
    const RowWords said = wordsOf(run.torus(), row);
    const QString fault = faultWords(run.conditions().assume.faults, run.torus(), row);
    const bool folded = row.is_core && list.collapsedChips.contains(row.chip);
    made.lanes = {line.index};
    made.name = said.resource + fault;
    made.where = (folded ? foldSign(true) : QString()) + said.chip + QStringLiteral("  ");
    made.place = std::to_string(row.chip);
    made.quiet = !row.is_core; // the chip's name is said loudly once, at its core
    made.warns = !fault.isEmpty();
    return made;
}

/// The GEMMs of a step: above the layers, below their passes. A GEMM on its own has one band for both.
std::vector<RunSpan> spansOf(const StepRuns& runs, std::size_t step) {
    std::vector<RunSpan> spans;
    const std::vector<GemmResult>& gemms = runs[step]->step().gemms;
    for (std::size_t gemm = 0; gemm < gemms.size(); ++gemm) {
        const std::string& layer = gemms[gemm].gemm.layer;
        const TimeRange range = *rangeOf(runs, {step, gemm, {}, {}});
        const bool same = gemm > 0 && !layer.empty() && gemms[gemm - 1].gemm.layer == layer;
        if (same) {
            std::ranges::find_if(spans.rbegin(), spans.rend(), [](const RunSpan& one) {
                return !one.part;
            })->range.end = range.end;
        } else {
            const QString title = QString::fromStdString(layer.empty() ? gemms[gemm].title() : layer);
            spans.push_back({range, {title}, {}, false, true});
        }
        if (!layer.empty()) {
            spans.push_back({range, passNames(gemms[gemm].gemm.pass), {}, true, true});
        }
    }
    return spans;
}

/// Without rows.
RunWindow runWindow(const StepRuns& runs, const TimelineChoice& choice) {
    RunWindow window;
    for (std::size_t step = 0; step < runs.size(); ++step) {
        ShownRun shown;
        shown.run = runs[step];
        shown.spans = spansOf(runs, step);
        const QString time = QString::fromStdString(text(runs[step]->step().time));
        shown.ends = {TimelineWords::tr("done after %1").arg(time)};
        if (runs.size() > 1) {
            shown.heading = QString::fromStdString(headline(runs[step]->step(), SaidEdits::nearby));
            if (const Time by = choice.shiftOf(step); !choice.aligned.isEmpty() && by != Time(0)) {
                shown.heading =
                    (by > Time(0) ? TimelineWords::tr("Moved %1 later to begin %2 together. %3")
                                  : TimelineWords::tr("Moved %1 earlier to begin %2 together. %3"))
                        .arg(QString::fromStdString(text(by > Time(0) ? by : Time(0) - by)), choice.aligned,
                             shown.heading);
            }
        }
        const RowList& list = (*choice.rows)[step];
        if (runs[step]->rows().empty()) {
            shown.objection = whyNoBars(*runs[step]);
        } else if (list.pinned.empty() && list.others.empty()) {
            shown.objection = TimelineWords::tr("No row has what is searched for.");
        }
        window.runs.push_back(std::move(shown));
    }
    const bool folded = anyFolded(*choice.rows);
    window.words.finding = choice.title;
    window.words.legend = [runs, critical = choice.reasons != nullptr, folded](bool brief) {
        return timelineLegend(runs, critical, brief, folded);
    };
    window.range = choice.range;
    window.rowHeight = pixels(choice.rowHeight);
    window.rowNames = labelWidth(runs, choice.rowHeight, *choice.rows);
    window.scrollBar = choice.scrollBar;
    window.top = choice.top;
    window.overview = choice.overview && mostRows(runs) > 0 ? overviewHeight(runs.size()) : 0;
    window.yields = choice.inWindow && mostRows(runs) > 0;
    window.readsOut = choice.inWindow;
    return window;
}

/// The matches of what is searched for in the rows of the lines of a step, a rectangle for those that touch.
std::vector<QRect> searchHits(const TimelinePicture& picture, std::size_t step) {
    std::vector<QRect> hits;
    const Time pixel(static_cast<std::int64_t>(std::ceil(picture.scale.picosecondsPerPixel())));
    for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
        const RowLine& at = picture.lines[step][line];
        if (at.group) {
            continue;
        }
        const QRect area = picture.lineRect(step, line);
        for (const TimeRange& stretch :
             picture.choice.found->stretches(step, at.index, picture.scale.range, pixel)) {
            const int begin = std::max(picture.scale.pixel(stretch.begin), picture.layout.left);
            const int end =
                std::min(std::max(picture.scale.pixel(stretch.end), begin + 1), picture.layout.right);
            const int from = !hits.empty() && hits.back().top() == area.top()
                                 ? std::max(begin, hits.back().left() + hits.back().width())
                                 : begin;
            if (end > from) {
                hits.emplace_back(from, area.top(), end - from, area.height());
            }
        }
    }
    return hits;
}

/// What is not searched for is fainter, and above what is there is a line: colour alone says nothing.
void paintSearchHits(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    if (picture.choice.found == nullptr || !picture.choice.found->hasWords()) {
        return;
    }
    QColor veil = color(Role::background, theme);
    veil.setAlpha(190);
    auto hit = picture.hits[step].begin();
    const auto last = picture.hits[step].end();
    for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
        if (picture.lines[step][line].group) {
            continue;
        }
        const QRect area = picture.lineRect(step, line);
        int from = area.left();
        for (; hit != last && hit->top() == area.top(); ++hit) {
            painter.fillRect(QRect(from, area.top(), hit->left() - from, area.height()), veil);
            painter.fillRect(QRect(hit->left(), area.top(), hit->width(), 2), color(Role::text, theme));
            from = hit->left() + hit->width();
        }
        painter.fillRect(QRect(from, area.top(), area.left() + area.width() - from, area.height()), veil);
    }
}

/// A line of 2 pixels along the bottom of the bars on the critical path; a frame means the selection.
void paintCritical(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    std::vector<QRect> lines;
    for (const QRect& stay : picture.critical[step]) {
        lines.emplace_back(stay.left(), stay.bottom() - 1, stay.width(), 2);
    }
    fillRects(painter, lines, color(Role::text, theme));
}

} // namespace

bool anyFolded(const std::vector<RowList>& lists) {
    return std::ranges::any_of(lists, [](const RowList& list) {
        return std::ranges::any_of(list.groups, &RowList::Group::collapsed);
    });
}

std::vector<LegendItem> timelineLegend(const StepRuns& runs, bool critical, bool brief, bool folded) {
    int axes = 0;
    bool ring = false;
    for (const StepRunPtr& run : runs) {
        axes = std::max(axes, run->torus().axis_count());
        ring = ring || (!run->rows().empty() && run->torus().axis_count() == 1);
    }
    std::vector<LegendItem> items;
    const auto add = [&](const QString& whole, const QString& in_brief, std::optional<Role> role) {
        items.push_back({brief ? in_brief : whole, role});
    };
    add(TimelineWords::tr("multiply"), TimelineWords::tr("multiply"), Role::compute);
    if (axes > 1) {
        add(TimelineWords::tr("transfer along a row"), TimelineWords::tr("row"), Role::transferHorizontal);
        add(ring ? TimelineWords::tr("transfer along a column, or the one ring")
                 : TimelineWords::tr("transfer along a column"),
            ring ? TimelineWords::tr("column, ring") : TimelineWords::tr("column"), Role::transferVertical);
    } else {
        add(TimelineWords::tr("transfer"), TimelineWords::tr("transfer"), Role::transferVertical);
    }
    if (axes > 2) {
        add(TimelineWords::tr("transfer along the third axis"), TimelineWords::tr("third axis"),
            Role::transferThird);
    }
    add(TimelineWords::tr("synchronization"), TimelineWords::tr("sync"), Role::sync);
    add(TimelineWords::tr("launch"), TimelineWords::tr("launch"), Role::launch);
    if (std::ranges::any_of(runs, [](const StepRunPtr& run) {
            return tiled(run->conditions().assume.schedule, run->conditions().machine);
        })) {
        add(TimelineWords::tr("copying slices"), TimelineWords::tr("copies"), Role::slicing);
    }
    if (std::ranges::any_of(runs, [](const StepRunPtr& run) {
            const StepConditions& made = run->conditions();
            return staged(made.assume.schedule, made.machine) &&
                   made.assume.schedule.reduction == Reduction::by_units;
        })) {
        add(TimelineWords::tr("last sum, by the compute units"), TimelineWords::tr("last sum"),
            Role::slicing);
    }
    add(TimelineWords::tr("core waits: exposed communication"), TimelineWords::tr("core waits"),
        Role::exposed);
    if (folded) {
        add(TimelineWords::tr("busy links of a folded group"), TimelineWords::tr("folded links"),
            Role::quietText);
    }
    if (critical) {
        items.push_back({TimelineWords::tr("critical path"), Role::text, std::nullopt, LegendSign::line});
    }
    if (!brief) {
        items.push_back(
            {TimelineWords::tr("several bars in a pixel: height by share of time"), std::nullopt});
    }
    return items;
}

std::optional<RowLine> TimelinePicture::lineAt(std::size_t step, int y) const {
    const RunLayout::Block& block = layout.blocks[step];
    const std::optional<std::size_t> row = layout.rowAt({layout.left, y});
    return row && *row >= block.first && *row < block.first + block.count
               ? std::optional(lines[step][*row - block.first])
               : std::nullopt;
}

std::optional<QRect> TimelinePicture::placeOf(std::size_t step, std::size_t row) const {
    const auto line = std::ranges::find(lines[step], RowLine{row, false});
    return line == lines[step].end()
               ? std::nullopt
               : std::optional(lineRect(step, static_cast<std::size_t>(line - lines[step].begin())));
}

RunLayout layoutTimeline(const StepRuns& runs, const TimelineChoice& choice, const QSize& size) {
    return layoutRun(size, runWindow(runs, choice));
}

TimelinePicture makePicture(const StepRuns& runs, const TimelineChoice& choice, const QSize& size) {
    TimelinePicture picture;
    picture.choice = choice;
    picture.window = runWindow(runs, choice);
    picture.layout = layoutRun(size, picture.window);
    for (std::size_t step = 0; step < runs.size(); ++step) {
        const RowList& list = (*choice.rows)[step];
        const std::size_t fit = picture.layout.rowsThatFit(step);
        ShownRun& shown = picture.window.runs[step];
        picture.lines.push_back(list.inSight(choice.firstRow, fit));
        for (const RowLine& line : picture.lines.back()) {
            shown.rows.push_back(runRow(*runs[step], list, line));
        }
        shown.pinned = list.pinnedInSight(fit);
    }
    picture.layout = layoutRun(size, picture.window);
    picture.scale = picture.layout.scale(picture.window);
    picture.axis = TimeAxis::choose(picture.scale, timeline_tick_spacing);
    picture.flags = markFlags(choice.marks, picture.scale, picture.layout.ruler);
    GroupSummaries own;
    const auto sums = (choice.summaries != nullptr ? *choice.summaries : own)
                          .of(runs, *choice.rows, picture.lines, choice.range, picture.layout.dataWidth());
    for (std::size_t step = 0; step < runs.size(); ++step) {
        for (const auto& [line, sum] : sums[step]) {
            picture.window.runs[step].rows[line].sum = sum;
        }
        const auto pathOf = [&](std::size_t gemm) -> const CriticalPath* {
            const ProductWhy* why = choice.reasons ? choice.reasons->of(step, gemm) : nullptr;
            return why ? why->path.get() : nullptr;
        };
        picture.hits.push_back(choice.found != nullptr ? searchHits(picture, step) : std::vector<QRect>());
        picture.critical.push_back(outlineCriticalPath(*runs[step], pathOf, picture.scale,
                                                       picture.layout.blocks[step].rows, picture.layout.row,
                                                       picture.lines[step]));
    }
    picture.notes = noteFlags(runs, picture);
    return picture;
}

void paint(QPainter& painter, TimelinePicture& picture, const QSize& size, Theme theme) {
    picture.lettered = paintRun(painter, size, picture.window, theme);
    for (std::size_t step = 0; step < picture.lines.size(); ++step) {
        paintSearchHits(painter, picture, step, theme);
        paintCritical(painter, picture, step, theme);
        for (std::size_t line = 0; line < picture.lines[step].size(); ++line) {
            if (picture.lines[step][line].group && !picture.window.runs[step].rows[line].sum) {
                picture.lettered.push_back(picture.lineRect(step, line));
            }
        }
    }
    paintNotes(painter, picture.notes, theme);
    paintMarks(painter, picture.flags, picture.layout.ruler, picture.layout.legend.top() - 2,
               picture.lettered, theme);
}

} // namespace meshslice::ui
