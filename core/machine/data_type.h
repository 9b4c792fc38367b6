#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace meshslice {

/// The type of a matrix element, as stored, multiplied and sent.
enum class DataType : std::uint8_t { bf16, int8 };
inline constexpr std::array all_data_types = {DataType::bf16, DataType::int8};
[[nodiscard]] std::string_view name(DataType type);
[[nodiscard]] constexpr std::int64_t element_bytes(DataType type) {
    return type == DataType::bf16 ? 2 : 1;
}
[[nodiscard]] Result<DataType> parse_data_type(std::string_view words);

} // namespace meshslice
