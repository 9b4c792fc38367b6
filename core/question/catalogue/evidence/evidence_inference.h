#pragma once

#include "core/question/question.h"

namespace meshslice {

/// What prefill and decode were measured to take, next to what we say of them.
[[nodiscard]] Result<Answer> inference_evidence(const Asked& asked, const RunControl& control);
/// What deployments under load were measured to take, and logs of requests, next to what we say of them.
[[nodiscard]] Result<Answer> serving_evidence(const Asked& asked, const RunControl& control);

} // namespace meshslice
