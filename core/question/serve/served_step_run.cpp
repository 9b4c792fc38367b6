#include "core/question/serve/served_step_run.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/inside/collective_run.h"
#include "core/run/listed_run.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t head = 1, exchange = 4, overhead = 5; ///< kinds of operations

Lane step_lane(std::string name, int number, LaneKind kind = LaneKind::busy) {
    Lane lane;
    lane.place = said("one chip");
    lane.name = std::move(name);
    lane.number = lane.order = number;
    lane.kind = kind;
    return lane;
}

/// The sum after attention, or after the feed-forward network, over the chips that share a layer.
std::optional<CollectiveOfGroup> sum_of_layer(const ReplicaOnMachine& on, const StepBatch& batch) {
    const Replica& one = on.one;
    if (one.tensor <= 1 || one.data > 1 || one.stages > 1) {
        return std::nullopt; // tokens that go to their experts, or to the next stage, are in it too
    }
    const double rows = batch.prompt_tokens + batch.decoding * (1 + one.drafts);
    constexpr double element = 2; // bytes
    return CollectiveOfGroup{Collective::all_reduce, element * rows * one.model.whole.hidden,
                             group_of_replica(on.machine, static_cast<std::int64_t>(one.tensor))};
}

/// Bars say what they are; their colours, whether it is arithmetic, memory, a transfer or a launch.
Role role_of_kind(std::size_t kind) {
    constexpr std::array<Role, served_operations> roles = {
        Role::compute, Role::compute, Role::compute, Role::slicing, Role::transferHorizontal, Role::launch};
    return roles[kind];
}

} // namespace

std::string operation_word(std::size_t kind) {
    const std::array<std::string, served_operations> words = {said("products"),  said("output head"),
                                                              said("attention"), said("vectors"),
                                                              said("exchange"),  said("overhead")};
    return words[kind];
}

RunPtr served_step_run(const ReplicaPtr& replica, const StepBatch& batch, const std::string& title) {
    const Replica& one = replica->one;
    const ServedOperations costs = step_costs(one, batch);
    const auto layers = static_cast<std::int64_t>(one.model.whole.layers);
    auto run = std::make_shared<ListedRun>(title, RunReading::estimated);
    const std::size_t all = run->add_lane(step_lane(said("layers"), 0, LaneKind::nested));
    const std::size_t core = run->add_lane(step_lane(said("core and memory"), 1));
    const std::size_t links = run->add_lane(step_lane(said("links"), 2));
    const std::size_t host = run->add_lane(step_lane(said("launches"), 3));
    const std::optional<CollectiveOfGroup> sum = sum_of_layer(*replica, batch);
    const double sums = !sum ? 1 : one.model.whole.parallel ? 1 : 2;
    double at = 0;
    const auto add = [&](std::size_t lane, std::size_t kind, double lasts, std::string name,
                         std::optional<RunKey> inside) {
        if (seconds(at + lasts) > seconds(at)) {
            const ServedOperation& cost = costs[kind];
            run->add(lane, {seconds(at),
                            seconds(at + lasts),
                            role_of_kind(kind),
                            {std::move(name),
                             std::string(cost.name),
                             {{"bound", std::string(meshslice::name(cost.bound))}},
                             {operation_word(kind)}},
                            std::move(inside)});
        }
        at += lasts;
    };
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        const double begin = at;
        const std::string which = say("layer {}", layer + 1);
        for (std::size_t kind = 0; kind < served_operations; ++kind) {
            if (kind == head) {
                continue;
            }
            const double lasts = costs[kind].seconds / static_cast<double>(layers);
            const std::string name = which + said(": ") + operation_word(kind);
            if (kind != exchange) {
                add(kind == overhead ? host : core, kind, lasts, name, {});
                continue;
            }
            for (int part = 0; part < sums; ++part) {
                std::optional<RunKey> inside;
                if (sum) {
                    inside = collective_key(std::shared_ptr<const Machine>(replica, &replica->machine), *sum,
                                            lasts / sums);
                }
                add(links, kind, lasts / sums, sum ? which + said(": ") + collective_name(sum->what) : name,
                    std::move(inside));
            }
        }
        run->add(all, {seconds(begin), seconds(at), Role::compute, {which, "layer", {}}, {}});
    }
    add(core, head, costs[head].seconds, operation_word(head), {});
    run->bind(std::string(name(bound_of(costs))));
    return run;
}

RunKey served_step_key(const ReplicaPtr& replica, const StepBatch& batch, const std::string& title) {
    RunKey key;
    key.key = fmt::format("step {} {} {} {} {}", batch.prompt_tokens, batch.prompt_keys, batch.prompts_ended,
                          batch.decoding, batch.cached);
    key.title = title;
    key.seconds = step_seconds(replica->one, batch);
    key.make = [replica, batch, title](const RunControl&) -> Result<RunPtr> {
        return served_step_run(replica, batch, title);
    };
    return key;
}

} // namespace meshslice
