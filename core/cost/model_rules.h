#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// Where the published implementation of "Comprehensive Performance Modeling and System Design Insights for
/// Foundation Models" (arXiv 2410.00273; github.com/ShashankSubramanian/transformer-perf-estimates, commit
/// 54278b0) counts something else than what happens. resources/docs/plan-rules.md says what, and what it does
/// to the results.
enum class Slip : std::uint8_t {
    free_slow_transfers, ///< transfers across domains cost nothing where some stages share one
    single_all_reduce,   ///< an all-reduce is one pass of its ring, unless it crosses domains
    one_nic,             ///< a chip alone in its domain has one NIC, however many it has
    norm_over_sequence,  ///< the norm of SUMMA splits the sequence where the width is meant
    extra_panel,         ///< SUMMA's exposed panels are one more than come after the first
    panel_additions,     ///< SUMMA adds a term more than there are
    serial_transfers,    ///< every micro-batch waits for its transfers, and the bubble does too
    shared_links,        ///< data-parallel communication hides behind communication on the same links
    gathered_inputs,     ///< gathered inputs are kept, though they are gathered again
    twice_kept,          ///< the output of attention is kept twice
    whole_biases,        ///< biases that are added to a chip's rows are counted in full
    full_attention,      ///< causal attention computes what it masks
    vectors_as_matrices, ///< FLOP of softmax count as the matrix FLOP that take their time
    rounding_down,       ///< what does not divide is rounded down
    full_domains,        ///< a placement must fill a fast domain
    panel_list,          ///< panels need not belong to rows and columns of the grid
    free_panels,         ///< SUMMA's panels need one launch together, so few counts of them are tried
};
inline constexpr int slip_count = 17;
[[nodiscard]] std::string_view name(Slip slip); ///< "free slow transfers"

/// What is counted: what is right (`exact`), all that was published (`reference`), or anything between.
class ModelRules {
  public:
    static const ModelRules exact, reference;

    constexpr explicit ModelRules(std::uint32_t slips) : slips_(slips) {}
    [[nodiscard]] constexpr bool has(Slip slip) const {
        return ((slips_ >> static_cast<int>(slip)) & 1U) != 0;
    }
    /// The same with one more, or one fewer.
    [[nodiscard]] constexpr ModelRules with(Slip slip) const { return ModelRules(slips_ | bit(slip)); }
    [[nodiscard]] constexpr ModelRules without(Slip slip) const { return ModelRules(slips_ & ~bit(slip)); }

    constexpr bool operator==(const ModelRules&) const = default;

  private:
    static constexpr std::uint32_t bit(Slip slip) { return std::uint32_t{1} << static_cast<int>(slip); }

    std::uint32_t slips_;
};
inline constexpr ModelRules ModelRules::exact{0};
inline constexpr ModelRules ModelRules::reference{(std::uint32_t{1} << slip_count) - 1};

/// "exact", "reference", or "mixed" of any between.
[[nodiscard]] std::string_view name(ModelRules rules);
/// "exact" or "reference".
[[nodiscard]] Result<ModelRules> parse_model_rules(std::string_view words);

} // namespace meshslice
