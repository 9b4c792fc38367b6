#include "core/base/say.h"
#include "core/papers/meshslice/setup/block_rest.h"
#include "core/papers/meshslice/setup/scaling.h"
#include "core/papers/meshslice/studies.h"
#include "core/work/laws.h"
#include "core/work/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace meshslice {

std::vector<BlockOperation> block_rest(const Transformer& model, std::int64_t batch, std::int64_t sequence) {
    const std::array segments = {Segment{sequence, 0, batch}};
    double scores = 0, queries = 0, keys = 0, normed = 0, activated = 0; // elements
    double product = 0;                                                  // FLOP
    for (const Task& task : training.block(block_kind(model, model.causal), segments)) {
        const Dims& dims = task.dims;
        if (task.pass != Pass::forward) {
            continue;
        }
        if (task.name == attention_task) {
            scores = dims.samples * dims.heads * dims.rows * dims.keys;
            queries = dims.tokens() * dims.heads * dims.head_size;
            keys = dims.samples * dims.keys * dims.kv_heads * dims.head_size;
            product = 2 * scores * dims.head_size;
        } else if (task.name == activation_task) {
            activated = dims.tokens() * dims.out;
        } else if (task.law == norm_law) {
            normed += dims.tokens() * dims.out;
        }
    }
    const auto bytes = [](double elements) {
        return Bytes(static_cast<std::int64_t>(elements) * element_bytes(DataType::bf16));
    };
    // A product C = A B forward; A' = C' B^T and B' = A^T C' backward: each reads two and writes one.
    const Flop three(static_cast<std::int64_t>(3 * product));
    const Bytes operands = bytes(3 * (queries + keys + scores));
    // Elementwise: reads x, writes y; backward reads x (or y) and y', writes x'.
    const auto elementwise = [&](double elements) { return bytes((2 + 3) * elements); };
    return {{"scores", three, operands},
            {"values", three, operands},
            {"softmax", Flop(0), elementwise(scores)},
            {"norms", Flop(0), elementwise(normed)},
            // A gated activation reads the gate as well, and its gradient writes one more.
            {"activation", Flop(0), elementwise((model.gated ? 2 : 1) * activated)},
            // One before each norm. Reads two, writes one; backward the gradient is added to itself from both
            // branches.
            {"residuals", Flop(0), bytes((3 + 3) * normed)}};
}

Time block_rest_time(const Transformer& model, std::int64_t batch, std::int64_t sequence, std::int32_t chips,
                     const Machine& hardware) {
    double sum = 0;
    for (const BlockOperation& one : block_rest(model, batch, sequence)) {
        const double multiplying =
            static_cast<double>(one.flop.value()) / hardware.effective_rate(DataType::bf16).value();
        const double moving = static_cast<double>(one.bytes.value()) / hardware.hbm_bandwidth.value.value();
        sum += std::max(multiplying, moving) / chips;
    }
    return seconds(sum);
}

namespace {

Result<StudyResult> end_to_end(const StudyInputs& inputs, const RunControl& control) {
    StudyInputs one_cluster = inputs;
    const std::int32_t cluster = inputs.chips.back();
    one_cluster.chips = {cluster};
    const auto found = scaling(one_cluster, BatchRule::weak, {"wang", "meshslice"}, control);
    if (!found) {
        return refuse(found.error());
    }
    StudyResult result;
    for (std::size_t m = 0; m < inputs.models.size(); ++m) {
        const Transformer& model = inputs.models[m];
        const Compared& steps = found->steps[m].front();
        const Scenario scenario = paper_scenario(model, batch(BatchRule::weak, cluster), inputs.hardware);
        const Time rest = block_rest_time(model, scenario.batch, scenario.sequence, cluster, inputs.hardware);
        ChartPanel panel{model.title, {said("algorithm")}, {said("time of one block"), ChartUnit::seconds}};
        panel.series = {{said("fully connected"), SeriesKind::stack, {}, {}, Role::compute},
                        {said("other layers"), SeriesKind::stack}};
        for (const char* id : {"wang", "meshslice"}) {
            const auto step = steps.find(id);
            const bool runs = step != steps.end();
            panel.x.categories.emplace_back(id == std::string("wang") ? "Wang" : "MeshSlice");
            panel.series[0].values.push_back(runs ? std::optional(in_seconds(step->second.time))
                                                  : std::nullopt);
            panel.series[1].values.push_back(runs ? std::optional(in_seconds(rest)) : std::nullopt);
        }
        if (steps.contains("wang")) {
            const Time wang = steps.at("wang").time;
            const Time meshslice = steps.at("meshslice").time;
            const double whole = ratio(wang + rest, meshslice + rest);
            if (cluster == 256 && !claim_name(model).empty()) {
                result.claims.push_back(
                    outcome(fmt::format("end-to-end-{}", claim_name(model)), whole, Reading::estimated));
            }
            result.finding += say("{}{}: {:.3f}x Wang for whole blocks, {:.3f}x without other layers",
                                  result.finding.empty() ? std::string() : said("; "), model.title, whole,
                                  ratio(wang, meshslice));
        }
        result.panels.push_back(std::move(panel));
    }
    result.table = table("Time of one block's training step", result.panels);
    result.note =
        said("The other layers are timed on the roofline, none fused with another; the paper measured them.");
    return result;
}

} // namespace

/// The layers that are not fully connected (see block_rest.h) take as long with either algorithm.
const Study end_to_end_study{"end-to-end",
                             "Whole blocks",
                             "How much is left of the speed-up when attention and norms count too?",
                             "5.1.1",
                             end_to_end,
                             {true, true, ClustersAsked::largest},
                             &meshslice_evaluation,
                             Reading::estimated};

} // namespace meshslice
