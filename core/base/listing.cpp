#include "core/base/listing.h"

#include <cstddef>

namespace meshslice {

std::string listed(const std::vector<std::string>& names) {
    std::string words;
    for (std::size_t k = 0; k < names.size(); ++k) {
        words += k == 0 ? "" : k + 1 == names.size() ? " and " : ", ";
        words += names[k];
    }
    return words;
}

} // namespace meshslice
