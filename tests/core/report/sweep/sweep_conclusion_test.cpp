// What a reader takes from a sweep.

#include "core/base/text/text_table.h"
#include "core/question/catalogue/questions.h"
#include "core/question/catalogue/step_points.h"
#include "core/report/sweep/sweep_chart.h"
#include "core/report/sweep/sweep_conclusion.h"

#include <gmock/gmock.h>

#include <memory>
#include <utility>
#include <vector>

namespace meshslice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Sweep sweep_through(const std::vector<const char*>& varied) {
    Sweep sweep = sweep_of_steps(default_scenario(), {});
    for (const char* words : varied) {
        sweep.fields.push_back(*parse_vary(*sweep.over, sweep.scenario, words));
    }
    return sweep;
}

/// Points that do the same work in these times.
std::vector<SweepPoint> timed(const Sweep& sweep, const std::vector<double>& seconds) {
    std::vector<SweepPoint> points(seconds.size());
    for (std::size_t k = 0; k < points.size(); ++k) {
        points[k].values = values_at(sweep, k);
        points[k].numbers = {
            {"time_s", seconds[k]}, {"flop_utilization", 0.1 / seconds[k]}, {"flop", 1.0}, {"fits", true}};
    }
    return points;
}

std::vector<std::string> plain(std::vector<std::string> words) {
    for (std::string& one : words) {
        one = plain_spaces(one);
    }
    return words;
}

/// 4, 2, 1 and 0.9 s: each doubling halves the time up to 4 slices, and takes away a tenth after that.
TEST(SweepConclusion, SaysTheBestTheNextTheLastAndWhereItBends) {
    const Sweep sweep = sweep_through({"slices=1,2,4,8"});
    EXPECT_THAT(plain(sweep_conclusion(sweep, timed(sweep, {4, 2, 1, 0.9}))),
                ElementsAre("Time, by estimate: 900 ms with slice count 8 is the best.",
                            "The next is 1.00 s with slice count 4, 11% more.",
                            "The last is 4.00 s with slice count 1, 4.44 times as much.",
                            "Up to 4 each doubling of the slice count takes away 50%, beyond that it takes "
                            "away 10%."));
}

/// 1 s with two of the slice counts; 2 s with two others.
TEST(SweepConclusion, NamesTiesTogether) {
    const Sweep sweep = sweep_through({"slices=1,2,4,8,16"});
    EXPECT_THAT(
        plain(sweep_conclusion(sweep, timed(sweep, {2, 1, 1, 2, 4}))),
        testing::IsSupersetOf({"Time, by estimate: the best is 1.00 s with slice count 2 and slice count 4.",
                               "The next is 2.00 s with slice count 1 and slice count 8, 2 times as much.",
                               "The last is 4.00 s with slice count 16, 4 times as much."}));
}

/// Of three points two have an expected time: they are judged by it, the third is named apart, and the best
/// of all is by the ideal time that all have.
TEST(SweepConclusion, JudgesThoseThatHaveTheNumberAndNamesTheRest) {
    Sweep sweep = sweep_through({"slices=1,2,4"});
    Question over = *sweep.over;
    SweptQuestion swept = *over.swept;
    swept.measures = {{"expected_s", "expected time", ChartUnit::seconds, Better::less},
                      {"time_s", "ideal time", ChartUnit::seconds, Better::less}};
    over.swept = std::make_shared<const SweptQuestion>(std::move(swept));
    sweep.over = std::make_shared<const Question>(std::move(over));
    std::vector<SweepPoint> points = timed(sweep, {4, 2, 1});
    points[0].numbers["expected_s"] = 5.0;
    points[1].numbers["expected_s"] = 4.0;
    EXPECT_THAT(plain(sweep_conclusion(sweep, points)),
                testing::IsSupersetOf({"Expected time: 4.00 s with slice count 2 is the best.",
                                       "Behind it is 5.00 s with slice count 1, 25% more.",
                                       "Without expected time, and so not in that order: slice count 4.",
                                       "By ideal time, which all have, the best of all is 1.00 s with "
                                       "slice count 4."}));
    points[1].numbers["expected_s"] = 0.0;
    EXPECT_EQ(plain(sweep_conclusion(sweep, points)).front(),
              "Ideal time: 1.00 s with slice count 4 is the best.")
        << "one expected time alone has nothing to be held against";
}

/// 16, 8, 6, 5 s: up to 2 a half, then 6/8 and 5/6, which differ: (5/8)^(1/2) = 0.79 on average.
TEST(SweepConclusion, SaysOnAverageWhereDoublingsDiffer) {
    const Sweep sweep = sweep_through({"slices=1,2,4,8"});
    EXPECT_THAT(plain(sweep_conclusion(sweep, timed(sweep, {16, 8, 6, 5})))[3],
                "On average, up to 2 a doubling of the slice count takes away 50%, beyond that it takes away "
                "21%.");
    const Sweep apart = sweep_through({"slices=1,16"});
    EXPECT_THAT(plain(sweep_conclusion(apart, timed(apart, {16, 1})))[2],
                "On average, a doubling of the slice count takes away 50%.");
}

/// 100 to 110 is not a doubling.
TEST(SweepConclusion, SaysTheEndsOfWhatNeverDoubles) {
    const Sweep sweep = sweep_through({"batch=100,110"});
    EXPECT_THAT(plain(sweep_conclusion(sweep, timed(sweep, {1, 1.2})))[2], "From 100 to 110 it adds 20%.");
}

/// Only the number that the sweep is judged by says whether measured runs tell two points apart.
TEST(SweepConclusion, HandsOverTheNumberThatPointsAreJudgedBy) {
    Sweep sweep = sweep_through({"slices=1,2"});
    Question over = *sweep.over;
    SweptQuestion swept = *over.swept;
    swept.apart = [](const Measure& judged, const SweepPoint&, const SweepPoint&) {
        return "Judged by " + judged.path + ".";
    };
    over.swept = std::make_shared<const SweptQuestion>(std::move(swept));
    sweep.over = std::make_shared<const Question>(std::move(over));
    EXPECT_THAT(sweep_conclusion(sweep, timed(sweep, {2, 1}))[1], HasSubstr("Judged by time_s."));
}

/// 1 and 1.3 s, where ratios of plans of one kind on one machine are known to 20%; of another machine nothing
/// is said, and where ideal times are judged.
TEST(SweepConclusion, TellsPlansApartOnlyOfOneKindAndByExpectedTimes) {
    const auto point = [](double seconds, const char* like) {
        SweepPoint one;
        one.numbers = {{"expected_s", seconds}, {"time_s", seconds},    {"flop", 1.0},
                       {"ratio_pairs", 80.0},   {"ratio_groups", 12.0}, {"ratio_known_times", 1.2},
                       {"ratio_wider", 1.0},    {"measured_like", like}};
        return one;
    };
    const auto apart = plan_question().swept->apart;
    const Measure expected{"expected_s", "expected time"}, ideal{"time_s", "ideal time"};
    EXPECT_EQ(
        apart(expected, point(1, "one"), point(1.3, "one")),
        "Measured runs tell the two apart. By 80 pairs of measured runs in 12 groups that share the model, "
        "the chip, the number format and the software, the ratio of two such times is off by at most 20% "
        "in eight of ten.");
    EXPECT_THAT(apart(expected, point(1, "one"), point(1.1, "one")),
                HasSubstr("cannot tell the two apart. By 80 pairs"));
    EXPECT_EQ(apart(expected, point(1, "one"), point(1.3, "another")), "");
    EXPECT_EQ(apart(ideal, point(1, "one"), point(1.3, "one")), "");
}

/// From 10% to 40% of the time.
TEST(SweepConclusion, SaysWhatBendsIt) {
    const Sweep sweep = sweep_through({"slices=1,2"});
    std::vector<SweepPoint> points = timed(sweep, {2, 1});
    points[0].numbers["exposed_share"] = 0.1;
    points[1].numbers["exposed_share"] = 0.4;
    EXPECT_THAT(sweep_conclusion(sweep, points)[2],
                "A doubling of the slice count takes away 50%. From the first to the last, the share of the "
                "time in which cores wait rises from 10% to 40%.");
}

/// Larger ones do not fit: the best is the best of the others.
TEST(SweepConclusion, SaysUpToWhereItFits) {
    const Sweep sweep = sweep_through({"slices=1,2,4"});
    std::vector<SweepPoint> points = timed(sweep, {4, 2, 1});
    points[2].numbers["fits"] = false;
    const std::vector<std::string> words = sweep_conclusion(sweep, points);
    EXPECT_THAT(words[0], HasSubstr("with slice count 2 is the best"));
    EXPECT_EQ(words.back(), "It fits into a chip's memory up to slice count 2.");
}

/// Slices halve the time, and faster links take a quarter away.
TEST(SweepConclusion, SaysWhichOfTwoFieldsMattersMore) {
    const Sweep sweep = sweep_through({"links=x1,x2", "slices=1,2"});
    EXPECT_EQ(sweep_conclusion(sweep, timed(sweep, {4, 2, 3, 1.5}))[3],
              "The slice count changes it by up to 2 times, the link bandwidth by up to 1.33 times.");
}

/// Other batches are other work: a time says nothing, utilization does.
TEST(SweepConclusion, JudgesOtherWorkByUtilization) {
    const Sweep sweep = sweep_through({"batch=8,16"});
    std::vector<SweepPoint> points = timed(sweep, {1, 2});
    points[1].numbers["flop"] = 4.0;
    points[1].numbers["flop_utilization"] = 0.2;
    const std::vector<std::string> words = plain(sweep_conclusion(sweep, points));
    EXPECT_EQ(words[0], "FLOP utilization, by estimate: 20% with batch 16 is the best.");
    EXPECT_EQ(words[1], "Behind it is 10% with batch 8, 50% less.");
}

/// Names have no order that a line could follow.
TEST(SweepChart, JoinsNumbersAndNotNames) {
    const auto kind = [](const char* varied, const std::vector<double>& seconds) {
        const Sweep sweep = sweep_through({varied});
        return sweep_chart(sweep, timed(sweep, seconds), "").panels.front().series.front().kind;
    };
    EXPECT_EQ(kind("slices=1,2", {1, 2}), SeriesKind::line);
    EXPECT_EQ(kind("algorithm=meshslice,wang", {1, 2}), SeriesKind::points);
}

} // namespace
} // namespace meshslice
