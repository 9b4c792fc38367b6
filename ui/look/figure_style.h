#pragma once

#include <QString>

#include <optional>

namespace meshslice::ui {

/// What a figure has of its own, while it is drawn: a title in place of the picture's, and a font. Pictures
/// in the window know nothing of it. Of the UI thread, as widgets are; figures are drawn one at a time.
class FigureStyle {
  public:
    /// `title`: none leaves the picture's own, an empty one leaves no title. `family`: empty for the window's
    /// font. `stands_above`: what stands in its place has been drawn above the picture. Whether notes below
    /// the picture are left out is as in the style that this one stands in.
    FigureStyle(std::optional<QString> title, QString family, bool stands_above = false);
    /// The same, with or without notes.
    FigureStyle(std::optional<QString> title, QString family, bool stands_above, bool notes);
    ~FigureStyle();
    FigureStyle(const FigureStyle&) = delete;
    FigureStyle& operator=(const FigureStyle&) = delete;

    /// What the picture that was drawn meanwhile says of itself; empty where it has no title.
    [[nodiscard]] const QString& ownTitle() const { return own_; }

  private:
    friend QString pictureTitle(const QString& own);
    friend QString pictureFamily();
    friend std::optional<QString> figureTitle();
    friend bool titleStandsAbove();
    friend bool hasNotes();

    std::optional<QString> title_;
    QString family_;
    QString own_;
    bool stands_above_;
    FigureStyle* before_;
    bool notes_;
};

/// The title that a picture draws, whose own finding is `own`. Every picture asks here.
[[nodiscard]] QString pictureTitle(const QString& own);
/// What a figure that is drawn has in place of the picture's title; none where that stays, or in the window.
/// For pictures of several parts, which draw it once.
[[nodiscard]] std::optional<QString> figureTitle();
/// A figure is drawn that has no title: its picture needs no room for one.
[[nodiscard]] bool hasNoTitle();
/// It has none because it stands above all of the picture, whose further parts keep theirs.
[[nodiscard]] bool titleStandsAbove();
/// Pictures say their notes below them; not in a figure that leaves them out.
[[nodiscard]] bool hasNotes();
/// The font family of pictures; empty for the window's.
[[nodiscard]] QString pictureFamily();

} // namespace meshslice::ui
