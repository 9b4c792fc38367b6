#pragma once

#include "ui/session/inquiry.h"
#include "ui/session/plans.h"
#include "ui/summary/summary_picture.h"
#include "ui/view/painted_view.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

class QPushButton;

namespace meshslice::ui {

/// What the summary asks apart from the run: of a step, or of a plan.
struct SummaryRequest {
    Scenario scenario; ///< without what it is compared with, which changes nothing
    ResultsPtr results;
    FoundPlansPtr plans; ///< null: of the step

    bool operator==(const SummaryRequest& other) const;
};

/// What somebody looks for first: how long, does it fit, where the time goes, what would change it, how far
/// to trust it. Each finding has a button that makes it variant B, next to the scenario as it is as A; so has
/// each number of the machine, twice and half as large, whose bars can be clicked. Findings and numbers are
/// computed off the UI thread and only while the view is seen.
/// A measured run next to it becomes the scenario with a click.
///
/// Keys: up and down go from bar to bar and on to the measured runs, Enter takes it, Escape marks none.
class SummaryView : public PaintedView {
    Q_OBJECT
  public:
    explicit SummaryView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;
    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] bool isStale() const override;
    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override;
    void giveUp() override;

    /// As it is laid out in the widget; there is one.
    [[nodiscard]] const SummaryPicture& picture() const;
    [[nodiscard]] const std::vector<QPushButton*>& buttons() const { return buttons_; }
    /// What computes findings and numbers, for tests that hold it at a gate.
    [[nodiscard]] LatestJob* findingsJob() { return findings_.job(); }
    [[nodiscard]] LatestJob* numbersJob() { return numbers_.job(); }
    [[nodiscard]] bool isComplete() const;
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;

    [[nodiscard]] QSize sizeHint() const override { return {960, 640}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 240}; }

  signals:
    /// Findings or numbers are there, or refused.
    void answered();

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    [[nodiscard]] QString nothingToShow() const override;
    [[nodiscard]] QString atAGlance() const override;
    [[nodiscard]] double leastHeight(double width) const override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString pictured() const override;

    [[nodiscard]] QStringList tipAt(const QPoint& point) const override;
    bool handleKey(int key, bool act) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void looksChanged() override;

  private:
    struct Findings {
        std::vector<Finding> found;
        Trust trust; ///< what measured runs say to it
        std::vector<std::string>
            why_not; ///< of each of the near runs, why it cannot be loaded; empty: it can
    };

    /// The task of the session is about the scenario: the training run, or the block or GEMM on the mesh.
    void followTask();
    [[nodiscard]] bool hasPicture() const;
    [[nodiscard]] std::optional<SummaryRequest> wanted() const;
    [[nodiscard]] Summary makeSummary() const;
    [[nodiscard]] SummaryShown makeShown() const;
    /// Asks for what is wanted unless it is there or under way, if anybody looks.
    void renew();
    /// What is shown is another: lay out again.
    void forgetPicture();
    void placeButtons();
    /// The bar at a point, or after the bars the measured run.
    [[nodiscard]] std::optional<std::size_t> markAt(const QPoint& point) const;
    void take(std::size_t mark);
    [[nodiscard]] std::size_t marks() const;
    void takeFinding(std::size_t finding);
    void takeBar(std::size_t bar);
    void takeRun(std::size_t run);
    /// A copy of the scenario with these edits becomes the current variant, next to it as A; one undo step.
    void makeVariant(const std::vector<FieldEdit>& edits, const std::string& name);

    bool training_ = false; ///< of the tasks about the scenario the last one was
    mutable std::optional<SummaryPicture> picture_;
    std::optional<std::size_t> marked_; ///< the bar, or after them the run, that the keys have come to
    std::vector<QPushButton*> buttons_;
    Inquiry<SummaryRequest, Findings> findings_;
    Inquiry<SummaryRequest, Sensitivity> numbers_;
};

} // namespace meshslice::ui
