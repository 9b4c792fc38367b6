#include "core/machine/catalogue.h"
#include "core/machine/fields.h"
#include "ui/editor/facts.h"

#include <gtest/gtest.h>

namespace meshslice::ui {
namespace {

TEST(Facts, NameEveryLayerAndSource) {
    const Scenario scenario = default_scenario();
    const QString text = modelFacts(scenario.model, scenario.tokens());
    for (const char* layer : {"QKV", "Output", "FF1", "FF2"}) {
        EXPECT_TRUE(text.contains(QLatin1String(layer)));
    }
    for (const auto& [field, source] : scenario.model.sources) {
        if (field == "published_parameters") {
            continue; // nothing is worked out from it
        }
        EXPECT_TRUE(text.contains(QString::fromStdString(source).toHtmlEscaped())) << field;
    }
}

TEST(Facts, NameEverySourceOfEveryHardwarePreset) {
    for (const Machine& hardware : presets_that(is_plain_torus)) {
        const QString text = hardwareFacts(hardware);
        for (const MachineFact& fact : facts(hardware)) {
            for (const std::string& words : {fact.label, fact.source, fact.help}) {
                EXPECT_TRUE(text.contains(QString::fromStdString(words).toHtmlEscaped())) << words;
            }
        }
    }
}

TEST(Facts, AForeignModelCannotSmuggleInMarkup) {
    Transformer model = default_scenario().model;
    model.title = "<img src=x>";
    model.sources["layers"] = "<b>bold</b>";
    const QString text = modelFacts(model, 1);
    EXPECT_FALSE(text.contains(QStringLiteral("<img")));
    EXPECT_FALSE(text.contains(QStringLiteral("<b>bold")));
}

} // namespace
} // namespace meshslice::ui
