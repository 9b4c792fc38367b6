#include "core/plan/search/advice/context_exchanges.h"

#include "core/base/say.h"
#include "core/base/text.h"

#include <algorithm>

namespace meshslice {
namespace {

/// Of what is gathered or summed in whole each chip sends all but its own part; of an all-to-all all but what
/// stays of its own part.
double sent_by_chip(const TaskExchange& exchange, double chips) {
    const double others = (chips - 1) / chips;
    return exchange.what == Collective::all_to_all ? exchange.bytes / chips * others
                                                   : exchange.bytes * others;
}

ContextExchangeCost cost_of(const PlanModel& model, const Plan& plan) {
    ContextExchangeCost made{plan.context};
    if (const Result<void> sound = model.check(plan); !sound) {
        made.objection = sound.error().sentence;
        return made;
    }
    const LayerCost layer = model.layer(plan);
    made.reading = model.reading(plan, layer);
    const double times = static_cast<double>(made.reading.micro_batches) *
                         static_cast<double>(most_stage_layers(model.run(), plan));
    const auto chips = static_cast<double>(plan.tensor2);
    for (const ChipTask& operation : model.block(plan).operations) {
        const auto add = [&](const PassWork& work, double passes) {
            double bytes = 0;
            for (const TaskExchange& one : work.exchanges) {
                bytes += one.axis == 1 ? sent_by_chip(one, chips) : 0;
            }
            if (bytes > 0) { // no task exchanges along both sides
                const CollectiveTime moved = model.collectives(plan, operation, work);
                made.bytes += passes * operation.blocks * bytes;
                made.whole += passes * operation.blocks * (moved.all + moved.rings);
                made.exposed += passes * model.pass(plan, operation, work).tensor;
            }
        };
        const bool again =
            computed_again(operation, plan.recompute) && !again_alone(operation, plan.recompute);
        add(operation.forward, times * (again ? 2 : 1));
        add(operation.backward, times);
    }
    return made;
}

} // namespace

std::vector<ContextExchangeCost> context_exchange_costs(const PlanModel& model, const Plan& plan) {
    std::vector<ContextExchangeCost> all;
    for (const ContextExchange one : all_context_exchanges) {
        if (plan.splits_context()) {
            Plan its = plan;
            its.context = one;
            all.push_back(cost_of(model, its));
        }
    }
    return all;
}

std::vector<std::string> context_words(const PlanModel& model, const Plan& plan) {
    std::vector<ContextExchangeCost> all = context_exchange_costs(model, plan);
    std::stable_partition(all.begin(), all.end(),
                          [&](const ContextExchangeCost& one) { return one.exchange == plan.context; });
    std::vector<std::string> sentences;
    for (const ContextExchangeCost& one : all) {
        if (!one.objection.empty()) {
            sentences.push_back(say("Instead {}: {}", title(one.exchange), one.objection));
            continue;
        }
        const std::string sent = bytes_text(one.bytes), exposed = seconds_text(one.exposed),
                          whole = seconds_text(one.whole);
        sentences.push_back(
            one.exchange == plan.context
                ? say("Split sequence, {}: each chip sends {} in a step, and {} of {} are exposed.",
                      title(one.exchange), sent, exposed, whole)
                : say("Instead {}: {}, {} of {} exposed; the step would take {} and {} of memory.",
                      title(one.exchange), sent, exposed, whole, seconds_text(one.reading.time.total),
                      bytes_text(one.reading.memory.total())));
    }
    return sentences;
}

std::string shard_words(const PlanModel& model, const Plan& plan) {
    if (plan.shard == 0) {
        return {};
    }
    const PlanTransfers moved = model.transfers(plan, model.layer(plan));
    const auto layers = static_cast<double>(most_stage_layers(model.run(), plan));
    const std::string within =
        say("Hybrid sharding: {} of {} chips with the same weights share them. Within a group weights of a "
            "layer are gathered in {} and gradients summed in {}.",
            plan.shard, data_chips(plan), seconds_text(moved.gather), seconds_text(moved.scatter));
    const std::int64_t groups = data_chips(plan) / plan.shard;
    const std::string layer = seconds_text(moved.replicas), all = seconds_text(moved.replicas * layers);
    return within + said(" ") +
           (plan.sums_each_backward && plan.zero >= 2
                ? say("{} groups sum theirs in {} after each layer's backward pass, {} of all layers for "
                      "each micro-batch.",
                      groups, layer, all)
                : say("{} groups sum theirs in {}, {} of all layers once a step.", groups, layer, all));
}

std::string offload_words(const PlanModel& model, const Plan& plan) {
    if (plan.offload == 0) {
        return {};
    }
    const LayerCost layer = model.layer(plan);
    const double copy = layer.offloaded / model.hardware().pcie.value.value();
    const std::string there = say("Offloaded: {} of the host's memory for each chip at most. Of a layer and "
                                  "a micro-batch {} go there in {}, and back.",
                                  bytes_text(host_memory(model.run(), plan, layer)),
                                  bytes_text(layer.offloaded), seconds_text(copy));
    const double exposed = layer.forward.host + layer.backward.host;
    return there + said(" ") +
           (exposed > 0 ? say("Computing hides all but {} of both ways.", seconds_text(exposed))
                        : said("Computing hides both ways."));
}

} // namespace meshslice
