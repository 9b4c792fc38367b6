#include "core/plan/search/advice/plan_explanation.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/plan/evaluate/hidden_communication.h"
#include "core/plan/evaluate/step_parts.h"
#include "core/plan/occupied.h"
#include "core/plan/search/advice/context_exchanges.h"
#include "core/plan/search/advice/plan_levers.h"
#include "core/plan/search/loaded_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

/// Of one kind of which something is hidden.
std::string hidden_sentence(const HiddenCommunication& its, const std::string& what) {
    const std::string hidden = seconds_text(its.hidden());
    const std::string whole = seconds_text(its.whole);
    if (!its.slower) {
        return say("Hidden: {} of {} of {}.", hidden, whole, what);
    }
    const std::string words =
        say("Hidden: {} of {} of {}; compute could hide {}.", hidden, whole, what, seconds_text(its.room)) +
        said(" ");
    constexpr double hardly = 1.01;
    if (*its.slower < hardly) {
        return words + said("If these transfers take longer, more than the same share of them is exposed.");
    }
    // No more than holds: rounded down to the three digits that are said.
    const double unit = *its.slower < 10 ? 100 : *its.slower < 100 ? 10 : 1;
    const double times = std::floor(*its.slower * unit) / unit;
    return words + say("Until these transfers take {} times as long, no more than the same share of them is "
                       "exposed: {} now, {} then. Other communication over the same links is not in that.",
                       number_text(times), seconds_text(its.exposed), seconds_text(times * its.exposed));
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, said(", ")));
}

} // namespace

std::vector<std::string> hidden_words(const PlanModel& model, const Plan& plan) {
    std::vector<std::string> sentences;
    const auto add = [&](const HiddenCommunication& its, double PlanTime::*time) {
        if (its.hidden() > 0) {
            sentences.push_back(hidden_sentence(its, part_name(part_of(time), plan)));
        }
    };
    add(hidden_data(model, plan), &PlanTime::data);
    add(hidden_tensor(model, plan), &PlanTime::tensor);
    return sentences;
}

std::string bounds_words(const PlanModel& model, const RankedPlan& plan) {
    const PlanTime& time = plan.reading.time;
    const auto largest =
        std::ranges::max_element(step_parts, {}, [&](const StepPart& part) { return time.*part.time; });
    std::string words = say("Largest part: {}, {} of the ideal step.", part_name(*largest, plan.plan),
                            percent_text(time.*largest->time / time.total));
    std::vector<std::string> less, more;
    for (const PlanLever& lever : plan_levers(model, plan.plan)) {
        less.push_back(fmt::format("{} {}", lever.what, percent_text(lever.saved)));
    }
    for (const PlanLoss& loss : plan_losses(model, plan.plan)) {
        more.push_back(fmt::format("{} {}", loss.what, percent_text(loss.more)));
    }
    if (!less.empty()) {
        words += said(" ") +
                 say("With the same plan the ideal time of a sample would be less with: {}.", joined(less));
    }
    if (!more.empty()) {
        words += said(" ") + say("It would be more with: {}.", joined(more));
    }
    return words;
}

double cast_seconds(const PlanModel& model, const Plan& plan) {
    double bytes = 0;
    for (const ChipTask& operation : model.block(plan).operations) {
        const bool again = computed_again(operation, plan.recompute);
        bytes += operation.blocks * ((again ? 2 : 1) * operation.forward.cast + operation.backward.cast);
    }
    const std::int64_t micro_batches = model.run().batch / plan.data / plan.micro_batch;
    return bytes / model.hardware().hbm_bandwidth.value.value() * static_cast<double>(micro_batches) *
           static_cast<double>(most_stage_layers(model.run(), plan));
}

std::vector<std::string> recipe_words(const PlanModel& model, const Plan& plan) {
    const NumberRecipe recipe = model.run().recipe;
    if (recipe == NumberRecipe::bf16) {
        return {};
    }
    const Machine& chip = model.hardware();
    const DataType type = multiplied(recipe);
    std::vector<std::string> words = {
        say("GEMMs of the blocks multiply in {}, taken to reach {} of {} as those in bf16 do of {}; making "
            "these numbers takes {} of a step.",
            title(recipe), percent_text(chip.effective_fraction.value), text(chip.peak_rate(type)),
            text(chip.peak_rate(DataType::bf16)), seconds_text(cast_seconds(model, plan))),
        said("In bf16 or fp32 stay attention, router, embedding, output head, norms, sums of GEMMs, and the "
             "optimizer's weights and state. What GEMMs keep and gather has fewer bits.")};
    if (recipe == NumberRecipe::nvfp4) {
        words.push_back(said(
            "All blocks multiply in nvfp4 here. NVIDIA keeps some 15% of the linear layers in bf16, most of "
            "them in the last blocks (arXiv 2509.25149), which takes more time and memory than this."));
    }
    return words;
}

std::string domains_words(const PlanModel& model, const Plan& plan) {
    const std::int64_t domain = model.domain(), chips = plan.chips();
    const std::optional<Occupied> its = model.torus() ? std::nullopt : occupied(plan, model.units());
    if (!its || chips <= domain || its->chips == chips) {
        return {};
    }
    const std::string stand = say(
        "Domains: the {} chips of this plan stand in {} fast domains of {} chips and leave {} of their {} "
        "chips idle.",
        chips, its->domains, domain, its->chips - chips, its->chips);
    return its->within
               ? stand
               : stand + said(" ") +
                     say("Its FLOP utilization is over all {}; another placement needs fewer domains.",
                         its->chips);
}

std::string group_words(const PlanModel& model, const RankedPlan& plan) {
    if (plan.plan.tensor1 * plan.plan.tensor2 == 1) {
        return {};
    }
    const double layers = static_cast<double>(plan.reading.micro_batches) *
                          static_cast<double>(most_stage_layers(model.run(), plan.plan));
    const auto of_blocks = [&](Recompute recompute) {
        Plan its = plan.plan;
        its.recompute = recompute;
        const LayerCost layer = model.layer(its);
        return layers * (layer.forward.time() + layer.backward.time());
    };
    const double total = plan.reading.time.total;
    const double alone = of_blocks(Recompute::none);
    const double again = of_blocks(plan.plan.recompute) - alone;
    const double rest = total - alone - again;
    constexpr double least_rest = 0.01; // of the step
    if (again + rest < least_rest * total) {
        return {};
    }
    return again > 0 ? say("A step of {}: {} in the blocks of its tensor-parallel group, {} to compute them "
                           "again, {} for the rest.",
                           seconds_text(total), seconds_text(alone), seconds_text(again), seconds_text(rest))
                     : say("A step of {}: {} in the blocks of its tensor-parallel group, {} for the rest.",
                           seconds_text(total), seconds_text(alone), seconds_text(rest));
}

Result<PlanLimits> plan_limits(const ChosenPlan& chosen) {
    const Result<PlanModel> model = plan_model(chosen.question);
    const Result<RankedPlan> read = model ? read_chosen_plan(chosen) : refuse(model.error());
    if (!read) {
        return refuse(read.error());
    }
    std::vector<std::string> paragraphs = {bounds_words(*model, *read)};
    for (std::string& sentence : hidden_words(*model, read->plan)) {
        paragraphs.push_back(std::move(sentence));
    }
    for (std::vector<std::string> sentences :
         {recipe_words(*model, read->plan), context_words(*model, read->plan)}) {
        std::ranges::move(sentences, std::back_inserter(paragraphs));
    }
    for (std::string& sentence :
         std::vector{shard_words(*model, read->plan), offload_words(*model, read->plan)}) {
        if (!sentence.empty()) {
            paragraphs.push_back(std::move(sentence));
        }
    }
    if (std::string group = group_words(*model, *read); !group.empty()) {
        paragraphs.push_back(std::move(group));
    }
    if (std::string idle = domains_words(*model, read->plan); !idle.empty()) {
        paragraphs.push_back(std::move(idle));
    }
    return PlanLimits{*read, model->capacity(), std::move(paragraphs)};
}

} // namespace meshslice
