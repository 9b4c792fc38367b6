#include "core/import/run_log.h"

#include "core/base/json/infinities.h"
#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/import/chakra_trace.h"
#include "core/import/gzip_file.h"
#include "core/import/nsight_trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <system_error>
#include <utility>

namespace meshslice {
namespace {

constexpr double ms = 1e-3;
constexpr std::size_t most_line_bytes = 1u << 16; ///< a longer one is not a line of a log
constexpr std::size_t most_arguments = 5000;
constexpr std::string_view elapsed_time = "elapsed time per iteration";

std::string_view logged_word(std::string_view words) {
    const std::size_t first = words.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos
               ? std::string_view()
               : words.substr(first, words.find_last_not_of(" \t\r\n") - first + 1);
}

/// The number that a text begins with, where it is one above `least`.
std::optional<double> leading_number(std::string_view words, double least) {
    const std::string_view text = logged_word(words).substr(0, 40);
    double value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    constexpr double most = 1e18;
    return status != std::errc() || !(value > least) || !(value < most) ? std::nullopt : std::optional(value);
}

std::int64_t whole_or_none(std::string_view words) {
    return static_cast<std::int64_t>(leading_number(words, 0).value_or(0));
}

/// "key: value"; the key is empty where it is not one.
std::pair<std::string_view, std::string_view> key_and_value(std::string_view part) {
    const std::size_t colon = part.rfind(':');
    return colon == std::string_view::npos
               ? std::pair(std::string_view(), std::string_view())
               : std::pair(logged_word(part.substr(0, colon)), part.substr(colon + 1));
}

/// "[2025-04-13 23:41:20] iteration       20/    1000"
std::int64_t number_of_step(std::string_view part) {
    constexpr std::string_view iteration = "iteration";
    const std::size_t at = part.rfind(iteration);
    return at == std::string_view::npos ? 0 : whole_or_none(part.substr(at + iteration.size()));
}

std::optional<LoggedStep> step_of_line(std::string_view line) {
    if (line.find(elapsed_time) == std::string_view::npos) {
        return std::nullopt;
    }
    LoggedStep made;
    std::size_t begin = 0;
    for (bool first = true; begin < line.size(); first = false) {
        const std::size_t end = std::min(line.find('|', begin), line.size());
        const std::string_view part = line.substr(begin, end - begin);
        begin = end + 1;
        if (first) {
            made.step = number_of_step(part);
            continue;
        }
        const auto [key, value] = key_and_value(part);
        if (key.starts_with(elapsed_time)) {
            made.seconds = leading_number(value, 0).value_or(0) * (key.ends_with("(ms)") ? ms : 1);
        } else if (key == "global batch size") {
            made.batch = whole_or_none(value);
        } else if (key.starts_with("throughput per GPU (TFLOP/s/GPU)") || key == "TFLOPs") {
            constexpr double tera = 1e12;
            made.flop_rate = leading_number(value, 0).value_or(0) * tera;
        } else if (key == "number of skipped iterations" || key == "number of nan iterations") {
            made.unsound += whole_or_none(value);
        }
    }
    return made.step > 0 && made.seconds > 0 ? std::optional(made) : std::nullopt;
}

/// "  tensor_model_parallel_size ...................... 8"
void take_argument(std::string_view line, TrainingLog::Arguments& arguments) {
    const std::size_t dots = line.find(" ..");
    if (dots == std::string_view::npos || arguments.size() >= most_arguments) {
        return;
    }
    const std::size_t after = line.find_first_not_of('.', dots + 1);
    const std::string_view before = logged_word(line.substr(0, dots));
    const std::string_view name = before.substr(before.rfind(' ') + 1); // a rank may stand in front
    const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    });
    if (is_name && after != std::string_view::npos && line[after] == ' ') {
        arguments.insert_or_assign(std::string(name), std::string(logged_word(line.substr(after))));
    }
}

double quantile(const std::vector<LoggedStep>& sorted, double share) {
    const double at = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(at));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = at - static_cast<double>(below);
    return sorted[below].seconds * (1 - part) + sorted[above].seconds * part;
}

/// The members of the outermost object that are numbers or texts; lists of one value a request are passed
/// over.
class ScalarMembers final : public nlohmann::json_sax<nlohmann::json> {
  public:
    std::map<std::string, double, std::less<>> numbers;
    std::map<std::string, std::string, std::less<>> texts;
    bool is_object = false;

    bool null() override { return true; }
    bool boolean(bool /*value*/) override { return true; }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return number(value); }
    bool string(string_t& value) override {
        if (depth_ == 1) {
            texts[key_] = value;
        }
        return true;
    }
    bool binary(binary_t& /*value*/) override { return true; }
    bool start_object(std::size_t /*size*/) override {
        is_object = is_object || depth_ == 0;
        ++depth_;
        return true;
    }
    bool key(string_t& value) override {
        if (depth_ == 1) {
            key_ = value;
        }
        return true;
    }
    bool end_object() override {
        --depth_;
        return true;
    }
    bool start_array(std::size_t /*size*/) override {
        ++depth_;
        return true;
    }
    bool end_array() override {
        --depth_;
        return true;
    }
    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override {
        broke_at = position;
        return false;
    }

    std::size_t broke_at = 0;

    [[nodiscard]] double of(std::string_view name) const {
        const auto found = numbers.find(name);
        return found == numbers.end() ? 0 : found->second;
    }
    [[nodiscard]] std::string text_of(std::string_view name) const {
        const auto found = texts.find(name);
        return found == texts.end() ? std::string() : found->second;
    }

  private:
    bool number(double value) {
        if (depth_ == 1) {
            numbers[key_] = value;
        }
        return true;
    }

    int depth_ = 0;
    std::string key_;
};

/// Those that vLLM writes for a kind of time, "ttft"; SGLang calls that of a whole request otherwise.
LoggedTimes times_of(const ScalarMembers& members, std::initializer_list<const char*> names) {
    LoggedTimes made;
    for (const char* name : names) {
        const auto take = [&](double& into, const char* which) {
            const double said = members.of(fmt::format("{}_{}_ms", which, name));
            constexpr double most = 1e15;
            into = into == 0 && said > 0 && said < most ? said * ms : into;
        };
        take(made.mean, "mean");
        take(made.median, "median");
        take(made.p99, "p99");
    }
    return made;
}

Result<ServingLog> serving_log_of(const ScalarMembers& members, const std::string& origin) {
    constexpr double most_requests = 1e9, most_tokens = 1e15;
    for (const auto& [needed, most] :
         {std::pair("completed", most_requests), std::pair("total_input_tokens", most_tokens),
          std::pair("total_output_tokens", most_tokens), std::pair("duration", most_tokens)}) {
        if (!(members.of(needed) > 0) || !(members.of(needed) < most)) {
            return refuse(say("{} has no number above 0 under \"{}\"; expected what vllm bench serve "
                              "--save-result writes.",
                              origin, needed));
        }
    }
    ServingLog made;
    made.engine =
        members.text_of("backend").empty() ? members.text_of("endpoint_type") : members.text_of("backend");
    made.model = members.text_of("model_id");
    made.requests = static_cast<std::int64_t>(std::max(1.0, members.of("completed")));
    const double sent = std::min(members.of("num_prompts"), most_requests);
    made.failed = std::max<std::int64_t>(0, static_cast<std::int64_t>(sent) - made.requests);
    if (members.of("request_rate") > 0) { // "inf" is a text
        made.rate = members.of("request_rate");
    }
    made.concurrency =
        static_cast<std::int64_t>(std::clamp(members.of("max_concurrency"), 0.0, most_requests));
    made.seconds = members.of("duration");
    made.input = members.of("total_input_tokens");
    made.output = members.of("total_output_tokens");
    made.tokens_per_s =
        members.of("output_throughput") > 0 ? members.of("output_throughput") : made.output / made.seconds;
    made.ttft = times_of(members, {"ttft"});
    made.tpot = times_of(members, {"tpot"});
    made.e2e = times_of(members, {"e2el", "e2e_latency"});
    return made;
}

} // namespace

std::string TrainingLog::word(std::string_view argument) const {
    const auto found = arguments.find(argument);
    return found == arguments.end() || found->second == "None" ? std::string() : found->second;
}

std::optional<std::int64_t> TrainingLog::whole(std::string_view argument) const {
    const Result<std::int64_t> read = parse_whole(word(argument));
    return read && *read > 0 ? std::optional(*read) : std::nullopt;
}

SteadySteps steady_steps(const TrainingLog& log) {
    SteadySteps made;
    constexpr std::size_t enough_lines = 3;
    const std::size_t first = log.steps.size() >= enough_lines ? 1 : 0;
    for (std::size_t k = first; k < log.steps.size(); ++k) {
        if (log.steps[k].batch == log.steps.back().batch && log.steps[k].unsound == 0) {
            made.steps.push_back(log.steps[k]);
        }
    }
    if (made.steps.empty()) {
        made.steps = log.steps;
    }
    made.left_out = log.steps.size() - made.steps.size();
    std::vector<LoggedStep> sorted = made.steps;
    std::ranges::sort(sorted, {}, &LoggedStep::seconds);
    made.median = quantile(sorted, 0.5);
    made.low = quantile(sorted, 0.1);
    made.high = quantile(sorted, 0.9);
    made.flop_rate = sorted[sorted.size() / 2].flop_rate;
    made.batch = made.steps.back().batch;
    return made;
}

Result<TrainingLog> read_training_log(std::istream& stream, const std::string& origin,
                                      const RunControl& control) {
    std::map<std::int64_t, LoggedStep> steps;
    TrainingLog made;
    std::string line(most_line_bytes, '\0');
    std::size_t count = 0;
    constexpr std::size_t asked_every = 1024;
    while (stream) {
        stream.getline(line.data(), static_cast<std::streamsize>(line.size()));
        const auto read = static_cast<std::size_t>(stream.gcount());
        const bool ended = stream.good(); // by the end of the line, which is counted
        const std::string_view words(line.data(), read - (ended && read > 0 ? 1 : 0));
        if (stream.fail() && !stream.eof() && read + 1 >= most_line_bytes) {
            stream.clear(); // the rest of a line that is too long follows as others
        }
        if (const std::optional<LoggedStep> step = step_of_line(words)) {
            steps[step->step] = *step;
        } else {
            take_argument(words, made.arguments);
        }
        if (++count % asked_every == 0 && control.stop.stop_requested()) {
            return cancelled();
        }
    }
    if (steps.empty()) {
        return refuse(
            say("{} has no line with \"{}\"; expected a profiler's trace, the log of Megatron-LM, or "
                "what vllm bench serve --save-result writes.",
                origin, elapsed_time));
    }
    for (const auto& [number, step] : steps) {
        made.steps.push_back(step);
    }
    return made;
}

Result<std::vector<ServingLog>> read_serving_logs(std::string_view json, const std::string& origin) {
    const std::string text = without_infinities(json);
    std::vector<ServingLog> all;
    std::string_view rest = logged_word(text);
    while (!rest.empty()) {
        // Either the whole file is one value, or each line is.
        ScalarMembers members;
        std::string_view part = all.empty() ? rest : rest.substr(0, rest.find('\n'));
        if (!nlohmann::json::sax_parse(part, &members) && all.empty()) {
            members = ScalarMembers();
            part = rest.substr(0, rest.find('\n'));
            static_cast<void>(nlohmann::json::sax_parse(part, &members));
        }
        const auto before = static_cast<std::size_t>(part.data() - text.data());
        if (members.broke_at > 0 || !members.is_object) {
            return refuse(
                say("{} is broken at byte {}; expected the JSON that vllm bench serve --save-result "
                    "writes.",
                    origin, before + members.broke_at));
        }
        Result<ServingLog> one = serving_log_of(members, origin);
        if (!one) {
            return refuse(one.error());
        }
        all.push_back(*std::move(one));
        rest = logged_word(rest.substr(part.size()));
    }
    if (all.empty()) {
        return refuse(
            say("{} is empty; expected the JSON that vllm bench serve --save-result writes.", origin));
    }
    return all;
}

MeasuredKind kind_of_measured(std::string_view first_bytes) {
    if (is_sqlite(first_bytes)) {
        return MeasuredKind::trace;
    }
    if (is_chakra(first_bytes)) {
        return MeasuredKind::graph;
    }
    const std::string_view words = logged_word(first_bytes);
    const auto has = [&](std::string_view what) { return words.find(what) != std::string_view::npos; };
    if (words.starts_with('{')) {
        return has("\"request_rate\"") && !has("\"traceEvents\"") ? MeasuredKind::serving
                                                                  : MeasuredKind::trace;
    }
    // A list of events, or what is broken; a log may begin with the name of a rank in brackets.
    const bool list = words.starts_with('[') && logged_word(words.substr(1)).starts_with('{');
    return list || has("\"ph\"")           ? MeasuredKind::trace
           : has("..") || has("iteration") ? MeasuredKind::training
                                           : MeasuredKind::trace;
}

Result<std::string> first_bytes_of(const std::string& path) {
    return read_through_gzip(path, {}, [](std::istream& stream) -> Result<std::string> {
        constexpr std::size_t first = 1u << 18; // what libraries say of their start may come before it
        std::string bytes(first, '\0');
        stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.resize(static_cast<std::size_t>(stream.gcount()));
        return bytes;
    });
}

} // namespace meshslice
