#pragma once

#include "core/figure/table.h"
#include "core/lesson/stepper_example.h"
#include "core/lesson/stepper_run.h"
#include "ui/lab/lab_page.h"
#include "ui/lab/lab_run.h"
#include "ui/lab/stepper/stepper_canvas.h"
#include "ui/session/inquiry.h"

#include <QTimer>
#include <QWidget>

#include <array>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace meshslice::ui {

class PicturesTogether;
class TimelineView;
class TorusView;

/// An example that was executed, and what else can be chosen with it.
struct StepperAnswer {
    StepperExample example; ///< the nearest to what was asked
    SteppingPtr stepping;
    std::vector<std::vector<std::int32_t>> meshes;
    std::vector<std::int64_t> slices;
    std::vector<Dataflow> dataflows;
    std::array<bool, 3> sliced{};
    std::shared_ptr<const StepperRun> run; ///< null where it is not simulated
    StepDensity from_afar;                 ///< of the run
    std::string not_simulated;             ///< why
};

/// What can be chosen on the stepper's page.
enum class StepperField : std::uint8_t { what, mesh, dataflow, slices, slicing, links, ways };
inline constexpr std::size_t stepper_fields = 7;

/// The page of the lab that steps through an algorithm or a collective on small matrices of whole numbers.
/// The same program of larger matrices is simulated, and its timeline and torus have one clock with the
/// stepper: each goes to the moment that another one shows.
class StepperPage : public LabPage {
    Q_OBJECT
  public:
    explicit StepperPage(QWidget* parent);
    ~StepperPage() override; ///< the views of the run before their session

    [[nodiscard]] StepperCanvas* canvas() { return canvas_; }
    [[nodiscard]] const StepperCanvas* canvas() const { return canvas_; }
    [[nodiscard]] QComboBox* field(StepperField field) const {
        return boxes_[static_cast<std::size_t>(field)];
    }
    [[nodiscard]] QToolButton* back() { return back_; }
    [[nodiscard]] QToolButton* forward() { return forward_; }
    [[nodiscard]] QToolButton* play() { return play_; }
    [[nodiscard]] QSlider* slider() { return slider_; }
    /// What the timeline and the torus are of, and when.
    [[nodiscard]] const QLabel* simulated() const { return simulated_; }
    [[nodiscard]] PicturesTogether* pictures() { return pictures_; }
    [[nodiscard]] TimelineView* timeline() { return timeline_; }
    [[nodiscard]] TorusView* torus() { return torus_; }
    /// The one clock: of the timeline and the torus.
    [[nodiscard]] Selection* clock() { return session_->selection(); }
    [[nodiscard]] LatestJob* job() { return inquiry_.job(); }

    /// What is chosen.
    [[nodiscard]] StepperExample example() const;
    /// Whether anything has been stepped through yet.
    [[nodiscard]] bool hasBegun() const { return inquiry_.asked() || inquiry_.answered(); }
    /// Shows an example after so many steps, or its last one where it has fewer.
    void choose(const StepperExample& example, std::size_t done = 0);

    /// On a projector: no fields above the pictures, unless `kept` is one of them.
    void setBare(bool bare, const QWidget* kept = nullptr);

    [[nodiscard]] QWidget* picture() override { return canvas_; }
    [[nodiscard]] bool isCurrent() const override { return canvas_->isReady() && !inquiry_.asked(); }
    void complete(const Completed& completed) override;
    /// Every moment: what it does, and what the links have carried.
    [[nodiscard]] Table table() const override;
    /// "MeshSlice OS on 2x2 chips, S = 2".
    [[nodiscard]] QString pictured() const override;
    void paintFor(QPainter& painter, const QSize& laid_out, Theme theme) const override {
        canvas_->paintFor(painter, laid_out, theme);
    }

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    /// The first example is executed when somebody looks.
    void begin();
    void layOut();
    void ask();
    void take();
    void fill(const StepperAnswer& answer);
    void renewButtons();
    /// The run of what is stepped through; null while there is none.
    [[nodiscard]] const StepperRun* run() const {
        return inquiry_.answer() ? inquiry_.answer()->run.get() : nullptr;
    }
    void stepped();
    void followClock();

    std::array<QComboBox*, stepper_fields> boxes_{};
    QWidget* choices_; ///< the row of the fields
    QToolButton* back_;
    QToolButton* forward_;
    std::size_t begins_at_ = 0; ///< steps that are done when what is asked is there
    QToolButton* play_;
    QSlider* slider_;
    QLabel* progress_;
    QLabel* simulated_; ///< what the timeline and the torus are of, and when
    StepperCanvas* canvas_;
    Document* own_document_; ///< empty; the session of the run needs one
    LabSession* session_;
    TimelineView* timeline_;
    TorusView* torus_;
    PicturesTogether* pictures_ = nullptr;
    std::size_t clocked_ = 0; ///< the moment that the clock shows
    std::size_t seen_ = 0;    ///< the moment that was shown last
    QTimer playing_;
    Inquiry<StepperExample, StepperAnswer> inquiry_;
};

} // namespace meshslice::ui
