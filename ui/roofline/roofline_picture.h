#pragma once

#include "ui/roofline/roofline_labels.h"

#include <QSize>
#include <QString>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// Both rooflines, laid out for one size.
struct RooflinePicture {
    QSize size;
    QString title; ///< the finding
    std::vector<RooflinePanel> panels;
    std::vector<NumberedName> names; ///< of the products that the panels number; empty where they name them
    std::vector<QString> algorithms; ///< names, by step
};

/// What bounds the products, as a sentence.
[[nodiscard]] QString rooflineFinding(const Results& results, const Roofline& chip, const Roofline& links);

[[nodiscard]] RooflinePicture makeRooflines(const Results& results, const Roofline& chip,
                                            const Roofline& links, const QSize& size);
void paint(QPainter& painter, const RooflinePicture& picture, Theme theme);
/// A dot's outline: a circle for the scenario's algorithm, a diamond for the compared one.
void paintDot(QPainter& painter, const RooflineDot& dot, Theme theme, bool marked);

} // namespace meshslice::ui
