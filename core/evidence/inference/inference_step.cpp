#include "core/evidence/inference/inference_step.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

using Constant = InferenceConstant;

/// All matrices of a layer that every token takes, on one chip.
struct LayerProduct {
    double inner = 0, columns = 0;
};

constexpr double element = 2; ///< bytes of what lies between products

/// Multi-head latent attention, as in DeepSeek V3 (arXiv:2412.19437, 4.2): ranks of queries and of keys and
/// values, and sizes of a head.
constexpr double query_latent = 1536, cache_latent = 512, rotary = 64, plain_of_head = 128,
                 value_of_head = 128;

/// Bytes of an element of weights, and bits of the arithmetic.
struct Format {
    double bytes = 2;
    std::int64_t bits = 16;
};

constexpr double full_layers = 0.25; ///< of hybrid models: a layer in four keeps a cache

double either_bound(double compute, double memory, double power) {
    return std::pow(std::pow(compute, power) + std::pow(memory, power), 1 / power);
}

class StepLaw {
  public:
    StepLaw(const InferenceAsked& asked, const InferenceValues& values)
        : asked_(asked), values_(values), model_(*asked.model), chip_(*asked.chip) {}

    /// Of a layer, with so many rows.
    [[nodiscard]] double product(const LayerProduct& one, double rows, const Format& format) const {
        const double size = at(values_, Constant::dimension);
        const double compute = 2 * rows * one.inner * one.columns / arithmetic_rate(format) *
                               (1 + size / one.inner) * (1 + size / one.columns);
        const double bytes =
            format.bytes * (one.inner * one.columns + rows * one.inner) + element * rows * one.columns;
        return either_bound(compute, bytes / weights_rate(), at(values_, Constant::bound_power));
    }

    [[nodiscard]] double products(double rows, double own) const {
        if (!(rows > 0)) {
            return 0;
        }
        const double t = asked_.tensor, d = model_.hidden;
        const Format format{asked_.other_weight_bytes > 0 ? asked_.other_weight_bytes : asked_.weight_bytes,
                            asked_.other_bits > 0 ? asked_.other_bits : asked_.bits};
        double attention = 0;
        if (model_.latent) {
            const double heads = model_.heads / t;
            for (const LayerProduct one : {LayerProduct{d, query_latent + cache_latent + rotary},
                                           LayerProduct{query_latent, heads * (plain_size() + rotary)},
                                           LayerProduct{cache_latent, heads * (plain_size() + value_size())},
                                           LayerProduct{heads * value_size(), d}}) {
                attention += product(one, own, format);
            }
        } else {
            const double queries = model_.heads * model_.head_size / t;
            attention += product({d, queries + 2 * kept_heads() * model_.head_size}, own, format) +
                         product({queries, d}, own, format);
        }
        if (model_.hybrid && model_.linear_rows > 0) {
            const double linear = product({d, model_.linear_columns / t}, own, format) +
                                  product({model_.linear_rows / t, d}, own, format);
            attention = attention * full_layers + linear * (1 - full_layers);
        }
        double dense = 0;
        if (model_.width > 0) {
            const double width = model_.width / t;
            dense =
                product({d, (model_.matrices - 1) * width}, own, format) + product({width, d}, own, format);
        }
        const double expert_layers = model_.expert_layers();
        return model_.layers * attention + (model_.layers - expert_layers) * dense +
               expert_layers * experts(rows, own);
    }

    /// A balanced router: the experts that some token takes are read, and the fullest chip counts.
    [[nodiscard]] double experts(double rows, double own) const {
        if (!(model_.experts > 0)) {
            return 0;
        }
        const double cut = asked_.expert_tensor > 0 ? asked_.expert_tensor : asked_.tensor;
        const double groups = std::max(asked_.expert_groups, 1.0);
        const Format format{asked_.weight_bytes, asked_.bits};
        const double width = std::max(model_.expert_width / cut, 1.0);
        const double shared_width = std::max(model_.expert_width / asked_.tensor, 1.0);
        const double weights = model_.matrices * model_.hidden * width;
        const double shared = model_.matrices * model_.hidden * shared_width * model_.shared_experts;
        const double share = std::min(model_.chosen / model_.experts, 1.0);
        const double held = model_.experts / groups;
        double read = held * (1 - std::pow(1 - share, rows));
        double taken = rows * model_.chosen / groups;
        if (groups > 1) {
            const double deviations = at(values_, Constant::imbalance) * std::sqrt(2 * std::log(groups));
            read = std::min(
                {read + deviations * std::sqrt(read * (1 - read / held)), held, rows * model_.chosen});
            taken += deviations * std::sqrt(taken);
        }
        const double size = at(values_, Constant::dimension);
        const double compute =
            2 * (taken * weights * (1 + size / width) + own * shared * (1 + size / shared_width)) /
            arithmetic_rate(format) * (1 + size / model_.hidden);
        return either_bound(compute,
                            (read * weights * at(values_, Constant::expert_read) + shared) * format.bytes /
                                weights_rate(),
                            at(values_, Constant::bound_power));
    }

    /// The last token of each request, in 16 bits.
    [[nodiscard]] double head(double rows) const {
        if (!(rows > 0)) {
            return 0;
        }
        rows /= asked_.data;
        const double d = model_.hidden, columns = model_.vocabulary / asked_.tensor;
        const double size = at(values_, Constant::dimension);
        const double compute = 2 * rows * d * columns / (chip_.peak_16 * at(values_, Constant::gemm)) *
                               (1 + size / d) * (1 + size / columns);
        constexpr double logit = 12; // written in 32 bits, read by two passes of sampling in half of them
        const double bytes = element * d * columns + rows * (element * d + logit * columns);
        return either_bound(compute, bytes / weights_rate(), at(values_, Constant::bound_power)) +
               at(values_, Constant::sampling) * rows;
    }

    /// Sums over the chips of a replica, after attention and after the feed-forward network.
    [[nodiscard]] double exchanges(double own, double host) const {
        const double n = asked_.tensor;
        double time = 0;
        if (asked_.data > 1 && model_.experts > 0) {
            time = model_.expert_layers() * dispatch(own, host);
        }
        if (n <= 1) {
            return time;
        }
        const double bytes = element * own * model_.hidden;
        const bool pcie = chip_.over_pcie(n), beyond = chip_.pair > 0 && n > chip_.pair;
        // Its thresholds (customAllReduceKernels) by what the curves show: 8 x A100 change between 256 KiB
        // and 512 KiB, Hopper between 512 KiB and 1 MiB.
        const double at_once = chip_.hopper() ? 6e5 : 3e5;
        const bool whole = !pcie && asked_.first_kernels && bytes <= at_once;
        const double moved = whole ? (n - 1) * bytes : 2 * (n - 1) / n * bytes;
        double rate =
            (beyond ? chip_.rate_beyond_pairs : chip_.link_rate) * at(values_, Constant::exchange_rate);
        constexpr double mebibyte = 1 << 20;
        if (chip_.pair > 0 && n == 4 && bytes > 64 * mebibyte) {
            rate *= at(values_, Constant::large_message);
        }
        double latency = at(values_, Constant::exchange_latency) *
                         std::pow(n / 4, at(values_, Constant::latency_growth)) *
                         (beyond ? at(values_, Constant::beyond_pairs) : 1);
        if (pcie && n > 4) {
            constexpr double knee = 1e5; // bytes
            latency += at(values_, Constant::pcie_step) / (1 + std::pow(knee / bytes, 6));
        }
        const double sums = model_.parallel || asked_.data > 1 ? 1 : 2;
        return time + model_.layers * sums * (latency * host + moved / rate);
    }

    /// Tokens to their experts on other chips, in 8 bits, and back, in 16.
    [[nodiscard]] double dispatch(double of_group, double host) const {
        const double n = asked_.chips(), own = of_group / asked_.tensor;
        const double copies = std::min(model_.chosen, n);
        const double bytes = own * copies * model_.hidden * (1 + element);
        const bool beyond = n > chip_.domain;
        const double outside = beyond ? (n - chip_.domain) / n : 0;
        const double seconds =
            bytes * ((1 - outside) / (chip_.link_rate * at(values_, Constant::dispatch)) +
                     outside / (chip_.rate_beyond_domain * at(values_, Constant::dispatch)));
        return seconds + 2 * at(values_, Constant::exchange_latency) * host *
                             std::pow(n / 4, at(values_, Constant::latency_growth));
    }

    [[nodiscard]] double decode_attention(double requests, double cached) const {
        if (!(requests > 0)) {
            return 0;
        }
        const double batch = requests / asked_.data;
        double context = cached / requests;
        const double whole = context;
        if (model_.seen_keys > 0) {
            context = std::min(context, model_.seen_keys);
        }
        if (model_.window > 0) {
            context = context * (1 - model_.window_layers) +
                      std::min(context, model_.window) * model_.window_layers;
        }
        const double kept = model_.latent ? cache_latent + rotary : 2 * kept_heads() * model_.head_size;
        const double cache_rate = chip_.memory_rate * at(values_, Constant::cache);
        double read = kept * asked_.cache_bytes * batch * context / cache_rate;
        if (model_.seen_keys > 0) {
            read += batch * whole * index_bytes / cache_rate;
        }
        const double group = model_.heads / model_.kv_heads;
        double time = read;
        if (model_.latent) {
            const double compute = batch * (1 + asked_.drafts) * context * 2 * model_.heads / asked_.tensor *
                                   (2 * cache_latent + rotary) /
                                   (chip_.peak_16 * at(values_, Constant::latent_compute));
            time = either_bound(read, compute, 2);
        }
        if (asked_.first_kernels && !(group == 8 && model_.head_size == 128)) {
            constexpr double other_clock = 240e9; // where it is not said: a Hopper's
            const double clock = chip_.attention_clock > 0 ? chip_.attention_clock : other_clock;
            const double clocks = at(values_, chip_.hopper() ? Constant::walk_hopper : Constant::walk_other);
            const double walk =
                context * model_.head_size / 128 *
                (at(values_, Constant::walk_token) + batch * model_.heads / asked_.tensor * clocks / clock);
            time = either_bound(read, walk, 8);
        }
        if (model_.hybrid) {
            constexpr double state_bytes = 8; // read and written in 32 bits
            const double state = model_.linear_state / asked_.tensor * state_bytes * batch / cache_rate;
            time = time * full_layers + state * (1 - full_layers);
        }
        return model_.layers * time;
    }

    [[nodiscard]] double prompt_attention(double tokens, double pairs, double groups) const {
        if (!(tokens > 0)) {
            return 0;
        }
        double seen = pairs;
        if (model_.seen_keys > 0) {
            seen = std::min(seen, tokens * model_.seen_keys);
        }
        if (model_.window > 0) {
            seen = seen * (1 - model_.window_layers) +
                   std::min(seen, tokens * model_.window) * model_.window_layers;
        }
        const double score = model_.latent ? (plain_size() + rotary + value_size()) / 2 : model_.head_size;
        return model_.layers * (model_.hybrid && model_.linear_rows > 0 ? full_layers : 1) * 4 * seen *
               model_.heads * score / (asked_.tensor * groups) /
               (chip_.peak_16 * at(values_, Constant::prefill_attention));
    }

    [[nodiscard]] double launches(Constant of_layer) const {
        return at(values_, of_layer) *
               (model_.layers * (1 +
                                 ((model_.latent ? 1 : 0) + (model_.seen_keys > 0 ? 1 : 0)) *
                                     at(values_, Constant::latent_launch) +
                                 (model_.hybrid ? at(values_, Constant::linear_launch) : 0)) +
                model_.expert_layers() * at(values_, Constant::expert_launch));
    }

    [[nodiscard]] double weights_rate() const { return chip_.memory_rate * at(values_, Constant::memory); }

  private:
    static constexpr double index_bytes = 128; ///< of a token, of the index of sparse attention

    [[nodiscard]] double arithmetic_rate(const Format& format) const {
        double gemm = at(values_, Constant::gemm);
        if (format.bits == 16 && format.bytes < element) {
            gemm *= at(values_, Constant::dequantize);
        }
        if (format.bits == 4 && chip_.peak_4 > 0) {
            return chip_.peak_4 * gemm * at(values_, Constant::four_bits);
        }
        return format.bits < 16 && chip_.peak_8 > 0
                   ? chip_.peak_8 * gemm * at(values_, Constant::low_precision)
                   : chip_.peak_16 * gemm * (format.bits < 16 ? at(values_, Constant::low_precision) : 1);
    }
    [[nodiscard]] double kept_heads() const { return std::max(model_.kv_heads / asked_.tensor, 1.0); }
    [[nodiscard]] double plain_size() const {
        return model_.plain_size > 0 ? model_.plain_size : plain_of_head;
    }
    [[nodiscard]] double value_size() const {
        return model_.value_size > 0 ? model_.value_size : value_of_head;
    }

    const InferenceAsked& asked_;
    const InferenceValues& values_;
    const InferenceModel& model_;
    const InferenceChip& chip_;
};

} // namespace

void launch_ahead(InferenceStep& step) {
    const double work = step.total() - step.overhead;
    step.overhead = either_bound(work, step.overhead, 2) - work;
}

bool launches_one_by_one(const InferenceAsked& asked, const StepBatch& batch) {
    constexpr double largest_graph = 512; // tokens, of vLLM by default (CompilationConfig)
    return batch.prompt_tokens > 0 &&
           (!asked.launches_ahead ||
            batch.prompt_tokens + batch.decoding * (1 + asked.drafts) > largest_graph);
}

InferenceStep step_in_order(const InferenceAsked& asked, const StepBatch& batch,
                            const InferenceValues& values) {
    const StepLaw law(asked, values);
    const InferenceModel& model = *asked.model;
    const bool prompts = batch.prompt_tokens > 0;
    const double checked = batch.decoding * (1 + asked.drafts);
    const double slower = at(values, Constant::engine_prefill), host = at(values, Constant::engine_host);
    const double rows = batch.prompt_tokens + checked;
    // A prompt stays in its group, and the groups wait for each other.
    const double groups = std::clamp(batch.prompts, 1.0, asked.data);
    const double own = checked / asked.data, prompt_own = batch.prompt_tokens / groups;
    // Where the host launches ahead, engines differ in what it launches, and not in what the chips compute.
    const double slower_work = asked.launches_ahead ? 1 : slower;
    InferenceStep step;
    step.gemm = law.products(checked, own);
    if (prompts) {
        step.gemm += slower_work * (law.products(rows, own + prompt_own) - step.gemm);
    }
    step.head = law.head(batch.prompts_ended + checked);
    step.attention = slower_work * law.prompt_attention(batch.prompt_tokens, batch.prompt_keys, groups) +
                     law.decode_attention(batch.decoding, batch.cached);
    step.vectors = model.layers * model.hidden / asked.chip->memory_rate *
                   (slower_work * at(values, Constant::prefill_vectors) * prompt_own +
                    at(values, Constant::decode_vectors) * own);
    step.exchange = law.exchanges(own + prompt_own, prompts ? 1 : host);
    step.overhead =
        launches_one_by_one(asked, batch)
            ? slower * (law.launches(Constant::prefill_layer) + at(values, Constant::prefill_start))
            : law.launches(Constant::layer) * host;
    return step;
}

InferenceStep mixed_step(const InferenceAsked& asked, const StepBatch& batch, const InferenceValues& values) {
    InferenceStep step = step_in_order(asked, batch, values);
    if (asked.launches_ahead && launches_one_by_one(asked, batch)) {
        launch_ahead(step);
    }
    step.overhead += at(values, Constant::step_start);
    return step;
}

InferenceStep prefill_step(const InferenceAsked& asked, const InferenceValues& values) {
    const double tokens = asked.batch * asked.input;
    return mixed_step(asked, {tokens, tokens * asked.input / 2, asked.batch, asked.batch, 0, 0}, values);
}

InferenceStep decode_step(const InferenceAsked& asked, double context, const InferenceValues& values) {
    return mixed_step(asked, {0, 0, 0, 0, asked.batch, asked.batch * context}, values);
}

InferenceStep middle_decode_step(const InferenceAsked& asked, const InferenceValues& values) {
    return decode_step(asked, asked.input + asked.output / 2, values);
}

double inference_memory(const InferenceAsked& asked, const InferenceValues& values) {
    const InferenceModel& model = *asked.model;
    const double n = asked.tensor, embedding = model.vocabulary * model.hidden;
    const double body = model.parameters - embedding * (model.tied ? 1 : 2);
    const double experts = std::min(body, model.expert_layers() * model.experts * model.matrices *
                                              model.hidden * model.expert_width);
    const double cut = asked.expert_tensor > 0 ? asked.expert_tensor : n;
    const double other_bytes = asked.other_weight_bytes > 0 ? asked.other_weight_bytes : asked.weight_bytes;
    // The embedding lies on every chip, the head is cut.
    const double weights = experts * asked.weight_bytes / (cut * std::max(asked.expert_groups, 1.0)) +
                           (body - experts) * other_bytes / n + element * embedding * (1 + 1 / n) +
                           element * embedding * at(values, Constant::embedding_copy);
    const double kept =
        model.latent ? cache_latent + rotary : 2 * std::max(model.kv_heads / n, 1.0) * model.head_size;
    const double keeping = model.hybrid ? full_layers : 1 - model.window_layers;
    const double cache = model.layers * keeping * kept * asked.cache_bytes * asked.batch / asked.data *
                         (asked.input + asked.output);
    const double tokens = asked.batch / asked.data * asked.input;
    const double wide = ((model.heads + 2 * model.kv_heads) * model.head_size +
                         (model.matrices - 1) * std::max(model.width, model.chosen * model.expert_width)) /
                        n;
    double bytes = weights + cache + at(values, Constant::runtime) +
                   tokens * (at(values, Constant::activation) * model.hidden +
                             at(values, Constant::wide_activation) * wide) +
                   at(values, Constant::logits) * 4 * asked.batch * model.vocabulary / n;
    if (asked.chips() > 1) {
        bytes += at(values, Constant::group_memory);
    }
    if (asked.chip->hopper() && asked.chip->pair == 0 && asked.chips() >= 4) {
        bytes += at(values, Constant::nvlink_memory) +
                 (asked.chips() >= 8 ? at(values, Constant::nvlink_memory_of_eight) : 0);
    }
    return bytes;
}

} // namespace meshslice
