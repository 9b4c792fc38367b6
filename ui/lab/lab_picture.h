#pragma once

#include "ui/lab/form/lab_question.h"
#include "ui/look/palette.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What the lab's picture is of: a plan, and how many of its steps are done.
struct LabShown {
    const LabQuestion* question = nullptr;
    const CostedPlan* plan = nullptr;
    int number = 0; ///< of the plan, from 1
    int plans = 0;
    std::size_t done = 0;
    std::int64_t chip = 0;  ///< whose blocks are outlined
    QString simulated = {}; ///< how long the plan takes in the simulation; empty while that is not known
};

/// A block of a matrix, and which chips hold it.
struct LabBlock {
    QRectF area;
    std::vector<std::int64_t> chips;
};
/// One of the three matrices.
struct LabMatrix {
    Operand which = Operand::left;
    ShardedArray array; ///< as it lies now; no dimensions: C before the multiplication
    QRectF heading, area, notes;
    std::vector<LabBlock> blocks; ///< row by row
};
struct LabChip {
    std::int64_t chip = 0;
    QRectF area;
};
/// A letter of the mesh, to be dragged onto a matrix.
struct LabAxis {
    std::size_t axis = 0;
    QRectF area;
};
/// Where everything stands in a picture of some size.
struct LabLayout {
    QRectF title, verdict, simulated, step;
    std::vector<LabMatrix> matrices;
    QRectF mesh_heading, mesh_area;
    std::vector<LabAxis> axes; ///< in the window only
    QRectF axes_hint;
    std::vector<LabChip> chips;
};

[[nodiscard]] LabLayout layoutLab(const QSizeF& size, const LabShown& shown);
/// How high a picture of this width has to be.
[[nodiscard]] double labHeight(double width);
void paintLab(QPainter& painter, const QSizeF& size, const LabShown& shown, Theme theme);

/// "Plan 1 of 22: AllGather_Y A, Multiply".
[[nodiscard]] QString labTitle(const LabShown& shown);
/// What the step that was done last does and costs; at the beginning how A and B lie.
[[nodiscard]] QString labStep(const LabShown& shown);
/// Local shape, bytes a chip and in all, copies.
[[nodiscard]] QStringList labNotes(const LabMatrix& matrix, const LabShown& shown);
/// What one chip holds of every matrix: "chip 3 (X 1, Y 1): A rows 1024 to 2047, ...".
[[nodiscard]] QString labChip(const LabShown& shown, std::int64_t chip);

} // namespace meshslice::ui
