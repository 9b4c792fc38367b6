#include "ui/lessons/lesson_words.h"

#include "ui/look/words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace meshslice::ui {
namespace {

struct LessonWords {
    Q_DECLARE_TR_FUNCTIONS(meshslice::ui::Lesson)
};

/// Among those that come with the program; the end where it is a file of the reader's own.
auto placeOf(const Lesson& lesson) {
    const bool ours = meshslice::lesson(lesson.id).get() == &lesson;
    return ours ? std::ranges::find(lesson_titles(), lesson.id, &LessonTitle::id) : lesson_titles().end();
}

} // namespace

QString lessonHtml(const std::string& text) {
    static const QRegularExpression bold(QStringLiteral("\\*\\*(.+?)\\*\\*"));
    static const QRegularExpression code(QStringLiteral("`(.+?)`"));
    QString html;
    for (const QString& paragraph : words(text).split(QStringLiteral("\n\n"))) {
        QString line = paragraph.toHtmlEscaped();
        line.replace(bold, QStringLiteral("<b>\\1</b>"));
        line.replace(code, QStringLiteral("<code>\\1</code>"));
        line.replace(QLatin1Char('\n'), QStringLiteral("<br>"));
        html +=
            QStringLiteral("<p style=\"margin-top:0; margin-bottom:6px\">") + line + QStringLiteral("</p>");
    }
    return html;
}

QString lessonTitle(const LessonTitle& lesson) {
    const auto place = std::ranges::find(lesson_titles(), lesson.id, &LessonTitle::id);
    return LessonWords::tr("%1. %2")
        .arg(static_cast<int>(place - lesson_titles().begin()) + 1)
        .arg(words(lesson.title.text()));
}

QString lessonTitle(const Lesson& lesson) {
    const auto place = placeOf(lesson);
    return place == lesson_titles().end() ? words(lesson.title.text()) : lessonTitle(*place);
}

LessonPtr nextLesson(const Lesson& lesson) {
    const auto place = placeOf(lesson);
    return place == lesson_titles().end() || place + 1 == lesson_titles().end()
               ? nullptr
               : meshslice::lesson((place + 1)->id);
}

QString notAnAnswer(const QString& typed, const LessonQuestion& question) {
    const TypedAnswer read = read_answer(typed.toStdString(), question.unit);
    const QString example = words(answer_example(question.unit));
    switch (read.kind) {
    case TypedAnswer::Kind::number: return {};
    case TypedAnswer::Kind::without_unit:
        return LessonWords::tr("%1 of what? Add the unit, as in %2.").arg(typed.trimmed(), example);
    case TypedAnswer::Kind::none: break;
    }
    return typed.trimmed().isEmpty()
               ? LessonWords::tr("Type a number, such as %1.").arg(example)
               : LessonWords::tr("\"%1\" is not a number that is understood here; something like %2 is.")
                     .arg(typed.trimmed(), example);
}

Heard heard(const QString& typed, const LessonQuestion& question, double answer) {
    const double value = read_answer(typed.toStdString(), question.unit).value;
    const QString shown = words(answer_text(value, question.unit));
    switch (judge(question, value, answer)) {
    case Verdict::right: {
        QString sentence = LessonWords::tr("Right: %1.").arg(words(answer_text(answer, question.unit)));
        if (!question.because.empty()) {
            sentence += translated(" ") + words(question.because.plain());
        }
        return {sentence, true};
    }
    case Verdict::other_prefix:
        return {LessonWords::tr("Almost: the digits are right, but %1 is off by a prefix (k, M, G; m, µ).")
                    .arg(shown),
                false};
    case Verdict::too_small: return {LessonWords::tr("Not yet: %1 is too small.").arg(shown), false};
    case Verdict::too_large: return {LessonWords::tr("Not yet: %1 is too large.").arg(shown), false};
    }
    return {};
}

} // namespace meshslice::ui
