#pragma once

#include "core/base/result.h"
#include "core/hardware/hardware.h"

#include <cstdint>
#include <string_view>

namespace meshslice {

/// What a formula counts: what is right, or what the published implementation of "Comprehensive Performance
/// Modeling and System Design Insights for Foundation Models" (arXiv 2410.00273) counts, slips included
/// (github.com/ShashankSubramanian/transformer-perf-estimates, commit 54278b0). resources/docs/plan-rules.md
/// has the differences.
enum class ModelRules : std::uint8_t { exact, reference };
[[nodiscard]] std::string_view name(ModelRules rules); ///< "exact", "reference"
[[nodiscard]] Result<ModelRules> parse_model_rules(std::string_view words);

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
