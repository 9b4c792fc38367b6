#include "core/report/launch.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace meshslice {
namespace {

/// Collects flags and what they do not say.
class Flags {
  public:
    void set(std::string name, std::int64_t value) { set(std::move(name), std::to_string(value)); }
    void set(std::string name, std::string value) {
        launch_.flags.push_back({std::move(name), std::move(value)});
    }
    void on(std::string name) { launch_.flags.push_back({std::move(name), {}}); }
    void differs(std::string sentence) { launch_.differs.push_back(std::move(sentence)); }
    [[nodiscard]] Launch take() { return std::move(launch_); }

  private:
    Launch launch_;
};

struct LaunchedPlan {
    const Transformer& model;
    std::int64_t sequence, batch;
    const TrainingRun& run;
    const Plan& plan;

    [[nodiscard]] std::int64_t chunks() const {
        return plan.schedule.kind == PipelineKind::interleaved ? plan.schedule.chunks : 1;
    }
    /// With the same weights.
    [[nodiscard]] std::int64_t groups_that_share() const {
        return plan.shard == 0 ? 1 : plan.data * plan.tensor2 / plan.shard;
    }
    /// Whether each of them is some whole copies.
    [[nodiscard]] bool shares_whole_copies() const { return plan.data % groups_that_share() == 0; }
    [[nodiscard]] std::int64_t micro_batches() const { return batch / (plan.data * plan.micro_batch); }
    /// Where stages, or their chunks, have equally many blocks; else 0.
    [[nodiscard]] std::int64_t blocks_of_a_chunk() const {
        const std::int64_t parts = plan.pipeline * chunks();
        return model.layers % parts == 0 ? model.layers / parts
               : ends_as_layers()        ? interleaved_layers(run, plan.pipeline) / chunks()
                                         : 0;
    }
    /// Where embedding and output head take the place of a block each in an interleaved pipeline.
    [[nodiscard]] bool ends_as_layers() const {
        return chunks() > 1 && model.layers % plan.pipeline != 0 &&
               interleaved_layers(run, plan.pipeline) > 0;
    }
};

void uneven(Flags& flags, const LaunchedPlan& one) {
    if (one.plan.pipeline > 1 && one.blocks_of_a_chunk() == 0) {
        flags.differs(
            say("{} blocks are not equally many in {} stages of {} chunks; say yourself which stage "
                "has which.",
                one.model.layers, one.plan.pipeline, one.chunks()));
    }
}

/// What of offloaded activations a framework is not given.
void offloading(Flags& flags, const LaunchedPlan& one) {
    if (one.plan.offload > 0) {
        flags.differs(
            say("The plan has {}% of what layers keep in the host's memory, which these flags do not "
                "ask for.",
                one.plan.offload));
    }
}

/// What else of the run a framework is not given.
void training_apart(Flags& flags, const LaunchedPlan& one, std::string_view framework) {
    offloading(flags, one);
    if (one.run.adapters.on()) {
        flags.differs(
            say("The plan trains adapters of rank {}; these flags train all weights, which takes more "
                "memory and time.",
                one.run.adapters.rank));
    }
    if (one.run.recipe != NumberRecipe::bf16 && framework != "Megatron-LM") {
        flags.differs(say("The plan multiplies by the recipe {}; these flags ask {} for bf16.",
                          name(one.run.recipe), framework));
    }
    if (one.plan.experts > 1 && framework != "Megatron-LM") {
        flags.differs(say("The plan spreads experts over {} chips, which these flags do not ask {} for.",
                          one.plan.experts, framework));
    }
}

/// Megatron-LM's flags of a recipe (megatron/training/arguments.py); none of bf16.
std::vector<LaunchFlag> megatron_numbers(NumberRecipe recipe) {
    switch (recipe) {
    case NumberRecipe::bf16: return {};
    case NumberRecipe::fp8: return {{"--fp8-format", "hybrid"}, {"--fp8-recipe", "delayed"}};
    case NumberRecipe::fp8_current: return {{"--fp8-format", "hybrid"}, {"--fp8-recipe", "tensorwise"}};
    case NumberRecipe::fp8_blocks: return {{"--fp8-format", "e4m3"}, {"--fp8-recipe", "blockwise"}};
    case NumberRecipe::mxfp8: return {{"--fp8-format", "e4m3"}, {"--fp8-recipe", "mxfp8"}};
    case NumberRecipe::nvfp4: return {{"--fp4-format", "e2m1"}, {"--fp4-recipe", "nvfp4"}};
    }
    return {};
}

/// What --recompute-modules takes, with spaces between.
std::string megatron_modules(const Transformer& model, Recompute recompute) {
    const bool experts = model.experts > 1;
    std::string words;
    for (const auto& [part, word] :
         {std::pair(Recompute::core_attention, "core_attn"), std::pair(Recompute::norms, "layernorm"),
          std::pair(Recompute::activations, experts ? "moe_act" : ""),
          std::pair(Recompute::feed_forward, experts ? "moe" : "mlp")}) {
        if (share_parts(recompute, part) && *word != '\0') {
            words += (words.empty() ? "" : " ") + std::string(word);
        }
    }
    return words;
}

Launch megatron(const LaunchedPlan& one) {
    const Transformer& model = one.model;
    const Plan& plan = one.plan;
    Flags flags;
    flags.set("--num-layers", model.layers);
    flags.set("--hidden-size", model.hidden);
    flags.set("--ffn-hidden-size", model.feed_forward);
    flags.set("--num-attention-heads", model.heads);
    flags.set("--kv-channels", model.head_size);
    if (model.kv_heads < model.heads) {
        flags.on("--group-query-attention");
        flags.set("--num-query-groups", model.kv_heads);
    }
    if (model.gated) {
        flags.on("--swiglu");
    }
    if (!model.tied_embeddings) {
        flags.on("--untie-embeddings-and-output-weights");
    }
    if (model.experts > 1) {
        flags.set("--num-experts", model.experts);
        flags.set("--moe-router-topk", model.experts_per_token);
    }
    if (plan.experts > 1) {
        flags.set("--expert-model-parallel-size", plan.experts);
        flags.set("--moe-token-dispatcher-type", "alltoall");
    }
    flags.set("--seq-length", one.sequence);
    flags.set("--max-position-embeddings", one.sequence);
    flags.set("--micro-batch-size", plan.micro_batch);
    flags.set("--global-batch-size", one.batch);
    flags.on("--bf16");
    for (const LaunchFlag& one_more : megatron_numbers(one.run.recipe)) {
        flags.set(one_more.name, one_more.value);
    }
    if (bits(one.run.keeps.gradients) == 16) {
        flags.on("--grad-reduce-in-bf16");
    }
    flags.set("--tensor-model-parallel-size", plan.tensor1);
    if (plan.tensor1 > 1) {
        flags.on("--sequence-parallel");
        if (plan.tensor_overlap) {
            flags.on("--tp-comm-overlap");
        }
    }
    if (plan.tensor2 > 1) {
        flags.set("--context-parallel-size", plan.tensor2);
        flags.set("--cp-comm-type", plan.context == ContextExchange::ring         ? "p2p"
                                    : plan.context == ContextExchange::all_to_all ? "a2a"
                                                                                  : "all_gather");
    }
    flags.set("--pipeline-model-parallel-size", plan.pipeline);
    if (one.chunks() > 1 && one.blocks_of_a_chunk() > 0) {
        flags.set("--num-layers-per-virtual-pipeline-stage", one.blocks_of_a_chunk());
    }
    if (one.ends_as_layers()) {
        flags.on("--account-for-embedding-in-pipeline-split");
        flags.on("--account-for-loss-in-pipeline-split");
    }
    if (plan.pipeline > 1 && plan.schedule.kind == PipelineKind::gpipe) {
        flags.differs(say("{} has no GPipe; it runs 1F1B.", "Megatron-LM"));
    }
    if (plan.schedule.kind == PipelineKind::zero_bubble || plan.schedule.kind == PipelineKind::dualpipe) {
        flags.differs(say("{} is given 1F1B, not {}.", "Megatron-LM", text(plan.schedule)));
    }
    if (plan.zero >= 2) {
        flags.on("--use-megatron-fsdp");
        flags.set("--data-parallel-sharding-strategy", plan.zero == 2 ? "optim_grads" : "optim_grads_params");
    }
    if (plan.zero >= 1) {
        flags.on("--use-distributed-optimizer");
    }
    if (plan.shard > 0) {
        flags.set("--num-distributed-optimizer-instances", one.groups_that_share());
    }
    if (plan.data_overlap && plan.data > 1) {
        flags.on("--overlap-grad-reduce");
        if (plan.zero >= 1) {
            flags.on("--overlap-param-gather");
        }
    }
    if (plan.recompute == Recompute::full) {
        flags.set("--recompute-granularity", "full");
        flags.set("--recompute-method", "uniform");
        flags.set("--recompute-num-layers", 1);
    } else if (plan.recompute == Recompute::attention) {
        flags.set("--recompute-granularity", "selective");
        flags.differs(
            say("{} computes the core of attention again; the plan also the GEMM before it.", "Megatron-LM"));
    } else if (plan.recompute != Recompute::none) {
        const std::string modules = megatron_modules(one.model, plan.recompute);
        if (!modules.empty()) {
            flags.set("--recompute-granularity", "selective");
            flags.set("--recompute-modules", modules);
        }
        if (share_parts(plan.recompute, Recompute::activations) && one.model.experts <= 1) {
            flags.differs(say("{} computes activations again in layers with experts alone.", "Megatron-LM"));
        }
        if (share_parts(plan.recompute, Recompute::attention)) {
            flags.differs(say("{} has no recomputation of attention from its first GEMM on next to others.",
                              "Megatron-LM"));
        }
    }
    training_apart(flags, one, "Megatron-LM");
    uneven(flags, one);
    return flags.take();
}

Launch torchtitan(const LaunchedPlan& one) {
    const Plan& plan = one.plan;
    Flags flags;
    flags.set("--training.seq_len", one.sequence);
    flags.set("--training.global_batch_size", one.batch);
    flags.set("--training.local_batch_size",
              plan.pipeline > 1 ? plan.micro_batch * one.micro_batches() : plan.micro_batch);
    const std::int64_t replicas = plan.zero < 2               ? plan.data
                                  : one.shares_whole_copies() ? one.groups_that_share()
                                                              : 1;
    flags.set("--parallelism.data_parallel_replicate_degree", replicas);
    flags.set("--parallelism.data_parallel_shard_degree", plan.data / replicas);
    if (plan.zero >= 2 && !one.shares_whole_copies()) {
        flags.differs(
            say("{} shares weights among whole copies; here all {} share them.", "TorchTitan", plan.data));
    }
    if (plan.zero == 2) {
        flags.set("--parallelism.fsdp_reshard_after_forward", "never");
    }
    if (plan.zero == 1 && plan.data > 1) {
        flags.differs(
            say("{} shares the optimizer's state only with the gradients; here every chip keeps all of it.",
                "TorchTitan"));
    }
    flags.set("--parallelism.tensor_parallel_degree", plan.tensor1);
    flags.set("--parallelism.context_parallel_degree", plan.tensor2);
    if (plan.context == ContextExchange::ring) {
        flags.set("--parallelism.context_parallel_rotate_method", "alltoall");
    } else if (plan.context == ContextExchange::all_to_all) {
        flags.differs(
            say("{} does not exchange tokens for heads; it gathers keys and values.", "TorchTitan"));
    }
    flags.set("--parallelism.pipeline_parallel_degree", plan.pipeline);
    if (plan.pipeline > 1) {
        flags.set("--parallelism.pipeline_parallel_schedule",
                  plan.schedule.kind == PipelineKind::interleaved ? "Interleaved1F1B"
                  : plan.schedule.kind == PipelineKind::gpipe     ? "GPipe"
                                                                  : "1F1B");
        if (plan.schedule.kind == PipelineKind::zero_bubble || plan.schedule.kind == PipelineKind::dualpipe) {
            flags.differs(say("{} is given 1F1B, not {}.", "TorchTitan", text(plan.schedule)));
        }
        flags.set("--parallelism.pipeline_parallel_microbatch_size", plan.micro_batch);
        if (one.chunks() > 1 && one.blocks_of_a_chunk() > 0) {
            flags.set("--parallelism.pipeline_parallel_layers_per_stage", one.blocks_of_a_chunk());
        }
    }
    const bool selective = plan.recompute != Recompute::full && plan.recompute != Recompute::none;
    flags.set("--activation_checkpoint.mode", plan.recompute == Recompute::full ? "full"
                                              : selective                       ? "selective"
                                                                                : "none");
    if (selective) {
        flags.differs(say("What {} keeps in selective recomputation is its own list.", "TorchTitan"));
    }
    flags.differs(say("{} knows the model by its own name; choose it there.", "TorchTitan"));
    training_apart(flags, one, "TorchTitan");
    uneven(flags, one);
    return flags.take();
}

Launch maxtext(const LaunchedPlan& one) {
    const Transformer& model = one.model;
    const Plan& plan = one.plan;
    Flags flags;
    flags.set("base_num_decoder_layers", model.layers);
    flags.set("base_emb_dim", model.hidden);
    flags.set("base_mlp_dim", model.feed_forward);
    flags.set("base_num_query_heads", model.heads);
    flags.set("base_num_kv_heads", model.kv_heads);
    flags.set("head_dim", model.head_size);
    if (model.vocabulary > 0) {
        flags.set("vocab_size", model.vocabulary);
    }
    if (model.experts > 1) {
        flags.set("num_experts", model.experts);
        flags.set("num_experts_per_tok", model.experts_per_token);
    }
    flags.set("max_target_length", one.sequence);
    flags.set("per_device_batch_size",
              fmt::format("{:g}", static_cast<double>(one.batch) / static_cast<double>(plan.chips())));
    // Within a pod or a fast domain, and over the network around it.
    const auto axis = [&](const char* name, std::int64_t inside, std::int64_t all) {
        flags.set(fmt::format("ici_{}_parallelism", name), inside);
        if (all > inside) {
            flags.set(fmt::format("dcn_{}_parallelism", name), all / inside);
        }
    };
    const bool shares = plan.zero >= 3;
    const std::int64_t groups = one.shares_whole_copies() ? one.groups_that_share() : 1;
    const std::int64_t fsdp = shares ? plan.data / groups : 1;
    const std::int64_t inside = std::gcd(fsdp, plan.placement.data);
    axis("data", plan.placement.data / inside, plan.data / fsdp);
    axis("fsdp", inside, fsdp);
    if (plan.context != ContextExchange::gather) {
        flags.differs(say("{} gathers keys and values of a split sequence; the plan's way is {}.", "MaxText",
                          name(plan.context)));
    }
    axis("tensor", plan.placement.tensor1, plan.tensor1);
    axis("context", plan.placement.tensor2, plan.tensor2);
    axis("pipeline", plan.placement.pipeline, plan.pipeline);
    if (plan.pipeline > 1) {
        flags.set("num_pipeline_microbatches", one.micro_batches());
        if (one.blocks_of_a_chunk() > 0 && !one.ends_as_layers()) {
            flags.set("num_layers_per_pipeline_stage", one.blocks_of_a_chunk());
        }
        flags.differs(
            say("{} runs its own circular pipeline; the plan's is {}.", "MaxText", text(plan.schedule)));
    } else if (one.micro_batches() > 1) {
        flags.set("gradient_accumulation_steps", one.micro_batches());
    }
    flags.set("remat_policy", plan.recompute == Recompute::full ? "full" : "minimal");
    if (plan.recompute != Recompute::full && plan.recompute != Recompute::none) {
        flags.differs(say("Of {} the nearest policy keeps the results of GEMMs.", "MaxText"));
    }
    if (!shares && plan.zero >= 1 && plan.data > 1) {
        flags.differs(say("{} has no ZeRO {} on its data axis; every chip keeps all of it there.", "MaxText",
                          plan.zero));
    }
    if (one.ends_as_layers()) {
        flags.differs(said("MaxText has as many blocks in each stage; the plan has one less in the first and "
                           "the last, for embedding and output head."));
    }
    training_apart(flags, one, "MaxText");
    uneven(flags, one);
    return flags.take();
}

} // namespace

std::string_view name(Framework framework) {
    switch (framework) {
    case Framework::megatron: return "megatron";
    case Framework::torchtitan: return "torchtitan";
    case Framework::maxtext: return "maxtext";
    }
    return "";
}

std::string_view title(Framework framework) {
    switch (framework) {
    case Framework::megatron: return "Megatron-LM";
    case Framework::torchtitan: return "TorchTitan";
    case Framework::maxtext: return "MaxText";
    }
    return "";
}

Result<Launch> launch_of(Framework framework, const TrainingRun& run, const Plan& plan) {
    const Transformer& model = run.model;
    if (plan.splits_both_ways()) {
        return refuse(say("The plan splits both sides of its GEMMs ({}), which {} has no flags for; choose "
                          "1D or 2D.",
                          strategy_title(plan), title(framework)));
    }
    if (block_kinds(model).size() > 1) {
        return refuse(say("{} has blocks of {} kinds, which {} describes in files of its own.", model.title,
                          block_kinds(model).size(), title(framework)));
    }
    const LaunchedPlan one{model, run.sequence, run.batch, run, plan};
    switch (framework) {
    case Framework::megatron: return megatron(one);
    case Framework::torchtitan: return torchtitan(one);
    case Framework::maxtext: return maxtext(one);
    }
    return refuse("");
}

std::string launch_text(Framework framework, const Launch& launch) {
    std::string text;
    for (const LaunchFlag& flag : launch.flags) {
        text += text.empty() ? "" : " \\\n";
        const bool pairs = framework == Framework::maxtext;
        text += flag.name + (flag.value.empty() ? "" : (pairs ? "=" : " ") + flag.value);
    }
    return text + "\n";
}

} // namespace meshslice
