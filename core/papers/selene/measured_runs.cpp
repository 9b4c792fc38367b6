#include "core/papers/selene/measured_runs.h"

#include <cassert>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

Result<std::pair<TrainingRun, Plan>> run_and_plan(const MeasuredRun& of, bool full) {
    const Result<Transformer> preset = model_preset("gpt3-175b");
    assert(preset && "GPT-3 comes with the program");
    Transformer model = *preset;
    model.hidden = of.hidden;
    model.heads = model.kv_heads = of.heads;
    model.head_size = of.hidden / of.heads;
    model.feed_forward = 4 * of.hidden;
    model.layers = of.layers;
    auto run = training_run(model, 2048, of.batch);
    if (!run) {
        return refuse(run.error());
    }
    run->causal = false;
    run->ends = run->optimizer_step = true;
    run->keeps.gradients = DataType::fp32; // figure 1: 18 bytes a parameter
    Plan plan;
    plan.pipeline = of.stages;
    plan.tensor1 = plan.placement.tensor1 = 8;
    plan.micro_batch = of.micro_batch;
    plan.schedule = {of.chunks > 1 ? PipelineKind::interleaved : PipelineKind::one_f_one_b, of.chunks};
    plan.recompute = full ? Recompute::full : Recompute::none;
    plan.zero = 0;
    return std::pair(*run, plan);
}

} // namespace

Result<PlanReading> measured_step(const MeasuredRun& of, bool full, const Machine& cluster) {
    return run_and_plan(of, full).and_then(
        [&](const auto& asked) { return evaluate(asked.first, cluster, asked.second, ModelRules::exact); });
}

Result<double> share_of_inner_dropout(const MeasuredRun& of, const Machine& cluster) {
    const auto asked = run_and_plan(of, false);
    if (!asked) {
        return refuse(asked.error());
    }
    return PlanModel::of(asked->first, cluster, ModelRules::exact).map([&](const PlanModel& model) {
        double all = 0, mask = 0;
        for (const ChipTask& one : model.block(asked->second).operations) {
            all += one.kept;
            mask += std::string_view(one.name) == "dropout 1" ? one.kept : 0;
        }
        return mask / all;
    });
}

} // namespace meshslice
