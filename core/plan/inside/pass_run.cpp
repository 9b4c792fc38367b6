#include "core/plan/inside/pass_run.h"

#include "core/base/say.h"
#include "core/plan/evaluate/simulate_plan.h"
#include "core/plan/inside/task_run.h"
#include "core/run/listed_run.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

Lane lane_of(std::string place, std::string name, int number, LaneKind kind = LaneKind::busy) {
    Lane lane;
    lane.place = std::move(place);
    lane.name = std::move(name);
    lane.number = lane.order = number;
    lane.kind = kind;
    return lane;
}

} // namespace

std::vector<TaskTurn> block_turns(const ChipTasks& block, Recompute recompute, bool forward) {
    std::vector<TaskTurn> made;
    for (std::size_t k = 0; k < block.operations.size(); ++k) {
        const bool again = computed_again(block.operations[k], recompute);
        if (forward || again) {
            made.push_back({k, true, !forward});
        }
    }
    for (std::size_t k = block.operations.size(); !forward && k-- > 0;) {
        made.push_back({k, false, false});
    }
    return made;
}

Result<RunPtr> pass_run(const PlanPtr& plan, const PassOfStage& pass, const std::string& title) {
    const LayerCost layer = plan->model.layer(plan->plan);
    const double each = (pass.forward ? layer.forward : layer.backward).time();
    auto run = std::make_shared<ListedRun>(title, RunReading::estimated);
    const std::size_t blocks = run->add_lane(lane_of(say("one chip"), say("blocks"), 0, LaneKind::nested));
    const PassEnds ends = pass.embedding || pass.ends ? ends_of_passes(plan->model, plan->plan,
                                                                       plan->model.reading(plan->plan, layer))
                                                      : PassEnds();
    double at = 0;
    const auto end = [&](const std::string& name, double lasts) {
        if (lasts > 0) {
            run->add(blocks, {seconds(at), seconds(at + lasts), Role::compute, {name, "block", {}}, {}});
            at += lasts;
        }
    };
    // Backward passes go from the head to the embedding.
    if (pass.embedding && pass.forward) {
        end(say("embedding"), ends.embedding_forward);
    }
    if (pass.ends && !pass.forward) {
        end(say("output head and loss"), ends.head_backward);
    }
    for (std::int64_t k = 0; k < pass.layers; ++k) {
        const std::string name = say("layer {}", pass.forward ? pass.first + k : pass.first - k);
        RunKey key;
        key.key = fmt::format("block {}", pass.forward);
        key.title = name;
        key.seconds = each;
        key.make = [plan, forward = pass.forward](const RunControl&) -> Result<RunPtr> {
            return block_run(plan, forward, forward ? say("a block forward") : say("a block backward"));
        };
        run->add(blocks, {seconds(at),
                          seconds(at + each),
                          pass.forward ? Role::compute : Role::backward,
                          {name, "block", {}},
                          std::move(key)});
        at += each;
    }
    if (pass.ends && pass.forward) {
        end(say("output head and loss"), ends.head_forward);
    }
    if (pass.embedding && !pass.forward) {
        end(say("embedding"), ends.embedding_backward);
    }
    return RunPtr(run);
}

Result<RunPtr> block_run(const PlanPtr& plan, bool forward, const std::string& title) {
    const ChipTasks block = plan->model.block(plan->plan);
    const Result<BlockPasses> passes = plan->model.passes(plan->plan, block);
    if (!passes) {
        return refuse(passes.error());
    }
    auto run = std::make_shared<ListedRun>(title, RunReading::estimated);
    const std::size_t tasks = run->add_lane(lane_of(say("one chip"), say("tasks"), 0, LaneKind::nested));
    const std::size_t core = run->add_lane(lane_of(say("one chip"), say("core and memory"), 1));
    const std::size_t network = run->add_lane(lane_of(say("one chip"), say("waits for the group"), 2));
    double at = 0;
    double computes = 0, waits = 0, exposed = 0;
    for (const TaskTurn& turn : block_turns(block, plan->plan.recompute, forward)) {
        const ChipTask& operation = block.operations[turn.operation];
        LayerPass pass = (turn.forward ? passes->forward : passes->backward)[turn.operation];
        if (turn.again && again_alone(operation, plan->plan.recompute)) {
            pass.tensor = 0;
        }
        const std::string once = said(operation.name);
        const std::string name = turn.again ? say("{} again", once) : once;
        run->add(tasks, {seconds(at),
                         seconds(at + pass.time()),
                         turn.forward ? Role::compute : Role::backward,
                         {name, "task", {}},
                         task_key(plan, turn.operation, turn.forward, pass)});
        const auto bar = [&](std::size_t lane, double lasts, Role role, const char* what, std::string says) {
            if (seconds(at + lasts) > seconds(at)) {
                run->add(lane, {seconds(at), seconds(at + lasts), role, {std::move(says), what, {}}, {}});
            }
            at += lasts;
        };
        bar(core, pass.compute, turn.forward ? Role::compute : Role::backward, "computes",
            say("{} computes", name));
        bar(core, pass.memory, Role::slicing, "waits for memory", say("{} waits for memory", name));
        bar(network, pass.tensor + pass.experts, Role::exposed, "exposed", say("{} exposed", name));
        computes += pass.compute;
        waits += pass.memory;
        exposed += pass.tensor + pass.experts;
    }
    run->bind(exposed > computes && exposed > waits ? "links" : waits > computes ? "memory" : "compute");
    return RunPtr(run);
}

} // namespace meshslice
