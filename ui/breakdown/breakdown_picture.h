#pragma once

#include "ui/breakdown/breakdown_geometry.h"
#include "ui/session/results.h"

#include <QSize>
#include <QString>

#include <vector>

class QPainter;

namespace meshslice::ui {

/// The breakdown of all products, laid out for one size.
struct BreakdownPicture {
    QSize size;
    QString title;
    std::vector<BreakdownRow> rows;
    std::vector<QString> algorithms;
    BreakdownLayout layout;
};

/// What the numbers say: the comparison where there is one, else how much is hidden.
[[nodiscard]] QString breakdownFinding(const Results& results);

[[nodiscard]] BreakdownPicture makeBreakdown(const Results& results, std::vector<BreakdownRow> rows,
                                             const QSize& size);
void paint(QPainter& painter, const BreakdownPicture& picture, Theme theme);

} // namespace meshslice::ui
