#include "core/work/training.h"

#include "core/work/laws.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

using Law = Amounts (*)(const Dims&, Pass);

/// Tokens that the first `positions` of a sequence see together.
double seen_by(const Mixer& mixer, double positions) {
    const auto window = static_cast<double>(mixer.index_tokens > 0 ? mixer.index_tokens : mixer.window);
    const auto triangle = [](double n) { return n * (n + 1) / 2; };
    if (window <= 0 || positions <= window) {
        return triangle(positions);
    }
    if (!mixer.chunked) {
        return triangle(window) + (positions - window) * window;
    }
    const double chunks = std::floor(positions / window);
    return chunks * triangle(window) + triangle(positions - chunks * window);
}

/// The share of `keys` tokens that each of the last `rows` sees: itself and those before it, as far as its
/// window goes.
double seen(const Mixer& mixer, double rows, double keys) {
    const double cached = keys - rows;
    if (!mixer.causal || mixer.cross) {
        const auto window = static_cast<double>(mixer.window);
        return mixer.window > 0 && !mixer.cross ? std::min(1.0, window / keys) : 1;
    }
    if (mixer.window == 0 && mixer.index_tokens == 0) {
        return (2 * cached + rows + 1) / (2 * keys);
    }
    return (seen_by(mixer, keys) - seen_by(mixer, cached)) / (rows * keys);
}

TaskPlace task_place(MatrixPlace place) {
    switch (place) {
    case MatrixPlace::into: return TaskPlace::into;
    case MatrixPlace::out_of: return TaskPlace::out_of;
    case MatrixPlace::narrow: break;
    }
    return TaskPlace::stream;
}

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
            dims.value_size = static_cast<double>(mixer.value_size);
            dims.seen = seen(mixer, dims.rows, dims.keys);
            add(attention_task, TaskKind::attention, TaskPlace::inside, dims, law);
        }
    }
    /// Of a linear mixer, FLOP of each inner feature.
    void recurrence(const Mixer& mixer) {
        Dims dims = tokens_;
        dims.out = static_cast<double>(mixer.heads * mixer.values());
        dims.in = recurrence_flop(mixer) / dims.out;
        add("recurrence", TaskKind::vector, TaskPlace::inside, dims,
            mixer.kind == MixerKind::mamba ? scan_law : recurrence_law);
    }
    /// Which tokens sparse attention looks at: each is compared with those before it.
    void index(const Mixer& mixer) {
        Mixer all;
        all.causal = mixer.causal;
        for (const Segment& segment : batch_) {
            Dims dims;
            dims.samples = static_cast<double>(segment.copies);
            dims.rows = static_cast<double>(segment.fresh);
            dims.keys = static_cast<double>(segment.fresh + segment.cached);
            dims.out = static_cast<double>(mixer.index_heads * mixer.index_size);
            dims.in = seen(all, dims.rows, dims.keys) * dims.keys;
            add("index", TaskKind::vector, TaskPlace::stream, dims, index_law);
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

/// The matrices of a shared expert, after those of the routed ones.
void shared_expert(const BlockKind& kind, TaskWriter& tasks) {
    const FeedForward& ff = kind.feed_forward;
    const std::int64_t e = kind.hidden, f = ff.shared_width;
    tasks.gemm(shared_ff1_task, TaskPlace::into, e, ff.gated ? 2 * f : f);
    tasks.vector("shared activation", TaskPlace::inside, f, ff.gated ? gated_law : gelu_law);
    tasks.gemm(shared_ff2_task, TaskPlace::out_of, f, e);
}

/// Tokens are spread evenly over experts.
void feed_forward(const BlockKind& kind, TaskWriter& tasks) {
    const FeedForward& ff = kind.feed_forward;
    const bool plain = kind.plain(); // biases and dropout
    const auto routed = static_cast<double>(ff.experts_per_token);
    const auto copies = static_cast<double>(ff.experts);
    const std::int64_t e = kind.hidden, f = ff.width, within = ff.latent > 0 ? ff.latent : e;
    if (ff.latent > 0) {
        tasks.gemm("latent down", TaskPlace::stream, e, within);
    }
    if (f > 0) {
        tasks.gemm(ff1_task, TaskPlace::into, within, ff.gated ? 2 * f : f, routed, copies);
        if (plain) {
            tasks.vector("FF1 bias", TaskPlace::inside, f, bias_law, routed, copies);
        }
        tasks.vector(activation_task, TaskPlace::inside, f, ff.gated ? gated_law : gelu_law, routed);
        if (plain) {
            tasks.vector("dropout 1", TaskPlace::inside, f, dropout_law, routed);
        }
        tasks.gemm(ff2_task, TaskPlace::out_of, f, within, routed, copies);
    }
    if (ff.latent > 0) {
        tasks.gemm("latent up", TaskPlace::stream, within, e);
    }
    if (ff.shared_width > 0) {
        shared_expert(kind, tasks);
    }
    if (f > 0 && plain) {
        tasks.vector("FF2 bias", TaskPlace::stream, e, bias_law);
        tasks.vector("dropout 2", TaskPlace::stream, e, dropout_law);
    }
}

/// The products that lead into a mixer, what is between them, and those that lead out of it.
void mixer_tasks(const Mixer& mixer, const BlockKind& kind, TaskWriter& tasks) {
    const auto products = [&](MatrixPlace place) {
        for (const BlockMatrix& matrix : matrices(mixer, kind.hidden)) {
            if ((matrix.place == MatrixPlace::out_of) == (place == MatrixPlace::out_of)) {
                tasks.gemm(matrix.name, task_place(matrix.place), matrix.in, matrix.out, 1, 1, mixer);
            }
        }
    };
    products(MatrixPlace::into);
    if (mixer.attends()) {
        if (mixer.index_heads > 0) {
            tasks.index(mixer);
        }
        tasks.attention(mixer, kind.plain() ? attention_with_dropout_law : attention_law);
    } else if (mixer.kind != MixerKind::convolution) {
        tasks.recurrence(mixer);
    }
    products(MatrixPlace::out_of);
}

/// In the order of arXiv 2410.00273, tables A1 to A3: first the feed-forward network, then attention.
std::vector<Task> block(const BlockKind& kind, std::span<const Segment> batch) {
    const bool plain = kind.plain();
    const std::int64_t e = kind.hidden;
    TaskWriter tasks(batch);
    if (kind.feed_forward.width > 0 || kind.feed_forward.shared_width > 0) {
        feed_forward(kind, tasks);
        tasks.vector("norm 1", TaskPlace::stream, e, norm_law);
    }
    tasks.of_mixer(true);
    if (kind.mixer.kind != MixerKind::none) {
        mixer_tasks(kind.mixer, kind, tasks);
        if (kind.second.kind != MixerKind::none) {
            mixer_tasks(kind.second, kind, tasks);
        }
        if (plain) {
            tasks.vector("Output bias", TaskPlace::stream, e, bias_law);
            tasks.vector("dropout 3", TaskPlace::stream, e, dropout_law);
        }
        tasks.vector("norm 2", TaskPlace::stream, e, norm_law);
    }
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
