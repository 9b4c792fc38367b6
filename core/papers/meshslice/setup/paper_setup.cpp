#include "core/papers/meshslice/setup/paper_setup.h"

#include "core/base/say.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"
#include "core/machine/catalogue.h"
#include "core/scenario/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace meshslice {
namespace {

constexpr std::string_view papers_machine = "tpu-v4-paper";

/// A TPU v4 by its peak: 272 TFLOP/s (section 5.1.1), 275 in other publications.
bool has_papers_peak(const Machine& hardware) {
    constexpr double papers_peak = 272e12;
    constexpr double rounding = 0.02;
    return std::abs(hardware.peak_rate(DataType::bf16).value() / papers_peak - 1) < rounding;
}

/// As a preset has it: with any number changed it is another chip, whatever its title says.
bool is_unchanged(const Machine& hardware) {
    return std::ranges::find(machine_presets(), hardware) != machine_presets().end();
}

std::string listed_chips(const std::vector<std::int32_t>& chips) {
    std::vector<std::string> words;
    for (const std::int32_t one : chips) {
        words.push_back(std::to_string(one));
    }
    return listed(words);
}

std::string listed_models(const std::vector<Transformer>& models) {
    std::vector<std::string> words;
    for (const Transformer& one : models) {
        words.push_back(one.title);
    }
    return listed(words);
}

} // namespace

const Publication& meshslice_paper() {
    const Result<const Publication*> paper = publication("meshslice-paper");
    assert(paper && "the MeshSlice paper's claims come with the program");
    return **paper;
}

ClaimOutcome outcome(const std::string& id, double ours, Reading reading) {
    return outcome(meshslice_paper(), id, ours, reading);
}

ChartSeries published(std::string name) {
    ChartSeries series{std::move(name)};
    series.role = Role::text;
    series.hollow = true;
    series.source = meshslice_paper().citation;
    return series;
}

void emphasize(ChartSeries& series) {
    series.emphasized = true;
    series.role = Role::compute;
}

const Evaluation meshslice_evaluation{
    meshslice_paper,
    [](const Machine& hardware) {
        return paper_inputs(hardware.network.torus_axes() > 0 ? hardware : *machine_preset(papers_machine));
    },
    [](const Transformer& model, const Machine& hardware, const RunControl& /*control*/) -> Result<void> {
        return checked(paper_scenario(model, 1, hardware)).map([](const Scenario&) {});
    },
    not_the_papers,
    is_plain_torus,
    papers_machine,
    "GPT-3 and Megatron-NLG"};

std::int64_t batch(BatchRule rule, std::int32_t chips) {
    constexpr std::int64_t strong = 32;
    return rule == BatchRule::strong ? strong : std::max(1, chips / 2);
}

StudyInputs paper_inputs(const Machine& hardware) {
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

std::string not_the_papers(const StudyInputs& inputs, const StudyScope& scope) {
    const StudyInputs paper = paper_inputs(inputs.hardware);
    std::vector<std::string> differences;
    const auto named = [](const Transformer& model) { return !claim_name(model).empty(); };
    if (scope.models && !std::ranges::all_of(inputs.models, named)) {
        differences.push_back(
            say("of {} instead of {}", listed_models(inputs.models), listed_models(paper.models)));
    }
    const bool largest = inputs.chips.back() == paper.chips.back();
    // Larger clusters may be asked for in addition to the paper's; they are not judged.
    const auto larger = std::ranges::upper_bound(inputs.chips, paper.chips.back());
    const bool all = std::ranges::equal(inputs.chips.begin(), larger, paper.chips.begin(), paper.chips.end());
    if (scope.clusters == ClustersAsked::largest && !largest) {
        differences.push_back(say("on {} chips instead of {}", inputs.chips.back(), paper.chips.back()));
    }
    if (scope.clusters == ClustersAsked::all && !all) {
        differences.push_back(
            say("on {} chips instead of {}", listed_chips(inputs.chips), listed_chips(paper.chips)));
    }
    if (scope.hardware && !has_papers_peak(inputs.hardware)) {
        differences.push_back(say("with {} instead of TPU v4", inputs.hardware.title));
    } else if (scope.hardware && !is_unchanged(inputs.hardware)) {
        differences.push_back(say("with changed numbers of {}", inputs.hardware.title));
    }
    return differences.empty() ? std::string()
                               : say("Not judged against the paper: asked {}.", listed(differences));
}

Scenario paper_scenario(const Transformer& model, std::int64_t batch, const Machine& hardware) {
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

namespace {

/// With as many packets on every mesh as its longer side has chips.
Result<TrainingStep> streaming_on_best_mesh(const Scenario& scenario, const std::string& id,
                                            std::int32_t chips, const std::vector<std::int64_t>& unroll,
                                            const std::stop_token& stop) {
    std::optional<TrainingStep> fastest;
    std::optional<Error> objection;
    Scenario streaming = scenario;
    for (const Mesh& mesh : meshes_for(scenario.hardware, **algorithm(id), chips)) {
        streaming.mesh = mesh;
        streaming.plan.packets = std::ranges::max(mesh);
        Result<TrainingStep> step = estimated_step(streaming, id, unroll, stop);
        if (step && (!fastest || step->time < fastest->time)) {
            fastest = *std::move(step);
        } else if (!step && step.error().kind == Error::Kind::cancelled) {
            return step;
        } else if (!step) {
            objection = step.error();
        }
    }
    if (!fastest) {
        return refuse(objection.value_or(Error{no_mesh(scenario.hardware, **algorithm(id))}));
    }
    return *std::move(fastest);
}

} // namespace

Result<std::map<std::string, TrainingStep>> compared(const Scenario& scenario, std::int32_t chips,
                                                     const std::vector<std::string>& algorithms,
                                                     const RunControl& control) {
    auto meshslice = on_best_mesh(scenario, "meshslice", chips, {}, control.stop);
    if (!meshslice) {
        return refuse(meshslice.error());
    }
    const std::vector<std::int64_t> counts = slice_counts(*meshslice);
    std::map<std::string, TrainingStep> steps;
    steps.emplace("meshslice", *std::move(meshslice));
    for (const std::string& id : algorithms) {
        if (steps.contains(id)) {
            continue;
        }
        const auto known = algorithm(id);
        if (!known) {
            return refuse(known.error());
        }
        const auto unroll = takes_at_most(**known, OptionId::slices) ? counts : std::vector<std::int64_t>();
        auto step = takes(**known, OptionId::packets)
                        ? streaming_on_best_mesh(scenario, id, chips, unroll, control.stop)
                        : on_best_mesh(scenario, id, chips, unroll, control.stop);
        if (step) {
            steps.emplace(id, *std::move(step));
        } else if (step.error().kind == Error::Kind::cancelled) {
            return refuse(step.error());
        }
    }
    return steps;
}

} // namespace meshslice
