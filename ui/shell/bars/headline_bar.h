#pragma once

#include "ui/session/session.h"

#include <QToolBar>

#include <memory>

namespace meshslice::ui {

class ElidedLabel;
class Veil;

/// What is run on which chips, and the result in words and numbers, one line for each algorithm, at the top
/// of the window.
class HeadlineBar : public QToolBar {
    Q_OBJECT
  public:
    HeadlineBar(Session* session, QWidget* parent);

    /// "GPT-3 175B, batch 128 x 2048 tokens, bf16; 256 chips: ..."
    [[nodiscard]] QString about() const;
    [[nodiscard]] QString text() const;
    /// The text as it is painted: in a narrow window in two lines.
    [[nodiscard]] QStringList lines() const;
    [[nodiscard]] QString comparison() const;
    /// Shows an action as a button at the right end.
    void addButton(QAction* action, const QString& text);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void follow();
    void followStep();
    void followPlans();
    /// The headline in the colour of warnings: it does not fit, or leaves out a fault.
    void warn(bool on);
    /// In a low window what the line above the headline says stands in the tooltip alone.
    void fold();
    /// The second line.
    void tellComparison(const Results& results);

    Session* session_;
    Veil* veil_;
    std::weak_ptr<const Results> told_; ///< what the lines are about
    bool warned_ = false;
    ElidedLabel* about_;
    ElidedLabel* line_;
    ElidedLabel* second_;
};

/// The engine's headline of a step, which says where it is an estimate.
[[nodiscard]] QString headlineText(const TrainingStep& step, const StepWhy* why = nullptr);
/// What the headline's words mean, and what the numbers leave out, as rich text.
[[nodiscard]] QString headlineTip(const Results& results);
/// What the second line says: the compared algorithm's headline and how the two relate; when nothing is
/// compared, what the block's time is to the whole model; empty for a GEMM on its own.
/// `why`: of the compared step, where it is known.
[[nodiscard]] QString comparisonText(const Results& results, const StepWhy* why = nullptr);
/// Where the pinned variant is the one that is shown, so that no variant is compared: that it is so, and what
/// to do; else empty.
[[nodiscard]] QString pinnedAloneText(const Project& project, const Results& results);

} // namespace meshslice::ui
