#include "core/base/text/listing.h"

#include "core/base/say.h"

#include <fmt/format.h>

#include <cstddef>

namespace meshslice {

std::string listed(const std::vector<std::string>& names, std::string_view last) {
    std::string words;
    for (std::size_t k = 0; k < names.size(); ++k) {
        words = k == 0                  ? names[k]
                : k + 1 == names.size() ? say("{} {} {}", words, said(last), names[k])
                                        : say("{}, {}", words, names[k]);
    }
    return words;
}

} // namespace meshslice
