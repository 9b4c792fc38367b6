#include "ui/lab/lab_run.h"

#include <utility>

namespace meshslice::ui {
namespace {

/// The lab is for small meshes: a run of more bars than that would be waited for.
constexpr std::int64_t most_bars = 2'000'000;

} // namespace

Result<LabRun> runOfPlan(const LabRunQuestion& asked, const RunControl& control) {
    const LabQuestion& question = asked.question;
    Result<ShardedStep> run =
        sharded_step(asked.plan, question.gemm, question.mesh, question.sizes, question.kind,
                     question.hardware, Depth::simulate, control, most_bars);
    if (!run) {
        return refuse(run.error());
    }
    StepDensity from_afar = density(run->step(), {Time(0), run->step().time}, density_parts);
    return std::make_shared<const SimulatedPlan>(SimulatedPlan{*std::move(run), std::move(from_afar)});
}

void LabSession::show(const StepRunPtr& run, const StepDensity& from_afar) {
    auto results = std::make_shared<Results>();
    results->number = ++runs_;
    results->runs = {run};
    results->densities = {from_afar};
    SessionState next;
    next.kind = Kind::ready;
    next.results = std::move(results);
    become(std::move(next));
}

void LabSession::compute() {
    SessionState next = state();
    next.kind = Kind::computing;
    next.sentence.clear();
    become(std::move(next));
}

void LabSession::fail(const QString& sentence) {
    SessionState next = state();
    next.kind = Kind::failed;
    next.results = nullptr;
    next.sentence = sentence;
    become(std::move(next));
}

} // namespace meshslice::ui
