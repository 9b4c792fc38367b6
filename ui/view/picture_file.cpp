#include "ui/view/picture_file.h"

#include "core/base/language.h"
#include "core/base/text/printable.h"
#include "core/report/csv.h"
#include "ui/document/whole_file.h"
#include "ui/look/palette.h"
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

tl::unexpected<Error> notWritten(const QString& path, const QString& why) {
    return refuse(fmt::format("{} could not be written: {}.", path.toStdString(), why.toStdString()));
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
    paintFigure(painter, view, figure);
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
    paintFigure(painter, view, figure);
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

QImage figureImage(const View& view, const Figure& asked, FigureFacts* facts) {
    const Figure figure = settled(view, asked);
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
    const FigureFacts found = paintFigure(painter, view, figure);
    if (facts != nullptr) {
        *facts = found;
    }
    return image;
}

Result<void> savePicture(const View& view, const QString& path, const QSize& size, Theme theme) {
    return savePicture(view, path, Figure{size, theme, {}, {}});
}

Result<DrawnFile> drawnFile(const View& view, const QString& path, const Figure& asked) {
    const Result<PictureFormat> format = pictureFormat(path);
    if (!format) {
        return refuse(format.error());
    }
    const Figure figure = *format == PictureFormat::csv ? asked : settled(view, asked);
    const QSize dots = *format == PictureFormat::png ? imageSize(figure) : figure.size;
    if (*format != PictureFormat::csv && !canBeMade(dots)) {
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
