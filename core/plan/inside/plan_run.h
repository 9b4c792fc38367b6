#pragma once

#include "core/plan/evaluate/evaluate.h"
#include "core/plan/pipeline/pipeline_run.h"
#include "core/run/run.h"
#include "core/run/run_key.h"

#include <memory>

namespace meshslice {

/// What the runs inside a plan are made from.
struct PlanAndModel {
    PlanModel model;
    Plan plan;
};
using PlanPtr = std::shared_ptr<const PlanAndModel>;

/// The pipeline of a plan, whose bars open: a pass into its blocks (pass_run), what is exchanged among
/// data-parallel chips into its collective (collective_run).
class PlanRun final : public Run {
  public:
    PlanRun(std::shared_ptr<const PipelineRun> pipeline, PlanPtr plan);

    [[nodiscard]] const PipelineRun& pipeline() const { return *pipeline_; }

    [[nodiscard]] std::string title() const override { return pipeline_->title(); }
    [[nodiscard]] RunReading reading() const override { return pipeline_->reading(); }
    [[nodiscard]] Time end() const override { return pipeline_->end(); }
    [[nodiscard]] std::size_t lane_count() const override { return pipeline_->lane_count(); }
    [[nodiscard]] Lane lane(std::size_t lane) const override { return pipeline_->lane(lane); }
    [[nodiscard]] std::size_t place_count() const override { return pipeline_->place_count(); }
    [[nodiscard]] std::size_t slice_count() const override { return pipeline_->slice_count(); }
    void visit(std::size_t lane, Stretch stretch, double pixel, const SliceSink& sink) const override {
        pipeline_->visit(lane, stretch, pixel, sink);
    }
    [[nodiscard]] std::vector<RunValue> values(std::size_t lane, Stretch stretch) const override {
        return pipeline_->values(lane, stretch);
    }
    [[nodiscard]] RunLabel label(std::size_t lane, std::uint64_t item) const override {
        return pipeline_->label(lane, item);
    }
    [[nodiscard]] RunTotals totals() const override { return pipeline_->totals(); }
    [[nodiscard]] std::optional<RunKey> inside(std::size_t lane, std::uint64_t item) const override;

  private:
    std::shared_ptr<const PipelineRun> pipeline_;
    PlanPtr plan_;
    LayerCost layer_;
};

} // namespace meshslice
