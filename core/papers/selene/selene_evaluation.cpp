#include "core/base/say.h"
#include "core/machine/cluster.h"
#include "core/papers/selene/studies.h"

namespace meshslice {
namespace {

constexpr std::string_view selene = "a100-nvs8";

StudyInputs selene_inputs(const Machine& hardware) {
    const bool has_domains = hardware.network.torus_axes() == 0 && outer_network(hardware.network) != nullptr;
    return {{*model_preset("gpt3-175b")}, {8, 64, 280, 512}, has_domains ? hardware : *cluster(selene)};
}

} // namespace

const Evaluation selene_evaluation{
    selene_measurements,
    selene_inputs,
    [](const Transformer& /*model*/, const Machine& hardware) -> Result<void> {
        return measured_step(measured_runs.front(), true, hardware).map([](const PlanReading&) {});
    },
    [](const StudyInputs& inputs, const StudyScope& scope) -> std::string {
        const Machine own = *cluster(selene);
        return scope.hardware && inputs.hardware != own
                   ? say("Not judged against the paper: asked {}.",
                         say("with {} instead of {}", inputs.hardware.title, own.title))
                   : std::string();
    },
    cluster_presets,
    selene,
    "22B to 1T, as measured"};

} // namespace meshslice
