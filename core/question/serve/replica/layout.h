#pragma once

#include "core/base/result.h"
#include "core/cost/collective/collective.h"
#include "core/evidence/inference/inference_step.h"
#include "core/machine/machine.h"
#include "core/plan/inside/collective_run.h"
#include "core/question/serve/replica/served_model.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace meshslice {

/// How a replica's weights, cache and tokens lie on its chips.
struct ServingLayout {
    std::int64_t tensor = 1; ///< chips that share the weights
    /// Of those, chips along the model's own dimension, so that an exchange sums over these and gathers over
    /// the others: 2D weight-stationary (Pope et al., arXiv:2211.05102, section 3.2.2). 1: all of them lie
    /// along heads and columns, 1D.
    std::int64_t weights_across = 1;
    /// Of those, chips that each attend to a share of the requests, and the others to a share of the heads:
    /// tokens go there and back by an all-to-all, or by the sums and gathers of 2D. 1: all of them share the
    /// heads, and repeat those of the cache of which there are fewer.
    std::int64_t cache_across = 1;
    /// Groups of so many chips, each with all weights, among which the tokens of a request are divided:
    /// context parallel (arXiv:2411.01783). 1: a request lies in one group.
    std::int64_t context = 1;

    [[nodiscard]] std::int64_t chips() const { return tensor * context; }
    [[nodiscard]] bool plain() const { return weights_across == 1 && cache_across == 1 && context == 1; }
    bool operator==(const ServingLayout&) const = default;
};

/// Chips of a replica in two parts: those `across`, and the others.
struct PartedChips {
    ChipGroup across, rest, all;
};
/// Along whole axes of a torus as group_of_replica() lies on it, else within one switch.
[[nodiscard]] std::optional<PartedChips> parted(const Machine& machine, std::int64_t chips,
                                                std::int64_t across);

/// What chips of a layout exchange in a layer, by the laws of the machine's network.
class LayoutExchanges {
  public:
    /// Refuses what has no place on the machine. `ideal`: without launches, latencies and losses.
    [[nodiscard]] static Result<LayoutExchanges> of(const Machine& machine, const ServedModel& model,
                                                    const ServingLayout& layout, bool ideal);

    /// Of chips that share the weights, for so many rows: all-reduces after attention and after the
    /// feed-forward network, or what takes their place, and an all-to-all to where requests attend and back.
    [[nodiscard]] std::vector<CollectiveOfGroup> of_weights(double rows) const;
    [[nodiscard]] double seconds(const std::vector<CollectiveOfGroup>& all) const;
    /// Seconds of the all-reduces of a plain layout of as many chips, and how many times as long these take.
    [[nodiscard]] double plain_seconds(double rows) const { return seconds(one_dimension(rows)); }
    [[nodiscard]] double of_plain(double rows) const;

    /// Of groups that divide the tokens of a request. Prompts: keys and values of all tokens that are seen go
    /// to each group, or their queries there and back if these are fewer bytes. Requests that decode: queries
    /// to all groups, and what each made of its part of the cache back.
    [[nodiscard]] std::vector<CollectiveOfGroup> of_prompts(const StepBatch& batch) const;
    [[nodiscard]] std::vector<CollectiveOfGroup> of_decoding(double rows) const;
    /// Seconds of those with a latency for each and a share of the links' rate that is reached.
    [[nodiscard]] double context_seconds(const std::vector<CollectiveOfGroup>& all, double latency,
                                         double share) const;

  private:
    explicit LayoutExchanges(LevelLaws laws) : laws_(std::move(laws)) {}
    /// Seconds of what is exchanged in a layer, without launches and latencies.
    [[nodiscard]] double transfer(const CollectiveOfGroup& collective) const;
    [[nodiscard]] std::vector<CollectiveOfGroup> one_dimension(double rows) const;
    [[nodiscard]] std::vector<CollectiveOfGroup> two_dimensions(double rows) const;
    [[nodiscard]] double columns_of_queries() const { return model_.heads * model_.head_size; }

    LevelLaws laws_;
    InferenceModel model_;
    ServingLayout layout_;
    double columns_of_keys_ = 0; ///< of a layer on a chip, and of values
    bool ideal_ = false;
    ChipGroup plain_ = {};
    std::optional<PartedChips> weights_ = {}, cache_ = {}, context_ = {};
};

} // namespace meshslice
