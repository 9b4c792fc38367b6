// Machines of the user's own: edited, named, listed, shared, deleted; and all chips as one number.

#include "core/machine/catalogue.h"
#include "core/machine/edit.h"
#include "core/plan/search/plan_question.h"
#include "core/scenario/fields.h"
#include "tests/ui/support/own_settings.h"
#include "ui/document/document.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/number_field.h"
#include "ui/editor/own_machines.h"
#include "ui/editor/scenario_panel.h"

#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace meshslice::ui {
namespace {

using testing::HasSubstr;

class OwnMachinesTest : public ::testing::Test {
  protected:
    OwnMachinesTest() { clear(); }
    ~OwnMachinesTest() override { clear(); }
    static void clear() { QDir(ownMachinesFolder()).removeRecursively(); }
    [[nodiscard]] QComboBox* machines() {
        for (QComboBox* one : panel.machine()->findChildren<QComboBox*>()) {
            if (one->accessibleName() == QLatin1String("Hardware")) {
                return one;
            }
        }
        return nullptr;
    }
    void choose(const QString& data) {
        const int index = machines()->findData(data);
        ASSERT_GE(index, 0) << data.toStdString();
        machines()->setCurrentIndex(index);
        emit machines()->activated(index);
    }
    [[nodiscard]] const Machine& machine() { return document.scenario().hardware; }

    const OwnSettings settings{QStringLiteral("own machines")};
    Document document;
    ScenarioPanel panel{&document};
};

/// The GPUs of a cluster, their domains and the network between them have numbers, each with its source.
TEST_F(OwnMachinesTest, NumbersOfGpusAndNetworksAreEdited) {
    Scenario scenario = document.scenario();
    scenario.hardware = *machine_preset("b200-nvs8");
    const auto set = [&](const char* key, const char* words) {
        const Result<void> taken = set_text(scenario_field(key), scenario, words, "It");
        EXPECT_TRUE(taken) << key << (taken ? "" : taken.error().sentence);
    };
    set("domain_bandwidth", "x 0.5");    // of 900 GB/s
    set("network_bandwidth", "50 GB/s"); // of 100
    set("network_latency", "10 us");
    set("vector_rate", "x 2");
    EXPECT_EQ(switched_domain(scenario.hardware.network)->bandwidth.value.value(), 450e9);
    EXPECT_EQ(outer_network(scenario.hardware.network)->bandwidth.value.value(), 50e9);
    EXPECT_EQ(scenario.hardware.vector_rate.value.value(), 678e12);
    EXPECT_THAT(outer_network(scenario.hardware.network)->bandwidth.source, HasSubstr("Edited; NVIDIA B200"));
    EXPECT_EQ(edits(scenario.hardware).size(), 4u);
    EXPECT_TRUE(plan_question(scenario)) << "plans are made for it";
    set("domain_bandwidth", "x 1");
    set("network_bandwidth", "x 1");
    set("network_latency", "x 1");
    set("vector_rate", "x 1");
    EXPECT_EQ(scenario.hardware, *machine_preset("b200-nvs8"));
    scenario.hardware = *machine_preset("tpu-v5p");
    EXPECT_FALSE(scenario_field("domain_bandwidth").applies(scenario));
}

TEST_F(OwnMachinesTest, ANamedMachineIsListedUsedAgainAndDeleted) {
    Scenario scenario = document.scenario();
    ASSERT_TRUE(set_text(scenario_field("hbm_bandwidth"), scenario, "x 0.5", "It"));
    ASSERT_TRUE(document.edit(scenario, "hardware"));
    document.endEdit();
    panel.machine()->keepAs(QStringLiteral("Our pod"));
    EXPECT_EQ(machine().title, "Our pod");
    EXPECT_EQ(machine().name, "our-pod");
    EXPECT_EQ(machine().hbm_bandwidth.value, scenario.hardware.hbm_bandwidth.value);
    EXPECT_EQ(machine().hbm_bandwidth.source, scenario.hardware.hbm_bandwidth.source);
    const std::vector<OwnMachine> own = ownMachines();
    ASSERT_EQ(own.size(), 1u);
    EXPECT_EQ(machines()->currentText(), QStringLiteral("Mine: Our pod"));
    choose(QStringLiteral("tpu-v5p"));
    EXPECT_EQ(machine().name, "tpu-v5p");
    choose(own.front().path);
    EXPECT_EQ(machine(), own.front().machine);
    document.undoStack()->undo();
    EXPECT_EQ(machine().name, "tpu-v5p");
    document.undoStack()->redo();
    panel.machine()->removeOwn();
    EXPECT_TRUE(ownMachines().empty());
    EXPECT_EQ(machine().title, "Our pod") << "the project keeps what it uses";
    EXPECT_LT(machines()->findData(own.front().path), 0);
}

TEST_F(OwnMachinesTest, WrongNamesAreRefusedWithASentence) {
    panel.machine()->keepAs(QStringLiteral("  "));
    EXPECT_THAT(panel.machine()->sentence().toStdString(), HasSubstr("needs a name"));
    panel.machine()->keepAs(QStringLiteral("TPU v5p"));
    EXPECT_THAT(panel.machine()->sentence().toStdString(), HasSubstr("choose another name"));
    EXPECT_TRUE(ownMachines().empty());
}

/// What is written is read by whatever reads a machine's file.
TEST_F(OwnMachinesTest, AFileSharesIt) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("shared.json"));
    ASSERT_TRUE(writeMachineFile(*machine_preset("tpu-v5e"), path));
    panel.machine()->importHardware(path);
    EXPECT_EQ(machine(), *machine_preset("tpu-v5e"));
    const Result<void> nowhere = writeMachineFile(machine(), folder.filePath(QStringLiteral("no/way.json")));
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().sentence, HasSubstr("cannot be written"));
}

/// 64 chips are 8 x 8; 25 suit no GEMM of GPT-3.
TEST_F(OwnMachinesTest, ChipsAreOneNumberAndTheMeshFollows) {
    panel.show();
    panel.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&panel));
    NumberField* chips = nullptr;
    for (NumberField* one : panel.machine()->findChildren<NumberField*>()) {
        chips = one->accessibleName() == QLatin1String("Chips") ? one : chips;
    }
    ASSERT_NE(chips, nullptr);
    EXPECT_EQ(chips->text(), QStringLiteral("256"));
    chips->setFocus();
    chips->selectAll();
    QTest::keyClicks(chips, QStringLiteral("64"));
    EXPECT_EQ(document.scenario().mesh, (Mesh{8, 8}));
    EXPECT_EQ(document.undoStack()->count(), 1);
    chips->selectAll();
    QTest::keyClicks(chips, QStringLiteral("97"));
    EXPECT_THAT(panel.machine()->sentence().toStdString(), HasSubstr("any mesh of 97 chips; "));
}

} // namespace
} // namespace meshslice::ui
