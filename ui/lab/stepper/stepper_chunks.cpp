#include "ui/lab/stepper/stepper_chunks.h"

#include "core/base/text.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"
#include "ui/torus/fed_chunks.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct StepperChunkWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Stepper)
};

constexpr double chunk_row = 13;
constexpr double legend_row = 15;

const FedProgress& progressOf(const StepperShown& shown, Chip chip) {
    return shown.stepping->moments[shown.moment].fed[static_cast<std::size_t>(chip)];
}

/// The state that all of a chunk's tiles are in; none where they differ.
std::optional<TileState> stateOf(const FedChunk& chunk) {
    for (const TileState state : all_tile_states) {
        if (chunk.in(state) == chunk.tiles) {
            return state;
        }
    }
    return std::nullopt;
}

/// A word short enough to stand next to a chunk.
QString shortWord(TileState state) {
    switch (state) {
    case TileState::waiting: return StepperChunkWords::tr("waiting");
    case TileState::made: return StepperChunkWords::tr("made");
    case TileState::counted: return StepperChunkWords::tr("1 of 2");
    case TileState::complete: return StepperChunkWords::tr("complete");
    case TileState::sent: break;
    }
    return StepperChunkWords::tr("sent");
}

double wordsWidth() {
    double width = 0;
    for (const TileState state : all_tile_states) {
        width = std::max(width, textWidth(lettering(Lettering::tiny), shortWord(state)));
    }
    return width + 4;
}

} // namespace

std::optional<Axis> fedAxis(const Stepping& stepping) {
    const Program& program = stepping.program;
    return program.fusions.empty()
               ? std::nullopt
               : std::optional(
                     std::get<ReduceScatter>(program.operations[program.fusions.front().collective]).axis);
}

double stepperChunksHeight(const Stepping& stepping) {
    const std::vector<FedProgress>& fed = stepping.moments.front().fed;
    return fed.empty() ? 0 : chunk_row * static_cast<double>(fed.front().chunks.size() + 1);
}

double stepperChunksWidth(const Stepping& stepping) {
    return stepping.moments.front().fed.empty() ? 0 : 2 * wordsWidth() + 32;
}

double stepperLegendHeight(const Stepping& stepping) {
    return stepping.moments.front().fed.empty() ? 0 : legend_row * (all_tile_states.size() + 1);
}

void paintStepperChunks(QPainter& painter, const StepperShown& shown, Chip chip, const QRectF& area,
                        Theme theme) {
    const FedProgress& progress = progressOf(shown, chip);
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(area.left(), area.top(), area.width(), chunk_row),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small),
               StepperChunkWords::tr("chunks, as it makes them"));
    const double words_width = wordsWidth();
    const QRectF rows = area.adjusted(0, chunk_row, -words_width, 0);
    paintFedChunks(painter, progress, *fedAxis(*shown.stepping), rows, theme);
    for (std::size_t slot = 0; slot < progress.chunks.size(); ++slot) {
        const std::optional<TileState> state = stateOf(progress.chunks[slot]);
        if (state) {
            painter.setPen(color(*state == TileState::waiting ? Role::quietText : Role::text, theme));
            drawFitted(painter,
                       QRectF(rows.right() + 4, rows.top() + chunk_row * static_cast<double>(slot),
                              words_width - 4, chunk_row),
                       Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::tiny), shortWord(*state));
        }
    }
}

void paintStepperLegend(QPainter& painter, const StepperShown& shown, const QRectF& area, Theme theme) {
    painter.setPen(color(Role::quietText, theme));
    drawFitted(painter, QRectF(area.left(), area.top(), area.width(), legend_row),
               Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small, true),
               StepperChunkWords::tr("Tiles that feed the ring"));
    double y = area.top() + legend_row;
    for (const TileState state : all_tile_states) {
        painter.fillRect(QRectF(area.left() + 1, y + 3, 10, legend_row - 6),
                         color(tileRole(state, *fedAxis(*shown.stepping)), theme));
        painter.setPen(color(Role::text, theme));
        drawFitted(painter, QRectF(area.left() + 16, y, area.width() - 16, legend_row),
                   Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small), tileStateWord(state));
        y += legend_row;
    }
}

QStringList stepperChunkLines(const StepperShown& shown, Chip chip) {
    const Stepping& stepping = *shown.stepping;
    const std::optional<Axis> axis = fedAxis(stepping);
    if (!axis) {
        return {};
    }
    return fedChunkLines(stepping.program.torus, *axis, chip, progressOf(shown, chip));
}

QString stepperChunkDeed(const StepperShown& shown) {
    const Moment& now = shown.stepping->moments[shown.moment];
    const Fusion* const fusion = now.line ? shown.stepping->program.fusion_of(*now.line) : nullptr;
    if (fusion == nullptr) {
        return {};
    }
    if (*now.line == fusion->collective) {
        return StepperChunkWords::tr("What was on its way is added in the next chip's memory, where the "
                                     "tracker counts 1 of 2 updates.");
    }
    const std::vector<FedChunk>& chunks = now.fed.front().chunks;
    const auto made =
        std::ranges::count_if(chunks, [](const FedChunk& chunk) { return chunk.made == chunk.tiles; });
    const auto all = static_cast<std::ptrdiff_t>(chunks.size());
    const QString which = StepperChunkWords::tr("Every chip makes chunk %1 of %2").arg(made).arg(all);
    return made == 1 ? StepperChunkWords::tr("%1: its stores go straight to the next chip, and nothing is "
                                             "kept here.")
                           .arg(which)
           : made == all
               ? StepperChunkWords::tr("%1, its own: with both updates counted it is complete and stays.")
                     .arg(which)
               : StepperChunkWords::tr("%1 and adds it to what has arrived: both updates are counted, and "
                                       "the tracker sends it on.")
                     .arg(which);
}

std::int64_t chunksIn(const Moment& moment, TileState state) {
    std::int64_t count = 0;
    for (const FedProgress& chip : moment.fed) {
        count += std::ranges::count_if(
            chip.chunks, [&](const FedChunk& chunk) { return stateOf(chunk) == std::optional(state); });
    }
    return count;
}

} // namespace meshslice::ui
