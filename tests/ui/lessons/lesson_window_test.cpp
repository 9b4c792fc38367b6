// A lesson in the real window, with clicks and keys.

#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/chart_surface.h"
#include "ui/commands/dialogs/welcome_dialog.h"
#include "ui/controls/elided_label.h"
#include "ui/controls/table_model.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/lab/form/question_form.h"
#include "ui/lab/form/question_page.h"
#include "ui/lab/lab_canvas.h"
#include "ui/lab/lab_view.h"
#include "ui/lab/stepper/stepper_canvas.h"
#include "ui/lab/stepper/stepper_page.h"
#include "ui/lessons/highlight_frame.h"
#include "ui/lessons/lesson_course.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/lesson_words.h"
#include "ui/look/words.h"
#include "ui/settings/lesson_progress.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/layouts.h"
#include "ui/shell/main_window.h"
#include "ui/shell/start/lessons.h"
#include "ui/shell/start/welcome.h"
#include "ui/variants/variant_strip.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class LessonWindowTest : public ::testing::Test {
  protected:
    LessonWindowTest() {
        window.resize(1280, 800);
        (void)window.document()->edit(smallScenario(), "mesh");
        window.document()->undoStack()->clear();
        window.show();
        QApplication::processEvents();
    }

    LabView* theLab() {
        for (View* view : window.views()) {
            if (auto* found = qobject_cast<LabView*>(view)) {
                return found;
            }
        }
        return nullptr;
    }
    static LessonPtr named(const char* id) { return meshslice::lesson(id); }
    LessonPanel& panel() { return *window.lessons()->panel(); }
    LessonCourse& course() { return *window.lessons()->course(); }
    static void click(QAbstractButton* button) { QTest::mouseClick(button, Qt::LeftButton); }
    /// Types an answer and presses Enter; what was said to it.
    QString answer(const QString& typed) {
        panel().answer()->clear();
        QTest::keyClicks(panel().answer(), typed);
        QTest::keyClick(panel().answer(), Qt::Key_Return);
        EXPECT_TRUE(QTest::qWaitFor([this] { return !panel().job()->isBusy(); }, patience_ms));
        QApplication::processEvents();
        return panel().verdict()->accessibleDescription();
    }
    bool isRight() { return panel().verdict()->property("right").toBool(); }
    /// Makes the prediction that is awaited, with the choice that is right.
    void predict() {
        ASSERT_TRUE(course().awaitsPrediction());
        const LessonQuestion& asked = *course().current().predict;
        click(panel().choices()[asked.choice_of(value_of(asked.answer).value()).value()]);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !course().awaitsPrediction(); }, patience_ms));
        QApplication::processEvents();
    }
    /// A step as it is, its prediction over.
    void reveal(std::size_t step) {
        course().goTo(step);
        course().reveal();
    }

    const OwnSettings settings{QStringLiteral("lessons")};
    MainWindow window{Memory::forget};
};

/// All of the lesson on rooflines: each question first answered wrongly, then as the engine has it.
TEST_F(LessonWindowTest, GoesThroughAWholeLesson) {
    const Project before = window.document()->project();
    window.lessons()->begin(named("roofline"));
    ASSERT_TRUE(course().isOpen());
    EXPECT_TRUE(window.lessons()->dock()->isVisible());
    const std::size_t steps = course().lesson()->steps.size();
    for (std::size_t k = 0; k < steps; ++k) {
        const LessonStep& step = course().current();
        EXPECT_EQ(course().step(), k);
        if (step.predict) {
            EXPECT_EQ(window.document()->scenario(), course().lesson()->steps[k - 1].scenario) << k;
            EXPECT_FALSE(panel().text()->text().contains(lessonHtml(step.text.text())))
                << "it tells too much";
            predict();
            EXPECT_TRUE(panel().text()->text().contains(QStringLiteral("Right: "))) << k;
        }
        EXPECT_TRUE(panel().text()->text().contains(lessonHtml(step.text.text())));
        EXPECT_EQ(window.document()->scenario(), step.scenario) << k;
        EXPECT_EQ(window.pictures()->currentView()->isVisible(), true);
        EXPECT_TRUE(panel().heading()->text().contains(words(step.title.text())));
        if (step.highlight.kind != LessonHighlight::Kind::none) {
            ASSERT_NE(window.lessons()->frame(), nullptr) << k;
        }
        if (step.question) {
            const double right = value_of(step.question->answer).value();
            const QString unit = words(step.question->unit);
            EXPECT_FALSE(answer(QStringLiteral("%1 %2").arg(right * 1.5, 0, 'g', 12).arg(unit)).isEmpty());
            EXPECT_FALSE(isRight()) << k;
            EXPECT_TRUE(answer(QStringLiteral("%1 %2").arg(right, 0, 'g', 12).arg(unit))
                            .startsWith(QStringLiteral("Right")));
            EXPECT_TRUE(isRight()) << k;
        }
        if (k + 1 < steps) {
            click(panel().forward());
        }
    }
    click(panel().back());
    EXPECT_EQ(course().step(), steps - 2);
    EXPECT_TRUE(isRight()) << "what was answered stays answered";
    EXPECT_FALSE(panel().answer()->text().isEmpty());
    click(panel().leave());
    EXPECT_FALSE(course().isOpen());
    EXPECT_FALSE(window.lessons()->dock()->isVisible());
    EXPECT_EQ(window.lessons()->frame(), nullptr);
    EXPECT_EQ(window.document()->project(), before);
    EXPECT_FALSE(window.document()->isModified()) << "as if nothing had been";
}

/// What the user has is not lost: undo leads back to it, and what was done in between stays.
TEST_F(LessonWindowTest, LeavesTheUsersProjectAlone) {
    Document& document = *window.document();
    ASSERT_TRUE(document.duplicate(0)); // pins the first one
    const Project before = document.project();
    window.lessons()->begin(named("slicing"));
    EXPECT_EQ(document.project().variants.size(), 3u);
    EXPECT_FALSE(document.project().pinned) << "a lesson is compared with nothing of the user's";
    document.undoStack()->undo();
    EXPECT_EQ(document.project(), before) << "one undo";
    EXPECT_FALSE(course().isOpen()) << "of a variant that is gone there is nothing to say";
    EXPECT_FALSE(window.lessons()->dock()->isVisible());
    window.lessons()->begin(named("slicing"));
    click(panel().forward());
    predict();
    EXPECT_EQ(document.scenario().plan.slices, 4);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario().plan.slices, 1) << "a step is one undo";
    ASSERT_TRUE(document.rename(0, "mine"));
    course().leave();
    ASSERT_EQ(document.project().variants.size(), 2u);
    EXPECT_EQ(document.project().variants[0].name, "mine");
    EXPECT_EQ(document.project().pinned, std::optional<std::size_t>(0));
    EXPECT_EQ(document.project().current, before.current);
}

/// A file that is opened meanwhile is not the lesson's: the pane closes, and Forward adds nothing to it.
TEST_F(LessonWindowTest, ClosesWhenAnotherProjectIsOpened) {
    window.lessons()->begin(named("slicing"));
    Project other;
    other.variants = {{"mine", smallScenario()}};
    window.document()->restore(other, {});
    EXPECT_FALSE(course().isOpen());
    EXPECT_FALSE(window.lessons()->dock()->isVisible());
    EXPECT_EQ(window.lessons()->frame(), nullptr);
    course().goOn();
    EXPECT_EQ(window.document()->project(), other);
}

/// "Faster or slower?" is asked before it is seen; what was wrong is said with the engine's number.
TEST_F(LessonWindowTest, AsksToPredictBeforeItShows) {
    window.lessons()->begin(named("slicing"));
    click(panel().forward());
    ASSERT_TRUE(course().awaitsPrediction());
    EXPECT_EQ(window.lessons()->frame(), nullptr) << "nothing to look at yet";
    EXPECT_FALSE(panel().answer()->isVisible());
    const LessonQuestion& asked = *course().current().predict;
    for (std::size_t k = 0; k < panel().choices().size(); ++k) {
        EXPECT_EQ(panel().choices()[k]->isVisible(), k < asked.choices.size());
    }
    // With four slices the links work while the core does: faster, so "slower" is wrong.
    click(panel().choices()[2]);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !course().awaitsPrediction(); }, patience_ms));
    EXPECT_EQ(window.document()->scenario().plan.slices, 4) << "and is shown all the same";
    EXPECT_TRUE(panel().text()->text().contains(QStringLiteral("You said “slower”; the engine says 0.")))
        << panel().text()->text().toStdString();
    click(panel().back());
    click(panel().forward());
    EXPECT_FALSE(course().awaitsPrediction()) << "it stays made";
    // Show me takes the place of an answer.
    course().goTo(3);
    ASSERT_TRUE(course().awaitsPrediction());
    click(panel().showMe());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !course().awaitsPrediction(); }, patience_ms));
    EXPECT_TRUE(panel().text()->text().contains(QStringLiteral("The answer is ")));
    window.lessons()->begin(named("slicing"));
    course().goTo(1);
    EXPECT_TRUE(course().awaitsPrediction()) << "another time it is asked again";
}

/// A step's form is there where something is to be typed, and nothing of the rest.
TEST_F(LessonWindowTest, HidesWhatTheStepDoesNotNeed) {
    const bool details = window.detailsDock()->isVisible();
    window.lessons()->begin(named("cannon-to-meshslice"));
    EXPECT_TRUE(window.scenarioDock()->isVisible()) << "points at the algorithm";
    EXPECT_FALSE(window.detailsDock()->isVisible());
    reveal(1);
    EXPECT_FALSE(window.scenarioDock()->isVisible()) << "SUMMA: only to be looked at";
    EXPECT_FALSE(window.variants()->isVisible());
    EXPECT_TRUE(window.headline()->isVisible()) << "its numbers are read";
    course().leave();
    EXPECT_TRUE(window.scenarioDock()->isVisible());
    EXPECT_EQ(window.detailsDock()->isVisible(), details);
}

/// After the last step: what has been seen, and what comes next.
TEST_F(LessonWindowTest, SaysAtTheEndWhatHasBeenSeen) {
    window.lessons()->begin(named("notation"));
    reveal(course().lesson()->steps.size() - 1);
    EXPECT_EQ(panel().forward()->text(), QStringLiteral("Finish"));
    click(panel().forward());
    EXPECT_TRUE(course().isAtEnd());
    EXPECT_TRUE(panel().heading()->text().contains(QStringLiteral("the end")));
    EXPECT_TRUE(panel().text()->text().contains(QStringLiteral("You have seen")));
    EXPECT_TRUE(panel().text()->text().contains(QStringLiteral("Next: 4. ")));
    EXPECT_EQ(panel().forward()->text(), QStringLiteral("Next lesson"));
    click(panel().back());
    EXPECT_FALSE(course().isAtEnd());
    click(panel().forward());
    click(panel().forward());
    EXPECT_EQ(course().lesson()->id, "four-cases");
}

TEST_F(LessonWindowTest, SaysWhatIsWrongWithAnAnswerAndShowsIt) {
    window.lessons()->begin(named("cannon-to-meshslice"));
    reveal(1);
    EXPECT_TRUE(answer(QStringLiteral("7x")).contains(QStringLiteral("too large")));
    window.lessons()->begin(named("mesh"));
    reveal(3); // 4x16: how long?
    EXPECT_TRUE(answer(QString()).contains(QStringLiteral("Type a number")));
    EXPECT_TRUE(answer(QStringLiteral("5")).contains(QStringLiteral("unit")));
    EXPECT_TRUE(answer(QStringLiteral("long")).contains(QStringLiteral("is not a number")));
    EXPECT_TRUE(answer(QStringLiteral("1 us")).contains(QStringLiteral("too small")));
    EXPECT_TRUE(answer(QStringLiteral("3 s")).contains(QStringLiteral("too large")));
    click(panel().hintButton());
    EXPECT_EQ(panel().verdict()->accessibleDescription(), words(course().current().question->hint.plain()));
    // The fourth asks about twice the links: Show me shows that run, Reset the step takes it back.
    window.lessons()->begin(named("roofline"));
    reveal(3);
    const Scenario own = window.document()->scenario();
    click(panel().showMe());
    ASSERT_TRUE(QTest::qWaitFor([this] { return !panel().job()->isBusy(); }, patience_ms));
    EXPECT_TRUE(panel().verdict()->accessibleDescription().contains(QStringLiteral("The answer is")));
    EXPECT_DOUBLE_EQ(window.document()->scenario().hardware.hbm_bandwidth.value.value(),
                     2 * own.hardware.hbm_bandwidth.value.value());
    click(panel().again());
    EXPECT_EQ(window.document()->scenario(), own);
}

/// Steps by keys alone, and the keyboard to what is framed.
TEST_F(LessonWindowTest, WorksByKeyboard) {
    window.activateWindow();
    QTest::keyClick(&window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(course().isOpen());
    EXPECT_EQ(course().lesson()->id, "first-look") << "the first one";
    window.lessons()->begin(named("roofline"));
    QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(course().step(), 2u);
    QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(course().step(), 1u);
    QTest::keyClick(&window, Qt::Key_Right, Qt::AltModifier);
    click(panel().lookAt());
    QWidget* const field = window.lessons()->frame()->target();
    EXPECT_TRUE(field->hasFocus() || field->isAncestorOf(QApplication::focusWidget()) ||
                field->focusProxy() == QApplication::focusWidget());
    EXPECT_FALSE(panel().answer()->accessibleName().isEmpty());
    EXPECT_FALSE(panel().text()->accessibleName().isEmpty());
}

/// The lab shows what the step says, and then again what the user had typed there.
TEST_F(LessonWindowTest, GivesTheLabBack) {
    LabView* const lab = theLab();
    lab->setText(LabField::sizes, QStringLiteral("I=64, J=64, K=64"));
    window.lessons()->begin(named("notation"));
    course().goTo(1);
    EXPECT_EQ(lab->text(LabField::left), QStringLiteral("A[I_X, J]"));
    EXPECT_EQ(window.pictures()->currentView(), lab);
    window.lessons()->begin(named("collectives"));
    EXPECT_EQ(lab->page(), lab->pages().indexOf(QStringLiteral("collectives")));
    EXPECT_TRUE(
        lab->questionPage("collectives")->pictured().startsWith(QStringLiteral("all-gather along X=16")));
    course().leave();
    EXPECT_EQ(lab->text(LabField::sizes), QStringLiteral("I=64, J=64, K=64"));
    EXPECT_EQ(lab->page(), 0);
    EXPECT_EQ(qobject_cast<QLineEdit*>(lab->questionPage("collectives")->form()->field("bytes"))->text(),
              QStringLiteral("34 MB"));
}

/// The plan that a step is about is the one that is seen, as far as it says.
TEST_F(LessonWindowTest, ShowsThePlanThatTheStepIsAbout) {
    LabView* const lab = theLab();
    window.lessons()->begin(named("four-cases"));
    reveal(2);
    const auto title = [&] { return labTitle(lab->canvas()->shown()); };
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return lab->canvas()->isReady() && !lab->job()->isBusy(); }, patience_ms));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return title().endsWith(QStringLiteral("Slice_{X, J} B, Multiply, AllReduce_X C")); },
        patience_ms))
        << title().toStdString();
    window.lessons()->begin(named("notation"));
    course().goTo(6);
    EXPECT_TRUE(QTest::qWaitFor([&] { return lab->canvas()->done() == 1; }, patience_ms));
    // What a student types then goes on from the first plan.
    lab->setText(LabField::sizes, QStringLiteral("I=64, J=64, K=64"));
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return !lab->job()->isBusy() && lab->canvas()->done() == 0; }, patience_ms));
}

/// Who answers with what the lab shows is right: the question is about what is seen.
TEST_F(LessonWindowTest, TakesWhatTheScreenShowsForAnAnswer) {
    LabView* const lab = theLab();
    const auto shown = [&](const LessonStep& step) {
        if (step.lab->page ==
            "collectives") { // "all-gather of 64.0 MB along X=16 on TPU v5e: 711 us, bound by ..."
            return words(lab->questionPage("collectives")->canvas()->surface()->chart()->title)
                .section(QStringLiteral(": "), 1)
                .section(QLatin1Char(','), 0, 0);
        }
        const int column = step.question->unit == "s" ? 5 : step.question->unit == "B" ? 6 : 8;
        return lab->plans()->index(lab->selected(), column).data().toString();
    };
    int asked = 0;
    for (const char* const id : {"four-cases", "collectives"}) {
        window.lessons()->begin(named(id));
        for (std::size_t k = 0; k < course().lesson()->steps.size(); ++k) {
            reveal(k);
            const LessonStep& step = course().current();
            if (step.question->unit.empty() || step.question->unit == "x") {
                continue; // a quotient of two, or counted step by step
            }
            ASSERT_TRUE(QTest::qWaitFor([&] { return !lab->job()->isBusy(); }, patience_ms));
            QApplication::processEvents();
            const QString typed = shown(step).replace(QChar(0x2009), QLatin1Char(' '));
            EXPECT_TRUE(answer(typed).startsWith(QStringLiteral("Right")))
                << id << ", step " << k + 1 << ": " << typed.toStdString();
            ++asked;
        }
    }
    EXPECT_EQ(asked, 10);
}

/// The lab has a machine of its own: while it is shown, the scenario's is out of sight.
TEST_F(LessonWindowTest, PutsTheScenarioAsideWhileTheLabIsShown) {
    const auto inSight = [&] {
        return std::array{window.scenarioDock()->isVisible(), window.headline()->isVisible(),
                          window.variants()->isVisible()};
    };
    const auto before = inSight();
    window.lessons()->begin(named("notation"));
    EXPECT_EQ(inSight(), (std::array{false, false, false}));
    window.pictures()->show(window.views().front());
    EXPECT_EQ(inSight(), (std::array{true, true, true})) << "the timeline is of the scenario";
    course().goTo(1);
    EXPECT_EQ(inSight(), (std::array{false, false, false}));
    course().leave();
    EXPECT_EQ(inSight(), before);
    window.pictures()->show(theLab());
    EXPECT_EQ(inSight(), (std::array{false, false, false})) << "without a lesson too";
}

/// The stepper begins where the step says, and is framed at the button that goes on.
TEST_F(LessonWindowTest, ShowsTheStepperAfterSoManySteps) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"meshslice_lesson": 1, "id": "mine", "title": "Mine", "needs": "Nothing", "steps": [
        {"title": "One", "text": "See.", "view": "lab", "highlight": {"lab": "done"},
         "lab": {"page": "stepper", "program": "all-gather", "mesh": "4", "done": "2"}}]})");
    file.close();
    ASSERT_TRUE(window.lessons()->beginFile(path));
    StepperPage* const stepper = theLab()->stepper();
    ASSERT_TRUE(QTest::qWaitFor([&] { return stepper->canvas()->isReady(); }, patience_ms));
    EXPECT_EQ(stepper->canvas()->moment(), 2u);
    EXPECT_EQ(window.lessons()->frame()->target(), stepper->forward());
    click(stepper->forward());
    EXPECT_EQ(stepper->canvas()->moment(), 3u);
    click(panel().again());
    EXPECT_EQ(stepper->canvas()->moment(), 2u);
}

/// Reset the step takes back what was typed on a page of the lab.
TEST_F(LessonWindowTest, ResetsTheLabToo) {
    window.lessons()->begin(named("notation"));
    course().goTo(1);
    theLab()->setText(LabField::left, QStringLiteral("A[I, J_Y]"));
    click(panel().again());
    EXPECT_EQ(qobject_cast<QLineEdit*>(theLab()->field(LabField::left))->text(), QStringLiteral("A[I_X, J]"));
    window.lessons()->begin(named("collectives"));
    auto* const bytes =
        qobject_cast<QLineEdit*>(theLab()->questionPage("collectives")->form()->field("bytes"));
    bytes->setText(QStringLiteral("32 MB"));
    click(panel().again());
    EXPECT_EQ(bytes->text(), QStringLiteral("64 MB"));
}

/// What was in front of two docks is so again.
TEST_F(LessonWindowTest, DetailsInFrontStayInFront) {
    const auto inFront = [](const QDockWidget* dock) { // one behind a tab stands outside of the window
        return dock->isVisible() && dock->x() >= 0;
    };
    window.tabifyDockWidget(window.scenarioDock(), window.detailsDock());
    for (QDockWidget* const front : {window.detailsDock(), window.scenarioDock()}) {
        QApplication::processEvents(); // the docks have their tabs again
        front->raise();
        ASSERT_TRUE(QTest::qWaitFor([&] { return inFront(front); }, patience_ms));
        window.lessons()->begin(named("notation"));
        EXPECT_FALSE(front->isVisible());
        course().leave();
        EXPECT_TRUE(QTest::qWaitFor([&] { return inFront(front); }, patience_ms));
        EXPECT_TRUE(window.scenarioDock()->isVisible() || window.detailsDock()->isVisible());
    }
}

/// The first that is ever seen of the lab is its second page, whose pictures find their places while it is
/// shown.
TEST_F(LessonWindowTest, ShowsAPageOfTheLabThatNobodyHasSeenYet) {
    window.close();
    for (const int height : {600, 700, 752, 800, 900, 1080}) {
        MainWindow fresh(Memory::forget);
        fresh.resize(1280, height);
        fresh.show();
        QApplication::processEvents();
        fresh.lessons()->begin(named("slicing"));
        for (int k = 0; k < 2; ++k) {
            QTest::qWait(1);
            click(fresh.lessons()->panel()->forward());
            fresh.lessons()->course()->reveal();
        }
        QTest::qWait(1);
        EXPECT_EQ(fresh.pictures()->currentView()->page(), 1) << height;
    }
}

/// Every step of every lesson: the view is there, what is highlighted can be seen, the lab takes its texts.
TEST_F(LessonWindowTest, EveryStepPointsAtSomethingThatIsThere) {
    for (const LessonTitle& listed : lesson_titles()) {
        const LessonPtr one = lesson(listed.id);
        window.lessons()->begin(one);
        for (std::size_t k = 0; k < one->steps.size(); ++k) {
            reveal(k);
            const LessonStep& step = one->steps[k];
            EXPECT_EQ(window.lessons()->frame() != nullptr,
                      step.highlight.kind != LessonHighlight::Kind::none)
                << one->id << ", step " << k + 1;
            if (step.lab) {
                for (View* view : window.views()) {
                    if (auto* lab = qobject_cast<LabView*>(view)) {
                        EXPECT_EQ(lab->notice()->text(), QString()) << one->id << ", step " << k + 1;
                    }
                }
            }
        }
    }
    course().leave();
}

TEST_F(LessonWindowTest, HasTheViewsThatLessonsMayShow) {
    std::vector<std::string> ids;
    for (const ViewEntry& entry : window.entries()) {
        ids.emplace_back(entry.id);
    }
    EXPECT_EQ(ids, std::vector<std::string>(lesson_views.begin(), lesson_views.end()));
}

/// The welcome offers them, also in a small window; a click begins one.
TEST_F(LessonWindowTest, BeginsFromTheWelcome) {
    window.welcome()->open();
    ASSERT_EQ(window.welcome()->dialog()->lessons().size(), lesson_titles().size());
    click(window.welcome()->dialog()->lessons()[2]);
    ASSERT_TRUE(course().isOpen());
    EXPECT_EQ(course().lesson()->id, "notation");
}

TEST_F(LessonWindowTest, OpensALecturersFileOrSaysWhatIsWrong) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("mine.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"meshslice_lesson": 1, "id": "mine", "title": "Mine", "needs": "Nothing",
        "steps": [{"title": "One", "text": "See.", "scenario": {"mesh": [4, 4]}, "view": "torus"}]})");
    file.close();
    EXPECT_TRUE(window.lessons()->beginFile(path));
    EXPECT_EQ(course().lesson()->id, "mine");
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("torus"));
    EXPECT_EQ(panel().forward()->text(), QStringLiteral("Finish"));
    EXPECT_FALSE(panel().answer()->isVisible()) << "no question";
    click(panel().forward());
    EXPECT_TRUE(panel().text()->text().contains(QStringLiteral("You have seen: One.")));
    EXPECT_EQ(panel().forward()->text(), QStringLiteral("Close"));
    click(panel().forward());
    EXPECT_FALSE(course().isOpen());
}

/// In the smallest window, and with the letters of a lecture: buttons and field are in sight.
TEST_F(LessonWindowTest, FitsSmallWindowsAndLargeLetters) {
    for (const bool teach : {false, true}) {
        window.resize(960, 600);
        window.layouts()->take(teach ? WindowLayout::teach : WindowLayout::explore);
        window.lessons()->begin(named("roofline"));
        for (int k = 0; k < 5; ++k) {
            QApplication::processEvents();
        }
        EXPECT_LE(window.width(), 960) << teach;
        for (QWidget* one :
             std::initializer_list<QWidget*>{panel().forward(), panel().back(), panel().leave(),
                                             panel().checkButton(), panel().answer()}) {
            EXPECT_TRUE(one->isVisible()) << teach;
            EXPECT_EQ(one->visibleRegion().boundingRect().width(), one->width())
                << teach << " " << one->accessibleName().toStdString();
            EXPECT_GE(one->width(), one->minimumSizeHint().width()) << teach;
        }
        course().leave();
    }
    window.layouts()->reset();
}

/// A lesson that was left in its middle says where it goes on; one whose last question has its answer is
/// done, however it is left.
TEST_F(LessonWindowTest, SaysWhereItGoesOnAndWhenItIsDone) {
    window.close();
    MainWindow kept(Memory::keep);
    kept.show();
    Lessons& all = *kept.lessons();
    const QString here = QStringLiteral("You were here last time");
    all.begin(named("roofline"));
    EXPECT_FALSE(all.panel()->text()->text().contains(here));
    all.course()->goTo(3);
    all.course()->leave();
    all.begin(named("roofline"));
    EXPECT_EQ(all.course()->step(), 3u);
    EXPECT_TRUE(all.panel()->text()->text().contains(here));
    click(all.panel()->back());
    EXPECT_FALSE(all.panel()->text()->text().contains(here));
    all.course()->goTo(all.course()->lesson()->steps.size() - 1);
    EXPECT_FALSE(all.panel()->text()->text().contains(here));
    EXPECT_FALSE(restoredProgress(QStringLiteral("roofline")).done);
    const double right = value_of(all.course()->current().question->answer).value();
    all.panel()->answer()->setText(QString::number(right));
    click(all.panel()->checkButton());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !all.panel()->job()->isBusy(); }, patience_ms));
    EXPECT_TRUE(restoredProgress(QStringLiteral("roofline")).done);
    click(all.panel()->back());
    EXPECT_TRUE(restoredProgress(QStringLiteral("roofline")).done);
    all.course()->leave();
    EXPECT_TRUE(all.offered()[1].note.contains(QStringLiteral("done")));
}

/// How far one is stays for the next time.
TEST(LessonProgressTest, IsKept) {
    const OwnSettings settings(QStringLiteral("progress"));
    EXPECT_EQ(restoredProgress(QStringLiteral("slicing")), LessonProgress());
    rememberProgress(QStringLiteral("slicing"), {3, true, false});
    EXPECT_EQ(restoredProgress(QStringLiteral("slicing")), (LessonProgress{3, true, false}));
    rememberLesson(QStringLiteral("slicing"));
    EXPECT_EQ(restoredLesson(), QStringLiteral("slicing"));
}

TEST(LessonWordsTest, MarksBecomeRichTextAndNothingElseDoes) {
    EXPECT_EQ(lessonHtml("a **b** `c<d`\n\ne"),
              QStringLiteral("<p style=\"margin-top:0; margin-bottom:6px\">a <b>b</b> <code>c&lt;d</code></p>"
                             "<p style=\"margin-top:0; margin-bottom:6px\">e</p>"));
}

} // namespace
} // namespace meshslice::ui
