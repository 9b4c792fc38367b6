#include "ui/commands/dialogs/palette_match.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace meshslice::ui {
namespace {

constexpr qsizetype most_recent = 12;

/// In lower case, without signs.
QStringList wordsOf(const QString& text) {
    static const QRegularExpression between(QStringLiteral("[^\\p{L}\\p{N}]+"));
    return text.toLower().split(between, Qt::SkipEmptyParts);
}

bool someBegins(const QStringList& words, const QString& with) {
    return std::ranges::any_of(words, [&](const QString& word) { return word.startsWith(with); });
}

/// "nv" in "new variant": the first letter where a word begins, the others after it in their order.
bool inOrder(const QStringList& words, const QString& letters) {
    for (qsizetype first = 0; first < words.size(); ++first) {
        if (!words[first].startsWith(letters.front())) {
            continue;
        }
        const QString rest = words.mid(first).join(QString());
        qsizetype at = 0;
        for (const QChar letter : rest) {
            at += at < letters.size() && letter == letters[at] ? 1 : 0;
        }
        if (at == letters.size()) {
            return true;
        }
    }
    return false;
}

std::optional<int> distanceOfWord(const QString& word, const PaletteLine& line) {
    const QStringList title = wordsOf(line.title);
    if (!title.isEmpty() && title.front().startsWith(word)) {
        return 0;
    }
    // "9" of "figure 9" is nothing that 90 begins with.
    const bool number = std::ranges::all_of(word, [](QChar sign) { return sign.isDigit(); });
    if (number && (title.contains(word) || wordsOf(line.place).contains(word))) {
        return 0;
    }
    if (someBegins(title, word)) {
        return 1;
    }
    if (someBegins(wordsOf(line.place), word)) {
        return 2;
    }
    if (line.title.contains(word, Qt::CaseInsensitive)) {
        return 3;
    }
    if (word.size() > 1 && inOrder(title, word)) {
        return 4;
    }
    return someBegins(wordsOf(line.more), word) ? std::optional(6) : std::nullopt;
}

} // namespace

std::optional<int> distance(const QString& typed, const PaletteLine& line) {
    int sum = 0;
    for (const QString& word : wordsOf(typed)) {
        const std::optional<int> of_word = distanceOfWord(word, line);
        if (!of_word) {
            return std::nullopt;
        }
        sum += *of_word;
    }
    return sum;
}

std::vector<std::size_t> nearest(const QString& typed, const std::vector<PaletteLine>& lines,
                                 const QStringList& recent) {
    struct Found {
        std::size_t line;
        int distance;
        qsizetype recent;
    };
    std::vector<Found> found;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (const std::optional<int> far = distance(typed, lines[k])) {
            const qsizetype place = recent.indexOf(lines[k].name());
            found.push_back({k, *far, place < 0 ? recent.size() : place});
        }
    }
    std::ranges::stable_sort(found, [](const Found& a, const Found& b) {
        return std::pair(a.distance, a.recent) < std::pair(b.distance, b.recent);
    });
    std::vector<std::size_t> order;
    for (const Found& one : found) {
        order.push_back(one.line);
    }
    return order;
}

QStringList withRecent(QStringList recent, const QString& name) {
    recent.removeAll(name);
    recent.prepend(name);
    return recent.mid(0, most_recent);
}

} // namespace meshslice::ui
