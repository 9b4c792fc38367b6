#include "core/evidence/collectives/collective_evidence.h"

#include "core/evidence/eight_of_ten.h"
#include "core/evidence/error_quantiles.h"
#include "core/machine/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace meshslice {
namespace {

constexpr std::size_t neighbours = 40;

/// How unlike two rows are: a doubling of bytes is half a step, another stack or operation several.
double distance(const CollectiveRow& a, const CollectiveRow& b) {
    constexpr double other_fabric = 3;
    constexpr double other_operation = 2;
    constexpr double other_stack = 4;
    constexpr double across_servers = 3;
    constexpr double a_doubling = 0.5;
    double sum = 0;
    sum += a.asked.inside == b.asked.inside ? 0 : other_fabric;
    sum += a.operation == b.operation ? 0 : other_operation;
    sum += a.asked.stack == b.asked.stack ? 0 : other_stack;
    sum += (a.asked.servers > 1) == (b.asked.servers > 1) ? 0 : across_servers;
    sum += a_doubling * std::abs(std::log2(a.bytes / b.bytes));
    sum += a_doubling * std::abs(std::log2(static_cast<double>(a.chips) / static_cast<double>(b.chips)));
    return sum;
}

struct Neighbour {
    const CollectiveRow* row = nullptr;
    double error = 0; ///< ln(predicted / measured), left out
};

std::vector<Neighbour> neighbours_of(const FittedCollectives& fitted,
                                     const std::vector<CollectiveRow>& shipped) {
    std::vector<Neighbour> known;
    for (const CollectiveRow& row : shipped) {
        if (const auto found = fitted.left_out.find(row.id);
            row.reason.empty() && found != fitted.left_out.end()) {
            known.push_back({&row, found->second});
        }
    }
    return known;
}

/// Around its time, from the errors of the nearest rows of other groups: a group's rows are off together.
void set_band(PredictedRow& one, const std::vector<Neighbour>& known) {
    std::vector<std::pair<double, double>> near; // distance and error
    for (const Neighbour& other : known) {
        if (other.row->group != one.row->group) {
            near.emplace_back(distance(*one.row, *other.row), other.error);
        }
    }
    const std::size_t count = std::min(neighbours, near.size());
    std::ranges::partial_sort(near, near.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<double> errors;
    for (std::size_t k = 0; k < count; ++k) {
        errors.push_back(near[k].second);
    }
    std::ranges::sort(errors);
    one.low =
        errors.empty() ? one.seconds : one.seconds * std::exp(-conformal(errors, (1 + eight_of_ten) / 2));
    one.high =
        errors.empty() ? one.seconds : one.seconds * std::exp(-conformal(errors, (1 - eight_of_ten) / 2));
}

ErrorSummary summary_of(const std::vector<const PredictedRow*>& rows) {
    ErrorSummary made;
    std::vector<double> errors;
    for (const PredictedRow* one : rows) {
        ++made.rows;
        if (one->seconds > 0) {
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

std::vector<PredictedRow> predicted_rows(const FittedCollectives& fitted,
                                         const std::vector<CollectiveRow>& shipped,
                                         const std::vector<CollectiveRow>& asked) {
    const std::vector<Neighbour> known = neighbours_of(fitted, shipped);
    std::vector<PredictedRow> made;
    for (const CollectiveRow& row : asked) {
        PredictedRow& one = made.emplace_back();
        one.row = &row;
        if (row.reason.empty()) {
            one.seconds = fitted.constants.seconds(row.asked);
            set_band(one, known);
        }
    }
    return made;
}

std::vector<PredictedRow> left_out_rows(const FittedCollectives& fitted,
                                        const std::vector<CollectiveRow>& shipped) {
    const std::vector<Neighbour> known = neighbours_of(fitted, shipped);
    std::vector<PredictedRow> made;
    for (const CollectiveRow& row : shipped) {
        PredictedRow& one = made.emplace_back();
        one.row = &row;
        if (const auto found = fitted.left_out.find(row.id);
            row.reason.empty() && found != fitted.left_out.end()) {
            one.seconds = row.seconds * std::exp(found->second);
            set_band(one, known);
        }
    }
    return made;
}

std::int64_t servers_of(const Machine& machine, std::int64_t chips) {
    const std::vector<Level>& levels = machine.network.levels;
    if (levels.size() < 2) {
        return 1;
    }
    std::int64_t server = 1;
    for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
        server *= std::max<std::int64_t>(1, levels[k].units.value);
    }
    return (chips + server - 1) / server;
}

std::vector<ExpectedCollective> expected_collectives(const Machine& machine, Collective what,
                                                     std::int64_t chips, std::int64_t servers,
                                                     const std::vector<double>& bytes) {
    const std::optional<Machine> preset = origin(machine);
    if (!preset || !same_numbers(*preset, machine)) {
        return {};
    }
    // A row has a time, which no prediction reads.
    std::string asked = "hardware,op,nodes,gpus_per_node,n,bytes,time_us,library\n";
    for (const double one : bytes) {
        asked += fmt::format("{},{},{},{},{},{:.0f},1,NCCL\n", preset->name, file_name(what), servers,
                             chips / servers, chips, one);
    }
    const Result<std::vector<CollectiveRow>> rows = read_collective_rows(asked, "asked");
    if (!rows || rows->size() != bytes.size() ||
        std::ranges::any_of(*rows, [](const CollectiveRow& one) { return !one.reason.empty(); })) {
        return {};
    }
    std::vector<ExpectedCollective> made;
    for (const PredictedRow& one : predicted_rows(fitted_collectives(), measured_collectives(), *rows)) {
        made.push_back({one.seconds, one.low, one.high});
    }
    return made;
}

ErrorSummaries summaries_of(const std::vector<PredictedRow>& rows) {
    std::vector<const PredictedRow*> all, large;
    std::map<std::pair<std::string, std::string>, std::vector<const PredictedRow*>> parts;
    for (const PredictedRow& one : rows) {
        const CollectiveRow& row = *one.row;
        if (!row.scored) {
            continue;
        }
        all.push_back(&one);
        if (row.bytes >= large_collective) {
            large.push_back(&one);
        }
        parts[{row.hardware, row.operation}].push_back(&one);
    }
    ErrorSummaries made{summary_of(all), summary_of(large), {}};
    for (const auto& [key, part] : parts) {
        ErrorSummary one = summary_of(part);
        one.hardware = key.first;
        one.operation = key.second;
        made.by_hardware_and_operation.push_back(std::move(one));
    }
    return made;
}

} // namespace meshslice
