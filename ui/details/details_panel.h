#pragma once

#include "core/plan/search/chosen_plan.h"
#include "core/step/run/step_stretch.h"
#include "ui/session/inquiry.h"
#include "ui/session/session.h"

#include <QTextBrowser>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace meshslice::ui {

class Veil;

/// Shows what is selected, a GEMM or a plan, and why it takes the time it takes; above it, while a stretch of
/// time is marked, what happens in that.
class DetailsPanel : public QTextBrowser {
    Q_OBJECT
  public:
    explicit DetailsPanel(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    /// Wide enough for its longest words.
    [[nodiscard]] QSize minimumSizeHint() const override;

    /// What adds up the marked stretch, for tests.
    [[nodiscard]] LatestJob* job() { return stretches_.job(); }

  protected:
    void changeEvent(QEvent* event) override;

  private:
    /// A stretch of the time of a run.
    struct StretchRequest {
        ResultsPtr results;
        TimeRange marked;

        bool operator==(const StretchRequest&) const = default;
    };

    void renew();
    /// Of the training run: the plan that is selected.
    void renewPlan();
    void renewStretch();
    void follow();
    void open(const QUrl& link);

    Session* session_;
    Veil* veil_;
    std::weak_ptr<const Results> told_;         ///< what the text is about
    std::weak_ptr<const Reasons> told_reasons_; ///< and whose reasons it gives
    Session::Kind told_kind_ = Session::Kind::empty;
    std::optional<TimeRange> told_mark_;
    QString stretch_; ///< what is said of it
    Inquiry<StretchRequest, std::vector<StepStretch>> stretches_;
    Inquiry<ChosenPlan, std::vector<std::string>> explanations_; ///< of the selected plan
};

} // namespace meshslice::ui
