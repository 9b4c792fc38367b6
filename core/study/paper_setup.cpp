#include "core/study/paper_setup.h"

#include "core/gemm/algorithms.h"

#include <cassert>

namespace meshslice {

std::int64_t batch(BatchRule rule, std::int32_t chips) {
    constexpr std::int64_t strong = 32;
    return rule == BatchRule::strong ? strong : std::max(1, chips / 2);
}

StudyInputs paper_inputs(const Hardware& hardware) {
    StudyInputs inputs{{}, {16, 32, 64, 128, 256}, hardware};
    for (const char* name : {"gpt3-175b", "megatron-nlg-530b"}) {
        const Result<Transformer> model = model_preset(name);
        assert(model);
        inputs.models.push_back(*model);
    }
    return inputs;
}

std::string claim_name(const Transformer& model) {
    const StudyInputs paper = paper_inputs({});
    return model == paper.models.front() ? "gpt3" : model == paper.models.back() ? "megatron" : std::string();
}

Scenario paper_scenario(const Transformer& model, std::int64_t batch, const Hardware& hardware) {
    Scenario scenario = default_scenario();
    scenario.model = model;
    scenario.hardware = hardware;
    scenario.batch = batch;
    scenario.sequence = 2048;
    return scenario;
}

const std::vector<std::string>& compared_algorithms() {
    static const std::vector<std::string> all = {"cannon",    "summa", "collective", "wang",
                                                 "meshslice", "1d-tp", "fsdp"};
    return all;
}

Result<std::map<std::string, EstimatedStep>> compared(const Scenario& scenario, std::int32_t chips,
                                                      const std::vector<std::string>& algorithms,
                                                      const RunControl& control) {
    auto meshslice = on_best_mesh(scenario, "meshslice", chips, {}, control.stop);
    if (!meshslice) {
        return refuse(meshslice.error());
    }
    const std::vector<std::int64_t> counts = slice_counts(*meshslice);
    std::map<std::string, EstimatedStep> steps;
    steps.emplace("meshslice", *std::move(meshslice));
    for (const std::string& id : algorithms) {
        if (steps.contains(id)) {
            continue;
        }
        const auto known = algorithm(id);
        if (!known) {
            return refuse(known.error());
        }
        auto step = on_best_mesh(scenario, id, chips,
                                 (*known)->unrolls ? counts : std::vector<std::int64_t>(), control.stop);
        if (step) {
            steps.emplace(id, *std::move(step));
        } else if (step.error().kind == Error::Kind::cancelled) {
            return refuse(step.error());
        }
    }
    return steps;
}

} // namespace meshslice
