#pragma once

#include "ui/session/explainer.h"

#include <QString>

namespace meshslice::ui {

/// Why a GEMM takes as long as it does: the sentence, what its critical path does while the core waits,
/// and the slack of each resource. Empty where there are no reasons yet, or none at all.
[[nodiscard]] QString productWhyText(const ReasonsPtr& reasons, std::size_t step, std::size_t gemm);
/// The same of the steps: a sentence for each, and what is exposed side by side.
[[nodiscard]] QString stepWhyText(const ReasonsPtr& reasons);

} // namespace meshslice::ui
