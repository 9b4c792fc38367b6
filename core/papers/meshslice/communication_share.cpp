#include "core/base/say.h"
#include "core/gemm/algorithms.h"
#include "core/papers/meshslice/setup/scaling.h"
#include "core/papers/meshslice/studies.h"

#include <fmt/format.h>

#include <algorithm>

namespace meshslice {
namespace {

/// The four orderings of section 5.1.2 about one model, with the numbers by which they are judged.
void judge(const Transformer& model, const Compared& steps, std::vector<OrderingOutcome>& orderings) {
    const TrainingStep& collective = steps.at("collective");
    const TrainingStep& meshslice = steps.at("meshslice");
    const TrainingStep& wang = steps.at("wang");
    const TrainingStep& summa = steps.at("summa");
    const auto note = [&](std::size_t which, bool holds, const std::string& numbers) {
        OrderingOutcome& one = orderings[which];
        one.holds = one.holds && holds;
        one.numbers +=
            fmt::format("{}{}: {}", one.numbers.empty() ? std::string() : said("; "), model.title, numbers);
    };
    const auto ms = [](Time time) { return fmt::format("{:.1f} ms", 1e3 * in_seconds(time)); };
    Time next = meshslice.usage.communication();
    for (const auto& [id, step] : steps) {
        next = id == "collective" ? next : std::min(next, step.usage.communication());
    }
    note(0, collective.usage.communication() < next,
         say("{}, the next {}", ms(collective.usage.communication()), ms(next)));
    note(1, wang.usage.launch > collective.usage.launch,
         say("Wang {}, Collective {}", ms(wang.usage.launch), ms(collective.usage.launch)));
    note(2, meshslice.usage.sync > collective.usage.sync && meshslice.usage.sync > wang.usage.sync,
         say("MeshSlice {}, Wang {}, Collective {}", ms(meshslice.usage.sync), ms(wang.usage.sync),
             ms(collective.usage.sync)));
    note(3, summa.usage.sync > summa.usage.launch + summa.usage.transfer,
         say("{:.0f}% of SUMMA's", 100 * ratio(summa.usage.sync, summa.usage.communication())));
    for (const char* id : {"cannon", "1d-tp", "fsdp"}) {
        const TrainingStep& step = steps.at(id);
        note(4, step.usage.transfer > std::max(step.usage.launch, step.usage.sync),
             fmt::format("{} {:.0f}%", (*algorithm(id))->title,
                         100 * ratio(step.usage.transfer, step.usage.communication())));
    }
}

Result<StudyResult> communication_share(const StudyInputs& inputs, const RunControl& control) {
    StudyInputs one_cluster = inputs;
    one_cluster.chips = {inputs.chips.back()};
    const auto found = scaling(one_cluster, BatchRule::weak, compared_algorithms(), control);
    if (!found) {
        return refuse(found.error());
    }
    StudyResult result;
    result.table = comparison_table("Communication by cause", one_cluster, *found);
    std::vector<OrderingOutcome> orderings = {
        {"communication-collective-least", true, {}, Reading::estimated},
        {"communication-wang-launches", true, {}, Reading::estimated},
        {"communication-meshslice-synchronizes", true, {}, Reading::estimated},
        {"communication-summa-synchronizes", true, {}, Reading::estimated},
        {"communication-traffic-bound", true, {}, Reading::estimated}};
    bool judged = one_cluster.chips.front() == 256;
    for (std::size_t m = 0; m < inputs.models.size(); ++m) {
        const Transformer& model = inputs.models[m];
        const Compared& steps = found->steps[m].front();
        ChartPanel panel{
            model.title, {said("algorithm")}, {said("time over compute time"), ChartUnit::ratio}};
        panel.series = {
            {said("launch"), SeriesKind::stack, {}, {}, Role::launch},
            {said("sync"), SeriesKind::stack, {}, {}, Role::sync},
            {said("transfer"), SeriesKind::stack, {}, {}, Role::transferHorizontal, Role::transferVertical}};
        for (const std::string& id : found->algorithms) {
            const auto step = steps.find(id);
            panel.x.categories.emplace_back((*algorithm(id))->title);
            const auto add = [&](std::size_t series, Time Usage::*part) {
                panel.series[series].values.push_back(
                    step == steps.end()
                        ? std::nullopt
                        : std::optional(ratio(step->second.usage.*part, step->second.usage.compute)));
            };
            add(0, &Usage::launch);
            add(1, &Usage::sync);
            add(2, &Usage::transfer);
        }
        result.panels.push_back(std::move(panel));
        judged = judged && steps.size() == found->algorithms.size();
        if (judged) {
            judge(model, steps, orderings);
        }
        const TrainingStep& meshslice = steps.at("meshslice");
        result.finding += say("{}{}: MeshSlice's communication adds up to {:.2f} times its multiplications, "
                              "hidden or not",
                              m == 0 ? std::string() : said("; "), model.title,
                              ratio(meshslice.usage.launch + meshslice.usage.sync + meshslice.usage.transfer,
                                    meshslice.usage.compute));
    }
    if (judged) {
        result.orderings = std::move(orderings);
    }
    return result;
}

} // namespace

/// Launch, synchronization and transfer of each algorithm over its compute time; all of it, hidden or not.
const Study communication_share_study{
    "communication",
    "Communication by cause",
    "What is communication made of, compared with the time of the multiplications?",
    "5.1.2, Figure 10",
    communication_share,
    {true, true, ClustersAsked::largest},
    &meshslice_evaluation,
    Reading::estimated};

} // namespace meshslice
