#pragma once

#include "ui/document/results.h"

#include <QTextBrowser>

namespace meshslice::ui {

class Selection;

/// Shows what is selected and why it takes the time it takes.
class DetailsPanel : public QTextBrowser {
    Q_OBJECT
  public:
    DetailsPanel(Selection* selection, QWidget* parent);

    void showResults(const ResultsPtr& results);
    /// The run failed: what was shown is of another scenario.
    void showNoResult();
    [[nodiscard]] QSize sizeHint() const override { return {300, 400}; }

  private:
    void renew();

    Selection* selection_;
    ResultsPtr results_;
    bool failed_ = false;
};

} // namespace meshslice::ui
