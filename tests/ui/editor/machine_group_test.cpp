#include "ui/document/document.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/number_field.h"
#include "ui/editor/scenario_panel.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTest>
#include <QUndoStack>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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

/// Numbers that are typed as multiples of what a field has.
class MultiplesTest : public ::testing::Test {
  protected:
    MultiplesTest() {
        panel.resize(280, 800);
        panel.show();
        QApplication::setActiveWindow(&panel);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&panel));
    }
    NumberField* field(const char* name) {
        for (NumberField* widget : panel.findChildren<NumberField*>()) {
            if (widget->accessibleName() == QLatin1String(name)) {
                return widget;
            }
        }
        ADD_FAILURE() << "there is no field " << name;
        return nullptr;
    }
    void type(NumberField* whole, const char* text) {
        whole->setFocus();
        whole->selectAll();
        QTest::keyClicks(whole, QLatin1String(text));
    }

    Document document;
    ScenarioPanel panel{&document};
};

/// "x2", "*2", "2x" and "/2" are of what the field had before the typing, and one step of undo.
TEST_F(MultiplesTest, MultiplesOfWhatAFieldHas) {
    NumberField* batch = field("Batch");
    const std::int64_t before = document.scenario().batch;
    ASSERT_EQ(before, 128);
    const std::vector<std::pair<const char*, std::int64_t>> typed = {
        {"x2", 256}, {"*2", 256}, {"2x", 256}, {"x 24", 3072}, {"/2", 64}, {"x 1/4", 32}, {"x 0.5", 64}};
    for (const auto& [text, expected] : typed) {
        type(batch, text);
        EXPECT_EQ(document.scenario().batch, expected) << text;
        EXPECT_EQ(batch->text().toStdString(), text) << "it stays while it is typed";
        QTest::keyClick(batch, Qt::Key_Return);
        EXPECT_EQ(batch->text().toStdString(), std::to_string(expected)) << "typed on, it is a number";
        EXPECT_EQ(document.undoStack()->count(), 1) << text;
        document.undoStack()->undo();
        EXPECT_EQ(document.scenario().batch, before) << text;
        document.undoStack()->clear();
    }
    type(batch, "/3");
    EXPECT_EQ(document.scenario().batch, before) << "no third of 128";
    EXPECT_TRUE(panel.sentence().contains(QStringLiteral("42.66"))) << panel.sentence().toStdString();
    type(batch, "x 1e9");
    EXPECT_EQ(document.scenario().batch, before);
    EXPECT_TRUE(panel.sentence().contains(QStringLiteral("expected"))) << panel.sentence().toStdString();
    type(field("Mesh rows"), "16x");
    EXPECT_NE(document.scenario().mesh[0], 16 * 32) << "16x16 sets rows and columns";
}

} // namespace
} // namespace meshslice::ui
