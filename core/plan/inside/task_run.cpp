#include "core/plan/inside/task_run.h"

#include "core/base/say.h"
#include "core/plan/inside/collective_run.h"
#include "core/plan/torus_placement.h"
#include "core/run/listed_run.h"
#include "core/step/program_step.h"
#include "core/step/run/step_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

Lane lane_of(std::string name, int number) {
    Lane lane;
    lane.place = say("one chip");
    lane.name = std::move(name);
    lane.number = lane.order = number;
    return lane;
}

bool scatters(Collective what) {
    return what == Collective::reduce_scatter || what == Collective::reduce || what == Collective::all_reduce;
}

/// What the group does for one panel of an operation, one collective after the other.
struct Exchanges {
    std::vector<CollectiveOfGroup> all;
    std::vector<double> seconds;
    double sum = 0;

    /// Adds a bar for each to the lane.
    void draw(ListedRun& run, std::size_t lane, double at, const PlanPtr& plan) const {
        for (std::size_t k = 0; k < all.size(); ++k) {
            const Time begin = meshslice::seconds(at);
            at += seconds[k];
            const Time end = meshslice::seconds(at);
            if (end > begin) {
                run.add(lane, {begin,
                               end,
                               Role::transferHorizontal,
                               {collective_name(all[k].what),
                                "transfer",
                                {{"bytes", static_cast<std::int64_t>(all[k].bytes)},
                                 {"chips", all[k].group.chips}}},
                               collective_key(plan, all[k], seconds[k])});
            }
        }
    }
};

Exchanges exchanges_of(const PlanAndModel& plan, const ChipTask& operation, const PassWork& work) {
    Exchanges made;
    const double panels = operation.panelled ? static_cast<double>(plan.plan.panels) : 1;
    for (const TaskExchange& one : work.exchanges) {
        const CollectiveOfGroup its{one.what, one.bytes / panels,
                                    plan.model.exchange_group(plan.plan, one.axis)};
        const double takes = one.axis == experts_axis
                                 ? plan.model.expert_seconds(plan.plan, one)
                                 : plan.model.network().seconds(its.what, its.bytes, its.group);
        if (takes > 0) {
            made.all.push_back(its);
            made.seconds.push_back(takes);
            made.sum += takes;
        }
    }
    return made;
}

/// What computes and what the group sends, laid out as the closed form takes it: in turns; at the same time
/// but for one step of each ring; or panel by panel.
Result<RunPtr> exchanging_task(const PlanPtr& plan, const ChipTask& operation, bool forward,
                               const LayerPass& pass) {
    const PassWork& work = forward ? operation.forward : operation.backward;
    const Exchanges exchanges = exchanges_of(*plan, operation, work);
    const Role role = forward ? Role::compute : Role::backward;
    auto run = std::make_shared<ListedRun>(said(operation.name), RunReading::estimated);
    const std::size_t core = run->add_lane(lane_of(say("core and memory"), 0));
    const std::size_t group = run->add_lane(lane_of(say("the group's network"), 1));
    const double body = pass.compute + pass.memory;
    const auto compute = [&](double from, double lasts, std::string name) {
        if (seconds(from + lasts) > seconds(from)) {
            run->add(core,
                     {seconds(from), seconds(from + lasts), role, {std::move(name), "compute", {}}, {}});
        }
    };
    const std::string name = said(operation.name);
    if (operation.panelled) {
        const std::int64_t panels = plan->plan.panels;
        const double each = body / static_cast<double>(panels);
        for (std::int64_t k = 0; k < panels; ++k) {
            const double at = static_cast<double>(k) * std::max(each, exchanges.sum);
            exchanges.draw(*run, group, at, plan);
            compute(at + exchanges.sum, each, say("{}, panel {} of {}", name, k + 1, panels));
        }
    } else {
        // What is combined follows its GEMM, as what is summed does; what is dispatched comes before.
        const bool last = !exchanges.all.empty() && (exchanges.all.back().what == Collective::all_to_all
                                                         ? forward == (operation.name == ff2_task)
                                                         : scatters(exchanges.all.back().what));
        // What is gathered is needed first, what is summed is there at the end.
        const double total = body + pass.tensor + pass.experts;
        exchanges.draw(*run, group, last ? total - exchanges.sum : 0, plan);
        compute(last ? 0 : total - body, body, name);
    }
    run->bind(exchanges.sum > body ? "links" : "compute");
    return RunPtr(run);
}

/// The run of one GEMM of an algorithm on the tensor-parallel group: simulated, link by link.
Result<RunPtr> gemm_run(const PlanAndModel& plan, const Gemm& gemm, const GemmOptions& options,
                        const RunControl& control) {
    const GridRings rings = grid_rings(plan.plan, plan.model.hardware().pod);
    const auto mesh =
        Torus::create(std::vector<TorusAxis>{{static_cast<std::int32_t>(plan.plan.tensor2), rings.tensor2},
                                             {static_cast<std::int32_t>(plan.plan.tensor1), rings.tensor1}});
    if (!mesh) {
        return refuse(mesh.error());
    }
    const Result<Program> program = plan.plan.algorithm->write(gemm.shape, gemm.dataflow, *mesh, options);
    if (!program) {
        return refuse(program.error());
    }
    Result<TrainingStep> step =
        program_step(*program, title(gemm), Schedule{}, plan.model.hardware(), Depth::simulate, control);
    if (!step) {
        return refuse(step.error());
    }
    return RunPtr(std::make_shared<const StepRun>(std::make_shared<const TrainingStep>(*std::move(step))));
}

/// The GEMMs of an operation as an algorithm's programs do them, one after the other.
Result<RunPtr> programmed_task(const PlanPtr& plan, const ChipTask& operation, bool forward) {
    const auto tuned = plan->model.tuned(plan->plan);
    if (!tuned) {
        return refuse(tuned.error());
    }
    const TunedLayer& its = (*tuned)[static_cast<std::size_t>(operation.layer)];
    const FullyConnectedLayer& layer = its.layer;
    const std::vector<Gemm> gemms = training_gemms(layer, largest_matrix_stays(layer));
    auto run = std::make_shared<ListedRun>(said(operation.name), RunReading::estimated);
    const std::size_t lane = run->add_lane(lane_of(say("GEMMs"), 0));
    double at = 0;
    for (std::size_t k = forward ? 0 : 1; k < (forward ? 1 : gemms.size()); ++k) {
        const double takes = in_seconds(its.gemms[k].estimate.total);
        RunKey key;
        key.key = fmt::format("GEMM {} {}", layer.name, k);
        key.title = title(gemms[k]);
        key.seconds = takes;
        key.make = [plan, gemm = gemms[k], options = its.gemms[k].options](const RunControl& control) {
            return gemm_run(*plan, gemm, options, control);
        };
        for (std::int64_t copy = 0; copy < layer.copies; ++copy) {
            run->add(lane, {seconds(at),
                            seconds(at + takes),
                            forward ? Role::compute : Role::backward,
                            {title(gemms[k]), "gemm", {}},
                            key});
            at += takes;
        }
    }
    return RunPtr(run);
}

} // namespace

std::optional<RunKey> task_key(const PlanPtr& plan, std::size_t operation, bool forward,
                               const LayerPass& pass) {
    const ChipTasks block = plan->model.block(plan->plan);
    const ChipTask& its = block.operations[operation];
    const bool programmed = its.layer >= 0;
    if (!programmed && (forward ? its.forward : its.backward).exchanges.size() == 0) {
        return std::nullopt;
    }
    RunKey key;
    key.key = fmt::format("task {} {}", operation, forward);
    key.title = say("{} {}", said(its.name), said(forward ? "forward" : "backward"));
    key.seconds = pass.time();
    key.make = [plan, its, forward, pass, programmed](const RunControl&) -> Result<RunPtr> {
        return programmed ? programmed_task(plan, its, forward) : exchanging_task(plan, its, forward, pass);
    };
    return key;
}

} // namespace meshslice
