#include "core/evidence/training/training_rows.h"

#include "core/base/say.h"
#include "core/base/text/parse.h"
#include "core/calibrate/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

namespace meshslice {
namespace {

constexpr double percent = 0.01;
constexpr double gibibyte = 1024.0 * 1024 * 1024;

/// 0 where the cell is empty or is not a number.
double told_in(const MeasuredRows& rows, std::string_view column) {
    return std::max(0.0, parse_quantity(rows.cell(column), "").value_or(0));
}
double at_least_one(const MeasuredRows& rows, std::string_view column) {
    return std::max(1.0, std::floor(told_in(rows, column)));
}

bool says(std::string_view text, std::string_view word) {
    return small_word(text).find(word) != std::string::npos;
}

/// "NeMo 26.04.01" is 26.04.
double nemo_release(std::string_view version) {
    const std::string small = small_word(version);
    const std::size_t at = small.find("nemo ");
    return at == std::string::npos ? 0 : parse_quantity(small.substr(at + 5, 5), "").value_or(0);
}

TrainingStack stack_of(std::string_view framework) {
    constexpr std::array<std::string_view, 3> sharded = {"fsdp", "foundry", "titan"};
    for (const std::string_view word : sharded) {
        if (says(framework, word)) {
            return TrainingStack::fsdp;
        }
    }
    return says(framework, "maxtext") || says(framework, "pax") ? TrainingStack::xla
                                                                : TrainingStack::megatron;
}

void set_software(const MeasuredRows& rows, TrainingRow& row) {
    row.framework = std::string(rows.cell("framework"));
    row.version = std::string(rows.cell("version"));
    row.note = std::string(rows.cell("note"));
    row.stack = stack_of(row.framework);
    const std::string kind = small_word(rows.cell("kind"));
    row.lora = kind == "lora";
    row.fine_tuning = row.lora || kind == "sft";
    row.anchor = row.note.starts_with("[big-run anchor]");
    row.doubtful = small_word(rows.cell("trust")) == "c";
    row.early = (row.framework == "Megatron-LM" && row.version == "2022") || says(row.framework, "deepspeed");
    constexpr double first_with_graphs = 26.06;
    row.newer_experts = nemo_release(row.version) >= first_with_graphs - 1e-6;
    row.own_model = row.framework == "MegaScale";
    // Megatron-LM's usual dispatcher sends a copy to each expert. From NeMo 25.11 on the benchmarks of
    // DeepSeek-V3 on GB200 and GB300 use HybridEP (github.com/NVIDIA-NeMo/Megatron-Bridge, CHANGELOG.md,
    // 0.2.0), and HAI-LLM has DeepEP, which both send one copy to a domain.
    constexpr double first_with_hybrid = 25.11;
    row.exchange.once = says(row.framework, "hai-llm") ||
                        (nemo_release(row.version) >= first_with_hybrid - 1e-6 &&
                         says(rows.cell("model"), "deepseek") && rows.cell("hardware").starts_with("GB"));
    if (says(row.framework, "hai-llm") || says(row.note, "dualpipe")) {
        // DeepSeek-V3, arXiv 2412.19437: about half of 1F1B's bubble (table 2), dispatch in fp8
        // (section 3.3.3) behind another micro-batch (section 3.2.1).
        row.bubble_share = 0.5;
        row.exchange.dispatch = DataType::fp8;
        row.exchange.overlap = ExpertOverlap::micro_batch;
    }
}

void set_shape(const MeasuredRows& rows, TrainingRow& row) {
    row.layers = told_in(rows, "layers");
    row.hidden = told_in(rows, "d_model");
    row.heads = told_in(rows, "heads");
    row.kv_heads = told_in(rows, "kv_heads");
    row.head_size = told_in(rows, "head_dim");
    row.width = told_in(rows, "d_ff");
    row.matrices = told_in(rows, "mlp_matrices") > 0 ? told_in(rows, "mlp_matrices") : 2;
    row.vocabulary = told_in(rows, "vocab");
    row.experts = told_in(rows, "experts");
    row.chosen = told_in(rows, "topk");
    row.expert_width = told_in(rows, "d_ff_expert");
    row.latent = says(rows.cell("attention"), "mla");
    row.parameters = told_in(rows, "params_total") * 1e9;
    if (row.heads > 0 && !(row.head_size > 0)) {
        row.head_size = row.hidden / row.heads;
    }
    if (!(row.kv_heads > 0)) {
        row.kv_heads = row.heads;
    }
}

void set_split(const MeasuredRows& rows, TrainingRow& row) {
    row.chips = told_in(rows, "num_devices");
    row.per_node = told_in(rows, "devices_per_node") > 0 ? told_in(rows, "devices_per_node") : 8;
    row.interconnect = std::string(rows.cell("interconnect"));
    row.tensor = at_least_one(rows, "tp");
    row.pipeline = at_least_one(rows, "pp");
    row.context = at_least_one(rows, "cp");
    row.expert = row.experts > 0 ? at_least_one(rows, "ep") : 1;
    row.chunks = row.pipeline > 1 ? at_least_one(rows, "vp") : 1;
    row.data = std::max(1.0, std::floor(row.chips / (row.tensor * row.pipeline * row.context)));
    if (row.framework == "Meta in-house" &&
        row.pipeline > 1) { // its paper says interleaved, not how many chunks: the best
        row.chunks = std::max(1.0, std::ceil(row.layers / row.pipeline));
    }
    const double told = std::floor(told_in(rows, "fsdp"));
    row.sharded = told > 1 ? told : 0;
    if (row.stack != TrainingStack::megatron && row.sharded == 0) {
        row.sharded = row.data * row.context;
    }
    row.sequence = told_in(rows, "seq_len");
    row.batch = told_in(rows, "global_batch_seqs");
    row.micro_batch = told_in(rows, "micro_batch_seqs");
    row.micro_batch_told = row.micro_batch > 0;
    const double samples = row.batch / row.data;
    row.micro_batch = row.micro_batch_told ? std::min(row.micro_batch, samples) : std::min(1.0, samples);
    row.micro_batches = std::max(1.0, std::round(samples / std::max(row.micro_batch, 1e-9)));
}

void set_numbers(const MeasuredRows& rows, TrainingRow& row) {
    row.precision = std::string(rows.cell("precision"));
    row.bits = says(row.precision, "fp4") ? 4 : says(row.precision, "fp8") ? 8 : 16;
    const std::string again = small_word(rows.cell("recompute"));
    const auto begins = [&](std::string_view word) { return again.starts_with(word); };
    row.again_told = !again.empty() && !begins("unknown");
    if (begins("full")) {
        row.again = TrainedAgain::all;
    } else if (begins("selective") && !begins("selective (norm")) {
        row.again = TrainedAgain::attention;
    } else if (begins("minimal")) {
        row.again = TrainedAgain::vectors;
    } else if (row.again_told && !begins("none") && !begins("selective")) {
        row.again = TrainedAgain::feed_forward; // "custom", "offloaded": what attention multiplied stays
    }
}

void set_measured(const MeasuredRows& rows, TrainingRow& row) {
    const std::string printed = "+" + small_word(rows.cell("measured")) + "+";
    const bool unknown = printed == "++";
    const auto take = [&](std::string_view word, std::string_view column, TrainingQuantity quantity,
                          double unit) {
        const double value = told_in(rows, column);
        if (row.quantity == TrainingQuantity::none && value > 0 &&
            (unknown || printed.find(fmt::format("+{}+", word)) != std::string::npos)) {
            row.quantity = quantity;
            row.measured = value * unit;
        }
    };
    take("step", "step_time", TrainingQuantity::step_time, 1);
    take("tokens", "tokens_per_s_per_device", TrainingQuantity::tokens, 1);
    take("tflops", "tflops_per_device", TrainingQuantity::flop_rate, 1e12);
    take("mfu", "mfu_pct", TrainingQuantity::utilization, percent);
    row.peak_memory = told_in(rows, "peak_mem") * gibibyte;
    const std::string count = small_word(rows.cell("flop_convention"));
    const auto has = [&](std::string_view word) { return count.find(word) != std::string::npos; };
    if (has("incl. recompute") || has("counts recompute")) {
        row.count = FlopCount::recomputed;
    } else if (has("maxtext") && (has("not halved") || has("of that date"))) {
        row.count = FlopCount::both_ends;
    } else if (has("not halved") || has("full attention") || has("nemo model")) {
        row.count = FlopCount::whole_attention;
    }
}

std::string why_no_step(const TrainingRow& row) {
    if (row.doubtful) {
        return say("Its trust is C, so it is left out.");
    }
    if (row.chip == nullptr) {
        return say("The chip \"{}\" is not known.", row.hardware);
    }
    if (!(row.layers > 0 && row.hidden > 0 && row.heads > 0 && row.head_size > 0)) {
        return say("It does not say the model's shape.");
    }
    if (!(row.width > 0) && !(row.experts > 0 && row.expert_width > 0 && row.chosen > 0)) {
        return say("It does not say the feed-forward network's shape.");
    }
    if (!(row.chips >= 1 && row.sequence > 0 && row.batch > 0)) {
        return say("It does not say chips, sequence and batch.");
    }
    return {};
}

TrainingRow training_row(const MeasuredRows& rows, const std::string& origin) {
    TrainingRow row;
    row.id = std::string(rows.cell("id"));
    if (row.id.empty()) {
        row.id = fmt::format("{}:{}", origin, rows.line());
    }
    row.group = std::string(rows.cell("group"));
    if (row.group.empty()) {
        row.group = row.id;
    }
    row.hardware = std::string(rows.cell("hardware"));
    row.model = std::string(rows.cell("model"));
    row.source = std::string(rows.cell("source"));
    row.chip = training_facts().chip(row.hardware);
    row.facts = training_facts().model(row.model);
    set_software(rows, row);
    set_shape(rows, row);
    set_split(rows, row);
    set_numbers(rows, row);
    set_measured(rows, row);
    row.reason = why_no_step(row);
    return row;
}

} // namespace

std::string_view name(TrainingStack stack) {
    constexpr std::array<std::string_view, 3> names = {"megatron", "fsdp", "xla"};
    return names[static_cast<std::size_t>(stack)];
}

std::string_view name(TrainedAgain again) {
    constexpr std::array<std::string_view, 5> names = {"none", "vectors", "attention", "feed-forward", "all"};
    return names[static_cast<std::size_t>(again)];
}

std::string_view name(TrainingQuantity quantity) {
    constexpr std::array<std::string_view, 5> names = {"", "step_time_in_s", "tokens_per_s_per_chip",
                                                       "flop_per_s_per_chip", "utilization"};
    return names[static_cast<std::size_t>(quantity)];
}

double TrainingRow::expert_layers() const {
    if (!(experts > 0)) {
        return 0;
    }
    const double dense = std::min(layers, static_cast<double>(facts.first_dense_layers));
    return std::floor((layers - dense) / static_cast<double>(facts.experts_every));
}

Result<std::vector<TrainingRow>> read_training_rows(std::string_view csv, const std::string& origin) {
    MeasuredRows rows(csv, origin, "hardware,num_devices,model,layers,d_model,seq_len,global_batch_seqs");
    for (const char* column : {"hardware", "num_devices", "seq_len", "global_batch_seqs"}) {
        if (!rows.error() && !rows.has(column)) {
            rows.refuse_file(fmt::format("has no column \"{}\"", column));
        }
    }
    std::vector<TrainingRow> all;
    while (rows.next()) {
        all.push_back(training_row(rows, origin));
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    return all;
}

const std::vector<TrainingRow>& measured_training() {
    static const std::vector<TrainingRow> all = [] {
        const auto read = read_training_rows(measured_file("training.csv"), "training.csv");
        assert(read && "a test reads what comes with the program");
        return read.value_or(std::vector<TrainingRow>());
    }();
    return all;
}

} // namespace meshslice
