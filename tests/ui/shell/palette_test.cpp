// The command palette in the real window.

#include "core/torus/faults.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/dialogs/palette_dialog.h"
#include "ui/document/document.h"
#include "ui/editor/number_field.h"
#include "ui/lessons/lesson_course.h"
#include "ui/look/glossary.h"
#include "ui/session/session.h"
#include "ui/settings/glossary_dialog.h"
#include "ui/settings/manual_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette.h"
#include "ui/shell/start/lessons.h"
#include "ui/studies/studies_view.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/view/picture_area.h"
#include "ui/view/view.h"

#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class PaletteTest : public ::testing::Test {
  protected:
    PaletteTest() {
        window.document()->restore(project_of(smallScenario()), {});
        window.resize(1280, 800);
        window.show();
        QApplication::setActiveWindow(&window);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
    }
    PaletteDialog* open() {
        QApplication::setActiveWindow(&window); // which the desktop does when a dialog is closed
        QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QApplication::processEvents();
        EXPECT_NE(window.commandPalette()->dialog(), nullptr);
        return window.commandPalette()->dialog();
    }
    /// Types and takes what is found first.
    void take(const char* typed) {
        PaletteDialog* dialog = open();
        QTest::keyClicks(dialog->line(), QString::fromUtf8(typed));
        QTest::keyClick(dialog->line(), Qt::Key_Return);
        QTest::qWait(0);
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QApplication::setActiveWindow(&window);
        QApplication::processEvents();
    }
    static QStringList titles(const PaletteDialog& dialog) {
        QStringList all;
        const auto* list = dialog.findChild<QTreeWidget*>();
        for (int row = 0; row < list->topLevelItemCount(); ++row) {
            all << list->topLevelItem(row)->text(0);
        }
        return all;
    }

    MainWindow window{Memory::forget};
};

/// Every entry of every menu, every view, every example, every field.
TEST_F(PaletteTest, ListsEverything) {
    const QStringList all = titles(*open());
    for (const ViewPlace& place : window.pictures()->places()) {
        EXPECT_TRUE(all.contains(place.title)) << place.title.toStdString();
    }
    for (const char* title : {"Save as", "Dark", "Keys", "Batch", "HBM bandwidth", "Undo", "Compare with",
                              "Faults", "Pin as A: compare the others with this one"}) {
        EXPECT_TRUE(all.contains(QString::fromUtf8(title))) << title;
    }
    EXPECT_GT(all.filter(QStringLiteral("GPT-3")).size(), 3) << "examples";
    for (QAction* menu : window.menuBar()->actions()) {
        for (const QAction* entry : menu->menu()->actions()) {
            if (!entry->isSeparator() && entry->menu() == nullptr && !entry->data().isValid() &&
                entry->objectName() != QLatin1String(Palette::own_action)) {
                const QString title = entry->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
                EXPECT_TRUE(all.contains(title)) << title.toStdString();
            }
        }
    }
}

/// Chinese words have their mnemonic behind them; it is none of the words.
TEST_F(PaletteTest, NamesHaveNoMnemonics) {
    window.menuBar()->actions().front()->menu()->addAction(QString::fromUtf8("打开(&O)…"));
    const QStringList all = titles(*open());
    EXPECT_TRUE(all.contains(QString::fromUtf8("打开")));
    EXPECT_TRUE(all.filter(QStringLiteral("(O)")).isEmpty());
}

/// Undo has nothing to undo: a click on its line does neither that nor what the current line says.
TEST_F(PaletteTest, AClickOnAGreyedLineDoesNothing) {
    PaletteDialog* dialog = open();
    QSignalSpy taken(dialog, &PaletteDialog::taken);
    auto* list = dialog->findChild<QTreeWidget*>();
    const QList<QTreeWidgetItem*> undo = list->findItems(QStringLiteral("Undo"), Qt::MatchExactly);
    ASSERT_EQ(undo.size(), 1);
    ASSERT_FALSE(undo.front()->flags().testFlag(Qt::ItemIsEnabled));
    list->scrollToItem(undo.front());
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(undo.front()).center());
    EXPECT_EQ(taken.count(), 0);
}

TEST_F(PaletteTest, GoesToViewsAndFields) {
    take("torus");
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("torus"));
    take("batch");
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_EQ(QApplication::focusWidget()->accessibleName(), QStringLiteral("Batch"));
    take("mesh");
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_EQ(QApplication::focusWidget()->accessibleName(), QStringLiteral("Mesh rows")) << "the first axis";
    // Folded away until it is wanted, in a dock that is closed.
    window.scenarioDock()->hide();
    take("hbm bandw");
    ASSERT_NE(QApplication::focusWidget(), nullptr);
    EXPECT_EQ(QApplication::focusWidget()->accessibleName(), QStringLiteral("HBM bandwidth"));
    EXPECT_TRUE(window.scenarioDock()->isVisible());
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("3 TB/s"));
    EXPECT_DOUBLE_EQ(window.document()->scenario().hardware.hbm_bandwidth.value.value(), 3e12);
}

/// Studies by figure and title, words of the glossary, pages of the manual, presets, lessons.
TEST_F(PaletteTest, FindsWhatIsNotAnAction) {
    take("figure 9");
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("studies"));
    auto* const gallery = qobject_cast<StudiesView*>(window.pictures()->currentView());
    ASSERT_NE(gallery, nullptr);
    EXPECT_EQ(gallery->pages()[gallery->page()], QStringLiteral("weak-scaling")) << "of the MeshSlice paper";
    take("table 2");
    EXPECT_EQ(gallery->pages()[gallery->page()], QStringLiteral("dataflows"));
    take("strong scaling");
    EXPECT_EQ(gallery->pages()[gallery->page()], QStringLiteral("strong-scaling"));
    take("model llama 3 8b");
    EXPECT_EQ(window.document()->scenario().model.name, "llama-3-8b");
    window.document()->undoStack()->undo();
    EXPECT_NE(window.document()->scenario().model.name, "llama-3-8b") << "one edit";
    take("hardware tpu v5e");
    EXPECT_EQ(window.document()->scenario().hardware.name, "tpu-v5e");
    take("algorithm summa");
    EXPECT_EQ(window.document()->scenario().plan.algorithm, "summa");
    take("prologue");
    auto* const glossary = window.findChild<GlossaryDialog*>();
    ASSERT_NE(glossary, nullptr);
    EXPECT_EQ(glossary->line()->text(), QStringLiteral("prologue"));
    take("how to read 91% of peak");
    const auto* manual = window.findChild<ManualDialog*>();
    ASSERT_NE(manual, nullptr);
    EXPECT_TRUE(manual->findChild<QTextBrowser*>()->toPlainText().startsWith(QStringLiteral("How to read")));
    take("slicing and overlap");
    ASSERT_TRUE(window.lessons()->course()->isOpen());
    EXPECT_EQ(window.lessons()->course()->lesson()->id, "slicing");
    window.lessons()->course()->leave();
}

/// What is typed leaves the words that begin so, then those whose text has it.
TEST(GlossaryDialogTest, SearchesWordsAndTexts) {
    QWidget parent;
    parent.resize(1000, 700);
    auto* const dialog = new GlossaryDialog(&parent, QStringLiteral("core"));
    const QString found = dialog->entries()->toPlainText();
    EXPECT_TRUE(found.startsWith(QStringLiteral("core"))) << found.left(60).toStdString();
    EXPECT_LT(found.size(), glossaryText().size());
    dialog->line()->setText(QStringLiteral("elephant"));
    EXPECT_TRUE(dialog->entries()->toPlainText().isEmpty());
    dialog->line()->clear();
    EXPECT_GT(dialog->entries()->toPlainText().size(), found.size());
}

/// A field is swept without looking for its menu: its range has the keyboard.
TEST_F(PaletteTest, SweepsAField) {
    take("sweep seq");
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("sweep"));
    auto* line = qobject_cast<QLineEdit*>(QApplication::focusWidget());
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->selectedText(), QStringLiteral("256:8192:x2")) << "2048, from an eighth to four times";
    take("sweep");
    EXPECT_EQ(window.pictures()->currentView()->id(), QStringLiteral("sweep"));
}

/// What the menu of a row offers, for the row that is selected.
TEST_F(PaletteTest, OffersTheMenuOfTheSelectedRow) {
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    PaletteDialog* dialog = open();
    EXPECT_FALSE(titles(*dialog).contains(QStringLiteral("What if it had half its speed?")))
        << "nothing is selected";
    QTest::keyClick(dialog, Qt::Key_Escape);
    QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    window.session()->selection()->select(Selected{0, 0, 3, {}}); // after core, south and north
    take("half speed");
    ASSERT_EQ(window.document()->scenario().assume.faults.parts.size(), 1u);
    EXPECT_EQ(window.document()->scenario().assume.faults.parts[0], *parse_fault("0,0 east 50%"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const ResultsPtr now = window.session()->current();
            return now && !now->scenario.assume.faults.none();
        },
        patience_ms));
    auto* timeline = qobject_cast<TimelineView*>(window.views().front());
    ASSERT_NE(timeline, nullptr);
    window.session()->selection()->select(Selected{0, 0, 3, {}}); // of a new result only the GEMM stays
    take("pin this row");
    EXPECT_EQ(timeline->rowChoice().pinned.size(), 1u);
    take("by column of the mesh");
    EXPECT_EQ(timeline->rowChoice().groups, RowGroups::column);
    dialog = open();
    QTest::keyClicks(dialog->line(), QStringLiteral("search"));
    const QTreeWidgetItem* first = dialog->list()->topLevelItem(0);
    EXPECT_EQ(first->text(0), QStringLiteral("Search"));
    EXPECT_EQ(first->text(1), QStringLiteral("Timeline > chip 0,0 east link"));
    EXPECT_EQ(first->text(2), QStringLiteral("/"));
}

/// A field's value is said as in the form.
TEST_F(PaletteTest, SaysNoRawKeys) {
    PaletteDialog* dialog = open();
    QTest::keyClicks(dialog->line(), QStringLiteral("chip model"));
    EXPECT_EQ(dialog->list()->topLevelItem(0)->text(2), QStringLiteral("as the hardware says"));
    dialog->line()->clear();
    QTest::keyClicks(dialog->line(), QStringLiteral("algorithm"));
    for (int row = 0; row < dialog->list()->topLevelItemCount(); ++row) {
        EXPECT_NE(dialog->list()->topLevelItem(row)->text(2), QStringLiteral("meshslice"));
    }
}

TEST_F(PaletteTest, ShowsTheRecentOnesFirstAndTheKeys) {
    take("limits");
    take("batch");
    PaletteDialog* dialog = open();
    EXPECT_EQ(titles(*dialog).mid(0, 2), QStringList({QStringLiteral("Batch"), QStringLiteral("Limits")}));
    EXPECT_EQ(dialog->list()->topLevelItem(0)->text(2), QStringLiteral("128 sequences"));
    EXPECT_EQ(dialog->list()->topLevelItem(1)->text(2), QStringLiteral("Ctrl+4"));
    // The arrows choose, with the keyboard in the line.
    QTest::keyClick(dialog->line(), Qt::Key_Down);
    EXPECT_EQ(dialog->list()->currentItem(), dialog->list()->topLevelItem(1));
    QTest::keyClicks(dialog->line(), QStringLiteral("elephant"));
    EXPECT_TRUE(titles(*dialog).isEmpty());
    EXPECT_FALSE(dialog->list()->isVisible()) << "a sentence says so";
    QTest::keyClick(dialog->line(), Qt::Key_Return);
    EXPECT_TRUE(dialog->isVisible());
    QTest::keyClick(dialog, Qt::Key_Escape);
    EXPECT_FALSE(dialog->isVisible());
}

} // namespace
} // namespace meshslice::ui
