#include "ui/look/lettering.h"

#include <QFontMetricsF>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

const QString answer =
    QStringLiteral("MeshSlice 32x8: one block 61.7\u2009ms, 66% of peak; 28.1 of 32.0\u2009GB; "
                   "69% of communication hidden; bound by compute");

double wide(const QString& text) {
    return textWidth(lettering(Lettering::normal), text) + 0.5;
}
QStringList inLinesOf(double width, int most) {
    return inLines(lettering(Lettering::normal), answer, width, most);
}

/// A width that was asked for before is that of its own font.
TEST(Lettering, WidthsAreThoseOfTheFont) {
    for (int again = 0; again < 2; ++again) {
        for (const Lettering size : {Lettering::small, Lettering::title}) {
            for (const bool bold : {false, true}) {
                const QFont font = lettering(size, bold);
                EXPECT_EQ(textWidth(font, answer), QFontMetricsF(font).horizontalAdvance(answer));
            }
        }
    }
}

TEST(InLines, OneLineWhereThereIsRoom) {
    EXPECT_EQ(inLinesOf(wide(answer), 2), QStringList(answer));
}

/// Broken behind a part of the sentence, not in the middle of one.
TEST(InLines, TwoLinesBreakBehindAPart) {
    const QString first =
        QStringLiteral("MeshSlice 32x8: one block 61.7\u2009ms, 66% of peak; 28.1 of 32.0\u2009GB;");
    EXPECT_EQ(inLinesOf(wide(first + QStringLiteral(" 69% of")), 2),
              QStringList({first, QStringLiteral("69% of communication hidden; bound by compute")}));
}

/// What has no room is a whole part, and the last line says that there is more.
TEST(InLines, LeavesOutWholeParts) {
    const QString first = QStringLiteral("MeshSlice 32x8: one block 61.7\u2009ms,");
    const QStringList lines = inLinesOf(wide(first), 2);
    ASSERT_EQ(lines.size(), 2);
    EXPECT_EQ(lines[0], first);
    EXPECT_EQ(lines[1], QStringLiteral("66% of peak; 28.1 of 32.0\u2009GB \u2026"));
    EXPECT_EQ(inLinesOf(wide(QStringLiteral("MeshSlice 32x8: one block 61.")), 1),
              QStringList(QStringLiteral("MeshSlice 32x8 \u2026")));
}

/// At no width is a number cut.
TEST(InLines, NeverCutANumber) {
    const QStringList words = answer.split(QLatin1Char(' '));
    for (double width = 60; width < wide(answer); width += 1) {
        for (const QString& line : inLinesOf(width, 2)) {
            for (const QString& word : line.split(QLatin1Char(' '))) {
                const bool whole = words.contains(word) || words.contains(word + QLatin1Char(';')) ||
                                   words.contains(word + QLatin1Char(',')) ||
                                   words.contains(word + QLatin1Char(':')) ||
                                   word == QStringLiteral("\u2026");
                ASSERT_TRUE(whole || !word.contains(QLatin1Char('6')))
                    << word.toStdString() << " at " << width;
            }
        }
    }
}

/// Where an ellipsis would stand in a number, the number goes.
TEST(Fitted, DoesNotCutNumbers) {
    const QFont font = lettering(Lettering::small);
    const QString text = QStringLiteral("busy 1,234.5 ms");
    for (double width = 20; width < textWidth(font, text); width += 1) {
        const QString cut = fitted(font, text, width);
        ASSERT_FALSE(cut.contains(QLatin1Char('1')) && !cut.contains(QStringLiteral("1,234.5")))
            << cut.toStdString();
    }
    EXPECT_EQ(fitted(font, text, textWidth(font, text) + 1), text);
}

/// Chinese has no spaces: a line may end behind any letter, but none begins with a sign.
TEST(Lettering, WrapsChinese) {
    const QFont font = lettering(Lettering::normal);
    const QString text =
        QStringLiteral("粗条：实际用时。细条：两个轴的通信，含被掩盖（GEMM 的 66%）和未被掩盖的。");
    const double width = textWidth(font, text) / 4;
    for (const QStringList& lines : {wrapped(font, text, width), inLines(font, text, width, 20)}) {
        EXPECT_GE(lines.size(), 4);
        QString together;
        for (const QString& line : lines) {
            EXPECT_LE(textWidth(font, line), width) << line.toStdString();
            EXPECT_FALSE(QStringLiteral("，。：）").contains(line.front())) << line.toStdString();
            EXPECT_FALSE(line.endsWith(QStringLiteral("（"))) << line.toStdString();
            together += line;
        }
        EXPECT_EQ(together.remove(QLatin1Char(' ')), QString(text).remove(QLatin1Char(' ')));
    }
    EXPECT_EQ(wrapped(font, QStringLiteral("one two"), 1),
              (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
}

} // namespace
} // namespace meshslice::ui
