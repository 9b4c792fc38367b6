#include "tests/ui/support/patience.h"
#include "tests/ui/support/small_scenario.h"
#include "ui/commands/export_commands.h"
#include "ui/document/document.h"
#include "ui/products/products_view.h"
#include "ui/session/session.h"
#include "ui/settings/appearance.h"
#include "ui/shell/main_window.h"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// For paper and slides, whatever the window looks like.
TEST(ExportTheme, IsLightInADarkWindow) {
    MainWindow window(Memory::forget);
    window.document()->restore(project_of(smallScenario()), {});
    window.appearance()->setTheme(ThemeChoice::dark);
    window.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.session()->current() != nullptr; }, patience_ms));
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("gemms.png"));
    window.exports()->exportTo(window.findChild<ProductsView*>(), path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.exports()->isBusy(); }, patience_ms));
    window.appearance()->setTheme(ThemeChoice::system);
    EXPECT_EQ(QImage(path).pixelColor(2, 2), color(Role::background, Theme::light));
}

} // namespace
} // namespace meshslice::ui
