#pragma once

#include "ui/session/plans.h"

#include <QString>
#include <QStringList>

namespace meshslice::ui {

/// A plan of a training run in details, as rich text: why it takes as long as it does, where its time goes
/// and what its chips hold. `why`: the sentences of plan_explanation(), or what stands in their place.
[[nodiscard]] QString planText(const FoundPlans& plans, const RankedPlan& plan, const QStringList& why);

} // namespace meshslice::ui
