#include "core/machine/catalogue.h"
#include "core/scenario/choices.h"
#include "core/scenario/fields.h"
#include "ui/document/document.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/method_group.h"
#include "ui/editor/number_field.h"
#include "ui/editor/scenario_panel.h"
#include "ui/editor/workload_group.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <set>
#include <vector>

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

    template <class Widget = NumberField>
    Widget* field(const char* name) {
        for (Widget* widget : panel.findChildren<Widget*>()) {
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

    /// Waits for what the engine finds out in another thread.
    template <class Condition>
    static bool soon(Condition condition) {
        return QTest::qWaitFor(condition, 30'000);
    }

    void choose(QComboBox* choice, int index) {
        choice->setCurrentIndex(index);
        emit choice->activated(index);
    }

    Document document;
    ScenarioPanel panel{&document};
};

TEST_F(ScenarioPanelTest, TypingChangesTheScenarioInOneUndoStep) {
    NumberField* batch = field("Batch");
    type(batch, "256");
    EXPECT_EQ(document.scenario().batch, 256);
    EXPECT_EQ(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_EQ(batch->text().toStdString(), "128");
}

TEST_F(ScenarioPanelTest, TabLeavesTheFieldAndEndsTheUndoStep) {
    NumberField* batch = field("Batch");
    type(batch, "256");
    QTest::keyClick(batch, Qt::Key_Tab);
    EXPECT_FALSE(batch->hasFocus());
    EXPECT_TRUE(field("Sequence")->hasFocus());
    type(batch, "512");
    EXPECT_EQ(document.undoStack()->count(), 2);
}

TEST_F(ScenarioPanelTest, BadTextIsExplainedAndChangesNothing) {
    NumberField* batch = field("Batch");
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
        NumberField* rows = field("Mesh rows");
        type(rows, text);
        EXPECT_FALSE(panel.machine()->sentence().isEmpty()) << text;
        QTest::keyClick(rows, Qt::Key_Tab);
        EXPECT_EQ(rows->text().toStdString(), std::to_string(document.scenario().mesh[0])) << text;
    }
    EXPECT_LE(document.scenario().mesh[0], 65536);
}

TEST_F(ScenarioPanelTest, ArrowsDoubleAndHalve) {
    NumberField* batch = field("Batch");
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
    Scenario one = document.scenario();
    ASSERT_TRUE(scenario_field("task").set(one, std::string("gemm")));
    ASSERT_TRUE(document.edit(one, "task"));
    document.endEdit();
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
        if (qobject_cast<NumberField*>(widget) == nullptr && qobject_cast<QComboBox*>(widget) == nullptr) {
            continue;
        }
        ++fields;
        EXPECT_FALSE(widget->accessibleName().isEmpty());
        EXPECT_FALSE(widget->accessibleDescription().isEmpty()) << widget->accessibleName().toStdString();
        EXPECT_FALSE(widget->toolTip().isEmpty()) << widget->accessibleName().toStdString();
    }
    EXPECT_GE(fields, 16);
}

TEST_F(ScenarioPanelTest, TheWheelScrollsAndNeverEdits) {
    for (QWidget* widget : panel.findChildren<QWidget*>()) {
        if (qobject_cast<NumberField*>(widget) == nullptr && qobject_cast<QComboBox*>(widget) == nullptr) {
            continue;
        }
        widget->setFocus();
        const QPointF middle = widget->rect().center();
        QWheelEvent turn(middle, widget->mapToGlobal(middle), {0, 0}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                         Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &turn);
        EXPECT_EQ(document.scenario(), default_scenario()) << widget->accessibleName().toStdString();
    }
}

TEST_F(ScenarioPanelTest, AlgorithmsThatDoNotRunAreGreyAndSayWhy) {
    auto* algorithm = field<QComboBox>("Algorithm");
    const int cannon = algorithm->findText(QStringLiteral("Cannon")); // 32x8 is not square
    ASSERT_GE(cannon, 0);
    const auto enabled = [&](int index) {
        return algorithm->model()->flags(algorithm->model()->index(index, 0)).testFlag(Qt::ItemIsEnabled);
    };
    EXPECT_TRUE(soon([&] { return !enabled(cannon); }));
    EXPECT_TRUE(
        algorithm->itemData(cannon, Qt::ToolTipRole).toString().contains(QStringLiteral("not run here")));
    EXPECT_TRUE(enabled(algorithm->currentIndex()));
    choose(algorithm, cannon);
    EXPECT_EQ(document.scenario().plan.algorithm, "meshslice");
    EXPECT_EQ(algorithm->currentText().toStdString(), "MeshSlice");

    algorithm->setFocus();
    for (int i = 0; i < algorithm->count(); ++i) {
        QTest::keyClick(algorithm, Qt::Key_Up);
        EXPECT_TRUE(enabled(algorithm->currentIndex()));
    }
    QTest::keyClicks(algorithm, QStringLiteral("can"));
    EXPECT_NE(document.scenario().plan.algorithm, "cannon");

    Scenario square = default_scenario();
    square.mesh = {8, 8};
    ASSERT_TRUE(document.edit(square, "mesh"));
    ASSERT_TRUE(soon([&] { return enabled(cannon); }));
    choose(algorithm, cannon);
    square.plan.algorithm = "cannon";
    square.mesh = {8, 4};
    ASSERT_TRUE(document.edit(square, "mesh"));
    EXPECT_EQ(algorithm->currentText().toStdString(), "Cannon") << "what is chosen stays";
    EXPECT_TRUE(soon([&] { return algorithm->toolTip().contains(QStringLiteral("not run here")); }));
}

/// While the engine is at work the lists can be opened and edits go on; what it finds out is filled in later.
TEST_F(ScenarioPanelTest, TheEngineLooksForObjectionsInAnotherThread) {
    std::promise<void> gate;
    std::shared_future<void> open = gate.get_future().share();
    std::atomic<int> asked = 0;
    panel.method()->setFind([&, open](const Scenario& scenario) {
        ++asked;
        open.wait();
        return methodFindings(scenario);
    });
    auto* algorithm = field<QComboBox>("Algorithm");
    const int wang = algorithm->findText(QStringLiteral("Wang"));
    const auto enabled = [&] {
        return algorithm->model()->flags(algorithm->model()->index(wang, 0)).testFlag(Qt::ItemIsEnabled);
    };
    Scenario odd = default_scenario();
    odd.mesh = {7, 13};
    ASSERT_TRUE(document.edit(odd, "mesh")); // returns although nothing is found out yet
    ASSERT_TRUE(soon([&] { return asked == 1; }));
    EXPECT_TRUE(enabled());
    type(field("Batch"), "64");
    EXPECT_EQ(document.scenario().batch, 64);
    EXPECT_GT(algorithm->count(), 5);
    gate.set_value();
    EXPECT_TRUE(soon([&] { return !enabled(); }));
}

TEST_F(ScenarioPanelTest, TheEngineLooksForMeshesInAnotherThread) {
    std::promise<void> gate;
    std::shared_future<void> open = gate.get_future().share();
    panel.machine()->setFindMeshes([open](const Scenario& scenario) {
        open.wait();
        return offeredMeshes(scenario);
    });
    Scenario bad = default_scenario();
    bad.mesh = {7, 13};
    ASSERT_TRUE(document.edit(bad, "mesh"));
    QMenu* meshes = nullptr;
    for (QMenu* menu : panel.machine()->findChildren<QMenu*>()) {
        emit menu->aboutToShow();
        meshes = menu->actions().size() == 4 ? menu : meshes; // 91 = 91 x 1 = 13 x 7 = 7 x 13 = 1 x 91
    }
    ASSERT_NE(meshes, nullptr);
    EXPECT_TRUE(meshes->actions().front()->isEnabled());
    gate.set_value();
    EXPECT_TRUE(soon([&] { return meshes->actions().size() > 4; })) << "meshes of other counts";
    EXPECT_FALSE(meshes->actions().front()->isEnabled());
    EXPECT_TRUE(meshes->actions().front()->toolTip().contains(QStringLiteral("divide")));
}

/// Of "12q" not even the 12 counts, and what is refused takes back what was typed before it.
TEST_F(ScenarioPanelTest, NoPartOfARefusedTextCounts) {
    NumberField* batch = field("Batch");
    type(batch, "12");
    EXPECT_EQ(document.scenario().batch, 12);
    QTest::keyClicks(batch, QStringLiteral("q"));
    EXPECT_EQ(document.scenario(), default_scenario());
    EXPECT_EQ(batch->text().toStdString(), "12q") << "the text stays to be mended";
    EXPECT_TRUE(panel.sentence().contains(QStringLiteral("12q"))) << panel.sentence().toStdString();
    EXPECT_EQ(document.undoStack()->count(), 0);
    QTest::keyClick(batch, Qt::Key_Backspace);
    EXPECT_EQ(document.scenario().batch, 12);
    EXPECT_TRUE(panel.sentence().isEmpty());
    type(batch, "99999999999");
    EXPECT_EQ(document.scenario(), default_scenario());
    QTest::keyClick(batch, Qt::Key_Tab);
    EXPECT_EQ(batch->text().toStdString(), "128");
}

TEST_F(ScenarioPanelTest, ExpressionsAndUnitsCount) {
    NumberField* batch = field("Batch");
    type(batch, "2*64Ki");
    EXPECT_EQ(document.scenario().batch, 131'072);
    EXPECT_EQ(batch->text().toStdString(), "2*64Ki");
    QTest::keyClick(batch, Qt::Key_Tab);
    EXPECT_EQ(batch->text().toStdString(), "131072");
    NumberField* jitter = field("Jitter");
    type(jitter, "1.5us");
    EXPECT_EQ(document.scenario().assume.faults.jitter, Time(1'500'000));
    QTest::keyClick(jitter, Qt::Key_Tab);
    EXPECT_EQ(jitter->text().toStdString(), "1500");
}

/// Half a nanosecond from a file is not shown as none.
TEST_F(ScenarioPanelTest, JitterShowsPartsOfANanosecond) {
    Scenario late = default_scenario();
    late.assume.faults.jitter = Time(500);
    document.restore(project_of(late), {});
    EXPECT_EQ(field("Jitter")->text().toStdString(), "0.5");
    type(field("Seed"), "7");
    EXPECT_EQ(document.scenario().assume.faults.jitter, Time(500));
}

TEST_F(ScenarioPanelTest, HardwareOfOneAxisKeepsItsLineOfChips) {
    Scenario line = default_scenario();
    line.hardware.network = torus_network(1, line.hardware.network.torus_links(0));
    line.plan.algorithm = "fsdp";
    line.compare.clear();
    line.mesh = {8};
    document.restore(project_of(line), {});
    EXPECT_FALSE(field("Mesh columns")->isVisible());
    type(field("Mesh rows"), "16");
    EXPECT_EQ(document.scenario().mesh, (std::vector<std::int32_t>{16})) << panel.sentence().toStdString();
}

TEST_F(ScenarioPanelTest, AThirdAxisThatIsOpenIsShownAndKept) {
    Scenario deep = default_scenario();
    deep.hardware = *machine_preset("tpu-v4");
    deep.mesh = {4, 4, 4};
    EXPECT_FALSE(field<QCheckBox>("Third axis")->isVisible());
    deep.wraps = {true, true, false};
    document.restore(project_of(deep), {});
    auto* third = field<QCheckBox>("Third axis");
    EXPECT_TRUE(third->isVisible());
    EXPECT_FALSE(third->isChecked());
    choose(field<QComboBox>("Wrap-around"), 1);
    EXPECT_EQ(document.scenario().wraps, (std::array<bool, 3>{true, false, false}));
    third->click();
    EXPECT_EQ(document.scenario().wraps, (std::array<bool, 3>{true, false, true}));
}

/// The form has every row of the table that is meant for it, and no other.
TEST_F(ScenarioPanelTest, TheFormIsTheTable) {
    for (const Field<Scenario>& row : scenario_fields()) {
        // The mesh has three fields of its own, and the task is chosen above all of them.
        if (row.label.empty() || row.key == "mesh" || row.key == "task") {
            continue;
        }
        const QString name = QString::fromStdString(row.label).remove(QLatin1Char('&'));
        bool found = false;
        for (const QWidget* widget : panel.findChildren<QWidget*>()) {
            found = found || widget->accessibleName() == name;
        }
        EXPECT_TRUE(found) << row.label;
    }
}

TEST_F(ScenarioPanelTest, FieldsOfSomeAlgorithmsShowOnlyWithThem) {
    auto* packets = field<QComboBox>("Packets");
    auto* overlaps = field<QComboBox>("Overlaps");
    EXPECT_FALSE(packets->isVisible());
    EXPECT_FALSE(overlaps->isVisible());
    Scenario next = default_scenario();
    next.compare = "summa";
    ASSERT_TRUE(document.edit(next, "compare"));
    EXPECT_TRUE(packets->isVisible());
    choose(packets, packets->findText(QStringLiteral("8")));
    EXPECT_EQ(document.scenario().plan.packets, 8);
    choose(packets, 0);
    EXPECT_FALSE(document.scenario().plan.packets.has_value());
    next.plan.algorithm = "wang";
    ASSERT_TRUE(document.edit(next, "algorithm"));
    EXPECT_TRUE(overlaps->isVisible());
    choose(overlaps, 2);
    EXPECT_EQ(document.scenario().plan.decomposed, Axis::horizontal);
}

/// How memory is shared matters where a GEMM feeds a ring of GPUs, who adds up where none does.
TEST_F(ScenarioPanelTest, ArbitrationIsOfRingsOfGpusAndSaysWhereItHasNoEffect) {
    auto* arbitration = field<QComboBox>("Arbitration");
    auto* adds = field<QComboBox>("Adds up");
    EXPECT_FALSE(arbitration->isVisible());
    EXPECT_FALSE(adds->isVisible());
    Scenario next = default_scenario();
    next.hardware = *machine_preset("t3-paper");
    next.mesh = {8};
    next.gemm = SingleGemm{{8192, 4256, 17024}, Dataflow::LS};
    next.plan.algorithm = "t3";
    next.compare.clear();
    ASSERT_TRUE(document.edit(next, "algorithm"));
    EXPECT_TRUE(arbitration->isVisible());
    EXPECT_TRUE(arbitration->isEnabled());
    EXPECT_TRUE(adds->isVisible());
    EXPECT_FALSE(adds->isEnabled());
    EXPECT_TRUE(adds->toolTip().contains(QStringLiteral("The GEMM of T3 feeds its reduce-scatter")));
    choose(arbitration, arbitration->findText(QStringLiteral("round robin (T3)")));
    EXPECT_EQ(document.scenario().assume.schedule.arbitration, MemoryPolicy::round_robin);
    next = document.scenario();
    next.plan.algorithm = "tp-ar";
    ASSERT_TRUE(document.edit(next, "algorithm"));
    EXPECT_FALSE(arbitration->isEnabled());
    EXPECT_TRUE(arbitration->toolTip().contains(
        QStringLiteral("No effect: Nothing of TP + all-reduce overlaps its GEMM")));
    EXPECT_TRUE(adds->isEnabled());
    choose(adds, adds->findText(QStringLiteral("memory, near its banks")));
    EXPECT_EQ(document.scenario().assume.schedule.reduction, Reduction::near_memory);
    next = document.scenario();
    next.compare = "t3"; // next to it one that it matters to
    ASSERT_TRUE(document.edit(next, "compare"));
    EXPECT_TRUE(arbitration->isEnabled());
}

TEST_F(ScenarioPanelTest, LayersMakeAThirdAxis) {
    Scenario deep = default_scenario();
    deep.hardware = *machine_preset("tpu-v4");
    ASSERT_TRUE(document.edit(deep, "hardware"));
    type(field("Mesh layers"), "4");
    EXPECT_EQ(document.scenario().mesh, (std::vector<std::int32_t>{32, 8, 4}));
    type(field("Mesh layers"), "1");
    EXPECT_EQ(document.scenario().mesh, (std::vector<std::int32_t>{32, 8}));
    deep.hardware = *machine_preset("tpu-v4-paper");
    ASSERT_TRUE(document.edit(deep, "hardware"));
    type(field("Mesh layers"), "4");
    EXPECT_TRUE(panel.sentence().contains(QStringLiteral("axes"))) << panel.sentence().toStdString();
    EXPECT_EQ(document.scenario().mesh.size(), 2u);
}

TEST_F(ScenarioPanelTest, TheMenuOffersMeshesOfOtherCountsWhereNoneOfThisRuns) {
    Scenario bad = default_scenario();
    bad.mesh = {7, 13};
    ASSERT_TRUE(document.edit(bad, "mesh"));
    for (QMenu* menu : panel.machine()->findChildren<QMenu*>()) {
        emit menu->aboutToShow();
        const auto offered = [menu] {
            return std::ranges::any_of(menu->actions(), [](const QAction* action) {
                return action->text().contains(QStringLiteral("chips"));
            });
        };
        if (menu->actions().size() < 4 || !soon(offered)) {
            continue;
        }
        for (QAction* action : menu->actions()) {
            if (action->isEnabled() && action->text().contains(QStringLiteral("chips"))) {
                action->trigger();
                EXPECT_TRUE(objection(document.scenario(), "meshslice").empty());
                return;
            }
        }
    }
    ADD_FAILURE() << "no mesh that works is offered";
}

/// The sentence stands right below the field it is about, which stays where it is.
TEST_F(ScenarioPanelTest, ASentenceStandsBelowItsField) {
    panel.resize(320, 1000); // nothing has to be scrolled
    QApplication::processEvents();
    const std::vector<const char*> names = {"Mesh rows", "Mesh columns", "Batch"};
    std::vector<int> tops; // while there is no sentence
    for (const char* name : names) {
        tops.push_back(field(name)->mapTo(&panel, QPoint()).y());
    }
    for (std::size_t k = 0; k < names.size(); ++k) {
        NumberField* typed = field(names[k]);
        type(typed, "99999999999");
        EXPECT_FALSE(panel.sentence().isEmpty());
        const auto* group = dynamic_cast<FieldGroup*>(typed->parentWidget()->parentWidget());
        ASSERT_NE(group, nullptr);
        const QLabel* sentence = group->sentenceLabel();
        EXPECT_TRUE(sentence->isVisible());
        EXPECT_TRUE(soon([&] {
            const int top = typed->mapTo(&panel, QPoint()).y();
            const int gap = sentence->mapTo(&panel, QPoint()).y() - (top + typed->height());
            return top == tops[k] && gap >= 0 && gap <= 12;
        })) << names[k];
        type(typed, "16");
        EXPECT_FALSE(sentence->isVisible()) << "a good edit takes it back";
    }
}

/// Whoever clears a refused field has taken back what the sentence was about.
TEST_F(ScenarioPanelTest, AClearedFieldTakesItsSentenceBack) {
    auto* faults = field<QLineEdit>("Faults");
    faults->setFocus();
    QTest::keyClicks(faults, QStringLiteral("all links 50%"));
    QTest::keyClick(faults, Qt::Key_Return);
    EXPECT_FALSE(panel.sentence().isEmpty());
    faults->selectAll();
    QTest::keyClick(faults, Qt::Key_Delete);
    QTest::keyClick(faults, Qt::Key_Return);
    EXPECT_TRUE(panel.sentence().isEmpty()) << panel.sentence().toStdString();

    NumberField* batch = field("Batch");
    type(batch, "99999999999");
    EXPECT_FALSE(panel.sentence().isEmpty());
    batch->selectAll();
    QTest::keyClick(batch, Qt::Key_Delete);
    EXPECT_TRUE(panel.sentence().isEmpty()) << panel.sentence().toStdString();
    EXPECT_EQ(document.scenario(), default_scenario());
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

TEST_F(ScenarioPanelTest, FaultsAreTypedUndoneAndRefusedInPlace) {
    auto* faults = field<QLineEdit>("Faults");
    const auto enter = [&](const char* text) {
        faults->setFocus();
        faults->selectAll();
        QTest::keyClicks(faults, QLatin1String(text));
        QTest::keyClick(faults, Qt::Key_Return);
    };
    enter("3,5 east 50%; 0,0 core 0.8");
    ASSERT_EQ(document.scenario().assume.faults.parts.size(), 2u);
    EXPECT_EQ(text(document.scenario().assume.faults.parts[1]), "0,0 core 80%");
    EXPECT_EQ(faults->text(), QLatin1String("3,5 east 50%; 0,0 core 80%"));

    enter("3,5 sideways 50%");
    EXPECT_TRUE(panel.sentence().contains(QLatin1String("\"sideways\" is not a part")));
    EXPECT_EQ(document.scenario().assume.faults.parts.size(), 2u);

    enter("99,5 east 50%");
    EXPECT_TRUE(panel.sentence().contains(QLatin1String("does not have")));
    EXPECT_EQ(document.scenario().assume.faults.parts.size(), 2u);

    document.undoStack()->undo();
    EXPECT_TRUE(document.scenario().assume.faults.none());
    EXPECT_TRUE(faults->text().isEmpty());

    NumberField* jitter = field("Jitter");
    type(jitter, "2500");
    EXPECT_EQ(document.scenario().assume.faults.jitter, seconds(2.5e-6));
    EXPECT_TRUE(field("Seed")->isVisible());
    type(jitter, "99999999");
    EXPECT_TRUE(panel.sentence().contains(QLatin1String("The jitter is"))) << panel.sentence().toStdString();
}

/// Every way to wrap and to fold has an entry of its own, which a scenario from a file shows.
TEST_F(ScenarioPanelTest, EveryWrapAroundHasItsEntry) {
    auto* wraps = field<QComboBox>("Wrap-around");
    ASSERT_NE(wraps, nullptr);
    std::vector<int> seen;
    for (const bool folded : {false, true}) {
        for (const bool vertical : {false, true}) {
            for (const bool horizontal : {false, true}) {
                Scenario scenario = document.scenario();
                scenario.wraps = {vertical, horizontal, true};
                scenario.folded = folded;
                document.restore(project_of(scenario), {});
                const QString entry = wraps->currentText();
                EXPECT_EQ(entry.contains(QLatin1String("folded")), folded && !(vertical && horizontal))
                    << entry.toStdString();
                seen.push_back(wraps->currentIndex());
            }
        }
    }
    // Both axes closed leave nothing to fold.
    EXPECT_EQ(seen[3], seen[7]);
    EXPECT_EQ(std::set<int>(seen.begin(), seen.end()).size(), 7u);
    choose(wraps, wraps->findText(QStringLiteral("vertical, horizontal folded")));
    EXPECT_EQ(document.scenario().wraps, (std::array<bool, 3>{true, false, true}));
    EXPECT_TRUE(document.scenario().folded);
}

} // namespace
} // namespace meshslice::ui
