#pragma once

#include "core/base/result.h"
#include "core/machine/data_type.h"

#include <string>
#include <string_view>

namespace meshslice {

/// What a flag says of the elements of an array: "bf16". The error names the flag and lists what there is.
[[nodiscard]] Result<DataType> element_type(std::string_view flag, const std::string& typed);

} // namespace meshslice
