#pragma once

#include "ui/lab/stepper/stepper_picture.h"

namespace meshslice::ui {

/// "Step 3 of 10, s = 0: A' = AG_col(A_s)", and what that does.
[[nodiscard]] QString stepperStep(const StepperShown& shown);
/// Whether the product is right, at the last step; before it what C still lacks. Empty for an exchange.
[[nodiscard]] QString stepperVerdict(const StepperShown& shown);
/// The numbers of a value on a chip, row by row.
[[nodiscard]] QStringList stepperMatrixLines(const StepperShown& shown, Chip chip, ValueId value);
/// What a link carries in this step, and how much it has carried so far.
[[nodiscard]] QStringList stepperLinkLines(const StepperShown& shown, std::size_t link);
/// What this step sends over a link; null where nothing.
[[nodiscard]] const LinkMessage<double>* stepperMessage(const StepperShown& shown, std::size_t link);
/// Everything that is on a chip, in one line for each value.
[[nodiscard]] QStringList stepperChipLines(const StepperShown& shown, Chip chip);

} // namespace meshslice::ui
