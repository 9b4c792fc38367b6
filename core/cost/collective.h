#pragma once

#include "core/base/result.h"
#include "core/cost/model_rules.h"
#include "core/machine/machine.h"

#include <array>
#include <cstdint>

namespace meshslice {

/// Chips of a group along one axis of a torus: every `stride`-th chip, whose rings therefore share their
/// links with `stride` - 1 others.
struct AlongAxis {
    std::int32_t chips = 1;
    std::int32_t stride = 1;
    bool ring = true; ///< or an open line

    bool operator==(const AlongAxis&) const = default;
};

/// Chips that communicate with each other, and how many of them stand together in one fast domain; `near`
/// divides `chips`. On a torus: how they lie along its axes, and `near` is `chips`.
struct ChipGroup {
    std::int64_t chips = 1;
    std::int64_t near = 1;
    std::array<AlongAxis, 3> along = {};

    bool operator==(const ChipGroup&) const = default;
};

/// What groups of chips pay on a network: nothing that asks it knows which kind of network it is.
///
/// Fast domains: rings that pass through them, whose chips share what leaves their domain over all their NICs
/// (section 3.2 and appendix A of arXiv 2410.00273).
///
/// A torus: along one axis a launch, and chips - 1 steps of a synchronisation for each link that is passed
/// and the transfer of a chunk, half of it each way on a ring, all of it one way on a line (MeshSlice paper,
/// section 3.2.2). Along several axes the tensor is divided over them, and each part goes along all axes in
/// turn, beginning with another one, so that all links are used; a phase waits for its slowest part. What is
/// broadcast or reduced passes each link whole.
class GroupNetwork {
  public:
    /// Refuses a network of neither kind: fast domains without a network around them, a torus within one, a
    /// torus whose axes differ; and a torus under other than exact rules, as none were published for it.
    [[nodiscard]] static Result<GroupNetwork> of(const Machine& hardware, ModelRules rules);

    [[nodiscard]] bool torus() const { return torus_; }
    /// Chips in a fast domain; 1 where there is none; on a torus those of the pod.
    [[nodiscard]] std::int64_t domain() const { return domain_; }
    /// Seconds; 0 for no bytes and for a group of one chip. The bytes are those of the whole (gathered)
    /// tensor. It has no law of an all-to-all and of a send-receive of a whole group.
    [[nodiscard]] double seconds(Collective what, double bytes, ChipGroup group) const;
    /// Seconds from one chip to another, of the same domain or of another one.
    [[nodiscard]] double seconds_to_one(double bytes, bool near) const;
    /// Seconds on a torus between chips so many links apart, where all in between send as far at that time
    /// and share the links.
    [[nodiscard]] double seconds_over(double bytes, std::int64_t hops) const;

  private:
    [[nodiscard]] static Result<GroupNetwork> of_torus(const Machine& hardware);
    [[nodiscard]] double seconds_on_torus(Collective what, double bytes, const ChipGroup& group) const;

    ModelRules rules_ = ModelRules::exact;
    std::int64_t domain_ = 1;
    double near_rate_ = 1, near_latency_ = 0; ///< bytes/s of one chip inside a domain; s a step
    double far_rate_ = 1, far_latency_ = 0;   ///< of one NIC
    double nics_ = 1;                         ///< of one chip
    bool torus_ = false;
    double link_rate_ = 1, sync_ = 0; ///< bytes/s of one link, one way; s a step and link
    double gather_launch_ = 0, scatter_launch_ = 0, send_launch_ = 0; ///< s
};

} // namespace meshslice
