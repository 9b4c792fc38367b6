#pragma once

#include "core/base/result.h"
#include "core/machine/machine.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// One GEMM [B, D] x [D, F] -> [B, F] on one chip, whose operands and result come and go through one
/// memory (How to Scale Your Model, chapter 1). Types are in bits, so that an int4 is half a byte.
struct RooflineGemm {
    double rows = 1;    ///< B, the batch in tokens
    double inner = 1;   ///< D, the contracted dimension
    double columns = 1; ///< F
    std::int64_t left_bits = 16, right_bits = 16, result_bits = 16;
    bool weights_of_each_row = false; ///< every row meets a D x F of its own: [B, D] x [B, D, F] -> [B, F]

    [[nodiscard]] double flop() const { return 2 * rows * inner * columns; }
    /// All bytes that pass if every matrix passes once; and those of the D x F alone.
    [[nodiscard]] double bytes() const;
    [[nodiscard]] double weight_bytes() const;
};

/// A GEMM at a peak rate, its bytes at the bandwidth of one memory or network.
struct GemmRoofline {
    double bytes = 0;
    double intensity = 0; ///< FLOP per byte
    double ridge = 0;     ///< FLOP per byte from which on the peak rate bounds
    double compute_s = 0, transfer_s = 0;
    double flop_per_s = 0; ///< the lower of the peak rate and intensity x bandwidth
    /// The rows from which on the peak rate bounds; none: no batch is large enough; 0: every batch is.
    std::optional<double> critical_rows;

    /// The first whole number of rows that the peak rate bounds.
    [[nodiscard]] std::optional<double> critical_whole_rows() const {
        return critical_rows ? std::optional(std::ceil(*critical_rows)) : std::nullopt;
    }
    [[nodiscard]] bool bound_by_compute() const { return intensity >= ridge; }
    /// With all transfers hidden, and with none hidden.
    [[nodiscard]] double least_s() const { return compute_s > transfer_s ? compute_s : transfer_s; }
    [[nodiscard]] double most_s() const { return compute_s + transfer_s; }
};

/// `peak` in FLOP/s, `bandwidth` in bytes/s, both above 0.
[[nodiscard]] GemmRoofline gemm_roofline(const RooflineGemm& gemm, double peak, double bandwidth);
/// The same where the D x F alone passes: the book's rule of thumb B > C / W, and what weights cost that are
/// gathered over a network before the GEMM.
[[nodiscard]] GemmRoofline weights_roofline(const RooflineGemm& gemm, double peak, double bandwidth);

/// What brings bytes, and what of the GEMM passes it.
struct RooflineLevel {
    std::string name; ///< "HBM", "1 ring of the torus"
    double bytes_per_s = 0;
    GemmRoofline roofline;
};
/// Over which weights may be gathered before the GEMM: one axis of a torus and all of them, a fast domain,
/// the network around. `peak` in FLOP/s.
[[nodiscard]] std::vector<RooflineLevel> network_levels(const RooflineGemm& gemm, const Machine& hardware,
                                                        double peak);

/// Of a memory, in bytes/s: less is a number without its unit.
inline constexpr double least_memory_rate = 1e6, most_memory_rate = 1e18;
/// Reads "15 GB/s". The error begins with `who`, the flag or the field, and says what was expected.
[[nodiscard]] Result<double> parse_memory_rate(std::string_view words, std::string_view who);

/// Reads "512x8192x32768", also with X, × or commas between them: B, D and F, each up to 10^12 and "8Ki" for
/// 8192; the rest as it is by itself. The error begins with `who`, the flag or the field, and says what was
/// expected.
[[nodiscard]] Result<RooflineGemm> parse_roofline_gemm(std::string_view words, std::string_view who);

} // namespace meshslice
