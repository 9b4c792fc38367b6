#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/breakdown/breakdown_view.h"
#include "ui/commands/picture_export.h"
#include "ui/look/figure_style.h"
#include "ui/look/picture_scale.h"
#include "ui/roofline/roofline_view.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_file.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QString>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <string>

namespace meshslice::ui {
namespace {

TEST(PictureFormat, IsToldByTheEnding) {
    EXPECT_EQ(*pictureFormat(QStringLiteral("/a/b.PNG")), PictureFormat::png);
    EXPECT_EQ(*pictureFormat(QStringLiteral("b.svg")), PictureFormat::svg);
    EXPECT_EQ(*pictureFormat(QStringLiteral("b.pdf")), PictureFormat::pdf);
    EXPECT_EQ(*pictureFormat(QStringLiteral("b.csv")), PictureFormat::csv);
    const auto refused = pictureFormat(QStringLiteral("picture.bmp"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().sentence.find(".png, .svg, .pdf, or .csv"), std::string::npos);
}

template <class Kind>
class PictureFileTest : public ::testing::Test {
  protected:
    PictureFileTest() {
        view.setObjectName(QStringLiteral("view"));
        view.follow();
    }

    QString path(const char* ending) const {
        return folder.filePath(view.id() + QLatin1Char('.') + QString::fromLatin1(ending));
    }
    QByteArray contents(const QString& name) const {
        QFile file(name);
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }

    QTemporaryDir folder;
    HandMadeSession session{handMadeResults(true)};
    Kind view{&session};
    const QSize size{1000, 600};
};

using Views = ::testing::Types<TimelineView, RooflineView, BreakdownView>;
TYPED_TEST_SUITE(PictureFileTest, Views);

TYPED_TEST(PictureFileTest, PngHasExactlyTheSize) {
    for (const Theme theme : {Theme::light, Theme::dark}) {
        ASSERT_TRUE(savePicture(this->view, this->path("png"), this->size, theme).has_value());
        const QImage image(this->path("png"));
        EXPECT_EQ(image.size(), this->size);
        EXPECT_EQ(image.pixelColor(this->size.width() - 1, this->size.height() - 1),
                  color(Role::background, theme));
    }
}

/// "Sans Serif" is what a desktop calls its usual font; browsers know "sans-serif" alone, and take what
/// stands before it if they have it.
TYPED_TEST(PictureFileTest, SvgNamesFontsThatBrowsersKnow) {
    ASSERT_TRUE(savePicture(this->view, this->path("svg"), this->size, Theme::light).has_value());
    const QString drawing = QString::fromUtf8(this->contents(this->path("svg")));
    int families = 0;
    for (qsizetype at = drawing.indexOf(QStringLiteral("font-family=\"")); at >= 0;
         at = drawing.indexOf(QStringLiteral("font-family=\""), at + 1)) {
        const QString list = drawing.mid(at + 13, drawing.indexOf(QLatin1Char('"'), at + 13) - at - 13);
        EXPECT_TRUE(list.endsWith(QStringLiteral(", sans-serif"))) << list.toStdString();
        EXPECT_FALSE(list.startsWith(QStringLiteral("Sans"))) << list.toStdString();
        ++families;
    }
    EXPECT_GT(families, 0);
}

/// A file of enlarged pictures has the same size, and nothing outside.
TYPED_TEST(PictureFileTest, EnlargedPicturesStayInTheirFrame) {
    setPictureScale(1.7);
    const bool saved = savePicture(this->view, this->path("png"), this->size, Theme::dark).has_value();
    setPictureScale(1);
    ASSERT_TRUE(saved);
    const QImage image(this->path("png"));
    EXPECT_EQ(image.size(), this->size);
    EXPECT_EQ(image.pixelColor(this->size.width() - 1, this->size.height() - 1),
              color(Role::background, Theme::dark));
}

TYPED_TEST(PictureFileTest, SvgOpensAgainAndStaysInItsFrame) {
    ASSERT_TRUE(savePicture(this->view, this->path("svg"), this->size, Theme::light).has_value());
    QSvgRenderer renderer(this->path("svg"));
    ASSERT_TRUE(renderer.isValid());
    EXPECT_EQ(renderer.viewBox(), QRect(QPoint(0, 0), this->size));
    // Drawn into the middle of a larger picture, nothing may run over: the files are not clipped.
    QImage image(this->size + QSize(200, 200), QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    renderer.render(&painter, QRectF(QPointF(100, 100), this->size));
    painter.end();
    int stray = 0;
    for (int y = 0; y < image.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x) {
            const bool inside = x >= 99 && x <= 1100 && y >= 99 && y <= 700;
            stray += !inside && line[x] != qRgb(255, 0, 255) ? 1 : 0;
        }
    }
    EXPECT_EQ(stray, 0);
    // Text stays text, at the size it has on the screen.
    EXPECT_TRUE(this->contents(this->path("svg")).contains("<text"));
    EXPECT_TRUE(this->contents(this->path("svg")).contains("font-size=\"11\""));
}

TYPED_TEST(PictureFileTest, PdfIsOnePageOfTheSize) {
    ASSERT_TRUE(savePicture(this->view, this->path("pdf"), this->size, Theme::light).has_value());
    const QByteArray bytes = this->contents(this->path("pdf"));
    EXPECT_TRUE(bytes.startsWith("%PDF"));
    EXPECT_TRUE(bytes.contains("/Count 1"));
    // 1000 x 600 pixels at 96 to the inch are 750 x 450 points.
    EXPECT_TRUE(bytes.contains("/MediaBox [0 0 750")) << "page size";
}

TYPED_TEST(PictureFileTest, CsvHasAHeaderAndTheRows) {
    ASSERT_TRUE(savePicture(this->view, this->path("csv"), this->size, Theme::light).has_value());
    const QByteArray bytes = this->contents(this->path("csv"));
    EXPECT_TRUE(bytes.contains("algorithm"));
    EXPECT_EQ(static_cast<std::size_t>(bytes.count("\n")), this->view.table().rows.size() + 1);
}

TYPED_TEST(PictureFileTest, PaintsStatesToo) {
    this->session.fail(QStringLiteral("The mesh does not fit."));
    ASSERT_TRUE(savePicture(this->view, this->path("svg"), this->size, Theme::light).has_value());
    EXPECT_TRUE(this->contents(this->path("svg")).contains("The mesh does not fit."));
}

TYPED_TEST(PictureFileTest, SaysWhyItCouldNotWrite) {
    const auto missing = savePicture(this->view, this->folder.filePath(QStringLiteral("no/such/place.png")),
                                     this->size, Theme::light);
    ASSERT_FALSE(missing.has_value());
    EXPECT_NE(missing.error().sentence.find("cannot be written"), std::string::npos);
    EXPECT_FALSE(savePicture(this->view, this->path("png"), QSize(0, 600), Theme::light).has_value());
    EXPECT_FALSE(savePicture(this->view, this->path("png"), QSize(600, 100'000), Theme::light).has_value());
    EXPECT_FALSE(QFile::exists(this->path("png")));
}

/// Starts an export and waits for its end.
bool ends(PictureExport& files) {
    bool over = false;
    QObject::connect(&files, &PictureExport::finished, &files, [&] { over = true; });
    files.start();
    EXPECT_FALSE(over) << "the window answers its user before a file is written";
    return QTest::qWaitFor([&] { return over; }, patience_ms);
}

/// Two bars too many: the file's name and what is said about it tell so; a table that is whole keeps its
/// name.
TEST(PictureExport, SaysThatATableIsCut) {
    const QTemporaryDir folder;
    for (const bool cut : {true, false}) {
        HandMadeSession session{combResults(cut ? 200'002 : 20)};
        TimelineView view(&session);
        view.setObjectName(QStringLiteral("timeline"));
        view.follow();
        const QString path = folder.filePath(QStringLiteral("timeline.csv"));
        PictureExport files(&session, {{&view, {path}}}, Figure{{800, 500}, Theme::light, {}, {}});
        ASSERT_TRUE(ends(files));
        EXPECT_EQ(QFile::exists(folder.filePath(QStringLiteral("timeline-first-rows.csv"))), true);
        EXPECT_EQ(QFile::exists(path), !cut);
        EXPECT_EQ(files.remarks().size(), cut ? 1 : 0);
        if (cut) {
            EXPECT_TRUE(files.remarks()[0].startsWith(QStringLiteral("timeline-first-rows.csv: ")));
        }
    }
}

/// Of two pages, each a colour.
class TwoPages : public View {
  public:
    explicit TwoPages(Session* session) : View(session, nullptr) { setObjectName(QStringLiteral("paged")); }
    [[nodiscard]] QStringList pages() const override {
        return {QStringLiteral("red"), QStringLiteral("blue")};
    }
    [[nodiscard]] int page() const override { return page_; }
    void turnTo(int page) override { page_ = page; }
    void paintPicture(QPainter& painter, const QSize& size, Theme /*theme*/) const override {
        painter.fillRect(QRect(QPoint(0, 0), size), page_ == 0 ? Qt::red : Qt::blue);
    }

  protected:
    void resultsChanged() override {}
    [[nodiscard]] Table makeTable() const override { return {"pages", {"page"}, {{std::int64_t{page_}}}}; }

  private:
    int page_ = 0;
};

/// Says how high it is, as the timeline says how many rows it has room for.
class HighView : public View {
  public:
    explicit HighView(Session* session) : View(session, nullptr) { setObjectName(QStringLiteral("high")); }
    void paintPicture(QPainter& /*painter*/, const QSize& size, Theme /*theme*/) const override {
        height = size.height();
        const QString title =
            QStringLiteral("%1 pixels of height have room for the rows that are in the figure");
        drawn = pictureTitle(title.arg(size.height()));
    }
    mutable int height = 0;
    mutable QString drawn;

  protected:
    void resultsChanged() override {}
    [[nodiscard]] Table makeTable() const override { return {}; }
};

/// Half of a column wide, the title needs several lines, which take their room from the picture; ten columns
/// wide, it stands in the picture. What it says is of the picture that is left, whatever the letters' size.
TEST(PictureFile, TheTitleIsThatOfThePictureBelowIt) {
    HandMadeSession session{handMadeResults()};
    const HighView view(&session);
    for (const double points : {6.0, 8.0, 12.0}) {
        for (const int width : {160, 3300}) {
            Figure figure;
            figure.size = {width, 600};
            figure.points = points;
            figure.caption = QStringLiteral("one line");
            FigureFacts facts;
            EXPECT_FALSE(figureImage(view, figure, &facts).isNull());
            const QString& own = facts.own_title;
            EXPECT_LT(view.height, 600) << "the caption has its room";
            EXPECT_TRUE(own.startsWith(QStringLiteral("%1 pixels").arg(view.height)))
                << own.toStdString() << " of " << view.height << " at " << points << " points";
            EXPECT_EQ(view.drawn, width == 160 ? QString() : own);
        }
    }
}

/// Every page has its file, the first one the view's name; the page that was seen is seen again.
TEST(PictureExport, WritesEveryPage) {
    HandMadeSession session{handMadeResults(true)};
    TwoPages view(&session);
    view.follow();
    view.turnTo(1);
    const QTemporaryDir folder;
    const std::vector<PictureExport::Item> items = everyPage({&view}, folder.path());
    ASSERT_EQ(items.size(), 2u);
    PictureExport files(&session, items, Figure{{400, 300}, Theme::light, {}, QString(QLatin1String(""))});
    ASSERT_TRUE(ends(files));
    const auto middle = [&](const char* name) {
        return QImage(folder.filePath(QLatin1String(name))).pixelColor(200, 150);
    };
    EXPECT_EQ(middle("paged.png"), QColor(Qt::red));
    EXPECT_EQ(middle("paged-blue.png"), QColor(Qt::blue));
    EXPECT_TRUE(QFile::exists(folder.filePath(QStringLiteral("paged-blue.csv"))));
    EXPECT_EQ(view.page(), 1);
}

} // namespace
} // namespace meshslice::ui
