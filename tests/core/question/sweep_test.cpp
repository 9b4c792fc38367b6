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
