#include "core/papers/t3/tensor_cases.h"

#include "core/base/say.h"
#include "core/papers/t3/runs/simulated_case.h"
#include "core/papers/t3/studies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace meshslice {
namespace {

constexpr std::int64_t sequence = 1024; ///< Table 2: 1K
constexpr std::int64_t large_parameters = 100'000'000'000;
constexpr std::int64_t large_ring = 32;

std::int64_t tokens_of(const Transformer& model) {
    const std::int64_t batch = model.name == "mega-gpt-2" ? 16 : model.name == "t-nlg" ? 8 : 2;
    return batch * sequence;
}

bool large(const Transformer& model) {
    return layer_parameters(model) >= large_parameters;
}

std::vector<Transformer> models_of(const StudyInputs& inputs, ModelSize size) {
    std::vector<Transformer> some;
    for (const Transformer& one : inputs.models) {
        if (size == ModelSize::any || large(one) == (size == ModelSize::large)) {
            some.push_back(one);
        }
    }
    return some.empty() ? inputs.models : some;
}

std::vector<std::int64_t> rings_of(const Transformer& model, const StudyInputs& inputs) {
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> its;
    for (const std::int64_t chips : inputs.chips) {
        if (chips >= 2 && model.hidden % chips == 0) {
            all.push_back(chips);
            if ((chips >= large_ring) == large(model)) {
                its.push_back(chips);
            }
        }
    }
    return its.empty() ? all : its;
}

/// What the sub-layer sums over, on all chips: the width inside the block.
std::int64_t summed(const Transformer& model, const SubLayer& layer) {
    const std::array batch = {Segment{tokens_of(model)}};
    const std::vector<Task> tasks = training.block(block_kind(model, model.causal), batch);
    const auto found = std::ranges::find_if(
        tasks, [&](const Task& task) { return task.name == layer.task && task.pass == layer.pass; });
    return static_cast<std::int64_t>(found->place == TaskPlace::into ? found->dims.out : found->dims.in);
}

std::string not_table_2(const StudyInputs& inputs, const StudyScope& scope) {
    const StudyInputs paper = t3_inputs(t3_machine());
    const bool other_chips = scope.clusters != ClustersAsked::none && inputs.chips != paper.chips;
    return why_not_judged(inputs, paper, scope, other_chips);
}

} // namespace

const Publication& t3_paper() {
    const Result<const Publication*> paper = publication("t3-paper");
    assert(paper && "the paper's claims come with the program");
    return **paper;
}

StudyInputs t3_inputs(const Machine& hardware) {
    StudyInputs inputs{{}, {8, 16, 32}, makes_fed_ring(hardware) ? hardware : t3_machine()};
    for (const char* name : {"mega-gpt-2", "t-nlg", "gpt3-175b", "palm-t3", "megatron-nlg-530b"}) {
        inputs.models.push_back(*model_preset(name));
    }
    return inputs;
}

const Evaluation t3_evaluation{
    t3_paper,
    t3_inputs,
    [](const Transformer& /*model*/, const Machine& hardware, const RunControl& /*control*/) {
        return makes_fed_ring(hardware);
    },
    not_table_2,
    feeds_rings,
    "t3-paper",
    "its five models",
    "statements hold or not by closed forms and, where a GEMM runs with its collective, by runs simulated "
    "event by event"};

std::string text(const TensorCase& one) {
    return fmt::format("{}, TP {}, {}", one.model, one.gemm.chips, one.layer->name);
}

Result<std::vector<TensorCase>> tensor_cases(const StudyInputs& inputs, ModelSize size) {
    std::vector<TensorCase> cases;
    const std::vector<Transformer> models = models_of(inputs, size);
    for (const Transformer& model : models) {
        for (const std::int64_t chips : rings_of(model, inputs)) {
            for (const SubLayer& layer : sub_layers) {
                const GemmShape shape = {tokens_of(model), model.hidden, summed(model, layer) / chips};
                cases.push_back({model.title, &layer, {shape, chips, DataType::bf16}});
            }
        }
    }
    return cases.empty() ? Result<std::vector<TensorCase>>(refuse(
                               say("The hidden size of {} divides by none of the rings.", titles_of(models))))
                         : cases;
}

Result<std::vector<CaseTimes>> case_times(const std::vector<TensorCase>& cases, const Machine& hardware,
                                          const RunControl& control) {
    std::vector<CaseTimes> all;
    for (const TensorCase& one : cases) {
        if (control.stop.stop_requested()) {
            return cancelled();
        }
        const auto parts = all_reduce_times(one.gemm, hardware);
        const auto same = std::ranges::find_if(
            all, [&](const CaseTimes& other) { return other.of.gemm == one.gemm; }); // FC-1 is FC-2
        if (same != all.end()) {
            CaseTimes copy = *same;
            copy.of = one;
            all.push_back(std::move(copy));
            continue;
        }
        const auto in_turn = fused_seconds(one.gemm, hardware, MemoryPolicy::round_robin, control);
        const auto fair = fused_seconds(one.gemm, hardware, MemoryPolicy::communication_aware, control);
        if (!parts || !fair || !in_turn) {
            return refuse(!parts ? parts.error() : !fair ? fair.error() : in_turn.error());
        }
        all.push_back({one, *parts, *in_turn, *fair});
        if (control.progress != nullptr) {
            *control.progress = static_cast<double>(all.size()) / static_cast<double>(cases.size());
        }
    }
    return all;
}

double geometric_mean(const std::vector<double>& values) {
    double logarithms = 0;
    for (const double one : values) {
        logarithms += std::log(one);
    }
    return values.empty() ? 0 : std::exp(logarithms / static_cast<double>(values.size()));
}

} // namespace meshslice
