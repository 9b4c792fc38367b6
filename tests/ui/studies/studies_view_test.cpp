#include "core/machine/catalogue.h"
#include "tests/support/own_results.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/controls/table_model.h"
#include "ui/look/palette.h"
#include "ui/studies/studies_view.h"
#include "ui/studies/study_headings.h"
#include "ui/view/picture_file.h"

#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace meshslice::ui {
namespace {

class StudiesViewTest : public ::testing::Test {
  protected:
    StudiesViewTest() {
        view.setPalette(widgetPalette(Theme::light));
        view.resize(1000, 640);
    }
    /// Chooses a study by its id, as the arrow keys would, and waits for the answer.
    void choose(std::string_view id) {
        QSignalSpy answered(&view, &StudiesView::answered);
        const auto& all = studies();
        const auto at = std::ranges::find(all, id, &Study::id) - all.begin();
        if (view.list()->currentRow() == static_cast<int>(at) && !view.job()->isBusy()) {
            return;
        }
        view.list()->setCurrentRow(static_cast<int>(at));
        ASSERT_TRUE(answered.count() > 0 || answered.wait(patience_ms)) << id;
    }

    HandMadeSession session;
    StudiesView view{&session};
};

/// The two lists follow each other. While one of them is being destroyed, nothing of it may be called any
/// more: it is no longer a list then.
TEST(StudiesView, ListsSayNothingWhileTheViewCloses) {
    HandMadeSession session;
    auto view = std::make_unique<StudiesView>(&session);
    view->list()->setCurrentRow(2);
    int late = 0;
    QObject receiver;
    const auto count = [&] { ++late; };
    QObject::connect(view->list(), &QListWidget::currentRowChanged, &receiver, count);
    const auto boxes = view->findChildren<QComboBox*>();
    const auto named = std::ranges::find(boxes, view->list()->accessibleName(), &QComboBox::accessibleName);
    ASSERT_NE(named, boxes.end());
    const QComboBox* const narrow = *named;
    QObject::connect(narrow, &QComboBox::currentIndexChanged, &receiver, count);
    view->list()->setCurrentRow(1);
    ASSERT_EQ(late, 2) << "both follow";
    late = 0;
    view.reset();
    EXPECT_EQ(late, 0);
}

TEST_F(StudiesViewTest, ComputesNothingBeforeItIsSeen) {
    const Gate gate(view.job());
    session.show(handMadeResults());
    EXPECT_FALSE(view.job()->isBusy());
    EXPECT_FALSE(view.sentence().isEmpty());
    view.show();
    EXPECT_TRUE(view.job()->isBusy());
    view.hide();
    EXPECT_FALSE(view.job()->isBusy());
}

/// Table 2: four claims, each a row next to the paper's; two models, each ours and the paper's twice.
TEST_F(StudiesViewTest, SetsThePapersStatementBesideOurs) {
    view.show();
    choose("dataflows");
    ASSERT_TRUE(view.shown());
    EXPECT_EQ(view.shown()->claims.size(), 6u);
    TableModel* verdicts = view.verdictModel();
    ASSERT_EQ(verdicts->rowCount(), 6);
    EXPECT_EQ(view.findChild<QTabWidget*>()->currentIndex(), 0) << "it is seen first";
    EXPECT_EQ(verdicts->index(1, 1).data().toString(), QStringLiteral("67.4%"));
    EXPECT_TRUE(verdicts->index(1, 2).data().toString().endsWith(QLatin1Char('%')));
    const ChartLayout layout = layoutChart(chart(*view.shown()), {700, 400});
    ASSERT_EQ(layout.panels.size(), 1u);
    EXPECT_EQ(layout.panels[0].marks.size(), 8u);
    EXPECT_EQ(std::ranges::count_if(
                  layout.panels[0].marks,
                  [&](const ChartMark& mark) { return layout.chart.panels[0].series[mark.series].hollow; }),
              4);
}

/// Above the first study of each evaluation stands its paper; the row is still that of the study.
TEST_F(StudiesViewTest, NamesThePaperAboveItsStudies) {
    const Publication* paper = nullptr;
    for (std::size_t row = 0; row < studies().size(); ++row) {
        const QListWidgetItem* item = view.list()->item(static_cast<int>(row));
        const Publication& own = studies()[row].publication();
        EXPECT_EQ(item->data(study_heading_role).toString().toStdString(),
                  &own == paper ? std::string() : own.citation);
        EXPECT_TRUE(item->text().startsWith(QString::fromUtf8(studies()[row].title.data())))
            << item->text().toStdString();
        paper = &own;
    }
    view.show();
    view.resize(1200, 800);
    const auto height = [&](int row) { return view.list()->visualItemRect(view.list()->item(row)).height(); };
    EXPECT_GT(height(0), height(1) + 10);
    QImage image(view.list()->viewport()->size(), QImage::Format_RGB32);
    view.list()->viewport()->render(&image);
    const QRect first = view.list()->visualItemRect(view.list()->item(0));
    int drawn = 0; // pixels of the heading
    for (int y = first.top(); y < first.top() + height(0) - height(1); ++y) {
        for (int x = first.left(); x < first.right(); ++x) {
            drawn += qGray(image.pixel(x, y)) < 128 ? 1 : 0;
        }
    }
    EXPECT_GT(drawn, 20);
}

/// "Figure 9" leaves those of that figure, not Figure 19; the first of each paper has its name above it.
TEST_F(StudiesViewTest, SearchesTitlesFiguresAndPapers) {
    view.show();
    view.resize(1200, 800);
    const auto left = [&] {
        QStringList titles;
        for (int row = 0; row < view.list()->count(); ++row) {
            if (!view.list()->item(row)->isHidden()) {
                titles << view.list()->item(row)->text();
            }
        }
        return titles;
    };
    QTest::keyClicks(view.search(), QStringLiteral("figure 9"));
    ASSERT_FALSE(left().isEmpty());
    EXPECT_EQ(left().front(), QStringLiteral("Weak scaling, Figure 9"));
    for (const QString& title : left()) {
        EXPECT_TRUE(title.contains(QStringLiteral("Figure"))) << title.toStdString();
        EXPECT_FALSE(title.endsWith(QStringLiteral("19"))) << title.toStdString();
    }
    QTest::keyClick(view.search(), Qt::Key_Return);
    EXPECT_EQ(view.pages()[view.page()], QStringLiteral("weak-scaling"));
    EXPECT_EQ(view.focusWidget(), view.list());
    view.search()->setText(QStringLiteral("T3"));
    ASSERT_FALSE(left().isEmpty());
    for (int row = 0; row < view.list()->count(); ++row) {
        if (!view.list()->item(row)->isHidden()) {
            EXPECT_FALSE(view.list()->item(row)->data(study_heading_role).toString().isEmpty())
                << "the first";
            break;
        }
    }
    view.search()->setText(QStringLiteral("elephant"));
    EXPECT_TRUE(left().isEmpty());
    view.search()->clear();
    EXPECT_EQ(left().size(), static_cast<qsizetype>(studies().size()));
}

/// Another model starts a new computation; nothing about it is the paper's.
TEST_F(StudiesViewTest, AnswersForAnotherModelAndHardware) {
    view.show();
    choose("dataflows");
    QSignalSpy answered(&view, &StudiesView::answered);
    view.models()->setCurrentIndex(view.models()->findData(QStringLiteral("llama-3-8b")));
    ASSERT_TRUE(answered.wait(patience_ms));
    ASSERT_TRUE(view.shown());
    EXPECT_EQ(view.shown()->panels[0].x.categories, std::vector<std::string>{"Llama 3 8B"});
    EXPECT_TRUE(view.shown()->claims.empty());
    const auto* tables = view.findChild<QTabWidget*>();
    EXPECT_FALSE(tables->isTabVisible(0)) << "an empty table says nothing";
    EXPECT_TRUE(tables->isTabVisible(1));
    const double slow = view.shown()->panels[0].series[1].values[0].value();
    view.hardware()->setCurrentIndex(view.hardware()->findData(QStringLiteral("tpu-v5p")));
    ASSERT_TRUE(answered.wait(patience_ms));
    EXPECT_NE(view.shown()->panels[0].series[1].values[0].value(), slow);
    view.chips()->setCurrentIndex(0); // up to 16
    ASSERT_TRUE(answered.wait(patience_ms));
    EXPECT_EQ(view.shown()->panels[0].title, "16 chips");
}

/// On another chip the paper's statements stand there with a reason instead of a verdict, and the picture
/// says so, too.
TEST_F(StudiesViewTest, JudgesOnlyThePapersQuestion) {
    view.show();
    choose("mesh-shapes");
    TableModel* verdicts = view.verdictModel();
    const auto cell = [&](int row, int column) { return verdicts->index(row, column).data().toString(); };
    ASSERT_EQ(verdicts->rowCount(), 3); // the gain of the shape, the best mesh, and that both readings agree
    EXPECT_EQ(cell(1, 2), QStringLiteral("holds"));
    QSignalSpy answered(&view, &StudiesView::answered);
    view.hardware()->setCurrentIndex(view.hardware()->findData(QStringLiteral("tpu-v3")));
    ASSERT_TRUE(answered.wait(patience_ms));
    ASSERT_EQ(verdicts->rowCount(), 3);
    EXPECT_EQ(cell(0, 3), QStringLiteral("not judged"));
    EXPECT_EQ(cell(1, 2), QStringLiteral("not judged"));
    EXPECT_TRUE(cell(1, 5).contains(QStringLiteral("with TPU v3 instead of TPU v4")));
    const Chart shown = chart(*view.shown());
    ASSERT_FALSE(shown.notes.empty());
    EXPECT_TRUE(shown.notes.front().starts_with("Not judged against the paper"));
}

/// Studies of another paper have its own models, clusters and hardware to choose from; those of the same keep
/// what was chosen.
TEST_F(StudiesViewTest, OffersWhatThePaperAsksAbout) {
    view.show();
    choose("dataflows");
    view.chips()->setCurrentIndex(0);
    choose("mesh-shapes");
    EXPECT_EQ(view.chips()->currentData().toInt(), 16);
    choose("pipeline-depth");
    EXPECT_EQ(view.models()->currentText(), QStringLiteral("GPT-3 1T and ViT-64K, as the paper"));
    EXPECT_EQ(view.chips()->currentData().toInt(), 16384);
    EXPECT_EQ(view.hardware()->currentData().toString(), QStringLiteral("b200-nvs8"));
    EXPECT_EQ(view.hardware()->findData(QStringLiteral("tpu-v4-paper")), -1);
    ASSERT_TRUE(view.shown());
    EXPECT_EQ(view.shown()->orderings.size(), 5u);
    EXPECT_EQ(view.shown()->not_judged, "");
    QSignalSpy answered(&view, &StudiesView::answered);
    view.hardware()->setCurrentIndex(view.hardware()->findData(QStringLiteral("h100-nvs8")));
    ASSERT_TRUE(answered.wait(patience_ms));
    EXPECT_NE(view.shown()->not_judged, "");
}

/// A study of a file offers what it names once: one machine, no model and no number of chips; where it goes
/// through machines itself, nothing.
TEST_F(StudiesViewTest, OffersNothingThatChangesNothing) {
    view.show();
    choose("all-gather-times");
    ASSERT_TRUE(view.shown());
    EXPECT_TRUE(view.models()->isHidden());
    EXPECT_TRUE(view.chips()->isHidden());
    EXPECT_FALSE(view.hardware()->isHidden());
    EXPECT_EQ(view.verdictModel()->rowCount(), 4);
    QSignalSpy answered(&view, &StudiesView::answered);
    view.hardware()->setCurrentIndex(view.hardware()->findData(QStringLiteral("tpu-v5p")));
    ASSERT_TRUE(answered.wait(patience_ms));
    EXPECT_NE(view.shown()->not_judged, "");
    choose("inference-batch");
    EXPECT_TRUE(view.hardware()->isHidden());
    choose("dataflows");
    EXPECT_FALSE(view.models()->isHidden());
    EXPECT_FALSE(view.chips()->isHidden());
}

/// The scenario's model is that of the results, and a change of it is followed.
TEST_F(StudiesViewTest, FollowsTheScenario) {
    view.show();
    choose("dataflows");
    QSignalSpy answered(&view, &StudiesView::answered);
    view.models()->setCurrentIndex(1);
    ASSERT_TRUE(answered.wait(patience_ms));
    auto results = std::make_shared<Results>(*handMadeResults());
    results->scenario.model = *model_preset("llama-3-70b");
    session.show(results);
    ASSERT_TRUE(answered.wait(patience_ms));
    EXPECT_EQ(view.shown()->panels[0].x.categories, std::vector<std::string>{"Llama 3 70B"});
    session.fail(QStringLiteral("The scenario does not run."));
    EXPECT_TRUE(view.shown()) << "a scenario that does not run leaves the studies alone";
}

/// A study that is left before it is answered is never shown under another one's name: all but the last wait
/// at the gate until they are given up.
TEST_F(StudiesViewTest, DropsLateAnswers) {
    view.show();
    QSignalSpy answered(&view, &StudiesView::answered);
    Gate gate(view.job());
    for (int row = 0; row < view.list()->count(); ++row) {
        view.list()->setCurrentRow(row);
    }
    gate.open();
    ASSERT_TRUE(answered.wait(patience_ms));
    EXPECT_EQ(answered.count(), 1);
    const Study& last = studies().back();
    const Evaluation& asked = *last.evaluation;
    const Result<Machine> machine = machine_preset(asked.machine);
    EXPECT_EQ(view.shown()->finding, run_study(last, asked.inputs(*machine))->finding);
}

TEST_F(StudiesViewTest, WritesItsPictureAndItsTable) {
    const QTemporaryDir folder;
    bool complete = false; // never shown: computed for the file
    view.complete([&](const Result<void>& outcome) { complete = outcome.has_value(); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return complete; }, patience_ms));
    ASSERT_TRUE(view.shown());
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        const QString path = folder.filePath(QStringLiteral("studies.") + QLatin1String(ending));
        const auto saved = savePicture(view, path, {1280, 800}, Theme::light);
        EXPECT_TRUE(saved) << saved.error().sentence;
        EXPECT_GT(QFile(path).size(), 1000) << ending;
    }
    QFile table(folder.filePath(QStringLiteral("studies.csv")));
    ASSERT_TRUE(table.open(QIODevice::ReadOnly));
    EXPECT_TRUE(table.readLine().startsWith("model,chips,algorithm,mesh"));
}

TEST_F(StudiesViewTest, NamesAMarkUnderThePointer) {
    view.show();
    choose("dataflows");
    ChartSurface* surface = view.canvas()->surface();
    const ChartLayout& layout = surface->layout();
    const QPoint at = layout.panels[0].marks.back().area.center().toPoint();
    EXPECT_EQ(surface->linesAt(at).last(), QStringLiteral("Published: MeshSlice, ISCA 2025"));
    EXPECT_TRUE(surface->linesAt({1, 1}).isEmpty());
}

/// Every study and two sizes: marks within their plot, names apart from each other and within the picture.
TEST_F(StudiesViewTest, LaysEveryStudyOutWithoutOverlaps) {
    for (const Study& study : studies()) {
        const Chart drawn = chart(test::own_result(study));
        for (const QSize size : {QSize(620, 420), QSize(1280, 800)}) {
            const ChartLayout layout = layoutChart(drawn, size);
            for (const PanelLayout& panel : layout.panels) {
                for (const ChartMark& mark : panel.marks) {
                    EXPECT_GE(mark.area.bottom(), panel.plot.top() - 8) << study.id;
                    EXPECT_LE(mark.area.top(), panel.plot.bottom() + 8) << study.id;
                }
            }
            for (std::size_t k = 0; k < layout.legend.size(); ++k) {
                const QRectF& name = layout.legend[k].area;
                EXPECT_LE(name.right(), size.width()) << study.id;
                for (std::size_t other = 0; other < k; ++other) {
                    EXPECT_FALSE(name.adjusted(0, 0.1, 0, -0.1).intersects(layout.legend[other].area))
                        << study.id;
                }
            }
        }
    }
}

/// The narrow list says nothing while the view is being destroyed: who listens may be half gone.
TEST(StudiesViewAlone, EndsInSilence) {
    int said = 0;
    HandMadeSession session;
    {
        StudiesView view(&session);
        view.show();
        view.list()->setCurrentRow(2);
        for (QComboBox* list : view.findChildren<QComboBox*>()) {
            QObject::connect(list, &QComboBox::currentIndexChanged, [&said] { ++said; });
        }
    }
    EXPECT_EQ(said, 0);
}

} // namespace
} // namespace meshslice::ui
