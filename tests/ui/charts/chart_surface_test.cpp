// A chart in a real widget: pointer, keys, and files.

#include "ui/charts/chart_surface.h"
#include "ui/look/figure_style.h"

#include <QBuffer>
#include <QPainter>
#include <QSignalSpy>
#include <QSvgGenerator>
#include <QTest>
#include <QWidget>
#include <QXmlStreamReader>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace meshslice::ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Canvas : public QWidget {
  public:
    ChartSurface surface{this};

  protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        surface.paint(painter);
    }
};

Chart twoSeries() {
    ChartPanel panel{"GPT-3", {"chips"}, {"FLOP utilization", ChartUnit::share}};
    panel.x.categories = {"16", "32"};
    panel.series = {{"MeshSlice", SeriesKind::line, {0.8, 0.7}}, {"Wang", SeriesKind::line, {0.4, 0.3}}};
    panel.series[1].source = "MeshSlice, ISCA 2025";
    return {"MeshSlice is ahead", {panel}, {"A note."}};
}

Chart rows() {
    ChartPanel panel{"", {"time", ChartUnit::seconds}, {"GEMM"}};
    panel.y.categories = {"QKV", "FF1"};
    panel.y.items = {7, 8};
    panel.y.details = {"all about QKV", "all about FF1"};
    panel.series = {{"multiply", SeriesKind::stack, {3.0, 2.0}, {}, Role::compute},
                    {"waits", SeriesKind::stack, {1.0, 2.0}, {}, Role::exposed}};
    return {"FF1 waits", {panel}};
}

class ChartSurfaceTest : public ::testing::Test {
  protected:
    void shows(const Chart& chart) {
        canvas.resize(700, 400);
        canvas.surface.setChart(chart);
        canvas.show();
    }
    void click(const QPointF& at, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(&canvas, Qt::LeftButton, keys, at.toPoint());
    }
    QPointF entry(std::size_t k) { return canvas.surface.layout().legend.at(k).sign.center(); }
    QPointF mark(std::size_t k) { return canvas.surface.layout().panels.at(0).marks.at(k).area.center(); }
    QImage picture() { return canvas.grab().toImage(); }

    Canvas canvas;
};

/// A bar with a word has it in its middle; one that is too narrow for it has none.
TEST_F(ChartSurfaceTest, BarsSayWhatTheyAreWhereTheyHaveRoom) {
    Chart chart = rows();
    chart.panels[0].series[0].labels = {"micro-batch 1",
                                        "a name that is by far too long for a bar of half of the width of "
                                        "the plot of this chart, however small its letters are"};
    shows(chart);
    const PanelLayout& panel = canvas.surface.layout().panels.at(0);
    std::vector<ChartWords> over;
    std::ranges::copy_if(panel.words, std::back_inserter(over),
                         [](const ChartWords& one) { return one.over.has_value(); });
    ASSERT_EQ(over.size(), 1U);
    EXPECT_EQ(over[0].words, QStringLiteral("micro-batch 1"));
    EXPECT_EQ(over[0].over, Role::compute);
    EXPECT_EQ(over[0].area, panel.marks.at(0).area);
}

/// What is planned for a row stands as a mark over its bar: 3 s over the bar of 4 s that waits for 1 s.
TEST_F(ChartSurfaceTest, RowsHaveMarksOverTheirBars) {
    Chart chart = rows();
    chart.panels[0].series.push_back({"planned", SeriesKind::points, {3.0, 2.0}});
    shows(chart);
    const PanelLayout& panel = canvas.surface.layout().panels.at(0);
    const auto planned = std::ranges::find(panel.marks, std::size_t{2}, &ChartMark::series);
    ASSERT_NE(planned, panel.marks.end());
    EXPECT_NEAR(planned->area.center().x(), panel.marks.at(0).area.right(), 1);
    EXPECT_NEAR(planned->area.center().y(), panel.marks.at(0).area.center().y(), 1);
}

TEST_F(ChartSurfaceTest, SaysTheValueUnderThePointerWithItsSource) {
    shows(twoSeries());
    EXPECT_EQ(canvas.surface.linesAt(mark(0).toPoint()),
              (QStringList{QStringLiteral("MeshSlice"), QStringLiteral("chips 16: 80.0%")}));
    EXPECT_EQ(canvas.surface.linesAt(mark(3).toPoint()).last(),
              QStringLiteral("Published: MeshSlice, ISCA 2025"));
    EXPECT_TRUE(canvas.surface.linesAt({2, 399}).isEmpty());
}

TEST_F(ChartSurfaceTest, AClickOnTheLegendIsolates) {
    shows(twoSeries());
    const QImage all = picture();
    ASSERT_EQ(canvas.surface.layout().legend.size(), 2u);
    click(entry(1));
    EXPECT_THAT(canvas.surface.hidden(), ElementsAre("MeshSlice"));
    EXPECT_EQ(canvas.surface.layout().panels[0].marks.size(), 2u) << "Wang's alone";
    EXPECT_NE(picture(), all);
    EXPECT_EQ(canvas.surface.layout().legend.size(), 2u) << "its name stays, to bring it back";
    click(entry(1));
    EXPECT_THAT(canvas.surface.hidden(), IsEmpty());
    EXPECT_EQ(canvas.surface.layout().panels[0].marks.size(), 4u);
    click(entry(0), Qt::ControlModifier);
    EXPECT_THAT(canvas.surface.hidden(), ElementsAre("MeshSlice"));
    click(entry(0), Qt::ControlModifier);
    EXPECT_THAT(canvas.surface.hidden(), IsEmpty());
}

/// Another run's chart keeps what was isolated; a chart of other series shows all of them.
TEST_F(ChartSurfaceTest, IsolationOutlivesARun) {
    shows(twoSeries());
    canvas.surface.isolate("Wang");
    Chart next = twoSeries();
    next.panels[0].series[0].values[0] = 0.9;
    canvas.surface.setChart(next);
    EXPECT_THAT(canvas.surface.hidden(), ElementsAre("MeshSlice"));
    canvas.surface.setChart(rows());
    EXPECT_THAT(canvas.surface.hidden(), IsEmpty());
}

TEST_F(ChartSurfaceTest, AClickSelects) {
    shows(rows());
    std::vector<std::optional<int>> picked;
    QObject::connect(&canvas.surface, &ChartSurface::picked, &canvas,
                     [&](std::optional<int> item) { picked.push_back(item); });
    click(mark(0)); // the bar
    const QRectF row = canvas.surface.layout().panels[0].rows.at(1).area;
    click(QPointF(row.left() + 4, row.center().y())); // its name
    click({690, 3});
    EXPECT_THAT(picked, ElementsAre(7, 8, std::nullopt));
    EXPECT_EQ(canvas.surface.linesAt(QPointF(row.left() + 4, row.center().y()).toPoint()),
              QStringList(QStringLiteral("all about FF1")));
    const QImage before = picture();
    canvas.surface.select(8);
    EXPECT_NE(picture(), before) << "a frame";
}

/// The name of a group stands between its rows: a frame round one of them does not go through it.
TEST_F(ChartSurfaceTest, TheFrameOfARowLeavesItsGroupsNameAlone) {
    Chart grouped = rows();
    ChartAxis& axis = grouped.panels[0].y;
    axis.groups.assign(axis.categories.size(), "a group of rows");
    shows(grouped);
    const QImage before = picture();
    canvas.surface.select(axis.items.front());
    const QImage after = picture();
    EXPECT_NE(after, before);
    const auto left = static_cast<int>(canvas.surface.layout().panels[0].plot.left()) - 4;
    const QRect names(0, 0, left, before.height());
    EXPECT_EQ(after.copy(names), before.copy(names));
}

TEST_F(ChartSurfaceTest, KeysReachEveryValueAndSeries) {
    shows(twoSeries());
    QStringList said;
    QObject::connect(&canvas.surface, &ChartSurface::described, &canvas,
                     [&](const QString& one) { said += one; });
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Right);
    QTest::keyClick(&canvas, Qt::Key_Left);
    QTest::keyClick(&canvas, Qt::Key_Left);
    ASSERT_EQ(said.size(), 4);
    EXPECT_EQ(said[0], QStringLiteral("MeshSlice; chips 16: 80.0%"));
    EXPECT_EQ(said[1], QStringLiteral("MeshSlice; chips 32: 70.0%"));
    EXPECT_EQ(said[2], said[0]);
    EXPECT_TRUE(said[3].startsWith(QStringLiteral("Wang; chips 32")));
    QTest::keyClick(&canvas, Qt::Key_2);
    EXPECT_THAT(canvas.surface.hidden(), ElementsAre("MeshSlice"));
    QTest::keyClick(&canvas, Qt::Key_0);
    EXPECT_THAT(canvas.surface.hidden(), IsEmpty());
}

TEST_F(ChartSurfaceTest, FollowsThePalette) {
    canvas.setPalette(widgetPalette(Theme::light));
    shows(twoSeries());
    EXPECT_EQ(picture().pixelColor(2, 200), color(Role::background, Theme::light));
    canvas.setPalette(widgetPalette(Theme::dark));
    EXPECT_EQ(picture().pixelColor(2, 200), color(Role::background, Theme::dark));
}

/// Files of Qt 6.4 are not clipped, so nothing may lie outside to begin with.
TEST_F(ChartSurfaceTest, WritesSvgWithNothingOutside) {
    for (const Chart& chart : {twoSeries(), rows()}) {
        shows(chart);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(96);
        generator.setSize({640, 360});
        generator.setViewBox(QRect(0, 0, 640, 360));
        QPainter painter(&generator);
        canvas.surface.paintPicture(painter, {640, 360}, Theme::light);
        painter.end();
        QXmlStreamReader xml(bytes);
        int texts = 0;
        while (!xml.atEnd()) {
            texts += xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text");
        }
        EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
        EXPECT_GT(texts, 6);
        const ChartLayout layout = layoutChart(chart, {640, 360});
        const QRectF all(0, 0, 640, 360);
        for (const PanelLayout& panel : layout.panels) {
            for (const ChartMark& one : panel.marks) {
                EXPECT_TRUE(all.contains(one.area));
            }
            for (const ChartRun& run : panel.runs) {
                for (const QPointF& point : run.points) {
                    EXPECT_TRUE(panel.plot.adjusted(-0.01, -0.01, 0.01, 0.01).contains(point));
                }
            }
        }
    }
}

/// At every size: the names of series apart from each other and within the picture, marks within it.
/// A picture that is kept for the next file is the one that would be made for it: another size, theme, title,
/// font or choice of series makes another. Each says its own title.
TEST_F(ChartSurfaceTest, APictureOfSeveralFilesIsAsIfMadeForEach) {
    shows(twoSeries());
    struct Case {
        QSize size;
        Theme theme = Theme::light;
        std::optional<QString> title = {};
        QString family = {};
        bool above = false;
    };
    const std::vector<Case> cases = {{{640, 360}},
                                     {{640, 360}},
                                     {{640, 360}, Theme::dark},
                                     {{500, 300}},
                                     {{500, 300}, Theme::light, QStringLiteral("Mine")},
                                     {{500, 300}, Theme::light, QString()},
                                     {{500, 300}, Theme::light, QString(), {}, true},
                                     {{500, 300}, Theme::light, {}, QStringLiteral("DejaVu Serif")},
                                     {{500, 300}}};
    std::set<std::string> hidden;
    for (const bool isolated : {false, true}) {
        if (isolated) {
            canvas.surface.isolate("Wang");
            hidden = {"MeshSlice"};
        }
        std::size_t k = 0;
        for (const Case& one : cases) {
            const auto drawn = [&](const auto& paint) {
                QImage image(one.size, QImage::Format_RGB32);
                image.fill(Qt::magenta);
                QPainter painter(&image);
                const FigureStyle style(one.title, one.family, one.above);
                paint(painter);
                EXPECT_EQ(style.ownTitle().toStdString(), "MeshSlice is ahead") << k;
                return image;
            };
            const QImage fresh = drawn([&](QPainter& painter) {
                paintChart(painter, twoSeries(), one.size, one.theme, {}, hidden);
            });
            for (int file = 0; file < 3; ++file) {
                EXPECT_EQ(drawn([&](QPainter& painter) {
                              canvas.surface.paintPicture(painter, one.size, one.theme);
                          }),
                          fresh)
                    << k << ' ' << file;
            }
            ++k;
        }
    }
}

TEST_F(ChartSurfaceTest, LaysOutWithoutOverlaps) {
    Chart chart = twoSeries();
    for (int k = 0; k < 6; ++k) {
        chart.panels[0].series.push_back({"series " + std::to_string(k), SeriesKind::line, {0.41, 0.305}});
    }
    for (const QSize size : {QSize(420, 260), QSize(960, 600), QSize(1920, 1080)}) {
        const ChartLayout layout = layoutChart(chart, size);
        for (std::size_t k = 0; k < layout.legend.size(); ++k) {
            EXPECT_LE(layout.legend[k].area.right(), size.width());
            EXPECT_LE(layout.legend[k].area.bottom(), size.height());
            for (std::size_t other = 0; other < k; ++other) {
                EXPECT_FALSE(
                    layout.legend[k].area.adjusted(0, 0.1, 0, -0.1).intersects(layout.legend[other].area));
            }
        }
    }
}

} // namespace
} // namespace meshslice::ui
