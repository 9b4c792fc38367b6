#include "core/plan/share.h"

#include "core/work/laws.h"
#include "core/work/training.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace meshslice {
namespace {

constexpr double element = 2; // bytes

class Sharing {
  public:
    Sharing(const Plan& plan, ModelRules rules, Uneven uneven, const ExpertExchange& exchange)
        : plan_(plan)
        , exchange_(exchange)
        , rules_(rules)
        , fullest_(uneven == Uneven::of_fullest && !rules.has(Slip::rounding_down))
        , m1_(static_cast<double>(plan.tensor1))
        , m2_(static_cast<double>(plan.tensor2))
        , experts_(static_cast<double>(plan.experts))
        , both_ways_(plan.splits_both_ways()) {}

    ChipTasks share(std::span<const Task> tasks) {
        made_.operations.reserve(14);
        for (const Task& task : tasks) {
            if (is_of_experts(task)) {
                to_experts_ = true;
                fuller_ = fullest_work({task.dims.copies, task.dims.routed}, exchange_, experts_);
            }
            with_shared_ = with_shared_ || task.name == shared_ff1_task;
            operand_ = task.kind == TaskKind::gemm ? task.dims.operand : operand_;
        }
        for (auto first = tasks.begin(); first != tasks.end();) {
            const auto next = std::find_if(first + 1, tasks.end(),
                                           [](const Task& task) { return task.pass == Pass::forward; });
            add({first, next});
            first = next;
        }
        return std::move(made_);
    }

  private:
    /// A chip's part of a dimension.
    [[nodiscard]] double part(double whole, double by) const {
        const double share = whole / by;
        return rules_.has(Slip::rounding_down) ? std::floor(share) : fullest_ ? std::ceil(share) : share;
    }

    /// With what it is computed again, and what it then drops.
    static void set_recomputation(ChipTask& made, const Task& task) {
        const bool stream = task.place == TaskPlace::stream, into = task.place == TaskPlace::into;
        const bool gemm = task.kind == TaskKind::gemm;
        const bool of_experts = task.dims.copies > 1;
        if (task.of_mixer && (into || task.place == TaskPlace::inside)) {
            made.again_with = Recompute::attention;
        }
        if (task.kind == TaskKind::attention) {
            made.again_with = made.again_with | Recompute::core_attention;
        }
        if (task.law == norm_law) {
            made.again_with = Recompute::norms;
        }
        // Tokens on their way to experts are kept as they came.
        if (gemm && into && !of_experts) {
            made.drops_with = Recompute::norms;
        }
        if (!task.of_mixer && !stream) {
            made.again_with = Recompute::feed_forward;
            if (!gemm) {
                made.again_with = made.again_with | Recompute::activations;
                made.drops_with = Recompute::feed_forward;
            } else if (!into) {
                made.drops_with = Recompute::feed_forward | Recompute::activations;
            } else if (of_experts) {
                made.drops_with = Recompute::feed_forward;
            }
        }
    }

    /// All tasks of one operation, its forward pass first.
    void add(std::span<const Task> tasks) {
        const Task& first = tasks.front();
        ChipTask& made = made_.operations.emplace_back();
        made.name = first.name;
        set_recomputation(made, first);
        Dims dims = first.dims;
        dims.rows = part(dims.rows, m2_);
        dims.copies = is_of_experts(first) ? dims.copies / experts_ : dims.copies;
        made.of_shared = is_shared(first);
        if (to_experts_ && !first.of_mixer && first.place != TaskPlace::stream && !made.of_shared) {
            dims.routed *= fuller_;
        }
        switch (first.kind) {
        case TaskKind::gemm:
            made.in_recipe = dims.operand != element;
            if (first.place == TaskPlace::stream) {
                on_own_rows(made, tasks, dims);
            } else {
                both_ways_ ? spread(made, tasks, dims) : local(made, tasks, dims);
            }
            break;
        case TaskKind::attention: attention(made, tasks, dims); break;
        default:
            if (first.place == TaskPlace::inside) {
                dims.out = part(dims.out, m1_);
            } else {
                on_stream(first, dims);
            }
            fill(made, tasks, dims);
            if (first.law == norm_law) {
                norm(made, first.dims);
                // Routed tokens are gathered when they have come to their experts.
                if (to_experts_ && first.of_mixer && !with_shared_) {
                    made.forward.exchanges = made.backward.exchanges = {};
                }
            }
        }
        made.expert_weights = is_of_experts(first) ? made.weights : 0;
    }

    /// Of experts that not every data-parallel chip has.
    [[nodiscard]] bool is_of_experts(const Task& task) const { return experts_ > 1 && task.dims.copies > 1; }

    [[nodiscard]] static bool is_shared(const Task& task) { return task.name.starts_with(shared_tasks); }

    /// What its tasks come to with these dimensions.
    static void fill(ChipTask& made, std::span<const Task> tasks, const Dims& dims) {
        for (const Task& task : tasks) {
            if (task.pass == Pass::update) {
                continue;
            }
            const Amounts amounts = task.amounts(dims);
            PassWork& work = task.pass == Pass::forward ? made.forward : made.backward;
            work.matrix_flop += amounts.matrix_flop;
            work.of_weights += task.pass == Pass::backward_weight ? amounts.matrix_flop : 0;
            work.vector_flop += amounts.vector_flop;
            work.bytes += amounts.bytes;
            work.cast += amounts.cast;
            made.kept += amounts.kept;
            made.weights += amounts.weights;
            made.frozen += task.kind == TaskKind::gemm ? amounts.frozen
                           : task.dims.frozen > 0      ? amounts.weights
                                                       : 0;
        }
    }

    /// Y = X W with a narrow W: each chip has it whole, for its own part of the group's tokens.
    void on_own_rows(ChipTask& made, std::span<const Task> tasks, Dims dims) const {
        dims.rows = part(dims.rows, m1_);
        dims.saved = 1;
        fill(made, tasks, dims);
    }

    /// Y = X W where a chip has all rows of the group's tokens and a part of the width inside.
    void local(ChipTask& made, std::span<const Task> tasks, Dims dims) {
        const bool into = tasks.front().place == TaskPlace::into;
        const double wide = into ? dims.in : dims.out; // what the group reduces
        (into ? dims.out : dims.in) =
            into ? columns_of_chip(tasks.front(), dims) : inside_of_chip(tasks.front(), dims);
        dims.saved = 1; // A sum over i terms has i - 1 additions.
        fill(made, tasks, dims);
        const bool drops = dims.frozen > 0 && dims.rank == 0; // its input
        if ((made.in_recipe || drops) && !into && tasks.front().of_mixer) {
            made.kept += element * dims.tokens() * dims.in; // the mixer's backward pass needs it in bf16
        }
        if (is_of_experts(tasks.front())) {
            exchange_of_experts(made, into, tasks.front(), element * dims.tokens() * wide);
        } else if (m1_ > 1) {
            const double tokens = dims.samples * dims.rows;
            const TaskExchange scatter{Collective::reduce_scatter, element * tokens * wide, 0};
            // A shared expert's sums are added to those of the routed ones before they are exchanged.
            if (!is_shared(tasks.front()) || to_experts_) {
                (into ? made.backward : made.forward).exchanges = {scatter};
            }
        }
        if (m1_ > 1 && into && !rules_.has(Slip::gathered_inputs)) {
            // Each chip keeps its part of the input and gathers the others' again, which the norm's
            // backward pass pays for.
            made_.gathered = std::max(made_.gathered, made.kept);
            made.kept = fullest_ ? made.kept / dims.rows * part(dims.rows, m1_) : made.kept / m1_;
        }
    }

    /// Dispatch before the first GEMM of the experts and combine after the last one, and their gradients the
    /// other way round. `bytes`: of the routed tokens that a tensor-parallel group gets. Of an all-to-all the
    /// law takes what all its chips bring.
    void exchange_of_experts(ChipTask& made, bool into, const Task& task, double bytes) const {
        const TaskExchange dispatch{Collective::all_to_all, bytes / fuller_ / m1_ * experts_,
                                    experts_axis,           false,
                                    task.dims.copies,       task.dims.routed};
        TaskExchange combine = dispatch;
        combine.combines = true;
        PassWork& comes = into ? made.forward : made.backward; // before the GEMM
        PassWork& leaves = into ? made.backward : made.forward;
        if (m1_ == 1) {
            comes.exchanges = {dispatch};
            leaves.exchanges = {combine};
            return;
        }
        const TaskExchange gather{Collective::all_gather, bytes, 0};
        const TaskExchange scatter{Collective::reduce_scatter, bytes, 0};
        comes.exchanges = {dispatch, gather};
        if (into && !rules_.has(Slip::gathered_inputs)) { // the input again
            leaves.exchanges = {gather, scatter, combine};
        } else {
            leaves.exchanges = {scatter, combine};
        }
    }

    /// Features that a chip has of what its heads or its part of the FFN made.
    [[nodiscard]] double inside_of_chip(const Task& task, const Dims& dims) const {
        return fullest_ && task.of_mixer ? dims.in / dims.heads * part(dims.heads, m1_) : part(dims.in, m1_);
    }

    /// Y = X W where X, W and Y are split over both sides of the grid.
    void spread(ChipTask& made, std::span<const Task> tasks, Dims dims) {
        dims.out = columns_of_chip(tasks.front(), dims);
        dims.panels = static_cast<double>(plan_.panels);
        dims.saved = 1;
        fill(made, tasks, dims);
        if (rules_.has(Slip::panel_additions)) { // A sum has as many, however many panels it comes in.
            Dims every = dims;
            every.saved = 0;
            made.forward.matrix_flop = tasks.front().amounts(every).matrix_flop;
        }
        Dims kept = dims, stored = dims;
        kept.in = part(dims.in, m1_);
        stored.in = part(dims.in, m2_);
        made.kept = tasks.front().amounts(kept).kept;
        made.weights = tasks.front().amounts(stored).weights;
        if (plan_.algorithm != nullptr) { // Its programs have the communication.
            made.layer = layer_of(tasks.front());
            return;
        }
        made.panelled = true;
        const double activations = m1_ > 1 ? dims.operand * dims.tokens() * dims.in : 0;
        const double weights = m2_ > 1 ? dims.operand * dims.copies * dims.in * dims.out : 0;
        const double gradients = m1_ > 1 ? element * dims.tokens() * dims.in : 0;
        const double of_weights = m2_ > 1 ? element * dims.copies * dims.in * dims.out : 0;
        made.forward.exchanges = {{Collective::broadcast, activations, 0},
                                  {Collective::broadcast, weights, 1}};
        made.backward.exchanges = {{Collective::broadcast, weights, 1},
                                   {Collective::reduce, gradients, 0},
                                   {Collective::broadcast, activations, 0},
                                   {Collective::reduce, of_weights, 1}};
    }

    /// Columns of a GEMM's output on one chip. Where there are fewer key-value heads than chips, some chips
    /// have the same; an algorithm's programs share all columns evenly.
    [[nodiscard]] double columns_of_chip(const Task& task, const Dims& dims) const {
        const bool of_heads = task.name == qkv_task;
        if (!of_heads || (m1_ <= dims.kv_heads && !fullest_) || plan_.algorithm != nullptr) {
            return part(dims.out, m1_);
        }
        const double kv = dims.head_size + (dims.value_size > 0 ? dims.value_size : dims.head_size);
        const double queries = dims.out - kv * dims.kv_heads;
        return (fullest_ ? queries / dims.heads * part(dims.heads, m1_) : part(queries, m1_)) +
               kv * kv_heads_of_chip(dims);
    }

    [[nodiscard]] double kv_heads_of_chip(const Dims& dims) const {
        return std::max(1.0, part(dims.kv_heads, m1_));
    }

    /// Of what the group has reduced a chip has its rows, or its columns where both are split. The published
    /// 1D block adds biases in full, and the published 2D block splits one of the two by columns.
    void on_stream(const Task& task, Dims& dims) const {
        if (both_ways_) {
            const bool by_sequence = task.law == norm_law && rules_.has(Slip::norm_over_sequence);
            dims.out = part(by_sequence ? task.dims.rows : dims.out, m1_);
        } else if (task.law == bias_law && rules_.has(Slip::whole_biases) &&
                   (plan_.strategy == TensorStrategy::one_d || task.of_mixer)) {
            dims.out = plan_.strategy == TensorStrategy::one_d ? dims.out : part(dims.out, m1_);
        } else {
            dims.rows = part(dims.rows, m1_);
        }
    }

    void norm(ChipTask& made, const Dims& whole) {
        made_.sent = made_.input = made.kept;
        const double tokens = whole.samples * part(whole.rows, m2_);
        if (m1_ > 1 && both_ways_) {
            const double gradients = part(2 * whole.out, m1_) + part(2 * whole.samples * whole.rows, m2_);
            made.forward.exchanges = {{Collective::all_reduce, 2 * element * tokens, 0}};
            made.backward.exchanges = {{Collective::all_reduce, element * gradients, 0}};
        } else if (m1_ > 1) {
            const double all = operand_ * tokens * whole.out; // for the GEMMs that follow
            made.forward.exchanges = {{Collective::all_gather, all, 0}};
            made.backward.exchanges = {
                {rules_.has(Slip::gathered_inputs) ? Collective::reduce_scatter : Collective::all_gather, all,
                 0}};
        }
    }

    void attention(ChipTask& made, std::span<const Task> tasks, Dims dims) {
        dims.heads = part(dims.heads, m1_);
        dims.kv_heads = kv_heads_of_chip(dims);
        const Dims of_group = dims;
        const bool for_heads = plan_.splits_context() && plan_.context == ContextExchange::all_to_all;
        if (for_heads) { // whole sequences of some heads
            dims.rows = tasks.front().dims.rows;
            dims.heads = part(dims.heads, m2_);
            dims.kv_heads = std::max(1.0, part(dims.kv_heads, m2_));
        }
        // The shares of a split sequence are taken to be balanced.
        dims.seen = rules_.has(Slip::full_attention) ? 1 : dims.seen;
        fill(made, tasks, dims);
        made.kept_of_scores = 2 * element * dims.samples * dims.heads * dims.rows;
        // Its output is what the Output GEMM keeps; the published block counts it twice.
        if (rules_.has(Slip::twice_kept)) {
            made.kept += element * dims.samples * dims.heads * dims.rows * dims.head_size;
        }
        // An algorithm's rows of chips may have whole samples each.
        const bool whole_samples = plan_.algorithm != nullptr && plan_.micro_batch % plan_.tensor2 == 0;
        const double values = dims.value_size > 0 ? dims.value_size : dims.head_size;
        if (for_heads) {
            swap_for_heads(made, of_group, dims.kv_heads * m2_, values);
        } else if (m2_ > 1 && !whole_samples) {
            const double both =
                element * dims.samples * dims.kv_heads * (dims.head_size + values) * dims.keys;
            TaskExchange gather{Collective::all_gather, both, 1},
                scatter{Collective::reduce_scatter, both, 1};
            gather.rings = scatter.rings = plan_.splits_context() && plan_.context == ContextExchange::ring;
            made.forward.exchanges = {gather};
            made.backward.exchanges = {gather, scatter};
            // Of a ring the block that is worked on and the next, and as much of their gradients.
            hold_gathered(gather.rings ? 4 * both / m2_ : both);
        }
    }

    /// Each chip of a group has its part of the tokens, and gets all of them for its part of the heads:
    /// queries, keys and values before attention, the outputs back after it, and their gradients the other
    /// way round. Where there are fewer key-value heads than chips, some chips have the same. An all-to-all's
    /// law takes what all chips bring.
    void swap_for_heads(ChipTask& made, const Dims& of_group, double kv_heads, double values) {
        const double each = element * of_group.samples * of_group.rows * m2_;
        const TaskExchange in{
            Collective::all_to_all,
            each * (of_group.heads * of_group.head_size + kv_heads * (of_group.head_size + values)), 1};
        const TaskExchange out{Collective::all_to_all, each * of_group.heads * values, 1};
        made.forward.exchanges = {in, out};
        made.backward.exchanges = {out, in};
        hold_gathered(in.bytes / m2_); // what was sent is still there as the rest comes
    }

    /// Bytes that are there for one task at a time. Rules that keep anything as published count none.
    void hold_gathered(double bytes) {
        if (rules_ == ModelRules::exact && plan_.splits_context()) {
            made_.gathered = std::max(made_.gathered, bytes);
        }
    }

    /// Its place among fully_connected_layers().
    static int layer_of(const Task& task) {
        return (task.of_mixer ? 0 : 2) + (task.place == TaskPlace::into ? 0 : 1);
    }

    const Plan& plan_;
    const ExpertExchange& exchange_;
    ModelRules rules_;
    bool fullest_;
    double m1_, m2_, experts_;
    bool both_ways_;
    double operand_ = element; ///< bytes of a number that GEMMs multiply
    double fuller_ = 1;        ///< tokens of its experts over those of the mean chip
    bool to_experts_ = false;  ///< tokens of the block are sent to chips that have their experts
    bool with_shared_ = false; ///< and stay for a shared expert too
    ChipTasks made_;
};

} // namespace

double kept_of(const ChipTask& task, Recompute recompute) {
    // Attention is computed again from the input of the QKV GEMM, which stays.
    const bool from_qkv = share_parts(recompute, Recompute::attention) &&
                          share_parts(task.again_with, Recompute::attention) && task.forward.vector_flop > 0;
    if (from_qkv || share_parts(task.drops_with, recompute)) {
        return 0;
    }
    return share_parts(recompute, Recompute::core_attention) ? task.kept - task.kept_of_scores : task.kept;
}

ChipTasks share(std::span<const Task> block, const Plan& plan, ModelRules rules, Uneven uneven,
                const ExpertExchange& exchange) {
    return Sharing(plan, rules, uneven, exchange).share(block);
}

namespace {

/// Of the matrices.
double forward_flop(const ChipTasks& its) {
    double all = 0;
    for (const ChipTask& one : its.operations) {
        all += one.forward.matrix_flop;
    }
    return all;
}

} // namespace

ChipTasks mean_block(std::span<const KindTasks> kinds, const std::vector<ChipTasks>& shared) {
    if (shared.size() == 1) {
        return shared.front();
    }
    ChipTasks made;
    double all = 0, even = 0; // FLOP
    for (std::size_t k = 0; k < shared.size(); ++k) {
        for (ChipTask one : shared[k].operations) {
            one.kind = static_cast<int>(k);
            one.blocks = kinds[k].blocks;
            made.operations.push_back(one);
        }
        made.sent = std::max(made.sent, shared[k].sent);
        made.input = std::max(made.input, shared[k].input);
        made.gathered = std::max(made.gathered, shared[k].gathered);
        const double flop = kinds[k].blocks * forward_flop(shared[k]);
        all += flop;
        even += flop * shared[k].even;
    }
    made.even = all > 0 ? even / all : 1;
    return made;
}

ChipTasks share_of_fullest(const TrainingRun& run, const Plan& plan, ModelRules rules) {
    const std::vector<KindTasks> kinds = block_tasks(run, static_cast<double>(plan.micro_batch));
    const bool even = rules.has(Slip::rounding_down) || groups_divide(run, plan);
    std::vector<ChipTasks> shared;
    for (const KindTasks& one : kinds) {
        if (even && run.exchange.fullest == 1.0) {
            shared.push_back(share(one.tasks, plan, rules, Uneven::fractions, run.exchange));
            continue;
        }
        ChipTasks fullest =
            share(one.tasks, plan, rules, even ? Uneven::fractions : Uneven::of_fullest, run.exchange);
        fullest.even = forward_flop(share(one.tasks, plan, rules)) / forward_flop(fullest);
        shared.push_back(std::move(fullest));
    }
    return mean_block(kinds, shared);
}

namespace {

/// Of GEMMs: latent projections and routers, which work on the stream, have none.
bool has_adapters(const Task& task, AdapterTargets targets) {
    switch (targets) {
    case AdapterTargets::qkv: return task.of_mixer && task.place == TaskPlace::into;
    case AdapterTargets::attention: return task.of_mixer && task.place != TaskPlace::stream;
    case AdapterTargets::all: break;
    }
    return task.place != TaskPlace::stream;
}

} // namespace

std::vector<KindTasks> block_tasks(const TrainingRun& run, double samples) {
    const std::array batch = {Segment{run.sequence, 0, 1}};
    std::vector<KindTasks> made;
    const std::vector<Stack> parts = stacks(run.model, run.causal);
    for (const KindCount& one : parts.front().kinds) {
        if (one.blocks == 0) {
            continue;
        }
        KindTasks& its = made.emplace_back();
        its.blocks = static_cast<double>(one.blocks) / static_cast<double>(parts.front().blocks);
        its.tasks = run.workload->block(one.kind, batch);
        for (Task& task : its.tasks) {
            task.dims.samples = samples;
            const bool gemm = task.kind == TaskKind::gemm;
            if (gemm) {
                task.dims.operand = operand_bytes(run.recipe);
                task.dims.cast = cast_bytes(run.recipe);
            }
            if (run.adapters.on()) {
                task.dims.frozen = gemm ? frozen_bytes(run.adapters.frozen) : element;
                task.dims.rank = gemm && has_adapters(task, run.adapters.targets)
                                     ? static_cast<double>(run.adapters.rank)
                                     : 0;
            }
        }
    }
    return made;
}

} // namespace meshslice
