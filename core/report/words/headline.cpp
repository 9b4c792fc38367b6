#include "core/report/words/headline.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/listing.h"
#include "core/gemm/algorithms.h"
#include "core/report/words/block_words.h"
#include "core/report/words/resource_words.h"
#include "core/scenario/examples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

namespace meshslice {
namespace {

/// "32x8"; "on a ring of 256".
std::string on_mesh_text(const Torus& torus) {
    return torus.axis_count() == 1 && torus.chips() > 1 ? say("on a {}", mesh_text(torus))
                                                        : shape_text(torus);
}

std::string dataflow_words(Dataflow dataflow) {
    switch (dataflow) {
    case Dataflow::OS: return said("output stationary (OS)");
    case Dataflow::LS: return said("left stationary (LS)");
    case Dataflow::RS: return said("right stationary (RS)");
    }
    return {};
}

/// ", 2 faults, jitter".
std::string faults_text(const Faults& faults) {
    std::string words;
    if (!faults.parts.empty()) {
        words += faults.parts.size() == 1 ? said(", 1 fault") : say(", {} faults", faults.parts.size());
    }
    return words + (faults.jitter > Time(0) ? said(", jitter") : std::string());
}

/// "2 faults and jitter not counted, estimated only; ": before anything that would be read without it.
std::string not_counted_text(const Faults& faults) {
    if (faults.none()) {
        return {};
    }
    const std::string parts = faults.parts.empty()       ? std::string()
                              : faults.parts.size() == 1 ? said("1 fault")
                                                         : say("{} faults", faults.parts.size());
    const std::string what = faults.jitter == Time(0) ? parts
                             : parts.empty()          ? said("jitter")
                                                      : say("{} and jitter", parts);
    return say("{} not counted (estimated, not simulated); ", what);
}

/// ", round-robin memory".
std::string arbitration_text(const TrainingStep& step) {
    if (!step.arbitration) {
        return {};
    }
    switch (*step.arbitration) {
    case MemoryPolicy::ideal: return said(", memory without contention");
    case MemoryPolicy::round_robin: return said(", round-robin memory");
    case MemoryPolicy::communication_aware: return said(", communication-aware memory");
    case MemoryPolicy::compute_first: break;
    }
    return said(", compute-first memory");
}

/// ", unstaggered chunks"; empty for the default order.
std::string chunk_order_text(const TrainingStep& step) {
    return step.chunk_order == ChunkOrder::unstaggered ? said(", unstaggered chunks") : std::string();
}

/// ", link bandwidth x 0.5".
std::string edits_text(const std::vector<EditedNumber>& edits) {
    return edits.empty() ? std::string() : said(", ") + text(edits);
}

} // namespace

bool knows_its_bound(const TrainingStep& step) {
    return step.faults.none() || step.gemms.empty() || !step.gemms.front().timeline;
}

std::string bound_by(const TrainingStep& step) {
    return knows_its_bound(step) ? bound_words(step.bottleneck, step.torus) : std::string();
}

std::string slices_text(const TrainingStep& step) {
    const Result<const Algorithm*> algorithm = meshslice::algorithm(step.algorithm);
    if (!algorithm || !takes(**algorithm, OptionId::slices) || step.gemms.empty()) {
        return {};
    }
    const auto slices = [](const GemmResult& one) { return one.options.slices; };
    const auto [least, most] = std::ranges::minmax_element(step.gemms, {}, slices);
    return slices(*least) == slices(*most) ? fmt::format("S = {}", slices(*least))
                                           : say("S = {} to {}", slices(*least), slices(*most));
}

std::string way_words(const TrainingStep& step) {
    if (step.gemms.empty()) {
        return {};
    }
    const Result<const Algorithm*> algorithm = meshslice::algorithm(step.algorithm);
    std::vector<std::string> dataflows;
    for (const GemmResult& one : step.gemms) {
        std::string words = dataflow_words(one.gemm.dataflow);
        if (std::ranges::find(dataflows, words) == dataflows.end()) {
            dataflows.push_back(std::move(words));
        }
    }
    const std::string slices = slices_text(step);
    return say("{} {}, {}{}{}, {}", algorithm ? (*algorithm)->title : std::string_view(step.algorithm),
               on_mesh_text(step.torus), listed(dataflows), slices.empty() ? std::string() : said(", "),
               slices,
               step.gemms.front().timeline != nullptr ? said("simulated") : said("by the closed form"));
}

std::string headline(const TrainingStep& step, SaidEdits edits, const std::string& bound) {
    if (step.gemms.empty()) {
        return {};
    }
    const Result<const Algorithm*> algorithm = meshslice::algorithm(step.algorithm);
    const std::string slices = slices_text(step);
    const bool simulated = step.gemms.front().timeline != nullptr;
    const std::string hidden =
        step.usage.communication() == Time(0) ? said("nothing to communicate")
        : simulated || step.hidden_share() == 0
            ? say("{} of communication hidden", percent_text(step.hidden_share()))
            : say("up to {} of communication hidden", percent_text(step.hidden_share()));
    const std::string fit = fit_words(step);
    const std::string by = bound.empty() ? bound_by(step) : bound;
    const std::string how = arbitration_text(step) + chunk_order_text(step) +
                            (step.memory_counted ? std::string() : said(", memory not counted")) +
                            faults_text(step.faults) +
                            (edits == SaidEdits::here ? edits_text(step.hardware_edits) : std::string());
    return say("{}{} {}{}{}{}: {}{}, {} of peak; {}{}{}{}",
               step.variant.empty() ? std::string() : shown_name(step.variant) + said(": "),
               algorithm ? (*algorithm)->title : std::string_view(step.algorithm), on_mesh_text(step.torus),
               slices.empty() ? std::string() : said(", "), slices, how,
               not_counted_text(step.not_counted) + (step.fits() ? std::string() : fit + said("; ")),
               block_time_words(step), percent_text(step.utilization),
               step.fits() ? fit + said("; ") : std::string(), hidden,
               by.empty() ? std::string() : said("; "), by);
}

} // namespace meshslice
