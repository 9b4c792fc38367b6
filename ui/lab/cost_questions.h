#pragma once

#include "core/figure/chart.h"

#include <QString>
#include <QStringList>
#include <tl/expected.hpp>

#include <utility>
#include <vector>

namespace meshslice::ui {

/// A field above a chart of costs. One with choices is a list, and takes other text too where it is typed.
struct CostField {
    const char* key; ///< as lessons name it
    QString name;
    QString tip;
    QString first; ///< what it has at first: its text, or the data of a choice
    bool typed = true;
    std::vector<std::pair<QString, QString>> choices{}; ///< what is shown, and its data
    int stretch = 1;                                    ///< of the row's width
    QString label{}; ///< before it, where it does not say itself what it is
};

/// What a question about costs has for an answer.
struct CostAnswer {
    Chart chart;
    Table table;
    QString pictured; ///< what it is of, in a line
};
/// What is wrong, and in which field.
struct CostRefusal {
    std::size_t field = 0;
    QString sentence;
};
using CostResult = tl::expected<CostAnswer, CostRefusal>;

/// What a page of the lab asks, and how it is answered: closed forms, at once. `texts`: what is typed, or the
/// data of what is chosen, field by field.
struct CostQuestion {
    std::vector<CostField> fields;
    CostResult (*answer)(const QStringList& texts);
};

/// FLOP/s of one GEMM on one chip against the batch (How to Scale Your Model, chapter 1).
[[nodiscard]] CostQuestion rooflineQuestion();
/// Bytes/s that a collective achieves against its size (chapter 3).
[[nodiscard]] CostQuestion collectiveQuestion();
/// The way of bytes from chip to chip, or from all chips or their hosts to one (chapter 2).
[[nodiscard]] CostQuestion transferQuestion();

} // namespace meshslice::ui
