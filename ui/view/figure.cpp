#include "ui/view/figure.h"

#include "ui/look/figure_style.h"
#include "ui/look/least_heights.h"
#include "ui/look/lettering.h"
#include "ui/look/picture_scale.h"
#include "ui/view/view.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace meshslice::ui {
namespace {

constexpr double mm_per_pixel = 25.4 / pixels_per_inch;
constexpr double caption_height = 22;
constexpr double caption_line = 16;
constexpr double frame_margin = 12;
constexpr int most_scratch = 64;           ///< pixels: what is drawn there is not looked at
constexpr double most_of_titles = 1.0 / 3; ///< of a figure's height

/// While it lives, labels of pictures have so many points at 96 pixels an inch.
class LettersOf {
  public:
    explicit LettersOf(const Figure& figure) : before_(pictureScale()) {
        if (figure.points) {
            constexpr double usual = static_cast<double>(Lettering::small) * 72 / pixels_per_inch;
            setPictureScale(*figure.points / usual);
        }
    }
    ~LettersOf() { setPictureScale(before_); }
    LettersOf(const LettersOf&) = delete;
    LettersOf& operator=(const LettersOf&) = delete;

  private:
    double before_;
};

/// What the picture says of itself where it is so large, with its title in it or above it; empty where it has
/// none.
QString titleOfPicture(const View& view, const Figure& figure, const QSize& size, bool above) {
    QImage scratch(size.expandedTo({1, 1}).boundedTo(QSize(most_scratch, most_scratch)),
                   QImage::Format_RGB32);
    QPainter painter(&scratch);
    const FigureStyle style(above ? QString() : figure.title, figure.family, above);
    view.paintPicture(painter, size, figure.theme);
    return style.ownTitle();
}

/// A title that needs more than one line of the figure, in letters that leave most of the height to the
/// picture: the longer it is, the smaller.
struct TitleLines {
    QStringList lines; ///< none: the picture draws its title itself
    QFont font;
    double line_height = 0;

    [[nodiscard]] double height() const {
        return lines.isEmpty() ? 0 : 14 + line_height * static_cast<double>(lines.size());
    }
};

TitleLines titleLines(const QString& title, double width, double height) {
    TitleLines made{{}, lettering(Lettering::title, true), 0};
    const QStringList as_given = title.split(QLatin1Char('\n'));
    if (std::ranges::all_of(as_given,
                            [&](const QString& line) { return textWidth(made.font, line) <= width; })) {
        return made;
    }
    struct Size {
        Lettering letters;
        qsizetype most; ///< lines in such letters
    };
    constexpr auto any = std::numeric_limits<qsizetype>::max();
    for (const auto& [letters, most] :
         {Size{Lettering::title, 2}, Size{Lettering::normal, 3}, Size{Lettering::small, any}}) {
        made.font = lettering(letters, true);
        made.line_height = std::ceil(QFontMetricsF(made.font).height()) + 1;
        made.lines = wrapped(made.font, as_given.join(QLatin1Char(' ')), width);
        if (made.lines.size() <= most && made.height() <= height * most_of_titles) {
            return made;
        }
    }
    const int most = std::max(1, static_cast<int>(height * most_of_titles / made.line_height));
    made.lines = inLines(made.font, as_given.join(QLatin1Char(' ')), width, most);
    return made;
}

/// The caption in lines so wide.
QStringList captionLines(const View& view, const Figure& figure, double width) {
    return wrapped(lettering(Lettering::small), figure.caption.value_or(view.caption()), width);
}

double footHeight(const QStringList& caption) {
    return caption.isEmpty() ? 0 : caption_height + caption_line * static_cast<double>(caption.size() - 1);
}

/// All of the height that a title may take.
double roomForTitle(const Figure& figure, double height) {
    return figure.as_high_as_needed ? std::numeric_limits<double>::infinity() : height;
}

void paintLines(QPainter& painter, const QRect& area, const QStringList& lines, const QFont& font,
                double first, double step, double height, Role role, Theme theme) {
    painter.save();
    painter.fillRect(area, color(Role::background, theme));
    painter.translate(area.topLeft());
    painter.scale(pictureScale(), pictureScale());
    painter.setPen(color(role, theme));
    const double width = area.width() / pictureScale() - 2 * frame_margin;
    for (qsizetype line = 0; line < lines.size(); ++line) {
        drawFitted(painter, QRectF(frame_margin, first + step * static_cast<double>(line), width, height),
                   Qt::AlignLeft | Qt::AlignVCenter, font, lines[line]);
    }
    painter.restore();
}

/// The picture with what stands around it.
FigureFacts paintParts(QPainter& painter, const View& view, const Figure& figure) {
    const QSize& size = figure.size;
    const Theme theme = figure.theme;
    const double width = size.width() / pictureScale() - 2 * frame_margin;
    QStringList lines = captionLines(view, figure, width);
    // As many as leave three quarters to the picture; the last one says by its end that there is more.
    const double room = size.height() / pictureScale() / 4 - caption_height;
    const auto most_lines = 1 + std::max<qsizetype>(0, static_cast<qsizetype>(room / caption_line));
    if (lines.size() > most_lines && !figure.as_high_as_needed) {
        lines[most_lines - 1] = lines.mid(most_lines - 1).join(QLatin1Char(' '));
        lines.resize(most_lines);
    }
    const int foot = qRound(footHeight(lines) * pictureScale());
    const bool thumbnail = size.height() < 4 * caption_height * pictureScale() || size.height() < 4 * foot;
    if (thumbnail && !figure.as_high_as_needed) {
        FigureFacts facts;
        facts.own_title = titleOfPicture(view, figure, size, false);
        const CutTexts counted;
        view.paintPicture(painter, size, theme);
        facts.cut = counted.count();
        facts.first_cut = counted.first();
        return facts;
    }
    const QRect below(0, size.height() - foot, size.width(), foot);
    const double height = roomForTitle(figure, below.top() / pictureScale());
    // A title may say what has room, such as the rows that are seen, and takes room itself.
    QString own = titleOfPicture(view, figure, {size.width(), below.top()}, false);
    TitleLines title = titleLines(figure.title.value_or(own), width, height);
    int top = qRound(title.height() * pictureScale());
    constexpr int most_tries = 3;
    for (int tried = 0; tried < most_tries && top > 0; ++tried) {
        const QString drawn = titleOfPicture(view, figure, {size.width(), below.top() - top}, true);
        if (drawn.isEmpty() || drawn == own) {
            break;
        }
        own = drawn;
        title = titleLines(figure.title.value_or(own), width, height);
        top = qRound(title.height() * pictureScale());
    }
    const CutTexts counted; // not in what was only tried
    {
        const bool above = !title.lines.isEmpty();
        const FigureStyle untitled(above ? QString() : figure.title, figure.family, above);
        painter.save();
        painter.translate(0, top);
        view.paintPicture(painter, {size.width(), below.top() - top}, theme);
        painter.restore();
    }
    paintLines(painter, QRect(0, 0, size.width(), top), title.lines, title.font, 8, title.line_height,
               title.line_height, Role::text, theme);
    paintLines(painter, below, lines, lettering(Lettering::small), 0, caption_line, caption_height - 4,
               Role::quietText, theme);
    return {own, counted.count(), counted.first()};
}

} // namespace

Figure figureOn(const FigurePage& page) {
    Figure figure;
    figure.as_high_as_needed = page.height == 0;
    figure.size = {qRound(page.width / mm_per_pixel), qRound(page.height / mm_per_pixel)};
    figure.points = page.letters;
    figure.dots_per_inch = print_dots_per_inch;
    figure.printed = true;
    figure.millimetres = QSizeF(page.width, page.height);
    return figure;
}

Figure figureOn(UsualPage page) {
    return figureOn(usual_pages[static_cast<std::size_t>(page)]);
}

namespace {

/// How high a figure so wide is, with its letters, its title and its caption.
int heightOf(const View& view, const Figure& figure) {
    const LettersOf letters(figure);
    const FigureStyle style(figure.title, figure.family, false, figure.notes);
    const double scale = pictureScale();
    const double width = std::floor(figure.size.width() / scale);
    const double lines = figure.size.width() / scale - 2 * frame_margin;
    const double foot = footHeight(captionLines(view, figure, lines));
    // Of a title that depends on the height, that of a picture as high as wide.
    const QString own = titleOfPicture(view, figure, {figure.size.width(), figure.size.width()}, false);
    const TitleLines title =
        titleLines(figure.title.value_or(own), lines, std::numeric_limits<double>::infinity());
    const bool above = !title.lines.isEmpty();
    const FigureStyle of_picture(above ? QString() : figure.title, figure.family, above);
    // The parts are placed at whole pixels.
    return static_cast<int>(std::ceil((view.pictureHeight(width) + 1) * scale)) + qRound(foot * scale) +
           qRound(title.height() * scale);
}

} // namespace

Figure settled(const View& view, const Figure& figure) {
    Figure made = figure;
    if (figure.as_high_as_needed) {
        made.size.setHeight(heightOf(view, figure));
        if (made.millimetres) {
            made.millimetres->setHeight(made.size.height() * mm_per_pixel);
        }
        return made;
    }
    // On a page of a fixed height letters give way, so that nothing stands on anything else.
    constexpr double least_share = 0.4;
    constexpr double step = 0.5;
    const LeastHeights least;
    while (made.points && *made.points - step >= least_share * *figure.points &&
           heightOf(view, made) > figure.size.height()) {
        *made.points -= step;
    }
    return made;
}

FigureFacts paintFigure(QPainter& painter, const View& view, const Figure& figure) {
    const LettersOf letters(figure);
    const FigureStyle style(figure.title, figure.family, false, figure.notes);
    return paintParts(painter, view, figure);
}

} // namespace meshslice::ui
