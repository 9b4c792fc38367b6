#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace meshslice {

/// Why the blocks of a Hugging Face configuration are not attention and one feed-forward network, the same in
/// every block: one phrase a reason, such as "\"kv_lora_rank\" means latent attention". Empty where nothing
/// says so. Keys are known by parts of their names too, so that a family that nobody has listed is not passed
/// over. `config` is the object that holds the language model's numbers.
[[nodiscard]] std::vector<std::string> other_blocks(const nlohmann::json& config,
                                                    std::string_view model_type);

} // namespace meshslice
