#include "core/plan/pipeline/simulate_pipeline.h"

#include "core/base/say.h"
#include "core/plan/pipeline/data_link.h"
#include "core/simulate/engine/event_queue.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice {
namespace {

using Orders = std::vector<std::vector<PipelineTask>>;

/// One discrete-event run.
class Pipeline {
  public:
    Pipeline(const PipelineWork& work, const Orders& orders);

    Result<PipelineRun> run(const RunControl& control);

  private:
    /// What a task needs from another one.
    struct Input {
        Time made;        ///< by the other
        Time arrives{-1}; ///< -1: nobody knows yet
    };

    /// The layers of a pass whose weights are asked for, in its order; none where nothing is gathered. With
    /// one job for all of them, the first waits for all.
    struct Gathers {
        DataLink::Job first = 0;
        std::int32_t count = 0;
    };

    struct Stage {
        std::size_t position = 0; ///< of the next task in its order, or of the one it runs
        bool busy = false;
        Time idle_since; ///< or until its send is over
        Time sends_free; ///< its link to its neighbours
        DataLink data;   ///< and that to the chips with the same layers
        Bytes held;
        Gathers ready; ///< of its next pass, where that gathers again
    };
    /// What brings the weights of a chunk's layers, and which tasks use them first and change them last.
    struct Weights {
        Gathers ready;                 ///< none where nothing is gathered once
        std::size_t first_forward = 0; ///< position in the order
        std::size_t last_pass = 0;     ///< the same
    };

    const PipelineChunk& chunk(std::size_t stage, std::int32_t which) const {
        return work_.stages[stage].chunks[static_cast<std::size_t>(which)];
    }
    Weights& weights(std::size_t stage, std::int32_t which) {
        return weights_[stage * static_cast<std::size_t>(shape_.chunks) + static_cast<std::size_t>(which)];
    }
    /// Among the tasks of any stage.
    std::size_t number(const PipelineTask& task) const {
        return (static_cast<std::size_t>(task.pass) * static_cast<std::size_t>(shape_.chunks) +
                static_cast<std::size_t>(task.chunk)) *
                   static_cast<std::size_t>(shape_.micro_batches) +
               static_cast<std::size_t>(task.micro_batch);
    }
    Input& input(std::size_t stage, std::size_t task) { return inputs_[stage * tasks_per_stage_ + task]; }

    void find_first_and_last();
    bool gathers_again(std::size_t stage, std::size_t position) const;
    Gathers gather(std::size_t stage, std::int32_t which, PipelinePass pass, Time from);
    void gather_once(std::size_t stage);
    void gather_again(std::size_t stage, std::size_t position, Time from);
    void reduce(std::size_t stage, std::int32_t which, const std::vector<Time>& passed);
    void try_start(std::size_t stage);
    Time gathered(std::size_t stage, DataLink::Job job) {
        return stages_[stage].data.end_of(job, run_, stage);
    }
    Time compute(std::size_t stage, const PipelineTask& task, const Gathers& ready, Time start);
    void wait(std::size_t stage, PipelineActivity why, Time from, Time to, const PipelineTask& task);
    void finished(std::size_t stage, Time now);
    void reduce_apart(std::size_t stage, const PipelineTask& task, Time now);
    void send(std::size_t stage, const PipelineTask& task, Time now);
    void finish_waits();

    const PipelineWork& work_;
    const Orders& orders_;
    PipelineShape shape_;
    std::size_t tasks_per_stage_;
    std::vector<Stage> stages_;
    std::vector<Weights> weights_;     ///< by stage and chunk
    std::vector<Input> inputs_;        ///< by stage and number of the task
    EventQueue<std::uint32_t> events_; ///< of a pass: the number of its stage
    std::vector<Time> passed_; ///< of the pass that was added last: the end of each layer, in its order
    PipelineRun run_;
};

/// When a part of a pass is over that takes `whole` and starts at 0: `part` of `parts` layers, alike.
Time share(Time whole, std::int32_t part, std::int32_t parts) {
    // The rest apart: the product of the two may be beyond 64 bits.
    return Time(whole.value() / parts * part + whole.value() % parts * part / parts);
}

/// The k-th layer of a chunk that a pass comes through.
std::int32_t nth_layer(const PipelineChunk& chunk, PipelinePass pass, std::int32_t k) {
    return pass == PipelinePass::forward ? k : chunk.layers - 1 - k;
}

Pipeline::Pipeline(const PipelineWork& work, const Orders& orders)
    : work_(work)
    , orders_(orders)
    , shape_(work.shape())
    , tasks_per_stage_(static_cast<std::size_t>(passes_of(work.order)) *
                       static_cast<std::size_t>(shape_.chunks) *
                       static_cast<std::size_t>(shape_.micro_batches))
    , stages_(work.stages.size())
    , weights_(work.stages.size() * static_cast<std::size_t>(shape_.chunks))
    , inputs_(work.stages.size() * tasks_per_stage_)
    , run_(work.stages.size()) {
    find_first_and_last();
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        run_.reserve(stage, PipelineRow::compute, tasks_per_stage_);
        run_.reserve(stage, PipelineRow::waits, tasks_per_stage_ + 2);
        if (stages_.size() > 1) {
            run_.reserve(stage, PipelineRow::sends, tasks_per_stage_);
        }
        stages_[stage].held = work.stages[stage].fixed;
        run_.hold(stage, Time(0), stages_[stage].held);
        gather_once(stage);
    }
    for (std::int32_t k = 0; k < shape_.micro_batches; ++k) {
        input(0, number({PipelinePass::forward, 0, k})).arrives = Time(0);
    }
}

void Pipeline::find_first_and_last() {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        const std::vector<PipelineTask>& order = orders_[stage];
        for (std::size_t k = order.size(); k-- > 0;) {
            if (order[k].pass == PipelinePass::forward) {
                weights(stage, order[k].chunk).first_forward = k;
            }
        }
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (order[k].pass == work_.last_pass()) {
                weights(stage, order[k].chunk).last_pass = k;
            }
        }
    }
}

bool Pipeline::gathers_again(std::size_t stage, std::size_t position) const {
    return position < orders_[stage].size() && orders_[stage][position].pass != PipelinePass::weights &&
           chunk(stage, orders_[stage][position].chunk).gather_every_pass;
}

/// The weights of a chunk's layers, asked for at `from`, in the order of the pass that needs them.
Pipeline::Gathers Pipeline::gather(std::size_t stage, std::int32_t which, PipelinePass pass, Time from) {
    const PipelineChunk& asked = chunk(stage, which);
    Gathers made;
    if (asked.gather_weights == Time(0)) {
        return made;
    }
    for (; made.count < asked.layers; ++made.count) {
        const DataLink::Job job = stages_[stage].data.ask(
            from, asked.gather_weights,
            {{}, {}, -1, which, nth_layer(asked, pass, made.count), PipelineActivity::gather_weights});
        made.first = made.count == 0 ? job : made.first;
    }
    return made;
}

/// What a stage gathers once it asks for at 0, in the order in which it is needed; and what its first pass
/// gathers.
void Pipeline::gather_once(std::size_t stage) {
    std::vector<std::int32_t> chunks;
    for (std::int32_t which = 0; which < shape_.chunks; ++which) {
        if (!chunk(stage, which).gather_every_pass) {
            chunks.push_back(which);
        }
    }
    std::ranges::sort(chunks, {}, [&](std::int32_t which) { return weights(stage, which).first_forward; });
    Gathers all;
    for (const std::int32_t which : chunks) {
        Gathers& its = weights(stage, which).ready = gather(stage, which, PipelinePass::forward, Time(0));
        all = its.count > 0 ? Gathers{its.first + static_cast<std::size_t>(its.count) - 1, 1} : all;
    }
    if (!work_.data_overlaps) {
        for (const std::int32_t which : chunks) {
            weights(stage, which).ready = all;
        }
    } else if (gathers_again(stage, 0)) {
        gather_again(stage, 0, Time(0));
    }
}

/// For the pass at this position of the order, asked for at `from`.
void Pipeline::gather_again(std::size_t stage, std::size_t position, Time from) {
    Gathers& ready = stages_[stage].ready;
    const PipelineTask& task = orders_[stage][position];
    ready = gather(stage, task.chunk, task.pass, from);
    if (!work_.data_overlaps && ready.count > 0) {
        ready = {ready.first + static_cast<std::size_t>(ready.count) - 1, 1};
    }
}

/// The gradients of the chunk's layers, the last one first; `passed` says when each has been made.
void Pipeline::reduce(std::size_t stage, std::int32_t which, const std::vector<Time>& passed) {
    const PipelineChunk& asked = chunk(stage, which);
    if (asked.reduce_gradients == Time(0)) {
        return;
    }
    for (std::int32_t k = 0; k < asked.layers; ++k) {
        stages_[stage].data.ask(passed[static_cast<std::size_t>(k)], asked.reduce_gradients,
                                {{},
                                 {},
                                 -1,
                                 which,
                                 nth_layer(asked, PipelinePass::backward, k),
                                 PipelineActivity::reduce_gradients});
    }
}

void Pipeline::wait(std::size_t stage, PipelineActivity why, Time from, Time to, const PipelineTask& task) {
    if (from < to) {
        run_.add(stage, PipelineRow::waits, {from, to, task.micro_batch, task.chunk, 0, why});
    }
}

/// As soon as the pass that makes its input is over, a stage that is free knows when its next one starts: its
/// order is fixed, and when the input arrives and its weights are there is known.
void Pipeline::try_start(std::size_t stage) {
    Stage& own = stages_[stage];
    if (own.busy || own.position == orders_[stage].size()) {
        return;
    }
    const PipelineTask& task = orders_[stage][own.position];
    const Input& needs = input(stage, number(task));
    if (needs.arrives < Time(0)) {
        return;
    }
    const PipelineChunk& asked = chunk(stage, task.chunk);
    const Weights& once = weights(stage, task.chunk);
    const Time made = std::max(own.idle_since, needs.made);
    const Time here = std::max(own.idle_since, needs.arrives);
    const bool again = gathers_again(stage, own.position);
    if (again && !work_.data_overlaps) {
        gather_again(stage, own.position, here);
    }
    const Gathers ready = again ? own.ready : own.position == once.first_forward ? once.ready : Gathers{};
    const Time start = ready.count == 0 ? here : std::max(here, gathered(stage, ready.first));
    wait(stage, PipelineActivity::bubble, own.idle_since, made, task);
    wait(stage, PipelineActivity::exposed_send, made, here, task);
    wait(stage, PipelineActivity::exposed_gather, here, start, task);

    own.busy = true;
    if (task.pass == PipelinePass::forward) {
        own.held += asked.activations;
        run_.hold(stage, start, own.held);
    }
    const bool reduces =
        task.pass == work_.last_pass() && (asked.reduce_every_pass || own.position == once.last_pass);
    const Time end = compute(stage, task, ready, start);
    if (work_.data_overlaps) {
        if (gathers_again(stage, own.position + 1)) {
            gather_again(stage, own.position + 1, start);
        }
        if (reduces) {
            reduce(stage, task.chunk, passed_);
        }
    }
    events_.push(end, static_cast<std::uint32_t>(stage));
}

/// A pass, layer by layer as the weights come; layers without a wait between them are one interval. Returns
/// its end.
Time Pipeline::compute(std::size_t stage, const PipelineTask& task, const Gathers& ready, Time start) {
    const PipelineChunk& asked = chunk(stage, task.chunk);
    struct Made {
        Time takes, on_links;
        PipelineActivity activity;
    };
    const std::array<Made, 3> made = {
        Made{asked.forward, asked.forward_on_links, PipelineActivity::forward},
        Made{asked.backward, asked.backward_on_links, PipelineActivity::backward},
        Made{asked.weights, Time(0), PipelineActivity::weights}};
    const auto& [takes, shares, activity] = made[static_cast<std::size_t>(task.pass)];
    const double share_taken = shares == Time(0) ? 0 : in_seconds(shares) / in_seconds(takes);
    PipelineInterval piece{start, start, task.micro_batch, task.chunk, 0, activity};
    passed_.clear();
    piece.layer = nth_layer(asked, task.pass, 0);
    for (std::int32_t k = 0; k < asked.layers; ++k) {
        const Time there =
            k < ready.count ? gathered(stage, ready.first + static_cast<std::size_t>(k)) : Time(0);
        if (there > piece.end) {
            if (k > 0) {
                run_.add(stage, PipelineRow::compute, piece);
            }
            wait(stage, PipelineActivity::exposed_gather, piece.end, there, task);
            piece.start = piece.end = there;
            piece.layer = nth_layer(asked, task.pass, k);
        }
        const Time begins = piece.end;
        piece.end += share(takes, k + 1, asked.layers) - share(takes, k, asked.layers);
        stages_[stage].data.taken(begins, piece.end, share_taken);
        passed_.push_back(piece.end);
    }
    run_.add(stage, PipelineRow::compute, piece);
    return piece.end;
}

void Pipeline::finished(std::size_t stage, Time now) {
    Stage& own = stages_[stage];
    const PipelineTask& task = orders_[stage][own.position];
    own.busy = false;
    own.idle_since = now;
    ++own.position;
    if (task.pass == work_.last_pass()) {
        own.held -= chunk(stage, task.chunk).activations;
        run_.hold(stage, now, own.held);
    }
    send(stage, task, now);
    if (!work_.data_overlaps) {
        reduce_apart(stage, task, now);
    }
    try_start(stage);
}

/// Where a stage does not compute while it reduces: after each pass that asks for it, or all after the last.
void Pipeline::reduce_apart(std::size_t stage, const PipelineTask& task, Time now) {
    Stage& own = stages_[stage];
    if (task.pass == work_.last_pass() && chunk(stage, task.chunk).reduce_every_pass) {
        passed_.assign(static_cast<std::size_t>(chunk(stage, task.chunk).layers), now);
        reduce(stage, task.chunk, passed_);
        const Time reduced = std::max(own.idle_since, own.data.end_of_all(run_, stage));
        wait(stage, PipelineActivity::exposed_reduce, own.idle_since, reduced, task);
        own.idle_since = reduced;
    }
    if (own.position == orders_[stage].size()) {
        for (std::int32_t which = shape_.chunks; which-- > 0;) {
            if (!chunk(stage, which).reduce_every_pass) {
                passed_.assign(static_cast<std::size_t>(chunk(stage, which).layers), now);
                reduce(stage, which, passed_);
            }
        }
    }
}

/// Hands on what a task has made.
void Pipeline::send(std::size_t stage, const PipelineTask& task, Time now) {
    if (task.pass == PipelinePass::weights) {
        return; // Gradients of weights stay where the weights are.
    }
    if (task.pass == PipelinePass::backward && work_.last_pass() == PipelinePass::weights) {
        Input& own = input(stage, number({PipelinePass::weights, task.chunk, task.micro_batch}));
        own.made = own.arrives = now;
    }
    const bool forward = task.pass == PipelinePass::forward;
    const std::size_t last = stages_.size() - 1;
    PipelineTask next = task;
    std::size_t receiver = stage;
    if (forward && stage == last && task.chunk + 1 == shape_.chunks) {
        next.pass = PipelinePass::backward; // The loss: back through the same layers.
    } else if (forward) {
        receiver = stage == last ? 0 : stage + 1;
        next.chunk += stage == last ? 1 : 0;
    } else {
        if (stage == 0 && task.chunk == 0) {
            return; // The first layers hand nothing on.
        }
        receiver = stage == 0 ? last : stage - 1;
        next.chunk -= stage == 0 ? 1 : 0;
    }
    Input& needs = input(receiver, number(next));
    needs.made = now;
    const PipelineStage& asked = work_.stages[stage];
    const Time takes = receiver == stage ? Time(0) : forward ? asked.send_forward : asked.send_backward;
    needs.arrives = now;
    if (takes > Time(0)) {
        Stage& own = stages_[stage];
        const Time start = std::max(now, own.sends_free);
        own.sends_free = needs.arrives = start + takes;
        run_.add(stage, PipelineRow::sends,
                 {start, needs.arrives, task.micro_batch, task.chunk, 0,
                  forward ? PipelineActivity::send_forward : PipelineActivity::send_backward});
        if (!work_.sends_overlap) {
            wait(stage, PipelineActivity::exposed_send, now, needs.arrives, task);
            own.idle_since = needs.arrives;
        }
    }
    if (receiver != stage) {
        try_start(receiver);
    }
}

/// After the last pass of each stage: its gradients, its update, then nothing until all are done.
void Pipeline::finish_waits() {
    Time end;
    std::vector<Time> all_reduced;
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        Stage& own = stages_[stage];
        all_reduced.push_back(std::max(own.idle_since, own.data.end_of_all(run_, stage)));
        end = std::max(end, all_reduced.back() + work_.stages[stage].update);
    }
    const PipelineTask none{PipelinePass::backward, -1, -1};
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        const Time own = stages_[stage].idle_since;
        const Time reduced = all_reduced[stage];
        const Time updated = reduced + work_.stages[stage].update;
        wait(stage, PipelineActivity::exposed_reduce, own, reduced, none);
        if (updated > reduced) {
            run_.add(stage, PipelineRow::compute, {reduced, updated, -1, -1, 0, PipelineActivity::update});
        }
        wait(stage, PipelineActivity::bubble, updated, end, none);
    }
    run_.set_end(end);
}

Result<PipelineRun> Pipeline::run(const RunControl& control) {
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        try_start(stage);
    }
    const auto all = static_cast<double>(stages_.size() * tasks_per_stage_);
    std::size_t done = 0;
    std::vector<std::uint32_t> stages;
    for (std::size_t times = 0; !events_.empty(); ++times) {
        if (times % 1024 == 0) {
            if (control.stop.stop_requested()) {
                return cancelled();
            }
            if (control.progress != nullptr) {
                *control.progress = static_cast<double>(done) / all;
            }
        }
        const Time now = events_.pop(stages);
        for (const std::uint32_t stage : stages) {
            finished(stage, now);
        }
        done += stages.size();
    }
    for (std::size_t stage = 0; stage < stages_.size(); ++stage) {
        if (stages_[stage].position < orders_[stage].size()) {
            const PipelineTask& task = orders_[stage][stages_[stage].position];
            return refuse(say("The stages wait for each other: stage {} never gets what micro-batch {} needs "
                              "for its next pass through chunk {}.",
                              stage, task.micro_batch, task.chunk));
        }
    }
    finish_waits();
    return std::move(run_);
}

/// Whether a stage does every task once.
bool complete(const std::vector<PipelineTask>& order, const PipelineShape& shape, std::int32_t passes) {
    const auto chunks = static_cast<std::size_t>(shape.chunks);
    const auto micro_batches = static_cast<std::size_t>(shape.micro_batches);
    std::vector<bool> seen(static_cast<std::size_t>(passes) * chunks * micro_batches);
    for (const PipelineTask& task : order) {
        if (task.chunk < 0 || task.chunk >= shape.chunks || task.micro_batch < 0 ||
            task.micro_batch >= shape.micro_batches || static_cast<std::int32_t>(task.pass) >= passes) {
            return false;
        }
        const std::size_t number =
            (static_cast<std::size_t>(task.pass) * chunks + static_cast<std::size_t>(task.chunk)) *
                micro_batches +
            static_cast<std::size_t>(task.micro_batch);
        if (seen[number]) {
            return false;
        }
        seen[number] = true;
    }
    return order.size() == seen.size();
}

} // namespace

Result<PipelineRun> simulate_pipeline(const PipelineWork& work, const RunControl& control) {
    if (const Result<void> possible = checked(work); !possible) {
        return refuse(possible.error());
    }
    return Pipeline(work, pipeline_tasks(work.order, work.shape())).run(control);
}

Result<PipelineRun> simulate_pipeline(const PipelineWork& work, const Orders& orders,
                                      const RunControl& control) {
    if (const Result<void> possible = checked(work); !possible) {
        return refuse(possible.error());
    }
    if (orders.size() != work.stages.size()) {
        return refuse(
            say("There are {} orders for the {} stages of the pipeline.", orders.size(), work.stages.size()));
    }
    for (std::size_t stage = 0; stage < orders.size(); ++stage) {
        if (!complete(orders[stage], work.shape(), passes_of(work.order))) {
            return refuse(
                say("The order of stage {} does not have every pass of every micro-batch once.", stage));
        }
    }
    return Pipeline(work, orders).run(control);
}

} // namespace meshslice
