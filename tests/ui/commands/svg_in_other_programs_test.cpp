#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/view/picture_file.h"

#include <QFile>
#include <QImage>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace meshslice::ui {
namespace {

constexpr QSize figure_size{800, 500};

/// A program that draws SVG files of the figure's size.
struct Renderer {
    const char* program;
    int at_once; ///< files that one start of it draws
    /// Into one PNG file, one picture below the other.
    QStringList (*arguments)(const QStringList& svgs, const QString& png);
};

/// A browser starts for seconds: it draws one page with all of them.
QStringList ofBrowser(const QStringList& svgs, const QString& png) {
    const QString page = png + QStringLiteral(".html");
    QFile file(page);
    if (file.open(QFile::WriteOnly)) {
        file.write("<!doctype html><body style=\"margin:0\">");
        for (const QString& svg : svgs) {
            file.write(QStringLiteral("<img style=\"display:block\" src=\"file://%1\">").arg(svg).toUtf8());
        }
    }
    return {QStringLiteral("--headless"),
            QStringLiteral("--no-sandbox"),
            QStringLiteral("--disable-gpu"),
            QStringLiteral("--hide-scrollbars"),
            QStringLiteral("--window-size=%1,%2")
                .arg(figure_size.width())
                .arg(figure_size.height() * svgs.size()),
            QStringLiteral("--screenshot=") + png,
            QStringLiteral("file://") + page};
}

const Renderer renderers[] = {
    {"rsvg-convert", 1,
     [](const QStringList& svgs, const QString& png) {
         return QStringList{QStringLiteral("--width=800"), QStringLiteral("--height=500"),
                            QStringLiteral("--output=") + png, svgs.front()};
     }},
    {"inkscape", 1,
     [](const QStringList& svgs, const QString& png) {
         return QStringList{QStringLiteral("--export-type=png"), QStringLiteral("--export-width=800"),
                            QStringLiteral("--export-filename=") + png, svgs.front()};
     }},
    {"chromium", 100, ofBrowser}};

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
    const Figure figure{figure_size, Theme::light, {}, {}};
    std::vector<View*> views;
    QStringList svgs;
    for (View* view : window.views()) {
        if (view->isCurrent() && view->sentence().isEmpty()) {
            views.push_back(view);
            svgs.push_back(folder.filePath(view->id() + QStringLiteral(".svg")));
            ASSERT_TRUE(savePicture(*view, svgs.back(), figure));
        }
    }
    ASSERT_GE(svgs.size(), 4);
    QImage blank(figure_size, QImage::Format_RGB32);
    blank.fill(Qt::white);
    for (qsizetype first = 0; first < svgs.size(); first += GetParam().at_once) {
        const QStringList some = svgs.mid(first, GetParam().at_once);
        const QString png = folder.filePath(QStringLiteral("%1.png").arg(first));
        QProcess process;
        process.start(program, GetParam().arguments(some, png));
        ASSERT_TRUE(process.waitForFinished(120'000)) << process.errorString().toStdString();
        const QImage theirs(png);
        ASSERT_EQ(theirs.size(),
                  QSize(figure_size.width(), figure_size.height() * static_cast<int>(some.size())))
            << process.readAllStandardError().toStdString();
        for (int k = 0; k < some.size(); ++k) {
            View* view = views[static_cast<std::size_t>(first + k)];
            const QImage ours = inTiles(figureImage(*view, figure));
            const QImage its = theirs.copy(QRect(QPoint(0, k * figure_size.height()), figure_size));
            EXPECT_LE(distance(ours, inTiles(its)), 0.2 * distance(ours, inTiles(blank)))
                << view->id().toStdString();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, SvgInOtherPrograms, ::testing::ValuesIn(renderers), [](const auto& info) {
    std::string name = info.param.program;
    std::erase(name, '-');
    return name;
});

} // namespace
} // namespace meshslice::ui
