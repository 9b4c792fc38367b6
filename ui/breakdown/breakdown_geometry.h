#pragma once

#include "core/step/breakdown.h"
#include "ui/charts/axis.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace meshslice::ui {

/// A stretch of a bar.
struct BreakdownPart {
    enum class Kind : std::uint8_t { compute, coreLaunch, exposed, launch, sync, transfer, copy };
    Kind kind = Kind::compute;
    Time begin;
    Time end;

    bool operator==(const BreakdownPart&) const = default;
};

/// The run's time from end to end: multiplying, launching multiplications, waiting for exposed communication.
[[nodiscard]] std::vector<BreakdownPart> timeParts(const BreakdownRow& row);
/// The communication by cause, hidden or not, laid end to end from zero.
[[nodiscard]] std::vector<BreakdownPart> communicationParts(const BreakdownRow& row);

/// One algorithm's bars for one product: its time, and thinner below it its communication.
struct BreakdownLine {
    std::size_t step = 0;
    std::size_t row = 0; ///< index into the breakdown
    QRectF time;         ///< height and left edge; its length is the axis' business
    QRectF communication;
    QRectF area; ///< of both, with the label: for the mouse
};

/// The bars of one product side by side for all algorithms.
struct BreakdownGroup {
    QString title;
    std::optional<std::size_t> gemm; ///< none for the whole step
    QRectF area;
    std::vector<BreakdownLine> lines;
};

/// Groups that share one axis from zero.
struct BreakdownPanel {
    QRectF plot;
    PixelAxis x; ///< picoseconds
    std::vector<BreakdownGroup> groups;
};

/// The whole step above, the products below: twelve products under a bar twelve times as long could not be
/// read.
struct BreakdownLayout {
    std::vector<BreakdownPanel> panels;
    double names = 0;      ///< width of the products' names
    double algorithms = 0; ///< width of the algorithms' names; 0 with only one
};

/// `area` is what is left between title and legend. `rows` of the algorithms follow each other, each with the
/// same products.
[[nodiscard]] BreakdownLayout layoutBreakdown(const std::vector<BreakdownRow>& rows, std::size_t steps,
                                              const std::vector<QString>& algorithms, const QRectF& area);

} // namespace meshslice::ui
