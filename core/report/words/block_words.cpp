#include "core/report/words/block_words.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/work/optimizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace meshslice {
namespace {

constexpr std::string_view thin_space_before_unit = "\u2009";

std::string all_blocks(const TrainingStep& step) {
    return step.blocks == 1 ? said("the model's one block") : say("all {} blocks", step.blocks);
}

} // namespace

std::string model_time_text(const TrainingStep& step) {
    const double value = step.model_seconds(); // more than a Time counts, where long blocks are many
    return value < 1000 ? text(seconds(value)) : fmt::format("{:.0f}{}s", value, thin_space_before_unit);
}

std::string block_time_words(const TrainingStep& step) {
    return step.blocks == 0 ? text(step.time)
                            : say("one block {} (sequence {})", text(step.time), step.sequence);
}

std::string all_blocks_words(const TrainingStep& step) {
    if (step.blocks == 0) {
        return {};
    }
    return step.blocks == 1 ? say("The model's one block: {}, {} of peak.", model_time_text(step),
                                  percent_text(step.utilization))
                            : say("All {} blocks: {}, {} of peak.", step.blocks, model_time_text(step),
                                  percent_text(step.utilization));
}

std::string left_out_words(const TrainingStep& step) {
    if (step.blocks == 0) {
        return {};
    }
    const bool experts =
        std::ranges::any_of(step.gemms, [](const GemmResult& one) { return one.gemm.copies > 1; });
    return say("Left out: attention's own GEMMs (scores and values), {}embeddings and logits, norms, "
               "the optimizer's update, a pipeline's stages, and the sum of gradients with replicas "
               "of the model on other chips.",
               experts ? said("the dispatch of tokens to experts, ") : std::string());
}

std::string block_kind_words(const Transformer& model) {
    const std::vector<KindCount> kinds = block_kinds(model);
    if (kinds.size() < 2) {
        return {};
    }
    const KindCount& one = kinds[kind_that_stands_for_all(kinds)];
    return say("{} has {} kinds of blocks. This is the one that most of its blocks with attention are, {} of "
               "{}: {}. What is said of all blocks takes every block for one of these.",
               model.title, kinds.size(), one.blocks, model.layers, text(one.kind));
}

std::string room_text(Bytes needed, Bytes capacity) {
    std::string own = text(needed);
    const std::string all = text(capacity);
    const std::size_t unit = own.find(thin_space_before_unit);
    const std::size_t other = all.find(thin_space_before_unit);
    if (unit != std::string::npos && other != std::string::npos && own.substr(unit) == all.substr(other)) {
        own.erase(unit);
    }
    return say("{} of {}", own, all);
}

std::string fit_words(const TrainingStep& step) {
    const std::string room = room_text(step.memory.bytes(), step.capacity);
    if (step.plan) {
        return step.fits() ? say("{} in its plan", room) : say("does not fit: {} per chip in its plan", room);
    }
    return step.fits() ? room : say("does not fit: {} per chip", room);
}

std::vector<std::pair<std::string, Bytes>> memory_parts(const TrainingStep& step) {
    const MemoryUse& use = step.memory;
    if (step.blocks == 0) {
        return {{said("A, B and C"), whole_bytes(use.activations)},
                {said("buffers"), whole_bytes(use.buffers)}};
    }
    return {{said("weights"), whole_bytes(use.weights)},
            {said("embeddings"), whole_bytes(use.embeddings)},
            {said("gradients"), whole_bytes(use.gradients)},
            {said("optimizer"), whole_bytes(use.optimizer)},
            {said("activations"), whole_bytes(use.activations)},
            {said("buffers"), whole_bytes(use.buffers)},
            {said("logits"), whole_bytes(use.logits)},
            {said("reserve"), whole_bytes(use.reserve)}};
}

std::string memory_parts_text(const TrainingStep& step) {
    std::string words;
    for (const auto& [name, bytes] : memory_parts(step)) {
        if (bytes.value() == 0) {
            continue;
        }
        words += fmt::format("{}{} {}", words.empty() ? std::string() : said(", "), name, text(bytes));
    }
    return words;
}

std::string memory_scope_words(const TrainingStep& step) {
    if (step.blocks == 0) {
        return {};
    }
    const bool logits = step.ends_counted && step.keeps.logits;
    const std::string missing =
        logits              ? std::string()
        : step.ends_counted ? said(" Not counted: the logits.")
        : step.plan
            ? said(" Not counted: the embeddings and the logits.")
            : said(" Not counted: the embeddings and the logits, because the model's vocabulary is not "
                   "known.");
    if (step.plan) {
        const Plan& plan = *step.plan;
        return say("Counted as in its plan of {} chips: the fullest of {} stages of {} blocks, ZeRO {} over "
                   "{} data-parallel copies, and all activations that wait for the backward pass, "
                   "attention's and the norms' too.",
                   plan.chips(), plan.pipeline, step.blocks, plan.zero, plan.data) +
               missing;
    }
    return say("Counted for {}{}: gradients of {} bytes and an optimizer (Adam) of {} bytes a weight, and "
               "all "
               "activations that wait for the backward pass, attention's and the norms' too.",
               all_blocks(step), step.ends_counted ? said(" and the embeddings") : std::string(),
               step.keeps.gradient(), step.keeps.state()) +
           missing;
}

} // namespace meshslice
