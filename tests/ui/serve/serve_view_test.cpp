#include "core/model/transformer.h"
#include "tests/ui/support/hand_made_session.h"
#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "ui/charts/chart_canvas.h"
#include "ui/document/document.h"
#include "ui/lab/form/question_form.h"
#include "ui/look/palette.h"
#include "ui/look/words.h"
#include "ui/serve/serve_view.h"
#include "ui/session/task.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/panes/run_pane.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
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

/// Each page has its chart, or its timeline, and a file of it has its table.
TEST_F(ServeViewTest, HasAChartOnEachPage) {
    choose("model", "llama-3-8b");
    for (int page = 0; page < view.pages().size(); ++page) {
        view.turnTo(page);
        settle();
        ASSERT_TRUE(view.isCurrent()) << page << view.sentence().toStdString();
        EXPECT_EQ(view.canvas()->surface()->chart().has_value(), page != ServeView::timeline) << page;
        EXPECT_NE(view.pane()->browser().window(), nullptr) << page;
        EXPECT_FALSE(view.table().rows.empty()) << page;
    }
}

/// What a beginner does not need is behind buttons; one group at a time is open, and says how much is set.
TEST_F(ServeViewTest, HidesItsFieldsInGroups) {
    QWidget* const stages = view.form()->field("pp");
    QWidget* const rate = view.form()->field("rate");
    ASSERT_NE(stages, nullptr);
    EXPECT_FALSE(stages->isVisible());
    QToolButton* parallel = nullptr;
    QToolButton* requests = nullptr;
    for (QToolButton* const one : view.form()->groups()) {
        parallel = one->text() == QStringLiteral("Parallelism") ? one : parallel;
        requests = one->text() == QStringLiteral("Requests over time") ? one : requests;
    }
    ASSERT_NE(parallel, nullptr);
    ASSERT_NE(requests, nullptr);
    QTest::mouseClick(parallel, Qt::LeftButton);
    EXPECT_TRUE(stages->isVisible());
    EXPECT_FALSE(rate->isVisible());
    type("pp", QStringLiteral("2"));
    EXPECT_EQ(parallel->text(), QStringLiteral("Parallelism (1)"));
    QTest::mouseClick(requests, Qt::LeftButton);
    EXPECT_TRUE(rate->isVisible());
    EXPECT_FALSE(stages->isVisible());
}

/// A model and a machine that are chosen here are the scenario's: an edit that can be undone.
TEST_F(ServeViewTest, ChoosesForTheScenario) {
    const Scenario before = session.document()->scenario();
    choose("model", "llama-3-8b");
    EXPECT_EQ(session.document()->scenario().model.name, "llama-3-8b");
    choose("hardware", "h100-nvs8");
    EXPECT_EQ(session.document()->scenario().hardware.name, "h100-nvs8");
    session.document()->undoStack()->undo();
    session.document()->undoStack()->undo();
    EXPECT_EQ(session.document()->scenario(), before);
}

/// Each field that is typed into is one step of the document's own stack, and what is undone is seen.
TEST_F(ServeViewTest, UndoesWhatIsTyped) {
    choose("model", "llama-3-8b");
    QUndoStack* const stack = session.document()->undoStack();
    const int before = stack->count();
    type("batch", QStringLiteral("64"));
    choose("weights", "fp8");
    EXPECT_EQ(session.document()->scenario().serving, (ServingTexts{{"batch", "64"}, {"weights", "fp8"}}));
    EXPECT_EQ(stack->count(), before + 2);
    EXPECT_EQ(value("batch"), 64);
    stack->undo();
    settle();
    EXPECT_EQ(view.form()->typed().at("weights"), "bf16");
    EXPECT_EQ(view.form()->typed().at("batch"), "64");
    stack->undo();
    settle();
    EXPECT_EQ(view.form()->typed().at("batch"), "32");
    EXPECT_EQ(value("batch"), 32);
    stack->redo();
    settle();
    EXPECT_EQ(view.form()->typed().at("batch"), "64");
    EXPECT_EQ(value("batch"), 64);
}

/// What a list does not have, and a field that there is not, says so.
TEST_F(ServeViewTest, SaysWhatAFileAsksThatThereIsNot) {
    choose("model", "llama-3-8b");
    session.edit([](Scenario& scenario) { scenario.serving = {{"weights", "fp7"}}; }, "serving");
    settle();
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("fp7"))) << view.sentence().toStdString();
    type("batch", QStringLiteral("64")); // the other stays as it is
    EXPECT_EQ(session.document()->scenario().serving.at("weights"), "fp7");
    session.edit([](Scenario& scenario) { scenario.serving = {{"colour", "red"}}; }, "serving");
    settle();
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("colour"))) << view.sentence().toStdString();
}

/// The pinned variant's answer stands next to the current one's, with what differs.
TEST_F(ServeViewTest, ComparesTwoVariants) {
    choose("model", "llama-3-8b");
    choose("hardware", "h100-nvs8");
    EXPECT_EQ(view.reference(), nullptr);
    ASSERT_TRUE(session.document()->duplicate(0));
    type("batch", QStringLiteral("64"));
    ASSERT_NE(view.reference(), nullptr);
    EXPECT_EQ(view.reference()->values.find("batch")->number(), 32);
    EXPECT_EQ(value("batch"), 64);
    EXPECT_TRUE(view.about()->text().contains(QStringLiteral("serving batch 64")))
        << view.about()->text().toStdString();
    EXPECT_TRUE(view.answerLine()->text().contains(QStringLiteral("A, Variant 1: ")))
        << view.answerLine()->text().toStdString();
    const Table both = view.table();
    const auto found = std::ranges::find_if(both.rows, [](const std::vector<Table::Cell>& row) {
        return std::get<std::string>(row.front()) == "batch";
    });
    ASSERT_NE(found, both.rows.end());
    EXPECT_EQ(std::get<std::string>((*found)[1]), "32");
    EXPECT_EQ(std::get<std::string>((*found)[2]), "64");
    const std::size_t panels = view.canvas()->surface()->chart()->panels.size();
    session.document()->pin(std::nullopt);
    settle();
    EXPECT_EQ(view.reference(), nullptr);
    EXPECT_EQ(2 * view.canvas()->surface()->chart()->panels.size(), panels);
}

/// What the scenario has is served, also where no list has it.
TEST_F(ServeViewTest, ServesAnEditedMachine) {
    choose("model", "llama-3-8b");
    choose("hardware", "h100-nvs8");
    const double rate = value("tokens_per_s_per_user");
    session.edit([](Scenario& scenario) { scenario.hardware.hbm_bandwidth.value = Bandwidth(1e12); },
                 "hardware");
    session.show(nullptr); // the session takes it over
    settle();
    auto* const box = qobject_cast<QComboBox*>(view.form()->field(std::string_view("hardware")));
    EXPECT_TRUE(box->currentText().contains(QStringLiteral("edited"))) << box->currentText().toStdString();
    ASSERT_TRUE(view.isCurrent()) << view.sentence().toStdString();
    EXPECT_LT(value("tokens_per_s_per_user"), rate / 1.5); // a third of the memory's bandwidth
}

/// A batch, or servers and their requests; their steps open to operations, whose exchanges open to the links.
TEST_F(ServeViewTest, ShowsServersOverTimeAndWhatIsInAStep) {
    choose("model", "llama-3-8b");
    choose("hardware", "h100-nvs8");
    type("tp", QStringLiteral("4"));
    view.turnTo(ServeView::timeline);
    settle();
    const RunBrowser& browser = view.pane()->browser();
    ASSERT_NE(browser.window(), nullptr);
    EXPECT_EQ(browser.window()->runs.front().rows.front().name, QStringLiteral("phase"));
    view.pane()->setFocus();
    QTest::keyClick(view.pane(), Qt::Key_Down);
    QTest::keyClick(view.pane(), Qt::Key_Return); // into the prefill
    ASSERT_TRUE(QTest::qWaitFor([&] { return browser.depth() == 2; }, patience_ms));
    EXPECT_EQ(browser.window()->runs.front().rows.front().name, QStringLiteral("layers"));
    QTest::keyClick(view.pane(), Qt::Key_Backspace);
    type("rate", QStringLiteral("4"));
    ASSERT_NE(browser.window(), nullptr);
    EXPECT_EQ(browser.window()->runs.front().rows.front().name, QStringLiteral("steps"));
    view.pane()->setFocus();
    QTest::keyClick(view.pane(), Qt::Key_Return); // into the first step
    ASSERT_TRUE(QTest::qWaitFor([&] { return browser.depth() == 2; }, patience_ms));
    EXPECT_EQ(browser.window()->runs.front().rows.front().name, QStringLiteral("layers"));
    QTest::keyClick(view.pane(), Qt::Key_Down);
    QTest::keyClick(view.pane(), Qt::Key_Down);
    QTest::keyClick(view.pane(), Qt::Key_Return); // into an all-reduce
    ASSERT_TRUE(QTest::qWaitFor([&] { return browser.depth() == 3; }, patience_ms));
    EXPECT_EQ(browser.window()->runs.front().rows.size(), 4U); // the ports of four chips
    QTest::keyClick(view.pane(), Qt::Key_Backspace);
    EXPECT_EQ(browser.depth(), 2U);
    EXPECT_FALSE(view.table().rows.empty());
}

/// A file of requests is read when it is asked about; one that is not there is named.
TEST_F(ServeViewTest, ReplaysAFileOfRequests) {
    choose("model", "llama-3-8b");
    choose("hardware", "h100-nvs8");
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("requests.csv"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("arrival_s,input_tokens,output_tokens\n0,100,10\n1,200,20\n");
    file.close();
    qobject_cast<QLineEdit*>(view.form()->field(std::string_view("arrivals")))->setText(path);
    settle();
    ASSERT_TRUE(view.isCurrent()) << view.sentence().toStdString();
    EXPECT_EQ(view.shown()->values.find("simulated")->find("requests")->number().value_or(0), 2);
    qobject_cast<QLineEdit*>(view.form()->field(std::string_view("arrivals")))
        ->setText(folder.filePath(QStringLiteral("none.csv")));
    settle();
    EXPECT_TRUE(view.sentence().contains(QStringLiteral("none.csv"))) << view.sentence().toStdString();
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
