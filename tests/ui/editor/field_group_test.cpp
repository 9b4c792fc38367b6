#include "ui/editor/field_group.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QTest>
#include <gtest/gtest.h>

#include <memory>

namespace meshslice::ui {
namespace {

/// Typing into a closed list goes to the entry that begins so, spaces and all; a space by itself opens it.
TEST(ChoiceOfAField, IsSearchedByWordsWithSpaces) {
    const std::unique_ptr<QComboBox> list(makeChoice(nullptr));
    list->addItems({QStringLiteral("H100"), QStringLiteral("TPU v4"), QStringLiteral("TPU v5e"),
                    QStringLiteral("TPU v5p")});
    list->show();
    QTest::keyClicks(list.get(), QStringLiteral("TPU v5p"));
    EXPECT_EQ(list->currentText(), QStringLiteral("TPU v5p"));
    EXPECT_FALSE(list->view()->isVisible());
    const std::unique_ptr<QComboBox> other(makeChoice(nullptr));
    other->addItems({QStringLiteral("H100"), QStringLiteral("TPU v4")});
    other->show();
    QTest::keyClick(other.get(), Qt::Key_Space);
    EXPECT_TRUE(other->view()->isVisible());
}

} // namespace
} // namespace meshslice::ui
