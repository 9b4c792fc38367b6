#include "core/plan/evaluate.h"

#include "core/base/say.h"
#include "core/plan/torus_placement.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

constexpr double stored_bytes = 2;       // bytes of a weight, a gradient and an activation
constexpr double optimizer_bytes = 12;   // a parameter: master weight and two moments, 4 bytes each
constexpr double optimizer_traffic = 28; // a parameter: gradient in, states in and out, weight out
constexpr double optimizer_flop = 11;    // a parameter of Adam

/// What a chip keeps of `bytes`, where the optimizer sharding reaches that far.
double share(const Plan& plan, int from_level, double bytes) {
    return plan.zero >= from_level ? bytes / static_cast<double>(data_group(plan).chips) : bytes;
}

/// Micro-batches whose activations the fullest stage keeps at once, in layers' worth of one: the first stage
/// of 1F1B min(p, n); of the interleaved schedule the warm-up of its chunks (Narayanan et al., 2021,
/// section 2.2); of GPipe all.
double in_flight(const Plan& plan, std::int64_t micro_batches) {
    const std::int64_t p = plan.pipeline, v = plan.schedule.chunks;
    switch (plan.schedule.kind) {
    case PipelineKind::gpipe: return static_cast<double>(micro_batches);
    case PipelineKind::interleaved:
        return static_cast<double>(std::min(micro_batches * v, 2 * (p - 1) + (v - 1) * p + 1)) /
               static_cast<double>(v);
    case PipelineKind::one_f_one_b: break;
    }
    return static_cast<double>(std::min(p, micro_batches));
}

} // namespace

ChipGroup data_group(const Plan& plan) {
    const bool context = plan.strategy == TensorStrategy::two_d;
    return {plan.data * (context ? plan.tensor2 : 1),
            plan.placement.data * (context ? plan.placement.tensor2 : 1)};
}

LayerPass& LayerPass::operator+=(const LayerPass& other) {
    compute += other.compute;
    memory += other.memory;
    tensor += other.tensor;
    flop += other.flop;
    return *this;
}

Result<PlanModel> PlanModel::of(const TrainingRun& run, const Hardware& cluster, ModelRules rules) {
    const Result<GroupNetwork> network = GroupNetwork::of(cluster, rules);
    if (!network) {
        return refuse(network.error());
    }
    if (cluster.peak_rate(DataType::bf16).value() <= 0 || cluster.vector_rate.value.value() <= 0) {
        return refuse(say("{} has no rate of {}, which a plan needs.", cluster.title,
                          cluster.peak_rate(DataType::bf16).value() <= 0 ? "peak_bf16_in_flop_per_s"
                                                                         : "vector_rate_in_flop_per_s"));
    }
    PlanModel model;
    model.run_ = run;
    model.cluster_name_ = cluster.name;
    model.hardware_ = std::make_shared<const Hardware>(cluster);
    model.rules_ = rules;
    model.network_ = *network;
    model.peak_ = cluster.peak_rate(DataType::bf16).value();
    model.matrix_rate_ = cluster.effective_rate(DataType::bf16).value();
    model.vector_rate_ = cluster.vector_rate.value.value() * cluster.effective_fraction.value;
    model.launch_ = in_seconds(cluster.launch_time(LaunchKind::multiply));
    model.hbm_rate_ = cluster.hbm_bandwidth.value.value();
    model.capacity_ = static_cast<double>(cluster.hbm.value.value());
    return model;
}

LayerPass PlanModel::pass(const Plan& plan, const LayerOperation& operation, const PassWork& work) const {
    const bool fused = work.matrix_flop > 0 && work.vector_flop > 0;
    LayerPass made;
    made.compute = launch_ + work.matrix_flop / matrix_rate_ + work.vector_flop / vector_rate_;
    made.memory = std::max(work.bytes / hbm_rate_ - made.compute, 0.0);
    // The published count has a vector operation within attention as so many matrix operations as it costs.
    const double counts = fused && rules_.has(Slip::vectors_as_matrices) ? matrix_rate_ / vector_rate_ : 1;
    made.flop = work.matrix_flop + counts * work.vector_flop;
    const ChipGroup groups[] = {tensor_group(plan, 0), tensor_group(plan, 1)};
    const double panels = operation.panelled ? static_cast<double>(plan.panels) : 1;
    double steps = 0, sum = 0; // one ring step of each, and all of it; of one panel
    for (const BlockCollective& one : work.collectives) {
        const ChipGroup group = groups[one.axis];
        const double time = network_.seconds(one.what, one.bytes / panels, group);
        sum += time;
        steps += time / static_cast<double>(group.chips);
    }
    const double body = made.compute + made.memory;
    if (operation.panelled) {
        const double hidden_panels = rules_.has(Slip::extra_panel) ? panels : panels - 1;
        made.tensor = sum + hidden_panels * std::max(sum - body / panels, 0.0);
    } else if (plan.tensor_overlap && work.matrix_flop > 0) {
        made.tensor = std::min(sum, steps + std::max(sum - body, 0.0));
    } else {
        made.tensor = sum;
    }
    return made;
}

Result<LayerCost> PlanModel::layer_or_refusal(const Plan& plan, const Block& block) const {
    LayerCost cost;
    LayerPass again;
    std::vector<TunedLayer> programs;
    if (plan.algorithm != nullptr) {
        Result<std::vector<TunedLayer>> found = tuned(plan);
        if (!found) {
            return refuse(found.error());
        }
        programs = *std::move(found);
    }
    for (const LayerOperation& operation : block.operations) {
        const bool by_programs = operation.layer >= 0;
        const LayerPass forward = by_programs ? pass_of_programs(operation, programs, true)
                                              : pass(plan, operation, operation.forward);
        cost.forward += forward;
        cost.backward += by_programs ? pass_of_programs(operation, programs, false)
                                     : pass(plan, operation, operation.backward);
        const bool repeated = plan.recompute == Recompute::full ||
                              (plan.recompute == Recompute::attention && operation.of_attention);
        if (repeated) {
            again += forward;
        }
        // Attention is computed again from the input of the QKV GEMM, which stays.
        const bool dropped = plan.recompute == Recompute::attention && operation.of_attention &&
                             operation.forward.vector_flop > 0;
        cost.kept += dropped ? 0 : operation.kept;
        cost.buffer += dropped ? operation.kept : 0;
        cost.weights += operation.weights;
        cost.model_flop += 3 * operation.forward.matrix_flop;
    }
    cost.backward += again;
    cost.sent = block.sent;
    if (plan.recompute == Recompute::full) {
        cost.buffer = cost.kept;
        cost.kept = block.input;
    }
    cost.buffer += block.gathered;
    double buffers = 0; // of one GEMM at a time
    for (const TunedLayer& one : programs) {
        for (const TunedGemm& gemm : one.gemms) {
            buffers = std::max(buffers, static_cast<double>(gemm.memory.buffers.value()));
        }
    }
    cost.buffer += buffers;
    return cost;
}

/// Of one layer the all-gather and the reduce-scatter take their time; of the others what the layer before
/// does not hide.
PlanModel::ExposedData PlanModel::data_time(const Plan& plan, const LayerCost& layer, double layers) const {
    const ChipGroup group = data_group(plan);
    const double gather = network_.seconds(Collective::all_gather, layer.weights, group);
    const double scatter = network_.seconds(Collective::reduce_scatter, layer.weights, group);
    double forward = layer.forward.time(), backward = layer.backward.time();
    const bool crosses = plan.placement.tensor1 < plan.tensor1 || plan.placement.tensor2 < plan.tensor2;
    const bool shared = torus() ? data_passes_tensor_links(plan) : crosses == (group.near < group.chips);
    if (!rules_.has(Slip::shared_links) && shared) {
        forward -= layer.forward.tensor; // which needs the same links
        backward -= layer.backward.tensor;
    }
    if (!plan.data_overlap) {
        forward = backward = 0;
    }
    ExposedData exposed;
    // 1F1B and interleaved pipelines have a forward pass between two backward passes.
    const double between = plan.schedule.kind == PipelineKind::gpipe ? 0 : forward;
    const auto add = [&](double time, double behind, bool every_micro_batch) {
        const double beyond = std::max(time - behind, 0.0);
        if (every_micro_batch) {
            exposed.once += time - beyond;
            exposed.often += beyond * layers;
        } else {
            exposed.once += time + beyond * (layers - 1);
        }
    };
    switch (plan.zero) {
    case 0: // an all-reduce of the gradients
        add(gather + scatter, backward, false);
        break;
    case 1:
        add(gather, forward, false);
        add(scatter, backward, false);
        break;
    case 2: // what is left of the gradients has to be added for every micro-batch
        add(gather, forward, false);
        add(scatter, backward + between, true);
        break;
    default: // and the weights gathered for every pass
        add(gather, forward, true);
        add(gather + scatter, backward, true);
        // Gathered before each pass, where nothing hides it, the next stage waits for it too.
        exposed.handed_on = plan.data_overlap ? 0 : 2 * gather * layers;
        break;
    }
    return exposed;
}

/// Transfers between stages in 1F1B while stages go on computing. With equal transfers x, n micro-batches and
/// p stages, in order: 2x (p - 1) to fill and drain, and 2x for every micro-batch after the second but each
/// p-th, as stages hold just enough micro-batches for the round trip without them. Where some transfers are
/// slower, the slowest stretch of stages sets the pace. The interleaved schedule starts early enough to hide
/// all but the first way through its p v chunks and back; GPipe's passes flow one way each.
double PlanModel::pipeline_time(const Plan& plan, const LayerCost& layer, double micro_batches) const {
    if (plan.pipeline == 1) {
        return 0;
    }
    const auto stages = static_cast<double>(plan.pipeline);
    const auto near_stages = static_cast<double>(plan.placement.pipeline);
    const double near = near_transfer(plan, layer.sent);
    const double far = network_.seconds_to_one(layer.sent, false);
    const auto chunks = static_cast<double>(plan.schedule.chunks);
    const bool free = rules_.has(Slip::free_slow_transfers) && plan.placement.pipeline > 1;
    const double far_cost = free ? 0 : far;
    const double slow = std::floor(stages / near_stages - 1);
    const double fast = stages - 1 - slow;
    const double once = slow * far_cost + fast * near;
    if (rules_.has(Slip::serial_transfers)) {
        return 2 * micro_batches * once / (stages - 1) * chunks;
    }
    if (plan.schedule.kind == PipelineKind::gpipe) {
        return 2 * once;
    }
    if (plan.schedule.kind == PipelineKind::interleaved) {
        return 2 * (chunks * once + (chunks - 1) * (slow > 0 ? far_cost : near));
    }
    if (micro_batches < 2) {
        return 2 * once;
    }
    const double later = micro_batches - 2;
    if (slow == 0 || fast == 0) {
        return 2 * (once + (later - std::floor(later / stages)) * once / (stages - 1));
    }
    const double stretch =
        (slow * far_cost + (slow - 1) * (near_stages - 1) * near) / ((slow - 1) * near_stages + 2);
    return 2 * (once + later * std::max({far_cost / 2, stretch, once / stages}));
}

PlanReading PlanModel::reading(const Plan& plan, const LayerCost& layer) const {
    PlanReading made;
    made.micro_batches = run_.batch / plan.data / plan.micro_batch;
    const auto n = static_cast<double>(made.micro_batches);
    const auto layers = static_cast<double>(run_.model.layers / plan.pipeline);
    const auto stages = static_cast<double>(plan.pipeline);
    PlanTime& time = made.time;
    time.compute = (layer.forward.compute + layer.backward.compute) * n * layers;
    time.memory_exposed = (layer.forward.memory + layer.backward.memory) * n * layers;
    time.tensor = (layer.forward.tensor + layer.backward.tensor) * n * layers;
    time.pipeline = pipeline_time(plan, layer, n);
    double filled = time.compute + time.memory_exposed + time.tensor;
    if (rules_.has(Slip::serial_transfers)) {
        filled += time.pipeline;
    }
    const ExposedData exposed = data_time(plan, layer, layers);
    time.data = exposed.once + exposed.often * n;
    time.bubble = (stages - 1) * (filled / n + exposed.handed_on) / static_cast<double>(plan.schedule.chunks);

    const double weights = layer.weights * layers;
    made.memory.weights = share(plan, 3, weights);
    made.memory.gradients = share(plan, 2, weights);
    made.memory.optimizer = share(plan, 1, weights * optimizer_bytes / stored_bytes);
    made.memory.activations = layer.kept * layers * in_flight(plan, made.micro_batches);
    made.memory.buffers =
        layer.buffer + (plan.zero == 3 && data_group(plan).chips > 1 ? 2 * layer.weights : 0);
    const auto shards = static_cast<double>(plan.tensor1 * (plan.splits_both_ways() ? plan.tensor2 : 1));
    if (run_.ends) {
        add_ends(plan, shards, made);
    }
    if (run_.optimizer_step) {
        const double parameters = made.memory.optimizer / optimizer_bytes;
        time.optimizer = launch_ + std::max(parameters * optimizer_traffic / hbm_rate_,
                                            parameters * optimizer_flop / vector_rate_);
    }
    time.total = time.compute + time.memory_exposed + time.tensor + time.pipeline + time.bubble + time.data +
                 time.ends + time.optimizer;
    made.flop_per_chip += (layer.forward.flop + layer.backward.flop) * n * layers;
    made.utilisation = layer.model_flop * n * layers / (time.total * peak_);
    made.fits = made.memory.total() <= capacity_;
    return made;
}

/// The output head and the loss make the last stage slower for every micro-batch; its vocabulary is split
/// over the tensor-parallel group. The embedding is read from memory. The first stage, which keeps most
/// activations, also keeps the embedding; a pipeline of one stage both matrices, where they are two.
void PlanModel::add_ends(const Plan& plan, double shards, PlanReading& made) const {
    const auto n = static_cast<double>(made.micro_batches);
    const double tokens = static_cast<double>(plan.micro_batch) * static_cast<double>(run_.sequence) /
                          static_cast<double>(plan.tensor2);
    const double hidden = static_cast<double>(run_.model.hidden);
    const double words = static_cast<double>(run_.model.vocabulary) / static_cast<double>(plan.tensor1);
    const double products = 6 * tokens * hidden * words;
    const double loss = 5 * tokens * words; // softmax and its gradient
    const double body =
        3 * launch_ +
        std::max(products / matrix_rate_ + loss / vector_rate_,
                 3 * stored_bytes * (tokens * hidden + tokens * words + hidden * words) / hbm_rate_);
    const double lookup =
        2 * launch_ + 2 * 2 * stored_bytes * tokens * hidden / static_cast<double>(plan.tensor1) / hbm_rate_;
    made.time.ends = n * (plan.pipeline == 1 ? body + lookup : std::max(body, lookup));
    made.flop_per_chip += n * (products + loss) / static_cast<double>(plan.pipeline);
    const double matrices = plan.pipeline == 1 && !run_.model.tied_embeddings ? 2 : 1;
    const double weights =
        matrices * stored_bytes * static_cast<double>(run_.model.vocabulary) * hidden / shards;
    made.memory.weights += share(plan, 3, weights);
    made.memory.gradients += share(plan, 2, weights);
    made.memory.optimizer += share(plan, 1, weights * optimizer_bytes / stored_bytes);
}

StageWork PlanModel::stage(const Plan& plan, const LayerCost& layer) const {
    const auto layers = static_cast<double>(run_.model.layers / plan.pipeline);
    return {layer.forward.time() * layers, layer.backward.time() * layers, near_transfer(plan, layer.sent),
            network_.seconds_to_one(layer.sent, false), layer.kept * layers};
}

Result<PlanReading> evaluate(const TrainingRun& run, const Hardware& cluster, const Plan& plan,
                             ModelRules rules) {
    return PlanModel::of(run, cluster, rules).and_then([&](const PlanModel& model) -> Result<PlanReading> {
        if (const Result<void> sound = model.check(plan); !sound) {
            return refuse(sound.error());
        }
        return model.reading(plan, model.layer(plan));
    });
}

} // namespace meshslice
