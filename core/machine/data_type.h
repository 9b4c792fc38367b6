#pragma once

#include "core/base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace meshslice {

/// The type of a matrix element, as stored, multiplied and sent.
enum class DataType : std::uint8_t { fp32, tf32, bf16, fp16, fp8, int8, fp4, int4 };
inline constexpr std::array all_data_types = {DataType::fp32, DataType::tf32, DataType::bf16, DataType::fp16,
                                              DataType::fp8,  DataType::int8, DataType::fp4,  DataType::int4};
/// "bf16", "int8"; "f32" and "f16" as arrays are written.
[[nodiscard]] std::string_view name(DataType type);
/// As stored: TF32 rounds what it multiplies, in 32 bits each.
[[nodiscard]] constexpr std::int64_t bits(DataType type) {
    constexpr std::array<std::int64_t, all_data_types.size()> sizes = {32, 32, 16, 16, 8, 8, 4, 4};
    return sizes[static_cast<std::size_t>(type)];
}
/// Of a type of whole bytes, as all are that programs multiply.
[[nodiscard]] constexpr std::int64_t element_bytes(DataType type) {
    return bits(type) / 8;
}
/// Also "fp32" and "fp16". The error lists what there is.
[[nodiscard]] Result<DataType> parse_data_type(std::string_view words);
/// "f32, tf32, bf16, f16, fp8, int8, fp4 or int4"
[[nodiscard]] std::string data_type_names();

} // namespace meshslice
