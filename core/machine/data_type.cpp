#include "core/machine/data_type.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {

std::string_view name(DataType type) {
    return type == DataType::bf16 ? "bf16" : "int8";
}

Result<DataType> parse_data_type(std::string_view words) {
    for (const DataType type : all_data_types) {
        if (words == name(type)) {
            return type;
        }
    }
    return refuse(fmt::format("\"{}\" is not a data type; the two are bf16 and int8.", shortened(words)));
}

} // namespace meshslice
