#include "ui/session/session.h"
#include "ui/settings/help_text.h"
#include "ui/shell/main_window.h"
#include "ui/shell/views.h"
#include "ui/view/view.h"

#include <QAction>
#include <QKeySequence>
#include <QMenuBar>
#include <QTabWidget>
#include <gtest/gtest.h>

#include <optional>
#include <set>

namespace meshslice::ui {
namespace {

TEST(ViewRegister, NamesEveryViewOnce) {
    std::set<std::string> ids;
    QStringList keys;
    for (const ViewEntry& entry : viewRegister()) {
        EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
        EXPECT_FALSE(entry.title.isEmpty()) << entry.id;
        if (!entry.key.isEmpty()) {
            EXPECT_FALSE(keys.contains(entry.key.toString())) << entry.id;
            keys << entry.key.toString();
        }
    }
}

/// The views of a group follow each other: the menu separates groups.
TEST(ViewRegister, KeepsGroupsTogether) {
    std::set<ViewGroup> seen;
    std::optional<ViewGroup> last;
    for (const ViewEntry& entry : viewRegister()) {
        EXPECT_TRUE(entry.group == last || seen.insert(entry.group).second) << entry.id;
        last = entry.group;
    }
}

/// Tabs, menu, keys and help are those of the register, in its order.
TEST(ViewRegister, IsWhatTheWindowShows) {
    MainWindow window(Memory::forget);
    const std::vector<ViewEntry> entries = viewRegister();
    ASSERT_EQ(window.views().size(), entries.size());
    const QTabWidget* tabs = nullptr; // those on the right are for wide windows
    for (const QTabWidget* one : window.findChildren<QTabWidget*>()) {
        tabs = one->count() == static_cast<int>(entries.size()) ? one : tabs;
    }
    ASSERT_NE(tabs, nullptr);
    const QString help = keysText(*window.menuBar(), window.views());
    for (std::size_t k = 0; k < entries.size(); ++k) {
        EXPECT_EQ(window.views()[k]->id(), QLatin1String(entries[k].id));
        EXPECT_EQ(window.views()[k]->title(), entries[k].title);
        EXPECT_EQ(tabs->tabText(static_cast<int>(k)), entries[k].title);
        int actions = 0;
        for (QAction* action : window.findChildren<QAction*>()) {
            if (action->text() == entries[k].title) {
                ++actions;
                EXPECT_EQ(action->shortcut(), entries[k].key);
                action->trigger();
                EXPECT_EQ(tabs->currentIndex(), static_cast<int>(k));
            }
        }
        EXPECT_EQ(actions, 1) << entries[k].id;
        for (const KeyHelp& key : window.views()[k]->keys()) {
            EXPECT_TRUE(help.contains(key.act.toHtmlEscaped())) << key.act.toStdString();
        }
    }
}

} // namespace
} // namespace meshslice::ui
