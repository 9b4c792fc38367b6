#pragma once

#include "core/base/result.h"
#include "core/cost/collective/collective.h"
#include "core/machine/data_type.h"
#include "core/machine/network.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace meshslice {

/// What hides dispatch and combine while chips compute: nothing; the shared expert of the same layer
/// (Megatron-LM, --moe-shared-expert-overlap); or the passes of another micro-batch (DeepSeek-V3, arXiv
/// 2412.19437, section 3.2.1; Megatron-LM, --overlap-moe-expert-parallel-comm).
enum class ExpertOverlap : std::uint8_t { none, shared, micro_batch };
inline constexpr std::array all_expert_overlaps = {ExpertOverlap::none, ExpertOverlap::shared,
                                                   ExpertOverlap::micro_batch};
[[nodiscard]] std::string_view name(ExpertOverlap overlap); ///< "none", "shared", "microbatch"

/// The share of a GPU's cores that dispatch and combine keep from what they hide behind: 20 of the 132 of an
/// H800 (DeepSeek-V3, arXiv 2412.19437, section 3.5.1).
inline constexpr double exchange_cores = 20.0 / 132;
/// Of an exchange of so many seconds, what is added to compute of `behind` seconds that hides it on the cores
/// that are left to it; all of the exchange where hiding costs more.
[[nodiscard]] double not_hidden(double exchange, double behind);

/// How tokens travel to their experts and back, and how evenly the router spreads them.
struct ExpertExchange {
    /// In which they are sent: bf16, or fp8 with a scale in fp32 for each 128 numbers (DeepSeek-V3, arXiv
    /// 2412.19437, sections 3.3.2 and 3.3.3, which does so forward and backward). Results come back in bf16.
    DataType dispatch = DataType::bf16;
    /// A token crosses each border once for all of its experts behind it, and is handed on there; what comes
    /// back is added up before it crosses (DeepEP, github.com/deepseek-ai/DeepEP, README: normal kernels).
    /// Else it is sent once for each expert.
    bool once = true;
    /// A token goes to experts in at most so many innermost units of the network (node-limited routing,
    /// DeepSeek-V3, section 2.1.2); 0: any; none: as the model's groups of experts say.
    std::optional<std::int64_t> domains = {};
    /// Tokens of the chip that gets most over those of the mean chip; none: the worst that can be, all to
    /// the same experts.
    std::optional<double> fullest = 1.0;
    /// None: another micro-batch in DualPipe, which is made for it; else nothing.
    std::optional<ExpertOverlap> overlap = {};

    bool operator==(const ExpertExchange&) const = default;
};

/// Bytes of a number on its way to an expert; on its way back 2.
[[nodiscard]] double dispatch_bytes(const ExpertExchange& exchange);

/// What the router of a layer chooses from. Groups of experts that stand next to each other are chosen
/// first, and experts from these.
struct ExpertRouting {
    double experts = 1, per_token = 1;
    double groups = 1, groups_per_token = 1;

    bool operator==(const ExpertRouting&) const = default;
};
/// As the exchange limits it among so many units.
[[nodiscard]] ExpertRouting limited(ExpertRouting routing, const ExpertExchange& exchange, double domains);

/// How many of so many units, which have as many experts each, have an expert of a token on average: all
/// choices of groups, and of experts in them, are equally likely.
[[nodiscard]] double units_of_token(const ExpertRouting& routing, double units);

/// What the fullest chip of a group sends or gets across each level of the network, from the inside out, of
/// what one of its chips brings: in copies of a token. The routing is that which limited() gives.
using CopiesAcross = std::array<double, Network::most_levels>;
[[nodiscard]] CopiesAcross copies_across(const ExpertRouting& routing, const ExpertExchange& exchange,
                                         const ChipGroup& group, std::size_t levels);
/// Tokens that the experts of the fullest of so many chips work on, over those of the mean chip.
[[nodiscard]] double fullest_work(const ExpertRouting& routing, const ExpertExchange& exchange, double chips);

} // namespace meshslice
