#include "core/plan/inside/plan_run.h"

#include "core/base/say.h"
#include "core/plan/inside/collective_run.h"
#include "core/plan/inside/pass_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace meshslice {

PlanRun::PlanRun(std::shared_ptr<const PipelineRun> pipeline, PlanPtr plan)
    : pipeline_(std::move(pipeline)), plan_(std::move(plan)), layer_(plan_->model.layer(plan_->plan)) {}

std::optional<RunKey> PlanRun::inside(std::size_t lane, std::uint64_t item) const {
    const PipelineRun::Place at = pipeline_->place(lane);
    if (!at.row) {
        return std::nullopt;
    }
    const PipelineInterval& bar = pipeline_->intervals(at.stage, *at.row)[item];
    const double seconds = in_seconds(bar.end - bar.start);
    switch (bar.activity) {
    case PipelineActivity::forward:
    case PipelineActivity::backward: {
        PassOfStage pass;
        pass.forward = bar.activity == PipelineActivity::forward;
        if (!pass.forward && plan_->plan.schedule.kind == PipelineKind::zero_bubble) {
            return std::nullopt; // The tasks of a backward pass stand together with the weights' gradients.
        }
        const TrainingRun& run = plan_->model.run();
        pass.layers = chunk_layers(run, plan_->plan, static_cast<std::int64_t>(at.stage), bar.chunk);
        pass.embedding = at.stage == 0 && bar.chunk == 0 && ends_have_places(run, plan_->plan);
        pass.ends = at.stage + 1 == pipeline_->stages() && bar.chunk + 1 == plan_->plan.schedule.chunks;
        pass.first = pass.forward ? 1 : pass.layers;
        // A pass that waits for the weights of a layer is several bars.
        const double each = (pass.forward ? layer_.forward : layer_.backward).time();
        if (const auto own = std::llround(seconds / each); own < pass.layers) {
            pass.first = bar.layer + 1;
            pass.layers = std::max<std::int64_t>(1, own);
            pass.embedding = pass.ends = false;
        }
        RunKey key;
        key.key = fmt::format("pass {} {} {} {}{}", pass.forward, pass.first, pass.layers, pass.ends,
                              pass.embedding ? " embedding" : "");
        key.title = say("stage {}, {}", at.stage + 1, label(lane, item).name);
        key.seconds = seconds;
        key.make = [plan = plan_, pass, title = key.title](const RunControl&) -> Result<RunPtr> {
            return pass_run(plan, pass, title);
        };
        return key;
    }
    case PipelineActivity::gather_weights:
        return collective_key(
            plan_, {Collective::all_gather, layer_.weights, plan_->model.data_group(plan_->plan)}, seconds);
    case PipelineActivity::reduce_gradients:
        return collective_key(plan_,
                              {plan_->plan.zero == 0 ? Collective::all_reduce : Collective::reduce_scatter,
                               layer_.weights, plan_->model.data_group(plan_->plan)},
                              seconds);
    default: return std::nullopt;
    }
}

} // namespace meshslice
