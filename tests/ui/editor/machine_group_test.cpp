#include "ui/document/document.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/number_field.h"
#include "ui/editor/scenario_panel.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTest>
#include <QUndoStack>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

class HardwareChoiceTest : public ::testing::Test {
  protected:
    void choose(const char* name) {
        QComboBox* list = nullptr;
        for (QComboBox* one : panel.machine()->findChildren<QComboBox*>()) {
            list = one->accessibleName() == QLatin1String("Hardware") ? one : list;
        }
        ASSERT_NE(list, nullptr);
        const int index = list->findData(QLatin1String(name));
        ASSERT_GE(index, 0);
        list->setCurrentIndex(index);
        emit list->activated(index);
    }

    Document document;
    ScenarioPanel panel{&document};
};

TEST_F(HardwareChoiceTest, TakesTheNearestMeshAlongAndSaysSo) {
    choose("tpu-v5e");
    EXPECT_EQ(document.scenario().hardware.name, "tpu-v5e");
    EXPECT_EQ(document.scenario().mesh, (Mesh{16, 16}));
    const QString said = panel.machine()->sentence();
    EXPECT_TRUE(said.contains(QStringLiteral("32 × 8"))) << said.toStdString();
    EXPECT_TRUE(said.contains(QStringLiteral("16 × 16"))) << said.toStdString();
    EXPECT_EQ(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_TRUE(panel.machine()->sentence().isEmpty());
}

TEST_F(HardwareChoiceTest, KeepsAMeshThatExistsThere) {
    choose("tpu-v5p");
    EXPECT_EQ(document.scenario().mesh, default_scenario().mesh);
    EXPECT_TRUE(panel.machine()->sentence().isEmpty()) << panel.machine()->sentence().toStdString();
}

TEST_F(HardwareChoiceTest, OneChipIsNotSomeChips) {
    Scenario scenario = default_scenario();
    scenario.mesh = {1, 1};
    document.restore(project_of(scenario), {});
    QStringList texts;
    for (const QAbstractButton* button : panel.machine()->findChildren<QAbstractButton*>()) {
        texts << button->text();
    }
    EXPECT_TRUE(texts.contains(QStringLiteral("1 × 1 = one chip; other shapes…")))
        << texts.join(u'|').toStdString();
}

/// A whole mesh typed into one of its fields fills them all, in one step that undo takes back.
TEST_F(HardwareChoiceTest, AWholeMeshFillsAllItsFields) {
    panel.show();
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    std::vector<NumberField*> fields;
    for (NumberField* one : panel.machine()->findChildren<NumberField*>()) {
        if (one->accessibleName().startsWith(QStringLiteral("Mesh "))) {
            fields.push_back(one);
        }
    }
    ASSERT_EQ(fields.size(), 3u);
    auto* line = fields[1]->findChild<QLineEdit*>();
    fields[1]->setFocus();
    ASSERT_TRUE(fields[1]->hasFocus());
    for (const bool pasted : {false, true}) {
        line->selectAll();
        if (pasted) {
            QGuiApplication::clipboard()->setText(QStringLiteral("16 \u00d7 16"));
            line->paste();
        } else {
            QTest::keyClicks(line, QStringLiteral("16x16"));
        }
        EXPECT_EQ(document.scenario().mesh, (Mesh{16, 16})) << pasted;
        EXPECT_TRUE(panel.machine()->sentence().isEmpty()) << panel.machine()->sentence().toStdString();
        QTest::keyClick(line, Qt::Key_Return);
        EXPECT_EQ(fields[0]->text(), QStringLiteral("16")) << pasted;
        EXPECT_EQ(fields[1]->text(), QStringLiteral("16")) << pasted;
        document.undoStack()->undo();
        EXPECT_EQ(document.scenario(), default_scenario()) << pasted;
    }
}

} // namespace
} // namespace meshslice::ui
