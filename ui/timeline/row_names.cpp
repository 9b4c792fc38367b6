#include "ui/timeline/row_names.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct RowNames {
    Q_DECLARE_TR_FUNCTIONS(RowNames)
};

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

QString foldSign(const RowList::Group& group) {
    return group.collapsed ? QStringLiteral("\u25b8 ") : QStringLiteral("\u25be ");
}

/// "\u25be row 3 of the mesh (40 rows)": a click folds it. Of a folded one the data's place is left to what
/// its rows do.
void paintGroupName(QPainter& painter, const QRect& line, const RowList::Group& group,
                    const StepDensity* summary, Theme theme) {
    const int right = summary != nullptr ? line.left() : line.right() + 1;
    painter.fillRect(QRect(0, line.top(), right, line.height()), color(Role::grid, theme));
    painter.setPen(color(Role::text, theme));
    const QFont font = lettering(Lettering::small, true);
    const QString name = foldSign(group) + group.name;
    const QString counted = group.rows.size() == 1
                                ? RowNames::tr("%1 (one row)").arg(name)
                                : RowNames::tr("%1 (%L2 rows)").arg(name).arg(group.rows.size());
    const QRectF place(8, line.top(), right - 12.0, line.height());
    const QString fitting = firstFitting(font, {counted, name}, place.width());
    drawFitted(painter, place, Qt::AlignLeft | Qt::AlignVCenter, font, fitting.isEmpty() ? name : fitting);
    if (summary != nullptr) {
        paintSummary(painter, line.adjusted(0, 1, 0, -1), *summary, theme);
    }
}

} // namespace

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
            widest = std::max(widest, textWidth(bold, foldSign(group) + group.name));
        }
    }
    return static_cast<int>(widest) + 18;
}

void paintRowNames(QPainter& painter, const TimelinePicture& picture, std::size_t step, Theme theme) {
    const std::vector<RowLine>& lines = picture.lines[step];
    const RowList& list = (*picture.window.rows)[step];
    const std::vector<Row>& rows = picture.runs[step]->rows();
    const Torus& torus = picture.runs[step]->torus();
    const int height = picture.rowHeight();
    const QFont font = lettering(Lettering::small);
    const double right = picture.layout.labels - 8.0;
    const bool each = picture.window.rowHeight != RowHeight::compact;
    const std::size_t pinned = list.pinnedInSight(rowsThatFit(picture.layout.panes[step].rows, height));

    std::size_t line = 0;
    while (line < lines.size()) {
        const QRect top = picture.lineRect(step, line);
        if (lines[line].group) {
            const auto summary = picture.summaries[step].find(line);
            paintGroupName(painter, top, list.groups[lines[line].index],
                           summary != picture.summaries[step].end() ? &summary->second : nullptr, theme);
            ++line;
            continue;
        }
        // The lines of one chip that stand together.
        const Chip chip = rows[lines[line].index].chip;
        std::size_t end = line + 1;
        while (end < lines.size() && end != pinned && !lines[end].group &&
               rows[lines[end].index].chip == chip) {
            ++end;
        }
        if (line > 0 && line != pinned) {
            painter.fillRect(QRect(0, top.top(), picture.layout.right, 1), color(Role::grid, theme));
        }
        if (!each) {
            const RowWords words = wordsOf(torus, rows[lines[line].index]);
            const double room = static_cast<double>(end - line) * height;
            if (room >= 14) {
                painter.setPen(color(Role::text, theme));
                drawFitted(painter, QRectF(8, top.top(), right - 8, std::min(room, 16.0)),
                           Qt::AlignRight | Qt::AlignVCenter, font, words.chip);
            }
        }
        for (; each && line < end; ++line) {
            const Row& row = rows[lines[line].index];
            const QRectF place(0, picture.lineRect(step, line).top(), right, height);
            const QString fault = faultWords(picture.runs[step]->conditions().assume.faults, torus, row);
            RowWords words = wordsOf(torus, row);
            words.resource += fault;
            const bool folded = row.is_core && list.collapsedChips.contains(row.chip);
            const QString name =
                (folded ? QStringLiteral("\u25b8 ") : QString()) + words.chip + QStringLiteral("  ");
            const double resource = textWidth(font, words.resource);
            painter.setPen(color(fault.isEmpty() ? Role::text : Role::exposed, theme));
            drawFitted(painter, place.adjusted(8, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter, font,
                       words.resource);
            // The chip's name is said loudly once, at its core, and quietly at its links.
            painter.setPen(color(row.is_core ? Role::text : Role::quietText, theme));
            drawFitted(painter, QRectF(8, place.top(), std::max(0.0, right - 8 - resource), height),
                       Qt::AlignRight | Qt::AlignVCenter, font, name);
        }
        line = end;
    }
    // What does not scroll is set apart from what does, also where there is room for nothing else.
    if (pinned > 0) {
        const QRect last = picture.lineRect(step, pinned - 1);
        painter.fillRect(QRect(0, last.bottom(), picture.layout.right, 2), color(Role::quietText, theme));
    }
}

} // namespace meshslice::ui
