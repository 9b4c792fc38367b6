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

QString lessonTitle(const Lesson& lesson) {
    const auto place =
        std::ranges::find_if(lessons(), [&](const LessonPtr& one) { return one.get() == &lesson; });
    const QString title = words(lesson.title.text());
    return place == lessons().end()
               ? title
               : LessonWords::tr("%1. %2").arg(static_cast<int>(place - lessons().begin()) + 1).arg(title);
}

LessonPtr nextLesson(const Lesson& lesson) {
    const auto place =
        std::ranges::find_if(lessons(), [&](const LessonPtr& one) { return one.get() == &lesson; });
    return place == lessons().end() || place + 1 == lessons().end() ? nullptr : *(place + 1);
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
