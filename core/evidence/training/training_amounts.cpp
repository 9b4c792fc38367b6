#include "core/evidence/training/training_amounts.h"

#include "core/cost/collective/expert_exchange.h"
#include "core/cost/gemm_roofline.h"
#include "core/evidence/training/training_network.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

constexpr double bf16 = 2; ///< bytes
/// Latent attention as DeepSeek-V3 has it (arXiv 2412.19437, section 4.2); the models measured share it.
constexpr double query_rank = 1536, key_rank = 512, plain_part = 128, rotary_part = 64, value_part = 128;
/// A backward pass of fused attention has five products where the forward pass has two (FlashAttention 2,
/// arXiv 2307.08691, section 3.1).
constexpr double attention_passes = 3.5;
/// A score's exponent and its bookkeeping take a matrix unit's time for so many multiplications, by which
/// heads of 64 are slower than those of 128.
constexpr double score_cost = 64, usual_head = 128;
/// Tokens that a packed sample of fine-tuning sees, at most: those of SQuAD and such have a few hundred.
constexpr double packed_sees = 256;
/// Bytes of an element of the stream: two norms and two sums, forward and backward (norm_law of core/work).
constexpr double stream_bytes = 2 * 14 + 2 * 6;
constexpr double gated_bytes = 16, plain_bytes = 10; ///< of an activation (gated_law and gelu_law)
constexpr double rotary_bytes = 8;
/// Shares of the vector operations that a forward pass is, and that norms and the activation are.
constexpr double vectors_again = 0.35, feed_forward_vectors_again = 0.2;
/// Bytes of a parameter that an Adam step passes, and that summing fp32 gradients of micro-batches does.
constexpr double adam_traffic = 30, gradient_traffic = 8;

/// A matrix of a layer on one chip: rows by `out`.
struct LayerMatrix {
    double in = 0, out = 0;
};

std::vector<LayerMatrix> attention_matrices(const TrainingRow& row, double t) {
    if (row.latent) {
        return {{row.hidden, query_rank},
                {query_rank, row.heads * (plain_part + rotary_part) / t},
                {row.hidden, key_rank + rotary_part},
                {key_rank, row.heads * (plain_part + value_part) / t},
                {row.heads * value_part / t, row.hidden}};
    }
    return {{row.hidden, (row.heads + 2 * row.kv_heads) * row.head_size / t},
            {row.heads * row.head_size / t, row.hidden}};
}
std::vector<LayerMatrix> feed_forward_matrices(const TrainingRow& row, double width, double t) {
    return {{row.hidden, (row.matrices - 1) * width / t}, {width / t, row.hidden}};
}
double elements(const std::vector<LayerMatrix>& matrices) {
    double sum = 0;
    for (const LayerMatrix& one : matrices) {
        sum += one.in * one.out;
    }
    return sum;
}

/// Those that have adapters.
std::vector<LayerMatrix> adapted_of_attention(const TrainingRow& row, double t) {
    std::vector<LayerMatrix> all = attention_matrices(row, t);
    if (row.adapters.targets == AdapterTargets::qkv) {
        all.pop_back(); // the one out of it
    }
    return all;
}
std::vector<LayerMatrix> adapted_of_feed_forward(const TrainingRow& row, double width, double t) {
    return row.adapters.targets == AdapterTargets::all ? feed_forward_matrices(row, width, t)
                                                       : std::vector<LayerMatrix>();
}

/// Of one of in x rank and one of rank x out next to each.
double adapter_elements(const std::vector<LayerMatrix>& matrices, double rank) {
    double sum = 0;
    for (const LayerMatrix& one : matrices) {
        sum += rank * (one.in + one.out);
    }
    return sum;
}

double low_rate(const TrainingRow& row) {
    const TrainingChip& chip = *row.chip;
    const double fp8 = chip.fp8 > 0 ? chip.fp8 : chip.bf16;
    return row.bits == 4 ? (chip.fp4 > 0 ? chip.fp4 : fp8) : row.bits == 8 ? fp8 : chip.bf16;
}

/// Tokens that one sees on average.
double seen_tokens(const TrainingRow& row) {
    const double all = row.sequence / 2;
    double seen = all;
    if (row.own_model) { // the paper does not say how large its window is: half of what all would see
        seen = all / 2;
    }
    if (row.fine_tuning) {
        seen = std::min(seen, packed_sees);
    }
    if (row.facts.window > 0) {
        const double w = std::min(row.facts.window, row.sequence);
        const double windowed = row.facts.windowed / row.facts.windowed_in;
        seen = windowed * w * (1 - w / (2 * row.sequence)) + (1 - windowed) * seen;
    }
    return seen;
}

/// One micro-batch, a chip of the fullest stage.
class MicroBatch {
  public:
    explicit MicroBatch(const DecidedTraining& training)
        : training_(training)
        , row_(training.row)
        , net_(network_of(training.row))
        , weights_(weights_of(training.row))
        , tokens_(row_.micro_batch * row_.sequence / row_.context) {
        const double parts = row_.pipeline * row_.chunks;
        layers_ = row_.pipeline > 1 ? std::ceil(row_.layers / parts) * row_.chunks : row_.layers;
        with_experts_ = layers_ * row_.expert_layers() / row_.layers;
        passes_ = row_.lora ? 2 : 3;
        made_.head_behind = row_.pipeline > 1 && std::fmod(row_.layers, parts) != 0 ? 1 / layers_ : 0;
    }

    StepAmounts write() {
        products();
        if (with_experts_ > 0) {
            experts();
        }
        attention();
        vectors();
        ends();
        exchanges();
        weights();
        made_.layers = layers_;
        made_.sequence = row_.sequence;
        made_.older_attention = row_.stack == TrainingStack::fsdp && !row_.chip->name.starts_with("A100");
        made_.newer_experts = row_.newer_experts;
        made_.exchange_hidden = row_.exchange.overlap == ExpertOverlap::micro_batch;
        made_.micro_batches = row_.micro_batches;
        if (row_.pipeline > 1) {
            made_.bubble = (row_.pipeline - 1) / (row_.chunks * row_.micro_batches) * row_.bubble_share;
        }
        constexpr double first = 8;
        made_.doublings = std::max(0.0, std::log2(row_.chips / first));
        return made_;
    }

  private:
    [[nodiscard]] bool again(TrainedAgain from) const { return training_.again >= from; }
    [[nodiscard]] double again_ff() const { return again(TrainedAgain::feed_forward) ? 1 : 0; }
    [[nodiscard]] double again_all() const { return again(TrainedAgain::all) ? 1 : 0; }
    [[nodiscard]] bool attends_again() const {
        return training_.again == TrainedAgain::all || training_.again == TrainedAgain::attention ||
               row_.attention_again;
    }

    void add(const LayerMatrix& matrix, double times) {
        const RooflineGemm gemm{tokens_, matrix.in, matrix.out, row_.bits, row_.bits, 16, false};
        const double share = size_share(gemm_half, matrix.in, matrix.out) * (tokens_ / (tokens_ + gemm_half));
        (row_.bits < 16 ? made_.low_gemm : made_.gemm) += times * gemm.flop() / low_rate(row_) / share;
        made_.gemm_bytes += times * gemm.bytes() / row_.chip->hbm_rate;
    }

    /// Two narrow products next to each matrix, forward and both ways back. Their operands bound them, and
    /// not how far they fill a matrix unit.
    void add_adapters(const std::vector<LayerMatrix>& matrices, double layers) {
        for (const LayerMatrix& matrix : matrices) {
            for (const LayerMatrix& one : {LayerMatrix{matrix.in, rank()}, LayerMatrix{rank(), matrix.out}}) {
                const RooflineGemm gemm{tokens_, one.in, one.out};
                const double times = row_.lora ? 3 * layers : 0;
                made_.gemm += times * gemm.flop() / row_.chip->bf16;
                made_.gemm_bytes += times * gemm.bytes() / row_.chip->hbm_rate;
            }
        }
    }
    [[nodiscard]] double rank() const { return static_cast<double>(row_.adapters.rank); }

    void products() {
        const double t = row_.tensor;
        for (const LayerMatrix& one : attention_matrices(row_, t)) {
            add(one, layers_ * (passes_ + again_all()));
        }
        add_adapters(adapted_of_attention(row_, t), layers_);
        if (row_.width > 0 && layers_ > with_experts_) {
            for (const LayerMatrix& one : feed_forward_matrices(row_, row_.width, t)) {
                add(one, (layers_ - with_experts_) * (passes_ + again_ff()));
            }
            add_adapters(adapted_of_feed_forward(row_, row_.width, t), layers_ - with_experts_);
        }
        if (with_experts_ > 0 && row_.facts.shared_experts > 0) {
            const StepAmounts before = made_;
            for (const LayerMatrix& one : feed_forward_matrices(row_, row_.expert_width, t)) {
                add(one, with_experts_ * (passes_ + again_ff()));
            }
            add_adapters(adapted_of_feed_forward(row_, row_.expert_width, t), with_experts_);
            if (row_.exchange.overlap == ExpertOverlap::shared) {
                made_.shared_gemm = made_.gemm - before.gemm;
                made_.low_shared_gemm = made_.low_gemm - before.low_gemm;
                made_.shared_gemm_bytes = made_.gemm_bytes - before.gemm_bytes;
            }
        }
    }

    void experts() {
        const double own = tokens_ / row_.tensor; // tokens of a tensor group are shared
        const ExpertRouting routing = {row_.experts, row_.chosen, static_cast<double>(row_.facts.groups),
                                       static_cast<double>(row_.facts.groups_per_token)};
        const double routed = own * row_.chosen * fullest_work(routing, row_.exchange, row_.expert);
        const double local = std::max(1.0, row_.experts / row_.expert);
        const double rows = routed / local;
        const double times = with_experts_ * (passes_ + again_ff());
        const double width = row_.expert_width, hidden = row_.hidden, hbm = row_.chip->hbm_rate;
        const double weight = static_cast<double>(row_.bits) / 8;
        const double flop = 2 * routed * row_.matrices * hidden * width;
        const double share = size_share(expert_half, hidden, width) * (rows / (rows + expert_row_half));
        (row_.bits < 16 ? made_.low_expert_gemm : made_.expert_gemm) = times * flop / low_rate(row_) / share;
        made_.expert_gemm_bytes =
            times *
            (weight * (routed * (hidden + width) + local * row_.matrices * hidden * width) +
             bf16 * routed * ((row_.matrices - 1) * width + hidden)) /
            hbm;
        adapters_of_experts(routed, local);
        // Sorted before and after they travel, and back; the activation between.
        made_.expert_vectors =
            with_experts_ * (3 + again_ff()) * bf16 * routed * (4 * hidden + 3 * width) / hbm;
        constexpr double router = 2; // routing and sorting cost the host as much as two experts
        made_.expert_launches = with_experts_ * (router + local);
        if (row_.expert > 1) {
            // There and back, in both directions, as in a plan; members stand a tensor group apart.
            const double domains = std::max(1.0, std::ceil(row_.expert * row_.tensor / net_.domain));
            ChipGroup group;
            group.chips = std::llround(row_.expert);
            group.within.fill(std::max<std::int64_t>(1, std::llround(row_.expert / domains)));
            const CopiesAcross copies =
                copies_across(limited(routing, row_.exchange, domains), row_.exchange, group, 2);
            const auto takes = [&](double bytes) {
                return own * hidden * bytes * std::max(copies[0] / net_.inside, copies[1] / net_.outside);
            };
            made_.expert_exchange =
                with_experts_ * (2 + again_all()) * (takes(dispatch_bytes(row_.exchange)) + takes(bf16));
        }
    }

    /// Next to each matrix of each expert of the chip, as add_adapters() has them.
    void adapters_of_experts(double routed, double local) {
        if (!row_.lora) {
            return;
        }
        for (const LayerMatrix& matrix : adapted_of_feed_forward(row_, row_.expert_width, 1)) {
            const double numbers = rank() * (matrix.in + matrix.out);
            const double passes = 3 * with_experts_;
            made_.expert_gemm += passes * 2 * routed * numbers / row_.chip->bf16;
            made_.expert_gemm_bytes += passes * bf16 *
                                       (routed * (matrix.in + 2 * rank() + matrix.out) + local * numbers) /
                                       row_.chip->hbm_rate;
        }
    }

    void attention() {
        const double head = row_.latent ? (plain_part + rotary_part + value_part) / 2 : row_.head_size;
        const double forward = 4 * tokens_ * seen_tokens(row_) * row_.heads * (head + score_cost) /
                               (1 + score_cost / usual_head) / row_.tensor;
        made_.attention =
            layers_ * (attention_passes + (attends_again() ? 1 : 0)) * forward / row_.chip->bf16;
        if (row_.early) { // scores are written and read: 5 bytes of each in every pass
            made_.score_bytes = layers_ * (3 + (attends_again() ? 1 : 0)) * 5 * tokens_ * row_.sequence *
                                row_.heads / row_.tensor / row_.chip->hbm_rate;
        }
    }

    void vectors() {
        const double t = row_.tensor, hidden = row_.hidden, dense = layers_ - with_experts_;
        const double query = row_.heads * row_.head_size, key_value = row_.kv_heads * row_.head_size;
        double bytes = layers_ * hidden / t * stream_bytes +
                       dense * row_.width / t * (row_.matrices > 2 ? gated_bytes : plain_bytes) +
                       layers_ * (query + key_value) / t * rotary_bytes;
        if (row_.bits < 16) { // casts: read in bf16, written twice, for both products of a backward pass
            const double cast = 2 * (bf16 + 2 * static_cast<double>(row_.bits) / 8);
            bytes += layers_ * cast * (2 * hidden + 2 * query + 2 * key_value) / t +
                     dense * cast * (hidden + row_.matrices * row_.width) / t;
        }
        const double share = training_.again == TrainedAgain::all ||
                                     training_.again == TrainedAgain::vectors || row_.vectors_again
                                 ? vectors_again
                             : training_.again == TrainedAgain::feed_forward ? feed_forward_vectors_again
                                                                             : 0;
        made_.vectors = (1 + share) * bytes * tokens_ / row_.chip->hbm_rate;
    }

    /// The output head, in bf16, and the loss: fp32 logits are written, read and their gradients written.
    void ends() {
        constexpr double loss_bytes = 12;
        const double words = row_.vocabulary / row_.tensor;
        const RooflineGemm head{tokens_, row_.hidden, std::max(words, 1.0)};
        made_.head_gemm = passes_ * head.flop() / row_.chip->bf16;
        made_.head_bytes = (passes_ * head.bytes() + loss_bytes * tokens_ * words) / row_.chip->hbm_rate;
    }

    void exchanges() {
        const double stream = tokens_ * row_.hidden * bf16;
        if (row_.tensor > 1) {
            const double t = row_.tensor;
            const double once = stream * (t - 1) / t / net_.ring(t, 1);
            const bool dense = (layers_ - with_experts_) / layers_ > 0.5;
            const double blocks = row_.own_model ? 1 : with_experts_ > 0 && !dense ? 1 : 2;
            // A gather and a scatter each way, and a gather again for the weights' gradients.
            made_.tensor = layers_ * once * blocks * (4 + (row_.lora ? 0 : 1) + 2 * again_all());
        }
        if (row_.context > 1) {
            const double pair = tokens_ * 2 * row_.kv_heads * row_.head_size / row_.tensor * bf16;
            const double others = row_.context - 1;
            if (row_.context_by == ContextExchange::all_to_all) {
                // Queries, keys and values, and outputs back; each chip sends its own part of the tokens, and
                // keys and values of a head that several chips have once to each.
                const double queries = tokens_ * row_.heads * row_.head_size / row_.tensor * bf16;
                const double again = std::max(1.0, row_.context * row_.tensor / row_.kv_heads);
                made_.context_waited = layers_ * 2 * (2 * queries + again * pair) * others / row_.context /
                                       net_.ring(row_.context, row_.tensor);
            } else {
                const double takes = layers_ * 3 * pair * others / net_.ring(row_.context, row_.tensor);
                (row_.context_by == ContextExchange::ring ? made_.context : made_.context_waited) = takes;
            }
        }
        if (row_.pipeline > 1) {
            const double apart = row_.tensor * row_.context * row_.data;
            const bool leaves = apart >= net_.domain || net_.domain <= 8;
            made_.transfers = 2 * stream / row_.tensor * row_.chunks * (row_.pipeline - 1) /
                              (leaves ? net_.outside : net_.inside);
        }
    }

    /// What copies exchange of weights and gradients, and the optimizer.
    void weights() {
        const double copies = row_.data * row_.context;
        const double share = row_.expert_layers() / row_.layers;
        const double dense_part = row_.experts > 0 ? 1 - share : 1;
        const auto of_chip = [&](const TrainingWeights& its) {
            return std::pair(
                ((its.attention + its.feed_forward * dense_part + its.shared_expert * share) * layers_ +
                 its.ends * (row_.pipeline > 1 ? 0.5 : 1)) /
                    row_.tensor,
                its.experts * share * layers_ / row_.expert / training_.experts_cut);
        };
        const auto [all_dense, all_experts] = of_chip(weights_);
        // What is trained of it.
        const auto [dense, experts] = row_.lora ? of_chip(adapters_of(row_)) : of_chip(weights_);
        const double hbm = row_.chip->hbm_rate;
        const double gradient = row_.stack == TrainingStack::megatron ? 4 : 2; // bytes
        if (row_.sharded_stack() && copies > 1) {
            const double n = std::min(std::max(1.0, row_.sharded), copies);
            const double trained = dense + experts;
            const double frozen = row_.lora ? all_dense + all_experts : 0;
            made_.gathers =
                (trained * (2 * row_.gathered + gradient) + frozen * 2 * frozen_bytes(row_.adapters.frozen)) *
                (n - 1) / n / net_.ring(n, row_.tensor);
            if (n < copies) {
                const double rest = std::floor(copies / n);
                (row_.sums_each_backward ? made_.gathers : made_.gradients) +=
                    2 * trained * gradient / n * (rest - 1) / rest / net_.outside;
            }
        }
        if (row_.lora && frozen_bytes(row_.adapters.frozen) != bf16) { // made into bf16 for both products
            made_.vectors +=
                2 * (all_dense + all_experts) * (frozen_bytes(row_.adapters.frozen) + bf16) / hbm;
        }
        const double expert_copies = std::max(1.0, std::floor(copies * row_.tensor / row_.expert));
        if (!row_.sharded_stack() && copies > 1) {
            const auto exchange = [&, dense = dense, experts = experts](double each) {
                return dense * each * (copies - 1) / copies / net_.ring(copies, row_.tensor) +
                       experts * each * (expert_copies - 1) / expert_copies /
                           net_.ring(expert_copies, row_.expert);
            };
            // Gradients that are shared (ZeRO 2) are summed after every backward pass.
            made_.gathers += row_.sums_each_backward ? exchange(gradient) : 0;
            made_.gradients = exchange(row_.sums_each_backward ? bf16 : gradient + bf16);
        }
        made_.optimizer = row_.sharded_stack() ? (dense + experts) / row_.sharded * adam_traffic / hbm
                                               : ((dense / copies + experts / expert_copies) * adam_traffic +
                                                  (dense + experts) * gradient_traffic) /
                                                     hbm;
    }

    const DecidedTraining& training_;
    const TrainingRow& row_;
    TrainingNetwork net_;
    TrainingWeights weights_;
    double tokens_ = 0, layers_ = 0, with_experts_ = 0, passes_ = 3;
    StepAmounts made_;
};

} // namespace

TrainingWeights weights_of(const TrainingRow& row) {
    TrainingWeights made;
    made.attention = elements(attention_matrices(row, 1));
    made.feed_forward = row.width > 0 ? elements(feed_forward_matrices(row, row.width, 1)) : 0;
    const double expert = row.matrices * row.hidden * row.expert_width;
    made.experts = row.experts * expert;
    made.shared_expert = static_cast<double>(row.facts.shared_experts) * expert;
    const double once = row.vocabulary * row.hidden;
    const double layers = (made.attention + made.feed_forward) * row.layers;
    // Tied where the parameters that the row names have room for one matrix only.
    const bool tied = row.experts <= 0 && std::abs(row.parameters - layers - once) < 0.02 * once;
    made.ends = once * (tied ? 1 : 2);
    return made;
}

TrainingWeights adapters_of(const TrainingRow& row) {
    const auto rank = static_cast<double>(row.adapters.rank);
    TrainingWeights made;
    made.attention = adapter_elements(adapted_of_attention(row, 1), rank);
    made.feed_forward =
        row.width > 0 ? adapter_elements(adapted_of_feed_forward(row, row.width, 1), rank) : 0;
    const double expert = adapter_elements(adapted_of_feed_forward(row, row.expert_width, 1), rank);
    made.experts = row.experts * expert;
    made.shared_expert = static_cast<double>(row.facts.shared_experts) * expert;
    return made;
}

StepAmounts amounts_of(const DecidedTraining& training) {
    return MicroBatch(training).write();
}

double counted_flop(const TrainingRow& row) {
    const TrainingWeights weights = weights_of(row);
    const double with = row.expert_layers();
    const double dense = row.experts > 0 ? row.layers - with : row.layers;
    const double active =
        weights.attention * row.layers + weights.feed_forward * dense +
        (row.chosen * row.matrices * row.hidden * row.expert_width + weights.shared_expert) * with;
    const double whole = 12 * row.layers * row.heads * row.head_size * row.sequence;
    const double head = row.vocabulary * row.hidden;
    const double tokens = row.tokens() / row.chips;
    switch (row.count) {
    case FlopCount::recomputed: return (8 * (active + head) + whole * 4 / 3) * tokens;
    case FlopCount::both_ends: return (6 * (active + 2 * head) + whole) * tokens;
    case FlopCount::whole_attention: return (6 * (active + head) + whole) * tokens;
    case FlopCount::half_attention: break;
    }
    return (6 * (active + head) + whole / 2) * tokens;
}

double quantity_of(const TrainingRow& row, double step_s) {
    switch (row.quantity) {
    case TrainingQuantity::tokens: return row.tokens() / row.chips / step_s;
    case TrainingQuantity::flop_rate: return counted_flop(row) / step_s;
    case TrainingQuantity::utilization: return counted_flop(row) / step_s / row.chip->bf16;
    case TrainingQuantity::none:
    case TrainingQuantity::step_time: break;
    }
    return step_s;
}

/// Turned round, a quantity that is a rate gives the step.
double measured_step(const TrainingRow& row) {
    return row.quantity == TrainingQuantity::step_time ? row.measured : quantity_of(row, row.measured);
}

} // namespace meshslice
