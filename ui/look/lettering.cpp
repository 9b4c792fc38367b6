#include "ui/look/lettering.h"

#include "ui/look/figure_style.h"

#include <QCache>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

namespace meshslice::ui {
namespace {

const QString& ellipsis() {
    static const QString sign = QStringLiteral("\u2026");
    return sign;
}

CutTexts*& countedNow() {
    static CutTexts* counted = nullptr;
    return counted;
}

/// Words in a font. The same ones are measured again at every edit, and to set them is what takes the time.
struct SetWords {
    QFont font;
    QString text;
    int fonts; ///< fontsSoFar() then

    bool operator==(const SetWords&) const = default;
};

std::size_t qHash(const SetWords& words, std::size_t seed) {
    return qHashMulti(seed, words.font, words.text, words.fonts);
}

/// Counts how often fonts have come or gone, after which the same name may be other letters.
int fontsSoFar() {
    static std::atomic<int> count = 0;
    static const QMetaObject::Connection counting =
        QObject::connect(qGuiApp, &QGuiApplication::fontDatabaseChanged, [] { ++count; });
    return count;
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

/// What stays on one line: a word, and in Chinese a letter with the sign behind it.
struct LinePiece {
    QString text;
    bool spaced = false; ///< there is a space before it
};

QList<LinePiece> piecesOf(const QString& text) {
    const auto han = [](QChar c) { return c.script() == QChar::Script_Han; };
    const auto opens = [](QChar c) { return QStringLiteral("\u201c\uff08").contains(c); };
    QList<LinePiece> pieces;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        qsizetype begin = 0;
        for (qsizetype at = 1; at <= word.size(); ++at) {
            const bool sign =
                at < word.size() && (word[at].isPunct() || word[at].isSymbol()) && !opens(word[at]);
            const bool both =
                at < word.size() && (han(word[at]) || han(word[at - 1]) || word[at - 1].unicode() > 0x3000);
            if (at == word.size() || (both && !sign && !opens(word[at - 1]))) {
                pieces.append(LinePiece{word.mid(begin, at - begin), begin == 0 && !pieces.isEmpty()});
                begin = at;
            }
        }
    }
    return pieces;
}

/// Words that are set line by line.
class WordLines {
  public:
    WordLines(const QFont& font, const QString& text, double width)
        : font_(font), words_(piecesOf(text)), width_(width) {}

    [[nodiscard]] qsizetype count() const { return words_.size(); }
    [[nodiscard]] QString text(qsizetype from, qsizetype to) const {
        QString line;
        for (qsizetype at = from; at < to; ++at) {
            line += (at > from && words_[at].spaced ? QStringLiteral(" ") : QString()) + words_[at].text;
        }
        return line;
    }
    /// How far a line gets, `more` behind it: a word at least.
    [[nodiscard]] qsizetype reach(qsizetype from, const QString& more = {}) const {
        qsizetype to = from;
        while (to < count() && fits(text(from, to + 1) + more)) {
            ++to;
        }
        return std::max(to, from + 1);
    }
    [[nodiscard]] bool fits(const QString& text) const { return textWidth(font_, text) <= width_; }
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
            if (endsPart(words_[at - 1].text)) {
                return at;
            }
        }
        return to;
    }

  private:
    QFont font_;
    QList<LinePiece> words_;
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
    constexpr int most = 8192; // some pictures full of words
    thread_local QCache<SetWords, double> known(most);
    const SetWords words{font, text, fontsSoFar()};
    if (const double* const width = known.object(words)) {
        return *width;
    }
    const double width = QFontMetricsF(font).horizontalAdvance(text);
    known.insert(words, new double(width));
    return width;
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
    if (textWidth(font, text) <= width) {
        return text;
    }
    QString cut = QFontMetricsF(font).elidedText(text, Qt::ElideRight, width);
    qsizetype kept = cut.size() - 1;
    if (kept > 0 && isOfNumber(text, kept)) { // what follows belongs to the number before it
        while (kept > 0 && isOfNumber(text, kept - 1)) {
            --kept;
        }
        cut = text.left(kept).trimmed() + ellipsis();
    }
    return cut.size() < 2 || textWidth(font, cut) > width ? QString() : cut;
}

QStringList wrapped(const QFont& font, const QString& text, double width) {
    QStringList lines;
    if (const qsizetype end = text.indexOf(QLatin1Char('\n')); end >= 0) {
        return wrapped(font, text.left(end), width) + wrapped(font, text.mid(end + 1), width);
    }
    for (const LinePiece& word : piecesOf(text)) {
        const QString before = lines.isEmpty() || !word.spaced ? QString() : QStringLiteral(" ");
        const QString longer = lines.isEmpty() ? word.text : QString(lines.back() + before + word.text);
        if (!lines.isEmpty() && textWidth(font, longer) <= width) {
            lines.back() = longer;
        } else {
            lines += word.text;
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
    if (CutTexts* counted = countedNow(); shown != text || text.endsWith(ellipsis())) {
        for (; counted != nullptr; counted = counted->before_) {
            counted->add(text);
        }
    }
    if (!shown.isEmpty()) {
        painter.setFont(font);
        painter.drawText(area, static_cast<int>(alignment) | Qt::TextSingleLine | Qt::TextDontClip, shown);
    }
}

CutTexts::CutTexts() : before_(std::exchange(countedNow(), this)) {}

CutTexts::~CutTexts() {
    countedNow() = before_;
}

void CutTexts::add(const QString& text) {
    ++count_;
    if (first_.isEmpty()) {
        first_ = text;
    }
}

} // namespace meshslice::ui
