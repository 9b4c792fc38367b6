#include "core/question/serve/replica/replica.h"

#include "core/base/say.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace meshslice {
namespace {

using Constant = InferenceConstant;

constexpr double no_served_limit = 1e40; ///< FLOP/s or bytes/s

double& constant_in(InferenceValues& values, Constant constant) {
    return values[static_cast<std::size_t>(constant)];
}

} // namespace

StepBatch phase_batch(const Replica& one, ServedPhase phase, double context) {
    if (phase == ServedPhase::decode) {
        return {0, 0, 0, 0, one.batch, one.batch * context};
    }
    const double own = one.input - one.shared;
    return {one.batch * own, one.batch * own * (one.shared + own / 2), one.batch, one.batch, 0, 0};
}

namespace {

StepBatch divided(StepBatch batch, double parts) {
    for (double* amount : {&batch.prompt_tokens, &batch.prompt_keys, &batch.prompts, &batch.prompts_ended,
                           &batch.decoding, &batch.cached}) {
        *amount /= parts;
    }
    return batch;
}

/// The law with other rates or constants than the deployment's.
struct StepAsked {
    const Replica& of;
    InferenceChip chip;
    InferenceValues values;
    StepBatch batch; ///< of one stage

    [[nodiscard]] InferenceAsked asked(const InferenceModel& model) const {
        InferenceAsked made;
        made.model = &model;
        made.chip = &chip;
        made.tensor = of.tensor;
        made.data = of.data;
        if (made.data > 1 || of.expert_groups > 1) {
            made.expert_groups = of.expert_groups;
            made.expert_tensor = of.tensor * of.data / of.expert_groups;
        }
        made.batch = of.batch;
        made.input = of.input;
        made.output = of.output;
        made.weight_bytes = of.weight_bytes;
        made.cache_bytes = of.cache_bytes;
        made.bits = of.bits;
        made.other_weight_bytes = of.other_weight_bytes;
        made.other_bits = of.other_bits;
        made.drafts = of.drafts;
        made.launches_ahead = of.chip.serving;
        return made;
    }
    [[nodiscard]] InferenceStep law(const InferenceModel& model, const StepBatch& its) const {
        return step_in_order(asked(model), its, values);
    }
    /// The tokens that a group of chips has, where groups divide them.
    /// A request that decodes is a row of one group of chips at least, which the others wait for.
    [[nodiscard]] StepBatch own() const {
        StepBatch made = divided(batch, of.context());
        made.decoding = std::max(made.decoding, std::min(batch.decoding, 1.0));
        return made;
    }
    [[nodiscard]] double constant(Constant which) const { return values[static_cast<std::size_t>(which)]; }

    /// The batch as blocks see it that attend to the last tokens alone. A token of a whole prompt sees half
    /// of it, so that the mean of the keys says how long the prompts are.
    [[nodiscard]] StepBatch within(double window) const {
        StepBatch seen = batch;
        if (window > 0 && seen.prompt_tokens > 0) {
            const double length = 2 * seen.prompt_keys / seen.prompt_tokens;
            seen.prompt_keys *= length > window ? window * (2 * length - window) / (length * length) : 1;
        }
        if (window > 0) {
            seen.cached = std::min(seen.cached, seen.decoding * window);
        }
        return seen;
    }
    /// Where requests are divided too, each part of the chips has a share of the heads and of the requests.
    [[nodiscard]] double attention(const ServedPart& part) const {
        if (part.attends) {
            StepBatch seen = divided(within(part.window), of.context());
            InferenceAsked its = asked(part.attention);
            its.tensor /= of.parts();
            const double share = 1 / of.parts();
            seen.prompt_tokens *= share;
            seen.prompt_keys *= share;
            const double fullest = std::max(share, std::min(1.0, 1 / std::max(batch.decoding, 1.0)));
            seen.decoding *= fullest;
            seen.cached *= fullest;
            return step_in_order(its, seen, values).attention;
        }
        constexpr double there_and_back = 2;
        const double groups = std::clamp(batch.prompts, 1.0, of.data);
        const double slower = of.chip.serving ? 1 : constant(Constant::engine_prefill);
        return slower * batch.prompt_tokens / groups * part.recurrence / of.tensor /
                   (chip.peak_16 * constant(Constant::prefill_attention)) +
               there_and_back * batch.decoding / of.data * part.state * of.cache_bytes / of.tensor /
                   (chip.memory_rate * constant(Constant::cache));
    }
    [[nodiscard]] InferenceStep part(const ServedPart& part) const {
        const StepBatch rows = own();
        InferenceStep made = law(part.products, rows);
        if (!part.mixes) {
            InferenceModel without = part.products;
            without.width = without.experts = 0;
            made.gemm -= law(without, rows).gemm;
        }
        made.attention = attention(part);
        return made;
    }
    /// A sum over kinds of blocks; the head and what a step begins with are there once.
    [[nodiscard]] InferenceStep blocks() const {
        StepAsked later = *this;
        constant_in(later.values, Constant::prefill_start) = 0;
        InferenceStep sum;
        for (std::size_t k = 0; k < of.model.parts.size(); ++k) {
            const InferenceStep one = (k == 0 ? *this : later).part(of.model.parts[k]);
            sum.gemm += one.gemm;
            sum.head += k == 0 ? one.head : 0;
            sum.attention += one.attention;
            sum.vectors += one.vectors;
            sum.exchange += one.exchange;
            sum.overhead += one.overhead;
        }
        if (of.exchanges != nullptr) {
            const StepBatch rows = own();
            sum.exchange *= of.exchanges->of_plain(rows.prompt_tokens + rows.decoding * (1 + of.drafts));
            const ContextWait wait = waits(sum.attention);
            sum.exchange += wait.prompts + wait.decoding;
        }
        if (of.chip.serving && launches_one_by_one(asked(of.model.whole), own())) {
            launch_ahead(sum);
        }
        sum.overhead += of.stages * constant(Constant::step_start);
        return sum;
    }
    /// With a latency as that of an all-reduce of as many chips, and as large a share of the links.
    /// `attention`: s that the chips attend in the step.
    [[nodiscard]] ContextWait waits(double attention) const {
        if (of.exchanges == nullptr || of.layout.context == 1) {
            return {};
        }
        const double latency = constant(Constant::exchange_latency) *
                               std::pow(of.context() / 4, constant(Constant::latency_growth));
        const double share = constant(Constant::exchange_rate), layers = of.model.whole.layers;
        const auto seconds = [&](const std::vector<CollectiveOfGroup>& all) {
            return layers * of.exchanges->context_seconds(all, latency, share);
        };
        // What others have comes while the chip attends to its own part and to what has come; results go back
        // later.
        const std::vector<CollectiveOfGroup> prompts = of.exchanges->of_prompts(batch);
        double waits = 0;
        for (std::size_t k = 0; k < prompts.size(); ++k) {
            waits += k == 0 ? std::max(seconds({prompts[k]}) - attention * (1 - 1 / of.context()), 0.0)
                            : seconds({prompts[k]});
        }
        return {waits, seconds(of.exchanges->of_decoding(batch.decoding * (1 + of.drafts)))};
    }
    /// All stages, one after the other, each with a part of the batch while the others have the other parts:
    /// requests that decode come back to the first stage as they leave the last one. Prompts come in as many
    /// parts as there are stages, and the last part leaves when it has gone through all of them.
    [[nodiscard]] InferenceStep step() const {
        InferenceStep sum = blocks();
        if (of.stages > 1) {
            const bool prompts = batch.prompt_tokens > 0;
            const double rows = batch.prompt_tokens + batch.decoding * (1 + of.drafts);
            constexpr double element = 2; // bytes between blocks
            sum.exchange +=
                (of.stages - 1) * (constant(Constant::exchange_latency) +
                                   element * rows / of.data * of.model.whole.hidden / chip.link_rate);
            const double fill = prompts ? (2 * of.stages - 1) / of.stages : 1;
            for (double* seconds :
                 {&sum.gemm, &sum.head, &sum.attention, &sum.vectors, &sum.exchange, &sum.overhead}) {
                *seconds *= fill;
            }
        }
        return sum;
    }
};

StepAsked served_as_it_is(const Replica& one, StepBatch batch) {
    if (one.stages > 1) {
        const double parts = batch.decoding > 0 ? std::clamp(batch.decoding, 1.0, one.stages) : one.stages;
        batch = divided(batch, parts);
    }
    return {one, one.chip.chip, one.chip.values, batch};
}
StepAsked served_as_it_is(const Replica& one, ServedPhase phase, double context) {
    return served_as_it_is(one, phase_batch(one, phase, context));
}
/// With memory infinitely fast, and nothing but arithmetic.
StepAsked only_computing(StepAsked asked) {
    asked.chip.memory_rate = no_served_limit;
    constant_in(asked.values, Constant::sampling) = 0;
    return asked;
}
StepAsked only_reading(StepAsked asked) {
    for (double* peak : {&asked.chip.peak_16, &asked.chip.peak_8, &asked.chip.peak_4}) {
        *peak = *peak > 0 ? no_served_limit : 0;
    }
    constant_in(asked.values, Constant::sampling) = 0;
    return asked;
}
StepAsked served_without_losses(StepAsked asked) {
    asked.values = ideal_values();
    return asked;
}

std::array<double, served_operations> by_operation(const InferenceStep& step) {
    return {step.gemm, step.head, step.attention, step.vectors, step.exchange, step.overhead};
}
constexpr std::array<std::string_view, served_operations> operation_names = {
    "products", "output head", "attention", "vectors", "exchange", "overhead"};
enum OperationKind : std::size_t {
    kind_products,
    kind_head,
    kind_attention,
    kind_vectors,
    kind_exchange,
    kind_overhead
};

double served_peak(const Replica& one, std::size_t kind) {
    const InferenceChip& chip = one.chip.chip;
    if (kind != kind_products) {
        return chip.peak_16;
    }
    return one.bits == 4 && chip.peak_4 > 0   ? chip.peak_4
           : one.bits < 16 && chip.peak_8 > 0 ? chip.peak_8
                                              : chip.peak_16;
}

/// FLOP of attention in a decode step: scores and sums over values, or the same in the latent space, of 512
/// numbers and 64 that are rotated.
double decode_attention_flop(const Replica& one, double context) {
    double flop = 0;
    for (const ServedPart& part : one.model.parts) {
        const InferenceModel& model = part.attention;
        if (!part.attends) {
            flop += one.batch / one.data * part.recurrence / (one.tensor * one.context());
            continue;
        }
        const double seen = part.window > 0 ? std::min(part.window, context) : context;
        constexpr double latent_features = (512 + 64 + 512) / 2.0;
        flop += 4 * one.batch / one.data * (1 + one.drafts) * seen * model.layers * model.heads *
                (model.latent ? latent_features : model.head_size) / (one.tensor * one.context());
    }
    return flop;
}

ServedBound bound_of_kind(std::size_t kind, double compute, double memory) {
    switch (kind) {
    case kind_exchange: return ServedBound::link;
    case kind_overhead: return ServedBound::overhead;
    case kind_vectors: return ServedBound::memory;
    default: return compute >= memory ? ServedBound::compute : ServedBound::memory;
    }
}

} // namespace

std::string_view name(ServedBound bound) {
    constexpr std::array<std::string_view, 4> names = {"compute", "memory", "link", "overhead"};
    return names[static_cast<std::size_t>(bound)];
}

ServedOperations step_costs(const Replica& one, const StepBatch& batch) {
    const StepAsked real = served_as_it_is(one, batch), ideal = served_without_losses(real);
    const auto whole = by_operation(real.step());
    const auto computed = by_operation(only_computing(real).step()),
               read = by_operation(only_reading(real).step());
    const auto least_computed = by_operation(only_computing(ideal).step()),
               least_read = by_operation(only_reading(ideal).step());
    ServedOperations costs;
    for (std::size_t kind = 0; kind < served_operations; ++kind) {
        ServedOperation& cost = costs[kind];
        cost.name = operation_names[kind];
        if (kind == kind_exchange) {
            // A layout that is not plain has several collectives.
            cost.bytes = one.exchanges != nullptr ? 0 : least_computed[kind] * one.chip.chip.link_rate;
            cost.seconds = whole[kind];
        } else if (kind == kind_overhead) {
            cost.seconds = one.efficiency == Efficiency::ideal ? 0 : whole[kind];
        } else {
            cost.compute = computed[kind];
            cost.memory = read[kind];
            cost.flop = least_computed[kind] * served_peak(one, kind);
            cost.bytes = least_read[kind] * one.chip.chip.memory_rate;
            // Without losses the longer of both, all of a kind together.
            cost.seconds =
                one.efficiency == Efficiency::ideal ? std::max(cost.compute, cost.memory) : whole[kind];
        }
        if (kind == kind_vectors) {
            cost.compute = 0;                                     // they wait for memory alone
            cost.bytes = whole[kind] * one.chip.chip.memory_rate; // how many there are is fitted
        }
        if (kind == kind_attention && batch.prompt_tokens == 0 && batch.decoding > 0) {
            Replica its = one;
            its.batch = real.batch.decoding;
            cost.flop = decode_attention_flop(its, batch.cached / batch.decoding);
            cost.compute = 0;
        }
        cost.bound = bound_of_kind(kind, cost.compute, cost.memory);
    }
    return costs;
}

ServedOperations step_costs(const Replica& one, ServedPhase phase, double context) {
    return step_costs(one, phase_batch(one, phase, context));
}

double step_seconds(const Replica& one, const StepBatch& batch) {
    return one.efficiency == Efficiency::ideal ? seconds_of(step_costs(one, batch))
                                               : served_as_it_is(one, batch).step().total();
}
double step_seconds(const Replica& one, ServedPhase phase, double context) {
    return step_seconds(one, phase_batch(one, phase, context));
}

double seconds_of(const ServedOperations& costs) {
    double all = 0;
    for (const ServedOperation& one : costs) {
        all += one.seconds;
    }
    return all;
}

ServedBound bound_of(const ServedOperations& costs) {
    std::array<double, all_served_bounds.size()> seconds{};
    for (const ServedOperation& one : costs) {
        seconds[static_cast<std::size_t>(one.bound)] += one.seconds;
    }
    return all_served_bounds[static_cast<std::size_t>(std::ranges::max_element(seconds) - seconds.begin())];
}

double middle_context(const Replica& one) {
    return one.input + one.output / 2;
}

ServedMemory served_memory(const Replica& one) {
    const double body_share = 1 / one.stages;
    InferenceModel model = one.model.whole;
    // Of a stage; the first one has the embedding and the last one the head, of which each counts both.
    const double ends = model.vocabulary * model.hidden * (model.tied ? 1 : 2);
    const double body = model.parameters - ends;
    model.parameters = one.stages > 1 ? ends + body * body_share : model.parameters;
    const StepAsked law = served_as_it_is(one, ServedPhase::prefill, 0);
    ServedMemory made;
    // Of parts that attend to requests of their own the fullest has one at least.
    const double attending = one.parts() > 1 ? std::max(one.batch, one.parts()) : one.batch / one.data;
    made.cache =
        chip_cache_bytes(one, attending, one.input + one.output) -
        (one.shared > 0 ? chip_cache_bytes(one, std::max(attending - one.parts(), 0.0), one.shared) : 0);
    const double experts =
        std::min(body * body_share, model.expert_layers() * body_share * model.experts * model.matrices *
                                        model.hidden * model.expert_width);
    if (one.efficiency == Efficiency::ideal) {
        made.weights = (experts / (one.tensor * one.data) + (model.parameters - experts) / one.tensor) *
                       one.weight_bytes;
        return made;
    }
    model.layers *= body_share;
    model.first_dense *= body_share;
    InferenceAsked asked = law.asked(model);
    asked.cache_bytes = 0;
    asked.batch /= one.context();
    const double busy = inference_memory(asked, law.values);
    asked.batch = 0;
    const double empty = inference_memory(asked, law.values);
    InferenceValues bare = law.values;
    for (const Constant constant : {Constant::runtime, Constant::group_memory, Constant::nvlink_memory,
                                    Constant::nvlink_memory_of_eight}) {
        constant_in(bare, constant) = 0;
    }
    made.weights = inference_memory(asked, bare);
    made.runtime = empty - made.weights;
    made.activations = busy - empty;
    return made;
}

double request_start(const Replica& one) {
    return one.efficiency == Efficiency::measured && one.chip.serving
               ? at(one.chip.values, Constant::request_start)
               : 0;
}

ContextWait context_wait(const Replica& one, const StepBatch& batch) {
    const StepAsked real = served_as_it_is(one, batch);
    double attention = 0;
    for (const ServedPart& part : one.model.parts) {
        attention += real.attention(part);
    }
    return real.waits(attention);
}

double chip_cache_bytes(const Replica& one, double requests, double tokens) {
    return one.cache_bytes * requests / one.parts() *
           one.model.cached_numbers(tokens, one.tensor / one.parts()) / one.context() / one.stages;
}

double cache_bytes_of_token(const Replica& one) {
    const double tokens = one.input + one.output;
    return chip_cache_bytes(one, 1, tokens) / tokens;
}

double moved_bytes_of_token(const Replica& one) {
    const double tokens = one.input + one.output;
    return one.cache_bytes * one.model.cached_numbers(tokens, 1) / tokens;
}

bool fits(const Replica& one) {
    return served_memory(one).total() <= one.chip.chip.memory;
}

std::int64_t most_batch(const Replica& one) {
    Replica asked = one;
    const auto hold = [&](double batch) {
        asked.batch = batch;
        return fits(asked);
    };
    if (!hold(1)) {
        return 0;
    }
    // All of the memory is straight in the batch, from where each part of the chips has a request.
    const double each = one.parts();
    const double first = (asked.batch = each, served_memory(asked).total());
    const double next = (asked.batch = each + 1, served_memory(asked).total()) - first;
    constexpr double most = 1e9;
    double batch = next > 0 ? std::min(std::floor((one.chip.chip.memory - first) / next) + each, most) : most;
    batch = std::max(batch, each);
    for (; batch > 1 && !hold(batch); --batch) {
    }
    return static_cast<std::int64_t>(batch);
}

double critical_batch(const Replica& one) {
    Replica asked = one;
    const auto computes = [&](double batch) {
        asked.batch = batch;
        const StepAsked real = served_as_it_is(asked, ServedPhase::decode, 0);
        return only_computing(real).step().gemm >= only_reading(real).step().gemm;
    };
    constexpr double most = 1e6;
    if (!computes(most)) {
        return 0;
    }
    double low = 0, high = most;
    for (int k = 0; k < 60; ++k) {
        const double middle = (low + high) / 2;
        (computes(middle) ? high : low) = middle;
    }
    return high;
}

std::string split_objection(const ServedModel& model, std::int64_t tensor) {
    for (const ServedPart& part : model.parts) {
        if (!part.attends) {
            continue;
        }
        const auto heads = static_cast<std::int64_t>(part.attention.heads);
        if (heads % tensor != 0) {
            return say("{} query heads cannot be split over {} chips.", heads, tensor);
        }
        const auto kept = static_cast<std::int64_t>(part.attention.kv_heads);
        if (!part.products.latent && kept % tensor != 0 && tensor % kept != 0) {
            return say("{} key and value heads can neither be split over {} chips nor repeated on them.",
                       kept, tensor);
        }
    }
    return {};
}

std::string layout_objection(const ServedModel& model, const ServingLayout& layout) {
    if (layout.tensor % layout.cache_across != 0 || layout.cache_across > layout.tensor) {
        return say("{} parts that attend to requests of their own do not divide {} chips.",
                   layout.cache_across, layout.tensor);
    }
    const bool has_states =
        model.whole.hybrid ||
        std::ranges::any_of(model.parts, [](const ServedPart& part) { return part.mixes && !part.attends; });
    if (layout.context > 1 && has_states) {
        return say("{} has blocks with a state that goes from token to token, which groups of chips cannot "
                   "divide.",
                   model.title);
    }
    // Weights in two dimensions have their heads on the chips along one of them.
    std::string objection = layout.weights_across > 1 ? std::string() : split_objection(model, layout.tensor);
    return objection.empty() ? split_objection(model, layout.tensor / layout.cache_across) : objection;
}

} // namespace meshslice
