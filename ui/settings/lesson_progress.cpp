#include "ui/settings/lesson_progress.h"

#include <QSettings>

namespace meshslice::ui {
namespace {

QString lessonKey(const QString& lesson, const char* what) {
    return QStringLiteral("lessons/%1/%2").arg(lesson, QLatin1String(what));
}
QString lastLessonKey() {
    return QStringLiteral("lessons/last");
}

} // namespace

LessonProgress restoredProgress(const QString& lesson) {
    const QSettings settings;
    bool is_number = false;
    const int step = settings.value(lessonKey(lesson, "step")).toInt(&is_number);
    const bool sound = is_number && step >= 0;
    return {sound ? step : 0, sound, settings.value(lessonKey(lesson, "done"), false).toBool()};
}

void rememberProgress(const QString& lesson, const LessonProgress& progress) {
    QSettings settings;
    settings.setValue(lessonKey(lesson, "step"), progress.step);
    settings.setValue(lessonKey(lesson, "done"), progress.done);
}

QString restoredLesson() {
    return QSettings().value(lastLessonKey()).toString();
}

void rememberLesson(const QString& lesson) {
    QSettings().setValue(lastLessonKey(), lesson);
}

} // namespace meshslice::ui
