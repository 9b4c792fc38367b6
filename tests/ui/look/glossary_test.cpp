#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "ui/commands/examples.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/look/glossary.h"
#include "ui/timeline/view/timeline_picture.h"
#include "ui/timeline/view/timeline_view.h"

#include <QLabel>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(GlossaryOfTheWindow, ExplainsEveryEntryOfTheTimelinesLegend) {
    const StepRuns runs = runsOf(handMadeResults());
    int explained = 0;
    for (const LegendItem& item : timelineLegend(runs, true)) {
        if (item.role) {
            EXPECT_FALSE(glossaryLines(item.words).isEmpty()) << item.words.toStdString();
            ++explained;
        }
    }
    EXPECT_GE(explained, 6);
    EXPECT_TRUE(glossaryLines(QStringLiteral("no such word")).isEmpty());
    EXPECT_TRUE(glossaryText().contains(QStringLiteral("<b>epilogue</b>")));
}

/// Under the pointer at the first entry of the legend, "multiply".
TEST(GlossaryOfTheWindow, IsShownAtALegend) {
    HandMadeSession session;
    TimelineView view(&session);
    view.resize(1000, 300);
    session.show(handMadeResults());
    view.show();
    QStringList said;
    for (int y = view.height() - 1; y > view.height() - 80 && said.isEmpty(); --y) {
        said = view.linesAt(QPoint(20, y));
    }
    ASSERT_FALSE(said.isEmpty());
    EXPECT_EQ(said.front(), QStringLiteral("compute"));
    EXPECT_TRUE(said.back().startsWith(QStringLiteral("Source: ")));
}

TEST(GlossaryOfTheWindow, IsShownAtColumns) {
    TableModel model;
    model.setTable({"t", {"exposed_s", "unheard of"}, {}});
    const QString tip = model.headerData(0, Qt::Horizontal, Qt::ToolTipRole).toString();
    EXPECT_TRUE(tip.contains(QStringLiteral("exposed_s")));
    EXPECT_TRUE(tip.contains(QStringLiteral("waits for communication")));
    EXPECT_EQ(model.headerData(1, Qt::Horizontal, Qt::ToolTipRole).toString(), QStringLiteral("unheard of"));
}

TEST(GlossaryOfTheWindow, IsShownAtLabelsOfTheForm) {
    Document document;
    ScenarioPanel panel(&document);
    int explained = 0;
    for (const QLabel* label : panel.findChildren<QLabel*>()) {
        QString text = label->text();
        text.remove(QLatin1Char('&'));
        if (text == QStringLiteral("Slices S") || text == QStringLiteral("Batch")) {
            EXPECT_TRUE(label->toolTip().contains(glossaryParagraph(text)));
            EXPECT_FALSE(glossaryParagraph(text).isEmpty());
            ++explained;
        }
    }
    EXPECT_EQ(explained, 2);
}

TEST(GlossaryOfTheWindow, ExamplesSayWhatTheyShow) {
    for (const Example& example : examples()) {
        const bool compares = example.point.contains(QStringLiteral("less time")) ||
                              example.point.contains(QStringLiteral("times as long"));
        const bool whole = example.project.task != ProjectTask::step;
        EXPECT_TRUE(compares || (whole && (example.point.contains(QStringLiteral("expected to take")) ||
                                           example.point.contains(QStringLiteral("tokens/s")))))
            << example.title.toStdString();
    }
}

} // namespace
} // namespace meshslice::ui
