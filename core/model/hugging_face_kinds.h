#pragma once

#include "core/base/json/json_reader.h"
#include "core/model/hugging_face_family.h"
#include "core/model/transformer.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace meshslice {

/// What a Hugging Face configuration says of its blocks one by one. `config` is the object with the language
/// model's numbers and `json` the same; `model` has the numbers that stand for all. `kinds` stay empty where
/// every block is what those say. What is wrong is noted in the reader; what is said but cannot be modelled
/// comes back as phrases.
[[nodiscard]] std::vector<std::string> read_kinds(JsonReader& config, const nlohmann::json& json,
                                                  const HuggingFaceFamily& family, Transformer& model);

/// The feed-forward network of each block.
[[nodiscard]] std::vector<FeedForward> read_feed_forwards(JsonReader& config, const nlohmann::json& json,
                                                          const HuggingFaceFamily& family,
                                                          const Transformer& model);

/// The mixers of each block, "full_attention" and the like; empty where all are alike and attend to all.
[[nodiscard]] std::vector<std::string> block_words(JsonReader& config, const nlohmann::json& json,
                                                   const HuggingFaceFamily& family, const Transformer& model);

/// A list of one value for each block: the numbers, or the one for all.
[[nodiscard]] std::vector<std::int64_t> whole_for_each(JsonReader& config, const nlohmann::json& json,
                                                       const std::string& key, std::int64_t blocks);
/// The number under the key, or the other where it is missing.
[[nodiscard]] std::int64_t whole_or(JsonReader& config, const std::string& key, std::int64_t other);
[[nodiscard]] bool flag_or(JsonReader& config, const std::string& key, bool other);

/// Encoders: of pictures ("vision_config") and of sound ("audio_config"), where their numbers are there.
void read_towers(JsonReader& file, Transformer& model);

} // namespace meshslice
