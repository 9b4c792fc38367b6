// What a run will record, in the window: while it runs, and where it is refused.

#include "core/step/run/planned_recording.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/look/words.h"
#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/bars/run_status.h"
#include "ui/shell/main_window.h"

#include <QLabel>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// With jitter no two of 2048 chips are alike.
Scenario longRun() {
    Scenario scenario = default_scenario();
    scenario.mesh = {64, 32};
    scenario.assume.faults.jitter = seconds(1e-6);
    scenario.compare.clear();
    return scenario;
}

/// The search for what bounds a run ends when the user says so; the run's results stay.
TEST(Recording, TheSearchForReasonsCanBeCancelled) {
    MainWindow window(Memory::forget);
    window.show();
    Session* session = window.session();
    Gate gate(session->explainer()->job());
    Scenario small = default_scenario();
    small.mesh = {4, 4};
    small.batch = 4;
    window.document()->restore(project_of(small), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return session->current() && session->isExplaining(); }, patience_ms));
    session->cancelRun();
    EXPECT_FALSE(session->isExplaining());
    EXPECT_NE(session->current(), nullptr);
    EXPECT_EQ(session->reasons(), nullptr);
}

TEST(Recording, IsShownWhileTheRunGoesOn) {
    MainWindow window(Memory::forget);
    window.resize(1280, 800);
    window.show();
    Gate gate(window.session()->runner()->job()); // so that the run goes on, however fast the machine is
    window.document()->restore(project_of(longRun()), {});
    auto* status = window.findChild<RunStatus*>();
    ASSERT_NE(status, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !status->plan()->text().isEmpty(); }, patience_ms));
    ASSERT_TRUE(window.session()->runner()->isBusy());
    const auto planned = planned_recording(longRun(), "meshslice");
    ASSERT_TRUE(planned);
    EXPECT_GT(planned->bytes(), much_memory);
    EXPECT_EQ(status->plan()->text(), QStringLiteral("records ") + words(text(*planned)));
    // Nothing of it is cut.
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return status->plan()->isVisible() &&
                   status->plan()->width() >= status->plan()->sizeHint().width();
        },
        patience_ms));
    window.session()->cancelRun();
    EXPECT_FALSE(status->plan()->isVisible());
}

TEST(Recording, ARefusalNamesWhatWouldFit) {
    MainWindow window(Memory::forget);
    Scenario large = longRun();
    large.mesh = {64, 64};
    large.plan.slices = 24;
    window.document()->restore(project_of(large), {});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window.session()->current() != nullptr && !window.session()->runner()->isBusy(); },
        patience_ms));
    EXPECT_EQ(window.session()->current()->steps[0].gemms[0].timeline, nullptr);
    const QString tips = headlineTip(*window.session()->current());
    EXPECT_TRUE(tips.contains(QLatin1String("It fits with S = 2 or the mesh 16x32"))) << tips.toStdString();
    EXPECT_TRUE(tips.contains(words(text(*planned_recording(large, "meshslice")))));
}

} // namespace
} // namespace meshslice::ui
