#pragma once

#include "core/base/result.h"
#include "core/cost/model_rules.h"
#include "core/hardware/hardware.h"

#include <cstdint>

namespace meshslice {

/// What a group of chips does together. The bytes are always those of the whole (gathered) tensor.
enum class Collective : std::uint8_t { all_gather, reduce_scatter, all_reduce, broadcast, reduce };

/// Chips that communicate with each other, and how many of them stand together in one fast domain; `near`
/// divides `chips`.
struct ChipGroup {
    std::int64_t chips = 1;
    std::int64_t near = 1;

    bool operator==(const ChipGroup&) const = default;
};

/// What groups of chips pay on a network: nothing that asks it knows which kind of network it is. Rings that
/// pass through the fast domains, whose chips share what leaves their domain over all their NICs (section 3.2
/// and appendix A of arXiv 2410.00273).
class GroupNetwork {
  public:
    /// Refuses a network without an outer level, as a torus alone is.
    [[nodiscard]] static Result<GroupNetwork> of(const Hardware& hardware, ModelRules rules);

    /// Chips in a fast domain; 1 where there is none.
    [[nodiscard]] std::int64_t domain() const { return domain_; }
    /// Seconds; 0 for no bytes and for a group of one chip.
    [[nodiscard]] double seconds(Collective what, double bytes, ChipGroup group) const;
    /// Seconds from one chip to another, of the same domain or of another one.
    [[nodiscard]] double seconds_to_one(double bytes, bool near) const;

  private:
    ModelRules rules_ = ModelRules::exact;
    std::int64_t domain_ = 1;
    double near_rate_ = 1, near_latency_ = 0; ///< bytes/s of one chip inside a domain; s a step
    double far_rate_ = 1, far_latency_ = 0;   ///< of one NIC
    double nics_ = 1;                         ///< of one chip
};

} // namespace meshslice
