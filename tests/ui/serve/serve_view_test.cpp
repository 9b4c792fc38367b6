#include "core/model/transformer.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/lab/question_form.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"
#include "ui/serve/serve_view.h"
#include "ui/session/task.h"
#include "ui/shell/main_window.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class ServeViewTest : public ::testing::Test {
  protected:
    ServeViewTest() {
        view.setPalette(widgetPalette(Theme::light));
        view.resize(1000, 640);
        view.show();
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !view.job()->isBusy(); }, patience_ms));
    }
    void choose(const char* key, const char* data) {
        auto* const box = qobject_cast<QComboBox*>(view.form()->field(std::string_view(key)));
        ASSERT_NE(box, nullptr) << key;
        const int place = box->findData(QLatin1String(data));
        ASSERT_GE(place, 0) << data;
        box->setCurrentIndex(place);
        settle();
    }
    void type(const char* key, const QString& text) {
        auto* const line = qobject_cast<QLineEdit*>(view.form()->field(std::string_view(key)));
        ASSERT_NE(line, nullptr) << key;
        line->selectAll();
        QTest::keyClicks(line, text);
        settle();
    }
    [[nodiscard]] double value(const char* key) const {
        return view.shown()->values.find(key)->number().value_or(-1);
    }

    HandMadeSession session;
    ServeView view{&session};
};

/// More requests at once: more tokens from each chip, fewer for each user. A text that is refused says why,
/// and nothing that is shown is taken for its answer.
TEST_F(ServeViewTest, FollowsWhatIsTypedAndChosen) {
    choose("model", "llama-3-70b");
    choose("hardware", "h100-nvs8");
    type("tp", QStringLiteral("8"));
    type("batch", QStringLiteral("8"));
    ASSERT_TRUE(view.isCurrent()) << view.sentence().toStdString();
    const double user = value("tokens_per_s_per_user");
    const double chip = value("tokens_per_s_per_chip");
    EXPECT_GT(user, 0);
    EXPECT_TRUE(view.answerLine()->text().contains(QStringLiteral("tokens/s for each user")));
    type("batch", QStringLiteral("64"));
    EXPECT_LT(value("tokens_per_s_per_user"), user);
    EXPECT_GT(value("tokens_per_s_per_chip"), chip);
    type("batch", QStringLiteral("many"));
    EXPECT_FALSE(view.isCurrent());
    EXPECT_FALSE(view.sentence().isEmpty());
    type("batch", QStringLiteral("8"));
    EXPECT_TRUE(view.isCurrent());
    EXPECT_EQ(value("tokens_per_s_per_chip"), chip);
}

/// Each page has its chart, and a file of it has its table.
TEST_F(ServeViewTest, HasAChartOnEachPage) {
    choose("model", "llama-3-8b");
    for (int page = 0; page < view.pages().size(); ++page) {
        view.turnTo(page);
        settle();
        ASSERT_TRUE(view.isCurrent()) << page << view.sentence().toStdString();
        EXPECT_TRUE(view.canvas()->surface()->chart().has_value()) << page;
        EXPECT_FALSE(view.table().rows.empty()) << page;
    }
}

TEST(ServeWindow, TakesModelAndMachineFromTheScenario) {
    const OwnSettings settings{QStringLiteral("serving")};
    MainWindow window;
    window.resize(1280, 800);
    window.show();
    Scenario scenario = default_scenario();
    scenario.model = *model_preset("llama-3-8b");
    scenario.mesh = {4, 4};
    scenario.batch = 16;
    window.document()->restore(project_of(scenario), {});
    window.session()->setTask(Task::serving);
    auto* const view = window.findChild<ServeView*>();
    ASSERT_NE(view, nullptr);
    // Once the block has been simulated, whose the cores are before.
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return view->form()->typed().at("model") == "llama-3-8b"; }, patience_ms));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view->isCurrent(); }, patience_ms));
    EXPECT_TRUE(view->isVisible());
    EXPECT_TRUE(view->shown()->about.starts_with("Llama 3 8B")) << view->shown()->about;
}

} // namespace
} // namespace meshslice::ui
