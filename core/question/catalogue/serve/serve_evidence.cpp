// What was measured near to what is asked, and how far measured rows lie from what we say of them.

#include "core/evidence/inference/inference_evidence.h"
#include "core/evidence/inference/serving_rows.h"
#include "core/question/catalogue/serve/serve_text.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace meshslice {
namespace {

/// What was asked as a measured row would say it: a static batch, or clients that each wait for their last
/// token.
InferenceRow row_of(const Served& served) {
    const Replica& one = served.one;
    InferenceRow row;
    row.load = one.chip.serving ? "aggregated" : "static";
    row.engine = engine_of_rows(served.asked.engine);
    row.phase = served.phase == PhaseAsked::prefill  ? InferencePhase::prefill
                : served.phase == PhaseAsked::decode ? InferencePhase::decode
                                                     : InferencePhase::both;
    InferenceAsked& asked = row.asked;
    asked.chip = one.chip.measured != nullptr ? one.chip.measured : &one.chip.chip;
    asked.model = one.model.measured != nullptr ? one.model.measured : &one.model.whole;
    asked.tensor = one.tensor;
    asked.data = one.data;
    asked.expert_groups = one.expert_groups;
    asked.expert_tensor =
        one.expert_groups > 1 || one.data > 1 ? one.tensor * one.data / one.expert_groups : 0;
    asked.batch = one.batch;
    asked.input = one.input;
    asked.output = one.output;
    asked.weight_bytes = one.weight_bytes;
    asked.cache_bytes = one.cache_bytes;
    asked.bits = one.bits;
    asked.other_weight_bytes = one.other_weight_bytes;
    asked.other_bits = one.other_bits;
    asked.drafts = one.drafts;
    if (one.chip.serving) {
        asked.launches_ahead = true;
        row.clients = one.batch;
        row.derived_throughput = true;
        row.setup.prompts = prompts_of(one, served.asked.engine);
        // As measured rows are taken: clients of equal lengths drift apart, and prompts come in no waves.
        row.setup.shortest = 0.9;
        row.setup.longest = 1.1;
    }
    return row;
}

/// Of a chip without rows, as wide as chips without their own ones were off.
ServedBand served_band(const Served& served, const std::vector<InferenceRow>& shipped,
                       const PredictedInference& found) {
    ServedBand band = {found.low / found.predicted, found.high / found.predicted};
    if (!served.one.chip.of_rows) {
        const InferenceBand wide = band_on_other_chips(*served.one.chip.fitted, shipped, found.quantity);
        band = {std::min(band.low, wide.low), std::max(band.high, wide.high)};
    }
    return band;
}

/// What the answer says with an interval.
void take_band(Served& served, const PredictedInference& found, const ServedBand& band) {
    const bool serving = served.one.chip.serving;
    if (serving) {
        served.clients.push_back({std::string(name(found.quantity)), found.predicted,
                                  found.predicted * band.low, found.predicted * band.high});
    }
    if (found.quantity == InferenceQuantity::ttft) {
        served.ttft_band = band;
    } else if (found.quantity == InferenceQuantity::tpot) {
        served.tpot_band = band;
    } else if (found.quantity == InferenceQuantity::e2e && !serving) {
        served.time_band = band;
    } else if (found.quantity == InferenceQuantity::throughput && serving) {
        served.time_band = {1 / band.high, 1 / band.low}; // as many requests, so much later
    }
}

} // namespace

void add_evidence(Served& served) {
    const ServedChip& chip = served.one.chip;
    if (chip.fitted == nullptr) {
        return;
    }
    const std::vector<InferenceRow>& shipped = chip.serving ? measured_serving() : measured_inference();
    const std::vector<InferenceRow> rows = {row_of(served)};
    for (const PredictedInference& found : predicted_inference(*chip.fitted, shipped, rows)) {
        const bool asked = (served.prefills() || found.quantity != InferenceQuantity::ttft) &&
                           (served.decodes() || found.quantity != InferenceQuantity::tpot);
        if (!(found.predicted > 0) || !asked) {
            continue;
        }
        const ServedBand band = served_band(served, shipped, found);
        // No row has another layout, so nothing says how far we are off then; the rows that are near stand
        // there.
        if (served.one.layout.plain()) {
            take_band(served, found, band);
        }
        const bool times =
            found.quantity == InferenceQuantity::ttft || found.quantity == InferenceQuantity::tpot;
        for (const InferenceRow* near : found.nearest) {
            const auto which = static_cast<std::size_t>(found.quantity);
            const double measured = near->measured[which];
            if (times && measured > 0) {
                const InferenceAsked& its = near->asked;
                served.nearest.push_back(
                    {near->id, near->hardware, near->model, near->engine, std::string(name(found.quantity)),
                     its.chips(), its.batch, its.input, its.output, measured,
                     predicted_results(*near, chip.fitted->values(*its.chip, near->engine))[which]});
            }
        }
    }
    if (served.phase == PhaseAsked::prefill) {
        served.time_band = served.ttft_band;
    } else if (served.phase == PhaseAsked::decode) {
        served.time_band = served.tpot_band;
    }
}

void add_measured_points(Served& served) {
    const Replica& one = served.one;
    const std::vector<InferenceRow>& shipped = one.chip.serving ? measured_serving() : measured_inference();
    for (const InferenceRow& row : shipped) {
        const InferenceAsked& its = row.asked;
        const double tpot = row.measured[static_cast<std::size_t>(InferenceQuantity::tpot)];
        const double out = row.measured[static_cast<std::size_t>(InferenceQuantity::throughput)];
        const double e2e = row.measured[static_cast<std::size_t>(InferenceQuantity::e2e)];
        const bool same = one.chip.measured != nullptr && its.chip == one.chip.measured &&
                          one.model.measured != nullptr && its.model == one.model.measured;
        const bool alike = std::abs(its.input - one.input) <= one.input / 4 &&
                           std::abs(its.output - one.output) <= one.output / 2 &&
                           its.weight_bytes == one.weight_bytes && its.chips() * row.replicas > 0;
        const double all = out > 0 ? out : e2e > 0 ? row.replicas * its.batch * its.output / e2e : 0;
        if ((row.load == "static" || row.load == "aggregated") && same && alike && tpot > 0 && all > 0) {
            NearRow point{row.id,      row.hardware, row.model, row.engine, "tpot",
                          its.chips(), its.batch,    its.input, its.output};
            point.measured = tpot;
            point.per_user = 1 / tpot;
            point.per_chip = all / (its.chips() * row.replicas);
            served.measured_points.push_back(point);
        }
    }
}

} // namespace meshslice
