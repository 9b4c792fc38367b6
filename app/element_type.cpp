#include "app/element_type.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {

Result<DataType> element_type(std::string_view flag, const std::string& typed) {
    const Result<DataType> type = parse_data_type(typed);
    return type ? type
                : refuse(fmt::format("{} is \"{}\"; {} was expected.", flag, shortened(typed),
                                     data_type_names()));
}

} // namespace meshslice
