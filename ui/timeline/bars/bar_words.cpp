#include "ui/timeline/bars/bar_words.h"

#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/timeline/timeline_bars.h"

#include <QCoreApplication>
#include <QHash>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct WordsOfBars {
    Q_DECLARE_TR_FUNCTIONS(BarWords)
};

constexpr int least_worded = 14; ///< pixels wide: a digit and its margins
constexpr int word_margin = 3;

/// From the most that a bar can say to the least.
QStringList wishesOf(const Timeline& timeline, const Program* program, const Row& row,
                     const Interval& interval) {
    const bool sliced =
        timeline.iterations() > 1 && program != nullptr && program->in_loop(interval.operation);
    const QString operation = words(timeline.operations()[interval.operation].name);
    const auto number = static_cast<std::int64_t>(interval.iteration) + 1;
    if (const MemoryStretch* stretch = timeline.stretch(row, interval)) {
        return {translated(access_name(stretch->use))};
    }
    switch (interval.activity) {
    case Activity::launch: return {WordsOfBars::tr("launch")};
    case Activity::copy: return {WordsOfBars::tr("copy")};
    case Activity::sync: return {}; // half as high as a letter
    case Activity::compute:
    case Activity::transfer: break;
    }
    if (!sliced) {
        return {operation};
    }
    const QString slice = WordsOfBars::tr("slice %1 of %2").arg(number).arg(timeline.iterations());
    return row.is_core ? QStringList{slice, QString::number(number)}
                       : QStringList{WordsOfBars::tr("%1, %2").arg(operation, slice), operation,
                                     QString::number(number)};
}

/// Dark letters on light bars, light ones on dark bars.
QColor inkOn(const QColor& bar) {
    const double light = 0.299 * bar.redF() + 0.587 * bar.greenF() + 0.114 * bar.blueF();
    return light > 0.5 ? QColor(0x1A, 0x1A, 0x1A) : QColor(Qt::white);
}

} // namespace

std::vector<BarWords> wordsInBars(const StepRun& run, const TimeScale& scale, const QRect& area,
                                  int rowHeight, std::span<const RowLine> lines) {
    std::vector<BarWords> all;
    if (rowHeight < pixels(RowHeight::normal) || scale.width <= 0 || length(scale.range).value() <= 0) {
        return all;
    }
    const QFont font = lettering(Lettering::small);
    QHash<QString, double> widths; // the same words come again and again
    const auto widthOf = [&](const QString& text) {
        const auto known = widths.constFind(text);
        return known != widths.constEnd() ? *known : *widths.insert(text, textWidth(font, text));
    };
    const StepRun::Span pieces = run.pieces_in(scale.range);
    for (std::size_t line = 0; line < std::min(lines.size(), rowsThatFit(area, rowHeight)); ++line) {
        for (std::size_t index = pieces.first; !lines[line].group && index < pieces.last; ++index) {
            const Piece& piece = run.pieces()[index];
            const StepRun::Span span = StepRun::intervals_in(piece, lines[line].index, scale.range);
            if ((span.last - span.first) * static_cast<std::size_t>(least_worded) >
                4 * static_cast<std::size_t>(scale.width)) {
                continue; // hardly one of them is wide enough
            }
            for (std::size_t bar = span.first; bar < span.last; ++bar) {
                const Interval& interval = piece.timeline->intervals(lines[line].index)[bar];
                const int left = std::max(scale.pixel(piece.start + interval.start), scale.left);
                const int right = std::min(scale.pixel(piece.start + interval.end), scale.left + scale.width);
                if (right - left < least_worded) {
                    continue;
                }
                const Row& row = piece.timeline->rows_with_memory()[lines[line].index];
                for (const QString& wish :
                     wishesOf(*piece.timeline, run.step().gemms[piece.gemm].program.get(), row, interval)) {
                    if (widthOf(wish) <= right - left - 2 * word_margin) {
                        const QRect whole = lineRect(area, rowHeight, line);
                        all.push_back({QRect(left, whole.top(), right - left, whole.height()), wish,
                                       role_of(row, interval.activity), static_cast<int>(widthOf(wish)) + 2});
                        break;
                    }
                }
            }
        }
    }
    return all;
}

void paintBarWords(QPainter& painter, const std::vector<BarWords>& all, Theme theme) {
    painter.setFont(lettering(Lettering::small));
    for (const BarWords& one : all) {
        painter.setPen(inkOn(color(one.role, theme)));
        painter.drawText(one.place, Qt::AlignCenter, one.words);
    }
}

} // namespace meshslice::ui
