#include "core/plan/block.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace meshslice {
namespace {

constexpr double element = 2; // bytes

/// Writes the operations of a block. Integers are divided as whole numbers, which rounds down only where the
/// reference rules let a plan through that does not divide.
class BlockWriter {
  public:
    BlockWriter(const TrainingRun& run, const Plan& plan, ModelRules rules)
        : run_(run)
        , plan_(plan)
        , rules_(rules)
        , b_(plan.micro_batch)
        , l_(run.sequence)
        , e_(run.model.hidden)
        , m1_(plan.tensor1)
        , m2_(plan.tensor2)
        , l2_(l_ / m2_)
        , both_ways_(plan.splits_both_ways()) {}

    Block write() {
        const Transformer& model = run_.model;
        const bool plain = !model.gated; // biases and dropout
        const std::int64_t f = model.feed_forward;
        const std::int64_t a = model.heads * model.head_size;
        const double routed = static_cast<double>(model.experts_per_token);
        const double copies = static_cast<double>(model.experts);
        block_.operations.reserve(14);
        linear("FF1", e_, model.gated ? 2 * f : f, false, routed, copies);
        if (plain) {
            bias("FF1 bias", l2_, f / m1_, copies);
        }
        activation(static_cast<double>(b_ * l2_) * static_cast<double>(f / m1_) * routed);
        if (plain) {
            dropout("dropout 1", static_cast<double>(b_ * l2_) * static_cast<double>(f / m1_) * routed);
        }
        linear("FF2", f, e_, true, routed, copies);
        if (plain) {
            output_bias("FF2 bias", true);
            dropout("dropout 2", sharded_residual());
        }
        norm("norm 1");
        const std::int64_t kv = kv_heads() * model.head_size;
        qkv(a, kv);
        attention();
        linear("Output", a, e_, true, 1, 1);
        if (plain) {
            output_bias("Output bias", false);
            dropout("dropout 3", sharded_residual());
        }
        norm("norm 2");
        return std::move(block_);
    }

  private:
    double d(std::int64_t value) const { return static_cast<double>(value); }
    double tokens() const { return d(b_ * l2_); }

    LayerOperation& add(const char* name) {
        block_.operations.push_back({});
        block_.operations.back().name = name;
        return block_.operations.back();
    }

    /// Key-value heads of one chip: where there are fewer than tensor1, some chips have the same.
    std::int64_t kv_heads() const { return std::max<std::int64_t>(1, run_.model.kv_heads / m1_); }

    /// Y = X W. `rows`: W is split by rows (its input width), else by columns.
    void linear(const char* name, std::int64_t in, std::int64_t out, bool rows, double routed,
                double copies) {
        if (both_ways_) {
            return spread(name, in, out / m1_, routed, copies);
        }
        local(name, rows ? in / m1_ : in, rows ? out : out / m1_, rows, rows ? out : in, routed, copies);
    }

    /// Q, K and V in one product.
    void qkv(std::int64_t a, std::int64_t kv_of_chip) {
        const std::int64_t kv = run_.model.kv_heads * run_.model.head_size;
        const std::int64_t of_chip =
            m1_ <= run_.model.kv_heads ? (a + 2 * kv) / m1_ : a / m1_ + 2 * kv_of_chip;
        if (both_ways_) {
            spread("QKV", e_, of_chip, 1, 1);
        } else {
            local("QKV", e_, of_chip, false, e_, 1, 1);
        }
        block_.operations.back().of_attention = true;
    }

    /// `wide`: the width that the group reduces, forward where split by rows, backward where by columns.
    void local(const char* name, std::int64_t in, std::int64_t out, bool rows, std::int64_t wide,
               double routed, double copies) {
        LayerOperation& made = add(name);
        const double t = tokens() * routed, i = d(in), o = d(out);
        made.forward.matrix_flop = t * o * (2 * i - 1);
        made.forward.bytes = element * (t * i + t * o + copies * i * o);
        made.backward.matrix_flop = t * i * (2 * o - 1) + i * o * (2 * t - copies);
        made.backward.bytes = element * (2 * copies * i * o + 2 * t * i + 2 * t * o);
        made.kept = element * t * i;
        made.weights = element * copies * i * o;
        if (m1_ > 1) {
            const BlockCollective scatter{Collective::reduce_scatter, element * tokens() * d(wide), 0};
            (rows ? made.forward : made.backward).collectives = {scatter};
            if (!rows && !rules_.has(Slip::gathered_inputs)) {
                // Each chip keeps its part of the input and gathers the others' again, which the norm's
                // backward pass pays for.
                made.kept = element * t * i / d(m1_);
                block_.gathered = std::max(block_.gathered, element * t * i);
            }
        }
    }

    /// `out_of_chip`: columns of the output on one chip.
    void spread(const char* name, std::int64_t in, std::int64_t out_of_chip, double routed, double copies) {
        LayerOperation& made = add(name);
        const double t = tokens() * routed, i = d(in), o = d(out_of_chip);
        made.panelled = plan_.algorithm == nullptr;
        // A sum over i terms has i - 1 additions, however many panels it comes in.
        made.forward.matrix_flop = t * o * (rules_.has(Slip::panel_additions) ? 2 * i : 2 * i - 1);
        made.forward.bytes = element * (t * i + copies * i * o + d(plan_.panels) * t * o);
        made.backward.matrix_flop = t * i * (2 * o - 1) + i * o * (2 * t - copies);
        made.backward.bytes = 2 * made.forward.bytes;
        made.kept = element * t * d(in / m1_);
        made.weights = element * copies * d(in / m2_) * o;
        if (plan_.algorithm != nullptr) { // Its programs have the communication.
            constexpr std::array<std::string_view, 4> layers = {"QKV", "Output", "FF1", "FF2"};
            made.layer = static_cast<int>(std::ranges::find(layers, std::string_view(name)) - layers.begin());
            return;
        }
        const double activations = m1_ > 1 ? element * t * i : 0;
        const double weights = m2_ > 1 ? element * copies * i * o : 0;
        made.forward.collectives = {{Collective::broadcast, activations, 0},
                                    {Collective::broadcast, weights, 1}};
        made.backward.collectives = {{Collective::broadcast, weights, 1},
                                     {Collective::reduce, activations, 0},
                                     {Collective::broadcast, activations, 0},
                                     {Collective::reduce, weights, 1}};
    }

    void bias(const char* name, std::int64_t rows, std::int64_t columns, double copies = 1) {
        LayerOperation& made = add(name);
        const double x = d(b_ * rows) * d(columns) * (copies > 1 ? d(run_.model.experts_per_token) : 1);
        made.forward.vector_flop = made.backward.vector_flop = x;
        made.forward.bytes = made.backward.bytes = element * (x + copies * d(columns));
        made.weights = element * copies * d(columns);
    }

    /// Of what the group has reduced: a chip has its rows of it. The published 1D block adds it in full, and
    /// the published 2D block splits one of the two by columns.
    void output_bias(const char* name, bool feed_forward) {
        if (both_ways_) {
            bias(name, l2_, e_ / m1_);
        } else if (rules_.has(Slip::whole_biases) && plan_.strategy == TensorStrategy::one_d) {
            bias(name, l2_, e_);
        } else if (rules_.has(Slip::whole_biases) && !feed_forward) {
            bias(name, l2_, e_ / m1_);
        } else {
            bias(name, l2_ / m1_, e_);
        }
    }

    double sharded_residual() const {
        return both_ways_ ? tokens() * d(e_ / m1_) : d(b_ * (l_ / (m1_ * m2_))) * d(e_);
    }

    /// GELU, or SiLU times the gate.
    void activation(double x) {
        LayerOperation& made = add("activation");
        const bool gated = run_.model.gated;
        made.forward.vector_flop = (gated ? 9 : 8) * x;
        made.forward.bytes = (gated ? 6 : 4) * x;
        made.backward.vector_flop = (gated ? 15 : 13) * x;
        made.backward.bytes = (gated ? 10 : 6) * x;
        made.kept = (gated ? 4 : 2) * x;
    }

    void dropout(const char* name, double x) {
        LayerOperation& made = add(name);
        made.forward.vector_flop = made.backward.vector_flop = x;
        made.forward.bytes = made.backward.bytes = 5 * x;
        made.kept = x;
    }

    void norm(const char* name) {
        LayerOperation& made = add(name);
        const std::int64_t rows = both_ways_ ? l2_ : l2_ / m1_;
        const std::int64_t columns = !both_ways_                            ? e_
                                     : rules_.has(Slip::norm_over_sequence) ? l_ / m1_
                                                                            : e_ / m1_;
        const double r = d(b_ * rows), c = d(columns), x = r * c;
        made.forward.vector_flop = 9 * x;
        made.forward.bytes = element * (2 * x + 2 * r + 2 * c);
        made.backward.vector_flop = 12 * x - 4 * r;
        made.backward.bytes = element * (5 * x + 2 * c);
        made.kept = element * x;
        made.weights = 2 * element * c;
        if (m1_ > 1 && both_ways_) {
            const double gradients = d((2 * e_) / m1_) + d((2 * b_ * l_) / m2_);
            made.forward.collectives = {{Collective::all_reduce, 2 * element * tokens(), 0}};
            made.backward.collectives = {{Collective::all_reduce, element * gradients, 0}};
        } else if (m1_ > 1) {
            const double whole = element * tokens() * d(e_);
            made.forward.collectives = {{Collective::all_gather, whole, 0}};
            made.backward.collectives = {
                {rules_.has(Slip::gathered_inputs) ? Collective::reduce_scatter : Collective::all_gather,
                 whole, 0}};
        }
        block_.sent = block_.input = element * x;
    }

    /// Fused (FlashAttention): nothing of size sequence x sequence is kept, and the backward pass computes
    /// the logits again. Softmax and its dropout at the vector rate.
    void attention() {
        LayerOperation& made = add("attention");
        made.of_attention = true;
        const double q = d(run_.model.head_size);
        const double heads = d(run_.model.heads / m1_), l = d(l_), l2 = d(l2_), b = d(b_);
        const double u = b * heads * l2, s = u * l;
        const double kv = b * d(kv_heads()) * q;
        const double dropped = run_.model.gated ? 0 : s;
        const double softmax = 2 * s + u * (l - 1);
        const double logits = s * (2 * q - 1);
        // A token sees itself and those before it; the shares of a split sequence are taken to be balanced.
        const double seen = run_.causal && !rules_.has(Slip::full_attention) ? (l + 1) / (2 * l) : 1;
        made.forward.matrix_flop = seen * (logits + u * q * (2 * l - 1));
        made.forward.vector_flop = seen * (softmax + dropped);
        made.forward.bytes = element * (2 * u * q + 2 * kv * l + u);
        made.backward.matrix_flop =
            seen * (u * q * (2 * l - 1) + 2 * b * heads * l * q * (2 * l2 - 1) + 2 * logits);
        made.backward.vector_flop = seen * (3 * s + u * (l - 1) + dropped + softmax + dropped);
        // Its output is what the Output GEMM keeps; the published block counts it twice.
        made.kept = element * ((rules_.has(Slip::twice_kept) ? 2 : 1) * u * q + 2 * kv * l2 + 2 * u);
        made.backward.bytes =
            element * (2 * kv * l + 2 * u * q) + element * (2 * u * q + 2 * kv * l2 + 2 * u);
        // An algorithm's rows of chips may have whole samples each.
        const bool whole_samples = plan_.algorithm != nullptr && b_ % m2_ == 0;
        if (m2_ > 1 && !whole_samples) {
            const double both = 2 * element * kv * l;
            made.forward.collectives = {{Collective::all_gather, both, 1}};
            made.backward.collectives = {{Collective::all_gather, both, 1},
                                         {Collective::reduce_scatter, both, 1}};
        }
    }

    const TrainingRun& run_;
    const Plan& plan_;
    ModelRules rules_;
    std::int64_t b_, l_, e_, m1_, m2_, l2_;
    bool both_ways_;
    Block block_;
};

} // namespace

Block transformer_block(const TrainingRun& run, const Plan& plan, ModelRules rules) {
    return BlockWriter(run, plan, rules).write();
}

} // namespace meshslice
