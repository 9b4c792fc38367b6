#pragma once

#include "ui/torus/torus_table.h"
#include "ui/view/painted_view.h"

#include <QElapsedTimer>
#include <QTimer>

#include <optional>
#include <vector>

class QComboBox;
class QSlider;
class QToolButton;

namespace meshslice::ui {

/// The mesh at one moment: what every core and link does, and slices on their way; or how busy each is over
/// the visible stretch of time, how many bytes it carries in it or how much slack it has. The moment is that
/// of all views.
///
/// A torus of three axes stands in space where the user wants it: dragging and the arrows turn it, 0 turns it
/// back.
///
/// Keys: Space plays and stops, `.` and `,` go to the next event and back, + and - change the speed, Home and
/// End go to the ends. A click selects a core or link, another one asks what if it were slow or dead.
class TorusView : public PaintedView {
    Q_OBJECT
  public:
    explicit TorusView(Session* session, QWidget* parent = nullptr);

    [[nodiscard]] std::vector<KeyHelp> keys() const override;

    /// At speed 1 the visible stretch of time plays in so long.
    static constexpr int playing_ms = 20'000;
    [[nodiscard]] bool isPlaying() const { return clock_.isActive(); }
    void setPlaying(bool playing);
    void setShows(TorusShows shows);
    [[nodiscard]] TorusShows shows() const { return shows_; }
    /// None where it is shown flat, or has fewer axes than three.
    [[nodiscard]] std::optional<TorusTurn> turn(std::size_t step) const;
    [[nodiscard]] std::optional<TorusTurn> turn() const { return turn(step_); }
    void setInSpace(bool in_space);
    [[nodiscard]] QToolButton* spaceButton() { return space_; }
    /// Shows one run.
    void setStep(std::size_t step);
    [[nodiscard]] std::size_t step() const { return step_; }
    /// Shows both runs next to each other, A on the left, as long as there are two.
    void setBoth(bool both);
    [[nodiscard]] bool showsBoth() const { return both_ && runs_.size() > 1; }
    /// What is measured, B's less A's, where both have the same torus; else both. At a moment nothing is
    /// measured, and both are shown.
    void setDifference(bool difference);
    [[nodiscard]] bool showsDifference() const;
    [[nodiscard]] double speed() const;
    /// The moment and the stretch of time that the picture shows, for those who record it.
    [[nodiscard]] Time shownMoment() const { return moment(); }
    [[nodiscard]] TimeRange shownRange() const { return range(); }
    void showMoment(Time moment) { goTo(moment); }
    /// Of each run that is shown.
    [[nodiscard]] const std::vector<TorusPicture>& pictures() const;
    [[nodiscard]] const TorusPicture& picture() const { return pictures().front(); }
    /// Where a part of a picture stands, in the widget's pixels.
    [[nodiscard]] QPoint pointOf(const TorusPart& part, std::size_t picture = 0) const;
    /// What is said of the part at a point; empty where there is none.
    [[nodiscard]] QStringList linesAt(const QPoint& point) const;
    /// The chips' cores.
    [[nodiscard]] std::vector<ReadablePart> readableParts() const override;
    [[nodiscard]] QSlider* slider() { return slider_; }
    [[nodiscard]] QToolButton* playButton() { return play_; }
    /// To the event before and the next one; of chunks to where one has been made, completed or sent.
    [[nodiscard]] QToolButton* backButton() { return back_; }
    [[nodiscard]] QToolButton* forwardButton() { return forward_; }
    [[nodiscard]] QComboBox* showsBox() { return what_; }
    /// What finds the slack, and what measures the runs that are shown.
    [[nodiscard]] LatestJob* job() { return slack_.job(); }
    [[nodiscard]] LatestJob* measuresJob() { return measures_.job(); }
    /// What adds up the table of a file.
    [[nodiscard]] LatestJob* tableJob() { return tables_.job(); }

    [[nodiscard]] bool isCurrent() const override;
    void complete(const Completed& completed) override;
    [[nodiscard]] double progress() const override {
        return slack_.asked() ? slack_.progress() : measures_.progress();
    }
    void giveUp() override;

    [[nodiscard]] QSize sizeHint() const override { return {960, 560}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 240}; }

  protected:
    void resultsChanged() override;
    void stateChanged() override;
    void paintContent(QPainter& painter) override;
    void paintForFile(QPainter& painter, const QSize& size, Theme theme) const override;
    [[nodiscard]] Table makeTable() const override;
    [[nodiscard]] QString nothingToShow() const override;
    [[nodiscard]] double leastHeight(double width) const override;
    void looksChanged() override { changed(); }

    [[nodiscard]] QStringList tipAt(const QPoint& point) const override { return linesAt(point); }
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    /// None unless slack is shown.
    [[nodiscard]] std::optional<SlackRequest> wantedSlack() const;
    /// Of a step; null while it is not known or not wanted.
    [[nodiscard]] const StepSlack* slackNow(std::size_t step) const;
    /// None unless the runs are measured, and all that takes is known.
    [[nodiscard]] std::optional<MeasureRequest> wantedMeasures() const;
    /// Of a run, over the stretch that was added up last; null while there is none.
    [[nodiscard]] const TorusMeasure* measureNow(std::size_t step) const;
    [[nodiscard]] TorusTableRequest wantedTable() const;
    [[nodiscard]] bool measures() const;
    /// Whether the two runs are of variants on tori that are alike, so that they have a difference.
    [[nodiscard]] bool hasDifference() const;
    /// For what is wanted unless it is known or under way, if anybody looks.
    void ask();
    /// Lets go of what belongs to other results.
    void forgetOldAnswers();
    void makeControls();
    void renewControls();
    void placeControls();
    void changed();
    void tick();
    void goTo(Time moment);
    void goToEvent(bool next);
    void changeSpeed(int by);
    /// The one of all views; until there is one, the middle of the first GEMM: at 0 nothing moves yet.
    [[nodiscard]] Time moment() const;
    [[nodiscard]] TimeRange range() const;
    [[nodiscard]] TimeRange loadRange(std::size_t step) const;
    [[nodiscard]] TimeRange whole() const;
    [[nodiscard]] QRectF pictureArea() const;
    /// The runs that are shown, from left to right.
    [[nodiscard]] std::vector<std::size_t> stepsShown() const;
    [[nodiscard]] std::vector<TorusPicture> makePictures(const QRectF& area) const;
    /// A core or a link of a run.
    struct Part {
        const TorusPicture* picture = nullptr;
        TorusPart part;
    };
    [[nodiscard]] std::optional<Part> partAt(const QPoint& point) const;
    [[nodiscard]] QStringList linesOf(const Part& part) const;
    /// Of the run, where that is the one in which something is selected.
    [[nodiscard]] std::optional<TorusPart> selectedPart(std::size_t step) const;
    [[nodiscard]] bool isSelected(const Part& part) const;
    void click(QMouseEvent* event);
    void turnBy(double yaw, double pitch);
    [[nodiscard]] bool hasThreeAxes(std::size_t step) const;
    /// Any of the runs that are shown stands in space.
    [[nodiscard]] bool standsInSpace() const;
    void select(const Part& part);
    void askWhatIf(const Part& part, const QPoint& at);
    void fillSteps();
    /// Chunks can be shown where a GEMM of some run feeds its reduce-scatter.
    void offerChunks();

    QWidget* controls_;
    QToolButton* play_;
    QToolButton* back_;
    QToolButton* forward_;
    QSlider* slider_;
    QComboBox* speeds_;
    QComboBox* what_;
    QComboBox* steps_;
    QToolButton* space_;

    StepRuns runs_;
    std::vector<FedGemms> fed_; ///< by step
    TorusShows shows_ = TorusShows::now;
    std::size_t step_ = 0;
    bool both_ = false;
    bool difference_ = false;                         ///< of both
    mutable std::optional<TorusMeasure> differences_; ///< that the picture shows
    bool in_space_ = false;
    TorusTurn turn_;
    std::optional<QPoint> grabbed_; ///< where the mouse was pressed or moved to last, while it may turn
    bool turning_ = false;
    QTimer clock_;
    QElapsedTimer since_;                        ///< the last tick
    double rest_ = 0;                            ///< picoseconds that the ticks so far were short of
    mutable std::vector<TorusPicture> pictures_; ///< empty until asked for
    Inquiry<SlackRequest, SlackPtr> slack_;
    Inquiry<MeasureRequest, MeasuresPtr> measures_;
    Inquiry<TorusTableRequest, Table> tables_; ///< for a file
};

} // namespace meshslice::ui
