#include "core/base/text.h"
#include "core/report/words/headline.h"
#include "core/report/words/why_words.h"
#include "tests/ui/support/gate.h"
#include "tests/ui/support/own_settings.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/file_commands.h"
#include "ui/details/details_panel.h"
#include "ui/document/document.h"
#include "ui/editor/facts_dialog.h"
#include "ui/editor/number_field.h"
#include "ui/editor/scenario_panel.h"
#include "ui/editor/workload_group.h"
#include "ui/products/products_view.h"
#include "ui/session/runner.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/settings/glossary_dialog.h"
#include "ui/settings/help_text.h"
#include "ui/settings/window_settings.h"
#include "ui/shell/bars/headline_bar.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/fault_menu.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/picture_column.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDateTime>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <gtest/gtest.h>

#include <memory>

namespace meshslice::ui {
namespace {

/// Where a column with this title is.
int columnOf(const QTableView* table, const char* title) {
    for (int column = 0; column < table->model()->columnCount(); ++column) {
        const QString shown = table->model()->headerData(column, Qt::Horizontal).toString();
        if (shown.simplified() == QLatin1String(title)) { // it may stand in two lines
            return column;
        }
    }
    ADD_FAILURE() << "there is no column " << title;
    return 0;
}

class MainWindowTest : public ::testing::Test {
  protected:
    MainWindowTest() : window(std::make_unique<MainWindow>(Memory::forget)) {
        window->document()->restore(project_of(smallScenario()), {});
        window->resize(1280, 800);
        window->show();
        QApplication::setActiveWindow(window.get());
        EXPECT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    ~MainWindowTest() override {
        window->appearance()->setTheme(ThemeChoice::system);
        window->appearance()->setFontPercent(100);
    }

    void waitForResults() {
        ASSERT_TRUE(QTest::qWaitFor([&] { return !window->session()->runner()->isBusy(); }, patience_ms));
        ASSERT_NE(window->session()->current(), nullptr);
    }

    std::unique_ptr<MainWindow> window;
};

TEST_F(MainWindowTest, ShowsTheNewestResultInWords) {
    waitForResults();
    EXPECT_EQ(window->headline()->text().toStdString(), headline(window->session()->current()->steps[0]));
    EXPECT_FALSE(window->headline()->comparison().isEmpty());
    EXPECT_EQ(window->session()->current()->scenario, smallScenario());
}

/// A real config.json in the window: Llama 3 70B's hidden size is 8192, with 64 query heads and 8 key-value
/// heads of 128, so QKV is 8192 x (64 + 16) 128 = 8192 x 10240.
TEST_F(MainWindowTest, RunsTheModelOfAConfigFile) {
    waitForResults();
    window->scenarioPanel()->workload()->importModel(
        QStringLiteral(MESHSLICE_SOURCE_DIR "/tests/core/model/fixtures/llama-3-70b.json"));
    EXPECT_TRUE(window->scenarioPanel()->workload()->sentence().isEmpty());
    waitForResults();
    const Scenario& shown = window->session()->current()->scenario;
    EXPECT_EQ(shown.model.kv_heads, 8);
    EXPECT_TRUE(shown.model.gated);
    const GemmShape& qkv = window->session()->current()->steps[0].gemms[0].gemm.shape;
    EXPECT_EQ(qkv, (GemmShape{shown.tokens(), 10240, 8192}));
    EXPECT_EQ(window->headline()->text().toStdString(), headline(window->session()->current()->steps[0]));
}

/// A row's menu makes a link slow, then dead, then healthy; the run follows, and each is one undo step.
TEST_F(MainWindowTest, AFaultOfARowIsPartOfTheScenario) {
    waitForResults();
    const Time healthy = window->session()->current()->steps[0].time;
    auto* timeline = window->findChild<TimelineView*>(QStringLiteral("timeline"));
    ASSERT_NE(timeline, nullptr);
    const auto want = [&](double speed) {
        wantFault(*window->session(), {{{1, 2}, false, Axis::horizontal, Direction::forward}, speed});
        EXPECT_TRUE(QTest::qWaitFor([&] { return !window->session()->runner()->isBusy(); }, patience_ms));
        return window->session()->current()->steps[0].time;
    };
    const Time slow = want(0.1);
    EXPECT_GT(slow, healthy);
    EXPECT_TRUE(window->headline()->text().contains(QLatin1String("1 fault")));
    // What bounds it is found after it, and then the headline says what Why says.
    EXPECT_TRUE(QTest::qWaitFor([&] { return window->session()->reasons() != nullptr; }, patience_ms));
    const TrainingStep& faulty = window->session()->current()->steps[0];
    const std::string bound = bound_by(faulty, *window->session()->reasons()->of(0));
    EXPECT_TRUE(window->headline()->text().endsWith(words("; " + bound))) << bound;
    EXPECT_GT(want(0), healthy);
    EXPECT_EQ(window->document()->scenario().assume.faults.parts.size(), 1u);
    EXPECT_EQ(want(1), healthy);
    EXPECT_TRUE(window->document()->scenario().assume.faults.none());
    window->document()->undoStack()->undo();
    window->document()->undoStack()->undo();
    waitForResults();
    EXPECT_EQ(window->session()->current()->steps[0].time, slow);
}

TEST_F(MainWindowTest, KeepsThreeFifthsOfTheWindowForThePicture) {
    waitForResults();
    QApplication::processEvents();
    const QWidget* picture = window->pictures()->currentView();
    EXPECT_GE(picture->width() * picture->height(), 1280 * 800 * 6 / 10)
        << picture->width() << " x " << picture->height();
    EXPECT_FALSE(window->pictures()->isSideBySide());
    EXPECT_LE(window->minimumSizeHint().width(), 1280);
    EXPECT_LE(window->minimumSizeHint().height(), 800);
}

/// A picture is never smaller in a larger window; two next to each other are the user's choice.
TEST_F(MainWindowTest, OneOrTwoPicturesAreTheUsersChoice) {
    int before = 0;
    for (const QSize& size : {QSize(1600, 1000), QSize(1700, 1000), QSize(1920, 1080), QSize(2560, 1440)}) {
        window->resize(size);
        QApplication::processEvents();
        EXPECT_FALSE(window->pictures()->isSideBySide());
        const int width = window->pictures()->currentView()->width();
        EXPECT_GE(width, before) << "at " << size.width();
        before = width;
    }
    QTest::keyClick(window.get(), Qt::Key_Backslash, Qt::ControlModifier);
    EXPECT_TRUE(window->pictures()->isSideBySide());
    int visible = 0;
    for (const View* view : window->views()) {
        visible += view->isVisible() ? 1 : 0;
    }
    EXPECT_EQ(visible, 2);
    window->resize(1280, 800);
    QApplication::processEvents();
    EXPECT_TRUE(window->pictures()->isSideBySide()) << "until the user takes it back";
    QTest::keyClick(window.get(), Qt::Key_Backslash, Qt::ControlModifier);
    EXPECT_FALSE(window->pictures()->isSideBySide());
}

/// The view whose tab was clicked last is the one that is meant, though the keyboard is elsewhere.
TEST_F(MainWindowTest, TheViewInViewIsTheOneThatWasChosenLast) {
    window->resize(1920, 1080);
    window->pictures()->setSideBySide(true);
    QApplication::processEvents();
    auto* field = window->findChild<NumberField*>();
    field->setFocus();
    QTabBar* left = window->pictures()->left()->tabs();
    PictureColumn* right = window->pictures()->right();
    ASSERT_EQ(left->count(), 1) << "the timeline alone";
    const auto tabOf = [&](const QString& title) {
        for (int k = 0; k < right->tabs()->count(); ++k) {
            if (right->tabs()->tabText(k) == title) {
                return right->tabs()->tabRect(k).center();
            }
        }
        return QPoint();
    };
    QTest::mouseClick(right->tabs(), Qt::LeftButton, Qt::NoModifier, tabOf(QStringLiteral("Limits")));
    QTest::mouseClick(right->pages(), Qt::LeftButton, Qt::NoModifier, right->pages()->tabRect(1).center());
    EXPECT_EQ(window->pictures()->currentView(), window->views()[3]);
    window->pictures()->left()->pages()->setFocus();
    EXPECT_EQ(window->pictures()->currentView(), window->views()[0]);
    window->views()[3]->setFocus();
    EXPECT_EQ(window->pictures()->currentView(), window->views()[3]);
}

/// Three columns, then two, then three again: nothing is left as narrow as it once was.
TEST_F(MainWindowTest, DocksRecoverWhenTheWindowGrowsAgain) {
    window->resize(1600, 1000);
    window->resetLayout();
    QApplication::processEvents();
    const auto* details = window->findChild<DetailsPanel*>();
    const int roomy = details->width();
    EXPECT_TRUE(window->tabifiedDockWidgets(window->detailsDock()).isEmpty());
    for (const int width : {1280, 960, 800}) {
        window->resize(width, 600);
        QApplication::processEvents();
        EXPECT_FALSE(window->tabifiedDockWidgets(window->detailsDock()).isEmpty()) << width;
        EXPECT_GE(details->width(), details->minimumSizeHint().width()) << width;
    }
    window->resize(1600, 1000);
    QApplication::processEvents();
    EXPECT_TRUE(window->tabifiedDockWidgets(window->detailsDock()).isEmpty());
    EXPECT_GE(details->width(), roomy - 8);
    EXPECT_TRUE(details->isVisible());
}

/// Ctrl and + until the letters are twice as large, then Ctrl and 0: pictures grow and shrink with the text,
/// and the docks give back what they took.
TEST_F(MainWindowTest, LargerTextEnlargesThePicturesAndGoesBack) {
    waitForResults();
    window->resize(1600, 1000);
    window->resetLayout();
    QApplication::processEvents();
    auto* timeline = window->findChild<TimelineView*>(QStringLiteral("timeline"));
    const int dock = window->scenarioDock()->width();
    const QImage before = timeline->grab().toImage();
    EXPECT_EQ(timeline->pictureSize(), timeline->size());
    for (int k = 0; k < 10; ++k) {
        QTest::keyClick(window.get(), Qt::Key_Plus, Qt::ControlModifier);
        QApplication::processEvents();
    }
    EXPECT_TRUE(QTest::qWaitFor([&] { return !window->tabifiedDockWidgets(window->detailsDock()).isEmpty(); },
                                patience_ms))
        << "two columns of so large a text leave the picture no room";
    EXPECT_EQ(window->appearance()->fontPercent(), 200);
    EXPECT_NEAR(timeline->pictureSize().width(), timeline->width() / 2.0, 1);
    EXPECT_NE(timeline->grab().toImage().copy(0, 0, 200, 40), before.copy(0, 0, 200, 40));
    QTest::keyClick(window.get(), Qt::Key_0, Qt::ControlModifier);
    QApplication::processEvents();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return std::abs(window->scenarioDock()->width() - dock) <= 4; }, patience_ms))
        << window->scenarioDock()->width() << " instead of " << dock;
    EXPECT_TRUE(QTest::qWaitFor([&] { return timeline->size() == before.size(); }, patience_ms));
    EXPECT_EQ(timeline->pictureSize(), timeline->size());
}

/// Alt and a letter do one thing: no two fields share a letter, no field has that of a menu, and no two
/// entries of a menu have the same.
TEST_F(MainWindowTest, NoMnemonicTwice) {
    const auto letter = [](const QString& text) {
        const QKeySequence keys = QKeySequence::mnemonic(text);
        return keys.isEmpty() ? QString() : keys.toString();
    };
    QMap<QString, QString> taken;
    const auto take = [&](const QString& text) {
        if (const QString own = letter(text); !own.isEmpty()) {
            EXPECT_FALSE(taken.contains(own))
                << text.toStdString() << " has the letter of " << taken[own].toStdString();
            taken[own] = text;
        }
    };
    for (const QAction* menu : window->menuBar()->actions()) {
        take(menu->text());
    }
    EXPECT_EQ(taken[QStringLiteral("Alt+F")], QStringLiteral("&File"));
    for (const QLabel* label : window->findChildren<QLabel*>()) {
        // The two tasks have fields of their own, of which one set is seen.
        if (label->buddy() != nullptr && label->isVisibleTo(window.get())) {
            take(label->text());
        }
    }
    for (QAction* entry : window->menuBar()->actions()) {
        taken.clear();
        for (const QAction* action : entry->menu()->actions()) {
            take(action->text());
        }
    }
}

TEST_F(MainWindowTest, AnEditIsRunAndUndoRunsTheOldScenarioAgain) {
    waitForResults();
    const std::string before = headline(window->session()->current()->steps[0]);
    Scenario next = smallScenario();
    next.batch = 64;
    ASSERT_TRUE(window->document()->edit(next, "batch"));
    waitForResults();
    EXPECT_EQ(window->session()->current()->scenario.batch, 64);
    EXPECT_NE(headline(window->session()->current()->steps[0]), before);
    window->document()->undoStack()->undo();
    waitForResults();
    EXPECT_EQ(headline(window->session()->current()->steps[0]), before);
}

TEST_F(MainWindowTest, AFailedRunIsSaidAndTheNextGoodOneTakesItBack) {
    waitForResults();
    Scenario bad = smallScenario();
    bad.mesh = {7, 13};
    ASSERT_TRUE(window->document()->edit(bad, "mesh"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window->session()->runner()->isBusy(); }, patience_ms));
    EXPECT_FALSE(window->headline()->text().startsWith(QStringLiteral("MeshSlice 4x4")));
    window->document()->undoStack()->undo();
    waitForResults();
    EXPECT_EQ(window->headline()->text().toStdString(), headline(window->session()->current()->steps[0]));
}

TEST_F(MainWindowTest, AnImpossibleScenarioIsExplainedOnceAndTheDetailsClear) {
    waitForResults();
    Scenario bad = smallScenario();
    bad.mesh = {7, 13};
    ASSERT_TRUE(window->document()->edit(bad, "mesh"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window->session()->runner()->isBusy(); }, patience_ms));
    EXPECT_TRUE(window->scenarioPanel()->sentence().contains(QStringLiteral("13")));
    EXPECT_FALSE(window->headline()->text().contains(QStringLiteral("13")));
    EXPECT_TRUE(window->headline()->comparison().isEmpty());
    auto* details = window->findChild<DetailsPanel*>();
    EXPECT_TRUE(details->toPlainText().contains(QStringLiteral("no result")));
    window->document()->undoStack()->undo();
    waitForResults();
    EXPECT_FALSE(details->toPlainText().contains(QStringLiteral("no result")));
    EXPECT_TRUE(window->scenarioPanel()->sentence().isEmpty());
}

TEST_F(MainWindowTest, TheFirstSelectionRaisesTheDetailsAndLeavesTheFocus) {
    waitForResults();
    QApplication::processEvents();
    QWidget* picture = window->pictures()->currentView();
    picture->setFocus();
    auto* details = window->findChild<DetailsPanel*>();
    EXPECT_TRUE(details->viewport()->visibleRegion().isEmpty());
    window->session()->selection()->select(Selected{0, 0, {}, {}});
    QApplication::processEvents();
    EXPECT_FALSE(details->viewport()->visibleRegion().isEmpty());
    EXPECT_TRUE(picture->hasFocus());
    window->toggleDock(window->scenarioDock());
    window->session()->selection()->select(Selected{0, 1, {}, {}});
    QApplication::processEvents();
    EXPECT_TRUE(details->viewport()->visibleRegion().isEmpty()) << "only the first time";
}

TEST(FirstSize, LeavesRoomForTheFrame) {
    EXPECT_LT(firstSize({1280, 800}).height(), 770);
    EXPECT_LE(firstSize({1280, 800}).width(), 1280);
    EXPECT_EQ(firstSize({3840, 2160}), QSize(1600, 1000));
}

TEST_F(MainWindowTest, LettersTypedIntoAFieldDoNotMoveThePicture) {
    waitForResults();
    auto* field = window->findChild<NumberField*>();
    ASSERT_NE(field, nullptr);
    field->setFocus();
    const TimeRange before = window->session()->selection()->range();
    QTest::keyClicks(field, QStringLiteral("wasdf"));
    EXPECT_EQ(window->session()->selection()->range(), before);
}

TEST_F(MainWindowTest, ARunThatEndsLeavesTheSentenceAboutABadFieldAlone) {
    waitForResults();
    auto* field = window->findChild<NumberField*>();
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, QStringLiteral("64q")); // 6 and 64 start runs, q takes them back
    waitForResults();
    EXPECT_EQ(window->document()->scenario().batch, smallScenario().batch);
    EXPECT_TRUE(window->scenarioPanel()->workload()->sentence().contains(QStringLiteral("64q")));
}

TEST_F(MainWindowTest, ControlZInAFieldUndoesTheScenario) {
    waitForResults();
    Scenario next = smallScenario();
    next.batch = 64;
    ASSERT_TRUE(window->document()->edit(next, "batch"));
    auto* field = window->findChild<NumberField*>();
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window->document()->scenario().batch, smallScenario().batch);
}

TEST_F(MainWindowTest, ClosesInTheMiddleOfARun) {
    const Gate gate(window->session()->runner()->job());
    Scenario large = default_scenario();
    large.mesh = {64, 64};
    window->document()->restore(project_of(large), {});
    ASSERT_TRUE(window->session()->runner()->isBusy());
    EXPECT_TRUE(window->close());
    EXPECT_FALSE(window->session()->runner()->isBusy());
    window = std::make_unique<MainWindow>(Memory::forget);
}

TEST_F(MainWindowTest, ABadFileLeavesTheDocumentAndSaysWhy) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bad.json"));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{\"version\": \"one\"}");
    file.close();
    EXPECT_FALSE(window->files()->openPath(path));
    EXPECT_EQ(window->document()->scenario(), smallScenario());
    auto* box = window->findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    EXPECT_TRUE(box->text().contains(QStringLiteral("bad.json")));
    box->close();
}

/// A file's name may look like markup; Enter keeps what another program wrote.
TEST_F(MainWindowTest, AsksInPlainTextAndOverwritesNothingByItself) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("x<h1>BIG<br>.json"));
    ASSERT_TRUE(window->document()->save(path));
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("{}");
    ASSERT_TRUE(
        file.setFileTime(QDateTime::currentDateTime().addSecs(10), QFileDevice::FileModificationTime));
    file.close();
    bool asked = false;
    QTimer::singleShot(0, window.get(), [&] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        ASSERT_NE(box, nullptr);
        asked = true;
        EXPECT_EQ(box->textFormat(), Qt::PlainText);
        EXPECT_EQ(box->standardButton(box->defaultButton()), QMessageBox::No);
        box->defaultButton()->click();
    });
    EXPECT_FALSE(window->files()->save());
    EXPECT_TRUE(asked);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), "{}");
}

TEST_F(MainWindowTest, ChoosingAProductExplainsIt) {
    waitForResults();
    auto* products = window->findChild<ProductsView*>();
    ASSERT_NE(products, nullptr);
    const QAbstractItemModelTester tester(products->tableView()->model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    // Below the sums, the third GEMM; in a column of the second algorithm.
    products->tableView()->setCurrentIndex(
        products->tableView()->model()->index(3, columnOf(products->tableView(), "Collective time")));
    const auto selected = window->session()->selection()->selected();
    ASSERT_TRUE(selected.has_value());
    EXPECT_EQ(selected->step, 1u);
    EXPECT_EQ(selected->gemm, 2u);
    const QString details = window->findChild<DetailsPanel*>()->toPlainText();
    EXPECT_TRUE(
        details.contains(QString::fromStdString(window->session()->current()->steps[1].gemms[2].title())));
    EXPECT_TRUE(details.contains(QStringLiteral("prologue")));
}

/// Both algorithms next to each other, with what they differ by; the sums first, whatever the order.
TEST_F(MainWindowTest, SumsStayAboveTheProductsAndSelectNothing) {
    waitForResults();
    QTableView* table = window->findChild<ProductsView*>()->tableView();
    ASSERT_EQ(table->model()->rowCount(), 13); // 12 GEMMs and the sums
    const auto& steps = window->session()->current()->steps;
    const int own = columnOf(table, "MeshSlice time");
    const auto cell = [&](int row, int column) {
        return table->model()->index(row, column).data().toString().toStdString();
    };
    for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
        table->sortByColumn(own, order);
        EXPECT_EQ(cell(0, 0), "total");
        EXPECT_TRUE(table->model()->index(0, 0).data(Qt::FontRole).value<QFont>().bold());
        EXPECT_FALSE(table->model()->index(1, 0).data(Qt::FontRole).value<QFont>().bold());
        EXPECT_EQ(cell(0, own), text(steps[0].time));
        EXPECT_EQ(cell(0, columnOf(table, "Collective time")), text(steps[1].time));
        EXPECT_EQ(cell(0, columnOf(table, "difference time")),
                  "+" + si_text(in_seconds(steps[1].time) - in_seconds(steps[0].time), "s"));
    }
    table->setCurrentIndex(table->model()->index(0, 0));
    EXPECT_FALSE(window->session()->selection()->selected().has_value());
    EXPECT_EQ(window->findChild<ProductsView*>()->table().rows.size(), 24u) << "files get the products alone";
}

TEST_F(MainWindowTest, DetailsShareThePlaceOfTheScenarioInANarrowWindow) {
    QApplication::processEvents();
    EXPECT_TRUE(window->findChild<NumberField*>()->isVisible());
    window->toggleDock(window->detailsDock());
    QApplication::processEvents();
    EXPECT_FALSE(window->detailsDock()->visibleRegion().isEmpty() &&
                 window->findChild<DetailsPanel*>()->viewport()->visibleRegion().isEmpty());
    EXPECT_TRUE(window->findChild<NumberField*>()->visibleRegion().isEmpty());
    window->toggleDock(window->detailsDock());
    QApplication::processEvents();
    EXPECT_TRUE(window->findChild<DetailsPanel*>()->viewport()->visibleRegion().isEmpty());
}

TEST_F(MainWindowTest, AThemeRepaintsTheWindow) {
    waitForResults();
    window->appearance()->setTheme(ThemeChoice::light);
    QApplication::processEvents();
    const int light = qGray(window->grab().toImage().pixel(4, window->height() - 40));
    window->appearance()->setTheme(ThemeChoice::dark);
    QApplication::processEvents();
    const int dark = qGray(window->grab().toImage().pixel(4, window->height() - 40));
    EXPECT_GT(light, 200);
    EXPECT_LT(dark, 80);
}

TEST_F(MainWindowTest, TheKeyListNamesEveryShortcut) {
    const QString keys = keysText(*window->menuBar(), window->views());
    for (const QAction* action : window->findChildren<QAction*>()) {
        if (!action->shortcut().isEmpty()) {
            EXPECT_TRUE(keys.contains(action->shortcut().toString(QKeySequence::NativeText).toHtmlEscaped()))
                << action->text().toStdString();
        }
    }
}

TEST_F(MainWindowTest, HelpShowsTheGlossary) {
    for (QAction* action : window->findChildren<QAction*>()) {
        if (action->text() == QStringLiteral("&Glossary")) {
            action->trigger();
        }
    }
    auto* page = window->findChild<GlossaryDialog*>();
    ASSERT_NE(page, nullptr);
    EXPECT_TRUE(page->entries()->toPlainText().contains(QStringLiteral("epilogue")));
}

TEST_F(MainWindowTest, NoTwoActionsShareAShortcut) {
    QStringList seen;
    for (const QAction* action : window->findChildren<QAction*>()) {
        for (const QKeySequence& keys : action->shortcuts()) {
            EXPECT_FALSE(seen.contains(keys.toString())) << keys.toString().toStdString();
            seen << keys.toString();
        }
    }
}

TEST_F(MainWindowTest, DamagedSettingsFallBackToDefaults) {
    const OwnSettings own(QStringLiteral("damaged"));
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), QByteArray("nonsense"));
    settings.setValue(QStringLiteral("window/state"), QByteArray(1000, '\xff'));
    settings.setValue(QStringLiteral("appearance/theme"), 17);
    settings.setValue(QStringLiteral("appearance/fontPercent"), QStringLiteral("huge"));
    settings.setValue(QStringLiteral("recentFiles"), 3.5);
    settings.sync();
    EXPECT_FALSE(restoreWindow(*window));
    restoreAppearance(*window->appearance());
    EXPECT_EQ(window->appearance()->theme(), ThemeChoice::system);
    EXPECT_EQ(window->appearance()->fontPercent(), 100);
    EXPECT_TRUE(window->pictures()->isVisible());

    rememberWindow(*window);
    EXPECT_TRUE(restoreWindow(*window));
}

/// Behind the results come their reasons, of the newest only.
TEST_F(MainWindowTest, SaysWhyAfterTheResult) {
    const auto saysWhy = [&] {
        if (window->session()->runner()->isBusy() || window->session()->isExplaining()) {
            return false;
        }
        const auto& results = *window->session()->current();
        const TrainingStep& step = results.steps[0];
        QString sentence = QString::fromStdString(why_sentence(step, *why(step, results.scenario)));
        sentence.replace(QChar(0x2009), QChar(QChar::Nbsp));
        auto* details = window->findChild<DetailsPanel*>();
        return details->toPlainText().contains(sentence);
    };
    EXPECT_TRUE(QTest::qWaitFor(saysWhy, patience_ms));
    Scenario next = smallScenario();
    next.batch = 64;
    ASSERT_TRUE(window->document()->edit(next, "batch"));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return saysWhy() && window->session()->current()->scenario.batch == 64; }, patience_ms));
}

} // namespace
} // namespace meshslice::ui
