#pragma once

#include "ui/session/study_runner.h"
#include "ui/tuner/tuner_picture.h"
#include "ui/view/painted_view.h"

#include <QTimer>

#include <optional>

class QComboBox;
class QPushButton;

namespace meshslice::ui {

/// What the user takes from the tuner into the scenario.
struct TunerChoice {
    std::string algorithm;
    std::vector<std::int32_t> mesh;
    std::optional<std::int64_t> slices; ///< none: the best of every product

    bool operator==(const TunerChoice&) const = default;
};

/// The autotuner: how the scenario's algorithm does on every mesh with every slice count, where a cell's time
/// goes layer by layer, and each algorithm's best. Computed beside the UI thread and only while the view is
/// seen; estimates at once, simulations on request.
///
/// Keys: the arrows go from cell to cell, Enter loads the cell into the scenario, Escape goes back to the
/// scenario's own. A click loads a cell, or an algorithm of the ranking.
class TunerView : public PaintedView {
    Q_OBJECT
  public:
    explicit TunerView(Selection* selection, QWidget* parent = nullptr);

    [[nodiscard]] QString id() const override { return QStringLiteral("tuner"); }
    [[nodiscard]] QString title() const override { return tr("Tuner"); }
    void showState(ViewState state, const QString& sentence) override;
    void complete() override;
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table table() const override;

    /// What is shown; none before the first answer.
    [[nodiscard]] const TunerAnswerPtr& answer() const { return answer_; }
    [[nodiscard]] const StudyRunner* runner() const { return runner_; }
    [[nodiscard]] const TunerPicture& picture() const;
    [[nodiscard]] Depth depth() const { return depth_; }
    void setDepth(Depth depth);
    /// The cell whose bars are shown.
    [[nodiscard]] std::optional<TunerPlace> selectedCell() const;
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;

    [[nodiscard]] QSize sizeHint() const override { return {960, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

  signals:
    /// The user wants this in the scenario.
    void chosen(const meshslice::ui::TunerChoice& choice);

  protected:
    void resultsChanged() override;
    void paintContent(QPainter& painter) override;
    [[nodiscard]] QString nothingToShow() const override;

    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    [[nodiscard]] std::optional<TunerRequest> wanted() const;
    /// Asks for what is wanted unless it is shown or under way, if anybody looks.
    void renew();
    void giveUp();
    [[nodiscard]] StudyRunner::Study study(const TunerRequest& request);
    void take(const TunerRequest& request, const TunerAnswerPtr& answer);
    void fail(const QString& sentence);
    void describe();
    void renewControls();
    void placeControls();
    [[nodiscard]] std::optional<TunerPlace> currentCell() const;
    [[nodiscard]] TunerMarks marks() const;
    void move(int rows, int columns);
    void load(const TunerPlace& place);

    StudyRunner* runner_;
    QComboBox* depths_;
    QPushButton* cancel_;
    QTimer progress_;

    Depth depth_ = Depth::estimate;
    TunerAnswerPtr answer_;
    std::optional<TunerRequest> shown_; ///< what `answer_` or `failure_` answers
    std::optional<TunerRequest> asked_; ///< what the runner works on
    QString failure_;
    bool scenario_runs_ = false;         ///< there will be other results soon
    std::optional<TunerPlace> selected_; ///< by the user; none: the scenario's own
    mutable std::optional<TunerPicture> picture_;
};

} // namespace meshslice::ui
