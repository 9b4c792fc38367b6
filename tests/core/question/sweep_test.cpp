#include "core/base/text.h"
#include "core/machine/catalogue.h"
#include "core/machine/machine.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "core/question/sweep.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_plan.h"
#include "core/report/sweep/sweep_table.h"
#include "core/scenario/fields.h"
#include "tests/core/support/json_of.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace meshslice {
namespace {

using testing::AllOf;
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

Sweep sweep_of(const std::vector<const char*>& varied, Depth depth = Depth::estimate) {
    Sweep sweep = sweep_of_steps(default_scenario(), {}, depth);
    for (const char* words : varied) {
        Result<Vary> vary = parse_vary(*sweep.over, sweep.scenario, words);
        EXPECT_TRUE(vary) << vary.error().sentence;
        sweep.fields.push_back(*vary);
    }
    return sweep;
}

/// Points with made-up numbers.
std::vector<SweepPoint> made_points(const Sweep& sweep, std::size_t count) {
    std::vector<SweepPoint> points(count);
    for (std::size_t k = 0; k < count; ++k) {
        points[k].values = values_at(sweep, k);
        points[k].numbers = {{"fits", true}};
    }
    return points;
}

double time_of(const SweepPoint& point) {
    return point.number("time_s").value_or(-1);
}

std::vector<SweepPoint> run_all(const Sweep& sweep, std::size_t from = 0, unsigned threads = 2) {
    std::vector<SweepPoint> points;
    const auto ran = run_sweep(
        sweep, [&](const SweepPoint& point) { points.push_back(point); }, from, {}, threads);
    EXPECT_TRUE(ran) << ran.error().sentence;
    return points;
}

/// Each point is the step of its scenario, in the order of the values, the second field first.
TEST(Sweep, IsTheStepOfEachScenario) {
    const Sweep sweep = sweep_of({"batch=64,128", "links=x0.5,x1,x2"});
    const std::vector<SweepPoint> points = run_all(sweep);
    ASSERT_EQ(points.size(), 6u);
    std::size_t at = 0;
    for (const std::int64_t batch : {64, 128}) {
        for (const double factor : {0.5, 1.0, 2.0}) {
            Scenario scenario = default_scenario();
            scenario.batch = batch;
            const double bandwidth = scenario.hardware.network.link_bandwidth(0).value() * factor;
            scenario.hardware.network.set_link_bandwidth(Bandwidth(bandwidth));
            const auto step = estimated_step(scenario, "meshslice");
            ASSERT_TRUE(step);
            EXPECT_EQ(time_of(points[at]), in_seconds(step->time)) << batch << " x " << factor;
            EXPECT_EQ(points[at].number("memory_bytes"), static_cast<double>(step->memory.bytes().value()));
            EXPECT_EQ(points[at].results[1], FieldValue(bandwidth));
            EXPECT_THAT(points[at].values, ElementsAre(FieldValue(batch), FieldValue(Factor{factor})));
            ++at;
        }
    }
    EXPECT_GT(time_of(points[0]), time_of(points[1])) << "slower links take longer";
    EXPECT_EQ(scenario_at(sweep, 4)->hardware, default_scenario().hardware) << "x 1 is the preset";
}

/// Half as fast links are half as fast on each machine; what varies itself is not said as if all had it.
TEST(Sweep, KeepsTheEditsOfItsScenario) {
    Sweep sweep = sweep_of({"hardware=tpu-v4-paper,tpu-v5p"});
    ASSERT_TRUE(scenario_field("links").set(sweep.scenario, Factor{0.5}));
    for (std::size_t k = 0; k < 2; ++k) {
        Scenario expected = default_scenario();
        ASSERT_TRUE(scenario_field("hardware").set(expected, sweep.fields[0].values[k]));
        ASSERT_TRUE(scenario_field("links").set(expected, Factor{0.5}));
        const Result<Scenario> point = with_values(sweep.scenario, sweep.fields, values_at(sweep, k));
        ASSERT_TRUE(point) << point.error().sentence;
        EXPECT_EQ(point->hardware, expected.hardware);
    }
    EXPECT_EQ(sweep_title(sweep),
              "MeshSlice, one block of GPT-3 175B on 32x8 of machines with link bandwidth "
              "x 0.5, by estimate: 2 values of the hardware");
    Sweep memory = sweep_of({"hbm-bandwidth=x0.5,x1"});
    ASSERT_TRUE(scenario_field("links").set(memory.scenario, Factor{0.5}));
    EXPECT_THAT(sweep_title(memory), HasSubstr("link bandwidth x 0.5, by estimate"));
    Sweep own = sweep_of({"hardware=tpu-v4,tpu-v5e"});
    own.scenario.hardware.name = "mine";
    ASSERT_TRUE(scenario_field("links").set(own.scenario, Factor{0.5}));
    EXPECT_THAT(run_all(own)[0].objection,
                HasSubstr("are of no preset and cannot be made on other hardware"));
}

/// The order in which the fields are given does not count, and a point taken over is in the same sweep.
TEST(Sweep, SetsHardwareBeforeItsNumbers) {
    Sweep sweep = sweep_of({"links=x0.5,x1", "hardware=tpu-v4,tpu-v5p"});
    const Result<Scenario> point = scenario_at(sweep, 1);
    ASSERT_TRUE(point) << point.error().sentence;
    EXPECT_EQ(point->hardware.title, "TPU v5p, link bandwidth x 0.5");
    Sweep again = sweep;
    again.scenario = *point;
    EXPECT_EQ(shared_by_points(again), shared_by_points(sweep));
}

/// Whatever the threads, and whether it is done at once or goes on from where it was.
TEST(Sweep, IsTheSameHoweverItIsRun) {
    const Sweep sweep = sweep_of({"batch=8:512:x2"});
    const std::vector<SweepPoint> all = run_all(sweep, 0, 1);
    EXPECT_EQ(run_all(sweep, 0, 4), all);
    EXPECT_EQ(run_all(sweep, 3, 4), std::vector<SweepPoint>(all.begin() + 3, all.end()));
    EXPECT_TRUE(run_all(sweep, all.size()).empty());
}

/// What cannot run stays in its place and says why; the rest goes on.
TEST(Sweep, KeepsWhatDoesNotRun) {
    const Sweep sweep = sweep_of({"mesh=7x13,32x8"});
    const std::vector<SweepPoint> points = run_all(sweep);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_FALSE(points[0].runs());
    EXPECT_THAT(points[0].objection, HasSubstr("does not divide"));
    EXPECT_TRUE(points[1].runs());
    const Sweep blocks = sweep_of({"algorithm=meshslice,wang", "block=8"});
    EXPECT_THAT(run_all(blocks)[1].objection,
                HasSubstr("The block size has no effect. Wang does not slice by blocks"));
    EXPECT_THAT(run_all(sweep_of({"links=x1,x1e9"}))[1].objection, HasSubstr("The vertical link bandwidth"));
    EXPECT_THAT(run_all(sweep_of({"links=x1,x1e308"}))[1].objection,
                HasSubstr("too large with x 1e+308; expected a smaller factor."));
}

/// 32 768 values of two fields are more than 10^9 points; of 31 622 each 999 950 884. They are handed over
/// from any of them on, one after the other, and not listed before.
TEST(Sweep, HandsOverOfAThousandMillionPoints) {
    Sweep sweep = sweep_of({"batch=1:31622:+1", "sequence=8:252976:+8"});
    ASSERT_EQ(sweep.size(), 999'950'884u);
    EXPECT_FALSE(sweep.kept_whole());
    EXPECT_FALSE(checked(sweep));
    std::vector<std::int64_t> batches;
    std::stop_source stop;
    const std::size_t from = 31'622 * std::size_t{7} + 31'620; // batch 8, the last sequences but one
    const Result<void> ran = run_sweep(
        sweep,
        [&](const SweepPoint& point) {
            batches.push_back(std::get<std::int64_t>(point.values[0]));
            if (batches.size() == 4) {
                stop.request_stop();
            }
        },
        from, {stop.get_token()}, 1);
    EXPECT_FALSE(ran) << "it was stopped";
    ASSERT_GE(batches.size(), 4u);
    batches.resize(4);
    EXPECT_THAT(batches, ElementsAre(8, 8, 9, 9));
    sweep = sweep_of({"batch=1:32768:+1", "sequence=8:262144:+8"});
    EXPECT_EQ(checked_to_hand_over(sweep).error().sentence,
              "The sweep has 1073741824 points; expected at most 1000000000.");
}

TEST(Sweep, RefusesWhatIsNoSweep) {
    const auto refused = [](const Sweep& sweep) {
        const auto valid = checked(sweep);
        return valid ? "accepted" : valid.error().sentence;
    };
    EXPECT_EQ(refused(sweep_of({})), "0 fields vary; expected one or two.");
    EXPECT_EQ(refused(sweep_of({"batch=8", "batch=16"})),
              "The batch varies twice; expected two different fields.");
    EXPECT_EQ(refused(sweep_of({"batch=1:1000:+1", "sequence=1:1000:+1"})),
              "The sweep has 1000000 points; expected at most 65536.");
    EXPECT_THAT(
        refused(sweep_of({"jitter=0,1us"})),
        AllOf(HasSubstr("The jitter has no effect on an estimate"), HasSubstr("it needs a simulation.")));
    EXPECT_EQ(refused(sweep_of({"jitter=0,1us"}, Depth::simulate)), "accepted");
    EXPECT_THAT(refused(sweep_of({"seed-jitter=1,2"}, Depth::simulate)),
                HasSubstr("The seed has no effect. There is no jitter"));
    // The machine of the default scenario has no pod: 0, not known.
    EXPECT_EQ(refused(sweep_of({"ring-mesh-multiple=x0.5,x1,x2"})),
              "The ring mesh multiple has no factor: it is not known. Expected a value.");
    EXPECT_EQ(refused(sweep_of({"ring-mesh-multiple=4,8"})), "accepted");
    EXPECT_EQ(refused(sweep_of({"hardware=tpu-v4,tpu-v5p", "ring-mesh-multiple=x1,x2"})), "accepted");
}

/// What is not known has no values around it; a time of 0 has.
TEST(Sweep, HasNothingToVaryOfWhatIsNotKnown) {
    Scenario scenario = default_scenario();
    const auto& rings = scenario_field("ring_mesh_multiple");
    EXPECT_EQ(nothing_to_vary(rings, scenario),
              "The hardware says nothing about the ring mesh multiple; there are no values around it.");
    ASSERT_TRUE(rings.set(scenario, std::int64_t{8})); // somebody's own
    EXPECT_EQ(nothing_to_vary(rings, scenario), "");
    EXPECT_FALSE(takes_factors(rings, scenario)) << "they are of the preset";
    EXPECT_EQ(suggested_values(rings, scenario), "1:32:x2");
    scenario.hardware = *machine_preset("tpu-v5p");
    EXPECT_EQ(suggested_values(rings, scenario), "x 0.25:x 4:x 2");
    EXPECT_EQ(nothing_to_vary(scenario_field("links"), scenario), "");
    scenario.gemm = SingleGemm{{64, 64, 64}, Dataflow::OS};
    EXPECT_NE(nothing_to_vary(scenario_field("batch"), scenario), "") << "without effect";
}

/// Stopped, it has handed over whole points from the first on, and goes on after them.
TEST(Sweep, StopsBetweenPoints) {
    const Sweep sweep = sweep_of({"batch=8:512:x2"});
    std::stop_source stop;
    std::vector<SweepPoint> points;
    const auto take = [&](const SweepPoint& point) {
        points.push_back(point);
        stop.request_stop();
    };
    const auto ran = run_sweep(sweep, take, 0, {stop.get_token(), nullptr}, 1);
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().kind, Error::Kind::cancelled);
    ASSERT_EQ(points.size(), 1u);
    for (const SweepPoint& point : run_all(sweep, points.size())) {
        points.push_back(point);
    }
    EXPECT_EQ(points, run_all(sweep));
}

TEST(Sweep, SimulatesWhereAsked) {
    Sweep sweep = sweep_of({"batch=8,16"}, Depth::simulate);
    sweep.scenario.mesh = {2, 2};
    const auto points = run_all(sweep);
    Scenario scenario = sweep.scenario;
    scenario.batch = 16;
    EXPECT_EQ(time_of(points[1]), in_seconds(training_step(scenario, "meshslice", Depth::simulate)->time));
}

TEST(SweepTable, HasARowAPoint) {
    const Sweep sweep = sweep_of({"links=x0.5,x1", "mesh=32x8,7x13"});
    const std::vector<SweepPoint> points = run_all(sweep);
    EXPECT_THAT(sweep_columns(sweep, shown_as(sweep, points)),
                ElementsAre("links", "links_bytes_per_s", "mesh", "time_s", "flop_utilization", "compute_s",
                            "exposed_s", "hidden_share", "memory_bytes", "fits", "least_slices",
                            "most_slices", "does_not_run"));
    const Table table = sweep_table(sweep, points);
    ASSERT_EQ(table.rows.size(), 4u);
    for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
    }
    EXPECT_EQ(table.rows[0][0], Table::Cell(std::string("x 0.5")));
    EXPECT_EQ(table.rows[0][1],
              Table::Cell(points[0].results[0].index() == 3 ? std::get<double>(points[0].results[0]) : 0.0));
    EXPECT_EQ(table.rows[0][3], Table::Cell(time_of(points[0])));
    EXPECT_EQ(table.rows[1].back(), Table::Cell(points[1].objection));
    const auto json = json_of(sweep_values(sweep, points));
    EXPECT_EQ(json["points"].size(), 4u);
    EXPECT_EQ(json["points"][0]["time_s"], time_of(points[0]));
    EXPECT_FALSE(json["points"][1].contains("time_s"));
    EXPECT_EQ(json["points"][1]["does_not_run"], points[1].objection);
}

/// As people call things, and with the reason where the eye looks for it.
TEST(SweepTable, IsReadByPeople) {
    const Sweep sweep = sweep_of({"algorithm=meshslice,cannon", "batch=32,128"});
    const std::vector<SweepPoint> points = run_all(sweep);
    const Table table = shown_sweep_table(sweep, shown_as(sweep, points), points);
    EXPECT_THAT(table.columns, ElementsAre("algorithm", "batch", "time_s", "FLOP utilization", "memory_bytes",
                                           "note", "exposed_s", "estimated hidden share", "compute_s", "S"));
    EXPECT_EQ(table.rows[0][0], Table::Cell(std::string("MeshSlice")));
    EXPECT_EQ(table.rows[0][5], Table::Cell(std::string()));
    EXPECT_EQ(table.rows[1][5], Table::Cell(std::string("does not fit: 57.6 of 32.0\u2009GB per chip")));
    EXPECT_EQ(table.rows[2][0], Table::Cell(std::string("Cannon")));
    EXPECT_EQ(table.rows[2][2], Table::Cell(std::string()));
    EXPECT_EQ(table.rows[2][5], Table::Cell(points[2].objection));
    Sweep jitter = sweep_of({"jitter=0,500ns"});
    EXPECT_THAT(sweep_columns(jitter, shown_as(jitter, {}))[0], "faults.jitter");
    EXPECT_THAT(sweep_columns(jitter, shown_as(jitter, {}))[1], "faults.jitter_s");
}

/// Made-up points: the finding names the best and the fastest of those that fit.
TEST(SweepTable, SaysWhatItFinds) {
    const Sweep sweep = sweep_of({"batch=8,16,32,64"});
    std::vector<SweepPoint> points = made_points(sweep, 4);
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].numbers["time_s"] = 1e-3 * static_cast<double>(k + 1);
        points[k].numbers["flop_utilization"] = 0.2 * static_cast<double>(k + 1);
    }
    points[3].numbers["fits"] = false;
    EXPECT_EQ(
        sweep_finding(sweep, points),
        "3 of 4 points fit into a chip's memory. Of these: Highest FLOP utilization: 60% with batch 32. "
        "Fastest: 1.00\u2009ms with batch 8.");
    points[0].objection = points[1].objection = "No.";
    EXPECT_EQ(
        sweep_finding(sweep, points),
        "1 of 4 points fits into a chip's memory. Of these: Highest FLOP utilization: 60% with batch 32. It "
        "is also the fastest: 3.00\u2009ms. 2 of 4 points do not run.");
    points[0].objection.clear();
    points[0].numbers["flop"] = 8; // Larger batches do more work.
    EXPECT_EQ(
        sweep_finding(sweep, points),
        "2 of 4 points fit into a chip's memory. Of these: Highest FLOP utilization: 60% with batch 32. 1 "
        "of 4 points does not run.");
}

/// Points that are printed alike are equally good.
TEST(SweepTable, CallsNoTieAFinding) {
    const Sweep alike = sweep_of({"hbm-capacity=x2,x4"});
    const std::vector<SweepPoint> points = run_all(alike);
    EXPECT_EQ(sweep_finding(alike, points), "No difference is made by the HBM capacity: " +
                                                seconds_text(time_of(points[0])) + ", 66% of peak.");
    const Sweep sweep = sweep_of({"slices=1,2,4,8"});
    std::vector<SweepPoint> made = made_points(sweep, 4);
    for (std::size_t k = 0; k < made.size(); ++k) {
        made[k].numbers["time_s"] = k == 3 ? 2e-3 : 1e-3;
        made[k].numbers["flop_utilization"] = k == 3 ? 0.3 : 0.6 + 1e-4 * static_cast<double>(k);
    }
    EXPECT_EQ(sweep_finding(sweep, made),
              "Highest FLOP utilization: 60% with slice count 1; slice count 2; slice count 4. They are also "
              "the fastest: 1.00\u2009ms.");
}

/// What varies is not said as if it were fixed.
TEST(SweepTable, HasATitleOfWhatAllPointsHave) {
    EXPECT_EQ(sweep_title(sweep_of({"algorithm=cannon,wang", "mesh=16x16,8x8"})),
              "One block of GPT-3 175B on TPU v4, as in the MeshSlice paper, by estimate: 2 values of the "
              "algorithm and 2 values of the mesh");
    EXPECT_EQ(sweep_title(sweep_of({"model=gpt3-175b", "hardware=tpu-v4"})),
              "MeshSlice, one block on 32x8, by estimate: 1 value of the model and 1 value of the hardware");
}

/// Of two fields the one with more values is the axis.
TEST(SweepChart, HasALineForEachValueOfTheOtherField) {
    const Sweep sweep = sweep_of({"links=x0.5,x1", "batch=64,128,7"});
    std::vector<SweepPoint> points = made_points(sweep, 6);
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].numbers["flop_utilization"] = 0.1 * static_cast<double>(k);
        points[k].numbers["time_s"] = 1e-3;
    }
    points[2].objection = "No.";
    const Chart chart = sweep_chart(sweep, points, "title");
    ASSERT_EQ(chart.panels.size(), 2u);
    const ChartPanel& panel = chart.panels.front();
    using Names = std::vector<std::pair<double, std::string>>;
    EXPECT_EQ(panel.x.names, (Names{{7, "7"}, {64, "64"}, {128, "128"}}));
    ASSERT_EQ(panel.series.size(), 2u);
    EXPECT_EQ(panel.series[0].name, "link bandwidth x 0.5");
    ASSERT_EQ(panel.series[0].points.size(), 2u) << "without the 7, which does not run";
    EXPECT_EQ(panel.series[0].points[1].x, 128);
    EXPECT_EQ(panel.series[0].points[1].y, 0.1);
    EXPECT_EQ(panel.series[0].points[1].item, 1);
    ASSERT_EQ(panel.series[1].points.size(), 3u);
    EXPECT_EQ(panel.series[1].points[0].y, 0.1 * 5) << "of the 7, the lowest";
    EXPECT_EQ(panel.series[1].points[0].item, 5);
    EXPECT_THAT(chart.notes, ElementsAre("Does not run with link bandwidth x 0.5, batch 7: No."));
    points.resize(4); // still running
    EXPECT_EQ(sweep_chart(sweep, points, "").panels.front().series[1].points.size(), 1u);
}

/// What does not run leaves a gap, and what does not fit is an outline that says so.
TEST(SweepChart, ShowsWhatCannotBe) {
    const Sweep sweep = sweep_of({"batch=8:64:x2"});
    std::vector<SweepPoint> points = made_points(sweep, 4);
    for (SweepPoint& point : points) {
        point.numbers["flop_utilization"] = 0.1;
    }
    points[1].objection = "No.";
    points[3].numbers["fits"] = false;
    points[3].numbers["memory_bytes"] = 45e9;
    points[3].numbers["hbm_bytes"] = 32e9;
    const Chart chart = sweep_chart(sweep, points, "title");
    const ChartPanel& panel = chart.panels.front();
    EXPECT_TRUE(panel.x.logarithmic);
    const auto& marks = panel.series.front().points;
    ASSERT_EQ(marks.size(), 3u);
    EXPECT_FALSE(marks[0].apart);
    EXPECT_TRUE(marks[1].apart) << "after the one that does not run";
    EXPECT_FALSE(marks[2].apart);
    EXPECT_FALSE(marks[1].open);
    EXPECT_TRUE(marks[2].open);
    EXPECT_EQ(mark_text(panel, panel.series.front(), marks[2]),
              "MeshSlice\nbatch: 64\nFLOP utilization, by estimate: 10.0%\ndoes not fit: 45.0 of "
              "32.0\u2009GB per chip");
    EXPECT_THAT(chart.notes,
                ElementsAre("Hollow: does not fit into a chip's memory.", "Does not run with batch 16: No."));
}

/// Of a machine with a dead link an estimate is that of the healthy one, and the picture says so.
TEST(SweepChart, SaysThatFaultsAreLeftOut) {
    Sweep sweep = sweep_of({"batch=8,16"});
    const char* const note = "Estimates assume a healthy machine: the faults are left out of them.";
    EXPECT_THAT(sweep_chart(sweep, made_points(sweep, 2), "").notes, testing::Not(testing::Contains(note)));
    sweep.scenario.assume.faults.jitter = Time(1000);
    EXPECT_THAT(sweep_chart(sweep, made_points(sweep, 2), "").notes, testing::Contains(note));
    Sweep simulated = sweep_of({"batch=8,16"}, Depth::simulate);
    simulated.scenario.assume.faults = sweep.scenario.assume.faults;
    EXPECT_THAT(sweep_chart(simulated, made_points(simulated, 2), "").notes,
                testing::Not(testing::Contains(note)));
}

/// It has no mark, so its name would stand at zero.
TEST(SweepChart, LeavesOutALineThatNeverRuns) {
    const Sweep sweep = sweep_of({"algorithm=meshslice,cannon", "batch=8,16,32"});
    std::vector<SweepPoint> points(6);
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].numbers["flop_utilization"] = 0.1;
        points[k].objection = k >= 3 ? "No." : "";
    }
    const Chart chart = sweep_chart(sweep, points, "title");
    ASSERT_EQ(chart.panels.front().series.size(), 1u);
    EXPECT_EQ(chart.panels.front().series.front().name, "MeshSlice");
    EXPECT_THAT(chart.notes, ElementsAre("Cannon does not run: No."));
    const Sweep alone = sweep_of({"algorithm=meshslice,cannon"});
    std::vector<SweepPoint> both = {points[0], points[5]};
    for (std::size_t k = 0; k < both.size(); ++k) {
        both[k].values = values_at(alone, k);
    }
    const Chart words = sweep_chart(alone, both, "");
    EXPECT_THAT(words.panels.front().x.categories, ElementsAre("MeshSlice", "Cannon"));
    EXPECT_EQ(words.panels.front().series.front().values[1], std::nullopt);
    EXPECT_EQ(words.panels.front().series.front().kind, SeriesKind::points) << "nothing is between two words";
    EXPECT_EQ(chart.panels.front().series.front().kind, SeriesKind::line);
}

/// A line from one algorithm to the next would say nothing, however many they are.
TEST(SweepChart, PutsNumbersAlongTheAxis) {
    const Sweep sweep = sweep_of({"algorithm=meshslice,wang,summa", "batch=8,16"});
    const SweepPlan plan = sweep_plan(sweep);
    EXPECT_EQ(plan.axis, 1u);
    EXPECT_EQ(plan.along, 2u);
    EXPECT_EQ(plan.across, 3u);
    EXPECT_EQ(plan.point(1, 2), 5u) << "batch 16 of the third algorithm";
}

} // namespace
} // namespace meshslice
