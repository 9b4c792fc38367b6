#include "ui/lab/lab_picture.h"

#include "core/base/text.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct LabPictureWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Lab)
};

constexpr double lab_margin = 12;
constexpr double lab_line = 18;
constexpr double lab_narrow = 720; ///< below it the four parts stand in two rows
constexpr double lab_low = 300;    ///< below it what the table and the timeline say too is left out
constexpr int note_lines = 3;

/// The colour of a chip; its number says it too.
QColor chipColor(std::int64_t chip, Theme theme) {
    constexpr std::array roles = {Role::compute, Role::transferHorizontal, Role::transferVertical,
                                  Role::launch,  Role::transferThird,      Role::slicing};
    constexpr std::array shares = {0.5, 0.75, 0.25};
    const auto which = static_cast<std::size_t>(chip);
    return tint(roles[which % roles.size()], theme, shares[which / roles.size() % shares.size()]);
}

QString number(std::int64_t value) {
    return QString::number(value);
}

/// "0, 2, 4, 6", shorter "0, 2 ... 6", which tells them from "0, 1 ... 6", and so on. Partial sums are not
/// copies: "0 + 1 + 2 + 3".
QStringList chipsTexts(const std::vector<std::int64_t>& chips, bool partial) {
    const QString between = partial ? QStringLiteral(" + ") : QStringLiteral(", ");
    QStringList all;
    for (const std::int64_t chip : chips) {
        all << number(chip);
    }
    QStringList texts = {all.join(between)};
    if (all.size() > 3) {
        texts << all[0] + between + all[1] + (partial ? QStringLiteral(" + … + ") : QStringLiteral(" … ")) +
                     all.back();
    }
    const bool in_a_row = std::ranges::adjacent_find(chips, [](std::int64_t one, std::int64_t next) {
                              return next != one + 1;
                          }) == chips.end();
    if (all.size() > 2 && in_a_row) {
        texts << all.front() + (partial ? QStringLiteral(" + … + ") : QStringLiteral(" … ")) + all.back();
    }
    return texts << (all.size() > 1 ? all.front() + QStringLiteral(" …") : all.front());
}

std::int64_t partsOf(const AxisList& axes, const NamedMesh& mesh) {
    std::int64_t parts = 1;
    for (const std::size_t axis : axes) {
        parts *= mesh.axes[axis].size;
    }
    return parts;
}

void placeBlocks(LabMatrix& matrix, const NamedMesh& mesh) {
    if (matrix.array.dimensions.empty()) {
        return;
    }
    const bool flat = matrix.array.dimensions.size() == 1;
    const std::int64_t rows = flat ? 1 : partsOf(matrix.array.dimensions.front().axes, mesh);
    const std::int64_t columns = partsOf(matrix.array.dimensions.back().axes, mesh);
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            const double width = matrix.area.width() / static_cast<double>(columns);
            const double height = matrix.area.height() / static_cast<double>(rows);
            matrix.blocks.push_back(
                {QRectF(matrix.area.left() + width * static_cast<double>(column),
                        matrix.area.top() + height * static_cast<double>(row), width, height),
                 {}});
        }
    }
    for (std::int64_t chip = 0; chip < mesh.devices(); ++chip) {
        const std::vector<std::int64_t> block = block_of(matrix.array, mesh, chip);
        const std::int64_t place = (flat ? 0 : block.front() * columns) + block.back();
        matrix.blocks[static_cast<std::size_t>(place)].chips.push_back(chip);
    }
}

/// As a matrix of these sides looks, but never so thin that blocks cannot be seen.
QRectF inside(const QRectF& room, const ShardedArray& array, const DimensionSizes& sizes) {
    const double rows =
        array.dimensions.size() < 2 ? 1.0 : static_cast<double>(sizes.at(array.dimensions.front().letter));
    const auto columns = static_cast<double>(sizes.at(array.dimensions.back().letter));
    const double ratio = std::clamp(rows / columns, 0.5, 1.6);
    const double width = std::min(room.width(), room.height() / ratio);
    return {room.left(), room.top(), width, width * ratio};
}

void placeChips(LabLayout& layout, const NamedMesh& mesh) {
    const std::size_t axes = mesh.axes.size();
    const auto size = [&](std::size_t axis) {
        return axis < axes ? static_cast<double>(mesh.axes[axis].size) : 1.0;
    };
    // The first axis goes down, the second across; meshes of a third stand next to each other.
    const double rows = axes == 1 ? 1 : size(0);
    const double across = axes == 1 ? size(0) : size(1);
    const double blocks = size(2);
    const double columns = across * blocks + (blocks - 1) * 0.5;
    const double cell =
        std::min({layout.mesh_area.width() / columns, layout.mesh_area.height() / rows, 48.0});
    for (std::int64_t chip = 0; chip < mesh.devices(); ++chip) {
        const std::vector<std::int64_t> at = coordinates(mesh, chip);
        const auto row = axes == 1 ? 0.0 : static_cast<double>(at[0]);
        const auto column = static_cast<double>(axes == 1 ? at[0] : at[1]);
        const double block = axes == 3 ? static_cast<double>(at[2]) : 0.0;
        const double x = layout.mesh_area.left() + cell * (column + block * (across + 0.5));
        layout.chips.push_back({chip, QRectF(x + cell * 0.12, layout.mesh_area.top() + cell * (row + 0.12),
                                             cell * 0.76, cell * 0.76)});
    }
}

QString meshHeading(const NamedMesh& mesh) {
    const auto axis = [&](std::size_t which) { return QString(QLatin1Char(mesh.axes[which].name)); };
    if (mesh.axes.size() == 1) {
        return LabPictureWords::tr("chips: %1 across").arg(axis(0));
    }
    return mesh.axes.size() == 2 ? LabPictureWords::tr("chips: %1 down, %2 across").arg(axis(0), axis(1))
                                 : LabPictureWords::tr("chips: %1 down, %2 across, %3 next to each other")
                                       .arg(axis(0), axis(1), axis(2));
}

constexpr std::array axis_roles = {Role::transferVertical, Role::transferHorizontal, Role::transferThird};

/// The links over which the step that was done last sends.
void paintLinks(QPainter& painter, const LabLayout& layout, const LabShown& shown, Theme theme) {
    if (shown.done == 0) {
        return;
    }
    const ShardingStep& step = shown.plan->plan.steps[shown.done - 1];
    const NamedMesh& mesh = shown.question->mesh;
    if (!shown.plan->steps[shown.done - 1].exchange) {
        return;
    }
    for (const std::size_t axis : step.axes) {
        const std::size_t role = mesh.axes.size() == 1 ? 1 : axis;
        painter.setPen(QPen(color(axis_roles[role], theme), 3, role == 2 ? Qt::DashLine : Qt::SolidLine));
        std::int64_t stride = 1;
        for (std::size_t k = axis + 1; k < mesh.axes.size(); ++k) {
            stride *= mesh.axes[k].size;
        }
        for (const LabChip& one : layout.chips) {
            if (coordinates(mesh, one.chip)[axis] + 1 < mesh.axes[axis].size) {
                const LabChip& next = layout.chips[static_cast<std::size_t>(one.chip + stride)];
                painter.drawLine(one.area.center(), next.area.center());
            }
        }
    }
}

void paintChips(QPainter& painter, const LabLayout& layout, const LabShown& shown, Theme theme) {
    painter.setPen(color(Role::text, theme));
    drawFitted(painter, layout.mesh_heading, Qt::AlignLeft | Qt::AlignVCenter,
               lettering(Lettering::normal, true), meshHeading(shown.question->mesh));
    paintLinks(painter, layout, shown, theme);
    for (const LabChip& one : layout.chips) {
        const bool chosen = one.chip == shown.chip;
        painter.setPen(QPen(color(chosen ? Role::text : Role::grid, theme), chosen ? 2 : 1));
        painter.setBrush(chipColor(one.chip, theme));
        painter.drawRect(one.area);
        if (one.area.height() >= 11) {
            painter.setPen(color(Role::text, theme));
            drawFitted(painter, one.area, Qt::AlignCenter, lettering(Lettering::small), number(one.chip));
        }
    }
    painter.setBrush(Qt::NoBrush);
}

/// The colours of all that hold a block: in rows below its words, or where it is too low next to them.
void paintHolders(QPainter& painter, const LabBlock& block, double words_width, Theme theme) {
    constexpr double side = 9, step = 12, apart = 10;
    const auto count = static_cast<int>(block.chips.size());
    const int columns = std::min(count, static_cast<int>((block.area.width() - 8) / step));
    if (columns < 1) {
        return;
    }
    const int rows = (count + columns - 1) / columns;
    QPointF first(block.area.center().x() - (step * columns - (step - side)) / 2,
                  block.area.center().y() + apart);
    if (block.area.height() < 2 * (apart + step * rows)) {
        first = {block.area.center().x() + words_width / 2 + apart, block.area.center().y() - side / 2};
        if (rows > 1 || first.x() + step * count > block.area.right() || block.area.height() < side + 4) {
            return;
        }
    }
    painter.setPen(QPen(color(Role::quietText, theme), 1));
    for (int k = 0; k < count; ++k) {
        painter.setBrush(chipColor(block.chips[static_cast<std::size_t>(k)], theme));
        painter.drawRect(
            QRectF(first + QPointF(step * (k % columns), step * (k / columns)), QSizeF(side, side)));
    }
}

/// A block has the colour of the chip that holds it; that of several has none of its own.
void paintBlock(QPainter& painter, const LabBlock& block, bool partial, Theme theme) {
    const bool shared = block.chips.size() > 1;
    painter.setPen(QPen(color(Role::background, theme), 1));
    painter.setBrush(shared ? tint(Role::quietText, theme, 0.2) : chipColor(block.chips.front(), theme));
    painter.drawRect(block.area);
    if (block.area.height() < 12) {
        return;
    }
    const QFont font = lettering(Lettering::small);
    const QString words = firstFitting(font, chipsTexts(block.chips, partial), block.area.width() - 4);
    painter.setPen(color(Role::text, theme));
    if (!words.isEmpty()) {
        drawFitted(painter, block.area, Qt::AlignCenter, font, words);
    }
    if (shared) {
        paintHolders(painter, block, textWidth(font, words), theme);
    }
}

void paintMatrix(QPainter& painter, const LabMatrix& matrix, const LabShown& shown, Theme theme) {
    const bool there = !matrix.array.dimensions.empty();
    const bool just_made = shown.done > 0 && shown.plan->plan.steps[shown.done - 1].which == matrix.which;
    painter.setPen(color(Role::text, theme));
    const QString name = there ? words(text(matrix.array, shown.question->mesh))
                               : LabPictureWords::tr("%1, not there yet").arg(words(matrix.array.name));
    drawFitted(painter, matrix.heading, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal, true),
               just_made ? LabPictureWords::tr("%1 — changed").arg(name) : name);
    // Where some of those that have a block have copies, it is not a sum over all of them.
    std::int64_t parts = 1;
    for (const std::size_t axis : matrix.array.unreduced) {
        parts *= shown.question->mesh.axes[axis].size;
    }
    for (const LabBlock& block : matrix.blocks) {
        paintBlock(painter, block, parts > 1 && parts == static_cast<std::int64_t>(block.chips.size()),
                   theme);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        QPen(color(there ? Role::quietText : Role::grid, theme), 1, there ? Qt::SolidLine : Qt::DashLine));
    painter.drawRect(matrix.area);
    for (const LabBlock& block : matrix.blocks) {
        if (std::ranges::find(block.chips, shown.chip) != block.chips.end()) {
            painter.setPen(QPen(color(Role::text, theme), 2));
            painter.drawRect(block.area.adjusted(2, 2, -2, -2));
        }
    }
    painter.setPen(color(Role::quietText, theme));
    QRectF at(matrix.notes.left(), matrix.notes.top(), matrix.notes.width(), 16);
    for (const QString& note : labNotes(matrix, shown)) {
        if (at.bottom() > matrix.notes.bottom() + 1) {
            break;
        }
        drawFitted(painter, at, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::small), note);
        at.translate(0, at.height());
    }
}

/// Up to two lines.
void paintLines(QPainter& painter, const QRectF& area, const QFont& font, const QString& sentence) {
    QRectF at(area.left(), area.top(), area.width(), lab_line);
    for (const QString& one : inLines(font, sentence, area.width(), 2)) {
        drawFitted(painter, at, Qt::AlignLeft | Qt::AlignVCenter, font, one);
        at.translate(0, lab_line);
    }
}

QString rangeText(std::int64_t block, std::int64_t size) {
    return size == 1
               ? number(block)
               : LabPictureWords::tr("%1 to %2").arg(number(block * size), number(block * size + size - 1));
}

/// The title in its own letters, or where it is too long for them in smaller ones, on up to two lines.
QFont labTitleFont(const LabShown& shown, double width) {
    const QFont large = lettering(Lettering::title, true);
    return textWidth(large, pictureTitle(labTitle(shown))) <= width ? large
                                                                    : lettering(Lettering::normal, true);
}
qsizetype labTitleLines(const LabShown& shown, double width) {
    return inLines(labTitleFont(shown, width), pictureTitle(labTitle(shown)), width, 2).size();
}

} // namespace

double labHeight(double width) {
    return width < lab_narrow ? 560 + lab_line : 190;
}

LabLayout layoutLab(const QSizeF& size, const LabShown& shown) {
    LabLayout layout;
    const double width = size.width() - 2 * lab_margin;
    const bool low = size.height() < lab_low;
    layout.title =
        QRectF(lab_margin, low ? 4 : 8, width, labTitleLines(shown, width) > 1 ? 2 * lab_line : 22);
    double top = layout.title.bottom();
    if (!low) {
        layout.verdict = QRectF(lab_margin, top, width, lab_line);
        layout.simulated = QRectF(lab_margin, layout.verdict.bottom(), width, lab_line);
        top = layout.simulated.bottom() + 6;
    }
    layout.step = QRectF(lab_margin, top, width, 2 * lab_line);
    top = layout.step.bottom() + (low ? 4 : 10);
    const int columns = size.width() < lab_narrow ? 2 : 4;
    const int rows = 4 / columns;
    const double gap = 20;
    const double each = (width - gap * (columns - 1)) / columns;
    const double high = (size.height() - top - 8 - gap * (rows - 1)) / rows;
    const auto part = [&](int which) {
        return QRectF(lab_margin + (each + gap) * (which % columns), top + (high + gap) * (which / columns),
                      each, std::max(40.0, high));
    };
    for (const Operand which : all_operands) {
        LabMatrix matrix;
        const QRectF room = part(static_cast<int>(which));
        matrix.which = which;
        matrix.array = shown.plan->plan.state(shown.question->gemm, which, shown.done);
        matrix.heading = QRectF(room.left(), room.top(), room.width(), 20);
        const double notes = (low ? 1 : note_lines) * 16.0;
        matrix.area = inside(QRectF(room.left(), room.top() + 22, room.width(), room.height() - 26 - notes),
                             shown.question->gemm.operand(which), shown.question->sizes);
        matrix.notes = QRectF(room.left(), matrix.area.bottom() + 4, room.width(), notes);
        placeBlocks(matrix, shown.question->mesh);
        layout.matrices.push_back(std::move(matrix));
    }
    const QRectF room = part(3);
    layout.mesh_heading = QRectF(room.left(), room.top(), room.width(), 20);
    const double tags = room.top() + 22;
    double x = room.left();
    for (std::size_t axis = 0; axis < shown.question->mesh.axes.size(); ++axis) {
        layout.axes.push_back({axis, QRectF(x, tags, 26, 20)});
        x += 32;
    }
    layout.axes_hint = QRectF(x, tags, room.right() - x, 20);
    layout.mesh_area = QRectF(room.left(), tags + 26, room.width(), room.height() - 52);
    placeChips(layout, shown.question->mesh);
    return layout;
}

QString labTitle(const LabShown& shown) {
    return LabPictureWords::tr("Plan %1 of %2: %3")
        .arg(shown.number)
        .arg(shown.plans)
        .arg(words(text(shown.plan->plan, shown.question->gemm, shown.question->mesh)));
}

QString labStep(const LabShown& shown) {
    const auto steps = static_cast<int>(shown.plan->plan.steps.size());
    if (shown.done == 0) {
        const double flop = flop_of(shown.question->gemm, shown.question->sizes);
        return LabPictureWords::tr("%1 %2; in training, with both gradients, %3.")
            .arg(words(case_words(shown.question->gemm, shown.question->mesh)), words(si_text(flop, "FLOP")),
                 words(si_text(gemms_of_training * flop, "FLOP")));
    }
    const ShardingStep& step = shown.plan->plan.steps[shown.done - 1];
    const StepCost& cost = shown.plan->steps[shown.done - 1];
    QString said = LabPictureWords::tr("Step %1 of %2, %3: %4")
                       .arg(static_cast<int>(shown.done))
                       .arg(steps)
                       .arg(words(text(step, shown.question->mesh)),
                            words(meshslice::words(step, shown.question->mesh)));
    if (cost.exchange) {
        said += QLatin1Char(' ') + LabPictureWords::tr("%1 reach a chip in %2 = %3.")
                                       .arg(words(bytes_text(cost.received)),
                                            words(seconds_text(cost.exchange->seconds())),
                                            words(cost.exchange->formula()));
    } else if (step.multiplies()) {
        said += QLatin1Char(' ') + LabPictureWords::tr("%1 on each chip, %2 at the peak rate.")
                                       .arg(words(si_text(shown.plan->flop, "FLOP")),
                                            words(seconds_text(shown.plan->compute_s)));
    }
    return said;
}

QStringList labNotes(const LabMatrix& matrix, const LabShown& shown) {
    if (matrix.array.dimensions.empty()) {
        return {};
    }
    const Result<Shards> found =
        shards(matrix.array, shown.question->mesh, shown.question->sizes, bits(shown.question->kind));
    if (!found) {
        return {words(found.error().sentence)};
    }
    QStringList shape;
    for (const std::int64_t side : found->local) {
        shape << number(side);
    }
    const QString copies =
        found->partial_sums > 1
            ? LabPictureWords::tr("blocks: %1, partial sums of each: %2, copies: %3")
                  .arg(number(found->blocks), number(found->partial_sums), number(found->copies))
            : LabPictureWords::tr("blocks: %1, copies of each: %2")
                  .arg(number(found->blocks), number(found->copies));
    QString all = LabPictureWords::tr("in all: %1").arg(words(bytes_text(found->bytes_in_all)));
    for (const ArrayDimension& one : matrix.array.dimensions) {
        if (one.axes.size() > 1) { // which of two blocks is the next one
            const NamedMesh& mesh = shown.question->mesh;
            all += LabPictureWords::tr("; of %1, %2 is major")
                       .arg(QLatin1Char(one.letter))
                       .arg(QLatin1Char(mesh.axes[one.axes.front()].name));
        }
    }
    return {LabPictureWords::tr("a chip: %1, %2")
                .arg(shape.join(QStringLiteral(" × ")), words(bytes_text(found->bytes_per_device))),
            copies, all};
}

QString labChip(const LabShown& shown, std::int64_t chip) {
    const NamedMesh& mesh = shown.question->mesh;
    const std::vector<std::int64_t> at = coordinates(mesh, chip);
    QStringList place;
    for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
        place << QString(QLatin1Char(mesh.axes[axis].name)) + QLatin1Char(' ') + number(at[axis]);
    }
    QStringList parts;
    for (const Operand which : all_operands) {
        const ShardedArray array = shown.plan->plan.state(shown.question->gemm, which, shown.done);
        const std::vector<std::int64_t> block = block_of(array, mesh, chip);
        QStringList ranges;
        for (std::size_t k = 0; k < array.dimensions.size(); ++k) {
            const ArrayDimension& dimension = array.dimensions[k];
            const std::int64_t size =
                shown.question->sizes.at(dimension.letter) / partsOf(dimension.axes, mesh);
            ranges << QString(QLatin1Char(dimension.letter)) + QLatin1Char(' ') + rangeText(block[k], size);
        }
        if (!ranges.isEmpty()) {
            parts << words(array.name) + QStringLiteral(": ") + ranges.join(QStringLiteral(", "));
        }
    }
    return LabPictureWords::tr("chip %1 (%2) has %3")
        .arg(number(chip), place.join(QStringLiteral(", ")), parts.join(QStringLiteral("; ")));
}

void paintLab(QPainter& painter, const QSizeF& size, const LabShown& shown, Theme theme) {
    painter.fillRect(QRectF(QPointF(0, 0), size), color(Role::background, theme));
    const LabLayout layout = layoutLab(size, shown);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(color(Role::text, theme));
    if (const double width = layout.title.width(); labTitleLines(shown, width) > 1) {
        paintLines(painter, layout.title, labTitleFont(shown, width), pictureTitle(labTitle(shown)));
    } else {
        drawFitted(painter, layout.title, Qt::AlignLeft | Qt::AlignVCenter, labTitleFont(shown, width),
                   pictureTitle(labTitle(shown)));
    }
    for (const auto& [line, said] : {std::pair(layout.verdict, words(verdict(*shown.plan))),
                                     std::pair(layout.simulated, shown.simulated)}) {
        if (!line.isEmpty()) {
            drawFitted(painter, line, Qt::AlignLeft | Qt::AlignVCenter, lettering(Lettering::normal), said);
        }
    }
    painter.setPen(color(Role::quietText, theme));
    paintLines(painter, layout.step, lettering(Lettering::normal), labStep(shown));
    for (const LabMatrix& matrix : layout.matrices) {
        paintMatrix(painter, matrix, shown, theme);
    }
    paintChips(painter, layout, shown, theme);
}

} // namespace meshslice::ui
