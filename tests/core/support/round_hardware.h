#pragma once

#include "core/machine/machine.h"

#include <cstdint>

namespace meshslice {

/// Microseconds, for expectations worked by hand.
template <class Number>
constexpr Time us(Number count) {
    return Time(static_cast<std::int64_t>(static_cast<double>(count) * 1e6));
}

/// A machine whose every constant is a round number, for expectations worked by hand: 10^12 FLOP/s, links of
/// 10^9 B/s each way, 1 us sync, launch 10 us (gather), 20 us (scatter), nothing for a multiplication.
inline Machine round_hardware() {
    Machine hardware;
    hardware.name = "round";
    hardware.title = "A machine of round numbers";
    hardware.peak[DataType::bf16] = {FlopRate(1e12), "test"};
    hardware.peak[DataType::int8] = {FlopRate(2e12), "test"};
    hardware.effective_fraction = {1.0, "test"};
    hardware.hbm = {Bytes(32'000'000'000), "test"};
    hardware.hbm_bandwidth = {Bandwidth(1e12), "test"};
    hardware.on_chip_memory = {Bytes(64'000'000), "test"};
    hardware.cores = {1, "test"};
    hardware.systolic_array = {128, "test"};
    hardware.network = torus_network(3, {{2, "test"}, {Bandwidth(1e9), "test"}});
    hardware.sync = {seconds(1e-6), "test"};
    hardware.launch = {
        {seconds(10e-6), "test"}, {seconds(20e-6), "test"}, {Time(0), "test"}, {Time(0), "test"}};
    return hardware;
}

/// The same with links of 10^9 B/s along the vertical axis and 4 x 10^9 along the horizontal one.
inline Machine uneven_hardware() {
    Machine hardware = round_hardware();
    hardware.network = torus_network(2, {{2, "test"}, {Bandwidth(1e9), "test"}});
    hardware.network.torus_links(1).bandwidth.value = Bandwidth(4e9);
    return hardware;
}

/// The same with arrays of 100 x 100 and output tiles of tile x tile, so that chips can be modelled tile by
/// tile.
inline Machine tiled_round_hardware(std::int64_t tile) {
    Machine hardware = round_hardware();
    hardware.systolic_array.value = 100;
    hardware.output_tile.value = tile;
    return hardware;
}

} // namespace meshslice
