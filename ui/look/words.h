#pragma once

#include <QString>

#include <string_view>

namespace meshslice::ui {

/// The engine speaks UTF-8, widgets speak QString; this is the one bridge.
[[nodiscard]] inline QString words(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace meshslice::ui
