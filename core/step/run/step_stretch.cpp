#include "core/step/run/step_stretch.h"

#include <algorithm>

namespace meshslice {

double StepStretch::hidden_share() const {
    return use.usage.communication() > Time(0) ? ratio(use.usage.overlapped, use.usage.communication()) : 1.0;
}

StepStretch step_stretch(const TrainingStep& step, Stretch within) {
    StepStretch made;
    for (const GemmResult& result : step.gemms) {
        const Time each = result.timeline ? result.timeline->end() : Time(0);
        const Time lasts = each > Time(0) ? each * result.gemm.copies : result.time;
        const Stretch part = common(within, {result.start, result.start + lasts});
        if (part.end <= part.begin) {
            continue;
        }
        if (each <= Time(0)) {
            made.estimated += part.end - part.begin;
            continue;
        }
        // From the GEMM's start. Copies that lie within as a whole are all alike.
        const Stretch inner{part.begin - result.start, part.end - result.start};
        const std::int64_t first = inner.begin.value() / each.value();
        const std::int64_t last = (inner.end.value() + each.value() - 1) / each.value();
        const auto of_copy = [&](std::int64_t copy) {
            return stretch_use(*result.timeline, {inner.begin - each * copy, inner.end - each * copy});
        };
        made.use += of_copy(first);
        if (last - first > 1) {
            made.use += of_copy(last - 1);
        }
        if (last - first > 2) {
            made.use += stretch_use(*result.timeline, {Time(0), each}) * (last - first - 2);
        }
    }
    return made;
}

std::vector<StepStretch> step_stretches(const std::vector<TrainingStep>& steps, Stretch within) {
    std::vector<StepStretch> all;
    for (const TrainingStep& step : steps) {
        all.push_back(step_stretch(step, within));
    }
    return all;
}

Table stretch_table(const std::vector<TrainingStep>& steps, Stretch within,
                    const std::vector<StepStretch>& all) {
    Table table;
    table.title = "stretch";
    table.columns = {"algorithm",       "from_s",           "to_s",        "simulated_s",
                     "multiply_share",  "links_busy_share", "moved_bytes", "done_flop",
                     "communication_s", "hidden_s",         "exposed_s"};
    std::vector<std::string> variants;
    for (std::size_t number = 0; number < steps.size(); ++number) {
        const TrainingStep& step = steps[number];
        const StepStretch& made = all[number];
        table.rows.push_back({step.algorithm, in_seconds(within.begin), in_seconds(within.end),
                              in_seconds(made.use.length), made.multiply_share(), made.links_busy_share(),
                              made.use.moved.value(), made.use.flop.value(),
                              in_seconds(made.use.usage.communication()),
                              in_seconds(made.use.usage.overlapped), in_seconds(made.use.usage.exposed)});
        variants.push_back(step.variant);
    }
    name_variants(table, variants);
    return table;
}

} // namespace meshslice
