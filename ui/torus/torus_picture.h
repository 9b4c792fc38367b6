#pragma once

#include "ui/charts/labels/legend.h"
#include "ui/torus/torus_chunks.h"
#include "ui/torus/torus_frame.h"
#include "ui/torus/torus_grid.h"
#include "ui/torus/torus_measure.h"

#include <QRectF>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// The torus made ready for one size.
struct TorusPicture {
    const StepRun* run = nullptr;
    TorusShows shows = TorusShows::now;
    TorusFrame frame;
    ChunkFrame chunks;    ///< where they are shown
    TorusMeasure measure; ///< without values where what happens now is shown, or it is not added up yet
    TorusGrid grid;
    QString title;
    QString brief; ///< the same where that has no room
    QRectF title_area;
    QRectF legend_area;
    std::vector<LegendItem> legend;

    [[nodiscard]] std::size_t step() const { return frame.step; }
    /// The row of the timeline that a part is; none where it has none.
    [[nodiscard]] std::optional<std::size_t> rowOf(const TorusPart& part) const;
};

/// What a picture says of a run.
struct TorusContent {
    TorusShows shows = TorusShows::now;
    const TorusMeasure* measure = nullptr; ///< of the run; null while it is not known
    const FedGemms* fed = nullptr;         ///< of the run; where their chunks are shown
    QString refusal;                       ///< why there is none
    /// Of the run, where several are shown: stands before the title, and alone where a figure has its own.
    QString name;
    bool legend = true; ///< else another picture has it
};

/// `turn`: of a torus of three axes in space.
[[nodiscard]] TorusPicture makeTorusPicture(const StepRun& run, const TorusFrame& frame,
                                            const TorusContent& content, const QRectF& area,
                                            const std::optional<TorusTurn>& turn = {});
/// The height of a line above the picture.
inline constexpr double torus_heading_height = 24;
/// Of both sides of it together, for the names of partners.
inline constexpr double torus_side_margins = 68;
void paint(QPainter& painter, const TorusPicture& picture, Theme theme);
/// Frames a part.
void paintFramed(QPainter& painter, const TorusPicture& picture, const TorusPart& part, Theme theme);

} // namespace meshslice::ui
