#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "core/question/sweep.h"
#include "core/scenario/fields.h"

#include <gmock/gmock.h>

#include <string>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The values in words, one after the other.
std::string values_of(const char* words, const Scenario& scenario = default_scenario()) {
    const Result<Vary> vary = parse_vary(estimate_question(), scenario, words);
    if (!vary) {
        return vary.error().sentence;
    }
    std::string all = vary->key + ":";
    for (const std::string& value : value_words(scenario_field(vary->key), vary->values)) {
        all += " [" + value + "]";
    }
    return all;
}

TEST(Vary, ReadsListsAndRanges) {
    const struct {
        const char* words;
        const char* expected;
    } rows[] = {
        {"batch=8:512:x2", "batch: [8] [16] [32] [64] [128] [256] [512]"},
        {"batch=8:100:x2", "batch: [8] [16] [32] [64]"},
        {"batch=8:64:+24", "batch: [8] [32] [56]"},
        {"batch=1:4", "batch: [1] [2] [3] [4]"},
        {"batch=1:3:x1.5", "batch: [1] [2]"}, // 1, 1.5 and 2.25, as whole numbers
        {"batch= 8, 16 ,2*16", "batch: [8] [16] [32]"},
        {"batch=1,4:6,8", "batch: [1] [4] [5] [6] [8]"},
        {"slices=auto,1,8", "slices: [auto] [1] [8]"},
        {"links=x0.5,x1,x2", "links: [x 0.5] [x 1] [x 2]"},
        {"links=0.5,1,2", "links: [x 0.5] [x 1] [x 2]"}, // no bandwidths, so factors
        {"links=x0.25:x4:x2", "links: [x 0.25] [x 0.5] [x 1] [x 2] [x 4]"},
        {"links=0.25:4:x4", "links: [x 0.25] [x 1] [x 4]"},
        {"links=45 GB/s,9e10 B/s", "links: [45.0\u2009GB/s] [90.0\u2009GB/s]"},
        {"sync=0.5,1", "sync: [x 0.5] [x 1]"}, // as of the links, though half a second is in the range
        {"sync=0,1us", "sync: [0\u2009s] [1.00\u2009\u00b5s]"},
        {"links=x0.5,90 GB/s", "links: [x 0.5] [90.0\u2009GB/s]"},
        {"links=1,2,x0.5", "links: [x 1] [x 2] [x 0.5]"},
        {"jitter=0,500ns", "faults.jitter_s: [0\u2009s] [500\u2009ns]"},
        {"effective-fraction-of-peak=50%,100%", "effective_fraction_of_peak: [0.5] [1]"},
        {"links=x1/3,x1", "links: [x 0.3333] [x 1]"},
        {"hbm-capacity=27.85GB:28.1GB:+0.05GB",
         "hbm_capacity: [27.85\u2009GB] [27.90\u2009GB] [27.95\u2009GB] [28.00\u2009GB] [28.05\u2009GB] "
         "[28.10\u2009GB]"},
        {"links=x0.5,x1,x0.5", "links: [x 0.5] [x 1] [x 0.5]"},
        {"links=20 GB/s:60 GB/s:+20 GB/s", "links: [20.0\u2009GB/s] [40.0\u2009GB/s] [60.0\u2009GB/s]"},
        {"hbm-bandwidth=x2", "hbm_bandwidth: [x 2]"},
        {"hbm_bandwidth=x2", "hbm_bandwidth: [x 2]"},
        {"mesh=4x4,8x8", "mesh: [4x4] [8x8]"},
        {"algorithm=meshslice,wang", "algorithm: [MeshSlice] [Wang]"},
        {"hardware=tpu-v4,tpu-v5e", "hardware: [TPU v4] [TPU v5e]"},
        {"ring=both,one-way", "schedule.ring: [both ways] [one way]"},
        {"dataflow=auto,X", "stationary: [auto] [X stationary]"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(values_of(row.words), row.expected) << row.words;
    }
}

/// Of two fields with one flag it is the one that has an effect.
TEST(Vary, TakesTheFieldThatApplies) {
    Scenario one = default_scenario();
    one.gemm = SingleGemm{{64, 64, 64}, Dataflow::OS};
    EXPECT_EQ(values_of("dataflow=LS,RS", one), "gemm.dataflow: [LS: C = A B\u1d40] [RS: C = A\u1d40 B]");
}

TEST(Vary, RefusesTheRestWithASentence) {
    const struct {
        const char* words;
        const char* says;
    } rows[] = {
        {"colour=red", "\"colour\" cannot vary; expected one of model, machine, mesh, wrap,"},
        {"fault=3,5 east dead", "\"fault\" cannot vary"},
        {"batch", "\"batch\" has no values; expected NAME=VALUES, such as batch=8:512:x2"},
        {"batch=", "--batch is \"\"; expected a whole number"},
        {"batch=8,many", "--batch is \"many\"; expected a whole number"},
        {"batch=0,8", "--batch is \"0\"; expected a whole number from 1"},
        {"batch=64:8:x2", "--batch: the range from 64 to 8 is empty; a range goes upwards."},
        {"batch=8:64:x1", "--batch: the step x1 never reaches the end; expected one above x1, such as x2"},
        {"batch=8:64:8", "--batch: the step is \"8\"; expected one such as x2 or +8"},
        {"batch=8:64:+0", "--batch: the step +0 never reaches the end; expected one above 0"},
        {"batch=8:64:x2:3", "--batch: \"8:64:x2:3\" has too many colons; expected a range such as"},
        {"batch=1:100000", "--batch: the range has no step; expected one such as x2 or +8 after it"},
        {"batch=8:512", "--batch: the range has no step; expected one such as x2 or +8 after it"},
        {"batch=1:100000:+1", "--batch takes at most 32768 values."},
        {"batch=8:512:x1.00000001",
         "--batch: the step x1.00000001 is too small: it gives the same value again."},
        {"hbm-capacity=1GB:2GB:+1e-9B",
         "--hbm-capacity: the step +1e-9B is too small: it gives the same value again."},
        {"links=x1:x2:x1.0000001", "--links takes at most 32768 values."},
        {"links=x1:90 GB/s:x2", "a range goes from a number to another of its kind"},
        {"links=20 GB/s:60 GB/s",
         "--links: the range has no step; expected one such as x2 or +5 GB/s after it"},
        {"links=fast", "--links: \"fast\" is not a quantity in B/s"},
        {"links=45:180:x2",
         "--links is \"45\", which needs a unit, such as \"45 GB/s\", or a factor, such as \"x 45\"."},
        {"links=0.5,90 GB/s", "--links is \"0.5\", which needs a unit because another value has one, such "
                              "as \"0.5 GB/s\", or a factor, such as \"x 0.5\"."},
        {"links=1,2,x0.5,90 GB/s", "--links is \"1\", which needs a unit because another value has one,"},
        {"sync=20",
         "--sync is \"20\", which needs a unit, such as \"20 µs\", or a factor, such as \"x 20\"."},
        {"jitter=1", "--jitter is \"1\", which needs a unit, such as \"1 ns\"."},
        {"sync=0:1us:x2",
         "--sync: the range begins at 0, and 2 times that is the same; expected a first value above 0"},
        {"effective-fraction-of-peak=many", "--effective-fraction-of-peak: \"many\" is not a number: write "
                                            "one such as \"0.5\", or a factor such "
                                            "as x 0.5."},
        {"hardware=tpu_v4", "tpu_v4"},
        {"algorithm=meshslice,sorting", "--algorithm is \"sorting\""},
        {"algorithm=meshslice:wang", "a range goes from a number"},
    };
    for (const auto& row : rows) {
        EXPECT_THAT(values_of(row.words), HasSubstr(row.says)) << row.words;
    }
}

/// A schedule has colons of its own.
TEST(Vary, TakesColonsOfWords) {
    const auto values =
        parse_values(scenario_field("planning.schedule"), "1f1b,interleaved:12", "--schedule");
    ASSERT_TRUE(values) << values.error().sentence;
    EXPECT_EQ(values->values, (std::vector<FieldValue>{std::string("1f1b"), std::string("interleaved:12")}));
}

/// In the window a sentence begins with the field's label.
TEST(Vary, NamesTheFieldAsItIsCalledThere) {
    const Field<Scenario>& batch = scenario_field("batch");
    EXPECT_THAT(parse_values(batch, "8,many", "Batch").error().sentence,
                HasSubstr("Batch is \"many\"; expected a whole"));
    EXPECT_THAT(parse_values(batch, "8:4", "Batch").error().sentence,
                HasSubstr("Batch: the range from 8 to 4"));
}

/// Suggestions and forms are read back, and have units that people use.
TEST(Vary, SuggestsWhatItReads) {
    const Scenario scenario = default_scenario();
    EXPECT_EQ(suggested_values(scenario_field("faults.jitter_s"), scenario), "500 ns, 1 us, 2 us");
    EXPECT_EQ(suggested_values(scenario_field("batch"), scenario), "16:512:x2");
    EXPECT_EQ(values_form(scenario_field("batch")), "8:512:x2 or 8, 16, 32");
    EXPECT_EQ(values_form(scenario_field("links")), "x 0.25:x 4:x 2 or 10 GB/s, 20 GB/s");
    for (const Field<Scenario>& field : scenario_fields()) {
        if (!can_vary(field)) {
            continue;
        }
        std::vector<std::string> forms = {values_form(field)};
        if (field.applies(scenario)) {
            forms.push_back(suggested_values(field, scenario));
        }
        for (const std::string& form : forms) {
            for (std::size_t from = 0; from < form.size() && !form.empty();) {
                const std::size_t end = std::min(form.find(" or ", from), form.size());
                const auto read = parse_values(field, form.substr(from, end - from));
                EXPECT_TRUE(read || field.kind == FieldKind::whole)
                    << field.key << ": " << form << ": " << (read ? "" : read.error().sentence);
                from = end + 4;
            }
        }
    }
}

TEST(Vary, KnowsWhatIsMultiplied) {
    EXPECT_TRUE(are_multiplied({8, 16, 32, 512}));
    EXPECT_TRUE(are_multiplied({2, 0.5, 1}));
    EXPECT_FALSE(are_multiplied({8, 16, 24, 32}));
    EXPECT_FALSE(are_multiplied({0, 1, 10, 100})) << "nothing is zero times another";
    EXPECT_FALSE(are_multiplied({8, 16})) << "two have one distance";
    EXPECT_FALSE(are_multiplied({8, 8, 8}));
}

} // namespace
} // namespace meshslice
