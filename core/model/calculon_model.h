#pragma once

#include "core/base/result.h"
#include "core/model/transformer.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace meshslice {

/// A model of Calculon (github.com/calculon-ai/calculon, models/*.json): hidden, feedforward, seq_size,
/// attn_heads, attn_size, num_blocks. As many heads of keys as of queries, a feed-forward network without a
/// gate, and no vocabulary, which it does not count.
[[nodiscard]] bool is_calculon_model(const nlohmann::json& file);
[[nodiscard]] Result<Transformer> read_calculon_model(const nlohmann::json& file, const std::string& origin,
                                                      std::vector<std::string>* all);

} // namespace meshslice
