#include "core/calibrate/calibration.h"
#include "core/calibrate/nccl_log.h"
#include "core/machine/catalogue.h"
#include "tests/core/support/round_hardware.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace meshslice {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double launch_gather = 13e-6;
constexpr double launch_scatter = 26e-6;
constexpr double launch_send = 9e-6;
constexpr double sync = 5e-6;
constexpr double bandwidth = 45e9; ///< of one link, one way; both ways are used

/// What the model says, times 1 + noise x a normal deviate.
std::vector<MeasuredCollective> measured(double noise) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::vector<MeasuredCollective> rows;
    for (const std::int64_t chips : {2, 4, 8, 16}) {
        const auto others = static_cast<double>(chips - 1);
        for (double bytes = 8192; bytes < 1e9; bytes *= 2) {
            const double moved = bytes * others / static_cast<double>(chips) / (2 * bandwidth);
            const auto add = [&](Collective kind, double time) {
                rows.push_back({0, kind, chips, bytes, time * (1 + noise * normal(random))});
            };
            add(Collective::all_gather, launch_gather + others * sync + moved);
            add(Collective::reduce_scatter, launch_scatter + others * sync + moved);
            add(Collective::send_receive, launch_send + sync + bytes / (2 * bandwidth));
        }
    }
    return rows;
}

void expect_planted(const CollectiveFit& fit, double tolerance) {
    EXPECT_NEAR(fit.launch[0]->value / launch_gather, 1, tolerance);
    EXPECT_NEAR(fit.launch[1]->value / launch_scatter, 1, tolerance);
    EXPECT_NEAR(fit.launch[2]->value / launch_send, 1, tolerance);
    EXPECT_NEAR(fit.sync.value / sync, 1, tolerance);
    EXPECT_NEAR(fit.link_bandwidth.value / bandwidth, 1, tolerance);
}

/// Without noise the constants come back, up to rounding, and nothing is left over.
TEST(Calibration, FindsPlantedConstants) {
    const auto fit = fit_collectives(measured(0), RingMode::both_ways);
    ASSERT_TRUE(fit);
    expect_planted(*fit, 1e-9);
    EXPECT_NEAR(fit->quality.r2, 1, 1e-12);
    EXPECT_LT(fit->quality.largest_deviation, 1e-9);
}

/// With a noise of 2% on each of 204 measurements: within 2%, and within three of its own standard errors.
TEST(Calibration, FindsThemThroughNoise) {
    const auto fit = fit_collectives(measured(0.02), RingMode::both_ways);
    ASSERT_TRUE(fit);
    expect_planted(*fit, 0.02);
    EXPECT_LT(std::abs(fit->sync.value - sync), 3 * fit->sync.standard_error.value());
    EXPECT_LT(std::abs(fit->link_bandwidth.value - bandwidth),
              3 * fit->link_bandwidth.standard_error.value());
    // The mean of |x| for a normal deviate of 2% is 2% x sqrt(2 / pi) = 1.6%.
    EXPECT_NEAR(fit->quality.mean_deviation, 0.016, 0.002);
}

/// The same times on rings that are used one way are those of links twice as fast.
TEST(Calibration, KnowsHowARingIsUsed) {
    EXPECT_NEAR(fit_collectives(measured(0), RingMode::one_way)->link_bandwidth.value, 2 * bandwidth,
                1e-6 * bandwidth);
}

TEST(Calibration, RefusesWhatDoesNotTellConstantsApart) {
    const auto sentence = [](const std::vector<MeasuredCollective>& rows) {
        const auto fit = fit_collectives(rows, RingMode::both_ways);
        return fit ? std::string("fitted") : fit.error().sentence;
    };
    using Row = MeasuredCollective;
    constexpr auto gather = Collective::all_gather;
    EXPECT_THAT(sentence({}), HasSubstr("0 measurements"));
    EXPECT_THAT(sentence({Row{0, gather, 2, 1e6, 1e-3}, Row{0, gather, 4, 2e6, 2e-3}}),
                HasSubstr("2 measurements for 3 constants"));
    EXPECT_THAT(
        sentence({Row{0, gather, 4, 1e6, 1e-3}, Row{0, gather, 4, 2e6, 2e-3}, Row{0, gather, 4, 4e6, 4e-3}}),
        AllOf(HasSubstr("take 3 steps"), HasSubstr("sync")));
    // On two chips and four half and three quarters are moved, so bytes and sync can be separated even so;
    // one size on one more ring is what is missing.
    EXPECT_THAT(sentence({Row{0, gather, 2, 1e6, 1e-3}, Row{0, gather, 2, 1e6, 1.1e-3},
                          Row{0, gather, 4, 1e6, 2e-3}}),
                HasSubstr("all collectives move"));
    // 1 ms + 1 ms a step - 0.1 ns a byte: larger ones are faster.
    EXPECT_THAT(sentence({Row{0, gather, 2, 2e6, 1.9e-3}, Row{0, gather, 4, 4e6, 3.7e-3},
                          Row{0, gather, 2, 8e6, 1.6e-3}}),
                HasSubstr("no bandwidth"));
    // 1 ms - 0.1 ms a step + 1 ns a byte: more steps are faster.
    EXPECT_THAT(sentence({Row{0, gather, 2, 2e6, 1.9e-3}, Row{0, gather, 4, 4e6, 3.7e-3},
                          Row{0, gather, 2, 8e6, 4.9e-3}}),
                HasSubstr("a sync of"));
}

/// 2 x 1000^3 FLOP in 12 ms and 8 times that in 82 ms: 10 ms per 2e9 FLOP, 200 GFLOP/s, and 2 ms to launch.
TEST(Calibration, FindsTheRateOfProducts) {
    const auto fit = fit_gemms({{2, {1000, 1000, 1000}, 12e-3}, {3, {2000, 2000, 2000}, 82e-3}});
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->rate.value, 200e9, 1);
    EXPECT_NEAR(fit->launch.value, 2e-3, 1e-12);
    EXPECT_FALSE(fit->rate.standard_error) << "two measurements of two constants leave nothing over";
    // One size alone gives the rate, 2e9 FLOP / 12 ms, and no launch.
    const auto one = fit_gemms({{2, {1000, 1000, 1000}, 12e-3}});
    EXPECT_NEAR(one->rate.value, 2e9 / 12e-3, 1);
    EXPECT_EQ(one->launch.value, 0);
    EXPECT_THAT(fit_gemms({}).error().sentence, HasSubstr("no measurement"));
}

/// One GEMM in 12 ms and again in 40 ms: no rate meets both. The measurements of FindsTheRateOfProducts are
/// met exactly.
TEST(Calibration, WarnsOfAFitThatDoesNotMeetItsRows) {
    const auto poor = fit_gemms(
        {{2, {1000, 1000, 1000}, 12e-3}, {3, {1000, 1000, 1000}, 40e-3}, {4, {2000, 2000, 2000}, 82e-3}});
    ASSERT_TRUE(poor);
    EXPECT_THAT(
        warning(poor->quality, "GEMMs"),
        AllOf(testing::StartsWith("The GEMMs do not follow the formula that is fitted to them: R2 is"),
              HasSubstr("met only within"), testing::EndsWith("Do not trust its constants.")));
    const auto good = fit_gemms({{2, {1000, 1000, 1000}, 12e-3}, {3, {2000, 2000, 2000}, 82e-3}});
    EXPECT_EQ(warning(good->quality, "GEMMs"), "");
    FitQuality quality;
    quality.r2 = 0.99;
    quality.largest_deviation = 0.25;
    EXPECT_EQ(warning(quality, "collectives"), "The collectives do not follow the formula that is fitted to "
                                               "them: one of them is met only within 25%. "
                                               "Do not trust its constants.");
    quality.largest_deviation = 0.2;
    EXPECT_EQ(warning(quality, "collectives"), "");
    quality.r2 = 0.24;
    EXPECT_EQ(warning(quality, "collectives"), "The collectives do not follow the formula that is fitted to "
                                               "them: R2 is 0.24. Do not trust its constants.");
}

TEST(Calibration, SaysInTheHardwareWhereItComesFrom) {
    auto fit = fit_collectives(measured(0), RingMode::both_ways);
    fit->quality.measured_in = "measured.csv";
    const auto gemms = fit_gemms({{2, {1000, 1000, 1000}, 4e-3}}); // 500 GFLOP/s of a peak of 1 TFLOP/s
    const auto hardware = calibrated(round_hardware(), *fit, *gemms, DataType::bf16);
    ASSERT_TRUE(hardware) << hardware.error().sentence;
    EXPECT_EQ(hardware->sync.value, seconds(sync));
    EXPECT_THAT(hardware->sync.source,
                AllOf(HasSubstr("204 measured collectives"), HasSubstr("measured.csv")));
    EXPECT_NEAR(hardware->effective_fraction.value, 0.5, 1e-9);
    EXPECT_EQ(hardware->hbm, round_hardware().hbm);
    const auto too_fast = fit_gemms({{2, {1000, 1000, 1000}, 1e-3}});
    EXPECT_THAT(calibrated(round_hardware(), {}, *too_fast, DataType::bf16).error().sentence,
                HasSubstr("above"));
}

/// 2 x 1000^3 FLOP in 1 ms are 2 TFLOP/s, above a peak of 1 TFLOP/s: the line says so, of the file's.
TEST(Measurements, FasterThanThePeakNameTheirLine) {
    const std::vector<MeasuredGemm> rows = {{2, {1000, 1000, 1000}, 4e-3}, {5, {1000, 1000, 1000}, 1e-3}};
    EXPECT_THAT(
        measured_products(rows, "g.csv", round_hardware()).error().sentence,
        AllOf(HasSubstr("g.csv, line 5: the GEMM 1000x1000x1000 in 1.00"), HasSubstr("above the peak of")));
    EXPECT_TRUE(measured_products({rows.front()}, "g.csv", round_hardware()));
}

TEST(Measurements, AreReadWithUnitsInAnyOrder) {
    const auto rows = read_collectives("# of a ring\r\ntime, chips ,operation,bytes\r\n\r\n"
                                       "13 us,4,reduce_scatter,8 KiB\r\n1e-3 s,2,all_gather,1000\r\n",
                                       "m.csv");
    ASSERT_TRUE(rows) << rows.error().sentence;
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_EQ(rows->front().operation, Collective::reduce_scatter);
    EXPECT_EQ(rows->front().line, 4);
    EXPECT_DOUBLE_EQ(rows->front().bytes, 8192);
    EXPECT_DOUBLE_EQ(rows->front().seconds, 13e-6);
    EXPECT_EQ(rows->back().chips, 2);
    EXPECT_EQ(read_gemms("M,N,K,time\n8,16,32,1 ms\n", "g.csv")->front().shape, (GemmShape{8, 16, 32}));
    // As spreadsheets write it.
    EXPECT_EQ(read_gemms("\xEF\xBB\xBFM,N,K,time\r\n8,16,32,1 ms\r\n", "g.csv")->front().shape,
              (GemmShape{8, 16, 32}));
    EXPECT_THAT(read_gemms("M;N;K;time\n8;16;32;1\n", "g.csv").error().sentence,
                HasSubstr("separated by commas"));
}

/// 75.96 may be microseconds or milliseconds; a header may say it once for all.
TEST(Measurements, ATimeWithoutAUnitIsRefused) {
    const auto bare = read_collectives("operation,chips,bytes,time\nall_gather,4,1048576,75.96\n", "m.csv");
    ASSERT_FALSE(bare);
    EXPECT_THAT(bare.error().sentence,
                AllOf(HasSubstr("m.csv, line 2: time is 75.96, which has no unit"), HasSubstr("time_us")));
    for (const char* column : {"time_us", "time (us)", "Time_in_us", "TIME[us]"}) {
        const auto rows = read_collectives(
            fmt::format("operation,chips,bytes,{}\nall_gather,4,1048576,75.96\n", column), "m.csv");
        ASSERT_TRUE(rows) << rows.error().sentence;
        EXPECT_DOUBLE_EQ(rows->front().seconds, 75.96e-6) << column;
    }
    const auto mebibytes =
        read_collectives("operation,chips,bytes_MiB,time_ms\nAllReduce,4,1,0.1\n", "m.csv");
    ASSERT_TRUE(mebibytes) << mebibytes.error().sentence;
    EXPECT_EQ(mebibytes->front().operation, Collective::all_reduce);
    EXPECT_DOUBLE_EQ(mebibytes->front().bytes, 1048576);
    EXPECT_DOUBLE_EQ(mebibytes->front().seconds, 1e-4);
    EXPECT_EQ(read_gemms("m,k,n,time\n8,32,16,5 us\n", "g.csv")->front().shape, (GemmShape{8, 16, 32}));
}

/// Two ranks, microseconds, and what the library says between the rows; a row of 0 bytes is left out.
TEST(Measurements, ALogOfNcclTestsIsRead) {
    const std::string log =
        "# nThread 1 nGpus 1 minBytes 8 maxBytes 16 step: 2(factor)\n"
        "# Using devices\n"
        "#  Rank  0 Group  0 Pid 10 on a device  0 [0x01] Some GPU\n"
        "#  Rank  1 Group  0 Pid 11 on b device  0 [0x01] Some GPU\n"
        "#                              out-of-place            in-place\n"
        "#   size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n"
        "#    (B)  (elements)                (us)  (GB/s) (GB/s)        (us)  (GB/s) (GB/s)\n"
        "      0      0  float   sum   -1   4.00   0.00   0.00   0   4.00  0.00  0.00  0\n"
        "a:10:10 [0] NCCL INFO says something\n"
        "   1024    256  float   sum   -1  12.50   0.08   0.08   0  11.00  0.09  0.09  0\n";
    const auto rows = read_collectives("# Collective test starting: all_reduce_perf\n" + log, "nccl.txt");
    ASSERT_TRUE(rows) << rows.error().sentence;
    ASSERT_EQ(rows->size(), 1u);
    EXPECT_EQ(rows->front().operation, Collective::all_reduce);
    EXPECT_EQ(rows->front().chips, 2);
    EXPECT_EQ(rows->front().line, 11);
    EXPECT_DOUBLE_EQ(rows->front().bytes, 1024);
    EXPECT_DOUBLE_EQ(rows->front().seconds, 12.5e-6);
    EXPECT_THAT(read_collectives(log, "nccl.txt").error().sentence, HasSubstr("does not say its operation"));
    EXPECT_THAT(read_collectives("# alltoall_perf\n" + log, "nccl.txt").error().sentence,
                HasSubstr("nccl.txt is a log of all-to-all; expected all-reduce,"));
    EXPECT_EQ(read_nccl_log("# alltoall_perf\n" + log, "nccl.txt")->rows.front().operation,
              Collective::all_to_all);
    EXPECT_THAT(read_nccl_log("# hypercube_perf\n" + log, "nccl.txt").error().sentence,
                HasSubstr("is a log of hypercube_perf"));
    EXPECT_EQ(read_nccl_log(log, "nccl.txt", Collective::broadcast)->rows.front().operation,
              Collective::broadcast)
        << "where the log does not say it";
    EXPECT_THAT(read_nccl_log("# alltoall_perf\n" + log, "nccl.txt", Collective::broadcast).error().sentence,
                HasSubstr("nccl.txt is a log of all-to-all; expected broadcast, as was asked."));
    // As many threads as a number holds are refused, not multiplied.
    const auto many = read_collectives("# all_reduce_perf\n"
                                       "# nThread 9223372036854775807 nGpus 9223372036854775807\n"
                                       "# size time busbw\n",
                                       "nccl.txt");
    ASSERT_FALSE(many.has_value());
    EXPECT_THAT(many.error().sentence, HasSubstr("expected 2 to 65536"));
}

/// A size whose results are wrong, out of place or in place, is not a measurement.
TEST(Measurements, WrongResultsOfNcclTestsAreLeftOut) {
    const std::string head =
        "# all_reduce_perf\n# nThread 1 nGpus 2\n"
        "#   size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw #wrong\n";
    const std::string right = "  1024  256  float  sum  -1  12.5  0.1  0.1  0  11.0  0.1  0.1  0\n";
    const std::string wrong = "  2048  512  float  sum  -1  13.5  0.1  0.1  7  11.0  0.1  0.1  0\n";
    const std::string in_place = "  4096  1024  float  sum  -1  13.5  0.1  0.1  0  11.0  0.1  0.1  3\n";
    const std::string unchecked = "  8192  2048  float  sum  -1  14.5  0.1  0.1  N/A  11.0  0.1  0.1  N/A\n";
    const std::string count = "# Out of bounds values : 10 FAILED\n";
    const auto read = read_nccl_log(head + right + wrong + in_place + unchecked + count, "nccl.txt");
    ASSERT_TRUE(read) << read.error().sentence;
    ASSERT_EQ(read->rows.size(), 2U);
    EXPECT_DOUBLE_EQ(read->rows[1].bytes, 8192) << "not checked, and not known to be wrong";
    ASSERT_EQ(read->wrong.size(), 2U);
    EXPECT_DOUBLE_EQ(read->wrong[0].bytes, 2048);
    EXPECT_EQ(read->wrong[1].line, 6);
    const auto refusal = [](const std::string& text) {
        const auto made = read_nccl_log(text, "nccl.txt");
        return made ? std::string("it is read") : made.error().sentence;
    };
    EXPECT_THAT(refusal(head + right + count), HasSubstr("nccl.txt counts 10 out of bounds values"));
    EXPECT_THAT(refusal(head + wrong), HasSubstr("wrong results at all of its sizes"));
    EXPECT_THAT(refusal(head + right + head + right), HasSubstr("nccl.txt, line 7: a second table begins"));
    EXPECT_EQ(refusal("[1,0]<stdout>:# all_reduce_perf\n[1,0]<stdout>:# nThread 1 nGpus 2\n"
                      "[1,0]<stdout>:# size time busbw\n[1,0]<stdout>: 8 2.5 1\n"),
              "it is read");
    EXPECT_THAT(read_collectives(head + right + wrong, "nccl.txt").error().sentence,
                HasSubstr("has wrong results at 1 of its sizes (#wrong), 2048 B (line 5)"));
}

/// Each of 4 chips gives 1000 numbers of 2 bytes: 8000 bytes are gathered, and 2000 are summed.
TEST(Measurements, ATableOfJaxMicroBenchmarksIsRead) {
    const std::string head = "iteration\top_type\trank\tsharding_strategy\tinput_num_elements\tdtype_bytes\t"
                             "hlo_input_shape\tstep_time_ms_p50\tstep_time_ms_p90\n";
    const auto rows = read_collectives(head + "1\tAG\t4\t1x4\t1000\t2\t\"\"\"f32[8,128]\"\"\"\t0.02\t0.03\n"
                                              "2\tRS\t4\t4x1\t1000\t2\t\"\"\t0.01\t0.03\n",
                                       "t_all_gather.csv");
    ASSERT_TRUE(rows) << rows.error().sentence;
    ASSERT_EQ(rows->size(), 2u);
    EXPECT_DOUBLE_EQ(rows->front().bytes, 8000);
    EXPECT_DOUBLE_EQ(rows->front().seconds, 20e-6);
    EXPECT_EQ(rows->back().operation, Collective::reduce_scatter);
    EXPECT_DOUBLE_EQ(rows->back().bytes, 2000);
    EXPECT_THAT(
        read_collectives(head + "1\tAG\t8\t2x4\t1000\t2\t\"\"\t0.02\t0.03\n", "t.csv").error().sentence,
        AllOf(HasSubstr("t.csv, line 2"), HasSubstr("\"2x4\"")));
    const auto gemms = read_gemms("m\tn\tk\tdtype\tstep_time_ms_p50\n8\t16\t32\tbf16\t0.5\n", "t_gemm.csv");
    ASSERT_TRUE(gemms) << gemms.error().sentence;
    EXPECT_DOUBLE_EQ(gemms->front().seconds, 5e-4);
}

TEST(Measurements, AreRefusedByLine) {
    const auto refused = [](const std::string& csv) {
        const auto rows = read_collectives(csv, "m.csv");
        return rows ? std::string("read") : rows.error().sentence;
    };
    const std::string header = "operation,chips,bytes,time\n";
    EXPECT_THAT(refused(""), HasSubstr("m.csv is empty"));
    EXPECT_THAT(refused("operation,chips,time\n"), AllOf(HasSubstr("line 1"), HasSubstr("bytes")));
    EXPECT_THAT(refused(header + "all_gather,4,1\n"), AllOf(HasSubstr("line 2"), HasSubstr("expected 4")));
    EXPECT_THAT(refused(header + "all_gather,4,1,1 s\nbroadcast,4,1,1 s\n"),
                AllOf(HasSubstr("line 3"), HasSubstr("\"broadcast\"")));
    EXPECT_THAT(refused(header + "all_gather,1,1,1\n"), HasSubstr("chips is \"1\""));
    EXPECT_THAT(refused(header + "all_gather,4,nan,1\n"), HasSubstr("bytes is \"nan\""));
    EXPECT_THAT(refused(header + "all_gather,4,1,-3 s\n"), HasSubstr("time is \"-3 s\""));
    EXPECT_EQ(read_gemms("M,N,K,time\n0,1,1,1\n", "g.csv").has_value(), false);
}

/// An all-reduce is a reduce-scatter and an all-gather: two launches, 2 (P - 1) steps, twice the bytes.
MeasuredCollective reduced(std::int64_t chips, double bytes) {
    const auto others = static_cast<double>(chips - 1);
    return {0,
            Collective::all_reduce,
            chips,
            bytes,
            launch_gather + launch_scatter + 2 * others * sync +
                2 * bytes * others / static_cast<double>(chips) / (2 * bandwidth),
            {}};
}

TEST(Calibration, AllReducesAloneGiveTheSumOfTheirLaunches) {
    std::vector<MeasuredCollective> rows;
    for (const std::int64_t chips : {4, 8}) {
        for (const double bytes : {1e6, 1e7, 1e8}) {
            rows.push_back(reduced(chips, bytes));
        }
    }
    const auto fit = fit_collectives(rows, RingMode::both_ways);
    ASSERT_TRUE(fit) << fit.error().sentence;
    EXPECT_NEAR(fit->launch[0]->value, (launch_gather + launch_scatter) / 2, 1e-10);
    EXPECT_NEAR(fit->launch[1]->value, (launch_gather + launch_scatter) / 2, 1e-10);
    EXPECT_NEAR(fit->sync.value / sync, 1, 1e-6);
    EXPECT_NEAR(fit->link_bandwidth.value / bandwidth, 1, 1e-6);
    auto with_gathers = measured(0);
    with_gathers.push_back(reduced(4, 1e7));
    const auto both = fit_collectives(with_gathers, RingMode::both_ways);
    ASSERT_TRUE(both);
    expect_planted(*both, 1e-6);
}

/// On 4 chips alone 3 syncs stand with the launch: 13 + 15 us. A machine's sync of 4 us leaves 16 us, one of
/// 20 us is more than there is: 28 / 3 us, and no launch.
TEST(Calibration, OneRingSizeTakesTheSyncOfAMachine) {
    std::vector<MeasuredCollective> rows;
    for (const double bytes : {1e6, 1e7, 1e8}) {
        rows.push_back({0,
                        Collective::all_gather,
                        4,
                        bytes,
                        launch_gather + 3 * sync + bytes * 0.75 / (2 * bandwidth),
                        {}});
    }
    EXPECT_FALSE(fit_collectives(rows, RingMode::both_ways));
    const auto fit = fit_collectives(rows, RingMode::both_ways, 4e-6);
    ASSERT_TRUE(fit) << fit.error().sentence;
    EXPECT_TRUE(fit->sync_known);
    EXPECT_NEAR(fit->sync.value, 4e-6, 1e-12);
    EXPECT_NEAR(fit->launch[0]->value, 16e-6, 1e-10);
    EXPECT_NEAR(fit->link_bandwidth.value / bandwidth, 1, 1e-6);
    const auto less = fit_collectives(rows, RingMode::both_ways, 20e-6);
    ASSERT_TRUE(less);
    EXPECT_NEAR(less->sync.value, 28e-6 / 3, 1e-10);
    EXPECT_NEAR(less->launch[0]->value, 0, 1e-10);
}

/// Links along Y half as fast as along X.
TEST(Calibration, AxesHaveBandwidthsOfTheirOwn) {
    std::vector<MeasuredCollective> rows;
    for (const int axis : {0, 1}) {
        for (const std::int64_t chips : {4, 8}) {
            for (const double bytes : {1e6, 1e7, 1e8}) {
                const auto others = static_cast<double>(chips - 1);
                rows.push_back(
                    {0, Collective::all_gather, chips, bytes,
                     launch_gather + others * sync +
                         bytes * others / static_cast<double>(chips) * (axis + 1) / (2 * bandwidth),
                     axis});
            }
        }
    }
    const auto fit = fit_collectives(rows, RingMode::both_ways);
    ASSERT_TRUE(fit) << fit.error().sentence;
    EXPECT_NEAR(fit->axis_bandwidth.at(0).value / bandwidth, 1, 1e-6);
    EXPECT_NEAR(fit->axis_bandwidth.at(1).value / bandwidth, 0.5, 1e-6);
    EXPECT_NEAR(fit->link_bandwidth.value / bandwidth, 0.5, 1e-6) << "the least";
}

/// Files of measurements in a folder of the test's own.
class MeasurementFiles : public testing::Test {
  protected:
    ~MeasurementFiles() override { std::filesystem::remove_all(folder); }

    std::string file(const char* name, const char* content) const {
        std::filesystem::create_directories(folder);
        const std::filesystem::path path = folder / name;
        std::ofstream(path) << content;
        return path.string();
    }

    std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) /
        fmt::format("measurements-{}-{}", testing::UnitTest::GetInstance()->current_test_info()->name(),
                    std::random_device()());
    /// 1 us + (P - 1) x 2 us + (P - 1) / P x bytes / (2 x 50 GB/s).
    const std::string ring = file("ring.csv", "operation,chips,bytes,time\n"
                                              "all_gather,2,1000000,8 us\n"
                                              "all_gather,2,10000000,53 us\n"
                                              "all_gather,5,1000000,17 us\n"
                                              "all_gather,5,10000000,89 us\n");
    /// The same GEMM of 2 GFLOP twice.
    const std::string chip = file("chip.csv", "M,N,K,time\n1000,1000,1000,3 ms\n1000,1000,1000,5 ms\n");
};

TEST_F(MeasurementFiles, AreReadBothOrOne) {
    const auto both = read_measurements(ring, chip);
    ASSERT_TRUE(both) << both.error().sentence;
    EXPECT_EQ(both->collectives.size(), 4u);
    EXPECT_EQ(both->gemms.size(), 2u);
    EXPECT_EQ(both->collectives_from, "ring.csv");
    EXPECT_EQ(both->gemms_from, "chip.csv");
    const auto one = read_measurements("", chip);
    ASSERT_TRUE(one) << one.error().sentence;
    EXPECT_TRUE(one->collectives.empty());
    EXPECT_EQ(one->collectives_from, "");
    EXPECT_EQ(one->gemms.size(), 2u);
    const auto other = read_measurements(ring, "");
    ASSERT_TRUE(other) << other.error().sentence;
    EXPECT_EQ(other->collectives.size(), 4u);
    EXPECT_EQ(other->gemms_from, "");
}

/// The header is line 1, so what is wrong in the second row is in line 3.
TEST_F(MeasurementFiles, AreRefusedByFileAndLine) {
    const std::string bad_chip = file("bad-chip.csv", "M,N,K,time\n8,8,8,1 ms\n8,0,8,1 ms\n");
    EXPECT_THAT(read_measurements(ring, bad_chip).error().sentence, HasSubstr(bad_chip + ", line 3: "));
    const std::string bad_ring =
        file("bad-ring.csv", "operation,chips,bytes,time\nall_gather,2,1,1 s\nbroadcast,2,1,1 s\n");
    EXPECT_THAT(read_measurements(bad_ring, chip).error().sentence, HasSubstr(bad_ring + ", line 3: "));
    const std::string none = (folder / "none.csv").string();
    EXPECT_THAT(read_measurements(none, chip).error().sentence, HasSubstr("no file " + none));
}

/// The ring's times are the model's own: no deviation. Of one time t for both GEMMs, t / 3 - 1 and t / 5 - 1
/// squared add up to the least where t = (1/3 + 1/5) / (1/9 + 1/25) = 60/17 ms: 3/17 too long, 5/17 too
/// short.
TEST_F(MeasurementFiles, ResidualsHaveBothKindsInOneTable) {
    const auto fit = calibrate(*read_measurements(ring, chip), round_hardware());
    ASSERT_TRUE(fit) << fit.error().sentence;
    const Table table = residuals(*fit);
    EXPECT_THAT(table.columns, testing::ElementsAre("line", "operation", "chips", "bytes", "m", "n", "k",
                                                    "measured_s", "fitted_s", "deviation_share"));
    ASSERT_EQ(table.rows.size(), 6u);
    const Table::Cell none = std::string();
    const auto number = [&](std::size_t row, std::size_t column) {
        return std::get<double>(table.rows[row][column]);
    };
    for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
    }
    const auto& gather = table.rows[3]; // of 5 chips, 10 MB
    EXPECT_EQ(gather[0], Table::Cell(std::int64_t{5}));
    EXPECT_EQ(gather[1], Table::Cell(std::string("all_gather")));
    EXPECT_EQ(gather[2], Table::Cell(std::int64_t{5}));
    EXPECT_EQ(gather[4], none);
    EXPECT_DOUBLE_EQ(number(3, 7), 89e-6);
    EXPECT_NEAR(number(3, 9), 0, 1e-9);
    const auto& gemm = table.rows[4];
    EXPECT_EQ(gemm[0], Table::Cell(std::int64_t{2}));
    EXPECT_EQ(gemm[1], Table::Cell(std::string("gemm")));
    EXPECT_EQ(gemm[2], none);
    EXPECT_EQ(gemm[3], none);
    EXPECT_EQ(gemm[6], Table::Cell(std::int64_t{1000}));
    EXPECT_DOUBLE_EQ(number(4, 7), 3e-3);
    EXPECT_NEAR(number(4, 8), 60e-3 / 17, 1e-12);
    EXPECT_NEAR(number(4, 9), 3.0 / 17, 1e-9);
    EXPECT_NEAR(number(5, 9), -5.0 / 17, 1e-9);
}

/// Every GEMM of a run is compared with all of a table.
TEST(MeasuredGemms, AreRefusedWhereThereAreTooMany) {
    std::vector<MeasuredGemm> gemms(most_measured_gemms, MeasuredGemm{2, {128, 128, 128}, 1e-3});
    const Machine chip = *machine_preset("tpu-v5e");
    EXPECT_TRUE(measured_products(gemms, "big.csv", chip));
    gemms.push_back(gemms.front());
    const auto refused = measured_products(gemms, "big.csv", chip);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().sentence,
                testing::StartsWith("big.csv has 20001 GEMMs; expected up to 20000"));
}

} // namespace
} // namespace meshslice
