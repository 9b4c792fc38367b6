#include "app/element_type.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace meshslice {

Result<ElementKind> element_type(std::string_view flag, const std::string& typed) {
    const ElementKind* const kind = element_kind(typed);
    if (kind == nullptr) {
        return refuse(fmt::format("{} is \"{}\"; f32, bf16, f16, int8, fp8 or int4 was expected.", flag,
                                  shortened(typed)));
    }
    return *kind;
}

} // namespace meshslice
