#pragma once

#include <string_view>

namespace meshslice::ui {

class Session;

/// A measured training run becomes the scenario, as a training run and as one undo step. One that cannot be
/// expressed changes nothing; the editor says why.
void loadMeasuredRun(Session& session, std::string_view id);

} // namespace meshslice::ui
