#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/papers/meshslice/setup/scaling.h"
#include "core/papers/meshslice/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

constexpr const char* unrolled_note = "SUMMA and Wang are unrolled to the slice counts that MeshSlice has on "
                                      "its best mesh, as in the paper (section "
                                      "4.2), and SUMMA's panels go in as many packets as its longer rings "
                                      "have chips (section 2.3.3); left to the tuner they may do better.";

constexpr std::int32_t published_cluster = 256;
constexpr std::int32_t smallest_published = 16;

std::string joined(const std::string& words, const std::string& more) {
    return words.empty() ? more : words + said("; ") + more;
}

/// MeshSlice before Wang before Collective before all others (section 5.1.1).
bool in_order(const Compared& steps) {
    bool holds = ahead(steps, "meshslice", "wang") && ahead(steps, "wang", "collective");
    for (const char* slower : {"summa", "cannon", "1d-tp", "fsdp"}) {
        holds = holds && ahead(steps, "collective", slower);
    }
    return holds;
}

/// The fastest but MeshSlice of those that run, and how many times as fast MeshSlice is.
struct Lead {
    double factor = 1;
    std::string next = {}; ///< empty if nothing else runs

    /// "1.14 times Wang".
    [[nodiscard]] std::string words() const {
        return next.empty() ? said("alone") : say("{:.2f} times {}", factor, next);
    }
};

Lead lead(const Compared& steps) {
    const TrainingStep* next = nullptr;
    for (const auto& [id, step] : steps) {
        if (id != "meshslice" && (next == nullptr || step.utilization > next->utilization)) {
            next = &step;
        }
    }
    if (next == nullptr || next->utilization == 0) {
        return {};
    }
    return {steps.at("meshslice").utilization / next->utilization, title_of(next->algorithm)};
}

/// The paper says "similar" and draws it; here: MeshSlice, Collective and Wang differ by a smaller factor
/// than the least of them from the better of 1D TP and SUMMA.
bool nearer_than_the_rest(const Compared& judged) {
    const auto of = [&](const char* id) {
        const auto found = judged.find(id);
        return found == judged.end() ? 0.0 : found->second.utilization;
    };
    const auto [least, most] = std::minmax({of("meshslice"), of("collective"), of("wang")});
    const double rest = std::max(of("1d-tp"), of("summa"));
    return least > 0 && most * rest < least * least;
}

Result<StudyResult> weak_scaling(const StudyInputs& inputs, const RunControl& control) {
    const auto found = scaling(inputs, BatchRule::weak, compared_algorithms(), control);
    if (!found) {
        return refuse(found.error());
    }
    StudyResult result;
    result.note = said(unrolled_note);
    result.panels = utilization_panels(inputs, *found);
    result.table = comparison_table("FLOP utilization, half as many sequences as chips", inputs, *found);
    OrderingOutcome order{"weak-256-order", true, {}, Reading::estimated};
    OrderingOutcome fastest{"weak-always-fastest", true, {}, Reading::estimated};
    bool order_judged = false;
    for (std::size_t m = 0; m < inputs.models.size(); ++m) {
        const Transformer& model = inputs.models[m];
        const std::string name = claim_name(model);
        const Compared* small = nullptr;
        for (std::size_t c = 0; c < inputs.chips.size(); ++c) {
            const Compared& steps = found->steps[m][c];
            const Lead by = lead(steps);
            if (inputs.chips[c] <=
                published_cluster) { // larger ones are drawn, too, but the paper's end here
                fastest.holds = fastest.holds && by.factor > 1;
                fastest.numbers =
                    joined(fastest.numbers, say("{} on {}: {}", model.title, inputs.chips[c], by.words()));
            }
            small = inputs.chips[c] == smallest_published ? &steps : small;
            if (inputs.chips[c] != published_cluster) {
                continue;
            }
            order_judged = true;
            order.holds = order.holds && in_order(steps);
            order.numbers = joined(order.numbers, ranking(model, steps));
            const double best = steps.at("meshslice").utilization;
            if (!name.empty() && steps.contains("wang")) {
                result.claims.push_back(outcome(fmt::format("fig9-{}-over-wang", name),
                                                best / steps.at("wang").utilization, Reading::estimated));
            }
            if (!name.empty() && small) {
                result.claims.push_back(outcome(fmt::format("scaling-loss-{}", name),
                                                1 - best / small->at("meshslice").utilization,
                                                Reading::estimated));
            }
        }
        const Compared& largest = found->steps[m].back();
        result.finding = joined(result.finding,
                                say("{} on {} chips: MeshSlice {:.1f}%, {}", model.title, inputs.chips.back(),
                                    100 * largest.at("meshslice").utilization, lead(largest).words()));
    }
    if (order_judged) {
        result.orderings.push_back(order);
    }
    result.orderings.push_back(fastest);
    return result;
}

Result<StudyResult> strong_scaling(const StudyInputs& inputs, const RunControl& control) {
    std::vector<std::string> algorithms = compared_algorithms();
    std::erase(algorithms, "fsdp");
    const auto found = scaling(inputs, BatchRule::strong, algorithms, control);
    if (!found) {
        return refuse(found.error());
    }
    StudyResult result;
    result.note = said(unrolled_note);
    result.panels = utilization_panels(inputs, *found);
    result.table = comparison_table("FLOP utilization, 32 sequences", inputs, *found);
    OrderingOutcome similar{"strong-256-similar", true, {}, Reading::estimated};
    OrderingOutcome behind{"strong-256-behind", true, {}, Reading::estimated};
    OrderingOutcome efficient{"strong-16-efficient", true, {}, Reading::estimated};
    for (std::size_t m = 0; m < inputs.models.size(); ++m) {
        const Transformer& model = inputs.models[m];
        const Compared& steps = found->steps[m].back();
        const double best = steps.at("meshslice").utilization;
        result.finding = joined(result.finding, say("{} on {} chips: MeshSlice {:.1f}%, {}", model.title,
                                                    inputs.chips.back(), 100 * best, lead(steps).words()));
        if (inputs.chips.front() == smallest_published) {
            const Compared& small = found->steps[m].front();
            efficient.holds = efficient.holds && std::ranges::all_of(small, [](const auto& one) {
                                  return one.second.utilization > 0.5;
                              });
            efficient.numbers = joined(efficient.numbers, ranking(model, small));
        }
        const auto cluster = std::ranges::find(inputs.chips, published_cluster);
        if (cluster == inputs.chips.end()) {
            continue;
        }
        const Compared& judged = found->steps[m][static_cast<std::size_t>(cluster - inputs.chips.begin())];
        similar.holds = similar.holds && nearer_than_the_rest(judged);
        for (const char* slower : {"1d-tp", "summa"}) {
            behind.holds = behind.holds && ahead(judged, "meshslice", slower);
        }
        similar.numbers = joined(similar.numbers, ranking(model, judged));
        behind.numbers = similar.numbers;
    }
    if (!efficient.numbers.empty()) {
        result.orderings.push_back(efficient);
    }
    if (!similar.numbers.empty()) {
        result.orderings.insert(result.orderings.end(), {similar, behind});
    }
    return result;
}

} // namespace

/// FLOP utilization of all algorithms, half as many sequences as chips.
const Study weak_scaling_study{"weak-scaling",
                               "Weak scaling",
                               "How much of the peak is left when cluster and batch grow together?",
                               "5.1.1, Figure 9",
                               weak_scaling,
                               {true, true, ClustersAsked::all},
                               &meshslice_evaluation,
                               Reading::estimated};

/// As Figure 9, always with 32 sequences. FSDP is left out, as its batch grows with the chips.
const Study strong_scaling_study{
    "strong-scaling",      "Strong scaling",  "What is left when only the cluster grows?",
    "5.1.3, Figure 12",    strong_scaling,    {true, true, ClustersAsked::all},
    &meshslice_evaluation, Reading::estimated};

} // namespace meshslice
