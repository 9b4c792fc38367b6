#pragma once

#include "core/question/serve/replica/layout.h"
#include "core/question/serve/replica/served_chip.h"
#include "core/question/serve/replica/served_model.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace meshslice {

/// A replica of a model: chips that share it, and the requests in it. Each request attends on `tensor` chips,
/// of which there are `data` groups; experts lie on all of them, in `expert_groups` that hold a share each.
/// So many chips hold a stage, one of `stages` that follow each other.
struct Replica {
    ServedModel model;
    ServedChip chip;
    Efficiency efficiency = Efficiency::measured;
    double tensor = 1;
    double batch = 1, input = 1, output = 1;  ///< requests, and tokens of each
    double weight_bytes = 2, cache_bytes = 2; ///< of an element
    std::int64_t bits = 16;                   ///< of the arithmetic
    double data = 1, stages = 1;
    double expert_groups = 1;
    double other_weight_bytes = 0; ///< of weights that are not experts'; 0: as `weight_bytes`
    std::int64_t other_bits = 0;
    double drafts = 0;         ///< tokens that a step checks for each request besides its own
    double accepted = 1;       ///< that a request puts out in a step
    double shared = 0;         ///< tokens at a prompt's beginning that others brought into the cache
    ServingLayout layout = {}; ///< of each stage; `tensor` again
    std::shared_ptr<const LayoutExchanges> exchanges = {}; ///< of a layout that is not plain

    [[nodiscard]] double chips() const { return tensor * data * stages * context(); }
    /// Groups that divide the tokens of a request.
    [[nodiscard]] double context() const { return static_cast<double>(layout.context); }
    /// Parts of `tensor` chips that attend to requests of their own.
    [[nodiscard]] double parts() const { return static_cast<double>(layout.cache_across); }
};

enum class ServedPhase : bool { prefill, decode };

/// What a part of a step waits for.
enum class ServedBound : std::uint8_t { compute, memory, link, overhead };
inline constexpr std::array all_served_bounds = {ServedBound::compute, ServedBound::memory, ServedBound::link,
                                                 ServedBound::overhead};
[[nodiscard]] std::string_view name(ServedBound bound);

/// A kind of operation of a step, all blocks together, of one chip.
struct ServedOperation {
    std::string_view name;
    double seconds = 0;
    double compute = 0, memory = 0; ///< s: the same with the other one infinitely fast
    double flop = 0, bytes = 0;     ///< of an exchange, bytes that a chip sends
    ServedBound bound = ServedBound::compute;
};
inline constexpr std::size_t served_operations = 6;
using ServedOperations = std::array<ServedOperation, served_operations>;

/// The step of one phase: all prompts, or a token more of each request.
[[nodiscard]] StepBatch phase_batch(const Replica& one, ServedPhase phase, double context);

/// Seconds of a step with parts of prompts next to requests that decode.
[[nodiscard]] double step_seconds(const Replica& one, const StepBatch& batch);
/// Seconds of a step: all prompts to the first token of each request, or one token more of each, with
/// `context` tokens in the cache.
[[nodiscard]] double step_seconds(const Replica& one, ServedPhase phase, double context);
/// The same, apart.
[[nodiscard]] ServedOperations step_costs(const Replica& one, const StepBatch& batch);
[[nodiscard]] ServedOperations step_costs(const Replica& one, ServedPhase phase, double context);
/// What takes most of a step.
[[nodiscard]] ServedBound bound_of(const ServedOperations& costs);
[[nodiscard]] double seconds_of(const ServedOperations& costs);

/// The context of a step in the middle of the output.
[[nodiscard]] double middle_context(const Replica& one);

/// Bytes of a chip.
struct ServedMemory {
    double weights = 0, cache = 0, activations = 0, runtime = 0;

    [[nodiscard]] double total() const { return weights + cache + activations + runtime; }
};
[[nodiscard]] ServedMemory served_memory(const Replica& one);
[[nodiscard]] bool fits(const Replica& one);
/// Requests of these lengths whose memory fits; 0: not even one.
[[nodiscard]] std::int64_t most_batch(const Replica& one);
/// The batch from which the products of a decode step take longer to compute than to read; 0: none does.
[[nodiscard]] double critical_batch(const Replica& one);

/// Whether heads can be split over so many chips; a sentence if not.
[[nodiscard]] std::string split_objection(const ServedModel& model, std::int64_t tensor);
/// The same of a layout, whose numbers have to divide each other too.
[[nodiscard]] std::string layout_objection(const ServedModel& model, const ServingLayout& layout);

/// s that an engine takes from a request's arrival until a step may begin with it.
[[nodiscard]] double request_start(const Replica& one);

/// Seconds of a step in which groups that divide the tokens of a request wait for what they send each other:
/// keys and values of prompts arrive while attention goes on.
struct ContextWait {
    double prompts = 0, decoding = 0;
};
[[nodiscard]] ContextWait context_wait(const Replica& one, const StepBatch& batch);

/// Bytes in the cache of a chip of so many requests and tokens of each.
[[nodiscard]] double chip_cache_bytes(const Replica& one, double requests, double tokens);
/// Bytes that a token leaves in the cache of a chip, and in that of all chips together.
[[nodiscard]] double cache_bytes_of_token(const Replica& one);
[[nodiscard]] double moved_bytes_of_token(const Replica& one);

} // namespace meshslice
