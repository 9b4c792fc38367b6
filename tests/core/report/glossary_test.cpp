#include "core/gemm/algorithms.h"
#include "core/question/catalogue/study/studies.h"
#include "core/report/chart/step_charts.h"
#include "core/report/words/glossary.h"
#include "core/scenario/fields.h"
#include "core/step/breakdown.h"
#include "core/step/training_step.h"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

namespace meshslice {
namespace {

TEST(Glossary, HasWholeEntries) {
    EXPECT_GE(glossary().size(), 60u);
    std::set<std::string> names;
    for (const GlossaryEntry& entry : glossary()) {
        SCOPED_TRACE(entry.word);
        EXPECT_TRUE(entry.text.ends_with('.')) << entry.text;
        EXPECT_FALSE(entry.source.empty());
        EXPECT_FALSE(entry.source.ends_with('.'));
        EXPECT_LT(entry.text.size(), 260u) << "one to three sentences";
        EXPECT_TRUE(names.insert(entry.word).second) << "twice";
        for (const std::string& name : entry.also) {
            EXPECT_TRUE(names.insert(name).second) << name << " twice";
        }
    }
}

TEST(Glossary, FindsAWordByAnyOfItsNames) {
    ASSERT_NE(glossary_entry("slice"), nullptr);
    EXPECT_EQ(glossary_entry("S"), glossary_entry("slice count"));
    EXPECT_EQ(glossary_entry("EXPOSED"), glossary_entry("exposed"));
    EXPECT_EQ(glossary_entry("AG")->word, "all-gather");
    EXPECT_EQ(glossary_entry("RdS")->word, "reduce-scatter");
    EXPECT_EQ(glossary_entry("no such word"), nullptr);
    EXPECT_EQ(glossary_entry(""), nullptr);
    EXPECT_TRUE(glossary_entry("torus")->text.starts_with("A mesh whose rows"));
}

/// Every word that names a column, a series of the breakdown, an algorithm or what bounds a run is explained.
TEST(Glossary, ExplainsWhatTheScreensSay) {
    const Scenario scenario = default_scenario();
    const TrainingStep step = training_step(scenario, "meshslice", Depth::estimate).value();
    std::set<std::string> words = {"prologue", "steady state", "epilogue", "critical path",
                                   "roofline", "HBM",          "MFU",      "ring",
                                   "torus",    "GEMM",         "hidden",   "peak"};
    for (const Table& table : {gemm_table(step), table(breakdown({step}))}) {
        words.insert(table.columns.begin(), table.columns.end());
    }
    for (const ChartPanel& panel : breakdown_chart({step}, {}).panels) {
        for (const ChartSeries& series : panel.series) {
            words.insert(series.name);
        }
    }
    for (const Part part : all_parts) {
        words.emplace(is_links(part) ? "links" : id(part));
    }
    for (const Algorithm& one : algorithms()) {
        words.emplace(one.title);
        words.emplace(one.id);
    }
    for (const std::string& word : words) {
        EXPECT_NE(glossary_entry(word), nullptr) << word;
    }
}

/// What people type who know large models and not this program.
TEST(Glossary, ExplainsTheFieldsOwnWords) {
    for (const char* word : {"all-reduce", "all-to-all", "optimizer", "FLOP utilization", "pipeline",
                             "pipeline parallelism", "tensor parallelism", "data parallelism",
                             "context parallelism", "expert parallelism", "NVLink", "NIC", "token", "expert",
                             "gradient accumulation", "throughput", "strong scaling", "weak scaling"}) {
        EXPECT_NE(glossary_entry(word), nullptr) << word;
    }
    EXPECT_NE(glossary_entry("token"), glossary_entry("sequence"));
    EXPECT_EQ(glossary_entry("NVLink")->word, "NVLink"); // not only a part of another entry's name
}

/// The labels of the form.
TEST(Glossary, ExplainsTheFieldsOfTheScenario) {
    for (const Field<Scenario>& field : scenario_fields()) {
        std::string label = field.label;
        std::erase(label, '&'); // before the letter that reaches the field
        if (!label.empty()) {
            EXPECT_NE(glossary_entry(label), nullptr) << label;
        }
    }
}

} // namespace
} // namespace meshslice
