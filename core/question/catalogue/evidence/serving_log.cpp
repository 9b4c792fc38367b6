// How fast a server answered, as a benchmark of it saved, next to what serve says.

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/evidence/inference/inference_rows.h"
#include "core/import/log_readings.h"
#include "core/question/catalogue/common_fields.h"
#include "core/question/catalogue/evidence/predicted_step.h"
#include "core/question/catalogue/questions.h"
#include "core/question/serve/replica/served_chip.h"
#include "core/question/serve/replica/served_model.h"
#include "core/report/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

/// vLLM's own limit of requests at work where nothing else is said (max_num_seqs).
constexpr std::int64_t usual_most_at_work = 256;

/// A run of a file, and what serve says of it.
struct ServedLog {
    ServingLog log;
    std::vector<std::pair<std::string, std::string>> taken = {}; ///< flags and their words, from the log
    std::string about = {};
    std::vector<ComparedNumber> numbers = {};
    bool simulated = false;  ///< as requests that come in time
    std::string engine = {}; ///< as serve calls it
};

std::string rate_words(double tokens_per_s) {
    return fmt::format("{} tokens/s", number_text(tokens_per_s));
}

std::string (*words_for(const ComparedNumber& one))(double) {
    return one.name == said("tokens") ? rate_words : seconds_text;
}

std::vector<ComparedNumber> measured_numbers(const ServingLog& log) {
    std::vector<ComparedNumber> made = {{said("first token"), log.ttft.mean},
                                        {said("next token"), log.tpot.mean},
                                        {said("whole request"), log.e2e.mean},
                                        {said("tokens"), log.tokens_per_s}};
    std::erase_if(made, [](const ComparedNumber& one) { return !(one.measured > 0); });
    return made;
}

/// Chips of tensor parallelism: 32 of "4x8".
std::int64_t tensor_of(const Asked& its) {
    if (const auto* const sides = std::get_if<std::vector<std::int64_t>>(&its.value("tp"))) {
        return sides->front() * sides->back();
    }
    return std::max(std::int64_t{1}, static_cast<std::int64_t>(its.number("tp")));
}

std::int64_t chips_of_replica(const Asked& its) {
    std::int64_t chips = tensor_of(its);
    for (const char* groups : {"dp", "pp", "cp"}) {
        chips *= std::max(std::int64_t{1}, static_cast<std::int64_t>(its.number(groups)));
    }
    return chips;
}

/// Fields of serve that the log says, and that were not asked.
Result<void> take_load(const ServingLog& log, Asked& its, ServedLog& served) {
    const auto say_it = [&](const char* key, const char* flag, const std::string& words) {
        const QuestionField* const field = its.question.field(key);
        if (field == nullptr || its.said.has(flag)) {
            return;
        }
        const Result<FieldValue> value = parse_own(its.question, *field, words, its.speech);
        if (value) {
            its.own[key] = *value;
            its.said.flags[flag] = words;
            served.taken.emplace_back(flag, words);
        }
    };
    const auto whole = [](double number) { return std::to_string(std::max(1LL, std::llround(number))); };
    say_it("input", "--input", whole(log.mean_input()));
    say_it("output", "--output", whole(log.mean_output()));
    for (const char* engine : {"sglang", "tensorrt-llm", "vllm"}) {
        if (log.engine.starts_with(engine)) {
            say_it("engine", "--engine", engine);
        }
    }
    if (log.engine.starts_with("openai")) { // vLLM's own client, by the interface that vLLM's server has
        say_it("engine", "--engine", "vllm");
    }
    const double replicas = std::max(1.0, its.number("chips") / static_cast<double>(chips_of_replica(its)));
    served.simulated = log.rate.has_value() || log.concurrency == 0 || its.has("rate");
    if (!served.simulated) {
        say_it("batch", "--batch", whole(std::ceil(static_cast<double>(log.concurrency) / replicas)));
        return {};
    }
    say_it("batch", "--batch", std::to_string(log.concurrency > 0 ? log.concurrency : usual_most_at_work));
    if (log.rate) {
        say_it("rate", "--rate", fmt::format("{}", *log.rate));
        say_it("requests", "--requests", std::to_string(log.requests));
    } else if (!its.has("rate")) { // all at once
        const QuestionField* const simulated = its.question.field("requests");
        if (simulated != nullptr && log.requests > simulated->row.most) {
            return refuse(say("The log has {} requests that come at once; at most {} are simulated.",
                              log.requests, simulated->row.most));
        }
        std::string csv = "arrival_s,input_tokens,output_tokens\n";
        for (std::int64_t k = 0; k < log.requests; ++k) {
            csv += fmt::format("0,{},{}\n", std::llround(its.number("input")),
                               std::llround(its.number("output")));
        }
        its.own["arrivals"] = JsonPart{.json = std::move(csv), .origin = said("all at once")};
        its.own["requests"] = FieldValue(log.requests);
    }
    return {};
}

double number_or_0(const Tree& values, const std::string& path) {
    return number_at(values, path).value_or(0);
}

/// Of clients that each wait for their last token: by measured rows where the chip has such, else of the
/// static batch. Of requests that come in time the means of the simulation.
void compare(const Tree& values, ServedLog& served) {
    const double replicas = std::max(1.0, number_or_0(values, "replicas"));
    const auto take = [&](const std::string& name, const char* kind, const char* batch, const char* simulated,
                          double times) {
        const auto number = std::ranges::find(served.numbers, said(name), &ComparedNumber::name);
        if (number == served.numbers.end()) {
            return;
        }
        const std::string clients = fmt::format("clients/{}/", kind);
        if (served.simulated) {
            number->expected = number_or_0(values, simulated);
        } else if (number_or_0(values, clients + "expected") > 0) {
            number->expected = number_or_0(values, clients + "expected") * times;
            const double low = number_or_0(values, clients + "low");
            const double high = number_or_0(values, clients + "high");
            if (high > low) { // else no measured row says this number
                number->low = low * times;
                number->high = high * times;
            }
        } else {
            number->expected = number_or_0(values, batch);
        }
    };
    take("first token", "ttft", "ttft_s", "simulated/ttft/mean_s", 1);
    take("next token", "tpot", "tpot_s", "simulated/tpot/mean_s", 1);
    take("whole request", "e2e", "e2e_s", "simulated/e2e/mean_s", 1);
    take("tokens", "throughput", "tokens_per_s", "simulated/tokens_per_s", replicas);
}

/// "Measured: first token 312 ms, expected 290 ms (210 ms to 400 ms): inside; ..."
std::string headline_of(const ServedLog& served) {
    std::string words;
    for (const ComparedNumber& one : served.numbers) {
        if (one.name == said("whole request")) {
            continue; // which both others say together
        }
        const std::string numbers = compared_words(one, words_for(one));
        const std::string separator = words.empty() ? "" : "; ";
        words += separator + (one.name == said("tokens") ? numbers : fmt::format("{} {}", one.name, numbers));
    }
    return say("Measured: {}.", words);
}

std::string headline_of(const std::vector<ServedLog>& all) {
    if (all.size() == 1) {
        return headline_of(all.front());
    }
    std::size_t judged = 0, inside = 0;
    for (const ServedLog& one : all) {
        for (const ComparedNumber& number : one.numbers) {
            judged += number.judged() ? 1 : 0;
            inside += number.judged() && number.inside() ? 1 : 0;
        }
    }
    return judged == 0 ? say("{} measured runs.", all.size())
                       : say("{} of {} measured numbers of {} runs are inside of what is expected.", inside,
                             judged, all.size());
}

std::string load_of(const ServingLog& log) {
    const std::string rate = log.rate              ? say("{} requests a second", number_text(*log.rate))
                             : log.concurrency > 0 ? say("{} at once", log.concurrency)
                                                   : say("all at once");
    return say("{} requests of {:.0f} and {:.0f} tokens, {}", log.requests, log.mean_input(),
               log.mean_output(), rate);
}

Paragraph lines_of(const ServedLog& served) {
    Paragraph lines{{}, {{"", say("measured"), say("expected"), say("from"), say("to"), ""}}, 1, false};
    for (const ComparedNumber& one : served.numbers) {
        const auto words = words_for(one);
        const bool expected = one.expected > 0;
        lines.lines.push_back({one.name, words(one.measured), expected ? words(one.expected) : "",
                               one.judged() ? words(one.low) : "", one.judged() ? words(one.high) : "",
                               !one.judged()  ? ""
                               : one.inside() ? say("inside")
                                              : say("outside")});
    }
    return lines;
}

Table run_table(const std::vector<ServedLog>& all) {
    Table table{said("Logged runs"),
                {"run", "requests", "failed", "rate", "concurrency", "input_tokens", "output_tokens",
                 "number", "measured", "expected", "low", "high"},
                {}};
    const auto known = [](double value) { return value > 0 ? Table::Cell(value) : Table::Cell(); };
    for (std::size_t k = 0; k < all.size(); ++k) {
        const ServingLog& log = all[k].log;
        for (const ComparedNumber& one : all[k].numbers) {
            table.rows.push_back({static_cast<std::int64_t>(k + 1), log.requests, log.failed,
                                  known(log.rate.value_or(0)),
                                  log.concurrency > 0 ? Table::Cell(log.concurrency) : Table::Cell(),
                                  log.mean_input(), log.mean_output(), one.name, one.measured,
                                  known(one.expected), known(one.low), known(one.high)});
        }
    }
    return table;
}

/// With the columns of resources/measured/serving.csv.
Table serving_row(const std::string& file, const std::vector<ServedLog>& all, const Asked& its) {
    Table table{said("Measured row"),
                {"id", "hardware", "num_devices", "model", "precision", "mode", "input_len", "output_len",
                 "concurrency", "tp", "attention_dp", "ttft_ms", "tpot_ms", "out_tok_per_s_per_device",
                 "engine"},
                {}};
    constexpr double ms = 1e-3;
    const bool plans = its.question.field("tp") != nullptr;
    const std::int64_t tensor = tensor_of(its);
    const auto data = std::max(std::int64_t{1}, static_cast<std::int64_t>(its.number("dp")));
    const double chips = std::max(its.number("chips"), static_cast<double>(chips_of_replica(its)));
    const Result<Machine> machine = plans ? chip_of(its) : refuse(std::string());
    const Result<ServedChip> chip =
        machine ? served_chip(*machine, {tensor, tensor * data, true}, "vllm", Efficiency::measured)
                : refuse(std::string());
    const Result<Transformer> model = plans ? model_of(its) : refuse(std::string());
    const Result<ServedModel> shape = model ? served_model(*model) : refuse(std::string());
    const std::string model_name = shape && shape->measured != nullptr ? shape->measured->name
                                   : model                             ? model->name
                                                                       : std::string();
    for (std::size_t k = 0; k < all.size(); ++k) {
        const ServingLog& log = all[k].log;
        table.rows.push_back({fmt::format("{}:{}", file, k + 1),
                              chip && chip->measured != nullptr ? std::string(chip->measured->name)
                              : machine                         ? machine->name
                                                                : std::string(),
                              static_cast<std::int64_t>(chips), model_name.empty() ? log.model : model_name,
                              plans ? its.text("weights") : std::string("bf16"), std::string("agg"),
                              std::llround(log.mean_input()), std::llround(log.mean_output()),
                              log.concurrency > 0 ? log.concurrency : log.requests, tensor, data,
                              log.ttft.mean / ms, log.tpot.mean / ms, log.tokens_per_s / chips,
                              engine_of_rows(all[k].engine.empty() ? "vllm" : all[k].engine)});
    }
    return table;
}

Tree values_of(const ServedLog& served) {
    const ServingLog& log = served.log;
    const auto times = [](const LoggedTimes& one) {
        const auto known = [](double value) { return value > 0 ? Tree(value) : Tree(); };
        return Tree{{"mean_s", known(one.mean)}, {"median_s", known(one.median)}, {"p99_s", known(one.p99)}};
    };
    Tree values = {{"engine", log.engine},
                   {"model", log.model},
                   {"requests", log.requests},
                   {"failed", log.failed},
                   {"rate", log.rate},
                   {"concurrency", log.concurrency > 0 ? Tree(log.concurrency) : Tree()},
                   {"input", log.mean_input()},
                   {"output", log.mean_output()},
                   {"tokens_per_s", log.tokens_per_s},
                   {"ttft", times(log.ttft)},
                   {"tpot", times(log.tpot)},
                   {"e2e", times(log.e2e)},
                   {"compared", Tree::array()}};
    for (const ComparedNumber& one : served.numbers) {
        if (one.expected > 0) {
            const auto known = [&](double value) { return one.judged() ? Tree(value) : Tree(); };
            values["compared"].push_back({{"number", one.name},
                                          {"measured", one.measured},
                                          {"expected", one.expected},
                                          {"low", known(one.low)},
                                          {"high", known(one.high)},
                                          {"inside", one.judged() ? Tree(one.inside()) : Tree()}});
        }
    }
    return values;
}

void add_words(const std::vector<ServedLog>& all, Answer& answer) {
    const auto paragraph = [&](const std::string& words) { answer.words.push_back({words + "\n"}); };
    paragraph(answer.headline);
    bool simulated = false, batch = false;
    for (const ServedLog& one : all) {
        paragraph("\n" + load_of(one.log) +
                  (one.log.failed > 0 ? ", " + say("{} more failed", one.log.failed) : std::string()));
        if (!one.about.empty()) {
            paragraph(one.about);
        }
        answer.words.push_back(lines_of(one));
        const bool compared = !one.numbers.empty() && one.numbers.front().expected > 0;
        simulated = simulated || (compared && one.simulated);
        batch = batch || (compared && !one.simulated && !one.numbers.front().judged());
        std::string taken;
        for (const auto& [flag, words] : one.taken) {
            taken += fmt::format("{}{} {}", taken.empty() ? "" : " ", flag, words);
        }
        if (!taken.empty()) {
            paragraph(say("From the log: {}", taken));
        }
    }
    if (simulated) {
        answer.notes.push_back(say("What is expected are means of a simulation, of which no interval is "
                                   "known: requests that come by themselves were not measured for it."));
    }
    if (batch) {
        answer.notes.push_back(say("What is expected is a static batch: no measured runs that serve are "
                                   "like it."));
    }
    for (const std::string& note : answer.notes) {
        paragraph("\n" + note);
    }
}

} // namespace

Result<Answer> serving_log_answer(const Asked& asked, const Question* over, LogReadings& readings,
                                  const RunControl& control) {
    using namespace measured_file_keys;
    const std::string path = asked.text(file);
    const Result<std::shared_ptr<const std::vector<ServingLog>>> logs = readings.serving(path, control);
    if (!logs) {
        return refuse(logs.error());
    }
    if (over != nullptr && over->id != serve_question().id) {
        return refuse(say("{} is a benchmark of a server; expected {}.", path, "--of serve"));
    }
    if (asked.said.has("--trace") || asked.said.has("--svg")) {
        return refuse(say("{} has no effect: a benchmark of a server says means alone.",
                          asked.said.has("--trace") ? "--trace" : "--svg"));
    }
    const Asked its = over == nullptr ? asked : asked_over(asked, *over, measured_file_keys::own);
    std::vector<ServedLog> all;
    for (const ServingLog& log : **logs) {
        ServedLog one{log};
        one.numbers = measured_numbers(log);
        if (over != nullptr) {
            Asked filled = its;
            if (const Result<void> taken = take_load(log, filled, one); !taken) {
                return refuse(taken.error());
            }
            one.engine = filled.text("engine");
            const Result<Answer> answer = over->answer(filled, control);
            if (!answer) {
                return refuse(answer.error());
            }
            one.about = answer->about.empty() ? answer->headline : answer->about;
            compare(answer->values, one);
        }
        all.push_back(std::move(one));
    }
    Answer answer{{{"runs", Tree::array()}},
                  headline_of(all),
                  say("{}, a benchmark of a server", path),
                  Confidence::exact};
    for (const ServedLog& one : all) {
        answer.values["runs"].push_back(values_of(one));
    }
    add_words(all, answer);
    answer.tables.push_back(NamedTable::of("runs", run_table(all)));
    answer.texts.push_back({"row", [row = serving_row(path, all, its)](std::ostream& out) {
                                out << csv(row);
                                return Result<void>();
                            }});
    return answer;
}

} // namespace meshslice
