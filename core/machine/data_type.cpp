#include "core/machine/data_type.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {

std::string_view name(DataType type) {
    constexpr std::array<std::string_view, all_data_types.size()> names = {"f32", "tf32", "bf16", "f16",
                                                                           "fp8", "int8", "fp4",  "int4"};
    return names[static_cast<std::size_t>(type)];
}

Result<DataType> parse_data_type(std::string_view words) {
    for (const DataType type : all_data_types) {
        if (words == name(type) || (words.starts_with("fp") && words.substr(2) == name(type).substr(1))) {
            return type;
        }
    }
    return refuse(
        fmt::format("\"{}\" is not a data type; expected {}.", shortened(words), data_type_names()));
}

std::string data_type_names() {
    std::string names;
    for (const DataType type : all_data_types) {
        const bool last = type == all_data_types.back();
        names += names.empty() ? "" : last ? " or " : ", ";
        names += name(type);
    }
    return names;
}

} // namespace meshslice
