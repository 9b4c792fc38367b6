#pragma once

#include "core/evidence/inference/inference_step.h"
#include "core/serve/arrivals.h"
#include "core/serve/deployment.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

class MeasuredRows;

/// What a row may have measured.
enum class InferenceQuantity : std::uint8_t {
    ttft,       ///< s, from the start to the first token
    tpot,       ///< s, for each token after it
    e2e,        ///< s, from the start to the last token
    throughput, ///< tokens/s put out by all chips
    memory      ///< bytes of a chip
};
inline constexpr std::size_t inference_quantities = 5;
[[nodiscard]] std::string_view name(InferenceQuantity quantity);
[[nodiscard]] std::string_view unit(InferenceQuantity quantity);

/// One for each quantity; 0: not said.
using InferenceResults = std::array<double, inference_quantities>;
[[nodiscard]] inline double& at(InferenceResults& results, InferenceQuantity quantity) {
    return results[static_cast<std::size_t>(quantity)];
}

enum class InferencePhase : std::uint8_t { both, prefill, decode };

/// How an engine took requests in.
struct ServingSetup {
    PromptPolicy prompts = PromptPolicy::chunked;
    double most_tokens = 8192;               ///< of a step, for each group that attends on its own
    double most_batch = 1e9;                 ///< requests at work
    double shortest = 1, longest = 1;        ///< of the lengths that are said, evenly between
    double steps_between_looks = 0;          ///< at the queue
    double step_delay = 0, client_delay = 0; ///< s
};

/// The requests of one run, in the order of their arrival.
struct ReplayedLog {
    std::string name;
    std::vector<ServingRequest> requests;
};

/// A run that somebody timed, or one request of it.
struct InferenceRow {
    std::string id; ///< of its source's own; else "file.csv:12"
    std::string group, hardware, model, engine, load;
    std::string trust; ///< "a", "b", "c"; empty: not said
    InferencePhase phase = InferencePhase::both;
    InferenceAsked asked;
    double replicas = 1;
    double clients = 0; ///< that each wait for their last token
    ServingSetup setup;
    double prefill_servers = 0; ///< of `prefill`, next to `replicas` that decode; 0: prompts come to those
    InferenceAsked prefill;
    bool derived_throughput = false; ///< clients * output / (TTFT + (output - 1) TPOT)
    std::shared_ptr<const ReplayedLog> log;
    std::size_t place = 0; ///< of the request in it
    InferenceResults measured{};
    /// Why it cannot be predicted or is not scored; empty: it can.
    std::string reason;
};

/// Reads rows with the columns of resources/measured/inference.csv in any order; others are passed over, and
/// empty cells are not known. hardware and model have to be there. A row that cannot be expressed says why.
[[nodiscard]] Result<std::vector<InferenceRow>> read_inference_rows(std::string_view csv,
                                                                    const std::string& origin);
/// Those of resources/measured/inference.csv.
[[nodiscard]] const std::vector<InferenceRow>& measured_inference();

/// "TensorRT-LLM 0.9", to which the others are compared, or a name without version.
[[nodiscard]] std::string engine_word(std::string_view engine, std::string_view version);

/// Bytes of an element; four-bit formats have a scale for each 16 or 32 of them.
[[nodiscard]] double bytes_of_format(std::string_view format, double unknown);
/// 0 where the cell is empty or is not a number.
[[nodiscard]] double amount_in(const MeasuredRows& rows, std::string_view column);

/// What the law says of a row that can be predicted, by simulation where requests come one by one; 0 where it
/// does not apply.
[[nodiscard]] InferenceResults predicted_results(const InferenceRow& row, const InferenceValues& values);

} // namespace meshslice
