#include "core/plan/search/chosen_plan.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/plan/torus_placement.h"
#include "core/work/optimizer.h"

#include <utility>

namespace meshslice {
namespace {

/// What a chip of a ring sends for one collective, bytes; the tensor's bytes are those of the whole.
double ring_bytes(Collective what, double bytes, std::int64_t chips) {
    if (chips <= 1) {
        return 0;
    }
    const bool whole = what == Collective::broadcast || what == Collective::reduce;
    const double moved = whole ? bytes : bytes * static_cast<double>(chips - 1) / static_cast<double>(chips);
    return what == Collective::all_reduce   ? 2 * moved
           : what == Collective::all_to_all ? moved / static_cast<double>(chips) // of what all bring
                                            : moved;
}

/// Of a group in one fast domain; on a torus all of it.
std::int64_t in_domain(const PlanModel& model, const ChipGroup& group) {
    const std::size_t levels = model.network().levels();
    return levels > 1 ? group.within[levels - 2] : model.torus() ? group.chips : 1;
}

/// Of what each chip of a ring sends, one chip's worth leaves the domain that it shares with so many others.
double leaving(double sent, const ChipGroup& group, std::int64_t together) {
    return together < group.chips ? sent / static_cast<double>(together) : 0;
}

Placement domain_placement(const PlanModel& model, const Plan& plan) {
    const std::size_t levels = model.network().levels();
    return plan.placed(levels > 1 ? levels - 2 : 0);
}

GroupTraffic tensor_traffic(const PlanModel& model, const Plan& plan, const PlanReading& reading) {
    const std::array<ChipGroup, 2> sides = {model.tensor_group(plan, 0), model.tensor_group(plan, 1)};
    GroupTraffic made;
    made.chips = sides[0].chips * sides[1].chips;
    made.together = in_domain(model, sides[0]) * in_domain(model, sides[1]);
    made.exposed = reading.time.tensor;
    if (plan.algorithm != nullptr) {
        return made;
    }
    const double passes = static_cast<double>(reading.micro_batches) *
                          static_cast<double>(most_stage_layers(model.run(), plan));
    for (const ChipTask& operation : model.block(plan).operations) {
        for (const PassWork* work : {&operation.forward, &operation.backward}) {
            for (const TaskExchange& one : work->exchanges) {
                if (one.axis == experts_axis) {
                    continue; // not of this group
                }
                const ChipGroup& group = sides[static_cast<std::size_t>(one.axis)];
                const double sent = ring_bytes(one.what, one.bytes, group.chips) * passes;
                made.sent += sent;
                made.leaves += leaving(sent, group, in_domain(model, group));
            }
        }
    }
    return made;
}

/// Weights are gathered and gradients reduced once a step, or as often as the level of ZeRO asks for it.
GroupTraffic data_traffic(const PlanModel& model, const Plan& plan, const LayerCost& layer,
                          const PlanReading& reading) {
    const ChipGroup group = model.data_group(plan);
    const auto n = static_cast<double>(reading.micro_batches);
    const double wider = static_cast<double>(model.run().keeps.gradient()) / weight_bytes; // gradients
    const double gathered = gathered_bytes(model.run().recipe) / static_cast<double>(weight_bytes);
    const double times = plan.zero == 3   ? 2 * n * gathered + wider * n
                         : plan.zero == 2 ? gathered + wider * n
                         : plan.zero == 1 ? gathered + wider
                                          : 2 * wider;
    const bool as_kept = model.run().adapters.frozen != FrozenNumbers::bf16;
    const double frozen_times = plan.zero == 3 ? 2 * n * (as_kept ? 1 : gathered) : 0;
    const auto layers = static_cast<double>(most_stage_layers(model.run(), plan));
    GroupTraffic made{group.chips, in_domain(model, group)};
    const auto add_sent = [&](double sent, const ChipGroup& its) {
        made.sent += sent;
        made.leaves += leaving(sent, its, in_domain(model, its));
    };
    const auto add = [&](double weights, double frozen, const ChipGroup& same) {
        const ChipGroup its = shard_group(plan, same);
        const double trained = weights - frozen;
        add_sent(
            ring_bytes(Collective::all_gather, (times * trained + frozen_times * frozen) * layers, its.chips),
            its);
        if (plan.shard > 0) {
            const ChipGroup others = replica_group(plan, same);
            const double sums = plan.sums_each_backward && plan.zero >= 2 ? n : 1;
            const double gradients = sums * wider * trained * layers / static_cast<double>(its.chips);
            add_sent(ring_bytes(Collective::all_reduce, gradients, others.chips), others);
        }
    };
    add(layer.weights - layer.expert_weights, layer.frozen - layer.expert_frozen, group);
    if (layer.expert_weights > 0) {
        add(layer.expert_weights, layer.expert_frozen, expert_data_group(plan));
    }
    made.exposed = reading.time.data;
    return made;
}

GroupTraffic pipeline_traffic(const PlanModel& model, const Plan& plan, const LayerCost& layer,
                              const PlanReading& reading) {
    const std::int64_t stages = plan.pipeline;
    GroupTraffic made{stages, model.torus() ? stages : domain_placement(model, plan).pipeline};
    made.exposed = reading.time.pipeline;
    if (stages == 1) {
        return made;
    }
    const double one_way =
        layer.sent * static_cast<double>(reading.micro_batches) * static_cast<double>(plan.schedule.chunks);
    // Activations and gradients pass each boundary between two stages once; some are between two domains.
    const double by_chip = 2 * one_way / static_cast<double>(stages);
    made.sent = by_chip * static_cast<double>(stages - 1);
    made.leaves = by_chip * static_cast<double>(stages / made.together - 1);
    return made;
}

} // namespace

Result<PlanModel> plan_model(const PlanQuestion& question, std::shared_ptr<TunedGroups> groups) {
    return training_run(question.model, question.sequence, question.batch).and_then([&](TrainingRun run) {
        run.ends = question.ends;
        run.optimizer_step = question.optimizer_step;
        run.keeps = question.keeps;
        run.uneven_stages = question.uneven_stages;
        run.exchange = question.exchange;
        run.recipe = question.recipe;
        run.adapters = question.adapters;
        return PlanModel::of(run, question.machine, ModelRules::exact, std::move(groups));
    });
}

Result<PlanTimeline> plan_timeline(const ChosenPlan& chosen, const RunControl& control) {
    const Result<PlanModel> model = plan_model(chosen.question);
    if (!model) {
        return refuse(model.error());
    }
    if (const auto sound = model->check(chosen.plan); !sound) {
        return refuse(sound.error());
    }
    if (const Result<void> known = simulates(chosen.plan); !known) {
        return refuse(known.error());
    }
    const LayerCost layer = model->layer(chosen.plan);
    const PipelineWork work = pipeline_work(*model, chosen.plan, layer);
    const PipelineShape shape = work.shape();
    const double passes = 1.0 * passes_of(work.order) * shape.stages * shape.chunks * shape.micro_batches;
    if (passes > static_cast<double>(most_drawn_passes)) {
        return refuse(say("{} stages x {} micro-batches, forward and backward, are {:.3g} passes; at most {} "
                          "are drawn. Choose a plan with fewer stages or larger micro-batches.",
                          shape.stages, shape.micro_batches, passes, most_drawn_passes));
    }
    Result<PipelineRun> run = simulate_pipeline(work, control);
    if (!run) {
        return refuse(run.error());
    }
    return PlanTimeline{chosen,
                        shape,
                        std::make_shared<const PipelineRun>(*std::move(run)),
                        model->reading(chosen.plan, layer).time.total,
                        model->capacity(),
                        std::make_shared<const PlanModel>(*model)};
}

Result<PlanPlaces> plan_places(const ChosenPlan& chosen) {
    const Result<PlanModel> model = plan_model(chosen.question);
    if (!model) {
        return refuse(model.error());
    }
    if (const auto sound = model->check(chosen.plan); !sound) {
        return refuse(sound.error());
    }
    const Plan& plan = chosen.plan;
    const LayerCost layer = model->layer(plan);
    const PlanReading reading = model->reading(plan, layer);
    return PlanPlaces{chosen,
                      model->hardware(),
                      model->torus(),
                      model->torus() ? 1 : model->domain(),
                      domain_placement(*model, plan),
                      {tensor_traffic(*model, plan, reading), data_traffic(*model, plan, layer, reading),
                       pipeline_traffic(*model, plan, layer, reading)}};
}

std::int64_t chips_together(const Placement& placement) {
    return chips_along(placement);
}

bool hold_same_weights(const Plan& plan, const PlanChip& one, const PlanChip& other) {
    return one.pipeline == other.pipeline && one.tensor1 == other.tensor1 &&
           (one.tensor2 == other.tensor2 || second_side_shares_weights(plan));
}

PlanChip chip_in_domain(const Placement& placement, std::int64_t index) {
    PlanChip chip;
    chip.tensor1 = index % placement.tensor1;
    index /= placement.tensor1;
    chip.tensor2 = index % placement.tensor2;
    index /= placement.tensor2;
    chip.data = index % placement.data;
    chip.pipeline = index / placement.data;
    return chip;
}

} // namespace meshslice
