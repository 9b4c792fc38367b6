#include "core/cost/gemm_roofline.h"

#include <algorithm>

namespace meshslice {
namespace {

double in_bytes(double elements, std::int64_t bits) {
    return elements * static_cast<double>(bits) / 8;
}

/// `shared`: the bytes that pass once for all rows.
GemmRoofline bounds_of(const RooflineGemm& gemm, double shared, double bytes_of_a_row, double peak,
                       double bandwidth) {
    GemmRoofline made;
    const double bytes = shared + gemm.rows * bytes_of_a_row;
    made.bytes = bytes;
    made.intensity = gemm.flop() / bytes;
    made.ridge = peak / bandwidth;
    made.compute_s = gemm.flop() / peak;
    made.transfer_s = bytes / bandwidth;
    made.flop_per_s = std::min(peak, made.intensity * bandwidth);
    // B FLOP of a row / C = (B bytes of a row + those of all rows together) / W
    const double room = gemm.flop() / gemm.rows / made.ridge - bytes_of_a_row;
    if (room > 0) {
        made.critical_rows = shared / room;
    }
    return made;
}

} // namespace

double RooflineGemm::weight_bytes() const {
    return in_bytes(inner * columns * (weights_of_each_row ? rows : 1), right_bits);
}

double RooflineGemm::bytes() const {
    return in_bytes(rows * inner, left_bits) + weight_bytes() + in_bytes(rows * columns, result_bits);
}

GemmRoofline gemm_roofline(const RooflineGemm& gemm, double peak, double bandwidth) {
    const double rows = in_bytes(gemm.inner, gemm.left_bits) + in_bytes(gemm.columns, gemm.result_bits);
    const double own = gemm.weights_of_each_row ? gemm.weight_bytes() / gemm.rows : 0;
    const double shared = gemm.weights_of_each_row ? 0 : gemm.weight_bytes();
    return bounds_of(gemm, shared, rows + own, peak, bandwidth);
}

GemmRoofline weights_roofline(const RooflineGemm& gemm, double peak, double bandwidth) {
    const double own = gemm.weights_of_each_row ? gemm.weight_bytes() / gemm.rows : 0;
    return bounds_of(gemm, gemm.weights_of_each_row ? 0 : gemm.weight_bytes(), own, peak, bandwidth);
}

} // namespace meshslice
