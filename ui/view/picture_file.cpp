#include "ui/view/picture_file.h"

#include "core/base/language.h"
#include "core/base/printable.h"
#include "core/report/csv.h"
#include "ui/document/whole_file.h"
#include "ui/look/figure_style.h"
#include "ui/look/lettering.h"
#include "ui/look/picture_scale.h"
#include "ui/view/view.h"

#include <QBuffer>
#include <QFileInfo>
#include <QFontInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPageLayout>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace meshslice::ui {
namespace {

constexpr double caption_height = 22;
constexpr int most_scratch = 64;           ///< pixels: what is drawn there is not looked at
constexpr double most_of_titles = 1.0 / 3; ///< of a figure's height

tl::unexpected<Error> notWritten(const QString& path, const QString& why) {
    return refuse(fmt::format("{} could not be written: {}.", path.toStdString(), why.toStdString()));
}

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
/// picture.
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
    for (const Lettering size : {Lettering::title, Lettering::normal, Lettering::small}) {
        made.font = lettering(size, true);
        made.line_height = std::ceil(QFontMetricsF(made.font).height()) + 1;
        made.lines = wrapped(made.font, as_given.join(QLatin1Char(' ')), width);
        if (made.height() <= height * most_of_titles) {
            return made;
        }
    }
    const int most = std::max(1, static_cast<int>(height * most_of_titles / made.line_height));
    made.lines = inLines(made.font, as_given.join(QLatin1Char(' ')), width, most);
    return made;
}

/// The picture, with a title above it that has no room in one line, and below it the line that says what it
/// is of. The picture's own title.
QString paintCaptioned(QPainter& painter, const View& view, const Figure& figure) {
    const LettersOf letters(figure);
    const FigureStyle style(figure.title, figure.family);
    const QSize& size = figure.size;
    const Theme theme = figure.theme;
    const QString caption = figure.caption.value_or(view.caption());
    const QFont font = lettering(Lettering::small);
    constexpr double margin = 12;
    constexpr double line_height = 16;
    const double width = size.width() / pictureScale() - 2 * margin;
    QStringList lines = wrapped(font, caption, width);
    // As many as leave three quarters to the picture; the last one says by its end that there is more.
    const double room = size.height() / pictureScale() / 4 - caption_height;
    const auto most_lines = 1 + std::max<qsizetype>(0, static_cast<qsizetype>(room / line_height));
    if (lines.size() > most_lines) {
        lines[most_lines - 1] = lines.mid(most_lines - 1).join(QLatin1Char(' '));
        lines.resize(most_lines);
    }
    const double foot_height =
        lines.isEmpty() ? 0 : caption_height + line_height * static_cast<double>(lines.size() - 1);
    const int foot = qRound(foot_height * pictureScale());
    if (size.height() < 4 * caption_height * pictureScale() || size.height() < 4 * foot) { // a thumbnail
        view.paintPicture(painter, size, theme);
        return titleOfPicture(view, figure, size, false);
    }
    const QRect below(0, size.height() - foot, size.width(), foot);
    const double height = below.top() / pictureScale();
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
    {
        const bool above = !title.lines.isEmpty();
        const FigureStyle untitled(above ? QString() : figure.title, figure.family, above);
        painter.save();
        painter.translate(0, top);
        view.paintPicture(painter, {size.width(), below.top() - top}, theme);
        painter.restore();
    }
    painter.save();
    painter.fillRect(QRect(0, 0, size.width(), top), color(Role::background, theme));
    painter.scale(pictureScale(), pictureScale());
    painter.setPen(color(Role::text, theme));
    for (qsizetype line = 0; line < title.lines.size(); ++line) {
        drawFitted(
            painter,
            QRectF(margin, 8 + title.line_height * static_cast<double>(line), width, title.line_height),
            Qt::AlignLeft | Qt::AlignVCenter, title.font, title.lines[line]);
    }
    painter.restore();
    painter.save();
    painter.fillRect(below, color(Role::background, theme));
    painter.translate(below.topLeft());
    painter.scale(pictureScale(), pictureScale());
    painter.setPen(color(Role::quietText, theme));
    for (qsizetype line = 0; line < lines.size(); ++line) {
        drawFitted(painter,
                   QRectF(margin, line_height * static_cast<double>(line), width, caption_height - 4),
                   Qt::AlignLeft | Qt::AlignVCenter, font, lines[line]);
    }
    painter.restore();
    return own;
}

bool canBeMade(const QSize& size) {
    return size.width() >= 1 && size.height() >= 1 && size.width() <= most_pixels &&
           size.height() <= most_pixels;
}

QByteArray packed(const QImage& image) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    return image.save(&buffer, "PNG") ? bytes : QByteArray();
}

Result<void> write(const QString& path, const QByteArray& bytes) {
    if (bytes.isEmpty()) {
        return notWritten(path, QStringLiteral("the picture could not be made"));
    }
    return writeWhole(path, bytes);
}

/// Those that stand in for a family where it is not installed: of its kind, as far as its name and its widths
/// say it, and as wide as the window's.
QString substitutes(const QString& family) {
    static const QRegularExpression with_serifs(
        QStringLiteral("serif|times|roman|georgia|garamond|palat|pagella|termes|bookman|century|schola|"
                       "baskerville|modern|charter|caslon|minion|utopia|stix|libertin"),
        QRegularExpression::CaseInsensitiveOption);
    if (QFontInfo(QFont(family)).fixedPitch()) {
        return QStringLiteral("Courier New, monospace");
    }
    const bool serifs =
        family.contains(with_serifs) && !family.contains(QStringLiteral("sans"), Qt::CaseInsensitive);
    return serifs ? QStringLiteral("Times New Roman, serif") : QStringLiteral("Verdana, Arial, sans-serif");
}

/// The families of the drawing's texts for programs that do not know this desktop's "Sans Serif": the font it
/// stands for here, one of the same width that is found elsewhere, and CSS's word for any.
QByteArray withFontsForBrowsers(const QByteArray& svg, const QString& own) {
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\",]*)\""));
    const QString here = own.isEmpty() ? QFontInfo(QGuiApplication::font()).family() : own;
    return QString::fromUtf8(svg)
        .replace(family,
                 QStringLiteral("font-family=\"%1, %2\"").arg(here.toHtmlEscaped(), substitutes(here)))
        .toUtf8();
}

QString titleOfFile(const View& view, const Figure& figure) {
    return figure.title && !figure.title->isEmpty() ? *figure.title : view.title();
}

/// How large the figure is on paper.
QSizeF paperSize(const Figure& figure) {
    constexpr double mm_per_pixel = 25.4 / pixels_per_inch;
    return figure.millimetres.value_or(QSizeF(figure.size) * mm_per_pixel);
}

/// The drawing with the size that was asked for, which whole pixels only come near to.
QByteArray withPaperSize(const QByteArray& svg, const QSizeF& millimetres) {
    static const QRegularExpression size(QStringLiteral("<svg width=\"[^\"]*\" height=\"[^\"]*\""));
    return QString::fromUtf8(svg)
        .replace(size, QStringLiteral("<svg width=\"%1mm\" height=\"%2mm\"")
                           .arg(millimetres.width())
                           .arg(millimetres.height()))
        .toUtf8();
}

QByteArray svg(const View& view, const Figure& figure) {
    const QSize& size = figure.size;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    // Without these three, text comes out too small and the picture has no size of its own.
    generator.setResolution(pixels_per_inch);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(0, 0), size));
    generator.setTitle(titleOfFile(view, figure));
    QPainter painter;
    if (!painter.begin(&generator)) {
        return {};
    }
    paintCaptioned(painter, view, figure);
    painter.end();
    // Names may hold what XML may not.
    const QByteArray sound = QByteArray::fromStdString(for_xml(bytes.toStdString()));
    const QByteArray drawn = withFontsForBrowsers(sound, figure.family);
    return figure.millimetres ? withPaperSize(drawn, *figure.millimetres) : drawn;
}

QByteArray pdf(const View& view, const Figure& figure) {
    const QSize& size = figure.size;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(pixels_per_inch);
    writer.setTitle(titleOfFile(view, figure));
    writer.setCreator(QGuiApplication::applicationDisplayName());
    const QSizeF points = paperSize(figure) * (72.0 / 25.4);
    const QPageSize page(points, QPageSize::Point, QString(), QPageSize::ExactMatch);
    writer.setPageLayout(QPageLayout(page, QPageLayout::Portrait, QMarginsF()));
    QPainter painter;
    if (!painter.begin(&writer)) {
        return {};
    }
    painter.scale(points.width() / 72.0 * pixels_per_inch / size.width(),
                  points.height() / 72.0 * pixels_per_inch / size.height());
    paintCaptioned(painter, view, figure);
    painter.end();
    return bytes;
}

} // namespace

Result<PictureFormat> pictureFormat(const QString& path) {
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QStringLiteral("png")) {
        return PictureFormat::png;
    }
    if (ending == QStringLiteral("svg")) {
        return PictureFormat::svg;
    }
    if (ending == QStringLiteral("pdf")) {
        return PictureFormat::pdf;
    }
    if (ending == QStringLiteral("csv")) {
        return PictureFormat::csv;
    }
    return refuse(
        fmt::format("\"{}\" does not say what kind of picture it is; its name must end in .png, .svg, .pdf, "
                    "or .csv for the numbers.",
                    QFileInfo(path).fileName().toStdString()));
}

QSize imageSize(const Figure& figure) {
    const double dots = figure.dots_per_inch / pixels_per_inch;
    return {qRound(figure.size.width() * dots), qRound(figure.size.height() * dots)};
}

QImage figureImage(const View& view, const Figure& figure, QString* own_title) {
    const QSize size = imageSize(figure);
    if (!canBeMade(size)) {
        return {};
    }
    QImage image(size, QImage::Format_RGB32);
    image.setDotsPerMeterX(qRound(figure.dots_per_inch / 0.0254));
    image.setDotsPerMeterY(qRound(figure.dots_per_inch / 0.0254));
    image.fill(color(Role::background, figure.theme));
    QPainter painter(&image);
    painter.scale(figure.dots_per_inch / pixels_per_inch, figure.dots_per_inch / pixels_per_inch);
    const QString own = paintCaptioned(painter, view, figure);
    if (own_title != nullptr) {
        *own_title = own;
    }
    return image;
}

Result<void> savePicture(const View& view, const QString& path, const QSize& size, Theme theme) {
    return savePicture(view, path, Figure{size, theme, {}, {}});
}

Result<DrawnFile> drawnFile(const View& view, const QString& path, const Figure& figure) {
    const Result<PictureFormat> format = pictureFormat(path);
    if (!format) {
        return refuse(format.error());
    }
    const QSize dots = *format == PictureFormat::png ? imageSize(figure) : figure.size;
    if (!canBeMade(dots)) {
        return refuse(fmt::format("A picture of {} x {} pixels cannot be made; each side must be 1 to {}.",
                                  dots.width(), dots.height(), most_pixels));
    }
    std::function<QByteArray()> bytes;
    switch (*format) {
    case PictureFormat::png: bytes = [image = figureImage(view, figure)] { return packed(image); }; break;
    case PictureFormat::svg: bytes = [made = svg(view, figure)] { return made; }; break;
    case PictureFormat::pdf: bytes = [made = pdf(view, figure)] { return made; }; break;
    case PictureFormat::csv: {
        const InEnglish for_programs;
        bytes = [table = view.tableLater()] {
            const InEnglish in_this_thread;
            return QByteArray::fromStdString(csv(table()));
        };
        break;
    }
    }
    return [bytes, path] { return write(path, bytes()); };
}

Result<void> savePicture(const View& view, const QString& path, const Figure& figure) {
    return drawnFile(view, path, figure).and_then([](const DrawnFile& rest) { return rest(); });
}

} // namespace meshslice::ui
