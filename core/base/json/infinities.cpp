#include "core/base/json/infinities.h"

#include <algorithm>
#include <cstddef>

namespace meshslice {

std::string without_infinities(std::string_view text) {
    std::string made;
    made.reserve(text.size());
    bool quoted = false;
    for (std::size_t k = 0; k < text.size();) {
        if (quoted && text[k] == '\\' && k + 1 < text.size()) {
            made += text.substr(k, 2);
            k += 2;
            continue;
        }
        quoted = quoted != (text[k] == '"');
        std::size_t word = 0;
        for (const std::string_view name : {"-Infinity", "Infinity", "NaN"}) {
            word = !quoted && text.substr(k).starts_with(name) ? std::max(word, name.size()) : word;
        }
        made += word > 0 ? std::string_view("null") : text.substr(k, 1);
        k += std::max<std::size_t>(word, 1);
    }
    return made;
}

} // namespace meshslice
