#include "ui/look/lettering.h"

#include "ui/look/figure_style.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>

namespace meshslice::ui {
namespace {

const QString& ellipsis() {
    static const QString sign = QStringLiteral("\u2026");
    return sign;
}

/// Digits, and the signs within a number that stand between digits.
bool isOfNumber(const QString& text, qsizetype at) {
    const auto digit = [&](qsizetype where) {
        return where >= 0 && where < text.size() && text[where].isDigit();
    };
    const bool sign =
        at >= 0 && at < text.size() && (text[at] == QLatin1Char('.') || text[at] == QLatin1Char(','));
    return digit(at) || (sign && digit(at - 1) && digit(at + 1));
}

/// Whether a part of the sentence ends with this word.
bool endsPart(const QString& word) {
    return !word.isEmpty() && QStringLiteral(";:.,\uff1b\uff1a\u3002\uff0c").contains(word.back());
}

/// Words that are set line by line.
class WordLines {
  public:
    WordLines(const QFont& font, const QString& text, double width)
        : metrics_(font), words_(text.split(QLatin1Char(' '), Qt::SkipEmptyParts)), width_(width) {}

    [[nodiscard]] qsizetype count() const { return words_.size(); }
    [[nodiscard]] QString text(qsizetype from, qsizetype to) const {
        return words_.mid(from, to - from).join(QLatin1Char(' '));
    }
    /// How far a line gets, `more` behind it: a word at least.
    [[nodiscard]] qsizetype reach(qsizetype from, const QString& more = {}) const {
        qsizetype to = from;
        while (to < count() && fits(text(from, to + 1) + more)) {
            ++to;
        }
        return std::max(to, from + 1);
    }
    [[nodiscard]] bool fits(const QString& text) const { return metrics_.horizontalAdvance(text) <= width_; }
    [[nodiscard]] qsizetype linesFrom(qsizetype from) const {
        qsizetype lines = 0;
        for (; from < count(); from = reach(from)) {
            ++lines;
        }
        return lines;
    }
    /// The last place in (from, to] behind a part of the sentence; `to` where there is none.
    [[nodiscard]] qsizetype behindPart(qsizetype from, qsizetype to) const {
        for (qsizetype at = to; at > from; --at) {
            if (endsPart(words_[at - 1])) {
                return at;
            }
        }
        return to;
    }

  private:
    QFontMetricsF metrics_;
    QStringList words_;
    double width_;
};

} // namespace

QFont lettering(Lettering size, bool bold) {
    QFont font = QGuiApplication::font();
    if (const QString family = pictureFamily(); !family.isEmpty()) {
        font.setFamilies({family});
    }
    font.setPixelSize(static_cast<int>(size));
    font.setBold(bold);
    font.setItalic(false);
    return font;
}

double textWidth(const QFont& font, const QString& text) {
    return QFontMetricsF(font).horizontalAdvance(text);
}

QString firstFitting(const QFont& font, const QStringList& wishes, double width) {
    for (const QString& wish : wishes) {
        if (textWidth(font, wish) <= width) {
            return wish;
        }
    }
    return {};
}

QString fitted(const QFont& font, const QString& text, double width) {
    const QFontMetricsF metrics(font);
    if (metrics.horizontalAdvance(text) <= width) {
        return text;
    }
    QString cut = metrics.elidedText(text, Qt::ElideRight, width);
    qsizetype kept = cut.size() - 1;
    if (kept > 0 && isOfNumber(text, kept)) { // what follows belongs to the number before it
        while (kept > 0 && isOfNumber(text, kept - 1)) {
            --kept;
        }
        cut = text.left(kept).trimmed() + ellipsis();
    }
    return cut.size() < 2 || metrics.horizontalAdvance(cut) > width ? QString() : cut;
}

QStringList wrapped(const QFont& font, const QString& text, double width) {
    QStringList lines;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && textWidth(font, longer) <= width) {
            lines.back() = longer;
        } else {
            lines += word;
        }
    }
    return lines;
}

QStringList inLines(const QFont& font, const QString& text, double width, int most) {
    const WordLines words(font, text, width);
    QStringList lines;
    qsizetype from = 0;
    while (from < words.count() && lines.size() + 1 < most && !words.fits(words.text(from, words.count()))) {
        const qsizetype reach = words.reach(from);
        const qsizetype part = words.behindPart(from, reach);
        const bool free = words.linesFrom(part) <= most - lines.size() - 1;
        const qsizetype to = free ? part : reach;
        lines << words.text(from, to);
        from = to;
    }
    if (from >= words.count()) {
        return lines;
    }
    QString last = words.text(from, words.count());
    if (!words.fits(last)) {
        const QString more = QLatin1Char(' ') + ellipsis();
        last = words.text(from, words.behindPart(from, words.reach(from, more)));
        while (endsPart(last)) {
            last.chop(1);
        }
        last = words.fits(last + more) ? last + more : fitted(font, last, width);
    }
    return lines << last;
}

void drawFitted(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QFont& font,
                const QString& text) {
    const QString shown = fitted(font, text, area.width());
    if (!shown.isEmpty()) {
        painter.setFont(font);
        painter.drawText(area, static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip, shown);
    }
}

} // namespace meshslice::ui
