#pragma once

#include "ui/lab/stepper/stepper_picture.h"

#include <optional>

namespace meshslice::ui {

/// The axis of the rings that a GEMM feeds; none where it feeds none.
[[nodiscard]] std::optional<Axis> fedAxis(const Stepping& stepping);
/// How much room a chip's chunks take, and what their colours mean; 0 where there are none.
[[nodiscard]] double stepperChunksHeight(const Stepping& stepping);
[[nodiscard]] double stepperChunksWidth(const Stepping& stepping); ///< at least
[[nodiscard]] double stepperLegendHeight(const Stepping& stepping);
void paintStepperChunks(QPainter& painter, const StepperShown& shown, Chip chip, const QRectF& area,
                        Theme theme);
void paintStepperLegend(QPainter& painter, const StepperShown& shown, const QRectF& area, Theme theme);

/// What has become of a chip's chunks, a line for each; none where there are none.
[[nodiscard]] QStringList stepperChunkLines(const StepperShown& shown, Chip chip);
/// What the step does to them; empty for a step that is of other things.
[[nodiscard]] QString stepperChunkDeed(const StepperShown& shown);
/// How many chunks of all chips are in a state at a moment.
[[nodiscard]] std::int64_t chunksIn(const Moment& moment, TileState state);

} // namespace meshslice::ui
