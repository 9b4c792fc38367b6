#include "core/calibrate/calibration.h"

#include "core/base/json/json_reader.h"
#include "core/base/text.h"

#include <Eigen/QR>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

namespace meshslice {
namespace {

/// Unknowns with their standard errors, and the quality of the fit.
struct LeastSquares {
    std::vector<Fitted> unknowns;
    FitQuality quality;
};

/// Minimizes the sum of ((terms x unknowns - time) / time)^2. None where the rows do not tell the unknowns
/// apart.
std::optional<LeastSquares> least_squares(const Eigen::MatrixXd& terms, const Eigen::VectorXd& times) {
    const Eigen::Index rows = terms.rows();
    const Eigen::Index unknowns = terms.cols();
    const Eigen::MatrixXd relative = times.cwiseInverse().asDiagonal() * terms;
    // Columns of one length each, so that seconds and bytes are compared alike when the rank is judged.
    const Eigen::VectorXd length = relative.colwise().norm();
    if (rows < unknowns || (length.array() == 0).any()) {
        return std::nullopt;
    }
    const Eigen::MatrixXd scaled = relative * length.cwiseInverse().asDiagonal();
    // Of Eigen's decompositions that know their rank the one that is translated in the least time.
    using Decomposition = Eigen::FullPivHouseholderQR<Eigen::MatrixXd>;
    Decomposition solver(scaled);
    solver.setThreshold(1e-9);
    if (solver.rank() < unknowns) {
        return std::nullopt;
    }
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows);
    const Eigen::VectorXd solution = length.cwiseInverse().asDiagonal() * solver.solve(ones);
    const Eigen::VectorXd deviation = relative * solution - ones;
    const Eigen::VectorXd fitted = terms * solution;
    const Eigen::MatrixXd spread_of = Decomposition(scaled.transpose().lazyProduct(scaled)).inverse();
    LeastSquares found;
    for (Eigen::Index k = 0; k < unknowns; ++k) {
        Fitted one{solution[k], {}};
        if (rows > unknowns) {
            const double variance = deviation.squaredNorm() / static_cast<double>(rows - unknowns);
            one.standard_error = std::sqrt(spread_of(k, k) * variance) / length[k];
        }
        found.unknowns.push_back(one);
    }
    const double spread = (times.array() - times.mean()).square().sum();
    found.quality.r2 = spread == 0 ? 1 : 1 - (fitted - times).squaredNorm() / spread;
    found.quality.mean_deviation = deviation.cwiseAbs().mean();
    found.quality.largest_deviation = deviation.cwiseAbs().maxCoeff();
    found.quality.fitted.assign(fitted.begin(), fitted.end());
    return found;
}

/// factor / value, with the standard error that the value's gives it.
Fitted inverse(const Fitted& value, double factor) {
    Fitted result{factor / value.value, {}};
    if (value.standard_error) {
        result.standard_error = result.value * *value.standard_error / value.value;
    }
    return result;
}

double steps(const MeasuredCollective& row) {
    const auto others = static_cast<double>(row.chips - 1);
    return row.operation == Collective::send_receive ? 1.0
           : row.operation == Collective::all_reduce ? 2 * others
                                                     : others;
}

double moved(const MeasuredCollective& row) {
    const auto chips = static_cast<double>(row.chips);
    const double once = row.bytes * (chips - 1) / chips;
    return row.operation == Collective::send_receive ? row.bytes
           : row.operation == Collective::all_reduce ? 2 * once
                                                     : once;
}

/// The unknowns of a fit, in this order: a launch of each kind, the sync unless it is known, and the time a
/// byte takes on each axis.
struct CollectiveUnknowns {
    std::vector<Collective> kinds; ///< all_reduce: the sum of its two launches, of which neither was measured
    bool sync = true;
    std::vector<std::optional<int>> axes;

    [[nodiscard]] std::size_t count() const { return kinds.size() + (sync ? 1 : 0) + axes.size(); }
    [[nodiscard]] std::size_t first_axis() const { return kinds.size() + (sync ? 1 : 0); }
    /// How often a kind is launched for a row.
    [[nodiscard]] double launches(Collective kind, const MeasuredCollective& row) const {
        const bool both = row.operation == Collective::all_reduce && kind != Collective::send_receive;
        return row.operation == kind || both ? 1 : 0;
    }
};

CollectiveUnknowns unknowns_of(const std::vector<MeasuredCollective>& rows, bool sync_known) {
    CollectiveUnknowns unknowns;
    unknowns.sync = !sync_known;
    const auto measured = [&](Collective kind) {
        return std::ranges::find(rows, kind, &MeasuredCollective::operation) != rows.end();
    };
    const bool reduced = measured(Collective::all_reduce);
    const bool apart = measured(Collective::all_gather) || measured(Collective::reduce_scatter);
    for (const Collective kind : launched_collectives) {
        if (measured(kind) || (reduced && apart && kind != Collective::send_receive)) {
            unknowns.kinds.push_back(kind);
        }
    }
    if (reduced && !apart) {
        unknowns.kinds.push_back(Collective::all_reduce);
    }
    std::set<std::optional<int>> axes;
    for (const MeasuredCollective& row : rows) {
        axes.insert(row.axis);
    }
    unknowns.axes.assign(axes.begin(), axes.end());
    return unknowns;
}

bool on_one_ring_size(const std::vector<MeasuredCollective>& rows) {
    std::set<std::int64_t> sizes;
    for (const MeasuredCollective& row : rows) {
        sizes.insert(row.chips);
    }
    return sizes.size() == 1;
}

/// With the sync known: its share of what was fitted as launch. It is less than `known` where a launch would
/// be below zero. `steps_of` is by kind.
double sync_within(const std::vector<Fitted>& launches, const std::vector<double>& steps_of, double known) {
    for (std::size_t k = 0; k < launches.size(); ++k) {
        known = std::min(known, launches[k].value / steps_of[k]);
    }
    return std::max(0.0, known);
}

/// Why the rows do not tell launch, sync and bandwidth apart.
std::string what_is_missing(const std::vector<MeasuredCollective>& rows, std::size_t unknowns) {
    std::set<double> step_counts;
    std::set<double> sizes;
    for (const MeasuredCollective& row : rows) {
        step_counts.insert(steps(row));
        sizes.insert(row.bytes);
    }
    if (rows.size() < unknowns) {
        return fmt::format("there are {} measurements for {} constants; expected at least as many",
                           rows.size(), unknowns);
    }
    if (step_counts.size() == 1) {
        return fmt::format("all collectives take {} step{}; expected rings of at least two sizes, which "
                           "separate sync from launch",
                           step_counts.empty() ? 0 : *step_counts.begin(),
                           step_counts == std::set{1.0} ? "" : "s");
    }
    if (sizes.size() == 1) {
        return fmt::format("all collectives move {}; expected at least two sizes, which separate the "
                           "bandwidth from launch and sync",
                           si_text(*sizes.begin(), "B"));
    }
    return "every operation needs measurements of its own in which chips and bytes vary independently";
}

std::string source(const char* kind, const FitQuality& quality, const std::string& error) {
    return fmt::format(
        "Fitted to {} measured {} by least squares of relative residuals, {}; standard error {}; "
        "{}",
        quality.fitted.size(), kind, quality.measured_in, error, text(quality));
}

Table residual_table(std::vector<std::string> columns) {
    Table table;
    table.title = "Measured and fitted times";
    table.columns = std::move(columns);
    for (const char* column : {"measured_s", "fitted_s", "deviation_share"}) {
        table.columns.emplace_back(column);
    }
    return table;
}

void add_row(Table& table, std::vector<Table::Cell> head, double measured, double fitted) {
    head.emplace_back(measured);
    head.emplace_back(fitted);
    head.emplace_back((fitted - measured) / measured);
    table.rows.push_back(std::move(head));
}

} // namespace

Result<CollectiveFit> fit_collectives(const std::vector<MeasuredCollective>& rows, RingMode ring,
                                      std::optional<double> known_sync) {
    const bool sync_known = known_sync && on_one_ring_size(rows);
    const CollectiveUnknowns unknowns = unknowns_of(rows, sync_known);
    const auto place = [](std::size_t at) { return static_cast<Eigen::Index>(at); };
    Eigen::MatrixXd terms = Eigen::MatrixXd::Zero(place(rows.size()), place(unknowns.count()));
    Eigen::VectorXd times(place(rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const MeasuredCollective& row = rows[k];
        for (std::size_t kind = 0; kind < unknowns.kinds.size(); ++kind) {
            terms(place(k), place(kind)) = unknowns.launches(unknowns.kinds[kind], row);
        }
        if (unknowns.sync) {
            terms(place(k), place(unknowns.kinds.size())) = steps(row);
        }
        const auto axis = std::ranges::find(unknowns.axes, row.axis) - unknowns.axes.begin();
        terms(place(k), place(unknowns.first_axis()) + axis) = moved(row);
        times[place(k)] = row.seconds;
    }
    const auto found = least_squares(terms, times);
    if (!found) {
        return refuse(fmt::format("Launch, sync and bandwidth cannot be fitted: {}.",
                                  what_is_missing(rows, unknowns.count())));
    }
    const auto below_zero = [](const std::string& what, const Fitted& value) {
        return refuse(fmt::format("The fit gives {} of {} (standard error {}), which is below zero: the "
                                  "measurements do not follow launch + steps x sync + bytes / bandwidth.",
                                  what, si_text(value.value, "s"), standard_error_text(value, "s")));
    };
    CollectiveFit fit;
    std::vector<Fitted> launches(found->unknowns.begin(),
                                 found->unknowns.begin() +
                                     static_cast<std::ptrdiff_t>(unknowns.kinds.size()));
    for (std::size_t k = 0; k < launches.size(); ++k) {
        if (launches[k].value < 0) {
            return below_zero(fmt::format("a launch of {}", file_name(unknowns.kinds[k])), launches[k]);
        }
    }
    if (sync_known) {
        std::vector<double> steps_of;
        for (const Collective kind : unknowns.kinds) {
            steps_of.push_back(steps({0, kind, rows.front().chips, 0, 0, {}}));
        }
        fit.sync = {sync_within(launches, steps_of, *known_sync), {}};
        fit.sync_known = true;
        for (std::size_t k = 0; k < launches.size(); ++k) {
            launches[k].value -= fit.sync.value * steps_of[k];
        }
    } else {
        fit.sync = found->unknowns[unknowns.kinds.size()];
    }
    if (fit.sync.value < 0) {
        return below_zero("a sync", fit.sync);
    }
    for (std::size_t k = 0; k < launches.size(); ++k) {
        if (unknowns.kinds[k] == Collective::all_reduce) {
            fit.launch[0] = fit.launch[1] = Fitted{launches[k].value / 2, launches[k].standard_error};
            continue;
        }
        const auto* const which = std::ranges::find(launched_collectives, unknowns.kinds[k]);
        fit.launch[static_cast<std::size_t>(which - launched_collectives.begin())] = launches[k];
    }
    const double ways = ring == RingMode::both_ways ? 2 : 1;
    for (std::size_t k = 0; k < unknowns.axes.size(); ++k) {
        const Fitted& per_byte = found->unknowns[unknowns.first_axis() + k];
        if (per_byte.value <= 0) {
            return refuse(
                "The fit gives no bandwidth: larger collectives do not take longer than small ones.");
        }
        const Fitted one = inverse(per_byte, 1 / ways);
        if (unknowns.axes[k]) {
            fit.axis_bandwidth[*unknowns.axes[k]] = one;
        }
        if (k == 0 || one.value < fit.link_bandwidth.value) {
            fit.link_bandwidth = one;
        }
    }
    fit.quality = found->quality;
    return fit;
}

Result<GemmFit> fit_gemms(const std::vector<MeasuredGemm>& rows) {
    if (rows.empty()) {
        return refuse("The rate of multiplications cannot be fitted: there is no measurement of one.");
    }
    const auto count = static_cast<Eigen::Index>(rows.size());
    Eigen::MatrixXd terms = Eigen::MatrixXd::Ones(count, 2);
    Eigen::VectorXd times(count);
    for (Eigen::Index k = 0; k < count; ++k) {
        const MeasuredGemm& row = rows[static_cast<std::size_t>(k)];
        terms(k, 0) = static_cast<double>(flop(row.shape).value());
        times[k] = row.seconds;
    }
    auto found = least_squares(terms, times);
    if (!found || found->unknowns[1].value < 0) {
        found = least_squares(terms.leftCols(1), times); // FLOP and times above 0 give a rate above 0.
        if (!found) {
            return refuse(
                "The rate of multiplications cannot be fitted: the measured times are too far apart.");
        }
        found->unknowns.push_back({});
    }
    const Fitted per_flop = found->unknowns[0];
    if (per_flop.value <= 0) {
        return refuse("No rate can be fitted: the larger GEMMs are not slower than the small ones.");
    }
    return GemmFit{found->unknowns[1], inverse(per_flop, 1), found->quality};
}

std::vector<FittedConstant> fitted_constants(const std::optional<CollectiveFit>& collectives,
                                             const std::optional<GemmFit>& gemms) {
    std::vector<FittedConstant> constants;
    if (collectives) {
        for (std::size_t kind = 0; kind < collectives->launch.size(); ++kind) {
            if (const auto& launch = collectives->launch[kind]) {
                constants.push_back(
                    {fmt::format("launch {}", file_name(launched_collectives[kind])), *launch, "s"});
            }
        }
        if (!collectives->sync_known) {
            constants.push_back({"sync", collectives->sync, "s"});
        }
        if (collectives->axis_bandwidth.empty()) {
            constants.push_back({"link, one way", collectives->link_bandwidth, "B/s"});
        }
        for (const auto& [axis, bandwidth] : collectives->axis_bandwidth) {
            constants.push_back({fmt::format("link along {}, one way", "XYZ"[axis]), bandwidth, "B/s"});
        }
    }
    if (gemms) {
        constants.push_back({"launch multiply", gemms->launch, "s"});
        constants.push_back({"effective rate", gemms->rate, "FLOP/s"});
    }
    return constants;
}

std::string text(const FitQuality& quality) {
    return fmt::format("mean deviation {:.2f}%, largest {:.2f}%, R2 {:.6f}", 100 * quality.mean_deviation,
                       100 * quality.largest_deviation, quality.r2);
}

std::string warning(const FitQuality& quality, std::string_view what) {
    constexpr double least_r2 = 0.9;
    constexpr double most_deviation = 0.2;
    std::vector<std::string> signs;
    if (quality.r2 < least_r2) {
        signs.push_back(fmt::format("R2 is {:.2f}", quality.r2));
    }
    if (quality.largest_deviation > most_deviation) {
        signs.push_back(
            fmt::format("one of them is met only within {:.0f}%", 100 * quality.largest_deviation));
    }
    return signs.empty() ? std::string()
                         : fmt::format("The {} do not follow the formula that is fitted to them: {}. Do not "
                                       "trust its constants.",
                                       what, fmt::join(signs, " and "));
}

std::string standard_error_text(const Fitted& value, std::string_view unit) {
    return value.standard_error ? si_text(*value.standard_error, unit) : std::string("not known");
}

Result<Machine> calibrated(const Machine& base, const std::optional<CollectiveFit>& collectives,
                           const std::optional<GemmFit>& gemms, DataType type) {
    Machine hardware = base;
    if (collectives) {
        const auto said = [&](const Fitted& value, std::string_view unit) {
            return source("collectives", collectives->quality, standard_error_text(value, unit));
        };
        for (std::size_t kind = 0; kind < collectives->launch.size(); ++kind) {
            if (const auto& launch = collectives->launch[kind]) {
                hardware.launch[launched_collectives[kind]] = {seconds(launch->value), said(*launch, "s")};
            }
        }
        if (!collectives->sync_known) {
            hardware.sync = {seconds(collectives->sync.value), said(collectives->sync, "s")};
        } else if (seconds(collectives->sync.value) != hardware.sync.value) {
            hardware.sync = {seconds(collectives->sync.value),
                             fmt::format("At most what the rings of one size in {} leave room for",
                                         collectives->quality.measured_in)};
        }
        for (int axis = 0; axis < hardware.network.torus_axes(); ++axis) {
            const auto own = collectives->axis_bandwidth.find(axis);
            if (own == collectives->axis_bandwidth.end() && !collectives->axis_bandwidth.empty()) {
                continue; // not measured
            }
            const Fitted& bandwidth =
                own == collectives->axis_bandwidth.end() ? collectives->link_bandwidth : own->second;
            hardware.network.torus_links(axis).bandwidth = {Bandwidth(bandwidth.value),
                                                            said(bandwidth, "B/s")};
        }
    }
    if (gemms) {
        const double peak = base.peak_rate(type).value();
        if (gemms->rate.value > peak) {
            return refuse(fmt::format(
                "The measured GEMMs run at {}, above {}'s peak of {} in {}; expected a rate up to the peak.",
                text(FlopRate(gemms->rate.value)), base.title, text(FlopRate(peak)), name(type)));
        }
        hardware.measured_products = {}; // or the old table would go on to decide
        hardware.effective_fraction = {
            gemms->rate.value / peak,
            source("GEMMs", gemms->quality, standard_error_text(gemms->rate, "FLOP/s"))};
        hardware.launch.multiply = {seconds(gemms->launch.value),
                                    source("GEMMs", gemms->quality, standard_error_text(gemms->launch, "s"))};
    }
    const auto said_once = [](std::string& words, std::string_view suffix) {
        words += words.ends_with(suffix) ? std::string_view() : suffix;
    };
    hardware.based_on.clear(); // Its numbers no longer belong to an edited preset.
    said_once(hardware.name, "-calibrated");
    said_once(hardware.title, ", calibrated");
    return checked(hardware);
}

Result<Measurements> measurements_in(const JsonPart& collectives, const JsonPart& gemms) {
    Measurements measured;
    const auto read = [](const JsonPart& file, auto parse, auto& rows, std::string& from) -> Result<void> {
        if (file.origin.empty()) {
            return {};
        }
        auto parsed = parse(file.json, file.origin);
        if (!parsed) {
            return refuse(parsed.error());
        }
        rows = *std::move(parsed);
        from = std::filesystem::path(file.origin).filename().string();
        return {};
    };
    const auto first = read(collectives, read_collectives, measured.collectives, measured.collectives_from);
    const auto second = first ? read(gemms, read_gemms, measured.gemms, measured.gemms_from) : first;
    return second ? Result<Measurements>(std::move(measured)) : refuse(second.error());
}

Result<Measurements> read_measurements(const std::string& collectives, const std::string& gemms) {
    JsonPart files[2] = {{{}, collectives}, {{}, gemms}};
    for (JsonPart& file : files) {
        const Result<std::string> content =
            file.origin.empty() ? Result<std::string>() : read_text_file(file.origin);
        if (!content) {
            return refuse(content.error());
        }
        file.json = *content;
    }
    return measurements_in(files[0], files[1]);
}

Result<Calibration> calibrate(Measurements measured, const Machine& base) {
    Calibration out;
    if (!measured.collectives_from.empty()) {
        const auto fit = fit_collectives(measured.collectives, measured.ring, in_seconds(base.sync.value));
        if (!fit) {
            return refuse(fit.error());
        }
        out.collectives = *fit;
        out.collectives->quality.measured_in = measured.collectives_from;
    }
    if (!measured.gemms_from.empty()) {
        const auto fit = fit_gemms(measured.gemms);
        if (!fit) {
            return refuse(fit.error());
        }
        out.gemms = *fit;
        out.gemms->quality.measured_in = measured.gemms_from;
    }
    auto hardware = calibrated(base, out.collectives, out.gemms, measured.type);
    if (!hardware) {
        return refuse(hardware.error());
    }
    out.hardware = *std::move(hardware);
    out.base = base.title;
    out.measured = std::move(measured);
    return out;
}

Table residuals(const std::vector<MeasuredCollective>& rows, const CollectiveFit& fit) {
    Table table = residual_table({"line", "operation", "chips", "bytes"});
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const MeasuredCollective& row = rows[k];
        add_row(table, {row.line, file_name(row.operation), row.chips, row.bytes}, row.seconds,
                fit.quality.fitted[k]);
    }
    return table;
}

Table residuals(const std::vector<MeasuredGemm>& rows, const GemmFit& fit) {
    Table table = residual_table({"line", "m", "n", "k"});
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const GemmShape& shape = rows[k].shape;
        add_row(table, {rows[k].line, shape.m, shape.n, shape.k}, rows[k].seconds, fit.quality.fitted[k]);
    }
    return table;
}

Table residuals(const Calibration& calibration) {
    const Measurements& measured = calibration.measured;
    if (!calibration.gemms) {
        return residuals(measured.collectives, *calibration.collectives);
    }
    if (!calibration.collectives) {
        return residuals(measured.gemms, *calibration.gemms);
    }
    Table table = residual_table({"line", "operation", "chips", "bytes", "m", "n", "k"});
    const Table::Cell none = std::string();
    for (std::size_t k = 0; k < measured.collectives.size(); ++k) {
        const MeasuredCollective& row = measured.collectives[k];
        add_row(table, {row.line, file_name(row.operation), row.chips, row.bytes, none, none, none},
                row.seconds, calibration.collectives->quality.fitted[k]);
    }
    for (std::size_t k = 0; k < measured.gemms.size(); ++k) {
        const MeasuredGemm& row = measured.gemms[k];
        add_row(table, {row.line, std::string("gemm"), none, none, row.shape.m, row.shape.n, row.shape.k},
                row.seconds, calibration.gemms->quality.fitted[k]);
    }
    return table;
}

} // namespace meshslice
