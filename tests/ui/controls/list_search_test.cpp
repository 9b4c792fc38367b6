#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/controls/list_search.h"
#include "ui/document/document.h"
#include "ui/editor/scenario_panel.h"
#include "ui/shell/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class ListSearchTest : public ::testing::Test {
  protected:
    ListSearchTest() {
        list.addItems({QStringLiteral("H100"), QStringLiteral("TPU v4"), QStringLiteral("TPU v5e"),
                       QStringLiteral("TPU v5p")});
        list.show();
        QApplication::setKeyboardInputInterval(
            patience_ms); // letters belong together however slow the machine is
    }
    ~ListSearchTest() override { QApplication::setKeyboardInputInterval(usual_); }

    int usual_ = QApplication::keyboardInputInterval();
    ListSearch search{nullptr};
    QComboBox list;
};

/// Typing into a closed list goes to the entry that begins so, spaces and all.
TEST_F(ListSearchTest, ASpaceWithinTheWordsBelongsToThem) {
    QTest::keyClicks(&list, QStringLiteral("TPU v5p"));
    EXPECT_EQ(list.currentText(), QStringLiteral("TPU v5p"));
    EXPECT_FALSE(list.view()->isVisible());
}

TEST_F(ListSearchTest, ASpaceByItselfOpensTheList) {
    QTest::keyClick(&list, Qt::Key_Space);
    EXPECT_TRUE(list.view()->isVisible());
}

/// Letters typed into another list a moment ago are not words of this one.
TEST_F(ListSearchTest, EachListHasWordsOfItsOwn) {
    QComboBox other;
    other.addItems({QStringLiteral("MeshSlice"), QStringLiteral("Wang")});
    other.show();
    QTest::keyClicks(&other, QStringLiteral("W"));
    QTest::keyClick(&list, Qt::Key_Space);
    EXPECT_TRUE(list.view()->isVisible());
}

TEST_F(ListSearchTest, AnOpenListIsSearchedTheSameWay) {
    list.showPopup();
    QTest::keyClicks(list.view(), QStringLiteral("TPU v5p"));
    EXPECT_EQ(list.view()->currentIndex().data().toString(), QStringLiteral("TPU v5p"));
    EXPECT_TRUE(list.view()->isVisible()) << "nothing is chosen yet";
    QTest::keyClick(list.view(), Qt::Key_Return);
    EXPECT_EQ(list.currentText(), QStringLiteral("TPU v5p"));
}

/// In the window the hardware is chosen by its name.
TEST(ListsOfTheWindow, TheHardwareIsTyped) {
    const int usual = QApplication::keyboardInputInterval();
    QApplication::setKeyboardInputInterval(patience_ms);
    MainWindow window(Memory::forget);
    window.document()->restore(project_of(smallScenario()), {});
    window.resize(1280, 800);
    window.show();
    QComboBox* hardware = nullptr;
    for (QComboBox* list : window.findChildren<QComboBox*>()) {
        hardware = list->findText(QStringLiteral("TPU v5p")) >= 0 && list->isVisible() ? list : hardware;
    }
    ASSERT_NE(hardware, nullptr);
    QTest::keyClicks(hardware, QStringLiteral("TPU v5p"));
    EXPECT_EQ(window.document()->scenario().hardware.title, "TPU v5p");
    EXPECT_FALSE(hardware->view()->isVisible());
    QApplication::setKeyboardInputInterval(usual);
}

} // namespace
} // namespace meshslice::ui
