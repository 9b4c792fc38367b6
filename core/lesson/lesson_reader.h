#pragma once

#include "core/base/json/json_reader.h"
#include "core/lesson/lesson.h"
#include "core/scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>

namespace meshslice {

/// Begins the origin of lessons that come with the program. A test asks for their numbers, so that reading
/// one, as the window does when it is begun, asks for none.
inline constexpr std::string_view shipped_lessons = ":/lessons/";

/// What a list says of a lesson, without reading its steps.
[[nodiscard]] Result<LessonTitle> read_lesson_title(std::string_view json, const std::string& origin);

/// Parts of lesson files. All note in the reader what is wrong; `origin` names file and step.

/// Sets the fields of a scenario that the object under `key` has, by the keys of its table: as in scenario
/// files, or numbers as they are typed ("x2" of the link bandwidth). The others stay.
void read_lesson_fields(JsonReader& reader, const std::string& key, const std::string& origin,
                        Scenario& scenario);

/// What the engine is asked in the object, which also may have other keys of the caller's; a run is of
/// `scenario`.
[[nodiscard]] std::optional<LessonQuantity> read_lesson_quantity(JsonReader& reader,
                                                                 const std::string& origin,
                                                                 const Scenario& scenario,
                                                                 const Questions& questions);

} // namespace meshslice
