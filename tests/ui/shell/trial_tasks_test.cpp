// What users of a trial were asked to do, in the real window by clicks and keys, each of which counts. With
// MESHSLICE_TEST_PICTURES=FOLDER the window is drawn there after each task.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/palette_dialog.h"
#include "ui/document/document.h"
#include "ui/editor/number_field.h"
#include "ui/look/picture_scale.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/timeline/timeline_view.h"
#include "ui/torus/torus_view.h"
#include "ui/variants/variant_card.h"
#include "ui/view/picture_area.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QTest>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace meshslice::ui {
namespace {

class TrialTasksTest : public ::testing::Test {
  protected:
    TrialTasksTest() {
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
        settle();
    }
    ~TrialTasksTest() override { window.appearance()->setFontPercent(100); }

    void settle() {
        EXPECT_TRUE(QTest::qWaitFor(
            [&] { return !window.session()->isComputing() && window.session()->current() != nullptr; },
            10 * patience_ms));
        QApplication::processEvents();
    }
    void picture(const char* name) {
        const QString folder = qEnvironmentVariable("MESHSLICE_TEST_PICTURES");
        if (!folder.isEmpty()) {
            EXPECT_TRUE(QTest::qWaitFor([&] { return !window.session()->isExplaining(); }, patience_ms));
            EXPECT_TRUE(
                window.grab().save(QDir(folder).filePath(QLatin1String(name) + QLatin1String(".png"))));
        }
    }

    // Actions of a user, each one or two.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}, QWidget* at = nullptr) {
        ++actions;
        QTest::keyClick(at                            ? at
                        : QApplication::focusWidget() ? QApplication::focusWidget()
                                                      : &window,
                        key, modifiers);
        QApplication::processEvents();
    }
    template <class Widget>
    Widget* field(const char* name, QWidget* in = nullptr) {
        for (Widget* widget : (in ? in : &window)->findChildren<Widget*>()) {
            if (widget->accessibleName() == QLatin1String(name) && widget->isVisible()) {
                return widget;
            }
        }
        ADD_FAILURE() << "there is no field " << name;
        return nullptr;
    }
    /// A click into the field, and a text with Enter.
    void type(const char* name, const char* text) {
        auto* number = field<NumberField>(name);
        ASSERT_NE(number, nullptr);
        QTest::mouseDClick(number->findChild<QLineEdit*>(), Qt::LeftButton);
        number->selectAll();
        QTest::keyClicks(number, QLatin1String(text));
        QTest::keyClick(number, Qt::Key_Return);
        actions += 2;
        settle();
    }
    /// A click that opens the list, and one on a line of it.
    void choose(QComboBox* list, const QString& line) {
        ASSERT_NE(list, nullptr);
        const int at = std::max(list->findText(line), list->findData(line));
        ASSERT_GE(at, 0) << line.toStdString();
        list->showPopup();
        const QModelIndex item = list->model()->index(at, 0);
        list->view()->scrollTo(item);
        QTest::mouseClick(list->view()->viewport(), Qt::LeftButton, {},
                          list->view()->visualRect(item).center());
        actions += 2;
        QApplication::processEvents();
    }
    /// Keys that open the palette, a few letters, and Enter.
    void command(const char* typed) {
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QApplication::processEvents();
        PaletteDialog* dialog = window.commandPalette()->dialog();
        ASSERT_NE(dialog, nullptr);
        QTest::keyClicks(dialog->line(), QLatin1String(typed));
        QTest::keyClick(dialog->line(), Qt::Key_Return);
        actions += 3;
        QTest::qWait(0);
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::setActiveWindow(&window); // which the desktop does when a dialog is closed
        QApplication::processEvents();
    }
    template <class Kind>
    Kind* view(const char* id) {
        for (View* one : window.views()) {
            if (one->id() == QLatin1String(id)) {
                return qobject_cast<Kind*>(one);
            }
        }
        return nullptr;
    }
    [[nodiscard]] const Scenario& scenario() { return window.document()->scenario(); }

    OwnSettings settings{QStringLiteral("trial_tasks_test")};
    MainWindow window{Memory::forget};
    int actions = 0;
};

/// "Batch doubles?"
TEST_F(TrialTasksTest, DoubleTheBatch) {
    const std::int64_t before = scenario().batch;
    type("Batch", "x2");
    EXPECT_EQ(scenario().batch, 2 * before);
    EXPECT_LE(actions, 2);
    press(Qt::Key_Z, Qt::ControlModifier, &window);
    EXPECT_EQ(scenario().batch, before);
}

/// "Step through a small 4x4 run" on a projector of 1280 x 720: large letters, the timeline next to the
/// torus, and each key another moment and another picture.
TEST_F(TrialTasksTest, AFourByFourRunIsSteppedOnAProjector) {
    window.resize(1280, 720);
    type("Mesh rows", "4x4");
    command("teach");
    EXPECT_EQ(window.appearance()->fontPercent(), 160);
    auto* torus = view<TorusView>("torus");
    auto* timeline = view<TimelineView>("timeline");
    ASSERT_TRUE(torus && timeline);
    EXPECT_TRUE(torus->isVisible());
    EXPECT_TRUE(timeline->isVisible()) << "side by side";
    picture("projector-begin");
    std::set<qint64> moments;
    QImage before = torus->grab().toImage();
    int changed = 0;
    constexpr int steps = 12;
    for (int step = 0; step < steps; ++step) {
        press(Qt::Key_Period, {}, torus);
        ASSERT_TRUE(window.session()->selection()->moment());
        moments.insert(window.session()->selection()->moment()->value());
        const QImage now = torus->grab().toImage();
        changed += now != before ? 1 : 0;
        before = now;
    }
    EXPECT_EQ(moments.size(), static_cast<std::size_t>(steps));
    EXPECT_EQ(changed, steps);
    EXPECT_LE(actions, 5 + steps);
    picture("projector-stepped");
    press(Qt::Key_Comma, {}, torus);
    EXPECT_EQ(window.session()->selection()->moment()->value(), *std::next(moments.rbegin()));
}

/// Blocks of one column against those of eight: the difference stands on the card, and the copies of the
/// naive one take longer in the picture of both.
TEST_F(TrialTasksTest, NaiveSlicesNextToBlockedOnes) {
    type("Mesh rows", "4x4");
    press(Qt::Key_D, Qt::ControlModifier, &window);
    settle();
    type("Block size B", "1");
    settle();
    EXPECT_LE(actions, 5);
    const Project& project = window.document()->project();
    ASSERT_EQ(project.variants.size(), 2u);
    EXPECT_EQ(project.pinned, 0u);
    EXPECT_EQ(project.variants[1].scenario.block, 1);
    const auto results = window.session()->current();
    ASSERT_TRUE(results);
    ASSERT_EQ(results->steps.size(), 2u);
    const auto of_block = [&](std::int64_t block) -> const TrainingStep& {
        return results->scenario_of(0).block == block ? results->steps[0] : results->steps[1];
    };
    EXPECT_GT(of_block(1).time, of_block(8).time);
    EXPECT_GT(of_block(1).usage.copy, of_block(8).usage.copy);
    picture("naive-blocked");
}

/// A stays on TPU v4, B goes to TPU v5p: one list. The cards say which is which.
TEST_F(TrialTasksTest, TwoVariantsOnDifferentHardware) {
    type("Mesh rows", "8x8");
    press(Qt::Key_D, Qt::ControlModifier, &window);
    settle();
    choose(field<QComboBox>("Hardware"), QStringLiteral("tpu-v5p"));
    settle();
    EXPECT_LE(actions, 5);
    const Project& project = window.document()->project();
    ASSERT_EQ(project.variants.size(), 2u);
    EXPECT_EQ(project.variants[0].scenario.hardware.name, "tpu-v4-paper");
    EXPECT_EQ(project.variants[1].scenario.hardware.name, "tpu-v5p");
    const auto results = window.session()->current();
    ASSERT_TRUE(results && results->steps.size() == 2);
    EXPECT_NE(results->steps[0].time, results->steps[1].time);
    picture("different-hardware");
}

} // namespace
} // namespace meshslice::ui
