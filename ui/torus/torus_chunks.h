#pragma once

#include "core/explain/fed_progress.h"
#include "core/figure/table.h"
#include "ui/charts/labels/legend.h"
#include "ui/timeline/step_runs.h"
#include "ui/torus/fed_chunks.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// The GEMMs of a step that feed their reduce-scatter, as their runs were recorded.
class FedGemms {
  public:
    FedGemms() = default;
    FedGemms(const StepRun& run);

    [[nodiscard]] bool any() const { return !steps_.empty(); }
    /// Null of a GEMM that feeds nothing.
    [[nodiscard]] const FedRun* of(std::size_t gemm) const {
        return gemm < runs_.size() ? runs_[gemm].get() : nullptr;
    }
    /// When the next chunk of some chip has been made, completed or sent, or the one before; none at the
    /// ends.
    [[nodiscard]] std::optional<Time> after(Time moment) const;
    [[nodiscard]] std::optional<Time> before(Time moment) const;

  private:
    std::vector<std::shared_ptr<const FedRun>> runs_; ///< by GEMM
    std::vector<Time> steps_;                         ///< of the whole step
};

/// What has become of every chip's chunks at a moment: T3 (ASPLOS 2024), Figure 7, for any number of chips.
struct ChunkFrame {
    const FedRun* run = nullptr; ///< null where nothing is fed: before, and in a GEMM that feeds nothing
    std::vector<FedProgress> chips;
};
/// After a GEMM has ended, of that one until the next begins.
[[nodiscard]] ChunkFrame chunksAt(const StepRun& run, const FedGemms& fed, Time moment);

/// "212 us, FF2 forward: of 16 tiles on all chips 12 are made, 3 complete and 2 sent", and shorter.
[[nodiscard]] QString chunksSentence(const StepRun& run, const ChunkFrame& frame, Time moment);
[[nodiscard]] QString shortChunksSentence(const ChunkFrame& frame, Time moment);
/// A chip in words, a line for each chunk; of more than eight those that are under way.
[[nodiscard]] QStringList chunkLines(const Torus& torus, const ChunkFrame& frame, Chip chip);
/// A row for each chunk of each chip, in the order in which they are made; in English.
[[nodiscard]] Table chunksTable(const Torus& torus, const ChunkFrame& frame);

[[nodiscard]] std::vector<LegendItem> chunksLegend(Axis axis);
/// A chip: its place where there is room, and below each other its chunks in the order in which it makes
/// them, each from left to right its tiles.
void paintChunks(QPainter& painter, const Torus& torus, const ChunkFrame& frame, Chip chip, const QRectF& box,
                 Theme theme);

} // namespace meshslice::ui
