// What leaves the program, and what is on the screen, is of the scenario as it is: in the real window.

#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/commands/export_commands.h"
#include "ui/details/details_panel.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/products/products_view.h"
#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/tuner/tuner_view.h"
#include "ui/view/veil.h"

#include <QFile>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

#include <memory>

namespace meshslice::ui {
namespace {

/// One GEMM on 2x2 chips; M tells the scenarios apart in tables and traces.
Scenario small(std::int64_t m) {
    Scenario scenario = default_scenario();
    scenario.mesh = {2, 2};
    scenario.gemm = SingleGemm{{m, 4096, 4096}, Dataflow::OS};
    return scenario;
}

Scenario refused() {
    Scenario scenario = small(4096);
    scenario.mesh = {3, 2}; // 3 does not divide 4096
    return scenario;
}

class ExportsOfTheWindow : public ::testing::Test {
  protected:
    ExportsOfTheWindow() {
        window.resize(1280, 800);
        window.show();
        run(small(4096));
        settle();
        QObject::connect(window.exports(), &ExportCommands::told, &window,
                         [this](const QString& sentence) { told << sentence; });
    }
    void run(const Scenario& scenario) { window.document()->restore(project_of(scenario), {}); }
    void settle() {
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return !session.isComputing() && !session.isExplaining(); }, patience_ms));
    }
    void exportsEnd() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
    }
    /// Asks for a trace, a table and a picture.
    void exportThree() {
        window.exports()->exportTraceTo(path("trace.json"));
        window.exports()->exportTo(view<ProductsView>("products"), path("products.csv"));
        window.exports()->exportTo(view<TimelineView>("timeline"), path("timeline.png"));
    }
    void expectNothingWritten(const QString& because) {
        exportsEnd();
        for (const char* name : {"trace.json", "products.csv", "timeline.png"}) {
            EXPECT_FALSE(QFile::exists(path(name))) << name;
        }
        EXPECT_TRUE(told.isEmpty()) << told.join(QLatin1Char('|')).toStdString();
        QStringList said;
        for (const QMessageBox* box : window.findChildren<QMessageBox*>()) {
            said << box->text();
        }
        ASSERT_EQ(said.size(), 3) << said.join(QLatin1Char('|')).toStdString();
        for (const QString& sentence : said) {
            EXPECT_TRUE(sentence.contains(because)) << sentence.toStdString();
        }
    }
    /// By its name in the register: the lab has views of the same kinds.
    template <class Kind>
    Kind* view(const char* id) {
        return window.findChild<Kind*>(QLatin1String(id));
    }
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
    QByteArray contents(const char* name) const {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir folder;
    QStringList told;
    MainWindow window{Memory::forget};
    Session& session = *window.session();
};

TEST_F(ExportsOfTheWindow, AfterAFailedRunThereAreNone) {
    run(refused());
    settle();
    ASSERT_EQ(session.state().kind, Session::Kind::failed);
    exportThree();
    expectNothingWritten(session.state().sentence);
}

TEST_F(ExportsOfTheWindow, AfterACancelledRunThereAreNone) {
    const Gate gate(session.runner()->job());
    run(small(8192));
    session.cancelRun();
    exportThree();
    expectNothingWritten(QStringLiteral("The run was cancelled."));
}

/// Of a block as it is simulated; of a training run as it is planned.
TEST_F(ExportsOfTheWindow, ReportsAreAboutTheTask) {
    run(small(8192));
    settle();
    window.exports()->exportReportTo(path("step.html"));
    exportsEnd();
    run(default_scenario());
    settle();
    window.session()->setTask(Task::training);
    settle();
    window.exports()->exportReportTo(path("run.md"));
    exportsEnd();
    EXPECT_EQ(told.size(), 2) << told.join(QLatin1Char('|')).toStdString();
    const auto content = [&](const char* name) {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    EXPECT_TRUE(content("step.html").startsWith(QStringLiteral("<!DOCTYPE html>")));
    EXPECT_TRUE(content("step.html").contains(QStringLiteral("Report: Simulation")));
    EXPECT_TRUE(content("run.md").contains(QStringLiteral("Report: Plans")));
}

/// Where a variant is pinned, it is A, and what is shown is B: M 4096 against 8192.
TEST_F(ExportsOfTheWindow, ReportsAreAboutBothWhereAVariantIsPinned) {
    Project project = project_of(small(4096));
    project.variants.push_back({"Variant 2", small(8192)});
    project.current = 1;
    project.pinned = 0;
    window.document()->restore(project, {});
    settle();
    window.exports()->exportReportTo(path("both.md"));
    exportsEnd();
    QFile file(path("both.md"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(file.readAll());
    EXPECT_TRUE(page.contains(QStringLiteral("A: Variant 1. B: Variant 2.")));
    EXPECT_TRUE(page.contains(QStringLiteral("| M | 4096 | 8192 |")));
}

/// What was asked for while a run goes on is of that run.
TEST_F(ExportsOfTheWindow, WhileARunGoesOnTheyWaitForIt) {
    Gate gate(session.runner()->job());
    run(small(8192));
    exportThree();
    EXPECT_TRUE(window.exports()->isBusy());
    EXPECT_FALSE(QFile::exists(path("products.csv")));
    gate.open();
    exportsEnd();
    QString refused_with;
    for (const QMessageBox* box : window.findChildren<QMessageBox*>()) {
        refused_with += box->text();
    }
    EXPECT_EQ(told.size(), 3) << told.join(QLatin1Char('|')).toStdString() << refused_with.toStdString();
    const QByteArray table = contents("products.csv");
    EXPECT_TRUE(table.contains("8192")) << table.toStdString();
    EXPECT_FALSE(contents("trace.json").isEmpty());
    EXPECT_FALSE(contents("timeline.png").isEmpty());
}

TEST_F(ExportsOfTheWindow, ThatWaitForARunThatFailsSayWhy) {
    Gate gate(session.runner()->job());
    run(refused());
    exportThree();
    gate.open();
    settle();
    expectNothingWritten(session.state().sentence);
}

/// A view that computes something of its own does so while the window lives on; an edit ends the export.
TEST_F(ExportsOfTheWindow, AnEditWhileAViewIsComputedEndsTheExport) {
    Gate gate(view<TunerView>("tuner")->job());
    window.exports()->exportTo(view<TunerView>("tuner"), path("tuner.csv"));
    EXPECT_TRUE(window.exports()->isBusy()) << "nothing is computed in the UI thread";
    run(small(8192));
    exportsEnd();
    EXPECT_FALSE(QFile::exists(path("tuner.csv")));
    const auto* box = window.findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    EXPECT_TRUE(box->text().contains(QStringLiteral("edited"))) << box->text().toStdString();
    gate.open();
    settle();
    window.exports()->exportTo(view<TunerView>("tuner"), path("tuner.csv"));
    exportsEnd();
    EXPECT_FALSE(contents("tuner.csv").isEmpty());
}

/// MeshSlice in 24 slices with jitter on 64x64 chips records more than there is room for; Collective does
/// not.
TEST_F(ExportsOfTheWindow, AComparisonThatIsTooLargeLeavesTheFirstAlone) {
    Scenario scenario = default_scenario();
    scenario.mesh = {64, 64};
    scenario.gemm = SingleGemm{{98'304, 98'304, 98'304}, Dataflow::OS};
    scenario.assume.faults.jitter = seconds(1e-6);
    scenario.plan.algorithm = "collective";
    scenario.compare = "meshslice";
    scenario.plan.slices = 192;
    run(scenario);
    settle();
    const ResultsPtr results = session.current();
    ASSERT_NE(results, nullptr) << session.state().sentence.toStdString();
    ASSERT_EQ(results->steps.size(), 2u);
    EXPECT_TRUE(results->not_simulated(0).empty()) << results->not_simulated(0);
    ASSERT_FALSE(results->not_simulated(1).empty());
    EXPECT_TRUE(window.headline()->text().startsWith(QStringLiteral("Collective")));
    EXPECT_TRUE(window.headline()->comparison().contains(QStringLiteral(". Estimate: MeshSlice")));
    const QString tip = headlineTip(*results);
    EXPECT_TRUE(tip.contains(QStringLiteral("MeshSlice is estimated"))) << tip.toStdString();
    EXPECT_FALSE(tip.contains(QStringLiteral("Collective is estimated")));
    const QString details = window.findChild<DetailsPanel*>()->toPlainText();
    EXPECT_TRUE(details.contains(QStringLiteral("MeshSlice is estimated, not simulated")))
        << details.toStdString();
    EXPECT_FALSE(details.contains(QStringLiteral("Collective is estimated")));
    session.selection()->select(Selected{0, 0, {}, {}});
    EXPECT_FALSE(window.findChild<DetailsPanel*>()->toPlainText().contains(
        QStringLiteral("Estimated, not simulated")));
    window.exports()->exportTo(view<ProductsView>("products"), path("products.csv"));
    exportsEnd();
    EXPECT_FALSE(contents("products.csv").isEmpty());
}

/// While the next run computes, every part of the window that shows the previous one says so in the same
/// words, and not at once; when the run has failed, none shows it any more.
TEST_F(ExportsOfTheWindow, EveryPartSaysThatItShowsThePreviousRun) {
    const auto veiled = [&] {
        int count = 0;
        for (const Veil* veil : window.findChildren<Veil*>()) {
            count += veil->isHidden() ? 0 : 1;
        }
        return count;
    };
    const QString before = window.headline()->text();
    Gate gate(session.runner()->job());
    run(refused());
    EXPECT_TRUE(session.isComputing());
    EXPECT_EQ(session.current(), nullptr);
    EXPECT_NE(session.previous(), nullptr);
    EXPECT_EQ(veiled(), 0) << "a short run makes nothing flicker";
    EXPECT_EQ(window.headline()->text(), before);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.state().late; }, patience_ms));
    // The headline, the details, and the views that have a picture: summary, timeline, torus, roofline,
    // breakdown, GEMMs, critical path.
    EXPECT_EQ(veiled(), 9);
    EXPECT_TRUE(view<ProductsView>("products")->isStale());
    EXPECT_TRUE(view<ProductsView>("products")->table().rows.empty()) << "nothing old leaves the program";
    gate.open();
    settle();
    EXPECT_EQ(veiled(), 0);
    EXPECT_EQ(window.headline()->text(), QStringLiteral("There is no result for this scenario."));
    EXPECT_TRUE(
        window.findChild<DetailsPanel*>()->toPlainText().contains(QStringLiteral("There is no result")));
    EXPECT_EQ(view<ProductsView>("products")->sentence(), session.state().sentence);
    EXPECT_EQ(view<TimelineView>("timeline")->sentence(), session.state().sentence);
}

/// The run that follows a refused one shows no older pictures; they would be of the scenario before.
TEST_F(ExportsOfTheWindow, AfterAFailureNoOlderPictureComesBack) {
    run(refused());
    settle();
    Gate gate(session.runner()->job());
    run(small(8192));
    EXPECT_EQ(session.previous(), nullptr);
    EXPECT_FALSE(view<TimelineView>("timeline")->sentence().isEmpty());
    ASSERT_TRUE(QTest::qWaitFor([&] { return session.state().late; }, patience_ms));
    EXPECT_EQ(view<TimelineView>("timeline")->sentence(), QStringLiteral("Computing…"));
    gate.open();
    settle();
    EXPECT_TRUE(view<TimelineView>("timeline")->sentence().isEmpty());
}

} // namespace
} // namespace meshslice::ui
