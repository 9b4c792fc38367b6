#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/papers/selene/studies.h"

namespace meshslice {
namespace {

constexpr std::string_view selene = "a100-nvs8";

StudyInputs selene_inputs(const Machine& hardware) {
    return {{*model_preset("gpt3-175b")},
            {8, 64, 280, 512},
            has_domains(hardware) ? hardware : *machine_preset(selene)};
}

} // namespace

const Evaluation selene_evaluation{
    selene_measurements,
    selene_inputs,
    [](const Transformer& /*model*/, const Machine& hardware, const RunControl& /*control*/) -> Result<void> {
        return measured_step(measured_runs.front(), true, hardware).map([](const PlanReading&) {});
    },
    [](const StudyInputs& inputs, const StudyScope& scope) -> std::string {
        const Machine own = *machine_preset(selene);
        return scope.hardware && inputs.hardware != own
                   ? say("Not judged against the paper: asked {}.",
                         say("with {} instead of {}", inputs.hardware.title, own.title))
                   : std::string();
    },
    has_domains,
    selene,
    "22B to 1T, as measured"};

} // namespace meshslice
