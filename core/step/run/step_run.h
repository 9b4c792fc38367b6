#pragma once

#include "core/cost/assumptions.h"
#include "core/machine/machine.h"
#include "core/run/run.h"
#include "core/step/training_step.h"
#include "core/torus/torus.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace meshslice {

/// One run of one GEMM on the time axis of its step: a GEMM with several copies (experts) has as many,
/// one after the other, with the same timeline.
struct Piece {
    std::size_t gemm = 0;
    std::int64_t copy = 0;
    Time start; ///< in the step
    Time end;
    const Timeline* timeline = nullptr; ///< none where the GEMM was only estimated
};
/// The pieces of a step, in the order of time.
[[nodiscard]] std::vector<Piece> pieces_of(const TrainingStep& step);

/// What a bar in this row is coloured by.
[[nodiscard]] Role role_of(const Row& row, Activity activity);

/// What an operation of a GEMM does, in words: "gather A along the row"; as its timeline names it where it
/// has not been written as a program.
[[nodiscard]] std::string operation_words(const GemmResult& result, OperationId operation);

/// What a step was made on and how, as far as it explains what its bars say.
struct StepConditions {
    Machine machine;
    Assumptions assume;             ///< faults are of parts of the mesh
    Torus mesh;                     ///< an algorithm may take it for a ring of all its chips
    std::string not_simulated = {}; ///< why it was only estimated, where that is known
};
[[nodiscard]] StepConditions step_conditions(const Scenario& scenario);

/// A step as a run: a lane for each core and link, and for the streams of each memory where they were
/// recorded, in the order of Timeline::rows_with_memory(). Its storage are the folded timelines of its GEMMs,
/// of which nothing is copied.
class StepRun : public Run {
  public:
    StepRun() = default;
    /// `step` lasts as long as this.
    explicit StepRun(const TrainingStep& step);
    explicit StepRun(std::shared_ptr<const TrainingStep> step, StepConditions conditions = {});

    /// The same run, later by so much, or earlier: next to another one on the same axis.
    [[nodiscard]] StepRun moved(Time by) const;

    [[nodiscard]] const TrainingStep& step() const { return *step_; }
    [[nodiscard]] const StepConditions& conditions() const { return conditions_; }
    [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
    /// Of any of its GEMMs; null where nothing was simulated.
    [[nodiscard]] const Timeline* timeline() const { return timeline_; }
    /// The same for every GEMM of the step; empty where nothing was simulated.
    [[nodiscard]] const std::vector<Row>& rows() const;
    /// Of those the cores and links, which come first.
    [[nodiscard]] const std::vector<Row>& chip_rows() const;
    /// That its rows are of.
    [[nodiscard]] const Torus& torus() const;
    /// The piece at a time; none at or after the end.
    [[nodiscard]] std::optional<std::size_t> piece_at(Time time) const;
    /// The pieces that lie in a range: [first, last).
    struct Span {
        std::size_t first = 0;
        std::size_t last = 0;
    };
    [[nodiscard]] Span pieces_in(Stretch range) const;
    /// The intervals of a row of a piece that lie in a range of the step's time: [first, last).
    [[nodiscard]] static Span intervals_in(const Piece& piece, std::size_t row, Stretch range);
    /// A bar as an item of its lane, and back.
    [[nodiscard]] static std::uint64_t item(std::size_t piece, std::size_t index);
    struct Bar {
        std::size_t piece = 0;
        std::size_t index = 0; ///< in the row
    };
    [[nodiscard]] static Bar bar(std::uint64_t item);
    [[nodiscard]] const Piece& piece_of(std::uint64_t item) const { return pieces_[bar(item).piece]; }
    [[nodiscard]] RunSlice slice(std::size_t lane, std::uint64_t item) const;
    /// As it was recorded.
    [[nodiscard]] const Interval& interval(std::size_t lane, std::uint64_t item) const;

    [[nodiscard]] std::string title() const override;
    [[nodiscard]] RunReading reading() const override;
    [[nodiscard]] Time end() const override { return end_; }
    [[nodiscard]] std::size_t lane_count() const override { return rows().size(); }
    [[nodiscard]] Lane lane(std::size_t lane) const override;
    [[nodiscard]] std::size_t place_count() const override;
    [[nodiscard]] std::size_t slice_count() const override;
    void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const override;
    [[nodiscard]] RunLabel label(std::size_t lane, std::uint64_t item) const override;
    [[nodiscard]] RunTotals totals() const override;
    [[nodiscard]] std::string bound() const override;
    /// A part for each GEMM that was simulated; copies of it repeat it.
    [[nodiscard]] std::vector<Stretch> parts() const override;
    [[nodiscard]] std::vector<Stretch> recorded() const override;

  private:
    std::shared_ptr<const TrainingStep> kept_; ///< where it is its own
    const TrainingStep* step_ = nullptr;
    StepConditions conditions_;
    std::vector<Piece> pieces_;
    const Timeline* timeline_ = nullptr; ///< of any of its GEMMs
    Time end_;
};
using StepRunPtr = std::shared_ptr<const StepRun>;

} // namespace meshslice
