#pragma once

#include "ui/session/explainer.h"
#include "ui/session/results.h"

#include <QTextBrowser>

namespace meshslice::ui {

class Selection;

/// Shows what is selected and why it takes the time it takes.
class DetailsPanel : public QTextBrowser {
    Q_OBJECT
  public:
    DetailsPanel(Selection* selection, QWidget* parent);

    void showResults(const ResultsPtr& results);
    /// Of the results that are shown; of others they are nothing here.
    void showReasons(const ReasonsPtr& reasons);
    /// The run failed: what was shown is of another scenario.
    void showNoResult();
    [[nodiscard]] QSize sizeHint() const override { return {300, 400}; }

  private:
    void renew();

    Selection* selection_;
    ResultsPtr results_;
    ReasonsPtr reasons_;
    bool failed_ = false;
};

} // namespace meshslice::ui
