#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <cstdint>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// A text that belongs to a dot.
struct LabelWish {
    QPointF anchor;
    double radius = 0; ///< of the dot
    QSizeF size;       ///< of the text
};

/// How much is asked of a label's place. Strictly, no line that leads to a label crosses another label or
/// dot, and none seems to belong to another dot because it stands next to that one.
enum class LabelCare : std::uint8_t { loose, strict };

/// Within this distance of its dot a label needs no line that leads to it.
inline constexpr double nearby_dot = 10;

/// Where each label goes: as near its dot as it can without touching `bounds`, an obstacle, a dot or another
/// label; to the right first, then left, above, below, and further out. None where there is no room: better
/// no label than one that cannot be read. Earlier wishes choose first.
[[nodiscard]] std::vector<std::optional<QRectF>> placeLabels(const std::vector<LabelWish>& wishes,
                                                             const QRectF& bounds,
                                                             const std::vector<QRectF>& obstacles,
                                                             LabelCare care = LabelCare::loose);

/// Little squares along a line, so that labels keep off it.
[[nodiscard]] std::vector<QRectF> along(const QLineF& line, double halfWidth = 4);

/// Which dots lie so close together that they need one label between them: groups of indices, each in
/// ascending order, groups in the order of their first.
[[nodiscard]] std::vector<std::vector<std::size_t>> closeTogether(const std::vector<QPointF>& dots,
                                                                  double distance);

} // namespace meshslice::ui
