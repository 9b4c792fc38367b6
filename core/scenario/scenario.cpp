#include "core/scenario/scenario.h"

#include "core/machine/catalogue.h"
#include "core/scenario/fields.h"
#include "core/scenario/meshes.h"

#include <cassert>

namespace meshslice {

Result<Torus> Scenario::torus() const {
    std::vector<TorusAxis> axes;
    for (std::size_t k = 0; k < mesh.size(); ++k) {
        const bool closed =
            (k >= wraps.size() || wraps[k]) && (is_group() || closes(hardware.pod, mesh[k], chips_of(mesh)));
        axes.push_back({mesh[k], closed || folded, !closed && folded});
    }
    return Torus::create(std::move(axes));
}

std::int64_t Scenario::chips() const {
    return planning.chips.value_or(chips_of(mesh));
}

Scenario default_scenario() {
    Scenario scenario;
    const Result<Transformer> model = model_preset("gpt3-175b");
    const Result<Machine> hardware = machine_preset("tpu-v4-paper");
    assert(model && hardware);
    scenario.model = *model;
    scenario.hardware = *hardware;
    return scenario;
}

Result<Scenario> checked(const Scenario& scenario) {
    const Result<void> valid = check_fields(scenario_fields(), scenario);
    return valid ? Result<Scenario>(scenario) : refuse(valid.error());
}

} // namespace meshslice
