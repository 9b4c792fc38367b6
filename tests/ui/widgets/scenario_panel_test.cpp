#include "ui/document/document.h"
#include "ui/widgets/machine_group.h"
#include "ui/widgets/scenario_panel.h"
#include "ui/widgets/whole_field.h"
#include "ui/widgets/workload_group.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

/// The panel in a window of its own, with a second widget to move the focus to.
class ScenarioPanelTest : public ::testing::Test {
  protected:
    ScenarioPanelTest() {
        panel.resize(280, 800);
        panel.show();
        QApplication::setActiveWindow(&panel);
        EXPECT_TRUE(QTest::qWaitForWindowActive(&panel));
    }

    template <class Widget = WholeField>
    Widget* field(const char* name) {
        for (Widget* widget : panel.findChildren<Widget*>()) {
            if (widget->accessibleName() == QLatin1String(name)) {
                return widget;
            }
        }
        ADD_FAILURE() << "there is no field " << name;
        return nullptr;
    }

    void type(WholeField* whole, const char* text) {
        whole->setFocus();
        whole->selectAll();
        QTest::keyClicks(whole, QLatin1String(text));
    }

    void choose(QComboBox* choice, int index) {
        choice->setCurrentIndex(index);
        emit choice->activated(index);
    }

    Document document;
    ScenarioPanel panel{&document};
};

TEST_F(ScenarioPanelTest, TypingChangesTheScenarioInOneUndoStep) {
    WholeField* batch = field("Batch");
    type(batch, "256");
    EXPECT_EQ(document.scenario().batch, 256);
    EXPECT_EQ(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_EQ(batch->text().toStdString(), "128");
}

TEST_F(ScenarioPanelTest, TabLeavesTheFieldAndEndsTheUndoStep) {
    WholeField* batch = field("Batch");
    type(batch, "256");
    QTest::keyClick(batch, Qt::Key_Tab);
    EXPECT_FALSE(batch->hasFocus());
    EXPECT_TRUE(field("Sequence")->hasFocus());
    type(batch, "512");
    EXPECT_EQ(document.undoStack()->count(), 2);
}

TEST_F(ScenarioPanelTest, BadTextIsExplainedAndChangesNothing) {
    WholeField* batch = field("Batch");
    type(batch, "many");
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_TRUE(panel.workload()->sentence().contains(QStringLiteral("many")));
    QTest::keyClick(batch, Qt::Key_Tab);
    EXPECT_EQ(batch->text().toStdString(), "128") << "leaving the field shows what counts";
    type(batch, "64");
    EXPECT_TRUE(panel.workload()->sentence().isEmpty()) << "a good edit takes the sentence back";
}

TEST_F(ScenarioPanelTest, WhatTheEngineRefusesIsExplainedAndChangesNothing) {
    for (const char* text : {"0", "99999999999", "9223372036854775807", "99999999999999999999999"}) {
        WholeField* rows = field("Mesh rows");
        type(rows, text);
        EXPECT_FALSE(panel.machine()->sentence().isEmpty()) << text;
        QTest::keyClick(rows, Qt::Key_Tab);
        EXPECT_EQ(rows->text().toStdString(), std::to_string(document.scenario().mesh[0])) << text;
    }
    EXPECT_LE(document.scenario().mesh[0], 65536);
}

TEST_F(ScenarioPanelTest, ArrowsDoubleAndHalve) {
    WholeField* batch = field("Batch");
    batch->setFocus();
    QTest::keyClick(batch, Qt::Key_Up);
    EXPECT_EQ(document.scenario().batch, 256);
    QTest::keyClick(batch, Qt::Key_Down);
    QTest::keyClick(batch, Qt::Key_Down);
    EXPECT_EQ(document.scenario().batch, 64);
}

TEST_F(ScenarioPanelTest, ListsChooseAlgorithmHardwareAndModel) {
    auto* compare = field<QComboBox>("Compare with");
    choose(compare, 0);
    EXPECT_TRUE(document.scenario().compare.empty());
    auto* model = field<QComboBox>("Model");
    for (int i = 0; i < model->count(); ++i) {
        choose(model, i);
        EXPECT_EQ(document.scenario().model, model_presets()[static_cast<std::size_t>(i)]);
        EXPECT_EQ(model->currentIndex(), i);
    }
    auto* hardware = field<QComboBox>("Hardware");
    for (int i = 0; i < hardware->count(); ++i) {
        choose(hardware, i);
        EXPECT_EQ(hardware->currentText().toStdString(), document.scenario().hardware.title);
    }
}

TEST_F(ScenarioPanelTest, OneProductReplacesTheModelsFields) {
    EXPECT_TRUE(field("Batch")->isVisible());
    EXPECT_FALSE(field("M")->isVisible());
    choose(field<QComboBox>("Task"), 1);
    ASSERT_TRUE(document.scenario().gemm.has_value());
    EXPECT_FALSE(field("Batch")->isVisible());
    ASSERT_TRUE(field("M")->isVisible());
    type(field("M"), "4096");
    EXPECT_EQ(document.scenario().gemm->shape.m, 4096);
    choose(field<QComboBox>("Dataflow"), 1);
    EXPECT_EQ(document.scenario().gemm->dataflow, Dataflow::LS);
    while (document.undoStack()->canUndo()) {
        document.undoStack()->undo();
    }
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_TRUE(field("Batch")->isVisible());
}

TEST_F(ScenarioPanelTest, EveryFieldHasANameAMeaningAndALabel) {
    int fields = 0;
    for (QWidget* widget : panel.findChildren<QWidget*>()) {
        if (qobject_cast<WholeField*>(widget) == nullptr && qobject_cast<QComboBox*>(widget) == nullptr) {
            continue;
        }
        ++fields;
        EXPECT_FALSE(widget->accessibleName().isEmpty());
        EXPECT_FALSE(widget->accessibleDescription().isEmpty()) << widget->accessibleName().toStdString();
        EXPECT_FALSE(widget->toolTip().isEmpty()) << widget->accessibleName().toStdString();
    }
    EXPECT_GE(fields, 16);
}

TEST_F(ScenarioPanelTest, AModelFileIsTakenOrRefusedInPlace) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("config.json"));
    const auto write = [&](const QByteArray& bytes) {
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    };
    write("not a model");
    panel.workload()->importModel(path);
    EXPECT_FALSE(panel.workload()->sentence().isEmpty());
    EXPECT_EQ(document.scenario(), default_scenario());

    Transformer mine = default_scenario().model;
    mine.name = "mine";
    mine.title = "Mine";
    mine.layers = 3;
    write(QByteArray::fromStdString(write_transformer(mine)));
    panel.workload()->importModel(path);
    EXPECT_TRUE(panel.workload()->sentence().isEmpty()) << panel.workload()->sentence().toStdString();
    EXPECT_EQ(document.scenario().model.layers, 3);
    EXPECT_EQ(field<QComboBox>("Model")->currentText().toStdString(), "Mine");
}

} // namespace
} // namespace meshslice::ui
