#pragma once

#include "ui/lab/cost_questions.h"

#include <QString>

#include <cstddef>
#include <utility>
#include <vector>

namespace meshslice {
struct Machine;
}

namespace meshslice::ui {

/// What is shown, and its data.
using Choices = std::vector<std::pair<QString, QString>>;

[[nodiscard]] std::pair<QString, QString> choiceOf(const Machine& hardware);
/// The chips that come with the program and form a torus.
[[nodiscard]] Choices torusChoices();

[[nodiscard]] CostField typed(const char* key, QString label, QString name, QString tip, QString first,
                              int stretch = 1);
[[nodiscard]] CostField chosen(const char* key, QString name, QString tip, Choices choices,
                               QString first = {}, QString label = {}, int stretch = 1);
[[nodiscard]] tl::unexpected<CostRefusal> refused(std::size_t field, const QString& sentence);

} // namespace meshslice::ui
