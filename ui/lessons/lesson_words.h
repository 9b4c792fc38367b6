#pragma once

#include "core/lesson/answer.h"
#include "core/lesson/lesson.h"

#include <QString>

namespace meshslice::ui {

/// A lesson's text as rich text: **bold**, `code` and paragraphs.
[[nodiscard]] QString lessonHtml(const std::string& text);

/// "2. Notation" of the second one of those that come with the program; else the title.
[[nodiscard]] QString lessonTitle(const Lesson& lesson);
[[nodiscard]] QString lessonTitle(const LessonTitle& lesson);

/// The one after it, of those that come with the program; null after the last one, and after others.
[[nodiscard]] LessonPtr nextLesson(const Lesson& lesson);

/// What somebody who typed `typed` hears; `right` says whether that was it.
struct Heard {
    QString sentence;
    bool right = false;
};
/// Of a text that is not an answer yet; empty where it is one.
[[nodiscard]] QString notAnAnswer(const QString& typed, const LessonQuestion& question);
[[nodiscard]] Heard heard(const QString& typed, const LessonQuestion& question, double answer);

} // namespace meshslice::ui
