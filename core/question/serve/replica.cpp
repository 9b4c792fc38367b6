#include "core/question/serve/replica.h"

#include "core/base/say.h"

#include <algorithm>
#include <cmath>

namespace meshslice {
namespace {

using Constant = InferenceConstant;

constexpr double no_served_limit = 1e40; ///< FLOP/s or bytes/s

double& constant_in(InferenceValues& values, Constant constant) {
    return values[static_cast<std::size_t>(constant)];
}

/// The law with other rates or constants than the deployment's.
struct StepAsked {
    const Replica& of;
    InferenceChip chip;
    InferenceValues values;
    ServedPhase phase = ServedPhase::decode;
    double context = 0;

    [[nodiscard]] InferenceAsked asked(const InferenceModel& model) const {
        InferenceAsked made;
        made.model = &model;
        made.chip = &chip;
        made.tensor = of.tensor;
        made.batch = of.batch;
        made.input = of.input;
        made.output = of.output;
        made.weight_bytes = of.weight_bytes;
        made.cache_bytes = of.cache_bytes;
        made.bits = of.bits;
        return made;
    }
    [[nodiscard]] InferenceStep law(const InferenceModel& model, double tokens) const {
        return phase == ServedPhase::prefill ? prefill_step(asked(model), values)
                                             : decode_step(asked(model), tokens, values);
    }
    [[nodiscard]] double constant(Constant which) const { return values[static_cast<std::size_t>(which)]; }

    /// Of a prompt's tokens, the keys that they see next to those without a window.
    [[nodiscard]] double seen_share(double window) const {
        if (window <= 0 || window >= of.input) {
            return 1;
        }
        return window * (2 * of.input - window) / (of.input * of.input);
    }
    [[nodiscard]] double attention(const ServedPart& part) const {
        if (part.attends) {
            const double seen = part.window > 0 ? std::min(part.window, context) : context;
            return law(part.attention, seen).attention *
                   (phase == ServedPhase::prefill ? seen_share(part.window) : 1);
        }
        if (phase == ServedPhase::prefill) {
            return constant(Constant::engine_prefill) * of.batch * of.input * part.recurrence / of.tensor /
                   (chip.peak_16 * constant(Constant::prefill_attention));
        }
        constexpr double there_and_back = 2;
        return there_and_back * of.batch * part.state * of.cache_bytes / of.tensor /
               (chip.memory_rate * constant(Constant::cache));
    }
    [[nodiscard]] InferenceStep part(const ServedPart& part) const {
        InferenceStep made = law(part.products, context);
        if (!part.mixes) {
            InferenceModel without = part.products;
            without.width = without.experts = 0;
            made.gemm -= law(without, context).gemm;
        }
        made.attention = attention(part);
        return made;
    }
    /// A sum over kinds of blocks; the head and what a step begins with are there once.
    [[nodiscard]] InferenceStep step() const {
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
        return sum;
    }
};

StepAsked served_as_it_is(const Replica& one, ServedPhase phase, double context) {
    return {one, one.chip.chip, one.chip.values, phase, context};
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
            flop += one.batch * part.recurrence / one.tensor;
            continue;
        }
        const double seen = part.window > 0 ? std::min(part.window, context) : context;
        constexpr double latent_features = (512 + 64 + 512) / 2.0;
        flop += 4 * one.batch * seen * model.layers * model.heads *
                (model.latent ? latent_features : model.head_size) / one.tensor;
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

ServedOperations step_costs(const Replica& one, ServedPhase phase, double context) {
    const StepAsked real = served_as_it_is(one, phase, context), ideal = served_without_losses(real);
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
            cost.bytes = least_computed[kind] * one.chip.chip.link_rate;
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
            cost.bytes = whole[kind] * one.chip.chip.memory_rate; // how many there are is fitted
        }
        if (kind == kind_attention && phase == ServedPhase::decode) {
            cost.flop = decode_attention_flop(one, context);
            cost.compute = 0;
        }
        cost.bound = bound_of_kind(kind, cost.compute, cost.memory);
    }
    return costs;
}

double step_seconds(const Replica& one, ServedPhase phase, double context) {
    return one.efficiency == Efficiency::ideal ? seconds_of(step_costs(one, phase, context))
                                               : served_as_it_is(one, phase, context).step().total();
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
    const InferenceModel& model = one.model.whole;
    const StepAsked law = served_as_it_is(one, ServedPhase::prefill, 0);
    ServedMemory made;
    made.cache = one.batch * one.cache_bytes * one.model.cached_numbers(one.input + one.output, one.tensor);
    if (one.efficiency == Efficiency::ideal) {
        made.weights = model.parameters * one.weight_bytes / one.tensor;
        return made;
    }
    InferenceAsked asked = law.asked(model);
    asked.cache_bytes = 0;
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
    // All of the memory is straight in the batch.
    const double first = (asked.batch = 1, served_memory(asked).total());
    const double next = (asked.batch = 2, served_memory(asked).total()) - first;
    constexpr double most = 1e9;
    double batch = next > 0 ? std::min(std::floor((one.chip.chip.memory - first) / next) + 1, most) : most;
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

} // namespace meshslice
