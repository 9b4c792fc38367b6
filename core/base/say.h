#pragma once

#include "core/base/language.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace meshslice {

/// A sentence with its values: say("S = {} to {}", least, most).
template <class... Values>
[[nodiscard]] std::string say(fmt::format_string<Values...> english, Values&&... values) {
    const fmt::string_view text = english;
    const std::string* other = language_detail::instead_of({text.data(), text.size()});
    return other == nullptr ? fmt::format(english, std::forward<Values>(values)...)
                            : language_detail::spaced(fmt::vformat(*other, fmt::make_format_args(values...)));
}

} // namespace meshslice
