#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <QStringList>

class QPainter;

namespace meshslice::ui {

/// Text in pictures is sized in pixels, so that a picture looks the same on every screen and in every file;
/// the picture as a whole is enlarged where the window's text is (see picture_scale.h). A figure may have a
/// font family of its own (see figure_style.h).
/// (The default fonts of the desktops we know have figures of one width; Qt 6.4 cannot ask a font for them.)
enum class Lettering : std::uint8_t { tiny = 10, small = 11, normal = 12, title = 15 };
[[nodiscard]] QFont lettering(Lettering size, bool bold = false);

/// `text` cut to `width` with an ellipsis, but not inside a number; nothing where not even the ellipsis and
/// one letter fit.
[[nodiscard]] QString fitted(const QFont& font, const QString& text, double width);
/// Lines of at most `width`, broken between words and where the text has an end of line; a word that is wider
/// has a line of its own.
[[nodiscard]] QStringList wrapped(const QFont& font, const QString& text, double width);
/// As few lines of at most `width` as it takes, no more than `most`, broken between words, after a part of
/// the sentence where that costs no line. What has no room is left out from the end by whole parts, else by
/// whole words, and an ellipsis says so.
[[nodiscard]] QStringList inLines(const QFont& font, const QString& text, double width, int most);
[[nodiscard]] double textWidth(const QFont& font, const QString& text);
/// The first of the `wishes` that is no wider than `width`; nothing where none is.
[[nodiscard]] QString firstFitting(const QFont& font, const QStringList& wishes, double width);

/// Draws one line of text cut to the rectangle, in the painter's pen.
void drawFitted(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QFont& font,
                const QString& text);

/// Counts the texts that `drawFitted` draws cut, or not at all, while it lives. Of the UI thread.
class CutTexts {
  public:
    CutTexts();
    ~CutTexts();
    CutTexts(const CutTexts&) = delete;
    CutTexts& operator=(const CutTexts&) = delete;

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] const QString& first() const { return first_; }

  private:
    friend void drawFitted(QPainter& painter, const QRectF& area, Qt::Alignment alignment, const QFont& font,
                           const QString& text);
    void add(const QString& text);

    int count_ = 0;
    QString first_;
    CutTexts* before_;
};

} // namespace meshslice::ui
