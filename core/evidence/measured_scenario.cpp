#include "core/evidence/measured_scenario.h"

#include "core/base/say.h"
#include "core/evidence/training/training_amounts.h"
#include "core/machine/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

namespace meshslice {
namespace {

std::int64_t whole_number(double number) {
    return std::llround(number);
}

double numbers_apart(const Machine& machine, const TrainingChip& chip) {
    const auto apart = [](double a, double b) { return std::abs(std::log(std::max(a, 1.0) / b)); };
    return apart(machine.peak_rate(DataType::bf16).value(), chip.bf16) +
           apart(machine.hbm_bandwidth.value.value(), chip.hbm_rate) +
           apart(static_cast<double>(machine.hbm.value.value()), chip.capacity);
}

/// With the chip's own domain.
Result<Machine> machine_of(const TrainingChip& chip) {
    const Machine* best = usual_machine(chip);
    if (best == nullptr) {
        return refuse(say("No machine that comes with the program has the chip {}.", chip.name));
    }
    return has_domains(*best) ? with_domain(*best, chip.domain) : *best;
}

bool same_shape(const Transformer& model, const TrainingRow& row) {
    const bool experts = row.experts > 0;
    return model.layers == whole_number(row.layers) && model.hidden == whole_number(row.hidden) &&
           model.heads == whole_number(row.heads) &&
           (row.latent || model.kv_heads == whole_number(row.kv_heads)) &&
           model.feed_forward == whole_number(experts ? row.expert_width : row.width) &&
           model.experts == whole_number(experts ? row.experts : 1) &&
           model.experts_per_token == whole_number(experts ? row.chosen : 1) &&
           (experts || model.gated == (row.matrices > 2));
}

/// Whether its blocks are all alike, with plain attention.
bool is_plain(const TrainingRow& row) {
    return !row.latent && row.facts.shared_experts == 0 && row.facts.first_dense_layers == 0 &&
           row.facts.experts_every == 1 && row.facts.window == 0;
}

Transformer plain_model(const TrainingRow& row) {
    Transformer model;
    model.name = model.title = row.model;
    model.layers = whole_number(row.layers);
    model.hidden = whole_number(row.hidden);
    model.heads = whole_number(row.heads);
    model.kv_heads = whole_number(row.kv_heads);
    model.head_size = whole_number(row.head_size);
    model.gated = row.matrices > 2;
    model.feed_forward = whole_number(row.experts > 0 ? row.expert_width : row.width);
    model.experts = whole_number(row.experts > 0 ? row.experts : 1);
    model.experts_per_token = whole_number(row.experts > 0 ? row.chosen : 1);
    model.vocabulary = whole_number(row.vocabulary);
    model.sequence = whole_number(row.sequence);
    for (const char* field : {"layers", "hidden", "heads", "kv_heads", "head_size", "feed_forward", "experts",
                              "experts_per_token", "vocabulary", "sequence"}) {
        model.sources[field] = row.source;
    }
    // Whether both ends are one matrix is not said: as its number of parameters has it.
    const auto off = [&](bool tied) {
        Transformer one = model;
        one.tied_embeddings = tied;
        return std::abs(static_cast<double>(layer_parameters(one) + embedding_parameters(one)) -
                        row.parameters);
    };
    model.tied_embeddings = row.parameters > 0 && model.vocabulary > 0 && off(true) < off(false);
    return model;
}

Result<Transformer> model_of(const TrainingRow& row) {
    const Transformer* best = nullptr;
    for (const Transformer& one : model_presets()) {
        const auto vocabulary_apart = [&](const Transformer& model) {
            return std::abs(static_cast<double>(model.vocabulary) - row.vocabulary);
        };
        if (same_shape(one, row) && (best == nullptr || vocabulary_apart(one) < vocabulary_apart(*best))) {
            best = &one;
        }
    }
    if (best != nullptr) {
        return *best;
    }
    if (!is_plain(row)) {
        return refuse(say("The blocks of {} are not all alike, and no model that comes with the program has "
                          "its shape.",
                          row.model));
    }
    return checked(plain_model(row));
}

std::string again_words(const TrainingRow& row) {
    if (!row.again_told) {
        return "any";
    }
    switch (row.again) {
    case TrainedAgain::none: return "none";
    case TrainedAgain::attention: return "attention";
    case TrainedAgain::all: return "full";
    case TrainedAgain::vectors:
    case TrainedAgain::feed_forward: break;
    }
    return "any"; // a part of a layer that plans here do not choose
}

/// Why the run cannot be put as a plan; empty where it can.
std::string why_no_plan(const TrainingRow& row) {
    if (!row.reason.empty()) {
        return row.reason;
    }
    if (row.fine_tuning) {
        return said("It is a fine-tuning run, and plans here train all weights on full sequences.");
    }
    if (row.own_model) {
        return said("Its blocks run attention and feed-forward network side by side, which no model here "
                    "does.");
    }
    if (const double copies = row.data * row.context;
        row.sharded > 0 && row.sharded < copies && std::fmod(copies, row.sharded) != 0) {
        return say("It shares weights among {} of {} chips, which are not groups of as many.", row.sharded,
                   copies);
    }
    const double chips = row.data * row.pipeline * row.tensor * row.context;
    if (chips != row.chips) {
        return say("Its {} chips are not the {} of its split.", row.chips, chips);
    }
    if (const double passed = row.data * row.micro_batch;
        row.micro_batch != std::floor(row.micro_batch) || std::fmod(row.batch, passed) != 0) {
        return say("Its batch of {} samples is not a whole number of micro-batches of {} on each of {} "
                   "replicas.",
                   row.batch, row.micro_batch, row.data);
    }
    return {};
}

/// "FP8" does not say how it is scaled, as Transformer Engine did first; DeepSeek-V3 has blocks.
NumberRecipe recipe_of(const TrainingRow& row) {
    if (row.bits == 16) {
        return NumberRecipe::bf16;
    }
    if (row.bits == 4) {
        return NumberRecipe::nvfp4;
    }
    if (row.precision.ends_with("-CS")) {
        return NumberRecipe::fp8_current;
    }
    return row.precision.ends_with("-MX")         ? NumberRecipe::mxfp8
           : row.framework.starts_with("HAI-LLM") ? NumberRecipe::fp8_blocks
                                                  : NumberRecipe::fp8;
}

SplitAsked split_of(const TrainingRow& row) {
    SplitAsked split;
    split.strategy = row.context > 1 ? "2d" : "1d";
    split.data = whole_number(row.data);
    split.pipeline = whole_number(row.pipeline);
    split.tensor = fmt::format("{}x{}", whole_number(row.tensor), whole_number(row.context));
    split.experts = whole_number(row.expert);
    split.context = row.context > 1 ? std::string(name(row.context_by)) : split.context;
    if (row.sharded > 0 && row.sharded < row.data * row.context) {
        split.shard = whole_number(row.sharded);
    }
    split.recompute = again_words(row);
    split.schedule = row.chunks > 1         ? fmt::format("interleaved:{}", whole_number(row.chunks))
                     : row.bubble_share < 1 ? "dualpipe"
                                            : "1f1b";
    const bool gradients_alone = row.framework.find("SHARD_GRAD_OP") != std::string::npos;
    split.zero = row.sharded_stack() ? (gradients_alone ? "2" : "3") : "1";
    if (row.micro_batch_told) {
        split.micro_batch = whole_number(row.micro_batch);
    }
    return split;
}

} // namespace

Result<Scenario> measured_scenario(const TrainingRow& row, Scenario base) {
    if (const std::string why = why_no_plan(row); !why.empty()) {
        return refuse(why);
    }
    const Result<Machine> machine = machine_of(*row.chip);
    if (!machine) {
        return refuse(machine.error());
    }
    const Result<Transformer> model = model_of(row);
    if (!model) {
        return refuse(model.error());
    }
    base.gemm.reset();
    base.model = *model;
    base.hardware = *machine;
    base.sequence = whole_number(row.sequence);
    base.batch = whole_number(row.batch);
    base.plan.split = split_of(row);
    if (!has_domains(*machine)) {
        base.plan.split.shard.reset(); // on a torus all copies share them
    }
    base.plan.loaded.reset();
    base.planning = {};
    base.planning.chips = whole_number(row.chips);
    base.planning.recipe = recipe_of(row);
    if (const Result<void> runs = check_recipe(base.planning.recipe, *machine); !runs) {
        return refuse(runs.error());
    }
    if (row.experts > 0) {
        base.planning.exchange = row.exchange;
    }
    if (const double step = measured_step(row); step > 0) {
        base.planning.measured_step = step;
    }
    return checked(base);
}

const TrainingRow* measured_run(std::string_view id) {
    const auto& all = measured_training();
    const auto found = std::ranges::find(all, id, &TrainingRow::id);
    return found == all.end() ? nullptr : &*found;
}

const Machine* usual_machine(const TrainingChip& chip) {
    static const std::map<std::string, const Machine*> all = [] {
        std::map<std::string, const Machine*> nearest;
        for (const Machine& one : machine_presets()) {
            const TrainingChip* its = measured_chip(one);
            if (its == nullptr || !trains_by_plan(one)) {
                continue;
            }
            const Machine*& best = nearest[its->name];
            if (best == nullptr || numbers_apart(one, *its) < numbers_apart(*best, *its)) {
                best = &one;
            }
        }
        return nearest;
    }();
    const auto found = all.find(chip.name);
    return found == all.end() ? nullptr : found->second;
}

const TrainingChip* measured_chip(const Machine& machine) {
    for (const std::string& name : {machine.based_on, machine.name, machine.title}) {
        std::string small = name;
        std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
        if (const TrainingChip* found = small.empty() ? nullptr : training_facts().chip(small)) {
            return found;
        }
    }
    return nullptr;
}

} // namespace meshslice
