#pragma once

#include "core/torus/torus.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>

#include <array>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// A core or a link in the picture.
struct TorusPart {
    Chip chip = 0;
    std::optional<Link> link; ///< none: the core

    bool operator==(const TorusPart&) const = default;
};

/// From where a torus of three axes is seen: turned about the upright line, then tipped towards the viewer;
/// in radians.
struct TorusTurn {
    double yaw = 0.5;
    double pitch = 0.35;

    bool operator==(const TorusTurn&) const = default;
};

/// Turned on, round and round, and tipped at most nearly upright.
[[nodiscard]] TorusTurn turned(TorusTurn turn, double yaw, double pitch);

/// Where the chips and links of a torus stand in a picture: rows downwards and columns to the right as in the
/// MeshSlice paper, the layers of a third axis next to each other, and a ring of chips in rows of alternating
/// direction so that neighbours touch. Each way of a connection has a lane of its own; what wraps around ends
/// in a stub. A mesh that is much taller than the picture goes on in a second block to the right, one that is
/// much wider in a block below; what leads from block to block is a stub as well. A torus of three axes may
/// stand in space instead, in perspective, its layers behind each other.
class TorusGrid {
  public:
    TorusGrid() = default;
    /// As large as fits the area; in space where there is a `turn` and the torus has three axes, and then as
    /// large whatever the turn is.
    TorusGrid(const Torus& torus, const QRectF& area, const std::optional<TorusTurn>& turn = {});

    [[nodiscard]] const Torus& torus() const { return torus_; }
    /// From one chip to the next.
    [[nodiscard]] double cell() const { return cell_; }
    /// Below this a link has no pixels of its own and only cores are shown.
    static constexpr double least_for_links = 7;
    /// Between blocks, in pixels: the names of partners.
    static constexpr double block_gap = 48;
    static constexpr double least_for_links_in_space = 20;
    [[nodiscard]] bool showsLinks() const {
        return cell_ >= (inSpace() ? least_for_links_in_space : least_for_links);
    }
    [[nodiscard]] bool inSpace() const { return !spots_.empty(); }
    /// The chips as they are painted: in space the far ones first.
    [[nodiscard]] std::vector<Chip> order() const;
    [[nodiscard]] QRectF bounds() const;
    /// Rows of chips in one layer.
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int columns() const { return columns_; }
    /// The rows, or the columns, of the mesh that stand together, from the first to the last.
    struct Block {
        QRectF area;
        Axis along = Axis::vertical; ///< vertical: of rows
        int first = 0;
        int last = 0;
    };
    /// None where the mesh stands in one.
    [[nodiscard]] std::vector<Block> blocks() const;

    [[nodiscard]] QRectF core(Chip chip) const;
    /// The lane from the chip towards its neighbour, where what it sends begins at `from` and ends at `to`.
    struct Lane {
        QPointF from;
        QPointF to;
        double width = 1;
        bool stub = false; ///< the neighbour is not next to it: the lane ends on the way

        /// What the lane covers, where it goes across or upright.
        [[nodiscard]] QRectF rect() const;
        [[nodiscard]] bool slanted() const { return from.x() != to.x() && from.y() != to.y(); }
        /// The same of any lane, as four corners, widened by `more` on each side.
        [[nodiscard]] QPolygonF outline(double more = 0) const;
    };
    [[nodiscard]] Lane lane(const Link& link) const;
    /// What is at a point: a core, a link, or nothing.
    [[nodiscard]] std::optional<TorusPart> at(const QPointF& point) const;

  private:
    struct Place {
        int row = 0;
        int column = 0;
        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] Place place(Chip chip) const;
    /// Cuts a mesh of two axes into blocks where its cells are then much larger.
    void cut(const QRectF& area);
    [[nodiscard]] int blockCount() const;
    [[nodiscard]] QPointF cornerOf(int block) const;
    [[nodiscard]] QSizeF sizeOfAll() const;
    [[nodiscard]] QPointF centre(Chip chip) const;
    /// A point of the picture, how much larger than in the middle things are there, and how far it is.
    struct Spot {
        QPointF at;
        double scale = 1;
        double depth = 0;
    };
    /// Of a place in space, in cells from the middle of the torus: to the right, down, away.
    [[nodiscard]] Spot spot(double right, double down, double away) const;
    [[nodiscard]] std::array<double, 3> inCells(Chip chip) const;
    [[nodiscard]] Lane laneInSpace(const Link& link) const;

    Torus torus_;
    QPointF origin_; ///< the corner of the first cell
    double cell_ = 0;
    int rows_ = 1;          ///< of a layer
    int columns_ = 1;       ///< of a layer
    int layers_ = 1;        ///< along the third axis
    int layers_across_ = 1; ///< next to each other
    Axis cut_ = Axis::vertical;
    int block_length_ = 0; ///< along the axis that is cut; 0: the mesh is whole
    TorusTurn turn_;
    QPointF middle_;
    double far_ = 0;          ///< of the eye from the middle, in cells
    std::vector<Spot> spots_; ///< by chip; none unless it stands in space
};

} // namespace meshslice::ui
