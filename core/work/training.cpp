#include "core/work/training.h"

#include "core/work/laws.h"

#include <algorithm>

namespace meshslice {
namespace {

using Law = Amounts (*)(const Dims&, Pass);

/// Writes tasks by operation: its forward pass, its backward passes, its update. What each waits for is
/// written when all are known.
class TaskWriter {
  public:
    explicit TaskWriter(std::span<const Segment> batch) : batch_(batch) {
        double tokens = 0;
        tokens_.samples = 0;
        for (const Segment& one : batch) {
            tokens_.samples += static_cast<double>(one.copies);
            tokens += static_cast<double>(one.fresh * one.copies);
        }
        tokens_.rows = tokens / tokens_.samples; // of an average sample: a GEMM only knows all tokens
    }

    void of_mixer(bool mixer) { mixer_ = mixer; }

    void gemm(std::string_view name, TaskPlace place, std::int64_t in, std::int64_t out, double routed = 1,
              double copies = 1, const Mixer& mixer = {}) {
        Dims dims = tokens_;
        dims.heads = static_cast<double>(mixer.heads);
        dims.kv_heads = static_cast<double>(mixer.kv_heads);
        dims.head_size = static_cast<double>(mixer.head_size);
        dims.in = static_cast<double>(in);
        dims.out = static_cast<double>(out);
        dims.routed = routed;
        dims.copies = copies;
        add(name, TaskKind::gemm, place, dims, gemm_law);
    }
    void vector(std::string_view name, TaskPlace place, std::int64_t features, Law law, double routed = 1,
                double copies = 1) {
        Dims dims = tokens_;
        dims.out = static_cast<double>(features);
        dims.routed = routed;
        dims.copies = copies;
        add(name, TaskKind::vector, place, dims, law);
    }
    void attention(const Mixer& mixer, Law law) {
        for (const Segment& segment : batch_) {
            Dims dims;
            dims.samples = static_cast<double>(segment.copies);
            dims.rows = static_cast<double>(segment.fresh);
            dims.keys = static_cast<double>(segment.fresh + segment.cached);
            dims.heads = static_cast<double>(mixer.heads);
            dims.kv_heads = static_cast<double>(mixer.kv_heads);
            dims.head_size = static_cast<double>(mixer.head_size);
            // A token sees itself and those before it.
            const double cached = dims.keys - dims.rows;
            dims.seen = mixer.causal ? (2 * cached + dims.rows + 1) / (2 * dims.keys) : 1;
            add(attention_task, TaskKind::attention, TaskPlace::inside, dims, law);
        }
    }
    /// Rows of a table, looked up by token.
    void lookup(std::string_view name, std::int64_t rows, std::int64_t features) {
        Dims dims = tokens_;
        dims.in = static_cast<double>(rows);
        dims.out = static_cast<double>(features);
        add(name, TaskKind::vector, TaskPlace::stream, dims, lookup_law);
    }

    /// A forward pass waits for that of the operation before, a backward pass for its own forward pass and
    /// for the gradient from the operation after, an update for the backward pass before it.
    std::vector<Task> write() && {
        std::vector<std::int16_t> forward;
        for (std::size_t k = 0; k < tasks_.size(); ++k) {
            if (tasks_[k].pass == Pass::forward) {
                forward.push_back(static_cast<std::int16_t>(k));
            }
        }
        for (std::size_t f = 0; f < forward.size(); ++f) {
            const auto own = static_cast<std::size_t>(forward[f]);
            if (f > 0) {
                tasks_[own].after = {forward[f - 1]};
            }
            for (std::size_t k = own + 1; k < tasks_.size() && tasks_[k].pass != Pass::forward; ++k) {
                if (tasks_[k].pass == Pass::update) {
                    tasks_[k].after = {static_cast<std::int16_t>(k - 1)};
                } else if (f + 1 == forward.size()) {
                    tasks_[k].after = {forward[f]};
                } else {
                    tasks_[k].after = {forward[f], static_cast<std::int16_t>(forward[f + 1] + 1)};
                }
            }
        }
        return std::move(tasks_);
    }

  private:
    /// Its passes; an update where it has weights.
    void add(std::string_view name, TaskKind kind, TaskPlace place, const Dims& dims, Law law) {
        const Task task{name, Pass::forward, kind, place, mixer_, dims, law, {}};
        const bool weights = task.amounts().weights > 0;
        const auto with = [&](Pass pass) {
            tasks_.push_back(task);
            tasks_.back().pass = pass;
        };
        with(Pass::forward);
        with(Pass::backward_data);
        if (kind == TaskKind::gemm) {
            with(Pass::backward_weight);
        }
        if (weights) {
            with(Pass::update);
        }
    }

    std::span<const Segment> batch_;
    Dims tokens_;
    bool mixer_ = false;
    std::vector<Task> tasks_;
};

/// In the order of arXiv 2410.00273, tables A1 to A3: first the feed-forward network, then attention. Tokens
/// are spread evenly over experts.
std::vector<Task> block(const BlockKind& kind, std::span<const Segment> batch) {
    const FeedForward& ff = kind.feed_forward;
    const bool plain = !ff.gated; // biases and dropout
    const auto routed = static_cast<double>(ff.experts_per_token);
    const auto copies = static_cast<double>(ff.experts);
    const std::int64_t e = kind.hidden, f = ff.width;
    TaskWriter tasks(batch);
    tasks.gemm(ff1_task, TaskPlace::into, e, ff.gated ? 2 * f : f, routed, copies);
    if (plain) {
        tasks.vector("FF1 bias", TaskPlace::inside, f, bias_law, routed, copies);
    }
    tasks.vector(activation_task, TaskPlace::inside, f, plain ? gelu_law : gated_law, routed);
    if (plain) {
        tasks.vector("dropout 1", TaskPlace::inside, f, dropout_law, routed);
    }
    tasks.gemm(ff2_task, TaskPlace::out_of, f, e, routed, copies);
    if (plain) {
        tasks.vector("FF2 bias", TaskPlace::stream, e, bias_law);
        tasks.vector("dropout 2", TaskPlace::stream, e, dropout_law);
    }
    tasks.vector("norm 1", TaskPlace::stream, e, norm_law);
    tasks.of_mixer(true);
    const Mixer& mixer = kind.mixer;
    const std::int64_t queries = mixer.heads * mixer.head_size;
    tasks.gemm(qkv_task, TaskPlace::into, e, queries + 2 * mixer.kv_heads * mixer.head_size, 1, 1, mixer);
    tasks.attention(mixer, plain ? attention_with_dropout_law : attention_law);
    tasks.gemm(output_task, TaskPlace::out_of, queries, e, 1, 1, mixer);
    if (plain) {
        tasks.vector("Output bias", TaskPlace::stream, e, bias_law);
        tasks.vector("dropout 3", TaskPlace::stream, e, dropout_law);
    }
    tasks.vector("norm 2", TaskPlace::stream, e, norm_law);
    return std::move(tasks).write();
}

/// The embedding, the output head and the loss.
std::vector<Task> ends(const Stack& stack, std::span<const Segment> batch) {
    TaskWriter tasks(batch);
    if (stack.vocabulary > 0) {
        tasks.lookup(embedding_task, stack.vocabulary, stack.hidden);
        tasks.gemm(head_task, TaskPlace::into, stack.hidden, stack.vocabulary);
        tasks.vector("loss", TaskPlace::inside, stack.vocabulary, loss_law);
    }
    return std::move(tasks).write();
}

} // namespace

extern const Workload training{"training", "Training step", block, ends};

} // namespace meshslice
