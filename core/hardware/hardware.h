#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/hardware/measured_products.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// The type of a matrix element, as stored, multiplied and sent.
enum class DataType : std::uint8_t { bf16, int8 };
inline constexpr std::array all_data_types = {DataType::bf16, DataType::int8};
[[nodiscard]] std::string_view name(DataType type);
[[nodiscard]] constexpr std::int64_t element_bytes(DataType type) {
    return type == DataType::bf16 ? 2 : 1;
}
[[nodiscard]] Result<DataType> parse_data_type(std::string_view words);

/// A number and where it comes from: a publication with its section, a measurement, or the assumption made.
template <class T>
struct Sourced {
    T value{};
    std::string source;

    bool operator==(const Sourced&) const = default;
};

/// What is launched, each kind with a cost of its own (MeshSlice paper, section 3.2.2: t_launch).
enum class LaunchKind : std::uint8_t { all_gather, reduce_scatter, send_receive, multiply };
inline constexpr std::array all_launch_kinds = {LaunchKind::all_gather, LaunchKind::reduce_scatter,
                                                LaunchKind::send_receive, LaunchKind::multiply};
[[nodiscard]] std::string_view name(LaunchKind kind); ///< "all_gather", ...

/// One kind of chip and the torus it is wired into. Plain data; two equal values are the same hardware.
struct Hardware {
    std::string name;  ///< "tpu-v4-paper"
    std::string title; ///< for people: "TPU v4, as in the MeshSlice paper"

    std::array<Sourced<FlopRate>, all_data_types.size()> peak; ///< dense, by DataType; 0 where not supported
    Sourced<double> effective_fraction; ///< of the peak that a large product reaches on one chip, (0, 1]
    Sourced<Bytes> hbm;                 ///< capacity
    Sourced<Bandwidth> hbm_bandwidth;
    Sourced<Bytes> on_chip_memory; ///< of all cores together; 0 where the source does not say
    Sourced<std::int64_t> cores;
    Sourced<std::int64_t> systolic_array; ///< rows (and columns) of one matrix unit
    /// Rows (and columns) of the tile of a product that one core keeps; 0: as large as its memory allows.
    Sourced<std::int64_t> output_tile;
    /// What products took on a chip of this kind, in bf16; where there are any, they decide.
    Sourced<std::vector<MeasuredProduct>> measured_products;
    Sourced<std::int64_t> torus_axes;     ///< 1 to 3
    Sourced<std::int64_t> links_per_axis; ///< 2: one neighbour on either side; no other wiring is known here
    Sourced<Bandwidth> link_bandwidth;    ///< of one link, one way
    Sourced<Time> sync; ///< per step of a ring: two neighbours agree that a transfer may start
    std::array<Sourced<Time>, all_launch_kinds.size()> launch; ///< once per operation, by LaunchKind

    [[nodiscard]] FlopRate peak_rate(DataType type) const {
        return peak[static_cast<std::size_t>(type)].value;
    }
    /// What a large product reaches: peak times the effective fraction.
    [[nodiscard]] FlopRate effective_rate(DataType type) const {
        return FlopRate(peak_rate(type).value() * effective_fraction.value);
    }
    [[nodiscard]] Time launch_time(LaunchKind kind) const {
        return launch[static_cast<std::size_t>(kind)].value;
    }

    bool operator==(const Hardware&) const = default;
};

/// Reads the JSON text of one hardware file. `origin` names it in errors, for example its path.
[[nodiscard]] Result<Hardware> read_hardware(std::string_view json, const std::string& origin);
/// The JSON text that `read_hardware` turns into the same value again.
[[nodiscard]] std::string write_hardware(const Hardware& hardware);
/// Refuses what a hardware file could not hold: for values that were edited, not read.
[[nodiscard]] Result<Hardware> checked(const Hardware& hardware);

/// The hardware that comes with the program, in the order of their files' names.
[[nodiscard]] const std::vector<Hardware>& hardware_presets();
/// A preset by name; the error lists the names there are.
[[nodiscard]] Result<Hardware> hardware_preset(std::string_view name);

} // namespace meshslice
