#include "core/question/serve/replica/served_step_run.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/inside/collective_run.h"
#include "core/run/listed_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

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

/// What chips exchange in a layer, and how long they wait for it.
struct LayerWait {
    CollectiveOfGroup what;
    double seconds = 0;
};

/// Of a layout that is not plain: as long in all as its exchange takes in a step, by the laws of the network.
std::vector<LayerWait> waits_of_layer(const Replica& one, const StepBatch& batch, double exchange) {
    std::vector<LayerWait> made;
    if (one.exchanges == nullptr || one.stages > 1) {
        return made;
    }
    const ContextWait wait = context_wait(one, batch);
    const double layers = one.model.whole.layers, checked = batch.decoding * (1 + one.drafts);
    const auto add = [&](const std::vector<CollectiveOfGroup>& all, double seconds) {
        const double together = one.exchanges->seconds(all);
        for (const CollectiveOfGroup& each : all) {
            made.push_back(
                {each, together > 0 ? seconds / layers * one.exchanges->seconds({each}) / together : 0});
        }
    };
    add(one.exchanges->of_decoding(checked), wait.decoding);
    add(one.exchanges->of_prompts(batch), wait.prompts);
    add(one.exchanges->of_weights((batch.prompt_tokens + checked) / one.context()),
        exchange - wait.prompts - wait.decoding);
    return made;
}

/// The sum after attention, or after the feed-forward network, over the chips that share a layer.
std::optional<CollectiveOfGroup> sum_of_layer(const ReplicaOnMachine& on, const StepBatch& batch) {
    const Replica& one = on.one;
    if (one.tensor <= 1 || one.data > 1 || one.stages > 1 || one.exchanges != nullptr) {
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
    const auto machine = std::shared_ptr<const Machine>(replica, &replica->machine);
    const std::vector<LayerWait> waits = waits_of_layer(one, batch, costs[exchange].seconds);
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
            for (const LayerWait& wait : waits) {
                add(links, kind, wait.seconds, which + said(": ") + collective_name(wait.what.what),
                    collective_key(machine, wait.what, wait.seconds));
            }
            for (int part = 0; part < sums && waits.empty(); ++part) {
                std::optional<RunKey> inside;
                if (sum) {
                    inside = collective_key(machine, *sum, lasts / sums);
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

RunPtr served_batch_run(const ReplicaPtr& replica, double prompts, double moved, const std::string& title) {
    const Replica& one = replica->one;
    auto run = std::make_shared<ListedRun>(title, RunReading::estimated);
    int number = 0;
    const auto lane = [&](std::string name, LaneKind kind) {
        Lane made = step_lane(std::move(name), number++, kind);
        made.place = said("one server");
        return run->add_lane(std::move(made));
    };
    const std::size_t phases = lane(said("phase"), LaneKind::nested),
                      steps = lane(said("steps"), LaneKind::busy);
    std::array<std::size_t, served_operations> kinds{};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        kinds[kind] = lane(operation_word(kind), LaneKind::busy);
    }
    double at = 0;
    const auto phase = [&](std::string name, Role role, double begin) {
        run->add(phases, {seconds(begin), seconds(at), role, {std::move(name), "phase", {}}, {}});
    };
    /// Of so many steps like this one; what they consist of comes one after the other, all layers together.
    const auto add = [&](std::string name, Role role, const StepBatch& batch, std::int64_t times,
                         const std::string& inner) {
        const ServedOperations costs = step_costs(one, batch);
        const RunKey inside = served_step_key(replica, batch, inner);
        const double begin = at;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            const double lasts = static_cast<double>(times) * costs[kind].seconds;
            if (seconds(at + lasts) > seconds(at)) {
                run->add(kinds[kind], {seconds(at),
                                       seconds(at + lasts),
                                       role_of_kind(kind),
                                       {name + said(": ") + operation_word(kind),
                                        std::string(costs[kind].name),
                                        {{"bound", std::string(meshslice::name(costs[kind].bound))}},
                                        {operation_word(kind)}},
                                       inside});
            }
            at += lasts;
        }
        run->add(steps, {seconds(begin), seconds(at), role, {std::move(name), "step", {}}, inside});
    };
    Replica its = one;
    its.batch = prompts;
    const StepBatch prefill = phase_batch(its, ServedPhase::prefill, 0);
    add(say("prefill, {} tokens", prefill.prompt_tokens), Role::compute, prefill, 1, said("a prefill"));
    phase(said("prefill"), Role::compute, 0);
    if (moved > 0) {
        at += moved;
        phase(said("transfer of the cache"), Role::transferHorizontal, at - moved);
    }
    const double begin = at;
    const auto last = static_cast<std::int64_t>(std::ceil((one.output - 1) / one.accepted));
    constexpr std::int64_t one_by_one = 8;
    for (std::int64_t step = 1, together = 1; step <= last; step += together) {
        together = std::min(step > one_by_one ? step - 1 : 1, last - step + 1);
        const auto middle = static_cast<double>(step) + static_cast<double>(together - 1) / 2;
        add(together == 1 ? say("decode, step {}", step)
                          : say("decode, steps {} to {}", step, step + together - 1),
            Role::backward, phase_batch(one, ServedPhase::decode, one.input + middle * one.accepted),
            together, together == 1 ? said("a step") : say("the middle one of {} steps", together));
    }
    phase(said("decode"), Role::backward, begin);
    return run;
}

} // namespace meshslice
