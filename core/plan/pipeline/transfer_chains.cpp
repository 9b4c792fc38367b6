#include "core/plan/pipeline/transfer_chains.h"

#include "core/base/short_list.h"

#include <algorithm>
#include <array>

namespace meshslice {
namespace {

/// The chains of one pipeline. Its times are those of a chunk: f forward, b backward. `h` is both.
class Chains {
  public:
    Chains(const PipelineTransfers& sends, double forward, double backward)
        : its_(sends)
        , f_(forward)
        , b_(backward)
        , h_(forward + backward)
        , p_(static_cast<double>(sends.on.stages))
        , v_(static_cast<double>(sends.chunks))
        , n_(sends.micro_batches)
        , pairs_(n_ * v_ - (v_ - 1) * p_) {}

    /// There and back through all stages, which comes before and after what follows: p - 1 passes each way.
    [[nodiscard]] double there_and_back() const { return (p_ - 1) * h_ + 2 * its_.one_way(); }

    [[nodiscard]] double interleaved() const {
        const double hops = its_.one_way() + its_.after(its_.on.stages - 1);
        // One round of a chunk: a micro-batch comes to all stages, or a link sends it for all micro-batches.
        const double sent = p_ * its_.longest();
        const double forward_round = std::max(p_ * f_ + hops, sent);
        const double backward_round = std::max(p_ * b_ + hops, sent);
        const double round = std::max({p_ * h_, forward_round, backward_round});
        const double filled = (v_ - 1) * (forward_round + backward_round) + there_and_back();
        const double later_groups = n_ / p_ - 1;
        double longest = std::max({
            // The last stage computes its last chunk for p micro-batches, while all other chunks go round.
            p_ * h_ + later_groups * ((v_ - 1) * round + p_ * h_),
            one_way_only(),
            last_stage(round / p_),
        });
        if (const double more = pairs_ - 3; more > 0) {
            longest = std::max(longest, more * turned_below(its_.on.stages - 1) + 3 * h_);
        }
        longest = std::max(longest, links_in_the_middle());
        return std::max(filled + longest, ordered());
    }

    [[nodiscard]] double one_f_one_b() const {
        double longest = std::max(one_way_only(), links_in_the_middle());
        // A way up and down over all but the first or the last boundary, which turns on the link next to it.
        if (its_.on.stages >= 3) {
            const double first = its_.after(0), last = its_.after(its_.on.stages - 2), all = its_.one_way();
            const std::array<double, 3> paces = {(2 * (all - first) + (p_ - 2) * h_ + b_ + first) / (p_ - 1),
                                                 (2 * (all - last) + (p_ - 2) * h_ + f_ + last) / (p_ - 1),
                                                 (2 * (all - first - last) + (p_ - 3) * h_ + first + last) /
                                                     (p_ - 2)};
            const double more = n_ - p_;
            if (more > 0) {
                longest = std::max(longest, p_ * h_ + more * std::ranges::max(paces));
            }
        }
        return std::max(there_and_back() + longest, ordered());
    }

    /// All go one way, then all the other: the slowest link sets the pace of each.
    [[nodiscard]] double gpipe() const {
        const double most = its_.longest();
        return there_and_back() + h_ + (n_ - 1) * (std::max(f_, most) + std::max(b_, most));
    }

  private:
    /// Transfers of a link one way, those of the other way left out.
    [[nodiscard]] double one_way_only() const { return (pairs_ - 1) * its_.longest() + h_; }

    /// The last stage's link: its last chunk hands nothing on.
    [[nodiscard]] double last_stage(double round) const {
        const double back = its_.after(its_.on.stages - 2);
        return (n_ - 1) * std::max(h_, back) + h_ +
               (v_ - 1) * (n_ - p_) * std::max({h_, back + its_.after(its_.on.stages - 1), round});
    }

    /// Seconds for each pair of passes of a way from a stage to the next one and back: both ways over their
    /// boundary, a pass of each stage and each way, and where it turns above and below the longer of a pass
    /// and a transfer that another one waits behind. It meets every third pair of passes.
    [[nodiscard]] double pace_of_two(std::int64_t above, double turn_above) const {
        return (2 * its_.after(above - 1) + h_ + turn_above + std::max(f_, its_.after(above - 2))) / 3;
    }
    [[nodiscard]] double turned_below(std::int64_t above) const { return pace_of_two(above, b_); }

    /// Chains over the link of a stage that is neither the first nor the last, and so many stages away from
    /// it: a micro-batch comes to the last stage and back before they begin, and when they end. Stages next
    /// to a boundary between units of a level are the busiest; of others with interleaved chunks the last,
    /// and of 1F1B the first, which has most micro-batches on their way.
    [[nodiscard]] double links_in_the_middle() const {
        const std::int64_t most = its_.on.stages - 2;
        ShortList<std::int64_t, 2 + 5 * StageLevels::most> places;
        places.push_back(1);
        places.push_back(most);
        for (std::size_t level = 0; level + 1 < its_.on.levels; ++level) {
            const std::int64_t row = its_.on.within[level];
            for (const std::int64_t away : {row - 2, row - 1, row, most + 1 - row, most + 2 - row}) {
                places.push_back(away);
            }
        }
        double longest = 0;
        for (const std::int64_t away : places) {
            if (away < 1 || away > most) {
                continue;
            }
            const std::int64_t stage = its_.on.stages - 1 - away;
            const auto stages = static_cast<double>(away);
            const double more = pairs_ - (its_.chunks > 1 ? 2 * stages : stages) - 1;
            if (more <= 0) {
                continue;
            }
            double pace = its_.after(stage) + its_.after(stage - 1);
            if (its_.chunks > 1 && stage >= 2) {
                pace = std::max(pace, pace_of_two(stage, std::max(b_, its_.after(stage))));
            }
            double hops = 0;
            for (std::int64_t k = stage; k < its_.on.stages - 1; ++k) {
                hops += its_.after(k);
            }
            const double ends = f_ + 2 * b_ - its_.after(stage) + stages * h_ + 2 * hops;
            longest = std::max(longest, more * pace + ends);
        }
        return longest;
    }

    /// A stage behind a boundary between two units of a level goes forward for some micro-batches before it
    /// goes backward for the first; all of these, and then all of the others, cross that boundary one after
    /// the other. From the start to the end of the step.
    [[nodiscard]] double ordered() const {
        double longest = 0;
        for (std::size_t end = 0; end < 2 * (its_.on.levels - 1); ++end) {
            const std::int64_t row = its_.on.within[end / 2];
            const std::int64_t stage = end % 2 == 0 ? row : its_.on.stages - row;
            if (stage < 1 || stage >= its_.on.stages) {
                continue;
            }
            const auto after = static_cast<double>(its_.on.stages - 1 - stage);
            const double ahead = std::min(its_.chunks > 1 ? 2 * after + (v_ - 1) * p_ : after, n_ * v_ - 1);
            double hops = 0;
            for (std::int64_t k = 0; k < stage - 1; ++k) {
                hops += its_.after(k);
            }
            longest = std::max(longest, static_cast<double>(stage) * h_ + 2 * hops + h_ +
                                            its_.after(stage - 1) * (ahead + 1 + n_ * v_));
        }
        return longest;
    }

    const PipelineTransfers& its_;
    double f_, b_, h_, p_, v_, n_;
    double pairs_; ///< of passes of the last stage, one forward and one backward
};

} // namespace

StageLevels stage_levels(const Plan& plan, std::size_t levels) {
    StageLevels made;
    made.stages = plan.pipeline;
    made.levels = levels;
    for (std::size_t level = 0; level + 1 < levels; ++level) {
        made.within[level] = plan.placed(level).pipeline;
    }
    return made;
}

double PipelineTransfers::one_way() const {
    double all = 0;
    for (std::size_t level = on.levels; level-- > 0;) {
        all += static_cast<double>(on.across(level)) * across[level];
    }
    return all;
}

double exposed_transfers(const PipelineTransfers& sends, double forward, double backward, double waits) {
    // A transfer that is over before the next pass is leaves its link at rest.
    if (sends.longest() <= std::min(forward, backward)) {
        return waits;
    }
    const Chains chains(sends, forward, backward);
    const double step = sends.order == PipelineKind::gpipe         ? chains.gpipe()
                        : sends.order == PipelineKind::interleaved ? chains.interleaved()
                                                                   : chains.one_f_one_b();
    const double passes =
        sends.micro_batches * static_cast<double>(sends.chunks) + static_cast<double>(sends.on.stages) - 1;
    return std::max(waits, step - passes * (forward + backward));
}

} // namespace meshslice
