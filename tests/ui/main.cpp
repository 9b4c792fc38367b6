#include "ui/settings/language.h"

#include <QApplication>
#include <QPushButton>
#include <QTest>
#include <gtest/gtest.h>

namespace {

/// Qt remembers the modifiers of the last event of the mouse, also where a test made it, and selects by them:
/// what one test held down, the next would begin with.
class NoKeyIsHeld : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo&) override {
        QPushButton nothing;
        QTest::mouseClick(&nothing, Qt::LeftButton);
    }
};

} // namespace

int main(int argc, char** argv) {
    // Without a display, unless somebody wants to watch.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    ::testing::InitGoogleTest(&argc, argv);
    const QApplication application(argc, argv);
    testing::UnitTest::GetInstance()->listeners().Append(new NoKeyIsHeld); // which owns it
    // English, whatever the desktop's language is, unless a test asks for another one.
    meshslice::ui::speak(qEnvironmentVariable("MESHSLICE_TEST_LANGUAGE", QStringLiteral("en")));
    return RUN_ALL_TESTS();
}
