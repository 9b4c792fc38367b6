#pragma once

namespace meshslice::ui {

/// How long a test waits for what must come: long enough for a slow, busy machine under a sanitizer.
inline constexpr int patience_ms = 300'000;

} // namespace meshslice::ui
