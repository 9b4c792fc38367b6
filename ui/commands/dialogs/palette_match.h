#pragma once

#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace meshslice::ui {

/// Something that the program can do or go to, as the command palette lists it.
struct PaletteLine {
    QString title; ///< "Batch"
    QString place; ///< where it is found without the palette: "View > Theme", "Scenario > Work"
    QString keys;  ///< that do the same; of a field the value that it has
    QString more;  ///< other words that it is found by, and its tooltip
    bool enabled = true;

    /// By which it is remembered.
    [[nodiscard]] QString name() const { return place + QStringLiteral(" > ") + title; }
    bool operator==(const PaletteLine&) const = default;
};

/// How far what was typed is from a line, 0 where the title begins with it; none where one of its words is
/// not found. A word is looked for at the beginning of the title, of its other words, of those of the place,
/// within the title, as letters of the title in their order, the first one where a word begins, and at the
/// beginning of the other words.
[[nodiscard]] std::optional<int> distance(const QString& typed, const PaletteLine& line);

/// The places of the lines that what was typed may mean, the nearest first; of equally near ones those in
/// `recent`, in its order, then as they come. Nothing typed means all.
[[nodiscard]] std::vector<std::size_t> nearest(const QString& typed, const std::vector<PaletteLine>& lines,
                                               const QStringList& recent);

/// The names with this one in front, once, and no more than a palette remembers.
[[nodiscard]] QStringList withRecent(QStringList recent, const QString& name);

} // namespace meshslice::ui
