#include "core/cost/gemm_roofline.h"

#include "core/base/say.h"
#include "core/base/text.h"
#include "core/base/text/parse.h"
#include "core/machine/catalogue.h"

#include <algorithm>
#include <array>
#include <utility>

namespace meshslice {
namespace {

constexpr double longest_side = 1e12;

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

std::vector<RooflineLevel> network_levels(const RooflineGemm& gemm, const Machine& hardware, double peak) {
    std::vector<RooflineLevel> levels;
    const auto add = [&](std::string name, double rate) {
        levels.push_back({std::move(name), rate, weights_roofline(gemm, peak, rate)});
    };
    const Network& network = hardware.network;
    double all_axes = 0;
    for (int axis = 0; axis < network.torus_axes(); ++axis) {
        all_axes += 2 * network.link_bandwidth(axis).value();
    }
    if (all_axes > 0) {
        add(said("1 ring of the torus"), 2 * network.link_bandwidth(0).value());
    }
    if (network.torus_axes() > 1) {
        add(say("{} rings of the torus", network.torus_axes()), all_axes);
    }
    const Level* const domain = switched_domain(network);
    for (const Level& level : network.levels) {
        if (level.kind == LevelKind::switched) {
            add(&level == domain ? said("fast domain") : title(level), level.line_rate());
        }
    }
    return levels;
}

Result<double> parse_memory_rate(std::string_view words, std::string_view who) {
    Result<double> rate = parse_quantity(words, "B/s");
    if (!rate || !(*rate >= least_memory_rate) || *rate > most_memory_rate) {
        return refuse(
            say("{} is \"{}\"; expected 1 MB/s to 1 EB/s, such as \"15 GB/s\".", who, shortened(words)));
    }
    return rate;
}

Result<RooflineGemm> parse_roofline_gemm(std::string_view words, std::string_view who) {
    std::array<double, 3> sides{};
    std::string typed(words);
    for (const std::string_view between :
         {std::string_view("\u00d7"), std::string_view("X"), std::string_view(",")}) {
        for (std::size_t at = 0; (at = typed.find(between, at)) != std::string::npos;) {
            typed.replace(at, between.size(), "x");
        }
    }
    std::string_view rest = typed;
    bool sound = true;
    for (std::size_t k = 0; k < sides.size(); ++k) {
        const std::size_t end = rest.find('x');
        const bool last = k + 1 == sides.size();
        const Result<std::int64_t> side = parse_count(rest.substr(0, end));
        sound = sound && side && *side >= 1 && static_cast<double>(*side) <= longest_side &&
                last == (end == std::string_view::npos);
        sides[k] = static_cast<double>(side.value_or(0));
        rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    }
    return sound ? Result<RooflineGemm>(RooflineGemm{sides[0], sides[1], sides[2]})
                 : refuse(say("{} is \"{}\"; expected three sizes from 1 to 10^12, BxDxF for [B, D] times "
                              "[D, F], such as 512x8192x32768.",
                              who, shortened(words)));
}

} // namespace meshslice
