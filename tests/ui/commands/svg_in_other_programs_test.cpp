#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/view/picture_file.h"

#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <cmath>

namespace meshslice::ui {
namespace {

constexpr QSize figure_size{800, 500};

/// A program that draws an SVG file into a PNG file of the figure's size.
struct Renderer {
    const char* program;
    QStringList (*arguments)(const QString& svg, const QString& png);
};
const Renderer renderers[] = {
    {"rsvg-convert",
     [](const QString& svg, const QString& png) {
         return QStringList{QStringLiteral("--width=800"), QStringLiteral("--height=500"),
                            QStringLiteral("--output=") + png, svg};
     }},
    {"inkscape",
     [](const QString& svg, const QString& png) {
         return QStringList{QStringLiteral("--export-type=png"), QStringLiteral("--export-width=800"),
                            QStringLiteral("--export-filename=") + png, svg};
     }},
    {"chromium", [](const QString& svg, const QString& png) {
         return QStringList{QStringLiteral("--headless"),
                            QStringLiteral("--no-sandbox"),
                            QStringLiteral("--disable-gpu"),
                            QStringLiteral("--hide-scrollbars"),
                            QStringLiteral("--window-size=800,500"),
                            QStringLiteral("--screenshot=") + png,
                            QStringLiteral("file://") + svg};
     }}};

/// Shades of grey of tiles of 10 x 10 dots: letters may be hinted otherwise, but nothing stands elsewhere.
QImage inTiles(const QImage& image) {
    return image.convertToFormat(QImage::Format_RGB32)
        .scaled(figure_size / 10, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_Grayscale8);
}

/// How far apart two pictures are: the sum over their tiles.
double distance(const QImage& one, const QImage& other) {
    double sum = 0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x) {
            sum += std::abs(qGray(one.pixel(x, y)) - qGray(other.pixel(x, y)));
        }
    }
    return sum;
}

class SvgInOtherPrograms : public ::testing::TestWithParam<Renderer> {};

/// What the window draws as SVG looks the same there as our own PNG: it is at most a fifth as far from it as
/// an empty page is. Without a background, with letters of another size or shifted by a line it would be
/// further.
TEST_P(SvgInOtherPrograms, LooksTheSame) {
    const QString program = QStandardPaths::findExecutable(QLatin1String(GetParam().program));
    if (program.isEmpty()) {
        GTEST_SKIP() << GetParam().program << " is not installed; its picture of an SVG was not compared.";
    }
    MainWindow window(Memory::forget);
    window.document()->restore(project_of(smallScenario()), {});
    window.resize(1280, 800);
    window.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    const QTemporaryDir folder;
    int compared = 0;
    for (View* view : window.views()) {
        if (!view->isCurrent() || !view->sentence().isEmpty()) {
            continue;
        }
        const QString svg = folder.filePath(view->id() + QStringLiteral(".svg"));
        const QString png = folder.filePath(view->id() + QStringLiteral(".png"));
        const Figure figure{figure_size, Theme::light, {}, {}};
        ASSERT_TRUE(savePicture(*view, svg, figure));
        QProcess process;
        process.start(program, GetParam().arguments(svg, png));
        ASSERT_TRUE(process.waitForFinished(120'000)) << process.errorString().toStdString();
        const QImage theirs(png);
        ASSERT_FALSE(theirs.isNull()) << process.readAllStandardError().toStdString();
        const QImage ours = inTiles(figureImage(*view, figure));
        QImage blank(figure_size, QImage::Format_RGB32);
        blank.fill(Qt::white);
        EXPECT_LE(distance(ours, inTiles(theirs)), 0.2 * distance(ours, inTiles(blank)))
            << view->id().toStdString();
        ++compared;
    }
    EXPECT_GE(compared, 4);
}

INSTANTIATE_TEST_SUITE_P(Programs, SvgInOtherPrograms, ::testing::ValuesIn(renderers), [](const auto& info) {
    std::string name = info.param.program;
    std::erase(name, '-');
    return name;
});

} // namespace
} // namespace meshslice::ui
