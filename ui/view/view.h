#pragma once

#include "core/figure/table.h"
#include "ui/look/palette.h"
#include "ui/session/results.h"

#include <QSize>
#include <QString>
#include <QWidget>

class QPainter;

namespace meshslice::ui {

/// What a view has to show at the moment. Each state is designed: a sentence and a next step, never a blank.
enum class ViewState : std::uint8_t { empty, computing, ready, failed };

/// One picture of the results: a widget for the window, a painter's picture for export and a table behind it.
/// A view derives all it shows from the results and the shared selection; it keeps no second copy of the
/// truth.
class View : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;

    /// Short and stable: "timeline". File names of exports begin with it.
    [[nodiscard]] virtual QString id() const = 0;
    /// For people: "Timeline".
    [[nodiscard]] virtual QString title() const = 0;

    /// Shows `results`. While a newer run computes, the old picture may stay but says that it is being
    /// renewed.
    virtual void showResults(const ResultsPtr& results) = 0;
    /// Says that a run has begun, or why it failed (`sentence` with ViewState::failed).
    virtual void showState(ViewState state, const QString& sentence) = 0;

    /// Computes at once what the picture still lacks, before it goes to a file. Most views lack nothing.
    virtual void complete() {}

    /// Paints the whole picture into a rectangle of `size` at the origin, in the theme's colours, title
    /// included. Works without a display, on any paint device (raster, SVG, PDF).
    virtual void paintPicture(QPainter& painter, const QSize& size, Theme theme) const = 0;
    /// The data behind the picture.
    [[nodiscard]] virtual Table table() const = 0;
};

} // namespace meshslice::ui
