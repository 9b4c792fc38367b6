#include "core/evidence/inference/inference_evidence.h"

#include "core/evidence/eight_of_ten.h"
#include "core/evidence/error_quantiles.h"
#include "core/evidence/inference/served_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t near_rows = 40, shown_rows = 3;
constexpr std::size_t looked_at = 400; ///< so many of the nearest say each quantity often enough

/// Where a row lies among others: what it is, and logarithms to the base of two of its sizes.
struct InferencePlace {
    const InferenceChip* chip = nullptr;
    const InferenceModel* model = nullptr;
    std::size_t engine = 0, load = 0; ///< hashes
    double weight_bytes = 0, batch = 0, tensor = 0, input = 0, output = 0;
};

InferencePlace place_of(const InferenceRow& row) {
    const InferenceAsked& asked = row.asked;
    const auto log = [](double size) { return std::log2(std::max(size, 1.0)); };
    const std::hash<std::string> hash;
    return {asked.chip,       asked.model,        hash(row.engine), hash(row.load),   asked.weight_bytes,
            log(asked.batch), log(asked.chips()), log(asked.input), log(asked.output)};
}

/// How unlike two rows are; 1 is another model.
double unlikeness(const InferencePlace& a, const InferencePlace& b) {
    constexpr double other_chip = 2, other_engine = 3, other_load = 4, other_model = 1, other_bits = 1;
    constexpr double of_batch = 0.4, of_tokens = 0.3, of_split = 0.7; // for each doubling
    double sum = a.chip == b.chip ? 0 : other_chip;
    sum += a.load == b.load ? 0 : other_load;
    sum += a.engine == b.engine ? 0 : other_engine;
    sum += a.model == b.model ? 0 : other_model;
    sum += a.weight_bytes == b.weight_bytes ? 0 : other_bits;
    sum += of_batch * std::abs(a.batch - b.batch) + of_split * std::abs(a.tensor - b.tensor);
    return sum + of_tokens * (std::abs(a.input - b.input) + std::abs(a.output - b.output));
}

/// A shipped row, and ln(predicted / measured) of each of its quantities when it was left out; NaN: none.
struct KnownRow {
    const InferenceRow* row = nullptr;
    InferencePlace place;
    std::array<double, inference_quantities> errors{};
};

std::vector<KnownRow> known_rows(const FittedInference& fitted, const std::vector<InferenceRow>& shipped) {
    std::vector<KnownRow> known;
    for (const InferenceRow& row : shipped) {
        if (!row.reason.empty() || row.trust == "c") {
            continue;
        }
        KnownRow one{&row, place_of(row), {}};
        for (std::size_t q = 0; q < inference_quantities; ++q) {
            const auto found = fitted.left_out.find(key_of(row, static_cast<InferenceQuantity>(q)));
            one.errors[q] = found == fitted.left_out.end() ? NAN : found->second;
        }
        known.push_back(one);
    }
    return known;
}

using NearRows = std::vector<std::pair<double, const KnownRow*>>;

/// Of other groups, the nearest first.
NearRows nearest_of(const InferenceRow& row, const std::vector<KnownRow>& known) {
    const InferencePlace place = place_of(row);
    NearRows near;
    near.reserve(known.size());
    for (const KnownRow& one : known) {
        if (one.row->group != row.group && one.row->id != row.id) {
            near.emplace_back(unlikeness(place, one.place), &one);
        }
    }
    // By the order of the file where they are as near.
    const std::size_t count = std::min(looked_at, near.size());
    std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count));
    near.resize(count);
    return near;
}

/// Errors of rows of fewer groups have one cause, of which the sign may be another one here.
constexpr std::size_t few_groups = 3;

void set_band(PredictedInference& one, const NearRows& near) {
    std::vector<double> errors;
    std::set<std::string_view> groups;
    for (const auto& [away, other] : near) {
        const double error = other->errors[static_cast<std::size_t>(one.quantity)];
        if (errors.size() < near_rows && !std::isnan(error)) {
            errors.push_back(error);
            groups.insert(other->row->group);
            if (one.nearest.size() < shown_rows) {
                one.nearest.push_back(other->row);
            }
        }
    }
    one.low = one.high = one.predicted;
    if (errors.empty()) {
        return;
    }
    if (groups.size() < few_groups) {
        std::ranges::transform(errors, errors.begin(), [](double error) { return std::abs(error); });
        std::ranges::sort(errors);
        const double either_way = conformal(errors, eight_of_ten);
        one.low = one.predicted * std::exp(-either_way);
        one.high = one.predicted * std::exp(either_way);
        return;
    }
    std::ranges::sort(errors);
    one.low = one.predicted * std::exp(-conformal(errors, (1 + eight_of_ten) / 2));
    one.high = one.predicted * std::exp(-conformal(errors, (1 - eight_of_ten) / 2));
}

InferenceSummary summary_of(const std::vector<const PredictedInference*>& rows) {
    InferenceSummary made;
    made.rows = static_cast<std::int64_t>(rows.size());
    std::vector<double> errors;
    for (const PredictedInference* one : rows) {
        if (one->scored()) {
            errors.push_back(std::abs(one->error()));
            made.mean += errors.back();
            made.inside_band += one->inside() ? 1 : 0;
        }
    }
    made.predicted = static_cast<std::int64_t>(errors.size());
    if (errors.empty()) {
        return made;
    }
    std::ranges::sort(errors);
    made.mean /= static_cast<double>(errors.size());
    made.inside_band /= static_cast<double>(errors.size());
    made.median = quantile(errors, 0.5);
    made.ninetieth = quantile(errors, 0.9);
    made.worst = errors.back();
    return made;
}

} // namespace

std::vector<PredictedInference> predicted_inference(const FittedInference& fitted,
                                                    const std::vector<InferenceRow>& shipped,
                                                    const std::vector<InferenceRow>& asked) {
    const std::vector<KnownRow> known = known_rows(fitted, shipped);
    std::vector<PredictedInference> made;
    RunResults runs;
    for (const InferenceRow& row : asked) {
        const bool says_none = std::ranges::none_of(row.measured, [](double one) { return one > 0; });
        const bool can = row.reason.empty();
        const InferenceResults results =
            can ? runs.of(row, fitted.values(*row.asked.chip, row.engine)) : InferenceResults{};
        const NearRows near = can ? nearest_of(row, known) : NearRows();
        for (std::size_t q = 0; q < inference_quantities; ++q) {
            if (!says_none && !(row.measured[q] > 0)) {
                continue;
            }
            PredictedInference& one = made.emplace_back();
            one.row = &row;
            one.quantity = static_cast<InferenceQuantity>(q);
            one.measured = row.measured[q];
            one.predicted = results[q];
            if (one.predicted > 0) {
                set_band(one, near);
            }
        }
    }
    return made;
}

InferenceBand band_on_other_chips(const FittedInference& fitted, const std::vector<InferenceRow>& shipped,
                                  InferenceQuantity quantity) {
    std::vector<double> errors;
    for (const auto& [chip, constants] : fitted.chips) {
        FittedInference others = fitted;
        others.chips.erase(chip);
        for (const InferenceRow& row : shipped) {
            const double measured = row.measured[static_cast<std::size_t>(quantity)];
            if (row.hardware != chip || !row.reason.empty() || row.trust == "c" || row.log != nullptr ||
                !(measured > 0)) {
                continue;
            }
            const InferenceValues values = others.values(*row.asked.chip, row.engine);
            const InferenceResults results =
                row.load == "static" ? predicted_results(row, values) : steady_results(row, values);
            if (const double predicted = results[static_cast<std::size_t>(quantity)]; predicted > 0) {
                errors.push_back(std::log(predicted / measured));
            }
        }
    }
    if (errors.empty()) {
        return {};
    }
    std::ranges::sort(errors);
    return {std::exp(-conformal(errors, (1 + eight_of_ten) / 2)),
            std::exp(-conformal(errors, (1 - eight_of_ten) / 2))};
}

std::vector<PredictedInference> left_out_inference(const FittedInference& fitted,
                                                   const std::vector<InferenceRow>& shipped,
                                                   const std::map<std::string, double, std::less<>>& errors) {
    const std::vector<KnownRow> known = known_rows(fitted, shipped);
    std::vector<PredictedInference> made;
    for (const InferenceRow& row : shipped) {
        const NearRows near = row.reason.empty() ? nearest_of(row, known) : NearRows();
        for (std::size_t q = 0; q < inference_quantities; ++q) {
            const auto found = errors.find(key_of(row, static_cast<InferenceQuantity>(q)));
            if (row.measured[q] > 0 && found != errors.end()) {
                PredictedInference& one = made.emplace_back();
                one.row = &row;
                one.quantity = static_cast<InferenceQuantity>(q);
                one.measured = row.measured[q];
                one.predicted = row.measured[q] * std::exp(found->second);
                set_band(one, near);
            }
        }
    }
    return made;
}

std::vector<InferenceSummary> inference_summaries(const std::vector<PredictedInference>& rows) {
    using Key = std::tuple<InferenceQuantity, std::string, std::string>;
    std::map<Key, std::vector<const PredictedInference*>> parts;
    for (const PredictedInference& one : rows) {
        const InferenceRow& row = *one.row;
        const bool doubtful = row.trust == "c";
        if ((doubtful && !row.reason.empty()) || !(one.measured > 0)) {
            continue;
        }
        using Part = std::pair<std::string, std::string>;
        std::vector<Part> of = {{"load", row.load}};
        if (doubtful) {
            of = {{"trust", row.trust}};
        } else if (row.log != nullptr) {
            of.emplace_back("run", row.log->name);
        } else if (row.load == "static" || row.load == "aggregated") {
            of = {{"", ""},
                  {"trust", row.trust},
                  {"hardware", row.hardware},
                  {"model", row.model},
                  {"engine", row.engine}};
        }
        for (const auto& [by, name] : of) {
            parts[{one.quantity, by, name}].push_back(&one);
        }
    }
    std::vector<InferenceSummary> made;
    for (const auto& [key, part] : parts) {
        InferenceSummary& one = made.emplace_back(summary_of(part));
        std::tie(one.quantity, one.by, one.name) = key;
    }
    return made;
}

} // namespace meshslice
