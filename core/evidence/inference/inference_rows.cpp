#include "core/evidence/inference/inference_rows.h"

#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/calibrate/measured_rows.h"
#include "core/evidence/inference/served_runs.h"
#include "core/evidence/training/training_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace meshslice {
namespace {

using ResultKind = InferenceQuantity;

std::string why_not_predicted(const InferenceRow& row) {
    const InferenceAsked& asked = row.asked;
    if (row.trust == "c") {
        return say("Its trust is C, so it is left out.");
    }
    if (asked.chip == nullptr) {
        return say("The data sheet of \"{}\" is not known.", row.hardware);
    }
    if (asked.model == nullptr) {
        return say("The shape of \"{}\" is not known.", row.model);
    }
    if (row.load != "static" && row.load != "concurrency" && row.load != "max") {
        return say("It was measured under the load \"{}\", which nothing here predicts.", row.load);
    }
    if ((!(asked.batch >= 1) && row.load != "max") || !(asked.input >= 1)) {
        return say("It does not say how many requests of how many tokens it had.");
    }
    return {};
}

/// Found on the shipped rows of NIM: a client's next request comes 0.1 s after its last token, a step takes 2
/// ms besides, 16384 tokens of prompts at once, a cache in 16 bits where it is not said.
ServingSetup setup_under_load(bool all_at_once) {
    constexpr double client_delay = 0.1, step_delay = 2e-3, most_tokens = 16384;
    ServingSetup setup;
    setup.prompts = PromptPolicy::whole;
    setup.most_tokens = most_tokens;
    setup.most_batch = all_at_once ? 2048 : 256; // trtllm-bench; NIM's default
    setup.step_delay = step_delay;
    setup.client_delay = all_at_once ? 0 : client_delay;
    return setup;
}

InferenceRow inference_row(const MeasuredRows& rows, const std::string& origin) {
    InferenceRow row;
    row.id = std::string(rows.cell("id"));
    if (row.id.empty()) {
        row.id = fmt::format("{}:{}", origin, rows.line());
    }
    row.hardware = std::string(rows.cell("hardware"));
    row.model = std::string(rows.cell("model"));
    row.engine = engine_word(rows.cell("engine"), rows.cell("version"));
    row.load = small_word(rows.cell("load"));
    if (row.load.empty()) {
        row.load = "static";
    }
    row.trust = small_word(rows.cell("trust"));
    const std::string phase = small_word(rows.cell("phase"));
    row.phase = phase == "prefill"  ? InferencePhase::prefill
                : phase == "decode" ? InferencePhase::decode
                                    : InferencePhase::both;
    InferenceAsked& asked = row.asked;
    asked.chip = inference_facts().chip(row.hardware);
    asked.model = inference_facts().model(row.model);
    const double devices = std::max(amount_in(rows, "num_devices"), 1.0);
    asked.tensor = amount_in(rows, "tp") >= 1 ? amount_in(rows, "tp") : devices;
    row.replicas = std::max(1.0, devices / asked.tensor);
    asked.batch = amount_in(rows, "batch");
    asked.input = amount_in(rows, "input_len");
    asked.output = std::max(amount_in(rows, "output_len"), 1.0);
    const std::string weights = small_word(rows.cell("weights"));
    asked.weight_bytes = bytes_of_format(weights, 2);
    const bool under_load = row.load != "static";
    asked.cache_bytes = bytes_of_format(rows.cell("kv_cache"), under_load || asked.weight_bytes >= 2 ? 2 : 1);
    // Integers are weights alone: products take 16 bits.
    asked.bits = weights.find("fp8") != std::string::npos   ? 8
                 : weights.find("fp4") != std::string::npos ? 4
                                                            : 16;
    asked.first_kernels = row.engine == "TensorRT-LLM 0.5" || row.engine == "TensorRT-LLM 0.9";
    constexpr double millisecond = 1e-3, gigabyte = 1e9;
    at(row.measured, ResultKind::ttft) = millisecond * amount_in(rows, "ttft");
    at(row.measured, ResultKind::tpot) = millisecond * amount_in(rows, "tpot");
    at(row.measured, ResultKind::e2e) = millisecond * amount_in(rows, "e2e");
    at(row.measured, ResultKind::throughput) = amount_in(rows, "out_tok_per");
    at(row.measured, ResultKind::memory) = gigabyte * amount_in(rows, "mem_gb_per_device");
    row.group = std::string(rows.cell("group"));
    if (row.group.empty()) {
        row.group = fmt::format("{}|{}|{}|{}|{}|{}", row.hardware, row.model, weights, asked.tensor,
                                asked.input, asked.output);
    }
    if (under_load) {
        constexpr double most_clients = 1e5;
        row.clients = std::min(asked.batch, most_clients);
        row.setup = setup_under_load(row.load == "max");
    }
    row.reason = why_not_predicted(row);
    return row;
}

} // namespace

std::string engine_word(std::string_view engine, std::string_view version) {
    const std::string small = small_word(engine);
    const auto has = [&](std::string_view word) { return small.find(word) != std::string::npos; };
    if (small == "tensorrt-llm") {
        const bool first = version.starts_with("0.5") || version.starts_with("0.6") ||
                           version.starts_with("0.7") || version.starts_with("0.8");
        return first ? "TensorRT-LLM 0.5" : version.starts_with("0.9") ? "TensorRT-LLM 0.9" : "TensorRT-LLM";
    }
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> words = {
        {{"nim", "NIM"},
         {"vllm", "vLLM"},
         {"sglang", "SGLang"},
         {"tensorrt", "TensorRT-LLM"},
         {"trt", "TensorRT-LLM"},
         {"lmdeploy", "LMDeploy"},
         {"neuron", "NeuronX"},
         {"gpt-fast", "gpt-fast"},
         {"pope", "Pope et al."}}};
    for (const auto& [word, called] : words) {
        if (has(word)) {
            return std::string(called);
        }
    }
    return std::string(engine);
}

double bytes_of_format(std::string_view format, double unknown) {
    const std::string small = small_word(format);
    const auto has = [&](std::string_view word) { return small.find(word) != std::string::npos; };
    return has("16") ? 2 : has("8") ? 1 : has("4") ? 0.5625 : unknown;
}

double amount_in(const MeasuredRows& rows, std::string_view column) {
    return std::clamp(parse_quantity(rows.cell(column), "").value_or(0), 0.0, 1e18);
}

std::string_view name(InferenceQuantity quantity) {
    constexpr std::array<std::string_view, inference_quantities> names = {"ttft", "tpot", "e2e", "throughput",
                                                                          "memory"};
    return names[static_cast<std::size_t>(quantity)];
}
std::string_view unit(InferenceQuantity quantity) {
    return quantity == ResultKind::throughput ? "tokens/s" : quantity == ResultKind::memory ? "B" : "s";
}

Result<std::vector<InferenceRow>> read_inference_rows(std::string_view csv, const std::string& origin) {
    MeasuredRows rows(csv, origin, "hardware,model,weights,tp,batch,input_len,output_len,ttft_ms,tpot_ms");
    for (const char* column : {"hardware", "model"}) {
        if (!rows.error() && !rows.has(column)) {
            rows.refuse_file(fmt::format("has no column \"{}\"", column));
        }
    }
    std::vector<InferenceRow> all;
    while (rows.next()) {
        all.push_back(inference_row(rows, origin));
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    return all;
}

const std::vector<InferenceRow>& measured_inference() {
    static const std::vector<InferenceRow> all = [] {
        const auto read = read_inference_rows(measured_file("inference.csv"), "inference.csv");
        assert(read && "a test reads what comes with the program");
        return read.value_or(std::vector<InferenceRow>());
    }();
    return all;
}

InferenceResults predicted_results(const InferenceRow& row, const InferenceValues& values) {
    if (row.load != "static") {
        return served_results(row, values);
    }
    const InferenceAsked& asked = row.asked;
    const double first = prefill_step(asked, values).total();
    const double next = middle_decode_step(asked, values).total();
    InferenceResults made{};
    switch (row.phase) {
    case InferencePhase::prefill:
        at(made, ResultKind::ttft) = first;
        at(made, ResultKind::e2e) = first;
        break;
    case InferencePhase::decode:
        at(made, ResultKind::tpot) = next;
        at(made, ResultKind::e2e) = asked.output * next;
        at(made, ResultKind::throughput) = row.replicas * asked.batch / next;
        break;
    default:
        at(made, ResultKind::ttft) = first;
        at(made, ResultKind::tpot) = next;
        at(made, ResultKind::e2e) = first + (asked.output - 1) * next;
        at(made, ResultKind::throughput) =
            row.replicas * asked.batch * asked.output / at(made, ResultKind::e2e);
    }
    at(made, ResultKind::memory) = inference_memory(asked, values);
    return made;
}

} // namespace meshslice
