#include "core/program/program.h"
#include "ui/lab/stepper/stepper_chunks.h"
#include "ui/lab/stepper/stepper_picture.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr double step_margin = 12;
constexpr double step_line = 16;
constexpr double step_cell_height = 14;
constexpr double step_name_height = 13;
constexpr double step_narrow = 560; ///< below it the code stands above the chips
constexpr double most_chip_width = 420;
constexpr double chip_padding = 6;
/// Between rows of chips: for three lines of what is on its way, or for one where height is scarce.
constexpr std::array<double, 2> row_gaps = {46, 32};

/// How wide a cell has to be for the largest number that is met.
double wantedCell(const Stepping& stepping) {
    double largest = 9;
    for (const auto& value : stepping.moments.back().values) {
        if (value == nullptr) {
            continue;
        }
        for (const DenseMatrix<double>& matrix : *value) {
            for (const double number : matrix.data) {
                largest = std::isnan(number) ? largest : std::max(largest, std::abs(number));
            }
        }
    }
    return textWidth(lettering(Lettering::tiny), stepperNumber(largest)) + 5;
}

/// Puts the code and the product into a column, or next to each other.
void placeCode(StepperLayout& layout, const StepperShown& shown, const QRectF& room, double cell,
               bool side_by_side) {
    const double half = room.width() / 2;
    QRectF column = side_by_side ? QRectF(room.left(), room.top(), half, 0) : room;
    const Program& program = shown.stepping->program;
    layout.code_heading = QRectF(column.left(), column.top(), column.width(), step_line + 2);
    double y = layout.code_heading.bottom();
    const auto add = [&](std::optional<OperationId> id, const QString& text, double indent) {
        layout.code.push_back(
            {id, text, QRectF(column.left() + indent, y, column.width() - indent, step_line)});
        y += step_line;
    };
    for (std::size_t k = 0; k < program.operations.size(); ++k) {
        const auto id = static_cast<OperationId>(k);
        const bool inside = program.in_loop(id);
        if (inside && id == program.loop_begin) {
            add(std::nullopt, QStringLiteral("for s = 0 .. %1:").arg(program.iterations - 1), 4);
        }
        add(id, words(text(program, program.operations[k])), inside ? 18 : 4);
    }
    const double legend = stepperLegendHeight(*shown.stepping);
    if (side_by_side && legend > 0) {
        layout.chunk_legend = QRectF(column.left(), y + 8, column.width() - 8, legend);
        y = layout.chunk_legend.bottom();
    }
    layout.height = y;
    if (side_by_side) {
        column.moveLeft(room.left() + half);
        y = room.top() - 8;
    }
    const DenseMatrix<double>& product = shown.stepping->expected;
    layout.result_notes = QRectF(column.left(), y + 8, column.width(), 0);
    if (product.data.empty()) {
        return;
    }
    layout.result_heading = QRectF(column.left(), y + 8, column.width(), step_line);
    layout.result_cell_width = std::min(cell, (column.width() - 2) / static_cast<double>(product.columns));
    layout.result_cell_height = step_cell_height;
    layout.result = QRectF(column.left() + 1, layout.result_heading.bottom() + 2,
                           layout.result_cell_width * static_cast<double>(product.columns),
                           layout.result_cell_height * static_cast<double>(product.rows));
    layout.result_notes = QRectF(column.left(), layout.result.bottom() + 6, column.width(), 4 * step_line);
    if (!side_by_side && legend > 0) {
        layout.chunk_legend = QRectF(column.left(), layout.result_notes.bottom() + 4, column.width(), legend);
    }
}

/// What stands on one chip, from its upper left corner on: the same on all.
struct ChipContent {
    std::vector<StepperMatrix> matrices;
    QRectF chunks;
    double height = 0;
};
ChipContent contentOf(const Stepping& stepping, double width, double cell) {
    ChipContent content;
    const double left = chip_padding;
    double x = left;
    double y = step_line + 2;
    double line_height = 0;
    for (ValueId id = 0; id < stepping.program.values.size(); ++id) {
        const Value& value = stepping.program.values[id];
        if (value.elements() == 0 || stepping.moments.back().values[id] == nullptr) {
            continue;
        }
        StepperMatrix matrix;
        matrix.value = id;
        matrix.cell_width = std::min(cell, (width - 2 * left) / static_cast<double>(value.columns));
        matrix.cell_height = step_cell_height;
        const double name = textWidth(lettering(Lettering::small, true), words(value.name));
        const double across = std::max(matrix.cell_width * static_cast<double>(value.columns), name);
        const double down = step_name_height + matrix.cell_height * static_cast<double>(value.rows);
        if (x > left && x + across > width - left) {
            x = left;
            y += line_height + 5;
            line_height = 0;
        }
        matrix.name = QRectF(x, y, across + 2, step_name_height);
        matrix.area = QRectF(x, y + step_name_height, matrix.cell_width * static_cast<double>(value.columns),
                             matrix.cell_height * static_cast<double>(value.rows));
        content.matrices.push_back(matrix);
        x += across + 9;
        line_height = std::max(line_height, down);
    }
    content.height = y + line_height + 6;
    if (const double chunks = stepperChunksHeight(stepping); chunks > 0) {
        content.chunks = QRectF(left, content.height, width - 2 * left, chunks);
        content.height += chunks + 6;
    }
    return content;
}

/// How wide a chip has to be for the widest matrix on it.
double wantedChip(const Stepping& stepping, double cell) {
    double widest = std::max(100.0, 2 * chip_padding + stepperChunksWidth(stepping));
    for (ValueId id = 0; id < stepping.program.values.size(); ++id) {
        if (stepping.moments.back().values[id] != nullptr) {
            widest = std::max(widest, 14 + cell * static_cast<double>(stepping.program.values[id].columns));
        }
    }
    return std::min(widest, most_chip_width);
}

/// The chips of one or two axes as they lie, layers of a third next to each other.
void placeStepperChips(StepperLayout& layout, const StepperShown& shown, const QRectF& room, double cell,
                       double row_gap) {
    const Stepping& stepping = *shown.stepping;
    const Torus& torus = stepping.program.torus;
    const bool one_axis = torus.axis_count() == 1;
    const int layers = torus.size(Axis::third);
    const double wanted = wantedChip(stepping, cell);
    int columns = one_axis ? torus.size(Axis::vertical) : torus.size(Axis::horizontal) * layers;
    const double gap_across = room.width() / columns < 170 ? 42 : 58;
    if (one_axis) { // A ring is broken into as few lines as have room.
        const int most = std::max(1, static_cast<int>((room.width() - gap_across) / (wanted + gap_across)));
        const int lines = (columns + most - 1) / most;
        columns = (columns + lines - 1) / lines;
    }
    const bool down = !one_axis && torus.size(Axis::vertical) > 1;
    const double gap_down = down ? row_gap : 12;
    const double gaps = (columns + layers) * gap_across;
    const double width = std::clamp((room.width() - gaps) / columns, wanted, most_chip_width);
    layout.width = std::max(layout.width, room.left() + gaps + columns * width);
    ChipContent content = contentOf(stepping, width, cell);
    const double own_links = layers > 1 ? 2 * step_line : 0;
    const double height = content.height + own_links;
    for (Chip chip = 0; chip < torus.chips(); ++chip) {
        const int layer = torus.coordinate(chip, Axis::third);
        const int row = one_axis ? chip / columns : torus.coordinate(chip, Axis::vertical);
        const int column =
            one_axis ? chip % columns
                     : torus.coordinate(chip, Axis::horizontal) + layer * torus.size(Axis::horizontal);
        const QRectF area(room.left() + gap_across + column * (width + gap_across) + layer * gap_across,
                          room.top() + (down ? gap_down : 0) + row * (height + gap_down), width, height);
        layout.chips.push_back({chip, area, QRectF(area.left() + 6, area.top() + 1, width - 12, step_line)});
        for (StepperMatrix matrix : content.matrices) {
            matrix.chip = chip;
            matrix.name.translate(area.topLeft());
            matrix.area.translate(area.topLeft());
            layout.matrices.push_back(matrix);
        }
        if (!content.chunks.isNull()) {
            layout.chunks.push_back({chip, content.chunks.translated(area.topLeft())});
        }
        layout.height = std::max(layout.height, area.bottom() + (down ? gap_down : 0));
    }
    for (std::size_t k = 0; k < stepping.links.size(); ++k) {
        const Link& link = stepping.links[k];
        const QRectF& chip = layout.chips[static_cast<std::size_t>(link.chip)].area;
        const bool forward = link.direction == Direction::forward;
        const bool across = one_axis || link.axis == Axis::horizontal;
        StepperLink drawn{k, {}, across, forward, false};
        if (!one_axis && link.axis == Axis::third) {
            drawn.in_chip = true;
            drawn.area = QRectF(chip.left() + 6, chip.bottom() - (forward ? 2 : 1) * step_line - 2,
                                chip.width() - 12, step_line);
        } else if (across) {
            drawn.area = QRectF(forward ? chip.right() : chip.left() - gap_across,
                                chip.top() + (forward ? 0 : chip.height() / 2), gap_across, chip.height() / 2)
                             .adjusted(3, 0, -3, 0);
        } else {
            drawn.area = QRectF(chip.left() + (forward ? 0 : chip.width() / 2),
                                forward ? chip.bottom() : chip.top() - gap_down, chip.width() / 2, gap_down)
                             .adjusted(0, 3, 0, -3);
        }
        layout.links.push_back(drawn);
    }
}

} // namespace

QRectF StepperMatrix::cell(std::int64_t row, std::int64_t column) const {
    return {area.left() + cell_width * static_cast<double>(column),
            area.top() + cell_height * static_cast<double>(row), cell_width, cell_height};
}

QString stepperNumber(double number) {
    return std::isnan(number) ? QStringLiteral("·") : QString::number(static_cast<qint64>(number));
}

namespace {

/// With the code next to the chips, or above them.
StepperLayout laidOut(double width, bool above, const StepperShown& shown, double row_gap) {
    StepperLayout layout;
    layout.width = width;
    const double inner = width - 2 * step_margin;
    const double cell = wantedCell(*shown.stepping);
    layout.title = QRectF(step_margin, step_margin - 4, inner, 22);
    layout.step = QRectF(step_margin, layout.title.bottom(), inner, 2 * step_line + 2);
    const double top = layout.step.bottom() + 6;
    if (above) {
        placeCode(layout, shown, QRectF(step_margin, top, inner, 0), cell, true);
        const double below = std::max(layout.height, layout.result_notes.bottom());
        placeStepperChips(layout, shown, QRectF(4, below, width - 8, 0), cell, row_gap);
    } else {
        const double column = std::clamp(inner * 0.25, 176.0, 260.0);
        const double left = step_margin + column + 6;
        placeCode(layout, shown, QRectF(step_margin, top, column, 0), cell, false);
        placeStepperChips(layout, shown, QRectF(left, top, width - left - 2, 0), cell, row_gap);
    }
    layout.height =
        std::max({layout.height, layout.result_notes.bottom(), layout.chunk_legend.bottom()}) + step_margin;
    return layout;
}

} // namespace

StepperLayout layoutStepper(double width, const StepperShown& shown, double height) {
    std::optional<StepperLayout> closest; // next to each other where that has the width
    bool is_above = false;
    for (const bool above : {false, true}) {
        for (const double row_gap : row_gaps) {
            if (!above && width < step_narrow) {
                continue;
            }
            StepperLayout layout = laidOut(width, above, shown, row_gap);
            if (!above && layout.width > width) {
                continue;
            }
            if (layout.height <= height) {
                return layout;
            }
            if (!closest || is_above == above) {
                closest = std::move(layout);
                is_above = above;
            }
        }
    }
    return *std::move(closest);
}

} // namespace meshslice::ui
