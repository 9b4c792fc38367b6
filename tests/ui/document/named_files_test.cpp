// A file that the window is given and that is wrong: the sentence names it.

#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/scenario/file/project.h"
#include "ui/document/document.h"
#include "ui/editor/machine_group.h"
#include "ui/editor/scenario_panel.h"
#include "ui/editor/workload_group.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace meshslice::ui {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class NamedFilesTest : public ::testing::Test {
  protected:
    QString file(const std::string& content) {
        const QString path = folder.filePath(QStringLiteral("the-file.json"));
        QFile out(path);
        EXPECT_TRUE(out.open(QIODevice::WriteOnly));
        out.write(QByteArray::fromStdString(content));
        return path;
    }
    static std::vector<std::string> broken() {
        return {"",
                "{",
                "[]",
                "{}",
                "<html></html>",
                R"({"meshslice_scenario": 1, "batch": -1})",
                R"({"meshslice_hardware": 99})",
                R"({"meshslice_model": 2, "name": ""})",
                R"({"meshslice_project": 1, "variants": []})"};
    }

    QTemporaryDir folder;
    Document document;
    ScenarioPanel panel{&document};
};

TEST_F(NamedFilesTest, EveryWayInNamesTheFile) {
    const Scenario before = document.scenario();
    for (const std::string& content : broken()) {
        const QString path = file(content);
        const Result<void> opened = document.open(path);
        ASSERT_FALSE(opened) << content;
        EXPECT_THAT(opened.error().sentence, HasSubstr("the-file.json")) << content;
        QSignalSpy refused(&document, &Document::refused);
        panel.machine()->importHardware(path);
        panel.workload()->importModel(path);
        ASSERT_EQ(refused.count(), 2) << content;
        for (const QList<QVariant>& one : refused) {
            EXPECT_THAT(one[1].toString().toStdString(), HasSubstr("the-file.json")) << content;
        }
        EXPECT_EQ(document.scenario(), before) << content;
    }
}

/// A fault that is none, in a variant: file, variant and key.
TEST_F(NamedFilesTest, AFaultOfAVariantIsNamedWithItsKey) {
    Project project;
    project.variants = {{"one", default_scenario()}, {"two", default_scenario()}};
    project.variants[1].scenario.assume.faults.parts = {*parse_fault("3,5 east 50%")};
    json changed = json::parse(write_project(project));
    for (const char* bad : {"99,0 east 50%", "3,5 left 50%", "3,5 core dead", ""}) {
        changed["variants"][1]["scenario"]["faults"]["parts"][0] = bad;
        const Result<void> opened = document.open(file(changed.dump()));
        ASSERT_FALSE(opened) << bad;
        EXPECT_THAT(opened.error().sentence,
                    testing::StartsWith("the-file.json, variant \"two\": \"/faults/parts\": "))
            << bad;
    }
    json hardware = json::parse(write_machine(*machine_preset("tpu-v5p")));
    hardware["measured_products"] = {{"value", {"8192x6144x768 1 ns"}}, {"source", "mine"}};
    QSignalSpy refused(&document, &Document::refused);
    panel.machine()->importHardware(file(hardware.dump()));
    ASSERT_EQ(refused.count(), 1);
    EXPECT_THAT(refused[0][1].toString().toStdString(),
                testing::StartsWith("the-file.json: \"/measured_products\": "));
}

} // namespace
} // namespace meshslice::ui
