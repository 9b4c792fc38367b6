#pragma once

#include "core/draw/stepping.h"
#include "ui/look/palette.h"

#include <QRectF>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

class QPainter;

namespace meshslice::ui {

/// What the stepper's picture is of.
struct StepperShown {
    const Stepping* stepping = nullptr;
    QString title;          ///< what is stepped through
    std::size_t moment = 0; ///< of its moments
};

/// One value on one chip.
struct StepperMatrix {
    Chip chip = 0;
    ValueId value = 0;
    QRectF name, area;
    double cell_width = 0, cell_height = 0;

    [[nodiscard]] QRectF cell(std::int64_t row, std::int64_t column) const;
};
struct StepperChip {
    Chip chip = 0;
    QRectF area, heading;
};
/// What has become of what a chip makes, where a GEMM feeds its collective.
struct StepperChunks {
    Chip chip = 0;
    QRectF area;
};
/// One direction of a link, where it leaves its chip; of the third axis a line in the chip itself.
struct StepperLink {
    std::size_t link = 0; ///< of Stepping::links
    QRectF area;
    bool across = true;  ///< drawn from left to right or back, else down or up
    bool forward = true; ///< to the right, or down
    bool in_chip = false;
};
struct StepperLine {
    std::optional<OperationId> operation; ///< none: the head of the loop
    QString text;
    QRectF area;
};
/// Where everything stands.
struct StepperLayout {
    QRectF title, step, code_heading;
    std::vector<StepperLine> code;
    QRectF result_heading, result, result_notes; ///< the gathered product
    double result_cell_width = 0, result_cell_height = 0;
    std::vector<StepperChip> chips;
    std::vector<StepperMatrix> matrices;
    std::vector<StepperChunks> chunks;
    QRectF chunk_legend; ///< null where there are none
    std::vector<StepperLink> links;
    double width = 0, height = 0; ///< of the whole picture
};

/// As wide as asked, or wider where the numbers need it; closer together where it fits into the height then.
[[nodiscard]] StepperLayout layoutStepper(double width, const StepperShown& shown,
                                          double height = std::numeric_limits<double>::infinity());
/// Smaller where the size has no room for it.
void paintStepper(QPainter& painter, const QSizeF& size, const StepperShown& shown, Theme theme);

/// "3", "12"; "·" where nothing has arrived.
[[nodiscard]] QString stepperNumber(double number);

} // namespace meshslice::ui
