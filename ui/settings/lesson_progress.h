#pragma once

#include <QString>

namespace meshslice::ui {

/// How far somebody is in a lesson.
struct LessonProgress {
    int step = 0; ///< counted from 0; where it was left
    bool begun = false;
    bool done = false; ///< seen to its end, now or earlier

    bool operator==(const LessonProgress&) const = default;
};

/// By the lesson's id; what is missing or damaged has not been begun.
[[nodiscard]] LessonProgress restoredProgress(const QString& lesson);
void rememberProgress(const QString& lesson, const LessonProgress& progress);
/// The one that was open last; empty for none.
[[nodiscard]] QString restoredLesson();
void rememberLesson(const QString& lesson);

} // namespace meshslice::ui
