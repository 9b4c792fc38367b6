#include "core/evidence/memory_evidence.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/calibrate/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr double bytes_in_gib = 1024.0 * 1024 * 1024;

double cell_number(const MeasuredRows& rows, std::string_view column) {
    return std::max(0.0, parse_quantity(rows.cell(column), "").value_or(0));
}

/// The shape of a model of resources/measured/models.csv, on one chip.
std::optional<TrainingRow> shape_of(const std::string& model) {
    MeasuredRows rows(measured_file("models.csv"), "models.csv", "model");
    while (rows.next()) {
        if (rows.cell("model") != model) {
            continue;
        }
        TrainingRow row;
        row.model = model;
        row.layers = cell_number(rows, "layers");
        row.hidden = cell_number(rows, "d_model");
        row.heads = cell_number(rows, "heads");
        row.kv_heads = cell_number(rows, "kv_heads");
        row.head_size = cell_number(rows, "head_dim");
        row.width = cell_number(rows, "d_ff");
        row.matrices = cell_number(rows, "mlp_matrices");
        row.vocabulary = cell_number(rows, "vocab");
        row.experts = cell_number(rows, "experts");
        row.chosen = cell_number(rows, "topk");
        row.expert_width = cell_number(rows, "d_ff_expert");
        row.latent = rows.cell("attention") == "mla";
        row.parameters = cell_number(rows, "params_total") * 1e9;
        row.facts = training_facts().model(model);
        return row;
    }
    return std::nullopt;
}

/// A measured run of the model, whose split a row may leave open.
const TrainingRow* run_of(const std::string& model) {
    const std::vector<TrainingRow>& runs = measured_training();
    const auto found = std::ranges::find_if(
        runs, [&](const TrainingRow& run) { return run.model == model && run.reason.empty(); });
    return found == runs.end() ? nullptr : &*found;
}

struct MemoryReader {
    const MeasuredRows& rows;
    const std::string& origin;
    std::vector<MemoryRow>& all;

    void add(const std::string& quantity, std::string_view column, double predicted,
             const std::string& reason) const {
        const double measured = cell_number(rows, column) * bytes_in_gib;
        if (measured > 0) {
            all.push_back({fmt::format("{}:{}/{}", origin, rows.line(), quantity),
                           std::string(rows.cell("hardware")), std::string(rows.cell("model")), quantity,
                           reason.empty() ? predicted : 0, measured, reason});
        }
    }

    /// Weights of a served model, in bf16 unless its name says FP8, which leaves embedding and head in bf16.
    void serving(const std::string& words) const {
        const std::size_t at = words.find(" FP8");
        const auto shape = shape_of(words.substr(0, at));
        const double tensor = std::max(1.0, cell_number(rows, "tp"));
        double bytes = 0;
        if (shape) {
            const double ends = weights_of(*shape).ends;
            bytes = (at == std::string::npos ? 2 * shape->parameters : shape->parameters + ends) / tensor;
        }
        add("weights", "weights", bytes,
            shape ? std::string() : say("The shape of \"{}\" is not known.", words));
        add("activations", "activation_peak", 0, say("It depends on what its engine keeps ready."));
    }

    void training(const std::string& model) const {
        const auto shape = shape_of(model);
        if (!shape) {
            add("total", "total", 0, say("The shape of \"{}\" is not known.", model));
            return;
        }
        TrainingRow row = *shape;
        const TrainingRow* const run = run_of(model);
        const auto told = [&](std::string_view column, double otherwise) {
            const double its = cell_number(rows, column);
            return its > 0 ? its : otherwise;
        };
        row.chip = training_facts().chip(rows.cell("hardware"));
        row.chips = std::max(1.0, cell_number(rows, "num_devices"));
        row.tensor = told("tp", run != nullptr ? run->tensor : 1);
        row.pipeline = told("pp", run != nullptr ? run->pipeline : 1);
        row.chunks = run != nullptr && row.pipeline == run->pipeline ? run->chunks : 1;
        row.data = told("dp", 1);
        row.early = run != nullptr && run->early;
        constexpr double usual_sequence = 2048; // of InternEvo's own configurations (configs/7B_sft.py)
        row.sequence = run != nullptr ? run->sequence : usual_sequence;
        row.micro_batch = told("micro_batch", run != nullptr ? run->micro_batch : 1);
        constexpr double micro_batches = 4; // as InternEvo's rows say
        row.micro_batches = run != nullptr && row.early ? run->micro_batches : micro_batches;
        row.sharded = cell_number(rows, "fsdp") > 0 ? row.data : 0;
        const TrainedAgain again = rows.cell("recompute") == "full" ? TrainedAgain::all : TrainedAgain::none;
        const TrainingMemory made = training_memory_parts(row, again, 1);
        add("weights", "weights", made.state, {});
        add("activations", "activation_peak", made.kept, {});
        add("total", "total", made.total(), {});
    }
};

} // namespace

Result<std::vector<MemoryRow>> read_memory_rows(std::string_view csv, const std::string& origin) {
    MeasuredRows rows(csv, origin, "kind,hardware,model,tp,weights_gib,total_gib");
    std::vector<MemoryRow> all;
    while (rows.next()) {
        const MemoryReader reader{rows, origin, all};
        const std::string model(rows.cell("model"));
        if (small_word(rows.cell("kind")) == "serving") {
            reader.serving(model);
        } else {
            reader.training(model);
        }
    }
    if (rows.error()) {
        return refuse(*rows.error());
    }
    return all;
}

std::vector<MemoryRow> memory_of_runs(const std::vector<TrainingRow>& rows) {
    std::vector<MemoryRow> all;
    for (const TrainingRow& row : rows) {
        if (row.peak_memory > 0 && !row.doubtful) {
            const double predicted = row.reason.empty() ? decided(row).memory : 0;
            all.push_back({row.id, row.hardware, row.model, "total", predicted, row.peak_memory, row.reason});
        }
    }
    return all;
}

std::vector<MemoryRow> measured_memory() {
    std::vector<MemoryRow> all =
        read_memory_rows(measured_file("memory.csv"), "memory.csv").value_or(std::vector<MemoryRow>());
    const std::vector<MemoryRow> runs = memory_of_runs(measured_training());
    all.insert(all.end(), runs.begin(), runs.end());
    return all;
}

std::string measured_memory_words() {
    double part_off = 0, least = HUGE_VAL, most = 0;
    std::int64_t totals = 0;
    for (const MemoryRow& row : measured_memory()) {
        if (!row.reason.empty()) {
            continue;
        }
        if (row.quantity == "total") {
            const double times = row.measured / row.predicted;
            least = std::min(least, times);
            most = std::max(most, times);
            ++totals;
        } else {
            part_off = std::max(part_off, std::abs(row.error()));
        }
    }
    return totals == 0 ? std::string()
                       : say("Memory: measured weights and activations are at most {} off; all that {} "
                             "measured runs held "
                             "was {:.1f} to {:.1f} times what is counted, as allocators keep more than is "
                             "used (meshslice "
                             "evidence memory).",
                             percent_text(part_off), totals, least, most);
}

} // namespace meshslice
