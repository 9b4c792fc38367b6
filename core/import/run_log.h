#pragma once

#include "core/base/result.h"
#include "core/base/run_control.h"

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// What programs that train or serve say of their own speed: the standard output of Megatron-LM and of what
/// is built on it, and what vLLM's benchmark of a server saves, as SGLang's and TensorRT-LLM's do.

/// What a line of a training log says of the steps since the line before it.
struct LoggedStep {
    std::int64_t step = 0;
    double seconds = 0;       ///< of a step, on average
    double flop_rate = 0;     ///< FLOP/s of a chip, as the program counts; 0: not said
    std::int64_t batch = 0;   ///< sequences; 0: not said
    std::int64_t unsound = 0; ///< steps that were skipped, and those whose loss was not a number

    bool operator==(const LoggedStep&) const = default;
};

/// "iteration 20/ 1000 | ... | elapsed time per iteration (ms): 820.7 | ..."
struct TrainingLog {
    using Arguments = std::map<std::string, std::string, std::less<>>;

    std::vector<LoggedStep> steps; ///< at least one; a step that is said again counts as it was said last
    Arguments arguments;           ///< "tensor_model_parallel_size" and its word, where the log lists them

    /// Of an argument that is a whole number above 0.
    [[nodiscard]] std::optional<std::int64_t> whole(std::string_view argument) const;
    /// Empty where it is not there, or "None".
    [[nodiscard]] std::string word(std::string_view argument) const;
};

/// Its lines without the first one, which has the start-up in it, where there are at least three; of them
/// those with the batch of the last one, and without steps that were skipped. All, where none is left.
struct SteadySteps {
    std::vector<LoggedStep> steps;
    std::size_t left_out = 0;
    double median = 0, low = 0, high = 0; ///< seconds; eight of ten lines lie between the last two
    double flop_rate = 0;                 ///< of the median line; 0: not said
    std::int64_t batch = 0;               ///< 0: not said
};
[[nodiscard]] SteadySteps steady_steps(const TrainingLog& log);

/// Of the requests of a run; seconds. 0: not said.
struct LoggedTimes {
    double mean = 0, median = 0, p99 = 0;

    bool operator==(const LoggedTimes&) const = default;
};
struct ServingLog {
    std::string engine, model; ///< "vllm", "meta-llama/Llama-3.1-8B"; empty: not said
    std::int64_t requests = 0; ///< that were answered
    std::int64_t failed = 0;
    std::optional<double> rate;   ///< requests a second; none: all are sent at once
    std::int64_t concurrency = 0; ///< requests at work at most; 0: any number
    double seconds = 0;
    double input = 0, output = 0; ///< tokens of all
    double tokens_per_s = 0;      ///< put out
    LoggedTimes ttft, tpot, e2e;

    [[nodiscard]] double mean_input() const { return input / static_cast<double>(requests); }
    [[nodiscard]] double mean_output() const { return output / static_cast<double>(requests); }
    bool operator==(const ServingLog&) const = default;
};

/// Refuses what has no line of a step. `origin` names the file.
[[nodiscard]] Result<TrainingLog> read_training_log(std::istream& stream, const std::string& origin,
                                                    const RunControl& control = {});
/// One object, or several one after the other, as --append-result writes them.
[[nodiscard]] Result<std::vector<ServingLog>> read_serving_logs(std::string_view json,
                                                                const std::string& origin);

/// What a file holds, as its first bytes show.
enum class MeasuredKind : std::uint8_t {
    trace,    ///< of a profiler
    graph,    ///< an execution trace (chakra_trace.h)
    training, ///< a TrainingLog
    serving   ///< ServingLogs
};
[[nodiscard]] MeasuredKind kind_of_measured(std::string_view first_bytes);
/// Enough of a file, which may be compressed with gzip, to tell its kind; refuses one that cannot be read.
[[nodiscard]] Result<std::string> first_bytes_of(const std::string& path);

} // namespace meshslice
