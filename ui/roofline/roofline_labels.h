#pragma once

#include "ui/roofline/roofline_geometry.h"

namespace meshslice::ui {

/// Labels the dots of a panel, one label for dots that cover each other. Says in the panel whether all have
/// their place.
void placeLabels(const Results& results, RooflinePanel& panel, Naming naming);

/// A product's number and name, in the list that explains numbers.
struct NumberedName {
    QRectF place;
    QString words; ///< "3  QKV backward weight"
};

/// The list of all products within `area`, in columns of three lines or more: the three passes of a layer are
/// one below the other. It may be higher than the area.
[[nodiscard]] std::vector<NumberedName> listNames(const Results& results, const QRectF& area);

} // namespace meshslice::ui
