#pragma once

#include "core/base/json_reader.h"
#include "core/lesson/lesson.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>

namespace meshslice {

/// Parts of lesson files. All note in the reader what is wrong; `origin` names file and step.

/// Sets the fields of a scenario that the object under `key` has, by the keys of its table: as in scenario
/// files, or numbers as they are typed ("x2" of the link bandwidth). The others stay.
void read_lesson_fields(JsonReader& reader, const std::string& key, const std::string& origin,
                        Scenario& scenario);

/// What the engine is asked in the object, which also may have other keys of the caller's; a run is of
/// `scenario`.
[[nodiscard]] std::optional<LessonQuantity>
read_lesson_quantity(JsonReader& reader, const std::string& origin, const Scenario& scenario,
                     const Questions& questions = all_questions());

} // namespace meshslice
