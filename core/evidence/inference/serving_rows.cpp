#include "core/evidence/inference/serving_rows.h"

#include "core/base/say.h"
#include "core/calibrate/measured_rows.h"
#include "core/evidence/training/training_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace meshslice {
namespace {

using ResultKind = InferenceQuantity;
constexpr double second_of_millisecond = 1e-3;

bool has_word(std::string_view text, std::string_view word) {
    return small_word(text).find(word) != std::string::npos;
}

/// Number formats as the engines lay a model out; integers are weights alone.
void set_formats(InferenceAsked& asked, const std::string& precision) {
    const std::string small = small_word(precision);
    const bool four = small.find('4') != std::string::npos, integer = small.starts_with("int");
    const bool experts = asked.model != nullptr && asked.model->experts > 0;
    const bool native = asked.chip != nullptr && asked.chip->peak_4 > 0;
    asked.weight_bytes = bytes_of_format(precision, 2);
    asked.bits = integer || asked.weight_bytes >= 2 ? 16 : four && native ? 4 : four ? 16 : 8;
    asked.cache_bytes = integer || asked.weight_bytes >= 2 ? 2 : 1;
    if (four && experts) {
        set_formats_of_experts(asked, integer);
    }
}

/// Columns "tp", "attention_dp", "moe_tp", "moe_ep", each behind `side`.
void set_layout(InferenceAsked& asked, const MeasuredRows& rows, const std::string& side) {
    const auto degree = [&](const char* column) { return std::max(amount_in(rows, side + column), 1.0); };
    asked.tensor = degree("tp");
    asked.data = degree("attention_dp");
    if (asked.model != nullptr && asked.model->experts > 0) {
        asked.expert_tensor = degree("moe_tp");
        asked.expert_groups = degree("moe_ep");
    }
}

/// How the runs were set up where their tables do not say it, as their repetitions and repositories show.
void set_up(InferenceRow& row, const MeasuredRows& rows) {
    const std::string_view version = rows.cell("version"), source = rows.cell("source");
    const InferenceAsked& asked = row.asked;
    ServingSetup& setup = row.setup;
    const bool blackwell = asked.chip->peak_4 > 0;
    const bool vary = has_word(rows.cell("note"), "vary") || has_word(rows.cell("lengths"), "vary") ||
                      has_word(source, "dump");
    if (vary) {
        setup.shortest = 0.8; // InferenceX draws them so
    } else if (!(row.engine == "SGLang" && version.starts_with("0.5.1."))) {
        // Clients of equal lengths drift apart: TTFT has no waves. SGLang's of that version stay together.
        setup.shortest = 0.9;
        setup.longest = 1.1;
    }
    if (row.engine == "SGLang") {
        setup.prompts = PromptPolicy::alone;
        // InferenceX's scripts for Blackwell: --scheduler-recv-interval 10, and 30 from 16 clients on.
        if (blackwell && (asked.model->latent || asked.model->hybrid)) {
            constexpr double many_clients = 16;
            setup.steps_between_looks = row.clients >= many_clients ? 30 : 10;
        }
    }
    // The same points stand in older exports with twice the time per token: these check three drafts.
    if (row.engine == "TensorRT-LLM" && asked.model->name == "deepseek-v3" &&
        (version == "1.1.0rc2.post2" || version == "1.2.0rc6.post3")) {
        row.asked.drafts = 3;
    }
    // By Little's law, 512 clients of these had 89 to 101 requests at work, whatever lengths and chips.
    if (row.engine == "vLLM" && asked.model->window > 0 && !blackwell && row.clients > 256) {
        setup.most_batch = 96;
    }
}

std::string why_not_served(const InferenceRow& row, const MeasuredRows& rows, bool apart) {
    if (row.asked.chip == nullptr) {
        return say("The data sheet of \"{}\" is not known.", row.hardware);
    }
    if (row.asked.model == nullptr) {
        return say("The shape of \"{}\" is not known.", row.model);
    }
    if (apart && (amount_in(rows, "prefill_workers") < 1 || amount_in(rows, "decode_workers") < 1)) {
        return say("It does not say how many servers take prompts and how many decode.");
    }
    if (!(row.clients >= 1) || !(row.asked.input >= 1)) {
        return say("It does not say how many requests of how many tokens it had.");
    }
    return {};
}

InferenceRow point_row(const MeasuredRows& rows, const std::string& origin) {
    InferenceRow row;
    row.id = std::string(rows.cell("id"));
    if (row.id.empty()) {
        row.id = fmt::format("{}:{}", origin, rows.line());
    }
    row.hardware = std::string(rows.cell("hardware"));
    row.model = std::string(rows.cell("model"));
    row.engine = engine_word(rows.cell("engine"), {});
    row.trust = small_word(rows.cell("trust"));
    const bool apart = has_word(rows.cell("mode"), "dis");
    row.load = apart ? "disaggregated" : "aggregated";
    InferenceAsked& asked = row.asked;
    asked.chip = inference_facts().chip(row.hardware);
    asked.model = inference_facts().model(row.model);
    asked.input = amount_in(rows, "input_len");
    asked.output = std::max(amount_in(rows, "output_len"), 1.0);
    const std::string precision(rows.cell("precision"));
    set_formats(asked, precision);
    asked.launches_ahead = true;
    constexpr double most_clients = 1e5;
    row.clients = std::min(amount_in(rows, "concurrency"), most_clients);
    row.derived_throughput = true;
    if (apart) {
        row.prefill = asked;
        row.prefill_servers = std::max(amount_in(rows, "prefill_workers"), 1.0);
        row.replicas = std::max(amount_in(rows, "decode_workers"), 1.0);
        set_layout(row.prefill, rows, "prefill_");
        set_layout(asked, rows, "decode_");
        row.prefill.batch = 1;
    } else {
        set_layout(asked, rows, "");
    }
    asked.batch = std::max(1.0, row.clients / row.replicas);
    at(row.measured, ResultKind::ttft) = second_of_millisecond * amount_in(rows, "ttft");
    at(row.measured, ResultKind::tpot) = second_of_millisecond * amount_in(rows, "tpot");
    const double devices = std::max(amount_in(rows, "num_devices"), 1.0);
    const double per_device = std::max(amount_in(rows, "out_tok_per_s_per_device"),
                                       amount_in(rows, "out_tok_per_s_per_device_derived"));
    at(row.measured, ResultKind::throughput) = devices * per_device;
    row.group = std::string(rows.cell("group"));
    if (row.group.empty()) {
        row.group = fmt::format("{}|{}|{}|{}|{}|{}", row.hardware, row.model, precision, asked.chips(),
                                asked.input, asked.output);
    }
    row.reason = why_not_served(row, rows, apart);
    if (row.reason.empty()) {
        set_up(row, rows);
        row.prefill.drafts = 0;
    }
    return row;
}

/// The logs come from vLLM at its own limits of the time: 128 requests and 2048 tokens in a step.
InferenceRow request_row(const MeasuredRows& rows, const std::string& origin) {
    InferenceRow row;
    const std::string run(rows.cell("run"));
    row.id = fmt::format("{}/{}", run.empty() ? origin : run, rows.cell("request"));
    row.group = run;
    row.hardware = std::string(rows.cell("hardware"));
    row.model = std::string(rows.cell("model"));
    row.engine = "vLLM";
    row.load = "replay";
    InferenceAsked& asked = row.asked;
    asked.chip = inference_facts().chip(row.hardware);
    asked.model = inference_facts().model(row.model);
    asked.tensor = std::max(amount_in(rows, "num_devices"), 1.0);
    asked.launches_ahead = true;
    asked.input = amount_in(rows, "input_tokens");
    asked.output = std::max(amount_in(rows, "output_tokens"), 1.0);
    row.setup.most_batch = 128;
    row.setup.most_tokens = 2048;
    row.clients = row.setup.most_batch;
    asked.batch = row.clients;
    for (const auto& [quantity, column] :
         {std::pair(ResultKind::ttft, "ttft"), std::pair(ResultKind::tpot, "tpot"),
          std::pair(ResultKind::e2e, "e2e")}) {
        at(row.measured, quantity) = second_of_millisecond * amount_in(rows, column);
    }
    row.reason = why_not_served(row, rows, false);
    return row;
}

/// Gives each request of a log its place in it.
void gather_logs(std::vector<InferenceRow>& rows, const std::vector<double>& arrivals) {
    std::map<std::string, std::vector<std::size_t>, std::less<>> runs;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (rows[k].reason.empty()) {
            runs[rows[k].group].push_back(k);
        }
    }
    for (auto& [run, places] : runs) {
        std::ranges::stable_sort(places, {}, [&](std::size_t k) { return arrivals[k]; });
        auto log = std::make_shared<ReplayedLog>();
        log->name = run;
        for (const std::size_t k : places) {
            ServingRequest request;
            request.arrival = arrivals[k];
            request.input = static_cast<std::int64_t>(rows[k].asked.input);
            request.output = static_cast<std::int64_t>(rows[k].asked.output);
            rows[k].place = log->requests.size();
            log->requests.push_back(request);
        }
        for (const std::size_t k : places) {
            rows[k].log = log;
        }
    }
}

} // namespace

void set_formats_of_experts(InferenceAsked& asked, bool integers) {
    asked.other_weight_bytes = integers ? 2 : 1;
    asked.other_bits = integers ? 16 : 8;
    if (asked.model->window > 0) {
        asked.other_weight_bytes = 2;
        asked.other_bits = 16;
        asked.bits = asked.chip != nullptr && asked.chip->peak_4 > 0 ? 8 : 16;
    }
}

Result<std::vector<InferenceRow>> read_serving_rows(std::string_view csv, const std::string& origin) {
    MeasuredRows rows(csv, origin,
                      "hardware,model,precision,tp,concurrency,input_len,output_len,ttft_ms,tpot_ms");
    for (const char* column : {"hardware", "model"}) {
        if (!rows.error() && !rows.has(column)) {
            rows.refuse_file(fmt::format("has no column \"{}\"", column));
        }
    }
    const bool requests = rows.has("arrival");
    std::vector<InferenceRow> all;
    std::vector<double> arrivals;
    while (rows.next()) {
        all.push_back(requests ? request_row(rows, origin) : point_row(rows, origin));
        arrivals.push_back(second_of_millisecond * amount_in(rows, "arrival"));
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    if (requests) {
        gather_logs(all, arrivals);
    }
    return all;
}

const std::vector<InferenceRow>& measured_serving() {
    static const std::vector<InferenceRow> all = [] {
        std::vector<InferenceRow> rows;
        for (const char* file : {"serving.csv", "serving_requests.csv"}) {
            auto read = read_serving_rows(measured_file(file), file);
            assert(read && "a test reads what comes with the program");
            if (read) {
                rows.insert(rows.end(), read->begin(), read->end());
            }
        }
        return rows;
    }();
    return all;
}

std::vector<InferenceRow> means_of_logs(const std::vector<InferenceRow>& rows) {
    struct Sums {
        const InferenceRow* first = nullptr;
        double requests = 0, input = 0, output = 0, tpot = 0, log_ttft = 0;
    };
    std::map<std::string, Sums, std::less<>> logs;
    for (const InferenceRow& row : rows) {
        if (row.log == nullptr) {
            continue;
        }
        Sums& sums = logs[row.log->name];
        sums.first = sums.first == nullptr ? &row : sums.first;
        sums.requests += 1;
        sums.input += row.asked.input;
        sums.output += row.asked.output;
        sums.tpot += row.measured[static_cast<std::size_t>(ResultKind::tpot)];
        sums.log_ttft += std::log(row.measured[static_cast<std::size_t>(ResultKind::ttft)]);
    }
    std::vector<InferenceRow> made;
    for (const auto& [name, sums] : logs) {
        InferenceRow& row = made.emplace_back(*sums.first);
        row.asked.input = sums.input / sums.requests;
        row.asked.output = sums.output / sums.requests;
        row.clients = std::min(sums.requests, row.setup.most_batch);
        row.measured = {};
        at(row.measured, ResultKind::tpot) = sums.tpot / sums.requests;
        at(row.measured, ResultKind::ttft) = std::exp(sums.log_ttft / sums.requests);
    }
    return made;
}

} // namespace meshslice
