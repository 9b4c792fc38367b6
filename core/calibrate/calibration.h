#pragma once

#include "core/base/fields/field_table.h"
#include "core/base/result.h"
#include "core/calibrate/measurements.h"
#include "core/cost/schedule.h"
#include "core/figure/table.h"
#include "core/machine/machine.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A constant that was fitted, in base units, with its standard error.
struct Fitted {
    double value = 0;
    std::optional<double> standard_error; ///< none where there are no more measurements than constants
};

/// How well a fit meets what was measured.
struct FitQuality {
    double r2 = 0;                ///< 1 - squared residuals / squared deviations from the mean, of the times
    double mean_deviation = 0;    ///< mean of |fitted - measured| / measured
    double largest_deviation = 0; ///< the largest of them
    std::vector<double> fitted;   ///< seconds, by row
    std::string measured_in;      ///< where the measurements stand, such as a file's name; for the sources
};

/// The constants of the linear model of a collective on a ring of P chips (MeshSlice paper, sections 3.2.2
/// and 4.5):
///     time = launch(operation) + steps x sync + moved / (ways x link bandwidth)
/// all-gather and reduce-scatter: P - 1 steps, moved = (P - 1) / P of the bytes; all-reduce: both, one after
/// the other, each with its launch; SendRecv: one step, moved = the bytes. `ways` is 2 where a ring is used
/// both ways, else 1. Where only all-reduces were measured, their two launches are taken to be alike.
struct CollectiveFit {
    /// Seconds, by launched_collectives; none where not measured.
    std::array<std::optional<Fitted>, launched_collectives.size()> launch;
    Fitted sync;             ///< seconds per step
    bool sync_known = false; ///< it was taken from a machine: the rows have rings of one size
    Fitted link_bandwidth;   ///< bytes per second, one way; of several axes the least
    /// By axis of the torus, where the rows say which; else none.
    std::map<int, Fitted> axis_bandwidth;
    FitQuality quality;
};

/// Least squares of the relative residuals, so that short and long times weigh the same. Where all rings have
/// one size, launch and steps x sync are one number: then sync is `known_sync`, in seconds, or less where the
/// launch would be below zero. Refused where the rows do not tell the constants apart (too few, all of as
/// many bytes, or all on as many chips and no sync is known), and where a constant would be below zero.
[[nodiscard]] Result<CollectiveFit> fit_collectives(const std::vector<MeasuredCollective>& rows,
                                                    RingMode ring,
                                                    std::optional<double> known_sync = std::nullopt);

/// time = launch + 2 M N K / rate.
struct GemmFit {
    Fitted launch; ///< seconds; 0 where all GEMMs are as large, or where it would be below zero
    Fitted rate;   ///< FLOP/s
    FitQuality quality;
};
[[nodiscard]] Result<GemmFit> fit_gemms(const std::vector<MeasuredGemm>& rows);

struct FittedConstant {
    std::string name; ///< "launch all_gather"
    Fitted fitted;
    std::string_view unit; ///< of its value: "s", "B/s", "FLOP/s"
};
/// All that were fitted.
[[nodiscard]] std::vector<FittedConstant> fitted_constants(const std::optional<CollectiveFit>& collectives,
                                                           const std::optional<GemmFit>& gemms);

/// "mean deviation 0.79%, largest 2.18%, R2 0.999643".
[[nodiscard]] std::string text(const FitQuality& quality);
/// Why constants of this fit to `what` ("collectives") should not be trusted, as a sentence; empty where the
/// fit meets every row within a fifth and most of how the times vary.
[[nodiscard]] std::string warning(const FitQuality& quality, std::string_view what);
/// "47.6 ns", or that it is not known.
[[nodiscard]] std::string standard_error_text(const Fitted& value, std::string_view unit);

/// `base` with the fitted constants in their places, where they come from in their sources, and a name and
/// title that say so. Refused where a constant is out of a hardware file's range; a rate above the peak is.
[[nodiscard]] Result<Machine> calibrated(const Machine& base, const std::optional<CollectiveFit>& collectives,
                                         const std::optional<GemmFit>& gemms, DataType type);

/// What was measured on a machine, and how.
struct Measurements {
    std::vector<MeasuredCollective> collectives;
    std::vector<MeasuredGemm> gemms;
    std::string collectives_from; ///< a file's name, for the sources of what is fitted; empty: not measured
    std::string gemms_from;
    RingMode ring = RingMode::both_ways; ///< how the measured collectives used a ring
    DataType type = DataType::bf16;      ///< of the measured GEMMs
};

/// What is in two files (see read_collectives, read_gemms); one without a name is none.
[[nodiscard]] Result<Measurements> measurements_in(const JsonPart& collectives, const JsonPart& gemms);
/// Reads the files; an empty path is none.
[[nodiscard]] Result<Measurements> read_measurements(const std::string& collectives,
                                                     const std::string& gemms);

/// The fits to all that was measured, and the machine with what was fitted.
struct Calibration {
    Measurements measured;
    std::optional<CollectiveFit> collectives; ///< none where none were measured
    std::optional<GemmFit> gemms;
    Machine hardware;
    std::string base; ///< title of the machine that all other constants are of
};
[[nodiscard]] Result<Calibration> calibrate(Measurements measured, const Machine& base);

/// Every row with its measured and fitted time.
[[nodiscard]] Table residuals(const std::vector<MeasuredCollective>& rows, const CollectiveFit& fit);
[[nodiscard]] Table residuals(const std::vector<MeasuredGemm>& rows, const GemmFit& fit);
/// Of what there is; of both together the cells of what a row does not have are empty.
[[nodiscard]] Table residuals(const Calibration& calibration);

} // namespace meshslice
