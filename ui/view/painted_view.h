#pragma once

#include "ui/session/selection.h"
#include "ui/view/view.h"

#include <QTimer>

namespace meshslice::ui {

/// A view that paints itself: keeps results and state, paints the sentence of a state that has no picture,
/// and says over an old picture that it is being renewed.
class PaintedView : public View {
    Q_OBJECT
  public:
    PaintedView(Selection* selection, QWidget* parent);

    void showResults(const ResultsPtr& results) override;
    void showState(ViewState state, const QString& sentence) override;

    [[nodiscard]] ViewState state() const { return state_; }
    /// What stands in the middle where there is no picture; empty where there is one.
    [[nodiscard]] QString sentence() const;
    /// The picture is of an older run than the scenario that is being computed, long enough to say so.
    [[nodiscard]] bool isStale() const { return stale_; }

  protected:
    [[nodiscard]] const ResultsPtr& results() const { return results_; }
    [[nodiscard]] Selection& selection() const { return *selection_; }
    [[nodiscard]] Theme theme() const { return themeOf(palette()); }

    /// Selects the next (`turn` above 0) or the previous product, round and round; false where there is none
    /// to select.
    bool selectNextProduct(int turn);
    /// Selects nothing; false where nothing was selected.
    bool clearSelection();

    /// There are new results (or none).
    virtual void resultsChanged() = 0;
    /// Paints the picture into the widget. There are results.
    virtual void paintContent(QPainter& painter) = 0;
    /// Why the results at hand make no picture; empty if they do.
    [[nodiscard]] virtual QString nothingToShow() const { return {}; }

    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    /// The theme has changed; the next paint is with other colours.
    virtual void themeChanged() {}

  private:
    Selection* selection_;
    ResultsPtr results_;
    ViewState state_ = ViewState::empty;
    QString sentence_;
    QTimer patience_; ///< a run shorter than this does not make the picture flicker
    bool stale_ = false;
};

/// Paints a sentence into the middle of `area`, wrapped.
void paintSentence(QPainter& painter, const QRectF& area, const QString& sentence, Theme theme);

} // namespace meshslice::ui
