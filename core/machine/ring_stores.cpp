#include "core/machine/ring_stores.h"

#include "core/base/say.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace meshslice {

namespace {

/// A number that hardware has if its memory adds up what arrives, in words; 0 stands for not known.
struct NeededNumber {
    std::string name;
    double is = 0;
    double papers = 0; ///< the paper's
};
std::array<NeededNumber, 5> needed_numbers(const Machine& hardware) {
    const auto of = [](const Machine& one) {
        return std::array{static_cast<double>(one.stores().workgroups.value),
                          one.stores().near_memory_cost.value, one.stores().reduction_share.value,
                          one.stores().unit_bandwidth.value.value(),
                          static_cast<double>(one.output_tile.value)};
    };
    const auto is = of(hardware), papers = of(t3_machine());
    return {{{said("number of work-groups"), is[0], papers[0]},
             {said("near-memory cost"), is[1], papers[1]},
             {said("reduction share"), is[2], papers[2]},
             {said("unit bandwidth"), is[3], papers[3]},
             {said("output tile"), is[4], papers[4]}}};
}

/// Of hardware that has most of these numbers, what is missing.
std::optional<std::string> missing_number(const Machine& hardware) {
    const auto numbers = needed_numbers(hardware);
    const auto known = [](const NeededNumber& one) { return one.is > 0; };
    if (std::ranges::count_if(numbers, known) < 3) { // another kind of hardware; many have an output tile
        return std::nullopt;
    }
    const auto missing = std::ranges::find_if_not(numbers, known);
    return missing == numbers.end()
               ? std::nullopt
               : std::optional(say("The {} is 0, which stands for not known; memory that adds up what "
                                   "arrives needs a number above 0, such as the {:.6g} of {}.",
                                   missing->name, missing->papers, t3_machine().name));
}

} // namespace

bool feeds_rings(const Machine& hardware) {
    const RingStores& stores = hardware.stores();
    const int axes = hardware.network.torus_axes();
    return stores.workgroups.value > 0 && stores.near_memory_cost.value > 0 &&
           stores.reduction_share.value > 0 && stores.unit_bandwidth.value > Bandwidth(0) &&
           hardware.output_tile.value > 0 && (axes == 1 || axes == 2);
}

Result<void> makes_fed_torus(const Machine& hardware) {
    if (const std::optional<std::string> missing = missing_number(hardware)) {
        return refuse(*missing);
    }
    return feeds_rings(hardware) && hardware.network.torus_axes() == 2
               ? Result<void>()
               : refuse(say("\"{}\" is not a torus of GPUs with near-memory reduction, such as {}.",
                            hardware.title, "t3-torus"));
}

Result<void> makes_fed_ring(const Machine& hardware) {
    if (const std::optional<std::string> missing = missing_number(hardware)) {
        return refuse(*missing);
    }
    return feeds_rings(hardware) && hardware.network.torus_axes() == 1
               ? Result<void>()
               : refuse(say("\"{}\" is not a ring of GPUs with near-memory reduction, such as {}.",
                            hardware.title, t3_machine().name));
}

void drop_unknown_stores(Machine& machine) {
    if (machine.ring_stores == RingStores()) {
        machine.ring_stores.reset();
    }
}

const Machine& t3_machine() {
    static const Machine machine = *machine_preset("t3-paper");
    return machine;
}

const RingStores& Machine::stores() const {
    static const RingStores none;
    return ring_stores ? *ring_stores : none;
}

} // namespace meshslice
