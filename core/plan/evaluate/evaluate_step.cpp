// What a step of a plan takes and a chip of it holds, from what a layer costs.

#include "core/plan/evaluate/evaluate.h"
#include "core/plan/occupied.h"
#include "core/plan/pipeline/pipeline_order.h"
#include "core/plan/torus_placement.h"
#include "core/work/optimizer.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshslice {
namespace {

/// Chips of one pipeline that have the same stage.
std::int64_t copies_of_stage(const Plan& plan) {
    return plan.schedule.kind == PipelineKind::dualpipe ? 2 : 1;
}

/// What a chip keeps of `bytes`, where the optimizer sharding covers it.
double share(const Plan& plan, int from_level, double bytes) {
    return plan.zero >= from_level ? bytes / static_cast<double>(shard_chips(plan) * copies_of_stage(plan))
                                   : bytes;
}

/// Of experts, that fewer chips hold alike.
double share_of_experts(const Plan& plan, int from_level, double bytes) {
    return share(plan, from_level, bytes) *
           (plan.zero >= from_level ? static_cast<double>(plan.experts) : 1.0);
}

/// Micro-batches whose activations a stage keeps at once, in layers' worth of one: the first stage of 1F1B
/// min(p, n), the last 1; every stage of ZB-H1 min(p, n), as those that come later put the gradients of
/// weights off (Qi et al., arXiv 2401.10241, section 2); of the interleaved schedule the warm-up of their
/// chunks (Narayanan et al., 2021, section 2.2); of GPipe all; of DualPipe p + 1 everywhere (DeepSeek-V3,
/// arXiv 2412.19437, table 2). Of passes that go on in pairs, for experts' exchanges to hide, one more.
double in_flight(const Plan& plan, std::int64_t micro_batches, std::int64_t stage, bool in_pairs) {
    const std::int64_t p = plan.pipeline, v = plan.schedule.chunks;
    const std::int64_t behind = p - 1 - stage; // stages behind it
    switch (plan.schedule.kind) {
    case PipelineKind::gpipe: return static_cast<double>(micro_batches);
    case PipelineKind::interleaved:
        return static_cast<double>(
                   std::min(micro_batches * v, 2 * behind + (v - 1) * p + 1 + (in_pairs ? 1 : 0))) /
               static_cast<double>(v);
    case PipelineKind::dualpipe: return static_cast<double>(std::min(p + 1, micro_batches));
    case PipelineKind::zero_bubble: return static_cast<double>(std::min(p, micro_batches));
    case PipelineKind::one_f_one_b: break;
    }
    return static_cast<double>(std::min(behind + 1 + (in_pairs ? 1 : 0), micro_batches));
}

/// What nothing hides of `time` for each layer, where the chunks of an interleaved stage gather once, one
/// after the other from the start on: each chunk is first needed `pipeline` micro-batches of the one before
/// it later. The first and the last layer of the first and of the last chunk decide, as all else lies between
/// them. Gradients at the end are the same the other way round.
double once_interleaved(const Plan& plan, double layers, double time, double behind) {
    const auto chunks = static_cast<double>(plan.schedule.chunks);
    const double own = layers / chunks;
    const double later = (chunks - 1) * static_cast<double>(plan.pipeline) * own * behind;
    const double before = (chunks - 1) * own * time;
    const double rest = std::max((own - 1) * (time - behind), 0.0);
    return time + std::max(rest, before - later + rest);
}

/// Seconds between two forward passes of a chunk of so many layers that alternate with backward passes, where
/// the weights of each layer are gathered for every pass, from the start of the pass before it, and gradients
/// are scattered after every backward pass: whichever is longest of computing; the network, that gathers
/// twice and scatters; and the ways from one to the other and back that a round of both can take.
double longest_round(double layers, double forward, double backward, double gather, double scatter) {
    return std::max({layers * (forward + backward), layers * (2 * gather + scatter),
                     layers * backward + scatter + gather, layers * gather + scatter + backward,
                     layers * scatter + backward + gather});
}

/// Whether all boundaries of a pipeline take equally long.
bool alike(const PipelineTransfers& sends) {
    std::optional<double> first;
    for (std::size_t level = 0; level < sends.on.levels; ++level) {
        if (sends.on.across(level) > 0) {
            if (first && *first != sends.across[level]) {
                return false;
            }
            first = sends.across[level];
        }
    }
    return true;
}

/// Seconds for each boundary of the stages between the first and the last boundary that crosses a level or
/// one around it, these two included.
double stretch(const PipelineTransfers& sends, std::size_t level) {
    const StageLevels& on = sends.on;
    double all = 0;
    for (std::size_t outer = on.levels; outer-- > level;) {
        all += static_cast<double>(on.across(outer)) * sends.across[outer];
    }
    const std::int64_t row = on.within[level - 1];
    const std::int64_t rows = on.from(level) - 1;
    for (std::size_t inner = level; inner-- > 0;) {
        const std::int64_t each = on.from(inner, row) - (inner + 1 < level ? on.from(inner + 1, row) : 0);
        all += static_cast<double>(rows * each) * sends.across[inner];
    }
    return all / static_cast<double>(rows * row + 2);
}

/// Seconds of one forward and one backward pass alone: nothing comes before that hides the first gather.
double one_round(double layers, double forward, double backward, double gather, double scatter) {
    const double forward_ends = std::max(gather + layers * forward, layers * gather + forward);
    const double backward_starts = std::max(forward_ends, (layers + 1) * gather);
    const double backward_ends =
        std::max(backward_starts + layers * backward, 2 * layers * gather + backward);
    return std::max({backward_ends + scatter, layers * (2 * gather + scatter),
                     backward_starts + backward + layers * scatter});
}

} // namespace

PlanTransfers PlanModel::transfers(const Plan& plan, const LayerCost& layer) const {
    PlanTransfers made;
    const auto add = [&](double weights, double frozen, const ChipGroup& same) {
        const ChipGroup group = shard_group(plan, same);
        const double trained = weights - frozen, sent = trained * gathered_;
        const double as_kept = run_.adapters.frozen == FrozenNumbers::bf16 ? gathered_ : 1;
        const double gather = laws_.seconds(Collective::all_gather, sent, group);
        made.gather +=
            frozen > 0 ? laws_.seconds(Collective::all_gather, sent + frozen * as_kept, group) : gather;
        const double gradients =
            trained * static_cast<double>(run_.keeps.gradient()) / static_cast<double>(weight_bytes);
        made.gather_trained += gather;
        made.scatter += laws_.seconds(Collective::reduce_scatter, gradients, group);
        made.gather_sums +=
            gradients == sent ? gather : laws_.seconds(Collective::all_gather, gradients, group);
        if (plan.shard > 0) {
            const ChipGroup others = replica_group(plan, same);
            made.replicas +=
                laws_.seconds(Collective::all_reduce, gradients / static_cast<double>(group.chips), others);
            made.replicas_share = made.replicas_share || outermost_level(others) == outermost_level(group);
        }
    };
    add(layer.weights - layer.expert_weights, layer.frozen - layer.expert_frozen, data_group(plan));
    if (layer.expert_weights > 0) {
        add(layer.expert_weights, layer.expert_frozen, expert_data_group(plan));
        made.shared_with_experts = outermost_level(expert_group(plan)) == outermost_level(data_group(plan));
    }
    if (plan.pipeline > 1) {
        made.stage = stage_transfers(plan, layer.sent);
    }
    made.shared = shares_links(plan);
    if (plan.schedule.kind == PipelineKind::dualpipe) { // a chip has the layers of two stages
        made.gather *= 2;
        made.gather_trained *= 2;
        made.scatter *= 2;
        made.gather_sums *= 2;
        made.replicas *= 2;
    }
    return made;
}

bool PlanModel::shares_links(const Plan& plan) const {
    if (torus()) {
        return data_passes_tensor_links(plan);
    }
    return std::max(outermost_level(tensor_group(plan, 0)), outermost_level(tensor_group(plan, 1))) ==
           outermost_level(data_group(plan));
}

std::size_t PlanModel::outermost_level(const ChipGroup& group) const {
    std::size_t level = 0;
    while (level < units_.size() && group.within[level] < group.chips) {
        ++level;
    }
    return level;
}

/// Of one layer the all-gather and the reduce-scatter take their time; of the others what the layer before
/// does not hide.
ExposedData PlanModel::data_time(const Plan& plan, const LayerCost& layer, const PlanTransfers& transfers,
                                 double layers, double micro_batches) const {
    const double gather = transfers.gather, scatter = transfers.scatter;
    double forward = layer.forward.time(), backward = layer.backward.time();
    if (!rules_.has(Slip::shared_links) && transfers.shared) {
        forward -= layer.forward.tensor; // which needs the same links
        backward -= layer.backward.tensor;
    }
    if (transfers.shared_with_experts) {
        forward -= layer.forward.experts;
        backward -= layer.backward.experts;
    }
    if (!plan.data_overlap) {
        forward = backward = 0;
    }
    ExposedData exposed;
    const auto chunks = static_cast<double>(plan.schedule.chunks);
    const double own = layers / chunks;
    const bool gpipe = plan.schedule.kind == PipelineKind::gpipe;
    const auto beyond = [](double time, double behind) { return std::max(time - behind, 0.0); };
    // Of a part that is exchanged once, the first layer and what the others' compute does not hide.
    const auto once = [&](double time, double behind) {
        return plan.schedule.chunks == 1 ? time + beyond(time, behind) * (layers - 1)
                                         : once_interleaved(plan, layers, time, behind);
    };
    // A layer's gradients are summed among groups when they are summed within one; over other links the next
    // layer's are on their way within at that time.
    const auto summed_once = [&](double within, double behind) {
        const double among = transfers.replicas;
        return transfers.replicas_share ? once(within + among, behind)
                                        : once(std::max(within, among), behind) + std::min(within, among);
    };
    // Groups that sum after every backward pass do so layer by layer, behind the sums within them.
    const bool each_backward = plan.sums_each_backward && plan.zero >= 2 && transfers.replicas > 0;
    const bool one_after_other = transfers.replicas_share || !plan.data_overlap;
    const double sums = !each_backward    ? scatter
                        : one_after_other ? scatter + transfers.replicas
                                          : std::max(scatter, transfers.replicas);
    // 1F1B and interleaved pipelines have a forward pass between two backward passes, but where interleaved
    // ones fill and drain, which are as many passes in a row.
    const double rounds = micro_batches * chunks;
    const double alone = gpipe ? rounds : std::min((chunks - 1) * static_cast<double>(plan.pipeline), rounds);
    switch (plan.zero) {
    case 0: // an all-reduce of the gradients
        exposed.total = once(transfers.gather_sums + scatter, backward);
        break;
    case 1: exposed.total = once(transfers.gather_trained, forward) + summed_once(scatter, backward); break;
    case 2: { // what is left of the gradients has to be added for every micro-batch
        const double each = beyond(sums, backward + forward), apart = beyond(sums, backward);
        exposed.total = once(transfers.gather_trained, forward) + sums - (gpipe ? apart : each) +
                        own * ((rounds - alone) * each + alone * apart);
        break;
    }
    default: // and the weights gathered for every pass
        if (!plan.data_overlap) {
            exposed.total = micro_batches * layers * (2 * gather + sums);
            // The next stage waits for them too.
            exposed.handed_on = 2 * gather * layers;
            break;
        }
        const double apart = own * (beyond(gather, forward) + beyond(gather + sums, backward));
        if (gpipe) {
            exposed.total = std::min(gather, forward) + std::min(gather + sums, backward) + alone * apart;
            break;
        }
        const double passes = own * (forward + backward);
        exposed.total = one_round(own, forward, backward, gather, sums) - passes + alone * apart +
                        std::max(rounds - alone - 1, 0.0) *
                            (longest_round(own, forward, backward, gather, sums) - passes);
        break;
    }
    if (each_backward) { // the last layer's go through both
        exposed.total += one_after_other ? 0 : std::min(scatter, transfers.replicas);
    } else if (plan.zero >= 2 && transfers.replicas > 0) { // of a step, when its last gradients are there
        exposed.total += once(transfers.replicas, transfers.replicas_share ? 0 : backward);
    }
    return exposed;
}

/// Transfers between stages in 1F1B while stages go on computing. With equal transfers x, n micro-batches and
/// p stages, in order: 2x (p - 1) to fill and drain, and 2x for every micro-batch after the second but each
/// p-th, as stages hold just enough micro-batches for the round trip without them. Where some transfers are
/// slower, the slowest stretch of stages sets the pace. The interleaved schedule starts early enough to hide
/// all but the first way through its p v chunks and back; GPipe's passes flow one way each. All of it while
/// links rest now and then: StageTransfers::exposed() has the rest.
StageTransfers PlanModel::pipeline_time(const Plan& plan, const PlanTransfers& transfers,
                                        double micro_batches) const {
    if (plan.pipeline == 1) {
        return {};
    }
    const auto stages = static_cast<double>(plan.pipeline);
    const auto chunks = static_cast<double>(plan.schedule.chunks);
    PipelineTransfers sends{plan.schedule.kind, stage_levels(plan, laws_.levels()), plan.schedule.chunks,
                            micro_batches, transfers.stage};
    const StageLevels& on = sends.on;
    if (rules_.has(Slip::free_slow_transfers) && plan.placement.pipeline > 1) {
        std::fill(sends.across.begin() + 1, sends.across.end(), 0.0);
    }
    const double once = sends.one_way();
    if (rules_.has(Slip::serial_transfers)) {
        return {2 * micro_batches * once / (stages - 1) * chunks, {}};
    }
    if (plan.schedule.kind == PipelineKind::gpipe) {
        return {2 * once, sends};
    }
    if (plan.schedule.kind == PipelineKind::interleaved) {
        return {2 * (chunks * once + (chunks - 1) * sends.after(plan.pipeline - 1)), sends};
    }
    if (micro_batches < 2) {
        return {2 * once, sends};
    }
    const double later = micro_batches - 2;
    if (alike(sends)) {
        return {2 * (once + (later - std::floor(later / stages)) * once / (stages - 1)), sends};
    }
    double pace = once / stages;
    for (std::size_t level = 1; level < on.levels && on.from(level) > 0; ++level) {
        pace = std::max({pace, sends.across[level] / 2, stretch(sends, level)});
    }
    return {2 * (once + later * pace), sends};
}

/// The others wait for the first stage to fill, and for the last to drain. There no other micro-batch hides
/// dispatch and combine. With F a forward and B a backward pass, W of it for the weights' gradients, and F &
/// B two passes that go on together: (p - 1) (F + B); zero_bubble_wait() of ZB-H1; (p / 2 - 1) (F & B + B
/// - 3 W) of DualPipe (DeepSeek-V3, arXiv 2412.19437, table 2).
double PlanModel::bubble_time(const Plan& plan, const LayerCost& layer, double layers, double filled,
                              const StageTransfers& pipeline, const ExposedData& data,
                              double micro_batches) const {
    double once = (filled + (rules_.has(Slip::serial_transfers) ? pipeline.waits : 0)) / micro_batches;
    const double weights = layer.backward.weights * layers;
    const auto stages = static_cast<double>(plan.pipeline);
    if (plan.schedule.kind == PipelineKind::dualpipe) {
        const double both = layer.forward.experts + layer.backward.experts;
        const double alone = both > 0 ? layer.alone * layer.backward.experts / both : 0;
        const double backward = (layer.backward.time() + alone) * layers;
        return (stages / 2 - 1) * std::max(once + backward - 3 * weights + data.handed_on, 0.0);
    }
    if (layer.alone > 0) {
        once += layer.alone * layers * (1 - 1 / micro_batches);
    }
    if (plan.schedule.kind == PipelineKind::zero_bubble) {
        // `once` is F + B with the weights' gradients and what ends and transfers add to them.
        const double backward = std::min(layer.backward.time() * layers - weights, once - weights);
        return zero_bubble_wait(stages, micro_batches, once - weights - backward, backward, weights) +
               (stages - 1) * data.handed_on;
    }
    return (stages - 1) * (once + data.handed_on) / static_cast<double>(plan.schedule.chunks);
}

namespace {

/// What the output head multiplies for one micro-batch on a chip.
struct Head {
    double tokens = 0, hidden = 0, words = 0;
    double passes = 3; ///< products of it; 2 where its weights are not trained

    [[nodiscard]] double products() const { return 2 * passes * tokens * hidden * words; }
    [[nodiscard]] double loss() const { return 5 * tokens * words; } ///< softmax and its gradient
};

Head head_of(const TrainingRun& run, const Plan& plan) {
    return {static_cast<double>(plan.micro_batch) * static_cast<double>(run.sequence) /
                static_cast<double>(plan.tensor2),
            static_cast<double>(run.model.hidden),
            static_cast<double>(run.model.vocabulary) / static_cast<double>(plan.tensor1),
            run.adapters.on() ? 2.0 : 3.0};
}

/// Logits, and what of the head's and the last norm's inputs waits for the backward pass: split over the
/// tokens, as the other norms are.
double logits_of(const TrainingRun& run, const Plan& plan) {
    if (!run.keeps.logits) {
        return 0;
    }
    const Head head = head_of(run, plan);
    return head.tokens * head.words * static_cast<double>(run.keeps.logit()) /
               static_cast<double>(run.keeps.loss_chunks) +
           2 * weight_bytes * head.tokens * head.hidden / static_cast<double>(plan.tensor1);
}

/// The first stage has the embedding, the last one the output head and the loss. A chip of DualPipe has the
/// stage as far from the other end too.
MemoryUse memory_of_stage(const TrainingRun& run, const Plan& plan, const LayerCost& layer, double gathered,
                          std::int64_t stage) {
    const bool two = plan.schedule.kind == PipelineKind::dualpipe;
    const std::int64_t other = plan.pipeline - 1 - stage;
    const bool first = stage == 0 || (two && other == 0);
    const bool last = stage + 1 == plan.pipeline || (two && stage == 0);
    const auto own = static_cast<double>(stage_layers(run, plan, stage));
    const auto others = two ? static_cast<double>(stage_layers(run, plan, other)) : 0;
    const double layers = own + others;
    const double weights = (layer.weights - layer.expert_weights) * layers;
    const double of_experts = layer.expert_weights * layers;
    const double gradients = static_cast<double>(run.keeps.gradient()) / weight_bytes;
    const double state = static_cast<double>(run.keeps.state()) / weight_bytes;
    MemoryUse made;
    made.weights = share(plan, 3, weights) + share_of_experts(plan, 3, of_experts);
    const double trained = weights - (layer.frozen - layer.expert_frozen) * layers;
    const double trained_experts = of_experts - layer.expert_frozen * layers;
    made.gradients =
        share(plan, 2, trained * gradients) + share_of_experts(plan, 2, trained_experts * gradients);
    made.optimizer = share(plan, 1, trained * state) + share_of_experts(plan, 1, trained_experts * state);
    made.activations = layer.kept * std::max(own, others) *
                       in_flight(plan, run.batch / plan.data / plan.micro_batch, stage,
                                 expert_overlap(run, plan) == ExpertOverlap::micro_batch);
    made.buffers = layer.buffer;
    made.reserve = run.keeps.reserve;
    if (plan.zero == 3 && shard_chips(plan) > 1) {
        const bool gathers_experts = shard_chips(plan) > plan.experts;
        made.buffers += gathered * (gathers_experts ? layer.weights : layer.weights - layer.expert_weights);
    }
    if (run.ends && (first || last)) {
        const auto shards = static_cast<double>(plan.tensor1 * (plan.splits_both_ways() ? plan.tensor2 : 1));
        const double matrices = first && last && !run.model.tied_embeddings ? 2 : 1;
        const double of_ends = matrices * weight_bytes * static_cast<double>(run.model.vocabulary) *
                               static_cast<double>(run.model.hidden) / shards;
        made.embeddings = share(plan, 3, of_ends);
        if (!run.adapters.on()) {
            made.gradients += share(plan, 2, of_ends * gradients);
            made.optimizer += share(plan, 1, of_ends * state);
        }
        // GPipe's last stage ends its forward passes before it begins a backward pass.
        const double kept = plan.schedule.kind == PipelineKind::gpipe
                                ? static_cast<double>(run.batch / plan.data / plan.micro_batch)
                                : 1;
        made.logits = last ? kept * logits_of(run, plan) : 0;
    }
    return made;
}

} // namespace

/// The first stage keeps most micro-batches, the last one has the logits; of stages with a layer more than
/// these the first one keeps most.
MemoryUse memory_use(const TrainingRun& run, const Plan& plan, const LayerCost& layer, double gathered) {
    MemoryUse most = memory_of_stage(run, plan, layer, gathered, 0);
    const auto compare = [&](std::int64_t stage) {
        const MemoryUse its = memory_of_stage(run, plan, layer, gathered, stage);
        most = its.total() > most.total() ? its : most;
    };
    const std::int64_t over = run.model.layers % plan.pipeline;
    if (over > 0 && plan.pipeline > 2 && run.uneven_stages) {
        compare(std::max<std::int64_t>(1, plan.pipeline - 1 - over));
    }
    if (run.ends && run.keeps.logits && plan.pipeline > 1) {
        compare(plan.pipeline - 1);
    }
    return most;
}

MemoryUse stage_memory(const TrainingRun& run, const Plan& plan, const LayerCost& layer, std::int64_t stage) {
    return memory_of_stage(run, plan, layer, gathered_layers, stage);
}

double host_memory(const TrainingRun& run, const Plan& plan, const LayerCost& layer) {
    LayerCost there;
    there.kept = layer.offloaded;
    return memory_use(run, plan, there, 0).activations;
}

double PlanModel::optimizer_time(const MemoryUse& memory) const {
    if (!run_.optimizer_step) {
        return 0;
    }
    const double parameters = memory.optimizer / static_cast<double>(run_.keeps.state());
    const auto traffic = static_cast<double>(run_.keeps.update_traffic());
    return launch_ + std::max(parameters * traffic / hbm_rate_, parameters * optimizer_flop / vector_rate_);
}

/// The output head and the loss make the last stage slower for every micro-batch; its vocabulary is split
/// over the tensor-parallel group. The embedding is read from memory.
EndsTime PlanModel::ends_of(const Plan& plan) const {
    if (!run_.ends) {
        return {};
    }
    const Head head = head_of(run_, plan);
    const auto [tokens, hidden, words, passes] = head;
    const double body =
        passes * static_cast<double>(run_.keeps.loss_chunks) * launch_ +
        std::max(head.products() / matrix_rate_ + head.loss() / vector_rate_,
                 passes * weight_bytes * (tokens * hidden + tokens * words + hidden * words) / hbm_rate_);
    const double lookup =
        2 * launch_ + 2 * 2 * weight_bytes * tokens * hidden / static_cast<double>(plan.tensor1) / hbm_rate_;
    return {lookup, body};
}

double PlanModel::ends_time(const Plan& plan, const LayerCost& layer, double micro_batches) const {
    const auto [lookup, body] = ends_of(plan);
    if (plan.schedule.kind == PipelineKind::dualpipe) { // of each end one half of the micro-batches
        const auto both =
            static_cast<double>(stage_layers(run_, plan, 0) + stage_layers(run_, plan, plan.pipeline - 1));
        const double fewer = static_cast<double>(most_stage_layers(run_, plan)) - both / 2;
        return micro_batches *
               std::max(0.0, (body + lookup) / 2 - fewer * (layer.forward.time() + layer.backward.time()));
    }
    // A stage with a layer fewer than others has the time of a layer for it.
    const auto beyond = [&](double its, std::int64_t stage) {
        const auto fewer =
            static_cast<double>(most_stage_layers(run_, plan) - stage_layers(run_, plan, stage));
        return std::max(0.0, its - fewer * (layer.forward.time() + layer.backward.time()));
    };
    return micro_batches * (plan.pipeline == 1
                                ? body + lookup
                                : std::max(beyond(body, plan.pipeline - 1), beyond(lookup, 0)));
}

PlanReading PlanModel::reading(const Plan& plan, const LayerCost& layer) const {
    PlanReading made;
    made.micro_batches = run_.batch / plan.data / plan.micro_batch;
    const auto n = static_cast<double>(made.micro_batches);
    const auto layers = static_cast<double>(most_stage_layers(run_, plan));
    // Of all stages.
    const double mean = run_.uneven_stages
                            ? static_cast<double>(run_.model.layers) / static_cast<double>(plan.pipeline)
                            : layers;
    const PlanTransfers moved = transfers(plan, layer);
    const ExposedData data = data_time(plan, layer, moved, layers, n);
    made.memory = memory(plan, layer);
    made.host_memory = plan.offload > 0 ? meshslice::host_memory(run_, plan, layer) : 0;
    PlanTime& time = made.time;
    time.compute = (layer.forward.compute + layer.backward.compute) * n * layers;
    time.memory_exposed = (layer.forward.memory + layer.backward.memory) * n * layers;
    time.tensor = (layer.forward.tensor + layer.backward.tensor) * n * layers;
    time.experts = (layer.forward.experts + layer.backward.experts) * n * layers + layer.alone * layers;
    time.host = (layer.forward.host + layer.backward.host) * n * layers;
    const double filled = time.compute + time.memory_exposed + time.tensor + time.experts + time.host;
    const StageTransfers between = pipeline_time(plan, moved, n);
    time.bubble = bubble_time(plan, layer, layers, filled, between, data, n);
    time.pipeline = between.exposed(layer, layers);
    time.data = data.total;
    time.ends = ends_time(plan, layer, n);
    time.optimizer = optimizer_time(made.memory);
    time.total = filled + time.pipeline + time.bubble + time.data + time.ends + time.optimizer;
    double model_flop = layer.model_flop * n * mean;
    made.flop_per_chip = (layer.forward.flop + layer.backward.flop) * n * mean;
    if (run_.ends) {
        const Head head = head_of(run_, plan);
        made.flop_per_chip += n * (head.products() + head.loss()) / static_cast<double>(plan.pipeline);
        model_flop += n * head.products() / static_cast<double>(plan.pipeline);
    }
    const std::int64_t charged = torus() ? plan.chips() : charged_chips(plan, units_);
    made.utilization =
        model_flop / (time.total * peak_) * static_cast<double>(plan.chips()) / static_cast<double>(charged);
    made.fits = made.memory.total() <= capacity_;
    return made;
}

} // namespace meshslice
