#pragma once

#include "core/torus/torus.h"

#include <QPointF>
#include <QRectF>

#include <optional>

namespace meshslice::ui {

/// A core or a link in the picture.
struct TorusPart {
    Chip chip = 0;
    std::optional<Link> link; ///< none: the core

    bool operator==(const TorusPart&) const = default;
};

/// Where the chips and links of a torus stand in a picture: rows downwards and columns to the right as in the
/// MeshSlice paper, the layers of a third axis next to each other, and a ring of chips in rows of alternating
/// direction so that neighbours touch. Each way of a connection has a lane of its own; what wraps around ends
/// in a stub.
class TorusGrid {
  public:
    TorusGrid() = default;
    /// As large as fits the area.
    TorusGrid(const Torus& torus, const QRectF& area);

    [[nodiscard]] const Torus& torus() const { return torus_; }
    /// From one chip to the next.
    [[nodiscard]] double cell() const { return cell_; }
    /// Below this a link has no pixels of its own and only cores are shown.
    static constexpr double least_for_links = 7;
    [[nodiscard]] bool showsLinks() const { return cell_ >= least_for_links; }
    [[nodiscard]] QRectF bounds() const;
    /// Rows of chips in one layer.
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int columns() const { return columns_; }

    [[nodiscard]] QRectF core(Chip chip) const;
    /// The lane from the chip towards its neighbour, where what it sends begins at `from` and ends at `to`.
    struct Lane {
        QPointF from;
        QPointF to;
        double width = 1;
        bool stub = false; ///< the neighbour is not next to it: the lane ends on the way

        [[nodiscard]] QRectF rect() const;
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
    [[nodiscard]] QPointF centre(Chip chip) const;

    Torus torus_;
    QPointF origin_; ///< the corner of the first cell
    double cell_ = 0;
    int rows_ = 1;          ///< of a layer
    int columns_ = 1;       ///< of a layer
    int layers_ = 1;        ///< along the third axis
    int layers_across_ = 1; ///< next to each other
};

} // namespace meshslice::ui
