#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"
#include "core/base/sourced.h"
#include "core/machine/collective.h"
#include "core/machine/data_type.h"
#include "core/machine/measured_products.h"
#include "core/machine/network.h"
#include "core/machine/pod.h"
#include "core/machine/ring_stores.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A rate for each DataType.
struct PeakRates {
    std::array<Sourced<FlopRate>, all_data_types.size()> of;

    [[nodiscard]] const Sourced<FlopRate>& operator[](DataType type) const {
        return of[static_cast<std::size_t>(type)];
    }
    [[nodiscard]] Sourced<FlopRate>& operator[](DataType type) { return of[static_cast<std::size_t>(type)]; }
    bool operator==(const PeakRates&) const = default;
};

/// One kind of chip and the network that joins such chips. Plain data; two equal values are the same
/// hardware.
struct Machine {
    std::string name;       ///< "tpu-v4-paper"
    std::string title;      ///< for people: "TPU v4, as in the MeshSlice paper"
    std::string based_on{}; ///< name of the preset whose numbers were edited (see edits()); empty: none were

    PeakRates peak; ///< dense; 0 where not supported
    /// Of what is not a matrix product (norms, activations, softmax), in bf16; 0 where not known.
    Sourced<FlopRate> vector_rate;
    Sourced<double> effective_fraction; ///< of the peak that a large product reaches on one chip, (0, 1]
    Sourced<double> attention_fraction; ///< of the peak that attention reaches; 0: as a large product
    Sourced<Bytes> hbm;                 ///< capacity
    Sourced<Bandwidth> hbm_bandwidth;
    Sourced<Bandwidth> pcie;       ///< between a chip and its host, one way; 0 where not known
    Sourced<double> power;         ///< W of a chip, at most (TDP); 0 where not known
    Sourced<Bytes> on_chip_memory; ///< of all cores together; 0 where the source does not say
    Sourced<std::int64_t> cores;
    Sourced<std::int64_t> systolic_array; ///< rows (and columns) of one matrix unit
    /// Rows (and columns) of the tile of a product that one core keeps; 0: as large as its memory allows.
    Sourced<std::int64_t> output_tile;
    /// What products took on a chip of this kind, in bf16; where there are any, they decide.
    Sourced<std::vector<MeasuredProduct>> measured_products;
    Network network;                       ///< what joins the chips
    Pod pod;                               ///< how large a torus they form, and which of its axes are rings
    std::optional<RingStores> ring_stores; ///< of chips whose stores may feed a ring
    Sourced<Time> sync; ///< per step of a ring: two neighbours agree that a transfer may start
    LaunchTimes launch; ///< once per operation

    /// As what it multiplies elements of a type: as such where it has a peak of them; else as int8 where they
    /// have up to 8 bits, and as bf16.
    [[nodiscard]] DataType multiplies_as(DataType type) const {
        const bool narrow = bits(type) <= 8;
        return peak[type].value > FlopRate(0) ? type : narrow ? DataType::int8 : DataType::bf16;
    }
    [[nodiscard]] FlopRate peak_rate(DataType type) const { return peak[type].value; }
    /// What a large product reaches: peak times the effective fraction.
    [[nodiscard]] FlopRate effective_rate(DataType type) const {
        return FlopRate(peak_rate(type).value() * effective_fraction.value);
    }
    /// What attention reaches.
    [[nodiscard]] FlopRate attention_rate(DataType type) const {
        return attention_fraction.value > 0 ? FlopRate(peak_rate(type).value() * attention_fraction.value)
                                            : effective_rate(type);
    }
    [[nodiscard]] Time launch_time(Collective what) const { return launch[what].value; }

    /// The numbers of ring_stores; all 0 where it has none.
    [[nodiscard]] const RingStores& stores() const;

    bool operator==(const Machine&) const = default;
};

/// Reads the JSON text of one hardware file. `origin` names it in errors, for example its path.
[[nodiscard]] Result<Machine> read_machine(std::string_view json, const std::string& origin,
                                           std::vector<std::string>* all = nullptr);
/// The JSON text that `read_machine` turns into the same value again.
[[nodiscard]] std::string write_machine(const Machine& hardware);
/// What such a file may hold, as a JSON Schema (draft 2020-12): an object.
[[nodiscard]] std::string machine_schema();
/// Refuses what a hardware file could not hold: for values that were edited, not read.
[[nodiscard]] Result<Machine> checked(const Machine& hardware);

} // namespace meshslice
