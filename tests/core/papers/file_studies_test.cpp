#include "core/base/embedded_resources.h"
#include "core/machine/catalogue.h"
#include "core/question/catalogue/study/file_studies.h"
#include "core/question/catalogue/study/studies.h"
#include "core/question/catalogue/study/study_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace meshslice {
namespace {

using testing::HasSubstr;

StudyInputs own_inputs(const Study& study) {
    return study.evaluation->inputs(*machine_preset(study.evaluation->machine));
}

/// A folder of resources/studies has the studies of the publication that it is named after.
TEST(FileStudies, AreValidFilesCalledByTheirNames) {
    std::size_t files = 0;
    for (const EmbeddedFile& file : embedded_studies()) {
        if (file.name.find('/') == std::string_view::npos) {
            continue;
        }
        ++files;
        const std::string name(file.name);
        const Result<StudyFile> read = read_study_file(file.text, name);
        ASSERT_TRUE(read) << read.error().sentence;
        EXPECT_TRUE(check_study_file(file.text, name, nullptr)) << name;
        EXPECT_EQ(name, name.substr(0, name.find('/') + 1) + read->name + ".json");
        const Result<const Study*> known = study(read->name);
        ASSERT_TRUE(known) << name;
        EXPECT_EQ((*known)->publication().name, name.substr(0, name.find('/')));
        EXPECT_NE((*known)->section, "") << name;
        EXPECT_NE(read->source, "") << name;
    }
    EXPECT_EQ(files, file_studies().size());
    EXPECT_GE(files, 4u);
}

/// The names are found without the files; they are the same, and none is there twice.
TEST(FileStudies, AllStudiesHaveNamesOfTheirOwn) {
    const std::vector<StudyName> names = study_names();
    ASSERT_EQ(names.size(), studies().size());
    std::set<std::string> ids;
    for (std::size_t k = 0; k < names.size(); ++k) {
        EXPECT_EQ(names[k].id, studies()[k].id);
        EXPECT_EQ(names[k].publication, studies()[k].publication().name);
        EXPECT_TRUE(ids.insert(names[k].id).second) << names[k].id << " twice";
    }
}

/// What they state is judged once, and what a file bounds is within its bounds.
TEST(FileStudies, JudgeEachOfTheirClaimsOnce) {
    std::multiset<std::string> judged, stated;
    for (const Study& study : file_studies()) {
        const auto result = run_study(study, own_inputs(study));
        ASSERT_TRUE(result) << study.id << ": " << result.error().sentence;
        EXPECT_EQ(result->not_judged, "") << study.id;
        for (const ClaimOutcome& one : result->claims) {
            judged.insert(one.id);
            EXPECT_TRUE(std::isfinite(one.ours)) << one.id;
        }
        for (const OrderingOutcome& one : result->orderings) {
            judged.insert(one.id);
            EXPECT_TRUE(one.holds) << one.id << ": " << one.numbers;
        }
        EXPECT_EQ(result->table.columns.back(), "note");
    }
    const Publication& book = file_studies().front().publication();
    for (const Claim& one : book.claims) {
        stated.insert(one.id);
    }
    for (const Ordering& one : book.orderings) {
        stated.insert(one.id);
    }
    EXPECT_EQ(judged, stated);
    for (const EmbeddedFile& file : embedded_studies()) {
        const Result<StudyFile> read = file.name.find('/') == std::string_view::npos
                                           ? Result<StudyFile>(refuse("a publication"))
                                           : read_study_file(file.text, std::string(file.name));
        const Result<Answer> answer =
            read ? answer_study_file(*read, {}) : Result<Answer>(refuse(read.error()));
        for (const Check& check : answer ? answer->checks : std::vector<Check>()) {
            EXPECT_EQ(check.holds, std::optional(true)) << check.because;
        }
    }
}

/// By hand: weights and caches over the bandwidth of eight chips of 810 GB/s. 13.015e9 weights of 2 bytes;
/// a cache of 8191 tokens has 2 x 8191 x 40 x 40 x 128 numbers of 2 bytes. Ours also reads activations, at
/// most 3% of that.
TEST(FileStudies, DecodeReadsWeightsAndCaches) {
    const Study& study = **meshslice::study("decode-by-batch");
    const auto result = run_study(study, own_inputs(study));
    ASSERT_TRUE(result);
    const double weights = 2 * 13.0154496e9;
    const double cache = 2.0 * 8191 * 40 * 40 * 128 * 2;
    for (const auto& [place, batch] : {std::pair(0, 1), {2, 16}, {5, 240}}) {
        const double least = (weights + batch * cache) / (8 * 810e9);
        const double ours = result->claims.at(static_cast<std::size_t>(place)).ours;
        EXPECT_GT(ours, least * 0.99) << batch; // the vocabulary is read one row a token
        EXPECT_LT(ours, least * 1.03) << batch;
    }
    const auto& published = result->panels.front().series.back();
    EXPECT_TRUE(published.hollow);
    EXPECT_EQ(published.name, result->panels.front().series.front().name) << "next to ours of the same name";
    EXPECT_EQ(published.points.size() + published.values.size(), 6u);
}

/// A book has chapters, a paper sections.
TEST(FileStudies, SayWhereTheyStand) {
    const Study& chips = **study("tokens-per-chip");
    EXPECT_EQ(section_words(chips.publication(), chips.section), "chapters 5 and 12");
    EXPECT_EQ(section_words(chips.publication(), "3, pop quiz 2"), "chapter 3, pop quiz 2");
    EXPECT_EQ(section_words(Publication(), "5.1, Figures 9 and 10"), "section 5.1, Figures 9 and 10");
    const auto result = run_study(chips, own_inputs(chips));
    ASSERT_TRUE(result) << result.error().sentence;
    EXPECT_THAT(result->finding, HasSubstr("least 1040 with chip NVIDIA A100 80 GB, most "));
}

/// On TPU v6e, 2 x 9.2e14 over 1.8e11 a ring, nothing is judged; a study of several machines has none to
/// exchange.
TEST(FileStudies, AreAskedAboutOthers) {
    const Study& gather = **study("all-gather-times");
    StudyInputs others = own_inputs(gather);
    EXPECT_EQ(others.hardware.name, "tpu-v5e");
    others.hardware = *machine_preset("tpu-v6e");
    const auto result = run_study(gather, others);
    ASSERT_TRUE(result) << result.error().sentence;
    EXPECT_THAT(result->not_judged, HasSubstr("instead of TPU v5e"));
    // 33.6 MB x 3 / 4 over the 90 GB/s of a link, by hand.
    EXPECT_NEAR(result->claims.at(1).ours, 33554432.0 * 3 / 4 / 90e9, 1e-9);
    const Study& chips = **study("tokens-per-chip");
    EXPECT_FALSE(chips.scope.hardware);
    EXPECT_EQ(own_inputs(chips), chips.evaluation->inputs(*machine_preset("tpu-v6e")));
    EXPECT_FALSE(gather.evaluation->suits(*machine_preset("h100-nvs8")));
}

} // namespace
} // namespace meshslice
