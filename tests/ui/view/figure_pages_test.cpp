#include "core/base/text.h"
#include "core/figure/chart.h"
#include "core/machine/catalogue.h"
#include "core/question/catalogue/study/studies.h"
#include "core/report/chart/step_charts.h"
#include "tests/support/own_results.h"
#include "tests/ui/support/drawn_texts.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/charts/chart_picture.h"
#include "ui/document/document.h"
#include "ui/session/session.h"
#include "ui/shell/main_window.h"
#include "ui/view/figure.h"
#include "ui/view/painted_view.h"
#include "ui/view/picture_file.h"

#include <QPainter>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace meshslice::ui {
namespace {

/// A view of a chart that is given to it.
class ChartPage : public View {
  public:
    ChartPage(Session* session, Chart chart) : View(session, nullptr), chart_(std::move(chart)) {}
    [[nodiscard]] QString sentence() const override { return {}; }
    [[nodiscard]] bool isCurrent() const override { return true; }
    [[nodiscard]] double pictureHeight(double width) const override { return figureHeight(chart_, width); }
    void paintPicture(QPainter& painter, const QSize& size, Theme theme) const override {
        paintEnlarged(painter, size, theme,
                      [&](const QSize& laid_out) { paintChart(painter, chart_, laid_out, theme); });
    }

  protected:
    void resultsChanged() override {}
    [[nodiscard]] Table makeTable() const override { return {}; }
    [[nodiscard]] QString pictured() const override {
        return QStringLiteral(
            "GPT-3 175B, batch 128 x 2048 tokens, bf16; 256 chips: TPU v4; MeshSlice on 32x8");
    }

  private:
    Chart chart_;
};

/// What is wrong with a figure of the view: words on words, over the edge of the page, or, where they may not
/// be, cut.
QStringList faultsOf(const View& view, const Figure& asked, bool whole = true) {
    const Figure figure = settled(view, asked);
    DrawnTexts page(figure.size);
    QPainter painter(&page);
    const FigureFacts facts = paintFigure(painter, view, figure);
    painter.end();
    QStringList faults = page.overlaps();
    for (const QString& words : page.outside()) {
        faults << QStringLiteral("“%1” leaves the page").arg(words);
    }
    if (whole && facts.cut > 0) {
        faults << QStringLiteral("“%1” is cut").arg(facts.first_cut);
    }
    return faults;
}

/// In a column also without title, caption and notes.
std::vector<Figure> figuresOn(const FigurePage& page) {
    std::vector<Figure> figures{figureOn(page)};
    if (&page == usual_pages.data()) {
        Figure bare = figureOn(page);
        bare.title = QString();
        bare.caption = QString();
        bare.notes = false;
        figures.push_back(bare);
    }
    return figures;
}

/// On the narrowest page, and on one of the others, chosen by the name: a page takes as long to lay out as a
/// study to find. `whole`: nothing is cut on pages of any height; else that is for the dialog to say.
void expectSound(const View& view, const std::string& name, bool whole) {
    const std::size_t turn =
        1 + std::accumulate(name.begin(), name.end(), std::size_t{0}) % (usual_pages.size() - 1);
    for (const std::size_t one : {std::size_t{0}, turn}) {
        const FigurePage& page = usual_pages[one];
        for (const Figure& figure : figuresOn(page)) {
            const QStringList faults = faultsOf(view, figure, whole && figure.as_high_as_needed);
            EXPECT_TRUE(faults.isEmpty())
                << name << " on " << page.name << (figure.notes ? "" : ", bare") << ": "
                << faults.mid(0, 4).join(QStringLiteral("; ")).toStdString();
        }
    }
}

/// By hand: two words of the same size in the same place, one of them turned; one over the edge.
TEST(DrawnTexts, SeesWordsOnWordsAndOverTheEdge) {
    DrawnTexts page({200, 100});
    QPainter painter(&page);
    painter.drawText(QPointF(20, 50), QStringLiteral("FLOP"));
    painter.drawText(QPointF(120, 50), QStringLiteral("chips"));
    EXPECT_TRUE(page.overlaps().isEmpty());
    EXPECT_TRUE(page.outside().isEmpty());
    painter.drawText(QPointF(24, 52), QStringLiteral("utilization"));
    EXPECT_EQ(page.overlaps(), QStringList(QStringLiteral("“utilization” stands on “FLOP”")));
    painter.translate(125, 60);
    painter.rotate(-90);
    painter.drawText(QPointF(0, 0), QStringLiteral("turned"));
    EXPECT_EQ(page.overlaps().size(), 2);
    painter.resetTransform();
    painter.drawText(QPointF(190, 90), QStringLiteral("too long"));
    EXPECT_EQ(page.outside(), QStringList(QStringLiteral("too long")));
}

/// The check itself: names of series one below the other need more than the plot of so low a picture has.
TEST(FigurePages, AFigureThatIsTooLowIsFound) {
    ChartPanel panel;
    panel.title = "GPT-3 175B";
    panel.x = {"chips", ChartUnit::none, false, {"16", "32", "64", "128", "256"}};
    panel.y = {"FLOP utilization", ChartUnit::share};
    for (const char* name : {"MeshSlice", "Wang", "Collective", "Cannon", "SUMMA", "FSDP"}) {
        ChartSeries series{name, SeriesKind::line};
        series.values = {0.8, 0.7, 0.6, 0.5, 0.4};
        panel.series.push_back(series);
    }
    HandMadeSession session;
    const ChartPage page(&session, {"Weak scaling", {panel, panel}});
    Figure figure = figureOn(UsualPage::one_column);
    EXPECT_TRUE(faultsOf(page, figure).isEmpty())
        << faultsOf(page, figure).join(QLatin1Char(' ')).toStdString();
    figure.as_high_as_needed = false;
    figure.size.setHeight(90);
    EXPECT_FALSE(faultsOf(page, figure).isEmpty());
}

/// One legend names the series of both panels where their names would take half of each.
TEST(FigurePages, SeveralPanelsShareALegendInAColumn) {
    const Study* study = nullptr;
    for (const Study& one : studies()) {
        study = one.id == "weak-scaling" ? &one : study;
    }
    ASSERT_NE(study, nullptr);
    const Chart weak = chart(test::own_result(*study));
    ASSERT_EQ(weak.panels.size(), 2u);
    constexpr int width = 331;
    const ChartLayout layout = layoutChart(weak, {width, static_cast<int>(figureHeight(weak, width))});
    EXPECT_TRUE(layout.names_below);
    std::set<std::string> names;
    for (const LegendEntry& entry : layout.legend) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name << " twice";
        EXPECT_GE(entry.area.top(), layout.panels.back().area.bottom() - 1);
    }
    for (const PanelLayout& panel : layout.panels) {
        EXPECT_GE(panel.plot.height(), 100);
        EXPECT_GE(panel.plot.width(), 200);
    }
}

TEST(FigurePages, EveryStudyIsWholeOnItsPages) {
    HandMadeSession session;
    for (const Study& study : studies()) {
        expectSound(ChartPage(&session, chart(test::own_result(study))), std::string(study.id), true);
    }
}

TEST(FigurePages, NoViewPrintsWordsOnWordsOnItsPages) {
    MainWindow window(Memory::forget);
    window.document()->restore(project_of(smallScenario()), {});
    window.resize(1280, 800);
    window.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->reasons() != nullptr; }, patience_ms));
    for (View* view : window.views()) {
        if (view->isUnused() || view->id() == QLatin1String("lab")) {
            continue; // pages of the lab are not laid out for paper
        }
        const int pages = std::max(1, static_cast<int>(view->pages().size()));
        for (int page = 0; page < pages; ++page) {
            view->turnTo(page);
            std::optional<bool> complete;
            view->complete([&](const Result<void>& outcome) { complete = outcome.has_value(); });
            ASSERT_TRUE(QTest::qWaitFor([&] { return complete.has_value(); }, patience_ms));
            if (*complete) {
                expectSound(*view, view->id().toStdString() + ' ' + std::to_string(page), false);
            }
        }
    }
}

/// 85 mm are 85 mm; the height is the figure's, and grows with the letters.
TEST(FigurePages, TheHeightFollowsTheLetters) {
    ChartPanel panel;
    panel.x = {"chips", ChartUnit::none, false, {"16", "32"}};
    panel.y = {"FLOP utilization", ChartUnit::share};
    ChartSeries series{"MeshSlice", SeriesKind::line};
    series.values = {0.8, 0.7};
    panel.series = {series};
    HandMadeSession session;
    const ChartPage page(&session, {"Weak scaling", {panel}});
    Figure figure = figureOn(UsualPage::one_column);
    const Figure small = settled(page, figure);
    EXPECT_EQ(small.size.width(), qRound(85 / 25.4 * 96));
    EXPECT_NEAR(small.millimetres->height(), small.size.height() * 25.4 / 96, 0.01);
    figure.points = 12;
    EXPECT_GT(settled(page, figure).size.height(), small.size.height() + 50);
    const Figure slide = settled(page, figureOn(UsualPage::slide));
    EXPECT_EQ(slide.size, QSize(960, 540)) << "254 x 143 mm";
}

} // namespace
} // namespace meshslice::ui
