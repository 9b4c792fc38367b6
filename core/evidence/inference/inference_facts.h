#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// A chip as its data sheet has it. 0: it has none, or it is not said.
struct InferenceChip {
    std::string name;
    double peak_16 = 0, peak_8 = 0, peak_4 = 0; ///< FLOP/s, dense
    double memory_rate = 0;                     ///< bytes/s
    double memory = 0;                          ///< bytes
    double attention_clock = 0;                 ///< multiprocessors times Hz
    double link_rate = 0;                       ///< bytes/s that an all-reduce reaches in a group
    double pair = 0;                            ///< chips with links; more of them meet over PCIe
    double rate_beyond_pairs = 0;               ///< bytes/s
    bool pcie = false;
    double domain = 8;                ///< chips whose links meet in one switch
    double rate_beyond_domain = 50e9; ///< bytes/s of a chip: an adapter of 400 Gbit/s for each
    std::string like;                 ///< whose constants a chip without rows takes

    [[nodiscard]] bool hopper() const;
    [[nodiscard]] bool over_pcie(double chips) const { return pcie || (pair > 0 && chips > pair); }
};

/// A model's shape.
struct InferenceModel {
    std::string name;
    double layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_size = 0, width = 0, matrices = 0;
    double vocabulary = 0, experts = 0, chosen = 0, expert_width = 0, shared_experts = 0, first_dense = 0;
    double parameters = 0;
    double window = 0, window_layers = 0;  ///< keys that a layer sees at most, and the share of such layers
    double seen_keys = 0;                  ///< that sparse attention chooses; 0: all
    double plain_size = 0, value_size = 0; ///< of a head of latent attention; 0: as DeepSeek V3
    /// Of a layer with linear attention: columns of its first product, rows of its last, numbers in its
    /// state.
    double linear_columns = 0, linear_rows = 0, linear_state = 0;
    bool latent = false;   ///< multi-head latent attention
    bool hybrid = false;   ///< most layers keep no growing cache
    bool parallel = false; ///< attention and feed-forward side by side: one sum a layer
    bool tied = false;     ///< the head is the embedding

    [[nodiscard]] double expert_layers() const { return experts > 0 ? layers - first_dense : 0; }
};

struct InferenceFacts {
    std::vector<InferenceChip> chips;
    std::vector<InferenceModel> models;

    /// By name, with capitals or without; null where there is none.
    [[nodiscard]] const InferenceChip* chip(std::string_view name) const;
    [[nodiscard]] const InferenceModel* model(std::string_view name) const;
};
[[nodiscard]] Result<InferenceFacts> read_inference_facts(std::string_view json, const std::string& origin);
/// Of resources/measured/inference-facts.json.
[[nodiscard]] const InferenceFacts& inference_facts();

} // namespace meshslice
