#include "core/report/plan/step_graph.h"

#include "core/base/say.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/inside/pass_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t most_nodes_of_a_rank = 2'000'000;
constexpr std::size_t most_nodes_of_all = 200'000'000;

std::uint64_t whole_amount(double amount) {
    return static_cast<std::uint64_t>(std::llround(std::clamp(amount, 0.0, 0x1p62)));
}

ChakraCollective chakra_collective(Collective what) {
    switch (what) {
    case Collective::all_gather: return ChakraCollective::all_gather;
    case Collective::reduce_scatter: return ChakraCollective::reduce_scatter;
    case Collective::all_reduce: return ChakraCollective::all_reduce;
    case Collective::all_to_all: return ChakraCollective::all_to_all;
    case Collective::broadcast: return ChakraCollective::broadcast;
    case Collective::reduce: return ChakraCollective::reduce;
    case Collective::send_receive: break;
    }
    return ChakraCollective::barrier;
}

/// What ASTRA-sim calls the size of a collective of so many bytes in all.
double size_of_collective(Collective what, double bytes, std::int64_t chips) {
    const bool parts = what == Collective::all_gather || what == Collective::all_to_all;
    return parts ? bytes / static_cast<double>(chips) : bytes;
}

/// Whole microseconds that add up to what they stand for.
class WholeMicroseconds {
  public:
    std::uint64_t of(double seconds) {
        left_ += seconds * 1e6;
        const double whole = std::floor(left_);
        left_ -= whole;
        return whole_amount(whole);
    }

  private:
    double left_ = 0;
};

} // namespace

/// Writes the nodes of one rank.
class StepGraph::Writer {
  public:
    Writer(const StepGraph& graph, std::int64_t rank)
        : graph_(graph)
        , place_(graph.order_.place(rank))
        , groups_(graph.groups_of_[static_cast<std::size_t>(rank)])
        , stage_(graph.work_.stages[static_cast<std::size_t>(place_.stage)])
        , gathered_(stage_.chunks.size()) {}

    std::vector<ChakraNode> write() {
        const PipelineWork& work = graph_.work_;
        for (const PipelineTask& task :
             stage_tasks(work.order, work.shape(), static_cast<std::int32_t>(place_.stage))) {
            pass(task);
        }
        update();
        return std::move(nodes_);
    }

  private:
    using Ids = std::vector<std::uint64_t>;

    std::uint64_t add(ChakraNode node, Ids after) {
        std::ranges::sort(after);
        after.erase(std::unique(after.begin(), after.end()), after.end());
        node.id = nodes_.size();
        node.after = std::move(after);
        nodes_.push_back(std::move(node));
        return nodes_.back().id;
    }
    std::uint64_t compute(std::string name, double flop, double bytes, double seconds, Ids after) {
        ChakraNode node;
        node.name = std::move(name);
        node.kind = ChakraKind::compute;
        node.flop = whole_amount(flop);
        node.memory_bytes = std::max<std::uint64_t>(whole_amount(bytes), 1); // 0 is passed over
        node.duration_us = computing_.of(seconds);
        return add(std::move(node), std::move(after));
    }
    /// A collective of so many bytes in all; none where the rank is alone in its group.
    std::optional<std::uint64_t> collective(const char* of, Collective what, double bytes, Group group,
                                            double seconds, Ids after) {
        const std::size_t its = groups_[static_cast<std::size_t>(group)];
        if (its == 0 || bytes <= 0) {
            return std::nullopt;
        }
        const auto chips = static_cast<std::int64_t>(graph_.groups_[its - 1].size());
        ChakraNode node;
        node.kind = ChakraKind::collective;
        node.collective = chakra_collective(what);
        node.name = fmt::format("{} of {}", name(node.collective), of);
        node.sent_bytes = std::max<std::uint64_t>(whole_amount(size_of_collective(what, bytes, chips)), 1);
        node.group = std::to_string(its);
        node.duration_us = sending_.of(seconds);
        return add(std::move(node), std::move(after));
    }

    [[nodiscard]] Ids last() const { return end_ ? Ids{*end_} : Ids{}; }

    void pass(const PipelineTask& task) {
        const PipelineWork& work = graph_.work_;
        const bool forward = task.pass == PipelinePass::forward;
        const auto stages = static_cast<std::int64_t>(work.stages.size());
        const std::int64_t virtual_stage = task.chunk * stages + place_.stage;
        const std::int64_t last_stage = stages * work.shape().chunks - 1;
        Ids begin = last();
        if (stages > 1 && (forward ? virtual_stage > 0 : virtual_stage < last_stage)) {
            begin.push_back(send_or_receive(task, forward ? virtual_stage - 1 : virtual_stage + 1, false));
        }
        const PipelineChunk& chunk = stage_.chunks[static_cast<std::size_t>(task.chunk)];
        if (!forward && virtual_stage == last_stage) {
            begin = ends(false, begin);
        }
        for (std::int32_t k = 0; k < chunk.layers; ++k) {
            layer(task, forward ? k : chunk.layers - 1 - k, begin);
            begin = last();
        }
        if (forward && virtual_stage == last_stage) {
            ends(true, begin);
        }
        if (stages > 1 && (forward ? virtual_stage < last_stage : virtual_stage > 0)) {
            send_or_receive(task, virtual_stage, true);
        }
    }

    /// What is sent by a stage to the one after it, or before it in a backward pass.
    std::uint64_t send_or_receive(const PipelineTask& task, std::int64_t sender, bool sends) {
        const PipelineWork& work = graph_.work_;
        const bool forward = task.pass == PipelinePass::forward;
        const auto stages = static_cast<std::int64_t>(work.stages.size());
        const std::int64_t all = stages * work.shape().chunks;
        const std::int64_t receiver = forward ? sender + 1 : sender - 1;
        const auto rank_of = [&](std::int64_t virtual_stage) {
            RankPlace place = place_;
            place.stage = virtual_stage % stages;
            return static_cast<std::uint32_t>(graph_.order_.rank(place));
        };
        ChakraNode node;
        node.kind = sends ? ChakraKind::send : ChakraKind::receive;
        node.name = fmt::format("{} {}", sends ? "send" : "receive", forward ? "activations" : "gradients");
        node.from = rank_of(sender);
        node.to = rank_of(receiver);
        node.tag = static_cast<std::uint32_t>(2 * (task.micro_batch * all + sender) + (forward ? 0 : 1));
        node.sent_bytes = std::max<std::uint64_t>(whole_amount(graph_.block_.sent), 1);
        if (sends) {
            node.duration_us = sending_.of(in_seconds(forward ? stage_.send_forward : stage_.send_backward));
            Ids after = last();
            if (!work.sends_overlap || !sent_) {
                return *(sent_ = add(std::move(node), std::move(after)));
            }
            after.push_back(*sent_);
            return *(sent_ = add(std::move(node), std::move(after)));
        }
        const Ids after = received_ ? Ids{*received_} : Ids{};
        return *(received_ = add(std::move(node), after));
    }

    void layer(const PipelineTask& task, std::int32_t number, Ids begin) {
        const bool forward = task.pass == PipelinePass::forward;
        const PipelineChunk& chunk = stage_.chunks[static_cast<std::size_t>(task.chunk)];
        const std::size_t first_of_layer = nodes_.size();
        std::vector<char>& gathered = gathered_[static_cast<std::size_t>(task.chunk)];
        gathered.resize(static_cast<std::size_t>(chunk.layers));
        const bool first = gathered[static_cast<std::size_t>(number)] == 0;
        gathered[static_cast<std::size_t>(number)] = 1;
        if (graph_.plan_.zero > 0 && (first || chunk.gather_every_pass)) {
            const Ids weights = gather_weights();
            begin.insert(begin.end(), weights.begin(), weights.end());
        }
        gate_ = std::nullopt;
        for (const TaskTurn& turn : block_turns(graph_.block_, graph_.plan_.recompute, forward)) {
            task_of_block(turn, begin);
            begin = last();
        }
        for (std::size_t k = first_of_layer; k < nodes_.size() && !gate_; ++k) {
            if (nodes_[k].kind == ChakraKind::compute && !nodes_[k].after.empty()) {
                gate_ = nodes_[k].after.back(); // what is gathered for the next layer begins with this one
            }
        }
        const bool reduces = chunk.reduce_every_pass || task.micro_batch + 1 == graph_.work_.micro_batches;
        if (!forward && reduces) {
            reduce_gradients();
        }
    }

    /// The amounts of the weights that a layer's chips share: of all of it but experts, and of experts.
    struct SharedWeights {
        Group group;
        double weights, frozen;
    };
    [[nodiscard]] std::array<SharedWeights, 2> shared_weights() const {
        const LayerCost& layer = graph_.layer_;
        return {{{Group::data, layer.weights - layer.expert_weights, layer.frozen - layer.expert_frozen},
                 {Group::expert_data, layer.expert_weights, layer.expert_frozen}}};
    }
    [[nodiscard]] double group_seconds(Collective what, double bytes, Group group) const {
        const ChipGroup its =
            group == Group::data ? graph_.model_->data_group(graph_.plan_) : expert_data_group(graph_.plan_);
        return graph_.model_->network().seconds(what, bytes, its);
    }

    Ids gather_weights() {
        const TrainingRun& run = graph_.model_->run();
        const double share = graph_.model_->gathered_share();
        const double frozen_share = run.adapters.frozen == FrozenNumbers::bf16 ? share : 1;
        Ids made;
        for (const SharedWeights& one : shared_weights()) {
            Ids after = graph_.plan_.data_overlap ? (gate_ ? Ids{*gate_} : Ids{}) : last();
            if (exchanged_) {
                after.push_back(*exchanged_);
            }
            const double bytes =
                (one.weights - one.frozen) * share + (graph_.plan_.zero == 3 ? one.frozen * frozen_share : 0);
            if (const auto id =
                    collective("weights", Collective::all_gather, bytes, one.group,
                               group_seconds(Collective::all_gather, bytes, one.group), std::move(after))) {
                exchanged_ = id;
                made.push_back(*id);
            }
        }
        return made;
    }
    void reduce_gradients() {
        const TrainingRun& run = graph_.model_->run();
        for (const SharedWeights& one : shared_weights()) {
            Ids after = last();
            if (exchanged_) {
                after.push_back(*exchanged_);
            }
            const Collective what =
                graph_.plan_.zero == 0 ? Collective::all_reduce : Collective::reduce_scatter;
            const double bytes = (one.weights - one.frozen) * static_cast<double>(run.keeps.gradient()) /
                                 static_cast<double>(weight_bytes);
            if (const auto id = collective("gradients", what, bytes, one.group,
                                           group_seconds(what, bytes, one.group), std::move(after))) {
                exchanged_ = id;
                reduced_ = id;
            }
        }
        if (!graph_.plan_.data_overlap && reduced_) {
            end_ = reduced_;
        }
    }

    void task_of_block(const TaskTurn& turn, Ids begin) {
        const ChipTask& operation = graph_.block_.operations[turn.operation];
        const PassWork& work = turn.forward ? operation.forward : operation.backward;
        const LayerPass& takes =
            (turn.forward ? graph_.passes_.forward : graph_.passes_.backward)[turn.operation];
        const std::string name = fmt::format("{}{} {}", operation.name,
                                             work.matrix_flop > 0 && work.vector_flop == 0 ? " GEMM" : "",
                                             turn.again     ? "again"
                                             : turn.forward ? "forward"
                                                            : "backward");
        Ids before, after;
        Ids comes = begin; // what is gathered, one after the other
        std::vector<const TaskExchange*> later;
        const bool exchanges = !(turn.again && again_alone(operation, graph_.plan_.recompute));
        for (const TaskExchange& one : work.exchanges) {
            if (!exchanges) {
                break; // the backward pass has what a norm needs
            }
            if (comes_after(one, operation, turn.forward)) {
                later.push_back(&one);
            } else if (const auto id = exchange(one, operation, comes)) {
                comes = {*id};
                before.push_back(*id);
            }
        }
        const bool together = graph_.plan_.tensor_overlap && work.matrix_flop > 0;
        const bool rings = exchanges && std::ranges::any_of(work.exchanges, &TaskExchange::rings);
        const bool hides = together || rings;
        const std::uint64_t body =
            compute(name, (work.matrix_flop + work.vector_flop) * operation.blocks,
                    (work.bytes + work.cast) * operation.blocks, takes.compute + takes.memory,
                    hides || before.empty() ? begin : before);
        Ids ends{body};
        if (hides) {
            ends.insert(ends.end(), before.begin(), before.end());
        }
        Ids from = hides ? begin : Ids{body};
        for (const TaskExchange* const one : later) {
            if (const auto id = exchange(*one, operation, from)) {
                from = {*id};
                ends.push_back(*id);
            }
        }
        if (ends.size() == 1) {
            end_ = ends.front();
        } else if (!hides) {
            end_ = ends.back(); // which waited for the rest
        } else {
            join(std::move(ends));
        }
    }
    /// A node that takes no time, for those that wait for several.
    void join(Ids ends) {
        ChakraNode node;
        node.name = "join";
        node.kind = ChakraKind::compute;
        node.memory_bytes = 1;
        end_ = add(std::move(node), std::move(ends));
    }
    /// As what is inside a task is drawn (exchanging_task in task_run.cpp).
    static bool comes_after(const TaskExchange& one, const ChipTask& operation, bool forward) {
        return one.what == Collective::all_to_all
                   ? forward == (operation.name == ff2_task)
                   : one.what == Collective::reduce_scatter || one.what == Collective::reduce ||
                         one.what == Collective::all_reduce;
    }
    std::optional<std::uint64_t> exchange(const TaskExchange& one, const ChipTask& operation, Ids after) {
        const Plan& plan = graph_.plan_;
        const Group group = one.axis == experts_axis ? Group::experts
                            : one.axis == 1          ? Group::tensor2
                                                     : Group::tensor1;
        const double takes = one.axis == experts_axis
                                 ? graph_.model_->expert_seconds(plan, one)
                                 : graph_.model_->network().seconds(
                                       one.what, one.bytes, graph_.model_->tensor_group(plan, one.axis));
        return collective(one.axis == experts_axis ? "tokens for experts" : "activations", one.what,
                          one.bytes * operation.blocks, group, takes * operation.blocks, std::move(after));
    }

    /// Output head and loss: a third forward, two thirds backward, as in a simulation of the plan.
    Ids ends(bool forward, const Ids& after) {
        const double all = graph_.reading_.time.ends / static_cast<double>(graph_.reading_.micro_batches);
        if (all <= 0) {
            return after;
        }
        const TrainingRun& run = graph_.model_->run();
        const double tokens = static_cast<double>(graph_.plan_.micro_batch) *
                              static_cast<double>(run.sequence) / static_cast<double>(graph_.plan_.tensor2);
        const auto hidden = static_cast<double>(run.model.hidden);
        const double words =
            static_cast<double>(run.model.vocabulary) / static_cast<double>(graph_.plan_.tensor1);
        const double times = forward ? 1 : 2;
        end_ = compute(fmt::format("output head and loss GEMM {}", forward ? "forward" : "backward"),
                       times * 2 * tokens * hidden * words,
                       times * weight_bytes * (tokens * hidden + tokens * words + hidden * words),
                       all * times / 3, after);
        return {*end_};
    }

    void update() {
        const double takes = graph_.reading_.time.optimizer;
        if (takes <= 0) {
            return;
        }
        const KeptNumbers& keeps = graph_.model_->run().keeps;
        const double parameters = graph_.reading_.memory.optimizer / static_cast<double>(keeps.state());
        Ids after = last();
        if (reduced_) {
            after.push_back(*reduced_);
        }
        end_ = compute("optimizer step", parameters * static_cast<double>(optimizer_flop),
                       parameters * static_cast<double>(keeps.update_traffic()), takes, std::move(after));
    }

    const StepGraph& graph_;
    RankPlace place_;
    const std::vector<std::size_t>& groups_;
    const PipelineStage& stage_;
    std::vector<std::vector<char>> gathered_; ///< by chunk and layer: whether its weights were
    std::vector<ChakraNode> nodes_;
    WholeMicroseconds computing_, sending_;
    std::optional<std::uint64_t> end_;       ///< of what is computed
    std::optional<std::uint64_t> gate_;      ///< what the layer before began after
    std::optional<std::uint64_t> exchanged_; ///< last among chips with the same weights
    std::optional<std::uint64_t> reduced_;   ///< the last gradients
    std::optional<std::uint64_t> sent_, received_;
};

StepGraph::StepGraph(std::shared_ptr<const PlanModel> model, const Plan& plan)
    : model_(std::move(model))
    , plan_(plan)
    , order_(plan, model_->torus())
    , block_(model_->block(plan))
    , layer_(model_->layer(plan))
    , reading_(model_->reading(plan, layer_))
    , work_(pipeline_work(*model_, plan, layer_)) {}

std::vector<std::int64_t> StepGraph::members(RankPlace place, Group group) const {
    std::vector<std::int64_t> made;
    const std::int64_t experts = plan_.experts;
    const auto along = [&](std::int64_t RankPlace::*of, std::int64_t first, std::int64_t count,
                           std::int64_t step) {
        for (std::int64_t k = 0; k < count; ++k) {
            place.*of = first + k * step;
            made.push_back(order_.rank(place));
        }
    };
    // The second side of the grid of a 2D plan has the same weights.
    const std::int64_t sides = second_side_shares_weights(plan_) ? plan_.tensor2 : 1;
    const auto on_both_sides = [&](std::int64_t first, std::int64_t count, std::int64_t step) {
        for (std::int64_t side = 0; side < sides; ++side) {
            place.tensor2 = sides > 1 ? side : place.tensor2;
            along(&RankPlace::data, first, count, step);
        }
    };
    switch (group) {
    case Group::tensor1: along(&RankPlace::tensor1, 0, plan_.tensor1, 1); break;
    case Group::tensor2: along(&RankPlace::tensor2, 0, plan_.tensor2, 1); break;
    case Group::experts: along(&RankPlace::data, place.data / experts * experts, experts, 1); break;
    case Group::data: on_both_sides(0, plan_.data, 1); break;
    case Group::expert_data: on_both_sides(place.data % experts, plan_.data / experts, experts); break;
    }
    std::ranges::sort(made);
    return made;
}

void StepGraph::add_groups() {
    std::map<std::vector<std::int64_t>, std::size_t> numbers;
    groups_of_.resize(static_cast<std::size_t>(order_.ranks()));
    for (std::int64_t rank = 0; rank < order_.ranks(); ++rank) {
        for (const Group group :
             {Group::tensor1, Group::tensor2, Group::experts, Group::data, Group::expert_data}) {
            std::vector<std::int64_t> its = members(order_.place(rank), group);
            std::size_t number = 0;
            if (its.size() > 1) {
                const auto [at, added] = numbers.emplace(its, groups_.size() + 1);
                number = at->second;
                if (added) {
                    groups_.push_back(std::move(its));
                }
            }
            groups_of_[static_cast<std::size_t>(rank)].push_back(number);
        }
    }
}

Result<StepGraph> StepGraph::of(std::shared_ptr<const PlanModel> model, const Plan& plan) {
    if (const Result<void> known = simulates(plan); !known) {
        return refuse(known.error());
    }
    if (plan.schedule.kind == PipelineKind::zero_bubble) {
        return refuse(say("The gradients of weights have passes of their own in {}, which are not written as "
                          "nodes; choose 1f1b, interleaved or gpipe.",
                          text(plan.schedule)));
    }
    if (plan.splits_both_ways()) {
        return refuse(say("The plan splits both sides of its GEMMs ({}), whose panels are not written as "
                          "nodes; choose 1D or 2D.",
                          strategy_title(plan)));
    }
    if (plan.offload > 0) {
        return refuse(
            said("The plan keeps activations in the host's memory, whose transfers are not written as "
                 "nodes; choose 0 percent of offloaded activations."));
    }
    StepGraph graph(std::move(model), plan);
    Result<BlockPasses> passes = graph.model_->passes(plan, graph.block_);
    if (!passes) {
        return refuse(passes.error());
    }
    graph.passes_ = *std::move(passes);
    if (const Result<void> sound = checked(graph.work_); !sound) {
        return refuse(sound.error());
    }
    std::size_t layers = 0;
    for (const PipelineStage& stage : graph.work_.stages) {
        std::size_t own = 0;
        for (const PipelineChunk& chunk : stage.chunks) {
            own += static_cast<std::size_t>(chunk.layers);
        }
        layers = std::max(layers, own);
    }
    constexpr std::size_t nodes_of_a_task = 3; // at most, of forward, backward and what is done again
    graph.most_nodes_ = layers * static_cast<std::size_t>(graph.work_.micro_batches) *
                        (3 * graph.block_.operations.size() + 4) * nodes_of_a_task;
    const auto ranks = static_cast<std::size_t>(graph.order_.ranks());
    if (graph.most_nodes_ > most_nodes_of_a_rank) {
        return refuse(say("A chip may have {} nodes; expected up to {}: take fewer layers or micro-batches.",
                          graph.most_nodes_, most_nodes_of_a_rank));
    }
    if (graph.most_nodes_ * ranks > most_nodes_of_all) {
        return refuse(
            say("{} chips with up to {} nodes each are more than {} nodes; take fewer chips, layers "
                "or micro-batches.",
                ranks, graph.most_nodes_, most_nodes_of_all));
    }
    graph.add_groups();
    return graph;
}

std::vector<ChakraNode> StepGraph::nodes(std::int64_t rank) const {
    return Writer(*this, rank).write();
}

} // namespace meshslice
