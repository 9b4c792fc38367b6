#include "ui/torus/torus_picture.h"

#include "core/base/text.h"
#include "core/cost/schedule.h"
#include "core/program/operation_words.h"
#include "core/report/words/resource_words.h"
#include "core/simulate/record/timeline.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/palette.h"
#include "ui/look/textured.h"
#include "ui/look/words.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace meshslice::ui {
namespace {

struct TorusPictureWords {
    Q_DECLARE_TR_FUNCTIONS(Torus)
};

constexpr double least_for_names = 44;
constexpr double least_for_shards = 18;
/// The title of rows that stand together, above the names of the partners on top of them.
constexpr double block_title_above = 32;

Role roleOf(const Row& row, Activity activity) {
    switch (activity) {
    case Activity::compute: return Role::compute;
    case Activity::launch: return Role::launch;
    case Activity::sync: return Role::sync;
    case Activity::copy: return Role::slicing;
    case Activity::transfer: break;
    }
    return transfer_role(row.axis);
}

TorusPart partOf(const Row& row) {
    return row.is_core ? TorusPart{row.chip, std::nullopt}
                       : TorusPart{row.chip, Link{row.chip, row.axis, row.direction}};
}

void fillLane(QPainter& painter, const TorusGrid::Lane& lane, const QColor& colour) {
    if (lane.slanted()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(lane.outline());
    } else {
        painter.fillRect(lane.rect(), colour);
    }
}

QRectF rectOf(const TorusGrid& grid, const TorusPart& part) {
    return part.link ? grid.lane(*part.link).rect() : grid.core(part.chip);
}

const Interval* nowOf(const TorusPicture& picture, std::size_t row) {
    const auto& now = picture.frame.now[row];
    return now ? &picture.run->interval(row, now->item) : nullptr;
}

/// White on blue, dark on light.
QColor letters(const QColor& background) {
    return background.lightnessF() < 0.55 ? QColor(Qt::white) : QColor(0x1A, 0x1A, 0x1A);
}

/// What moves, as its square says it: "A3" for slice 3 of A, "3" where the matrix is not known.
QString shardName(const TorusPicture& picture, std::size_t row) {
    const RunSlice& at = *picture.frame.now[row];
    const Interval& now = picture.run->interval(row, at.item);
    const FedRun* const fed = picture.chunks.run;
    if (fed != nullptr && fed->collective() == now.operation) {
        return QString::number(fed->chunk_of(picture.run->chip_rows()[row].chip, std::int64_t{now.step}));
    }
    const Piece& piece = picture.run->piece_of(at.item);
    const auto& program = picture.run->step().gemms[piece.gemm].program;
    const QString matrix = program && now.operation < program->operations.size()
                               ? words(travelling_matrix(*program, now.operation))
                               : QString();
    return matrix + QString::number(now.iteration + 1);
}

/// A slice on its way, where it is between the chips, with its name where that fits.
void paintShard(QPainter& painter, const TorusGrid::Lane& lane, const RunSlice& at, Time moment,
                const QString& name, const QColor& colour, Theme theme) {
    const double done = at.end > at.start ? ratio(moment - at.start, at.end - at.start) : 1;
    const QPointF place = lane.from + (lane.to - lane.from) * std::clamp(done, 0.0, 1.0);
    const double side = std::clamp(lane.width * 1.9, 4.0, 16.0);
    const QFont tiny = lettering(Lettering::tiny);
    const bool named = side >= 14;
    const QSizeF size(named ? std::max(side, textWidth(tiny, name) + 3) : side, side);
    const QRectF box(place - QPointF(size.width(), size.height()) / 2, size);
    painter.setPen(QPen(color(Role::background, theme), 1));
    painter.setBrush(colour);
    painter.drawRect(box);
    if (named) {
        painter.setPen(letters(colour));
        drawFitted(painter, box, Qt::AlignCenter, tiny, name);
    }
}

void paintArrow(QPainter& painter, const TorusGrid::Lane& lane, const QColor& colour) {
    const QPointF way = lane.to - lane.from;
    const double far = std::hypot(way.x(), way.y());
    if (far < 10) {
        return;
    }
    const QPointF along = way / far;
    const QPointF side(-along.y(), along.x());
    const double size = std::min(6.0, lane.width * 1.4);
    QPainterPath tip(lane.to);
    tip.lineTo(lane.to - along * size + side * size * 0.7);
    tip.lineTo(lane.to - along * size - side * size * 0.7);
    tip.closeSubpath();
    painter.fillPath(tip, colour);
}

/// Dead or missing: an outline, and nothing moves on it.
void paintRound(QPainter& painter, const TorusGrid::Lane& lane, Theme theme) {
    painter.setPen(QPen(color(Role::quietText, theme), 1, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolygon(lane.outline());
}

void paintNow(QPainter& painter, const TorusPicture& picture, std::size_t row, Theme theme) {
    const Row& of = picture.run->chip_rows()[row];
    const Interval* now = nowOf(picture, row);
    if (of.is_core && picture.shows == TorusShows::chunks) {
        paintChunks(painter, picture.grid.torus(), picture.chunks, of.chip, picture.grid.core(of.chip),
                    theme);
        return;
    }
    if (of.is_core) {
        const QRectF box = picture.grid.core(of.chip);
        const bool waits = now == nullptr && picture.frame.piece.has_value();
        painter.fillRect(box, now != nullptr ? color(roleOf(of, now->activity), theme)
                                             : tint(Role::grid, theme, 0.6));
        if (waits) {
            painter.fillRect(box, QBrush(color(Role::exposed, theme), Qt::BDiagPattern));
        }
        return;
    }
    if (!picture.grid.showsLinks()) {
        return;
    }
    const TorusGrid::Lane lane = picture.grid.lane({of.chip, of.axis, of.direction});
    if (of.round) {
        paintRound(painter, lane, theme);
        return;
    }
    if (now == nullptr) {
        fillLane(painter, lane, color(Role::grid, theme));
        return;
    }
    const bool moves = now->activity == Activity::transfer;
    if (!moves && !lane.slanted()) { // as in the timeline: distinguished without colours, too
        fillLane(painter, lane, color(Role::grid, theme));
        const QRectF bar = lane.rect().toRect(); // its edge is one pixel wide
        paintTextured(painter, bar, roleOf(of, now->activity), theme, bar.height() > bar.width());
        return;
    }
    const QColor colour = color(roleOf(of, now->activity), theme);
    const bool room = picture.grid.cell() >= least_for_shards;
    fillLane(painter, lane, moves && room ? tint(transfer_role(of.axis), theme, 0.55) : colour);
    if (moves && room) {
        paintArrow(painter, lane, colour);
        paintShard(painter, lane, *picture.frame.now[row], picture.frame.moment, shardName(picture, row),
                   colour, theme);
    }
}

/// More in B, or less.
Role differenceRole(const TorusPicture& picture, std::size_t row) {
    const auto& value = picture.measure.values[row];
    return value.value_or(0) > 0 ? Role::exposed : Role::compute;
}

/// The colour of what is measured; without a value that of the ground.
QColor measuredColor(const TorusPicture& picture, std::size_t row, Theme theme) {
    const Row& of = picture.run->chip_rows()[row];
    const bool measured = row < picture.measure.values.size() && picture.measure.values[row];
    // Bytes of a chip are those of its links, not what its core does.
    const Role role = picture.measure.difference           ? differenceRole(picture, row)
                      : !of.is_core                        ? transfer_role(of.axis)
                      : picture.shows == TorusShows::bytes ? Role::quietText
                                                           : Role::compute;
    if (measured && picture.measure.difference && *picture.measure.values[row] == 0) {
        return color(Role::grid, theme);
    }
    return measured ? tint(role, theme, 0.08 + 0.92 * picture.measure.strength(of, row))
                    : color(Role::grid, theme);
}

void paintMeasured(QPainter& painter, const TorusPicture& picture, std::size_t row, Theme theme) {
    const Row& of = picture.run->chip_rows()[row];
    if (!of.is_core && !picture.grid.showsLinks()) {
        return;
    }
    const QRectF place = rectOf(picture.grid, partOf(of));
    const auto lane =
        of.is_core ? std::nullopt : std::optional(picture.grid.lane({of.chip, of.axis, of.direction}));
    if (lane && of.round) {
        paintRound(painter, *lane, theme);
        return;
    }
    if (lane) {
        fillLane(painter, *lane, measuredColor(picture, row, theme));
    } else {
        painter.fillRect(place, measuredColor(picture, row, theme));
    }
    const bool measured = row < picture.measure.values.size() && picture.measure.values[row];
    if (picture.shows == TorusShows::slack && !picture.measure.difference && measured &&
        *picture.measure.values[row] == 0) {
        // On the critical path: a line along the bottom or, upright, along the left.
        painter.setPen(QPen(color(Role::text, theme), 2));
        if (lane && lane->slanted()) {
            const QPolygonF outline = lane->outline();
            painter.drawLine(outline[2], outline[3]);
        } else {
            painter.drawLine(place.width() >= place.height() ? QLineF(place.bottomLeft(), place.bottomRight())
                                                             : QLineF(place.topLeft(), place.bottomLeft()));
        }
    }
}

/// The chip's place and what it does, in its box.
void paintNames(QPainter& painter, const TorusPicture& picture, std::size_t row, Theme theme) {
    const Row& of = picture.run->chip_rows()[row];
    if (!of.is_core || picture.shows == TorusShows::chunks) {
        return; // whose boxes have their names
    }
    const QRectF box = picture.grid.core(of.chip);
    const Interval* now = picture.shows == TorusShows::now ? nowOf(picture, row) : nullptr;
    QColor behind = color(Role::background, theme);
    QString second;
    if (picture.shows != TorusShows::now) {
        behind = measuredColor(picture, row, theme);
        second = row < picture.measure.values.size() ? picture.measure.text(row) : QString();
    } else if (now != nullptr) {
        behind = color(roleOf(of, now->activity), theme);
        if (now->activity == Activity::compute) {
            second = TorusPictureWords::tr("slice %1").arg(now->iteration + 1);
        }
    } else if (picture.frame.piece) {
        second = TorusPictureWords::tr("waits");
    }
    const QFont small = lettering(Lettering::small);
    const QFont tiny = lettering(Lettering::tiny);
    const QString name = words(place_text(picture.grid.torus(), of.chip));
    const bool two = box.height() >= 30 && !second.isEmpty() && textWidth(tiny, second) <= box.width() - 4;
    const bool hatched = picture.shows == TorusShows::now && now == nullptr && picture.frame.piece;
    const auto line = [&](const QRectF& area, const QFont& font, const QString& said) {
        if (hatched) { // letters need a quiet ground
            const double wide = textWidth(font, said) + 4;
            painter.fillRect(QRectF(area.center().x() - wide / 2, area.center().y() - 7, wide, 14),
                             color(Role::background, theme));
        }
        const bool plain = hatched || (now == nullptr && picture.shows == TorusShows::now);
        painter.setPen(plain ? color(Role::text, theme) : letters(behind));
        drawFitted(painter, area, Qt::AlignCenter, font, said);
    };
    const double half = two ? box.height() / 2 : box.height();
    line(QRectF(box.left(), box.top() + (two ? 1 : 0), box.width(), half), small, name);
    if (two) {
        line(QRectF(box.left(), box.top() + half - 2, box.width(), half), tiny, second);
    }
}

/// Where the ways round go: the partner's place at each stub, where there is room.
void paintPartners(QPainter& painter, const TorusPicture& picture, Theme theme) {
    const TorusGrid& grid = picture.grid;
    const Torus& torus = grid.torus();
    const QFont tiny = lettering(Lettering::tiny);
    painter.setPen(color(Role::quietText, theme));
    std::vector<QRectF> taken;
    for (Chip chip = 0; grid.inSpace() && chip < torus.chips(); ++chip) {
        taken.push_back(grid.core(chip));
    }
    for (const Row& row : picture.run->chip_rows()) {
        if (row.is_core || row.round || (row.axis == Axis::third && !grid.inSpace())) {
            continue;
        }
        const Link link{row.chip, row.axis, row.direction};
        const TorusGrid::Lane lane = grid.lane(link);
        const auto partner = torus.neighbour(row.chip, row.axis, row.direction);
        if (!lane.stub || !partner) {
            continue;
        }
        const QString name = words(place_text(torus, *partner));
        const QPointF out = lane.to - lane.from;
        const double far = std::max(1e-9, std::hypot(out.x(), out.y()));
        const QPointF at = lane.to + out / far * 8;
        const double wide = textWidth(tiny, name) + 2;
        const bool upright = std::abs(out.y()) > std::abs(out.x());
        const double shift = upright ? 0 : (out.x() > 0 ? wide / 2 : -wide / 2);
        const QRectF place(at.x() + shift - wide / 2, at.y() - 7, wide, 14);
        if (grid.inSpace()) { // where they would stand over a core or each other, those in front are read
            const auto over = [&](const QRectF& other) { return other.intersects(place); };
            if (std::ranges::any_of(taken, over)) {
                continue;
            }
            taken.push_back(place);
        }
        drawFitted(painter, place, Qt::AlignCenter, tiny, name);
    }
}

/// Which rows or columns of the mesh stand together, above them.
void paintBlocks(QPainter& painter, const TorusPicture& picture, Theme theme) {
    const QFont tiny = lettering(Lettering::tiny);
    painter.setPen(color(Role::quietText, theme));
    for (const TorusGrid::Block& block : picture.grid.blocks()) {
        const bool one = block.first == block.last;
        const QString brief = one ? QString::number(block.first)
                                  : QStringLiteral("%1\u2013%2").arg(block.first).arg(block.last);
        const QString whole =
            block.along == Axis::vertical
                ? (one ? TorusPictureWords::tr("row %1").arg(block.first)
                       : TorusPictureWords::tr("rows %1 to %2").arg(block.first).arg(block.last))
                : (one ? TorusPictureWords::tr("column %1").arg(block.first)
                       : TorusPictureWords::tr("columns %1 to %2").arg(block.first).arg(block.last));
        const QRectF above(block.area.left() - 16, block.area.top() - block_title_above,
                           block.area.width() + 32, 14);
        drawFitted(painter, above, Qt::AlignCenter, tiny, firstFitting(tiny, {whole, brief}, above.width()));
    }
}

std::vector<LegendItem> legendOf(const StepRun& run, TorusShows shows, bool difference) {
    const Torus& torus = run.torus();
    std::vector<LegendItem> items;
    const auto add = [&](const QString& said, Role role) { items.push_back({said, role}); };
    const bool load = !atMoment(shows);
    if (difference) {
        add(shows == TorusShows::load    ? TorusPictureWords::tr("busier in B")
            : shows == TorusShows::bytes ? TorusPictureWords::tr("more bytes in B")
                                         : TorusPictureWords::tr("more slack in B"),
            Role::exposed);
        add(TorusPictureWords::tr("less"), Role::compute);
        add(TorusPictureWords::tr("no difference"), Role::grid);
        items.push_back(
            {TorusPictureWords::tr("the stronger the colour, the larger the difference"), std::nullopt});
        return items;
    }
    if (shows == TorusShows::bytes) {
        add(TorusPictureWords::tr("all that a chip sends"), Role::quietText);
    } else {
        add(load ? TorusPictureWords::tr("core") : TorusPictureWords::tr("multiply"), Role::compute);
    }
    if (torus.axis_count() > 1) {
        add(load ? TorusPictureWords::tr("links along a row") : TorusPictureWords::tr("transfer along a row"),
            Role::transferHorizontal);
        add(load ? TorusPictureWords::tr("links along a column")
                 : TorusPictureWords::tr("transfer along a column"),
            Role::transferVertical);
    } else {
        add(load ? TorusPictureWords::tr("links of the ring") : TorusPictureWords::tr("transfer"),
            Role::transferVertical);
    }
    if (torus.axis_count() > 2) {
        add(TorusPictureWords::tr("third axis"), Role::transferThird);
    }
    if (load) {
        items.push_back(
            {shows == TorusShows::load    ? TorusPictureWords::tr("the stronger the colour, the busier")
             : shows == TorusShows::bytes ? TorusPictureWords::tr("the stronger the colour, the more bytes")
                                          : TorusPictureWords::tr("the stronger the colour, the less slack; "
                                                                  "with a line: none"),
             std::nullopt});
        return items;
    }
    add(TorusPictureWords::tr("synchronization"), Role::sync);
    add(TorusPictureWords::tr("launch"), Role::launch);
    if (tiled(run.conditions().assume.schedule, run.conditions().machine)) {
        add(TorusPictureWords::tr("copying slices"), Role::slicing);
    }
    add(TorusPictureWords::tr("core waits"), Role::exposed);
    items.push_back({TorusPictureWords::tr("moving squares: matrix and slice"), std::nullopt});
    return items;
}

/// The sentence above the picture.
QString findingOf(const StepRun& run, const TorusFrame& frame, const TorusContent& content) {
    if (atMoment(content.shows)) {
        return frameSentence(run, frame);
    }
    if (content.measure == nullptr) {
        return !content.refusal.isEmpty()           ? content.refusal
               : content.shows == TorusShows::load  ? TorusPictureWords::tr("Adding up busy times…")
               : content.shows == TorusShows::bytes ? TorusPictureWords::tr("Adding up bytes…")
                                                    : TorusPictureWords::tr("Computing slack…");
    }
    const TorusMeasure& measure = *content.measure;
    if (measure.difference) {
        return differenceSentence(run, measure);
    }
    return content.shows == TorusShows::load ? loadSentence(run, measure.range, measure)
                                             : measureSentence(run, measure.range, measure);
}

} // namespace

std::optional<std::size_t> TorusPicture::rowOf(const TorusPart& part) const {
    const std::vector<Row>& rows = run->chip_rows();
    const auto found = std::ranges::find_if(rows, [&](const Row& row) { return partOf(row) == part; });
    return found == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - rows.begin()));
}

TorusPicture makeTorusPicture(const StepRun& run, const TorusFrame& frame, const TorusContent& content,
                              const QRectF& area, const std::optional<TorusTurn>& turn) {
    TorusPicture picture;
    picture.run = &run;
    picture.shows = content.shows;
    picture.frame = frame;
    const bool chunks = content.shows == TorusShows::chunks && content.fed != nullptr;
    if (chunks) {
        picture.chunks = chunksAt(run, *content.fed, frame.moment);
    }
    picture.legend =
        chunks ? chunksLegend(picture.chunks.run != nullptr ? picture.chunks.run->axis() : Axis::vertical)
               : legendOf(run, content.shows, content.measure != nullptr && content.measure->difference);
    if (!content.legend) {
        picture.legend.clear();
    }
    picture.measure.shows = content.shows;
    if (content.measure != nullptr) {
        picture.measure = *content.measure;
    }
    const QString finding =
        chunks ? chunksSentence(run, picture.chunks, frame.moment) : findingOf(run, frame, content);
    const QString brief = chunks                    ? shortChunksSentence(picture.chunks, frame.moment)
                          : atMoment(content.shows) ? shortSentence(run, frame)
                                                    : finding.section(QLatin1Char(','), 0, 0);
    const auto named = [&](const QString& said) {
        return content.name.isEmpty() ? said : content.name + QStringLiteral(": ") + said;
    };
    picture.title = pictureTitle(named(finding));
    picture.brief = pictureTitle(named(brief));
    if (!content.name.isEmpty() && figureTitle()) {
        picture.title = picture.brief = content.name;
    }
    const double legend_width = area.width() - 16;
    const double legend = picture.legend.empty() ? 0 : placeLegend(picture.legend, legend_width).lines * 20.0;
    picture.title_area = QRectF(area.left() + 8, area.top(), area.width() - 16,
                                hasNoTitle() && content.name.isEmpty() ? 0 : torus_heading_height);
    picture.legend_area = QRectF(area.left() + 8, area.bottom() - legend - 4, legend_width, legend);
    const double margin = torus_side_margins / 2;
    const QRectF room(area.left() + margin, picture.title_area.bottom() + 18,
                      std::max(10.0, area.width() - 2 * margin),
                      std::max(10.0, picture.legend_area.top() - 20 - picture.title_area.bottom() - 18));
    picture.grid = TorusGrid(run.torus(), room, turn);
    if (!picture.grid.blocks().empty()) { // they have titles
        picture.grid = TorusGrid(run.torus(), room.adjusted(0, block_title_above - 18, 0, 0), turn);
    }
    return picture;
}

void paint(QPainter& painter, const TorusPicture& picture, Theme theme) {
    painter.setRenderHint(QPainter::Antialiasing, picture.grid.cell() >= 12 || picture.grid.inSpace());
    painter.setPen(color(Role::text, theme));
    const QFont bold = lettering(Lettering::normal, true);
    const QString fits = firstFitting(bold, {picture.title, picture.brief}, picture.title_area.width());
    drawFitted(painter, picture.title_area, Qt::AlignLeft | Qt::AlignVCenter, bold,
               fits.isEmpty() ? picture.brief : fits);
    const auto paint_row = [&](std::size_t row) {
        if (atMoment(picture.shows)) {
            paintNow(painter, picture, row, theme);
        } else {
            paintMeasured(painter, picture, row, theme);
        }
    };
    const std::vector<Row>& rows = picture.run->chip_rows();
    const bool names = picture.grid.cell() >= least_for_names;
    if (picture.grid.inSpace()) { // a chip with its links and its name covers what is behind it
        std::vector<std::size_t> first;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows[row].is_core) {
                first.push_back(row);
            }
        }
        for (const Chip chip : picture.grid.order()) {
            const std::size_t core = first[static_cast<std::size_t>(chip)];
            for (std::size_t row = core + 1; row < rows.size() && rows[row].chip == chip; ++row) {
                paint_row(row);
            }
            paint_row(core);
            const QRectF box = picture.grid.core(chip);
            painter.setPen(QPen(color(Role::background, theme), 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box);
            if (textWidth(lettering(Lettering::small), words(place_text(picture.grid.torus(), chip))) <=
                box.width()) {
                paintNames(painter, picture, core, theme);
            }
        }
    } else {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            paint_row(row);
        }
        for (std::size_t row = 0; names && row < rows.size(); ++row) {
            paintNames(painter, picture, row, theme);
        }
    }
    if (names) {
        paintPartners(painter, picture, theme);
    }
    paintBlocks(painter, picture, theme);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintLegend(painter, picture.legend, picture.legend_area.topLeft(), picture.legend_area.width(), theme);
}

void paintFramed(QPainter& painter, const TorusPicture& picture, const TorusPart& part, Theme theme) {
    if (part.link && !picture.grid.showsLinks()) {
        return;
    }
    const QRectF place = rectOf(picture.grid, part).adjusted(-2, -2, 2, 2);
    painter.setPen(QPen(color(Role::text, theme), 2));
    painter.setBrush(Qt::NoBrush);
    if (part.link && picture.grid.inSpace()) {
        painter.drawPolygon(picture.grid.lane(*part.link).outline(2));
    } else {
        painter.drawRect(place);
    }
}

} // namespace meshslice::ui
