#include "core/report/plan/plan_lines.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/plan/search/advice/plan_levers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace meshslice {
namespace {

std::string parts_words(const std::vector<PlanPart>& parts, std::string (*amount)(double)) {
    std::string lines;
    for (const PlanPart& part : parts) {
        lines += fmt::format("\n{}: {}, {}", part.name, amount(part.amount), percent_text(part.share));
    }
    return lines;
}

std::vector<PlanPart> shares(std::vector<PlanPart> parts, double whole) {
    std::erase_if(parts, [](const PlanPart& part) { return part.amount == 0; });
    for (PlanPart& part : parts) {
        part.share = whole > 0 ? part.amount / whole : 0;
    }
    return parts;
}

} // namespace

std::vector<PlanPart> time_parts(const RankedPlan& plan) {
    std::vector<PlanPart> parts;
    for (const StepPart& part : step_parts) {
        parts.push_back({part_name(part, plan.plan), plan.reading.time.*part.time});
    }
    return shares(std::move(parts), plan.reading.time.total);
}

std::vector<PlanPart> memory_parts(const PlanReading& reading) {
    const MemoryUse& memory = reading.memory;
    return shares({{said("weights"), memory.weights + memory.embeddings},
                   {said("gradients"), memory.gradients},
                   {said("optimizer state"), memory.optimizer},
                   {said("activations"), memory.activations},
                   {said("buffers"), memory.buffers},
                   {said("logits"), memory.logits},
                   {said("reserve"), memory.reserve}},
                  memory.total());
}

std::string memory_of_chip(const RankedPlan& one, double capacity) {
    return say("{} of {} per chip", bytes_text(one.reading.memory.total()), bytes_text(capacity));
}

std::string micro_batches_words(std::int64_t count) {
    return count == 1 ? said("1 micro-batch") : say("{} micro-batches", count);
}

std::string plan_lines(const RankedPlan& one, double capacity) {
    return plan_name(one.plan) + "\n" +
           (one.plan.axes == TorusAxes{} ? say("in a fast domain {}; {}", placement_text(one.plan),
                                               micro_batches_words(one.reading.micro_batches))
                                         : say("along the axes of the torus {}; {}", placement_text(one.plan),
                                               micro_batches_words(one.reading.micro_batches))) +
           parts_words(time_parts(one), seconds_text) + "\n" + memory_of_chip(one, capacity) +
           parts_words(memory_parts(one.reading), bytes_text);
}

std::string split_name(const Plan& plan) {
    return fmt::format("{}: dp {} x pp {} x tp {}{}", strategy_title(plan), plan.data, plan.pipeline,
                       grid_text(plan), plan.experts > 1 ? fmt::format(", ep {}", plan.experts) : "");
}

std::string further_words(const Plan& plan) {
    std::vector<std::string> words = {plan.strategy == TensorStrategy::summa
                                          ? say("micro-batch {}, panels {}", plan.micro_batch, plan.panels)
                                          : say("micro-batch {}", plan.micro_batch)};
    if (plan.schedule.kind == PipelineKind::interleaved) {
        words.push_back(say("{} chunks interleaved", plan.schedule.chunks));
    } else if (plan.schedule.kind == PipelineKind::gpipe) {
        words.push_back(said("GPipe"));
    } else if (plan.schedule.kind == PipelineKind::zero_bubble) {
        words.push_back(said("zero bubble"));
    } else if (plan.schedule.kind == PipelineKind::dualpipe) {
        words.push_back(said("DualPipe"));
    }
    if (plan.recompute != Recompute::none) {
        words.push_back(plan.recompute == Recompute::full ? said("layers recomputed")
                        : plan.recompute == Recompute::attention
                            ? said("attention recomputed")
                            : say("{} recomputed", name(plan.recompute)));
    }
    if (plan.offload > 0) {
        words.push_back(say("{}% of activations offloaded", plan.offload));
    }
    if (plan.context != ContextExchange::gather) {
        words.push_back(title(plan.context));
    }
    if (shares_weights(plan)) {
        words.push_back(say("ZeRO {}", plan.zero));
    }
    if (plan.shard > 0) {
        words.push_back(say("shared by {}", plan.shard));
        if (plan.sums_each_backward) {
            words.push_back(said("groups summed each backward"));
        }
    }
    return fmt::format("{}", fmt::join(words, said(", ")));
}

bool is_loaded(const PlanAnswer& answer, const RankedPlan& one) {
    return answer.loaded && answer.loaded->plan == one.plan;
}

std::string plan_name(const Plan& plan) {
    return say("{}, {}", split_name(plan), further_words(plan));
}

double days_of_training(const PlanAnswer& answer, double step) {
    TrainingRun run;
    run.batch = answer.question.batch;
    run.sequence = answer.question.sequence;
    return days_for_tokens(run, step, static_cast<double>(answer.question.tokens.value_or(0)));
}

} // namespace meshslice
