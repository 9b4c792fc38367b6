#include "tests/ui/support/gate.h"
#include "tests/ui/support/hand_made_results.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/patience.h"
#include "ui/details/details_panel.h"
#include "ui/details/stretch_text.h"
#include "ui/timeline/view/timeline_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// Of the hand-made run 30 to 60 us: the cores multiply from 42 to 60, 60% of it; of the vertical forward
/// links the transfer from 30 to 41.2 us, 37% of their time, 9.3% of that of all four links of a chip. Of
/// 1.179 MB 11.2 of 26.2 us: 504 kB a chip. Of 2.4 GFLOP 18 of 48 us: 900 MFLOP a chip. Nothing is
/// hidden; the core waits until its launch at 40 us.
TEST(DetailsPanel, AddsUpAMarkedStretch) {
    HandMadeSession session{handMadeResults()};
    DetailsPanel panel(&session);
    EXPECT_FALSE(panel.toPlainText().contains(QStringLiteral("Marked stretch")));
    session.selection()->setMarked(TimeRange{microseconds(30), microseconds(60)});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.job()->isBusy(); }, patience_ms));
    QString text = panel.toPlainText().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
    for (const char* words : {"Marked stretch", "60%", "9.3%", "2.02 MB", "3.60 GFLOP", "11.2 µs", "10.0 µs",
                              "share of its time that lies within"}) {
        EXPECT_TRUE(text.contains(QString::fromUtf8(words))) << words << " in\n" << text.toStdString();
    }
    session.selection()->setMarked(std::nullopt);
    EXPECT_FALSE(panel.toPlainText().contains(QStringLiteral("Marked stretch")));
}

/// The window waits for no sum: while the next stretch is added up the last one stays, with its own times;
/// one of an older run does not.
TEST(DetailsPanel, NeverShowsAStretchAsAnother) {
    HandMadeSession session{handMadeResults()};
    DetailsPanel panel(&session);
    const auto text = [&] { return panel.toPlainText().replace(QChar(QChar::Nbsp), QLatin1Char(' ')); };
    const auto says = [&](const char* words) { return text().contains(QString::fromUtf8(words)); };
    session.selection()->setMarked(TimeRange{microseconds(30), microseconds(60)});
    ASSERT_TRUE(QTest::qWaitFor([&] { return says("3.60 GFLOP"); }, patience_ms));
    {
        Gate gate(panel.job());
        session.selection()->setMarked(TimeRange{microseconds(30), microseconds(50)});
        EXPECT_TRUE(says("30.0 µs to 60.0 µs")) << text().toStdString();
        EXPECT_TRUE(says("3.60 GFLOP")) << text().toStdString();
        session.show(handMadeResults());
        EXPECT_TRUE(says("30.0 µs to 50.0 µs")) << text().toStdString();
        EXPECT_FALSE(says("GFLOP")) << text().toStdString();
    }
    ASSERT_TRUE(QTest::qWaitFor([&] { return says("1.60 GFLOP"); }, patience_ms)) << text().toStdString();
}

/// What it says of a stretch belongs to a run, whose timelines are large.
TEST(DetailsPanel, KeepsNothingOfAnOldRun) {
    HandMadeSession session{handMadeResults()};
    DetailsPanel panel(&session);
    session.selection()->setMarked(TimeRange{microseconds(30), microseconds(60)});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return panel.toPlainText().contains(QStringLiteral("GFLOP")); }, patience_ms));
    const std::weak_ptr<const Results> old = session.current();
    const Gate gate(panel.job());
    session.show(handMadeResults());
    EXPECT_TRUE(QTest::qWaitFor([&] { return old.expired(); }, 1000));
}

/// Two algorithms stand next to each other; of two variants also how much more B has. A second one that is
/// done before the stretch begins has no numbers.
TEST(StretchText, HasAColumnForEachStep) {
    auto results = std::make_shared<Results>(*handMadeResults(true));
    const auto stretch = [&](std::int64_t from, std::int64_t to) {
        const TimeRange marked{microseconds(from), microseconds(to)};
        return stretchText(*results, marked, step_stretches(results->steps, {marked.begin, marked.end}));
    };
    QString text = stretch(30, 60);
    EXPECT_TRUE(text.contains(QStringLiteral("MeshSlice")));
    EXPECT_TRUE(text.contains(QStringLiteral("Collective")));
    results->reference = Variant{"other", results->scenario};
    text = stretch(30, 60);
    EXPECT_TRUE(text.contains(QStringLiteral("the same")));
    text = stretch(210, 260);
    EXPECT_TRUE(text.contains(QStringLiteral("is done before it begins"))) << text.toStdString();
    results->steps[0].gemms[1].timeline = nullptr;
    text = stretch(50, 150);
    EXPECT_TRUE(text.contains(QStringLiteral("were only estimated"))) << text.toStdString();
}

/// In the table of two variants and their difference no number is parted from its unit or within itself,
/// however narrow the panel and large the text.
/// Two variants with their difference, as wide as the panel is in a window of 960 or 1280 pixels.
TEST(DetailsPanel, TwoVariantsFitIntoANarrowPanel) {
    Scenario sliced = default_scenario();
    Scenario whole = sliced;
    whole.plan.slices = 1;
    auto results = std::make_shared<Results>();
    results->scenario = sliced;
    results->reference = Variant{"not sliced", whole};
    for (const Scenario& scenario : {sliced, whole}) {
        results->steps.push_back(training_step(scenario, "meshslice", Depth::simulate).value());
    }
    HandMadeSession session;
    session.show(results, reasonsFor(results));
    DetailsPanel panel(&session);
    panel.resize(300, 500);
    panel.show();
    panel.grab();
    EXPECT_EQ(panel.horizontalScrollBar()->maximum(), 0) << "nothing is beyond the edge";
    const QString text = panel.toPlainText().replace(QChar(QChar::Nbsp), QLatin1Char(' '));
    // Without slices a loop needs room for whole matrices: 127 MB more.
    EXPECT_TRUE(text.contains(
        QRegularExpression(QStringLiteral("buffers\\s+382.MB\\s+255.MB\\s+\u2212127.MB, \u221233%"))))
        << text.toStdString();
    EXPECT_TRUE(
        text.contains(QRegularExpression(QStringLiteral("gradients\\s+1.37.GB\\s+1.37.GB\\s+the same"))));
    EXPECT_TRUE(text.contains(QRegularExpression(
        QStringLiteral("all 96 blocks\\s+8.11.s\\s+5.9\\d.s\\s+\u22122.1\\d.s, \u221227%"))))
        << text.toStdString();
    const QString waits = text.section(QStringLiteral("What the core waits for"), 1);
    EXPECT_TRUE(waits.contains(QRegularExpression(
        QStringLiteral("horizontal links: transfer\\s+27.5.ms\\s+6.96.ms\\s+\u221220.5.ms, \u221275%"))))
        << waits.toStdString();
}

TEST(DetailsPanel, BreaksNoNumber) {
    auto results = std::make_shared<Results>(*handMadeResults(true));
    results->reference = Variant{"other", results->scenario};
    HandMadeSession session{results};
    DetailsPanel panel(&session);
    panel.show();
    session.selection()->setMarked(TimeRange{microseconds(30), microseconds(60)});
    session.selection()->select(Selected{0, 0, 1, 2});
    for (const int width : {240, 300, 384}) {
        panel.resize(width, 800);
        panel.grab();
        EXPECT_TRUE(width < 384 || panel.horizontalScrollBar()->maximum() == 0)
            << "nothing is beyond the edge";
        for (QTextBlock block = panel.document()->begin(); block.isValid(); block = block.next()) {
            const QString text = block.text();
            for (int line = 1; line < block.layout()->lineCount(); ++line) {
                const int at = block.layout()->lineAt(line).textStart();
                const QChar before = text[at - 1];
                const QChar after = text[at];
                EXPECT_TRUE(before.isSpace() || before == QLatin1Char('-') || before == QLatin1Char('/'))
                    << text.toStdString() << " at " << at << " of " << width;
                EXPECT_FALSE(before == QChar(QChar::Nbsp) || after == QChar(QChar::Nbsp))
                    << text.toStdString() << " of " << width;
            }
        }
    }
}

/// Tab goes to the link, Enter copies.
TEST(DetailsPanel, CopiesTheTableOfAStretch) {
    HandMadeSession session{handMadeResults()};
    DetailsPanel panel(&session);
    panel.resize(300, 800);
    panel.show();
    session.selection()->setMarked(TimeRange{microseconds(30), microseconds(60)});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel.job()->isBusy(); }, patience_ms));
    QGuiApplication::clipboard()->clear();
    panel.setFocus();
    QTest::keyClick(&panel, Qt::Key_Tab);
    QTest::keyClick(&panel, Qt::Key_Return);
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(copied.startsWith(QStringLiteral("algorithm\tfrom_s\tto_s"))) << copied.toStdString();
    EXPECT_TRUE(copied.contains(QStringLiteral("\t0.6\t"))) << copied.toStdString();
}

} // namespace
} // namespace meshslice::ui
