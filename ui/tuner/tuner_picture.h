#pragma once

#include "ui/look/palette.h"
#include "ui/tuner/tuner_data.h"
#include "ui/tuner/tuner_difference.h"
#include "ui/tuner/tuner_layout.h"

#include <QRectF>
#include <QSize>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// A cell of the heat map where it is painted.
struct TunerCellBox {
    TunerPlace place;
    QRectF area;
};

/// The tuner laid out for one size: the finding, the heat map, below it the bars of the selected cell next to
/// the ranked algorithms, or above them where the picture is narrow.
struct TunerPicture {
    TunerAnswerPtr answer;
    /// In place of one variant's map, that of A and B; then rows and columns are its own, and the list is
    /// that of the meshes.
    TunerDifferencePtr difference;
    QSize size;
    QStringList title;             ///< the finding, in up to three lines
    QRectF heat;                   ///< all cells together
    std::vector<std::size_t> rows; ///< of the landscape, that are shown
    std::size_t columns = 0;
    std::vector<TunerCellBox> cells;
    QRectF scale; ///< the legend of the colours
    QRectF bars;  ///< the chart of the selected cell
    QRectF ranking;
    std::vector<QRectF> leaders;   ///< of the ranked algorithms, in order
    bool explained = false;        ///< each with further lines, for its reason
    std::optional<QRectF> misfits; ///< the words above those that do not fit
    std::size_t keys = 2;          ///< lines that say what is what
    int hidden_rows = 0;           ///< for which there is no room: the slowest
};
/// What is marked in it.
struct TunerMarks {
    std::optional<TunerPlace> current;  ///< the scenario's own cell
    std::optional<TunerPlace> selected; ///< whose bars are shown
    bool focus = false;                 ///< the keyboard is here
    bool faulty = false;                ///< the scenario has faults, which the cells leave out
};
/// What the marks stand for and what is left out, as one line.
[[nodiscard]] QString tunerKey(const TunerPicture& picture, const TunerMarks& marks);

/// How high a picture so wide has to be for all rows and reasons. `name`: which of two variants it is of,
/// "A"; empty for one on its own.
[[nodiscard]] double leastHeight(const TunerAnswer& answer, double width, const QString& name = {});
[[nodiscard]] TunerPicture makeTunerPicture(const TunerAnswerPtr& answer, const QSize& size,
                                            const QString& name = {});
[[nodiscard]] std::optional<TunerPlace> cellAt(const TunerPicture& picture, const QPointF& point);
[[nodiscard]] std::optional<std::size_t> leaderAt(const TunerPicture& picture, const QPointF& point);

/// How strong a cell that fits is coloured, 0.06 (the slowest) to 1 (the best): by its share of the best
/// utilization.
[[nodiscard]] double cellStrength(const Landscape& landscape, const LandscapeCell& cell);

void paint(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme);

/// The parts that both kinds of map have: the ground and the title; frames around the scenario's cell and the
/// selected one.
void paintTunerTitle(QPainter& painter, const TunerPicture& picture, Theme theme);
void paintTunerMarks(QPainter& painter, const TunerPicture& picture, const TunerMarks& marks, Theme theme);
/// Where a cell is painted; null where it is not.
[[nodiscard]] const QRectF* boxOf(const TunerPicture& picture, const std::optional<TunerPlace>& place);

} // namespace meshslice::ui
